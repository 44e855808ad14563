"""The folder that Sphinx reads: what is in it, and what its links become."""

import ast
import re
from pathlib import Path

import pytest

from minigrad.course.lessons import lesson
from minigrad.course.publishing import gather, parts

ROOT = Path(__file__).parents[3]
PAGES = {"01": "01_small.ipynb"}
INCLUDED = re.compile(r"^```\{literalinclude\} (\S+)\n:pyobject: (\w+)", re.MULTILINE)


def test_a_mentioned_lesson_becomes_a_link_once_it_is_there():
    text = "Lesson 01 and lesson 99, in [lesson 01](x), and lesson\n01."
    assert gather.with_lessons_linked(text, PAGES, "lessons/") == (
        "[Lesson 01](<lessons/01_small.ipynb>) and lesson 99, in [lesson 01](x), "
        "and [lesson\n01](<lessons/01_small.ipynb>)."
    )


def test_a_picture_gets_the_words_of_the_gallery(tmp_path):
    (tmp_path / "README.md").write_text("![Two arrows.](small.svg)", encoding="utf-8")
    assert gather.describe_figures("![](figures/small.svg)", tmp_path) == (
        "![Two arrows.](figures/small.svg)"
    )


def test_of_the_assignments_only_the_students_notebook_is_taken(course, tmp_path):
    for name in ("ps1/ps1.ipynb", "ps1/checks.py", "instructor/ps1/solution.ipynb"):
        path = course / "assignments" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")
    gather.add_assignments(course / "assignments", tmp_path / "gathered")
    assert [path.name for path in (tmp_path / "gathered").iterdir()] == ["ps1.ipynb"]


def test_the_code_that_a_page_includes_is_there():
    included = {
        pair
        for page in gather.PAGES.glob("*.md")
        for pair in INCLUDED.findall(page.read_text("utf-8"))
    }
    assert {"Mul", "bind", "reverse_sweep"} <= {symbol for _, symbol in included}
    for file, symbol in included:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert symbol in {getattr(node, "name", None) for node in tree.body}


def test_what_answers_predictions_and_exercises_is_folded(add_lesson):
    path = add_lesson(
        "observe('edges', 2, why='two')",
        "check('shown', 1, 1)",
        "t = 2  # fill in\ncheck('t', t, 2)",
        "f = abs  # fill in",
        "n = 1",
        "check('f', f, abs)",
    )
    cells = gather.publish_lesson(lesson.read_lesson(path), PAGES, {}).cells
    assert [(cell.source, cell.metadata.get("tags")) for cell in cells] == [
        ("observe('edges', 2, why='two')", ["hide-cell"]),
        ("check('shown', 1, 1)", None),
        ("t = ...  # fill in", None),
        ("t = 2  # fill in\ncheck('t', t, 2)", ["hide-input"]),
        ("f = ...  # fill in", None),
        ("f = abs  # fill in", ["hide-input"]),
        ("n = 1", None),
        ("check('f', f, abs)", ["hide-input"]),
    ]


def test_the_player_and_the_card_show_the_first_formula(tmp_path):
    pytest.importorskip("resvg_py", reason="resvg-py is not installed")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    parts.save_card(tmp_path)
    assert (tmp_path / "card.png").read_bytes().startswith(b"\x89PNG")
    assert "<minigrad-player" in parts.live_player()


def test_links_of_the_changelog_to_elsewhere_are_words(tmp_path):
    page = tmp_path / "page.md"
    gather.add_changes(tmp_path / "none.md", page)
    assert page.read_text(encoding="utf-8") == "# Changelog\n"
    (tmp_path / "changes.md").write_text("As [it](https://a.b/c) says, [here](why.md).\n")
    gather.add_changes(tmp_path / "changes.md", page)
    assert page.read_text(encoding="utf-8") == "As it says, [here](why.md).\n"
