"""Answers: which agree, what of a wrong one is told, and what a function that fails is told."""

import math
import sys

import numpy as np
import pytest

import minigrad as mg
from minigrad.course.lessons.answer import (
    LessonError,
    agree,
    difference,
    fits_choice,
    is_left_open,
    unquote,
)
from minigrad.course.lessons.checks import endless_in_words, stopped_after

# answers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "found, expected, same",
    [
        ("More ", "more", True),
        (["A", " b"], ("a", "b"), True),
        ("recipe", "a recipe", True),
        ("The end", "an end", True),
        ("a", "the", False),
        ({"a": "ONE"}, {"a": "one"}, True),
        ({"a": (1, [2.0, "b"])}, {"a": (1, [2, "b"])}, True),
        ({"b": 1}, {"a": 1}, False),
        ("more or less", "moreorless", False),
        ("1", 1, False),
        (1, "1", False),
        (1 + 1e-9, 1, True),
        (1 + 1e-3, 1, False),
        (5_000_001, 5_000_000, False),
        (5_000_000.0000001, 5_000_000, True),
        ([5, 5_000_001], [5, 5_000_000], False),
        (5_000_001.0, 5_000_000.0, True),
        (True, 1, True),
    ],
)
def test_case_and_outer_spaces_of_a_text_do_not_count(found, expected, same):
    assert agree(found, expected) is same


def test_a_tensor_or_a_list_of_tensors_is_an_answer():
    x = mg.tensor(2.0, requires_grad=True)
    assert agree(mg.tensor([1.0, 2.0]), [1, 2 + 1e-12]) and agree([x * 1.0, x], [2, 2])
    assert difference([x * 1.0], 2) == "the shape is (1,), expected ()"


def test_an_answer_may_be_rough_where_the_lesson_says_so():
    assert agree(3.14, math.pi, tolerance=0.01) and not agree(3.14, math.pi)
    assert difference(3.14, math.pi) == "found 3.14, expected 3.142"


@pytest.mark.parametrize(
    "written, expected, meant",
    [
        ("10", 10, 10),
        (" 5.0", 5, 5),
        ("−2", -2, -2),
        (" −0.5 ", -0.5, -0.5),
        ("many", 10, "many"),
        ("No", np.bool_(True), False),
        ("yes", False, True),
        ("perhaps", True, "perhaps"),
        ("(3, 10)", [3, 10], (3, 10)),
        ("3, −10", (3, -10), (3, -10)),
        ("three and ten", [3, 10], "three and ten"),
    ],
)
def test_a_text_stands_for_the_number_the_truth_or_the_pair_in_it(written, expected, meant):
    found = unquote(written, expected)
    assert found == meant and type(found) is not type(written) or found is written


def test_a_prediction_fits_a_choice_as_a_number_or_as_it_is_written():
    for prediction in ("lower", "Lower ", "1/c", "0.03", 0.03):
        assert any(fits_choice(prediction, choice) for choice in ("lower", "equal", "1/c", 0.03))
    for prediction in (5, 5.0, "5", "5.0"):
        assert fits_choice(prediction, 5)
    assert fits_choice("−0", "-0") and not fits_choice("bigger", "lower")


# what is wrong -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "found, expected, text",
    [
        (4, 3, "found 4, expected 3"),
        ([1, 2], 3, "the shape is (2,), expected ()"),
        ("four", 4, "four is not a number"),
        (1 / 3, 2.0, "found 0.3333, expected 2"),
        ("x", "y", "found x, expected y"),
        ((1, [2, 3]), (1, [2, 4]), "found (1, [2, 3]), expected (1, [2, 4])"),
        (
            [[1.0, 5.0], [3.0, 4.0]],
            [[1, 2], [3, 4]],
            "1 of 4 entries are wrong; the first, at [0, 1], is 5, expected 2\n     · ✗\n     · ·",
        ),
        ({"a": 1}, {"a": 2}, "of a: found 1, expected 2"),
        (
            {"a": 1, "b": [0, 2]},
            {"a": 1, "b": [0, 3]},
            "of b: 1 of 2 entries are wrong; the first, at [1], is 2, expected 3\n     · ✗",
        ),
        ({"b": 1}, {"a": 2}, "found {'b': 1}, expected {'a': 2}"),
        (abs, "y", "found abs, expected y"),
    ],
)
def test_a_wrong_answer_says_what_came_and_draws_where(found, expected, text):
    assert difference(found, expected) == text


