"""What a class predicted: counts are those that were planted, and nobody's name is told."""

import json
import os
import random
import re
import shutil
import zipfile
from collections import Counter

import pytest

from minigrad.course import cli
from minigrad.course.gradebook import lesson_copies, predictions
from minigrad.course.grading import notebook
from minigrad.course.lessons import questions

from . import odd
from .predicting import LESSONS, printed, show, text_of, write_predictions

NUMBERS = ("00", "03", "10")
STUDENTS = 14
NAMES = ("lovelace", "hopper", "turing", "noether")
DEPTH = questions.questions_of(LESSONS["03"])[-1]
WRONG = {"grad": "2", "visits": "127", "nearer": '"both"'}


def ran(raw, number):
    """A copy whose cells have printed what they print of the predictions in it."""
    for question in questions.questions_of(LESSONS[number]):
        found = questions.read_predictions(questions.bounded_cells(raw), [question])
        prediction = found[question.name]
        if prediction is not None and question.choice_of(prediction):
            show(raw, "predict", question.name, printed(number, question.name, prediction))
    return raw


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """(a folder as Canvas, Moodle and students make it, {lesson: {question: predictions}})."""
    folder, rng, counts = tmp_path_factory.mktemp("class") / "handed_in", random.Random(3), {}
    folder.mkdir()
    for student in range(STUDENTS):
        name, copies = f"{NAMES[student % 4]}{student}", {}
        for number in NUMBERS[: 1 + student % 3]:
            raw, made = plant_predictions(number, rng)
            copies[number] = json.dumps(ran(raw, number) if student % 2 else raw)
            for question, prediction in made.items():
                own = counts.setdefault(number, {}).setdefault(question, Counter())
                own[prediction] += 1
        WAYS[student % len(WAYS)](folder, name, student, copies)
    return folder, counts


def plant_predictions(number, rng):
    """(a copy with random predictions, {question: the choice, or "" for a blank})."""
    made, written = {}, {}
    for question in questions.questions_of(LESSONS[number]):
        choice = rng.choice([*question.choices, None])
        made[question.name] = "" if choice is None else str(choice)
        written |= {} if choice is None else {question.name: repr(choice)}
    return write_predictions(number, written), made


def by_canvas(folder, name, student, copies):
    """Files of one submission."""
    for at, (number, text) in enumerate(copies.items()):
        (folder / f"{name}_{4000 + student}_{at}_{LESSONS[number].stem}-1.ipynb").write_text(text)


def by_moodle(folder, name, student, copies):
    """A folder of one submission, with files beside the lessons."""
    own = folder / f"Ada {name.title()}_{student}_assignsubmission_file_"
    (own / "my" / "key").mkdir(parents=True)
    for number, text in copies.items():
        (own / "my" / LESSONS[number].name).write_text(text)
        shutil.copy(LESSONS[number], own / "my" / "key")
    (own / "my" / "night.json").write_text("{}")


def by_zip(folder, name, student, copies):
    """A zip that the student has made, with what macOS puts into it."""
    with zipfile.ZipFile(folder / f"{name}.zip", "w") as archive:
        for number, text in copies.items():
            archive.writestr(f"{name}/{LESSONS[number].name}", text)
            archive.writestr(f"__MACOSX/{name}/._{LESSONS[number].name}", "x")


WAYS = (by_canvas, by_moodle, by_zip)


def counted(known):
    """The same counts as they are found."""
    return {
        lesson.number: {
            tally.question.name: Counter(
                {row.label: row.count for row in (*tally.rows, *tally.others)} | {"": tally.blank}
            )
            for tally in lesson.tallies
        }
        for lesson in known.lessons
    }


def test_the_counts_are_those_that_were_planted(planted):
    folder, counts = planted
    known = predictions.read_class(folder)
    assert counted(known) == counts  # which takes a count of 0 for none
    assert [lesson.students for lesson in known.lessons] == [14, 9, 4]
    assert {*known.left_out} == {lesson_copies.ANSWERS}
    for lesson in known.lessons:
        for tally in lesson.tallies:
            made = counts[lesson.number][tally.question.name]
            assert tally.right == made[str(tally.question.answer)]
            assert tally.prediction_count == lesson.students - made[""]
            assert sum(row.right for row in tally.rows) == 1


def test_a_zip_of_all_says_the_same(planted, tmp_path):
    folder, counts = planted
    shutil.make_archive(tmp_path / "submissions", "zip", folder)
    assert counted(predictions.read_class(tmp_path / "submissions.zip")) == counts


def test_each_misconception_stands_beside_its_prediction(tmp_path):
    (tmp_path / "a.ipynb").write_text(text_of("03", grad="3"))
    (lesson,) = predictions.read_class(tmp_path).lessons
    rows = {row.label: row for row in lesson.tallies[0].rows}
    assert rows["3"].comment.startswith("3 is what speed receives the second time.")
    assert rows["2"].comment == ""  # nobody has it
    assert rows["4"].right and rows["4"].comment.startswith("p passes on 1. When")
    assert lesson.tallies[0].share == "Right predictions: 0 of 1, 0 %"
    assert lesson.tallies[1].share == "Nobody made a prediction"


