"""Checks: what a right, a wrong, a blank and a broken answer are told."""

import math

import numpy as np
import pytest

import minigrad as mg
from minigrad.course.lessons.answer import agree
from minigrad.course.teach import LessonError, check, check_function

# answers -----------------------------------------------------------------------------------------


def test_a_right_answer_is_said_to_be_right(capsys):
    check("y", mg.tensor([1.0, 2.0]), [1, 2 + 1e-12])
    check("text", "abc", "abc")
    check("number", " 13", 13)
    check("nest", {"a": (1, [2.0, "b"])}, {"a": (1, [2, "b"])})
    assert capsys.readouterr().out == "✓ y\n✓ text\n✓ number\n✓ nest\n"


@pytest.mark.parametrize(
    "found, expected, same",
    [
        ("More ", "more", True),
        (["A", " b"], ("a", "b"), True),
        ("recipe", "a recipe", True),
        ("The end", "an end", True),
        ("a", "the", False),
        ({"a": "ONE"}, {"a": "one"}, True),
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


def test_a_text_that_a_function_makes_is_exact():
    check_function("f", lambda: "Add", lambda: "Add", [()])
    with pytest.raises(LessonError, match="found add, expected Add"):
        check_function("f", lambda: "add", lambda: "Add", [()])


def test_who_returns_a_node_is_told_to_run_it():
    def waits(number):
        with mg.Graph():
            return mg.placeholder("x") * number

    with pytest.raises(LessonError, match="is no number\n  try  this node waits: only a Session"):
        check_function("twice", waits, lambda number: 2 * number, [(3.0,)])


@pytest.mark.parametrize(
    "found, expected, text",
    [
        (..., 3, "nothing to check yet"),
        (None, 3, "nothing to check yet"),
        (4, 3, "✗ q: found 4, expected 3"),
        ([1, 2], 3, r"the shape is \(2,\), expected \(\)"),
        ("four", 4, "four is no number"),
        (1 / 3, 2.0, "found 0.3333, expected 2"),
        ("x", "y", "found x, expected y"),
        ((1, [2, 3]), (1, [2, 4]), r"found \(1, \[2, 3\]\), exp"),
        (
            [[1.0, 5.0], [3.0, 4.0]],
            [[1, 2], [3, 4]],
            r"1 of 4 entries are wrong; the first, at \[0, 1\], is 5, expected 2"
            r"\n     · ✗\n     · ·",
        ),
        ({"a": 1}, {"a": 2}, "✗ q: of a: found 1, expected 2$"),
        ({"a": 1, "b": [0, 2]}, {"a": 1, "b": [0, 3]}, "of b: 1 of 2 entries are wrong"),
        ({"b": 1}, {"a": 2}, "found {'b': 1}, expected {'a': 2}"),
        ({"a": [0, ...]}, {"a": [0, 2]}, "nothing to check yet"),
    ],
)
def test_a_wrong_answer_says_what_came_and_draws_where(found, expected, text):
    with pytest.raises(LessonError, match=text):
        check("q", found, expected)


@pytest.mark.parametrize(
    "found, expected, text",
    [
        (4, 3, "found 4"),
        ("bc", "bd", "found bc"),
        ((650, 650), (650, 1), "1 of 2 entries are wrong; the first, at [1], is 650\n     · ✗"),
        ({"a": 1}, {"a": 2}, "of a: found 1"),
        ([np.ones(2), 1], [np.ones(2), 3], "result 2 of 2: found 1"),
    ],
)
def test_the_right_answer_is_kept_back_where_the_lesson_says_so(found, expected, text):
    with pytest.raises(LessonError) as caught:
        check("q", found, expected, [(found, "look again")], tell=False)
    assert str(caught.value) == f"✗ q: {text}\n  try  look again"


def test_a_drawing_too_long_for_a_screen_is_cut_above_the_hint():
    twelve, thirteen = np.zeros((12, 2)), np.zeros((13, 2))
    with pytest.raises(LessonError, match=r"expected 1\n(     ✗ ✗\n){11}     ✗ ✗$"):
        check("q", twelve, twelve + 1)
    with pytest.raises(LessonError, match=r"expected 1\n(     ✗ ✗\n){4}     …\n  try  all of it$"):
        check("q", thirteen, thirteen + 1, hints=[(thirteen, "all of it")])


def test_a_node_is_an_answer_without_a_number():
    with mg.Graph():
        h = mg.placeholder("h")
    for found, expected in ((h, 2.0), ([h, h + 1], [2.0, 3.0])):
        with pytest.raises(LessonError, match=r"h = Placeholder.* is no number"):
            check("q", found, expected)


def test_what_ends_once_is_not_asked_again_for_its_misconception():
    calls = []

    def theirs(x):
        calls.append(x)
        while len(calls) > 1:
            pass
        return x + 1

    with pytest.raises(LessonError) as caught:
        check_function("twice", theirs, lambda x: 2 * x, [(3,)], hints=[(lambda x: x + 1, "one")])
    assert caught.value.hint == "one" and calls == [3]


def test_a_hint_names_the_misconception():
    with pytest.raises(LessonError, match="try  count both paths"):
        check("slope", 2, 5, hints=[(3, "count w + 1 too"), (2, "count both paths")])
    with pytest.raises(LessonError) as caught:
        check("slope", 7, 5, hints=[(3, "no")])
    assert caught.value._render_traceback_() == ["LessonError: ✗ slope: found 7, expected 5"]


def test_an_answer_may_be_rough_where_the_lesson_says_so():
    check("pi", 3.14, math.pi, tolerance=0.01)
    with pytest.raises(LessonError, match="found 3.14, expected 3.142"):
        check("pi", 3.14, math.pi)


def test_what_is_nearly_right_is_told_with_the_digits_that_differ():
    wrong = [
        lambda: check("slope", 6.3531, 6.35312),
        lambda: check("slopes", np.array([1.0, 6.3531]), np.array([1.0, 6.35312])),
        lambda: check_function("slope", lambda x: 6.3531, lambda x: 6.35312, [(1,)]),
    ]
    for ask in wrong:
        with pytest.raises(LessonError, match=r"6\.3531, expected 6\.35312") as caught:
            ask()
        assert "difference quotient" in caught.value.hint
    with pytest.raises(LessonError) as caught:  # whole numbers are right or wrong
        check("visits", 65_535, 65_536)
    assert caught.value.hint is None


# functions ---------------------------------------------------------------------------------------


def two_numbers(rng):
    """Random arguments."""
    return rng.standard_normal(2)


def test_a_right_function_is_tried_on_every_input(capsys):
    tried = []
    check_function(
        "sum", lambda a, b: tried.append((a, b)) or b + a, lambda a, b: a + b, two_numbers
    )
    check_function("twice", lambda x: x + x, lambda x: 2 * x, [(1,), (np.ones(3),)])
    check_function("size", abs, abs, [(-1,)])
    told = "✓ sum: 10 inputs tried\n✓ twice: 2 inputs tried\n✓ size: 1 input tried\n"
    assert capsys.readouterr().out == told
    assert len(set(tried)) == 10


def test_the_first_failing_input_is_named():
    with pytest.raises(LessonError, match="✗ size: at x = -2: found -2, expected 2$"):
        check_function("size", lambda x: x, abs, [(1,), (-2,), (-3,)])
    with pytest.raises(LessonError, match=r"at x = \[1, 2\]: 1 of 2 entries are wrong"):
        check_function("copy", lambda x: x * [1, 0], lambda x: x, [(np.array([1, 2]),)])


def test_a_wrong_function_is_told_whose_mistake_it_makes():
    hints = [(lambda a, b: a * b, "a product?"), (lambda a, b: b - a, "the order matters")]
    with pytest.raises(LessonError, match="try  the order matters"):
        check_function(
            "minus", lambda left, right: right - left, lambda a, b: a - b, two_numbers, hints
        )
    with pytest.raises(LessonError) as caught:
        check_function("minus", lambda a, b: a + b, lambda a, b: a - b, two_numbers, hints)
    assert caught.value.hint is None


@pytest.mark.filterwarnings("error")
def test_numbers_that_a_check_chooses_give_no_warnings():
    check_function("1 / x", lambda x: 1 / x, lambda x: np.divide(1, x), [(np.zeros(2),)])
    hints = [(lambda x: np.log(-x), "its sign"), (lambda x: np.exp(1e3 * x), "its power")]
    with pytest.raises(LessonError, match="its power"):
        check_function("ln", lambda x: np.exp(1e3 * x), np.log, [(np.ones(2),)], hints)
    with pytest.warns(RuntimeWarning, match="divide by zero"):  # in the learner's own cells, it is
        np.divide(1, np.zeros(2))


def test_a_function_that_changes_its_argument_spoils_nothing(capsys):
    def doubled(x):
        x *= 2
        return x

    given = np.array([1.0, 2.0])
    check_function("twice", doubled, lambda x: 2 * x, [(given,), (given,)])
    assert given.tolist() == [1, 2]


@pytest.mark.parametrize(
    "theirs, text",
    [
        (..., "nothing to check yet"),
        (lambda x: ..., "a line is still"),
        (lambda x: None, "the function returns nothing"),
        (lambda x: x * ..., "a line is still"),
        (lambda x: {"life": [0, ...]}, "a line is still"),
        (lambda x: mg.exp(...), "a line is still"),
        (3, "3 is no function"),
        (lambda x: 1 / 0, "at x = 2: it raised ZeroDivisionError: division by zero"),
        (lambda: 1, "at 2: it raised TypeError"),
    ],
)
def test_blank_and_broken_functions(theirs, text):
    with pytest.raises(LessonError, match=text):
        check_function("q", theirs, abs, [(2,)])


def test_of_backward_hears_who_called_it():
    def swept(x):
        mg.sum(mg.tensor(x, requires_grad=True) * 2.0).backward()

    def returnless(x):
        mg.tensor(x)

    def outer(x):
        return returnless(x)

    def one_way(x):  # noqa: RET503
        if x < 0:
            return x

    def blank(x): ...

    def half_blank(x):
        y = ...  # fill in
        type(x * 2), type(y)

    unmade = compile("def unmade(x): ...", "<gone>", "exec")
    exec(unmade, without_source := {})

    for theirs, hint in (
        (swept, "end with return: what backward() finds stands in .grad"),
        (returnless, "end with return: a function gives back"),
        (outer, "end with return: a function gives back"),
        (lambda x: mg.tensor(x).grad, "what it returns is None: so is .grad"),
        (one_way, "it came to its end without a return"),
        (lambda x: [].append(x), "what it gives is None, as of a call that only does something"),
        (blank, "replace the ... and end with return"),
        (lambda x: half_blank(x), "replace the ... and end with return"),
        (without_source["unmade"], "replace the ... and end with return"),
    ):
        with pytest.raises(LessonError, match="the function returns nothing") as caught:
            check_function("q", theirs, abs, [(2.0,)])
        assert caught.value.hint.startswith(hint)


def test_a_name_that_is_used_before_it_is_filled_is_not_called_misspelt():
    def late(x):
        if x < 0:
            total = 0
        return total

    with pytest.raises(LessonError, match="at x = 2: cannot access .*'total'") as caught:
        check_function("q", late, abs, [(2,)])
    assert caught.value.hint == "a line uses this name before the line that fills it"


def test_an_error_of_the_package_keeps_its_cure_and_a_function_its_name():
    def slope(f, x):
        return mg.gradients(mg.tensor(x), [mg.tensor(x, requires_grad=True)])

    with pytest.raises(
        LessonError,
        match="✗ q: at f = abs, x = 2: it raised GradientError: no "
        "differentiable path .*\n  try  is the result computed from",
    ) as caught:
        check_function("q", slope, lambda f, x: x, [(abs, 2.0)])
    assert str(caught.value).count("try") == 1


def test_a_number_in_place_of_a_tensor_hears_what_to_make_of_it():
    def slope(x):
        return mg.gradients(mg.tensor(1.0, requires_grad=True) * 2.0, [x])

    with pytest.raises(LessonError, match="remembers no computation") as caught:
        check_function("q", slope, lambda x: x, [(2.0,)])
    assert "make a tensor of it first" in caught.value.hint


def test_a_list_of_tensors_is_an_answer(capsys):
    x = mg.tensor(2.0, requires_grad=True)
    check("slopes", [x * 1.0, x], [2, 2])
    with pytest.raises(LessonError, match=r"the shape is \(1,\), expected \(\)"):
        check("slope", [x * 1.0], 2)


def test_calls_that_go_too_deep_are_told_without_python_s_words():
    def deep(x):
        return deep(x)

    with pytest.raises(LessonError, match="calls go too deep\n  try  .* a list"):
        check_function("depth", deep, lambda x: x, [(1,)])


def test_an_endless_function_is_stopped():
    def endless(x):
        while True:
            x += 1

    with pytest.raises(LessonError, match="it still runs after 1,000,000 lines") as caught:
        check_function("q", endless, abs, [(2,)])
    assert "the same work again and again" in caught.value.hint


def test_of_several_arrays_the_first_wrong_one_is_drawn():
    x, s = np.ones((4, 2)), np.ones(4)

    def both(x, s):
        return x + s[:, None], s

    with pytest.raises(
        LessonError,
        match=r"at x = numbers of shape \(4, 2\), s = \[1., 1., 1., 1"
        r".\]: result 2 of 2: 4 of 4 entries are wrong",
    ):
        check_function("q", lambda x, s: (both(x, s)[0], 2 * s), both, [(x, s)])
    with pytest.raises(LessonError, match="the number of results is 1, expected 2"):
        check_function("q", lambda x, s: x, both, [(x, s)])
    with pytest.raises(LessonError, match=r"result 1 of 2: the shape is \(4,\), expected \(4, 2\)"):
        check("q", (mg.tensor(s), mg.tensor(s)), [mg.tensor(x), mg.tensor(s)])


def test_a_name_that_is_not_there_may_be_that_of_a_blank_cell():
    with pytest.raises(LessonError, match=r"✗ q: name 'later' is not defined\n  try  which line"):
        check_function("q", lambda x: later(x), abs, [(1,)])  # noqa: F821


@pytest.mark.parametrize(
    "found, expected, said",
    [
        ([9], 9, "one number is asked for"),
        ("nine", 9, "one number is asked for"),
        (9, (9, 4), "2 numbers are asked for"),
        ((9, 4, 1), (9, 4), "2 numbers are asked for"),
        (8, 9, None),
        ("nine", "eight", None),
        (np.ones((2, 2)), np.ones(2), None),
    ],
)
def test_an_answer_of_another_kind_is_told_what_is_asked_for(found, expected, said):
    with pytest.raises(LessonError) as caught:
        check("calls", found, expected)
    assert caught.value.hint == said
