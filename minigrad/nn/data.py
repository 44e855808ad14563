"""Data sets: real handwritten digits, and batches of them."""

import os
from collections.abc import Iterator
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import minigrad as mg
from minigrad.nn.layers import check_sizes

__all__ = ["Digits", "batches", "digits"]

if not TYPE_CHECKING:  # to types, what is not there is an error

    def __getattr__(name: str) -> object:
        """Say what to write for a data set from elsewhere."""
        raise mg.missing(name, __all__, "data")


# scikit-learn's file, in the browser's wheel
BESIDE = os.path.join(os.path.dirname(__file__), "digits.csv.gz")


class Digits(NamedTuple):
    """Images as rows of 64 grey values in [0, 1], and the digit each shows."""

    train_images: np.ndarray
    train_labels: np.ndarray
    test_images: np.ndarray
    test_labels: np.ndarray


def digits(test: int = 360, seed: int = 0) -> Digits:
    """Load the 1,797 handwritten digits (8 × 8) of scikit-learn, shuffled and split in two.

    Source: E. Alpaydin, C. Kaynak, Optical Recognition of Handwritten Digits, UCI, 1998.

    >>> mg.nn.data.digits().test_images.shape
    (360, 64)
    """
    images, labels = read_digits()
    check_sizes(test=test)
    if not test < len(images):
        message = f"test={test}, but there are {len(images)} digits"
        raise mg.ArgumentError(message, f"choose from 1 to {len(images) - 1}")
    order = np.random.default_rng(seed).permutation(len(images))
    images, labels = images[order] / 16, labels[order]
    return Digits(images[test:], labels[test:], images[:test], labels[:test])


def read_digits() -> tuple[np.ndarray, np.ndarray]:
    """Images [1797,64] of grey values from 0 to 16, and the digit each shows."""
    if os.path.exists(BESIDE):
        rows = np.loadtxt(BESIDE, delimiter=",")
        return rows[:, :-1], rows[:, -1].astype(int)
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        message = "the digits need scikit-learn, which is not installed"
        raise mg.MinigradError(message, 'pip install "minigrad-course[course]"') from None
    found: tuple[np.ndarray, np.ndarray] = load_digits(return_X_y=True)
    return found


def batches(*arrays: Any, size: int, seed: int = 0) -> Iterator[tuple[np.ndarray, ...]]:
    """Yield the arrays in random order, `size` examples at a time; a smaller rest is left out.

    >>> [len(x) for (x,) in mg.nn.data.batches(np.zeros(10), size=4, seed=1)]
    [4, 4]
    """
    check_sizes(size=size)
    arrays = tuple(
        mg.tensor(a).numpy() if isinstance(a, (list, tuple, Real)) else a for a in arrays
    )
    rows = [len(a) if a.ndim else 0 for a in arrays]
    if len(set(rows)) != 1 or size > rows[0]:
        message = f"batches of {size} rows cannot be taken from arrays of {rows} rows"
        raise mg.ArgumentError(
            message, "pass arrays of equal length, and a size of at most that length"
        )
    order = np.random.default_rng(seed).permutation(len(arrays[0]))
    for start in range(0, len(order) - size + 1, size):
        chosen = order[start : start + size]
        yield tuple(a[chosen] for a in arrays)
