"""Plants one slip after another in the derivative rules, for the table of ops to find.

A slip swaps a sign, drops a term or a factor, or swaps two operands of one rule's code. Run it
(python tests/slips.py) for the list of slips and of those that nothing found.
"""

import ast
import inspect
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from ops_table import CASES, inputs_of

import minigrad as mg
from minigrad.core.op import Op

RULES = ("partials", "masks", "jvp", "vjp", "transpose")
EQUIVALENT = {  # a slip that changes no number → why
    "Softsign.partials[0]: operands swapped in 1 - abs(z)": "the difference is squared",
}


# planting ----------------------------------------------------------------------------------------


def changes(node):
    """The wrong versions of one node of a rule's code."""
    if isinstance(node, ast.BinOp):
        swapped = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
        if type(node.op) in swapped:
            yield "other sign", ast.BinOp(node.left, swapped[type(node.op)](), node.right)
        yield "left alone", node.left
        yield "right alone", node.right
        if isinstance(node.op, (ast.Sub, ast.Div, ast.MatMult)):
            yield "operands swapped", ast.BinOp(node.right, node.op, node.left)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "no minus", node.operand


class Replace(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else self.generic_visit(node)


def slips(function):
    """(what was changed, the wrong function) for every slip in a rule."""
    name = function.__name__
    tree = ast.parse(inspect.getsource(sys.modules[function.__module__]))
    for own in ast.walk(tree):
        kind = ast.Lambda if name == "<lambda>" else ast.FunctionDef
        if isinstance(own, kind) and own.lineno == function.__code__.co_firstlineno:
            break
    for node in [n for n in ast.walk(own) if isinstance(n, (ast.BinOp, ast.UnaryOp))]:
        for what, wrong in changes(node):
            yield f"{what} in {ast.unparse(node)}", compiled(own, node, wrong, function)


def compiled(own, node, wrong, function):
    """The function with `wrong` in the place of `node`, in its own module's names."""
    changed = ast.fix_missing_locations(Replace(node, wrong).visit(copied(own, node)))
    space = dict(vars(sys.modules[function.__module__]))
    if isinstance(own, ast.Lambda):
        return eval(compile(ast.Expression(changed), "slip", "eval"), space)
    exec(compile(ast.Module([changed], []), "slip", "exec"), space)
    return space[own.name]


def copied(tree, kept):
    """A copy of a tree that shares the one node `kept`."""
    if tree is kept or not isinstance(tree, ast.AST):
        return tree
    fields = {
        k: [copied(v, kept) for v in value] if isinstance(value, list) else copied(value, kept)
        for k, value in ast.iter_fields(tree)
    }
    return ast.copy_location(type(tree)(**fields), tree)


def all_ops(op=Op):
    """Every op class of the package's families."""
    for sub in op.__subclasses__():
        yield from all_ops(sub)
        if sub.__module__.startswith("minigrad.core.ops."):
            yield sub


def planted(op):
    """(description, plant, restore) for every slip in the rules that an op states itself."""
    for kind in RULES:
        rule = vars(op).get(kind, ())
        single = not isinstance(rule, tuple)
        for i, function in enumerate((rule,) if single else rule):
            if function in (1, -1):
                yield from patched(op, kind, rule, i, -function, f"{op}.{kind}[{i}]: other sign")
            elif callable(function):
                for what, wrong in slips(function):
                    yield from patched(op, kind, rule, i, wrong, f"{op}.{kind}[{i}]: {what}")


def patched(op, kind, rule, i, wrong, description):
    """One slip as a pair of functions that plant it and take it out."""
    new = (
        tuple(wrong if j == i else f for j, f in enumerate(rule))
        if isinstance(rule, tuple)
        else wrong
    )
    yield description, lambda: setattr(op, kind, new), lambda: setattr(op, kind, rule)


# finding -----------------------------------------------------------------------------------------


def rows_by_op():
    """{op: the cases of the table whose values or first derivatives use it}."""
    found = {}
    for row, shapes in CASES:
        with mg.Graph() as graph:
            xs = [mg.placeholder(shape=shape) for shape in shapes]
            y = row.f(*xs)
            w = mg.constant(np.ones(y.shape))
            x_bars = mg.gradients(y, xs, w, unconnected="zero")
            mg.forward_gradients([y, *x_bars], xs, [np.ones(s) for s in shapes], unconnected="zero")
        for op in {node.op for node in graph.nodes}:
            found.setdefault(op, []).append((row, shapes))
    return found


@np.errstate(all="ignore")
def caught(cases):
    """True when the checks of the table fail in one of the cases."""
    for row, shapes in cases:
        try:
            mg.gradcheck(
                row.f,
                *inputs_of(row, shapes),
                order=2,
                numeric="complex" if row.analytic else "central",
            )
        except Exception:
            return True
    return False


@mg.plain
def run():
    """(slips planted, those that nothing found; so are excused ones that something did find)."""
    rows, count, missed = rows_by_op(), 0, []
    for op in dict.fromkeys(all_ops()):
        for description, plant, restore in planted(op):
            count += 1
            plant()
            try:
                used = [o for o in rows if issubclass(o, op)]
                found = caught([case for o in used for case in rows[o]])
                if found is (description in EQUIVALENT):
                    missed.append(description)
            finally:
                restore()
    return count, missed


if __name__ == "__main__":
    total, unfound = run()
    print(f"{total} slips planted, {total - len(unfound)} found")
    print("\n".join(unfound))
