"""Opening bodies: a loop, a choice or a fused kernel drawn with what happens inside it."""

from typing import NamedTuple

from minigrad.draw.read import clean, op_name, operands, own_name, peek, scope_of, value_text
from minigrad.draw.read.bodies import (
    OpenLoop,
    carry_names,
    closed_words,
    fits_line,
    formal_names,
    kernel_formula,
    kernel_of,
    loop_of,
    loop_words,
    result_words,
)
from minigrad.draw.scene import MARK, Frame

ITEMS = ("Item", "KernelResult")  # ops that pick one of several results


class Inner:
    """A value inside an opened body or at its border; what it does not say its origin says."""

    def __init__(self, origin, op, inputs, id, order, scope, **more):
        self.origin, self.op, self.inputs = origin, op, tuple(inputs)
        self.id, self.order, self.scope = id, order, scope
        self.__dict__.update(more)

    def __getattr__(self, name):
        return getattr(self.__dict__["origin"], name)


class Opener:
    """Walks values in order of creation and puts the insides of open ones in their place.

    `is_open(id, value)` says which; `stand` maps what was replaced to what stands for it; `below`
    has new operands of values that stay; `extra` are values that no result needs, as what the
    next iteration of a loop starts from. `insides` has other bodies, and the operands of these,
    than a value says: {id(value): ({name: body}, operands)}. With `lines`, a short condition is
    left out: its frame's head says it.
    """

    def __init__(self, is_open, insides=None, lines=False):
        self.is_open, self.insides, self.frames, self.extra = is_open, insides or {}, [], []
        self.lines = lines
        self.stand, self.below, self.results, self.within = {}, {}, {}, set()
        self.ids = {}  # of the values that stay

    def walk(self, values, inputs):
        """Opens what is chosen among the values of a graph."""
        for at, value in enumerate(values):
            xs = [self.stand.get(id(x), x) for x in inputs[id(value)]]
            order = peek(value, "order", default=at)
            self.ids[id(value)] = f"n{at}"
            new = self.visit(value, xs, f"n{at}", (order,), scope_of(value))
            if new is not None:
                self.stand[id(value)] = new

    def visit(self, value, xs, id_, order, scope):
        """What stands for a value: an Inner, or None when it stays."""
        picked = self.pick_result(value, id_, order, scope)
        if picked is not None:
            return picked
        body = self.open_body(value, xs, id_, order, scope) if self.is_open(id_, value) else None
        if body is None:
            self.below[id(value)] = xs
            return None
        self.results[id(value)] = body
        self.below[id(value)] = body.all()
        return body.whole

    def open_body(self, value, xs, id_, order, scope):
        """The opened body of a value, or None when it has none."""
        loop, kernel = loop_of(value), kernel_of(value)
        if loop is not None and id(value) in self.insides:
            bodies, xs = self.insides[id(value)]
            loop, xs = loop._replace(bodies=bodies), [self.stand.get(id(x), x) for x in xs]
        maker = Maker(self, value, xs, id_, order, scope)
        if kernel is not None:
            return maker.kernel(kernel)
        bodies = {id(body) for body in loop.bodies.values()} if loop else set()
        if loop is None or bodies & self.within:  # a body of some engine may hold itself
            return None
        self.within |= bodies
        made = maker.choice(loop) if loop.kind == "choice" else maker.loop(loop)
        self.within -= bodies
        return made

    def pick_result(self, value, id_, order, scope):
        """What stands for one of the results of an opened value, or None."""
        sources = operands(value)
        body = self.results.get(id(sources[0])) if op_name(value) in ITEMS and sources else None
        params = peek(value, "params")
        index = params.get("index") if isinstance(params, dict) else None
        if body is None or index not in range(len(body.results)):
            return None
        word, inputs, name = body.results[index]
        if word is None:  # one of several results of a kernel
            inputs[0].origin = value
            return inputs[0]
        more = {"name": peek(value, "name") or name, "params": {}}
        return Inner(value, word, inputs, id_, order, scope, **more)


class OpenBody(NamedTuple):
    """An opened body: for each result (word, inputs, name); `whole` if it is one value."""

    results: list
    whole: Inner | None = None

    def all(self):
        """Everything that leaves the body."""
        return [x for _, inputs, _ in self.results for x in inputs]


