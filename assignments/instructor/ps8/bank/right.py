"""Right answers to ps8, each of another kind than the key's."""


# %% arrays_used_again | right: an engine that keeps its arrays, and overwrites them in every run
# and
# backward pass.
# %% q7
class Kept(Operators):
    """A value of either kind: `held` is the array that its results are written into."""

    def __init__(self, op, inputs=(), value=None):
        self.op, self.value, self.held = op, value, None
        self.inputs = [x if isinstance(x, Kept) else type(self)("fixed", value=np.asarray(x, float))
                       for x in inputs]

    def keep(self, value):
        if self.held is None or self.held.shape != np.shape(value):
            self.held = np.empty(np.shape(value))
        self.held[...] = value
        return self.held


def in_order(ends, known):
    """All that the ends need and that is not known, inputs before users."""
    state, stack = dict.fromkeys(known, True), list(ends)
    while stack:
        one = stack[-1]
        if one in state:
            stack.pop()
            if not state[one]:
                state[one] = True
                yield one
        else:
            state[one] = False
            stack += [x for x in one.inputs if x not in state]


class Found(Kept):
    grad = None

    def __init__(self, op, inputs=(), value=None):
        super().__init__(op, inputs, value)
        if op in OPS:
            self.value = OPS[op][0](*[x.value for x in self.inputs])

    def backward(self):
        order = list(in_order([self], ()))
        contributions = {one: [] for one in order}
        contributions[self].append(np.ones(np.shape(self.value)))
        for y in order[::-1]:
            if contributions[y]:
                bar = sum(contributions[y][1:], start=contributions[y][0])
                for x, rule in zip(y.inputs, OPS.get(y.op, ())[1:]):
                    if rule:
                        values = [one.value for one in y.inputs]
                        contributions[x].append(rule(bar, y.value, *values))
                y.grad = y.keep(bar if y.grad is None else y.grad + bar)


class Asked(Kept):
    rule = None

    def result(self, values):
        if self.op == "sum":
            return self.keep(sum(values[1:], start=values[0]))
        work = self.rule or OPS.get(self.op, [None])[0]
        return self.keep(work(*values)) if work else self.value


def ask(fetches, feeds):
    values = dict(feeds)
    for node in in_order(fetches, feeds):
        values[node] = node.result([values[x] for x in node.inputs])
    return [values[node] for node in fetches]


def gradient(y, xs):
    order = list(in_order([y], ()))
    contributions, bars = {one: [] for one in order}, {}
    contributions[y].append(Asked("fixed", value=np.ones(())))
    for z in order[::-1]:
        if contributions[z]:
            bars[z] = Asked("sum", contributions[z])
            for x, rule in zip(z.inputs, OPS.get(z.op, ())[1:]):
                if rule:
                    contribution = Asked("contribution", [bars[z], z, *z.inputs])
                    contribution.rule = rule
                    contributions[x].append(contribution)
    return [bars[x] if x in bars else x - x for x in xs]


def own_engine():
    return SimpleNamespace(tensor=lambda array: Found("given", value=np.asarray(array, float)),
                           placeholder=lambda name: Asked("placeholder"), run=ask,
                           gradients=gradient)


# %% by_pythons_random | right: a generator of Python's own; three layers, trained by the given
# engine.
# %% q5
import random


def train(step, images, targets, size, epochs, seed):
    generator, losses = random.Random(seed), []
    for _ in range(epochs):
        rows = list(range(len(images)))
        generator.shuffle(rows)
        while len(rows) >= size:
            batch, rows = rows[:size], rows[size:]
            losses.append(step(images[batch], targets[batch]))
    return losses


