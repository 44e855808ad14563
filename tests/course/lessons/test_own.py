"""The learner's own engine: a right function becomes a file, and no file there stops a lesson."""

import importlib
import linecache
import math
import os
import sys

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg
from minigrad.course import lab
from minigrad.course.lessons import own
from minigrad.course.lessons.answer import LessonError
from minigrad.course.lessons.l05b import lesson, reference_unbroadcast

RIGHT = """
def unbroadcast(z_bar, shape):
    z_bar = z_bar.sum(axis=tuple(range(z_bar.ndim - len(shape))))
    return z_bar.sum(axis=tuple(k for k, n in enumerate(shape) if n == 1), keepdims=True)
"""
WRONG = "def unbroadcast(z_bar, shape):\n    return z_bar\n"
RULE = "def matmul_vjp(x, y, z_bar):\n    return z_bar @ y.T, x.T @ z_bar\n"
NONE = "the course's, because none of yours is stored here."


@pytest.fixture
def mine(course, monkeypatch):
    """The folder my/ of a course, which is the current one."""
    (course / "my").mkdir()
    monkeypatch.chdir(course / "my")
    monkeypatch.setattr(lesson, "passes", {})
    return course / "my"


@pytest.fixture
def cell():
    """Runs the text of a cell in a notebook of the test, and returns the names in it."""
    names, count = {"__name__": "__main__", "np": np}, [0]

    def run(source):
        count[0] += 1
        file = f"<cell {id(names)} {count[0]}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), names)
        return names

    return run


def checked(function, capsys):
    """What a ✓ prints of the file."""
    lesson.check(function)
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("✓ "), said
    return said


def taken(name, capsys, number=None):
    """(a function of an earlier lesson, what is said about it)"""
    function = lab.own(name, number)
    return function, " ".join(capsys.readouterr().out.split())


def works(unbroadcast):
    """Whether it is an unbroadcast."""
    return np.array_equal(unbroadcast(np.ones((2, 3)), (3,)), [2, 2, 2])


def test_a_right_function_is_stored_and_a_later_lesson_takes_it(mine, cell, capsys):
    assert "Stored as my/engine/unbroadcast.py" in checked(cell(RIGHT)["unbroadcast"], capsys)
    text = (mine / "engine" / "unbroadcast.py").read_text("utf-8")
    assert text.startswith('"""unbroadcast, as it passed its check in lesson 05b')
    assert RIGHT.strip() in text and "import" not in text
    function, said = taken("unbroadcast", capsys)
    assert said == "unbroadcast: yours, of lesson 05b, from my/engine/unbroadcast.py."
    assert works(function) and function.__module__ == "engine.unbroadcast"


def test_it_is_imported_as_any_package(mine, cell, monkeypatch):
    lesson.check(cell(RIGHT)["unbroadcast"])
    (mine / "engine" / "backward_05b.py").write_text("def backward():\n    return 7\n", "utf-8")
    monkeypatch.syspath_prepend(mine)
    monkeypatch.delitem(sys.modules, "engine", raising=False)
    for _ in range(2):
        assert works(importlib.import_module("engine").unbroadcast)
    assert importlib.import_module("engine").backward_05b() == 7
    with pytest.raises(ImportError):
        exec("from engine import nothing")
    assert not hasattr(importlib.import_module("engine"), "torch")  # as libraries ask
    for name in [name for name in sys.modules if name.partition(".")[0] == "engine"]:
        del sys.modules[name]


@pytest.mark.parametrize("place", ["notebooks", ".", "my/key", "elsewhere"])
def test_only_a_notebook_in_my_stores_anything(mine, cell, capsys, monkeypatch, place):
    folder = mine.parent / place
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    assert "engine" not in checked(cell(RIGHT)["unbroadcast"], capsys)
    assert not (mine / "engine").exists()
    function, said = taken("unbroadcast", capsys)
    assert said == f"unbroadcast: {NONE}" and works(function)


def test_a_notebook_in_a_folder_of_my_stores_beside_the_others(mine, cell, monkeypatch):
    (mine / "week1").mkdir()
    monkeypatch.chdir(mine / "week1")
    lesson.check(cell(RIGHT)["unbroadcast"])
    assert (mine / "engine" / "unbroadcast.py").exists()


def test_all_that_it_uses_is_stored_with_it(mine, cell, capsys):
    cell("import math\nfrom math import prod\nfrom functools import reduce as fold\nzero = 0\n")
    cell("class Axes(tuple):\n    def __repr__(self):\n        return ''\n")
    cell("@fold(lambda f, g: f, [lambda f: f])\ndef added(z):\n    return z.sum(axis=zero)")
    cell("add = added")
    cell(
        """
def unbroadcast(z_bar, shape):
    while z_bar.ndim > len(shape):
        z_bar = add(z_bar)
    assert math.prod((1, 2)) == prod((1, 2))
    ones = Axes(k for k, n in enumerate(shape) if n == 1)
    return np.sum(z_bar, axis=ones, keepdims=True)
"""
    )
    assert "Stored as" in checked(cell("")["unbroadcast"], capsys)
    text = (mine / "engine" / "unbroadcast.py").read_text("utf-8")
    for line in (
        "import math",
        "import numpy as np",
        "from math import prod",
        "from _functools import reduce as fold",
        "zero = 0",
        "class Axes(tuple):",
        "@fold(",
        "add = added",
    ):
        assert f"\n{line}" in text
    assert works(taken("unbroadcast", capsys)[0])


