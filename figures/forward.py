"""The graph of a small network and its loss. Data enters on the left, and parameters enter from
above."""

import numpy as np

import minigrad as mg

ALT = (
    "A graph from left to right. x and W1 enter a matrix product, b1 is added, and tanh follows. "
    "After a product with W2, the cross-entropy with the labels gives the loss."
)


def make():
    """The forward graph of a net 4 → 8 → 3 on five examples."""
    with mg.Graph():
        x = mg.placeholder("x", shape=(5, 4))
        labels = mg.placeholder("labels", shape=(5,), dtype=int)
        W1 = mg.Variable(np.zeros((4, 8)), name="W1")
        b1 = mg.Variable(np.zeros(8), name="b1")
        W2 = mg.Variable(np.zeros((8, 3)), name="W2")
        h = mg.tanh(x @ W1 + b1)
        scores = h @ W2
        loss = mg.cross_entropy(scores, labels)
    return mg.draw(loss, names=locals(), title="A net and its loss")
