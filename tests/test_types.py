"""The names that rooms hand on carry types, and the package says so."""

import inspect
import os
import re
import runpy
import subprocess
import sys
import typing
from importlib import import_module, resources
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg

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
PUBLIC_ROOMS = "nn data optim files measure plot".split()
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
    found = [pair for name in mg.__all__ for pair in named(name, getattr(mg, name))]
    assert [name for name, function in found if not is_typed(function)] == []


def test_the_package_says_that_it_has_types():
    assert (resources.files("minigrad") / "py.typed").is_file()


# what a user's type checker says ----------------------------------------------------------------

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".mypy_cache" / "user"  # its options are not those of `make lint`
PROGRAM = Path(__file__).with_name("revealed.py")
SPOKEN = {"numpy.ndarray[Any, numpy.dtype[Any]]": "Array"}  # as it is called in the package


def check_strictly(*files):
    """What mypy --strict says of a user's files, beside the installed package."""
    words = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        f"--cache-dir={ROOT / '.mypy_cache' / 'user'}",
    ]
    done = subprocess.run(
        [*words, *map(str, files)],
        capture_output=True, text=True, check=False, cwd=files[0].parent,
        env=os.environ | {"PYTHONPATH": str(ROOT), "MYPYPATH": ""},
    )  # fmt: skip
    return done.stdout + done.stderr


def in_short(revealed):
    """A type as a reader writes it: classes without their modules."""
    for long, short in SPOKEN.items():
        revealed = revealed.replace(long, short)
    return re.sub(r"\b[a-z_]+(?:\.[a-z_]+)*\.(?=\w)", "", revealed)


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What mypy says of the program, and of another that names all that is public."""
    folder = tmp_path_factory.mktemp("types")
    program, names = folder / PROGRAM.name, folder / "names.py"
    program.write_text(PROGRAM.read_text())
    rooms = {"mg": mg, **{f"mg.{room}": getattr(mg, room) for room in PUBLIC_ROOMS}}
    public = [f"{door}.{name}" for door, room in rooms.items() for name in room.__all__]
    names.write_text("\n".join(["import minigrad as mg", *(f"reveal_type({n})" for n in public)]))
    return check_strictly(program, names).splitlines()


def revealed_in(said, file):
    """{line: type} of what was revealed in a file."""
    found = [re.fullmatch(rf"{file}:(\d+): note: Revealed type is \"(.*)\"", line) for line in said]
    return {int(match[1]): in_short(match[2]) for match in found if match}


def test_expressions_have_the_types_that_are_written_beside_them(said):
    lines = enumerate(PROGRAM.read_text().splitlines(), 1)
    written = {at: line.rpartition("  # ")[2] for at, line in lines if "reveal_type(" in line}
    assert len(written) > 40
    assert revealed_in(said, PROGRAM.name) == written


def test_a_program_passes_the_strict_check(said):
    assert [line for line in said if ": error:" in line] == []
    assert said[-1] == "Success: no issues found in 2 source files"


def test_no_public_name_is_of_any_type(said):
    assert "Any" not in revealed_in(said, "names.py").values()
    untyped = [line for line in said if re.search(r'type is "def \(\*?\w+(?:, \w+)*\)"', line)]
    assert untyped == []


def test_types_are_what_comes_when_the_program_runs(monkeypatch):
    seen = []
    monkeypatch.setattr(typing, "reveal_type", lambda value: seen.append(value) or value)
    runpy.run_path(str(PROGRAM))
    text = PROGRAM.read_text()
    written = re.findall(r"^reveal_type\(.*\)  # (.*)$", text, re.MULTILINE)
    wrong = [(t, value) for t, value in zip(written, seen, strict=True) if not is_of(value, t)]
    assert wrong == []


def is_of(value, written):
    """True for a value of one of the types written, as far as the outermost class."""
    kinds = {"Array": (np.ndarray, np.generic), "None": type(None), "Any": object}
    for part in written.split(" | "):
        name = part.partition("[")[0]
        kind = kinds.get(name)
        if isinstance(value, kind) if kind else name in {c.__name__ for c in type(value).__mro__}:
            return True
    return False
