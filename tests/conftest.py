"""What all tests share: how hypothesis runs, an order to choose, and small course folders."""

import os
import random

import nbformat
import pytest
from hypothesis import settings

from minigrad.draw.layout import engine

# The same examples on every run: a test fails for a change of the code, never by luck or load.
engine.SECONDS = 600  # for a layout: on a busy machine, too, it ends as a picture
settings.register_profile("steady", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("steady")


def pytest_addoption(parser):
    """`pytest --shuffle 3` runs the files, and the tests in each, in an order of that number."""
    parser.addoption("--shuffle", type=int, metavar="N", help="shuffle: no test needs another")


def pytest_configure(config):
    """In a process of pytest-xdist, pytest-cov starts two coverages and reads the second: this
    ends the first, which would follow every line in vain."""
    plugin = config.pluginmanager.get_plugin("_cov")
    if plugin is not None and hasattr(config, "workerinput"):
        plugin.cov_controller.cov.stop()


def pytest_collection_modifyitems(config, items):
    """Shuffles the tests where asked; a file stays together, as its fixtures are made once.

    What is marked `lane` asks for the fast lane itself, and is left out where that is left out.
    """
    if os.environ.get("MINIGRAD_PLAIN"):
        for item in items:
            if item.get_closest_marker("lane"):
                item.add_marker(pytest.mark.skip(reason="MINIGRAD_PLAIN leaves the fast lane out"))
    seed = config.getoption("--shuffle")
    if seed is not None:
        rng = random.Random(seed)
        files = sorted({item.path for item in items})
        rng.shuffle(files)
        turns = {path: turn for turn, path in enumerate(files)}
        rng.shuffle(items)
        items.sort(key=lambda item: turns[item.path])


@pytest.fixture
def course(tmp_path, monkeypatch):
    """An empty course folder, which is the current one."""
    for name in ("notebooks", "assignments", "figures"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def add_lesson(course):
    """Puts a lesson of the given cells into the course: text begins with '#' or '<', the rest
    is code; a pair is code with a list of tags."""

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
