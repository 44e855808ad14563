"""An SVG that is the same picture where its style sheet is taken away, as some viewers of files do.

What the sheet says of the light theme is written at each element, too, as attributes; the sheet,
where it is kept, has the last word, so that the dark theme and movements stay.
"""

import re

DRAWN = (
    "fill stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin text-anchor "
    "text-decoration font-weight font-style font-size font-family"
).split()
PLAIN = {  # what is so without saying it
    "stroke": "none",
    "stroke-dasharray": "none",
    "stroke-width": "1",
}
FONT = re.compile(r"([\d.]+)px (.*)")
ELEMENT = re.compile(r"<(text|tspan|rect|path|circle|line)\b([^<>]*?)(/?)>")


def spell_out(text):
    """The SVG text with the rules of its own style sheet as attributes of its elements."""
    sheet = "".join(re.findall(r"<style[^>]*>(.*?)</style>", text, re.DOTALL))
    rules = list(simple_rules(sheet))
    base = next((found for tag, classes, found in rules if tag and not classes), {})

    def spelled(match):
        tag, written, end = match.groups()
        words = re.search(r'class="([^"]*)"', written)
        classes = set(words[1].split()) if words else set()
        found = told_of(tag, classes, rules, base)
        own = (f' {name}="{value}"' for name, value in found.items() if f' {name}="' not in written)
        return f"<{tag}{written}{''.join(own)}{end}>"

    head, mark, body = text.partition("</style>")
    said = "".join(f' {name}="{value}"' for name, value in base.items())
    return re.sub("(<svg[^>]*)>", rf"\1{said}>", head, count=1) + mark + ELEMENT.sub(spelled, body)


def told_of(tag, classes, rules, base):
    """{attribute: value} of an element: the rules that fit it, the one of most classes last."""
    fit = [(len(own), found) for kind, own, found in rules if own and own <= classes]
    found = {}
    for _, told in sorted(fit, key=lambda pair: pair[0]):
        found |= told
    plain = base if tag in ("text", "tspan") else PLAIN
    found = {name: value for name, value in found.items() if plain.get(name) != value}
    return found | ({"xml:space": "preserve"} if "code" in classes else {})


def simple_rules(sheet):
    """(tag or "", classes, {attribute: value}) of the rules that hold in any case."""
    while (slim := re.sub(r"@[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", sheet)) != sheet:
        sheet = slim
    tags = {}
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        told = dict(declarations(body))
        for selector in map(str.strip, selectors.split(",")):
            if not re.fullmatch(r"[a-z]*(\.[\w-]+)*", selector):
                continue
            tag, *classes = selector.split(".")
            if tag and not classes:
                tags.setdefault(tag, {}).update(told)
            elif not tag:
                yield "", frozenset(classes), told
    yield from ((tag, frozenset(), told) for tag, told in tags.items())


def declarations(body):
    """(attribute, value) of what a rule says, a font as its size and its family."""
    for part in body.split(";"):
        name, _, value = (word.strip() for word in part.partition(":"))
        if name == "font" and (font := FONT.fullmatch(value)):
            yield from (("font-size", font[1]), ("font-family", font[2]))
        elif name in DRAWN:
            yield name, value.removesuffix("px")
