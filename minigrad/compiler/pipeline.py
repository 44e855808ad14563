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


class Pass(NamedTuple):
    """A pass: its function, what a reader calls it, why it is worth its time in a sentence of at
    most 80 characters, and the op without which it changes nothing."""

    run: Callable
    title: str
    purpose: str
    needs: type | None = None

    @property
    def name(self):
        """The name of its function."""
        return self.run.__name__


PRUNE = Pass(prune, "drop what no result needs", "Nothing that is asked for is computed from it.")
REPEATED = [  # they open chances for one another
    Pass(fold, "fold constants", "Nodes that read only constants are computed before the run."),
    Pass(simplify, "simplify by equations", "An equation gives the same value with less work."),
    Pass(cse, "merge equal nodes", "The same operation on the same inputs is computed only once."),
]
ROUNDS = 5  # of them, at most
ONCE = [  # in this order, afterwards
    Pass(merge_loops, "merge equal loops", "Two loops that do the same run only once.", Loop),
    Pass(
        merge_softmax,
        "share exponentials",
        "A loss and its gradient need the same exponentials.",
        CrossEntropy,
    ),
    PRUNE,
    Pass(fuse, "fuse", "These operations run as one kernel, without arrays between them."),
]
# backend → the names of passes whose work it does itself: XLA fuses
LEFT_OUT = {"jax": ("merge_softmax", "fuse")}


class PassReport(NamedTuple):
    """What one pass did: nodes before and after, and a note for each change."""

    step: Pass
    before: int
    after: int
    notes: list
    program: Program

    @property
    def name(self):
        """The name of the pass."""
        return self.step.name

    @property
    def title(self):
        """What a reader calls the pass, with its own name where that is another: "merge equal
        nodes (cse)"."""
        words = self.step.title
        return words if self.name in words else f"{words} ({self.name})"

    @property
    def purpose(self):
        """Why the pass is worth its time, in a sentence."""
        return self.step.purpose

    def __str__(self):
        lines = [f"{self.name}: {self.before} → {self.after} nodes"]
        lines += [f"  {note}" for note in self.notes]
        return "\n".join(lines)


def find_pass(name):
    """The function of the pass with this name."""
    (found,) = {step.run for step in (PRUNE, *REPEATED, *ONCE) if step.name == name}
    return found


def optimize_program(program, options):
    """(program, reports): all passes, the cheap ones again while they still find something."""
    reports, count = [], len(program.nodes())

    def run(step: Pass):
        nonlocal program, count
        before, notes = count, []
        if step.needs is None or any(issubclass(node.op, step.needs) for node in program.nodes()):
            program, notes = step.run(program, options)
            count = len(program.nodes())
        reports.append(PassReport(step, before, count, notes, program))
        return bool(notes)

    run(PRUNE)
    quiet = 0  # how many found nothing since the last change: when all did, none finds more
    for step in REPEATED * ROUNDS:
        quiet = 0 if run(step) else quiet + 1
        if quiet == len(REPEATED):
            break
    left_out = LEFT_OUT.get(options.backend, ())
    for step in ONCE:
        if step.name not in left_out:
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
