"""Measures of a lesson's text, code and pictures: each is reported, and none fails the lint."""

import base64
import struct

import pytest

from minigrad.course import cli
from minigrad.course.lessons import form, lesson, measures

SENTENCES = '[check.f]\ntitle = "f"\notherwise = "Look at x."\n'
BODY = "def f(x):\n    # begin answer\n" + "    x += 1\n" * 4 + "    return x\n    # end answer"
GOOD = (
    "# 01 · T: a claim\n\n"
    + "We follow the values through the program, because each of them is used twice. " * 100,
    "### Exercise 1 (8 minutes)",
    BODY,
    'predict("a", 1)\npredict("b", 2)',
    "### Exercise 2 (8 minutes)",
)


@pytest.fixture
def notes(add_lesson, tmp_path, monkeypatch):
    """The facts that are noted of a lesson of these cells, whose last one has these outputs."""
    (tmp_path / "terms.toml").write_text("[required]\n01 = []\n[private]\n", "utf-8")
    monkeypatch.setattr(form, "FOLDER", tmp_path)
    form.read_terms.cache_clear()

    def find(*cells, words=SENTENCES, data=None):
        (tmp_path / "01.toml").write_text(words, "utf-8")
        path = add_lesson(*cells)
        found = lesson.read_lesson(path).cells
        if data:
            output = {"output_type": "display_data", "data": data, "metadata": {}}
            next(c for c in found if c.cell_type == "code").outputs = [output]
        return [fact for fact, _ in measures.find_notes(path, found)]

    yield find
    form.read_terms.cache_clear()


def test_a_good_lesson_has_no_note(notes):
    assert notes(*GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "fact"),
    [
        ("Exercise 2 (8 minutes)", "Exercise 2", "1 exercises with minutes, asked are 2 to 4"),
        ("predict(", "x = (", "0 predictions, asked are 2 to 4"),
        ("    x += 1\n", "", "no answer has 5 lines or more"),
        ("    return x", "    return x\n" * 110, "119 lines of code, asked are at most 110"),
        (", because each of them", " and each one", "0 linking words in 1,000, below 14"),
        ("program, because", "program: so", "100 % of sentences have a colon inside, above 10 %"),
        ("We follow", "Yes, x. Or no. We follow", "67 % of sentences are short, above 12 %"),
        ("because each of them is used twice. ", "because ", "800 words in a sentence"),
        ("values ", "values and the very " * 3, "2,500 words, asked are 1,200 to 1,900"),
    ],
)
def test_what_lies_outside_is_noted(notes, old, new, fact):
    cells = [cell.replace(old, new) for cell in GOOD]
    assert cells != list(GOOD)
    assert any(note.startswith(fact) for note in notes(*cells)), notes(*cells)


def test_hints_and_reasons_are_counted(notes):
    hints = '{when = "none", say = "Look."}, ' * 8
    assert notes(*GOOD, words=SENTENCES + f"hint = [{hints}]") == [
        "8 hints for f, asked are at most 7"
    ]
    (found,) = notes(*GOOD, words=SENTENCES.replace("Look", "word " * 899))
    assert found == "901 words in its file, asked are at most 900"
    assert notes(*GOOD, words=SENTENCES.replace('"f"', f'"{"f " * 1000}"')) == []


def png(width):
    """A PNG so wide, in base64."""
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", width, 9)
    return base64.b64encode(head + b"\0" * 9).decode()


def svg(width):
    """An SVG so wide."""
    return f'<svg xmlns="x" width="{width}" viewBox="0 0 1 1"></svg>'


@pytest.mark.parametrize(
    "made",
    [
        lambda width: {"image/png": png(width)},
        lambda width: {"image/svg+xml": svg(width)},
        lambda width: {"text/html": svg(f"{width}px")},
        lambda width: {"text/html": f'<img src="data:image/png;base64,{png(width)}">'},
        lambda width: {
            "text/html": "<img src='data:image/svg+xml;base64,"
            + base64.b64encode(svg(width).encode()).decode()
            + "'>"
        },
    ],
)
def test_a_picture_wider_than_900_pixels(notes, made):
    assert notes(*GOOD, data=made(900)) == []
    (found,) = notes(*GOOD, data=made(901))
    assert found.endswith("a picture is 901 pixels wide, above 900")


def test_notes_are_printed_and_change_no_status(notes, capsys, monkeypatch):
    notes("# 01")
    monkeypatch.setattr("minigrad.course.commands.lint.findings", lambda path: ())
    monkeypatch.setattr("minigrad.course.commands.lint.missing_parts", lambda path: ())
    assert cli.main(["lint"]) == 0
    *said, total = capsys.readouterr().out.splitlines()
    assert all(line.startswith("note: 01_small.ipynb: ") for line in said)
    assert total == f"1 lesson, 0 findings, {len(said)} notes"
