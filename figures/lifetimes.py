"""What a training step keeps in memory, and where: forward fills the buffers, backward empties
them, and a buffer whose value is no longer needed is given to the next one."""

import numpy as np

import minigrad as mg

ALT = (
    "Above, live memory by step rises through the forward pass and falls through the backward "
    "pass. Below, a bar per value shows which buffer holds it from which step to which; most "
    "buffers serve several values one after another."
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
