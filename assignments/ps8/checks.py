"""The visible checks of ps8: pytest functions over `student`, which answers for your code."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import StudentError

ENGINE = '''
import gc
import tracemalloc
import weakref

import numpy as np


def fit(g, shape):
    if np.shape(g) == shape:
        return g
    g = np.sum(g, axis=tuple(range(np.ndim(g) - len(shape))))
    return np.sum(g, axis=tuple(at for at, n in enumerate(shape) if n == 1), keepdims=True)


OPS = {
    "add": (np.add, lambda g, y, a, b: fit(g, a.shape), lambda g, y, a, b: fit(g, b.shape)),
    "sub": (np.subtract, lambda g, y, a, b: fit(g, a.shape), lambda g, y, a, b: fit(-g, b.shape)),
    "mul": (np.multiply, lambda g, y, a, b: fit(g * b, a.shape),
            lambda g, y, a, b: fit(g * a, b.shape)),
    "matmul": (np.matmul, lambda g, y, a, b: g @ b.T, lambda g, y, a, b: a.T @ g),
    "relu": (lambda a: np.maximum(a, 0), lambda g, y, a: g * (a > 0)),
    "exp": (np.exp, lambda g, y, a: g * y),
    "log": (np.log, lambda g, y, a: g / a),
    "rowsum": (lambda a: a.sum(axis=1, keepdims=True), lambda g, y, a: g * np.ones(a.shape)),
    "rowmax": (lambda a: a.max(axis=1, keepdims=True), None),
    "mean": (np.mean, lambda g, y, a: np.full(a.shape, g / a.size)),
}


def operator(op, swap=False):
    def method(self, *others):
        operands = (self, *others)
        return type(self)(self.engine, op, operands[::-1] if swap else operands)

    return method


class Value:
    """A Tensor of an `Engine`, or a Node."""

    __array_ufunc__ = None
    __add__, __radd__ = operator("add"), operator("add", swap=True)
    __sub__, __rsub__ = operator("sub"), operator("sub", swap=True)
    __mul__, __rmul__ = operator("mul"), operator("mul", swap=True)
    __matmul__, __rmatmul__ = operator("matmul"), operator("matmul", swap=True)
    relu, exp, log = operator("relu"), operator("exp"), operator("log")
    rowsum, rowmax, mean = operator("rowsum"), operator("rowmax"), operator("mean")

    def __init__(self, engine, op, inputs=(), array=None, compute=None):
        self.engine, self.op, self.array = engine, op, array
        self.compute = OPS[op][0] if op in OPS else compute
        for x in inputs:
            assert type(x) is type(self) or not isinstance(x, Value), "a Tensor beside a Node"
        self.inputs = [x if type(x) is type(self) else
                       type(self)(engine, "constant", (), np.asarray(x, float)) for x in inputs]
        self.begin()

    def __neg__(self):
        return self * -1.0

    def paths(self, bar, share):
        """(a value, its cotangent) for every way from here to it; share(y, rule, bar) is what y
        passes on by a rule."""
        yield self, bar
        for x, rule in zip(self.inputs, OPS.get(self.op, ())[1:]):
            if rule is not None:
                yield from x.paths(share(self, rule, bar), share)


class Tensor(Value):
    def begin(self):
        self.value, self.grad = self.array, None
        if self.compute:
            self.value = self.compute(*[x.value for x in self.inputs])
        self.engine.alive.add(self)

    def backward(self) -> None:
        self.engine.counts["backward"] += 1
        ways = self.paths(np.ones(np.shape(self.value)), lambda y, rule, bar: rule(
            bar, y.value, *[x.value for x in y.inputs]))
        for x, bar in ways:
            x.grad = bar if x.grad is None else bar + x.grad
            if type(x.grad) is np.ndarray:
                x.grad.flags.writeable = False


class Node(Value):
    def begin(self):
        self.engine.counts["nodes"] += 1


class Engine:
    """Counts what it is asked for. A "saving" one returns the same arrays from each run, and
    writes into them from the beginning of the next one."""

    def __init__(self, habit=""):
        self.habit, self.alive, self.held = habit, weakref.WeakSet(), {}
        self.counts = {"backward": 0, "nodes": 0, "gradients": 0, "runs": 0}

    def tensor(self, array):
        return Tensor(self, "value", (), np.asarray(array, float))

    def placeholder(self, name):
        return Node(self, "placeholder")

    def run(self, fetches, feeds):
        self.counts["runs"] += 1
        for held in self.held.values():
            held[...] = np.nan
        known = {node: np.asarray(x, float) for node, x in feeds.items()}

        def find(node):
            if node not in known:
                if node.op == "placeholder":
                    raise KeyError("a placeholder is not fed")
                operands = [find(x) for x in node.inputs]
                known[node] = node.compute(*operands) if node.compute else node.array
            return known[node]

        return [self.hand_out(node, find(node)) for node in fetches]

    def hand_out(self, node, array):
        held = self.held.get(node) if self.habit == "saving" else None
        if held is None or held.shape != np.shape(array):
            held = np.array(array)
        if self.habit == "saving":
            self.held[node] = held
            held[...] = array
        shown = held[...]
        shown.flags.writeable = False  # who asked may only read it
        return shown

    def gradients(self, y, xs):
        self.counts["gradients"] += 1
        totals = {x: x * 0.0 for x in xs}
        start = Node(self, "constant", (), np.ones(()))
        for x, bar in y.paths(start, lambda y, rule, bar: Node(
                self, "back", [bar, y, *y.inputs], compute=rule)):
            if x in totals:
                totals[x] = totals[x] + bar
        return [totals[x] for x in xs]


def off(y, t):
    return ((y - t) * (y - t)).mean()


LOSSES = {
    "line": lambda w, x, t: off(x @ w[0] + w[1], t),
    "net": lambda w, x, t: off((x @ w[0] + w[1]).relu() @ w[2] + w[3], t),
    "unused": lambda w, x, t: off(x @ w[0], t),
    "twice": lambda w, x, t: off((x @ w[0]).relu() @ w[0], t),
    "sum": lambda w, x, t: off(x * (w[0] + w[1]), t),
}


class Moved(np.ndarray):
    """An array with a Tensor's methods; of complex numbers, too, ordered by their real part."""

    def relu(self):
        return self * (self.real > 0)


