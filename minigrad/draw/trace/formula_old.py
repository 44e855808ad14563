"""Rules as text: an op, or the rule of its derivative, is run on symbols and writes a formula."""

import numpy as np

from minigrad.core.autodiff import contributions, fit_tangent
from minigrad.core.op import bind
from minigrad.core.operators import Operand
from minigrad.core.spec import is_scalar, spec_of
from minigrad.draw.read import clean, number_text, params_text

ATOM, POWER, SIGN, TIMES, PLUS, COMPARED = 9, 8, 7, 6, 5, 4  # how strongly an operator binds
# others: COMPARED
BINDING = {"+": PLUS, "-": PLUS, "*": TIMES, "/": TIMES, "@": TIMES, "**": POWER}
LEARNERS = {"while": "while_loop"}  # what a learner calls an op, where its verb is shorter
LONGEST = 120  # characters


class Symbol(Operand):
    """A name or a formula in the place of a value; what is computed from it is a formula too."""

    __slots__ = ("text", "binding", "shape", "dtype")
    priority = 3  # above every engine: Tensors and Nodes that meet a symbol become text

    def __init__(self, text, spec, binding=ATOM):
        self.text, self.binding = text, binding
        self.shape, self.dtype = spec

    def __str__(self):
        return self.text

    def extend(self, op, inputs, params):
        """The formula of op(inputs)."""
        spec = op.infer(*map(spec_of, inputs), **params)
        return Symbol(*op_formula(op, [self.lift(x) for x in inputs], params, spec))

    def lift(self, x):
        """x as a symbol: a number is its own text."""
        return x if isinstance(x, Symbol) else Symbol(constant_text(x), spec_of(x))


def constant_text(x):
    """A number, or an array of one and the same number, as text."""
    if is_scalar(x):
        return number_text(x)
    array = np.asarray(getattr(x, "array", x))
    same = array.size and array.dtype.kind in "biuf" and (array == array.flat[0]).all()
    return number_text(array.flat[0]) if same else number_text(array) or "array"


def op_formula(op, inputs, params, spec):
    """(text, Spec, how strongly it binds) of one op's formula."""
    name = op.__name__
    if op.sign:
        binding = BINDING.get(op.sign, COMPARED)
        return infix(op.sign, binding, *inputs), spec, binding
    if name == "Neg":
        return f"-{add_brackets(inputs[0], SIGN)}", spec, SIGN
    if op.verb == "scalar_power":
        return f"{add_brackets(inputs[0], ATOM)}**{number_text(params['exponent'])}", spec, POWER
    if name == "Transpose" and turns_matrix(params["axes"]):
        return f"{add_brackets(inputs[0], ATOM)}ᵀ", spec, ATOM
    if name == "Keep" and not params["when"]:
        return f"keep({inputs[0]}, {inputs[1]}, when=False)", spec
    if name in ("Identity", "Cast"):
        return inputs[0].text, spec, inputs[0].binding
    if name == "Item":
        return f"{add_brackets(inputs[0], ATOM)}[{params['index']}]", spec
    if name == "GetItem":
        index = index_text(params["template"], inputs[1:])
        return f"{add_brackets(inputs[0], ATOM)}[{index}]", spec
    if name == "Scatter":
        return f"scatter({inputs[0]}, [{index_text(params['template'], inputs[2:])}])", spec
    return call_text(op, inputs, params), spec


def infix(sign, binding, x, y):
    """x sign y, with the brackets that it needs; operators of one strength go from the left."""
    if sign == "+" and y.binding > binding and y.text.startswith("-"):
        return f"{add_brackets(x, binding)} - {y.text[1:]}"  # in place of x + -y
    return f"{add_brackets(x, binding)} {sign} {add_brackets(y, binding + 1)}"


def add_brackets(x, binding):
    """A part of a formula, in brackets if it binds less strongly than asked."""
    return x.text if x.binding >= binding else f"({x.text})"


def turns_matrix(axes):
    """True when the last two axes change places and no others do."""
    rank = len(axes)
    return rank > 1 and tuple(axes) == (*range(rank - 2), rank - 1, rank - 2)


def index_text(template, arrays):
    """What stands between the brackets of x[…]."""
    arrays = iter(arrays)
    return ", ".join(part_text(part, arrays) for part in template)


def part_text(part, arrays):
    """One part of an index: a number, a slice, …, None, or the next of the arrays."""
    if isinstance(part, tuple):
        start, stop, step = ("" if n is None else str(n) for n in part[1:])
        return f"{start}:{stop}" + (f":{step}" if step else "")
    if part == "array":
        return next(arrays).text
    return "…" if part is Ellipsis else str(part)


def call_text(op, inputs, params):
    """op(x, y, axis=0)."""
    bodies = any(hasattr(value, "run") for value in params.values())
    settings = "" if bodies else params_text(Settings(params), 30)
    arguments = [x.text for x in inputs] + [settings] * bool(settings)
    return f"{LEARNERS.get(op.verb, op.verb)}({', '.join(arguments)})"


class Settings:
    """Parameters, as `params_text` reads them: axis=0 for axis=(0,), nothing for ()."""

    def __init__(self, params):
        single = {k: v[0] if isinstance(v, tuple) and len(v) == 1 else v for k, v in params.items()}
        self.params = {k: v for k, v in single.items() if v != ()}


# what the steps of a trace say -------------------------------------------------------------------


def formula_of(v, name):
    """How v is computed from its inputs: "x + w"."""
    try:
        return clip_text(bind(v.op, *[Symbol(name(x), spec_of(x)) for x in v.inputs], **v.params))
    except Exception:
        return clip_text(f"{v.op.verb}({', '.join(map(name, v.inputs))})")


def share_formulas(z, z_bar, path, name):
    """What z passes on to each input on the path, in the order of `contributions`: "ȳ * b"."""
    wanted = [x for x in z.inputs if x.order in path]
    if loops(z):
        return [f"{z_bar}, back through {loops(z)}" for _ in wanted]
    seed = Symbol(z_bar, spec_of(z))
    try:
        found = contributions(z, seed, path, lambda v: Symbol(name(v), spec_of(v)))
        return [clip_text(share) for _, share in found]
    except Exception:
        return [clip_text(f"{z.op.verb}'s rule, of {z_bar}") for _ in wanted]


def tangent_formula(z, x_dots, name):
    """How z's tangent comes from those of its inputs; `x_dots` are names, or None: "ẋ * w"."""
    if loops(z):
        return f"{', '.join(filter(None, x_dots))}, on through {loops(z)}"
    try:
        xs = [Symbol(name(x), spec_of(x)) for x in z.inputs]
        moves = [d and Symbol(d, spec_of(x)) for x, d in zip(z.inputs, x_dots)]
        z_dot = z.op.pushforward(xs, Symbol(name(z), spec_of(z)), moves, z.params)
        return clip_text(fit_tangent(z_dot, z))
    except Exception:
        return clip_text(f"{z.op.verb}'s rule, of {', '.join(filter(None, x_dots))}")


def loops(z):
    """What a derivative passes through at a loop or a choice; "" at other ops."""
    bodies = [name for name, value in z.params.items() if hasattr(value, "run")]
    return "" if not bodies else "the turns" if "body" in bodies else "the branch that ran"


def clip_text(text):
    """A formula of one line, not too long; of a bundle's derivative, that of its parts."""
    parts = text.values() if isinstance(text, dict) else [text]
    return clean(", ".join(map(str, parts)), LONGEST)
