"""The visible checks of ps8: pytest functions over `student`, which answers for your code."""

import importlib.util
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import StudentError, during

ENGINE = '''
import gc
import weakref
from numbers import Number

import numpy as np


def unbroadcast(g, shape):
    if np.shape(g) == shape:
        return g
    g = np.sum(g, axis=tuple(range(np.ndim(g) - len(shape))))
    return np.sum(g, axis=tuple(at for at, n in enumerate(shape) if n == 1), keepdims=True)


OPS = {
    "add": (np.add, lambda g, y, a, b: unbroadcast(g, a.shape),
            lambda g, y, a, b: unbroadcast(g, b.shape)),
    "sub": (np.subtract, lambda g, y, a, b: unbroadcast(g, a.shape),
            lambda g, y, a, b: unbroadcast(-g, b.shape)),
    "mul": (np.multiply, lambda g, y, a, b: unbroadcast(g * b, a.shape),
            lambda g, y, a, b: unbroadcast(g * a, b.shape)),
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
        self.engine, self.made_by, self.array = engine, op, array
        self.compute = OPS[op][0] if op in OPS else compute
        for x in inputs:
            assert type(x) is type(self) or not isinstance(x, Value), "a Tensor beside a Node"
        self.operands = [x if type(x) is type(self) else
                         type(self)(engine, "constant", (), np.asarray(x, float)) for x in inputs]
        self.begin()

    def __neg__(self):
        return self * -1.0

    def paths(self, bar, contribution):
        """(a value, its cotangent) for every path to it; contribution(y, rule, bar) is what y
        passes on by a rule."""
        yield self, bar
        for x, rule in zip(self.operands, OPS.get(self.made_by, ())[1:]):
            if rule is not None:
                yield from x.paths(contribution(self, rule, bar), contribution)


class Tensor(Value):
    def begin(self):
        self.value, self.grad = self.array, None
        if self.compute:
            self.value = self.compute(*[x.value for x in self.operands])
        self.engine.alive.add(self)

    def backward(self) -> None:
        self.engine.counts["backward"] += 1
        self.engine.overwrite_gradients()
        paths = self.paths(np.ones(np.shape(self.value)), lambda y, rule, bar: rule(
            bar, y.value, *[x.value for x in y.operands]))
        for x, bar in paths:
            if x.grad is None or not self.engine.reuses:
                x.total = np.array(bar if x.grad is None else bar + x.grad)
                self.engine.totals.append((weakref.ref(x), x.total))
            else:
                x.total += bar
            x.grad = x.total[...]
            x.grad.flags.writeable = not self.engine.reuses


class Node(Value):
    def begin(self):
        self.engine.counts["nodes"] += 1


class Engine:
    """Counts what it is asked for. One that `reuses` its arrays returns the same ones from each
    run, and overwrites them at the next; it accumulates gradients in place, and the next backward
    pass overwrites those that no Tensor holds."""

    def __init__(self, reuses=False):
        self.reuses, self.alive, self.held, self.totals = reuses, weakref.WeakSet(), {}, []
        self.counts = dict.fromkeys(("loss_of", "backward", "nodes", "gradients", "run"), 0)

    def tensor(self, array):
        return Tensor(self, "value", (), np.asarray(array, float))

    def placeholder(self, name):
        return Node(self, "placeholder")

    def overwrite_gradients(self):
        for holder, total in self.totals if self.reuses else ():
            one = holder()
            if one is None or one.grad is None or one.total is not total:
                total[...] = np.nan

    def run(self, fetches, feeds):
        self.counts["run"] += 1
        for held in self.held.values():
            held[...] = np.nan
        known = {node: np.asarray(x, float) for node, x in feeds.items()}

        def find(node):
            if node not in known:
                if node.made_by == "placeholder":
                    raise KeyError("a placeholder is not fed")
                operands = [find(x) for x in node.operands]
                known[node] = node.compute(*operands) if node.compute else node.array
            return known[node]

        return [self.hand_out(node, find(node)) for node in fetches]

    def hand_out(self, node, array):
        held = self.held.get(node) if self.reuses else None
        if held is None or held.shape != np.shape(array):
            held = np.array(array)
        if self.reuses:
            self.held[node] = held
            held[...] = array
        shown = held[...]
        shown.flags.writeable = not self.reuses
        return shown

    def gradients(self, y, xs):
        self.counts["gradients"] += 1
        totals = {x: x * 0.0 for x in xs}
        start = Node(self, "constant", (), np.ones(()))
        for x, bar in y.paths(start, lambda y, rule, bar: Node(
                self, "backward", [bar, y, *y.operands], compute=rule)):
            if x in totals:
                totals[x] = totals[x] + bar
        return [totals[x] for x in xs]


def classify(w, x, t):
    for layer in range(len(w) // 2):
        x = (x.relu() if layer else x) @ w[2 * layer] + w[2 * layer + 1]
    x = x - x.rowmax()
    return -(t * (x - x.exp().rowsum().log())).rowsum().mean()


def squared(y, t):
    return ((y - t) * (y - t)).mean()


LOSSES = {
    "line": lambda w, x, t: squared(x @ w[0] + w[1], t),
    "network": lambda w, x, t: squared((x @ w[0] + w[1]).relu() @ w[2] + w[3], t),
    "classifier": classify,
    "deep": classify,
    "unread": lambda w, x, t: squared(x @ w[0], t),
    "twice": lambda w, x, t: squared((x @ w[0]).relu() @ w[0], t),
    "sum": lambda w, x, t: squared(x * (w[0] + w[1]), t),
    "negative": lambda w, x, t: squared(x * (w[0] + w[1] * w[1]), t) - 99.0,
    "constant": lambda w, x, t: squared(x, t),
}


class Moved(np.ndarray):
    """An array with a Tensor's methods; of complex numbers, too, ordered by their real part."""

    def relu(self):
        return self * (self.real > 0)

    def exp(self):
        return np.exp(self)

    def log(self):
        return np.log(self)

    def rowsum(self):
        return self.sum(axis=1, keepdims=True)

    def rowmax(self):
        return np.take_along_axis(self, self.real.argmax(axis=1)[:, None], axis=1)


class Loss:
    """A loss of the table that counts its calls; of several names, another one in each step."""

    def __init__(self, name, engine):
        self.names, self.counts, self.step, self.kinds = name.split(), engine.counts, 0, set()

    def __call__(self, weights, x, t):
        self.kinds |= {type(one).__name__ for one in (*weights, x, t)}
        self.counts["loss_of"] += 1
        return LOSSES[self.names[self.step % len(self.names)]](list(weights), x, t)


def learn(kind, name, arrays, batches, rate, habit="", momentum=None):
    """What a trainer did: its losses; its weights at first and after each step, told at the end;
    what was asked of the engine to make it, and by its steps; and more. A caller who "writes" fills
    all arrays that he has, and has the same two for all batches; an engine may "reuse" arrays."""
    engine, given = Engine(habit == "reuses"), [np.array(w) for w in arrays]
    loss, batches = Loss(name, engine), [[np.array(x) for x in pair] for pair in batches]
    handed, owned = list(given), given + [x for pair in batches for x in pair]
    before = [np.array(x) for x in owned]
    trainer = kind(engine, loss, handed, rate, *(() if momentum is None else (momentum,)))
    if habit == "writes":
        handed.clear()
        for w in given:
            w[...] = 55
    made, steps = dict(engine.counts), dict.fromkeys(engine.counts, 0)
    losses, seen = [], [look(trainer, habit)]
    for x, t in batches:
        if habit == "writes":
            batches[0][0][...], batches[0][1][...] = x, t
            x, t = batches[0]
        asked = dict(engine.counts)
        losses.append(trainer.step(x, t))
        loss.step += 1
        steps = {key: n + engine.counts[key] - asked[key] for key, n in steps.items()}
        if habit == "writes":
            x[...] = t[...] = 55
        seen.append(look(trainer, habit))
    gc.collect()
    kept = [*map(id, handed)] == [*map(id, given)] and all(map(np.array_equal, before, owned))
    return {"losses": losses, "weights": seen, "made": made, "steps": steps,
            "kept": habit == "writes" or bool(kept), "kinds": sorted(loss.kinds),
            "numbers": all(isinstance(one, Number) for one in losses),
            "graphs": sum(one.made_by in OPS for one in engine.alive)}


def look(trainer, habit):
    """The arrays of a trainer as it returned them; for a caller who "writes", copies."""
    arrays = trainer.arrays()
    if habit != "writes":
        return arrays
    for w in arrays:
        w[...] = 77
    arrays = trainer.arrays()
    copies = [np.array(w) for w in arrays]
    for w in arrays:
        w[...] = 77
    return copies


def by_turns(kind, name, several, batches, rate):
    """The weights at the end of trainers of one engine, which learn in turn. They begin with
    several lists of arrays, and with the first one again."""
    engine = Engine()
    trainers = [kind(engine, Loss(name, engine), w, rate) for w in (*several, several[0])]
    for x, t in batches:
        for trainer in trainers:
            trainer.step(x, t)
    return [trainer.arrays() for trainer in trainers]


def lift(operands, one):
    """The operands with `one(array)` in the place of each array."""
    return [lift(x, one) if isinstance(x, list) else one(x) for x in operands]


def asked_of(f, kind, operands, gradient=False):
    """[the kind of what f makes of arrays as Tensors or Nodes, its array, whether arrays and lists
    stayed as they were, and with `gradient` its derivatives with respect to the first operand]"""
    engine, feeds, before = Engine(), {}, lift(operands, np.array)

    def wait(array):
        node = engine.placeholder("")
        feeds[node] = array
        return node

    values = lift(operands, engine.tensor if kind == "Tensor" else wait)
    handed = lift(values, lambda one: one)
    result = f(*handed)
    if type(result).__name__ != kind:
        return [type(result).__name__, None, True]
    if kind == "Tensor":
        array = result.value
        if gradient:
            result.backward()
        more = [values[0].grad] if gradient else []
    else:
        nodes = engine.gradients(result, values[:1]) if gradient else []
        array, *more = engine.run([result, *nodes], feeds)
    return [kind, array, same(handed, values) and same(before, operands), *more]


def same(ours, theirs):
    """Whether nested lists hold the same values, or equal arrays."""
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return bool(np.array_equal(ours, theirs)) if isinstance(ours, np.ndarray) else ours is theirs
'''
HERE = {}
exec(ENGINE, HERE)  # the same losses here: what a trainer should learn is found by no engine
WRITES = "your code changes an argument (rule 3)"


