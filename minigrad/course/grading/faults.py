"""Whose mistake an exception of a check is: the check's own, where nothing of the student's answer
reaches the expression that raised.

A name is reached when it is bound to something that reads a reached one, or is handed one to keep.
Who calls comes first: what is given to a helper of the checks decides about the helper, too.
"""

import ast
import functools
from pathlib import Path

FREE = ("rng", "measure")  # fixtures of a check that know nothing of the student
COMPARES = "expect"  # keeps nothing of what it is given
BINDING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.comprehension)
BINDING += (ast.withitem, ast.FunctionDef)


def is_own_error(error, checks):
    """Whether an expression of the file `checks` raised that nothing of the student's reaches."""
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
    """Whether something of the student's reaches the expression at a place; so it is taken where
    the place is not known."""
    begin, end = place
    if None in (*begin, *end):
        return True
    for statement in parse_checks(path).body:
        if statement.lineno <= begin[0] <= statement.end_lineno:
            known = reached_names(statement)
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


def reached_names(statement):
    """The names in a function or class of the checks that something of the student's reaches."""
    known, before = arrival_names(statement), None
    while known != before:
        before = set(known)
        for node in ast.walk(statement):
            known |= newly_reached(node, known)
    return known


def arrival_names(statement):
    """Where it comes in: what a function is given, but for the fixtures that are free of it, and
    what was caught."""
    walked = list(ast.walk(statement))
    given = {node.arg for node in walked if isinstance(node, ast.arg)}
    caught = {node.name for node in walked if isinstance(node, ast.ExceptHandler) and node.name}
    return (given - {*FREE}) | caught


def newly_reached(node, known):
    """The names that a node binds, or hands something to keep, where it reads one of `known`."""
    if not isinstance(node, (*BINDING, ast.Call)) or not reads(node, known):
        return set()
    if isinstance(node, ast.Call):
        return receivers(node, known)
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    return {name.id for target in targets(node) for name in names_in(target)}


def reads(node, known):
    """Whether a node reads one of the names; a loop, what it goes through, not its body."""
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
    """The names of plain variables that a call may put something reached into: that of the method,
    and the arguments of another function than `expect`."""
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
