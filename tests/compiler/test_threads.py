"""Kernels on several threads: the same bits, however many there are."""

import os
import threading
import warnings

import numpy as np
import pytest

import minigrad as mg
from minigrad.compiler import threads
from minigrad.core.errors import ArgumentError

SIZE = 1_200_001  # oddly divided
RNG = np.random.default_rng(0)
X = RNG.normal(size=SIZE)


def say_it_took(monkeypatch, seconds):
    """Whatever is timed takes so long: together in one second all threads are quicker than one
    thread with its part in one second; in no time, neither is."""
    monkeypatch.setattr(threads, "time_call", lambda function, *xs: (function(*xs), seconds))


@pytest.fixture(autouse=True)
def always_worth_it(monkeypatch):
    """Threads for every large kernel, however quick it is."""
    say_it_took(monkeypatch, 1)


@pytest.fixture
def shared(monkeypatch):
    """The pieces that were shared out."""
    share_out, noted = threads.share_out, []

    def spied(new_tile, some, count):
        noted.extend(some)
        return share_out(new_tile, some, count)

    monkeypatch.setattr(threads, "share_out", spied)
    return noted


def results(function, *arrays, count, **options):
    """What a Session gives for function(placeholders), by so many threads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINIGRAD_THREADS", str(count))
        with mg.Graph() as graph:
            xs = [mg.placeholder(f"x{i}", x.shape, x.dtype) for i, x in enumerate(arrays)]
            fetches = function(*xs)
        found = mg.Session(graph, **options).run(fetches, dict(zip(xs, arrays)))
        return found if isinstance(found, list) else [found]


def wave(x):
    y = mg.tanh(x * 1.5) + mg.exp(-x * x)
    return y * mg.sin(x)


CASES = {
    "one array": (wave, X),
    "single precision": (wave, X.astype(np.float32)),
    "a sum": (lambda x: mg.sum(wave(x)), X),
    "arrays and sums": (lambda x: [wave(x), mg.sum(wave(x)), mg.sum(x * x)], X),
    "rows that do not lie in one piece": (wave, X[:1_200_000].reshape(1_000, 1_200)[:, ::2]),
    "columns": (wave, np.asfortranarray(X[:1_200_000].reshape(1_000, 1_200))),
    "a row for all": (lambda x, b: wave(x + b), X[:1_200_000].reshape(1_000, 1_200), X[:1_200]),
    "gradients": (lambda x: mg.gradients(mg.sum(wave(x)), [x]), X),
    "whole numbers": (lambda x: mg.sum(x * x + x), (X * 100).astype(np.int64)),
}


@pytest.mark.parametrize("name", CASES)
def test_the_bits_do_not_depend_on_the_number_of_threads(name, shared):
    function, *arrays = CASES[name]
    one = results(function, *arrays, count=1)
    for count in (2, 3, 7):
        shared.clear()
        several = results(function, *arrays, count=count)
        assert len(shared) >= threads.LEAST_TILES - 2
        for a, b in zip(one, several, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.lane
def test_machine_code_on_several_threads():
    pytest.importorskip("numba")
    for function in (lambda x: x * 1.5 + x, lambda x: mg.sum(x * 1.5 + x)):
        one, three = (results(function, X, count=n, backend="numba") for n in (1, 3))
        np.testing.assert_array_equal(one, three)


def pieces(count):
    return [(i, i + 1) for i in range(count)]


def test_two_threads_compute_at_the_same_time(monkeypatch):
    monkeypatch.setenv("MINIGRAD_THREADS", "2")
    meeting, seen = threading.Barrier(2, timeout=60), set()

    def new_tile():
        def tile(start, stop):
            if start >= 2 and threading.get_ident() not in seen:  # the first two run alone
                seen.add(threading.get_ident())
                meeting.wait()  # both must come
            return [start]

        return tile

    assert threads.run_apart(new_tile, pieces(99)) == [[i] for i in range(99)]
    assert len(seen) == 2


def test_the_rest_stays_in_one_thread_where_several_were_not_quicker(monkeypatch, shared):
    monkeypatch.setenv("MINIGRAD_THREADS", "4")
    say_it_took(monkeypatch, 0)
    found = threads.run_apart(lambda: lambda start, stop: [start], pieces(1_000))
    assert found == [[i] for i in range(1_000)]
    assert 4 <= len(shared) < 100


def test_several_threads_get_larger_tiles_where_there_are_enough(monkeypatch):
    least = threads.LEAST_TILES * threads.WIDER
    one, several = (1, threads.run_one_by_one), (threads.WIDER, threads.run_apart)
    for count, tiles, plan in (("1", 10**6, one), ("2", least, several), ("2", least - 1, one)):
        monkeypatch.setenv("MINIGRAD_THREADS", count)
        assert threads.plan_tiles(tiles) == plan


def test_an_error_in_any_thread_comes_out_once(monkeypatch):
    monkeypatch.setenv("MINIGRAD_THREADS", "3")

    def tile(start, stop):
        if start == 70:
            raise FloatingPointError("here")
        return []

    with pytest.raises(FloatingPointError, match="here"):
        threads.run_apart(lambda: tile, pieces(200))
    threads.run_apart(lambda: lambda *_: [], pieces(200))  # the threads live on


def test_what_numpy_does_about_overflow_holds_in_all_threads():
    x = np.full(SIZE, 800.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with np.errstate(all="ignore"):
            assert np.isinf(results(mg.exp, x, count=3)[0]).all()
    with np.errstate(over="raise"), pytest.raises(Exception, match="overflow"):
        results(lambda x: mg.exp(x) * 2, x, count=3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_threads_of_its_own():
    before = results(wave, X, count=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads
        child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(results(wave, X, count=3), before) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_where_no_thread_can_be_had_one_does_all(monkeypatch):
    def no_thread(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "pool_of", no_thread)
    np.testing.assert_array_equal(results(wave, X, count=3), results(wave, X, count=1))


def test_how_many_threads(monkeypatch):
    monkeypatch.delenv("MINIGRAD_THREADS", raising=False)
    assert 1 <= threads.count_threads() <= os.cpu_count()
    monkeypatch.setenv("MINIGRAD_THREADS", "5")
    assert threads.count_threads() == 5
    for wrong in ("0", "-1", "two", "1.5", ""):
        monkeypatch.setenv("MINIGRAD_THREADS", wrong)
        with pytest.raises(ArgumentError, match="a number of threads"):
            threads.count_threads()