def gradients_of(f, arrays):
    """The derivatives of f(arrays) with respect to each array, by complex steps, which no rounding
    disturbs."""
    found = [np.zeros(w.shape) for w in arrays]
    for number, gradient in enumerate(found):
        moved = [w.astype(complex).view(HERE["Moved"]) for w in arrays]
        for place in np.ndindex(gradient.shape):
            moved[number][place] += 1e-30j
            gradient[place] = np.imag(f(moved)) / 1e-30
            moved[number][place] -= 1e-30j
    return found


def trajectory(name, arrays, batches, rate, momentum=0.9):
    """(the losses, the weights at first and after each step), by the formula."""
    losses, seen, velocities = [], [arrays], [np.zeros(w.shape) for w in arrays]
    for (x, t), loss in zip(batches, cycle(name.split())):
        def number(weights, x=x, t=t, loss=loss):
            moved = [w.view(HERE["Moved"]) for w in weights]
            return HERE["LOSSES"][loss](moved, x.view(HERE["Moved"]), t)

        losses.append(float(number(seen[-1])))
        gradient = gradients_of(number, seen[-1])
        velocities = [momentum * v + g for v, g in zip(velocities, gradient, strict=True)]
        seen.append([w - rate * v for w, v in zip(seen[-1], velocities, strict=True)])
    return losses, seen


