"""Where the course's folders are found."""

from pathlib import Path

import pytest

from minigrad.core.errors import MinigradError
from minigrad.course import project


def test_the_root_is_found_from_below(course):
    below = course / "my" / "deep"
    below.mkdir(parents=True)
    assert project.root(below) == course.resolve()


def test_elsewhere_the_package_names_the_root(tmp_path):
    assert project.root(tmp_path) == Path(project.__file__).parents[2]


def test_without_lessons_the_error_says_where_to_go(tmp_path, monkeypatch):
    alone = tmp_path / "site" / "minigrad" / "course" / "project.py"
    monkeypatch.setattr(project, "__file__", str(alone))
    with pytest.raises(MinigradError, match="no course folder here") as caught:
        project.root(tmp_path)
    assert "the course was cloned" in caught.value.hint


def test_a_lesson_is_named_by_its_beginning_or_its_path(add_lesson):
    first, second = add_lesson(name="01_first"), add_lesson(name="02_second")
    assert project.lessons() == [first, second]
    assert project.lessons(["02"]) == [second]
    assert project.lessons([str(first)]) == [first.resolve()]


def test_a_name_of_no_lesson_lists_the_lessons(add_lesson):
    add_lesson(name="01_first")
    with pytest.raises(MinigradError, match="no lesson begins with '07'") as caught:
        project.lessons(["07"])
    assert caught.value.hint == "name one of: 01_first"


def test_a_name_of_two_lessons_lists_the_two(add_lesson):
    add_lesson(name="01_first")
    add_lesson(name="02_second")
    with pytest.raises(MinigradError, match="2 lessons begin with '0'"):
        project.lessons(["0"])


def test_a_number_means_its_own_lesson_and_none_that_goes_on_from_it(add_lesson):
    first, second = add_lesson(name="01_first"), add_lesson(name="01b_more")
    assert project.lessons(["01"]) == [first]
    assert project.lessons(["01b"]) == [second]
    assert [project.lesson_number(path) for path in (first, second)] == ["01", "01b"]


def test_away_from_its_clone_the_package_says_what_was_noted_when_it_was_installed(
    monkeypatch, tmp_path
):
    noted = ["numpy>=2.0", "nbformat>=5; extra == 'course'", "nbval>=0.11; extra == 'test'"]
    monkeypatch.setattr(project, "beside_package", lambda: tmp_path)
    monkeypatch.setattr(project.metadata, "requires", lambda name: noted)
    monkeypatch.setattr(project.metadata, "version", lambda name: "9.8")
    assert project.needed_packages() == ["numpy", "nbformat"]
    assert project.version_text() == "minigrad 9.8"
