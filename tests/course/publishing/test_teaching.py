"""The pages for teachers on the site: there with the guide, and only with it."""

from pathlib import Path

import pytest

from minigrad.course.lessons import syllabus
from minigrad.course.publishing import gather, teaching

ROOT = Path(__file__).parents[3]
NAMES = [unit.name for unit in syllabus.read_lessons(ROOT)]


@pytest.fixture
def guided(course):
    """A course that has its guide and the policy."""
    (course / "assignments").mkdir(exist_ok=True)
    for path in teaching.PAGES.values():
        (course / path).write_text("# A page\n\nAs lesson 03 says.\n", encoding="utf-8")
    return course


def test_without_the_guide_there_is_no_page_and_no_line_of_contents(course, tmp_path):
    assert [*teaching.list_contents(course)] == [*teaching.read_pages(course, NAMES)] == []
    gather.add_teaching(course, tmp_path / "site", {})
    assert not (tmp_path / "site").exists()


def test_with_the_guide_each_lesson_has_its_page(guided):
    pages = dict(teaching.read_pages(guided, [*NAMES, "99"]))
    assert [*pages] == [*teaching.PAGES, teaching.OVERVIEW, *(f"teaching/{n}" for n in NAMES)]
    assert pages[teaching.OVERVIEW].endswith("\n".join(["", *NAMES, "```", ""]))
    contents = [*teaching.list_contents(guided)]
    assert ":caption: For teachers" in contents and {*teaching.PAGES, teaching.OVERVIEW} < {
        *contents
    }


def test_their_links_to_lessons_lead_out_of_their_own_folder(guided, tmp_path):
    gather.add_teaching(guided, tmp_path, {"02": "02_forward.ipynb", "03": "03_reverse.ipynb"})
    assert "[lesson 03](<lessons/03_reverse.ipynb>)" in (tmp_path / "guide.md").read_text("utf-8")
    page = (tmp_path / "teaching" / "03.md").read_text(encoding="utf-8")
    assert "[lesson 03](<../lessons/03_reverse.ipynb>)" in page
