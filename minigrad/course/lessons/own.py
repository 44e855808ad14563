"""The learner's own engine: a function that a check found right is kept as a file of its own.

In my/, where a learner works, the check of NAME writes engine/NAME.py: the function, and all that
it uses. Later lessons read it there. It is plain Python, to be edited, imported or copied; whatever
a file there does, a lesson says so in a sentence and takes the course's function.
"""

import ast
import hashlib
import inspect
import io
import linecache
import os
import sys
import textwrap
import traceback
import warnings
from contextlib import redirect_stdout
from pathlib import Path

from minigrad.core.errors import MinigradError
from minigrad.course import files, project
from minigrad.course.grading.answers import scope
from minigrad.course.lessons.checks import LINES, stopped_after

KEY = "key"  # the folder in my/ of lessons whose answers are the course's
LONGEST = 100_000  # bytes of a file that is read
ROOM = 200  # letters of what a file is told to have done
CONSTANTS = (bool, int, float, complex, str, bytes, type(None))
HEAD = '''\
"""{name}, as it passed its check in lesson {number}, with all that it uses.

You may edit this file. A later ✓ puts an edited file aside before it writes a new one.
"""
'''
STAMP = "\n# stored as "  # before the hash of all that stands above it
PACKAGE = '''\
"""Functions of your own, each with its check passed: `from engine import unbroadcast`, in my/."""

from importlib import import_module


def __getattr__(name):
    """Return the function of the file of this name; that of backward_05b.py is called backward."""
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        file = import_module(f".{name}", __name__)
    except ModuleNotFoundError as error:
        raise AttributeError(f"engine has no {name}: {error}") from error
    globals()[name] = getattr(file, name if hasattr(file, name) else name.rpartition("_")[0])
    return globals()[name]
'''


class CannotStandAlone(Exception):
    """Why a function, or a file, cannot be used outside of its notebook; a part of a sentence."""


def engine_folder():
    """The folder engine of the my/ in which this process works; None elsewhere, and in my/key."""
    try:
        here, mine = Path.cwd().resolve(), project.workspace()
    except (OSError, MinigradError):
        return None
    is_mine = here.is_relative_to(mine) and not here.is_relative_to(mine / KEY)
    return mine / "engine" if is_mine else None


# keeping -----------------------------------------------------------------------------------------


def store_function(path, function, number, passes):
    """Writes a function of lesson `number` to `path` where it `passes` there, too; returns a
    sentence about it."""
    name, shown = function.__name__, f"my/engine/{path.name}"
    try:
        text = HEAD.format(name=name, number=number) + whole_source(name, function)
        passes(run_source(text, name, f"<{name}>"))
        aside = write(path, text + STAMP + stamp_of(text.encode()) + "\n")
    except CannotStandAlone as error:
        return f"{name} is not stored in my/engine/, because {error}."
    except Exception as error:
        return f"{name} is not stored in my/engine/: {error_text(error)}."
    kept = f" Your edited file is now {aside}." if aside else ""
    return f"Stored as {shown}, for later lessons.{kept}"


def write(path, text):
    """Write the file whole; returns the name under which an edited one lies now, or ""."""
    path.parent.mkdir(exist_ok=True)
    if not (start := path.with_name("__init__.py")).exists():
        files.write_atomically(start, PACKAGE)
    aside, count = None, 0
    if path.is_file() and not is_as_stored(path.read_bytes()):
        while (aside := path.with_name(f"{path.stem}-edited-{count}.py")).exists():
            count += 1
        os.replace(path, aside)
    files.write_atomically(path, text)
    return aside.name if aside else ""


def is_as_stored(content):
    """Whether nobody has changed the bytes of a file since a check wrote them."""
    text, mark, stamp = content.rpartition(STAMP.encode())
    return bool(mark) and stamp_of(text) == stamp.strip().decode("ascii", "replace")


def stamp_of(content):
    """A short hash by which one sees that bytes have changed."""
    return hashlib.sha256(content).hexdigest()[:12]


# the source of a function, with all that it uses --------------------------------------------------


def whole_source(name, thing):
    """Python text that defines a function or class under `name` without its notebook.

    Other functions of the notebook are copied into it; what a package holds, is imported. Raises
    CannotStandAlone where it uses anything else.
    """
    imports, blocks, met = [], [], {}
    add_source(name, thing, imports, blocks, met)
    return "\n\n\n".join(["\n".join(["", *sorted({*imports})]).rstrip(), *blocks]) + "\n"