def draw(generator, *shape):
    """An array of numbers between -1 and 1."""
    return generator.uniform(-1, 1, shape)


def one_hot(generator, rows, classes):
    """Targets: 1 in a place of each row, 0 elsewhere."""
    return np.eye(classes)[generator.integers(0, classes, rows)]


def expect_trained(came, name, arrays, batches, rate, momentum=0.9):
    """That a trainer has learned what the formula says."""
    losses, weights = trajectory(name, arrays, batches, rate, momentum)
    for steps, (mine, wanted) in enumerate(zip(came["weights"], weights, strict=True)):
        of = f'weights after step {steps} with the loss "{name}"'
        expect(mine, wanted, "first v ← μ v + gradient, then w ← w − η v", of, 1e-12)
    of = f'losses of the steps with the loss "{name}"'
    expect(came["losses"], losses, "the loss is not that before the step", of, 1e-12)


def read_digits(first, last):
    """(images in [0, 1], labels) of scikit-learn's digits, without loading scikit-learn."""
    folder = Path(importlib.util.find_spec("sklearn").origin).parent / "datasets" / "data"
    rows = np.loadtxt(folder / "digits.csv.gz", delimiter=",", skiprows=first,
                      max_rows=last - first)
    return rows[:, :64] / 16, rows[:, 64].astype(int)


def scores_of(x, weights):
    """What a network makes of rows of numbers."""
    for layer, (W, b) in enumerate(zip(weights[::2], weights[1::2], strict=True)):
        x = (np.maximum(x, 0) if layer else x) @ W + b
    return x


# q1 ----------------------------------------------------------------------------------------------


def expect_scores(student, x, weights, wanted, because, of):
    """That the scores are right in both engines."""
    for kind in ("Tensor", "Node"):
        came = student.define(ENGINE).asked_of(student.scores, kind, [x, weights])
        expect(came[0], kind, "the result is not a value of the engine", f"what comes of {kind}s")
        expect(came[1], wanted, because, f"{of}, with {kind}s")


@pytest.mark.question("q1", points=1.5, core=True)
def test_scores(student):
    """two layers, by hand; one layer, and three"""
    x, weights = np.array([[1.0, -2.0]]), [np.array([[1.0, 0.0], [0.5, 3.0]]), np.array([0.5, 1.0])]
    weights += [np.array([[2.0], [1.0]]), np.array([-4.0])]
    expect_scores(student, x, weights, np.array([[-3.0]]), "relu stands only between two layers",
                  "the first layer gives (0.5, -5), so relu gives (0.5, 0)")
    generator = np.random.default_rng(9)
    for sizes in ([4, 3], [4, 3, 3, 2]):
        shapes = [shape for n, m in zip(sizes, sizes[1:]) for shape in ((n, m), (m,))]
        weights, x = [draw(generator, *shape) for shape in shapes], draw(generator, 6, 4)
        expect_scores(student, x, weights, scores_of(x, weights), "", f"the sizes {sizes}")


@pytest.mark.question("q1", points=0.5)
def test_initial_weights(student):
    """two layers"""
    generator = np.random.default_rng(4)
    wanted = [generator.normal(0, 1, (2, 8)), np.zeros(8)]
    wanted += [generator.normal(0, 0.5, (8, 3)), np.zeros(3)]
    expect(student.initial_weights([2, 8, 3], 4), wanted,
           "one generator makes all W, with sqrt(2 / n) for n inputs",
           of="initial_weights([2, 8, 3], 4)")


