"""What is true: for each question of the inventory a program that finds its answer.

A function returns the answer as the text of an option, or a function that decides of the text of an
option whether it is true. Nothing is written down here: graphs are built and run, sweeps, calls and
paths are counted, bytes are measured.
"""

import re

import numpy as np

import minigrad as mg

FLOATS = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, -2.5, 5e-324, 1.7e308])
SIZE = 1 << 14  # numbers of an array whose memory is measured
ROUNDING = 12  # digits that are compared
NEAR = 1.5  # the factor within which a number is about another


def option_text(value):
    """Write a number as the options do."""
    value = round(float(value), ROUNDING)
    return f"{int(value):,}" if value == value // 1 else f"{value:g}"


def near_value(value):
    """Return what decides whether the first number of an option is about `value`."""

    def is_near(option):
        stated = float(re.match(r"[\d,]+", option)[0].replace(",", ""))
        return value / NEAR < stated < value * NEAR

    return is_near


def leaf(value):
    """Return a Tensor that requires a gradient."""
    return mg.tensor(value, requires_grad=True)


def counting_square():
    """Return (an op that squares, the list to which each of its evaluations adds)."""
    calls = []

    def compute(x):
        calls.append(x)
        return x * x

    def vjp(x, z, z_bar):
        return (2 * x * z_bar,)

    return mg.custom_op(compute, vjp, infer=lambda x: (x.shape, x.dtype), name="square"), calls


def graph_below(tensor):
    """Return the nodes that a Tensor was computed from, itself included, each once."""
    nodes, waiting = [], [tensor]
    while waiting:
        node = waiting.pop()
        if not any(node is other for other in nodes):
            nodes.append(node)
            waiting += node.inputs
    return nodes


def is_close(rows, wanted):
    """Say whether the rows are all those of an array, with its numbers."""
    return np.shape(rows) == wanted.shape and np.allclose(rows, wanted)


# computation graphs ------------------------------------------------------------------------------


def derive_two_paths():
    """Differentiate a product of which both factors contain w."""
    return option_text(mg.grad(lambda w: (2 + w) * (w + 1))(1.0))


def count_paths():
    """Follow every path from c back to x."""
    x = leaf(1.0)
    c = x
    for _ in range(3):
        c = c + c

    def paths(node):
        return 1 if node is x else sum(map(paths, node.inputs))

    return option_text(paths(c))


def count_recorded_products():
    """Run the loop, and count the nodes that have operands."""
    x = leaf(1.0)
    for _ in range(4):
        x = x * x
    return option_text(sum(bool(node.inputs) for node in graph_below(x)))


def derive_unused_branch():
    """Differentiate where at the border of its condition."""
    x = leaf(0.0)
    with np.errstate(all="ignore"):
        mg.where(x > 0, mg.log(x), 0.0).backward()
    return f"{x.grad.item():g}"


# forward and reverse mode ------------------------------------------------------------------------


def pass_on_at_once():
    """Run the faulty backward pass over a recorded graph."""
    a = leaf(1.0)
    b = a + a
    c = b + b
    sums = {id(node): 0 for node in (a, b, c)}

    def arrive(node, contribution):
        sums[id(node)] += contribution
        for operand in node.inputs:
            arrive(operand, sums[id(node)])

    arrive(c, 1)
    return option_text(sums[id(a)])


def count_forward_sweeps():
    """Add columns to a Jacobian, one from each jvp, until it is the right one."""
    scale = np.linspace(1, 2, 3000).reshape(1000, 3)

    def function(x):
        return mg.sin(scale @ x)

    x = mg.tensor([0.1, 0.2, 0.3])
    wanted = mg.jacobian(function)(x).numpy()
    columns = []
    while not is_close(columns, wanted.T):
        _, column = mg.jvp(function, (x,), (np.eye(3)[len(columns)],))
        columns.append(column.numpy())
    return option_text(len(columns))


def count_reverse_sweeps():
    """Add rows to a Jacobian, one from each backward pass, until it is the right one."""
    scale = np.linspace(1, 2, 2000).reshape(2, 1000)

    def function(x):
        return mg.sin(scale @ x)

    x = mg.tensor(np.linspace(0, 1e-3, 1000))
    wanted = mg.jacobian(function, mode="forward")(x).numpy()
    _, pullback = mg.vjp(function, x)
    rows = []
    while not is_close(rows, wanted):
        (row,) = pullback(np.eye(2)[len(rows)])
        rows.append(row.numpy())
    return option_text(len(rows))


