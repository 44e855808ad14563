"""The names that rooms hand on carry types, and the package says so."""

import inspect
from importlib import resources

import pytest

import minigrad as mg
from minigrad import errors, spec, tree

ROOMS = (errors, spec, tree, mg.files, mg.measure, mg.nn, mg.optim, mg.data, mg.gradcheck)
RULES = {"start", "update"}  # of optimisers, written as rules are: without types


def functions(room):
    """(name, function) for what a room defines or hands on, and for the methods of its classes."""
    if inspect.isfunction(room):
        yield room.__name__, room
        return
    for name in getattr(room, "__all__", vars(room)):
        value = getattr(room, name)
        own = "minigrad." in getattr(value, "__module__", "") and not name.startswith("_")
        if own and inspect.isclass(value):
            methods = {k: getattr(v, "fget", v) for k, v in vars(value).items()}
            yield from ((f"{name}.{k}", v) for k, v in methods.items() if is_public(k, v))
        elif own and inspect.isfunction(value):
            yield name, value


def is_public(name, value):
    """True for a method that is called by its name, or by making or calling an instance."""
    called = name in ("__init__", "__call__") or not name.startswith("_")
    return called and inspect.isfunction(value) and "minigrad." in value.__module__


def is_typed(function):
    """True when every parameter and the result have types."""
    signature = inspect.signature(function)
    types = [p.annotation for p in signature.parameters.values() if p.name != "self"]
    return inspect.Signature.empty not in (*types, signature.return_annotation)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_public_functions_have_types(room):
    assert list(functions(room))
    untyped = [name for name, function in functions(room) if not is_typed(function)]
    assert [name for name in untyped if name.rpartition(".")[2] not in RULES] == []


def test_the_package_says_that_it_has_types():
    assert (resources.files("minigrad") / "py.typed").is_file()
