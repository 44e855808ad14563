"""What optimisation does to a graph, pass by pass: what a pass makes is ringed, what it removes is
struck out, with the reason. The last pass puts what is left into one kernel."""

import minigrad as mg
from minigrad.draw.figures import stack_pictures

ALT = (
    "The graph of a small formula as it was built and after each pass that changed it: parts "
    "of constants are folded, a product with one is removed, equal parts are shared, the rest "
    "is fused."
)


def make():
    """The pictures of all passes over one small program, one below the other."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(200_000,))
        scale = mg.constant(0.5) + mg.constant(2.5)
        y = mg.tanh(x * scale) + mg.tanh(x * scale) * 1.0
    executable = mg.Session(graph).compile(y, [x])
    return stack_pictures([drawing.svg for drawing in mg.draw.passes(executable).drawings])
