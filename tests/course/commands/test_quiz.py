"""`minigrad quiz` writes all files of a quiz, or nothing and says why."""

import zipfile
from dataclasses import replace

import pytest

from minigrad.course import cli
from minigrad.course.inventory import questions

NAMES = ["key.md", "quiz-moodle.xml", "quiz-qti.zip", "quiz.html", "quiz.ipynb"]


def test_all_files_are_written_and_are_the_same_again(tmp_path, capsys):
    first, second, other = (tmp_path / name for name in ("a", "b", "c"))
    second.mkdir()
    assert cli.main(["quiz", str(first)]) == cli.main(["quiz", str(second)]) == 0
    assert cli.main(["quiz", str(other), "--form", "2"]) == 0
    assert "has computed" in capsys.readouterr().out
    for name in NAMES:
        assert (first / name).read_bytes() == (second / name).read_bytes()
        assert (first / name).read_bytes() != (other / name).read_bytes()
    assert sorted(path.name for path in first.iterdir()) == NAMES
    assert zipfile.ZipFile(first / "quiz-qti.zip").testzip() is None


def test_a_wrong_key_writes_nothing(tmp_path, capsys, monkeypatch):
    form = questions.make_form()
    key, wrong, *others = form.questions[5].options
    planted = replace(form.questions[5], options=(wrong, key, *others))
    asked = (*form.questions[:5], planted, *form.questions[6:])
    monkeypatch.setattr(questions, "make_form", lambda number: replace(form, questions=asked))
    assert cli.main(["quiz", str(tmp_path / "quiz")]) == 2
    said = capsys.readouterr().err
    assert "the key of q6 (count_forward_sweeps) is '1', but '3' is true" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words, said",
    [
        (["full"], "is not empty"),
        (["full/file"], "is not empty"),
        (["none/deep"], "is not a folder"),
        (["quiz", "--form", "0"], "--form is 0"),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path, capsys, words, said):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    assert cli.main(["quiz", str(tmp_path / words[0]), *words[1:]]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") <= 2
    assert [path.name for path in tmp_path.rglob("*")] == ["full", "file"]
    assert (tmp_path / "full" / "file").read_text() == "mine"
