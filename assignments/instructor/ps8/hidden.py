"""The checks that grade ps8: what the visible ones ask, of other nets, numbers and digits."""

import importlib.util
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import StudentError

ENGINE = '''
import gc
import weakref
from numbers import Number

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
        self.engine, self.made_by, self.array = engine, op, array
        self.compute = OPS[op][0] if op in OPS else compute
        for x in inputs:
            assert type(x) is type(self) or not isinstance(x, Value), "a Tensor beside a Node"
        self.operands = [x if type(x) is type(self) else
                         type(self)(engine, "constant", (), np.asarray(x, float)) for x in inputs]
        self.begin()

    def __neg__(self):
        return self * -1.0

    def paths(self, bar, share):
        """(a value, its cotangent) for every way from here to it; share(y, rule, bar) is what y
        passes on by a rule."""
        yield self, bar
        for x, rule in zip(self.operands, OPS.get(self.made_by, ())[1:]):
            if rule is not None:
                yield from x.paths(share(self, rule, bar), share)


class Tensor(Value):
    def begin(self):
        self.value, self.grad = self.array, None
        if self.compute:
            self.value = self.compute(*[x.value for x in self.operands])
        self.engine.alive.add(self)

    def backward(self) -> None:
        self.engine.counts["backward"] += 1
        self.engine.spoil_slopes()
        ways = self.paths(np.ones(np.shape(self.value)), lambda y, rule, bar: rule(
            bar, y.value, *[x.value for x in y.operands]))
        for x, bar in ways:
            if x.grad is None or self.engine.habit != "saving":
                x.total = np.array(bar if x.grad is None else bar + x.grad)
                self.engine.slopes.append((weakref.ref(x), x.total))
            else:
                x.total += bar
            x.grad = x.total[...]
            x.grad.flags.writeable = False  # who asked may only read it


class Node(Value):
    def begin(self):
        self.engine.counts["nodes"] += 1


class Engine:
    """Counts what it is asked for. A "saving" one returns the same arrays from each run, and
    writes into them from the beginning of the next one; it adds slopes up in place, and the next
    way back writes into those that no Tensor has any more."""

    def __init__(self, habit=""):
        self.habit, self.alive, self.held = habit, weakref.WeakSet(), {}
        self.slopes = []
        self.counts = {"backward": 0, "nodes": 0, "gradients": 0, "runs": 0}

    def tensor(self, array):
        return Tensor(self, "value", (), np.asarray(array, float))

    def placeholder(self, name):
        return Node(self, "placeholder")

    def spoil_slopes(self):
        for holder, total in self.slopes if self.habit == "saving" else ():
            one = holder()
            if one is None or one.grad is None or one.total is not total:
                total[...] = np.nan

    def run(self, fetches, feeds):
        self.counts["runs"] += 1
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
        held = self.held.get(node) if self.habit == "saving" else None
        if held is None or held.shape != np.shape(array):
            held = np.array(array)
        if self.habit == "saving":
            self.held[node] = held
            held[...] = array
        shown = held[...]
        shown.flags.writeable = False
        return shown

    def gradients(self, y, xs):
        self.counts["gradients"] += 1
        totals = {x: x * 0.0 for x in xs}
        start = Node(self, "constant", (), np.ones(()))
        for x, bar in y.paths(start, lambda y, rule, bar: Node(
                self, "back", [bar, y, *y.operands], compute=rule)):
            if x in totals:
                totals[x] = totals[x] + bar
        return [totals[x] for x in xs]


def reading(w, x, t):
    for layer in range(len(w) // 2):
        x = (x.relu() if layer else x) @ w[2 * layer] + w[2 * layer + 1]
    x = x - x.rowmax()
    return -(t * (x - x.exp().rowsum().log())).rowsum().mean()


def off(y, t):
    return ((y - t) * (y - t)).mean()


LOSSES = {
    "line": lambda w, x, t: off(x @ w[0] + w[1], t),
    "net": lambda w, x, t: off((x @ w[0] + w[1]).relu() @ w[2] + w[3], t),
    "reading": reading,
    "deep": reading,
    "unused": lambda w, x, t: off(x @ w[0], t),
    "twice": lambda w, x, t: off((x @ w[0]).relu() @ w[0], t),
    "sum": lambda w, x, t: off(x * (w[0] + w[1]), t),
    "below": lambda w, x, t: off(x * (w[0] + w[1] * w[1]), t) - 99.0,
    "none": lambda w, x, t: off(x, t),
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
    """A loss of the table that counts its calls; of several names, call by call another one."""

    def __init__(self, name):
        self.names, self.calls = name.split(), 0

    def __call__(self, weights, x, t):
        kinds = [type(one).__name__ for one in (*weights, x, t)]
        assert kinds in ([k] * len(kinds) for k in ("Tensor", "Node")), f"loss_of got {kinds}"
        name = self.names[self.calls % len(self.names)]
        self.calls += 1
        return LOSSES[name](list(weights), x, t)


def hold(arrays, habit):
    """Copies of arrays; those of an "odd" caller lie transposed, and are closed to writing."""
    held = [np.array(x, order="F" if habit == "odd" else "C") for x in arrays]
    for x in held:
        x.flags.writeable = habit != "odd"
    return held


def learn(kind, name, arrays, batches, rate, habit="", momentum=None):
    """What a net of this kind did: its losses; its weights at first and after each step, told at
    the end; what was asked of the engine to make it, and by the steps; and more. A "wild" caller
    writes into all that is his, and has the same two arrays for all batches; one who has "one"
    array gives it for each weight."""
    engine, loss, given = Engine(habit), Loss(name), hold(arrays, habit)
    if habit == "one":
        given = given[:1] * len(given)
    handed, batches = list(given), [hold(pair, habit) for pair in batches]
    owned = given + [x for pair in batches for x in pair]
    before = [np.array(x) for x in owned]
    net = kind(engine, loss, handed, rate, *(() if momentum is None else (momentum,)))
    if habit == "wild":
        handed.clear()
        for w in given:
            w[...] = 55
    made, calls = dict(engine.counts), loss.calls
    losses, seen = [], [look(net, habit)]
    for x, t in batches:
        if habit == "wild":
            batches[0][0][...], batches[0][1][...] = x, t
            x, t = batches[0]
        losses.append(net.step(x, t))
        if habit == "wild":
            x[...] = t[...] = 55
        seen.append(look(net, habit))
    gc.collect()
    kept = [*map(id, handed)] == [*map(id, given)] and all(map(np.array_equal, before, owned))
    others = [one for one in engine.alive
              if not any(np.array_equal(one.value, w) for arrays in seen for w in arrays)]
    return {"losses": losses, "weights": seen, "made": made, "kept": habit == "wild" or bool(kept),
            "steps": {key: n - made[key] for key, n in engine.counts.items()},
            "numbers": all(isinstance(one, Number) for one in losses),
            "calls": [calls, loss.calls - calls], "alive": [len(engine.alive), len(others)]}


def look(net, habit):
    """The arrays of a net as it returned them; for a "wild" caller, who fills them and asks again,
    copies."""
    arrays = net.arrays()
    if habit != "wild":
        return arrays
    for w in arrays:
        w[...] = 77
    arrays = net.arrays()
    copies = [np.array(w) for w in arrays]
    for w in arrays:
        w[...] = 77
    return copies


def by_turns(kind, name, several, batches, rate):
    """[the weights at the end, calls of the loss] of nets that begin with several lists of arrays,
    and with the first once more, and learn in turn by one engine."""
    engine, loss = Engine(), Loss(name)
    nets = [kind(engine, loss, arrays, rate) for arrays in (*several, several[0])]
    for x, t in batches:
        for net in nets:
            net.step(x, t)
    return [[net.arrays() for net in nets], loss.calls]


def lift(operands, one):
    """The operands with `one(array)` in the place of each array."""
    return [lift(x, one) if isinstance(x, list) else one(x) for x in operands]


def asked_of(f, operands, slopes=False):
    """[what f makes of arrays as Tensors, the same as Nodes]; with `slopes` each is a list: the
    number, and its derivatives by the first operand."""
    engine, feeds = Engine(), {}

    def start(array):
        array.flags.writeable = False
        return engine.tensor(array)

    def wait(array):
        node = engine.placeholder("")
        feeds[node] = array
        return node

    tensors, nodes = lift(operands, start), lift(operands, wait)
    value, node = f(*lift(tensors, lambda x: x)), f(*lift(nodes, lambda x: x))
    for made, wanted in ((value, Tensor), (node, Node)):
        if type(made) is not wanted:
            raise TypeError(f"from {wanted.__name__}s came a {type(made).__name__}")
    if not slopes:
        return [value.value, engine.run([node], feeds)[0]]
    value.backward()
    return [[value.value, tensors[0].grad],
            engine.run([node, *engine.gradients(node, nodes[:1])], feeds)]


def drawn(f, sizes, seed):
    """[arrays that f returned, those of a second call after the first ones were filled, whether
    both are lists of arrays that share no memory, whether the sizes stayed]"""
    given, found, apart = list(sizes), [], True
    for _ in range(2):
        arrays = f(given, seed)
        found.append([np.array(w) for w in arrays])
        pairs = [(a, b) for at, a in enumerate(arrays) for b in arrays[:at]]
        apart = apart and type(arrays) is list and all(w.flags.writeable for w in arrays)
        apart = apart and not any(np.shares_memory(a, b) for a, b in pairs)
        for w in arrays if apart else ():
            w[...] = 7
    return [*found, bool(apart), given == list(sizes)]


class Bare:
    """A value of no engine. It has the ops, and notes what else it is asked for."""

    __array_ufunc__, held, asked = None, {}, set()

    def __getattribute__(self, name):
        Bare.asked.add(name)
        return object.__getattribute__(self, name)


def bare(array):
    one = Bare()
    Bare.held[one] = array
    return one


def of_bare(op):
    return lambda *operands: bare(OPS[op][0](*[Bare.held[x] for x in operands]))


for op in OPS:
    setattr(Bare, f"__{op}__" if op in ("add", "sub", "mul", "matmul") else op, of_bare(op))


def barely(f, x, weights):
    """[what f makes of values of no engine, what it asks of them beside ops, whether its list of
    weights stayed as it was]"""
    given = lift(weights, bare)
    handed = list(given)
    found = f(bare(x), handed)
    return [Bare.held[found], sorted(Bare.asked - {*OPS} - {f"__{op}__" for op in OPS}),
            len(given) == len(handed) and all(a is b for a, b in zip(given, handed))]
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
    for (x, t), loss in zip(batches, cycle(name.split())):
        def number(weights, x=x, t=t, loss=loss):
            return HERE["LOSSES"][loss](weights, x.view(HERE["Moved"]), t)

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
    return float(np.mean(scores_of(images, weights).argmax(axis=1) == labels))


def scores_of(x, weights):
    """What a net makes of rows of numbers."""
    for layer, (W, b) in enumerate(zip(weights[::2], weights[1::2], strict=True)):
        x = (np.maximum(x, 0) if layer else x) @ W + b
    return x


def numbers(rng, *shape, low=-1.0, high=1.0):
    """An array of random numbers."""
    return np.array([rng.uniform(low, high) for _ in range(int(np.prod(shape)))]).reshape(shape)


def shuffled(rng, n):
    """The numbers below n in random order."""
    return rng.sample(range(n), n)


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1, hint="One generator; sqrt(2 / n) with n of what comes in.")
def test_first_weights(student, rng):
    """several nets; the same once more; memory of their own; the sizes as they were"""
    ours = student.define(ENGINE)
    size = rng.randrange(2, 6)
    for sizes in ([3, 5], [size, size, size, size], [7, 2, 4, rng.randrange(1, 9)]):
        seed = rng.randrange(10**6) if len(sizes) > 2 else 0
        luck, wanted = np.random.default_rng(seed), []
        for n, m in zip(sizes, sizes[1:]):
            wanted += [luck.normal(0, np.sqrt(2 / n), (n, m)), np.zeros(m)]
        *found, own, kept = ours.drawn(student.new_weights, sizes, seed)
        for came in found:
            expect(came, wanted, of=f"new_weights({sizes}, {seed}), after others were filled")
            expect([one.dtype.name for one in came], ["float64"] * len(came), of="kinds of numbers")
        expect(own, True, of="whether it is a list of arrays to write into, each with its memory")
        expect(kept, True, of=KEPT)


@pytest.mark.question("q1", points=1, hint="The same lines for one layer, and for five.")
def test_depths(student, rng):
    """one to twelve layers, in both engines"""
    for layers in (5, 1, 3, 2, 12):
        sizes = [rng.randrange(2, 7) for _ in range(layers + 1)]
        shapes = [shape for n, m in zip(sizes, sizes[1:]) for shape in ((n, m), (m,))]
        expect_scores(student, numbers(rng, rng.randrange(2, 6), sizes[0]),
                      [numbers(rng, *shape) for shape in shapes])


def expect_scores(student, x, weights):
    """That both engines give the scores."""
    came = student.define(ENGINE).asked_of(student.scores, [x, weights])
    wanted = [scores_of(x, weights)] * 2
    expect(came, wanted, of=f"{len(weights) // 2} layers, from Tensors, and from Nodes")


@pytest.mark.question("q1", points=1, hint="relu comes between: not first, not last.")
def test_signs(student, rng):
    """inputs and scores below 0; one row; large and tiny numbers; an engine that nobody knows"""
    n, m = rng.randrange(2, 5), rng.randrange(2, 5)
    below = [-abs(numbers(rng, *shape, low=0.5)) for shape in ((n, m), (m,), (m, 3), (3,))]
    expect_scores(student, numbers(rng, 1, n, low=-2, high=-1), below)
    expect_scores(student, numbers(rng, 4, n, low=-2, high=-1), below[:2])
    expect_scores(student, 1e6 * numbers(rng, 4, n), [1e-6 * numbers(rng, *w.shape) for w in below])
    x = numbers(rng, 2, n)
    came, asked, kept = student.define(ENGINE).barely(student.scores, x, below)
    expect(came, scores_of(x, below), of="two layers, in an engine that has the ops and no more")
    expect(asked, [], of="what its values were asked for beside the ops")
    expect(kept, True, of="whether the list of weights stayed as it was")


# q2 ----------------------------------------------------------------------------------------------


def losses_and_slopes(scores, targets):
    """The number, and the slopes of the scores."""
    total = np.logaddexp.reduce(scores, axis=1)[:, None]
    number = np.mean(np.sum(targets * (total - scores), axis=1))
    return [number, (np.exp(scores - total) - targets) / len(scores)]


def expect_losses(student, scores, targets, of):
    """That the loss and its slopes are right in both engines."""
    came = student.define(ENGINE).asked_of(student.loss, [scores, targets], True)
    wanted = losses_and_slopes(scores, targets)
    for kind, mine in zip(("Tensors", "Nodes"), came, strict=True):
        expect(mine, wanted, of=f"[loss, slopes of the scores] from {kind}, {of}", tolerance=1e-11)


@pytest.mark.question("q2", points=1, hint="The mean of the rows, whatever the number of classes.")
def test_rows_and_classes(student, rng):
    """one row and many, two classes and many"""
    for rows, classes in ((1, 2), (7, 3), (4, 26), (1, 10), (5, 1)):
        targets = np.eye(classes)[[rng.randrange(classes) for _ in range(rows)]]
        scores = numbers(rng, rows, classes, low=-4, high=4)
        scores = np.round(scores) if classes == 26 else scores  # equal ones
        expect_losses(student, scores, targets, f"{rows} rows, {classes} classes")


@pytest.mark.question("q2", points=1, hint="Take each row's largest score away before exp.")
def test_extreme_scores(student, rng):
    """rows far from each other; scores that cost thousands; nothing cut off"""
    for scale in (10.0, 1e3, 1e4):
        scores = scale * numbers(rng, 4, 5) + np.array([[scale], [-scale], [0.0], [-3 * scale]])
        targets = np.eye(5)[[int(np.argmin(scores[0])), 1, int(np.argmax(scores[2])), 3]]
        expect_losses(student, scores, targets, f"scores of about {scale:.0f}")
    far = numbers(rng, 3, 2) + np.array([[700.0], [-800.0], [0.0]])
    expect_losses(student, far, np.eye(2)[[0, 1, 1]], "rows around 700, -800 and 0")


@pytest.mark.question("q2", points=1, hint="Each t counts; they need not be 0 and 1.")
def test_shares_as_targets(student, rng):
    """targets that are not sure; far ones among them"""
    for rows, classes in ((3, 4), (1, 2)):
        shares = numbers(rng, rows, classes, low=0.1)
        shares = shares / shares.sum(axis=1, keepdims=True)
        for scale in (1.0, 500.0):
            expect_losses(student, scale * numbers(rng, rows, classes), shares,
                          f"targets between 0 and 1, scores of about {scale:.0f}")


# q3 and q4 ---------------------------------------------------------------------------------------


def make_case(rng, name, steps=4, rows=None):
    """(weights, batches) for a loss of the table; batches of `rows`, or of random sizes."""
    n, k = rng.randrange(2, 5), rng.randrange(2, 5)
    shapes = {"line": [(n, k), (k,)], "reading": [(n, 5), (5,), (5, 3), (3,), (3, k), (k,)],
              "deep": [(n, 3), (3,), *[(3, 3), (3,)] * 4, (3, k), (k,)],
              "unused": [(n, k), (2, 2)], "twice": [(n, n)]}.get(name.split()[0], [(n,), (n,)])
    k = n if name.split()[0] in ("twice", "sum", "below", "none") else k
    batches = []
    for _ in range(steps):
        count = rows or rng.randrange(1, 8)
        one_hot = np.eye(k)[[rng.randrange(k) for _ in range(count)]]
        batches.append([numbers(rng, count, n), one_hot])
    return [numbers(rng, *shape) for shape in shapes], batches


def expect_kinds(student, rng, kind, names, habit=""):
    """What nets of these losses learn, at random rates and several momenta; a line learns from
    afar, and where a weight is not read, a batch costs nothing."""
    for name, momentum in zip(names, cycle([None, rng.uniform(0.2, 0.8), 0.0])):
        arrays, batches = make_case(rng, name, rows=3 if habit == "wild" else None)
        rate = rng.uniform(0.05, 0.2)
        if name == "line":
            rate, batches = rate / 2500, [[50 * x, t] for x, t in batches]
        if name == "unused":
            batches[2] = [0.0 * one for one in batches[2]]
        if habit == "one":
            arrays = arrays[:1] * len(arrays)
        came = student.define(ENGINE).learn(kind, name, arrays, batches, rate, habit, momentum)
        expect_net(came, name, arrays, batches, rate, 0.9 if momentum is None else momentum)
        expect(came["kept"], True, of=KEPT)


def expect_turns(student, rng, kind, calls):
    """Three nets that learn in turn from three batches: their weights, and calls of the loss."""
    arrays, batches = make_case(rng, "reading", 3)
    several = [arrays, [numbers(rng, *w.shape) for w in arrays]]
    came = student.define(ENGINE).by_turns(kind, "reading", several, batches, 0.1)
    one, other = (followed("reading", each, batches, 0.1)[1][-1] for each in several)
    of = "the weights of three nets of one engine that learn in turn, calls of the loss"
    expect(came, [[one, other, one], calls], of=of, tolerance=1e-12)


@pytest.mark.question("q3", points=1, hint="v ← μ v + slope, then w ← w - η v; first the loss.")
def test_steps(student, rng):
    """nets of all kinds, with twelve weights, too; rates and momenta"""
    expect_kinds(student, rng, student.AtOnce, ["line", "reading", "sum", "deep"])
    arrays, batches = make_case(rng, "reading", 25)
    came = student.define(ENGINE).learn(student.AtOnce, "reading", arrays, batches, 0.1)
    expect_net(came, "reading", arrays, batches, 0.1)


@pytest.mark.question("q3", points=1, hint="What the loss does not read has None in .grad.")
def test_weights_of_all_kinds(student, rng):
    """weights that the loss does not read, or reads twice, or now and then; a loss of 0, below"""
    names = ["unused", "twice", "sum none", "line unused", "line unused unused line", "below"]
    expect_kinds(student, rng, student.AtOnce, names)


@pytest.mark.question("q3", points=1, hint="Copy what you are given, and what you give.")
def test_nets_apart(student, rng):
    """nets in turn; callers who write into all they have, or forbid it; the given arrays"""
    expect_turns(student, rng, student.AtOnce, 9)
    for habit in ("wild", "saving"):
        expect_kinds(student, rng, student.AtOnce, ["reading", "sum"], habit)
    expect_kinds(student, rng, student.AtOnce, ["line", "twice"], "odd")
    expect_kinds(student, rng, student.AtOnce, ["below"], "one")


@pytest.mark.question("q3", points=1, hint="One loss, one way back for each step; keep neither.")
def test_what_a_step_asks(student, rng):
    """calls in each step, Tensors that are left, what it returns"""
    for name, rate in (("reading", 0.1), ("line", 0.0)):
        arrays, batches = make_case(rng, name, rng.randrange(3, 6))
        came = student.define(ENGINE).learn(student.AtOnce, name, arrays, batches, rate)
        expect_net(came, name, arrays, batches, rate)
        expect([came["calls"], came["steps"]["backward"]], [[0, len(batches)], len(batches)],
               of="[calls of loss_of [before, in] the steps, calls of backward]")
        alive, others = came["alive"]
        few = type(alive) is type(others) is int and alive <= len(arrays) and others == 0
        expect(few, True, of=f"whether only Tensors of weights are left, of {alive}")
        expect(came["numbers"], True, of="whether each loss is a number, and no array")


@pytest.mark.question("q4", points=1, hint="v ← μ v + slope, then w ← w - η v; first the loss.")
def test_runs(student, rng):
    """nets of all kinds, with twelve weights, too; weights that the loss does not read"""
    expect_kinds(student, rng, student.Waits, ["line", "reading", "sum", "unused", "twice", "deep"])
    arrays, batches = make_case(rng, "reading", 25)
    came = student.define(ENGINE).learn(student.Waits, "reading", arrays, batches, 0.1)
    expect_net(came, "reading", arrays, batches, 0.1)


@pytest.mark.question("q4", points=1, hint="loss_of and gradients once, when the net is made.")
def test_built_once(student, rng):
    """what is built, and when"""
    for name in ("reading", "unused"):
        steps = rng.randrange(3, 6)
        arrays, batches = make_case(rng, name, steps)
        came = student.define(ENGINE).learn(student.Waits, name, arrays, batches, 0.1)
        expect_net(came, name, arrays, batches, 0.1)
        built = [came["calls"], came["made"]["gradients"], came["made"]["runs"]]
        expect(built, [[1, 0], 1, 0], of="[calls of loss_of [before, in] the steps], before them "
               "calls of gradients, and runs")
        steps_asked = [came["steps"][key] for key in ("backward", "nodes", "gradients")]
        expect(steps_asked, [0, 0, 0], of="by the steps: calls of backward, Nodes, gradients")


@pytest.mark.question("q4", points=1, hint="Fetch the loss and all slopes together.")
def test_one_run(student, rng):
    """one run for each step, whatever its batch; what it returns"""
    for rows, rate in ((None, 0.1), (3, 0.0), (None, 0.1)):
        steps = rng.randrange(2, 6)
        arrays, batches = make_case(rng, "reading", steps, rows)
        came = student.define(ENGINE).learn(student.Waits, "reading", arrays, batches, rate)
        expect_net(came, "reading", arrays, batches, rate)
        expect(came["steps"]["runs"], steps, of=f"runs in {steps} steps, with calls of arrays()")
        expect(came["numbers"], True, of="whether each loss is a number, and no array")


@pytest.mark.question("q4", points=1, hint="Copy what run returns, what you get and give.")
def test_nets_that_wait_apart(student, rng):
    """nets in turn; callers, and engines, who write into their arrays again, or forbid it"""
    expect_turns(student, rng, student.Waits, 3)
    for habit in ("wild", "saving"):
        expect_kinds(student, rng, student.Waits, ["reading", "sum", "unused"], habit)
    expect_kinds(student, rng, student.Waits, ["line", "twice"], "odd")
    expect_kinds(student, rng, student.Waits, ["below", "none"], "one")


# q5 ----------------------------------------------------------------------------------------------

TRAIN = '''
import random

