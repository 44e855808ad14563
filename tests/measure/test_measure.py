"""Measures of time, of several functions by turns, of compiling, and of memory."""

import gc
import json
import math
import os
import sys
import tracemalloc
from itertools import count

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg
from minigrad import measure
from minigrad.draw.plot.axes import seconds_text
from minigrad.measure.comparison import Comparison


class Clock:
    """A clock that only `work` moves, so that every number below is exact."""

    def __init__(self, monkeypatch):
        self.now, self.calls = 0.0, []
        monkeypatch.setattr(measure.clock, "perf_counter", lambda: self.now)
        monkeypatch.setattr(os, "getloadavg", lambda: (3.0, 0, 0), raising=False)
        monkeypatch.setattr(os, "cpu_count", lambda: 4)

    def work(self, name, seconds):
        """A function that takes what `seconds` gives: a number, or one after another."""

        def function():
            self.calls.append(name)
            self.now += seconds if isinstance(seconds, (int, float)) else next(seconds)

        return function


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_time_is_the_median(monkeypatch):
    ticks = iter([0, 1, 10, 15, 20, 22])
    monkeypatch.setattr(measure.clock, "perf_counter", lambda: next(ticks))
    assert measure.time(lambda: None, repeat=3) == 2


# by turns ----------------------------------------------------------------------------------------


def test_contenders_take_turns_and_each_begins_in_turn(clock):
    measure.compare({name: clock.work(name, 1.0) for name in "abc"}, rounds=4, warmup=1)
    assert "".join(clock.calls) == "abc" + "abcbcacababc"


def test_medians_quartiles_and_ratios(clock):
    slow, quick = iter([9, 9, 1, 2, 3, 4, 5]), iter([9, 9, 4, 2, 6, 2, 10])
    contenders = {"a": clock.work("a", slow), "b": clock.work("b", quick)}
    found = measure.compare(contenders, reference="b", rounds=5)
    assert found.time("a") == (2, 3, 4) and found.time("b") == (2, 4, 6)
    assert found.ratio("a") == (0.5, 0.5, 1.0)  # of 1/4, 2/2, 3/6, 4/2, 5/10
    assert found.ratio("b") == (1, 1, 1)


def test_ratios_are_taken_round_by_round_so_that_load_cancels_out(clock):
    load = [1, 1, 1, 10, 100, 1000, 10_000]
    found = measure.compare(
        {
            "a": clock.work("a", iter(load)),
            "b": clock.work("b", iter([3 * n for n in load])),
        },
        reference="a",
        rounds=5,
    )
    assert found.ratio("b") == (3, 3, 3) and found.ratio("a") == (1, 1, 1)
    assert found.time("a").high / found.time("a").low == 100


def test_a_quick_function_is_called_until_its_turn_takes_long_enough(clock):
    found = measure.compare(
        {
            "quick": clock.work("quick", 0.25),
            "slow": clock.work("slow", 3.0),
        },
        rounds=3,
        warmup=1,
        least=1.0,
    )
    assert clock.calls.count("quick") == 1 + 3 * 4 and clock.calls.count("slow") == 1 + 3
    assert found.time("quick").median == 0.25


def test_warm_up_is_not_counted(clock):
    times = iter([100.0, 1.0, 1.0, 1.0, 1.0])
    found = measure.compare({"a": clock.work("a", times)}, rounds=3, warmup=2)
    assert found.seconds == {"a": [[1, 1, 1]]}


def test_the_table(clock):
    found = measure.compare(
        {
            "numpy": clock.work("numpy", 0.002),
            "minigrad": clock.work("minigrad", 0.0005),
        },
        reference="numpy",
        rounds=3,
    )
    assert repr(found).splitlines() == [
        "          median  quartiles        ratio  quartiles",
        "numpy     2 ms    2 ms – 2 ms      1      reference",
        "minigrad  500 µs  500 µs – 500 µs  0.25   0.25 – 0.25",
        "3 rounds by turns, ratios round by round; load of the machine 0.75 per core",
    ]


def by_size(clock):
    """One contender takes n seconds, the other always 4."""
    return measure.compare(
        {
            "flat": lambda n: clock.work("flat", 4),
            "grows": lambda n: clock.work("grows", n),
        },
        sizes=[1, 2, 8, 64],
        rounds=3,
    )