class Loss:
    """A loss of the table that counts its calls."""

    def __init__(self, name):
        self.name, self.calls = name, 0

    def __call__(self, weights, x, t):
        kinds = [type(one).__name__ for one in (*weights, x, t)]
        assert kinds in ([k] * len(kinds) for k in ("Tensor", "Node")), f"loss_of got {kinds}"
        self.calls += 1
        return LOSSES[self.name](list(weights), x, t)


def learn(kind, name, arrays, batches, rate, habit="", momentum=None):
    """What a net of this kind did: its losses; its weights at first and after each step, told at
    the end; what was asked of the engine to make it, and by the steps; and more."""
    engine, loss = Engine(habit), Loss(name)
    given = [np.array(w) for w in arrays], [[np.array(x) for x in pair] for pair in batches]
    more = () if momentum is None else (momentum,)
    handed = [np.array(w) for w in arrays] if habit == "wild" else arrays
    net = kind(engine, loss, handed, rate, *more)
    for w in handed if habit == "wild" else ():
        w[...] = 55
    made, calls = dict(engine.counts), loss.calls
    losses, seen = [], [look(net, habit)]
    for x, t in batches:
        losses.append(net.step(x, t))
        seen.append(look(net, habit))
    gc.collect()
    kept = all(map(np.array_equal, given[0], arrays)) and all(
        np.array_equal(a, b) for old, new in zip(given[1], batches) for a, b in zip(old, new))
    steps = {key: n - made[key] for key, n in engine.counts.items()}
    return {"losses": losses, "weights": seen, "made": made, "steps": steps, "kept": kept,
            "calls": [calls, loss.calls - calls], "alive": len(engine.alive)}


def look(net, habit):
    """The arrays of a net as it returned them; for a "wild" caller, who fills them, copies."""
    arrays = net.arrays()
    if habit != "wild":
        return arrays
    copies = [np.array(w) for w in arrays]
    for w in arrays:
        w[...] = 77
    return copies


def by_turns(kind, name, several, batches, rate):
    """The weights at the end of nets that begin with several lists of arrays, and learn in turn."""
    nets = [kind(Engine(), Loss(name), arrays, rate) for arrays in several]
    for x, t in batches:
        for net in nets:
            net.step(x, t)
    return [net.arrays() for net in nets]


def lift(operands, one):
    """The operands with `one(array)` in the place of each array."""
    return [lift(x, one) if isinstance(x, list) else one(x) for x in operands]


def asked_of(f, operands, slopes=False):
    """[what f makes of arrays as Tensors, the same as Nodes]; with `slopes` each is a list: the
    number, and its derivatives by the first operand."""
    engine, feeds = Engine(), {}

    def wait(array):
        node = engine.placeholder("")
        feeds[node] = array
        return node

    tensors, nodes = lift(operands, engine.tensor), lift(operands, wait)
    value, node = f(*lift(tensors, lambda x: x)), f(*lift(nodes, lambda x: x))
    for made, wanted in ((value, Tensor), (node, Node)):
        if type(made) is not wanted:
            raise TypeError(f"from {wanted.__name__}s came a {type(made).__name__}")
    if not slopes:
        return [value.value, engine.run([node], feeds)[0]]
    value.backward()
    return [[value.value, tensors[0].grad],
            engine.run([node, *engine.gradients(node, nodes[:1])], feeds)]


