"""The model of more workers: the simulation is its formula where nobody is slow."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.workers.costs import Costs, ring_seconds, server_seconds, simulate

COSTS = Costs(task=0.01, more=0.002, byte_out=1e-8, byte_back=3e-8)
FORMULAS = {"server": server_seconds, "ring": ring_seconds}


@pytest.mark.parametrize("scheme", FORMULAS)
@pytest.mark.parametrize("workers", [1, 2, 3, 10, 100, 1000])
@pytest.mark.parametrize("size", [0, 1e4, 1e7])
def test_without_jitter_the_events_give_the_formula(scheme, workers, size):
    expected = FORMULAS[scheme](COSTS, 2.0, size, workers)
    assert simulate(scheme, COSTS, 2.0, size, workers) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("scheme", FORMULAS)
def test_who_is_slow_holds_all_others_up(scheme):
    calm = simulate(scheme, COSTS, 2.0, 1e5, 20)
    held = [simulate(scheme, COSTS, 2.0, 1e5, 20, jitter=0.3, seed=seed) for seed in range(20)]
    assert min(held) >= calm and np.mean(held) > calm


def test_a_server_has_a_best_number_of_workers_and_a_ring_holds_longer():
    counts = range(1, 1001)
    server = [server_seconds(COSTS, 10.0, 1e6, n) for n in counts]
    ring = [ring_seconds(COSTS, 10.0, 1e6, n) for n in counts]
    each = COSTS.more + 1e6 * (COSTS.byte_out + COSTS.byte_back)
    assert abs(counts[int(np.argmin(server))] - np.sqrt(10.0 / each)) < 1
    assert np.argmin(ring) > np.argmin(server) and min(ring) < min(server)


def test_odd_questions_are_refused():
    with pytest.raises(mg.ArgumentError, match="'star' is not a scheme"):
        simulate("star", COSTS, 1.0, 1.0, 2)
    with pytest.raises(mg.ArgumentError, match="0 workers"):
        simulate("ring", COSTS, 1.0, 1.0, 0)
