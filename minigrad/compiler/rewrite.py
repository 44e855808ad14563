"""Rewrite rules as equations, and the driver that applies them.

A rule is a function of holes that returns two formulas, `before, after`. The fourth meaning of
one call: `x * 1` on a hole x is a pattern.
"""

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from minigrad.compiler.layout import can_be_view, has_same_layout, users_of
from minigrad.core.op import explain_error
from minigrad.core.operators import Operand
from minigrad.core.spec import Spec, is_scalar, scalar_like, spec_of
from minigrad.static.graph import Constant, ConstantOp, Graph, Node
from minigrad.static.program import copy_node, emit, emit_constant


def rebuild_program(program, visit):
    """The program with `visit(graph, node, inputs)` in the place of each node; inputs are new."""
    graph, new = Graph(program.graph.name), {}
    for node in program.nodes():
        new[node.order] = visit(graph, node, [new[x.order] for x in node.inputs])
    return move_program(program, graph, new)


def move_program(program, graph, new):
    """The program in another graph; `new` maps the order of its nodes to theirs there."""
    return replace(
        program,
        graph=graph,
        fetches=[None if n is None else new[n.order] for n in program.fetches],
        stores=[(v, new[n.order]) for v, n in program.stores],
        effects=[new[n.order] for n in program.effects],
        feeds={k: new[n.order] for k, n in program.feeds.items() if n.order in new},
        variables={k: new[n.order] for k, n in program.variables.items() if n.order in new},
    )


class Hole(Operand):
    """A variable of a pattern, which stands for any node."""

    __slots__ = ("name", "op", "inputs", "params")
    priority = 3
    shape = property(lambda self: ())
    dtype = property(lambda self: np.dtype(float))

    def __init__(self, name, op=None, inputs=(), params=None):
        self.name, self.op, self.inputs, self.params = name, op, inputs, params or {}

    def extend(self, op, inputs, params):
        """A larger pattern."""
        return Hole(None, op, inputs, params)


class Rule(NamedTuple):
    """An equation before = after, and why; `witness` is an input on which it changes bits."""

    name: str
    equation: str
    before: Hole
    after: object
    holes: tuple
    function: Callable
    witness: tuple


def rule(function):
    """The Rule that a function of holes states: its docstring is the equation in words."""
    names = list(inspect.signature(function).parameters)
    holes = [Hole(name) for name in names]
    before, after = function(*holes)
    equation, witness = function.__doc__.split("\n")[0], getattr(function, "witness", None)
    equation = equation.rstrip(".")
    return Rule(function.__name__, equation, before, after, tuple(holes), function, witness)


def breaks(*witness):
    """Marks a rule that is not exact, with operands on which both sides differ."""

    def marked(function):
        function.witness = witness
        return function

    return marked


# matching ----------------------------------------------------------------------------------------


def match(pattern, node, found):
    """True when `node` has the pattern's form; fills `found`, hole → node."""
    if type(pattern) is not Hole:
        return isinstance(node, Constant) and is_filled_with(node.value, pattern)
    if pattern.op is None:
        return found.setdefault(pattern, node) is node
    if node.op is not pattern.op or node.params != pattern.params:
        return False
    if len(node.inputs) != len(pattern.inputs):
        return False
    for p, x in zip(pattern.inputs, node.inputs):  # noqa: SIM110  most matches fail here: quickly
        if not match(p, x, found):
            return False
    return True


def has_alike_dtypes(pattern, node):
    """True when all that a pattern meets has the node's dtype, and that can be negative.

    So nothing is cast between two steps of an equation, and -x is what it is in algebra.
    """
    if node.dtype.kind not in "if":
        return False
    return all(
        x.dtype == node.dtype and (type(p) is not Hole or p.op is None or has_alike_dtypes(p, x))
        for p, x in zip(pattern.inputs, node.inputs)
    )


def is_filled_with(array, number):
    """True when every entry is this number, zeros of the same sign."""
    return (
        array.size > 0
        and bool(np.all(array == number))
        and (number != 0 or bool(np.all(np.signbit(array) == np.signbit(number))))
    )


