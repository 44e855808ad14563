"""The digits and their batches."""

import sys
from pathlib import Path

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg
from minigrad import data


def test_the_digits_are_all_there_and_split_without_overlap():
    digits = data.digits(test=300)
    assert digits.train_images.shape == (1497, 64) and digits.test_images.shape == (300, 64)
    assert digits.train_images.min() == 0 and digits.train_images.max() == 1
    assert set(digits.test_labels) == set(range(10))
    everything = np.concatenate([digits.train_images, digits.test_images])
    assert len({image.tobytes() for image in everything}) == 1797
    again = data.digits(test=300)
    np.testing.assert_array_equal(digits.train_labels, again.train_labels)


def test_without_scikit_learn_the_cure_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(mg.MinigradError, match="scikit-learn, which is not installed"):
        data.digits()


def test_the_digits_beside_the_file_are_those_of_scikit_learn(monkeypatch):
    sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    usual = data.digits()
    file = Path(sklearn.__file__).parent / "datasets" / "data" / "digits.csv.gz"
    monkeypatch.setattr("minigrad.nn.data.BESIDE", file)
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    for mine, theirs in zip(data.digits(), usual, strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


def test_batches_are_a_shuffle_that_keeps_rows_together():
    x, y = np.arange(10), np.arange(10) * 2
    parts = list(data.batches(x, y, size=3, seed=1))
    assert [len(a) for a, _ in parts] == [3, 3, 3]
    seen = np.concatenate([a for a, _ in parts])
    assert len(set(seen)) == 9 and seen.tolist() != sorted(seen)
    assert all((b == 2 * a).all() for a, b in parts)
    ((chosen,),) = data.batches([1, 2, 3], size=2, seed=1)
    assert isinstance(chosen, np.ndarray) and set(chosen) < {1, 2, 3}
    ((tensor,),) = data.batches(mg.ones(3), size=2)
    assert isinstance(tensor, mg.Tensor)


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: data.digits(test=0), "test=0"),
        (lambda: data.digits(test=1797), "test=1797, but there are 1797 digits"),
        (lambda: data.digits(test=1.5), "test=1.5"),
        (lambda: next(data.batches(np.ones(3), np.ones(4), size=2)), "rows"),
        (lambda: next(data.batches(np.ones(3), size=4)), "batches of 4"),
        (lambda: next(data.batches(np.ones(3), size=1.5)), "size=1.5"),
        (lambda: next(data.batches(np.ones(3), size=0)), "size=0"),
        (lambda: next(data.batches(np.ones(()), size=1)), "rows"),
        (lambda: next(data.batches(3, size=1)), "rows"),
        (lambda: next(data.batches(size=1)), "rows"),
    ],
)
def test_bad_input_is_one_clear_message(call, text):
    with raises_saying(mg.ArgumentError, text):
        call()
