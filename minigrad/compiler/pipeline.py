"""The passes over a Program, each one pure function: program → (program, notes)."""

from collections.abc import Callable
from typing import NamedTuple

from minigrad.compiler.cse import cse
from minigrad.compiler.fold import fold
from minigrad.compiler.fuse import fuse
from minigrad.compiler.loops import merge_loops
from minigrad.compiler.prune import prune
from minigrad.compiler.schedule import schedule_program
from minigrad.compiler.simplify import simplify
from minigrad.compiler.softmax import merge_softmax
from minigrad.compiler.verify import check_plan, check_program
from minigrad.core.ops.nn import CrossEntropy
from minigrad.static.control.loop import Loop
from minigrad.static.program import Program

REPEATED = [fold, simplify, cse]  # they open chances for one another
ROUNDS = 5  # of them, at most
# backend → the names of passes whose work it does itself: XLA merges loops
LEFT_OUT = {"jax": ("merge_softmax", "fuse")}
ONCE = [merge_loops, merge_softmax, prune, fuse]  # in this order, afterwards
NEEDS = {
    merge_loops: Loop,
    merge_softmax: CrossEntropy,
}  # a pass → the op without which it changes nothing

WORDS = {  # a pass → what a reader calls it, and why it is worth its time
    "prune": ("drop what no result needs", "Nothing that is asked for is computed from it."),
    "fold": ("fold constants", "Nodes that read only constants are computed before the run."),
    "simplify": ("simplify by equations", "An equation gives the same value with less work."),
    "cse": ("merge equal nodes", "The same operation on the same inputs is computed only once."),
    "merge_loops": ("merge equal loops", "Two loops that do the same run only once."),
    "merge_softmax": ("share exponentials", "A loss and its gradient need the same exponentials."),
    "fuse": ("fuse", "These operations run as one kernel, without arrays between them."),
}


class PassReport(NamedTuple):
    """What one pass did: nodes before and after, and a note for each change."""

    name: str
    before: int
    after: int
    notes: list
    program: Program

    @property
    def title(self):
        """What a reader calls the pass, with its own name where that is another: "merge equal
        nodes (cse)"."""
        words, _ = WORDS[self.name]
        return words if self.name in words else f"{words} ({self.name})"

    @property
    def purpose(self):
        """Why the pass is worth its time, in a sentence."""
        return WORDS[self.name][1]

    def __str__(self):
        lines = [f"{self.name}: {self.before} → {self.after} nodes"]
        lines += [f"  {note}" for note in self.notes]
        return "\n".join(lines)


def find_pass(name):
    """The pass of a report."""
    (found,) = {step for step in (prune, *REPEATED, *ONCE) if step.__name__ == name}
    return found


def optimize_program(program, options):
    """(program, reports): all passes, the cheap ones again while they still find something."""
    reports, count = [], len(program.nodes())

    def run(step: Callable):
        nonlocal program, count
        before, notes = count, []
        needed = NEEDS.get(step)
        if needed is None or any(issubclass(node.op, needed) for node in program.nodes()):
            program, notes = step(program, options)
            count = len(program.nodes())
        reports.append(PassReport(step.__name__, before, count, notes, program))
        return bool(notes)

    run(prune)
    quiet = 0  # how many found nothing since the last change: when all did, none finds more
    for step in REPEATED * ROUNDS:
        quiet = 0 if run(step) else quiet + 1
        if quiet == len(REPEATED):
            break
    left_out = LEFT_OUT.get(options.backend, ())
    for step in ONCE:
        if step.__name__ not in left_out:
            run(step)
    return program, reports


def plan_program(program, options):
    """(program, reports, Plan): the passes, unless they are left out, and then an order and memory.

    A program is checked here in debug mode, after every pass.
    """
    report, before = [], program
    if options.optimize:
        program, report = optimize_program(program, options)
    for stage in (before, *(step.program for step in report)) if options.debug else ():
        check_program(stage)
    results = {n.order for n in program.roots()}
    plan = schedule_program(program, results)
    if options.debug:
        check_plan(plan, results)
    return program, report, plan
