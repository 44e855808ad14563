"""Writing a Symbol as tokens: with names, with the numbers of one entry, or with shapes."""

import numpy as np

from minigrad.core import ops
from minigrad.core.op import Elementwise
from minigrad.draw.read import number_text, params_text
from minigrad.draw.read.formulas import INFIX
from minigrad.draw.read.precedence import (
    ATOM,
    CHOSEN,
    COMPARED,
    NEGATIVE,
    OPPOSITE,
    PLUS,
    POWER,
    SIGN,
    TIMES,
)
from minigrad.draw.trace.symbols import Unknown
from minigrad.draw.trace.tokens import Token, shape_text, typeset_number

BINDING = {"+": PLUS, "-": PLUS, "*": TIMES, "/": TIMES, "@": TIMES, "**": POWER}
TYPESET = {"*": " · ", "-": " − ", "@": " ", "<=": " ≤ ", ">=": " ≥ ", "!=": " ≠ "}
LEARNERS = {"while": "while_loop"}  # what a learner calls an op, where its verb is shorter
# ops that leave every number as it is, which a formula does not show
SILENT = ("Identity", "Cast", "ExpandDims", "Squeeze", "BroadcastTo", "BroadcastLike", "Print")
SILENT += ("EnsureShape",)
RESHAPES = ("Reshape", "ReshapeLike", "MergeAxes")
MOVING = ("Transpose", *RESHAPES, *SILENT)
SUMS = ("Sum", "SumLike")
OVER = ("Sum", "Mean", "Max", "Min", "Prod", "LogSumExp", "Any", "All", "Count")


class Names:
    """Writes formulas with names; other ways to write change what is atomic in them."""

    product = " "  # between two matrices

    def __init__(self, whole=None):
        self.whole = whole  # the formula: a reshape is shown where it is all that is done

    def write(self, x):
        """(tokens of a Symbol, how strongly they bind)."""
        whole = self.atom(x)
        if whole is not None:
            return whole
        op, inputs, params = x.step
        if op.sign:
            return self.infix(op, *inputs)
        shown = x is self.whole and op.__name__ in RESHAPES
        writer = None if shown else WRITERS.get(op.__name__)
        return writer(self, *inputs, **params) if writer else self.call(op, inputs, params)

    def atom(self, x):
        """What stands for a Symbol as a whole; None where its tree is written."""
        if x.step is None:
            return (x.words, COMPARED) if x.words else atomic(x.token)
        return None

    def inside(self, x, binding):
        """The tokens of a part of a formula, in brackets if it binds less strongly than asked."""
        tokens, own = self.write(x)
        return tokens if own >= binding else add_parentheses(tokens)

    def infix(self, op, x, y):
        """x sign y; operators of one strength go from the left."""
        binding = BINDING.get(op.sign, COMPARED)
        sign = self.product if op.sign == "@" else TYPESET.get(op.sign, f" {op.sign} ")
        if op.sign == "**":
            return self.power(x, y)
        if op.sign == "+" and x.dtype == bool:
            sign = " or "
        left, right = self.inside(x, binding), self.inside(y, binding + 1)
        if len(left) == 3 and left[1].text[:1] == "−":
            left = left[1:2]  # a negative number that comes first needs no brackets
        if right[0] == MINUS:  # in place of x + −y
            plus = op.sign == "+" and self.write(y)[1] > binding
            sign, right = (" − ", right[1:]) if plus else (sign, add_parentheses(right))
        return (*left, Token(sign), *right), binding

    def power(self, x, y):
        """x to a power: a number is raised."""
        exponent, binding = self.write(y)
        if len(exponent) == 1 and exponent[0].kind == "number" and not y.shape:
            raised = (exponent[0]._replace(kind="power"),)
        else:
            raised = (Token("^"), *(exponent if binding >= ATOM else add_parentheses(exponent)))
        return (*self.inside(x, ATOM), *raised), POWER

    def call(self, op, inputs, params):
        """op(x, y, axis=0)."""
        bodies = any(hasattr(value, "run") for value in params.values())
        settings = "" if bodies else params_text(Settings(params), 30)
        settings = [Token(typeset_number(settings), "word")] if settings else []
        return self.function(learners_verb(op), inputs, settings)

    def function(self, name, inputs, settings=()):
        """name(x, y, settings)."""
        arguments = [self.write(x)[0] for x in inputs] + [(each,) for each in settings]
        listed = tuple(t for each in arguments for t in (COMMA, *each))[1:]
        return (Token(name, "word"), OPEN, *listed, CLOSE), ATOM


