"""Twelve players: each has a page of its own, which another page can embed, and a picture."""

from collections.abc import Callable
from html import escape
from typing import Any, NamedTuple

import numpy as np

import minigrad as mg
from minigrad.course.publishing.cards import image


class Exhibit(NamedTuple):
    """A computation to play: the name of its files, what it shows, a function and arguments."""

    name: str
    title: str
    text: str
    function: Callable
    feed: dict
    options: dict = {}

    def play(self) -> Any:
        """Return the player."""
        return mg.player(self.function, self.feed, title=self.title, **self.options)


def two_paths(x, w):
    """Compute the course's first formula."""
    a = x + w
    b = w + 1.0
    return a * b


def logarithm_and_sine(x1, x2):
    """Compute the example of the survey by Baydin and others."""
    return mg.log(x1) + x1 * x2 - mg.sin(x2)


def neuron(x, w, b):
    """Compute the squared error of one neuron, whose target is 1."""
    p = mg.sigmoid(w * x + b)
    return (p - 1.0) ** 2


def logistic_loss(x, w, b):
    """Compute the logistic loss of a sample of class 1."""
    score = w * x + b
    return mg.log(1.0 + mg.exp(-score))


def deep_tanh(x):
    """Apply tanh four times."""
    for _ in range(4):
        x = mg.tanh(2.0 * x)
    return x


def inactive_relu(x, w, b):
    """Compute a unit whose input is negative."""
    return mg.relu(w * x + b) * 3.0


def heron(s):
    """Compute a square root by three iterations of Heron's method."""
    guess = s
    for _ in range(3):
        guess = (guess + s / guess) / 2.0
    return guess


def horner(x):
    """Compute a polynomial by Horner's scheme."""
    result = 2.0
    for coefficient in (-1.0, 3.0, 1.0):
        result = result * x + coefficient
    return result


def entropy_at_zero(x):
    """Compute a product of 0 and minus infinity."""
    return x * mg.log(x)


def linear_layer(x, w):
    """Compute the mean squared error of a linear layer."""
    return mg.mean((x @ w - 1.0) ** 2)


def classifier(x, w):
    """Compute the cross-entropy of three classes."""
    return mg.cross_entropy(x @ w, [2, 0])


BATCH = {"x": [[1.0, 2.0], [0.5, -1.0]], "w": [[0.5, -0.5, 1.0], [1.0, 0.0, 0.5]]}
EXHIBITS = (
    Exhibit("two_paths", "Two paths to one parameter", "w is used twice, so its adjoint is the "
        "sum of two contributions.", two_paths, {"x": 2.0, "w": 1.0}),
    Exhibit("tangents", "Forward mode", "A tangent travels with each value, in one pass.",
        two_paths, {"x": 2.0, "w": 1.0}, {"mode": "forward", "wrt": "w"}),
    Exhibit("survey", "Logarithm and sine", "The example of a well-known survey, in reverse mode.",
        logarithm_and_sine, {"x1": 2.0, "x2": 5.0}),
    Exhibit("neuron", "One neuron", "The chain rule goes through a square, a sigmoid and a sum.",
        neuron, {"x": 1.5, "w": -0.5, "b": 0.25}),
    Exhibit("logistic_loss", "The logistic loss", "Drag b: the gradient never exceeds 1.",
        logistic_loss, {"x": 1.0, "w": 2.0, "b": -1.0}),
    Exhibit("deep_tanh", "A vanishing gradient", "Each tanh that saturates multiplies the adjoint "
        "by a number near 0.", deep_tanh, {"x": 1.0}),
    Exhibit("relu", "An inactive ReLU", "Its input is negative, so no gradient reaches w.",
        inactive_relu, {"x": 1.0, "w": -2.0, "b": 0.5}),
    Exhibit("heron", "A loop in Python", "The dynamic engine records each of the three iterations.",
        heron, {"s": 2.0}),
    Exhibit("horner", "Horner's scheme", "x is used in every iteration, and each use contributes.",
        horner, {"x": 2.0}),
    Exhibit("not_a_number", "A result that is not a number", "The player marks the first result "
        "that is not finite.", entropy_at_zero, {"x": 0.0}),
    Exhibit("linear_layer", "A linear layer", "Adjoints of matrices have the shapes of their "
        "values.", linear_layer, {"x": BATCH["x"], "w": [[0.5], [1.0]]}, {"wrt": "w"}),
    Exhibit("classifier", "Three classes", "The adjoint of the scores is the softmax minus the "
        "labels, divided by the size of the batch.", classifier, BATCH, {"wrt": "w"}),
)  # fmt: skip
FOLDER = "_static/players"
HEIGHT = 640  # pixels of an embedded player


def save_players(extra):
    """Write a page and a picture of each player below the folder `extra`; return {the name of a
    player: its picture in HTML}."""
    folder = extra / FOLDER
    folder.mkdir(parents=True)
    pictures = {}
    for exhibit in EXHIBITS:
        with np.errstate(all="ignore"):  # one of them shows a result that is not finite
            player = exhibit.play()
            player.save(folder / f"{exhibit.name}.html")
            picture = player.drawing().save(folder / f"{exhibit.name}.svg")
        pictures[exhibit.name] = image(picture, FOLDER)
    return pictures


def list_players(pictures, address):
    """Return the list of players in HTML; `address` is where the site stands, or empty."""
    items = (list_item(exhibit, pictures[exhibit.name], address) for exhibit in EXHIBITS)
    return "\n".join(['~~~{raw} html\n<ul class="cards players">', *items, "</ul>\n~~~"])


def list_item(exhibit, picture, address):
    """Return a player's picture, which a click replaces with the player, and how to embed it."""
    page, title = f"{FOLDER}/{exhibit.name}.html", escape(exhibit.title)
    code = f'<iframe src="{address}{page}" title="{title}" width="100%" height="{HEIGHT}"></iframe>'
    return (
        f'<li><a class="play" href="{page}">{picture}<b>{title}</b> '
        f"<span>{escape(exhibit.text)}</span></a>"
        f"<details><summary>Embed {title}</summary><pre>{escape(code)}</pre></details></li>"
    )
