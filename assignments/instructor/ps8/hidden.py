"""The checks that grade ps8: what the visible ones ask, of other networks, numbers and digits."""

import importlib.util
from itertools import chain, combinations, cycle, product
from pathlib import Path

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import StudentError, during

ENGINE = '''
import gc
import weakref

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
    handed = list(given)
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
    return {"losses": losses, "weights": seen, "made": made, "steps": steps,
            "given": [handed, given, batches], "kinds": sorted(loss.kinds),
            "numbers": [type(one).__name__ for one in losses],
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
    """[the kind of what f makes of arrays as Tensors or Nodes, its array, arrays and operands
    afterwards and what these were, and with `gradient` its derivative by the first operand]"""
    engine, feeds = Engine(), {}

    def wait(array):
        node = engine.placeholder("")
        feeds[node] = array
        return node

    values = lift(operands, engine.tensor if kind == "Tensor" else wait)
    handed = lift(values, lambda one: one)
    result, after = f(*handed), [operands, handed, values]
    if type(result).__name__ != kind:
        return [type(result).__name__, None, after]
    if kind == "Tensor":
        array = result.value
        if gradient:
            result.backward()
        more = [values[0].grad] if gradient else []
    else:
        nodes = engine.gradients(result, values[:1]) if gradient else []
        array, *more = engine.run([result, *nodes], feeds)
    return [kind, array, after, *more]


class Bare:
    """A value of a third engine. It has the operations, and notes what else it is asked for."""

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
    """[what f makes of values of a third engine, what it asks of them beside operations]"""
    found = f(bare(x), lift(weights, bare))
    return [Bare.held[found], sorted(Bare.asked - {*OPS} - {f"__{op}__" for op in OPS})]
'''
HERE = {}
exec(ENGINE, HERE)  # the same losses here: what a trainer should learn is found by no engine
FORMULA = "The weights do not follow v ← μ v + gradient, w ← w − η v."
LENGTH = "The step has the right direction, but it is not η v: it is longer or shorter."
SHARES = "It shares an array with its caller, who then writes into it (rule 4)."
REUSED = "It keeps an array of the engine, which overwrites it at its next call (rule 6)."
WRITES = "It changes an array, a list or a dict that it was given (rule 3)."
NO_NUMBER = "It returns an array, or a value of the engine, where a plain number is due (rule 5)."
PLAIN = "int", "float", "int32", "int64", "uint64", "float16", "float32", "float64"
RAISES = "It raises an error there."
MISTAKES = {  # what a wrong trainer does, and the cause
    "rests": "A weight that the loss does not read stops, though its velocity still moves it.",
    "stops": "One weight that the loss does not read stops all the others.",
    "ends at 0": "A loss of 0 ends the step, though the velocities still move the weights.",
    "accumulates": "The gradients of earlier steps are still in `.grad`, and are added again.",
    "no momentum": "The velocity of the step before is lost.",
    "averages": "The new gradient is multiplied by 1 − μ.",
    "looks ahead": "The gradient is not taken at the present weights.",
    "moves first": "The weights move by the velocity of the step before.",
    "initial": "The gradient is that of the initial weights in every step.",
}
UNREAD = {"unread": {1}, "constant": {0, 1}}
CASES = {
    "line": "a linear layer", "classifier": "a network with cross-entropy", "deep": "six layers",
    "unread": "a loss that does not read one weight", "twice": "a weight that is used twice",
    "sum": "a sum of two weights", "negative": "a loss below 0",
    "constant": "a loss that reads no weight",
    "line unread": "a loss that reads the bias in every second step",
}


def expect_plain(kinds, of, because=NO_NUMBER):
    """That results are plain numbers, by the names of their classes."""
    expect([kind for kind in kinds if kind not in PLAIN], [], because, of)


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


def number_of(loss, x, t):
    """The function of the weights that a loss of the table is."""
    return lambda weights: HERE["LOSSES"][loss](
        [w.view(HERE["Moved"]) for w in weights], x.view(HERE["Moved"]), t)


def trajectory(name, arrays, batches, rate, momentum=0.9, mistake=""):
    """(the losses, the weights at first and after each step), by the formula, or by a mistake."""
    losses, seen, velocities = [], [arrays], [np.zeros(w.shape) for w in arrays]
    total = velocities
    for (x, t), loss in zip(batches, cycle(name.split())):
        number, weights, before = number_of(loss, x, t), seen[-1], velocities
        losses.append(float(number(weights)))
        ahead = [w - rate * momentum * v for w, v in zip(weights, before)]
        place = {"looks ahead": ahead, "initial": arrays}.get(mistake, weights)
        gradient = gradients_of(number, place)
        total = [a + g for a, g in zip(total, gradient)]
        gradient = total if mistake == "accumulates" else gradient
        factor = 1 - momentum if mistake == "averages" else 1.0
        kept = 0.0 if mistake == "no momentum" else momentum
        velocities = [kept * v + factor * g for v, g in zip(before, gradient)]
        moves = before if mistake == "moves first" else velocities
        after = [w - rate * v for w, v in zip(weights, moves, strict=True)]
        unread = UNREAD.get(loss, set())
        rest = unread if mistake == "rests" else set()
        if mistake == "stops" and unread or mistake == "ends at 0" and losses[-1] == 0:
            rest = range(len(weights))
        pairs = enumerate(zip(before, velocities))
        velocities = [v if at in rest else new for at, (v, new) in pairs]
        seen.append([w if at in rest else new for at, (w, new) in enumerate(zip(weights, after))])
    return losses, seen


def cause_of_step(mine, before, wanted):
    """Say what is wrong with a step from the weights `before`, by the weights after it."""
    if not isinstance(mine, list) or [*map(np.shape, mine)] != [*map(np.shape, wanted)]:
        return FORMULA
    moved, right = (np.concatenate([np.ravel(new - old) for new, old in zip(after, before)])
                    for after in (mine, wanted))
    times = moved @ right / max(right @ right, 1e-300)
    return LENGTH if times > 0 and np.allclose(moved, times * right, 1e-9, 1e-12) else FORMULA


def expect_trained(came, name, arrays, batches, rate, momentum=0.9, because=""):
    """That a trainer has learned what the formula says; `because` is the only cause, if given."""
    losses, weights = trajectory(name, arrays, batches, rate, momentum)
    known = {} if because else MISTAKES
    for steps, (mine, wanted) in enumerate(zip(came["weights"], weights, strict=True)):
        wrong = ((trajectory(name, arrays, batches, rate, momentum, mistake)[1][steps], cause)
                 for mistake, cause in known.items())
        of, cause = f"weights after step {steps}, {CASES[name]}", because or FORMULA
        if steps and not because:
            cause = cause_of_step(mine, weights[steps - 1], wanted)
        expect(mine, wanted, cause, of, 1e-12, wrong)
    loss_names = cycle(name.split())
    later = [float(number_of(loss, x, t)(w))
             for (x, t), loss, w in zip(batches, loss_names, weights[1:])]
    expect(came["losses"], losses, because or "The loss is not that of this batch before the step.",
           f"losses, {CASES[name]}", 1e-12, [(later, "The loss is that after the step.")])