@pytest.mark.question("q1", points=0.5, corner=True)
def test_a_third_engine(student):
    """lists that are given"""
    generator = np.random.default_rng(5)
    weights = [draw(generator, *shape) for shape in ((2, 3), (3,), (3, 2), (2,))]
    came = student.define(ENGINE).asked_of(student.scores, "Tensor", [np.ones((1, 2)), weights])
    expect(came[2], True, WRITES, of="whether the list of weights stays as it was")
    given = student.define("def kept(f, sizes):\n    f(sizes, 1)\n    return sizes")
    expect(given.kept(student.initial_weights, [2, 3, 4]), [2, 3, 4], WRITES, of="the sizes after")


# q2 ----------------------------------------------------------------------------------------------


def expect_losses(student, scores, targets, because="", of=""):
    """That the loss and its gradient are right in both engines."""
    total = np.logaddexp.reduce(scores, axis=1)[:, None]
    number = np.mean(np.sum(targets * (total - scores), axis=1))
    gradient = (np.exp(scores - total) - targets) / len(scores)
    for kind in ("Tensor", "Node"):
        came = student.define(ENGINE).asked_of(student.loss, kind, [scores, targets], True)
        expect(came[0], kind, "the result is not a value of the engine", f"what comes of {kind}s")
        expect(came[1], number, because, f"the loss of {of}, with {kind}s")
        expect(came[3], gradient, "", f"its gradient with respect to the scores, with {kind}s")


@pytest.mark.question("q2", points=1.5, core=True)
def test_cross_entropy(student):
    """ten equal scores; three classes, four rows; scores of 1000 and -1000"""
    expect_losses(student, np.zeros((2, 10)), np.eye(10)[[3, 7]], "", "ten equal scores, ln 10")
    generator = np.random.default_rng(1)
    expect_losses(student, draw(generator, 4, 3), one_hot(generator, 4, 3),
                  "the mean is over the rows, not over all entries", "4 rows, 3 classes")
    scores = np.array([[0.0, 1000.0], [-1000.0, 0.0], [1000.0, 999.0]])
    expect_losses(student, scores, np.eye(2)[[0, 1, 1]],
                  "exp(1000) overflows, and log(0) is -inf", "scores of 1000")


@pytest.mark.question("q2", points=0.5)
def test_soft_targets(student):
    """targets of ½, ¼ and ¼"""
    scores, targets = np.array([[1.0, 2.0, -1.0]]), np.array([[0.5, 0.25, 0.25]])
    expect_losses(student, scores, targets, "every target counts", "targets of ½, ¼ and ¼")


@pytest.mark.question("q2", points=0.5, corner=True)
def test_scores_stay(student):
    """arrays that are given"""
    for kind in ("Tensor", "Node"):
        scores, targets = np.array([[1.0, 2.0]]), np.array([[0.0, 1.0]])
        came = student.define(ENGINE).asked_of(student.loss, kind, [scores, targets])
        expect(came[2], True, WRITES, f"whether the arrays of {kind}s stay as they were")


# q3 and q4 ---------------------------------------------------------------------------------------

LINE = [np.array([[1.0], [2.0]]), np.array([0.5])]
POINT = [np.array([[1.0, -1.0]]), np.array([[0.5]])]  # 1 - 2 + 0.5 is 1 too little


def make_network(seed, rows=(6, 5, 6)):
    """(weights, batches) of a network from 5 numbers to 3."""
    generator = np.random.default_rng(seed)
    weights = [draw(generator, *shape) for shape in ((5, 4), (4,), (4, 3), (3,))]
    return weights, [[draw(generator, n, 5), one_hot(generator, n, 3)] for n in rows]


def expect_steps(student, kind):
    """Two steps of a line, of which the first one is computed by hand; three of a network."""
    came = student.define(ENGINE).learn(kind, "line", LINE, [POINT, POINT], 0.25)
    expect(came["losses"][0], 1.0, of="the first loss, (x W + b − t)² with x W + b − t = −1")
    wanted = [np.array([[1.5], [1.5]]), np.array([1.0])]
    expect(came["weights"][1], wanted, "w ← w − η · gradient; the gradients are (−2, 2) and −2",
           of="W = (1, 2) and b = 0.5 after one step of rate 0.25")
    expect_trained(came, "line", LINE, [POINT, POINT], 0.25)
    arrays, batches = make_network(3)
    for momentum in (None, 0.5, 0.0):
        came = student.define(ENGINE).learn(kind, "network", arrays, batches, 0.2, "", momentum)
        expect_trained(came, "network", arrays, batches, 0.2, 0.9 if momentum is None else momentum)


def expect_unread(student, kind, *names):
    """Weights that the loss does not read, or not in every step."""
    generator = np.random.default_rng(8)
    for name in names:
        arrays = [draw(generator, *shape) for shape in ((3, 2), (2,))]
        batches = [[draw(generator, 4, 3), draw(generator, 4, 2)] for _ in range(3)]
        came = student.define(ENGINE).learn(kind, name, arrays, batches, 0.2)
        expect_trained(came, name, arrays, batches, 0.2)