import numpy as np


class Step:
    """Notes each batch, keeps its arrays, filled with the number of the step, and returns words or
    nothing. It seeds NumPy and Python, unless it is quiet."""

    def __init__(self, quiet):
        self.seen, self.got, self.quiet = [], [], quiet

    def __call__(self, x, t):
        self.seen.append([np.array(x), np.array(t)])
        self.got.append((x, t))
        x[...] = t[...] = len(self.seen) % 100
        if not self.quiet:
            begin(3)
        return f"loss {len(self.seen)}" if len(self.seen) % 3 else None


def begin(seed):
    np.random.seed(seed)
    random.seed(seed)


def luck(seed=None):
    """Numbers that NumPy and Python draw next, or would draw after this seed."""
    if seed is not None:
        begin(seed)
    return [np.random.random(), random.random()]


def trained(quiet, train, images, targets, *more):
    """[losses, whether in a list, batches, whether what step got stays with it, whether images,
    targets and everybody's luck stayed as they were]. A quiet step has rows that lie transposed,
    and are closed to writing."""
    step, given = Step(quiet), [np.array(images), np.array(targets)]
    if quiet:
        images, targets = np.asfortranarray(images), np.asfortranarray(targets)
        images.flags.writeable = targets.flags.writeable = False
    begin(5)
    losses = train(step, images, targets, *more)
    kept = luck() == luck(5 if quiet or not step.seen else 3)
    same = np.array_equal(images, given[0]) and np.array_equal(targets, given[1])
    own = all(np.all(one == at % 100) for at, got in enumerate(step.got, 1) for one in got)
    return [losses, type(losses) is list, step.seen, bool(own), bool(kept and same)]


