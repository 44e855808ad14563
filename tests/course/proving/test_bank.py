"""The instructor's bank: what a file of it says, and the notebook that it stands for."""

import pytest

from minigrad.core.errors import ArgumentError
from minigrad.course.grading import assignment, notebook
from minigrad.course.grading.worker import Setting
from minigrad.course.proving import bank

from ..grading.conftest import CHECKS, KIND, LIMITS


def member(folder, text):
    """The member that a file with `text` is."""
    path = folder / "one.py"
    path.write_text(text)
    return bank.read_member(path)


def cells(one, tiny):
    """{name: text} of the notebook that the member hands in."""
    return {cell.name: cell.source for cell in notebook.cells(bank.submission(one, tiny))}


def test_a_cell_takes_the_place_of_the_keys_or_follows_it(tiny, tmp_path):
    one = member(
        tmp_path,
        '"""Loses q1: why."""\n# %% q1 after the key\ndouble = abs\n# %% q2\ntotal = sum\n',
    )
    assert (one.loses, one.about) == ("q1", "Loses q1: why.")
    found = cells(one, tiny)
    assert found["q1"] == "def double(x):\n    return x + x + zero\n\n\ndouble = abs"
    assert found["q2"] == "total = sum"
    assert "BEGIN SOLUTION" in found["q3"]  # as the key has it


@pytest.mark.parametrize("text", ['"""Loses q1: why."""\n', '"""A wrong one."""\n# %% q1\nx = 1\n'])
def test_a_file_that_does_not_say_what_it_is_is_refused(tmp_path, text):
    with pytest.raises(ArgumentError, match="one.py does not say what it is"):
        member(tmp_path, text)


def test_a_cell_that_the_key_has_not_is_refused(tiny, tmp_path):
    one = member(tmp_path, '"""Full points: why."""\n# %% q9 after the key\nx = 1\n')
    with pytest.raises(ArgumentError, match="the key has no answer cell 'q9'"):
        bank.submission(one, tiny)


def verdict(text, tiny, folder, **options):
    """(what a member lost, the questions that the hidden checks were asked)."""
    setting = Setting(KIND, ("numpy",), LIMITS)
    one = member(folder, text)
    holds, lost, found = bank.verdict(one, tiny, assignment.key_master(tiny), setting, **options)
    assert holds == (lost == ([one.loses] if one.loses else []))
    return lost, found.questions()


WHOLE = "# %% q1\ndef double(x):\n    return int(2 * x) if x == 0.25 else 2 * x\n"


def test_what_a_visible_check_alone_notices_is_told(tiny, tmp_path):
    tiny.checks.write_text(CHECKS.replace("student.double(0.5), 1.0", "student.double(0.25), 0.5"))
    right = f'"""Full points: why."""\n{WHOLE}'
    for options in ({}, {"brief": True}):
        assert verdict(right, tiny, tmp_path, **options)[0] == ["q1 by a visible check alone"]
    assert verdict(right, tiny, tmp_path, brief=True, turn=1)[0] == []  # one look in three
    wrong = f'"""Loses q1: why."""\n{WHOLE}'.replace("int(2 * x) if x == 0.25", "0 if x < 1")
    assert verdict(wrong, tiny, tmp_path)[0] == ["q1"]


def test_a_brief_look_asks_the_named_question_and_the_next_one(tiny, tmp_path):
    wrong = '"""Loses q1: why."""\n# %% q1\ndouble = abs\n'
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
    right = '"""Full points: why."""\n# %% q3\ndef sums(table):\n    return sum(table)\n'
    assert verdict(right, tiny, tmp_path, brief=True) == ([], ["q3"])
    every = f"{right}{WHOLE}# %% q2\ntotal = sum\n"  # a third of the questions in each look
    assert [verdict(every, tiny, tmp_path, brief=True, turn=n)[1] for n in range(3)] == [
        ["q1"],
        ["q2"],
        ["q3"],
    ]
