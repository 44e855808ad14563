"""The passes over a Program, each one pure function: program → (program, notes)."""

from typing import Callable, NamedTuple

from minigrad.passes.blas import accumulate
from minigrad.passes.cse import cse
from minigrad.passes.fold import fold
from minigrad.passes.fuse import fuse
from minigrad.passes.loops import merge_loops
from minigrad.passes.prune import prune
from minigrad.passes.share import share
from minigrad.passes.simplify import simplify
from minigrad.program import Program

ROUNDS = 5  # of the passes that open chances for one another


class PassReport(NamedTuple):
    """What one pass did: nodes before and after, and a note for each change."""

    name: str
    before: int
    after: int
    notes: list
    program: Program

    def __str__(self):
        lines = [f"{self.name}: {self.before} → {self.after} nodes"]
        lines += [f"  {note.node}: {note.what}" for note in self.notes]
        return "\n".join(lines)


def optimized(program, options):
    """(program, reports): all passes, the cheap ones again while they still find something."""
    reports, count = [], len(program.nodes())

    def run(function: Callable):
        nonlocal program, count
        before = count
        program, notes = function(program, options)
        count = len(program.nodes())
        reports.append(PassReport(function.__name__, before, count, notes, program))
        return bool(notes)

    run(prune)
    for _ in range(ROUNDS):
        if not any([run(fold), run(simplify), run(cse)]):
            break
    run(merge_loops)
    run(share)
    run(accumulate)
    run(prune)
    run(fuse)
    return program, reports