def parted(f, *operands):
    """(what f returned, whether its arrays share no memory)"""
    arrays = f(*operands)
    pairs = [(a, b) for at, a in enumerate(arrays) for b in arrays[:at]]
    return [arrays, not any(np.shares_memory(a, b) for a, b in pairs)]


def lists_kept(f, x, weights):
    """Whether f leaves its list of Tensors as it is."""
    engine = Engine()
    given = lift(weights, engine.tensor)
    handed = list(given)
    f(engine.tensor(x), handed)
    return len(given) == len(handed) and all(a is b for a, b in zip(given, handed))
'''
HERE = {}
exec(ENGINE, HERE)  # the same losses here: what a net should learn is found by no engine
KEPT = "whether what was given stayed as it was"


def slopes_of(f, arrays):
    """The derivatives of f(arrays) by each of the arrays, by steps into the imaginary direction,
    which no rounding disturbs."""
    found = [np.zeros(w.shape) for w in arrays]
    for number, slopes in enumerate(found):
        moved = [w.astype(complex).view(HERE["Moved"]) for w in arrays]
        for place in np.ndindex(slopes.shape):
            moved[number][place] += 1e-30j
            slopes[place] = np.imag(f(moved)) / 1e-30
            moved[number][place] -= 1e-30j
    return found


def followed(name, arrays, batches, rate, momentum=0.9):
    """(the losses, the weights at first and after each step), by the formula."""
    seen, losses, speeds = [arrays], [], [0.0 for _ in arrays]
    for x, t in batches:
        def number(weights, x=x, t=t):
            return HERE["LOSSES"][name](weights, x.view(HERE["Moved"]), t)

        losses.append(float(number([w.view(HERE["Moved"]) for w in seen[-1]])))
        pairs = zip(speeds, slopes_of(number, seen[-1]), strict=True)
        speeds = [momentum * v + slope for v, slope in pairs]
        seen.append([w - rate * v for w, v in zip(seen[-1], speeds, strict=True)])
    return losses, seen


def draw(luck, *shape):
    """An array of numbers between -1 and 1."""
    return luck.uniform(-1, 1, shape)


def one_hot(luck, rows, classes):
    """Targets: 1 in a place of each row, 0 elsewhere."""
    return np.eye(classes)[luck.integers(0, classes, rows)]


def expect_net(came, name, arrays, batches, rate, momentum=0.9):
    """That a net has learned what the formula says."""
    losses, weights = followed(name, arrays, batches, rate, momentum)
    of = f"the loss \"{name}\", {len(batches)} steps"
    expect(came["losses"], losses, "the loss is that before the step", f"losses: {of}", 1e-12)
    for number, (mine, wanted) in enumerate(zip(came["weights"], weights, strict=True)):
        expect(mine, wanted, of=f"weights after {number} of the steps: {of}", tolerance=1e-12)


def read_digits(first, last):
    """(images in [0, 1], labels) of scikit-learn's digits, without loading scikit-learn."""
    folder = Path(importlib.util.find_spec("sklearn").origin).parent / "datasets" / "data"
    rows = np.loadtxt(folder / "digits.csv.gz", delimiter=",", skiprows=first,
                      max_rows=last - first)
    return rows[:, :64] / 16, rows[:, 64].astype(int)


def read_right(weights, images, labels):
    """The share of the digits that a net reads right. Fails when it is none."""
    shapes = [np.shape(w) for w in weights] if isinstance(weights, list) else weights
    flat = all(type(w) is np.ndarray and w.dtype == float for w in weights or [0])
    sizes = [64, *[shape[0] for shape in shapes[1::2]]] if flat and shapes else []
    wanted = [shape for n, m in zip(sizes, sizes[1:]) for shape in ((n, m), (m,))]
    if not flat or shapes != wanted or sizes[-1] != 10:
        raise AssertionError("of        the weights that `learned` returned\nexpected  arrays of "
                             f"floats, from 64 to 10: [W, b, W, b, ...]\ncame      {shapes!s:.200}")
    x = images
    for layer, (W, b) in enumerate(zip(weights[::2], weights[1::2], strict=True)):
        x = (np.maximum(x, 0) if layer else x) @ W + b
    return float(np.mean(x.argmax(axis=1) == labels))


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1)
def test_first_weights(student):
    """two layers, drawn in their order"""
    luck = np.random.default_rng(4)
    wanted = [luck.normal(0, 1, (2, 8)), np.zeros(8), luck.normal(0, 0.5, (8, 3)), np.zeros(3)]
    came = student.new_weights([2, 8, 3], 4)
    expect(came, wanted, "sqrt(2 / n), n of what comes in; one generator for all layers",
           of="new_weights([2, 8, 3], 4)")
    _, own = student.define(ENGINE).parted(student.new_weights, [3, 3, 3], 0)
    expect(own, True, of="whether each of the arrays has its own memory")


@pytest.mark.question("q1", points=1)
def test_two_layers(student):
    """two layers, by hand, in both engines"""
    x, weights = np.array([[1.0, -2.0]]), [np.array([[1.0, 0.0], [0.5, 3.0]]), np.array([0.5, 1.0])]
    weights += [np.array([[2.0], [1.0]]), np.array([-4.0])]
    came = student.define(ENGINE).asked_of(student.scores, [x, weights])
    expect(came, [np.array([[-3.0]])] * 2, "relu stands between the layers, not behind the last",
           of="x W + b is (0.5, -5), so relu gives (0.5, 0); from Tensors, and from Nodes")


@pytest.mark.question("q1", points=1)
def test_other_depths(student):
    """one layer; three"""
    luck = np.random.default_rng(9)
    for sizes in ([4, 3], [4, 3, 5, 2]):
        weights = [draw(luck, *shape) for n, m in zip(sizes, sizes[1:]) for shape in ((n, m), (m,))]
        x = wanted = draw(luck, 6, 4)
        for layer, (W, b) in enumerate(zip(weights[::2], weights[1::2], strict=True)):
            wanted = (np.maximum(wanted, 0) if layer else wanted) @ W + b
        came = student.define(ENGINE).asked_of(student.scores, [x, weights])
        expect(came, [wanted] * 2, of=f"the sizes {sizes}, from Tensors, and from Nodes")
        came = student.define(ENGINE).lists_kept(student.scores, x, weights)
        expect(came, True, of="whether the list of weights stayed as it was")


# q2 ----------------------------------------------------------------------------------------------


def losses_and_slopes(scores, targets):
    """The number, and the slopes of the scores."""
    total = np.logaddexp.reduce(scores, axis=1)[:, None]
    number = np.mean(np.sum(targets * (total - scores), axis=1))
    return [number, (np.exp(scores - total) - targets) / len(scores)]


def expect_losses(student, scores, targets, because="", of=""):
    """That the loss and its slopes are right in both engines."""
    came = student.define(ENGINE).asked_of(student.loss, [scores, targets], True)
    wanted = losses_and_slopes(scores, targets)
    for kind, mine in zip(("Tensors", "Nodes"), came, strict=True):
        expect(mine, wanted, because, f"[loss, slopes of the scores] from {kind}, {of}")


@pytest.mark.question("q2", points=1)
def test_equal_scores(student):
    """ten equal scores; three classes, four rows"""
    expect_losses(student, np.zeros((2, 10)), np.eye(10)[[3, 7]], of="ten equal scores: ln 10")
    luck = np.random.default_rng(1)
    expect_losses(student, draw(luck, 4, 3), one_hot(luck, 4, 3),
                  "a mean over rows, not over entries", "4 rows, 3 classes")


@pytest.mark.question("q2", points=1)
def test_large_scores(student):
    """scores of 1000 and -1000"""
    scores = np.array([[0.0, 1000.0], [-1000.0, 0.0], [1000.0, 999.0]])
    came = student.define(ENGINE).asked_of(student.loss, [scores, np.eye(2)[[0, 1, 1]]], True)
    slopes = np.array([[-1.0, 1.0], [0.0, 0.0], [1 / (1 + np.exp(-1)), -1 / (1 + np.exp(-1))]]) / 3
    wanted = [(1000 + 0 + np.log(1 + np.e)) / 3, slopes]
    for kind, mine in zip(("Tensors", "Nodes"), came, strict=True):
        expect(mine, wanted, "e to the 1000 is more than a float holds; 0 has no logarithm",
               f"[loss, slopes of the scores] from {kind}")


@pytest.mark.question("q2", points=1)
def test_shares_as_targets(student):
    """targets that are not sure"""
    scores, targets = np.array([[1.0, 2.0, -1.0]]), np.array([[0.5, 0.25, 0.25]])
    expect_losses(student, scores, targets, "every t counts, not the largest alone",
                  "targets of ½, ¼ and ¼")


# q3 and q4 ---------------------------------------------------------------------------------------

LINE = [np.array([[1.0], [2.0]]), np.array([0.5])]
POINT = [np.array([[1.0, -1.0]]), np.array([[0.5]])]  # 1 - 2 + 0.5 is 1 too little


def make_net(seed, rows=(6, 6, 6)):
    """(weights, batches) of a net from 5 numbers to 3."""
    luck = np.random.default_rng(seed)
    weights = [draw(luck, 5, 4), draw(luck, 4), draw(luck, 4, 3), draw(luck, 3)]
    return weights, [[draw(luck, n, 5), one_hot(luck, n, 3)] for n in rows]


def expect_by_hand(student, kind):
    """One step of a line, and a second."""
    came = student.define(ENGINE).learn(kind, "line", LINE, [POINT, POINT], 0.25)
    expect(came["losses"][0], 1.0, of="the loss of (x W + b - t)², which is -1 squared, at first")
    wanted = [np.array([[1.5], [1.5]]), np.array([1.0])]
    expect(came["weights"][1], wanted, "w - rate · slope; slopes are (-2, 2) and -2",
           of="W = (1, 2) and b = 0.5 after one step of rate 0.25")
    expect_net(came, "line", LINE, [POINT, POINT], 0.25)


def expect_both_rates(student, kind):
    """A net of two layers, with the momentum that is usual, and with another."""
    arrays, batches = make_net(3)
    for momentum in (None, 0.5, 0.0):
        came = student.define(ENGINE).learn(kind, "net", arrays, batches, 0.2, "", momentum)
        expect_net(came, "net", arrays, batches, 0.2, 0.9 if momentum is None else momentum)


def expect_apart(student, kind):
    """Nets that know nothing of each other, and leave what they were given."""
    arrays, batches = make_net(4)
    for habit in ("saving", "wild"):
        came = student.define(ENGINE).learn(kind, "net", arrays, batches, 0.2, habit)
        expect_net(came, "net", arrays, batches, 0.2)
        expect(came["kept"], True, of=KEPT)


@pytest.mark.question("q3", points=1)
def test_a_step_by_hand(student):
    """one step of a line, and a second"""
    expect_by_hand(student, student.AtOnce)


@pytest.mark.question("q3", points=1)
def test_momentum(student):
    """three steps of a net, at several momenta"""
    expect_both_rates(student, student.AtOnce)


@pytest.mark.question("q3", points=1)
def test_one_way_back_for_each_step(student):
    """two nets from the same arrays; calls in each step"""
    expect_apart(student, student.AtOnce)
    arrays, batches = make_net(5)
    came = student.define(ENGINE).learn(student.AtOnce, "net", arrays, batches, 0.2)
    expect([came["calls"], came["steps"]["backward"]], [[0, 3], 3],
           of="[calls of loss_of [before, in] three steps, calls of backward]")


@pytest.mark.question("q3", points=1)
def test_weights_of_all_kinds(student):
    """a weight that the loss does not read, one that it reads twice; what is left in memory"""
    luck = np.random.default_rng(6)
    for name in ("unused", "twice"):
        arrays = [draw(luck, 3, 3), draw(luck, 2)][: 1 + (name == "unused")]
        batches = [[draw(luck, 4, 3), draw(luck, 4, 3)] for _ in range(3)]
        came = student.define(ENGINE).learn(student.AtOnce, name, arrays, batches, 0.2)
        expect_net(came, name, arrays, batches, 0.2)
        few = type(came["alive"]) is int and came["alive"] <= len(arrays)
        expect(few, True, "a loss that is kept keeps its graph",
               of=f"whether no more than {len(arrays)} Tensors are left (it is {came['alive']})")


@pytest.mark.question("q4", points=1)
def test_a_run_by_hand(student):
    """one step of a line, and a second"""
    expect_by_hand(student, student.Waits)


@pytest.mark.question("q4", points=1)
def test_momentum_in_runs(student):
    """three steps of a net, at several momenta"""
    expect_both_rates(student, student.Waits)


@pytest.mark.question("q4", points=1)
def test_built_once(student):
    """what is built, and when; batches of several sizes"""
    arrays, batches = make_net(7, rows=(4, 7, 1, 4))
    came = student.define(ENGINE).learn(student.Waits, "net", arrays, batches, 0.2)
    expect_net(came, "net", arrays, batches, 0.2)
    expect(came["calls"], [1, 0], of="calls of loss_of: to make the net, in four steps")
    built = [came["made"]["gradients"], came["made"]["runs"]]
    expect(built, [1, 0], of="to make the net: calls of gradients, runs")
    wanted = {"backward": 0, "nodes": 0, "gradients": 0, "runs": 4}
    expect(came["steps"], wanted, of="in four steps: calls, nodes made, runs")


@pytest.mark.question("q4", points=1)
def test_arrays_of_the_engine(student):
    """an engine that writes into the same arrays in every run; a weight that is not read"""
    expect_apart(student, student.Waits)
    luck = np.random.default_rng(8)
    arrays = [draw(luck, 3, 2), draw(luck, 2)]
    batches = [[draw(luck, 4, 3), draw(luck, 4, 2)] for _ in range(3)]
    came = student.define(ENGINE).learn(student.Waits, "unused", arrays, batches, 0.2, "saving")
    expect_net(came, "unused", arrays, batches, 0.2)


# q5 ----------------------------------------------------------------------------------------------

TRAIN = '''
import random

