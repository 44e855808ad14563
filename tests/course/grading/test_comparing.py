"""Comparing what came with what was expected, and the message when they differ."""

from fractions import Fraction

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import same

SAME = [
    (1, 1.0),
    (1.0 + 1e-12, 1),
    (1e9 + 0.1, 1e9),
    (float("nan"), float("nan")),
    (float("-inf"), float("-inf")),
    (np.array(2.0), 2),
    ([1, (2.0, None)], (1, [2, None])),
    (np.eye(2), np.eye(2, dtype=int)),
    (np.array([np.nan, np.inf]), np.array([np.nan, np.inf])),
    ("a", "a"),
    (1j, 1j),
    (None, None),
    (np.array(True), True),
    (False, np.bool_(False)),
    ({"w": np.ones(2), "b": 1}, {"b": 1.0, "w": np.ones(2)}),
]
DIFFERENT = [
    (True, 1),
    (1, True),
    ("1", 1),
    (1.0 + 1e-6, 1.0),
    (10**400, 1.0),
    (float("inf"), 1e300),
    (float("nan"), 1),
    ([1], [1, 2]),
    ({1: 2}, [1, 2]),
    (np.ones(2), np.ones((2, 1))),
    (np.ones(2), [1, 1]),
    ([1, 1], np.ones(2)),
    (np.array([True]), True),
    (np.array([1.0, np.nan]), np.array([1.0, 2.0])),
    (None, 0),
    (0, None),
    pytest.param(object(), 1, id="object-1"),  # repr would name another address in each process
    (int, str),
    (np.array(True), False),
    (np.array(1), True),
    ({"w": np.ones(2)}, {"w": np.zeros(2)}),
    ({"w": 1}, {"w": 1, "b": 1}),
    (np.full(2, np.nan), np.ones(2)),
]


@pytest.mark.parametrize(("came", "wanted"), SAME, ids=repr)
def test_what_is_the_same(came, wanted):
    assert same(came, wanted)
    expect(came, wanted)


@pytest.mark.parametrize(("came", "wanted"), DIFFERENT, ids=repr)
def test_what_differs(came, wanted):
    assert not same(came, wanted)
    with pytest.raises(AssertionError):
        expect(came, wanted)


def test_an_exact_fraction_is_a_number():
    assert same(0.5, Fraction(1, 2))


def test_the_message_names_all_that_is_known():
    with pytest.raises(AssertionError) as error:
        expect((1.0, [2]), (1.0, [3]), "it was forgotten", of="the thing")
    assert str(error.value).splitlines() == [
        "of        the thing",
        "expected  (1, [3])",
        "came      (1, [2])",
        "perhaps   it was forgotten",
    ]


def test_wrong_entries_are_drawn_and_large_arrays_only_counted():
    with pytest.raises(AssertionError) as error:
        expect(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 0.0], [3.0, 4.0]]))
    assert str(error.value).splitlines() == [
        "expected  array([[1., 0.],",
        "                 [3., 4.]])",
        "came      array([[1., 2.],",
        "                 [3., 4.]])",
        "wrong     1 of 4 entries",
        "          · ✗",
        "          · ·",
    ]
    with pytest.raises(AssertionError) as error:
        expect(np.zeros((20, 20)), np.ones((20, 20)))
    assert str(error.value).endswith("wrong     400 of 400 entries")


def test_of_several_arrays_the_first_wrong_one_is_drawn():
    right, wrong = np.array([1.0, 2.0]), np.array([1.0, 3.0])
    with pytest.raises(AssertionError) as error:
        expect((right, wrong), (right, right))
    assert str(error.value).splitlines()[-3:] == [
        "in        number 2 of 2",
        "wrong     1 of 2 entries",
        "          · ✗",
    ]


def test_numbers_that_look_alike_are_shown_in_all_digits():
    with pytest.raises(AssertionError) as error:
        expect(np.array(0.1) + 1e-8, 0.1)
    assert str(error.value).splitlines() == [
        "expected  0.10000000000000001",
        "came      0.10000001",
    ]
