"""Lesson 07b: cases, references, typical wrong answers, pictures. The words are in 07b.toml."""

import sys

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson

SEED = 7  # the random programs are the same each time
PROGRAMS = 200
STEPS = 60  # of momentum that are drawn

# an engine with one graph for all ----------------------------------------------------------------


class Scalar:
    """A number in an engine with one graph for all: every node enters the same list."""

    def __init__(self, nodes, kind, value=0.0, rule=None, inputs=()):
        self.kind, self.value, self.rule, self.inputs = kind, value, rule, inputs
        self.derivatives, self.grad = (), 0.0
        nodes.append(self)


def build_line(nodes):
    """Append the nodes of (w · x − y)² at w = 5, x = 1 and y = 2; return w and the loss."""
    w, x, y = (Scalar(nodes, *each) for each in (("w", 5.0), ("constant", 1.0), ("constant", 2.0)))
    product = Scalar(nodes, "mul", 0.0, lambda a, b: (a * b, (b, a)), (w, x))
    miss = Scalar(nodes, "sub", 0.0, lambda a, b: (a - b, (1.0, -1.0)), (product, y))
    return w, Scalar(nodes, "loss", 0.0, lambda a: (a * a, (2 * a,)), (miss,))


def step_all(nodes, rate):
    """Take a training step: the forward pass, the backward pass, and an update."""
    for node in nodes:
        node.grad = 1.0 if node.kind == "loss" else 0.0
        if node.inputs:
            node.value, node.derivatives = node.rule(*[x.value for x in node.inputs])
    for node in reversed(nodes):
        for x, derivative in zip(node.inputs, node.derivatives):
            x.grad += node.grad * derivative
    for node in nodes:
        if node.kind != "constant":
            node.value -= rate * node.grad


# conflicts ---------------------------------------------------------------------------------------

SWAP = [({"b"}, {"a"}), ({"a"}, {"b"})]
MOMENTUM = [({"v", "w"}, {"v"}), ({"v", "w"}, {"w"})]


def cases_conflicts():
    """Programs: lists of statements, each with the variables that it reads and those it writes."""
    return [
        (SWAP,),
        ([({"a"}, {"b"}), ({"a"}, {"c"})],),
        ([({"a"}, {"b"}), ({"b"}, {"c"})],),
        ([({"a"}, {"b"}), ({"c"}, {"a"})],),
        ([({"a"}, {"c"}), ({"b"}, {"c"})],),
        (MOMENTUM,),
        ([({"a"}, {"b"}), ({"c"}, {"d"}), ({"b", "d"}, {"a"}), (set(), {"d"})],),
        ([({"a"}, {"c"}), ({"b"}, {"c"}), ({"d"}, {"c"}), ({"c"}, {"a"})],),
    ]


def show_conflicts(program):
    """A case in words."""
    parts = (
        f"{', '.join(sorted(writes)) or 'nothing'} ← {', '.join(sorted(reads)) or 'a constant'}"
        for reads, writes in program
    )
    return "the program " + "; ".join(parts)


def run_conflicts(function, program):
    """The pairs that a function finds, as a text, and the program after the call."""
    found = function(program)
    if found is None:
        return None
    pairs = ", ".join(sorted({f"({i}, {j})" for i, j in found})) or "no pair"
    return pairs, show_conflicts(program).removeprefix("the program ")


def pairs_where(program, holds):
    """The pairs of an earlier and a later statement for which a condition holds."""
    return {
        (i, j)
        for j in range(len(program))
        for i in range(j)
        if holds(program[i][0], program[i][1], program[j][0], program[j][1])
    }


def reference_conflicts(program):
    """Find the pairs of statements that must not be exchanged."""
    return pairs_where(program, lambda r1, w1, r2, w2: w1 & r2 or r1 & w2 or w1 & w2)


def raw_only(program):
    """Reads after writes alone."""
    return pairs_where(program, lambda r1, w1, r2, w2: w1 & r2)


def war_only(program):
    """Writes after reads alone."""
    return pairs_where(program, lambda r1, w1, r2, w2: r1 & w2)


def without_waw(program):
    """Without two writes of the same variable."""
    return raw_only(program) | war_only(program)


def raw_and_waw(program):
    """Without writes after reads."""
    return pairs_where(program, lambda r1, w1, r2, w2: w1 & (r2 | w2))


def with_reads(program):
    """With two reads of the same variable."""
    return pairs_where(program, lambda r1, w1, r2, w2: (r1 | w1) & (r2 | w2))


def exchanged_sets(program):
    """With what is read taken for what is written."""
    return reference_conflicts([(writes, reads) for reads, writes in program])


def last_writer(program):
    """Of the earlier writes of a variable only the last."""
    last, pairs = {}, war_only(program)
    for j, (reads, writes) in enumerate(program):
        pairs |= {(last[name], j) for name in reads | writes if name in last}
        last |= dict.fromkeys(writes, j)
    return pairs


def changes_reads(program):
    """The right pairs, but what each later statement writes is added to its reads."""
    pairs = reference_conflicts(program)
    for reads, writes in program[1:]:
        reads |= writes
    return pairs


def after_conflicts(function):
    """Run random programs in random orders that keep the learner's pairs, and in any order."""
    rng = np.random.default_rng(SEED)
    kept, free = 0, 0
    for _ in range(PROGRAMS):
        program = random_program(rng)
        expected = results_of(program, range(len(program)))
        pairs = {(i, j) for i, j in function(program)}
        kept += results_of(program, legal_order(len(program), pairs, rng)) == expected
        free += results_of(program, rng.permutation(len(program))) == expected
    print(f"  {PROGRAMS} random programs, run in random orders. Those with the same results:")
    print(f"    in orders that keep your pairs: {kept}")
    print(f"    in any order: {free}")


