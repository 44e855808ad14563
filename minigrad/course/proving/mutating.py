"""Small faults of Python code, made by machine: one place changed, in each way of a table."""

import ast
import copy
from typing import NamedTuple

SWAPS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.MatMult: ast.Mult,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.And: ast.Or, ast.Or: ast.And,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ONE_SIDED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)
DROPPED = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Delete, ast.Raise, ast.Break)
DROPPED += (ast.Continue, ast.Return, ast.Assert, ast.For, ast.While)
EITHER_WAY = {"max", "min"}  # the same number, whatever comes first
WRAPPERS = {"reversed", "sorted", "list", "tuple", "set", "abs", "sum", "max", "min", "float"}


class Mutant(NamedTuple):
    """One fault: where it is, `old → new` of the statement, and the whole text with it."""

    place: str
    change: str
    source: str


def mutants(source):
    """Every `Mutant` of `source`, in the order of its lines; no two have the same text."""
    tree = ast.parse(source)
    seen = {ast.unparse(tree)}
    for holder, key, node, where in list(sites(tree, Surroundings())):
        for changed in change_node(node):
            if isinstance(changed, (ast.Tuple, ast.List)) and is_in_any_order(holder, key):
                continue
            before = where.text()
            put(holder, key, changed)
            text, after = ast.unparse(ast.fix_missing_locations(tree)), where.text(changed)
            put(holder, key, node)
            if text not in seen:
                seen.add(text)
                yield Mutant(where.path, f"{before} → {after}", text)


class Surroundings(NamedTuple):
    """The names around a place, and the innermost statement that it lies in."""

    path: str = ""
    statement: ast.stmt | None = None

    def text(self, instead=None):
        """The statement in a line, without what a compound one holds; `instead` replaces it
        when it is itself a statement."""
        shown = instead if isinstance(instead, ast.stmt) else self.statement
        if hasattr(shown, "body"):
            shown = copy.copy(shown)
            shown.body, shown.orelse = [ast.Pass()], []
            return ast.unparse(shown).removesuffix("pass").strip().removesuffix(":")
        return ast.unparse(shown)

    def inside(self, node):
        """The `Where` of what `node` holds."""
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            return Surroundings(f"{self.path}.{node.name}".strip("."), node)
        return self._replace(statement=node) if isinstance(node, ast.stmt) else self


def sites(node, where):
    """(holder, key, child, its `Where`) of all places below `node` but docstrings."""
    for name, value in ast.iter_fields(node):
        entries = enumerate(value) if isinstance(value, list) else [(None, value)]
        for number, child in entries:
            if isinstance(child, ast.AST) and not is_docstring(child):
                inner = where.inside(child)
                yield (node, (name, number), child, inner)
                yield from sites(child, inner)


def put(holder, key, child):
    """Set a field of a node, or one entry of a list in it."""
    name, number = key
    if number is None:
        setattr(holder, name, child)
    else:
        getattr(holder, name)[number] = child


def is_in_any_order(holder, key):
    """Whether what stands in a place is only looked through: in `x in (a, b)`, `except (a, b)`."""
    name, number = key
    looked_through = isinstance(holder, ast.Compare) and name == "comparators"
    if looked_through and isinstance(holder.ops[number], (ast.In, ast.NotIn)):
        return True
    return isinstance(holder, ast.ExceptHandler)


def is_docstring(node):
    """Whether `node` is a text that stands alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def change_node(node):
    """What a slip could write in the place of `node`."""
    if type(node) in SWAPS:
        yield SWAPS[type(node)]()
    if isinstance(node, DROPPED):
        yield ast.Pass()
    if type(node) in SLIPS:
        yield from SLIPS[type(node)](node)


def change_operation(node):
    """The operands the other way round; one of them alone."""
    if isinstance(node.op, ONE_SIDED):
        yield ast.BinOp(node.right, node.op, node.left)
    yield node.left
    yield node.right


def change_update(node):
    """= for +=, and the reverse operation."""
    yield ast.Assign([node.target], node.value)
    if type(node.op) in SWAPS:
        yield ast.AugAssign(node.target, SWAPS[type(node.op)](), node.value)


def change_constant(node):
    """A number off by one, a truth turned round, another word."""
    value, others = node.value, []
    if isinstance(value, bool):
        others = [not value]
    elif isinstance(value, (int, float)):
        others = [value + 1, value - 1]
    elif isinstance(value, str) and value:
        others = [value + "?"]
    return map(ast.Constant, others)


def change_decision(node):
    """Always, and never."""
    return [ast.If(ast.Constant(truth), node.body, node.orelse) for truth in (True, False)]


def change_several(node):
    """The first two the other way round."""
    if len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        yield type(node)([node.elts[1], node.elts[0], *node.elts[2:]], node.ctx)


def change_call(node):
    """Arguments swapped or left out; the argument instead of the call."""
    plain = not any(isinstance(argument, ast.Starred) for argument in node.args)
    if plain and len(node.args) > 1:
        if getattr(node.func, "id", "") not in EITHER_WAY:
            turned = [node.args[1], node.args[0], *node.args[2:]]
            yield ast.Call(node.func, turned, node.keywords)
        yield ast.Call(node.func, node.args[:-1], node.keywords)
    for keyword in node.keywords:
        rest = [other for other in node.keywords if other is not keyword]
        yield ast.Call(node.func, node.args, rest)
    if plain and len(node.args) == 1 and getattr(node.func, "id", "") in WRAPPERS:
        yield node.args[0]


def change_condition(node):
    """All entries, where some are left out."""
    return [ast.comprehension(node.target, node.iter, [], node.is_async)] if node.ifs else []


SLIPS = {
    ast.BinOp: change_operation, ast.AugAssign: change_update, ast.Constant: change_constant,
    ast.If: change_decision, ast.Tuple: change_several, ast.List: change_several,
    ast.Call: change_call, ast.comprehension: change_condition,
    ast.UnaryOp: lambda node: [node.operand],
    ast.IfExp: lambda node: [ast.IfExp(node.test, node.orelse, node.body)],
}  # fmt: skip
