"""Lessons whose checks are data: predictions, one-line checks, hints by what a function gives."""

import numpy as np
import pytest

from minigrad.course import lab
from minigrad.course.lessons.answer import LessonError

WORDS = """
[predict.colour]
ask = "The colour"
choices = ["red", "blue", 3]
answer = "red"
because = "It is red because of the paint."
if.blue = "Blue is the colour of the sky."

[check.double]
title = "double"
start = "Multiply by two."
right = "That is doubling."
otherwise = "Compare 2 with 4."
returns = ["twice", "thrice"]
raised.ValueError = "The shapes do not fit."
raised.RecursionError = "Use a loop."
hint = [
  {when = "swapped", say = "The two are swapped."},
  {when = "fails", say = "never said"},
]

[check.Pair]
title = "the Pair"
start = "Define __add__."
otherwise = "Compare the sums."
raised.AttributeError = "A number has no left."

[check.total]
title = "the total"
answer = 6
start = "Answer with one number."
otherwise = "Add all."
hint = [{when = 5, say = "One is missing."}]

[check.judged]
title = "the judged"
not_yet = "not yet"
start = "Write a list."
"""


class Logic:
    """What a lesson's module holds."""

    def __init__(self):
        self.shown = []

    def cases_double(self):
        return [(np.array([1.0, 2.0]),), (np.ones((2, 2)),)]

    def reference_double(self, x):
        return 2 * x, 3 * x

    def cases_Pair(self):
        return [(1, 2)]

    def run_Pair(self, kind, left, right):
        total = kind(left, right) + 3
        return total.left, total.right

    def swapped(self, x):
        return 3 * x, 2 * x

    def fails(self, x):
        raise TypeError("a wrong answer that fails is another one")

    def after_double(self, function):
        self.shown.append(function)

    def judge_judged(self, value, words):
        return None if value == [1] else "Write [1]."


def pair(add):
    """A learner's class Pair with this __add__."""

    class Pair:
        def __init__(self, left, right):
            self.left, self.right = left, right

    Pair.__add__ = add
    return Pair


def add_to_both(self, other):
    """A Pair whose numbers are larger by other."""
    return type(self)(self.left + other, self.right + other)


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """A Lesson of these words."""
    (tmp_path / "99.toml").write_text(WORDS, "utf-8")
    monkeypatch.setattr(lab, "FOLDER", tmp_path)
    logic = Logic()
    logic.reference_double = lambda x: (2 * x, 3 * x)
    logic.reference_Pair = pair(add_to_both)
    return lab.Lesson("99", logic)


def refused(act, *arguments):
    """(message, hint) of the LessonError that a call raises."""
    with pytest.raises(LessonError) as caught:
        act(*arguments)
    return caught.value.message, caught.value.hint


def test_a_missing_prediction_is_asked_for_and_the_next_cell_refuses(lesson, capsys):
    lesson.predict("colour", ...)
    lesson.predict("colour", "green")
    said = capsys.readouterr().out
    assert "no prediction yet. Replace ... with your prediction" in said
    assert "'green' is not one of the choices 'red', 'blue', 3" in said
    message, hint = refused(lesson.observe, "colour")
    assert message == "The colour: no prediction yet" and hint.startswith(
        "Write your prediction in the cell that asks for it"
    )


@pytest.mark.parametrize(
    "prediction, mark, why",
    [("red", "✓", ""), ("blue", "→", "Blue is the colour of the sky."), ("3", "→", "")],
)
def test_a_prediction_is_answered_beside_the_result(lesson, capsys, prediction, mark, why):
    lesson.predict("colour", prediction)
    lesson.observe("colour")
    said = capsys.readouterr().out
    assert f"{mark} The colour: red. You predicted {prediction}." in said and why in said
    assert "because of the paint" in said


def test_a_right_function_is_shown_and_kept(lesson, capsys):
    def double(x):
        return [2 * x, 3 * x]  # a list is as good as a tuple

    lesson.check(double)
    assert capsys.readouterr().out == "✓ double\n  That is doubling.\n"
    assert lesson.logic.shown == [double]
    lesson.require(double)


