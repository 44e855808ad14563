"""A loop in a graph is one operation; opened, it shows one of its iterations between repeat signs:
what is carried in, what is carried on to the next, and when it goes on."""

import minigrad as mg

ALT = (
    "Newton's method for the square root of 2 as a loop. Repeat signs enclose iteration 2 of 4: x, "
    "which is 1.5, is carried in, and x′, which is 1.417, leads back to it by an arc for the next "
    "iteration. The loop goes on while the square of x is not near enough to a. A strip below "
    "lists x at the start and after each iteration: 2, 1.5, 1.417, 1.414, 1.414."
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