def expect_copies(student, kind):
    """A caller who writes into all arrays, and an engine that overwrites its own."""
    arrays, batches = make_network(4, (6, 6, 6))
    for habit in ("", "writes", "reuses"):
        came = student.define(ENGINE).learn(kind, "network", arrays, batches, 0.2, habit)
        expect(came["kept"], True, WRITES, of="whether all arguments stay as they were")
        expect(came["numbers"], True, "use float(...) (rule 5)", of="whether losses are numbers")
        expect_trained(came, "network", arrays, batches, 0.2)


@pytest.mark.question("q3", points=2.5, core=True)
def test_steps(student):
    """one step by hand, and a second one; a network, at several momenta"""
    expect_steps(student, student.DynamicTrainer)


@pytest.mark.question("q3", points=0.5)
def test_unread_weights(student):
    """weights that the loss reads now and then, or never"""
    expect_unread(student, student.DynamicTrainer, "unread", "line unread")


@pytest.mark.question("q3", points=0.5)
def test_what_a_step_asks(student):
    """calls in each step, and what is left in memory"""
    arrays, batches = make_network(5)
    came = student.define(ENGINE).learn(student.DynamicTrainer, "network", arrays, batches, 0.2)
    calls = [came["steps"]["loss_of"], came["steps"]["backward"]]
    expect(calls, [3, 3], of="calls of [loss_of, backward] in three steps")
    expect(came["kinds"], ["Tensor"], "x and t are arrays, not Tensors", of="what loss_of gets")
    expect(came["graphs"], 0, "the Tensor of a loss is kept", of="computed Tensors that are left")


@pytest.mark.question("q3", points=0.5, corner=True)
def test_copies(student):
    """callers who write into their arrays; an engine that overwrites its own"""
    expect_copies(student, student.DynamicTrainer)


@pytest.mark.question("q4", points=3, core=True)
def test_runs(student):
    """the steps of q3, and when the graph is built"""
    expect_steps(student, student.StaticTrainer)
    arrays, batches = make_network(7, rows=(4, 7, 1, 4))
    came = student.define(ENGINE).learn(student.StaticTrainer, "network", arrays, batches, 0.2)
    expect_trained(came, "network", arrays, batches, 0.2)
    built = [came["made"]["loss_of"], came["made"]["gradients"]]
    expect(built, [1, 1], of="calls of [loss_of, gradients] in __init__")
    steps = [came["steps"][key] for key in ("loss_of", "gradients", "nodes")]
    expect(steps, [0, 0, 0], of="in the steps: calls of [loss_of, gradients], and new Nodes")


@pytest.mark.question("q4", points=1)
def test_one_run(student):
    """how often a step runs the graph"""
    arrays, batches = make_network(7)
    came = student.define(ENGINE).learn(student.StaticTrainer, "network", arrays, batches, 0.2)
    expect(came["steps"]["run"], 3, "fetch all in one run", of="calls of run in three steps")


@pytest.mark.question("q4", points=0.5)
def test_unread_weights_in_runs(student):
    """weights that the loss does not read"""
    expect_unread(student, student.StaticTrainer, "unread")


@pytest.mark.question("q4", points=0.5, corner=True)
def test_copies_of_runs(student):
    """callers who write into their arrays; an engine that overwrites its own"""
    expect_copies(student, student.StaticTrainer)


# q5 ----------------------------------------------------------------------------------------------

TRAIN = '''
import random

import numpy as np


class Step:
    """Notes each batch, keeps its arrays, and returns its own number. A loud one writes into its
    batch, and seeds NumPy and Python."""

    def __init__(self, habit):
        self.seen, self.got, self.habit = [], [], habit

    def __call__(self, x, t):
        self.seen.append([np.array(x), np.array(t)])
        self.got.append((x, t))
        if self.habit == "loud":
            x[...] = t[...] = len(self.seen)
            begin(3)
        return float(len(self.seen))


def begin(seed):
    np.random.seed(seed)
    random.seed(seed)


def draw_next():
    """Numbers that NumPy and Python draw next."""
    return [np.random.random(), random.random()]


def trained(habit, train, images, targets, *more):
    """What train did: its losses and batches; whether images and targets stayed as they were,
    whether each batch of a loud step is its own, and whether what others draw is not disturbed."""
    step, given = Step(habit), [np.array(images), np.array(targets)]
    begin(5)
    losses = train(step, images, targets, *more)
    drawn = draw_next()
    begin(5)
    kept = np.array_equal(images, given[0]) and np.array_equal(targets, given[1])
    own = all(np.all(one == at) for at, got in enumerate(step.got, 1) for one in got)
    return {"losses": losses, "batches": step.seen, "kept": bool(kept), "own": bool(own),
            "undisturbed": drawn == draw_next()}
'''


def train(student, n, size, epochs, seed, habit=""):
    """What `train` did with rows of which each says its number: the `trained` of TRAIN."""
    each = np.arange(float(n))[:, None]
    return student.define(TRAIN).trained(
        habit, student.train, each * np.ones(2), 10 * each, size, epochs, seed)


def rows_of(came, count, epochs):
    """The rows of each epoch, in order, with `count` batches in each."""
    rows = [[int(one) for one in x[:, 0]] for x, _ in came["batches"]]
    return [sum(rows[at * count : at * count + count], []) for at in range(epochs)]


