"""Machine-made faults: changes of one node of a file's syntax tree, and what is left alone."""

import ast
from typing import NamedTuple

OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ORDERED = (ast.Sub, ast.Div, ast.MatMult, ast.Pow, ast.FloorDiv, ast.Mod)

# What is left alone: no number that a program computes depends on it.
TEXTS = {  # what is said: to a reader, in errors and warnings, in the notes of the passes
    "__repr__",
    "__str__",
    "explain",
    "explain_error",
    "name_in_plan",
    "name_node",
    "describe_in_note",
    "label",
    "comment",
    "warn",
    "notice_growth",
    "cause",
    "spec_text",
    "show_structure",
    "show_part",
    "show_leaves",
    "locate_error",
    "blame_node",
    "line_of",
    "name_outputs",
    "operand_labels",
    "lifetimes",
    "buffers_of",
    "recomputed",
    "differences",
    "name_leaves",
    "role",
    "adjoint_trace",
    "marked",
}
GUARDS = {  # what only refuses bad input, or looks for faults of the package in debug mode
    "expect",
    "expect_in_file",
    "check",
    "refuse",
    "refuse_options",
    "verify",
    "is_whole",
    "no_number",
    "refuse_number",
    "no_slope",
    "axes_taken",
    "dead_buffers",
    "find_fed",
    "can_join",
    "hint_for_statement",
    "refuse_statements",
    "check_control",
    "refuse_change",
    "check_nests",
}
SPEED = {  # what only decides how long a run takes, or how much memory it needs
    "lean",
    "assign_offsets",
    "best_gap",
    "pool_blocks",
    "pad_size",
    "peak_bytes",
    "eager_order",
    "take",
    "depth_first_order",
    "no_search_for_garbage",
    "forget",
    "dead_names",
    "has_positional_out",
    "size_of",
    "deaths",
    "choose_kept",
    "pack_again",
    "rows_of_tile",
    "plan_tiles",
    "entries_of_tile",
}
PROMISES = {
    "commutative",
    "layout_invariant",
    "infallible",
    "builtin",
}  # without them, more is copied or looked at
QUICKER = {  # what only chooses between two ways to the same numbers: (function, expression)
    ("tensor_and_other", "type(x.data) is ndarray"),  # a single number as an array, or as NumPy's
    ("by_columns", "x.flags.f_contiguous and (not x.flags.c_contiguous)"),  # who turns a matrix
    ("optimize_program", "quiet == len(REPEATED)"),  # how often passes run
    ("Session.executable", "len(self.cache) > 16 * self.keep"),  # when what was met is forgotten
    ("Session.executable", "len(self.executables) >= self.keep"),
}
THRESHOLDS = {
    "SMALLEST",
    "LARGE",
    "LIMIT",
    "MOST_SCALARS",
    "LEAST_TILES",
    "LEAST_FREED",
}  # sizes from which on another way is quicker
RULES = {  # what may replace a node by one that is quicker: without it, the node stays
    "halves",
    "transposes",
    "chains",
    "needless_broadcast",
    "known_lengths",
    "needless_casts",
    "empty_sums",
    "fold_node",
    "merge_key",
    "scale_of",
}
SHORTCUTS = {"shortcut", "tensor_and_other", "pull_back", "x_bars", "y_dots", "release_history"}
WAYS_OUT = ("bind(", "tensor_and_other(", "plainly[")  # of a quicker way to the same numbers
TYPED = {
    "isinstance",
    "issubclass",
    "getattr",
    "map",
    "dict.fromkeys",
    "bind",
    "copy_op",
    "apply_op",
    "emit",
    "max",
    "min",
}  # Python refuses them the other way round, or does not mind
SYMMETRIC = {
    "np.array_equal",
    "np.result_type",
    "np.broadcast_shapes",
    "np.may_share_memory",
    "has_same_layout",
    "mul",
    "add",
}
DEFAULTS = {"range", "max", "min", "sum", "slice", "getattr", "sum_to", "round"}
NAMES = {  # settings of those three kinds
    "line",
    "lines",
    "note",
    "notes",
    "cause",
    "found_notes",
    "stacklevel",
    "keep",
    "origin",
}


class Fault(NamedTuple):
    """A change of one file: where it is, of which kind, and what became of what."""

    file: str
    function: str
    kind: str
    before: str
    after: str
    number: int
    line: int

    def __str__(self):
        return f"{self.file} {self.function}: {self.kind}: {self.before}  →  {self.after}"


def faults_of(file, source):
    """All faults of a file."""
    return [
        Fault(file, where, kind, *shown(old, new), number, getattr(old, "place", old.lineno))
        for number, (where, kind, old, new) in enumerate(changes(ast.parse(source)))
    ]


def shown(old, new):
    """A node and what stands in its place, as two short texts."""
    texts = ["nothing" if n is None else " ".join(ast.unparse(n).split()) for n in (old, new)]
    return [t if len(t) < 90 else f"{t[:86]} …" for t in texts]


