"""Inside loops and choices that stand in a loop: numbers of the turns in view, as unrolled."""

import re

import numpy as np
import pytest

import minigrad as mg
from minigrad.draw.player.picture import event_texts
from minigrad.draw.trace import make_trace, narration
from minigrad.draw.trace.iterations import MOST, SHARE
from minigrad.draw.trace.tokens import tokens_text

ENDINGS = {"reverse": "_bar", "forward": "_dot"}
PHASES = {"reverse": "backward", "forward": "tangent"}


class WhileInWhile:
    """i turns of p ← p · x in the i-th turn, then p ← p + x."""

    feed = {"x": 1.5}

    def nodes(x):
        def turn(i, p):
            _, q = mg.while_loop(lambda j, q: j < i + 1, lambda j, q: (j + 1, q * x), (0, p))
            return i + 1, q + x

        return mg.while_loop(lambda i, p: i < 3, turn, (0, 1.0))[1] * 2.0

    def unrolled(seen, x):
        p = mg.tensor(1.0, requires_grad=True)
        for i in range(3):
            for j in range(i + 1):
                q = p + 0.0
                p = q * x
                seen[i + 1, j + 1] = {"q": q, "Mul": p, "q′": p}
            p = p + x
        return p * 2.0


class ScanInScan:
    """s ← sin(s k + a) over the rows of an array, times k after each."""

    feed = {"k": 0.5, "xs": np.array([[0.1, 0.4], [-0.3, 0.2], [0.5, -0.7]])}

    def nodes(k, xs):
        def row(s, row):
            return mg.scan(lambda s, a: (mg.sin(s * k + a), None), s, row)[0] * k, None

        return mg.scan(row, k, xs)[0] * 2.0

    def unrolled(seen, k, xs):
        s = k + 0.0
        for i in range(3):
            for j in range(2):
                s = s + 0.0
                product = s * k
                total = product + xs[i, j]
                after = mg.sin(total)
                found = {"Mul": product, "Add": total, "Sin": after, "s′": after}
                seen[i + 1, j + 1] = {"s": s, **found}
                s = after
            s = s * k
        return s * 2.0


class CondInScan:
    """tanh(h w + x) where x is positive, else h - x w."""

    feed = {"w": 0.7, "xs": np.array([0.1, -0.4, 0.2, -0.5])}

    def nodes(w, xs):
        def turn(h, x):
            h = mg.cond(x > 0, lambda h: mg.tanh(h * w + x), lambda h: h - mg.exp(x * w), h)
            return h, h * h

        h, ys = mg.scan(turn, w, xs)
        return mg.sum(ys) + h

    def unrolled(seen, w, xs):
        h, total = w + 0.0, 0.0
        for t in range(4):
            if xs[t] > 0:
                product = h * w
                before = product + xs[t]
                h = mg.tanh(before)
                seen[t + 1, 0] = {"Mul": product, "Add": before, "Tanh": h}
            else:
                product = xs[t] * w
                grown = mg.exp(product)
                h = h - grown
                seen[t + 1, 0] = {"Mul2": product, "Exp": grown, "Sub": h}
            total = total + h * h
        return total + h


NESTS = [WhileInWhile, ScanInScan, CondInScan]
INSIDE = re.compile(r"Iteration (\d+) of \d, in \S+ (?:iteration (\d+) of \d|\w+ branch): ")


def played(nest, mode):
    """The trace of a nest, for its first operand."""
    with mg.Graph():
        xs = [mg.placeholder(name, shape=np.shape(v)) for name, v in nest.feed.items()]
        feed = dict(zip(xs, nest.feed.values()))
        return make_trace(nest.nodes(*xs), feed, xs[0], mode)


def ids_inside(trace):
    """{"Mul", "Mul2" or the name of a port: its id} of what is two bodies deep."""
    found = {}
    for id, v in sorted(trace.inner.items(), key=lambda item: item[1].order):
        name = v.name if v.role == "port" else v.op.__name__
        if id.count("_") == 2:
            found[name if name not in found else f"{name}2"] = id
    return found


def texts_by_turns(trace, phase, ending):
    """{(turn, turn inside): {id: text}} at the end of each turn of the inner loop."""
    found, known = {}, {}
    for event in trace.events:
        known |= event_texts(event, ending)
        place = INSIDE.match(event.sentence)
        if event.phase == phase and place:
            found[int(place[1]), int(place[2] or 0)] = dict(known)
    return found


def compare(texts, tensors, ids, ending=""):
    """Whether a text says the number of each Tensor."""
    for name, value in tensors.items():
        told = texts[ids[name] + ending]
        assert float(told) == pytest.approx(mg.tensor(value).item(), rel=1e-3, abs=1e-6), (
            name,
            told,
        )