import numpy as np


class Step:
    """Notes each batch, and gives the number of the step as its loss. It writes into what it gets,
    and seeds NumPy and Python."""

    def __init__(self):
        self.seen = []

    def __call__(self, x, t):
        self.seen.append([np.array(x), np.array(t)])
        x[...], t[...] = -1, -1
        np.random.seed(3)
        random.seed(3)
        return float(len(self.seen))


def trained(train, images, targets, *more):
    """[losses, batches, whether images, targets and NumPy's own luck stayed as they were]"""
    step, given = Step(), [np.array(images), np.array(targets)]
    np.random.seed(5)
    losses = train(step, images, targets, *more)
    if not step.seen:
        np.random.seed(3)
    luck = np.random.random()
    np.random.seed(3)
    kept = np.array_equal(images, given[0]) and np.array_equal(targets, given[1])
    return [losses, step.seen, bool(kept and luck == np.random.random())]
'''


def rows_of(batches, epochs):
    """The rows of each epoch, in order, where each row of x says its number, and t ten times it.
    Fails when a row of x came with another's t."""
    rows = []
    for x, t in batches:
        expect(t, 10.0 * x, "images and targets need the same order", of="the targets of a batch")
        rows.append([int(one) for one in x[:, 0]])
    share = len(rows) // epochs
    return [sum(rows[at * share : at * share + share], []) for at in range(epochs)]


@pytest.mark.question("q5", points=1)
def test_every_row_once(student):
    """ten rows, three at a time, twice"""
    numbers = np.arange(10.0)[:, None]
    ours = student.define(TRAIN)
    losses, batches, kept = ours.trained(student.train, numbers, 10 * numbers, 3, 2, 0)
    expect(losses, [float(n) for n in range(1, 7)], of="what the steps returned: 1.0, 2.0, ...")
    expect([x.shape for x, _ in batches], [(3, 1)] * 6, of="the shapes of the batches")
    for rows in rows_of(batches, 2):
        expect(len(set(rows)), 9, of=f"how many different rows in an epoch of {rows}")
    first, second = rows_of(batches, 2)
    expect(first != second and first != sorted(first), True,
           of=f"whether {first} and {second} are in random orders")
    expect(kept, True, of=KEPT)


@pytest.mark.question("q5", points=1)
def test_by_the_seed(student):
    """the same seed, another seed"""
    numbers, ours = np.arange(30.0)[:, None], student.define(TRAIN)
    found = [ours.trained(student.train, numbers, 10 * numbers, 5, 3, seed) for seed in (1, 1, 2)]
    one, again, other = [rows_of(batches, 3) for _, batches, _ in found]
    expect(one == again, True, of="whether the orders are the same by the same seed")
    expect(one != other, True, of="whether they are others by another seed")
    expect(one[0] != one[1] != one[2], True, "a step here seeds NumPy: have your own generator",
           of="whether each epoch has another order")


def share_read(student, seed, in_another_hand=lambda images, labels: (images, labels)):
    """The share of 200 digits that is read right by who has learned from 500 others."""
    images, labels = in_another_hand(*read_digits(0, 1000))
    rows = np.random.default_rng(seed).permutation(1000)
    weights = student.learned(images[rows[:500]], labels[rows[:500]])
    return read_right(weights, images[rows[500:700]], labels[rows[500:700]])


def expect_share(share, least, of):
    """That so many digits are read right."""
    if not share >= least:
        raise AssertionError(f"of        {of}\nexpected  at least {least:.0%} read right\n"
                             f"came      {share:.1%}")


@pytest.mark.question("q5", points=1)
def test_most_digits(student):
    """85 % of the digits"""
    expect_share(share_read(student, 0), 0.85, "200 digits that were not shown, after 500")


def mirror(images, labels):
    """The digits as a mirror shows them."""
    return images.reshape(-1, 8, 8)[:, :, ::-1].reshape(-1, 64), labels


@pytest.mark.question("q5", points=1)
def test_nearly_all_digits(student):
    """92 % of the digits, mirrored"""
    expect_share(share_read(student, 1, mirror), 0.92, "200 digits, mirrored, after 500 others")


# q6 ----------------------------------------------------------------------------------------------

CLOCK = '''
class Work:
    """Work whose calls take these times by its clock, the last one for all that follow."""

    def __init__(self, *times):
        self.times, self.now, self.calls, self.looks = times, 100.0, 0, 0

    def __call__(self):
        self.now += self.times[min(self.calls, len(self.times) - 1)]
        self.calls += 1

    def clock(self):
        self.looks += 1
        return self.now
