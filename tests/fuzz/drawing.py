"""Draws a program from one whole number: each step is tried by the oracle before it is taken."""

import numpy as np

from fuzz import settings, ways
from fuzz.naive import Naive
from fuzz.program import Body, Data, Input, Program, Step, run_steps, tags, used
from fuzz.table import TABLE, Unfit, momentum

LARGEST = 1e4  # of a float in a program without special values
ENTRIES = 300  # of a value in a small program
LARGE = (301, 500)  # doubles: kernels are made, and their tiles are not all full
MEDIUM = (91, 100)  # doubles: variables are updated where they lie
SECOND = (
    "forward over reverse",
    "reverse over reverse",
    "reverse over forward",
    "forward over forward",
)


class Draw:
    """The values so far, and what a row of the table asks for."""

    def __init__(self, rng, special=False, entries=ENTRIES, outer=None):
        self.rng, self.special, self.entries, self.outer = rng, special, entries, outer
        self.values = dict(outer.values) if outer else {}
        self.inputs = outer.inputs if outer else []
        self.depth = outer.depth + 1 if outer else 0
        self.counter = outer.counter if outer else [0]
        self.steps, self.hidden = [], set(outer.hidden) if outer else set()
        self.raw = set(outer.raw) if outer else set()  # perhaps arrays, even where others are Nodes

    # what rows ask -------------------------------------------------------------------------------

    @property
    def next(self):
        """The number that the next value will have."""
        return self.counter[0]

    @property
    def keyless(self):
        """True where a draw may go by the number of the run: not in a body."""
        return not self.depth

    def number(self):
        """A new number for a value."""
        self.counter[0] += 1
        return self.counter[0] - 1

    def choice(self, options):
        """One of several; Unfit when there is none."""
        self.need(len(options))
        return options[int(self.rng.integers(len(options)))]

    def often(self):
        return self.rng.random() < 0.6

    def rarely(self):
        return self.rng.random() < 0.15

    def need(self, condition):
        """Unfit unless the condition holds."""
        if not condition:
            raise Unfit

    def all(self, fits):
        """The numbers of all values that fit."""
        return [i for i, v in self.values.items() if i not in self.hidden and fits(v)]

    def value(self, kinds, least=0, rank=None, dtype=None):
        """A value of one of these dtype kinds; young values are preferred."""
        kind = self.choice(kinds)
        ids = self.all(
            lambda v: (
                v.dtype.kind == kind
                and v.ndim >= least
                and rank in (None, v.ndim)
                and dtype in (None, v.dtype.name)
            )
        )
        return self.choice(ids[-3:] if self.often() else ids)

    def pair(self, kinds, mixed=False):
        """Two values that broadcast; of different dtypes where `mixed`."""
        x = self.value(kinds)
        v = self.values[x]
        ids = self.all(
            lambda w: (
                self.broadcast_shape(v.shape, w.shape) is not None
                and (w.dtype.kind in kinds if mixed else w.dtype == v.dtype)
            )
        )
        both = [x, self.choice(ids)]
        return both if self.rng.integers(2) else both[::-1]

    def broadcast_shape(self, *shapes):
        """The common shape; None when there is none, or it is too large."""
        try:
            shape = np.broadcast_shapes(*shapes)
        except ValueError:
            return None
        return shape if np.prod(shape) <= self.entries else None

    def broadcasts(self, v, w):
        return self.broadcast_shape(v.shape, w.shape) is not None

    def axis(self, x):
        """An axis of a value."""
        self.need(self.values[x].ndim)
        return int(self.rng.integers(self.values[x].ndim))

    def predicate(self):
        """A single boolean."""
        ids = self.all(lambda v: v.dtype == bool and v.shape == ())
        if ids and self.often():
            return self.choice(ids)
        return self.add(
            "mg.sum({0}) > %s" % self.choice(["0", "0.5", "-1"]),
            [self.value("f")],
            tags=("compare",),
        )

    def new(self, role, shape, dtype="float64", kind=None, layout=None):
        """A new input."""
        kind = kind or ("special" if self.special and self.often() else "normal")
        repeated = ["repeated"] * {"variable": 2, "fed": 0}.get(role, 1)
        some = ["C"] * 8 + ["F", "reversed", "strided"] * 2 + repeated
        layout = layout or self.choice(some)
        data = Data(tuple(shape), dtype, kind, int(self.rng.integers(1000)), layout)
        x = Input(self.number(), role, data)
        self.inputs.append(x)
        draw = self
        while draw:
            draw.raw |= {x.id} if role == "array" else set()
            draw.values[x.id] = np.array(data.array())
            draw = draw.outer
        return x.id

    def body(self, examples, wanted, head=False):
        """A Body for operands like `examples`, with results like `wanted`.

        With `head` the first operand is a counter, and the first result the counter + 1.
        """
        inner = Draw(self.rng, self.special, self.entries, self)
        formals = [inner.number() for _ in examples]
        inner.values.update(zip(formals, map(np.asarray, examples)))
        inner.values = {k: inner.values[k] for k in sorted(inner.values)}
        for _ in range(int(self.rng.integers(1, 4))):
            inner.grow(NEUTRAL if self.rarely() else None)
        results = [inner.add("{0} + 1", formals[:1])] if head else []
        for like, formal in zip(wanted, formals[head:]):
            results.append(inner.fitted(like, formal))
        return Body(tuple(formals), tuple(inner.steps), tuple(results))

    def fitted(self, like, formal):
        """The number of a value of the shape and dtype of `like`; any float where that is None."""
        if like is None:
            return self.value("f")
        young = self.value("f")
        v = self.values[young]
        if v.shape == like.shape and v.dtype == like.dtype and self.often():
            return young
        text = "mg.tanh({0} + mg.cast(mg.sum({1}), np.%s))" % like.dtype.name
        return self.add(text, [formal, young])

    # growing -------------------------------------------------------------------------------------

    def add(self, text, args, naive=None, bodies=(), tags=()):
        """Takes a step if the oracle computes it and its numbers are fit to go on with."""
        read = [i for i in range(len(args)) if f"{{{i}}}" in text]
        args = tuple(args[: max(read, default=-1) + 1])
        step = Step(self.number(), text, args, tuple(tags), tuple(bodies), naive)
        values = dict(self.values)
        try:
            with np.errstate(all="ignore"):
                run_steps([step], values, Naive(active=(step.id,)), lambda _, v: np.array(v), True)
        except (ValueError, IndexError, TypeError, ArithmeticError, MemoryError):
            raise Unfit from None
        self.need(self.fit(values[step.id]))
        self.values[step.id] = values[step.id]
        self.steps.append(step)
        self.raw |= {step.id} if used(step) <= self.raw or bodies else set()
        return step.id

    def fit(self, value):
        """True for numbers that the program can go on with."""
        if value.size > self.entries or value.dtype.kind not in "biuf" or value.ndim > 6:
            return False
        if value.dtype.kind == "f" and not self.special:
            return bool(np.all(np.abs(value) < LARGEST))
        return bool(np.all(np.abs(value.astype(float)) < 1e6)) or self.special

    def grow(self, only=None):
        """One more step from the table, if one of several tries fits."""
        for _ in range(8):
            tag, f = only or self.choice(ROWS)
            before = len(self.steps)
            try:
                return self.add(*parts(f(self)), tags=(tag,))
            except Unfit:
                self.drop(before)
        return None

    def drop(self, count):
        """Forgets the steps from the given one on, which a row took before it found no more."""
        for step in self.steps[count:]:
            del self.values[step.id]
        del self.steps[count:]


