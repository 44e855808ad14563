"""`minigrad predictions`: the table that it prints, and the page that it writes or leaves alone."""

import pytest

from minigrad.course import cli

from ..gradebook.predicting import text_of


@pytest.fixture
def handed_in(tmp_path, monkeypatch):
    """A folder beside which the command runs, with three copies of lesson 03."""
    folder = tmp_path / "lesson-03"
    folder.mkdir()
    for name, written in (("a", {"grad": "2"}), ("b", {"grad": "4"}), ("c", {})):
        (folder / f"{name}.ipynb").write_text(text_of("03", **written))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_table_is_printed_and_a_page_is_written(handed_in, capsys):
    assert cli.main(["predictions", "lesson-03"]) == 0
    told = capsys.readouterr().out
    head, first, *_ = told.split("\n\n")
    assert head.startswith("Lesson 03 · Reverse mode") and head.endswith(" · 3 students")
    lines = [" ".join(line.split()) for line in first.splitlines()]
    assert lines[0] == "speed.grad after the first attempt"
    assert lines[1] == "1 ███████ 2" and lines[2].startswith("2 is the derivative that we want")
    assert lines[4] == "0 3" and lines[5] == "1 ███████ 4 ✓"
    assert lines[-2:] == ["1 (no prediction)", "Right predictions: 1 of 2, 50 %"]
    assert "not counted" not in told and max(map(len, told.splitlines())) <= 100
    page = (handed_in / "predictions.html").read_text(encoding="utf-8")
    assert page.count("<section") == 4 and "https:" not in page and "src=" not in page


def test_its_own_page_is_replaced_and_is_no_file_of_the_class(handed_in, capsys):
    assert cli.main(["predictions", "lesson-03", "--out", "lesson-03/p.html"]) == 0
    first = (handed_in / "lesson-03" / "p.html").read_text(encoding="utf-8")
    (handed_in / "lesson-03" / "d.ipynb").write_text(text_of("03", grad="3"))
    assert cli.main(["predictions", "lesson-03", "--out", "lesson-03/p.html"]) == 0
    second = (handed_in / "lesson-03" / "p.html").read_text(encoding="utf-8")
    assert "3 students" in first and "4 students" in second
    assert "not counted" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("notes.html", "notes.html is there already, and not a page of this command"),
        ("folder.html", "folder.html is there already, and not a page of this command"),
        ("page.txt", "page.txt is not the name of a page\n  try  --out page.txt.html"),
        ("none/page.html", "there is no folder none"),
    ],
)
def test_other_files_are_left_alone(handed_in, capsys, out, said):
    (handed_in / "notes.html").write_text("<p>mine")
    (handed_in / "folder.html").mkdir()
    before = sorted(path.name for path in handed_in.rglob("*"))
    assert cli.main(["predictions", "lesson-03", "--out", out]) == 2
    told = capsys.readouterr()
    assert said in told.err and told.out == ""
    assert sorted(path.name for path in handed_in.rglob("*")) == before
    assert (handed_in / "notes.html").read_text() == "<p>mine"


@pytest.mark.parametrize("folder", ["none", "empty", "notes.html"])
def test_a_folder_without_lessons_is_an_error_in_two_lines(handed_in, capsys, folder):
    (handed_in / "empty").mkdir()
    (handed_in / "notes.html").write_text("<p>mine")
    assert cli.main(["predictions", folder]) == 2
    told = capsys.readouterr()
    assert told.out == "" and len(told.err.splitlines()) == 2 and "  try  " in told.err
    assert not (handed_in / "predictions.html").exists()