@pytest.mark.question("q5", points=2.5, core=True)
def test_every_row(student):
    """ten rows, three at a time, twice; orders by the seed"""
    came = train(student, 10, 3, 2, 0)
    expect([x.shape for x, _ in came["batches"]], [(3, 2)] * 6, of="the shapes of the batches")
    for x, t in came["batches"]:
        expect(t, 10.0 * x[:, :1], "images and targets need the same order", of="some targets")
    expect(came["losses"], [float(n) for n in range(1, 7)], of="what the steps returned, in a list")
    first, second = rows_of(came, 3, 2)
    for rows in (first, second):
        expect(len(set(rows)), 9, "a row comes twice", of=f"different rows in the epoch {rows}")
    expect(first == second or first == sorted(first), False, "each epoch needs a random order",
           of=f"whether {first} and {second} are equal or sorted")
    one, again, other = (rows_of(train(student, 30, 5, 1, seed), 6, 1) for seed in (1, 1, 2))
    expect([one == again, one == other], [True, False], "all orders come from the seed",
           of="whether the order is the same with [the same seed, another seed]")


@pytest.mark.question("q5", points=0.5, corner=True)
def test_own_generator(student):
    """steps that use NumPy's and Python's generators, and write into their batches"""
    quiet, loud = (train(student, 30, 4, 3, 7, habit) for habit in ("", "loud"))
    expect([quiet["kept"], loud["kept"]], [True] * 2, "a batch is a view of the images",
           of="whether images and targets stay as they were")
    expect(quiet["undisturbed"], True, "NumPy's or Python's own generator is used or seeded",
           of="whether others draw what they would have drawn")
    expect(loud["own"], True, "two batches share memory", of="whether a batch stays as it is left")
    same = rows_of(quiet, 7, 3) == rows_of(loud, 7, 3)
    expect(same, True, of="whether the order is the same when a step seeds NumPy and Python")


def accuracy(student, seed, change=lambda images: images):
    """The percentage of 200 digits that is classified correctly after 500 others."""
    images, labels = read_digits(0, 1000)
    rows, images = np.random.default_rng(seed).permutation(1000), change(images)
    weights = student.train_classifier(images[rows[:500]], labels[rows[:500]])
    shapes = [np.shape(w) for w in weights] if isinstance(weights, list) else []
    sizes = [64, *[shape[0] for shape in shapes[1::2] if shape]]
    wanted = [shape for n, m in zip(sizes, sizes[1:]) for shape in ((n, m), (m,))]
    right = bool(shapes) and shapes == wanted and sizes[-1] == 10
    expect(right, True, of=f"whether it is [W, b, W, b, ...] from 64 to 10; it is {shapes!s:.100}")
    found = scores_of(images[rows[500:700]], weights).argmax(axis=1)
    return 100 * float(np.mean(found == labels[rows[500:700]]))


def expect_accuracy(found, least):
    """That so many percent are classified correctly."""
    expect(found >= least, True, of=f"whether {found:.1f} % of 200 new digits are {least} %")


@pytest.mark.question("q5", points=0.5)
def test_most_digits(student):
    """85 % of new digits"""
    expect_accuracy(accuracy(student, 0), 85)


@pytest.mark.question("q5", points=0.5)
def test_nearly_all_digits(student):
    """92 % of new digits, which are mirrored"""
    def mirror(images):
        return images.reshape(-1, 8, 8)[:, :, ::-1].reshape(-1, 64)

    expect_accuracy(accuracy(student, 1, mirror), 92)


# q6 ----------------------------------------------------------------------------------------------

NUMBERS = '''
from numbers import Number

import numpy as np


def measured(f, *operands):
    """[what f returns, whether it is a number]"""
    found = f(*operands)
    return [found, isinstance(found, Number)]


def all_numbers(f, ours, theirs):
    """[f of two lists, the same in NumPy's numbers, whether both are numbers, whether the lists
    stayed as they were]"""
    of_numpy = [[np.float64(one) for one in losses] for losses in (ours, theirs)]
    pairs = [[ours, theirs], of_numpy]
    before = [[*map(id, losses)] for pair in pairs for losses in pair]
    with np.errstate(all="ignore"):
        found = [f(*pair) for pair in pairs]
    kept = before == [[*map(id, losses)] for pair in pairs for losses in pair]
    return [*found, all(isinstance(one, Number) for one in found), kept]
'''


@pytest.mark.question("q6", points=2.5, core=True)
def test_p_values(student):
    """the example; other differences by hand"""
    for ours, theirs, wanted, because in (
            ([5, 5, 5], [1, 2, 3], 0.25, "of 8 ways, two reach the difference 9"),
            ([1, 2, 3], [5, 5, 5], 0.25, "without the sign, −9 is as large as 9"),
            ([9], [4], 1.0, "both ways differ by 5"),
            ([4, 6], [4, 3], 1.0, "exchanging two equal results changes nothing"),
            ([9, 9, 5], [6, 8, 7], 0.75, "the sums ±3 ±1 ±2 reach 2 in 6 of 8 ways")):
        expect(student.p_value(ours, theirs), wanted, because, of=f"p_value({ours}, {theirs})")