def looked_at(learned, images, labels):
    """[weights, whether images and labels, closed to writing, stayed as they were]"""
    given = np.array(images), np.array(labels)
    images = np.asfortranarray(images)
    images.flags.writeable = labels.flags.writeable = False
    weights = learned(images, labels)
    return [weights, all(map(np.array_equal, given, (images, labels)))]
'''


def rows_of(batches, epochs):
    """The rows of each epoch, in order, where each row of x says its number, and t ten times it."""
    rows = []
    for x, t in batches:
        flat = x.reshape(len(x), -1)[:, :1]
        expect(t, 10.0 * flat.reshape(t.shape), of="the targets of a batch")
        rows.append([int(one) for one in flat[:, 0]])
    share = len(rows) // epochs
    return [sum(rows[at * share : at * share + share], []) for at in range(epochs)]


def made_rows(student, n, size, epochs, seed, quiet=False):
    """The rows of each epoch, once all that is sure about them has been asked. A quiet step has
    images with two axes, of small whole numbers, and labels."""
    each, ours = np.arange(n), student.define(TRAIN)
    images, targets = each[:, None] * np.ones(2), 10.0 * each[:, None]
    if quiet:
        images = (each[:, None, None] * np.ones((2, 3))).astype(np.uint8)
        targets = 10 * each
    came = ours.trained(quiet, student.train, images, targets, size, epochs, seed)
    losses, listed, batches, own, kept = came
    of = f"{n} rows, {size} at a time, {epochs} epochs"
    count = epochs * (n // size)
    wanted = [f"loss {at}" if at % 3 else None for at in range(1, count + 1)]
    expect(losses, wanted, of=f"what the steps returned, {of}")
    expect(listed, True, of="whether they are in a list")
    shapes = [[one.dtype.name, one.shape[1:], len(one)] for batch in batches for one in batch]
    wanted = [[one.dtype.name, one.shape[1:], size] for one in (images, targets)] * count
    expect(shapes, wanted, of=f"[numbers, shape, rows] of x and t, {of}")
    expect(own, True, of="whether a step's arrays stay as it has left them")
    expect(kept, True, of=KEPT + ", and what others draw by their own seeds")
    rows = rows_of(batches, epochs) if epochs else []
    expect([len(set(one)) for one in rows], [n // size * size] * epochs, of=f"different rows, {of}")
    return rows


@pytest.mark.question("q5", points=1, hint="Every epoch has an order of its own, of all rows.")
def test_every_row(student, rng):
    """rows that fill the batches, or do not; one, and more than there are; no epoch"""
    made_rows(student, 12, 4, 3, rng.randrange(99))
    made_rows(student, 5, 6, 2, rng.randrange(99))
    made_rows(student, 5, 5, 2, rng.randrange(99))
    made_rows(student, 6, 2, 0, rng.randrange(99))
    made_rows(student, 3, 1, 2, rng.randrange(99), True)
    n = rng.randrange(11, 15)
    rows = made_rows(student, n, 10, 40, rng.randrange(99))
    expect(len(set(sum(rows, []))), n, "other rows are left out in each epoch",
           of=f"different rows in 40 epochs of 10 rows of {n}")
    left = [{*range(n)} - {*one} for one in rows]
    first = all(rest <= {*one[: len(rest)]} for rest, one in zip(left, rows[1:]))
    expect(first, False, of="whether what was left out comes first in the next epoch")
    expect(len({tuple(one) for one in rows}), 40, of="different orders in 40 epochs")


@pytest.mark.question("q5", points=1, hint="A generator of your own, made from the seed, once.")
def test_by_the_seed(student, rng):
    """equal seeds, whatever is in the rows; other seeds, one that follows; what is random"""
    seed, n, size = rng.randrange(10**6), rng.randrange(40, 50), 8
    seeds = seed, seed, seed + 1, 0, 0
    found = [made_rows(student, n, size, 5, each, at % 2 == 1) for at, each in enumerate(seeds)]
    one, again, other, zero, zero_again = found
    expect([one == again, zero == zero_again], [True] * 2, of="whether equal seeds, 0 too, give "
           "equal orders")
    expect([any(a in one for a in b) for b in (other, zero)], [False, False],
           of="whether an epoch by another seed has an order of this one")
    beside = [{frozenset(pair) for pair in zip(rows, rows[1:])} for rows in one]
    repeated = any(len(a & b) > n / 2 for at, a in enumerate(beside) for b in beside[:at])
    expect(repeated, False, of="whether an order came again, turned or backwards perhaps")
    batches = [rows[at : at + size] for rows in one for at in range(0, len(rows), size)]
    expect(all(rows == sorted(rows) for rows in batches), False, of="whether batches are sorted")


def share_read(student, seed, missing=None):
    """The share of 300 digits in another hand that is read right after 600 others; one of the ten
    may be missing. What is drawn here is the same for all."""
    luck = np.random.default_rng(seed)
    images, labels = read_digits(0, 1797)
    images, labels = images[:, luck.permutation(64)], luck.permutation(10)[labels]
    rows = luck.permutation(1797)
    rows = rows[labels[rows] != missing]
    looked_at = student.define(TRAIN).looked_at
    weights, kept = looked_at(student.learned, images[rows[:600]], labels[rows[:600]])
    expect(kept, True, of=KEPT)
    return read_right(weights, images[rows[600:900]], labels[rows[600:900]])


def expect_share(share, least):
    """That so many digits are read right."""
    if not share >= least:
        raise AssertionError(f"of        300 digits in another hand, after 600 that were shown\n"
                             f"expected  at least {least:.0%} read right\ncame      {share:.1%}")


@pytest.mark.question("q5", points=1, hint="Train on what you get: another hand, other names.")
def test_most_digits(student):
    """85 % of the digits, in two hands; one of them writes no 9"""
    for seed, missing in ((11, None), (12, 9)):
        expect_share(share_read(student, seed, missing), 0.85)


@pytest.mark.question("q5", points=1, hint="More epochs, or a hidden layer.")
def test_nearly_all_digits(student, measure):
    """92 % of the digits, in two other hands; how few are misread"""
    shares = [share_read(student, seed) for seed in (13, 14)]
    expect_share(min(shares), 0.92)
    measure(100 * (1 - np.mean(shares)), "% misread")


# q6 ----------------------------------------------------------------------------------------------

CLOCK = '''
from numbers import Number