'''
LINES = 1_000_000  # what one path after another exceeds at once
BYTES = '''
import numpy as np


class One:
    """A Tensor of any engine."""

    def __init__(self, value, *inputs, grad=None):
        self.value, self.inputs, self.grad = value, list(inputs), grad

def shapes():
    base = np.zeros((10, 10))
    w, x = One(base, grad=np.zeros((10, 10))), One(base[:2])
    y = One(np.zeros((2, 10), np.float32), x, w)
    return [w, x, y, One(np.float64(1.0), y, y, grad=np.float64(0.0))]


def chain(n):
    one = One(np.zeros(2))
    for _ in range(n):
        one = One(np.zeros(2), One(np.zeros(2), one), One(np.zeros(2), one))
    return one
'''


@pytest.mark.question("q6", points=1)
def test_losses_apart(student):
    """equal, nearly equal, infinite"""
    inf, nan = float("inf"), float("nan")
    for ours, theirs, wanted in (([2.0, 1.0], [2.0, 1.0], 0.0), ([4.0, 2.0], [4.0, 1.0], 0.5),
                                 ([1.0, 5.0], [4.0, 4.0], 0.75), ([0.0, inf], [0.0, inf], 0.0),
                                 ([1.0, nan], [1.0, 1.0], inf), ([nan], [nan], inf), ([], [], 0.0)):
        expect(student.apart(ours, theirs), wanted, of=f"apart({ours}, {theirs})")
    with pytest.raises(StudentError) as error:
        student.apart([1.0], [1.0, 2.0])
    expect(error.value.kind, "ValueError", of="the error of two lists of unequal length")


@pytest.mark.question("q6", points=1)
def test_median_of_times(student):
    """a first call that is slow, one that was disturbed"""
    cases = ([9.0, 1.0, 3.0, 2.0], 3, 2.0), ([9.0, 1.0, 8.0, 3.0, 2.0], 4, 2.5)
    for times, calls, wanted in cases:
        work = student.define(CLOCK).Work(*times)
        came = student.seconds(work, work.clock, calls)
        expect(came, wanted, "the first call is not measured; the median is the one in the middle",
               of=f"the time of calls that take {times}, with times={calls}")
        expect([work.calls, work.looks], [calls + 1, 2 * calls], of="[calls of work, of clock]")


@pytest.mark.question("q6", points=1)
def test_bytes_of_a_graph(student):
    """a weight with a gradient, a view, an array that two hold; many paths, many Tensors"""
    ours = student.define(BYTES)
    w, x, y, end = ours.shapes()
    expect(student.kept_bytes(w), 1600, of="an array of 10 × 10 floats, and its gradient")
    expect(student.kept_bytes(x), 800, "a view keeps all of the array alive", of="two of its rows")
    expect(student.kept_bytes(y), 1680, "one array, held by two",
           of="both, and 20 floats of 4 bytes that were made from them")
    expect(student.kept_bytes(end), 1696, of="the same, and a number and its gradient")
    student.count_lines(student.kept_bytes, ours.chain(50), limit=LINES)
    expect(student.kept_bytes(ours.chain(2000)), 6001 * 16, of="6,001 Tensors, along 2²⁰⁰⁰ paths")


# q7 ----------------------------------------------------------------------------------------------

OWN = ENGINE + '''

