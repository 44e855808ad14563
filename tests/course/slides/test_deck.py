"""The deck of each lesson: its parts, in order, from the notebook alone."""

import base64
import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("sphinx", reason="the extra 'slides' is not installed")

from minigrad.core.errors import MinigradError
from minigrad.course import project
from minigrad.course.lessons import form
from minigrad.course.slides import deck, notes
from minigrad.course.slides.parts import LessonParts
from minigrad.course.slides.pictures import MARGIN, Room, StoredPicture
from minigrad.course.slides.predictions import choice_text

LESSONS = project.lessons()
IDS = [path.stem for path in LESSONS]
HASHES = (
    "import hashlib\nfrom minigrad.course import project\n"
    "from minigrad.course.slides.deck import make_deck\n"
    "for path in project.lessons(): "
    "print(hashlib.sha256(repr(make_deck(path)).encode()).hexdigest())"
)
PLOT = re.compile(
    r'<img width="(\d+)" height="(\d+)"([^>]*) alt="[^"]*" '
    r'src="data:image/(png|gif);base64,([^"]+)"'
)
WITHOUT_LETTERS = {("07", "question")}


@pytest.fixture
def copied(tmp_path):
    """A function that changes the cell `id` of a copy of a lesson, and gives the copy's deck."""

    def change(number, id, edit):
        (path,) = project.lessons([number])
        copy = shutil.copy(path, tmp_path / path.name)
        raw = json.loads(copy.read_text("utf-8"))
        edit(next(cell for cell in raw["cells"] if cell["id"] == id))
        copy.write_text(json.dumps(raw), "utf-8")
        return deck.make_deck(copy)

    return change


@pytest.mark.parametrize("path", LESSONS, ids=IDS)
def test_a_deck_has_its_parts_in_order_on_at_most_14_slides(path):
    found, slides = LessonParts(path), deck.make_deck(path)
    keys = [key for key, _ in itertools.groupby(slide.key for slide in slides)]
    names = [one.name for one in found.predictions]
    steps, build = found.steps_cell(), found.build if "build" in keys else None
    places = {
        "steps": None if steps is None else found.cells.index(steps),
        "trap": found.trap(),
        "build": build and build[0],
    }
    last = [key for key, place in places.items() if place is not None]
    last.sort(key=places.get)
    assert keys == ["opening", "question", "derivation", *names, *last, "remember"]
    assert len(slides) <= 14 and names
    for one in found.predictions:
        told = "".join(slide.body for slide in slides if slide.key == one.name)
        assert f"<b>{choice_text(one.words['answer'])}</b>" in told


def letters_of(slide):
    """The points of the smallest letters of each plot on a slide."""
    for width, height, cut, kind, code in PLOT.findall(slide.body):
        plot = StoredPicture(kind, base64.b64decode(code), "", "", MARGIN * bool(cut))
        yield plot.letter_points(Room(int(width), int(height)))


def test_the_letters_of_plots_have_18_points():
    plots = [
        ((project.lesson_number(path), slide.key), points)
        for path in LESSONS
        for slide in deck.make_deck(path)
        for points in letters_of(slide)
    ]
    small = {place for place, points in plots if points < 17.99}
    assert len(plots) > 60 and small == WITHOUT_LETTERS