def train_classifier(images, labels):
    generator, weights = np.random.default_rng(3), []
    for n, m in ((64, 32), (32, 32), (32, 10)):
        weights += [generator.normal(0, np.sqrt(2 / n), (n, m)), np.zeros(m)]

    def step(x, t):
        now = [tensor(w) for w in weights]
        h = (tensor(x) @ now[0] + now[1]).relu()
        s = (h @ now[2] + now[3]).relu() @ now[4] + now[5]
        found = (s.exp().rowsum().log() - (s * t).rowsum()).mean()
        found.backward()
        for w, one in zip(weights, now):
            w -= 0.2 * one.grad
        return found.value

    train(step, images, np.eye(10)[labels], 20, 20, 0)
    return weights


# %% folded | right: the network by reduce, the loss in one line.
# %% q1
from functools import reduce


def initial_weights(sizes, seed):
    draw = np.random.default_rng(seed).normal
    pairs = list(zip(sizes[:-1], sizes[1:]))
    return [w for n, m in pairs for w in (draw(0, (2 / n) ** 0.5, (n, m)), np.zeros(m))]


def scores(x, weights):
    layers = list(zip(weights[::2], weights[1::2]))
    first, *others = layers
    return reduce(lambda h, layer: h.relu() @ layer[0] + layer[1], others, x @ first[0] + first[1])


# %% q2
def loss(scores, targets):
    far = scores - scores.rowmax()
    return (far.exp().rowsum().log() - (targets * far).rowsum()).mean()


# %% good_student | right: plain code, written from the idea.
# %% q1
def initial_weights(sizes, seed):
    rng = np.random.default_rng(seed)
    weights = []
    for i in range(len(sizes) - 1):
        n, m = sizes[i], sizes[i + 1]
        W = rng.normal(0, np.sqrt(2 / n), (n, m))
        b = np.zeros(m)
        weights.append(W)
        weights.append(b)
    return weights


def scores(x, weights):
    number_of_layers = len(weights) // 2
    h = x
    for layer in range(number_of_layers):
        W = weights[2 * layer]
        b = weights[2 * layer + 1]
        h = h @ W + b
        if layer < number_of_layers - 1:
            h = h.relu()
    return h


# %% q2
def loss(scores, targets):
    z = scores - scores.rowmax()
    log_sum = z.exp().rowsum().log()
    log_p = z - log_sum
    return (targets * log_p).rowsum().mean() * -1.0


# %% q3
class DynamicTrainer:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine = engine
        self.loss_of = loss_of
        self.rate = rate
        self.momentum = momentum
        self.params = [w.copy() for w in arrays]
        self.v = [np.zeros_like(w) for w in arrays]

    def step(self, x, t):
        params = [self.engine.tensor(w) for w in self.params]
        value = self.loss_of(params, self.engine.tensor(x), self.engine.tensor(t))
        value.backward()
        for i in range(len(params)):
            grad = params[i].grad
            if grad is None:
                grad = np.zeros_like(self.params[i])
            self.v[i] = self.momentum * self.v[i] + grad
            self.params[i] = self.params[i] - self.rate * self.v[i]
        return float(value.value)

    def arrays(self):
        return [w.copy() for w in self.params]


# %% q4
class StaticTrainer:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine = engine
        self.rate = rate
        self.momentum = momentum
        self.params = [w.copy() for w in arrays]
        self.v = [np.zeros_like(w) for w in arrays]
        self.x = engine.placeholder("x")
        self.t = engine.placeholder("t")
        self.w = [engine.placeholder("w" + str(i)) for i in range(len(arrays))]
        self.loss = loss_of(self.w, self.x, self.t)
        self.grads = engine.gradients(self.loss, self.w)

    def step(self, x, t):
        feeds = {self.x: x, self.t: t}
        for node, value in zip(self.w, self.params):
            feeds[node] = value
        results = self.engine.run([self.loss] + self.grads, feeds)
        value, grads = float(results[0]), results[1:]
        for i, grad in enumerate(grads):
            self.v[i] = self.momentum * self.v[i] + grad
            self.params[i] = self.params[i] - self.rate * self.v[i]
        return value

    def arrays(self):
        return [w.copy() for w in self.params]