def one_hot(rng, rows, classes):
    """Targets: 1 in a place of each row, 0 elsewhere."""
    return np.eye(classes)[[rng.randrange(classes) for _ in range(rows)]]


def numbers(rng, *shape, low=-1.0, high=1.0):
    """An array of random numbers."""
    return np.array([rng.uniform(low, high) for _ in range(int(np.prod(shape)))]).reshape(shape)


# q1 ----------------------------------------------------------------------------------------------


def scores_of(x, weights, relu="between"):
    """What a network makes of rows of numbers; `relu` stands between its layers, or elsewhere."""
    last = len(weights) // 2 - 1
    for layer, (W, b) in enumerate(zip(weights[::2], weights[1::2], strict=True)):
        x = np.maximum(x, 0) if relu == "before" or relu == "between" and layer else x
        x = x @ W + b
        x = np.maximum(x, 0) if relu == "after" or relu == "never last" and layer < last else x
    return x


def draw_weights(rng, sizes):
    """Weights of a network of these sizes, between -1 and 1."""
    shapes = [shape for n, m in zip(sizes, sizes[1:]) for shape in ((n, m), (m,))]
    return [numbers(rng, *shape) for shape in shapes]


@pytest.mark.question("q1", points=1.5, core=True, hint=(
    "Each layer computes x @ W + b, and relu stands between two layers."
))
def test_scores(student, rng):
    """one to six layers, in both engines"""
    misplaced = {"after": "There is a relu after the last layer.",
                 "before": "There is a relu before the first layer.",
                 "nowhere": "There is no relu between the layers."}
    for layers in (3, 1, 2, 6):
        sizes = [rng.randrange(2, 7) for _ in range(layers + 1)]
        sizes[1:3] = sizes[1:2] * len(sizes[1:3])  # layers onto the same size, too
        x, weights = numbers(rng, rng.randrange(2, 6), sizes[0]), draw_weights(rng, sizes)
        for kind in ("Tensor", "Node"):
            case = f"a network of {layers} layers, with {kind}s"
            with during(case, because=RAISES if kind == "Tensor" else (
                    "It uses what a Node does not have, such as `.value` (rule 6).")):
                came = student.define(ENGINE).asked_of(student.scores, kind, [x, weights])
            expect(came[0], kind, "The result is not a value of the engine.", case)
            wrong = [(scores_of(x, weights, relu), cause) for relu, cause in misplaced.items()]
            expect(came[1], scores_of(x, weights),
                   "It works with Tensors, but not with Nodes." if kind == "Node" else
                   "Not every layer computes x @ W + b.", case, mistakes=wrong)


