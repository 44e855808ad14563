"""Searches seeds for a program that fails; usable in a process of its own."""

from collections import Counter

from fuzz.check import judged
from fuzz.drawing import draw_program
from fuzz.features import pairs


def failure_of(seed, stage=None):
    """The Failure of a seed's program, or None; of one stage of judging (see check.py), or all."""
    return judged(draw_program(seed), stage).failure


def judged_block(block):
    """(first seed, counts, pairs met, failing seeds) of a block (first seed, programs)."""
    first, count = block
    counts, met, failing = Counter(), Counter(), []
    for seed in range(first, first + count):
        program = draw_program(seed)
        outcome = judged(program)
        counts += outcome.counts
        met.update(pairs(program))
        failing += [seed] * (outcome.failure is not None)
    return first, dict(counts), dict(met), failing
