"""Every public function has a docstring with an example, and every example runs as it says."""

import doctest
import inspect
import os
import subprocess
import sys

import numpy as np
import pytest

import minigrad as mg
from minigrad import workers

ROOMS = (mg, mg.nn, mg.data, mg.optim, mg.measure, mg.files, mg.plot, workers)


def public_things(room):
    """The public functions and classes of a module, but those of NumPy and the errors."""
    for name in room.__all__:
        thing = getattr(room, name)
        is_error = inspect.isclass(thing) and issubclass(thing, Exception)
        if (
            callable(thing)
            and "minigrad" in (getattr(thing, "__module__", "") or "")
            and not is_error
        ):
            yield f"{room.__name__}.{name}", thing


PUBLIC = dict(pair for room in ROOMS for pair in public_things(room))


def examples_of(thing):
    """The examples in a docstring."""
    return doctest.DocTestParser().get_examples(inspect.getdoc(thing) or "")


def needs_example(thing):
    """True for a function, a layer and an optimiser; other classes are shown by their makers."""
    kinds = (mg.nn.Module, mg.optim.Optimizer)
    return not inspect.isclass(thing) or issubclass(thing, kinds) and thing not in kinds


def run_examples(name):
    """The number of examples that fail, of those in the docstring of a public name."""
    test = doctest.DocTestParser().get_doctest(
        inspect.getdoc(PUBLIC[name]), {"mg": mg, "np": np}, name, None, None
    )
    return doctest.DocTestRunner(verbose=False).run(test).failed


@pytest.mark.parametrize("name", [name for name, thing in PUBLIC.items() if needs_example(thing)])
def test_a_public_function_has_an_example(name):
    assert examples_of(PUBLIC[name])


@pytest.mark.parametrize("name", [name for name, thing in PUBLIC.items() if examples_of(thing)])
def test_the_examples_run_as_they_say(name, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    with np.printoptions(legacy=False):
        assert run_examples(name) == 0


def test_the_examples_run_without_the_shortcuts():
    command = [sys.executable, __file__]
    environment = {**os.environ, "MINIGRAD_PLAIN": "1", "MPLBACKEND": "agg"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


if __name__ == "__main__":  # in a process of its own, where fast/ was not installed
    sys.exit(sum(run_examples(name) for name, thing in PUBLIC.items() if examples_of(thing)) > 0)
