"""Comparing what came with what was expected, and the message when they differ."""

import math
from fractions import Fraction

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import same, show_value
from minigrad.course.grading.student import StudentError, during

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
    (1e300 * (1 + 1e-12), 1e300),
    (complex(math.inf, 1 + 1e-12), complex(math.inf, 1)),
    (complex(math.nan, 1), complex(math.nan, 1)),
    (complex(1e308, 1.5e308), complex(1e308, 1.5e308 * (1 + 1e-12))),
    (np.array([1e300, -math.inf]), np.array([1e300 * (1 + 1e-12), -math.inf])),
    (10**4000, 10**4000),
    (np.array([True]), np.array([True])),
    (np.array(3, np.int8), np.int8(3)),
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
    (5, math.inf),
    (1e308, math.inf),
    (-math.inf, math.inf),
    (10**400, math.inf),
    (5, math.nan),
    (math.inf, math.nan),
    (5, complex(math.inf, 0)),
    (5j, complex(0, -math.inf)),
    (complex(math.inf, 2), complex(math.inf, 1)),
    (complex(math.nan, 2), complex(math.nan, 1)),
    (complex(math.inf, math.nan), complex(math.inf, 1)),
    (-1e300, 1e300),
    (1.7e308, -1.7e308),
    (complex(-1.5e308, -1.5e308), complex(1.5e308, 1.5e308)),
    (10**4000 + 1, 10**4000),
    (10**4000, 1),
    (np.array([5.0]), np.array([math.inf])),
    (np.array(5), math.inf),
    (np.array([complex(math.inf, 2)]), np.array([complex(math.inf, 1)])),
    (np.array([math.inf]), np.array([math.nan])),
    (np.array([1, 0]), np.array([True, False])),
    (np.array([True, False]), np.array([1.0, 0.0])),
    (np.array([2**63 - 1]), np.array([-(2**63)])),
    (np.array([0], np.uint64), np.array([-1])),
    (np.array(-128, np.int8), np.int8(0)),
    (-128, np.int8(0)),
    ({True: 1}, {1: 1}),
    ({1: 1}, {1: True}),
    ({"a": 1}, {"b": 1}),
    ({}, {"a": 1}),
    ((2,), 2),
    (2, (2,)),
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


def test_a_tolerance_of_zero_compares_to_the_last_digit():
    huge = 10**18
    assert same(huge + 16, huge)
    assert not same(huge + 16, huge, 0)
    assert same([float(huge), 0.0, math.nan], [huge, 0, math.nan], 0)
    assert same({"a": 1j}, {"a": 1j}, 0) and not same(0.1 + 0.2, 0.3, 0)


def test_a_tolerance_without_bound_lets_no_infinity_pass():
    for came, wanted in ((5, math.inf), (math.inf, 5), (1e308, math.inf), (math.inf, 1e308)):
        assert not same(came, wanted, 10)
        assert not same(np.array([came]), np.array([wanted]), 10)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((2,), "(2,)"),
        ([2.0], "[2]"),
        ((), "()"),
        (10**5000, "a whole number of 16,610 bits"),
        (np.zeros((2,) * 16), "an array of float64 with the shape (2, 2, 2, 2, 2, 2, 2, 2"),
    ],
    ids=["one", "list", "none", "long", "many axes"],
)
def test_how_a_value_is_shown(value, text):
    assert show_value(value).startswith(text)


@pytest.mark.parametrize(("came", "wanted"), [*SAME, *DIFFERENT], ids=repr)
def test_an_entry_of_an_array_agrees_as_a_number_does(came, wanted):
    if {type(came), type(wanted)} <= {int, float, complex}:
        entries = np.array([came], object), np.array([wanted], object)
        assert same(*entries) == same(came, wanted)


def test_a_cause_goes_to_the_student_with_its_case_but_without_drawn_numbers():
    with pytest.raises(AssertionError) as raised:
        expect(2.0, 3.0, of="x ** 2 with x = -1.73205", because="The factor 2 is missing.")
    assert "expected  3" in str(raised.value) and "-1.73205" in str(raised.value)
    assert raised.value.brief == ("case      x ** 2 with x = …\ncause     The factor 2 is missing.")
    assert raised.value.has_cause


@pytest.mark.parametrize(
    ("wanted", "because", "told"),
    [
        (1.5, "It should be 1.50000.", "It should be …."),
        (7, "It should be 123456, as for 0.1234.", "It should be …, as for …."),
        (12, "It should be 12.", "It should be …."),
        (-12.5, "It should be -12.5, not 12.", "It should be …, not 12."),
        (
            [3, {"a": np.array([24, 36])}],
            "36 comes before 24, not 25.",
            "… comes before …, not 25.",
        ),
        (2, "It is divided by 2 (rule 2).", "It is divided by 2 (rule 2)."),
        (0, "Its value is 0.0, not 10.", "Its value is 0.0, not 10."),
        (10, "Its value is 0.0, not 10.0.", "Its value is 0.0, not …."),
        (7, "An error of 0.25 % is not noticed.", "An error of 0.25 % is not noticed."),
        ("ab", "It follows all 2**40 paths.", "It follows all 2**40 paths."),
        (math.inf, "It overflows at 10.", "It overflows at 10."),
        (np.array([[12], None], object), "It stops at 12.", "It stops at 12."),
    ],
)
def test_a_cause_goes_to_the_student_without_numbers_drawn_or_expected(wanted, because, told):
    for options in ({"because": because}, {"mistakes": [(1e9, because)]}):
        with pytest.raises(AssertionError) as raised:
            expect(1e9, wanted, **options)
        assert raised.value.brief == f"cause     {told}"
        assert because in str(raised.value)  # the instructor reads all of it


def test_without_a_cause_nothing_of_a_case_is_told():
    with pytest.raises(AssertionError) as raised:
        expect(2.0, 3.0, of="x ** 2")
    assert (raised.value.brief, raised.value.has_cause) == ("", False)


def test_a_known_mistake_tells_its_own_cause():
    mistakes = [(4.0, "It doubles."), (1.0, "It takes the root.")]
    for came, cause in ((4.0, "It doubles."), (1.0, "It takes the root."), (7.0, "It adds.")):
        with pytest.raises(AssertionError) as raised:
            expect(came, 2.0, of="f(1)", because="It adds.", mistakes=mistakes)
        assert raised.value.brief == f"case      f(1)\ncause     {cause}"


def test_what_a_call_is_for_goes_to_the_student_whose_code_raises_there():
    error = {"type": "TypeError", "text": "secret 1.2345", "line": ""}
    with pytest.raises(StudentError) as raised, during("f of 1.23456", "It needs 6.54321."):
        raise StudentError(error, {})
    brief = "your code raised TypeError\ncase      f of …\ncause     It needs …."
    assert (raised.value.brief, raised.value.has_cause) == (brief, True)
    with pytest.raises(StudentError) as raised, during("f of 1"):
        raise StudentError(error, {})
    assert not raised.value.has_cause
