"""Without shortcuts: the plain code computes the same, bit for bit."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad.core import autodiff
from minigrad.core.errors import PACKAGE

ROOT = Path(__file__).parents[2]
SUITES = """dynamic/test_tensor core/test_autodiff dynamic/test_transform static/test_session
    static/test_control dynamic/test_batch""".split()


def test_the_suites_of_the_engines_pass_without_shortcuts():
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
        + [f"tests/{name}.py" for name in SUITES],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"MINIGRAD_PLAIN": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                          "PYTEST_ADDOPTS": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


def test_shortcuts_are_loaded_only_where_it_is_asked_for():
    script = "import sys, minigrad; print('minigrad.fast' in sys.modules)"
    for plain, expected in (("", "True"), ("1", "False")):
        done = subprocess.run(
            [sys.executable, "-c", script], env=os.environ | {"MINIGRAD_PLAIN": plain},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.strip() == expected


def entered(function):
    """The package's functions that a call enters: {(file, name)}."""
    found = set()

    def look(frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE):
            file = Path(code.co_filename).relative_to(PACKAGE).as_posix()
            found.add((file, code.co_name))

    sys.setprofile(look)
    try:
        function()
    finally:
        sys.setprofile(None)
    return found


def product():
    """A small computation, and its derivative."""
    x = mg.tensor(2.0, requires_grad=True)
    (x * x).backward()


@pytest.mark.lane
def test_a_block_of_plain_goes_through_bind_and_the_plain_rules():
    with mg.plain():
        plain = {name for _, name in entered(product)}
    fast = {name for _, name in entered(product)}
    plainest = {mg.core.op.bind.__name__, "extend", autodiff.contributions.__name__}
    assert plainest <= plain and not plainest & fast


def test_the_line_that_accumulates_adjoints_is_one_and_runs_by_default():
    with mg.plain():
        plain = entered(product)
    sweep = ("core/autodiff.py", autodiff.reverse_sweep.__name__)
    assert sweep in plain and sweep in entered(product)
    lines = [
        line.strip()
        for path in (*Path(PACKAGE, "core").glob("*.py"), *Path(PACKAGE, "fast").glob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\badjoints\[.+\] = ", line)
    ]
    assert lines == ["adjoints[at] = x_bar if so_far is None else so_far + x_bar"]


def test_plain_gives_the_same_bits():
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(5, 3)), rng.normal(size=(3, 4))

    def f(x, w):
        return mg.sum(mg.tanh(x @ w) * mg.exp(-mg.sum(x * x, 1, keepdims=True)))

    found = []
    for block in (mg.plain(), mg.enable_grad()):
        with block:
            xs = [mg.tensor(a, requires_grad=True) for a in (x, w)]
            f(*xs).backward()
            jacobian = mg.jacobian(lambda x: mg.tanh(x @ w))(x)
            y_dot = mg.jvp(f, (x, w), (x, w))[1]
            found.append([v.tobytes() for v in (*(t.grad.data for t in xs), jacobian.data)])
            found[-1].append(y_dot.item())
    assert found[0] == found[1]


def test_the_page_of_shortcuts_names_each_of_its_files():
    text = (ROOT / "minigrad" / "fast" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+\.py)` ", text, re.MULTILINE)
    files = {path.name for path in (ROOT / "minigrad" / "fast").glob("*.py")} - {"__init__.py"}
    assert {*rows} == files and len(text.splitlines()) <= 42


# how far a reader has to walk --------------------------------------------------------------------


def formula(x, w):
    """The formula of the README."""
    return (x + w) * (w + 1)


def files_to_read(function):
    """The files that a call enters inside `plain`."""
    with mg.plain():
        found = entered(function)
    return {file for file, _ in found}


def test_backward_is_read_in_five_files():
    y = formula(mg.tensor(2.0), mg.tensor(1.0, requires_grad=True))
    plain = {
        "dynamic/tensor.py", "core/autodiff.py", "core/modes.py", "core/op.py",
        "core/ops/elementwise.py",
    }  # fmt: skip
    assert files_to_read(y.backward) == plain
    again = formula(mg.tensor(2.0), mg.tensor(1.0, requires_grad=True))
    assert {file for file, _ in entered(again.backward)} - plain <= {"fast/sweeps.py"}


def test_the_first_run_of_a_session_is_read_in_eight_files():
    with mg.Graph() as graph:
        x, w = mg.placeholder("x"), mg.Variable(1.0)
        y = formula(x, w)
        fetches = [y, *mg.gradients(y, [w])]
    session = mg.Session(graph, optimize=False, backend="numpy")
    assert files_to_read(lambda: session.run(fetches, {x: 2.0})) == {
        "core/op.py", "core/pytree.py", "core/spec.py", "static/session.py", "static/feeds.py",
        "static/program.py", "static/graph.py", "static/interpret.py",
    }  # fmt: skip


@pytest.mark.lane
def test_the_first_compiled_run_is_read_in_twenty_two_files():
    with mg.Graph() as graph:
        x, w = mg.placeholder("x"), mg.Variable(1.0)
        y = formula(x, w)
    found = {file for file, _ in entered(lambda: mg.Session(graph).run(y, {x: 2.0}))}
    assert len(found) <= 22
