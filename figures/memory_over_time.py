"""What each engine holds in memory during one training step of a network with 24 layers. The static
engine's plan is known before the run; the memory of the dynamic engine was measured."""

from pathlib import Path

import numpy as np

import minigrad as mg
from minigrad.draw.figures import read_measurement
from minigrad.measure import Timeline

ALT = (
    "Live memory during one training step of 24 layers. The dynamic engine has the highest peak. "
    "The static engine's plan needs a little less, and its plan with checkpoints needs less than "
    "half as much."
)
LAYERS, BATCH, WIDTH = 24, 256, 64


def measure():
    """The dynamic engine's live bytes, step by step."""
    weights = [mg.tensor(np.eye(WIDTH), requires_grad=True) for _ in range(LAYERS)]
    x, optimizer = mg.tensor(np.ones((BATCH, WIDTH))), mg.optim.SGD(weights, lr=0.1)

    def forward():
        h = x
        for w in weights:
            h = mg.tanh(h @ w)
        return mg.mean(h * h)

    def backward(loss):
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    for _ in range(2):  # the second time, everything that is made once is there
        found = mg.measure.timeline(least=16_384, forward=forward, backward=backward)
    return found._asdict()


def planned(checkpoints):
    """The plan of the same step in the static engine."""
    with mg.Graph() as graph:
        x = h = mg.placeholder("x", shape=(BATCH, WIDTH))
        weights = [mg.Variable(np.eye(WIDTH)) for _ in range(LAYERS)]
        for w in weights:
            h = mg.tanh(h @ w)
        loss = mg.mean(h * h)
        slopes = mg.gradients(loss, weights, checkpoints=checkpoints)
        step = mg.group(*[mg.assign_sub(w, 0.1 * g) for w, g in zip(weights, slopes, strict=True)])
    return mg.Session(graph).compile([loss, step], [x]).plan


def make():
    """The three runs on one axis."""
    runs = {
        "dynamic": Timeline(**read_measurement(Path(__file__))),
        "static": planned(None),
        "static,\ncheckpoints": planned("sqrt"),
    }
    return mg.plot.memory(runs, title="Memory during one training step")
