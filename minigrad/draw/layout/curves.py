"""Cubic curves as lists of points: start, then three points per curve."""

from itertools import pairwise

STEPS = 12  # points per curve that are tested against nodes
CLEAR = 5  # pixels kept free around nodes


def curve(start, end, bow=0.0):
    """One cubic from left to right, level at both ends; `bow` bends it aside."""
    reach = (end[0] - start[0]) * 0.45
    return (start, (start[0] + reach, start[1] + bow), (end[0] - reach, end[1] + bow), end)


def straight(start, end):
    """A line as one cubic curve."""
    third = tuple(s + (e - s) / 3 for s, e in zip(start, end))
    return (start, third, tuple(2 * t - s for s, t in zip(start, third)), end)


def bezier(points, t):
    """The point of a cubic curve at t."""
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    return tuple(sum(w * p[axis] for w, p in zip(weights, points)) for axis in (0, 1))


def samples(points):
    """Points along the cubic curves."""
    for at in range(0, len(points) - 1, 3):
        for step in range(1, STEPS):
            yield bezier(points[at : at + 4], step / STEPS)


def hits(points, boxes):
    """Whether the curve comes too near to one of the boxes."""
    for x, y in samples(points):
        for box in boxes:
            if abs(x - box.x) < box.w / 2 + CLEAR and abs(y - box.y) < box.h / 2 + CLEAR:
                return True
    return False


def length(points):
    """About how long a path is."""
    return round(sum(abs(x - u) + abs(y - v) for (x, y), (u, v) in pairwise(points)), 1)