def named_double(body):
    """A function double of this body."""

    def double(x):
        return body(x)

    return double


@pytest.mark.parametrize(
    "body, told, hinted",
    [
        (lambda x: (3 * x, 2 * x), "twice: ", "The two are swapped."),
        (lambda x: (2 * x, 2 * x), "thrice: ", "Compare 2 with 4."),
        (lambda x: (2 * x, 3 * x[:1]), "the shape is (1,), expected (2,)", "Compare 2 with 4."),
        (lambda x: 2 * x, "expected 2 results (twice, thrice), got 1", "Compare 2 with 4."),
        (lambda x: x.reshape(7), "ValueError: cannot reshape", "The shapes do not fit."),
        (lambda x: x.nothing, "AttributeError: ", "Compare 2 with 4."),
        (lambda x: None, "returned None", "Does it end with return?"),
    ],
)
def test_a_wrong_function_gets_the_hint_of_what_it_computes(lesson, body, told, hinted):
    message, hint = refused(lesson.check, named_double(body))
    assert told in message and hint.startswith(hinted)


def test_an_error_names_the_learners_own_line(lesson):
    def double(x):
        y = x + 1
        return y @ np.ones(5)

    message, _ = refused(lesson.check, double)
    first = double.__code__.co_firstlineno
    assert f"your line {first + 2} raised ValueError: matmul" in message


def test_arguments_stay_as_they_are(lesson):
    def double(x):
        x *= 2
        return x, 1.5 * x

    message, hint = refused(lesson.check, double)
    assert "changed in place" in message and "x.copy()" in hint


def test_an_endless_function_is_stopped(lesson):
    def double(x):
        while True:
            x = x + 1

    message, _ = refused(lesson.check, double)
    assert "it still runs after" in message


def test_a_blank_is_told_where_to_begin(lesson):
    def double(x):
        y = ...
        return 2 * y

    assert refused(lesson.check, double) == ("✗ double: nothing to check yet", "Multiply by two.")
    assert refused(lesson.check, "total") == (
        "✗ the total: no answer yet",
        "Answer with one number.",
    )


def test_a_cell_that_needs_an_exercise_says_so_and_skip_lends_it(lesson):
    def double(x):
        y = ...
        return 2 * y

    message, hint = refused(lesson.require, double)
    assert "your double" in message and "double = skip('double')" in hint
    lent = lesson.skip("double")
    assert lent.__name__ == "double"
    lesson.require(lent)


@pytest.mark.parametrize(
    "value, hinted", [(6, None), (6.0, None), ("6", None), (5, "One is missing."), (7, "Add all.")]
)
def test_a_value_is_right_or_gets_its_hint_without_the_answer(lesson, value, hinted):
    if hinted is None:
        lesson.check("total", value)
    else:
        message, hint = refused(lesson.check, "total", value)
        assert hint == hinted and "6" not in message


def test_a_lesson_may_judge_a_value_itself(lesson):
    lesson.check("judged", [1])
    assert refused(lesson.check, "judged", [2]) == ("✗ the judged: not yet", "Write [1].")


def test_a_lesson_may_call_a_function_with_what_it_builds_of_a_case(lesson, capsys):
    lesson.logic.run_double = lambda function, x: function([*x.ravel()])
    lesson.logic.reference_double = lambda numbers: ([2 * x for x in numbers], len(numbers))
    lesson.logic.swapped = lambda numbers: (len(numbers), [2 * x for x in numbers])
    lesson.check(named_double(lambda numbers: [[x + x for x in numbers], len(numbers)]))
    assert "✓ double" in capsys.readouterr().out
    wrong = named_double(lambda numbers: (len(numbers), [2 * x for x in numbers]))
    assert refused(lesson.check, wrong)[1] == "The two are swapped."


def test_calls_that_are_nested_too_deep_meet_the_sentence_of_their_lesson(lesson):
    def double(x):
        return double(x)

    message, hint = refused(lesson.check, double)
    assert "RecursionError" in message and hint == "Use a loop."