def test_sizes_prepare_the_work_untimed(clock):
    found = by_size(clock)
    assert [found.time("grows", at).median for at in range(4)] == [1, 2, 8, 64]
    assert found.crossovers("grows") == [pytest.approx(4.0)] and found.crossovers("flat") == []
    assert found.table.splitlines()[1] == "1     flat   4 s     4 s – 4 s    1      reference"
    assert "grows takes as long as flat at a size of about 4" in found.table


@pytest.mark.parametrize(
    "ratios, found",
    [
        (
            [(0.4, 0.5, 0.6), (0.9, 1.1, 1.2), (1.9, 2, 2.1)],
            [10 ** (1 + math.log(2) / math.log(2.2))],
        ),
        ([(0.4, 0.5, 0.6), (0.9, 0.98, 1.1), (0.8, 0.9, 1.3)], []),
        ([(0.9, 0.98, 1.1), (0.8, 1.3, 1.4), (0.8, 0.9, 1.3)], []),
        ([(0.4, 0.5, 0.6), (1, 1, 1), (1.9, 2, 2.1)], [100]),
        ([(0.4, 0.5, 0.6), (1.9, 2, 2.1), (0.4, 0.5, 0.6)], [10**1.5, 10**2.5]),
        ([(0.4, 0.5, 0.6), (0.9, 1.5, 1.6), (0.4, 0.5, 0.6)], []),
    ],
)
def test_where_no_difference_is_measured_nobody_becomes_faster(ratios, found):
    seconds = {"a": [[1, 1, 1]] * 3, "b": [[low, median, high] for low, median, high in ratios]}
    # quartiles of three numbers lie half way to the outer ones
    wide = [[2 * low - median, median, 2 * high - median] for low, median, high in seconds["b"]]
    comparison = Comparison("a", (10, 100, 1000), seconds | {"b": wide}, None)
    assert comparison.crossovers("b") == pytest.approx(found)


@pytest.mark.parametrize("sizes", [range(1, 3), np.array([1, 2]), (1, 2)])
def test_sizes_of_any_kind_become_plain_numbers(clock, sizes):
    found = measure.compare({"a": lambda n: clock.work("a", 1)}, sizes=sizes, rounds=3)
    assert json.dumps(found.sizes) == "[1, 2]"


def test_a_comparison_is_plain_data(clock):
    found = by_size(clock)
    again = Comparison(**json.loads(json.dumps(found._asdict())))
    assert again.table == found.table


def test_an_unknown_load_is_said(monkeypatch):
    monkeypatch.delattr(os, "getloadavg", raising=False)
    found = measure.compare({"a": lambda: None}, rounds=3, least=0)
    assert found.load is None and found.table.endswith("load of the machine not known")


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: measure.compare({}), "not named functions"),
        (lambda: measure.compare([len]), "not named functions"),
        (lambda: measure.compare({"a": 1}), "not named functions"),
        (lambda: measure.compare({"a": int}, reference="b"), "choose the reference from a"),
        (lambda: measure.compare({"a": int}, rounds=2), "quartiles need 3 rounds"),
        (lambda: measure.compare({"a": int}, sizes=[2, 1]), "give rising sizes"),
        (lambda: measure.compare({"a": int}, sizes=[]), "give rising sizes"),
        (lambda: measure.compare({"a": int}, sizes=[0, 1]), "give rising sizes"),
        (lambda: measure.compare({"a": int}, sizes="many"), "give rising sizes"),
        (lambda: measure.compare({"a": lambda n: n}, sizes=[2]), r"a\(2\) gave int"),
        (lambda: measure.time(int, repeat=0), "time: repeat=0"),
        (lambda: measure.time(int, repeat=1.5), "time: repeat=1.5"),
        (lambda: measure.time(3), "time: the function has the type int"),
        (lambda: measure.timeline(), "phases are missing or not functions"),
        (lambda: measure.timeline(run=3), "phases are missing or not functions"),
    ],
)
def test_bad_input_is_one_clear_message(call, text):
    with raises_saying(mg.ArgumentError, text):
        call()


