"""Nets that are trained on workers, and what one process makes of them."""

import numpy as np

import minigrad as mg


def two_scopes(optimizer=None):
    """(graph, {name: node}) of an encoder with dropout and a decoder with a loop."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None, 6))
        t = mg.placeholder("t", shape=(None, 2))
        with mg.name_scope("encoder"):
            w = mg.Variable(np.linspace(-1, 1, 24).reshape(6, 4), name="w")
            h = mg.dropout(mg.tanh(x @ w), 0.2, seed=3)
        with mg.name_scope("decoder"):
            v = mg.Variable(np.linspace(1, -1, 8).reshape(4, 2), name="v")
            z = h @ v
            y = mg.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, mg.tanh(a) + z), (0, z))[1]
        loss = mg.mean((y - t) ** 2)
        rate = mg.optim.cosine(0.1, 50)
        optimizer = optimizer or mg.optim.Adam(lr=rate, clip_norm=1.0)
        update = optimizer.minimize(loss)
    return graph, {"x": x, "t": t, "w": w, "v": v, "h": h, "loss": loss, "update": update}


def plain_net(dtype=float):
    """(x, labels, loss) of a classifier in a graph of its own."""
    with mg.Graph():
        x = mg.placeholder("x", shape=(None, 6), dtype=dtype)
        labels = mg.placeholder("labels", shape=(None,), dtype=int)
        w = mg.Variable(np.linspace(-1, 1, 24).reshape(6, 4).astype(dtype), name="w")
        v = mg.Variable(np.linspace(1, -1, 12).reshape(4, 3).astype(dtype), name="v")
        loss = mg.cross_entropy(mg.tanh(x @ w) @ v, labels)
    return x, labels, loss


THERE_AND_BACK = {"first": 0, "second": 1, "third": 0}


def there_and_back():
    """(x, h, [loss, slope]): worker 1 reads h on the way forward, and again on the way back."""
    with mg.Graph():
        x = mg.placeholder("x", shape=(None, 6))
        with mg.name_scope("first"):
            h = mg.tanh(x)
        with mg.name_scope("second"):
            w = mg.Variable(np.linspace(-1, 1, 24).reshape(6, 4), name="w")
            z = h @ w
        with mg.name_scope("third"):
            loss = mg.mean(mg.sigmoid(z))
    return x, h, [loss, *mg.gradients(loss, [w])]


def batches(count, rows=7, seed=0):
    """`count` batches of (x, t, labels); they are of `rows` rows and one more, in turn."""
    rng = np.random.default_rng(seed)
    sizes = [rows + i % 2 for i in range(count)]
    return [
        (rng.normal(size=(n, 6)), rng.normal(size=(n, 2)), rng.integers(0, 3, n)) for n in sizes
    ]


def train_here(optimizer, data, dtype=float):
    """The losses of one process."""
    x, labels, loss = plain_net(dtype)
    update = optimizer.minimize(loss)
    session = mg.Session(loss.graph)
    return [session.run([loss, update], {x: a.astype(dtype), labels: c})[0] for a, _, c in data]
