"""The map of the course: every lesson, and everything that it builds on, in the width of a page."""

import re
from pathlib import Path

from minigrad.course.lessons import syllabus
from minigrad.draw.figures import make_figure

SCRIPT = Path(__file__).parents[2] / "figures" / "course_map.py"
PAGE = 768  # pixels of a column of the site
LINE = re.compile(r'<path class="edge data" d="M([\d.]+) ([\d.]+)')


def drawn():
    """The SVG text of the map."""
    return make_figure(SCRIPT).svg


def test_it_fits_the_page_and_its_letters_are_not_small():
    picture = drawn()
    assert float(re.search(r'width="([\d.]+)"', picture)[1]) <= PAGE
    assert min(map(float, re.findall(r"font(?:-size)?: ([\d.]+)px", picture))) >= 11


def test_every_part_and_every_lesson_is_there():
    parts = syllabus.group_lessons(syllabus.read_lessons())
    picture = drawn()
    assert picture.count('rx="12"') == len(parts)
    assert all(f">{part.title}</text>" in picture for part in parts)
    for unit in (unit for part in parts for unit in part.units):
        assert f'id="lesson{unit.name}"' in picture and f">{unit.name} · " in picture


def test_what_a_lesson_builds_on_is_an_arrow_or_a_number_above_it():
    arrows, numbers = 0, []
    for part in syllabus.group_lessons(syllabus.read_lessons()):
        row = {unit.name for unit in part.units}
        for unit in part.units:
            others = [name for name in unit.needs if name not in row]
            arrows += len(unit.needs) - len(others) + bool(others)
            numbers += [", ".join(others)] * bool(others)
    picture = drawn()
    assert len(LINE.findall(picture)) == arrows > len(numbers) > 5
    assert re.findall(r">((?:\w\w+, )*\d\w+)</text>", picture) == numbers


def test_its_words_say_what_each_lesson_builds_on():
    needs = {unit.name: unit.needs for unit in syllabus.read_lessons()}
    words = make_figure(SCRIPT).alt
    assert needs["17"] == ("04", "07") and "17 needs 04 and 07" in words
    assert all(
        f"{name} needs {' and '.join(needs[name])}" in words for name in needs if needs[name]
    )