def test_a_bad_reference_runs_nothing():
    ran = []
    with pytest.raises(mg.ArgumentError):
        measure.compare({"a": lambda: ran.append(1)}, reference="b")
    assert ran == []


@pytest.mark.parametrize(
    "seconds, text",
    [
        (1.234e-8, "12.3 ns"),
        (9.996e-7, "1 µs"),
        (9.994e-7, "999 ns"),
        (0.25, "250 ms"),
        (75, "75 s"),
        (1234.5, "1,234 s"),
        (0.0, "0 ns"),
    ],
)
def test_seconds_have_three_digits(seconds, text):
    assert seconds_text(seconds) == text


# compiling ---------------------------------------------------------------------------------------


def executable(**options):
    """A small program with a gradient, whose batch length only the feed tells."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None,))
        y = mg.sum(mg.tanh(x * 2.0 + 1.0) ** 2)
        fetches = [y, mg.gradients(y, [x])[0]]
    return mg.Session(graph, **options).compile(fetches, {x: np.ones(4)})


def test_each_step_of_compiling_is_timed(monkeypatch):
    ticks = count()
    monkeypatch.setattr(measure.clock, "perf_counter", lambda: float(next(ticks)))
    compiled = executable()
    found = measure.compiling(compiled, repeat=1)
    names = [report.name for report in compiled.report]
    assert list(found) == ["cut", *dict.fromkeys(names), "plan", "code"]
    assert found == {name: names.count(name) or 1 for name in found}  # a tick for each run of it


def test_without_passes_three_steps_are_left():
    assert list(measure.compiling(executable(optimize=False), repeat=1)) == ["cut", "plan", "code"]


# memory ------------------------------------------------------------------------------------------


def test_memory_counts_the_peak_and_not_what_was_there_before():
    kept = np.ones(1_000_000)

    def hold_three():
        first, second = kept + 1, kept + 2
        return np.add(first, second)

    peak = measure.memory(hold_three)
    assert 3 * kept.nbytes <= peak < 3.1 * kept.nbytes
    assert measure.memory(lambda: None) < 10_000


def test_memory_counts_nothing_of_what_an_object_from_before_does_when_it_is_freed():
    class Loud:
        """Garbage that only the collector finds, and that takes memory when it is freed."""

        def __init__(self):
            self.own = self

        def __del__(self):
            bytearray(1_000_000)

    gc.disable()
    try:
        Loud()
        assert measure.memory(gc.collect) < 500_000
    finally:
        gc.enable()


def test_a_timeline_rises_and_falls_with_the_arrays():
    def forward():
        return [ones() for _ in range(3)]

    def ones():
        return np.ones(100_000)

    def backward(arrays):
        while arrays:
            arrays.pop()
            int.from_bytes(b"", "big")  # a call: somewhere to look

    found = measure.timeline(least=400_000, forward=forward, backward=backward)
    arrays = [round(level / 800_000) for level in found.bytes]
    assert arrays == [0, 1, 2, 3, 2, 1, 0]
    assert found.phases == [("forward", 1, 3), ("backward", 4, 6)]
    assert round(found.peak_bytes / 800_000) == 3


def test_a_timeline_sees_what_is_gone_when_a_function_returns():
    found = measure.timeline(least=400_000, run=lambda: np.ones(100_000).sum())
    assert [round(level / 800_000) for level in found.bytes] == [0, 1, 0]


def test_a_timeline_sees_a_peak_between_two_looks():
    x = np.ones(1000)
    found = measure.timeline(least=4000, run=lambda: (x + x) @ x)  # no function is called inside
    assert [round(level / 8000) for level in found.bytes] == [0, 1, 0]


def test_a_timeline_leaves_profiling_and_tracing_as_they_were():
    with pytest.raises(ZeroDivisionError):
        measure.timeline(run=lambda: 1 / 0)
    assert sys.getprofile() is None and not tracemalloc.is_tracing()


def test_what_only_waits_for_the_garbage_collector_is_not_alive():
    before = mg.measure.live().tensors
    ring = [mg.tensor(1.0)]
    ring.append(ring)
    assert mg.measure.live().tensors == before + 1
    del ring
    assert mg.measure.live().tensors == before
