"""`minigrad slides`: which files it writes, and what it refuses."""

import re

import pytest

pytest.importorskip("sphinx_revealjs", reason="the extra 'slides' is not installed")

from minigrad.course import cli
from minigrad.course.commands import doctor


def test_a_deck_is_written_into_the_folder(tmp_path, capsys):
    assert cli.main(["slides", "18", "05b", "--out", str(tmp_path / "decks")]) == 0
    names = sorted(path.name for path in (tmp_path / "decks").iterdir())
    assert names == ["05b_backward_rules.html", "18_attention.html"]
    said = capsys.readouterr().out
    assert re.search(r"^18_attention: \d+ slides$", said, re.MULTILINE) and "2 files in" in said
    assert "n opens the presenter's window: notes, next slide, clock" in said


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        (["33"], "no lesson begins with '33'"),
        (["03", "--out", "{}/no/decks"], "there is no folder"),
        (["03", "--out", "{}/file"], "is a file"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(words, fact, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert cli.main(["slides", *(word.format(tmp_path) for word in words)]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert fact in first and second.startswith("  try  ")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_pdf_without_a_browser_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(doctor, "browser", lambda: None)
    assert cli.main(["slides", "03", "--pdf", "--out", str(tmp_path / "decks")]) == 2
    assert capsys.readouterr().err == (
        "minigrad slides: --pdf needs Chromium or Chrome, which is not installed\n"
        "  try  apt install chromium\n"
    )
    assert not (tmp_path / "decks").exists()


def test_a_wrong_lesson_among_others_writes_nothing(tmp_path, monkeypatch):
    from minigrad.course.slides import notes

    (tmp_path / "teaching").mkdir()
    (tmp_path / "teaching" / "05b.md").write_text("## Slide notes\n\n- nothing: here\n")
    monkeypatch.setattr(notes, "FOLDER", tmp_path / "teaching")
    assert cli.main(["slides", "18", "05b", "--out", str(tmp_path / "decks")]) == 2
    assert not (tmp_path / "decks").exists()
