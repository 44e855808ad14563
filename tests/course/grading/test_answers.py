"""Finding a student's answers: by the cell's name, by what it defines, without magics."""

import json

import pytest

from minigrad.course.grading import answers, assignment, markup, notebook

from .conftest import RIGHT, SOLUTIONS, marked
from .conftest import notebook as tiny_notebook

MASTER = assignment.master(tiny_notebook(SOLUTIONS), markup.key_text)


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


STUB = "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
STANDS, JOINED = "the last one with an answer counts", "they are joined, in their order"
WHOLE = "def half(x):\n    return x\n\n\ndef double(x):\n    y = half(x)\n    return y + y"
SPLITS = {  # {what happened: (the cells named q1, the source that counts, how it was found)}
    "untouched copy below": ([RIGHT["q1"], STUB], RIGHT["q1"], STANDS),
    "untouched copy above": ([STUB, RIGHT["q1"]], RIGHT["q1"], STANDS),
    "blank copy": ([RIGHT["q1"], "", "\n"], RIGHT["q1"], STANDS),
    "newer attempt": (["def double(x): return 7", RIGHT["q1"]], RIGHT["q1"], STANDS),
    "newer attempt after one that fails": (["1 / 0", RIGHT["q1"]], RIGHT["q1"], STANDS),
    "older attempt that is no Python": (["def double(", RIGHT["q1"]], RIGHT["q1"], STANDS),
    "newer attempt that is no Python": ([RIGHT["q1"], "def double("], RIGHT["q1"], STANDS),
    "copies": ([RIGHT["q1"]] * 3, RIGHT["q1"], STANDS),
    "nothing done": ([STUB, STUB], STUB, STANDS),
    "a helper split off": (WHOLE.split("\n\n\n"), WHOLE.replace("\n\n\n", "\n"), JOINED),
    "split in a function": (
        [WHOLE[: WHOLE.index("    return y")], "    return y + y"],
        None,
        JOINED,
    ),
    "three parts, one untouched": ([STUB, *WHOLE.split("\n\n\n")], None, JOINED),
    "a line of IPython": (["%time 1\nx = 2", "double = lambda y: x * y"], None, JOINED),
}


@pytest.mark.parametrize(("sources", "wanted", "how"), SPLITS.values(), ids=SPLITS)
def test_of_several_cells_what_was_done_counts(sources, wanted, how):
    raw = tiny_notebook({name: text for name, text in RIGHT.items() if name != "q1"})
    raw["cells"] += [marked("q1", source, solution=True) for source in sources]
    found, submission = extracted(raw)
    assert submission.notes[0] == f"q1: {len(sources)} cells have this name; {how}"
    if wanted is not None:
        assert found["q1"] == wanted
    names = {}
    exec(found["q1"], names)
    assert found["q1"] == STUB or names["double"](21) == 42


def text_cell(name, source):
    """A cell that has become a text cell."""
    return marked(name, source, solution=bool(name)) | {"cell_type": "markdown"}


def test_an_answer_in_a_text_cell_is_read_or_reported():
    others = {name: text for name, text in RIGHT.items() if name != "q1"}
    raw = tiny_notebook(others)
    raw["cells"].append(text_cell("q1", RIGHT["q1"]))
    sources, found = extracted(raw)
    assert sources == RIGHT
    assert found.notes == ("q1: the answer stands in a text cell; it is read as code",)
    for text in (RIGHT["q1"], f"Here:\n```python\n{RIGHT['q1']}\n```\n"):
        raw = tiny_notebook(others | {"q1": STUB})
        raw["cells"].append(text_cell("", text))
        said = "q1: a text cell defines what is asked for; only code cells are graded"
        assert extracted(raw)[1].notes == (said,)
        raw = tiny_notebook(RIGHT)
        raw["cells"].append(text_cell("", text))
        assert extracted(raw)[1].notes == ()


def test_whether_a_notebook_holds_work():
    blank = dict.fromkeys(RIGHT, STUB)
    master = assignment.master(tiny_notebook(blank), markup.key_text)
    assert not answers.has_work(master, tiny_notebook(blank))
    assert not answers.has_work(master, tiny_notebook(dict.fromkeys(RIGHT, " ")))
    assert answers.has_work(master, tiny_notebook(blank | {"q3": RIGHT["q3"]}))


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
    (part,) = [part for part in assignment.master(raw, markup.key_text).parts if not part.given]
    assert part.defines == {"double"}


def notes_of(answers_, *cells):
    """The notes on the small assignment's notebook with these answers and cells in front."""
    raw = tiny_notebook(RIGHT | answers_)
    raw["cells"][:0] = [marked("", source) for source in cells]
    return extracted(raw)[1].notes