def by_hand(engine):
    """[y, slopes of a and b] of y = mean(relu(a @ b + b)), as Tensors and as Nodes."""
    a, b = np.array([[1.0, -2.0], [0.5, 1.0]]), np.array([[1.0, 2.0], [-1.0, 0.5]])
    x, w = engine.tensor(a), engine.tensor(b)
    y = (x @ w + w).relu().mean()
    y.backward()
    p, q = engine.placeholder("p"), engine.placeholder("q")
    z = (p @ q + q).relu().mean()
    return [[y.value, x.grad, w.grad], engine.run([z, *engine.gradients(z, [p, q])], {p: a, q: b})]


def repeated(engine, start, count, factor=None):
    """[mean, slopes] of the array doubled so many times, or multiplied by a number, as Tensors and
    as Nodes."""
    x, p = engine.tensor(start), engine.placeholder("p")
    y, z = x, p
    for _ in range(count):
        y, z = (y + y, z + z) if factor is None else (y * factor, z * factor)
    y, z = y.mean(), z.mean()
    y.backward()
    return [[y.value, x.grad], engine.run([z, *engine.gradients(z, [p])], {p: start})]


def two_losses(engine, start, factor):
    """The slopes of w after the loss y = 2 w, and after a second one: y times a factor; those of
    y."""
    w = engine.tensor(start)
    y = w * 2.0
    y.mean().backward()
    first = np.array(w.grad)
    (y * factor).mean().backward()
    return [first, w.grad, y.grad]