def learners_verb(op):
    """What a learner calls an op: by the function of the package."""
    short = op.verb.replace("_", "")
    return short if hasattr(ops, short) else LEARNERS.get(op.verb, op.verb)


MINUS, COMMA, OPEN, CLOSE = Token("−"), Token(", "), Token("("), Token(")")


def add_parentheses(tokens):
    """Tokens in brackets."""
    return (OPEN, *tokens, CLOSE)


def atomic(token):
    """One token, and how strongly it binds."""
    return (token,), NEGATIVE if token.kind == "number" and token.text[:1] == "−" else ATOM


class Settings:
    """Parameters, as `params_text` reads them: axis=0 for axis=(0,), nothing for ()."""

    def __init__(self, params):
        single = {k: v[0] if isinstance(v, tuple) and len(v) == 1 else v for k, v in params.items()}
        self.params = {k: v for k, v in single.items() if v != ()}


# ops that are not written as calls ---------------------------------------------------------------


def typeset_minus(writer, x):
    """−x."""
    return (MINUS, *writer.inside(x, SIGN)), SIGN


def typeset_scalar_power(writer, x, exponent):
    """x to the power of a number."""
    if exponent == 1:
        return writer.write(x)
    raised = Token(typeset_number(number_text(exponent)), "power")
    return (*writer.inside(x, ATOM), raised), POWER


def typeset_silent(writer, x, *others, **params):
    """x, of which an op changes no number."""
    return writer.write(x)


def typeset_transpose(writer, x, axes):
    """xᵀ for a matrix."""
    rank = len(axes)
    if tuple(axes) == tuple(range(rank)):
        return writer.write(x)
    swapped = rank > 1 and tuple(axes) == (*range(rank - 2), rank - 1, rank - 2)
    if swapped:
        return (*writer.inside(x, ATOM), Token("T", "power")), ATOM
    return writer.function("transpose", [x], [Token(f"axes={tuple(axes)}", "word")])


def typeset_sum(writer, x, *like, axis=None, keepdims=False):
    """Σ x, Σ rows x."""
    over = over_words(axis, len(x.shape)) if axis is not None else ""
    words = (Token("Σ", "word"), Token(f" {over} " if over else " ", "word"))
    return (*words, *writer.inside(x, POWER)), TIMES


def typeset_over(name):
    """What writes name(x), name(x, rows)."""

    def write(writer, x, axis, keepdims=False):
        """name(x, rows)."""
        over = over_words(axis, len(x.shape))
        return writer.function(name, [x], [Token(over, "word")] if over else [])

    return write


def over_words(axis, rank):
    """What a sum runs over: "rows", "axis 2"; "" for all there is."""
    axes = tuple(axis)
    if len(axes) == rank:
        return ""
    if rank == 2 and axes[0] in (0, 1):
        return ("rows", "columns")[axes[0]]
    return f"axis {axes[0]}" if len(axes) == 1 else f"axes {', '.join(map(str, axes))}"


def typeset_abs(writer, x):
    """|x|."""
    return (Token("|"), *writer.write(x)[0], Token("|")), ATOM


def typeset_root(writer, x):
    """√x."""
    return (Token("√"), *writer.inside(x, ATOM)), ATOM


def typeset_relu(writer, x):
    """max(0, x)."""
    inside = writer.write(x)[0]
    return (Token("max", "word"), OPEN, Token("0", "number"), COMMA, *inside, CLOSE), ATOM