def test_a_helper_in_a_cell_that_is_not_graded_is_named():
    answer = {"q1": "def double(x):\n    return my_helper(x)"}
    helper = "def my_helper(x):\n    return 2 * x"
    said = "q1: my_helper stands in a cell that is not graded; move it into the cell q1"
    assert notes_of(answer, helper) == (said,)
    assert notes_of(answer, "%time 1\nfrom helpers import my_helper") == (said,)
    assert notes_of({"q1": helper + "\n" + answer["q1"]}, helper) == ()
    assert notes_of({"q1": "def double(my_helper):\n    return 2 * my_helper"}, helper) == ()
    assert notes_of({"q1": "def double(x):\n    my_helper = x\n    return x"}, helper) == ()
    assert notes_of({"q2": "total = lambda items: my_helper(0)", "q3": helper}, helper) == ()


@pytest.mark.parametrize("name", ["top", "bottom"])
def test_a_name_that_a_function_binds_itself_is_not_missing(name):
    answer = f"def double(x):\n    def {name}(plan):\n        return plan\n    return 2 * {name}(x)"
    assert notes_of({"q1": answer}, "plan = 3") == ()
    answer = f"def double(x):\n    def {name}():\n        return plan\n    return 2 * {name}()"
    assert "plan stands in a cell that is not graded" in notes_of({"q1": answer}, "plan = 3")[0]


def test_a_change_of_a_given_cell_is_no_answer():
    raw = tiny_notebook(RIGHT | {"q1": "def double(x):\n    return two * x"})
    raw["cells"][0]["source"] += "\ntwo = 2"
    assert "q1: two stands in a cell that is not graded" in extracted(raw)[1].notes[0]


@pytest.mark.parametrize(
    ("source", "module"),
    [
        ("import pandas as pd", "pandas"),
        ("def double(x):\n    from torch.nn import Linear", "torch"),
        ("import math, numpy.linalg\nfrom . import os", None),
    ],
)
def test_an_import_that_grading_lacks_is_said(source, module):
    said = f"q1: {module} will not be there when this is graded; the modules to use are "
    wanted = (said + "Python's own and numpy",) if module else ()
    assert notes_of({"q1": f"{source}\ndouble = 1"}) == wanted


def test_another_assignments_notebook_is_named():
    raw = tiny_notebook(RIGHT)
    raw["metadata"]["minigrad"]["assignment"] = "ps1"
    master = assignment.master(tiny_notebook(SOLUTIONS), markup.key_text, "tiny")
    with pytest.raises(notebook.Unreadable, match="this is ps1, not tiny"):
        answers.extract(master, raw)
    for odd in ("tiny", 7, None, ["ps1"]):
        raw["metadata"]["minigrad"]["assignment"] = odd
        assert answers.extract(master, raw).notes == ()
    raw = tiny_notebook(dict.fromkeys(RIGHT, "class Other: pass"))
    assert "this" not in "".join(notes_of(dict.fromkeys(RIGHT, "def (")))
    assert extracted(raw)[1].notes == (
        "no cell defines double, sums, total: is this another assignment's notebook?",
    )


def test_code_without_end_is_not_parsed():
    raw = tiny_notebook(RIGHT)
    raw["cells"][:0] = [marked("", "x = 1" + " " * 99_000) for _ in range(30)]
    sources, found = extracted(raw)
    assert sources == RIGHT
    assert found.notes == ("a cell: longer than 2,000,000 characters; not read",)


def test_a_look_at_a_cell_warns_of_nothing(recwarn):
    notes_of({"q1": "double = lambda x: 2 * x if x is 1 else '\\d'"}, "'\\d' is 2\n%time 1")
    assert list(recwarn) == []


def test_a_page_stays_small_whatever_names_a_student_thinks_of():
    names = [f"{letter * 5_000}{number}" for number in range(2) for letter in "abc"]
    lines = ["double = " + " + ".join(names), *(f"import m{name}" for name in names)]
    answer = {"q1": "\n".join(lines)}
    found = notes_of(answer, "\n".join(f"{name} = 1" for name in names))
    assert len(found) == 10 and max(map(len, found)) < 150
    raw = tiny_notebook(RIGHT)
    raw["metadata"]["minigrad"]["assignment"] = "p" * 10**6
    master = assignment.master(tiny_notebook(SOLUTIONS), markup.key_text, "tiny")
    with pytest.raises(notebook.Unreadable) as error:
        answers.extract(master, raw)
    assert len(error.value.message) < 100