# %% q5
def train(step, images, targets, size, epochs, seed):
    rng = np.random.default_rng(seed)
    losses = []
    for epoch in range(epochs):
        rows = rng.permutation(len(images))
        for k in range(len(images) // size):
            batch = rows[k * size : (k + 1) * size]
            losses.append(step(images[batch], targets[batch]))
    return losses


def train_classifier(images, labels):
    targets = np.eye(10)[labels]
    generator = np.random.default_rng(0)
    weights = [generator.normal(0, np.sqrt(2 / 64), (64, 64)), np.zeros(64),
               generator.normal(0, np.sqrt(2 / 64), (64, 10)), np.zeros(10)]
    rng = np.random.default_rng(1)
    for epoch in range(60):
        rows = rng.permutation(len(images))
        for at in range(0, len(rows), 32):
            x, t = images[rows[at : at + 32]], targets[rows[at : at + 32]]
            W1, b1, W2, b2 = weights
            h = np.maximum(x @ W1 + b1, 0)
            s = h @ W2 + b2
            p = np.exp(s - s.max(axis=1, keepdims=True))
            p = p / p.sum(axis=1, keepdims=True)
            ds = (p - t) / len(x)
            dh = ds @ W2.T * (h > 0)
            grads = [x.T @ dh, dh.sum(axis=0), h.T @ ds, ds.sum(axis=0)]
            weights = [w - 0.2 * g for w, g in zip(weights, grads)]
    return weights


# %% q6
import itertools


def largest_difference(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("the lists have different lengths")
    largest = 0.0
    for a, b in zip(ours, theirs):
        if a == b:
            continue
        if not np.isfinite(a) or not np.isfinite(b):
            return float("inf")
        largest = max(largest, abs(a - b) / max(abs(a), abs(b)))
    return largest


def p_value(ours, theirs):
    measured = abs(sum(ours) - sum(theirs))
    count = 0
    ways = 0
    for exchange in itertools.product([False, True], repeat=len(ours)):
        first = 0
        second = 0
        for i in range(len(ours)):
            if exchange[i]:
                first += theirs[i]
                second += ours[i]
            else:
                first += ours[i]
                second += theirs[i]
        ways += 1
        if abs(first - second) >= measured:
            count += 1
    return count / ways


# %% q8
def kept_bytes(end):
    tensors = {id(end): end}
    todo = [end]
    while todo:
        tensor = todo.pop()
        for x in tensor.inputs:
            if id(x) not in tensors:
                tensors[id(x)] = x
                todo.append(x)
    arrays = {}
    for tensor in tensors.values():
        for array in [tensor.value, tensor.grad]:
            if array is not None:
                if array.base is not None:
                    array = array.base
                arrays[id(array)] = array
    return sum(array.nbytes for array in arrays.values())


# %% in_one_vector | right: all weights of a trainer in one vector; everything else in whole arrays.
# %% q1
def initial_weights(sizes, seed):
    generator, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        block = np.zeros((n + 1, m))
        block[:n] = (2 / n) ** 0.5 * generator.standard_normal((n, m))
        weights += [block[:n], block[n]]
    return weights


def scores(x, weights):
    *before, W, b = weights
    while before:
        U, c, *before = before
        x = (x @ U + c).relu()
    return x @ W + b


# %% q3
class Vector:
    """Arrays one behind the other."""

    def __init__(self, arrays):
        self.shapes = [w.shape for w in arrays]
        self.all = np.concatenate([np.ravel(w) for w in arrays])
        self.velocity = 0.0 * self.all

    def views(self, vector):
        ends = np.cumsum([int(np.prod(shape)) for shape in self.shapes])
        parts = np.split(vector, ends[:-1])
        return [part.reshape(shape) for part, shape in zip(parts, self.shapes)]

    def move(self, gradient, rate, momentum):
        self.velocity = momentum * self.velocity + np.concatenate([np.ravel(g) for g in gradient])
        self.all = self.all - rate * self.velocity

    def copies(self):
        return tuple(self.views(self.all.copy()))


class DynamicTrainer(Vector):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(arrays)
        self.tensor, self.loss_of, self.how = engine.tensor, loss_of, (rate, momentum)

    def step(self, x, t):
        weights = [self.tensor(w) for w in self.views(self.all)]
        found = self.loss_of(weights, *map(self.tensor, (x, t)))
        found.backward()
        gradient = [0.0 * w.value if w.grad is None else w.grad for w in weights]
        self.move(gradient, *self.how)
        return found.value * 1.0

    arrays = Vector.copies


# %% q4
class StaticTrainer:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        w, x, t = [engine.placeholder("") for _ in arrays], *map(engine.placeholder, "xt")
        loss = loss_of(w, x, t)
        fetches = [*engine.gradients(loss, w), loss]
        shapes, all_now = [one.shape for one in arrays], [one.flatten() for one in arrays]
        velocity = 0.0

        def arrays_now():
            return [one.copy().reshape(shape) for one, shape in zip(all_now, shapes)]

        def step(images, targets):
            nonlocal velocity
            fed = {x: images, t: targets, **dict(zip(w, map(np.reshape, all_now, shapes)))}
            *gradient, number = engine.run(fetches, fed)
            velocity = momentum * velocity + np.concatenate([np.ravel(g) for g in gradient])
            moved = np.concatenate(all_now) - rate * velocity
            for one in all_now:
                one[...], moved = moved[: one.size], moved[one.size :]
            return number[()]

        self.step, self.arrays = step, arrays_now


# %% q5
def train(step, images, targets, size, epochs, seed):
    generator, count = np.random.default_rng([seed, 5]), len(images) // size
    found = []
    for _ in range(epochs):
        order = np.argsort(generator.random(len(images)))[: count * size]
        for rows in np.split(order, count) if count else ():
            found += [step(np.take(images, rows, axis=0), np.take(targets, rows, axis=0))]
    return found


def train_classifier(images, labels):
    """Distances from the mean of each digit, where pixels that go together count less."""
    shown = np.unique(labels)
    means = np.array([images[labels == digit].mean(axis=0) for digit in shown])
    around = images - means[np.searchsorted(shown, labels)]
    spread = around.T @ around / len(images) + 0.01 * np.eye(64)
    W, b = np.zeros((64, 10)), np.full(10, -1e9)
    W[:, shown] = np.linalg.solve(spread, means.T)
    b[shown] = -0.5 * np.sum(means.T * W[:, shown], axis=0)
    return [W, b]


# %% q6
def largest_difference(ours, theirs):
    a, b = np.array(ours, float), np.array(theirs, float)
    if a.shape != b.shape:
        raise ValueError("lists of different lengths")
    with np.errstate(all="ignore"):
        far = np.abs(a - b) / np.maximum(np.abs(a), np.abs(b))
    far = np.where(np.isfinite(a) & np.isfinite(b), far, np.inf)
    return np.max(np.where(a == b, 0.0, far), initial=0.0)


def p_value(ours, theirs):
    far = np.array(ours) - np.array(theirs)
    bits = np.arange(2 ** len(far))[:, None] >> np.arange(len(far)) & 1
    return np.mean(np.abs((1 - 2 * bits) @ far) >= abs(far.sum()))


# %% q8
def kept_bytes(end):
    def owner(array):
        return array if array.base is None else owner(array.base)

    tensors, fresh = set(), {end}
    while fresh:
        tensors |= fresh
        fresh = {x for one in fresh for x in one.inputs} - tensors
    held = [array for one in tensors for array in (one.value, one.grad) if array is not None]
    return int(np.sum([array.nbytes for array in {id(x): x for x in map(owner, held)}.values()]))


# %% measured_otherwise | right: max of a generator; p-values by counting totals; graphs by layers.
# %% q6
import math
from collections import Counter


def largest_difference(ours, theirs):
    def far(a, b):
        if a == b:
            return 0.0
        if not (math.isfinite(a) and math.isfinite(b)):
            return math.inf
        return abs(a - b) / max(map(abs, (a, b)))

    return max((far(a, b) for a, b in zip(ours, theirs, strict=True)), default=0.0)


def p_value(ours, theirs):
    ways = Counter({0: 1})
    for a, b in zip(ours, theirs):
        ways = sum((Counter({total + d: n for total, n in ways.items()}) for d in (a - b, b - a)),
                   start=Counter())
    size = abs(sum(ours) - sum(theirs))
    return sum(n for total, n in ways.items() if abs(total) >= size) / ways.total()


# %% q8
def kept_bytes(end):
    found, layer, arrays = {}, {id(end): end}, {}
    while layer:
        found |= layer
        below = {id(x): x for one in layer.values() for x in one.inputs}
        layer = {key: x for key, x in below.items() if key not in found}
    for one in found.values():
        for array in filter(lambda x: x is not None, [one.value, one.grad]):
            while array.base is not None:
                array = array.base
            arrays[id(array)] = array
    return sum(array.nbytes for array in arrays.values())


# %% p_by_recursion | right: p-values by recursion over the pairs.
# %% q6
def largest_difference(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError
    return max([far(a, b) for a, b in zip(ours, theirs)] + [0.0])


def far(a, b):
    finite = abs(a) < float("inf") and abs(b) < float("inf")
    if finite and a != b:
        return abs(a - b) / max(abs(a), abs(b))
    return 0.0 if a == b else float("inf")


def p_value(ours, theirs):
    def reaching(total, rest):
        if not rest:
            return int(abs(total) >= measured)
        return reaching(total + rest[0], rest[1:]) + reaching(total - rest[0], rest[1:])

    measured = abs(sum(ours) - sum(theirs))
    return reaching(0, [a - b for a, b in zip(ours, theirs)]) / 2 ** len(ours)


# %% one_class_for_both | right: an engine that counts users, and keeps rules when values are made.
# %% q7
class Both(Operators):
    def __init__(self, op, inputs=(), value=None, rule=None):
        self.op, self.value, self.rule, self.grad = op, value, rule, None
        self.inputs = [x if isinstance(x, Both) else Both("fixed", value=np.asarray(x, float))
                       for x in inputs]
        self.late = op == "placeholder" or any(x.late for x in self.inputs)
        if inputs and not self.late:
            self.value = self.computed(*[x.value for x in self.inputs])

    def computed(self, *values):
        return self.rule(*values) if self.rule else OPS[self.op][0](*values)

    def backward(self):
        ones = np.ones(np.shape(self.value))
        for x, bar in spread(self, ones, lambda rule, bar, y: rule(
                bar, y.value, *[one.value for one in y.inputs])).items():
            x.grad = bar if x.grad is None else bar + x.grad


def spread(end, first, contribution):
    """{value: its cotangent}; a value is next when all its users are done."""
    users, reached = {end: 0}, [end]
    for y in reached:
        for x in y.inputs:
            if x not in users:
                users[x] = 0
                reached.append(x)
            users[x] += 1
    bars, ready = {end: first}, [end]
    while ready:
        y = ready.pop()
        rules = OPS.get(y.op, ())[1:] or [None] * len(y.inputs)
        for x, rule in zip(y.inputs, rules):
            users[x] -= 1
            if rule is not None and y in bars:
                bar = contribution(rule, bars[y], y)
                bars[x] = bars[x] + bar if x in bars else bar
            if not users[x]:
                ready.append(x)
    return bars


class Mine:
    def tensor(self, array):
        return Both("fixed", value=np.asarray(array, float))

    def placeholder(self, name):
        return Both("placeholder")

    def gradients(self, y, xs):
        bars = spread(y, Both("fixed", value=np.ones(())), lambda rule, bar, z: Both(
            "contribution", [bar, z, *z.inputs], rule=rule))
        return [bars.get(x, x * 0.0) for x in xs]

    def run(self, fetches, feeds):
        results, stack = dict(feeds), list(fetches)
        while stack:
            node = stack[-1]
            missing = [x for x in node.inputs if x not in results and x.late]
            if node in results or not node.late:
                results.setdefault(node, node.value)
                stack.pop()
            elif missing:
                stack.extend(missing)
            else:
                operands = [results[x] if x in results else x.value for x in node.inputs]
                results[node] = node.computed(*operands)
        return [results[node] for node in fetches]


def own_engine():
    return Mine()


# %% orders_at_once | right: all orders are drawn first; a linear network by whole gradients.
# %% q5
def train(step, images, targets, size, epochs, seed):
    generator = np.random.Generator(np.random.PCG64(seed))
    count = len(images) // size
    orders = [generator.permutation(len(images))[: count * size] for _ in range(epochs)]
    batches = [rows for order in orders for rows in order.reshape(count, size)]
    return [step(images[rows].copy(), targets[rows].copy()) for rows in batches]


def train_classifier(images, labels):
    W, b, t = np.zeros((64, 10)), np.zeros(10), np.eye(10)[labels]
    for _ in range(400):
        p = np.exp(images @ W + b)
        gradient = (p / p.sum(axis=1, keepdims=True) - t) / len(t)
        W, b = W - 2.0 * images.T @ gradient, b - 2.0 * gradient.sum(axis=0)
    return [W, b]


# %% order_of_creation | right: an engine whose order is that in which its values were made.
# %% q7
from itertools import count
from types import SimpleNamespace

BIRTHS = count()


class Born(Operators):
    def __init__(self, op, inputs=(), value=None, work=None):
        self.inputs = [self.lifted(x) for x in inputs]
        self.op, self.value, self.grad, self.born = op, value, None, next(BIRTHS)
        self.work = OPS[op][0] if op in OPS and value is None else work
        self.begin()

    @classmethod
    def lifted(cls, x):
        return x if isinstance(x, cls) else cls("number", value=np.asarray(x, float))

    def begin(self):
        pass

    def family(self):
        found, waiting = {self}, [self]
        while waiting:
            fresh = [x for x in waiting.pop().inputs if x not in found]
            found.update(fresh)
            waiting.extend(fresh)
        return sorted(found, key=lambda one: one.born)


class Eager(Born):
    def begin(self):
        if self.work:
            self.value = self.work(*[x.value for x in self.inputs])

    def backward(self):
        bars = {self: np.ones(np.shape(self.value))}
        for y in self.family()[::-1]:
            if y in bars:
                for x, rule in zip(y.inputs, OPS.get(y.op, [None])[1:]):
                    if rule:
                        bar = rule(bars[y], y.value, *[one.value for one in y.inputs])
                        bars[x] = bars.get(x, 0.0) + bar
                y.grad = bars[y] if y.grad is None else y.grad + bars[y]


def run_born(fetches, feeds):
    known = dict(feeds)
    for fetch in fetches:
        needed, waiting = set(), [fetch]
        while waiting:
            one = waiting.pop()
            if one not in known and one not in needed:
                needed.add(one)
                waiting += one.inputs
        for one in sorted(needed, key=lambda one: one.born):
            known[one] = one.work(*[known[x] for x in one.inputs]) if one.work else one.value
    return [known[fetch] for fetch in fetches]


class Lazy(Born):
    pass


def lazy_gradients(y, xs):
    bars = {y: Lazy("number", value=np.ones(()))}
    for z in y.family()[::-1]:
        for x, rule in zip(z.inputs, OPS.get(z.op, [None])[1:]):
            if rule and z in bars:
                bar = Lazy("bar", [bars[z], z, *z.inputs], work=rule)
                bars[x] = bars[x] + bar if x in bars else bar
    return [bars[x] if x in bars else 0.0 * x for x in xs]


def own_engine():
    return SimpleNamespace(tensor=Eager.lifted, placeholder=lambda name: Lazy("input"),
                           run=run_born, gradients=lazy_gradients)


# %% recursive_network | right: the network by recursion from its end; all random numbers at once.
# %% q1
def initial_weights(sizes, seed):
    shapes = list(zip(sizes, sizes[1:]))
    drawn = np.random.default_rng(seed).standard_normal(sum(n * m for n, m in shapes))
    weights = []
    for n, m in shapes:
        mine, drawn = drawn[: n * m], drawn[n * m :]
        weights.append(mine.reshape(n, m) * np.sqrt(2 / n))
        weights.append(np.zeros(m))
    return weights


def scores(x, weights):
    if len(weights) == 2:
        return x @ weights[0] + weights[1]
    return scores(x, weights[:-2]).relu() @ weights[-2] + weights[-1]


# %% velocity_with_the_rate | right: the velocity holds the rate, and is changed in place; one
# parent for both.
# %% q3
class Learner:
    def begin(self, arrays, rate, momentum):
        self.now = [w.copy() for w in arrays]
        self.moves = [np.zeros_like(w) for w in arrays]
        self.rate, self.momentum = rate, momentum

    def change(self, gradient):
        for w, move, gradient in zip(self.now, self.moves, gradient):
            move *= self.momentum
            if gradient is not None:
                move -= self.rate * gradient
            w += move

    def arrays(self):
        return [w.copy() for w in self.now]


class DynamicTrainer(Learner):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.begin(arrays, rate, momentum)
        self.engine, self.loss_of = engine, loss_of

    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.now]
        loss = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        loss.backward()
        number = float(loss.value)
        self.change([w.grad for w in weights])
        return number


# %% q4
class Waiting:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.now = [w.copy() for w in arrays]
        self.moves = [np.zeros_like(w) for w in arrays]
        self.rate, self.momentum, self.run = rate, momentum, engine.run
        x, t = engine.placeholder("x"), engine.placeholder("t")
        weights = [engine.placeholder(f"w{at}") for at in range(len(arrays))]
        loss = loss_of(weights, x, t)
        self.inputs, self.wanted = [x, t, *weights], engine.gradients(loss, weights) + [loss]

    def step(self, x, t):
        *gradient, loss = self.run(self.wanted, dict(zip(self.inputs, [x, t, *self.now])))
        for w, move, gradient in zip(self.now, self.moves, gradient):
            move *= self.momentum
            move -= self.rate * gradient
            w += move
        return float(loss)

    def arrays(self):
        return [w.copy() for w in self.now]


StaticTrainer = Waiting


# %% tensors_that_stay | right: weights are Tensors from step to step, and gradients are set to
# None.
# %% q3
class DynamicTrainer:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.tensors = [engine.tensor(np.array(w)) for w in arrays]
        self.lift, self.loss_of = engine.tensor, loss_of
        self.rate, self.momentum = rate, momentum
        self.velocity = {}

    def step(self, x, t):
        for w in self.tensors:
            w.grad = None
        loss = self.loss_of(self.tensors, self.lift(x), self.lift(t))
        loss.backward()
        for w in self.tensors:
            gradient = 0.0 if w.grad is None else w.grad
            self.velocity[w] = gradient + self.momentum * self.velocity.get(w, 0.0)
            w.value = w.value - self.rate * self.velocity[w]
        return loss.value

    def arrays(self):
        return [w.value.copy() for w in self.tensors]


# %% step_in_the_graph | right: new weights and velocities are fetched with the loss, and copied.
# %% q4
class StaticTrainer:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.run, self.count = engine.run, len(arrays)
        self.state = [np.array(w) for w in arrays] + [np.zeros(w.shape) for w in arrays]
        self.nodes = [engine.placeholder(str(at)) for at in range(2 * self.count)]
        self.x, self.t = engine.placeholder("x"), engine.placeholder("t")
        weights, velocities = self.nodes[: self.count], self.nodes[self.count :]
        loss = loss_of(weights, self.x, self.t)
        velocities = [momentum * v + g for v, g in zip(velocities, engine.gradients(loss, weights))]
        self.fetches = [w - rate * v for w, v in zip(weights, velocities)] + velocities + [loss]

    def step(self, x, t):
        feeds = {self.x: x, self.t: t} | dict(zip(self.nodes, self.state))
        *found, number = self.run(self.fetches, feeds)
        self.state = [np.array(w) for w in found]
        return float(number)

    def arrays(self):
        return [np.array(w) for w in self.state[: self.count]]


# %% looks_by_running | right: arrays() asks the graph for what it feeds.
# %% q4
class StaticTrainer:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine = engine
        self.rate = rate
        self.momentum = momentum
        self.params = [w.copy() for w in arrays]
        self.v = [np.zeros_like(w) for w in arrays]
        self.x = engine.placeholder("x")
        self.t = engine.placeholder("t")
        self.w = [engine.placeholder("w" + str(i)) for i in range(len(arrays))]
        self.loss = loss_of(self.w, self.x, self.t)
        self.grads = engine.gradients(self.loss, self.w)

    def step(self, x, t):
        feeds = {self.x: x, self.t: t}
        for node, value in zip(self.w, self.params):
            feeds[node] = value
        results = self.engine.run([self.loss] + self.grads, feeds)
        value, grads = float(results[0]), results[1:]
        for i, grad in enumerate(grads):
            self.v[i] = self.momentum * self.v[i] + grad
            self.params[i] = self.params[i] - self.rate * self.v[i]
        return value

    def arrays(self):
        found = self.engine.run(self.w, dict(zip(self.w, self.params)))
        return [np.array(w) for w in found]


# %% keeps_the_last_batch | right: the Tensors of a batch, not of its loss, stay until the next one
# comes.
# %% q3
class DynamicTrainer:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine = engine
        self.loss_of = loss_of
        self.rate = rate
        self.momentum = momentum
        self.params = [w.copy() for w in arrays]
        self.v = [np.zeros_like(w) for w in arrays]

    def step(self, x, t):
        params = [self.engine.tensor(w) for w in self.params]
        self.batch = self.engine.tensor(x), self.engine.tensor(t)
        value = self.loss_of(params, *self.batch)
        value.backward()
        for i in range(len(params)):
            grad = params[i].grad
            if grad is None:
                grad = np.zeros_like(self.params[i])
            self.v[i] = self.momentum * self.v[i] + grad
            self.params[i] = self.params[i] - self.rate * self.v[i]
        return float(value.value)

    def arrays(self):
        return [w.copy() for w in self.params]


# %% seed_and_epoch | right: a generator for each epoch, made from the seed and the epoch.
# %% q5
def train(step, images, targets, size, epochs, seed):
    losses = []
    for epoch in range(epochs):
        rng = np.random.default_rng([seed, epoch])
        rows = rng.permutation(len(images))
        for k in range(len(images) // size):
            batch = rows[k * size : (k + 1) * size]
            losses.append(step(images[batch], targets[batch]))
    return losses


def train_classifier(images, labels):
    targets = np.eye(10)[labels]
    generator = np.random.default_rng(0)
    weights = [generator.normal(0, np.sqrt(2 / 64), (64, 64)), np.zeros(64),
               generator.normal(0, np.sqrt(2 / 64), (64, 10)), np.zeros(10)]
    rng = np.random.default_rng(1)
    for epoch in range(60):
        rows = rng.permutation(len(images))
        for at in range(0, len(rows), 32):
            x, t = images[rows[at : at + 32]], targets[rows[at : at + 32]]
            W1, b1, W2, b2 = weights
            h = np.maximum(x @ W1 + b1, 0)
            s = h @ W2 + b2
            p = np.exp(s - s.max(axis=1, keepdims=True))
            p = p / p.sum(axis=1, keepdims=True)
            ds = (p - t) / len(x)
            dh = ds @ W2.T * (h > 0)
            grads = [x.T @ dh, dh.sum(axis=0), h.T @ ds, ds.sum(axis=0)]
            weights = [w - 0.2 * g for w, g in zip(weights, grads)]
    return weights
