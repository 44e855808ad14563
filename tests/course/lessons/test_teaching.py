"""The teacher's pages: one for each lesson, in one form, with the lesson's sections and numbers."""

import doctest
import re
from pathlib import Path

import pytest

from minigrad.course.lessons import lesson, syllabus

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "minigrad" / "course" / "lessons" / "teaching"
UNITS = {unit.name: unit for unit in syllabus.read_lessons(ROOT)}
HEADINGS = [
    "What students find hard", "Where the minutes go", "What to draw on the board",
    "What to ask", "What follows", "Slide notes",
]  # fmt: skip
FENCED = re.compile(r"^```pycon\n(.*?)^```", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (.+?) \| (\d+) \| (keep|cut)(?: to (\d+))?(, [^|]+)? \|$", re.MULTILINE)
SECTION = re.compile(r"^## (.+)", re.MULTILINE)
EXERCISE = re.compile(r"^### Exercise .*\((\d+) minutes\)", re.MULTILINE)
NOTE = re.compile(r"^- (\w+): (.+(?:\n  .+)*)", re.MULTILINE)
PREDICTED = re.compile(r'^predict\("(\w+)"', re.MULTILINE)
NUMBER = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?")
LECTURE = 50
NEVER_CUT = "Go further"
FIRST, LAST = ["opening", "question", "derivation"], {"build", "steps", "trap"}


@pytest.fixture(params=UNITS)
def name(request):
    """The number of a lesson."""
    return request.param


def read(name):
    """The teacher's page of a lesson."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def parts_of(text):
    """{heading: text below it} of a page."""
    _, *found = SECTION.split(text)
    return dict(zip(found[::2], found[1::2]))


def texts(name):
    """The text cells of a lesson, one below another."""
    cells = lesson.read_lesson(UNITS[name].path).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def shown(name):
    """All that a reader of a lesson sees: texts, code, and what the cells print as text."""
    cells = lesson.read_lesson(UNITS[name].path).cells
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    printed = [
        output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs
    ]
    return "\n".join([*(cell.source for cell in cells), *printed])


def test_there_is_a_page_for_each_lesson_and_no_other():
    assert {path.stem for path in FOLDER.glob("*.md")} == {*UNITS}


def test_a_page_has_its_title_and_its_headings_in_order(name):
    text = read(name)
    subject = UNITS[name].title.split(":")[0]
    assert text.split("\n")[0].lower() == f"# teaching lesson {name}: {subject}".lower()
    assert SECTION.findall(text) == HEADINGS
    parts = parts_of(text)
    assert 2 <= len(re.findall(r"^- \*\*", parts[HEADINGS[0]], re.MULTILINE)) <= 4
    numbered = [heading for heading in parts if re.search(r"^\d+\. ", parts[heading], re.MULTILINE)]
    assert numbered == ["What to ask"]  # elsewhere, a number that begins a line is no list


def test_the_minutes_are_those_of_the_syllabus_and_a_lecture_has_fifty(name):
    rows = ROW.findall(parts_of(read(name))["Where the minutes go"])
    table = [line for line in read(name).split("\n") if line.startswith("| ")]
    assert len(rows) == len(table) - 1  # without the head
    assert sum(int(minutes) for _, minutes, *_ in rows) == UNITS[name].minutes
    kept = [int(short or (0 if what == "cut" else all_)) for _, all_, what, short, _ in rows]
    assert 40 <= sum(kept) <= LECTURE
    assert all(int(short) < int(minutes) for _, minutes, _, short, _ in rows if short)


def test_the_sections_are_those_of_the_notebook_with_time_for_their_exercises(name):
    rows = ROW.findall(parts_of(read(name))["Where the minutes go"])
    sections = parts_of(texts(name))
    assert [section for section, *_ in rows] == [one for one in sections if one != NEVER_CUT]
    for section, minutes, *_ in rows:
        assert int(minutes) > sum(map(int, EXERCISE.findall(sections[section])))


def test_the_notes_are_those_that_slides_are_made_of(name):
    told = [key for key, _ in NOTE.findall(parts_of(read(name))["Slide notes"])]
    cells = lesson.read_lesson(UNITS[name].path).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    predicted = [each for source in code for each in PREDICTED.findall(source)]
    last = [key for key in told if key in LAST]
    assert told == [*FIRST, *predicted, *last, "remember"] and "build" in last


def test_a_page_is_short_enough_to_read_before_a_class(name):
    text, notes = re.sub(r"(?m)^\|.*\n", "", FENCED.sub("", read(name))).split("## Slide notes")
    assert 200 <= len(text.split()) <= 450
    assert len(notes.split()) <= 250


def test_the_board_has_the_numbers_of_the_lesson(name):
    there = {plain(found) for found in NUMBER.findall(shown(name))}
    board = parts_of(read(name))["What to draw on the board"]
    assert [each for each in NUMBER.findall(board) if plain(each) not in there] == []


def plain(number):
    """A number without a sign or commas, as a float."""
    return float(number.replace(",", "").lstrip("-−"))


def test_questions_have_answers_that_the_engine_computes(name):
    asked = parts_of(read(name))["What to ask"]
    questions = re.findall(r"^\d\. ", asked, re.MULTILINE)
    assert 2 <= len(questions) <= 3
    words = " ".join(asked.split())
    assert len(questions) == words.count("Expected: ") == words.count("Usual wrong answer: ")
    assert "(Not in the notebook.)" in asked
    (session,) = FENCED.findall(asked)
    test = doctest.DocTestParser().get_doctest(session, {}, name, f"{name}.md", 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