ROWS = [(tag, f) for tag, weight, f in TABLE for _ in range(weight)]
ASSIGN, DRIVEN, NEUTRAL, RISKY = (
    next((tag, f) for tag, _, f in TABLE if tag == name)
    for name in ("assign", "driven", "neutral", "risky")
)


def parts(row):
    """What a row returned, with what it left out: (text, args, naive, bodies)."""
    return (*row, *(None, ())[len(row) - 2 :]) if len(row) < 4 else row


def draw_program(seed):
    """The program of a seed."""
    rng = np.random.default_rng(seed)
    flavour = rng.choice(
        ["usual", "mixed", "special", "assign", "large", "momentum"],
        p=[0.53, 0.15, 0.08, 0.195, 0.015, 0.03],
    )
    large = (
        LARGE
        if flavour == "large"
        else (MEDIUM if flavour == "assign" and rng.random() < 0.35 else None)
    )
    flavour = "assign" if large == LARGE and rng.random() < 0.6 else flavour
    d = Draw(rng, flavour == "special", 2 * int(np.prod(large)) if large else ENTRIES)
    draw_inputs(d, flavour, large)
    unread = flavour == "assign" and rng.random() < (0.3 if large else 0.1)
    if unread:  # what is written over has no last use
        d.hidden |= {x.id for x in d.inputs if x.role == "variable"}
    assigns = momentum(d) if flavour == "momentum" else []
    d.hidden |= {*assigns}
    steps = (0, 3) if assigns else (2, 6 if large else 11)
    for _ in range(int(rng.integers(*steps))):
        if flavour == "assign" and rng.random() < 0.35:
            if d.rarely() or d.rarely():
                d.grow(DRIVEN)
            number = d.grow(ASSIGN)
            if number is not None:
                assigns.append(number)
                d.hidden.add(number)
                if d.rarely():  # a run may fail right after a variable was updated
                    d.grow(RISKY)
        d.grow()
    if assigns and (d.rarely() or d.rarely() or flavour == "momentum" and d.often()):
        d.grow(RISKY)
    outputs = chosen_outputs(d, assigns)
    runs = ((),)
    if assigns:
        runs = tuple(
            tuple(a for a in assigns if rng.random() < 0.8) for _ in range(int(rng.integers(1, 4)))
        )
    program = Program(seed, tuple(d.inputs), tuple(d.steps), outputs, runs=runs)
    wrt = tuple(
        x.id
        for x in d.inputs
        if x.role in ("fed", "variable") and np.dtype(x.data.dtype).kind == "f"
    )
    underived = unread or flavour == "momentum" and rng.random() < 0.7
    program = program._replace(wrt=wrt, orders=chosen_orders(rng) if wrt and not underived else ())
    inner = [
        s.id
        for s in d.steps[:-1]
        if d.values[s.id].dtype.kind == "f"
        and {"smooth", "binary", "matmul", "reduce"} & set(s.tags)
        and s.id not in d.raw
    ]
    if wrt and inner and rng.random() < 0.1:
        program = program._replace(wrt=(*wrt[:1], d.choice(inner)), orders=("reverse", "forward"))
    if assigns and rng.integers(2) and program.wrt == wrt:
        program = program._replace(cut=int(rng.integers(1, len(d.steps) + 1)))
    return program._replace(ways=ways.drawn(rng, program) + settings.drawn(rng, program))


