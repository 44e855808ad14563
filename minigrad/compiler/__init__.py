"""From a Program to what runs in its place: rewritten, put in order, given its memory.

Everything here can be left out: `Session(optimize=False, backend="numpy")` runs a program as it is.
"""

from typing import Any, NamedTuple

from minigrad.compiler.bodies import write_choice
from minigrad.compiler.codegen import WRITERS, Generated
from minigrad.compiler.iterations import write_loop
from minigrad.compiler.memory import Plan
from minigrad.compiler.pipeline import plan_program
from minigrad.compiler.schedule import schedule_program
from minigrad.compiler.updates import can_raise, find_overwritten
from minigrad.compiler.verify import check_value
from minigrad.core.modes import no_search_for_garbage
from minigrad.static.control.choice import Cond
from minigrad.static.control.loop import Scan, While
from minigrad.static.interpret import Interpreter
from minigrad.static.program import Program, cut, find_needed
from minigrad.static.statements import Print

__all__ = ["BACKENDS", "can_raise", "compile_program", "explain", "schedule_program"]


def new_interpreter(program, plan, options):
    """The plain interpretation, in the order of a plan."""
    return Interpreter(program, plan.order, check_value if options.debug else None)


def new_jax_program(program, plan, options):
    """The program compiled by JAX. Raises ArgumentError where JAX is not installed."""
    from minigrad import on_jax

    return on_jax.new_program(program, plan)


WRITERS.update({Cond: write_choice, Scan: write_loop, While: write_loop})
BACKENDS: dict[str, Any] = {"codegen": Generated, "numpy": new_interpreter, "jax": new_jax_program}


class Compiled(NamedTuple):
    """A program as it runs, its `report` of passes, its memory, and its backend's `runner`.

    `donated` maps the index of a store to the order of the variable that it is written over.
    """

    program: Program
    report: list
    plan: Plan
    runner: object
    donated: dict


def compile_program(fetches: Any, specs: Any, options: Any) -> Compiled:
    """The Compiled form of what fetches need, where nodes are fed by `specs`, as for `cut`."""
    with no_search_for_garbage():  # as a decorator it would stand in errors as the learner's line
        program, report, plan = plan_program(cut(fetches, specs), options)
        runner = BACKENDS[options.backend](program, plan, options)
        # after the runner: which steps write late depends on the kernels that a backend compiled
        donated = find_overwritten(program, plan) if program.stores else {}
        return Compiled(program, report, plan, runner, donated)


def explain(executable: Any) -> str:
    """What became of a graph, as a text: the passes, the memory, and what will not run."""
    lines = [str(step) for step in executable.report if step.notes] or ["no pass changed anything"]
    lines.append(str(executable.plan))
    lines += getattr(executable.runner, "fallbacks", [])
    if executable.recomputed:
        lines.append(f"{len(executable.recomputed)} nodes are computed again from checkpoints")
    run = {n.order for n in find_needed(executable.fetches, {n.order for n in executable.feeds})}
    silent = [n for n in executable.session.graph.nodes if n.op is Print and n.order not in run]
    lines += [f"print_ made at {n.line} does not run: nothing fetched needs it" for n in silent]
    return "\n".join(lines)
