"""The cards of the lessons and the map with links."""

import base64
from pathlib import Path
from types import SimpleNamespace

from minigrad.course.lessons import syllabus
from minigrad.course.publishing import cards

ROOT = Path(__file__).parents[3]
SMALL, LARGE = (f'<svg width="{width}" height="100"></svg>'.encode() for width in (300, 400))


def shown(**data):
    """A cell with one output."""
    return {"outputs": [{"data": data}]}


def html(drawing):
    """A drawing as a cell shows it."""
    code = base64.b64encode(drawing).decode()
    return shown(**{"text/html": f'<img alt="" src="data:image/svg+xml;base64,{code}">'})


def test_a_lesson_is_shown_by_its_first_wide_drawing_or_else_by_a_plot():
    plot = shown(**{"image/png": base64.b64encode(b"plot").decode()})
    cells = [plot, html(SMALL), html(LARGE)]
    assert cards.find_picture(SimpleNamespace(cells=cells)) == ("svg", LARGE)
    assert cards.find_picture(SimpleNamespace(cells=cells[:2])) == ("png", b"plot")
    assert cards.find_picture(SimpleNamespace(cells=[html(SMALL)])) is None


def test_each_lesson_of_the_map_is_a_link():
    lessons = syllabus.read_lessons(ROOT)
    drawn = cards.linked_map(ROOT / "figures" / "course_map.svg", lessons)
    for unit in lessons:
        assert f'<a href="lessons/{unit.path.stem}.html"><g id="lesson{unit.name}"' in drawn
    assert cards.linked_map(ROOT / "none.svg", lessons) == ""


def test_the_side_bar_has_a_list_for_each_part():
    lists = "\n".join(cards.toctrees(syllabus.read_lessons(ROOT)))
    assert lists.count("```{toctree}") == 5
    assert ":caption: Part I · One graph, both directions" in lists
    assert "03 · Reverse mode <lessons/03_reverse>" in lists
