"""The memory of one training step, executed in two orders. Time runs to the right and addresses run
upwards; each box is a value in memory. A step that updates each weight as soon as its gradient is
known never holds all gradients at once."""

import numpy as np

import minigrad as mg
from minigrad.compiler.memory import plan_memory
from minigrad.compiler.schedule import eager_order, lay_out_program, program_order

ALT = (
    "Two diagrams side by side with the same axis of addresses. On the left, in program order, "
    "large boxes of gradients accumulate until the end. On the right, in the memory-aware order, "
    "the gradients follow one another at one address, and the step needs a third less memory."
)
LAYERS = 8


def make():
    """The arenas of both orders."""
    with mg.Graph() as graph:
        x = h = mg.placeholder("x", shape=(32, 64))
        weights = [mg.Variable(np.eye(64), name=f"W{at}") for at in range(LAYERS)]
        for w in weights:
            h = mg.tanh(h @ w)
        loss = mg.sum(h * h)
        gradients = mg.gradients(loss, weights)
        step = mg.group(
            *[mg.assign_sub(w, 0.1 * g) for w, g in zip(weights, gradients, strict=True)]
        )
    program = mg.Session(graph).compile([loss, step], [x]).program
    orders = {"program order": program_order, "memory-aware order": eager_order}
    return mg.plot.arena(
        {name: plan_memory(lay_out_program(program, order)) for name, order in orders.items()}
    )