@pytest.mark.question("q6", points=1)
def test_differences(student):
    """losses that are equal, near and far; lists of different lengths"""
    for ours, theirs, wanted in (([2.0, 1.0], [2.0, 1.0], 0.0), ([4.0, 2.0], [4.0, 1.0], 0.5),
                                 ([1.0, 5.0], [4.0, 4.0], 0.75)):
        expect(student.largest_difference(ours, theirs), wanted, "divide by the larger one",
               of=f"largest_difference({ours}, {theirs})")
    with pytest.raises(StudentError) as error:
        student.largest_difference([1.0], [1.0, 2.0])
    expect(error.value.kind, "ValueError", of="the error for lists of different lengths")


@pytest.mark.question("q6", points=0.5, corner=True)
def test_nan_and_infinity(student):
    """losses that are 0, infinite or NaN, as numbers of Python and of NumPy"""
    inf, nan = float("inf"), float("nan")
    all_numbers = student.define(NUMBERS).all_numbers
    for ours, theirs, wanted in (([0.0, inf], [0.0, inf], 0.0), ([1.0, nan], [1.0, 1.0], inf),
                                 ([nan], [nan], inf), ([inf], [1.0], inf)):
        *came, plain, kept = all_numbers(student.largest_difference, ours, theirs)
        expect(came, [wanted] * 2, of=f"largest_difference({ours}, {theirs}), with Python's "
               "floats and with NumPy's")
        expect(plain, True, "use float(...) (rule 5)", of="whether the result is a number")
        expect(kept, True, WRITES, of="whether the lists stay as they were")


# q7 ----------------------------------------------------------------------------------------------

OWN = ENGINE + '''

def repeated(engine, start, count, factor, which):
    """[mean, gradient] of the array doubled so many times, or multiplied by a number, by Tensors
    or by Nodes."""
    x = y = engine.placeholder("p") if which else engine.tensor(start)
    for _ in range(count):
        y = y + y if factor is None else y * factor
    return found(engine, y.mean(), {x: start}, which)


def found(engine, y, inputs, which):
    """[y, its gradient with respect to each of the inputs], by Tensors or by Nodes."""
    if which:
        return engine.run([y, *engine.gradients(y, [*inputs])], inputs)
    y.backward()
    return [y.value, *[x.grad for x in inputs]]


def used_early_and_late(engine, a, which):
    """[mean(b + 3 b + b), its gradient with respect to a], where b = 2 a."""
    x = engine.placeholder("p") if which else engine.tensor(a)
    b = x * 2.0
    return found(engine, (b + b * 3.0 + b).mean(), {x: a}, which)


def formula(p, q):
    """A number from two arrays [3, 3] by every operation."""
    row = np.array([[0.5, 1.0, 2.0]])
    z = row + (p @ q - row * q) + np.ones((1, 3))
    z0 = z - z.rowmax()
    s = z0 - z0.exp().rowsum().log()
    return (-(s * (2.0 - z.relu())) + row @ (0.5 * q * q.rowsum()) + (row - q.relu())).mean()


def every_operation(engine, a, b, which):
    """[the formula, its gradients with respect to a and b], by Tensors or by Nodes."""
    if which:
        p, q = engine.placeholder("exp"), engine.placeholder("add")
    else:
        p, q = engine.tensor(a), engine.tensor(b)
    return found(engine, formula(p, q), {p: a, q: b}, which)


def two_losses(engine, start, factor):
    """The gradient of w after the loss y = 2 w, and after a second one, y times a factor; that of
    y."""
    w = engine.tensor(start)
    y = w * 2.0
    y.mean().backward()
    first = np.array(w.grad)
    (y * factor).mean().backward()
    return [first, w.grad, y.grad]


def halves(w):
    """w, along 2**40 paths."""
    for _ in range(40):
        w = w * 0.5 + w * 0.5
    return w


def train(engine, arrays, batches, rate):
    """The losses of plain steps, by Tensors and by Nodes; each weight has many paths."""
    losses, dynamic, static = [[], []], list(arrays), list(arrays)
    ws, x, t = [engine.placeholder("w") for _ in arrays], *map(engine.placeholder, "xt")
    node = classify([halves(w) for w in ws], x, t)
    fetches = [node, *engine.gradients(node, ws)]
    for images, targets in batches:
        tensors = [engine.tensor(w) for w in dynamic]
        y = classify([halves(w) for w in tensors], engine.tensor(images), engine.tensor(targets))
        y.backward()
        losses[0].append(float(y.value))
        dynamic = [w - rate * one.grad for w, one in zip(dynamic, tensors)]
        number, *gradient = engine.run(fetches, dict(zip([x, t, *ws], [images, targets, *static])))
        losses[1].append(float(number))
        static = [w - rate * g for w, g in zip(static, gradient)]
    return losses
'''
LINES = 1_000_000  # what one path after another exceeds at once
DEEP = "It uses recursion, which is too deep for 2,000 operations in a row."


