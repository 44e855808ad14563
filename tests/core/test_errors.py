"""Errors: the fact, the learner's own line, the cure."""

import pickle
import sys

import pytest
from saying import raises_saying

import minigrad as mg
from minigrad.core.errors import Line, short_name


def test_an_error_shows_fact_line_and_cure():
    with pytest.raises(mg.ShapeError) as caught:
        mg.tensor([1.0, 2.0]) + mg.tensor([1.0, 2.0, 3.0])  # the learner's line
    message, place, hint = str(caught.value).split("\n")
    assert message == "add(x: float64[2], y: float64[3]): lengths 2 and 3 do not broadcast"
    assert place.startswith("  at   test_errors.py:")
    assert place.endswith("+ mg.tensor([1.0, 2.0, 3.0])  # the learner's line")
    assert hint == "  try  make the lengths equal, or one of them 1"


def test_the_line_is_the_learners_while_a_program_is_compiled(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)  # it cannot be imported
    with mg.Graph() as graph:
        y = mg.constant(1.0) * 2
    with pytest.raises(mg.ArgumentError, match="the jax backend needs jax") as caught:
        mg.Session(graph, backend="jax").compile(y)
    assert "at   test_errors.py:" in str(caught.value) and ".compile(y)" in str(caught.value)


def test_a_notebook_shows_the_message_alone():
    error = mg.ArgumentError("the fact", "the cure", Line("lesson.py", 3))
    assert error._render_traceback_() == [
        "ArgumentError: the fact",
        "  at   lesson.py:3",
        "  try  the cure",
    ]


def test_a_notebook_cell_has_no_random_path():
    assert short_name("/tmp/ipykernel_123/456.py") == short_name("<stdin>") == "cell"
    assert short_name("/home/learner/lesson.py") == "lesson.py"


@pytest.mark.parametrize(
    "kind, builtin",
    [
        (mg.ShapeError, ValueError),
        (mg.DtypeError, TypeError),
        (mg.ArgumentError, ValueError),
        (mg.GradientError, RuntimeError),
        (mg.GraphError, RuntimeError),
        (mg.FeedError, ValueError),
        (mg.UsageError, TypeError),
        (mg.MissingError, AttributeError),
    ],
)
def test_errors_are_also_the_matching_builtin(kind, builtin):
    assert issubclass(kind, mg.MinigradError) and issubclass(kind, builtin)


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: mg.transpose([[1.0]], (0,)), "do not name all 2 dimensions"),
        (lambda: mg.squeeze([[1.0, 2.0]], 1), "more than one entry"),
        (lambda: mg.broadcast_to([1.0, 2.0], (3,)), r"does not broadcast to \(3,\)"),
        (lambda: mg.reshape([1.0, 2.0], (-1, -1)), "is not a shape"),
        (lambda: mg.placeholder("x", (None, -3)), "a length is negative"),
        (lambda: mg.placeholder("x", -3), "a length is negative"),
        (lambda: mg.broadcast_to(mg.placeholder("x"), (-3,)), "a length is negative"),
        (lambda: mg.reshape([1.0, 2.0], "ab"), "is not a whole number"),
        (lambda: mg.reshape(mg.tensor([1.0, 2.0]), (-1, 3)), "do not fill"),
        (lambda: mg.concatenate([]), "nothing to concatenate"),
        (lambda: mg.concatenate([1.0, 2.0]), "use stack"),
        (lambda: mg.concatenate([[[1.0]], [[1.0], [2.0]]], axis=1), "differ outside axis 1"),
        (lambda: mg.stack([[1.0], [1.0, 2.0]]), "differ outside axis 0"),
        (lambda: mg.pad([1.0], -1), "whole numbers of 0 or more"),
        (lambda: mg.pad([1.0], ((1, 2), (3, 4))), "do not fit 1 axes"),
        (lambda: mg.clip([1.0], 2, 1), "clip needs numbers"),
        (lambda: mg.mean(mg.tensor([])), "no entries to average"),
        (lambda: mg.max(mg.tensor([])), "no entries to choose from"),
        (lambda: mg.tensor([1.0, 2.0])[0.5], "an index of dtype float64 cannot select entries"),
        (lambda: mg.cross_entropy([1.0], [0]), r"must be \[n, classes\]"),
        (lambda: mg.cross_entropy([[1.0]], [0, 0]), "one label for each row"),
    ],
)
def test_bad_operands(call, text):
    with raises_saying(mg.MinigradError, text) as caught:
        call()
    assert "\n  try  " in str(caught.value)


def raised(function):
    """The error that a call raises."""
    with pytest.raises(mg.MinigradError) as caught:
        function()
    return caught.value


def test_programs_read_the_code_of_an_error_not_its_words():
    x, y = mg.tensor(1.0, requires_grad=True), mg.tensor(2.0, requires_grad=True)
    assert raised(lambda: mg.gradients(x * 2, y)).code == "unconnected"
    assert raised(lambda: mg.gradients(3.0, x)).code == "number"
    assert raised(lambda: mg.gradients("3", x)).code == "no value"
    assert raised(lambda: mg.tensor(...)).code == "blank"
    assert raised(lambda: mg.tensor([1.0, 2.0]) + mg.tensor([1.0, 2.0, 3.0])).code == ""


def test_an_error_keeps_its_code_where_its_words_grow():
    error = raised(lambda: mg.tensor(1.0) + ...)
    assert error.code == "blank"


def test_an_error_keeps_its_code_on_the_way_to_another_process():
    error = mg.GradientError("the fact", code="unconnected")
    assert pickle.loads(pickle.dumps(error)).code == "unconnected"


def test_the_old_names_of_message_and_hint_warn():
    error = mg.ArgumentError("it is 3", "give 4")
    with pytest.warns(DeprecationWarning, match=r"error\.fact is now called error\.message"):
        assert error.fact == error.message == "it is 3"
    with pytest.warns(DeprecationWarning, match=r"error\.mend is now called error\.hint"):
        assert error.mend == error.hint == "give 4"


def test_the_old_argument_of_custom_op_warns():
    with pytest.warns(DeprecationWarning, match="is now called lowerings"):
        f = mg.custom_op(lambda x: x * 2, name="double", elsewhere={"jax": lambda x: x * 2})
    assert set(f.op.lowerings) == {"jax"}
