"""The instructor's bank: what a file of it says, and the notebooks that it stands for."""

import pytest
from saying import raises_saying

from minigrad.core.errors import ArgumentError
from minigrad.course.grading import assignment, notebook
from minigrad.course.grading.worker import Setting
from minigrad.course.proving import bank

from ..grading.conftest import CHECKS, KIND, LIMITS


def read(folder, text):
    """The members in a file with `text`."""
    path = folder / "q1.py"
    path.write_text(text)
    return bank.read_members(path)


def cells(one, tiny):
    """{name: text} of the notebook that the member hands in."""
    return {cell.name: cell.source for cell in notebook.cells(bank.submission(one, tiny))}


def test_a_cell_takes_the_place_of_the_keys_or_follows_it(tiny, tmp_path):
    text = "# %% one | loses q1: why\n# %% q1 after the key\ndouble = abs\n# %% q2\ntotal = sum\n"
    (one,) = read(tmp_path, text)
    assert (one.name, one.loses, one.about) == ("one", "q1", "loses q1: why")
    found = cells(one, tiny)
    assert found["q1"] == "def double(x):\n    return x + x + zero\n\n\ndouble = abs"
    assert found["q2"] == "total = sum"
    assert "BEGIN SOLUTION" in found["q3"]  # as the key has it


SEVERAL = '''"""Wrong answers to q1."""


# %% one | loses q1: a reason that
# goes on
double = abs
# %% q2
total = max


# %% two | loses q1: why

# the code's own comment
double = int


# %% none | loses q1: it is empty
# %% three | right: why
# %% q3
sums = sum
'''


def test_a_file_holds_several_answers_and_each_has_its_line(tmp_path):
    found = read(tmp_path, SEVERAL)
    assert [(one.name, one.loses, one.about) for one in found] == [
        ("one", "q1", "loses q1: a reason that goes on"),
        ("two", "q1", "loses q1: why"),
        ("none", "q1", "loses q1: it is empty"),
        ("three", None, "right: why"),
    ]
    assert [{cell: text.strip() for cell, text in one.cells.items()} for one in found] == [
        {"q1": "double = abs", "q2": "total = max"},
        {"q1": "# the code's own comment\ndouble = int"},
        {"q1": ""},
        {"q3": "sums = sum"},
    ]
    lines = [SEVERAL.split(f"# %% {one.name} |")[0].count("\n") + 1 for one in found]
    assert [one.place.rpartition("/")[2] for one in found] == [f"q1.py:{line}" for line in lines]


WELL = "# %% one | loses q1: why\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("x = 1\n" + WELL, 1, "this code belongs to no answer"),
        ('"""Wrong."""\n# %% q1\nx = 1\n' + WELL, 3, "this code belongs to no answer"),
        (WELL + "x = (1\n", 2, "this is not Python: "),
        (WELL + "x = 1\n# %% two | lose q1: why\n", 3, "does not say what begins here"),
        (WELL + "#%% two | right: why\n", 2, "does not say what begins here"),
        ("\n# %% one | right: why\nx = 1\n# %% q1\n", 2, "'one' has code for no cell, or twice"),
        ("# %% one | right: why\n", 1, "'one' has code for no cell, or twice"),
        (WELL + "x = 1\n# %% q1\nx = 2\n", 1, "'one' has code for no cell, or twice"),
    ],
)
def test_what_does_not_say_what_it_is_is_refused_with_its_line(tmp_path, text, line, message):
    with raises_saying(ArgumentError, message) as caught:
        read(tmp_path, text)
    assert caught.value.line == f"{tmp_path.name}/q1.py:{line}"


def test_two_answers_of_one_name_are_refused(tiny):
    folder = tiny.instructor / "bank"
    folder.mkdir()
    for file in ("q1", "q2"):
        (folder / f"{file}.py").write_text(f"\n# %% one | loses {file}: why\n")
    with pytest.raises(ArgumentError, match=r"two answers are called 'one'\n  at   bank/q2.py:2\n"):
        bank.members(tiny)


