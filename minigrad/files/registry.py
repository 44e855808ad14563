"""The ops that a file may name, and how many operands and which parameters they have."""

import functools
import inspect

import numpy as np

from minigrad.core import op as base
from minigrad.core import ops
from minigrad.core.op import Op
from minigrad.static import graph, statements
from minigrad.static.control import bundle, choice, loop

FAMILIES = (*ops.FAMILIES, bundle, choice, loop)
STATEMENTS = (base.ZerosLike, statements.Assign, statements.Print, graph.Group)
SOURCES = (graph.PlaceholderOp, graph.ConstantOp, graph.VariableOp, graph.RunIndex)


def ops_of(module):
    """The ops that a family defines and that can be computed."""
    return [
        op
        for op in vars(module).values()
        if isinstance(op, type)
        and issubclass(op, Op)
        and op.__module__ == module.__name__
        and hasattr(op, "compute")
        and hasattr(op, "infer")
    ]


OPS = {op.__name__: op for op in [*STATEMENTS, *(op for f in FAMILIES for op in ops_of(f))]}
NAMES = {op: op.__name__ for op in (*OPS.values(), *SOURCES)}


@functools.cache
def operands_of(op):
    """(number of operands or None for any, names of the parameters) of an op."""
    return signature(op.compute if op.elementwise else op.infer)


def signature(rule):
    """(number of operands or None for any, names of the parameters) of an op's rule."""
    if isinstance(rule, np.ufunc):
        return rule.nin, []
    if rule is np.where:
        return 3, []
    parameters = [p for p in inspect.signature(rule).parameters.values() if p.name != "out"]
    kinds = [(p.kind, p.name) for p in parameters if p.default is p.empty]
    names = [name for kind, name in kinds if kind is inspect.Parameter.KEYWORD_ONLY]
    if inspect.Parameter.VAR_POSITIONAL in dict(kinds):
        return None, names
    return len(kinds) - len(names), names