def test_a_class_is_checked_as_the_lesson_puts_it_to_use(lesson, capsys):
    kind = pair(add_to_both)
    lesson.check(kind)
    lesson.require(kind)
    assert capsys.readouterr().out == "✓ the Pair\n"
    message, hint = refused(lesson.check, pair(lambda self, other: self))
    assert "expected" in message and hint == "Compare the sums."
    assert lesson.skip("Pair") is lesson.logic.reference_Pair


def test_an_error_in_a_method_names_its_line(lesson):
    def add(self, other):
        return other.left

    message, hint = refused(lesson.check, pair(add))
    line = add.__code__.co_firstlineno + 1
    assert f"your line {line} raised AttributeError" in message and hint == "A number has no left."


def test_a_class_without_methods_or_with_an_open_line_is_blank(lesson):
    def add(self, other):
        total = ...
        return 2 * total

    for blank in (type("Pair", (), {}), pair(add)):
        message, hint = refused(lesson.check, blank)
        assert message == "✗ the Pair: nothing to check yet" and hint == "Define __add__."


def test_a_function_that_calls_an_exercise_not_done_is_told_so(lesson):
    names = {"total": lambda: None}
    exec("def double(x):\n    return total(), 3 * x", names)
    message, hint = refused(lesson.check, names["double"])
    assert message == "✗ double, for [1., 2.]"
    assert hint.startswith("It calls your total. Do that exercise first")
    lesson.passes["total"] = names["total"]
    message, hint = refused(lesson.check, names["double"])
    assert "twice: None is not a number" in message and hint == "Compare 2 with 4."


def test_an_exercise_that_is_called_in_a_list_in_brackets_is_called(lesson):
    names = {"total": lambda: None}
    exec("def double(x):\n    return [total() for _ in x]", names)
    assert lesson.first_undone("double", names["double"]) == "total"


def test_a_method_of_the_name_of_an_exercise_is_none_of_it(lesson):
    names = {"total": lambda: None}
    exec("def double(x):\n    x.total = 3\n    return x.total", names)
    assert lesson.first_undone("double", names["double"]) is None


@pytest.mark.parametrize("passed", [False, True])
def test_an_answer_that_names_itself_is_not_sent_back_to_its_own_exercise(lesson, passed):
    right, wrong = {}, {}
    body = "class Pair:\n    def __init__(self, *both):\n        self.left, self.right = both\n"
    body += "    def __add__(self, other):\n        return Pair(self.left + other, self.right + {})"
    exec(body.format("other"), right)
    exec(body.format("1"), wrong)
    if passed:
        lesson.check(right["Pair"])
    message, hint = refused(lesson.check, wrong["Pair"])
    assert message.startswith("✗ the Pair, for 1, 2:") and hint == "Compare the sums."


def test_a_class_that_uses_an_exercise_not_done_is_told_so(lesson):
    names = {"double": lambda x: x}
    exec("class Pair:\n    def __init__(self, *both):\n        double(both)", names)
    _, hint = refused(lesson.check, names["Pair"])
    assert hint.startswith("It calls your double.")


def test_what_no_exercise_is_called_is_told_with_the_names_that_are(lesson):
    for asked in (lambda x: x, "doubel", 7, [1]):
        message, hint = refused(lesson.check, asked)
        assert message.startswith("✗ No exercise of this lesson is called ")
        assert ", total, judged" in hint


def test_a_class_that_fails_is_told_with_its_line(lesson):
    class double:
        def __init__(self, x):
            raise ValueError("no")

    message, _ = refused(lesson.check, double)
    first = double.__init__.__code__.co_firstlineno
    assert f"your line {first + 1} raised ValueError: no" in message


def test_what_skip_lends_passes_without_a_mark(lesson, capsys):
    lesson.check(lesson.skip("double"))
    said = capsys.readouterr().out
    assert said.startswith("◦ double: this is the course's own") and "✓" not in said


def test_a_class_may_be_lent(lesson, capsys):
    class double:
        def __init__(self, x):
            self.x = x

    lesson.logic.reference_double = double
    assert lesson.skip("double") is double and lesson.is_lent("double", double)
    assert not lesson.is_lent("double", lesson.logic.cases_double)
    lesson.require(double)