import numpy as np


class Work:
    """Work whose calls take these times by its clock, all others 1.0, and return something. `log`
    has a w for each call, a c for each look at the clock."""

    def __init__(self, *times):
        self.times, self.now, self.log = list(times), 100.0, ""

    def __call__(self):
        self.now += self.times.pop(0) if self.times else 1.0
        self.log += "w"
        return self.now

    def clock(self):
        self.log += "c"
        return self.now


def measured(f, *operands):
    """[what f returns, whether it is a number]"""
    found = f(*operands)
    return [found, isinstance(found, Number)]


def all_apart(apart, ours, theirs):
    """[how far two lists are apart, the same in NumPy's numbers, one of them and itself; whether
    all three are numbers; whether the lists stayed as they were]"""
    of_numpy = [[np.float64(one) for one in losses] for losses in (ours, theirs)]
    pairs = [[ours, theirs], of_numpy, [ours, ours]]
    before = [[*map(id, losses)] for pair in pairs for losses in pair]
    found = [apart(*pair) for pair in pairs]
    kept = before == [[*map(id, losses)] for pair in pairs for losses in pair]
    return [*found, all(isinstance(one, Number) for one in found), kept]
'''
LINES = 1_000_000  # what one path after another exceeds at once
BYTES = '''
import numpy as np


