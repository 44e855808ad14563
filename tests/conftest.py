"""What all tests share: which run, how hypothesis runs, an order to choose, and course folders."""

import os
import random
import re

import nbformat
import pytest
import tiers
from hypothesis import settings

from minigrad.course.lessons import form
from minigrad.draw.layout import engine

collect_ignore = ["bench", "fuzz"]  # programs, and no tests; test_fuzz.py imports what it tests

# The same examples on every run: a test fails for a change of the code, never by luck or load.
engine.SECONDS = 600  # for a layout: on a busy machine, too, it ends as a picture
settings.register_profile("steady", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("steady")


def pytest_addoption(parser):
    """`pytest --shuffle 3` runs the files, and the tests in each, in an order of that number."""
    parser.addoption("--shuffle", type=int, metavar="N", help="shuffle: no test needs another")
    choices = (tiers.FAST, tiers.REST, tiers.EVERYTHING)
    parser.addoption("--tier", choices=choices, help="run one part of the tests (tests/tiers.py)")


def pytest_report_header(config):
    """The sample of the day, and how to run it again."""
    day = os.environ["MINIGRAD_TEST_DAY"]
    return f"tier {tiers.Run.tier}; to repeat its samples: MINIGRAD_TEST_DAY={day}"


def pytest_configure(config):
    """In a process of pytest-xdist, pytest-cov starts two coverages and reads the second: this
    ends the first, which would follow every line in vain."""
    tiers.choose_tier(config.getoption("--tier"))
    plugin = config.pluginmanager.get_plugin("_cov")
    if plugin is not None and hasattr(config, "workerinput"):
        plugin.cov_controller.cov.stop()


def pytest_collection_modifyitems(config, items):
    """Shuffles the tests where asked; a file stays together, as its fixtures are made once.

    What is marked `lane` asks for the shortcuts of fast/, and is left out where they are left out.
    Before, all tests go that are not of the chosen tier; the files that take longest come first.
    """
    kept, left = tiers.divide(items)
    config.hook.pytest_deselected(items=left)
    items[:] = tiers.long_first(kept)
    if os.environ.get("MINIGRAD_PLAIN"):
        for item in items:
            if item.get_closest_marker("lane"):
                item.add_marker(pytest.mark.skip(reason="MINIGRAD_PLAIN leaves the shortcuts out"))
    seed = config.getoption("--shuffle")
    if seed is not None:
        rng = random.Random(seed)
        files = sorted({item.path for item in items})
        rng.shuffle(files)
        turns = {path: turn for turn, path in enumerate(files)}
        rng.shuffle(items)
        items.sort(key=lambda item: turns[item.path])


# the reasons of tests that are skipped where a program is missing, by the program's name
LACKING = {
    "bwrap": "bubblewrap|bwrap",
    "chromium": "browser",
    "dot": "Graphviz|layout engine",
    "lxml": "lxml|moodle-xml-parser",
}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A test that is skipped for lack of a program that MINIGRAD_REQUIRE names fails: whoever
    requires the program wants its tests to run."""
    report = yield
    required = filter(None, os.environ.get("MINIGRAD_REQUIRE", "").split(","))
    if report.skipped and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        for program in required:
            if re.search(LACKING[program], reason):
                report.outcome = "failed"
                report.longrepr = f"MINIGRAD_REQUIRE names {program}, but the test says: {reason}"
    return report


@pytest.fixture
def course(tmp_path, monkeypatch):
    """An empty course folder, which is the current one."""
    for name in ("notebooks", "assignments", "figures"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def add_lesson(course, monkeypatch):
    """Puts a lesson of the given cells into the course: text begins with '#' or '<', the rest
    is code; a pair is code with a list of tags. Its sentences lie in no file."""
    monkeypatch.setattr(form, "FOLDER", course / "no sentences")

    def add(*cells, name="01_small"):
        notebook = nbformat.v4.new_notebook(cells=[new_cell(cell) for cell in cells])
        path = course / "notebooks" / f"{name}.ipynb"
        nbformat.write(notebook, path)
        return path

    return add


def new_cell(cell):
    """A notebook cell from text, code, or (code, tags)."""
    if isinstance(cell, tuple):
        return nbformat.v4.new_code_cell(cell[0], metadata={"tags": cell[1]})
    kind = (
        nbformat.v4.new_markdown_cell if cell.startswith(("#", "<")) else nbformat.v4.new_code_cell
    )
    return kind(cell)
