"""The memory of one training step. The forward pass fills buffers, and the backward pass empties
them. When a value is no longer needed, its buffer is reused for a later value."""

import numpy as np

import minigrad as mg

ALT = (
    "Above, live memory rises through the forward pass and falls through the backward pass. "
    "Below, a bar for each value shows which buffer holds it, and from which step to which. Most "
    "buffers hold several values, one after another."
)


def make():
    """The plan of one SGD step of a net with four layers."""
    with mg.Graph() as graph:
        x = h = mg.placeholder("x", shape=(64, 32))
        weights = [mg.Variable(np.zeros((32, 32)), name=f"W{at}") for at in range(1, 5)]
        for w in weights:
            h = mg.tanh(h @ w)
        loss = mg.mean(h * h)
        slopes = mg.gradients(loss, weights)
        step = mg.group(*[mg.assign_sub(w, 0.1 * g) for w, g in zip(weights, slopes, strict=True)])
    executable = mg.Session(graph).compile([loss, step], [x])
    steps = [node.order for node in executable.plan.order]
    turn = steps.index(executable.program.fetches[0].order) + 1  # after the loss
    return mg.plot.lifetimes(executable, title="One training step of four layers", turn=turn)
