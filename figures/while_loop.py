"""In a graph, a loop is one operation. If you open it, you see one iteration between repeat signs:
the values carried in, the values carried to the next iteration, and the condition for
continuing."""

import minigrad as mg

ALT = (
    "Newton's method for the square root of 2 as a loop. Repeat signs enclose iteration 2 of 4. "
    "x, which is 1.5, is carried in. For the next iteration, an arc leads back from x′, which is "
    "1.417, to x. The loop continues while the square of x is not close enough to a. A strip "
    "below lists x at the start and after each iteration: 2, 1.5, 1.417, 1.414, 1.414."
)


def make():
    """Newton's method for √2, while the square is not near enough."""
    with mg.Graph():
        a = mg.placeholder("a")
        root = mg.while_loop(lambda x: mg.abs(x * x - a) > 1e-9, lambda x: (x + a / x) / 2, a)
    return mg.draw(
        root,
        mode="loop",
        names={"root": root},
        values={a: 2.0},
        title="A square root by Newton's method",
    )
