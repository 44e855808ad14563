"""Decides whose fault an exception in a check is. It is the check's own if no value from the
student reaches the expression that raised.

This is a taint analysis of the file of checks. A name is tainted if it is assigned from a tainted
name, or if a tainted value is passed to one of its methods. Outer frames are examined first: the
caller of a helper decides whether its arguments are tainted.
"""

import ast
import functools
from pathlib import Path

FREE = ("rng", "measure")  # fixtures of a check that know nothing of the student
COMPARES = "expect"  # keeps nothing of what it is given
BINDING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.comprehension)
BINDING += (ast.withitem, ast.FunctionDef)


def is_own_error(error, checks):
    """Whether an expression of the file `checks` raised, and no value from the student reaches
    it."""
    trace, path = error.__traceback__, str(checks)
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == path and not reaches(path, expression_span(code, trace.tb_lasti)):
            return True
        trace = trace.tb_next
    return False


def expression_span(code, at):
    """The beginning and the end of the expression of an instruction, each a line and a column."""
    line, last, column, end = list(code.co_positions())[at // 2]
    return (line, column), (last, end)


def reaches(path, place):
    """Whether a value from the student reaches the expression at a place; True if the place is not
    known."""
    begin, end = place
    if None in (*begin, *end):
        return True
    for statement in parse_checks(path).body:
        if statement.lineno <= begin[0] <= statement.end_lineno:
            known = tainted_names(statement)
            inside = [node for node in names_in(statement) if is_between(node, begin, end)]
            return any(node.id in known for node in inside)
    return True


@functools.cache
def parse_checks(path):
    """The checks as a tree."""
    return ast.parse(Path(path).read_text(encoding="utf-8"))


def names_in(node):
    """The names in a tree."""
    return [one for one in ast.walk(node) if isinstance(one, ast.Name)]


def is_between(node, begin, end):
    """Whether a node lies between two places."""
    return begin <= (node.lineno, node.col_offset) and (node.end_lineno, node.end_col_offset) <= end


def tainted_names(statement):
    """The tainted names in a function or class of the checks."""
    known, before = initial_names(statement), None
    while known != before:
        before = set(known)
        for node in ast.walk(statement):
            known |= newly_tainted(node, known)
    return known


def initial_names(statement):
    """The names that are tainted from the start: the arguments of functions, except the fixtures
    that know nothing of the student, and caught exceptions."""
    walked = list(ast.walk(statement))
    given = {node.arg for node in walked if isinstance(node, ast.arg)}
    caught = {node.name for node in walked if isinstance(node, ast.ExceptHandler) and node.name}
    return (given - {*FREE}) | caught


def newly_tainted(node, known):
    """The names that a node taints: if it reads one of `known`, those that it binds, or those to
    whose methods it passes a value."""
    if not isinstance(node, (*BINDING, ast.Call)) or not reads(node, known):
        return set()
    if isinstance(node, ast.Call):
        return receivers(node, known)
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    return {name.id for target in targets(node) for name in names_in(target)}


def reads(node, known):
    """Whether a node reads one of the names. Of a loop, only what it iterates over is examined."""
    source = node
    if isinstance(node, (ast.For, ast.comprehension)):
        source = node.iter
    elif isinstance(node, ast.withitem):
        source = node.context_expr
    return any(name.id in known for name in names_in(source))


def targets(node):
    """What a statement binds."""
    if isinstance(node, ast.withitem):
        return [node.optional_vars] if node.optional_vars else []
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def receivers(call, known):
    """The names of plain variables that a call may put a tainted value into: the object of a
    method, and the arguments of any function except `expect`."""
    function = call.func
    while isinstance(function, (ast.Attribute, ast.Subscript)):
        function = function.value
    if not isinstance(function, ast.Name) or function.id in {*known, COMPARES}:
        return set()
    given = [*call.args, *(word.value for word in call.keywords)]
    if not any(name.id in known for one in given for name in names_in(one)):
        return set()
    plain = {one.id for one in given if isinstance(one, ast.Name)}
    return plain | ({function.id} if function is not call.func else set())
