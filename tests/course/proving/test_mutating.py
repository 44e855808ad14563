"""Faults made by machine: what they are, and that those which nobody notices are told."""

import ast
import json

import pytest
from saying import raises_saying

from minigrad.core.errors import ArgumentError
from minigrad.course import cli
from minigrad.course.proving import bank, mutating

from ..grading.conftest import KIND, SOLUTIONS, notebook

SOURCE = '''
def f(x, *, scale=True):
    """A text that stays."""
    total = 0
    for item in sorted(x):
        total += 2 * item if item > 1 else g(item, x, scale=scale)
    return total
'''


def changes(source):
    """The changes of all mutants."""
    return [mutant.change for mutant in mutating.mutants(source)]


@pytest.mark.parametrize(
    "change",
    [
        "total = 0 → pass",
        "total = 0 → total = 1",
        "total = 0 → total = -1",
        "for item in sorted(x) → for item in x",
        "for item in sorted(x) → pass",
        "def f(x, *, scale=True) → def f(x, *, scale=False)",
        "return total → pass",
    ],
)
def test_a_slip_of_each_kind_is_made(change):
    assert change in changes(SOURCE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a - b", {"a + b", "b - a", "a", "b"}),
        ("a < b", {"a <= b"}),
        ("not a", {"a"}),
        ("g(a, b, c=1)", {"g(b, a, c=1)", "g(a, c=1)", "g(a, b)", "g(a, b, c=2)", "g(a, b, c=0)"}),
        ("(a, b)", {"(b, a)"}),
        ("a and b", {"a or b"}),
        ("a if b else c", {"c if b else a"}),
        ("[a for a in b if a]", {"[a for a in b]"}),
        ("'word'", {"'word?'"}),
        ("a @ b", {"a * b", "b @ a", "a", "b"}),
        ("a in (b, c)", {"a not in (b, c)"}),
        ("a == (b, c)", {"a != (b, c)", "a == (c, b)"}),
        ("max(a, b)", {"max(a)"}),
    ],
)
def test_what_becomes_of_an_expression(before, after):
    made = {change.split(" → z = ")[-1] for change in changes(f"z = {before}")}
    assert made == after | {f"z = {before} → pass"}


def test_mutants_are_python_and_differ_from_the_source_and_from_each_other():
    made = [mutant.source for mutant in mutating.mutants(SOURCE)]
    assert len(made) == len({*made, ast.unparse(ast.parse(SOURCE))}) - 1
    for source in made:
        compile(source, "mutant", "exec")
        assert '"""A text that stays."""' in source


def test_places_are_named_by_function_and_class():
    (*_, last) = mutating.mutants("class A:\n    def f(self):\n        return 1")
    assert last.place == "A.f"


ONLY_Q1 = """
import pytest
from minigrad.course.grading import expect

@pytest.mark.question("q1", points=2)
def test_nothing(student):
    expect(student.double(0), 0)
"""


def test_a_fault_that_no_check_notices_is_told_until_it_is_explained(tiny, capsys):
    tiny.solution.write_text(json.dumps(notebook({"q1": SOLUTIONS["q1"]})))
    tiny.hidden.write_text(ONLY_Q1)  # twice nothing is nothing, whatever is done to it
    words = ["mutants", "tiny", "--automatic", "--sandbox", KIND]
    assert cli.main(words) == 1
    count, *said = capsys.readouterr().out.splitlines()
    missed = [line.removeprefix("✗ not noticed: ") for line in said]
    assert "q1 double: return x + x + zero → return x - x + zero" in missed
    assert "q1 double: return x + x + zero → pass" not in missed
    assert count == f"6 faults, {6 - len(missed)} noticed, 0 explained in equivalent.txt"
    why = "".join(f"{name}\n    Nobody adds here.\n" for name in missed[1:])
    gone = "q1 nowhere: a → b\n    No reason.\n"
    (tiny.instructor / "equivalent.txt").write_text("# Why\n\n" + why + gone)
    assert cli.main(words) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"✗ not noticed: {missed[0]}",
        "✗ explained, but it is not a fault of the key: q1 nowhere: a → b",
    ]


def test_a_sample_is_the_same_every_time(tiny):
    first, second = (bank.trials(tiny, 5) for _ in range(2))
    assert first == second
    assert len(first) == 5
    assert set(first) < set(bank.trials(tiny))


def test_an_explanation_needs_a_fault_and_a_reason(tiny):
    for text, message in {
        "  why\n": "explains before it names",
        "q1 a: b\n": "gives no reason",
    }.items():
        (tiny.instructor / "equivalent.txt").write_text(text)
        with raises_saying(ArgumentError, message):
            bank.read_explanations(tiny)
