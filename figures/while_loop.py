"""A loop in a graph is one operation; opened, it shows its two bodies: the condition, and one turn
with what it carries to the next."""

import minigrad as mg

ALT = (
    "Newton's method for a square root as a loop: one frame holds the condition, one the body "
    "of a turn; ports bring the guess in and out, and an arc leads to the next turn."
)


def make():
    """Newton's method for √a, while the square is not near enough."""
    with mg.Graph():
        a = mg.placeholder("a")
        root = mg.while_loop(lambda x: mg.abs(x * x - a) > 1e-9, lambda x: (x + a / x) / 2, a)
    return mg.draw(
        root, mode="loop", names={"root": root}, title="A square root by Newton's method"
    )