@pytest.mark.question("q1", points=0.5, hint="Take every W from one generator, layer by layer.")
def test_initial_weights(student, rng):
    """several networks and seeds"""
    size = rng.randrange(2, 6)
    for sizes in ([3, 5], [size, size, size], [7, 2, 4, rng.randrange(1, 9)]):
        seed = rng.randrange(10**6) if len(sizes) > 2 else 0
        case = f"initial_weights({sizes}, …)" if seed else f"initial_weights({sizes}, 0)"
        with during(case, because=RAISES):
            came = student.initial_weights(sizes, seed)
        one = np.random.default_rng(seed)
        wanted, fresh, fan_out, following, squared = [], [], [], [], []
        scaled = {name: [] for name in ("1", "sqrt(1 / n)", "sqrt(2 / (n + m))")}
        for n, m in zip(sizes, sizes[1:]):
            drawn = one.normal(0, 1, (n, m))
            again = np.random.default_rng(seed).normal(0, 1, (n, m))
            wanted += [np.sqrt(2 / n) * drawn, np.zeros(m)]
            fresh += [np.sqrt(2 / n) * again, np.zeros(m)]
            fan_out += [np.sqrt(2 / m) * drawn, np.zeros(m)]
            squared += [2 / n * drawn, np.zeros(m)]
            for found, scale in zip(scaled.values(), (1, 1 / n, 2 / (n + m))):
                found += [np.sqrt(scale) * drawn, np.zeros(m)]
            next_one = np.random.default_rng(seed + len(following) // 2)
            following += [np.sqrt(2 / n) * next_one.normal(0, 1, (n, m)), np.zeros(m)]
        expect(came, wanted, "W does not come from `normal(0, sqrt(2 / n), (n, m))` of the seed.",
               case, mistakes=[(fresh, "Each layer makes a generator of its own."),
                               (following, "Each layer makes a generator of its own."),
                               (fan_out, "It divides by the size behind the layer, not before."),
                               (squared, "The standard deviation is 2 / n, without the root."),
                               *((found, f"The standard deviation is {name}, not sqrt(2 / n).")
                                 for name, found in scaled.items())])


@pytest.mark.question("q1", points=0.5, corner=True, hint=(
    "Use only the operations of the table, and leave the lists as they are."
))
def test_a_third_engine(student, rng):
    """an engine that has the operations and nothing else; lists that are given"""
    sizes = [rng.randrange(2, 5) for _ in range(3)]
    x, weights = numbers(rng, 2, sizes[0]), draw_weights(rng, sizes)
    with during("an engine that has only the operations", because="It uses more than these."):
        came, asked = student.define(ENGINE).barely(student.scores, x, weights)
    because = "The scores are wrong, as with Tensors, or differ from those."
    expect(came, scores_of(x, weights), because,
           "an engine that has only the operations")
    expect(asked, [], "It asks which engine this is.", "what is asked of values beside operations")
    with during("two layers", because=RAISES):
        came = student.define(ENGINE).asked_of(student.scores, "Tensor", [x, weights])
        given = student.define("def kept(f, sizes):\n    f(sizes, 1)\n    return sizes")
        after = given.kept(student.initial_weights, sizes)
    expect_left(came[2], [x, weights], "the list of weights")
    expect(after, sizes, WRITES, "the list of sizes")


def expect_left(after, arrays, of):
    """That arrays, and the Tensors or Nodes that stood for them, are left as they were."""
    now, handed, values = after
    expect([now, handed], [arrays, values], WRITES, of)


# q2 ----------------------------------------------------------------------------------------------


def loss_and_gradient(scores, targets):
    """[the loss, the gradient with respect to the scores]"""
    total = np.logaddexp.reduce(scores, axis=1)[:, None]
    number = np.mean(np.sum(targets * (total - scores), axis=1))
    return [number, (np.exp(scores - total) - targets) / len(scores)]


def expect_losses(student, scores, targets, case, because=""):
    """That the loss and its gradient are right in both engines."""
    (number, gradient), (rows, classes) = loss_and_gradient(scores, targets), scores.shape
    for kind in ("Tensor", "Node"):
        of = f"{case}, with {kind}s"
        with during(of, because=RAISES if kind == "Tensor" else
                    "It uses what a Node does not have, such as a length (rule 6)."):
            came = student.define(ENGINE).asked_of(student.loss, kind, [scores, targets], True)
        expect(came[0], kind, "The result is not a value of the engine.", of)
        likely = np.mean(np.sum(targets * np.exp(scores - np.logaddexp.reduce(
            scores, axis=1)[:, None]), axis=1))
        finite = np.shape(came[1]) == () and bool(np.isfinite(came[1]))
        expect(finite, True, "The loss is not one finite number: an exp overflows, or the "
               "logarithm of 0 is taken.", of)
        expect(came[1], number, because or "A row does not cost the sum of − t ln p.", of, 1e-11, [
            (number / classes, "It is the mean over all entries, not over the rows."),
            (number * 10 / classes, "The number of classes is taken to be 10."),
            (number * rows, "It is the sum over the rows, not their mean."),
            (-number, "The sign is wrong."), (-likely, "The logarithm is missing.")])
        expect(came[3], gradient, "The loss is right, but not its gradient: an operation such as "
               "`rowmax` passes nothing back.", of, 1e-11)


@pytest.mark.question("q2", points=1.5, core=True, hint=(
    "Subtract each row's largest score before exp, and take the mean over the rows."
))
def test_cross_entropy(student, rng):
    """rows and classes of any number; scores of 1000"""
    for rows, classes in ((7, 3), (1, 10), (5, 2), (4, 26)):
        scores, targets = 4 * numbers(rng, rows, classes), one_hot(rng, rows, classes)
        expect_losses(student, scores, targets, f"{rows} rows, {classes} classes")
    for scale in (10.0, 1e3, 1e4):
        scores = scale * numbers(rng, 4, 5) + np.array([[scale], [-scale], [0.0], [-3 * scale]])
        targets = np.eye(5)[[int(np.argmin(scores[0])), 1, int(np.argmax(scores[2])), 3]]
        expect_losses(student, scores, targets, f"scores of about {scale:.0f}",
                      "A probability near 0 is cut off, or a score is.")


@pytest.mark.question("q2", points=0.5, hint="Each target counts; they need not be 0 and 1.")
def test_soft_targets(student, rng):
    """targets between 0 and 1"""
    for rows, classes in ((3, 4), (1, 2)):
        targets = numbers(rng, rows, classes, low=0.1)
        targets = targets / targets.sum(axis=1, keepdims=True)
        for scale, because in ((1.0, "The targets of a row are not all used as they are."),
                               (500.0, "A target is not used as it is, or what is near 0 is cut "
                                       "off.")):
            expect_losses(student, scale * numbers(rng, rows, classes), targets,
                          f"targets between 0 and 1, scores of about {scale:.0f}", because)


@pytest.mark.question("q2", points=0.5, corner=True, hint="Do not write into an argument.")
def test_scores_stay(student, rng):
    """arrays that are given"""
    scores, targets = numbers(rng, 3, 4), one_hot(rng, 3, 4)
    for kind in ("Tensor", "Node"):
        with during(f"3 rows, with {kind}s", because=RAISES):
            came = student.define(ENGINE).asked_of(student.loss, kind, [scores, targets])
        expect_left(came[2], [scores, targets], f"the arrays of {kind}s")
    expect_losses(student, scores, targets, "3 rows")


# q3 and q4 ---------------------------------------------------------------------------------------


def make_case(rng, name, steps=4, rows=None):
    """(weights, batches) for a loss of the table; batches of `rows`, or of random sizes."""
    n, k = rng.randrange(2, 5), rng.randrange(2, 5)
    first = name.split()[0]
    shapes = {"line": [(n, k), (k,)], "classifier": [(n, 4), (4,), (4, 3), (3,), (3, k), (k,)],
              "deep": [(n, 3), (3,), *[(3, 3), (3,)] * 4, (3, k), (k,)],
              "unread": [(n, k), (2, 2)], "twice": [(n, n)]}.get(first, [(n,), (n,)])
    k = n if first in ("twice", "sum", "negative", "constant") else k
    counts = [rows or rng.randrange(1, 8) for _ in range(steps)]
    return ([numbers(rng, *shape) for shape in shapes],
            [[numbers(rng, count, n), one_hot(rng, count, k)] for count in counts])


def learn(student, kind, name, arrays, batches, rate, *more, because=RAISES):
    """What a trainer did."""
    with during(f"a trainer with {CASES[name]}", because=because):
        return student.define(ENGINE).learn(kind, name, arrays, batches, rate, *more)


def expect_losses_of_all(student, rng, kind, names, because=RAISES):
    """What trainers learn from these losses, at random rates and several momenta. Where a weight
    is not read, one batch costs nothing."""
    for name, momentum in zip(names, cycle([None, rng.uniform(0.2, 0.8), 0.0])):
        arrays, batches = make_case(rng, name)
        rate = rng.uniform(0.05, 0.2)
        if name == "unread":
            batches[2] = [0.0 * one for one in batches[2]]
        came = learn(student, kind, name, arrays, batches, rate, "", momentum, because=because)
        expect_trained(came, name, arrays, batches, rate, 0.9 if momentum is None else momentum)


def expect_copies(student, rng, kind):
    """Trainers in turn; callers who write into all they have; an engine that reuses arrays."""
    for habit, because in (("", ""), ("writes", SHARES), ("reuses", REUSED)):
        for name in ("classifier", "sum"):
            arrays, batches = make_case(rng, name, 3, rows=3)
            written = "It writes into an array of the engine (rule 6), or raises another error."
            came = learn(student, kind, name, arrays, batches, 0.1, habit,
                         because=written if habit == "reuses" else RAISES)
            if habit != "writes":
                expect(came["given"], [arrays, arrays, batches], WRITES,
                       "arguments of a trainer and of its steps")
            expect_plain(came["numbers"], "the loss that a step returns")
            expect_trained(came, name, arrays, batches, 0.1, because=because)
    several = [arrays, [numbers(rng, *w.shape) for w in arrays]]
    with during("three trainers in turn", because="One trainer changes what another one keeps."):
        came = student.define(ENGINE).by_turns(kind, name, several, batches, 0.1)
    one, other = (trajectory(name, each, batches, 0.1)[1][-1] for each in several)
    expect(came, [one, other, one], "One trainer changes what another one keeps.",
           "weights of three trainers that learn in turn", 1e-12)


@pytest.mark.question("q3", points=2.5, core=True, hint="v ← μ v + gradient, then w ← w − η v.")
def test_steps(student, rng):
    """networks of several kinds, at several rates and momenta"""
    names = ["line", "classifier", "sum", "deep", "twice"]
    expect_losses_of_all(student, rng, student.DynamicTrainer, names)
    arrays, batches = make_case(rng, "classifier", 15)
    came = learn(student, student.DynamicTrainer, "classifier", arrays, batches, 0.1)
    expect_trained(came, "classifier", arrays, batches, 0.1)


NONE_THERE = "`.grad` is None where the loss does not read a weight."


@pytest.mark.question("q3", points=0.5, hint="A weight that is not read has the gradient 0.")
def test_unread_weights(student, rng):
    """weights that the loss reads now and then, or never; a loss of 0, and below"""
    names = ["line unread", "unread", "negative"]  # the last one without momentum
    expect_losses_of_all(student, rng, student.DynamicTrainer, names, NONE_THERE)


@pytest.mark.question("q3", points=0.5, hint="One loss, one backward pass, and keep neither.")
def test_what_a_step_asks(student, rng):
    """calls in each step, and what is left in memory"""
    for name in ("classifier", "line"):
        arrays, batches = make_case(rng, name, rng.randrange(3, 6))
        came = learn(student, student.DynamicTrainer, name, arrays, batches, 0.1)
        expect_trained(came, name, arrays, batches, 0.1)
        calls = [came["steps"]["loss_of"], came["steps"]["backward"]]
        expect(calls, [len(batches)] * 2, "It calls `loss_of` or `.backward()` more than once.",
               "calls in a step")
        expect(came["kinds"], ["Tensor"], "`loss_of` gets the arrays of the batch, not Tensors.",
               "what loss_of gets")
        expect(came["graphs"], 0, "The Tensor of a loss is kept, and with it the whole graph.",
               "computed Tensors that are left after the steps")


@pytest.mark.question("q3", points=0.5, corner=True, hint="Copy what you get, and what you give.")
def test_copies(student, rng):
    """trainers in turn; callers who write into their arrays; an engine that reuses arrays"""
    expect_copies(student, rng, student.DynamicTrainer)


@pytest.mark.question("q4", points=3, core=True, hint=(
    "Build in `__init__`; a step only feeds, runs and updates."
))
def test_runs(student, rng):
    """networks of several kinds, and when they are built"""
    names = ["line", "classifier", "sum", "deep", "twice"]
    because = "Making the trainer, or a step, raises an error: is every placeholder fed?"
    expect_losses_of_all(student, rng, student.StaticTrainer, names, because)
    arrays, batches = make_case(rng, "classifier", rng.randrange(8, 12))
    came = learn(student, student.StaticTrainer, "classifier", arrays, batches, 0.1)
    expect_trained(came, "classifier", arrays, batches, 0.1)
    made, steps = came["made"], came["steps"]
    expect(made["loss_of"], 1, "`__init__` does not build the loss exactly once.",
           "calls of loss_of in __init__", mistakes=[
               (0, "Nothing is built before the first step.")])
    expect(made["gradients"], 1, "`__init__` does not build the gradients exactly once.",
           "calls of gradients in __init__", mistakes=[
               (len(arrays), "The backward pass is built for each weight separately."),
               (1 + len(arrays), "The backward pass is built for each weight separately."),
               (0, "The gradients are not built in `__init__`.")])
    expect(steps["gradients"], 0, "Each step builds the gradients again.", "calls of gradients")
    expect(steps["loss_of"], 0, "Each step builds the loss again.", "calls of loss_of in steps")
    expect(steps["nodes"], 0, "Each step makes new Nodes.", "Nodes that are made in steps")


@pytest.mark.question("q4", points=1, hint="Fetch the loss and all gradients together.")
def test_one_run(student, rng):
    """how often a step runs the graph"""
    steps = rng.randrange(3, 6)
    arrays, batches = make_case(rng, "classifier", steps)
    came = learn(student, student.StaticTrainer, "classifier", arrays, batches, 0.1)
    expect_trained(came, "classifier", arrays, batches, 0.1)
    expect(came["steps"]["run"], steps, "A step does not run the graph exactly once.",
           "runs in a step", mistakes=[
               (2 * steps, "A step runs the graph twice."),
               (steps * (1 + len(arrays)), "A step runs the graph once for each fetch.")])


@pytest.mark.question("q4", points=0.5, hint="A weight that is not read has the gradient 0.")
def test_unread_weights_in_runs(student, rng):
    """weights that the loss does not read; a loss of 0, and below"""
    expect_losses_of_all(student, rng, student.StaticTrainer, ["unread", "negative", "constant"])


@pytest.mark.question("q4", points=0.5, corner=True, hint="Copy what you get, give, and keep.")
def test_copies_of_runs(student, rng):
    """trainers in turn; callers who write into their arrays; an engine that reuses arrays"""
    expect_copies(student, rng, student.StaticTrainer)


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
    """What train did: its losses and batches; images and targets afterwards, the batches that a
    loud step wrote into, and what others draw next, after train and without it."""
    step = Step(habit)
    begin(5)
    losses = train(step, images, targets, *more)
    drawn = draw_next()
    begin(5)
    return {"losses": losses, "batches": step.seen, "given": [images, targets],
            "got": step.got if habit else [], "drawn": [drawn, draw_next()]}
'''


def train(student, n, size, epochs, seed, habit=""):
    """What `train` did with `numbered_rows`: the `trained` of TRAIN."""
    with during(f"{n} rows, {size} at a time, {epochs} epochs", because=RAISES):
        return student.define(TRAIN).trained(
            habit, student.train, *numbered_rows(n), size, epochs, seed)


def numbered_rows(n):
    """[images, targets] of which each row says its number."""
    each = np.arange(float(n))[:, None]
    return [each * np.ones(2), 10 * each]


def rows_of(came, n, size, epochs):
    """The rows of each epoch, in order, once all that is sure about them has been asked."""
    losses, batches, of = came["losses"], came["batches"], f"{n} rows, {size} at a time"
    count = n // size
    expect(len(batches), epochs * count, "The number of batches is not epochs · (rows // size).",
           of, mistakes=[
               (epochs * -(-n // size), "Rows that do not fill a batch become a batch, too."),
               (epochs * n // size, "Rows that are left over go into the next epoch.")])
    expect([[len(x), len(t)] for x, t in batches], [[size, size]] * len(batches),
           "A batch does not have the size that was asked for.", of)
    matching = all(np.array_equal(t, 10.0 * x[:, :1]) for x, t in batches)
    expect(matching, True, "The images of a batch come with the targets of other images.", of)
    expect(losses, [float(at) for at in range(1, len(batches) + 1)],
           "It does not return the list of what the steps returned.", of)
    rows = [int(one) for x, _ in batches for one in x[:, 0]]
    found = [rows[at * count * size : (at + 1) * count * size] for at in range(epochs)]
    expect([len(set(one)) for one in found], [count * size] * epochs,
           "A row comes twice in one epoch, so another one is missing.", of)
    return found


@pytest.mark.question("q5", points=2.5, core=True, hint=(
    "Draw a new order of all rows for each epoch, from one generator of the seed."
))
def test_every_row(student, rng):
    """rows that fill the batches, or do not; orders by the seed"""
    seed, n = rng.randrange(1, 10**6), rng.randrange(41, 48)
    rows_of(train(student, 12, 4, 3, seed), 12, 4, 3)
    rows_of(train(student, 5, 5, 2, seed), 5, 5, 2)
    rows_of(train(student, 11, 4, 2, seed), 11, 4, 2)
    found = rows_of(train(student, n, 8, 20, seed), n, 8, 20)
    of = f"20 epochs of {n} rows, 8 at a time"
    expect(found[0] == sorted(found[0]), False, "The rows are not put into a random order.", of)
    expect(found[0] == found[1], False, "All epochs have the same order.", of)
    first, second = ({frozenset(rows[at : at + 8]) for at in range(0, 40, 8)} for rows in found[:2])
    expect(bool(first & second), False,
           "The same rows meet in a batch again, since only the batches are shuffled.", of)
    expect(len({tuple(one) for one in found}), 20, "An order of the rows comes again.", of)
    expect(len({row for rows in found for row in rows}), n,
           "The same rows are left out in every epoch.", of)
    for one in (seed, 0):
        first, again, other = (rows_of(train(student, n, 8, 2, each), n, 8, 2)
                               for each in (one, one, one + 1))
        expect(first == again, True, "The order does not come from the seed alone.", "equal seeds")
        expect(first == other, False, "The order does not depend on the seed.", "two seeds")


@pytest.mark.question("q5", points=0.5, corner=True, hint=(
    "Use a generator of your own, and copies of the rows."
))
def test_own_generator(student, rng):
    """steps that use NumPy's and Python's generators, and write into their batches"""
    seed = rng.randrange(10**6)
    quiet, loud = (train(student, 30, 4, 3, seed, habit) for habit in ("", "loud"))
    expect(len(quiet["batches"]), 21, "The number of batches is not epochs · (rows // size).",
           "30 rows in batches of 4")
    expect([[len(x), len(t)] for x, t in quiet["batches"]], [[4, 4]] * 21,
           "A batch does not have the size that was asked for.", "30 rows in batches of 4")
    expect(quiet["given"], numbered_rows(30), WRITES, "images and targets")
    after, alone = quiet["drawn"]
    expect(after, alone, "It seeds or uses the generator that NumPy or Python shares.",
           "numbers that others draw afterwards")
    expect(loud["given"], numbered_rows(30), "A step that writes into its batch changes the "
           "images or the targets: a batch is not a copy.", "a batch")
    own = [[np.full((4, 2), at), np.full((4, 1), at)] for at in range(1, 22)]
    expect(loud["got"], own, "Two batches share their memory.", "batches that a step keeps")
    same = all(np.array_equal(a, b) for one, other in zip(quiet["batches"], loud["batches"])
               for a, b in zip(one, other))
    expect(same, True, "A step that writes into its batch, or seeds the generators that NumPy and "
           "Python share, changes later batches.", "the batches")


def accuracy(student, seed):
    """The fraction of 300 digits that is classified correctly after 600 others, in percent. Pixels
    are shuffled and labels renumbered, in a way that is the same for all students."""
    generator = np.random.default_rng(seed)
    images, labels = read_digits(0, 1797)
    images, labels = images[:, generator.permutation(64)], generator.permutation(10)[labels]
    rows = generator.permutation(1797)
    with during("600 digits", because=RAISES):
        weights = student.train_classifier(images[rows[:600]], labels[rows[:600]])
    return classified(weights, images[rows[600:900]], labels[rows[600:900]])


def classified(weights, images, labels):
    """The percentage of digits that a network of these weights classifies correctly."""
    shapes = [np.shape(w) for w in weights] if isinstance(weights, list) else weights
    flat = isinstance(weights, list) and all(type(w) is np.ndarray for w in weights)
    sizes = [64, *[shape[0] for shape in shapes[1::2] if shape]] if flat else []
    wanted = [shape for n, m in zip(sizes, sizes[1:]) for shape in ((n, m), (m,))]
    expect(bool(flat and shapes and shapes == wanted and sizes[-1] == 10), True,
           "It does not return [W, b, W, b, ...] from 64 pixels to 10 scores.", "the weights")
    return 100 * float(np.mean(scores_of(images, weights).argmax(axis=1) == labels))


def read_digits(first, last):
    """(images in [0, 1], labels) of scikit-learn's digits, without loading scikit-learn."""
    folder = Path(importlib.util.find_spec("sklearn").origin).parent / "datasets" / "data"
    rows = np.loadtxt(folder / "digits.csv.gz", delimiter=",", skiprows=first,
                      max_rows=last - first)
    return rows[:, :64] / 16, rows[:, 64].astype(int)


def expect_accuracy(found, least):
    """That so many percent are classified correctly."""
    expect(found >= least, True, "The weights classify too few of the new digits correctly.",
           f"{found:.1f} % of 300 new digits, at least {least} % are asked for")


@pytest.mark.question("q5", points=0.5, hint="Train on the digits that you get.")
def test_most_digits(student):
    """85 % of new digits"""
    expect_accuracy(accuracy(student, 11), 85)


@pytest.mark.question("q5", points=0.5, hint="Train for more epochs, or add a hidden layer.")
def test_nearly_all_digits(student, measure):
    """92 % of new digits"""
    found = [accuracy(student, seed) for seed in (13, 14)]
    expect_accuracy(min(found), 92)
    measure(100 - np.mean(found), "% misclassified")


# q6 ----------------------------------------------------------------------------------------------

NUMBERS = '''
import numpy as np


def measured(f, *operands):
    """[what f returns, its kind]"""
    found = f(*operands)
    return [found, type(found).__name__]


def all_numbers(f, ours, theirs):
    """[f of two lists, the same in NumPy's numbers, the kinds of both, and the lists afterwards]"""
    of_numpy = [[np.float64(one) for one in losses] for losses in (ours, theirs)]
    pairs = [[ours, theirs], of_numpy]
    with np.errstate(all="ignore"):
        found = [f(*pair) for pair in pairs]
    return [*found, [type(one).__name__ for one in found], pairs]
'''


def p_values(ours, theirs):
    """{a way to count, "" for the right one: the fraction it gives}, by all exchanges."""
    differences = [a - b for a, b in zip(ours, theirs)]
    signs = list(product((1, -1), repeat=len(differences)))
    totals = [sum(sign * d for sign, d in zip(one, differences)) for one in signs]
    size, count = abs(sum(differences)), len(totals)
    found = {
        "": sum(abs(total) >= size for total in totals),
        "strict": sum(abs(total) > size for total in totals),
        "one side": sum(total >= sum(differences) for total in totals),
        "other side": sum(total <= sum(differences) for total in totals),
        "below": sum(abs(total) < size for total in totals),
        "without none": sum(abs(total) >= size for total in totals) - 1,
    }
    return {way: number / count for way, number in found.items()}


def unpaired(ours, theirs):
    """The fraction of all divisions into two groups, which forgets the pairs."""
    pool, n, size = [*ours, *theirs], len(ours), abs(sum(ours) - sum(theirs))
    groups = [abs(2 * sum(one) - sum(pool)) for one in combinations(pool, n)]
    return sum(one >= size for one in groups) / len(groups)


WAYS = {
    "strict": "A way that differs exactly as much as the measured one is not counted.",
    "one side": "The sign is kept, so that only differences in one direction count.",
    "other side": "The sign is kept, so that only differences in one direction count.",
    "below": "It is the fraction of the ways that differ less.",
    "without none": "The way in which no pair is exchanged is not counted.",
}


def expect_p_value(student, ours, theirs, of):
    """That the fraction is exact."""
    with during(of, because=RAISES):
        came = student.p_value(ours, theirs)
    wanted = p_values(ours, theirs)
    wrong = [(wanted[way], cause) for way, cause in WAYS.items()]
    pairs = ((unpaired(ours, theirs), "It mixes all results, and forgets which two are a pair.")
             for _ in range(len(ours) < 7))
    expect(came, wanted[""], "It is not the fraction of all 2ⁿ ways, each counted once.", of,
           mistakes=chain(wrong, pairs))


@pytest.mark.question("q6", points=2.5, core=True, hint=(
    "Go through all 2ⁿ choices of pairs to exchange."
))
def test_p_values(student, rng):
    """one to twelve pairs, better or worse, with equal ones"""
    for n in (5, 4, 1, 2, 6, 8, 12):
        ours = [rng.randrange(330, 350) for _ in range(n)]
        far = rng.sample([5, -2, 4, -3, 1], n) if n == 5 else rng.choices(range(-4, 8), k=n)
        far[2:3] = [0] if n == 6 else far[2:3]
        theirs = [a + (d if n % 4 else -d) for a, d in zip(ours, far)]
        expect_p_value(student, ours, theirs, f"{n} trainings of each engine")
    expect_p_value(student, [5, 5, 5], [1, 2, 3], "p_value([5, 5, 5], [1, 2, 3])")


@pytest.mark.question("q6", points=1, hint="Divide each difference by the larger of the two.")
def test_differences(student, rng):
    """losses that are equal, near and far; lists of different lengths"""
    a, b, c = (rng.uniform(1, 2) for _ in range(3))
    cases = [([a, b, c], [a, b, c]), ([a, b], [3 * a, b]), ([3 * a, b], [a, b]),
             ([a, b, c], [a, 1.5 * b, 1.2 * c]), ([a, 1e9], [a, 1e9 + b]), ([-a], [-2 * a]),
             ([-2 * a], [-a]), ([a * 1e-12, b], [a * 2e-12, b])]
    for ours, theirs in cases:
        of = f"largest_difference({ours}, {theirs})"
        with during(of, because=RAISES):
            came = student.largest_difference(ours, theirs)
        pairs = [(abs(x - y), abs(x), abs(y)) for x, y in zip(ours, theirs)]
        each = [d / max(x, y) for d, x, y in pairs]
        expect(came, max(each), "It is not the largest |a − b| / max(|a|, |b|).", of, 1e-15, [
            (max(d / x for d, x, _ in pairs), "It divides by the first loss, not by the larger."),
            (max(d / y for d, _, y in pairs), "It divides by the second loss, not by the larger."),
            (max(d for d, _, _ in pairs), "It does not divide by the larger loss."),
            (max(d / min(x, y) for d, x, y in pairs), "It divides by the smaller loss."),
            (max(2 * d / (x + y) for d, x, y in pairs), "It divides by the mean of two losses."),
            (sum(each) / len(each), "It is the mean of the differences, not the largest.")])
    for ours, theirs in (([a, b], [a]), ([a], [a, b])):
        kind = ""
        try:
            student.largest_difference(ours, theirs)
        except StudentError as error:
            kind = error.kind
        expect(kind, "ValueError", "It raises another error.", "lists of different lengths",
               mistakes=[("", "It passes over the losses that the longer list has more.")])


@pytest.mark.question("q6", points=0.5, corner=True, hint="Compare first, then divide.")
def test_nan_and_infinity(student, rng):
    """losses that are 0, infinite or NaN, as numbers of Python and of NumPy"""
    inf, nan, a = float("inf"), float("nan"), rng.uniform(1, 2)
    zero = "Two losses of 0 do not count as equal."
    infinite = "An infinite loss beside a different one does not count as infinity."
    unseen = "NaN is not noticed, since no comparison with it is true."
    cases = [([0.0, a], [0.0, a], 0.0, "0 beside 0", zero),
             ([0.0], [a], 1.0, "0 beside another loss", "It does not divide by the larger loss."),
             ([inf, a], [inf, 2 * a], 0.5, "inf beside inf", "Two equal infinities are not equal."),
             ([a, inf], [a, a], inf, "an infinite loss beside another", infinite),
             ([inf], [-inf], inf, "inf beside -inf", infinite),
             ([a, nan, a], [a, a, 2 * a], inf, "a NaN of ours", unseen),
             ([a, a], [nan, a], inf, "a NaN of theirs", unseen),
             ([nan, a], [nan, a], inf, "NaN beside NaN", unseen)]
    all_numbers = student.define(NUMBERS).all_numbers
    for ours, theirs, wanted, of, because in cases:
        with during(of, because=RAISES):
            *came, kinds, after = all_numbers(student.largest_difference, ours, theirs)
        expect(came[0], wanted, because, of)
        expect(came[1], wanted, "Where Python's floats raise, as in 0 / 0, NumPy's give NaN.",
               f"{of}, NumPy's floats")
        expect_plain(kinds, of)
        expect(after, [[ours, theirs]] * 2, WRITES, of)


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


def backward_passes(engine, a):
    """[gradients of x by x itself, then by y = 3 x, once, once more, and after x.grad = None],
    and what else should be None."""
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
    return [[*found, np.array(x.grad)], nothing]


def shared_sums(engine, a, b):
    """The gradients of a and b by mean(s + a), where s = a + b, twice."""
    x, y = engine.tensor(a), engine.tensor(b)
    s, found = x + y, []
    for _ in range(2):
        (s + x).mean().backward()
        found.append([np.array(x.grad), np.array(y.grad)])
    return found


def fed(engine, a):
    """[mean(m m) and m, where m = log(p) is fed, or p, or m again, or both; the gradients of
    mean(m m) by what it does not read, and by m, where m is twice what was fed]"""
    p, q = engine.placeholder("p"), engine.placeholder("q")
    m = (p * 1.0).log()
    y = (m * m).mean()
    many = {m: a}, {p: np.exp(2.0 * a)}, {m: a}, {m: a, p: np.exp(3.0 * a)}
    first = [[np.array(one) for one in engine.run([y, m], feeds)] for feeds in many]
    return [first, engine.run(engine.gradients(y, [q, m]), {p: np.exp(2.0 * a), q: a})]


def run_again(engine, a, b):
    """[runs of one graph on numbers of two shapes, feeds and lists afterwards, their Nodes]"""
    p = engine.placeholder("p")
    y = (p.exp() * 2.0).mean()
    feeds, fetches, xs = {p: a}, [y], [p]
    found = [[np.array(one) for one in engine.run(*each)] for each in (
        (fetches, feeds), ([y, y], {p: b}), (fetches, feeds))]
    engine.gradients(y, xs)
    return [found, [*feeds, *fetches, *xs, *feeds.values()], [p, y, p]]


def gradients_again(engine, a, b):
    """[the gradients of mean(p q + p) by p and q; that of mean(p q p q) by p; the first ones
    again; p moved by the second one; the same where that one is fed]"""
    p, q = engine.placeholder("w"), engine.placeholder("w")
    s = p * q
    y, z = (s + p).mean(), (s * s).mean()
    first, other, again = (engine.gradients(*each) for each in ((y, [p, q]), (z, [p]), (y, [p, q])))
    moved = p - 2.0 * other[0]
    fetches, feeds = [*first, *other, *again, moved], {p: a, q: b}
    found = [np.array(one) for one in engine.run(fetches, feeds)]
    return [*found, np.array(engine.run([moved], {p: a, other[0]: b})[0])]
'''
exec(OWN, HERE)
LINES = 1_000_000  # what one path after another exceeds at once
PATHS = "Each path is followed separately, which takes 2⁶⁰ steps."
DEEP = "It calls itself for each operation, 2,000 of which in a row are too deep."


def expect_repeated(student, ours, engine, which, rng):
    """The value and the gradient of a number that is doubled 60 times, and of 2,000 products."""
    a, factor, kind = rng.uniform(1, 2), rng.uniform(0.999, 1.001), ("Tensors", "Nodes")[which]
    with during(f"60 doublings of {kind}", because=PATHS):
        came = ours.repeated(engine, np.array([a]), 60, None, which)
    expect(came, [a * 2.0**60, np.array([2.0**60])],
           "A cotangent is passed on before it is complete.", f"60 doublings of {kind}")
    with during(f"2,000 products of {kind}", because=DEEP):
        came = student.without_recursion(
            ours.repeated, engine, np.array([a]), 2000, factor, which)
    wanted = [a * factor**2000, np.array([factor**2000])]
    expect(came, wanted, "It loses a factor on the way.", f"2,000 products of {kind}")


def expect_every_operation(ours, engine, which, rng):
    """The formula with every operation."""
    a, b = numbers(rng, 3, 3), numbers(rng, 3, 3)
    value = HERE["formula"](*[one.view(HERE["Moved"]) for one in (a, b)])
    wanted = gradients_of(lambda pair: HERE["formula"](*pair), [a, b])
    of = "a formula of every operation, with " + ("Tensors", "Nodes")[which]
    with during(of, because=RAISES):
        came = ours.every_operation(engine, a, b, which)
    expect(came[0], float(value), "An operation computes something else.", of)
    expect(came[1:], wanted, "A backward rule, or the sum over the uses of a value, is wrong.", of)


@pytest.mark.question("q7", points=2, core=True, hint=(
    "Go through the values in an order in which users come before inputs, each once."
))
def test_own_engine(student, rng):
    """every operation, 60 doublings, 2,000 products, a second loss, and training"""
    with during("own_engine()", because=RAISES):
        ours, engine = student.define(OWN), student.own_engine()
    for which, kind in enumerate(("Tensors", "Nodes")):
        with during(f"60 doublings of {kind}", because=PATHS):
            arguments = engine, np.array([1.5]), 60, None, which
            student.count_lines(ours.repeated, *arguments, limit=LINES)
        a = numbers(rng, 2, 3)
        with during(f"b = 2 a, y = b + 3 b + b, with {kind}", because=RAISES):
            came = ours.used_early_and_late(engine, a, which)
        one = np.full((2, 3), 1.0 / 6)
        expect(came[1], 10 * one, "A use of a value is counted more than once.",
               f"b = 2 a, y = b + 3 b + b, with {kind}", mistakes=[
                   (some * one, "A value passes its cotangent on before it is complete.")
                   for some in (0, 2, 4, 6, 8)])
        expect_every_operation(ours, engine, which, rng)
        expect_repeated(student, ours, engine, which, rng)
    start, factor = numbers(rng, 2, 3), rng.uniform(2, 5)
    with during("two losses", because=RAISES):
        came = ours.two_losses(engine, start, factor)
    both = np.full((2, 3), 2.0 / 6)
    first = both / 2
    expect(came, [both, both * (1 + factor), first * (1 + factor)],
           "The second backward pass does not add its own gradient to `.grad`.",
           "a loss of y = 2 w, then a second one", mistakes=[
               ([both, both * (2 + factor), first * (1 + factor)],
                "The second backward pass passes on the gradient of the first one again."),
               ([both, both * factor, first * factor],
                "The second backward pass replaces the gradient of the first one.")])
    first = rng.randrange(1700)
    images, labels = read_digits(first, first + 30)
    arrays = [0.4 * numbers(rng, *shape) for shape in ((64, 4), (4,), (4, 10), (10,))]
    batches = [[images[at : at + 10], np.eye(10)[labels[at : at + 10]]] for at in (0, 10, 20)]
    with during("training digits", because=RAISES):
        came = ours.train(engine, arrays, batches, 0.3)
    wanted, _ = trajectory("classifier", arrays, batches, 0.3, 0.0)
    for mine, kind in zip(came, ("Tensors", "Nodes"), strict=True):
        expect(mine, wanted, "The losses of a training are wrong.", f"losses with {kind}", 1e-12, [
            ([wanted[0]] * 3, "A run returns results of an earlier run.")])


@pytest.mark.question("q7", points=0.5, corner=True, hint="Begin each backward pass afresh.")
def test_own_backward(student, rng):
    """gradients that begin with ones, accumulate, and can be reset"""
    with during("small graphs of Tensors", because=RAISES):
        ours, engine = student.define(OWN), student.own_engine()
        start = numbers(rng, 2, 3)
        came, nothing = ours.backward_passes(engine, start)
        shared = ours.shared_sums(engine, start, numbers(rng, 2, 3))
    wanted = [np.full((2, 3), gradient) for gradient in (1.0, 3.0, 6.0, 3.0)]
    expect(nothing, [None] * 4, "`.grad` is not None before the backward pass.", "new Tensors")
    expect(came[0], wanted[0], "The backward pass does not begin with ones of the Tensor's shape.",
           "x.backward()")
    expect(came[1:], wanted[1:], "`.grad` does not accumulate, or setting it to None is ignored.",
           "y = 3 x, twice, and again after x.grad = None")
    one = np.full((2, 3), 1.0 / 6)
    expect(shared, [[2 * one, one], [4 * one, 2 * one]],
           "Two gradients share an array, and adding in place changes both.", "mean((a + b) + a)")


@pytest.mark.question("q7", points=0.5, corner=True, hint="Begin with the feeds of this run.")
def test_own_runs(student, rng):
    """Nodes that are fed, graphs that are run again, gradients of what is not read"""
    a, larger = numbers(rng, 1, 4), numbers(rng, 3, 2)
    b, other_b = numbers(rng, 2, 3), numbers(rng, 2, 3)
    ours, engine = student.define(OWN), student.own_engine()
    with during("m = log(p) is fed, then p", because=(
            "A run does not begin at what it is fed, or keeps the order of an earlier run.")):
        fed, gradients = ours.fed(engine, a)
    with during("runs on arrays of two shapes", because=RAISES):
        again, after, nodes = ours.run_again(engine, a, larger)
    with during("p − 2 · gradient", because="A gradient cannot be used as a Node."):
        more = ours.gradients_again(engine, b, other_b)
    wanted = [[np.mean(m * m), m] for m in (a, 2 * a, a, a)]
    expect(fed, wanted, "A Node that is fed is computed, or a run uses an earlier one's results.",
           "mean(m m) and m, where m = log(p) is fed, then p, then m again, then both")
    expect(gradients[0], np.zeros((1, 4)), "A gradient of what y does not read is not zeros of "
           "its shape.", "y = mean(m m), with respect to q")
    expect(gradients[1], a, "The gradient with respect to a computed Node is wrong.", "m = log(p)")
    one, other = 2 * np.mean(np.exp(a)), 2 * np.mean(np.exp(larger))
    expect(again, [[one], [other, other], [one]], "A run uses results of an earlier run.",
           "runs on arrays of two shapes")
    expect(after, [*nodes, a], WRITES, "feeds and fetches")
    p, q = b, other_b
    first, second = [(q + 1) / p.size, p / p.size], 2 * p * q * q / p.size
    expect(more[:5], [*first, second, *first], "A call of `gradients` counts what an earlier call "
           "has made.", "mean(p q + p), then mean(p q p q), then the first one again")
    expect(more[5:], [p - 2 * second, p - 2 * q], "A gradient cannot be used as a Node, or not be "
           "fed.", "p moved by a gradient")


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


NO_GRAD = "The gradients are not counted."
TWICE = "An array that two Tensors hold is counted twice."


def expect_bytes(student, graph, wanted, of, mistakes=()):
    """That a Tensor keeps so many bytes."""
    because = "It calls itself for each Tensor, or looks through a list for each." \
        if "row" in of else RAISES
    with during(of, because=because):
        came, kind = student.without_recursion(
            student.define(NUMBERS).measured, student.kept_bytes, graph)
    expect(came, wanted, "Not every array is counted once.", of, mistakes=mistakes)
    expect_plain([kind], of, "The number of bytes is an array, not a plain number.")


@pytest.mark.question("q8", points=1.5, core=True, hint=(
    "Visit each Tensor once, without recursion, and look up in a set which ones you have seen."
))
def test_shared_arrays(student, rng):
    """arrays that several Tensors hold, gradients, many paths, many Tensors"""
    ours, n, m = student.define(BYTES), rng.randrange(3, 9), rng.randrange(3, 9)
    w, same, end = ours.shared(n, m)
    one, bias = 8 * n * m, 4 * m
    expect_bytes(student, w, 2 * one, "a weight with a gradient", [(one, NO_GRAD)])
    expect_bytes(student, same, 2 * one + bias, "two Tensors with one array", [
        (3 * one + bias, TWICE), (one + bias, NO_GRAD)])
    expect_bytes(student, end, 2 * one + bias + 16, "a Tensor that is used twice", [
        (3 * one + bias + 16, TWICE),
        (one + bias + 8, NO_GRAD)])
    with during("2⁶⁰ paths", because="It follows each path separately."):
        student.count_lines(student.kept_bytes, ours.chain(60, True, m), limit=LINES)
    for count, twice in ((60, True), (50_000, False)):
        of = f"{'2⁶⁰ paths' if twice else '50,000 Tensors in a row'}"
        arrays = 1 + (3 * count if twice else count)
        expect_bytes(student, ours.chain(count, twice, m), arrays * 8 * m, of, [
            (8 * m, "Arrays of equal numbers are counted once.")])


@pytest.mark.question("q8", points=0.5, corner=True, hint="Count the base of a view.")
def test_views(student, rng):
    """views into arrays"""
    ours, n, m = student.define(BYTES), rng.randrange(3, 9), rng.randrange(3, 9)
    rows, both, stretched = ours.views(n, m)
    expect_bytes(student, rows, 8 * n * m, "two rows of an array", [
        (16 * m, "A view is counted by what it shows, not by its base.")])
    expect_bytes(student, both, 8 * n * m, "three views of one array", [
        (16 * n * m, "A base is counted once for each view.")])
    expect_bytes(student, stretched, 8 * n * m + 8 * m, "an array that was broadcast")