@pytest.mark.parametrize("nest", NESTS)
@pytest.mark.parametrize("mode", ENDINGS)
def test_the_numbers_inside_are_those_of_the_unrolled_loops(nest, mode):
    trace, ending = played(nest, mode), ENDINGS[mode]
    xs, seen = [mg.tensor(v, requires_grad=True) for v in nest.feed.values()], {}
    y, ids = nest.unrolled(seen, *xs), ids_inside(trace)
    first = texts_by_turns(trace, "forward", ending)
    again = texts_by_turns(trace, PHASES[mode], ending)
    assert set(first) == set(again) == set(seen)
    for turns, tensors in seen.items():
        compare(first[turns], tensors, ids)
        compare(again[turns], tensors, ids)
        if mode == "reverse":
            found = mg.gradients(y, list(tensors.values()))
        else:
            found = mg.forward_gradients(list(tensors.values()), xs[0], 1.0, unconnected="zero")
        moved = {n: d for n, d in zip(tensors, found) if f"{ids[n]}{ending}" in again[turns]}
        assert len(moved) >= 3
        compare(again[turns], moved, ids, ending)
    numbers = {text for texts in again.values() for text in texts.values()}
    assert len(numbers) > 3 * len(seen)


@pytest.mark.parametrize("mode", ENDINGS)
def test_the_branch_that_another_turn_took_shows_no_number(mode):
    trace = played(CondInScan, mode)
    ids, turns = ids_inside(trace), texts_by_turns(trace, PHASES[mode], ENDINGS[mode])
    for (turn, _), texts in turns.items():
        other = "Sub" if turn in (1, 3) else "Tanh"
        assert texts[ids[other]] == texts.get(ids[other] + ENDINGS[mode], "·") == "·"


@pytest.mark.parametrize("nest", NESTS[:2])
def test_a_closed_loop_inside_says_its_iteration_and_then_its_value(nest):
    trace = played(nest, "reverse")
    (loop,) = {id.rpartition("_")[0] for id in ids_inside(trace).values()}
    outer, known, marks = loop.rpartition("_")[0], {}, 0
    for event in trace.events:
        known |= event_texts(event, "_bar")
        place = INSIDE.match(event.sentence)
        if place:
            own = loop + "_bar" * (event.phase == "backward")
            marks += known[own] == f"iteration {place[2]}"
            assert known[own] == f"iteration {place[2]}" and event.turn == int(place[1])
    assert marks > 20
    assert not known[loop].startswith("iteration") and float(known[f"{loop}_bar"])
    assert known[f"{outer}_bar"] == "(2)", "the adjoint of the whole, not a turn"


def test_what_is_too_much_is_left_out_with_words():
    with mg.Graph():
        x, xs = mg.placeholder("x"), mg.placeholder("xs", shape=(12, 50))
        inner = lambda s, row: (mg.scan(lambda s, a: (mg.sin(s * a), None), s, row)[0], None)
        trace = make_trace(mg.scan(inner, x, xs)[0], {x: 1.0, xs: np.ones((12, 50))}, x)
    for phase in ("forward", "backward"):
        inside = [e for e in trace.events if e.phase == phase and ", in t" in e.sentence]
        assert len(inside) <= narration.MOST + MOST // SHARE + 12
        words = [e.sentence for e in inside if "in the same way" in e.sentence]
        assert len(words) == 12, "of each run, what is left out"
        left = re.compile(r"Iteration \d+ of 12, in \S+ iterations \d+ to \d+ run")
        assert any(map(left.match, words))
        assert any("iterations 1 to 50 run in the same way." in one for one in words)
    assert len(trace.events) < 500


def test_three_loops_deep():
    def grow(depth, v):
        step = (lambda v: grow(depth - 1, v)) if depth else (lambda v: v * 1.5)
        return mg.while_loop(lambda i, v: i < 2, lambda i, v: (i + 1, step(v)), (0, v))[1]

    with mg.Graph():
        x = mg.placeholder("x")
        trace = make_trace(grow(2, x), {x: 1.0}, x)
    deep = (e for e in trace.events if e.inner.count("_") == 3)
    said = [e for e in deep if "· 1.5" in tokens_text(e.formula)]
    first = [e for e in said if e.phase == "forward"]
    assert [float(e.result) for e in first] == pytest.approx(
        [1.5**n for n in range(1, 9)], rel=1e-3
    )
    assert "Iteration 2 of 2, in t5 iteration 1 of 2, in t5 iteration 2 of 2: " in first[5].sentence


def test_values_of_two_bodies_with_one_name_both_bear_it():
    picture = mg.player(*played_arguments(ScanInScan), expand=["n2", "n2_2"]).drawing()
    words = [node.label for node in picture.scene.nodes]
    assert words.count("t4") == 4, "two values, two adjoints"


def played_arguments(nest):
    """What a player takes."""
    with mg.Graph():
        xs = [mg.placeholder(name, shape=np.shape(v)) for name, v in nest.feed.items()]
        return nest.nodes(*xs), dict(zip(xs, nest.feed.values())), xs[0]
