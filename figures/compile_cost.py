"""The time that each stage of compiling a training step takes, and the number of runs after which
compiling pays off."""

from pathlib import Path

import numpy as np

import minigrad as mg
from minigrad.draw.figures import read_measurement

ALT = (
    "Above, a bar for each stage of compiling shows its time. Below, total time against the "
    "number of runs. The dynamic engine starts at zero and rises steeply. The compiled program "
    "starts at the time of its compilation and rises slowly. A ring marks where the two lines "
    "meet."
)
LAYERS, BATCH, WIDTH = 4, 16, 32


def loss_of(x, weights):
    """The mean square of what the layers give."""
    for w in weights:
        x = mg.tanh(x @ w)
    return mg.mean(x * x)


def measure():
    """The time of each step, and of a run of each engine."""
    x, start = np.ones((BATCH, WIDTH)), np.eye(WIDTH)
    tensors = [mg.tensor(start, requires_grad=True) for _ in range(LAYERS)]
    optimizer = mg.optim.SGD(tensors, lr=0.1)

    def dynamic():
        optimizer.zero_grad()
        loss_of(mg.tensor(x), tensors).backward()
        optimizer.step()

    with mg.Graph() as graph:
        feed = mg.placeholder("x", shape=x.shape)
        loss = loss_of(feed, [mg.Variable(start) for _ in range(LAYERS)])
        step = mg.optim.SGD(lr=0.1).minimize(loss)
    executable = mg.Session(graph).compile([loss, step], [feed])
    runs = mg.measure.compare({"dynamic": dynamic, "static": lambda: executable(x)}, rounds=31)
    return {
        "compiling": mg.measure.compiling(executable, repeat=15),
        "before": runs.time("dynamic").median,
        "after": runs.time("static").median,
    }


def make():
    """The plot of what was measured."""
    return mg.plot.passes(**read_measurement(Path(__file__)), title="Compiling one training step")
