"""Lesson 13: cases, references, typical wrong answers and pictures. The words are in 13.toml."""

import re
import sys
from itertools import pairwise
from unittest import mock

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson
from minigrad.course.lessons.answer import agree
from minigrad.static import session as sessions

LOST = (-0.7, 0.27)  # the point from which the picture was painted
SEED = 13

# the lost point ----------------------------------------------------------------------------------


def paint(c, x, y, xp=mg):
    """Paint e^(−|z|²) after four iterations of z ← z² + c; the pixel z begins at x + iy."""
    for _ in range(4):
        x, y = x * x - y * y + c[0], 2 * x * y + c[1]
    return xp.exp(-(x * x + y * y))


def canvas(pixels, dtype=float):
    """Return x, y and the picture, [side, side] each, of about so many pixels."""
    side = round(pixels**0.5)
    x, y = np.meshgrid(np.linspace(-1.5, 1.5, side), np.linspace(1.2, -1.2, side))
    return [array.astype(dtype) for array in (x, y, paint(LOST, x, y, np))]


def show_search(path):
    """A film of the picture beside what is painted from each point of a path; prints four."""
    from minigrad.course.lessons.films import film

    x, y, picture = canvas(2304)
    print("c:", *(f"({a:.2f}, {b:.2f})" for a, b in [*path[:5], path[8]]))

    def frame(axes, step):
        axes.imshow(np.hstack([picture, paint(path[step], x, y, np)]), cmap="magma")
        axes.set_xticks([24, 72], ["the picture", "painted from c"])
        axes.set_yticks([])
        axes.set_title("step {}: c = ({:.2f}, {:.2f})".format(step, *path[step]))

    return film(frame, range(len(path)), size=(4.6, 2.5), seconds=0.7)


# counting ----------------------------------------------------------------------------------------


def count_calls(step):
    """Count the calls of Python functions that a step makes, after a first one."""
    counted = []
    step()
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, what: counted.append(1) if event == "call" else None)
    try:
        step()
    finally:
        sys.setprofile(before)
    return len(counted)


def count_arrays(program, pixels):
    """Count the arrays of a whole picture that the operations of a program read or write."""
    whole = (round(pixels**0.5),) * 2
    nodes = [node for node in program.program.nodes() if node.inputs]
    return sum(each.shape == whole for node in nodes for each in (node, *node.inputs))


def count_loops(program, pixels):
    """Count the operations of a program that read or write a whole picture; fused ones are one."""
    whole = (round(pixels**0.5),) * 2
    nodes = [node for node in program.program.nodes() if node.inputs]
    return sum(whole in [each.shape for each in (node, *node.inputs)] for node in nodes)


def count_fused(program):
    """Count the operations in the largest loop of a program."""
    found = re.findall(r"(\d+) ops in one kernel", str(program.report[-1]))
    return max(map(int, found), default=1)


# compare -----------------------------------------------------------------------------------------


class Machine:
    """A machine with a clock of its own, which only the calls of its programs move.

    `kind` says how it disturbs: "quiet"; "busy", three times as slow in its first 20 calls;
    "drifting", slower with each call; "interrupted", 30 times as slow in some calls; "noisy", up to
    twice as slow, in each call differently.
    """

    def __init__(self, kind):
        self.kind, self.now, self.readings, self.calls = kind, 0.0, 0, ""

    def clock(self):
        """The time, in seconds."""
        self.readings += 1
        return self.now

    def slowness(self):
        """How many times as long as on a quiet machine the next call takes."""
        calls = len(self.calls)
        if self.kind == "busy":
            return 3.0 if calls < 20 else 1.0
        if self.kind == "drifting":
            return 1.0 + 0.1 * calls
        if self.kind == "noisy":
            return 1.0 + calls * 7 % 13 / 13
        return 30.0 if self.kind == "interrupted" and calls % 5 == 4 else 1.0

    def program(self, name, seconds, first=0.0):
        """A function that takes so many seconds, and in its first call some more."""

        def call():
            more = 0.0 if name in self.calls else first
            self.now += seconds * self.slowness() + more
            self.calls += name

        return call


def cases_compare():
    """(kind of the machine, seconds of a and b, what their first calls take more, rounds)"""
    return [
        ("quiet", 2.0, 3.0, 0.0, 0.0, 5),
        ("quiet", 2.0, 1.0, 1.0, 50.0, 1),
        ("busy", 1.0, 1.0, 0.0, 0.0, 15),
        ("drifting", 1.0, 2.0, 0.0, 5.0, 9),
        ("interrupted", 1.0, 4.0, 9.0, 0.0, 7),
        ("noisy", 5.0, 1.0, 0.0, 0.0, 11),
        ("noisy", 2.0, 3.0, 0.0, 0.0, 8),
    ]


