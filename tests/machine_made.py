"""Machine-made graphs, of all that a file may hold."""

import contextlib
import random

import numpy as np

import minigrad as mg

DTYPES = ("bool", "int8", "int64", "uint8", "uint64", "float16", "float32", "float64")
SHAPES = ((), (1,), (3,), (2, 3), (3, 3), (2, 1, 3), (0, 3), (None, 3))
NAMES = ("x", "W", "a b", "é", "\x00\n\t", "\ud800", "%1", "carry[0]", '"\\', "x" * 400)


def loop(x, rng):
    """A loop or a choice whose body uses x."""
    kind = rng.randrange(3)
    if kind == 0:
        return mg.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), (0, x))[1]
    if kind == 1:
        return mg.scan(lambda c, e: (c + e, mg.tanh(c)), mg.sum(x, 0) * 0.0, x)[1]
    return mg.cond(
        mg.sum(x) > 0,
        lambda: mg.tanh(x),
        lambda: mg.scan(lambda c, e: (c * 0.5, mg.sum(c)), x, None, length=2)[0],
    )


STEPS = (  # (x, y, generator) → a value, where it can be made
    lambda x, y, r: x + y,
    lambda x, y, r: x - y,
    lambda x, y, r: x * 2,
    lambda x, y, r: x / y,
    lambda x, y, r: x ** r.choice([0, 1, 2, True, 0.5, -1.5, 2.0]),
    lambda x, y, r: -x,
    lambda x, y, r: mg.tanh(x),
    lambda x, y, r: mg.relu(x),
    lambda x, y, r: mg.maximum(x, y),
    lambda x, y, r: mg.where(x > y, x, y),
    lambda x, y, r: mg.clip(x, -np.inf, r.choice([1, 0.5])),
    lambda x, y, r: mg.cast(x, r.choice(DTYPES)),
    lambda x, y, r: mg.sqrt(mg.abs(x)),
    lambda x, y, r: mg.sum(x, axis=r.choice([None, 0, -1]), keepdims=r.random() < 0.5),
    lambda x, y, r: mg.var(x, axis=0, ddof=r.choice([0, 1, 1.5])),
    lambda x, y, r: mg.mean(x, 0),
    lambda x, y, r: mg.max(x, axis=r.choice([None, 0])),
    lambda x, y, r: mg.logsumexp(x, axis=-1),
    lambda x, y, r: mg.argmax(x),
    lambda x, y, r: mg.softmax(x),
    lambda x, y, r: mg.log_softmax(x, 0),
    lambda x, y, r: mg.reshape(x, (-1,)),
    lambda x, y, r: mg.transpose(x),
    lambda x, y, r: mg.expand_dims(x, (0, -1)),
    lambda x, y, r: mg.flip(x, 0),
    lambda x, y, r: mg.squeeze(mg.expand_dims(x, 1)),
    lambda x, y, r: mg.broadcast_to(x, (2, 3)),
    lambda x, y, r: mg.concatenate([x, y]),
    lambda x, y, r: mg.pad(x, (1, 0)),
    lambda x, y, r: x[0],
    lambda x, y, r: x[..., ::-2],
    lambda x, y, r: x[None, np.int64(1) :],
    lambda x, y, r: x[np.array([0, 0])],
    lambda x, y, r: x[np.array([[0], [0]]), np.array([0])],
    lambda x, y, r: mg.matmul(x, y),
    lambda x, y, r: mg.einsum("ij,kj->ik", x, y),
    lambda x, y, r: mg.windows(x, 2),
    lambda x, y, r: mg.dropout(x, 0.3, seed=r.randrange(9)),
    lambda x, y, r: x * mg.random_normal((3,), seed=2**64 - 1, dtype=np.float32),
    lambda x, y, r: loop(x, r),
    lambda x, y, r: loop(x, r),
    lambda x, y, r: mg.gradients(mg.sum(x), [y], unconnected="zero")[0],
    lambda x, y, r: mg.gradients(mg.sum(x * x), [x], checkpoints="sqrt")[0],
    lambda x, y, r: mg.forward_gradients(x, [y], [y], unconnected="zero")[0],
)


def machine_made(seed, names=NAMES):
    """(graph, outputs, feeds) of a random graph."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)

    def array(shape, dtype):
        found = np.asarray(numbers.normal(0, 2, [2 if n is None else n for n in shape]))
        return np.asarray(found if np.dtype(dtype).kind in "bf" else np.abs(found), dtype)

    feeds, pool, changes = {}, [], []
    with mg.Graph() as graph:
        for i in range(5):
            shape, dtype, name = rng.choice(SHAPES), rng.choice(DTYPES), rng.choice(names)
            if i < 2:
                node = mg.placeholder(rng.choice([name, f"p{i}"]), shape, dtype)
                feeds[node] = array(shape, dtype)
            elif i < 4 and None not in shape:
                node = mg.Variable(array(shape, dtype), name=rng.choice([name, None]))
                changes.append(node)
            else:
                node = mg.constant(array([n or 2 for n in shape], rng.choice([dtype, ">f8"])))
            pool.append(node)
        for _ in range(rng.randrange(3, 25)):
            with contextlib.suppress(Exception), mg.name_scope(rng.choice(names[:5])):
                pool.append(rng.choice(STEPS)(*rng.choices(pool[-8:], k=2), rng))
            if changes and rng.random() < 0.2:
                v = rng.choice(changes)
                with mg.control_dependencies([rng.choice(pool)]):
                    pool.append(mg.assign(v, mg.where(v == v, v, v)))
    outputs = {str(i): node for i, node in enumerate(rng.choices(pool, k=4))}
    return graph, outputs, feeds
