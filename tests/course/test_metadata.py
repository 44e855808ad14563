"""Version and licences are the same in every file that names them, and each such file parses."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from minigrad.course.publishing import parts

ROOT = Path(__file__).parents[2]
CODE, TEXTS = "MIT", "CC-BY-4.0"
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def read(path):
    """The text of a file of the project."""
    return (ROOT / path).read_text(encoding="utf-8")


PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
CITATION = yaml.safe_load(read("CITATION.cff"))
PAPER = read(".github/paper/paper.md")
FRONT = yaml.safe_load(PAPER.split("---")[1])
CHECKLIST = read(".github/paper/checklist.md")


def versions():
    """{file: the version that it names}"""
    released = re.search(r"^## (\d[\w.]*) - (\S+)$", read("CHANGELOG.md"), re.MULTILINE)
    return {
        "CHANGELOG.md": released[1],
        "CITATION.cff": CITATION["version"],
        "paper.md": re.search(r"describes\s+version (\d[\w.]*[^\W.])", PAPER)[1],
        "the page on citing": re.search(r"version = \{(.*?)\}", parts.citation())[1],
    }


def licences():
    """{file: whether it names the licence of the code, and that of texts and pictures}"""
    texts = {
        "pyproject.toml": PROJECT["license"],
        "CITATION.cff": read("CITATION.cff"),
        "README.md": read("README.md"),
        "paper.md": PAPER,
        "the page on citing": parts.citation(),
        "LICENSE": read("LICENSE") + TEXTS,
        "LICENSE-CC-BY-4.0": read("LICENSE-CC-BY-4.0"),
    }
    forms = {name: text.replace("CC BY 4.0", TEXTS) for name, text in texts.items()}
    return {name: (CODE in text, TEXTS in text) for name, text in forms.items()}


def test_every_file_names_the_version_of_the_package():
    assert versions() == dict.fromkeys(versions(), PROJECT["version"])


def test_the_day_of_the_version_is_that_of_the_changelog():
    day = re.search(r"^## \d[\w.]* - (\S+)$", read("CHANGELOG.md"), re.MULTILINE)[1]
    assert str(CITATION["date-released"]) == day


def test_every_file_names_both_licences():
    assert licences() == dict.fromkeys(licences(), (True, True))
    assert PROJECT["license"] == f"{CODE} AND {TEXTS}" and CITATION["license"] == CODE
    assert [name for name in PROJECT["license-files"] if not (ROOT / name).is_file()] == []


def test_the_copyright_is_that_of_the_authors():
    author = PROJECT["authors"][0]["name"]
    assert CITATION["authors"] == FRONT["authors"][:1] or CITATION["authors"] == [{"name": author}]
    assert f"Copyright (c) 2026 {author}" in read("LICENSE")
    assert f"Copyright (c) 2026 {author}" in read("LICENSE-CC-BY-4.0")


def test_the_citation_has_what_its_format_asks_for():
    assert CITATION["cff-version"] == "1.2.0" and CITATION["type"] == "software"
    assert {"authors", "message", "title"} <= CITATION.keys()
    assert FRONT["title"] == CITATION["title"]


def test_the_paper_has_the_fields_and_the_references_that_it_names():
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= FRONT.keys()
    listed = set(re.findall(r"^@\w+\{(\w+),", read(".github/paper/paper.bib"), re.MULTILINE))
    assert {*re.findall(r"@([a-z]+\d{4})", PAPER)} == listed


def test_the_paper_counts_what_is_there():
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    lessons = len([*ROOT.glob("notebooks/*.ipynb")])
    assignments = len([*ROOT.glob("assignments/ps*/checks.py")])
    assert f"{lessons} Jupyter\nlessons, {words[assignments]} graded assignments" in PAPER


def test_the_checklist_names_files_that_are_there_and_says_what_is_open():
    paths = re.findall(r"`([\w./-]+\.\w+|LICENSE[\w.-]*)`", CHECKLIST)
    assert len(paths) > 20 and [path for path in paths if not (ROOT / path).exists()] == []
    items = re.findall(r"^- \[(.)\] (.*(?:\n  .*)*)", CHECKLIST, re.MULTILINE)
    assert len(items) > 12
    assert [text for box, text in items if (box == " ") != ("*open*" in text.lower())] == []


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_each_form_can_be_shown(path):
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.stem == "config":
        return
    assert {"name", "description", "body"} <= form.keys()
    ids = [field["id"] for field in form["body"] if field["type"] != "markdown"]
    assert len(ids) == len({*ids}) > 1
    kinds = {"markdown", "input", "textarea", "checkboxes"}
    assert {field["type"] for field in form["body"]} <= kinds
