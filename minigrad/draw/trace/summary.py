"""What is told of an array: its form, its range, a histogram; all its numbers if they are few."""

from typing import NamedTuple

import numpy as np

from minigrad.draw.read import clean, number_text

MOST = 64  # numbers of an array that are kept
BINS = 16


class Summary(NamedTuple):
    """A value at one step. `text` is short: "6", "[1, 2]", or the range "-1.2 … 0.8"."""

    text: str
    shape: tuple = ()
    dtype: str = ""
    numbers: list | float | None = None  # a nest of lists
    low: float | None = None
    high: float | None = None
    mean: float | None = None
    bins: tuple = ()  # counts, from low to high
    odd: str = ""  # "2 NaN, 1 infinite"


def summary(value):
    """The Summary of an array, a number, a tuple of arrays, or anything else."""
    if isinstance(value, tuple):
        return Summary(clean(f"({', '.join(summary(part).text for part in value)})", 28))
    try:
        array = np.asarray(value)
    except Exception:
        return Summary(clean(value, 24))
    if array.dtype.kind not in "biuf":
        return Summary(clean(value, 24))
    form = {"shape": array.shape, "dtype": str(array.dtype)}
    if array.size <= MOST:
        form["numbers"] = array.tolist()
    facts = statistics(array)
    text = number_text(array) or range_text(array, facts.get("low"), facts.get("high"))
    return Summary(text, **form, **facts)


def range_text(array, low, high):
    """The smallest and the largest number of an array, if there are finite ones."""
    if low is None:
        return "not finite" if array.size else "empty"
    return f"all {low:.3g}" if low == high else f"{low:.2g} … {high:.2g}"


def statistics(array):
    """Range, mean and histogram of the finite numbers; what else there is, in words."""
    numbers = array.astype(float, copy=False).ravel()
    finite = numbers[np.isfinite(numbers)]
    nan, infinite = int(np.isnan(numbers).sum()), int(np.isinf(numbers).sum())
    odd = ", ".join([f"{nan} NaN"] * bool(nan) + [f"{infinite} infinite"] * bool(infinite))
    if not finite.size:
        return {"odd": odd}
    low, high = float(finite.min()), float(finite.max())
    with np.errstate(over="ignore"):
        mean = float(finite.mean())
    bins = tuple(counts(finite, low, high)) if low < high and numbers.size > 1 else ()
    return {"low": low, "high": high, "mean": mean, "bins": bins, "odd": odd}


def counts(numbers, low, high):
    """How many numbers lie in each of BINS equal parts of [low, high]."""
    scale = max(abs(low), abs(high))  # so that the width of the range is finite
    places = (numbers / scale - low / scale) / (high / scale - low / scale) * BINS
    return np.bincount(np.minimum(places.astype(int), BINS - 1), minlength=BINS).tolist()