class One:
    """A Tensor of any engine."""

    __slots__ = "__weakref__", "grad", "inputs", "value"

    def __init__(self, value, *inputs, grad=None):
        self.value, self.inputs, self.grad = value, list(inputs), grad


class Kept(np.ndarray):
    """What NumPy does not take for the owner of a plain view."""


def chain(n, twice, size):
    one = One(np.zeros(size))
    for _ in range(n):
        fork = [One(np.zeros(size), one), One(np.zeros(size), one)] if twice else [one]
        one = One(np.zeros(size), *fork)
    return one


def graphs(n, m):
    """[(a Tensor, its bytes)]"""
    base, own = np.zeros((n, m)), np.zeros(m, np.float32)
    x = One(base.T)
    twice = One(base[1:].T[:2])
    y = One(own, x, twice)
    same = One(own, y, grad=own)
    z = One(np.zeros(3, np.int16), same, grad=base[0])
    alike = One(np.zeros(3, np.int16), z, z)
    two, three = np.float64(2.0), np.float64(3.0)
    number = One(two, alike, One(two), One(np.float32(3.0), grad=three), grad=three)
    stretched = One(np.broadcast_to(np.zeros((1, m)), (n, m)), One(own[::-1]))
    far = One(np.zeros((n, m)).view(Kept)[1:].view(np.ndarray), One(np.array(2.0)))
    size = 8 * n * m
    return [[x, size], [twice, size], [y, size + 4 * m], [same, size + 4 * m],
            [z, size + 4 * m + 6], [alike, size + 4 * m + 12], [number, size + 4 * m + 32],
            [stretched, 8 * m + 4 * m], [far, size + 8]]
