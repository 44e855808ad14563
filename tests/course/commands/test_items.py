"""`minigrad items` reports on a class, and on nobody in it."""

import json

import numpy as np
import pytest

from minigrad.course import cli
from minigrad.course.inventory import questions

from ..inventory.synthetic import PLANTED, make_class, write_answers

FORM = questions.make_form()
HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.fixture
def folder(tmp_path):
    """The answers of sixty students in both weeks, of whom three and five cannot be paired."""
    options, ability, rng = make_class(0)
    first = np.where(rng.random(options.shape) < 0.4, rng.integers(1, 4, options.shape), options)
    for at, (plant, _) in PLANTED.items():
        plant(options, at, ability, rng)
    folder = tmp_path / "answers"
    write_answers(folder, first[:55], "first", FORM, prefix="Lovelace_Ada_")
    write_answers(folder, options[3:], "last", FORM, prefix="Hopper_Grace_")
    for path in folder.glob("*last.json"):  # the code stays with the student
        record = json.loads(path.read_text())
        record["code"] = f"Pepper {int(record['code'][-2:]) + 3:02d}"
        path.write_text(json.dumps(record))
    return folder


def run_items(capsys, *words):
    """The exit status of the command, and all that it prints."""
    status = cli.main(["items", *map(str, words)])
    said = capsys.readouterr()
    return status, said.out + said.err


def test_the_report_has_every_number_and_flag(folder, tmp_path, capsys):
    page = tmp_path / "items.html"
    status, said = run_items(capsys, folder, "--out", page)
    assert status == 0 and f"{page}: the same as a page" in said
    text = page.read_text(encoding="utf-8")
    for shown in (said, text):
        assert "Answers in the last week: 57." in shown
        assert "students in both weeks: 52" in shown
        assert "only in one week: 3 in the first, 5 in the last" in shown
        assert "Reliability KR-20: 0." in shown and "(n = 57, last week)" in shown
        assert "validated on a real class" in shown
        for _, flag in PLANTED.values():
            assert flag in shown
        for question in FORM.questions:
            assert all(
                one.misconception[:-1].split("'")[0] in shown for one in question.options[1:]
            )


def test_no_code_and_no_name_is_in_the_report(folder, tmp_path, capsys):
    (folder / "Turing_Alan_101.json").write_text('{"code": "Turing Alan"}')
    (folder / "Noether.json").write_text("Noether")
    (folder / "Lovelace_Ada_00-first (1).json").write_text(
        (folder / "Lovelace_Ada_00-first.json").read_text().replace("10:00:00Z", "11:00:00Z")
    )
    page = tmp_path / "items.html"
    _, said = run_items(capsys, folder, "--out", page)
    assert said.count("left out: file ") == 3
    for shown in (said.replace(str(page), ""), page.read_text(encoding="utf-8")):
        for secret in ("pepper", "lovelace", "hopper", "turing", "noether"):
            assert secret not in shown.casefold()


def test_hostile_files_are_left_out_and_leave_no_trace(folder, tmp_path, capsys):
    record = json.loads((folder / "Lovelace_Ada_00-first.json").read_text())
    for name, change in {
        "code": {"code": HOSTILE},
        "week": {"week": HOSTILE},
        "letter": {"answers": {"q1": HOSTILE, HOSTILE: "A"}},
        "saved": {"saved": HOSTILE},
    }.items():
        (folder / f"z{name}<b>.json").write_text(json.dumps(record | change))
    page = tmp_path / "items.html"
    status, said = run_items(capsys, folder, "--out", page)
    text = page.read_text(encoding="utf-8")
    assert status == 0 and said.count("left out") == 3  # a code may be anything
    assert "onerror" not in said + text and "<b>" not in said + text and "<script" not in text


def test_a_small_class_is_told_what_cannot_be_concluded(tmp_path, capsys):
    options, _, _ = make_class(1, students=7)
    write_answers(tmp_path / "answers", options, "first", FORM)
    write_answers(tmp_path / "answers", options, "last", FORM)
    status, said = run_items(capsys, tmp_path / "answers")
    assert status == 0 and "too few answers in the last week (7)" in said
    assert "nothing can be concluded" in said and "Too few students are in both weeks (7)" in said
    assert "      ! " not in said


def test_one_week_alone_is_analysed(tmp_path, capsys):
    options, _, _ = make_class(2, students=25)
    write_answers(tmp_path / "answers", options, "first", FORM)
    status, said = run_items(capsys, tmp_path / "answers")
    assert status == 0 and "by the answers of the first week" in said
    assert "uncertain by about ±0.4" in said and "⟨g⟩" not in said


def test_a_report_may_be_written_again_but_no_other_file(folder, tmp_path, capsys):
    page, other = tmp_path / "items.html", tmp_path / "mine.html"
    other.write_text("mine")
    assert run_items(capsys, folder, "--out", page)[0] == 0
    assert run_items(capsys, folder, "--out", page)[0] == 0
    status, said = run_items(capsys, folder, "--out", other)
    assert status == 2 and "is there already" in said and other.read_text() == "mine"
    for name, reason in (("items.txt", "not the name of a page"), ("no/a.html", "no folder")):
        status, said = run_items(capsys, folder, "--out", tmp_path / name)
        assert status == 2 and reason in said and said.count("\n") <= 2
        assert not (tmp_path / name).exists()


def test_a_folder_without_answers_is_refused_and_no_page_is_written(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    page = tmp_path / "items.html"
    status, said = run_items(capsys, tmp_path / "empty", "--out", page)
    assert status == 2 and "holds no answers to the quiz" in said and said.count("\n") == 2
    assert not page.exists()


def test_the_page_of_a_small_class_is_not_to_be_sent(folder, tmp_path, capsys):
    page = tmp_path / "items.html"
    for path in sorted(folder.glob("*.json"))[9:]:
        path.unlink()
    assert run_items(capsys, folder, "--out", page)[0] == 0
    text = page.read_text(encoding="utf-8")
    assert "Do not publish this report" in text and "send this page" not in text
