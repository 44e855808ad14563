"""What optimisation does to a graph, with a row for each pass. A ring marks what a pass changes. A
node that it removes is struck out, with the reason below. The last pass fuses the remaining nodes
into one kernel."""

import minigrad as mg

ALT = (
    "Five rows show the graph of a small formula, with each node at the same place in all of "
    "them. In the first row are the 16 nodes as they were built. Then 2 · 3 is folded into 6, a "
    "product with 1 is removed, two nodes that equal others are struck out, and a frame joins the "
    "remaining nodes into one kernel."
)


def make():
    """The rows of the passes over Σ tanh(v) v, where v = exp(x w 1) + exp(x w) + 2 · 3."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(200_000,))
        w = mg.Variable(2.0, name="w")
        v = mg.exp(x * w * 1.0) + mg.exp(x * w) + mg.constant(2.0) * 3.0
        y = mg.sum(mg.tanh(v) * v)
    executable = mg.Session(graph).compile(y, [x])
    return mg.draw.passes(executable, title="Sixteen nodes become one kernel", runs=False)