def test_a_deck_is_the_same_in_every_process():
    here = [hashlib.sha256(repr(deck.make_deck(path)).encode()).hexdigest() for path in LESSONS]
    variables = os.environ | {"PYTHONHASHSEED": "7"}
    done = subprocess.run(
        [sys.executable, "-c", HASHES], env=variables, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == here


def changed_keys(number, new):
    """The keys of the slides that differ from those of the lesson itself."""
    (path,) = project.lessons([number])
    return [a.key for a, b in zip(deck.make_deck(path), new, strict=True) if a != b]


def test_a_changed_text_changes_its_slide(copied):
    def edit(cell):
        cell["source"] = [line.replace("eight seconds", "9 s") for line in cell["source"]]

    assert changed_keys("03", copied("03", "second", edit)) == ["visits"]


def test_a_changed_output_changes_its_slide(copied):
    def edit(cell):
        cell["outputs"][0]["text"] = ["backward_at_once: -77\n"]

    new = copied("03", "in-order-code", edit)
    assert changed_keys("03", new) == ["nearer"]
    assert "backward_at_once: -77" in "".join(slide.body for slide in new)


def test_a_changed_picture_changes_its_slide(copied):
    def edit(cell):
        plot = cell["outputs"][-1]["data"]
        data = bytearray(base64.b64decode("".join(plot["image/png"])))
        data[-20] ^= 1  # a bit of the picture
        plot["image/png"] = base64.b64encode(data).decode()

    assert changed_keys("03", copied("03", "nearer", edit)) == ["nearer"]


def test_a_lesson_without_a_part_is_refused(copied):
    def edit(cell):
        cell["source"] = "Nothing."

    with pytest.raises(MinigradError, match=r"03_reverse.ipynb has no summary"):
        copied("03", "summary", edit)


def test_a_deck_table_that_names_no_cell_is_refused(monkeypatch):
    (path,) = project.lessons(["03"])
    found = LessonParts(path)
    monkeypatch.setattr(found, "choice", {"trap": "nowhere"})
    with pytest.raises(MinigradError, match=r"\[deck\] in 03.toml names the cell 'nowhere'"):
        found.trap()
    monkeypatch.setattr(found, "choice", {"trap": "none", "steps": "none"})
    assert found.trap() is None and found.steps_cell() is None


# presenter's notes --------------------------------------------------------------------------------


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A function that writes the list of notes of lesson 03."""
    monkeypatch.setattr(notes, "FOLDER", tmp_path)

    def write(text):
        (tmp_path / "03.md").write_text(f"# 03\n\n- opening: not here\n\n{text}\n", "utf-8")

    return write


def test_a_note_goes_to_the_slides_of_its_key(page):
    page("## Slide notes\n\n- opening: Show\n  $x$.\n- grad: Wait.\n\n## After\n\n- trap: no")
    slides = deck.make_deck(project.lessons(["03"])[0])
    told = [(slide.key, slide.notes) for slide in slides if slide.notes]
    assert [key for key, _ in told] == ["opening", "grad", "grad", "grad"]  # its code, too
    assert told[0][1].startswith('Show <span class="whole"><math')
    assert {note for _, note in told[1:]} == {"Wait."}


def test_an_answer_may_have_a_note_of_its_own(page):
    page("## Slide notes\n\n- grad: Wait.\n- grad-answer: Go.\n- depth: Vote.\n- depth-answer: No.")
    slides = deck.make_deck(project.lessons(["03"])[0])
    told = [slide.notes for slide in slides if slide.key == "grad"]
    assert told == ["Wait.", "Wait.", "Go."]
    (joined,) = [slide.notes for slide in slides if slide.key == "depth"]
    assert joined == "Vote. No."


def test_lines_of_a_derivation_appear_with_the_formula_below_the_last():
    assert deck.number_lines("<ol>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ol>\n<p>d</p>") == (
        '<ol>\n<li>a</li>\n<li class="fragment" data-fragment-index="0">b</li>\n'
        '<li class="fragment" data-fragment-index="1">c</li>\n</ol>'
        '<div class="fragment" data-fragment-index="1">\n<p>d</p></div>'
    )
    assert deck.number_lines("<ol></ol>\n") == "<ol></ol>\n"


def slide_of(number, key, at=0):
    """A slide of a lesson: of those with a key the one at a place."""
    (path,) = project.lessons([number])
    return [slide for slide in deck.make_deck(path) if slide.key == key][at]


def test_a_question_has_the_paragraph_before_it_where_there_is_room():
    body = slide_of("00", "direction").body
    assert body.startswith('<p class="lead">Now that we trust the numbers') and "W[36, 0]" in body
    assert "Each path from the result" not in slide_of("03", "visits").body


def test_a_text_that_points_below_has_its_code():
    assert "if clear:" in slide_of("04", "question").body
    assert "def mean0_vjp" in slide_of("05b", "trap").body
    assert "below 0.01" in slide_of("14", "trap").body and "<pre" not in slide_of("14", "trap").body
    assert "The pictures below" not in slide_of("00", "square", 1).body


def test_a_trap_asks_its_question_before_it_tells_the_reason():
    asked, _, told = slide_of("03", "trap").body.partition('class="fragment"')
    assert "Which node passed its adjoint on too early?" in asked and "0.25" in asked
    assert "lost1 holds −1" in told


def test_the_main_build_shows_its_head_before_its_answer():
    slide = slide_of("03", "build")
    head, _, answer = slide.body.partition('<span class="fragment" data-fragment-index="0">')
    assert slide.title == "Build: <code>backward</code>"
    assert "def backward(root):" in head and "count_contributions(root), [root]" in answer
    assert "begin answer" not in slide.body and "counts in advance" in head


def test_a_sentence_that_begins_a_list_is_left_out_of_the_main_build():
    body = slide_of("13", "build").body
    assert "pitfalls" not in body and "It calls a and then b once" in body


def test_steps_have_the_sentence_that_introduces_them():
    body = slide_of("03", "steps").body
    assert body.startswith("<p>The player shows <math") and body.count("The forward pass") == 1


def test_a_note_without_a_slide_is_refused(page):
    page("## Slide notes\n\n- opening: Show.\n- graad: Wait.")
    with pytest.raises(MinigradError, match="a note for 'graad', and its deck no such slide"):
        deck.make_deck(project.lessons(["03"])[0])


@pytest.mark.parametrize("path", LESSONS, ids=IDS)
def test_every_slide_has_a_note_and_every_note_a_slide(path):
    slides = deck.make_deck(path)
    assert [slide.key for slide in slides if not slide.notes] == []
    keys = [key for key in notes.read_notes(project.lesson_number(path)) if "-answer" not in key]
    assert keys == list(dict.fromkeys(slide.key for slide in slides))  # in the order of the slides


def test_an_unknown_key_of_a_deck_is_refused(tmp_path, monkeypatch):
    words = tmp_path / "00.toml"
    words.write_text('[deck]\nquotient = "a sentence that belongs above"\n')
    monkeypatch.setattr(form, "words_file", lambda path: words)
    with pytest.raises(MinigradError, match=r"\[deck\] in 00.toml has the key 'quotient'"):
        LessonParts(LESSONS[0])
