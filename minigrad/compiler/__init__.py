"""From a Program to what runs in its place: rewritten, put in order, given its memory.

Everything here can be left out: `Session(optimize=False, backend="numpy")` runs a program as it is.
"""

from typing import NamedTuple

from minigrad.compiler import checkpoint  # gives nodes what gradients(…, checkpoints=…) asks for
from minigrad.compiler.codegen import Generated
from minigrad.compiler.memory import Plan
from minigrad.compiler.pipeline import optimized
from minigrad.compiler.schedule import scheduled
from minigrad.compiler.updates import may_raise, written_over
from minigrad.compiler.verify import check_plan, check_program, check_value
from minigrad.interpret import Interpreter
from minigrad.program import Program


def interpreter(program, plan, options):
    """The plain interpretation, in the order of a plan."""
    return Interpreter(program, plan.order, check_value if options.debug else None)


BACKENDS = {"codegen": Generated, "numpy": interpreter}


class Compiled(NamedTuple):
    """A program as it runs, its `report` of passes, its memory, and its backend's `runner`.

    `over` maps the index of a store to the order of the variable that it is written over.
    """

    program: Program
    report: list
    plan: Plan
    runner: object
    over: dict


def compiled(program, options):
    """The Compiled form of a program that was cut out of a graph."""
    report, before = [], program
    if options.optimize:
        program, report = optimized(program, options)
    for stage in (before, *(step.program for step in report)) if options.debug else ():
        check_program(stage)
    results = {n.order for n in program.roots()}
    plan = scheduled(program, results)
    if options.debug:
        check_plan(plan, results)
    runner = BACKENDS[options.backend](program, plan, options)
    return Compiled(program, report, plan, runner, written_over(program, plan))
