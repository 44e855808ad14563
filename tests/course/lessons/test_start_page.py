"""The start page: what is done is read from the learner's notebooks, whatever they hold."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from minigrad.course import project
from minigrad.course.commands import lab
from minigrad.course.lessons import lesson, progress, start_page, syllabus

ROOT = project.beside_package()
FIRST = "# 00 · One\n\n**Goal.** Say one.\n\nAbout 30 minutes."
SECOND = FIRST.replace("00 · One", "01 · Two")


def printing(source, text):
    """A code cell that has printed a text."""
    return new_code_cell(source, outputs=[new_output("stream", text=text)])


def failing(source, *lines):
    """A code cell that has shown an error."""
    return new_code_cell(source, outputs=[new_output("error", traceback=[*lines])])


def write(path, *cells):
    """A notebook of these cells."""
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=[*cells]), path)
    return path


def test_a_lesson_is_done_when_each_check_has_found_its_answer_right(tmp_path):
    right = printing("check('a', a, 1)", "✓ a\n")
    blank = new_code_cell("# check\ncheck_function('f', f, g)")
    wrong = failing("check('a', a, 1)", "\x1b[31mLessonError\x1b[0m", "✗ a: found 2, expected 1")
    free = printing("print('✓ a')", "✓ a\n")
    path = tmp_path / "copy.ipynb"
    assert progress.lesson_done(path) == (0, 0), "it is not there yet"
    assert progress.lesson_done(write(path, right, blank, free)) == (1, 2)
    assert not progress.lesson_done(write(path, right, wrong)).whole
    also = printing("check_function('b', b, f, [1])", "✓ b: 1 input tried\n")
    assert progress.lesson_done(write(path, right, also, free)).whole


def test_checks_of_one_line_count_too(tmp_path):
    right = printing("check(matmul_vjp)", "✓ matmul_vjp\n")
    answered = printing('exit_answer = 6\ncheck("exit", exit_answer)', "✓ each entry\n  Yes.\n")
    wrong = failing("check(unbroadcast)", "LessonError: ✗ unbroadcast: nothing to check yet")
    path = write(tmp_path / "copy.ipynb", right, answered, wrong)
    assert progress.lesson_done(path) == (2, 3)


@pytest.mark.parametrize("text", ["", "no notebook", "[]", '{"nbformat": 4, "cells": [{}]}'])
def test_a_file_that_is_no_notebook_counts_as_not_begun(tmp_path, text):
    (tmp_path / "copy.ipynb").write_text(text)
    assert progress.lesson_done(tmp_path / "copy.ipynb") == (0, 0)


def test_points_are_those_that_check_showed_last(tmp_path):
    cells = [
        printing('check("q1")', "✓ q1   5 of 5 points\n"),
        failing('check("q2")', "✗ q2   1.5 of 4 points", "    ✗ a check"),
        printing("print()", "✓ q9   99 of 99 points\n"),
    ]
    path = write(tmp_path / "ps1.ipynb", *cells)
    assert progress.assignment_done(path, {"q1": 5, "q2": 4, "q3": 3}) == (6.5, 12)


@pytest.fixture
def begun(course, add_lesson):
    """A course of two lessons with one exercise each, copied to my/."""
    add_lesson(FIRST, "t = 2  # fill in\ncheck('t', t, 2)", name="00_one")
    add_lesson(SECOND, "t = 3  # fill in\ncheck('t', t, 3)", name="01_two")
    lab.copy_new(project.lessons(), course / "my", lab.handout.hand_out)
    return course


def answer(path):
    """Lets a copy's checks have found everything right, and saves it."""
    copy = lesson.read_lesson(path)
    for cell in copy.cells:
        if "check(" in cell.source:
            cell.outputs = [new_output("stream", text="✓ t\n")]
    nbformat.write(copy, path)


def test_the_page_leads_from_one_lesson_to_the_next(begun):
    my = begun / "my"
    page = start_page.start_page(begun, my)
    assert "**Next:** begin [lesson 00](00_one.ipynb), 30 minutes." in page
    assert "|  | [00 · One](00_one.ipynb) | 30 |  | 0 of 1 |" in page
    answer(my / "00_one.ipynb")
    page = start_page.start_page(begun, my)
    assert "| ✓ | [00 · One](00_one.ipynb) | 30 |  | 1 of 1 |" in page
    assert "**Next:** begin [lesson 01](01_two.ipynb)" in page and "minigrad doctor" in page
    answer(my / "01_two.ipynb")
    assert "**You have done every lesson.**" in start_page.start_page(begun, my)


def test_a_save_writes_the_page_anew_and_never_fails(begun):
    from types import SimpleNamespace

    my = begun / "my"
    manager = SimpleNamespace(root_dir=str(my))
    lab.renew_start_page({"type": "file"}, "", manager)
    assert not (my / "start.md").exists()
    lab.renew_start_page({"type": "notebook"}, "", manager)
    assert "0 of 1" in (my / "start.md").read_text(encoding="utf-8")
    answer(my / "00_one.ipynb")
    lab.renew_start_page({"type": "notebook"}, "", manager)
    assert "1 of 1" in (my / "start.md").read_text(encoding="utf-8")
    lab.renew_start_page({"type": "notebook"}, "", SimpleNamespace(root_dir=str(begun / "none")))


def test_the_page_of_this_course_names_each_lesson_assignment_and_the_map(tmp_path):
    page = start_page.start_page(ROOT, tmp_path)
    for unit in syllabus.read_lessons(ROOT):
        assert f"]({unit.path.name}) | {unit.minutes} |" in page
    for unit in syllabus.read_assignments(ROOT):
        assert f"`minigrad start {unit.name}`" in page
    assert 'src="data:image/svg+xml;base64,' in page
    write(tmp_path / "ps1" / "ps1.ipynb", printing('check("q1")', "✓ q1   5 of 5 points\n"))
    points = start_page.points_of(syllabus.read_assignments(ROOT)[0])
    row = f"](ps1/ps1.ipynb) | 3½ hours | 03 | 5 of {sum(points.values()):g} |"
    assert row in start_page.start_page(ROOT, tmp_path) and len(points) > 3