def test_a_drawing_too_long_for_a_screen_is_cut():
    twelve, thirteen = np.zeros((12, 2)), np.zeros((13, 2))
    assert difference(twelve, twelve + 1).endswith("expected 1" + "\n     ✗ ✗" * 12)
    assert difference(thirteen, thirteen + 1).endswith("expected 1" + "\n     ✗ ✗" * 4 + "\n     …")


def test_a_node_is_an_answer_without_a_number():
    with mg.Graph():
        h = mg.placeholder("h")
    for found, expected in ((h, 2.0), ([h, h + 1], [2.0, 3.0])):
        told = difference(found, expected)
        assert "h = Placeholder" in told and told.endswith(" is not a number")


def test_what_is_nearly_right_is_told_with_the_digits_that_differ():
    assert difference(6.3531, 6.35312) == "found 6.3531, expected 6.35312"
    told = difference(np.array([1.0, 6.3531]), np.array([1.0, 6.35312]))
    assert "at [1], is 6.3531, expected 6.35312\n" in told


def test_of_several_arrays_the_first_wrong_one_is_drawn():
    x, s = np.ones((4, 2)), np.ones(4)
    assert difference((x, 2 * s), (x, s)).startswith("result 2 of 2: 4 of 4 entries are wrong")
    assert difference(x, (x, s)) == "the number of results is 1, expected 2"
    assert difference((x,), (x, s)) == "the number of results is 1, expected 2"
    told = difference((mg.tensor(s), mg.tensor(s)), [mg.tensor(x), mg.tensor(s)])
    assert told == "result 1 of 2: the shape is (4,), expected (4, 2)"


def test_the_title_of_a_message_is_one_line_without_the_details():
    error = LessonError("✗ q, for [1,\n 2]", "Look.", "     found 1")
    assert error.title == "✗ q, for [1, 2]"
    assert str(error) == "✗ q, for [1,\n 2]:\n     found 1\n  try  Look."


# functions that do not end -----------------------------------------------------------------------


def failure(function, *arguments):
    """(message, hint) of what is told where a function raises."""
    with pytest.raises(Exception) as caught:
        stopped_after(10_000, function, arguments)
    told = endless_in_words("q", caught.value)
    return told.message, told.hint


def test_calls_that_go_too_deep_are_told_without_python_s_words():
    def deep(x):
        return deep(x)

    message, hint = failure(deep, 1)
    assert message.endswith("Python stops, because the calls go too deep")
    assert hint.startswith("Does it end? Each call waits") and hint.endswith("in a list.")


def test_an_endless_function_is_stopped():
    def endless(x):
        while True:
            x += 1

    message, hint = failure(endless, 2)
    assert message == "✗ q: it still runs after 10,000 lines"
    assert hint.startswith("Does it end? Look for a loop") and "done again and again" in hint


def test_what_an_import_runs_is_not_counted(tmp_path, monkeypatch):
    (tmp_path / "long_module.py").write_text("for k in range(1_000):\n    last = k\n")
    monkeypatch.syspath_prepend(tmp_path)

    def function():
        import long_module

        return long_module.last

    def endless():
        import contextlib

        with contextlib.suppress(ImportError):
            import no_such_module  # noqa: F401
        while True:
            found = contextlib.suppress(ImportError)  # noqa: F841

    assert stopped_after(50, function, ()) == 999
    with pytest.raises(TimeoutError, match="still runs after 50 lines"):
        stopped_after(50, endless, ())


def test_what_ends_gives_its_result_and_who_traced_before_goes_on():
    before = sys.gettrace()
    assert stopped_after(100, lambda a, b: a - b, (5, 3)) == 2
    assert sys.gettrace() is before


def test_lines_of_the_package_are_not_counted():
    assert stopped_after(10, is_left_open, ([*range(500)],)) is False
