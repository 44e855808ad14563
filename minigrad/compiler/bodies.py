"""Bodies in generated source: a body is a program, written where it runs; and choices.

A body goes through the pipeline as every program does. What comes from outside is fed to it. Of a
loop's body the carries are its variables, and what an iteration returns their new values.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from minigrad.compiler.codegen import FunctionWriter
from minigrad.compiler.layout import is_contiguous
from minigrad.compiler.pipeline import plan_program
from minigrad.compiler.rewrite import rebuild_program
from minigrad.compiler.source import Scope
from minigrad.core.spec import Shape, Spec, spec_of
from minigrad.static.graph import Constant, PlaceholderOp, VariableOp
from minigrad.static.program import copy_node, cut, emit

DEEPEST = 60  # columns of indentation: Python takes 20 blocks inside one another


class ResultPlace(NamedTuple):
    """The place of something that an iteration returns: of a carry, or of a row of a stack."""

    order: int
    shape: Shape
    dtype: Any


class BodyReport(NamedTuple):
    """The `program` of a body `fn` of a node, and what the passes made of it.

    `outside` maps the orders of what is fed to the nodes around it.
    """

    node: Any
    fn: Any
    program: Any
    outside: dict
    report: list


# a body as a program -----------------------------------------------------------------------------


def cut_body(fn, operands, carries, slices):
    """(Program of a body for operands of an outer program, {order: node of that which is fed}).

    Its feeds have the orders of outer nodes, and -1, -2, … for the slices; its variables the
    numbers of the carries. Only values that lie row by row are fed: views of them are made inside,
    so that they lie as outside.
    """
    sliced = range(carries, carries + slices)
    specs = [Spec(x.shape[i in sliced :], x.dtype) for i, x in enumerate(operands)]
    program = cut(fn.outputs, {x.order: spec for x, spec in zip(fn.inputs, specs)})
    places = {x.order: i for i, x in enumerate(fn.inputs)}
    places = {x.order: places[order] for order, x in program.feeds.items()}
    feeds, variables, outside = {}, {}, {}

    def visit(graph, node, inputs):
        i = places.get(node.order)
        if i is None:
            return copy_node(graph, node, inputs)
        if i < carries:
            variables[i] = emit(graph, VariableOp, (), {}, specs[i], node)
            return variables[i]
        if i in sliced:
            feeds[carries - 1 - i] = emit(graph, PlaceholderOp, (), {}, specs[i], node)
            return feeds[carries - 1 - i]
        return bring_in(graph, operands[i], node)

    def bring_in(graph, x, formal):
        if x.shape and not is_contiguous(x):  # single numbers are passed by value
            inputs = [bring_in(graph, y, y) for y in x.inputs]
            return emit(graph, x.op, inputs, x.params, spec_of(x), formal)
        if x.order not in feeds:
            outside[x.order] = x
            feeds[x.order] = emit(graph, PlaceholderOp, (), {}, spec_of(x), formal)
        return feeds[x.order]

    program = rebuild_program(program, visit)
    return replace(program, feeds=feeds, variables=variables), outside


def name_results(program, specs):
    """The program with its results as new values: of the carries, and of the rows of stacks."""
    places = [ResultPlace(i, *spec) for i, spec in enumerate(specs)]
    return replace(program, fetches=[], stores=list(zip(places, program.fetches)))


class BodyWriter(FunctionWriter):
    """Writes a body among the lines of an outer writer, with an arena and names of its own."""

    def __init__(self, outer, node, fn, operands, carries=0, slices=0, stores=False):
        before, outside = cut_body(fn, operands, carries, slices)
        if stores:
            before = name_results(before, map(spec_of, before.fetches))
        program, report, plan = plan_program(before, outer.options)
        around = outer.scope
        around.source.bodies.append(BodyReport(node, fn, before, outside, report))
        within = (node, *around.within)
        scope = Scope(around.source, around.new_mark(), around.indent, within)
        super().__init__(scope, program, plan, outer.options)
        self.invariants = set()  # the orders of what is the same in every iteration
        for order, x in program.feeds.items():
            if order >= 0:
                self.invariants.add(x.order)
                scope.adopt(x, around, outside[order])

    def store_targets(self):
        """None as yet: the loop says where its results go."""
        return {}

    def fetch(self, node, i):
        """As of a program; what comes from outside is not the body's to give away."""
        value = super().fetch(node, i)
        return f"array({value})" if node.order in self.invariants and value[0] == "r" else value

    def hoist(self):
        """Constants, and views of what stays the same, are made before the loop."""
        for node in self.plan.order:
            view = self.allocation(node).base != node.order and node.op.view
            fixed = self.invariants.issuperset(x.order for x in node.inputs)
            if isinstance(node, Constant) or view and fixed:
                self.invariants.add(node.order)
                self.write(node)


# a choice ----------------------------------------------------------------------------------------


def write_choice(outer, node):
    """The lines of a Cond: if, else. False where they cannot be written."""
    if not can_write_body(outer, node.inputs, node.dtype):
        return False
    pred, *operands = node.inputs
    scope, mark = outer.scope, outer.scope.new_mark()
    names = [f"{'r' if spec.shape else 'q'}{mark}{i}" for i, spec in enumerate(node.dtype)]
    branches = [BodyWriter(outer, node, node.params[b], operands) for b in ("then", "otherwise")]
    for head, branch in zip((f"if {scope.name(pred)}:", "else:"), branches):
        scope.line(head + outer.comment(node), node)
        branch.scope.indent += "    "
        branch.write_steps()
        values = [
            branch.fetch(n, i) if n.shape else branch.scope.scalar_name(n)
            for i, n in enumerate(branch.program.fetches)
        ]
        branch.scope.line(f"{', '.join(names)}, = {', '.join(values)}," if names else "pass")
    scope.results[node.order] = names
    return True


def can_write_body(outer, operands, results):
    """True where all lengths are known, and Python takes one more block inside the others."""
    lengths = [n for x in (*operands, *results) for n in x.shape]
    return None not in lengths and len(outer.scope.indent) < DEEPEST