@pytest.mark.question("q7", points=2, core=True)
def test_own_engine(student):
    """60 doublings, 2,000 products, a second loss, and training"""
    ours, engine, start = student.define(OWN), student.own_engine(), np.array([1.5])
    for which, kind in enumerate(("Tensors", "Nodes")):
        student.count_lines(ours.repeated, engine, start, 60, None, which, limit=LINES)
        came = ours.repeated(engine, start, 60, None, which)
        expect(came, [1.5 * 2.0**60, np.array([2.0**60])],
               "a cotangent is complete after all users have passed theirs on",
               of=f"[value, gradient] of 1.5, doubled 60 times, with {kind}")
        with during(f"2,000 products of {kind}", because=DEEP):
            came = student.without_recursion(ours.repeated, engine, start, 2000, 1.001, which)
        expect(came, [1.5 * 1.001**2000, np.array([1.001**2000])],
               of=f"[value, gradient] of 1.5 times 1.001, 2,000 times, with {kind}")
    came = ours.two_losses(engine, np.array([[1.0, 4.0]]), 3.0)
    expect(came, [np.array([[1.0, 1.0]]), np.array([[4.0, 4.0]]), np.array([[2.0, 2.0]])],
           "each backward pass begins with cotangents of its own",
           of="the gradient of w after the loss mean(y), y = 2 w, and after mean(3 y); that of y")
    images, labels = read_digits(0, 30)
    generator = np.random.default_rng(2)
    arrays = [0.3 * draw(generator, *shape) for shape in ((64, 6), (6,), (6, 10), (10,))]
    batches = [[images[at : at + 10], np.eye(10)[labels[at : at + 10]]] for at in (0, 10, 20)]
    wanted, _ = trajectory("classifier", arrays, batches, 0.3, 0.0)
    expect(ours.train(engine, arrays, batches, 0.3), [wanted, wanted],
           of="losses of three batches of digits, with Tensors and with Nodes", tolerance=1e-12)


@pytest.mark.question("q7", points=0.5, corner=True)
def test_own_backward(student):
    """a gradient that begins with ones"""
    x = student.own_engine().tensor(np.array([[1.0, 2.0]]))
    expect(x.grad, None, of=".grad of a new Tensor")
    x.backward()
    expect(x.grad, np.ones((1, 2)), of=".grad of x after x.backward()")


@pytest.mark.question("q7", points=0.5, corner=True)
def test_own_runs(student):
    """a Node that is fed in the middle"""
    ours = student.define("def fed(engine, a):\n    p = engine.placeholder('p')\n"
                          "    m = p.log()\n    return engine.run([m * m, m], {m: a})")
    came = ours.fed(student.own_engine(), np.array([[1.0, 3.0]]))
    expect(came, [np.array([[1.0, 9.0]]), np.array([[1.0, 3.0]])], "a Node that is fed is computed",
           of="[m * m, m], where m = log(p) is fed")


# q8 ----------------------------------------------------------------------------------------------

BYTES = '''
import numpy as np


class One:
    """A Tensor of any engine."""

    def __init__(self, value, *inputs, grad=None):
        self.value, self.inputs, self.grad = value, list(inputs), grad


def chain(n, twice, size):
    one = One(np.zeros(size))
    for _ in range(n):
        fork = [One(np.zeros(size), one), One(np.zeros(size), one)] if twice else [one]
        one = One(np.zeros(size), *fork)
    return one


def shared(n, m):
    """[a weight with a gradient, a Tensor that holds the same array, a number made of both]"""
    w = One(np.zeros((n, m)), grad=np.ones((n, m)))
    same = One(w.value, w, One(np.zeros(m, np.float32)))
    return [w, same, One(np.float64(2.0), same, w, grad=np.float64(1.0))]


def views(n, m):
    """[two rows of an array, the same beside all of it, turned, a number that was broadcast]"""
    base = np.zeros((n, m))
    rows = One(base[:2])
    both = One(base.T, rows, grad=base[1])
    return [rows, both, One(np.broadcast_to(np.zeros((1, m)), (n, m)), both)]
'''


@pytest.mark.question("q8", points=1.5, core=True)
def test_shared_arrays(student):
    """an array that two Tensors hold, a gradient; many paths, many Tensors"""
    ours = student.define(BYTES)
    w, same, end = ours.shared(10, 10)
    expect(student.kept_bytes(w), 1600, of="an array of 10 × 10 floats, and its gradient")
    expect(student.kept_bytes(same), 1640, "one array, which two Tensors hold",
           of="the same, and a Tensor with the same array and a bias of 10 floats of 4 bytes")
    expect(student.kept_bytes(end), 1656, of="the same, and a number with its gradient")
    student.count_lines(student.kept_bytes, ours.chain(50, True, 2), limit=LINES)
    with during("6,001 Tensors", because=DEEP):
        came = student.without_recursion(student.kept_bytes, ours.chain(2000, True, 2))
    expect(came, 6001 * 16, of="6,001 Tensors")


@pytest.mark.question("q8", points=0.5, corner=True)
def test_views(student):
    """two rows of an array"""
    rows, _, _ = student.define(BYTES).views(10, 10)
    expect(student.kept_bytes(rows), 800, "a view keeps its base", of="two rows of ten")
