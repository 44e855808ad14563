"""nbgrader's markup: what is taken out of the instructor's notebook, and what is put in."""

import ast
import functools
import re
import warnings

from minigrad.core.errors import ArgumentError

MARKERS = re.compile(r"^[ \t]*###[ \t]*(BEGIN|END)[ \t]+(SOLUTION|HIDDEN TESTS)[ \t]*$")
FOR_AUTHORS = re.compile(r"<!-- Change:.*?-->\n*", re.DOTALL)  # what `new` tells an author
STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
WRITTEN_STUB = "YOUR ANSWER HERE"


class MarkupError(ArgumentError):
    """Markers that do not come in pairs, an answer without a marked solution, a check without
    points; its place is the cell."""

    def __init__(self, cell, message, hint="correct the markers"):
        super().__init__(message, hint, f"the cell '{cell.name}'")


def regions(cell):
    """(lines outside, lines of solutions, lines of hidden tests), of one `Cell`."""
    outside, inside, kind, indent = [], {"SOLUTION": [], "HIDDEN TESTS": []}, None, ""
    for line in cell.source.splitlines():
        found = MARKERS.match(line)
        if found is None:
            (inside[kind] if kind else outside).append(line)
        elif found[1] == "BEGIN" and kind is None:
            kind, indent = found[2], line[: len(line) - len(line.lstrip())]
            if kind == "SOLUTION":
                outside += [indent + part for part in STUB]
        elif found[1] == "END" and kind == found[2]:
            kind = None
        else:
            raise MarkupError(cell, f"'{line.strip()}' has no partner")
    if kind:
        raise MarkupError(cell, f"'### BEGIN {kind}' is never ended")
    return outside, inside["SOLUTION"], inside["HIDDEN TESTS"]


def released_text(cell):
    """The text of a `Cell` as students get it."""
    outside, solution, _ = regions(cell)
    if cell.role in ("answer", "written") and cell.kind != "code":
        return WRITTEN_STUB
    if cell.role == "answer" and not solution and STUB[0] not in cell.source:
        raise MarkupError(cell, f"the answer cell '{cell.name}' marks no solution")
    text = "\n".join(outside)
    return text if cell.kind == "code" else FOR_AUTHORS.sub("", text)


def cell_points(cell):
    """The points of a `Cell` with checks, or of one that is graded by hand."""
    found = cell.mark.get("points")
    if type(found) not in (int, float) or not 0 <= found < float("inf"):
        raise MarkupError(cell, f"points are {found}", "write a number as the cell's points")
    return found


def key_text(cell):
    """The text of a `Cell` with its solutions and without the marker lines."""
    lines = cell.source.splitlines()
    return "\n".join(line for line in lines if not MARKERS.match(line))


def parse_quietly(read):
    """What `read` makes of a cell, without a warning; None when it is not Python."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return read()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@functools.lru_cache(1000)
def defined_names(source):
    """The names that a cell defines at its top level; none when it does not parse."""
    tree = parse_quietly(lambda: ast.parse(source))
    body = tree.body if tree else []
    return frozenset(name for statement in body for name in names_of(statement))


def names_of(statement):
    """The names that one statement binds, as far as assignments and definitions go."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, ast.Assign):
        parts = [node for target in statement.targets for node in ast.walk(target)]
        return {node.id for node in parts if isinstance(node, ast.Name)}
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return {statement.target.id}
    return set()