def typeset_keep(writer, condition, x, when):
    """x where the condition holds."""
    if condition.step is not None and not when and condition.step.op.__name__ in OPPOSITE:
        left, right = (writer.inside(v, PLUS) for v in condition.step.inputs)
        sign = INFIX[OPPOSITE[condition.step.op.__name__]][0]
        asked = (*left, Token(TYPESET.get(sign, f" {sign} ")), *right)
    else:
        asked = (
            writer.write(condition)[0]
            if when
            else (NOT, *add_parentheses(writer.write(condition)[0]))
        )
    return (*writer.inside(x, COMPARED), WHERE, *asked), CHOSEN


NOT, WHERE, ELSE = Token("not ", "word"), Token(" where ", "word"), Token(", else ", "word")


def typeset_keep_tied(writer, condition, x, like, axis):
    """x where the condition holds."""
    return typeset_keep(writer, condition, x, True)


def typeset_tied(writer, x, y):
    """x == y."""
    return (*writer.inside(x, PLUS), Token(" == "), *writer.inside(y, PLUS)), COMPARED


def typeset_others(writer, x, count):
    """Π others x: at each place, the product of the other entries."""
    return (Token("Π others ", "word"), *writer.inside(x, POWER)), TIMES


def typeset_where(writer, condition, x, y):
    """x where the condition holds, else y; of a number that a rule puts there, nothing is told."""
    if x.token is not None and x.token.kind == "number" and not x.token.node:
        return writer.write(y)
    chosen = writer.inside(x, COMPARED), writer.write(condition)[0], writer.inside(y, COMPARED)
    return (*chosen[0], WHERE, *chosen[1], ELSE, *chosen[2]), CHOSEN


def typeset_floor(writer, x, y):
    """⌊x / y⌋."""
    inside = writer.inside(x, TIMES), writer.inside(y, SIGN)
    return (Token("⌊"), *inside[0], Token(" / "), *inside[1], Token("⌋")), ATOM


def typeset_remainder(writer, x, y):
    """x mod y."""
    return (*writer.inside(x, SIGN), Token(" mod ", "word"), *writer.inside(y, SIGN)), TIMES


def typeset_convention(writer, condition, value, x):
    """x: what is a convention at single points is not shown."""
    return writer.write(x)


def typeset_cross_entropy(writer, x, labels):
    """mean(−log p), in which p stands for the scores."""
    tokens = writer.write(x)[0]
    node = tokens[0] if len(tokens) == 1 else Token("p", "value")
    p = node._replace(text="p", kind="value")
    words = (Token("mean", "word"), OPEN, MINUS, Token("log ", "word"), p, CLOSE)
    return words, ATOM


def typeset_item(writer, x, index):
    """x[0]."""
    return (*writer.inside(x, ATOM), Token(f"[{index}]")), ATOM


def typeset_getitem(writer, x, *indices, template):
    """x[1:, 0]."""
    return (*writer.inside(x, ATOM), *index_tokens(writer, template, indices)), ATOM


def typeset_scatter(writer, x, like, *indices, template):
    """scatter(x, [1:, 0])."""
    index = index_tokens(writer, template, indices)
    return (Token("scatter", "word"), OPEN, *writer.write(x)[0], COMMA, *index, CLOSE), ATOM


def index_tokens(writer, template, arrays):
    """The brackets of x[…], and what stands between them."""
    arrays, found = iter(arrays), []
    for part in template:
        own = part == "array" and isinstance(part, str)
        tokens = writer.write(next(arrays))[0] if own else (Token(part_text(part)),)
        found += [COMMA, *tokens]
    return (Token("["), *found[1:], Token("]"))


def part_text(part):
    """One part of an index: a number, a slice, …, None."""
    if isinstance(part, tuple):
        start, stop, step = ("" if n is None else str(n) for n in part[1:])
        return f"{start}:{stop}" + (f":{step}" if step else "")
    return "…" if part is Ellipsis else str(part)


