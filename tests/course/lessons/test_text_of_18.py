"""The text of lesson 18, and how it is dealt out."""

import numpy as np

from minigrad.course.lessons import l18


def test_the_text_is_small_and_has_the_letters_that_the_lesson_knows():
    text = l18.read_text()
    assert set(text) == set(l18.LETTERS) and len(l18.LETTERS) == 31
    assert 40_000 < len(text) == len(text.encode()) <= 100_000
    assert all(line.endswith((".", "?")) for line in text.splitlines())


def test_the_target_of_each_letter_is_the_next_one():
    numbers = np.arange(50)
    letters, targets = l18.batch(np.random.default_rng(0), numbers, rows=200, context=8)
    assert letters.shape == targets.shape == (200, 8)
    assert (targets == letters + 1).all() and (np.diff(letters) == 1).all()
    assert letters.min() == 0 and targets.max() == 49


def test_progress_counts_and_shows_a_bar(capsys):
    assert list(l18.progress(3)) == [0, 1, 2]
    assert list(l18.progress(100)) == list(range(100))
