"""What a lesson quotes is what ran: a symbol that a cell shows was entered by what it calls."""

import ast
import inspect
import linecache
import re
import sys
from pathlib import Path
from types import FunctionType

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from minigrad.compiler import rewrite, simplify
from minigrad.core.errors import PACKAGE
from minigrad.course import teach
from minigrad.course.lessons import lesson

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
# They show and check what the engines do, and are no part of it.
NO_ENGINE = tuple(str(Path(PACKAGE) / room) for room in ("course", "draw"))
OF_LESSON = re.compile(r"/course/lessons/l\d\d[a-z]?\.py$")  # what lesson NN holds in lNN.py
# An equation of the compiler is entered once, when it is stated; from then on it is data.
EQUATIONS = {id(rule.before): rule.function for rule in simplify.SAFE + simplify.FAST}


class Entered:
    """A profile hook: which code of the package ran in calls that a notebook's code made."""

    def __init__(self):
        self.call, self.code = None, set()  # the outermost call, while it lasts

    def __call__(self, frame, event, argument):
        if event == "call":
            if self.call is None and is_step_into_engine(frame):
                self.call = frame
            if self.call is not None:
                self.code.add(frame.f_code)
        elif event == "return" and self.call is not None:
            if frame.f_code is rewrite.has_alike_dtypes.__code__ and argument:
                self.add_equation(frame.f_locals["pattern"])
            if frame is self.call:
                self.call = None

    def add_equation(self, left_side):
        """Notes an equation of the compiler whose left side was found in a graph."""
        if id(left_side) in EQUATIONS:
            self.code.add(EQUATIONS[id(left_side)].__code__)


def is_step_into_engine(frame):
    """True for a call from a notebook's own code into an engine."""
    file = frame.f_code.co_filename
    if not file.startswith(PACKAGE) or file.startswith(NO_ENGINE) or frame.f_back is None:
        return False
    return frame.f_back.f_code.co_filename.startswith("<cell ")


def has_run(symbol, entered):
    """True when a function was entered, or, of a class, something that is written in it."""
    if isinstance(symbol, FunctionType):
        return inspect.unwrap(symbol).__code__ in entered
    lines, first = inspect.getsourcelines(symbol)
    file, places = inspect.getsourcefile(symbol), range(first, first + len(lines))
    return any(code.co_filename == file and code.co_firstlineno in places for code in entered)


def quotes(source):
    """True for a cell that calls `show`."""
    return any(
        isinstance(node, ast.Call) and getattr(node.func, "id", "") == "show"
        for node in ast.walk(ast.parse(source))
    )


def read_through(cells, monkeypatch):
    """([what is quoted], [(cell, what is quoted there and did not run)]) of (source, fails) cells.

    Run it must have in the cell itself, or, when that calls no engine, in the last one before it
    that does: the numbers above a quote come from what is quoted. A lesson may also quote what its
    own module holds, before its cells call it.
    """
    shown, space, missing, latest = [], {"display": lambda *values: None}, [], set()
    monkeypatch.setattr(teach, "show", lambda symbol: shown.append(symbol) or "")
    for number, (source, fails) in enumerate(cells, 1):
        before = len(shown)
        latest = execute(source, f"<cell {number}>", space, fails) or latest
        engine = [s for s in shown[before:] if not OF_LESSON.search(inspect.getsourcefile(s))]
        missing += [(number, s.__qualname__) for s in engine if not has_run(s, latest)]
    return [symbol.__qualname__ for symbol in shown], missing


def execute(source, name, space, fails):
    """Runs a cell; the code of the package that the calls in it entered."""
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    entered = Entered()
    sys.setprofile(entered)
    try:
        exec(compile(source, name, "exec"), space)
    except Exception:
        if not fails:
            raise
    finally:
        sys.setprofile(None)
    return entered.code


def code_cells(path):
    """[(source, whether an error is meant)] of a lesson's cells, up to the last that quotes."""
    cells = [
        (cell.source, "raises-exception" in cell.metadata.get("tags", ()))
        for cell in lesson.read_lesson(path).cells
        if cell.cell_type == "code"
    ]
    last = max((i for i, (source, _) in enumerate(cells) if quotes(source)), default=-1)
    return cells[: last + 1]


LESSONS = [path for path in NOTEBOOKS if code_cells(path)]


@pytest.fixture
def desk(monkeypatch):
    """Where a notebook runs: beside the others, with figures that nobody sees."""
    monkeypatch.chdir(NOTEBOOKS[0].parent)
    with mpl.rc_context({"figure.max_open_warning": 0}):
        plt.switch_backend("agg")
        yield monkeypatch
    plt.close("all")


@pytest.mark.no_cover
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_what_a_lesson_quotes_is_what_ran(path, desk):
    quoted, missing = read_through(code_cells(path), desk)
    assert quoted and missing == []


def test_lessons_quote_the_engine():
    assert len(LESSONS) >= 4


# made-up notebooks -------------------------------------------------------------------------------

START = """
import minigrad as mg
from minigrad.course.teach import call_or_error, show
w = mg.tensor(2.0, requires_grad=True)
trace = mg.stepwise.adjoint_trace(w * w)
with mg.Graph() as graph:
    x = mg.placeholder("x", shape=3)
"""
SHOW = "show(mg.core.autodiff.contributions)"
RULE = "show(mg.compiler.simplify.minus_minus)"


def not_run(monkeypatch, *sources):
    """What is quoted in made-up cells and did not run there."""
    return read_through([(source, False) for source in (START, *sources)], monkeypatch)[1]


@pytest.mark.lane
def test_a_quote_beside_a_shortcut_that_ran_is_found(desk):
    computed = "y = w * w\ny.backward()\n"
    assert not_run(desk, computed + SHOW) == [(2, "contributions")]
    assert not_run(desk, computed, "1 + 1", SHOW) == [(4, "contributions")]


@pytest.mark.lane
def test_what_a_drawing_walks_does_not_count(desk):
    walked = "y = w * w\nmg.draw(y, mode='mirror')\ny.backward()\n"
    assert not_run(desk, walked, "call_or_error(w.grad.item)", SHOW) == [(4, "contributions")]


def test_inside_plain_the_sweep_that_is_read_ran(desk):
    computed = "y = w * w\nwith mg.plain():\n    y.backward()\n"
    assert not_run(desk, computed + SHOW) == not_run(desk, computed, "1 + 1", SHOW) == []


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        (SHOW, []),  # the first cell ran it
        ("w * w\nshow(mg.core.ops.elementwise.Mul)", ["Mul"]),  # its rules did not run
        (
            "(w * w).backward()\nshow(mg.core.ops.elementwise.Mul)",
            [],
        ),  # they are lambdas in the class
        ("mg.sum(w)\nshow(mg.core.ops.reduce.Sum)", []),
        ("mg.sum(w)\nshow(mg.core.ops.reduce.Max)", ["Max"]),
        ("mg.sum(w)\nshow(call_or_error)", ["call_or_error"]),
        ("call_or_error(lambda x: mg.sum(x), w)\nshow(mg.core.ops.reduce.Sum)", []),
        (RULE, ["minus_minus"]),  # stated, and found nowhere
        ("mg.Session(graph).compile(-(-x), [x])\n" + RULE, []),
    ],
)
def test_what_counts_as_run(desk, source, missing):
    assert [name for _, name in not_run(desk, source)] == missing
