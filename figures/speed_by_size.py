"""Time to compute the value and the gradient of a chain of eleven operations, against the number of
entries. The cost per call dominates for small arrays, and the cost per entry for large ones."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

import minigrad as mg
from minigrad.draw.figures import read_measurement
from minigrad.measure.comparison import Comparison

ALT = (
    "Time against size, on logarithmic axes, for NumPy written by hand, the dynamic engine and "
    "the static engine. Below, the ratio of each engine to NumPy written by hand. A ring marks "
    "the size from which the static engine is faster than NumPy written by hand."
)
SIZES = [10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
PROCESSES = 3


def y(x):
    """y = Σ r² with r = tanh(0.5 x + 0.1) · exp(−x²) + 0.1 x², for any engine."""
    q = x * x
    r = mg.tanh(x * 0.5 + 0.1) * mg.exp(-q) + q * 0.1
    return mg.sum(r * r)


def by_hand(n):
    """The same value and gradient in NumPy, as a person would write them."""
    x = np.linspace(-1, 1, n)

    def run():
        q = x * x
        t, e = np.tanh(0.5 * x + 0.1), np.exp(-q)
        r = t * e + 0.1 * q
        r_bar = 2 * r
        q_bar = 0.1 * r_bar - r_bar * t * e
        return np.sum(r * r), 0.5 * r_bar * e * (1 - t * t) + 2 * x * q_bar

    return run


def dynamic(n):
    """On Tensors: a graph is made and walked back in every run."""
    x = mg.tensor(np.linspace(-1, 1, n), requires_grad=True)

    def run():
        x.grad = None
        value = y(x)
        value.backward()
        return value, x.grad

    return run


def static(n):
    """In a Graph: one program, compiled before the clock starts."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(n,))
        value = y(x)
        fetches = [value, *mg.gradients(value, [x])]
    executable, array = mg.Session(graph).compile(fetches, [x]), np.linspace(-1, 1, n)
    return lambda: executable(array)


def measure():
    """A comparison in each of several processes."""
    command = [sys.executable, __file__]
    return [
        json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        for _ in range(PROCESSES)
    ]


def make():
    """The plot of all processes."""
    runs = [Comparison(**run) for run in read_measurement(Path(__file__))]
    return mg.plot.speed(*runs, title="Value and gradient of eleven operations")


if __name__ == "__main__":
    contenders = {"NumPy by hand": by_hand, "dynamic": dynamic, "static": static}
    print(json.dumps(mg.measure.compare(contenders, sizes=SIZES)._asdict()))