def show_compare(kind, a, b, first_a, first_b, rounds):
    """A case in words."""
    more = f", the first calls {first_a:g} s and {first_b:g} s more" * bool(first_a or first_b)
    count = f"{rounds} round{'s' * (rounds > 1)}"
    return f"a machine that is {kind}, a {a:g} s and b {b:g} s{more}, {count}"


def run_compare(function, *case):
    """How a function calls the programs of a case, and what ratio it finds.

    A function that lets b begin in every second round is right, too, and finds the same. Where
    all calls of a come first, the ratio does not matter.
    """
    found, machine = race(function, *case)
    if found is None:
        return None
    if not machine.readings:
        raise RuntimeError("clock() was never called")
    calls, rounds = machine.calls, case[-1]
    if 0 < sum(before != after for before, after in pairwise(calls)) < rounds:
        return "all of a, then all of b", 0.0
    order = f"a {calls.count('a')} times, b {calls.count('b')} times, by turns"
    if any(agree(found, race(way, *case)[0]) for way in (a_begins_first, b_begins_first)):
        found = race(reference_compare, *case)[0]
    return order, found


def race(function, kind, a, b, first_a, first_b, rounds):
    """(what a function finds on a machine of that kind, the machine)"""
    machine = Machine(kind)
    programs = machine.program("a", a, first_a), machine.program("b", b, first_b)
    return function(*programs, rounds, machine.clock), machine


def reference_compare(a, b, rounds, clock):
    """Return how many times as long b takes as a: the median of the ratios of all rounds."""
    a()
    b()
    return np.median(ratios_of(a, b, rounds, clock))


def seconds_of(call, clock):
    """Time one call."""
    start = clock()
    call()
    return clock() - start


def ratios_of(a, b, rounds, clock):
    """The ratio of each round, without a warm-up."""
    pairs = [(seconds_of(a, clock), seconds_of(b, clock)) for _ in range(rounds)]
    return [second / first for first, second in pairs]


def a_begins_first(a, b, rounds, clock, begins=0):
    """The two begin by turns, so that a drift slows down both alike."""
    a()
    b()
    ratios = []
    for turn in range(rounds):
        if turn % 2 == begins:
            first, second = seconds_of(a, clock), seconds_of(b, clock)
        else:
            second, first = seconds_of(b, clock), seconds_of(a, clock)
        ratios.append(second / first)
    return np.median(ratios)


def b_begins_first(a, b, rounds, clock):
    """The two begin by turns, b in the first round."""
    return a_begins_first(a, b, rounds, clock, begins=1)


def no_warm_up(a, b, rounds, clock):
    """Without the two calls that are not timed."""
    return np.median(ratios_of(a, b, rounds, clock))


def mean_of_ratios(a, b, rounds, clock):
    """The mean instead of the median."""
    a()
    b()
    return np.mean(ratios_of(a, b, rounds, clock))


def in_a_row(a, b, rounds, clock):
    """All calls of a first, and then all of b."""
    a()
    b()
    first = [seconds_of(a, clock) for _ in range(rounds)]
    return np.median([seconds_of(b, clock) for _ in range(rounds)]) / np.median(first)


def ratio_of_medians(a, b, rounds, clock):
    """By turns, but the ratio of the two medians."""
    a()
    b()
    pairs = [(seconds_of(a, clock), seconds_of(b, clock)) for _ in range(rounds)]
    first, second = np.median(pairs, axis=0)
    return second / first


def ratio_of_totals(a, b, rounds, clock):
    """By turns, but the ratio of the two sums."""
    a()
    b()
    pairs = [(seconds_of(a, clock), seconds_of(b, clock)) for _ in range(rounds)]
    first, second = np.sum(pairs, axis=0)
    return second / first


def upside_down(a, b, rounds, clock):
    """How many times as long a takes as b."""
    a()
    b()
    return np.median([1 / ratio for ratio in ratios_of(a, b, rounds, clock)])


def with_first_call(a, b, rounds, clock):
    """b's time contains that of a."""
    a()
    b()
    ratios = []
    for _ in range(rounds):
        start = clock()
        a()
        middle = clock()
        b()
        ratios.append((clock() - start) / (middle - start))
    return np.median(ratios)


def after_compare(function):
    """Race a program against itself on a machine that is busy at first, in two ways."""
    for name, way in (("First all of a, then all of b", in_a_row), ("Your compare", function)):
        machine = Machine("busy")
        same = machine.program("a", 1.0), machine.program("b", 1.0)
        said = way(*same, 19, machine.clock)
        print(f"  {name}: b seems to take {said:.1f} times as long as a")
    print("  Both programs are the same, and the machine was busy for the first 20 calls.")


