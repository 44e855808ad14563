"""What is held in memory: a training step, Adam on 48 MB of weights, programs for 300 lengths."""

import functools
from typing import NamedTuple

import libraries
import numpy as np
from alone import pages, peak_memory
from registry import Family, Target, Workload

import minigrad as mg

step = Family("MiB")
adam = Family("times the weights")
lengths = Family("MB")


class Step(NamedTuple):
    """Square weights, and a batch."""

    weights: list
    x: object


def small_step():
    """24 layers of 64 on a batch of 256, as in lesson 09."""
    return Step([np.eye(64)] * 24, np.ones((256, 64)))


@step.contender("minigrad dynamic")
def small_dynamic(problem):
    """Tensors, backward() and optim.SGD."""
    weights = [mg.tensor(w, requires_grad=True) for w in problem.weights]
    optimizer = mg.optim.SGD(weights, lr=0.1)

    def run():
        loss_of(mg, weights, problem.x).backward()
        optimizer.step()
        optimizer.zero_grad()
        return weights[0].numpy()

    return run


@step.contender("PyTorch eager")
def small_eager(problem):
    """Tensors, backward() and optim.SGD."""
    torch = libraries.torch()
    weights = [torch.tensor(w, requires_grad=True) for w in problem.weights]
    x, optimizer = torch.tensor(problem.x), torch.optim.SGD(weights, lr=0.1)

    def run():
        loss_of(torch, weights, x).backward()
        optimizer.step()
        optimizer.zero_grad()
        return weights[0].detach().numpy()

    return run


def allocated(workload, contender, clock):
    """The most MiB that the third step holds at once, by what it asks for and gives back."""
    run = workload.family.builders[contender](workload.problem())
    run()
    run()
    count = torch_peak if contender == "PyTorch eager" else mg.measure.memory
    return count(run) / 2**20, [run()]


def torch_peak(run):
    """The peak in bytes of what PyTorch says that it allocates and frees."""
    torch = libraries.torch()
    with torch.profiler.profile(
        activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True
    ) as profiler:
        run()
    events = [e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"]
    changes = [e.nbytes() for e in sorted(events, key=lambda e: e.start_ns())]
    return max(np.cumsum(changes))


class Net(NamedTuple):
    """Layers of one width: all their weights in one array, and a batch."""

    arrays: list
    x: object

    @property
    def layers(self):
        """The weights of each layer."""
        return list(self.arrays[0])


def net(width):
    """Six layers of noise."""
    rng = np.random.default_rng(0)
    return Net([rng.normal(0, width**-0.5, (6, width, width))], rng.normal(size=(4, width)))


def loss_of(xp, weights, x):
    """Σ of the squares of the last layer."""
    for w in weights:
        x = xp.tanh(x @ w)
    return (x * x).sum()


@adam.contender("minigrad static")
def static(problem):
    """Variables and optim.Adam().minimize() in a Graph."""
    with mg.Graph() as graph:
        weights = [mg.Variable(w) for w in problem.layers]
        x = mg.placeholder("x", problem.x.shape)
        loss = loss_of(mg, weights, x)
        train = mg.optim.Adam(lr=1e-3).minimize(loss)
    step, _ = libraries.program(graph, "codegen", [loss, train], [x])
    return lambda: step(problem.x)[:1]


@adam.contender("minigrad dynamic")
def dynamic(problem):
    """Tensors, backward() and optim.Adam."""
    weights = [mg.tensor(w, requires_grad=True) for w in problem.layers]
    optimizer = mg.optim.Adam(weights, 1e-3)

    def run():
        optimizer.zero_grad()
        loss = loss_of(mg, weights, problem.x)
        loss.backward()
        optimizer.step()
        return [loss.numpy()]

    return run


@adam.contender("PyTorch eager")
def eager(problem):
    """Tensors, backward() and optim.Adam."""
    torch = libraries.torch()
    weights = [torch.tensor(w, requires_grad=True) for w in problem.layers]
    x = torch.tensor(problem.x)
    optimizer = torch.optim.Adam(weights, 1e-3)

    def run():
        optimizer.zero_grad()
        loss = loss_of(torch, weights, x)
        loss.backward()
        optimizer.step()
        return [loss.detach().numpy()]

    return run


@lengths.contender("minigrad static")
def one_session(count):
    """One Session and the gradient of a small net."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", (None, 8))
        weights = [mg.Variable(np.full((8, 8), 0.1 * (i + 1))) for i in range(4)]
        loss = loss_of(mg, weights, x)
        slopes = mg.gradients(loss, weights)
    session = mg.Session(graph)

    def run():
        for n in range(1, count + 1):
            found = session.run(slopes, {x: np.ones((n, 8))})
        return found

    return run


def growth(workload, contender, clock):
    """By how many MB the pages of the process grow while all lengths are met."""
    run = workload.family.builders[contender](workload.small())
    run()
    run = workload.family.builders[contender](workload.problem())
    before = pages("VmRSS")
    found = run()
    return (pages("VmRSS") - before) / 1e6, found


def workloads():
    """The peaks of two training steps, and what 300 programs would leave behind."""
    yield (
        "memory of a training step",
        Workload(
            step,
            small_step,
            (Target("minigrad dynamic", "PyTorch eager", 1.1),),
            alone=allocated,
        ),
    )
    yield (
        "memory of Adam",
        Workload(
            adam,
            functools.partial(net, 1000),
            (Target("minigrad static", None, 210 / 48),),
            alone=peak_memory,
            small=functools.partial(net, 10),
        ),
    )
    yield (
        "300 lengths of batches",
        Workload(
            lengths,
            lambda: 300,
            (Target("minigrad static", None, 30),),
            alone=growth,
            small=lambda: 3,
        ),
    )
