"""Adjoints and tangents inside opened loops and choices: those of the turn in view, and right."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.draw.player.picture import Picture, event_texts
from minigrad.draw.scene import with_bar
from minigrad.draw.trace import make_trace
from minigrad.draw.trace.tokens import tokens_text
from minigrad.static.control.fn import apply_in_body

STEP = 1e-5


def power():
    """2 · 3³ by a while_loop whose condition counts."""
    x, n = mg.placeholder("x"), mg.placeholder("n", dtype=int)
    _, p = mg.while_loop(lambda i, p: i < n, lambda i, p: (i + 1, p * x), (0, 1.0))
    return p * 2, {x: 3.0, n: 3}, x


def newton():
    """The root of 10, with floats in the condition."""
    a = mg.placeholder("a")
    root = mg.while_loop(lambda x: mg.abs(x * x - a) > 0.1, lambda x: (x + a / x) / 2.0, a)
    return root * 3.0, {a: 10.0}, a


def recurrent():
    """A scan that stacks what it carries, and more; one operand stays the same."""
    w, h, xs = mg.placeholder("w"), mg.placeholder("h"), mg.placeholder("xs", shape=(4,))

    def step(h, x):
        h = mg.tanh(h * w + x)
        return h, (h, h * h * x)

    last, (hs, more) = mg.scan(step, h, xs)
    y = last * 2.0 + mg.sum(hs * hs) + mg.sum(mg.exp(more))
    return y, {w: 0.7, h: 0.3, xs: np.array([0.1, -0.4, 0.2, 0.5])}, [w, h, xs]


def swapped():
    """Two carries that change places, and nothing more."""
    a, b = mg.placeholder("a"), mg.placeholder("b")
    one, other = mg.while_loop(lambda i, x, y: i < 3, lambda i, x, y: (i + 1, y, x), (0, a, b))[1:]
    return one * one * other, {a: 2.0, b: 5.0}, [a, b]


CASES = [power, newton, recurrent, swapped]


class Nudged:
    """Runs a body; to one value, operand or result of one turn, something small is added."""

    def __init__(self, fn):
        self.fn, self.where, self.turn, self.amount = fn, None, 0, 0.0
        fn.run = self.run

    def run(self, arrays, apply=None):
        self.turn += 1
        kind, place, turn = self.where or ("", 0, -1)
        arrays = [np.array(x) for x in arrays]
        if kind == "in" and turn == self.turn:
            arrays[place] = arrays[place] + self.amount

        def changed(node, values):
            value = apply_in_body(node, values)
            now = kind == "node" and node is place and turn == self.turn
            return value + self.amount if now else value

        results = type(self.fn).run(self.fn, arrays, changed)
        if kind == "out" and turn == self.turn:
            results[place] = results[place] + self.amount
        return results

    def slope(self, run, where):
        """By how much a result of `run()` moves per what is added."""
        found = []
        for self.amount in (STEP, -STEP):
            self.where, self.turn = where, 0
            found.append(run())
        self.where = None
        return (found[0] - found[1]) / (2 * STEP)


def looked_into(build, mode="reverse"):
    """(y, feed, trace, its Picture with the loop opened, the loop's id)."""
    with mg.Graph():
        y, feed, wrt = build()
        trace = make_trace(y, feed, wrt, mode)
        (loop,) = [f"n{at}" for at, v in enumerate(trace.values) if v.op.__name__ in LOOPS]
    return y, feed, trace, Picture(trace, "inside", (loop,)), loop


LOOPS = ("While", "Scan", "Cond")


def texts_by_turn(trace, phase, ending):
    """{turn: {id: text}} at the end of each turn of a phase."""
    found, known = {}, {}
    for event in trace.events:
        known |= event_texts(event, ending)
        if event.phase == phase and event.turn:
            found[event.turn] = dict(known)
    return found


@pytest.mark.parametrize("build", CASES, ids=lambda build: build.__name__)
def test_an_adjoint_inside_a_loop_is_that_of_its_turn(build):
    y, feed, trace, picture, loop = looked_into(build)
    body = trace.values[int(loop[1:])].params["body"]
    nudged = Nudged(next(v for v in y.graph.nodes if "body" in v.params).params["body"])
    (frame,) = [f for f in picture.scene.frames if f.carry_count]
    session = mg.Session(y.graph, optimize=False, backend="numpy")
    adjoints = [n.of for n in picture.scene.nodes if n.of.startswith(f"{loop}_")]
    assert len(adjoints) >= 3
    turns = texts_by_turn(trace, "backward", "_bar")
    assert len(turns) >= 3
    for turn, texts in turns.items():
        for id in adjoints:
            if id in frame.starts:
                where = "in", frame.starts.index(id), turn
            elif id in frame.ends:
                where = "out", frame.ends.index(id), turn
            else:
                (at,) = [i for i, v in enumerate(body.nodes) if v is trace.inner[id].origin]
                where = "node", nudged.fn.nodes[at], turn
            slope = nudged.slope(lambda: float(session.run(y, feed)), where)
            assert float(texts[f"{id}_bar"]) == pytest.approx(slope, rel=2e-3, abs=1e-6), (turn, id)


@pytest.mark.parametrize("build", CASES, ids=lambda build: build.__name__)
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_values_and_derivatives_in_view_are_of_one_turn(build, mode):
    """Values that a derivative's turn does not compute again are told from when they were."""
    *_, trace, picture, loop = looked_into(build if mode == "reverse" else one_of(build), mode)
    phase, ending = ("backward", "_bar") if mode == "reverse" else ("tangent", "_dot")
    first = texts_by_turn(trace, "forward", ending)
    again = texts_by_turn(trace, phase, ending)
    inner = [n.id for n in picture.scene.nodes if n.id.startswith(f"{loop}_") and not n.of]
    told = [id for id in inner if id in first[1]]
    assert len(told) >= 4 and again
    for turn, texts in again.items():
        assert [texts[id] for id in told] == [first[turn][id] for id in told]


def one_of(build):
    """The same, of which the first of what is differentiated for moves."""

    def built():
        y, feed, wrt = build()
        return y, feed, [wrt[0] if isinstance(wrt, list) else wrt]

    return built


@pytest.mark.parametrize("build", CASES[:3], ids=lambda build: build.__name__)
def test_a_tangent_inside_a_loop_is_that_of_its_turn(build):
    *_, trace, picture, loop = looked_into(one_of(build), "forward")
    moved = {n.of for n in picture.scene.nodes if n.of.startswith(f"{loop}_")}
    with mg.Graph():
        y, feed, (x,) = one_of(build)()
        exact = [numbers_by_turn(y, feed | {x: feed[x] + d}, x) for d in (STEP, -STEP)]
    turns = texts_by_turn(trace, "tangent", "_dot")
    assert len(moved) >= 3 and len(turns) >= 3
    compared = 0
    for (turn, id), number in exact[0].items():
        if id in moved and turn in turns and turns[turn][f"{id}_dot"] != "·":
            compared += 1
            slope = (number - exact[1][turn, id]) / (2 * STEP)
            assert float(turns[turn][f"{id}_dot"]) == pytest.approx(slope, rel=2e-3, abs=1e-6)
    assert compared >= 3


def numbers_by_turn(y, feed, wrt):
    """{(turn, id): number} of what is computed inside, in full."""
    events = [e for e in make_trace(y, feed, wrt).events if e.phase == "forward"]
    return {(e.turn, e.inner): e.value.numbers for e in events if e.inner and e.turn}


@pytest.mark.parametrize("value, branch", [(3.0, "then"), (-3.0, "otherwise")])
def test_the_branch_that_ran_has_adjoints_and_the_other_has_none(value, branch):
    def choice():
        x = mg.placeholder("x")
        y = mg.cond(x > 0, lambda a: mg.sin(a) * a, lambda a: -mg.exp(a * 2.0), x)
        return y * 5.0, {x: value}, x

    *_, trace, picture, loop = looked_into(choice)
    scene = picture.drawing(len(trace.events)).scene
    frames = {f.path: f.lines[0] for f in scene.frames}
    primal = {n.id: n for n in scene.nodes}
    numbers = {}
    for node in scene.nodes:
        if node.of in primal and primal[node.of].scope in frames:
            numbers.setdefault(frames[primal[node.of].scope], []).append(node.value)
    other = "otherwise" if branch == "then" else "then"
    assert "·" not in numbers[branch] and {*numbers[other]} == {"·"}
    product = 5.0 if branch == "then" else -5.0
    assert f"{product:.4g}" in numbers[branch]


def test_a_loop_in_a_loop_has_its_value_and_its_adjoint():
    def nested():
        x, k = mg.placeholder("x", shape=(3, 4)), mg.placeholder("k")

        def outer(s, row):
            inner = mg.scan(lambda s, a: (mg.sin(s * k + a), None), s, row)[0]
            return inner * k, None

        return mg.scan(outer, k, x)[0] * 2.0, {x: np.full((3, 4), 0.1), k: 0.5}, k

    *_, trace, picture, loop = looked_into(nested)
    (inner,) = [n.id for n in picture.scene.nodes if n.sign == "↻"]
    turns = texts_by_turn(trace, "backward", "_bar")
    last = turns[3][f"{loop}_5_bar"], turns[3][f"{inner}_bar"]
    assert last == ("2", "1"), "through the product with k"
    assert all(turns[turn][inner].startswith("(") for turn in (1, 2, 3))


def test_a_turn_that_was_not_looked_into_shows_no_number_of_another():
    with mg.Graph():
        x = mg.placeholder("x")
        _, p = mg.while_loop(lambda i, p: i < 40, lambda i, p: (i + 1, p * x), (0, 1.0))
        trace = make_trace(p, {x: 1.5}, wrt=x)
        loop = next(f"n{at}" for at, v in enumerate(trace.values) if v.op.__name__ == "While")
    assert trace.events[-2].turn == 1
    assert trace.events[-2].sentence == "Iterations 1 to 20 run in the same way."
    texts = texts_by_turn(trace, "backward", "_bar")[40]
    (add,) = [id for id, v in trace.inner.items() if v.op is not None and v.op.__name__ == "Add"]
    assert add.startswith(loop) and texts[add] == "·" and texts[f"{loop}_1"] == "7.372e+06"


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_what_a_turn_has_not_computed_yet_is_not_told_of_the_turn_before(mode):
    *_, trace, _, loop = looked_into(one_of(newton), mode)
    phase, ending = ("backward", "_bar") if mode == "reverse" else ("tangent", "_dot")
    inner = [f"{id}{ending}" for id in trace.inner if id.startswith(f"{loop}_")]
    known, turn, waiting = {}, 0, {}
    for event in trace.events:
        known |= event_texts(event, ending)
        if event.phase == phase and event.turn not in (0, turn):
            turn = event.turn
            waiting[turn] = [known[id] for id in inner if id in known].count("·")
    assert [waiting[turn] for turn in (2, 3)] == ([3, 3] if mode == "reverse" else [4, 4])


def test_sentences_inside_a_derivative_speak_of_the_values_of_the_body():
    *_, trace, _, loop = looked_into(recurrent)
    told = [e for e in trace.events if e.phase == "backward" and e.turn == 4]
    formulas = [tokens_text(e.formula) for e in told]
    assert "h̄ = t̄4 · w" in formulas and "w̄ = t̄4 · h + w̄" in formulas, formulas
    assert any("h̄′" in one for one in formulas), formulas
    sentences = [e.sentence for e in told]
    assert "Iteration 4 of 4: t3 = h · w, so w receives t̄4 · h." in sentences, sentences
    events = [e for e in trace.events if e.phase == "backward" and e.inner]
    assert {e.inner.rpartition("_")[0] for e in events} == {loop}


def test_no_derivative_is_drawn_in_a_condition():
    *_, picture, loop = looked_into(newton)
    (path,) = [f.path for f in picture.scene.frames if f.lines[0].startswith("condition")]
    asked = {n.id for n in picture.scene.nodes if n.scope == path}
    assert len(asked) >= 4 and not asked & {n.of for n in picture.scene.nodes}


def test_two_values_of_a_body_that_compute_the_same_are_told_each_by_itself():
    def twice():
        x, k = mg.placeholder("x"), mg.placeholder("k")
        xs = mg.placeholder("xs", shape=(3,))
        step = lambda h, a: ((mg.sin(h * k) + mg.sin(h * k)) * a, h * h)
        h, ys = mg.scan(step, x, xs)
        return h + mg.sum(ys), {x: 0.3, k: 0.5, xs: np.array([0.1, 0.2, -0.3])}, k

    *_, trace, _, loop = looked_into(twice)
    events = [e for e in trace.events if e.phase == "backward" and e.turn == 2]
    said = {str(e.formula[0]): e.inner for e in events}
    products = [id for id, v in trace.inner.items() if v.op is not None and v.op.__name__ == "Mul"]
    assert {said["t3"], said["t5"]} < {*products}
    assert said[with_bar("t3")] == said["t3"] != said["t5"]
