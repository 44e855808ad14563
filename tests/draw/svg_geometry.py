"""Rectangles, transforms and paths of SVG, as arrays of points."""

import re
from itertools import pairwise
from typing import NamedTuple

import numpy as np

STEPS = 16  # straight pieces for a curve
NUMBER = r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


class Extent(NamedTuple):
    """The sides of a rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    width = property(lambda self: self.right - self.left)
    height = property(lambda self: self.bottom - self.top)
    centre = property(lambda self: ((self.left + self.right) / 2, (self.top + self.bottom) / 2))

    def area(self):
        """Width times height."""
        return self.width * self.height

    def corners(self):
        """The four corners."""
        return [(x, y) for x in (self.left, self.right) for y in (self.top, self.bottom)]

    def shrink(self, margin):
        """The rectangle without a margin on all sides."""
        left, top, right, bottom = self
        return Extent(left + margin, top + margin, right - margin, bottom - margin)

    def overlap(self, other):
        """Width and height of what two rectangles share; one is negative where they are apart."""
        width = min(self.right, other.right) - max(self.left, other.left)
        return width, min(self.bottom, other.bottom) - max(self.top, other.top)

    def encloses(self, other):
        """Whether the other rectangle is inside."""
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom


def extent_of(points):
    """The rectangle around points."""
    return Extent(*map(float, (*points.min(axis=0), *points.max(axis=0))))


# transforms --------------------------------------------------------------------------------------


def matrix_of(transform):
    """The matrix of a `transform` attribute, whose parts apply from the last to the first."""
    matrix = np.eye(3)
    for name, inside in re.findall(r"(\w+)\(([^)]*)\)", transform):
        matrix = matrix @ TRANSFORMS[name](*map(float, re.findall(NUMBER, inside)))
    return matrix


def affine(a, b, c, d, e, f):
    """x' = a x + c y + e, y' = b x + d y + f."""
    return np.array([[a, c, e], [b, d, f], [0, 0, 1]])


def rotation(degrees, x=0.0, y=0.0):
    """A rotation about a point."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return affine(1, 0, 0, 1, x, y) @ affine(cos, sin, -sin, cos, 0, 0) @ affine(1, 0, 0, 1, -x, -y)


TRANSFORMS = {
    "matrix": affine,
    "translate": lambda x, y=0.0: affine(1, 0, 0, 1, x, y),
    "scale": lambda x, y=None: affine(x, 0, 0, x if y is None else y, 0, 0),
    "rotate": rotation,
}


def apply_matrix(matrix, points):
    """The points where the matrix puts them."""
    return points @ matrix[:2, :2].T + matrix[:2, 2]


# paths -------------------------------------------------------------------------------------------

ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}


def path_commands(text):
    """(letter, numbers) of a path, one for every repetition; what follows an M is an L."""
    if unknown := re.sub(rf"[MLHVCQAZ\s,]|{NUMBER}", "", text, flags=re.IGNORECASE):
        raise ValueError(f"a path with {unknown!r}: {text}")
    for letter, inside in re.findall(r"([A-Za-z])([^A-Za-z]*)", text):
        numbers, count = [*map(float, re.findall(NUMBER, inside))], ARGUMENTS[letter.upper()]
        for start in range(0, max(len(numbers), 1), count or 1):
            yield letter, numbers[start : start + count]
            letter = {"M": "L", "m": "l"}.get(letter, letter)


class Pen:
    """What draws a path: `lines` are its parts from one M to the next, as points."""

    def __init__(self, text):
        self.lines, self.at = [], np.zeros(2)
        for letter, numbers in path_commands(text):
            self.follow(letter.upper(), numbers, self.at if letter.islower() else np.zeros(2))

    def follow(self, letter, numbers, origin):
        """One command, whose numbers count from the origin."""
        if letter == "M":
            self.at = origin + numbers
            self.lines.append([self.at])
        else:
            self.lines[-1] += list(self.points(letter, numbers, origin))
            self.at = self.lines[-1][-1]

    def points(self, letter, numbers, origin):
        """The points that a command adds."""
        if letter == "Z":
            return [self.lines[-1][0]]
        if letter in "HV":
            axis, end = "HV".index(letter), self.at.copy()
            end[axis] = origin[axis] + numbers[0]
            return [end]
        if letter == "A":
            return arc(self.at, origin + numbers[5:], *numbers[:5])
        controls = origin + np.reshape(numbers, (-1, 2))
        return controls if letter == "L" else bezier([self.at, *controls])


def bezier(controls):
    """Points along a Bézier curve, without its start."""
    t = np.linspace(0, 1, STEPS + 1)[1:, None]
    while len(controls) > 1:
        controls = [(1 - t) * one + t * other for one, other in pairwise(controls)]
    return controls[0]


def ellipse(x, y, across, along):
    """Points around an ellipse, those on its axes among them."""
    angles = np.linspace(0, 2 * np.pi, 2 * STEPS, endpoint=False)
    return np.stack([x + across * np.cos(angles), y + along * np.sin(angles)], axis=1)


def arc(start, end, across, along, degrees, is_large, is_clockwise):
    """Points along an arc of an ellipse, without its start.

    In coordinates in which the ellipse is a circle of radius 1, and the middle of the two ends is
    the origin, the ends are h and -h.
    """
    if not (across and along) or np.allclose(start, end):
        return [end]
    frame = rotation(degrees)[:2, :2] @ np.diag([abs(across), abs(along)])
    h = np.linalg.solve(frame, (start - end) / 2)
    growth = max(1.0, np.linalg.norm(h))  # too small an ellipse grows until it reaches both ends
    h, frame = h / growth, frame * growth
    aside = np.sqrt(max(0.0, 1 / (h @ h) - 1)) * (1 if is_large != is_clockwise else -1)
    centre = aside * np.array([h[1], -h[0]])
    first, last = (np.arctan2(y, x) for x, y in (h - centre, -h - centre))
    sweep = (last - first) % (2 * np.pi) - (0 if is_clockwise else 2 * np.pi)
    angles = first + sweep * np.linspace(0, 1, STEPS + 1)[1:]
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1) + centre
    return circle @ frame.T + (start + end) / 2
