"""The cards of the lessons, each with a picture from the lesson's own outputs, and the map with
links."""

import base64
import re
from html import escape

from minigrad.course.lessons import lesson, syllabus

DRAWING = re.compile(r'<img[^>]*src="data:image/svg\+xml;base64,([^"]+)"')
SIZE = re.compile(r'<svg[^>]* width="(\d+)[^"]*" height="(\d+)')
WIDE = 3.5  # times as wide as high: such a drawing is cut in a card, and shows its left part
LEAST = 400  # pixels: a narrower drawing says too little
NODE = re.compile(r'<g id="lesson(\w+)" class="node">.*?</g>', re.DOTALL)


def save_pictures(lessons, folder):
    """Write a picture of each lesson; return {the lesson's name: its image in HTML}."""
    folder.mkdir()
    found = {}
    for unit in lessons:
        if picture := find_picture(lesson.read_lesson(unit.path)):
            ending, data = picture
            path = folder / f"{unit.name}.{ending}"
            path.write_bytes(data)
            found[unit.name] = image(path, folder.name)
    return found


def image(path, folder):
    """Return a picture in HTML, as a page beside `folder` shows it."""
    width, height = drawing_size(path.read_bytes()) if path.suffix == ".svg" else (1, 1)
    kind = ' class="wide"' if width > WIDE * height else ""
    return f'<img{kind} src="{folder}/{path.name}" alt="" loading="lazy">'


def drawing_size(drawing):
    """Return (width, height) of a drawing in SVG."""
    return tuple(map(int, SIZE.search(drawing.decode()).groups()))


def find_picture(notebook):
    """Return (ending, bytes) of a lesson's first wide drawing, else of its first plot, or None."""
    shown = [
        output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", ())
    ]
    for data in shown:
        for code in DRAWING.findall("".join(data.get("text/html", ""))):
            drawing = base64.b64decode(code)
            if drawing_size(drawing)[0] >= LEAST:
                return "svg", drawing
    plots = (data["image/png"] for data in shown if "image/png" in data)
    return next((("png", base64.b64decode(plot)) for plot in plots), None)


def lesson_cards(lessons, pictures):
    """Return the lines of a grid of cards for each part of the course."""
    for number, chapter in enumerate(syllabus.group_lessons(lessons), 1):
        yield f"### {part_title(number, chapter)}\n\n~~~{{raw}} html"
        yield '<ul class="cards">'
        yield from (lesson_card(unit, pictures.get(unit.name, "")) for unit in chapter.units)
        yield "</ul>\n~~~\n"


def lesson_card(unit, picture):
    """Return the card of a lesson as an item of a list."""
    term, _, claim = (part.strip() for part in unit.title.replace("`", "").partition(":"))
    return (
        f'<li><a href="lessons/{unit.path.stem}.html">{picture}'
        f"<b>{unit.name} · {escape(term)}</b> <span>{escape(claim)}</span></a></li>"
    )


def part_title(number, chapter):
    """Return the title of a part with its Roman number."""
    numerals = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
    return f"Part {numerals[number - 1]} · {chapter.title}"


def toctrees(lessons):
    """Return the lines of the side bar's lists: the lessons of each part, by their terms."""
    for number, chapter in enumerate(syllabus.group_lessons(lessons), 1):
        yield f"```{{toctree}}\n:caption: {part_title(number, chapter)}\n:hidden:\n:maxdepth: 1\n"
        for unit in chapter.units:
            term = unit.title.replace("`", "").partition(":")[0]
            yield f"{unit.name} · {term} <lessons/{unit.path.stem}>"
        yield "```\n"


def linked_map(path, lessons):
    """Return the map of the course, whose cards lead to the lessons; "" where there is none."""
    if not path.exists():
        return ""
    pages = {unit.name: f"lessons/{unit.path.stem}.html" for unit in lessons}

    def link(found):
        page = pages.get(found[1])
        return f'<a href="{page}">{found[0]}</a>' if page else found[0]

    drawn = NODE.sub(link, path.read_text(encoding="utf-8"))
    drawn = drawn.replace('role="img"', 'role="group"', 1)  # an image holds no links
    return f'~~~{{raw}} html\n<div class="map">{drawn}</div>\n~~~'
