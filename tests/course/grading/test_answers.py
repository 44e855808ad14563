"""Finding a student's answers: by the cell's name, by what it defines, without magics."""

import json

import pytest

from minigrad.course.grading import answers, assignment, markup, notebook

from .conftest import RIGHT, SOLUTIONS, marked
from .conftest import notebook as tiny_notebook

MASTER = assignment.master(tiny_notebook(SOLUTIONS), markup.key)


def extracted(raw):
    """The sources of the answers that are found, by name, and the submission."""
    found = answers.extract(MASTER, json.loads(json.dumps(raw)))
    return {part.name: part.source for part in found.parts if not part.given}, found


def test_answers_are_found_by_name_and_the_rest_comes_from_the_master():
    raw = tiny_notebook(RIGHT)
    raw["cells"][0]["source"] = "zero = 100"
    sources, found = extracted(raw)
    assert sources == RIGHT
    assert found.parts[0].source == "zero = 0"
    assert (found.notes, found.missing) == ((), ())


def test_a_cell_without_its_name_is_found_by_what_it_defines():
    raw = tiny_notebook(RIGHT)
    for cell in raw["cells"]:
        cell["metadata"] = {}
    sources, found = extracted(raw)
    assert sources == RIGHT
    assert found.notes[0] == "q1: its cell is gone; found by the names it defines"


def test_of_several_cells_the_last_that_defines_something_counts():
    raw = tiny_notebook(RIGHT)
    for source in ("def double(x): return 7", "1 + 1", "def double("):
        raw["cells"].append(marked("q1", source, solution=True))
    sources, found = extracted(raw)
    assert sources["q1"] == "def double(x): return 7"
    assert found.notes == (
        "q1: 4 cells have this name; the last one that defines something counts",
    )


def test_a_missing_answer_is_named_and_a_notebook_without_any_is_refused():
    raw = tiny_notebook({"q2": RIGHT["q2"]})
    _, found = extracted(raw)
    assert found.missing == ("q1", "q3")
    with pytest.raises(notebook.Unreadable, match="holds no answer cell of this assignment"):
        extracted(tiny_notebook({}))


def test_an_endless_cell_is_not_parsed():
    raw = tiny_notebook(RIGHT | {"q1": RIGHT["q1"] + "\n#" + "x" * 100_000})
    _, found = extracted(raw)
    assert found.missing == ("q1",)
    assert found.notes[0] == "q1: longer than 100,000 characters; not read"


@pytest.mark.parametrize(
    ("source", "plain", "lines"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1", "1"),
        ("def f():\n    !ls\n    return 1\nf?", "def f():\n    pass\n    return 1\npass", "2, 4"),
        ("%%time\nx = 1\n??f", "pass\nx = 1\npass", "1, 3"),
    ],
)
def test_magics_are_left_out_and_named(source, plain, lines):
    came, notes = answers.without_magics("q1", source)
    assert came == plain
    assert notes == [f"q1: left out what only IPython understands, line {lines}"]


@pytest.mark.parametrize("source", ["x = 5\nx = (x\n% 3)", "x = 1", 's = """\n%time\n"""'])
def test_python_that_looks_like_a_magic_stays(source):
    assert answers.without_magics("q1", source) == (source, [])


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(): pass\nclass A: x = 1\na, (b, *c) = 1, (2, 3)\nd: int = 4", "f A a b c d"),
        ("if 1:\n    x = 2", ""),
        ("def f(", ""),
        ("x" + ".y" * 5_000, ""),
        ("\0", ""),
    ],
)
def test_defined_names(source, names):
    assert markup.defined_names(source) == set(names.split())


def test_the_names_asked_for_are_not_those_of_the_keys_helpers():
    raw = tiny_notebook(
        {"q1": SOLUTIONS["q1"] + "\n### BEGIN SOLUTION\nhelper = 1\n### END SOLUTION"}
    )
    (part,) = [part for part in assignment.master(raw, markup.key).parts if not part.given]
    assert part.defines == {"double"}
