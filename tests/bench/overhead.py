"""What a call of a compiled program costs before it computes anything; and many fetches."""

import libraries
import numpy as np
from registry import Family, Target, Workload

import minigrad as mg

empty, fetches = Family(), Family()


@empty.contender("minigrad static")
def static(x):
    """Session.run of a graph that holds one placeholder."""
    with mg.Graph() as graph:
        node = mg.placeholder("x", x.shape)
    session = mg.Session(graph)
    return lambda: [session.run(node, {node: x})]


@empty.contender("torch.compile")
def torch_compile(x):
    """The identity."""
    tensor = libraries.torch().tensor(x)
    same = libraries.compiled()(lambda x: x)
    return lambda: [same(tensor)]


@empty.contender("jax.jit")
def jit(x):
    """The identity."""
    jax = libraries.jax()
    array, same = jax.numpy.asarray(x), jax.jit(lambda x: x)
    return lambda: [jax.block_until_ready(same(array))]


@empty.contender("PyTensor")
def pytensor(x):
    """The identity."""
    library = libraries.pytensor()
    node = library.tensor.tensor(shape=x.shape, dtype=str(x.dtype))
    same = library.function([node], [node])
    return lambda: same(x)


def fetch_many(count):
    """A contender that builds a Graph, and fetches so many of its values for the first time."""

    def contender(x):
        def run():
            with mg.Graph() as graph:
                node = mg.placeholder("x", x.shape)
                fetches = [node * float(i) for i in range(count)]
            return mg.Session(graph).run(fetches, {node: x})[:1]

        return run

    return contender


fetches.contender("1,000 fetches")(fetch_many(1000))
fetches.contender("8,000 fetches")(fetch_many(8000))


def workloads():
    """One feed, one fetch, and nothing between them; and what grows with fetches."""
    yield (
        "overhead",
        Workload(empty, lambda: np.arange(8.0), (Target("minigrad static", None, 6e-6),)),
    )
    yield (
        "many fetches",
        Workload(
            fetches,
            lambda: np.arange(8.0),
            (Target("8,000 fetches", "1,000 fetches", 10),),
        ),
    )