def random_program(rng):
    """Five statements, each of which reads one or two of four variables and writes one."""
    names = np.array(list("abcd"))
    return [
        (
            set(rng.choice(names, rng.integers(1, 3), replace=False).tolist()),
            {str(rng.choice(names))},
        )
        for _ in range(5)
    ]


def legal_order(count, pairs, rng):
    """A random order of so many statements in which the first of each pair comes first."""
    order, waiting = [], set(range(count))
    while waiting:
        ready = [j for j in waiting if not any((i, j) in pairs for i in waiting)]
        order.append(int(rng.choice(ready)))
        waiting.remove(order[-1])
    return order


def results_of(program, order):
    """What the variables hold after the statements have run in an order; each computes a term."""
    values = {name: name for name in "abcd"}
    for at in order:
        reads, writes = program[at]
        term = f"{at}({', '.join(values[name] for name in sorted(reads))})"
        values |= dict.fromkeys(writes, term)
    return values


# momentum_step -----------------------------------------------------------------------------------


def cases_momentum_step():
    """(w, v, steps)."""
    return [(10.0, 0.0, 1), (10.0, 0.0, 2), (-3.0, 40.0, 3)]


def show_momentum_step(w, v, steps):
    """A case in words."""
    return f"w = {w:g} and v = {v:g}, {steps} step{'s' * (steps > 1)}"


def run_momentum_step(function, w, v, steps):
    """What w and v hold after some steps on the loss 25 w²."""
    return path_of(function, w, v, steps)[-1]


def path_of(function, w, v, steps):
    """(w, v) after each of some steps on the loss 25 w². Raises TypeError for what is no node."""
    with mg.Graph() as graph:
        w, v = mg.Variable(w, name="w"), mg.Variable(v, name="v")
        (gradient,) = mg.gradients(25.0 * w**2, [w])
        step = function(w, v, gradient)
    if step is None:
        return [None]
    if not isinstance(step, mg.Node):
        raise TypeError(f"the function returned {type(step).__name__}, which is not a node")
    session, path = mg.Session(graph), []
    for _ in range(steps):
        session.run(step)
        path.append(tuple(float(x) for x in session.run([w, v])))
    return path


def reference_momentum_step(w, v, gradient):
    """Build a step of momentum: v ← 0.9 v + gradient, then w ← w − 0.004 v."""
    new_v = mg.assign(v, 0.9 * v + gradient)
    return mg.group(new_v, mg.assign(w, w - 0.004 * v))


def late_velocity(w, v, gradient):
    """The two assignments, that of w built first."""
    new_w = mg.assign(w, w - 0.004 * v)
    return mg.group(new_w, mg.assign(v, 0.9 * v + gradient))


def velocity_alone(w, v, gradient):
    """The assignment of v."""
    return mg.group(mg.assign(v, 0.9 * v + gradient))


def weight_alone(w, v, gradient):
    """The assignment of w, by the old velocity."""
    return mg.group(mg.assign(w, w - 0.004 * v))


def nothing_written(w, v, gradient):
    """The new values, without an assignment."""
    new_v = 0.9 * v + gradient
    return mg.group(new_v, w - 0.004 * new_v)


def plain_descent(w, v, gradient):
    """The velocity is the gradient."""
    new_v = mg.assign(v, gradient + 0.0)
    return mg.group(new_v, mg.assign(w, w - 0.004 * v))


def uphill_velocity(w, v, gradient):
    """w moves along the velocity."""
    new_v = mg.assign(v, 0.9 * v + gradient)
    return mg.group(new_v, mg.assign(w, w + 0.004 * v))


def velocity_twice(w, v, gradient):
    """w moves by a velocity that is updated twice."""
    new_v = mg.assign(v, 0.9 * v + gradient)
    return mg.group(new_v, mg.assign(w, w - 0.004 * (0.9 * v + gradient)))


def after_momentum_step(function):
    """Draw w for the learner's step, and for the one that reads the old velocity."""
    from minigrad.draw.plot.axes import paper

    with paper([2.2]) as (_, (axes,)):
        for name, step, style in (
            ("old velocity", late_velocity, "by hand"),
            ("new velocity", function, "dynamic"),
        ):
            path = [10.0, *(w for w, _ in path_of(step, 10.0, 0.0, STEPS))]
            axes.plot(path, **mg.plot.style_of(style, marker=""), label=name)
        axes.set(xlabel="step", ylabel="w", ylim=(-30, 30))
        axes.legend(edgecolor="none", framealpha=1)


# pictures ----------------------------------------------------------------------------------------


def show_fit(xs, ys, lines, losses):
    """Draw the points with the line after some steps, and the loss of each step."""
    from minigrad.draw.plot.axes import paper

    with paper([2.4], share=False, columns=2) as (_, (left, right)):
        left.plot(xs, ys, "o", color="#5A6673")
        for at, (w, b) in enumerate(lines, 1):
            left.plot(xs, w * xs + b, color="#1B5FA8", alpha=at / len(lines))
        left.set(xlabel="x", ylabel="y")
        right.plot(losses, **mg.plot.style_of("dynamic", marker=""))
        right.set(xlabel="step", ylabel="loss", ylim=(0, None))


lesson = Lesson("07b", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