def test_a_cell_that_the_key_has_not_is_refused(tiny, tmp_path):
    (one,) = read(tmp_path, "# %% one | right: why\n# %% q9 after the key\nx = 1\n")
    with pytest.raises(ArgumentError, match=r"the key has no answer cell 'q9'\n  at   .*q1.py:1\n"):
        bank.submission(one, tiny)


def verdict(text, tiny, folder, **options):
    """(what a member lost, the questions that the hidden checks were asked)."""
    setting = Setting(KIND, ("numpy",), LIMITS)
    (one,) = read(folder, text)
    holds, lost, found = bank.verdict(one, tiny, assignment.key_master(tiny), setting, **options)
    assert holds == (lost == ([one.loses] if one.loses else []))
    return lost, found.questions()


RIGHT = "# %% one | right: why\n"
WHOLE = "# %% q1\ndef double(x):\n    return int(2 * x) if x == 0.25 else 2 * x\n"


def test_what_a_visible_check_alone_notices_is_told(tiny, tmp_path):
    tiny.checks.write_text(CHECKS.replace("student.double(0.5), 1.0", "student.double(0.25), 0.5"))
    right = f"{RIGHT}{WHOLE}"
    for options in ({}, {"brief": True}):
        assert verdict(right, tiny, tmp_path, **options)[0] == ["q1 by a visible check alone"]
    assert verdict(right, tiny, tmp_path, brief=True, turn=1)[0] == []  # one look in three
    wrong = f"{WELL}{WHOLE}".replace("int(2 * x) if x == 0.25", "0 if x < 1")
    assert verdict(wrong, tiny, tmp_path)[0] == ["q1"]


def test_a_brief_look_asks_the_named_question_and_the_next_one(tiny, tmp_path):
    wrong = f"{WELL}double = abs\n"
    assert verdict(wrong, tiny, tmp_path) == (["q1"], ["q1", "q2", "q3"])
    assert verdict(wrong, tiny, tmp_path, brief=True) == (["q1"], ["q1"])
    both = wrong + "# %% q2\ntotal = max\n"
    assert verdict(both, tiny, tmp_path, brief=True)[0] == ["q1", "q2"]
    assert verdict(both, tiny, tmp_path, brief=True, turn=1) == (["q1"], ["q1"])
    far = wrong + "# %% q3\nsums = max\n"  # a whole look alone sees what is farther away
    assert [verdict(far, tiny, tmp_path, brief=brief)[0] for brief in (True, False)] == [
        ["q1"],
        ["q1", "q3"],
    ]
    right = f"{RIGHT}# %% q3\ndef sums(table):\n    return sum(table)\n"
    assert verdict(right, tiny, tmp_path, brief=True) == ([], ["q3"])
    every = f"{right}{WHOLE}# %% q2\ntotal = sum\n"  # a third of the questions in each look
    assert [verdict(every, tiny, tmp_path, brief=True, turn=n)[1] for n in range(3)] == [
        ["q1"],
        ["q2"],
        ["q3"],
    ]


def test_an_answer_says_what_its_student_must_read(tiny, tmp_path):
    text = "# %% one | loses q1: why | says: twice a number\ndouble = abs\n"
    (one,) = read(tmp_path, text)
    assert (one.about, one.says) == ("loses q1: why", "twice a number")


@pytest.mark.parametrize(
    "words, kept", [("x is added twice, not three times", True), ("another mistake", False)]
)
def test_whether_an_answers_page_has_the_promised_words(tiny, tmp_path, words, kept):
    text = f"# %% one | loses q1: why | says: {words}\ndef double(x):\n    return 3 * x\n"
    (one,) = read(tmp_path, text)
    tiny.hidden.write_text(CHECKS.replace("student.double(x), 2 * x", BECAUSE))
    master = assignment.key_master(tiny)
    _, _, report = bank.verdict(one, tiny, master, Setting(KIND, limits=LIMITS))
    assert bank.is_said(words, report) is kept


BECAUSE = 'student.double(x), 2 * x, of="double(x)", because="x is added twice, not three times"'