def typeset_plain(name):
    """What writes name(x), of the first operand alone."""
    return lambda writer, x, *others, **params: writer.function(name, [x])


WRITERS = {
    "Neg": typeset_minus,
    "ScalarPower": typeset_scalar_power,
    "ScalarPowerOfPower": typeset_scalar_power,
    "Transpose": typeset_transpose,
    "Sum": typeset_sum,
    "SumLike": typeset_sum,
    "Abs": typeset_abs,
    "Sqrt": typeset_root,
    "Relu": typeset_relu,
    "Keep": typeset_keep,
    "KeepTied": typeset_keep_tied,
    "Where": typeset_where,
    "Convention": typeset_convention,
    "FloorDivide": typeset_floor,
    "Remainder": typeset_remainder,
    "CrossEntropy": typeset_cross_entropy,
    "Item": typeset_item,
    "KernelResult": typeset_item,
    "GetItem": typeset_getitem,
    "Scatter": typeset_scatter,
    "Softmax": typeset_plain("softmax"),
    "LogSoftmax": typeset_plain("log softmax"),
    "OneHot": typeset_plain("onehot"),
    "Kernel": lambda writer, *xs, body: ((Token(f"one kernel: {body}", "word"),), COMPARED),
    "ZerosLike": lambda writer, x: atomic(Token("0", "number")),
    "Tied": typeset_tied,
    "LeaveOut": typeset_others,
    **dict.fromkeys((*SILENT, *RESHAPES), typeset_silent),
    **{name: typeset_over(name.lower()) for name in OVER if name not in SUMS},
}


# the same with numbers, or with shapes -----------------------------------------------------------


class EntryNumbers(Names):
    """Writes the numbers of one entry; what is no op of single entries is one number."""

    product = " · "

    def __init__(self, entry):
        super().__init__()
        self.entry = entry

    def atom(self, x):
        """The number of a name, or of what no op of single entries gives."""
        if x.step is not None and (issubclass(x.step.op, Elementwise) or spreads_number(x)):
            return None
        number = typeset_number(number_text(entry_of(x.numbers(), self.entry)))
        token = x.token or Token("")
        return atomic(Token(number, "number", token.node, token.mark))


def spreads_number(x):
    """Whether a Symbol is one number in another shape."""
    return x.is_made_by(*SILENT) and all(n == 1 for n in x.step.inputs[0].shape)


def entry_of(array, entry):
    """The number of an array, broadcast, at a place."""
    own = entry[len(entry) - array.ndim :]
    return array[tuple(0 if n == 1 else at for n, at in zip(array.shape, own))]


class Shapes(Names):
    """Writes the shapes of arrays, and single numbers as they are."""

    product = " · "

    def atom(self, x):
        """The shape of a name, or of a sum of it; of a single number the number."""
        if x.step is not None and not x.is_made_by(*MOVING, *SUMS):
            return None
        if x.is_made_by(*SUMS):
            return self.sum(x)
        if x.words:
            raise Unknown
        leaf = x
        while leaf.step is not None:
            leaf = leaf.step.inputs[0]
        token = leaf.token or Token("")
        if x.shape or x.step is not None:
            return (Token(shape_text(x.shape), "number", token.node, token.mark),), ATOM
        number = number_text(np.asarray(x.numbers())[()])
        return atomic(Token(typeset_number(number), "number", token.node, token.mark))

    def sum(self, x):
        """Σ of 32 rows, Σ of 32×64."""
        inner, axis = x.step.inputs[0], x.step.params.get("axis", ())
        over = over_words(axis, len(inner.shape)) if axis else ""
        count = inner.shape[axis[0]] if over in ("rows", "columns") else shape_text(inner.shape)
        node = self.write(inner)[0]
        node = node[0] if len(node) == 1 else Token("")
        said = f"{count} {over if over in ('rows', 'columns') else 'numbers'}"
        return (Token("Σ of ", "word"), Token(said, "number", node.node, node.mark)), COMPARED
