"""What lesson cells call: guesses and quotes."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.course import teach
from minigrad.course.teach import LessonError, call_or_error, check, observe, predict, show, table


@pytest.fixture(autouse=True)
def no_guesses(monkeypatch):
    monkeypatch.setattr(teach, "guesses", {})


def test_a_guess_is_kept_and_shown_beside_the_result(capsys):
    predict("slope", 2)
    observe("slope", mg.tensor(5.001))
    observe("slope", 2.0)
    assert capsys.readouterr().out.splitlines() == [
        "slope: you predict 2",
        "○ slope: 5.001, you predicted 2",
        "✓ slope: 2, as you predicted",
    ]


def test_a_guess_is_one_of_the_choices(capsys):
    choices = ("lower", "equal", "1/c", 0.03)
    for guess in ("lower", "Lower ", "1/c", "0.03", 0.03):
        predict("how high", guess, choices)
    for guess in (5, 5.0, "5", "5.0", "Error"):
        predict("the slope", guess, (5, 10, "error"))
    told = [("bigger", "how high: 'bigger' is"), ({"a": "lower", "b": 4}, "how high: b: 4 is")]
    for guess, message in told:
        with pytest.raises(LessonError, match=f"{message} not among the answers") as caught:
            predict("how high", guess, choices)
        assert caught.value.hint == "write one of: 'lower', 'equal', '1/c', 0.03"


def test_each_of_several_guesses_may_have_choices_of_its_own():
    choices = {"times": (2, 10), "who": ("static", "dynamic")}
    predict("race", {"times": 10, "who": "static", "why": "any"}, choices)
    with pytest.raises(LessonError, match="race: who: 10 is not among the answers") as caught:
        predict("race", {"times": 10, "who": 10}, choices)
    assert caught.value.hint == "write one of: 'static', 'dynamic'"


def test_a_guess_that_is_refused_is_no_more_answered_by_the_one_before(capsys):
    predict("how long", 3)
    with pytest.raises(LessonError, match="no guess yet"):
        predict("how long", ...)
    with pytest.raises(LessonError, match="predict before you look"):
        observe("how long", 3)


def test_no_guess_no_result():
    with pytest.raises(LessonError, match="slope: no guess yet\n  try  replace the ..."):
        predict("slope", ...)
    with pytest.raises(LessonError, match="predict before you look"):
        observe("slope", 5)


def test_a_guess_may_be_near_enough(capsys):
    predict("slope", 5)
    observe("slope", 5.001, within=0.01)
    observe("slope", 5.1, within=0.01)
    predict("order", ["c", "b"])
    observe("order", ["c", "b"])
    said = capsys.readouterr().out.splitlines()
    assert [line[0] for line in said if ": you predict" not in line] == ["≈", "○", "✓"]


def test_a_near_guess_is_not_said_to_be_met(capsys):
    for guess in (66, 64, 69):
        predict("frames", guess)
        observe("frames", 66.0, hints=[(lambda guess: True, "no")], why="n + 2", within=0.04)
    predict("loss", 2.303)
    observe("loss", np.log(10), within=0.01)
    said = [line for line in capsys.readouterr().out.splitlines() if ": you predict " not in line]
    assert said == [
        "✓ frames: 66, as you predicted",
        "  n + 2",
        "≈ frames: 66, you predicted 64: near",
        "  n + 2",
        "○ frames: 66, you predicted 69",
        "  no",
        "✓ loss: 2.303, as you predicted",
    ]


def test_a_whole_number_is_met_exactly_however_large(capsys):
    for guess in (7_000_001, 7_000_000):
        predict("bytes", guess)
        observe("bytes", 7_000_000)
    said = capsys.readouterr().out.splitlines()
    assert [line[0] for line in said if ": you predict " not in line] == ["○", "✓"]


@pytest.mark.parametrize("guess, result", [("−2", -2), ("−0", "-0"), (" −0.5 ", -0.5)])
def test_the_long_minus_of_a_formula_is_a_minus(guess, result, capsys):
    teach.predict("sign", guess)
    teach.observe("sign", result)
    assert capsys.readouterr().out.splitlines()[-1].startswith("✓ sign")


def test_a_word_answers_a_question_of_yes_or_no(capsys):
    for guess, sign in (("no", "✓"), ("False", "✓"), (False, "✓"), ("Yes", "○"), ("perhaps", "○")):
        predict("does it stay", guess)
        observe("does it stay", np.bool_(False))
        assert capsys.readouterr().out.split("\n")[1].startswith(sign)
    check("does it stay", "yes", True)


def test_a_number_in_quotes_is_a_number_where_one_is_asked_for(capsys):
    for guess, result in (("10", 10), (" 5.0", 5), ("9", 10), ("many", 10), ("10", "10")):
        predict("bytes", guess)
        observe("bytes", result, [(9, "one too few")])
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if ": you predict " not in line] == [
        "✓ bytes: 10, as you predicted",
        "✓ bytes: 5, as you predicted",
        "○ bytes: 10, you predicted 9",
        "  one too few",
        "○ bytes: 10, you predicted many",
        "  one number is asked for",
        "✓ bytes: 10, as you predicted",
    ]


def test_the_guess_is_answered(capsys):
    hints = [(3, "three is one edge too many"), (lambda guess: guess > 10, "that is every node")]
    said = []
    for guess in (2, 3, 11, 7, "many"):
        predict("edges", guess)
        capsys.readouterr()
        observe("edges", 2, hints=hints, why="two paths lead to w")
        said.append(capsys.readouterr().out.splitlines())
    why = "  two paths lead to w"
    assert said == [
        ["✓ edges: 2, as you predicted", why],
        ["○ edges: 2, you predicted 3", "  three is one edge too many"],
        ["○ edges: 2, you predicted 11", "  that is every node"],
        ["○ edges: 2, you predicted 7", why],
        ["○ edges: 2, you predicted many", "  one number is asked for; two paths lead to w"],
    ]


def test_the_case_of_a_word_is_no_mistake(capsys):
    predict("outcome", {"early": "Error", "late": "NUMBER"})
    observe("outcome", {"early": "error", "late": "error"}, hints=[("late", "not so")])
    predict("who", "Python ")
    observe("who", "both", hints=[("python", "no longer")])
    said = capsys.readouterr().out.splitlines()
    assert "✓ early: error, as you predicted" in said
    assert [line for line in said if line.startswith("  ")] == ["  not so", "  no longer"]


def test_what_makes_a_result_runs_only_where_there_is_a_guess(capsys):
    calls = []
    with pytest.raises(LessonError, match="predict before you look"):
        observe("slope", lambda: calls.append("too early"))
    predict("slope", 2)
    observe("slope", lambda: {"": 2}[""])
    assert not calls and "✓ slope: 2" in capsys.readouterr().out


def test_a_result_that_needs_a_blank_cell_asks_for_it():
    def divide(a, b): ...

    predict("slope", 2)
    with pytest.raises(LessonError, match="✗ slope: nothing to show yet, .*\n.* answers above"):
        observe("slope", lambda: 1 + divide(6, 4))
    with pytest.raises(mg.ShapeError, match="matmul"):
        observe("slope", lambda: mg.matmul(np.ones((2, 3)), np.ones((2, 3))))


@pytest.mark.parametrize(
    "guess, result, said",
    [
        ("many", 3, "one number is asked for; three calls"),
        ((3, 4), 3, "one number is asked for; three calls"),
        (3, [3.0, 4.0], "2 numbers are asked for; three calls"),
        ("error", 3, "three calls"),  # also an outcome
        (4, 3, "three calls"),
        ("many", True, "three calls"),
    ],
)
def test_a_guess_of_another_kind_is_told_what_is_asked_for(guess, result, said, capsys):
    predict("calls", guess)
    observe("calls", result, why="three calls")
    assert capsys.readouterr().out.endswith(f"  {said}\n")


def test_several_guesses_are_answered_one_by_one(capsys):
    with pytest.raises(LessonError, match="three calls: log: no guess yet"):
        predict("three calls", {"lines": 3, "log": ...})
    predict("three calls", {"lines": 3, "log": 1})
    hints = [("lines", "Python came by once"), ("log", "never shown")]
    observe("three calls", {"lines": 1, "log": 1}, hints=hints, why="all of it is one rule")
    assert capsys.readouterr().out.splitlines() == [
        "three calls: you predict lines 3, log 1",
        "○ lines: 1, you predicted 3",
        "  Python came by once",
        "✓ log: 1, as you predicted",
        "all of it is one rule",
    ]


def test_a_refusal_is_an_outcome_too(capsys):
    assert call_or_error(abs, -2) == 2
    assert call_or_error(mg.ones(2).__matmul__, mg.ones(3)) == "error"
    assert "at   test_teach.py" in capsys.readouterr().out
    assert call_or_error(mg.ones(2).__matmul__, mg.ones(3), tell=False) == "error"
    assert capsys.readouterr().out == ""
    with pytest.raises(ZeroDivisionError):
        call_or_error(lambda x: 1 / x, 0)


def test_show_quotes_the_source_and_names_its_file():
    quoted = show(mg.core.ops.elementwise.Exp)
    assert repr(quoted).startswith("# minigrad/core/ops/elementwise.py\nclass Exp(Elementwise):")
    assert "np.exp" in repr(quoted) and "lambda x, z: z" in quoted._repr_html_()
    own = test_no_guess_no_result
    assert repr(show(own)).startswith("# this notebook\ndef test_no_guess_no_result():")
    with pytest.raises(LessonError, match="has no Python source"):
        show(np.exp)


def test_numbers_stand_right_and_words_left():
    shown = table(["step", "value"], [("v1", 2), ("longer", mg.tensor(-0.95892)), ("v3", None)])
    assert repr(shown) == ("step      value\nv1            2\nlonger  -0.9589\nv3            ·")


def test_the_format_is_that_of_floats_alone():
    shown = table(["n", "x"], [(100000, -0.0), (True, 11.6521)], form=".3f")
    assert repr(shown).split() == ["n", "x", "100,000", "0.000", "True", "11.652"]


def test_long_names_may_be_broken_in_html():
    shown = table(["x"], [("torch/autograd/graph.py: Node",), ("0.25 a/b",)])._repr_html_()
    assert "torch/<wbr>autograd/<wbr>graph.<wbr>py: Node" in shown and "0.25 a/b" in shown


def test_html_holds_the_same_cells_escaped():
    assert '<td style="text-align:left">a &lt; b</td>' in table(["x"], [("a < b",)])._repr_html_()


def test_a_number_rounded_to_zero_has_no_sign():
    assert str(table(["saved"], [(-0.3,), (-0.0,), (-7.6,)], form=",.0f")).split() == [
        "saved", "0", "0", "-8",
    ]  # fmt: skip