'''


@pytest.mark.question("q6", points=1, hint="Beside the larger of the two; NaN equals nothing.")
def test_losses_apart(student, rng):
    """near and far, of either sign; infinite, NaN, none; NumPy's numbers; unequal lengths"""
    inf, nan, a = float("inf"), float("nan"), rng.uniform(1, 2)
    cases = [([a, a], [a, 4 * a], 0.75), ([4 * a, a], [a, a], 0.75), ([a], [-a], 2.0),
             ([1e-300], [2e-300], 0.5), ([a, 1e9], [a, 1e9 + a], a / (1e9 + a)),
             ([0.0], [-0.0], 0.0), ([0.0, a], [a, a], 1.0), ([inf, a], [inf, 2 * a], 0.5),
             ([inf], [-inf], inf),
             ([a, inf], [a, a], inf), ([nan, a], [a, a], inf), ([a, a, a], [a, nan, 2 * a], inf),
             ([nan, a], [nan, a], inf), ([a, 2 * a, a], [a, a, a], 0.5), ([], [], 0.0),
             ([-a, a], [-2 * a, a], 0.5), ([-3 * a], [a], 4 / 3),
             ([a + 1e-12], [a], 1e-12 / (a + 1e-12)), ([2.0, 0.0], [1.0, 0.0], 0.5)]
    all_apart = student.define(CLOCK).all_apart
    for ours, theirs, wanted in cases:
        *came, plain, kept = all_apart(student.apart, ours, theirs)
        itself = inf if any(one != one for one in ours) else 0.0
        of = f"apart({ours}, {theirs}); in NumPy's numbers; the first list beside itself"
        expect(came, [wanted, wanted, itself], of=of, tolerance=1e-15)
        expect([plain, kept], [True, True], of="whether these are numbers; " + KEPT)
    for ours, theirs in (([a], []), ([a, a], [a]), ([], [a]), ([nan], [nan, a]), ([inf, a], [a])):
        with pytest.raises(StudentError) as error:
            student.apart(ours, theirs)
        expect(error.value.kind, "ValueError", of="the error of two lists of unequal length")


@pytest.mark.question("q6", points=1, hint="Sort the times; the first call has none.")
def test_median_of_times(student, rng):
    """one call to eight, each with its own time, or equal ones, or none; and all once more"""
    ours = student.define(CLOCK)
    for calls in (1, 2, 3, 4, 7, 8):
        times = [rng.uniform(1, 9) for _ in range(2 * calls + 2)]
        times[rng.randrange(1, calls + 1)] *= 10
        if calls in (4, 8):
            times[1 : calls + 1] = rng.sample([0.0, 5.0], calls, counts=[calls - 1, 1])
        work = ours.Work(*times)
        for mine in (times[1 : calls + 1], times[calls + 2 :]):
            came = ours.measured(student.seconds, work, work.clock, calls)
            of = f"calls that take {mine}, times={calls}; whether it is a number"
            expect(came, [float(np.median(mine)), True], of=of)
        expect(work.log, 2 * ("w" + calls * "cwc"), of="calls of work, looks at the clock, twice")


@pytest.mark.question("q6", points=1, hint="Each array once, a view as its .base; no recursion.")
def test_bytes_of_graphs(student, rng):
    """views, gradients, arrays that several hold, kinds of numbers; many paths, many Tensors"""
    ours = student.define(BYTES)
    measured = student.define(CLOCK).measured
    for one, wanted in ours.graphs(rng.randrange(3, 9), rng.randrange(3, 9)):
        came = measured(student.kept_bytes, one)
        expect(came, [wanted, True], of="bytes of arrays, each once; whether that is a number")
    size = rng.randrange(2, 9)
    student.count_lines(student.kept_bytes, ours.chain(60, True, size), limit=LINES)
    for n, twice in ((60, True), (50_000, False), (3, True)):
        came = student.kept_bytes(ours.chain(n, twice, size))
        count = 1 + (3 * n if twice else n)
        expect(came, count * 8 * size, of=f"{count} Tensors, the last made from all")


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


def closed(array):
    """A copy that lies transposed, and is closed to writing."""
    array = np.array(array, order="F")
    array.flags.writeable = False
    return array


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
    """[mean(m m) and m, where m = log(p) is fed, or p, or m again, or both; the slopes of
    mean(m m), by itself, by what it does not read, by m, where m is twice what was fed]"""
    p, q = engine.placeholder("p"), engine.placeholder("q")
    m = (p * 1.0).log()
    y = (m * m).mean()
    many = {m: a}, {p: np.exp(2.0 * a)}, {m: a}, {m: a, p: np.exp(3.0 * a)}
    first = [[np.array(one) for one in engine.run([y, m], feeds)] for feeds in many]
    return [first, engine.run(engine.gradients(y, [y, q, m]), {p: np.exp(2.0 * a), q: a})]


def halves(w):
    """w, along 2**40 paths."""
    for _ in range(40):
        w = w * 0.5 + w * 0.5
    return w


def race(engine, arrays, batches, rate):
    """The losses of plain steps, by Tensors and by Nodes; each weight has many paths."""
    losses, at_once, waits = [[], []], list(arrays), list(arrays)
    ws, x, t = [engine.placeholder("w") for _ in arrays], *map(engine.placeholder, "xt")
    node = reading([halves(w) for w in ws], x, t)
    fetches = [node, *engine.gradients(node, ws)]
    for images, targets in batches:
        tensors = [engine.tensor(w) for w in at_once]
        y = reading([halves(w) for w in tensors], engine.tensor(images), engine.tensor(targets))
        y.backward()
        losses[0].append(float(y.value))
        at_once = [w - rate * one.grad for w, one in zip(at_once, tensors)]
        number, *slopes = engine.run(fetches, dict(zip([x, t, *ws], [images, targets, *waits])))
        losses[1].append(float(number))
        waits = [w - rate * g for w, g in zip(waits, slopes)]
    return losses


def formula(p, q):
    """A number from two arrays [3, 3] by every op."""
    row = np.array([[0.5, 1.0, 2.0]])
    z = row + (p @ q - row * q) + np.ones((1, 3))
    shifted = z - z.rowmax()
    shares = shifted - shifted.exp().rowsum().log()
    return (-(shares * (2.0 - z.relu())) + row @ (0.5 * q * q.rowsum()) + (row - q.relu())).mean()


def every_op(engine, a, b):
    """[y, slopes of a and b] of the formula, as Tensors and as Nodes."""
    a, b = closed(a), closed(b)
    x, w = engine.tensor(a), engine.tensor(b)
    y = formula(x, w)
    y.backward()
    p, q = engine.placeholder("exp"), engine.placeholder("add")
    z = formula(p, q)
    return [[y.value, x.grad, w.grad], engine.run([z, *engine.gradients(z, [p, q])], {p: a, q: b})]


def shared_sums(engine, a, b):
    """The slopes of a, b by mean(s + a), where s = a + b, twice; those of Nodes."""
    x, y = engine.tensor(a), engine.tensor(b)
    s, found = x + y, []
    for _ in range(2):
        (s + x).mean().backward()
        found.append([np.array(x.grad), np.array(y.grad)])
    p, q = engine.placeholder("p"), engine.placeholder("q")
    z = ((p + q) + p).mean()
    return [found, engine.run(engine.gradients(z, [p, q, z]), {p: a, q: b})]


def root_and_leaf(engine, a):
    """The slope of a Tensor by itself, after its own way back and after that of twice it."""
    x = engine.tensor(a)
    x.backward()
    first = np.array(x.grad)
    (x + x).backward()
    p = engine.placeholder("p")
    return [first, x.grad, engine.run([*engine.gradients(p, [p]), p, p], {p: a})]


def run_again(engine, a, b):
    """Runs of one graph on numbers of other shapes, in lists of their own; whether feeds and lists
    stayed as they were."""
    p = engine.placeholder("p")
    y = (p.exp() * 2.0).mean()
    feeds = {p: a}
    found = [[np.array(one) for one in engine.run(fetches, fed)] for fetches, fed in (
        ([y], feeds), ([y, y], {p: b}), ([y], feeds), ([], {}))]
    fetches, xs = [y, p], [p, y]
    listed = type(engine.run(fetches, feeds)) is list and type(engine.gradients(y, xs)) is list
    return [found, listed, [*feeds, *fetches, *xs] == [p, y, p, p, y] and feeds[p] is a]


def ways_back(engine, a):
    """Slopes of x by x itself, then by y = 3 x, once, once more, and after x.grad = None; whether
    x's array is the given one; what else should be None."""
    x, other = engine.tensor(a), engine.tensor(a)
    nothing = [x.grad]
    x.backward()
    found, x.grad = [np.array(x.grad)], None
    y = x * 3.0 + other * 0.0
    nothing += [x.grad, y.grad, other.grad]
    for _ in range(2):
        y.backward()
        found.append(np.array(x.grad))
    x.grad = None
    y.backward()
    return [[*found, np.array(x.grad)], bool(np.shares_memory(x.value, a)), nothing]


def slopes_again(engine, a, b):
    """The slopes of mean(p q + p) by p, q, p; of mean(p q p q) by p; the first ones once more; p
    moved by a slope: on a, b; on their first rows; where that slope is fed, p moved alone."""
    p, q = engine.placeholder("w"), engine.placeholder("w")
    s = p * q
    y, z = (s + p).mean(), (s * s).mean()
    first, other, again = (engine.gradients(one, xs) for one, xs in (
        (y, [p, q, p]), (z, [p]), (y, [p, q, p])))
    moved = p - 2.0 * other[0]
    fetches, all_fed = [*first, *other, *again, moved], {p: a, other[0]: b}
    runs = (fetches, {p: a, q: b}), (fetches, {p: a[:1], q: b[:1]}), ([moved], all_fed)
    return [[np.array(one) for one in engine.run(*each)] for each in runs]
'''
exec(OWN, HERE)


