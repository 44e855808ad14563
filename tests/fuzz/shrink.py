"""Makes a failing program as small as it can be while it still fails in the same way."""

import numpy as np

from fuzz.check import judged
from fuzz.naive import Naive
from fuzz.program import Data, Input, needed, run_steps, used
from fuzz.settings import simpler

TRIES = 600


def shrunk(failure, tries=TRIES):
    """The Failure of the smallest program found that fails in the same way."""
    return Shrinker(failure, tries).shrunk()


class Shrinker:
    """Tries smaller programs, the boldest cuts first, until none fails any more."""

    def __init__(self, failure, tries):
        self.best, self.left, self.seen = failure, tries, set()

    def shrunk(self):
        """The smallest Failure found."""
        self.accept(self.best.program._replace(ways=self.way()))
        improved = True
        while improved and self.left > 0:
            improved = any([self.pass_over(candidates) for candidates in PASSES])
        return self.best

    def way(self):
        """The only way that is needed to see the failure."""
        return () if self.best.way in ("oracle", "plain", "differences") else (self.best.way,)

    def pass_over(self, candidates):
        """True when a candidate was accepted; goes on from each that is."""
        improved, again = False, True
        while again:
            again = False
            for program in candidates(self.best.program):
                if self.accept(program):
                    improved = again = True
                    break
                if self.left <= 0:
                    return improved
        return improved

    def accept(self, program):
        """Takes a program that fails in the same way."""
        program = trimmed(program)
        if program is None or repr(program) in self.seen or self.left <= 0:
            return False
        self.seen.add(repr(program))
        self.left -= 1
        try:
            failure = judged(program).failure
        except (KeyError, ValueError, IndexError, TypeError):
            return False
        if failure is None or failure.kind != self.best.kind:
            return False
        self.best = failure
        return True


def trimmed(program):
    """The program without steps and inputs that nothing reads; None where it has no output."""
    if not program.outputs:
        return None
    cut = None if program.cut is None else {s.id for s in program.steps[: program.cut]}
    steps = needed(program)
    read = {*program.outputs}.union(*(used(s) for s in steps))
    inputs = tuple(x for x in program.inputs if x.id in read)
    there = {x.id for x in inputs} | {s.id for s in steps[: program.cut]}
    return program._replace(
        steps=steps,
        inputs=inputs,
        wrt=tuple(i for i in program.wrt if i in there),
        cut=None if cut is None else sum(s.id in cut for s in steps),
    )


# the passes: each yields smaller programs ---------------------------------------------------------


def fewer_outputs(program):
    """One output alone; one left out; the last step's operands as outputs."""
    if len(program.outputs) > 1:
        yield from (program._replace(outputs=(i,)) for i in program.outputs)
    for i in program.outputs:
        rest = tuple(o for o in program.outputs if o != i)
        step = next((s for s in program.steps if s.id == i), None)
        if step:
            yield program._replace(outputs=(*rest, *[a for a in step.args if a not in rest]))
        yield program._replace(outputs=rest)


def fewer_orders(program):
    """Without derivatives, or with one."""
    if program.orders:
        yield program._replace(orders=(), wrt=(), cut=None)
    if len(program.orders) > 1:
        yield from (program._replace(orders=(o,)) for o in program.orders)
    if len(program.wrt) > 1:
        yield from (program._replace(wrt=(i,)) for i in program.wrt)
    if program.cut is not None:
        yield program._replace(cut=None)


def fewer_runs(program):
    """Fewer runs, and fewer assignments in them."""
    for k in range(len(program.runs) if len(program.runs) > 1 else 0):
        yield program._replace(runs=program.runs[:k] + program.runs[k + 1 :])
    for k, run in enumerate(program.runs):
        for a in run:
            left = tuple(b for b in run if b != a)
            yield program._replace(runs=(*program.runs[:k], left, *program.runs[k + 1 :]))


def without_steps(program):
    """A step's value replaced by an operand of its shape, or by an input of its numbers."""
    values = oracle_values(program)
    if values is None:
        return
    hidden = {s.id for s in program.assigns()}
    for step in program.steps:
        if step.id in hidden:
            continue
        like = values[step.id]
        for a in step.args:
            if values[a].shape == like.shape and values[a].dtype == like.dtype:
                yield replaced(program, step.id, a)
    for step in program.steps:
        if step.id not in hidden:
            value = values[step.id]
            if value.size <= 200 and not {
                i for s in program.steps if s.id == step.id for i in program.outputs if i == step.id
            }:
                yield cut_off(program, step, value)


def oracle_values(program):
    """The oracle's values, or None when it cannot compute them."""
    values = {x.id: np.array(x.data.array()) for x in program.inputs}
    try:
        with np.errstate(all="ignore"):
            return run_steps(
                program.steps, values, Naive(active=program.runs[0]), lambda _, v: np.array(v), True
            )
    except (ValueError, IndexError, TypeError, KeyError):
        return None


