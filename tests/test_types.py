"""The names that rooms hand on carry types, and the package says so."""

import inspect
from importlib import import_module, resources

import pytest

import minigrad as mg
from minigrad.core import ops

ROOMS = [
    import_module(f"minigrad.{room}")
    for room in (
        *(
            f"core.{file}"
            for file in "errors spec pytree op operators autodiff modes stepwise custom".split()
        ),
        *(f"dynamic.{file}" for file in "tensor lazy creation random transform jacobians".split()),
        *(f"static.{file}" for file in "graph statements program interpret feeds".split()),
        *"static.session static.compile files draw draw.player draw.plot measure".split(),
        *"nn nn.optim nn.data".split(),
    )
]
RULES = {"start", "update", "infer", "compute"}  # of optimisers and ops: written without types


def functions(room):
    """(name, function) for what a room defines or hands on, and for the methods of its classes."""
    origin = "minigrad." if hasattr(room, "__all__") else room.__name__
    for name in getattr(room, "__all__", vars(room)):
        value = getattr(room, name)
        own = (getattr(value, "__module__", None) or "").startswith(origin)
        if own and not name.startswith("_"):
            yield from named(name, value)


def named(name, value):
    """(name, function) for a function, or for the methods of a class."""
    if inspect.isclass(value):
        methods = {k: getattr(v, "fget", v) for k, v in vars(value).items()}
        yield from ((f"{name}.{k}", v) for k, v in methods.items() if is_public(k, v, value))
    elif inspect.isfunction(value):
        yield name, value


def is_public(name, value, owner):
    """True for a method that is called by its name, or by making or calling an instance."""
    called = name in ("__init__", "__call__") or not name.startswith("_")
    written = inspect.isfunction(value) and value.__name__ != "<lambda>"
    return called and written and value.__module__ == owner.__module__


def is_typed(function):
    """True when every parameter and the result have types."""
    signature = inspect.signature(function)
    types = [p.annotation for p in signature.parameters.values() if p.name not in ("self", "cls")]
    return inspect.Signature.empty not in (*types, signature.return_annotation)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_public_functions_have_types(room):
    assert list(functions(room))
    untyped = [name for name, function in functions(room) if not is_typed(function)]
    assert [name for name in untyped if name.rpartition(".")[2] not in RULES] == []


def test_public_names_have_types():
    names = sorted({*mg.__all__} - {*ops.__all__})
    found = [pair for name in names for pair in named(name, getattr(mg, name))]
    assert [name for name, function in found if not is_typed(function)] == []


def test_the_package_says_that_it_has_types():
    assert (resources.files("minigrad") / "py.typed").is_file()