def test_who_is_right_by_an_own_function_is_right(tmp_path):
    own = "Your search is a loop"
    for name, said in (("a", f"✓ {DEPTH.ask}: never. You predicted never.\n  {own}"), ("b", "")):
        raw = write_predictions("03", {"depth": '"never"'})
        show(raw, "observe", "depth", said)
        (tmp_path / f"{name}.ipynb").write_text(json.dumps(raw))
    (lesson,) = predictions.read_class(tmp_path).lessons
    assert lesson.tallies[-1].share == "Right predictions: 1 of 2, 50 %"
    rows = {row.label: (row.count, row.right) for row in lesson.tallies[-1].rows}
    assert rows["never"] == (2, False) and rows["1000"] == (0, True)


# names -------------------------------------------------------------------------------------------


def test_no_name_is_told(planted, tmp_path, capsys, monkeypatch):
    folder = tmp_path / "submissions"
    shutil.copytree(planted[0], folder)
    (folder / "lovelace77.ipynb").write_text("hopper is no JSON")
    (folder / "lovelace78.zip").write_bytes(b"PK turing")
    (folder / "noether79_LATE_4711_5_hopper.ipynb").write_text('{"nbformat": 3}')
    (folder / "hopper80").mkdir()
    with zipfile.ZipFile(folder / "turing81.zip", "w") as archive:
        archive.writestr("hopper/noether.ipynb", text_of("00"))
    data = (folder / "turing81.zip").read_bytes()
    # the name in front of the entry is another than that of the table: the error quotes both
    (folder / "turing81.zip").write_bytes(data.replace(b"hopper/noether", b"hopper/turings", 1))
    monkeypatch.chdir(tmp_path)
    assert cli.main(["predictions", "submissions"]) == 0
    told = capsys.readouterr()
    page = (tmp_path / "predictions.html").read_text(encoding="utf-8")
    for text in (told.out, told.err, page):
        assert not re.search("|".join((*NAMES, "4711", "40[01]\\d_", "ipynb")), text, re.IGNORECASE)
    assert "1 not JSON" in told.out and "1 not a notebook" in told.out
    assert "1 without a notebook" in told.out and "1 a zip that cannot be read" in told.out
    assert "1 damaged" in told.out


def test_a_class_of_nothing_readable_is_refused_without_a_name(tmp_path, capsys, monkeypatch):
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "hopper.ipynb").write_text("x")
    (folder / "turing.zip").write_text("x")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["predictions", "submissions"]) == 2
    told = capsys.readouterr()
    assert "there is no lesson notebook; 2 of 2 files are not counted: " in told.err
    assert "hopper" not in told.err and "turing" not in told.err and told.out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["submissions"]


# which copy counts -------------------------------------------------------------------------------