def add_source(name, thing, imports, blocks, met):
    """Add the lines for one name to `imports` or `blocks`, after those for what it uses; `met`
    holds what each name stands for."""
    if name in met:
        if met[name] is not thing:
            raise CannotStandAlone(f"two different things that it uses are called {name}")
        return
    met[name] = thing
    if line := import_line(name, thing):
        imports.append(line)
    elif is_constant(thing):
        blocks.insert(0, f"{name} = {thing!r}")
    elif not (inspect.isclass(thing) or hasattr(inspect.unwrap(thing), "__code__")):
        raise CannotStandAlone(f"it uses {name} of this notebook, which is not a function")
    else:
        own_name, source, around = definition_of(thing)
        if own_name != name:
            add_source(own_name, thing, imports, blocks, met)
            blocks.append(f"{name} = {own_name}")
            return
        for used in sorted(scope(source)[1]):
            if used in around and not used.startswith("__"):
                add_source(used, around[used], imports, blocks, met)
        blocks.append(source)


def import_line(name, thing):
    """The import that gives `thing` this name; None where no package holds it."""
    if inspect.ismodule(thing):
        known = sys.modules.get(thing.__name__) is thing and thing.__name__ != "__main__"
        plain = f"import {thing.__name__}"
        return (plain if name == thing.__name__ else f"{plain} as {name}") if known else None
    place, own_name = getattr(thing, "lent_from", None) or (
        getattr(thing, "__module__", None) or type(thing).__module__,
        getattr(thing, "__name__", name),
    )
    module = sys.modules.get(place) if place != "__main__" else None
    held = getattr(module, own_name, None)
    if held is None or not (held is thing or hasattr(thing, "lent_from")):
        return None
    return f"from {place} import {own_name}" + (f" as {name}" if own_name != name else "")


def is_constant(thing):
    """Whether a value is a plain number or text, or a tuple of these, that can be written down."""
    if isinstance(thing, tuple):
        return all(map(is_constant, thing))
    finite = not isinstance(thing, (float, complex)) or thing - thing == 0
    return type(thing) in CONSTANTS and finite and len(repr(thing)) <= ROOM


def definition_of(thing):
    """(its name, its lines, the names around it) of a function or class of a notebook or file."""
    thing = inspect.unwrap(thing)
    methods = vars(thing).values() if inspect.isclass(thing) else [thing]
    plain = [getattr(each, "__func__", getattr(each, "fget", each)) for each in methods]
    for function in filter(inspect.isfunction, plain):
        code, lines = function.__code__, linecache.getlines(function.__code__.co_filename)
        try:
            statements = ast.parse("".join(lines)).body
        except (SyntaxError, ValueError):
            continue
        for node in statements:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            inside = first <= code.co_firstlineno <= node.end_lineno
            if inside and getattr(node, "name", "") == thing.__name__:
                source = "".join(lines[first - 1 : node.end_lineno]).rstrip()
                return thing.__name__, source, function.__globals__
    raise CannotStandAlone(f"{thing.__name__} is not defined by a def of its own in a cell")


# reading -----------------------------------------------------------------------------------------


def load_function(path, name):
    """The function `name` that a file defines. Raises CannotStandAlone with what is wrong."""
    shown = f"my/engine/{path.name}"
    try:
        if not path.exists():
            raise CannotStandAlone("my/engine/ has none of yours")
        if not path.is_file() or path.stat().st_size > LONGEST:
            raise CannotStandAlone(f"{shown} is not a file of at most {LONGEST:,} bytes")
        linecache.checkcache(str(path))
        return run_source(path.read_text(encoding="utf-8"), name, str(path))
    except CannotStandAlone:
        raise
    except BaseException as error:  # an exit, too, or an interrupt of what does not end
        raise CannotStandAlone(f"{shown} raised {error_text(error, str(path))}") from None


def run_source(text, name, filename):
    """What the text defines under a name; all that it prints is thrown away."""
    names = {"__name__": f"engine.{name}", "__file__": filename}
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        code = compile(text, filename, "exec", dont_inherit=True)
        stopped_after(LINES, exec, (code, names))
    if not callable(names.get(name)):
        raise CannotStandAlone(f"my/engine/{Path(filename).name} defines no function {name}")
    return names[name]


def error_text(error, filename=None):
    """An error in a few words, with the line of the file where it came up."""
    line = getattr(error, "lineno", None)
    for place in traceback.extract_tb(error.__traceback__):
        line = place.lineno if place.filename == filename else line
    try:
        said = str(error).split("\n")[0]
    except BaseException:  # it is the file's own class
        said = ""
    told = f"{type(error).__name__}: {said}" if said else type(error).__name__
    told = textwrap.shorten(told, ROOM, placeholder=" …")
    return f"{told}, in line {line}" if filename and line and "line" not in told else told
