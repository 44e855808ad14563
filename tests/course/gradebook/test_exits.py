"""What others have written leaves through one door for each format: tables, pages, the terminal."""

import csv
import io
import random
import re
from pathlib import Path

import pytest

from minigrad.course.gradebook import by_hand, feedback, overview, tables
from minigrad.course.gradebook.similar import Compared
from minigrad.course.grading import names
from minigrad.course.grading.report import Check, Mark, Report, Written

FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
LETTERS = [*FORMULA, *"\"';,\t\n\r |a1", "\u00a0", "\u2028", "\x1b[31m", "\0", "\u202e", "\u037e"]
LETTERS += ["\uff1b", "\u200b", "\udcff", "\x0b", "\x85", "\ufeff", "\U000e0041"]
TEXTS = 20_000
ODD = "a\0b\x1b]0;owned\x07c\x1b[2Jd\u202egnp\u2066e\u2028f\x85g\rh\U000e0041i\udcffj\u200bk"
PLAIN = "\u05d0\u200f \u0645\u200c\u06cc \U0001f469\u200d\U0001f52c caf\u00e9 \u00a0\u3000\n\t<b>"


def odd_texts():
    """Texts of few letters, most of which mean something to a spreadsheet."""
    rng = random.Random("texts")
    return ["".join(rng.choices(LETTERS, k=rng.randint(1, 8))) for _ in range(TEXTS)]


@pytest.mark.parametrize("delimiter", ",;\t")
def test_no_cell_is_a_formula_wherever_a_spreadsheet_separates(delimiter):
    texts = odd_texts()
    said = tables.csv_text([text, "ann", text] for text in texts)
    rows = [list(csv.reader([line], delimiter=delimiter)) for line in said.splitlines()]
    assert len(rows) == TEXTS
    cells = [cell for [row] in rows for cell in row]
    assert [cell for cell in cells if cell.lstrip(' "').startswith(FORMULA)] == []


def test_what_a_table_holds_is_read_again_as_it_was():
    texts = odd_texts()
    said = tables.csv_text([["text", "n"], *([text, "1"] for text in texts)])
    rows = [tables.make_row(Path("t.csv"), 1, row) for row in csv.DictReader(io.StringIO(said))]
    assert [row["text"] for row in rows] == list(map(names.clean_line, texts))


def test_the_page_for_points_by_hand_writes_its_table_by_the_same_rule():
    source = (feedback.TEMPLATES / "by_hand.html").read_text(encoding="utf-8")
    assert re.search(r"text\.replace\(/(.+)/g,", source)[1] == tables.START.pattern


def pages(text):
    """Every page that shows something which a student, or a table, has written."""
    check = Check("a", "title", "q1", 1, "failed", text, text, show=True)
    notes, marks = (text,), (Mark("q2", 1, text),)
    report = Report("UNREADABLE", (check,), text, notes, (), (Written("q3", 1, text),), marks)
    lines = [["ann", "q3", "", "1", text, "0"]]
    yield feedback.feedback_page("ann", "ps1", report)
    yield by_hand.answers_page("ps1", "# q3", [("ann", report)], lines)
    yield overview.overview_page("ps1", [("ann", report)], {"ann": "p"}, Compared(), {})


def test_no_page_holds_what_does_not_show_or_turns_the_direction():
    for page in pages(ODD):
        assert [letter for letter in page if not names.shows(letter)] == []
        assert "a\ufffdb\ufffd]0;owned\ufffdc" in page and "d\ufffdgnp" in page


def test_a_page_shows_every_script_as_it_was_written():
    shown = PLAIN.strip().replace("<", "&lt;").replace(">", "&gt;")
    for page in pages(PLAIN):
        assert shown in page