def write_at(path, text, when):
    """A file of a time."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    os.utime(path, (when, when))


def predicted(folder, question="grad"):
    """({prediction: count} of one question of lesson 03, what is not counted)."""
    known = predictions.read_class(folder)
    return {k: v for k, v in counted(known)["03"][question].items() if v}, known.left_out


def test_of_several_copies_the_newest_with_a_prediction_counts(tmp_path):
    for at, written in enumerate(({"grad": "2"}, {"grad": "3"}, {})):
        write_at(tmp_path / "ann" / f"copy{at}.ipynb", text_of("03", **written), 10_000 * (at + 1))
    write_at(tmp_path / "ann" / "other.ipynb", text_of("00", cost="30"), 1)
    assert predicted(tmp_path) == ({"3": 1}, {lesson_copies.COPY: 2})


def test_a_second_upload_and_a_name_tell_the_copy_that_counts(tmp_path):
    for name, code in (("a.ipynb", "2"), ("a-1.ipynb", "3"), ("a-2.ipynb", "4")):
        write_at(tmp_path / "ann" / name, text_of("03", grad=code), 1)
    for name, code in (("03_reverse.ipynb", "4"), ("old.ipynb", "2")):
        write_at(tmp_path / "bob" / name, text_of("03", grad=code), 1)
    for name, written in (("x.ipynb", {"grad": "4"}), ("y.ipynb", WRONG)):
        write_at(tmp_path / "eve" / name, text_of("03", **written), 1)
    assert predicted(tmp_path) == ({"4": 2, "2": 1}, {lesson_copies.COPY: 4})


def test_two_students_of_one_name_are_two_and_a_file_and_a_folder_are_one(tmp_path):
    for number in (1, 2):
        folder = tmp_path / f"Ada Lovelace_{number}_assignsubmission_file_"
        write_at(folder / "03_reverse.ipynb", text_of("03", grad="2"), 1)
        name = f"lovelaceada_{number}_{number}_03_reverse.ipynb"
        write_at(tmp_path / name, text_of("03", grad="3"), 1)
    write_at(tmp_path / "ada.ipynb", text_of("03", grad="4"), 10_000)
    write_at(tmp_path / "ada" / "03_reverse.ipynb", text_of("03", grad="2"), 1)
    assert predicted(tmp_path) == ({"2": 2, "3": 2, "4": 1}, {lesson_copies.COPY: 1})


def test_a_published_lesson_is_nobodys_prediction(tmp_path):
    shutil.copy(LESSONS["03"], tmp_path / "ann.ipynb")
    (tmp_path / "bob.ipynb").write_text(text_of("03", grad="4"))
    assert predicted(tmp_path) == ({"4": 1}, {lesson_copies.ANSWERS: 1})


# odd predictions ---------------------------------------------------------------------------------


def others_of(folder, codes):
    """{label: count} of what stands beside the choices when these codes are handed in."""
    folder.mkdir()
    for at, code in enumerate(codes):
        (folder / f"{at}.ipynb").write_text(text_of("03", grad=code))
    (lesson,) = predictions.read_class(folder).lessons
    return {row.label: row.count for row in lesson.tallies[0].others}


def test_other_predictions_are_grouped_by_value(tmp_path):
    codes = ["1.5", "1.5004", "'1.50'", "−7", "'No  idea'", "'no idea'", "'Ada, Lovelace'", "2"]
    found = others_of(tmp_path / "a", codes)
    assert found == {"1.5": 3, "no idea": 2, "-7": 1, predictions.OTHERS: 1}


def test_eight_rows_are_the_most(tmp_path):
    found = others_of(tmp_path / "a", [str(100 + n) for n in range(12)] + ["100"])
    assert len(found) == 8 and found["100"] == 2 and found[predictions.OTHERS] == 5
    assert len(others_of(tmp_path / "b", [str(100 + n) for n in range(8)])) == 8


def test_what_a_prediction_holds_is_text_on_the_page_and_cut(tmp_path, capsys):
    bad = "<img src=x onerror=alert(1)>" + "\u202e{{ 7 * 7 }}" + "z" * 200
    others_of(tmp_path / "a", [repr(bad), repr(bad), "'\\x1b[31mred'", "'\\x1b[31mred'"])
    assert cli.main(["predictions", str(tmp_path / "a"), "--out", str(tmp_path / "p.html")]) == 0
    page, told = (tmp_path / "p.html").read_text(encoding="utf-8"), capsys.readouterr().out
    assert "<img" not in page and "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "zzzz" not in page + told and "\u202e" not in page + told and "\x1b" not in page + told


# odd files ---------------------------------------------------------------------------------------


def test_files_that_cannot_be_read_are_counted(tmp_path):
    honest = text_of("03", grad="4")
    (tmp_path / "ann.ipynb").write_text(honest)
    with open(tmp_path / "huge.ipynb", "wb") as file:
        file.truncate(notebook.LARGEST_BYTES + 1)
    (tmp_path / "pdf.pdf").write_text("x")
    (tmp_path / "cut.ipynb").write_text(honest[:-1])
    (tmp_path / "deep.ipynb").write_text("[" * 100_000)
    (tmp_path / "empty.ipynb").write_text('{"nbformat": 4, "cells": []}')
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "ann.ipynb")
    with zipfile.ZipFile(tmp_path / "big.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.ipynb", b" " * (notebook.LARGEST_BYTES + 1))
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr("03.ipynb", honest)
    data = bytearray((tmp_path / "bad.zip").read_bytes())
    data[200] ^= 1
    (tmp_path / "bad.zip").write_bytes(data)
    known = predictions.read_class(tmp_path)
    assert known.left_out == {
        lesson_copies.TOO_LARGE: 3, lesson_copies.NOT_JSON: 2, lesson_copies.NO_LESSON: 1,
        lesson_copies.DAMAGED: 1, lesson_copies.NO_NOTEBOOK: 1,
    }  # fmt: skip
    assert known.files == 9 and known.remark.startswith("8 of 9 files are not counted: 3 too large")
    assert known.lessons[0].students == 1


def test_a_student_with_very_many_notebooks_is_read_in_part(tmp_path):
    folder = tmp_path / "ann"
    folder.mkdir()
    for at in range(lesson_copies.MOST_NOTEBOOKS + 5):
        (folder / f"{at:03}.ipynb").write_text(text_of("03", grad="4"))
    found, left_out = predicted(tmp_path)
    most = lesson_copies.MOST_NOTEBOOKS - 1
    assert found == {"4": 1} and left_out == {lesson_copies.TOO_MANY: 5, lesson_copies.COPY: most}


@pytest.mark.parametrize("seed", range(12))
def test_whatever_lies_beside_them_the_honest_are_counted(seed, tmp_path):
    raw = json.dumps(ran(write_predictions("03", WRONG), "03")).encode()
    with odd.place(tmp_path) as folder:
        odd.plant(folder, random.Random(seed), raw, 25)
        known = predictions.read_class(folder)
        (lesson,) = known.lessons
        row = lesson.tallies[0].rows[0]
        assert row.label == "2" and row.count == lesson.students >= 2
        assert known.left_out and "honest" not in predictions.predictions_page(known)