# losses_of ---------------------------------------------------------------------------------------


def build_search(pixels=100):
    """(graph, loss, step, feeds) of a search for the lost point."""
    arrays = canvas(pixels)
    with mg.Graph() as graph:
        nodes = [mg.placeholder(name, shape=arrays[0].shape) for name in ("x", "y", "picture")]
        c = mg.Variable(np.zeros(2), name="c")
        miss = paint(c, *nodes[:2]) - nodes[2]
        loss = mg.sum(miss * miss)
        step = mg.optim.SGD(lr=0.5 / pixels).minimize(loss)
    return graph, loss, step, dict(zip(nodes, arrays))


def cases_losses_of():
    """Numbers of steps."""
    return [(1,), (3,), (6,)]


def show_losses_of(count):
    """A case in words."""
    return f"{count} step{'s' * (count > 1)}"


def run_losses_of(function, count):
    """The losses that a function finds, and how many sessions and programs it makes."""
    graph, loss, step, feeds = build_search()
    with (
        mock.patch.object(mg, "Session", wraps=mg.Session) as made,
        mock.patch.object(sessions, "Executable", wraps=sessions.Executable) as compiled,
    ):
        found = function(graph, loss, step, feeds, count)
    if found is None:
        return None
    if np.ndim(found) != 1:
        raise TypeError("the losses are a list of numbers")
    losses = np.array([float(np.asarray(each)) for each in found])
    return losses, made.call_count, compiled.call_count


def reference_losses_of(graph, loss, step, feeds, count):
    """Run a step so many times in one session; return the losses."""
    session = mg.Session(graph)
    return [session.run([loss, step], feeds)[0].item() for _ in range(count)]


def session_each(graph, loss, step, feeds, count):
    """A session for each step."""
    return [mg.Session(graph).run([loss, step], feeds)[0].item() for _ in range(count)]


def compile_each(graph, loss, step, feeds, count):
    """One session, and a program for each step."""
    session, losses = mg.Session(graph), []
    for _ in range(count):
        program = session.compile([loss, step], list(feeds))
        losses.append(program(*feeds.values())[0].item())
    return losses


def loss_then_step(graph, loss, step, feeds, count):
    """One session with two programs: one for the loss, one for the step."""
    session, losses = mg.Session(graph), []
    for _ in range(count):
        losses.append(session.run(loss, feeds).item())
        session.run(step, feeds)
    return losses


def loss_alone(graph, loss, step, feeds, count):
    """One session, and no step is fetched."""
    session = mg.Session(graph)
    return [session.run(loss, feeds).item() for _ in range(count)]


def last_loss(graph, loss, step, feeds, count):
    """The list of the last loss alone."""
    return reference_losses_of(graph, loss, step, feeds, count)[-1:]


def warm_up_step(graph, loss, step, feeds, count):
    """A step is made before the first loss, as a warm-up."""
    return reference_losses_of(graph, loss, step, feeds, count + 1)[1:]


def loss_after(graph, loss, step, feeds, count):
    """Each loss is that after the step."""
    return after_steps(mg.Session(graph), loss, step, feeds, count)


def after_steps(session, loss, step, feeds, count):
    """Run the step, and then the loss."""
    losses = []
    for _ in range(count):
        session.run(step, feeds)
        losses.append(session.run(loss, feeds).item())
    return losses


def after_losses_of(function):
    """Time ten steps of the learner's function and of the colleague's, by turns."""
    from time import perf_counter

    search = build_search()
    ratio = reference_compare(
        lambda: function(*search, 10), lambda: session_each(*search, 10), 3, perf_counter
    )
    print(f"  For ten steps, the colleague's function takes {ratio:.0f} times as long as yours.")


# pictures ----------------------------------------------------------------------------------------


def show_break_even(compiling, dynamic, static, steps=200):
    """Draw the seconds for so many steps, in ms, and where the lines meet."""
    from minigrad.draw.plot.axes import paper

    runs = np.arange(steps + 1)
    with paper([2.4]) as (_, (axes,)):
        for name, start, each in (("dynamic", 0, dynamic), ("static", compiling, static)):
            axes.plot(runs, start + runs * each, **mg.plot.style_of(name, marker=""), label=name)
        meet = compiling / (dynamic - static)
        axes.plot(meet, meet * dynamic, "o", color="#1E252D")
        axes.annotate(
            f"{meet:.0f} steps", (meet, meet * dynamic), (6, -12), textcoords="offset points"
        )
        axes.set(xlabel="steps", ylabel="ms in all", xlim=(0, steps), ylim=(0, None))
        axes.legend(edgecolor="none", framealpha=1)


lesson = Lesson("13", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
