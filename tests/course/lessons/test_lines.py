"""Shuffled lines: judged by what they do in the learner's order."""

import pytest

from minigrad.course.teach import LessonError, assembled, check_function, show

LINES = """
A     return total
B     for n in numbers:
C def add_up(numbers):
D         total += n * factor
E     total = 0
F     total = 1
"""
factor = 10


def test_the_right_order_is_a_function_that_knows_the_notebooks_names(capsys):
    accumulate = assembled(LINES, "CEBDA")
    assert accumulate([1, 2]) == 30 and accumulate.__name__ == "add_up"
    assert assembled(LINES, "c, e, b, d, a")([3]) == 30
    assert "    total = 0\n    for n in numbers:" in repr(show(accumulate))


def test_another_order_is_judged_by_what_it_does():
    with pytest.raises(LessonError, match=r"at numbers = \[1, 2\]: found 31, expected 30"):
        check_function("sum", assembled(LINES, "CFBDA"), lambda x: 10 * sum(x), [([1, 2],)])


@pytest.mark.parametrize(
    "order, text",
    [
        (..., "nothing to check yet"),
        ("CEX", "✗ there is no line X"),
        ("CEE", "✗ line E comes twice"),
        ("EB", "no Python: line E, unexpected indent"),
        ("CB", "no Python: line B, expected an indented block"),
        ("", "define no function"),
        ("CEBDAF", "line F is one too many, or stands too low\n  try  return came first"),
        ("CEABD", "line B is one too many"),
    ],
)
def test_what_is_no_program_names_the_line(order, text):
    with pytest.raises(LessonError, match=text):
        assembled(LINES, order)


@pytest.mark.parametrize("order", [..., "EB", "CEX", "EBDA"])
def test_an_order_that_is_no_program_leaves_no_older_function_behind(order):
    notebook = {"assembled": assembled, "LINES": LINES, "factor": 10, "order": "CEBDA"}
    cell = "theirs = assembled(LINES, order)"
    exec(cell, notebook)
    notebook["order"] = order
    with pytest.raises(LessonError):
        exec(cell, notebook)
    with pytest.raises(LessonError, match="no function yet\n  try  mend the order above"):
        check_function("sum", lambda n: notebook["theirs"](n), sum, [([1, 2],)])
    notebook["order"] = "CEBDA"
    exec(cell, notebook)
    assert notebook["theirs"]([3]) == 30


@pytest.mark.parametrize("order", [..., "EB", "CEX", "EBDA"])
def test_before_an_order_runs_its_name_says_so(order):
    notebook = {"assembled": assembled, "LINES": LINES, "factor": 10, "order": order}
    with pytest.raises(LessonError):
        exec("add_up = assembled(LINES, order)", notebook)
    with pytest.raises(LessonError, match="no function yet\n  try  mend the order above"):
        notebook["add_up"]([1, 2])
    mine = notebook["add_up"] = sum
    with pytest.raises(LessonError):
        exec("add_up = assembled(LINES, order)", notebook)
    assert notebook["add_up"] is mine
