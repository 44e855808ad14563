"""The ops that a file may name, and how many operands and which parameters they have."""

import functools
import inspect

import numpy as np

from minigrad import graph, ops, statements
from minigrad import op as base
from minigrad.control import bundle, choice, loop
from minigrad.op import Op

FAMILIES = (
    ops.elementwise,
    ops.shape,
    ops.reduce,
    ops.product,
    ops.logic,
    ops.index,
    ops.linalg,
    ops.nn,
    ops.random,
    bundle,
    choice,
    loop,
)
STATEMENTS = (base.ZerosLike, statements.Assign, statements.Print, statements.Group)
SOURCES = {
    op.__name__: op
    for op in (graph.PlaceholderOp, graph.ConstantOp, graph.VariableOp, graph.RunIndex)
}


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
NAMES = {op: name for name, op in {**OPS, **SOURCES}.items()}


@functools.cache
def taken(op):
    """(number of operands or None for any, names of the parameters) of an op."""
    return signature(op.compute if op.elementwise else op.infer)


def signature(rule):
    """(number of operands or None for any, names of the parameters) of an op's rule."""
    if isinstance(rule, np.ufunc):
        return rule.nin, []
    if rule is np.where:
        return 3, []
    parameters = list(inspect.signature(rule).parameters.values())
    parameters = [p for p in parameters if p.name != "out"]
    names = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return None, names
    return len(
        [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty]
    ), names