def fed(engine, a):
    """[mean(m m) and m, where m = log(p) is fed; the slopes of mean(m m), by itself, by what it
    does not read, by m]"""
    p, q = engine.placeholder("p"), engine.placeholder("q")
    m = p.log()
    y = (m * m).mean()
    return [engine.run([y, m], {m: a}),
            engine.run(engine.gradients(y, [y, q, m]), {p: np.exp(a), q: a})]


def halves(w):
    """w, along 2**40 paths."""
    for _ in range(40):
        w = w * 0.5 + w * 0.5
    return w


def race(engine, arrays, batches, rate):
    """The losses of plain steps, by Tensors and by Nodes; each weight has many paths."""
    losses, at_once, waits = [[], []], list(arrays), list(arrays)
    ws, x, t = [engine.placeholder("w") for _ in arrays], *map(engine.placeholder, "xt")
    node = LOSSES["net"]([halves(w) for w in ws], x, t)
    fetches = [node, *engine.gradients(node, ws)]
    for images, targets in batches:
        tensors = [engine.tensor(w) for w in at_once]
        pair = engine.tensor(images), engine.tensor(targets)
        y = LOSSES["net"]([halves(w) for w in tensors], *pair)
        y.backward()
        losses[0].append(float(y.value))
        at_once = [w - rate * one.grad for w, one in zip(at_once, tensors)]
        number, *slopes = engine.run(fetches, dict(zip([x, t, *ws], [images, targets, *waits])))
        losses[1].append(float(number))
        waits = [w - rate * g for w, g in zip(waits, slopes)]
    return losses
