"""The lessons, with a row for each part of the course. Arrows and the numbers above the cards show
which lessons each lesson builds on."""

from minigrad.course.lessons import syllabus
from minigrad.draw.layout.boxes import Box, card_of, text_width
from minigrad.draw.look import SMALL, TITLE
from minigrad.draw.paint import card, document
from minigrad.draw.paint.marks import Place, node_svg, rectangle, text_svg
from minigrad.draw.paint.score import head_of, way_of
from minigrad.draw.scene import DrawnNode

NOTE = "An arrow leads to the lesson that builds on another; the numbers above a card are lessons "
NOTE += "of other rows that it builds on, too."
WIDTH, MARGIN, INSET = 768, 12, 16  # of the page; around the rows; within them
TOP, ROW, GAP = 44, 104, 6  # above the first row; the height of a row, and between rows
MIDDLE, LOWER, TRACK = 61, 92, 7  # in a row: its cards; the first arc below them, and the next
NEAR, CORNER = 4, 18  # from an arrow's head to a card; from its corner to an arc or a stub
TINTS, INKS = ("input", "neutral"), ("input", "fused")  # of rows, in turns


def lesson_node(unit):
    """The card of a lesson."""
    words = unit.path.stem.partition("_")[2].replace("_", " ")
    return DrawnNode(f"lesson{unit.name}", "op", label=f"{unit.name} · {words}")


def place_lessons(parts):
    """{name of a lesson: the Box of its card}: the cards of a row, with equal spaces between."""
    boxes = {}
    for at, part in enumerate(parts):
        widths = [card_of(lesson_node(unit)).w for unit in part.units]
        space = (WIDTH - 2 * (MARGIN + INSET) - sum(widths)) / max(1, len(widths) - 1)
        x, y = MARGIN + INSET, TOP + (ROW + GAP) * at + MIDDLE
        for unit, width in zip(part.units, widths):
            boxes[unit.name] = Box(round(x + width / 2, 1), y, width, 30)
            x += width + space
    return boxes


def part_svg(at, part):
    """The ground of a row, with the title of its part."""
    box = Box(WIDTH / 2, TOP + (ROW + GAP) * at + ROW / 2, WIDTH - 2 * MARGIN, ROW)
    yield rectangle(box, f"{TINTS[at % 2]}-lane", 12)
    classes = f"small bold start {INKS[at % 2]}-ink"
    place = box.left + INSET, box.top + 17
    yield text_svg(part.title, *place, classes, text_width(part.title, SMALL, "bold"))


def needs_svg(part, boxes):
    """The arrows within a row, and the stubs of what its lessons need of others."""
    names, arcs = [unit.name for unit in part.units], 0
    for unit in part.units:
        box, others = boxes[unit.name], [name for name in unit.needs if name not in names]
        for name in (name for name in unit.needs if name in names):
            near = names.index(unit.name) == names.index(name) + 1
            level = box.y + LOWER - MIDDLE + TRACK * arcs
            arcs += not near
            yield line_svg(near_points(boxes[name], box) if near else arc(boxes[name], box, level))
        if others:
            x, y = box.right - CORNER, box.top - NEAR
            yield line_svg([(x, y - 14), (x, y)])
            words = ", ".join(others)
            classes, wide = "small end muted", text_width(words, SMALL)
            yield text_svg(words, x - 6, y - 4, classes, wide)


def near_points(box, target):
    """The line to the next card."""
    return [(box.right + 1, box.y), (target.left - NEAR, box.y)]


def arc(box, target, level):
    """The line below the cards between two."""
    a, b = box.right - CORNER, target.left + CORNER
    return [(a, box.bottom + 2), (a, level), (b, level), (b, target.bottom + NEAR)]


def line_svg(points):
    """A line with its arrow's head."""
    return f'<path class="edge data" d="{way_of(points)}"/>{head_of(points, "data")}'


def make():
    """The map, as SVG text."""
    parts = syllabus.group_lessons(syllabus.read_lessons())
    boxes = place_lessons(parts)
    height = TOP + (ROW + GAP) * len(parts) + 26
    title = "The lessons, and what each builds on"
    drawn = [text_svg(title, MARGIN + 4, 28, "title bold start", text_width(title, TITLE, "bold"))]
    for at, part in enumerate(parts):
        drawn += [*part_svg(at, part), *needs_svg(part, boxes)]
        for unit in part.units:
            node, box = lesson_node(unit), boxes[unit.name]
            wide = card_of(node)._replace(w=box.w)
            drawn.append(node_svg(node, Place(box, wide, True), unit.title.replace("`", "")))
    place, wide = (MARGIN + 4, height - 13), text_width(NOTE, SMALL)
    drawn.append(text_svg(NOTE, *place, "small start muted", wide))
    return document(WIDTH, height, ALT, [card(WIDTH, height), *drawn])


def words_of(parts):
    """What each lesson builds on, row by row: "01 needs 00, 02 needs 01."."""
    rows = (
        ", ".join(f"{u.name} needs {' and '.join(u.needs)}" for u in part.units if u.needs)
        for part in parts
    )
    return f"Lessons, in a row for each part. {'. '.join(rows)}."


ALT = words_of(syllabus.group_lessons(syllabus.read_lessons()))