def expect_repeated(ours, engine, which, rng):
    """The value and slope of a number, doubled 60 times, and of products in a row."""
    a, factor = rng.uniform(1, 2), rng.uniform(0.999, 1.001)
    came = ours.repeated(engine, np.array([a]), 60)[which]
    expect(came, [a * 2.0**60, np.array([2.0**60])], of="a number that is doubled 60 times")
    came = ours.repeated(engine, np.array([a]), 2000, factor)[which]
    wanted = [a * factor**2000, np.array([factor**2000])]
    expect(came, wanted, of="a number times another, 2,000 times")


def expect_every_op(ours, engine, which, rng):
    """The formula with every op."""
    a, b = numbers(rng, 3, 3), numbers(rng, 3, 3)
    value = HERE["formula"](*[one.view(HERE["Moved"]) for one in (a, b)])
    wanted = [float(value), *slopes_of(lambda pair: HERE["formula"](*pair), [a, b])]
    expect(ours.every_op(engine, a, b)[which], wanted, of="[y, slopes of a and b] of every op")


@pytest.mark.question("q7", points=1, hint="Users before inputs; slopes of one way back alone.")
def test_own_way_back(student, rng):
    """every op; 60 doublings; 2,000 products; a second loss, and the same again; a leaf"""
    ours, engine = student.define(OWN), student.own_engine()
    student.count_lines(ours.repeated, engine, np.array([1.5]), 60, limit=LINES)
    expect_every_op(ours, engine, 0, rng)
    expect_repeated(ours, engine, 0, rng)
    start, factor = numbers(rng, 2, 3), rng.uniform(2, 5)
    came = ours.two_losses(engine, start, factor)
    slope = np.full((2, 3), 2.0 / 6)
    expect(came, [slope, slope * (1 + factor), slope / 2 * (1 + factor)],
           of="slopes of w after one loss of y = 2 w, after two; those of y")
    came = ours.shared_sums(engine, start, numbers(rng, 2, 3))[0]
    one = np.full((2, 3), 1.0 / 6)
    expect(came, [[2 * one, one], [4 * one, 2 * one]],
           of="slopes of a and b by mean(s + a), where s = a + b; once more")
    came = ours.root_and_leaf(engine, np.array(rng.uniform(1, 2)))[:2]
    expect(came, [1.0, 3.0], of="slopes of x by x, then with those of x + x")
    came, same, nothing = ours.ways_back(engine, start)
    wanted = [np.full((2, 3), slope) for slope in (1.0, 3.0, 6.0, 3.0)]
    expect(came, wanted, of="slopes of x by x; by 3 x, once more, and after x.grad = None")
    expect(same, True, of="whether a Tensor holds the array that it was made of")
    expect(nothing, [None] * 4, of=".grad before the way back")


