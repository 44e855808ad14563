"""A deck as one page that needs no other file and no network: reveal.js, styles and slides."""

from functools import cache
from html import escape
from importlib import util
from pathlib import Path

FOLDER = Path(__file__).parent
PACKAGE = "sphinx_revealjs"  # which brings the files of reveal.js
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
{styles}</style>
</head>
<body>
<div class="reveal"><div class="slides">
{slides}
</div></div>
{scripts}</body>
</html>
"""


def screen_page(title, slides):
    """Return the page that is shown in a lecture."""
    scripts = ("dist/reveal.js", "plugin/notes/notes.js")
    code = "".join(map(reveal_file, scripts)) + own_file("deck.js")
    styles = reveal_file("dist/reveal.css") + own_file("deck.css")
    return deck_page(title, slides, styles, f"<script>\n{code}</script>\n")


def paper_page(title, slides):
    """Return the page that is printed: without a script, so that nothing has to be waited for."""
    return deck_page(title, slides, own_file("deck.css") + own_file("print.css"))


def deck_page(title, slides, styles, scripts=""):
    """Return the page of a deck."""
    shown = "\n".join(map(section, slides))
    return PAGE.format(title=escape(title), styles=styles, slides=shown, scripts=scripts)


def section(slide):
    """Return one slide."""
    heading = f"<h2>{slide.title}</h2>\n" if slide.title else ""
    notes = f'\n<aside class="notes">{slide.notes}</aside>' if slide.notes else ""
    return f'<section data-key="{slide.key}">\n{heading}{slide.body}{notes}\n</section>'


@cache
def reveal_file(name):
    """Return a file of reveal.js."""
    (folder,) = util.find_spec(PACKAGE).submodule_search_locations
    text = (Path(folder) / "_static" / "revealjs" / name).read_text(encoding="utf-8")
    return f"{text}\n".replace("</script", "<\\/script")


@cache
def own_file(name):
    """Return a file beside this one."""
    return (FOLDER / name).read_text(encoding="utf-8")
