"""The instructor's bank: what a file of it says, and the notebook that it stands for."""

import pytest

from minigrad.course.grading import bank, notebook
from minigrad.errors import ArgumentError


def member(folder, text):
    """The member that a file with `text` is."""
    path = folder / "one.py"
    path.write_text(text)
    return bank.read(path)


def cells(one, tiny):
    """{name: text} of the notebook that the member hands in."""
    return {cell.name: cell.source for cell in notebook.cells(bank.submission(one, tiny))}


def test_a_cell_takes_the_place_of_the_keys_or_follows_it(tiny, tmp_path):
    one = member(tmp_path, '"""Loses q1: why."""\n# %% q1 after the key\ndouble = abs\n'
                           "# %% q2\ntotal = sum\n")
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