@pytest.mark.question("q7", points=1, hint="Begin with the feeds; remember no other run.")
def test_own_runs(student, rng):
    """the same by Nodes; fed Nodes; slopes of what is not read; slopes, and runs, again"""
    ours, engine = student.define(OWN), student.own_engine()
    student.count_lines(ours.repeated, engine, np.array([1.5]), 60, limit=LINES)
    expect_every_op(ours, engine, 1, rng)
    expect_repeated(ours, engine, 1, rng)
    a, b = numbers(rng, 1, 4), numbers(rng, 1, 4)
    came = ours.fed(engine, a)
    wanted = [[np.mean(m * m), m] for m in (a, 2 * a, a, a)]
    expect(came[0], wanted, of="[mean(m m), m], where m = log(p) is fed, or p, m again, or both")
    expect(came[1], [1.0, np.zeros((1, 4)), a], of="slopes of mean(m m) by itself, by q, by m")
    larger = numbers(rng, 3, 2)
    came, listed, kept = ours.run_again(engine, a, larger)
    one, other = 2 * np.mean(np.exp(a)), 2 * np.mean(np.exp(larger))
    expect(came, [[one], [other, other], [one], []], of="runs on a, on b, on a again, of nothing")
    expect([listed, kept], [True, True], of="whether lists are returned; " + KEPT)
    p, q = numbers(rng, 2, 3), numbers(rng, 2, 3)
    *found, fed = ours.slopes_again(engine, p, q)
    expect(fed, [p - 2 * q], of="p moved by a slope that is fed")
    for came in found:
        first, last = [(q + 1) / p.size, p / p.size, (q + 1) / p.size], 2 * p * q * q / p.size
        of = "slopes of mean(p q + p) by p, q, p; of mean(p q p q) by p; the first ones; p moved"
        expect(came, [*first, last, *first, p - 2 * last], of=of)
        p, q = p[:1], q[:1]
    came = ours.shared_sums(engine, a, b)[1]
    expect(came, [np.full((1, 4), 0.5), np.full((1, 4), 0.25), 1.0],
           of="slopes of a, b, and itself, by mean(s + a), where s = a + b")
    number = np.array(rng.uniform(1, 2))
    came = ours.root_and_leaf(engine, number)[2]
    expect(came, [1.0, number, number], of="the slope of a placeholder by itself, and it, twice")


@pytest.mark.question("q7", points=1, hint="Both styles need every path's share once, and no more.")
def test_own_race(student, rng):
    """digits, in both styles, along many paths"""
    ours, engine = student.define(OWN), student.own_engine()
    first = rng.randrange(1700)
    images, labels = read_digits(first, first + 40)
    shapes = (64, 5), (5,), (5, 10), (10,)
    arrays = [0.4 * numbers(rng, *shape) for shape in shapes]
    batches = [[images[at : at + 10], np.eye(10)[labels[at : at + 10]]] for at in (0, 10, 20, 30)]
    student.count_lines(ours.race, engine, arrays, batches[:1], 0.3, limit=LINES)
    wanted, _ = followed("reading", arrays, batches, 0.3, 0.0)
    came = ours.race(engine, arrays, batches, 0.3)
    of = "losses of four batches, by Tensors and by Nodes"
    expect(came, [wanted, wanted], of=of, tolerance=1e-12)