def build_node(graph, pattern, found, origin):
    """The node of a pattern's right-hand side."""
    if isinstance(pattern, Hole) and pattern.op is None:
        return found[pattern]
    parts = {p: build_node(graph, p, found, origin) for p in pattern.inputs if not is_scalar(p)}
    dtypes = [node.dtype for node in parts.values()]
    nodes = [
        emit_constant(graph, scalar_like(p, dtypes), origin) if is_scalar(p) else parts[p]
        for p in pattern.inputs
    ]
    return apply_op(graph, pattern.op, nodes, pattern.params, origin)


def apply_op(graph, op, nodes, params, origin):
    """A new node op(nodes) of a program."""
    try:
        spec = op.infer(*map(spec_of, nodes), **params)
    except Exception as error:
        raise explain_error(error, op, nodes, params, origin.line) from None
    return emit(graph, op, nodes, params, Spec(*spec), origin)


# applying ----------------------------------------------------------------------------------------


class Note(NamedTuple):
    """One thing that a pass did: to which node of the program before it, and why.

    `what` is for readers. Programs read `kind`: "removed", "merged" with another node, "folded"
    into a constant, "replaced" by another computation, "rewritten" by an equation, or "fused" into
    a kernel. `other` is the node that stays in its place.
    """

    node: Node
    what: str
    kind: str = "replaced"
    other: Node | None = None

    @property
    def line(self):
        """The learner's line that made the node."""
        return self.node.line

    def __str__(self):
        return f"{describe_in_note(self.node)}: {self.what}"


def describe_in_note(node):
    """What a note calls a node: its op, its name, its shape."""
    return f"{node.op}{' ' + node.name if node.name else ''} {spec_of(node)}"


def rewrite_program(program, rules, more=()):
    """(program, notes): each rule applied wherever its left side is found, inputs first.

    A rule counts only where both sides have the same shape and dtype, and its view does not take
    the place of a computed value from whose readers other bits would come. `more` are functions
    (graph, node) → a replacement with its reason, or None, marked by `applied_to`.
    """
    known, notes, scratch = {}, [], Graph()

    def ways(graph, node):  # nearly all nodes are of few forms, and most forms of no rule's
        form = node.op, *[x.op for x in node.inputs]
        if form not in known:
            known[form] = find_rules(form, rules), [f for f in more if f.applies(*form)]
        return replacements(graph, node, *known[form]) if any(known[form]) else ()

    if not any(any(ways(scratch, n)) for n in program.nodes()):
        return program, notes
    users = users_of(program)

    def visit(graph, node, inputs):
        new = copy_node(graph, node, inputs)
        for _ in range(8):  # rules make terms smaller; the cap is for rules of one's own
            steps, readers = ways(graph, new), users.get(node.order, ())
            step = steps and next((s for s in steps if can_stand_in(s[0], new, readers)), None)
            if not step:
                break
            notes.append(Note(node, step[1], "rewritten"))
            new = step[0]
        return new

    return rebuild_program(program, visit), notes


def applied_to(applies):
    """Marks a function for rewrite_program: `applies(op, *ops of its operands)` says to which nodes
    it may apply."""

    def marked(function):
        function.applies = applies
        return function

    return marked


def find_rules(form, rules):
    """The rules whose left side may be a node of this form: its op, and the ops of its operands."""
    op, *operands = form
    return [
        r
        for r in rules
        if r.before.op is op
        and len(r.before.inputs) == len(operands)
        and all(map(can_match_op, r.before.inputs, operands))
    ]


def can_match_op(pattern, op):
    """True when what a pattern stands for may be computed by an op."""
    return op is ConstantOp if type(pattern) is not Hole else pattern.op in (None, op)


def can_stand_in(new, node, users):
    """True when a replacement lies in memory as the node does, or its readers do not mind."""
    return has_same_layout(new, node) or can_be_view(users)


def replacements(graph, node, rules, more):
    """(replacement, reason) for each rule that applies to a node."""
    for r in rules:
        found = {}
        if match(r.before, node, found) and has_alike_dtypes(r.before, node):
            result = found[r.after] if r.after in found else build_node(graph, r.after, found, node)
            if (result.shape, result.dtype) == (node.shape, node.dtype):
                yield result, r.equation
    for function in more:
        step = function(graph, node)
        if step is not None and (step[0].shape, step[0].dtype) == (node.shape, node.dtype):
            yield step
