"""Elementwise operations are fused into one kernel. Each small tile of the arrays goes through all
of them while it is in the cache, so no intermediate array is stored."""

import minigrad as mg

ALT = (
    "A graph in which x, w and b enter a frame with a dark border. Inside it, a product, a sum, a "
    "tanh and two more products are fused into one kernel. Only the kernel's result leaves the "
    "frame and enters a matrix product."
)


def make():
    """The program of (0.5 tanh(x w + b)²) c."""
    with mg.Graph() as graph:
        x, w, b = (mg.placeholder(name, shape=(2000, 100)) for name in ("x", "w", "b"))
        c = mg.placeholder("c", shape=(100, 10))
        y = mg.tanh(x * w + b)
        z = (y * y * 0.5) @ c
    executable = mg.Session(graph).compile(z, [x, w, b, c])
    title = "Five operations in one kernel"
    return mg.draw(executable, mode="plan", expand="n5", title=title)  # the graph, with the kernel
