"""The lessons as students open them: blank where an answer belongs, and whole elsewhere."""

import pytest

from minigrad.course import cli, project
from minigrad.course.lessons import handout, lesson

LESSONS = project.lessons(start=__file__)


def test_predictions_and_answers_are_blank_and_worked_answers_unfold(course, add_lesson, capsys):
    add_lesson(
        "prediction = 2 * 3  # your prediction",
        "a = 1\nt = a + 1  # fill in\nprint(t)",
        "def f(x):\n    # begin answer\n    y = x\n    return y\n    # end answer\nf(1)",
    )
    assert cli.main(["lab", "--copy-only"]) == 0
    cells = lesson.read_lesson(course / "my" / "01_small.ipynb").cells
    assert [c.source for c in cells] == [
        "prediction = ...  # your prediction",
        "a = 1\nt = ...  # fill in\nprint(t)",
        "<details><summary>A worked answer</summary>\n\n```python\nt = a + 1\n```\n\n</details>",
        "def f(x):\n    ...\nf(1)",
        "<details><summary>A worked answer</summary>\n\n```python\n    y = x\n    return y\n```\n\n"
        "</details>",
    ]


def test_what_can_be_left_blank():
    lines = [
        "    u.grad += v.grad * s  # fill in",
        "    return a + b  # fill in",
        "x.slope, n[0] = 1, 2  # fill in",
        "f(1)  # fill in",
    ]
    source, answer = handout.blank_answers("\n".join(lines))
    assert source.split("\n") == [
        "    u.grad += ...  # fill in",
        "    return ...  # fill in",
        "x.slope, n[0] = ...  # fill in",
        "f(1)  # fill in",
    ]
    assert answer == ["    u.grad += v.grad * s", "    return a + b", "x.slope, n[0] = 1, 2"]


def test_the_check_of_a_cell_that_asks_for_a_prediction_and_an_answer_is_folded(add_lesson):
    path = add_lesson(
        "def f():\n    # begin answer\n    return 1\n    # end answer\n"
        "g = 2  # your prediction\npredict('n', g)",
        "check('f', f(), 1)",
    )
    asked, answer, check = handout.hand_out(lesson.read_lesson(path)).cells
    assert asked.source == "def f():\n    ...\ng = ...  # your prediction\npredict('n', g)"
    assert "return 1" in answer.source and check.metadata == {"jupyter": {"source_hidden": True}}


def test_checks_are_folded_also_those_below_a_gap(add_lesson):
    path = add_lesson(
        "t = 2  # fill in\ncheck('t', t, 2, hints=[\n    (1, 'no')])\nt",
        "check('shown', t, 2)",
        "f = abs  # fill in",
        "n = 1\ncheck('f', f, n)",
        "def g():\n    # begin answer\n    return 1\n    # end answer\nm = 1\ncheck('g', g(), m)",
        "def h():\n    # begin answer\n    x = 1\n    # end answer\n    return x\ncheck('h', h, 1)",
        "prediction = 3  # your prediction\n\ncheck('g', prediction, 3)",
        "print('recheck (it)')",
    )
    given = handout.hand_out(lesson.read_lesson(path)).cells
    folds = {"jupyter": {"source_hidden": True}}
    assert [(c.source, c.metadata) for c in given if c.cell_type == "code"] == [
        ("t = ...  # fill in", {}),
        ("# check\ncheck('t', t, 2, hints=[\n    (1, 'no')])\nt", folds),
        ("check('shown', t, 2)", {}),
        ("f = ...  # fill in", {}),
        ("# check\nn = 1\ncheck('f', f, n)", folds),
        ("def g():\n    ...", {}),
        ("# check\nm = 1\ncheck('g', g(), m)", folds),
        ("def h():\n    ...\n    return x", {}),
        ("# check\ncheck('h', h, 1)", folds),
        ("prediction = ...  # your prediction", {}),
        ("# check\ncheck('g', prediction, 3)", folds),
        ("print('recheck (it)')", {}),
    ]
    assert [c.cell_type for c in given[:3]] == ["code", "markdown", "code"]  # a worked answer
    assert len({c.id for c in given}) == len(given)
    key = lesson.without_outputs(lesson.read_lesson(path)).cells
    assert len(key) == 8 and [c.metadata for c in key] == [{}] * 8


def test_no_answer_is_folded_with_a_check():
    answers = "# begin answer\na = 1\n# end answer\nb = 2\n# begin answer\nc = 3\n# end answer\n"
    assert handout.above_check(f"{answers}n = 3\ncheck('c', c, n)") == answers.rstrip()


def test_what_answers_a_prediction_is_folded(add_lesson):
    path = add_lesson("observe('edges', 2, why='two')", "n = 2\nobserve('more', n)")
    first, second = handout.hand_out(lesson.read_lesson(path)).cells
    assert first.source == "# your prediction, answered\nobserve('edges', 2, why='two')"
    assert first.metadata == {"jupyter": {"source_hidden": True}}
    assert (second.source, second.metadata) == ("n = 2\nobserve('more', n)", {})


def test_a_check_that_tells_nothing_stays_open(add_lesson):
    path = add_lesson(
        "def f():\n    # begin answer\n    return 2\n    # end answer",
        "check(f)",
        "t = 2  # fill in\ncheck('exit', t)",
        "observe('edges', 2)",
    )
    given = handout.hand_out(lesson.read_lesson(path)).cells
    assert [cell.source for cell in given if cell.cell_type == "code"] == [
        "def f():\n    ...",
        "check(f)",
        "t = ...  # fill in\ncheck('exit', t)",
        "observe('edges', 2)",
    ]
    assert not any(cell.metadata for cell in given)


def test_the_key_keeps_the_answers_and_lies_apart(course, add_lesson, capsys):
    add_lesson("prediction = 6  # your prediction")
    assert cli.main(["lab", "--copy-only", "--key"]) == 0
    assert not (course / "my" / "01_small.ipynb").exists()
    (cell,) = lesson.read_lesson(course / "my" / "key" / "01_small.ipynb").cells
    assert cell.source == "prediction = 6  # your prediction"


@pytest.mark.parametrize("path", LESSONS, ids=lambda p: p.stem)
def test_every_answer_of_a_lesson_is_marked_for_blanking(path):
    key = lesson.read_lesson(path)
    asked = [c for c in key.cells if c.cell_type == "code" and "predict(" in c.source]
    assert asked and all("# your prediction" in c.source for c in asked if "import" not in c.source)