def show_gradient_shape():
    """Broadcast, add up, and go back."""
    x = leaf(np.ones(3))
    mg.sum(x * np.ones((4, 3))).backward()
    return str(list(x.grad.shape))


# memory and cost ---------------------------------------------------------------------------------


def compare_gradient_cost():
    """Count the numbers that a graph computes, with the gradient and without."""
    with mg.Graph():
        x = mg.placeholder("x", [1000])
        loss = mg.sum(mg.exp(mg.sin(x * x)))
        (gradient,) = mg.gradients(loss, [x])
    work = [count_results(node) for node in ([loss], [loss, gradient])]
    return near_value(work[1] / work[0])


def count_results(fetches):
    """Count the numbers that all operations compute which the fetches need."""
    nodes = {id(node): node for fetch in fetches for node in graph_below(fetch)}
    return sum(np.prod(node.shape) for node in nodes.values() if node.inputs)


def derive_from_result():
    """Look for two operands with one result and two derivatives."""
    operands = np.linspace(-3, 3, 61)
    operands = np.concatenate([operands, np.pi - operands])
    operands = operands[operands != 0]

    def follows(option):
        x = leaf(operands)
        y = eval(option, {"x": x, "exp": mg.exp, "sin": mg.sin, "abs": mg.abs})
        mg.sum(y).backward()
        pairs = zip(y.detach().numpy().round(9), x.grad.numpy().round(6), strict=True)
        found = {}
        for result, derivative in pairs:
            found.setdefault(result, set()).add(derivative)
        return all(len(derivatives) == 1 for derivatives in found.values())

    return follows


def measure_chain():
    """Measure the bytes that a chain of sines holds, in arrays of its size."""
    x, results = leaf(np.full(SIZE, 0.5)), []

    def run():
        y = x
        for _ in range(100):
            y = mg.sin(y)
        results.append(y)

    return near_value(mg.measure.memory(run) / x.numpy().nbytes)


def count_repeated_steps():
    """Count the evaluations of a backward pass over checkpointed segments."""
    square, calls = counting_square()

    @mg.checkpoint
    def segment(x):
        for _ in range(10):
            x = square(x)
        return x

    y = leaf(1.0)
    for _ in range(10):
        y = segment(y)
    before = len(calls)
    y.backward()
    return near_value(len(calls) - before)


# static graphs -----------------------------------------------------------------------------------


def count_before_run():
    """Build a graph of three squares, and count what was computed."""
    square, calls = counting_square()
    with mg.Graph():
        square(square(square(mg.placeholder("x"))))
    return option_text(len(calls))


def count_for_fetch():
    """Run one node of a graph, and count the squares."""
    square, calls = counting_square()
    with mg.Graph():
        x = mg.placeholder("x")
        a = square(x)
        b = a + 1
        square(a)
        with mg.Session() as session:
            session.run(b, {x: 3.0})
    return option_text(len(calls))


def count_traces():
    """Call a traced function with arrays of two shapes, and count the runs of its body."""
    calls = []

    @mg.function
    def double(x):
        calls.append(x)
        return x * 2

    for size in (3, 3, 3, 3, 3, 4):
        double(mg.tensor(np.ones(size)))
    return option_text(len(calls))


def keep_every_float():
    """Compute both sides of a replacement for floats of every kind."""

    def keeps(option):
        x = mg.tensor(FLOATS)
        with np.errstate(all="ignore"):
            before, after = (eval(side, {"x": x}) for side in option.split("→"))
        before, after = before.numpy(), np.broadcast_to(np.asarray(after, float), FLOATS.shape)
        same = np.array_equal(before, after, equal_nan=True)
        return same and np.array_equal(np.signbit(before), np.signbit(after))

    return keeps


# updates of variables ----------------------------------------------------------------------------


def take_one_step():
    """Take a step of gradient descent."""
    w = leaf(4.0)
    ((w - 3) ** 2).backward()
    mg.optim.SGD([w], lr=0.25).step()
    return option_text(w.item())


def call_backward_twice():
    """Add up the gradients of two backward passes."""
    w = leaf(1.0)
    for _ in range(2):
        (3 * w).backward()
    return option_text(w.grad.item())


def update_both():
    """Update two parameters of a product at once."""
    a, b = leaf(1.0), leaf(2.0)
    (a * b).backward()
    mg.optim.SGD([a, b], lr=0.1).step()
    return option_text(b.item())


def run_update():
    """Assign to a variable three times in one session."""
    with mg.Graph():
        v = mg.Variable(1.0, name="v")
        update = mg.assign(v, v + 1)
        with mg.Session() as session:
            for _ in range(3):
                session.run(update)
            return option_text(session.run(v))