def test_what_skip_lends_is_no_work_of_the_learners(mine, cell, capsys):
    lent = lesson.skip("matmul_vjp")
    lesson.check(lent)
    said = capsys.readouterr().out
    assert said.startswith("◦ matmul_vjp: this is the course's") and not (mine / "engine").exists()
    cell("def nothing(): pass")["matmul_vjp"] = lent
    cell("")["unbroadcast"] = lesson.skip("unbroadcast")
    names = cell(
        """
def backward(X, labels, W1, b1, W2, b2):
    h = X @ W1 + b1
    r = np.maximum(h, 0)
    s_bar = np.exp(r @ W2 + b2)
    s_bar = s_bar / s_bar.sum(axis=1, keepdims=True)
    s_bar = (s_bar - np.eye(len(b2))[labels]) / len(labels)
    r_bar, W2_bar = matmul_vjp(r, W2, s_bar)
    h_bar = r_bar * (h > 0)
    return X.T @ h_bar, unbroadcast(h_bar, b1.shape), W2_bar, unbroadcast(s_bar, b2.shape)
"""
    )
    assert "Stored as" in checked(names["backward"], capsys)
    text = (mine / "engine" / lesson.file_name("backward")).read_text("utf-8")
    home = "from minigrad.course.lessons.l05b import reference_"
    assert f"{home}matmul_vjp as matmul_vjp\n{home}unbroadcast as unbroadcast\n" in text
    assert taken("backward", capsys, "05b")[1].startswith("backward: yours, of lesson 05b")


def test_a_function_that_took_a_stored_one_holds_its_source(mine, cell, capsys):
    lesson.check(cell(RULE)["matmul_vjp"])
    cell("")["earlier"] = lab.own("matmul_vjp")
    function = cell("def matmul_vjp(x, y, z_bar):\n    return earlier(x, y, z_bar)\n")["matmul_vjp"]
    capsys.readouterr()
    assert "two different things that it uses are called matmul_vjp" in checked(function, capsys)
    function = cell(RIGHT.replace("(z_bar, shape):", "(z_bar, shape):\n    earlier"))["unbroadcast"]
    assert "Stored as" in checked(function, capsys)
    assert RULE in (mine / "engine" / "unbroadcast.py").read_text("utf-8")


@pytest.mark.parametrize(
    "above, line, reason",
    [
        ("data = np.ones(3)", "data", "it uses data of this notebook, which is not a function"),
        ("import math\nmath.inf", "math", None),
        ("far = float('inf')", "far", "it uses far of this notebook"),
        ("f = lambda x: x", "f", "<lambda> is not defined by a def of its own"),
        ("class Empty: pass", "Empty", "Empty is not defined by a def of its own"),
        ("", "nowhere if z_bar is None else 0", None),
    ],
)
def test_what_only_the_notebook_has_is_said(mine, cell, capsys, above, line, reason):
    cell(above)
    names = cell(RIGHT.replace("shape):", f"shape):\n    {line}", 1))
    said = checked(names["unbroadcast"], capsys)
    if reason is None:
        assert "Stored as" in said
    else:
        assert f"unbroadcast is not stored in my/engine/, because {reason}" in said
        assert not (mine / "engine").exists()


def test_a_function_inside_another_is_not_stored(mine, cell, capsys):
    body = RIGHT.strip().replace("\n", "\n    ")
    names = cell(f"def make():\n    {body}\n    return unbroadcast\nunbroadcast = make()\n")
    assert "is not defined by a def of its own in a cell" in checked(names["unbroadcast"], capsys)


def test_what_passes_by_the_state_of_its_notebook_alone_is_not_stored(mine, cell, capsys):
    names = cell(
        "class Rule:\n    def __init__(self):\n        pass\n\n"
        "    def use(self, z_bar, shape):\n        return z_bar\n"
    )
    names["Rule"].use = cell(RIGHT)["unbroadcast"]
    cell("Rule.use = lambda self, z, shape, use=Rule.use: use(z, shape)")
    function = cell("def unbroadcast(z_bar, shape):\n    return Rule().use(z_bar, shape)\n")
    said = checked(function["unbroadcast"], capsys)
    assert "because its check in lesson 05b says of that file: ✗ unbroadcast, for z_bar" in said


