"""A random program as plain data: what goes in, the steps on numbered values, how it is run."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5)
ROLES = ("fed", "variable", "constant", "array")  # the last is an operand as the caller has it


class Data(NamedTuple):
    """An array to be made: `kind` names how it is drawn, or is the tuple of its entries.

    `layout` says how it lies in memory: "C", "F", "reversed" (negative strides), "strided",
    "repeated" (the first number alone, broadcast).
    """

    shape: tuple
    dtype: str
    kind: object
    seed: int = 0
    layout: str = "C"

    def array(self):
        """The array, the same at every call."""
        flat = np.array(self.kind) if isinstance(self.kind, tuple) else self.drawn()
        return laid_out(flat.reshape(self.shape).astype(self.dtype), self.layout)

    def drawn(self):
        """Entries by the kind of the data."""
        rng, low = np.random.default_rng(self.seed), np.dtype(self.dtype).kind != "u"
        return {
            "normal": lambda: rng.normal(size=self.shape),
            "positive": lambda: rng.uniform(0.5, 2.0, self.shape),
            "whole": lambda: rng.integers(-2 * low, 4, self.shape),
            "index": lambda: rng.integers(0, 2, self.shape),
            "special": lambda: np.where(
                rng.random(self.shape) < 0.4,
                rng.choice(SPECIAL, self.shape),
                rng.normal(size=self.shape),
            ),
            "ones": lambda: np.ones(self.shape),
        }[self.kind]()


def laid_out(array, layout):
    """The array's numbers in another order in memory."""
    if layout == "F":
        return np.asfortranarray(array) if array.ndim else array
    if layout == "reversed" and array.ndim:
        return array[::-1].copy()[::-1]
    if layout == "strided" and array.ndim:
        wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
        wide[..., ::2] = array
        return wide[..., ::2]
    if layout == "repeated" and array.size:
        return np.broadcast_to(array.flat[0], array.shape)
    return array


class Input(NamedTuple):
    """A value from outside; `role` says how it gets in."""

    id: int
    role: str
    data: Data


class Body(NamedTuple):
    """A function of `formals`; its steps may use any value made before it."""

    formals: tuple
    steps: tuple
    results: tuple


class Step(NamedTuple):
    """value[id] = `text`, where {0}, {1}, … stand for the values args, and f0, f1 for bodies.

    `naive` is the text for the oracle where it is another; `tags` say what the step exercises.
    """

    id: int
    text: str
    args: tuple = ()
    tags: tuple = ()
    bodies: tuple = ()
    naive: str = None


class Program(NamedTuple):
    """What is computed, and in which ways.

    `outputs` and `wrt` are numbers of values; `orders` names derivatives (see derivatives.py) of
    the outputs for wrt; `runs` holds for each run of a session the assignments that it fetches;
    `ways` names entries of ways.WAYS. `cut` is how many steps come before the derivatives.
    """

    seed: int
    inputs: tuple
    steps: tuple
    outputs: tuple
    wrt: tuple = ()
    orders: tuple = ()
    ways: tuple = ()
    runs: tuple = ((),)
    cut: int = None

    def assigns(self):
        """The steps that change a variable."""
        return [s for s in self.steps if s.text.startswith("mg.assign")]


# running -----------------------------------------------------------------------------------------


@lru_cache(20_000)
def compiled(text, count, bodies):
    """A step's text as a Python function of the namespaces, the values and the bodies."""
    names = [f"a{i}" for i in range(count)]
    functions = [f"f{i}" for i in range(bodies)]
    call = f"lambda {', '.join(['mg', 'np', *names, *functions])}: {text.format(*names)}"
    return eval(compile(call, "<program>", "eval"))


def same(_, value):
    """The value as it is."""
    return value


def run_steps(steps, values, space, keep=same, naive=False):
    """Computes steps in the dict `values`, with `space` in the place of minigrad.

    Each result passes through keep(id, result).
    """
    for step in steps:
        text = step.naive if naive and step.naive else step.text
        call = compiled(text, len(step.args), len(step.bodies))
        bodies = [function_of(b, values, space, keep, naive) for b in step.bodies]
        values[step.id] = keep(step.id, call(space, np, *[values[a] for a in step.args], *bodies))
    return values


def function_of(body, values, space, keep, naive):
    """The body as a Python function that sees the values made so far."""

    def f(*given):
        inner = run_steps(
            body.steps, {**values, **dict(zip(body.formals, given))}, space, keep, naive
        )
        results = tuple(inner[r] for r in body.results)
        return results[0] if len(results) == 1 else results

    return f


# looking -----------------------------------------------------------------------------------------


def used(step):
    """The numbers of all values that a step reads, those that its bodies capture included."""
    found = set(step.args)
    for body in step.bodies:
        inner = {*body.formals, *(s.id for s in body.steps)}
        reads = set(body.results).union(*(used(s) for s in body.steps))
        found |= reads - inner
    return found


def needed(program):
    """The steps that outputs and assignments depend on, in order."""
    wanted = {*program.outputs, *(a for run in program.runs for a in run)}
    kept = []
    for step in reversed(program.steps):
        if step.id in wanted:
            kept.append(step)
            wanted |= used(step)
    return tuple(reversed(kept))


def all_steps(steps):
    """The steps and those of their bodies, at any depth."""
    for step in steps:
        yield step
        for body in step.bodies:
            yield from all_steps(body.steps)


def tags(program):
    """What the program exercises."""
    found = {t for s in all_steps(program.steps) for t in s.tags}
    for x in program.inputs:
        found |= {x.role, np.dtype(x.data.dtype).name}
        found |= {x.data.layout} - {"C"}
        found |= {x.data.kind} & {"special"} if isinstance(x.data.kind, str) else set()
        found |= {"empty"} if 0 in x.data.shape else {"0-d"} if not x.data.shape else set()
    return found | {w.split()[0] for w in program.ways} | set(program.orders)


# printing ----------------------------------------------------------------------------------------


def source(steps, indent=""):
    """The steps as lines of Python."""
    lines = []
    for step in steps:
        text = step.text.format(*[f"v{a}" for a in step.args])
        for i, body in enumerate(step.bodies):
            lines.append(f"{indent}def f{i}({', '.join(f'v{a}' for a in body.formals)}):")
            lines += source(body.steps, indent + "    ")
            lines.append(f"{indent}    return {', '.join(f'v{r}' for r in body.results)}")
        lines.append(f"{indent}v{step.id} = {text}")
    return lines


def literal(data):
    """Python text for an array."""
    array = data.array()
    if array.size > 200:
        return f"Data{tuple(data)!r}.array()  # from fuzz.program"
    text = f"np.array({array.tolist()!r}, dtype={array.dtype.name!r})"
    text = text.replace("nan", "np.nan").replace("inf", "np.inf")
    if array.size == 0:
        text += f".reshape({array.shape!r})"
    if data.layout == "F":
        return f"np.asfortranarray({text})"
    if data.layout == "reversed" and array.ndim:
        return f"{text}[::-1].copy()[::-1]"
    if data.layout == "strided" and array.ndim:
        return f"np.repeat({text}, 2, -1)[..., ::2]"
    if data.layout == "repeated" and array.size:
        return f"np.broadcast_to({text}.flat[0], {array.shape!r})"
    return text