'''
exec(OWN, HERE)
BY_HAND = [2.25, np.array([[0.75, -0.125], [0.5, 0.125]]), np.array([[0.5, 0.625], [-0.5, 0.0]])]


@pytest.mark.question("q7", points=1)
def test_own_way_back(student):
    """by hand; 60 doublings; 2,000 products in a row; a second loss"""
    ours, engine = student.define(OWN), student.own_engine()
    student.count_lines(ours.repeated, engine, np.array([1.5]), 60, limit=LINES)
    expect(ours.by_hand(engine)[0], BY_HAND, of="[y, slopes of a, of b], y = mean(relu(a @ b + b))")
    expect_repeated(ours, engine, 0, "Tensors")
    came = ours.two_losses(engine, np.array([[1.0, 4.0]]), 3.0)
    wanted = [np.array([[1.0, 1.0]]), np.array([[4.0, 4.0]]), np.array([[2.0, 2.0]])]
    expect(came, wanted, "the second way back begins with slopes of its own",
           "slopes of w after one loss of y = 2 w, and after two; those of y")


def expect_repeated(ours, engine, which, kind):
    """The value and slope of 1.5, doubled 60 times, and of products in a row."""
    came = ours.repeated(engine, np.array([1.5]), 60)[which]
    expect(came, [1.5 * 2.0**60, np.array([2.0**60])],
           "a slope is complete when all users are through", f"1.5, doubled 60 times: {kind}")
    came = ours.repeated(engine, np.array([1.5]), 2000, 1.001)[which]
    wanted = [1.5 * 1.001**2000, np.array([1.001**2000])]
    expect(came, wanted, of=f"1.5 times 1.001, 2,000 times: {kind}")


@pytest.mark.question("q7", points=1)
def test_own_runs(student):
    """the same by Nodes; a Node that is fed in the middle; slopes of what is not read"""
    ours, engine = student.define(OWN), student.own_engine()
    student.count_lines(ours.repeated, engine, np.array([1.5]), 60, limit=LINES)
    expect(ours.by_hand(engine)[1], BY_HAND, of="[y, slopes of a, of b], y = mean(relu(a @ b + b))")
    expect_repeated(ours, engine, 1, "Nodes")
    a = np.array([[1.0, 3.0]])
    came = ours.fed(engine, a)
    expect(came[0], [5.0, a], "a fed Node is not computed",
           of="[mean(m m), m], where m = log(p) is fed")
    expect(came[1], [1.0, np.zeros((1, 2)), a], of="slopes of mean(m m) by itself, by q, by m")


@pytest.mark.question("q7", points=1)
def test_own_race(student):
    """digits, in both styles, along many paths"""
    ours, engine = student.define(OWN), student.own_engine()
    images, labels = read_digits(0, 30)
    luck = np.random.default_rng(2)
    arrays = [0.3 * draw(luck, 64, 6), draw(luck, 6), draw(luck, 6, 10), draw(luck, 10)]
    batches = [[images[at : at + 10], np.eye(10)[labels[at : at + 10]]] for at in (0, 10, 20)]
    student.count_lines(ours.race, engine, arrays, batches[:1], 0.3, limit=LINES)
    wanted, _ = followed("net", arrays, batches, 0.3, 0.0)
    came = ours.race(engine, arrays, batches, 0.3)
    of = "losses of three batches, by Tensors and by Nodes"
    expect(came, [wanted, wanted], of=of, tolerance=1e-12)