def with_fault(source, fault):
    """The source of a file with a fault in it."""
    tree = ast.parse(source)
    *_, old, new = changes(tree)[fault.number]
    return ast.unparse(ast.fix_missing_locations(Replace(old, new or ast.Pass()).visit(tree)))


class Replace(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return ast.copy_location(self.new, node) if node is self.old else self.generic_visit(node)


def changes(tree):
    """(function, kind, node, what may stand in its place) for every change."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            mark_answers(node)
            mark_defaults(node)
    return list(walked(tree, ""))


def mark_answers(function):
    """Marks what a function assigns to a name that only guards read: whether input is fit."""
    guarding = [n for s in ast.walk(function) if is_refusal(s) for n in ast.walk(s)]
    read = {n.id for n in set(ast.walk(function)) - {*guarding} if is_read(n)}
    said = {n.id for n in guarding if is_read(n)} - read
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            names = [n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            node.answers = bool(names) and said.issuperset(names)


def mark_defaults(function):
    """Notes for a function's defaults the line at which it begins to run: theirs runs at import."""
    first = function.body[bool(ast.get_docstring(function)) and len(function.body) > 1]
    for default in filter(None, function.args.defaults + function.args.kw_defaults):
        for node in ast.walk(default):
            node.place = first.lineno


def is_read(node):
    """True for a name whose value is taken."""
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def is_refusal(node):
    """True for a statement that only refuses bad input."""
    if isinstance(node, ast.If):
        return not node.orelse and refuses(node.body)
    return refuses([node])


def refuses(statements):
    """True for statements that only refuse bad input; what the package itself catches does not."""
    caught = any(isinstance(s, ast.Raise) and "Unbatched" in ast.unparse(s) for s in statements)
    return not caught and (
        all(isinstance(s, ast.Raise) or guards(s) for s in statements)
        or says_and_raises(statements)
    )


def is_longer(node, where, kind):
    """True for a change that only makes quicker ways to the same numbers be left alone."""
    if not isinstance(node, ast.If) or not isinstance(node.body[-1], ast.Return):
        return False
    function, result = where.split(".")[-1], ast.unparse(node.body[-1].value or node)
    if kind == "branch always taken":
        if function in RULES and result == "None":
            return True
        return len(node.body) == 1 and function in SHORTCUTS and result.startswith(WAYS_OUT)
    return kind == "branch never taken" and function == "spell_call"


def is_one_by_one(node, kind):
    """True for a change by which directions are never taken together."""
    together = isinstance(node, ast.If) and "raise Unbatched" in ast.unparse(node.body[-1])
    return together and kind == "branch always taken"


def is_quicker(node, where):
    """True for an expression that only chooses the quicker of two ways."""
    return isinstance(node, ast.expr) and (where, ast.unparse(node)) in QUICKER


def puts_in(node, where, kind):
    """True for a statement by which a shortcut puts itself in: without it, the plain code runs."""
    return where == "install" and kind == "statement deleted"


def walked(node, where):
    """The changes of a node and of all in it."""
    if skipped(node) or is_quicker(node, where):
        return
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        where = f"{where}.{node.name}".strip(".")
        parts = node.body + (node.args.defaults if isinstance(node, ast.FunctionDef) else [])
    elif isinstance(node, ast.If) and refuses(node.body):
        parts = node.orelse  # what only guards bad input
    elif isinstance(node, ast.Lambda):
        parts = [node.body]
    elif isinstance(node, ast.Try):
        handled = [s for h in node.handlers for s in h.body]
        told = any(isinstance(s, ast.Raise) for s in handled)  # they only say what went wrong
        parts = [*node.body, *node.orelse] + ([] if told else handled)
    else:
        yield from (
            (where, kind, node, new)
            for kind, new in versions(node)
            if not is_longer(node, where, kind)
            and not is_one_by_one(node, kind)
            and not puts_in(node, where, kind)
            and not is_quicker(getattr(node, "test", None), where)
        )
        parts = ast.iter_child_nodes(node)
    for part in parts:
        yield from ((w, k, old, new) for w, k, old, new in walked(part, where))


def says_and_raises(statements):
    """True for an error with a text that is put together before it."""
    return isinstance(statements[-1], ast.Raise) and all(
        isinstance(s, ast.Assign) for s in statements[:-1]
    )


def guards(node):
    """True for a call, for nothing that it returns, of what only refuses bad input, or speaks."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    function = ast.unparse(node.value.func)
    return (
        skipped(node.value)
        or function.startswith("checked_")
        or function.split(".")[-1] in ("infer", "check_invariant", "join_specs")
    )


def skipped(node):
    """True for what is left alone, whole."""
    if isinstance(
        node, (ast.Raise, ast.Assert, ast.Import, ast.ImportFrom, ast.JoinedStr, ast.arguments)
    ):
        return True
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return node.name in TEXTS | GUARDS | SPEED or node.name.startswith("check_")
    if getattr(node, "answers", False):
        return True
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "(RETRIES, WORK)":
        return True
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name = node.targets[0].id
        if name in PROMISES and ast.unparse(node.value) == "True":
            return True
        return (
            name.startswith("__")
            or name in NAMES
            or name.isupper()
            and isinstance(node.value, (ast.Constant, ast.BinOp))
        )
    if isinstance(node, ast.keyword):
        return node.arg in NAMES
    if isinstance(node, ast.BinOp) and "limits." in ast.unparse(node):
        return True  # of what is read: beyond it, a file is refused
    if isinstance(node, ast.BinOp) and ast.unparse(node.left) == "depth":
        return True  # of a nest: what is too deep is refused
    if isinstance(node, ast.Compare) and THRESHOLDS & {
        n.id for n in ast.walk(node) if isinstance(n, ast.Name)
    }:
        return True
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).split(".")[-1]
        return (
            "__doc__" in ast.unparse(node)
            or name.endswith("Error")
            or name in TEXTS | GUARDS | {"warn", "Note", "strict"}
            or name.startswith("check_")
            or ast.unparse(node.func) == "notes.append"
        )
    return guards(node) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def versions(node):
    """(kind, what may stand in a node's place) for each wrong version of it."""
    if isinstance(node, ast.BinOp) and not speaks(node):
        yield from of_operation(node)
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        ops = [COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
        yield "other comparison", ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BoolOp) and not names(node):
        yield (
            "and for or",
            ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values),
        )
        yield "condition dropped", joined(node.op, node.values[1:])
        yield "condition dropped", joined(node.op, node.values[:-1])
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield ("no not" if isinstance(node.op, ast.Not) else "no minus"), node.operand
    elif isinstance(node, ast.Constant):
        yield from of_constant(node)
    elif isinstance(node, ast.IfExp):
        yield "branches swapped", ast.IfExp(node.test, node.orelse, node.body)
        yield "branch never taken", node.orelse
        yield "branch always taken", node.body
    elif isinstance(node, ast.If):
        yield "branch never taken", ast.If(ast.Constant(False), node.body, node.orelse)
        yield "branch always taken", ast.If(ast.Constant(True), node.body, node.orelse)
    elif isinstance(node, ast.Call):
        yield from of_call(node)
    elif (
        isinstance(node, (ast.AugAssign, ast.Expr))
        or isinstance(node, ast.Assign)
        and not any(isinstance(t, (ast.Name, ast.Tuple)) for t in node.targets)
    ):
        yield "statement deleted", None


def of_operation(node):
    """The wrong versions of x + y and the like."""
    if type(node.op) in OPERATORS:
        yield "other operator", ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    if isinstance(node.op, ORDERED):
        yield "operands swapped", ast.BinOp(node.right, node.op, node.left)
    if isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        yield "operand dropped", node.left
    if isinstance(node.op, (ast.Add, ast.Mult)):
        yield "operand dropped", node.right


def names(node):
    """True for a name, or what stands in its place where there is none."""
    return isinstance(getattr(node.values[-1], "value", None), str)


def speaks(node):
    """True for a text that is put together."""
    return any(
        isinstance(n, (ast.JoinedStr, ast.Constant))
        and isinstance(getattr(n, "value", ""), str)
        or isinstance(n, ast.JoinedStr)
        for n in (node.left, node.right)
    )


def joined(op, values):
    """Conditions under one and, or the only one."""
    return ast.BoolOp(op, values) if len(values) > 1 else values[0]


def of_constant(node):
    """The wrong versions of a number or a truth; None and texts have none."""
    if isinstance(node.value, bool):
        yield "other truth", ast.Constant(not node.value)
    elif type(node.value) is int:
        yield "number + 1", ast.Constant(node.value + 1)
        yield (
            "number - 1",
            ast.UnaryOp(ast.USub(), ast.Constant(1))
            if not node.value
            else (ast.Constant(node.value - 1)),
        )


def of_call(node):
    """A call whose arguments change places, or with one dropped that has a default.

    The others would be faults that any program finds: Python itself refuses the call.
    """
    name = ast.unparse(node.func)
    if name == "np.errstate":
        return  # it keeps NumPy from warnings
    if (
        len(node.args) > 1
        and name not in TYPED
        and not any(isinstance(a, ast.Starred) for a in node.args[:2])
    ):
        x, y, *rest = node.args
        if name not in SYMMETRIC and ast.unparse(x) != ast.unparse(y):
            yield "arguments swapped", ast.Call(node.func, [y, x, *rest], node.keywords)
    for i, k in enumerate(node.keywords):
        if k.arg not in NAMES and ast.unparse(k.value) not in GUARDS:
            yield (
                "argument dropped",
                ast.Call(node.func, node.args, node.keywords[:i] + node.keywords[i + 1 :]),
            )
    if len(node.args) > 1 and (name.startswith("np.") or name in DEFAULTS):
        yield "argument dropped", ast.Call(node.func, node.args[:-1], node.keywords)
