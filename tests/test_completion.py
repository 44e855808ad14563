"""What a notebook offers after a dot: it asks jedi, which looks at the live values."""

import inspect

import jedi
import numpy as np
import pytest

import minigrad as mg

with mg.Graph():
    NODE = mg.placeholder("x", shape=(3,))
VALUES = {
    "loss": mg.tensor(np.ones(3), requires_grad=True).sum(),
    "node": NODE,
    "net": mg.nn.Linear(2, 3),
    "session": mg.Session(mg.Graph()),
    "mg": mg,
}
METHODS = "sum mean exp reshape transpose argmax astype detach clone relu softmax".split()
OFFERED = {
    "loss": [*METHODS, "backward", "register_hook", "retain_grad", "numpy", "item", "grad"],
    "node": METHODS,
    "net": "parameters state_dict load_state_dict train eval save load W b".split(),
    "session": "run compile set close".split(),
}


def offered(name):
    """{name: completion} of what is offered after a value and a dot, without what is private."""
    found = jedi.Interpreter(f"{name}.", [VALUES]).complete()
    return {c.name: c for c in found if not c.name.startswith("_")}


@pytest.mark.parametrize("name", OFFERED)
def test_methods_are_offered_with_their_words(name):
    found = offered(name)
    assert {*OFFERED[name]} <= found.keys()
    methods = [n for n in OFFERED[name] if inspect.isroutine(getattr(VALUES[name], n))]
    for method in methods:
        words = inspect.getdoc(getattr(VALUES[name], method))
        assert words
        assert words in found[method].docstring()


def test_every_method_that_is_offered_has_words():
    methods = [c for name in ("loss", "node") for c in offered(name).values()]
    methods = [c for c in methods if c.type == "function"]
    assert len(methods) > 100
    assert [c.name for c in methods if not c.docstring(raw=True)] == []


def test_the_package_offers_its_public_names():
    assert offered("mg").keys() == {*mg.__all__}


def test_the_package_lists_no_module_that_is_not_public():
    listed = {name for name in dir(mg) if inspect.ismodule(getattr(mg, name))}
    assert listed == {"data", "files", "measure", "nn", "optim", "plot", "stepwise"}
    assert {name for name in dir(mg) if not name.startswith("_")} == {*mg.__all__}
