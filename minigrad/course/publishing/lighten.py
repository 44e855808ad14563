"""What a page need not load: scripts and fonts for icons, and styles that no page uses."""

import re
import shutil

ICON = re.compile(r'(<(i|span)\b[^>]*\bclass="[^"]*\bfa-solid fa-([a-z-]+)[^>]*>)\s*(?=</\2>)')
SHAPE = r'"?\b{}"?:\[(\d+),(\d+),\[[^]]*\],"\w+","([^"]+)"\]'
SCRIPT = r"[ \t]*<script[^>]*\b(?:{})\.js[^>]*></script>\n?"
ICONS = re.compile(SCRIPT.format("fontawesome"))
ICONS_AND_SEARCH = re.compile(SCRIPT.format("fontawesome|searchtools|language_data|searchindex"))
PICTURE = re.compile(r'<img (?=[^>]*\bsrc="(?!data:))(?![^>]*\bloading=)')
WORD = re.compile(r"[A-Za-z_][\w-]*")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
EXCLUDED = re.compile(r":not\([^)]*\)")
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")


def lighten_site(site):
    """Make the pages below the folder `site` load only what they use."""
    static = site / "_static"
    script = static / "scripts" / "fontawesome.js"
    shapes = script.read_text(encoding="utf-8")
    pages = sorted(site.rglob("*.html"))
    for path in pages:
        text = ICON.sub(lambda found: icon_svg(shapes, found), path.read_text(encoding="utf-8"))
        loads = ICONS if path.name == "search.html" else ICONS_AND_SEARCH
        text = PICTURE.sub('<img loading="lazy" ', loads.sub("", text))
        path.write_text(text, encoding="utf-8")
    script.unlink()
    for path in static.rglob("*.map"):
        path.unlink()
    shutil.rmtree(static / "webfonts", ignore_errors=True)
    words = used_words([*pages, *static.rglob("*.js")])
    for path in static.rglob("*.css"):
        path.write_text(prune_styles(path.read_text(encoding="utf-8"), words), encoding="utf-8")


def icon_svg(shapes, found):
    """Return the opening tag of an icon with the picture that the theme's script would draw."""
    opening, _, name = found.groups()
    width, height, path = re.search(SHAPE.format(name), shapes).groups()
    return (
        f'{opening}<svg class="icon" viewBox="0 0 {width} {height}" aria-hidden="true">'
        f'<path fill="currentColor" d="{path}"/></svg>'
    )


def used_words(paths):
    """Return every word of these files; the classes that they name are among them."""
    return {word for path in paths for word in WORD.findall(path.read_text(encoding="utf-8"))}


def prune_styles(text, words):
    """Return a style sheet without rules for classes that are none of the words."""

    def keep(rule):
        selectors, body = rule.groups()
        if "@font-face" in selectors and "/fa-" in body:
            return ""
        return rule[0] if any(can_select(one, words) for one in selectors.split(",")) else ""

    return RULE.sub(keep, COMMENT.sub("", text))


def can_select(selector, words):
    """Return whether a page can hold what a selector asks for."""
    return words.issuperset(CLASS.findall(EXCLUDED.sub("", selector)))