def cut_off(program, step, value):
    """The program with an input in the place of a step."""
    data = Data(value.shape, value.dtype.name, tuple(value.ravel().tolist()))
    program = program._replace(
        steps=tuple(s for s in program.steps if s.id != step.id),
        inputs=(*program.inputs, Input(step.id, "fed", data)),
    )
    return (
        program._replace(wrt=(*program.wrt, step.id))
        if (value.dtype.kind == "f" and program.orders)
        else program
    )


def replaced(program, old, new):
    """The program with one value in the place of another, wherever it is read."""

    def number(i):
        return new if i == old else i

    steps = tuple(renamed(s, number) for s in program.steps if s.id != old)
    return program._replace(
        steps=steps, outputs=tuple(dict.fromkeys(number(i) for i in program.outputs))
    )


def renamed(step, number):
    """A step that reads number(i) for i."""
    bodies = tuple(
        b._replace(
            steps=tuple(renamed(s, number) for s in b.steps), results=tuple(map(number, b.results))
        )
        for b in step.bodies
    )
    return step._replace(args=tuple(map(number, step.args)), bodies=bodies)


def smaller_bodies(program):
    """A step of a body replaced by one of its operands; operands that are equal."""
    for place, step in enumerate(program.steps):
        for smaller in smaller_step(step):
            yield program._replace(
                steps=(*program.steps[:place], smaller, *program.steps[place + 1 :])
            )


def smaller_step(step):
    """The step with smaller bodies."""
    for k, body in enumerate(step.bodies):
        for smaller in smaller_body(body):
            yield step._replace(bodies=(*step.bodies[:k], smaller, *step.bodies[k + 1 :]))


def smaller_body(body):
    """The body without one of its steps."""
    for inner in body.steps:
        for a in (*inner.args, *body.formals):

            def number(i, old=inner.id, new=a):
                return new if i == old else i

            steps = tuple(renamed(s, number) for s in body.steps if s.id != inner.id)
            yield body._replace(steps=steps, results=tuple(map(number, body.results)))
    for place, inner in enumerate(body.steps):
        for smaller in smaller_step(inner):
            yield body._replace(steps=(*body.steps[:place], smaller, *body.steps[place + 1 :]))
    read = set(body.results).union(*(used(s) for s in body.steps))
    if any(s.id not in read for s in body.steps):
        yield body._replace(steps=tuple(s for s in body.steps if s.id in read))


SIMPLER = ["mg.tanh({0})", "mg.exp({0})", "{0} * 2", "{0} + 1", "-{0}", "{0} * 1"]


def simpler_steps(program):
    """Steps of one operand made simpler ones."""
    for place, step in enumerate(program.steps):
        if len(step.args) == 1 and not step.bodies and step.text not in SIMPLER:
            for text in SIMPLER[:4]:
                simple = step._replace(text=text, naive=None)
                yield program._replace(
                    steps=(*program.steps[:place], simple, *program.steps[place + 1 :])
                )


def simpler_inputs(program):
    """Inputs that are fed, lie in C order, are small, are float64, are plain numbers."""
    for place, x in enumerate(program.inputs):
        for simple in simpler_input(x):
            yield program._replace(
                inputs=(*program.inputs[:place], simple, *program.inputs[place + 1 :])
            )


def simpler_input(x):
    """The input made simpler in one way at a time."""
    data = x.data
    if x.role != "fed":
        yield x._replace(role="fed")
    if data.layout != "C":
        yield x._replace(data=data._replace(layout="C"))
    if data.dtype != "float64" and np.dtype(data.dtype).kind == "f":
        yield x._replace(data=data._replace(dtype="float64"))
    for axis, n in enumerate(data.shape):
        if n > 1 and not isinstance(data.kind, tuple):
            for m in (1, n // 2, n - 1):
                shape = (*data.shape[:axis], m, *data.shape[axis + 1 :])
                yield x._replace(data=data._replace(shape=shape))
    if len(data.shape) > 0 and not isinstance(data.kind, tuple):
        yield x._replace(data=data._replace(shape=data.shape[1:]))
    if data.kind != "ones":
        yield x._replace(data=data._replace(kind="ones"))
    array = data.array()
    if isinstance(data.kind, str) and data.kind != "ones" and array.size <= 8:
        whole = tuple(np.nan_to_num(np.round(array * 2) / 2).ravel().tolist())
        yield x._replace(data=data._replace(kind=whole, layout="C"))


def fewer_settings(program):
    """One setting less that is not the default."""
    for way in program.ways:
        yield from (program._replace(ways=(name,)) for name in simpler(way))


PASSES = (
    fewer_settings,
    fewer_outputs,
    fewer_orders,
    fewer_runs,
    without_steps,
    smaller_bodies,
    simpler_inputs,
    simpler_steps,
)