class Maker:
    """Makes the inner values of one opened value, numbered from its id on."""

    def __init__(self, opener, value, xs, id, order, scope):
        self.opener, self.value, self.xs, self.id, self.order = opener, value, xs, id, order
        self.scope, self.count = scope, 0
        self.path = "/".join(filter(None, (scope, MARK + id)))

    def next(self):
        """The id and the order of the next inner value."""
        self.count += 1
        return f"{self.id}_{self.count - 1}", (*self.order, self.count)

    def inner(self, origin, op, inputs, scope, **more):
        """One inner value."""
        return Inner(origin, op, inputs, *self.next(), scope, **more)

    def port(self, like, name, inputs, scope):
        """A value that is carried, a slice of what is scanned, or one that leaves unchanged."""
        return self.inner(like, None, inputs, scope, role="port", name=name, params={}, data="")

    def frame(self, part, *lines):
        """Adds a frame; returns its path."""
        self.opener.frames.append(Frame(self.path + part, "body", lines))
        return self.path + part

    def run(self, fn, formals, scope):
        """The nodes of a body for its formals' stand-ins; returns what its outputs are."""
        stand = {id(x): y for x, y in zip(fn.inputs, formals)}
        for node in fn.nodes:
            xs = [stand.get(id(x), x) for x in operands(node)]
            place = (*self.next(), "/".join(filter(None, (scope, scope_of(node)))))
            new = self.opener.visit(node, xs, *place)
            if new is None:
                new = Inner(node, node.op, self.opener.below[id(node)], *place)
            stand[id(node)] = new
        return [(stand.get(id(y), y), y) for y in fn.outputs]

    def choice(self, loop):
        """Every branch in a frame of its own; each result is chosen from one of each."""
        outputs = []
        extra = len(self.xs) - len(next(iter(loop.bodies.values())).inputs)
        known = set(map(id, self.xs[extra:]))
        for number, (name, fn) in enumerate(loop.bodies.items()):
            path = self.frame(f"{MARK}{number}", clean(name))
            found = self.run(fn, self.xs[extra:], path)
            ports = (
                self.port(y, own_name(y) or f"result {i}", (x,), path) if id(x) in known else x
                for i, (x, y) in enumerate(found)
            )
            outputs.append(list(ports))
        return OpenBody([("choose", (*self.xs[:extra], *pick), "") for pick in zip(*outputs)])

    def loop(self, loop):
        """Ports for what is carried and sliced, the body between, an arc to the next iteration."""
        body, labels, names = loop.bodies["body"], carry_names(loop), formal_names(loop)
        pairs = zip(body.inputs, names, self.xs)
        ports = [self.port(x, name, (y,), self.path) for x, name, y in pairs]
        formals = [*ports, *self.xs[len(names) :]]
        opened = self.ask(OpenLoop(self.value, loop, tuple(formals)))
        outs = self.outs(self.run(body, formals, self.path), labels)
        ends, starts = (tuple(port.id for port in some) for some in (outs, ports))
        frame = Frame(self.path, "loop", (loop_words(loop, self.xs),), ends, starts, len(labels))
        closed = closed_words(loop, self.xs)
        self.opener.frames.append(frame._replace(closed=closed, body=opened))
        sources = [*outs, *ports[: loop.carries]]
        names = [*labels, *[""] * (len(outs) - loop.carries), *labels]
        return OpenBody(
            [(word, (x,), name) for word, x, name in zip(result_words(loop), sources, names)]
        )

    def ask(self, opened):
        """The OpenLoop, with its condition where the frame's head says it; else that has a frame
        of its own. Its nodes are numbered either way."""
        condition = opened.loop.bodies.get("condition")
        if condition is None:
            return opened._replace(has_line=False)
        short = self.opener.lines and fits_line(opened.loop)
        path = f"{self.path}/{MARK}c"
        found = self.run(condition, opened.formals, path)
        if not short:
            self.frame(f"/{MARK}c", "condition: go on?")
            self.opener.extra += [x for x, _ in found]
        return opened._replace(has_line=short)

    def outs(self, found, labels):
        """Ports for what leaves an iteration: the carries, then what is stacked."""
        stacked = len(found) - len(labels)
        names = [f"{name}′" for name in labels]
        names += [f"y{i if stacked > 1 else ''}[t]" for i in range(stacked)]
        outs = [self.port(y, name, (x,), self.path) for (x, y), name in zip(found, names)]
        self.opener.extra += outs
        return outs

    def kernel(self, body):
        """The steps of a kernel in a frame; its results are steps, too."""
        words = ("fused into 1 kernel:", self.formula(body))
        self.opener.frames.append(Frame(self.path, "fused", words))
        shape = peek(body, "shape", default=peek(body.specs[0], "shape"))
        known = {at: spec.shape for at, spec in zip(body.results, body.specs)}
        made = [*self.xs]
        for op, places, params, dtype in body.steps:
            inputs = [made[at] for at in places]
            form = {"params": params, "dtype": dtype, "shape": known.get(len(made), shape)}
            made.append(self.inner(None, op, inputs, self.path, **form))
        results = [made[at] for at in body.results]
        if len(results) > 1:
            return OpenBody([(None, (step,), "") for step in results])
        results[0].origin, results[0].id = self.value, self.id
        return OpenBody([], results[0])

    def formula(self, body):
        """What a kernel computes: the formula of its last result, and how many others there are."""
        ids = self.opener.ids
        names = [own_name(x) or value_text(x) or ids.get(id(x), "?") for x in self.xs]
        ops = [op_name(Inner(None, op, (), "", (), "")) or "?" for op, *_ in body.steps]
        steps = [(op, places) for op, (_, places, *_) in zip(ops, body.steps)]
        more = f" and {len(body.results) - 1} more" * (len(body.results) > 1)
        return kernel_formula(steps, body.results[-1], names) + more
