"""The parts that every lesson has: a whole one has all, and each is missed where it is gone."""

import pytest

from minigrad.course import cli
from minigrad.course.commands import lint
from minigrad.course.lessons import form

WHOLE = (
    "# 01 · A claim\n\n**Goal.** Do it.\n\nAbout 30 minutes.",
    "#\n**Recall.** What was it?",
    "#\n| word | symbol | call |\n|---|---|---|\n| slope | $s$ | `f(x)` |",
    f"try:\n    import minigrad as mg\n{form.OPENING}"
    'prediction = 2  # your prediction\npredict("slope", prediction)',
    'observe("slope", 5, hints=[(2, "no")], why="it is")',
    "<details><summary>Why?</summary>\n\n$y = x^2$, for \\$5, in code `$HOME`.\n\n</details>",
    "mg.draw(y)",
    't = 3  # fill in\ncheck("t", t, 3)',
    "def f(x):\n    # begin answer\n    return x\n    # end answer",
    "## A bug, seen in its picture",
    "## The same in the other engine",
    "## Go further\n\n★ one\n\n★★★ two\n\n**History.** Someone, once.",
    "#\n**Exit question.** What is next?\n\n**Sources.** Someone, a title.",
)

UNFOLDED = "'slope' is answered in a cell that is not folded"


@pytest.fixture
def lacking(add_lesson):
    """The facts that are found for the whole lesson with one text changed into another."""

    def find(old="", new="", name="01_small"):
        assert not old or sum(old in cell for cell in WHOLE) == 1
        cells = [cell.replace(old, new, 1) if old else cell for cell in WHOLE]
        return [finding.message for finding in lint.missing_parts(add_lesson(*cells, name=name))]

    return find


def test_a_whole_lesson_lacks_nothing(lacking):
    assert lacking() == []


def test_a_heading_stands_once(lacking):
    twice = "## A bug, seen in its picture\n\nOne.\n\n## A bug, seen in its picture"
    found = lacking("## A bug, seen in its picture", twice)
    assert found == ["the heading 'A bug, seen in its picture' stands 2 times"]


@pytest.mark.parametrize(
    "old, message",
    [
        ("**Goal.** Do it.", "no goal"),
        ("About 30 minutes.", "no time"),
        ("**Recall.**", "no recall question"),
        ("in its picture", "no planted bug"),
        ("the other engine", "no contrast"),
        ("**Exit question.**", "no exit question"),
        ("**Sources.** Someone", "no sources"),
        ("IPython", "no opening"),
        ("# fill in", "no faded exercise"),
        ("# begin answer", "no open exercise"),
        ('check("t", t, 3)', "no check"),
        ("mg.draw(y)", "no picture"),
        (" · A claim", "no title"),
    ],
)
def test_a_missing_part_is_named(lacking, old, message):
    assert lacking(old, "x") == [message]


def test_a_lesson_says_how_to_install_what_it_imports(lacking):
    begun = "raise UsageError('Install the course first: "
    assert lacking(begun, "raise UsageError('Install it: ") == ["no opening"]
    assert lacking("prediction = 2", "import minigrad.optim\nprediction = 2") == [
        "minigrad is imported outside of the opening"
    ]


def test_the_title_bears_the_number_of_the_file(lacking):
    assert lacking(name="02_small") == ["no title"]


def test_a_sitting_is_not_longer_than_45_minutes(lacking):
    assert lacking("30 minutes", "45 minutes") == []
    assert lacking("30 minutes", "46 minutes") == ["46 minutes, above 45"]


def test_each_question_is_predicted_and_then_observed(lacking):
    assert lacking('predict("slope", prediction)', "pass") == [
        "'slope' is observed before it is predicted",
        "no prediction",
    ]
    assert lacking('observe("slope"', 'print("slope"') == [
        "'slope' is predicted and never observed"
    ]
    assert lacking('observe("slope"', 'observe("other"') == [
        "'other' is observed before it is predicted",
        "'slope' is predicted and never observed",
    ]


def test_a_prediction_may_be_answered_below_the_check_of_an_answer(lacking, add_lesson):
    checked = 'check("box", box, 3)\nobserve("slope"'
    assert lacking('observe("slope"', checked) == [UNFOLDED]
    asked = [cell.replace("prediction = 2", "box = 3  # fill in\nprediction = 2") for cell in WHOLE]
    cells = [cell.replace('observe("slope"', checked) for cell in asked]
    assert list(lint.missing_parts(add_lesson(*cells, name="01_small"))) == []


def test_the_lint_prints_what_is_missing(add_lesson, capsys):
    add_lesson(*WHOLE[:-1])
    assert cli.main(["lint"]) == 1
    said = capsys.readouterr().out
    assert "01_small.ipynb: no exit question; **Exit question.**\n" in said
    assert "01_small.ipynb: no sources; **Sources.** with authors and titles\n" in said


def test_what_is_no_notebook_is_left_to_the_other_rules(course):
    (course / "notebooks" / "00_bad.ipynb").write_text("{}")
    assert list(lint.missing_parts(course / "notebooks" / "00_bad.ipynb")) == []


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("| word | symbol |", "| word |", "no table of names"),
        ("**History.**", "x", "no history"),
        ("★★★", "★★", "no further tasks"),
        ("$s$", "s", "1 typeset formulas"),
        ("$s$", "$s$ $t", "a formula does not end"),
        ('observe("slope"', 'n = 1\nobserve("slope"', UNFOLDED),
        ('hints=[(2, "no")], ', "", "'slope' does not answer the prediction"),
        (', why="it is"', "", "'slope' does not answer the prediction"),
        ("<details><summary>Why?</summary>", "#", "what explains 'slope' is in sight"),
    ],
)
def test_what_a_part_lacks_is_named(lacking, old, new, message):
    assert lacking(old, new) == [message]
