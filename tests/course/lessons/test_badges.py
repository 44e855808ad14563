"""Each lesson's links follow from the address in pyproject.toml, and none is shown without it."""

import re

import pytest

from minigrad.core.errors import MinigradError
from minigrad.course import cli, project
from minigrad.course.lessons import badges, handout, lesson
from minigrad.course.publishing import gather

from ..grading.paths import ROOT

ADDRESS = '[project.urls]\nRepository = "{}"\n'
TEXT = "# 01 · Small: a lesson\n\nA formula.\n\nAbout 5 minutes."
LINKS = [
    "https://github.com/ann/course/raw/main/notebooks/blank/01_small.ipynb",
    "https://github.com/ann/course/raw/main/notebooks/01_small.ipynb",
    "https://colab.research.google.com/github/ann/course/blob/main/notebooks/blank/01_small.ipynb",
    "https://mybinder.org/v2/gh/ann/course/main?urlpath=lab/tree/my/01_small.ipynb",
]


@pytest.fixture
def small(course, add_lesson):
    """A course of one lesson, and a function that sets its address."""
    add_lesson(TEXT, "t = 2  # fill in")
    path = course / "notebooks" / "01_small.ipynb"
    path.write_text(lesson.lesson_text(lesson.read_lesson(path)))

    def set_address(address):
        (course / "pyproject.toml").write_text(ADDRESS.format(address))
        return badges.renew_rows(course)

    return set_address


def first_cell(path):
    """The text of the first cell of a notebook."""
    return lesson.read_lesson(path).cells[0].source


def test_without_an_address_there_is_no_link(course, small):
    (course / "pyproject.toml").write_text('[project]\nname = "small"\n')
    assert badges.renew_rows(course) == [] and not (course / badges.BLANK).exists()
    assert first_cell(course / "notebooks/01_small.ipynb") == TEXT


def test_with_an_address_a_lesson_has_four_links_below_its_title(course, small):
    changed = ["notebooks/01_small.ipynb", "notebooks/blank/01_small.ipynb"]
    assert small("https://github.com/ann/course") == changed
    text = first_cell(course / "notebooks/01_small.ipynb")
    title, row, *rest = text.split("\n\n")
    assert [title, *rest] == TEXT.split("\n\n")
    assert re.findall(r'href="(.*?)"', row) == LINKS
    labels = ["blank", "with answers", "Open in Colab", "Binder"]
    assert re.findall(r">([^<]+)</a>", row) == labels
    assert badges.renew_rows(course) == [], "a second time changes nothing"


def test_each_link_leads_to_a_file_that_is_there_and_colab_and_binder_to_a_blank_one(course, small):
    small("https://github.com/ann/course.git")
    for link in LINKS[:3]:
        path = course / re.sub(r".*/(?:raw|blob)/main/", "", link)
        asked = any("t = ..." in cell.source for cell in lesson.read_lesson(path).cells)
        assert asked is ("/blank/" in link)
    assert cli.main(["lab", "--copy-only"]) == 0  # as .binder/postBuild does
    opened = course / LINKS[3].partition("lab/tree/")[2]
    first, asked, *_ = lesson.read_lesson(opened).cells
    assert (first.source, asked.source) == (TEXT, "t = ...  # fill in")


def test_the_readme_says_below_its_picture_where_to_begin_in_a_browser(course, small):
    readme = course / "README.md"
    readme.write_text("# Small\n\n![A picture.](a.svg)\n\nWords.\n")
    assert "README.md" in small("https://github.com/ann/course")
    head, picture, row, rest = readme.read_text().split("\n\n")
    assert (head, picture, rest) == ("# Small", "![A picture.](a.svg)", "Words.\n")
    assert re.findall(r'href="(.*?)"', row) == LINKS[2:]
    (course / "pyproject.toml").unlink()
    assert "README.md" in badges.renew_rows(course)
    assert readme.read_text() == "# Small\n\n![A picture.](a.svg)\n\nWords.\n"


def test_another_address_and_none_renew_the_rows(course, small):
    small("https://github.com/ann/course")
    small("https://github.com/bob/other/")
    text = first_cell(course / "notebooks/01_small.ipynb")
    assert "bob/other/raw" in text and "ann" not in text
    gone = course / "notebooks" / "blank" / "00_gone.ipynb"
    gone.write_text("{}")
    assert badges.renew_rows(course) == ["notebooks/blank/00_gone.ipynb"]
    (course / "pyproject.toml").unlink()
    assert len(badges.renew_rows(course)) == 2
    assert first_cell(course / "notebooks/01_small.ipynb") == TEXT
    assert [*(course / badges.BLANK).glob("*")] == []


@pytest.mark.parametrize("address", ["https://example.org/a/b", "github.com/a/b", "ann/course"])
def test_an_address_that_is_none_of_a_repository_is_refused(course, small, address):
    with pytest.raises(MinigradError, match="is not the address of a repository") as refused:
        small(address)
    assert refused.value.hint == 'write Repository = "https://github.com/OWNER/NAME"'


def test_a_students_copy_has_no_row(course, small):
    small("https://github.com/ann/course")
    notebook = lesson.read_lesson(course / "notebooks" / "01_small.ipynb")
    assert handout.hand_out(notebook).cells[0].source == TEXT


@pytest.mark.parametrize("address", ["", "https://github.com/ann/course"])
def test_the_site_shows_the_places_only_with_an_address(course, small, tmp_path, address):
    small(address)
    (tmp_path / "source").mkdir()
    gather.gather(course, tmp_path / "source", tmp_path / "extra")
    text = first_cell(tmp_path / "source" / "lessons" / "01_small.ipynb")
    (foot,) = re.findall(r"<p .*?</p>", text)
    files = ["../downloads/01_small-blank.ipynb", "../downloads/01_small.ipynb"]
    assert re.findall(r'href="(.*?)"', foot) == files + LINKS[2:] * bool(address)


def test_the_lessons_of_this_course_have_the_links_that_its_address_gives():
    old = [path.name for path, text in badges.renewed_files(ROOT) if not is_text(path, text)]
    assert old == [], "run minigrad figures"


def is_text(path, text):
    """Whether the file at `path` is there and holds this text."""
    return path.is_file() and path.read_text(encoding="utf-8") == text


def test_the_lessons_keep_their_form_with_a_row():
    for path in project.lessons(start=ROOT):
        text = badges.without_row(first_cell(path))
        assert badges.without_row(badges.with_row(text, "ann/course", path.stem)) == text
