"""Comparing numbers: bit for bit, within a tolerance, and with differences of the oracle."""

import numpy as np

ROUNDING = {2: 2e-2, 4: 2e-4, 8: 1e-9}  # by bytes of the narrowest float


def same_bits(a, b):
    """True for equal dtype, shape and bits; a NaN is a NaN whatever its bits."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    if a.tobytes() == b.tobytes():
        return True
    if a.dtype.kind != "f":
        return False
    nan = np.isnan(a)
    return bool(np.array_equal(nan, np.isnan(b)) and a[~nan].tobytes() == b[~nan].tobytes())


def close(a, b, tolerance):
    """True for equal dtype and shape, and numbers that differ little beside the largest."""
    return a.dtype == b.dtype and a.shape == b.shape and near(a, b, tolerance)


def near(a, b, tolerance):
    """True for numbers that differ little beside the largest; inf and NaN in the same places."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    finite = np.isfinite(a)
    if not np.array_equal(finite, np.isfinite(b)):
        return False
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return False
    a, b = a[finite], b[finite]
    scale = max(np.abs(a).max(initial=0), np.abs(b).max(initial=0), 1e-3)
    return bool(np.all(np.abs(a - b) <= tolerance * scale))


def rounding(values):
    """The tolerance for programs that hold these values."""
    sizes = [v.dtype.itemsize for v in values if v.dtype.kind == "f"]
    return ROUNDING[min(sizes, default=8)]


# differences -------------------------------------------------------------------------------------

STEP = 2.0**-8


def differences(f, step=STEP):
    """((f', its error), (f'', its error)) of a function of one number, at 0.

    None in the place of a pair where f has a kink or a jump there, or where no step is right.
    Central differences with three steps, each half of the one before, extrapolated twice.
    """
    middle = f(0.0)
    ends = [(f(h), f(-h), h) for h in (step, step / 2, step / 4)]
    if not np.all(np.isfinite([middle, *(e for pair in ends for e in pair)])):
        return None, None
    first = [(up - down) / (2 * h) for up, down, h in ends]
    bent = [(up - 2 * middle + down) / h for up, down, h in ends]
    second = [b / h for b, (_, _, h) in zip(bent, ends)]
    noise = 4e-16 * max(abs(middle), *(abs(e) for pair in ends for e in pair[:2]))
    kink = abs(2 * bent[2] - bent[1])
    slope, error = extrapolated(first)
    error += noise / step + kink
    curve, wrong = extrapolated(second)
    return (slope, error), (curve, wrong + 16 * noise / step**2 + kink / step)


def extrapolated(values):
    """(Richardson's extrapolation of three values at halved steps, how far the last moved it)."""
    a, b, c = values
    one, two = (4 * b - a) / 3, (4 * c - b) / 3
    return two, abs(two - one)