def test_an_edited_file_is_put_aside_and_one_as_stored_is_replaced(mine, cell, capsys):
    path = mine / "engine" / "unbroadcast.py"
    assert "edited" not in checked(cell(RIGHT)["unbroadcast"], capsys)
    other = RIGHT.replace("range(", "range(0, ")
    assert "edited" not in checked(cell(other)["unbroadcast"], capsys)
    for count in range(2):
        path.write_text(path.read_text("utf-8") + "# mine\n", "utf-8")
        said = checked(cell(RIGHT)["unbroadcast"], capsys)
        assert f"Your edited file is now unbroadcast-edited-{count}.py" in said
        assert (mine / "engine" / f"unbroadcast-edited-{count}.py").read_text("utf-8")[
            -7:
        ] == "# mine\n"
    assert "edited" not in checked(cell(RIGHT)["unbroadcast"], capsys)
    (mine / "engine" / "__init__.py").write_text("# mine", "utf-8")
    checked(cell(RIGHT)["unbroadcast"], capsys)
    assert (mine / "engine" / "__init__.py").read_text("utf-8") == "# mine"


def test_an_edited_file_is_taken_while_it_passes(mine, cell, capsys):
    (mine / "engine").mkdir()
    path = mine / "engine" / "unbroadcast.py"
    path.write_text(RIGHT, "utf-8")
    assert "unbroadcast: yours" in taken("unbroadcast", capsys)[1]
    path.write_text(WRONG, "utf-8")
    function, said = taken("unbroadcast", capsys)
    assert works(function)
    assert "the course's, because its check in lesson 05b says of that file: ✗ unbroadcast" in said


HOSTILE = [
    "unbroadcast = (",
    "x = 1\0",
    "(" * 5000,
    "while True:\n    x = 1",
    "raise SystemExit(3)",
    "raise KeyboardInterrupt",
    "class Odd(Exception):\n    def __str__(self):\n        raise self\nraise Odd",
    "import nothing_of_this_name",
    "from .x import y",
    "unbroadcast = 3",
    "print('unbroadcast')",
    "class unbroadcast:\n    def __init__(self, z):\n        raise ValueError",
    "def unbroadcast(z_bar, shape):\n    ...",
    "def unbroadcast(z_bar, shape):\n    raise SystemExit",
    "def unbroadcast(z_bar, shape):\n    while True:\n        z_bar = z_bar",
    "def unbroadcast(z_bar, shape):\n    z_bar.shape = 1\n    return z_bar",
    "def unbroadcast(z_bar, shape):\n    return object()",
    b"\xff\xfe\x00",
    b"#" * (own.LONGEST + 1),
]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_a_broken_file_gives_a_sentence_and_the_courses_function(mine, capsys, content):
    (mine / "engine").mkdir()
    content = content.encode() if isinstance(content, str) else content
    (mine / "engine" / "unbroadcast.py").write_bytes(content)
    function, said = taken("unbroadcast", capsys)
    assert said.startswith("unbroadcast: the course's, because ") and len(said) < 400
    assert works(function)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink(path.name, path)])
def test_what_is_no_file_gives_a_sentence(mine, cell, capsys, make):
    (mine / "engine").mkdir()
    make(mine / "engine" / "unbroadcast.py")
    assert "the course's, because " in taken("unbroadcast", capsys)[1]
    said = checked(cell(RIGHT)["unbroadcast"], capsys)
    assert "unbroadcast is not stored in my/engine/: " in said or "Stored as" in said


def test_a_folder_that_cannot_be_made_does_not_take_the_mark_away(mine, cell, capsys):
    (mine / "engine").write_text("a file", "utf-8")
    assert "is not stored in my/engine/: FileExistsError" in checked(
        cell(RIGHT)["unbroadcast"], capsys
    )


def test_of_two_lessons_that_ask_for_one_name_the_first_has_the_file(mine, monkeypatch, tmp_path):
    words = '[check.backward]\ntitle = "backward"\n'
    for number in ("03", "05b"):
        (tmp_path / f"{number}.toml").write_text(words, "utf-8")
    monkeypatch.setattr(lab, "FOLDER", tmp_path)
    assert lab.lessons_with("backward") == ["03", "05b"]
    assert lesson.file_name("backward") == "backward_05b.py"


def test_what_no_lesson_asks_for_is_said():
    for asked, said in (
        (("nothing",), "No lesson has an exercise nothing"),
        (("unbroadcast", "00"), "Lesson 00 has no exercise unbroadcast"),
    ):
        with raises_saying(LessonError, said):
            lab.own(*asked)


@pytest.mark.parametrize(
    "name, thing, line",
    [
        ("np", np, "import numpy as np"),
        ("math", math, "import math"),
        ("exp", np.exp, "from numpy import exp"),
        ("relu", mg.relu, None),
        ("root", math.sqrt, "from math import sqrt as root"),
        ("unbroadcast", reference_unbroadcast, None),
        ("seven", 7, None),
    ],
)
def test_the_import_of_what_a_package_holds(name, thing, line):
    found = own.import_line(name, thing)
    if line is None and callable(thing):
        names = {}
        exec(found, names)
        assert names[name] is thing
    else:
        assert found == line