def draw_inputs(d, flavour, large):
    """One to four inputs."""
    for i in range(int(d.rng.integers(1, 5))):
        role = d.choice(["fed", "fed", "fed", "variable", "constant", "array"])
        role = "fed" if not i else "variable" if i == 1 and flavour == "assign" else role
        lengths = tuple(int(n) for n in d.rng.integers(1, 5, int(d.rng.integers(0, 4))))
        if d.rng.random() < 0.02:
            lengths = (0, *lengths[1:])
        if large:
            lengths = d.choice([large, large, large, large, large[1:], ()])
            lengths = large if role == "variable" else lengths
        elif i and d.often():
            lengths = d.inputs[0].data.shape
        dtype, kind = "float64", None
        if flavour == "mixed" and d.often():
            dtype = d.choice(
                ["float32", "float32", "float16", "int64", "uint8", "int8", "int16", "bool"]
            )
            kind = None if dtype.startswith("f") else "whole"
        elif d.rarely():
            dtype, kind = "int64", d.choice(["whole", "index"])
        d.new(role, lengths, dtype, kind)


def chosen_outputs(d, assigns):
    """The last value, what nothing reads, and some others."""
    ids = [s.id for s in d.steps if s.id not in assigns] or [d.inputs[0].id]
    read = set().union(*(used(s) for s in d.steps))
    loose = [i for i in ids if i not in read]
    return tuple(dict.fromkeys([ids[-1], *loose[:3], d.choice(ids)]))


def chosen_orders(rng):
    """Which derivatives are compared."""
    if rng.random() < 0.15:
        return ()
    orders = [n for n in ("reverse", "forward") if rng.random() < 0.75]
    if rng.random() < 0.45:
        orders.append(str(rng.choice(SECOND)))
    if rng.random() < 0.1:
        orders.append("checkpoints")
    return tuple(orders)


__all__ = ["draw_program", "tags"]
