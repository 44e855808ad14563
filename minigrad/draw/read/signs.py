"""What stands on the rim of an operation's card: its sign, with the constants that it takes."""

import re

from minigrad.draw.read import ABSENT, clean, number_text, peek, value_text
from minigrad.draw.read.bodies import loop_of, result_words

SIGNS = {  # by the names that engines give to ops, in small letters
    **dict.fromkeys(("+", "add"), "+"),
    **dict.fromkeys(("-", "sub", "subtract", "neg", "negative"), "−"),
    **dict.fromkeys(("*", "mul", "multiply"), "×"),
    **dict.fromkeys(("/", "div", "divide", "truediv"), "÷"),
    **dict.fromkeys(("**", "power", "pow"), "xʸ"),
    **dict.fromkeys(("@", "matmul"), "@"),
    "sum": "Σ",
    "sqrt": "√",
    "sigmoid": "σ",
    "transpose": "ᵀ",
    "get item": "[ ]",
    "cross entropy": "cross-entropy",
}
EITHER_WAY = ("+", "×", "maximum", "minimum", "equal", "choose")  # operands may change places
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
MOST = 28  # letters of a sign
SLOT = "·"  # an operand that is drawn, among constants that are not


def sign_of(value, op):
    """The sign of a value's operation: "+", "tanh", "x²"; `op` is its name."""
    told = name_in_words(str(peek(peek(value, "op"), "sign") or op or "?"))
    if told == "scalar power":
        return power_sign(value)
    return SIGNS.get(told.lower()) or clean(told, MOST)


def name_in_words(name):
    """A name in words: "broadcast to" for BroadcastTo and broadcast_to."""
    if not re.fullmatch(r"([A-Z][a-z0-9]+)+", name):
        return name.replace("_", " ")
    return " ".join(re.findall(r"[A-Z][a-z0-9]+", name)).lower()


def power_sign(value):
    """x², or x^0.5."""
    given = known_params(value).get("exponent", ABSENT)
    exponent = number_text(int(given) if isinstance(given, float) and given.is_integer() else given)
    whole = re.fullmatch(r"-?\d{1,2}", exponent)
    return f"x{exponent.translate(RAISED)}" if whole else f"x^{minus(exponent)}"


def says_all(sign):
    """Whether a sign says the parameters of its operation, too."""
    return sign[:1] == "x" and sign != "xʸ" and len(sign) > 1 and sign[1] in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻^"


def with_constants(sign, operands):
    """The sign with the constants that are no nodes: `operands` has their texts, else None."""
    texts = [text and minus(text) for text in operands]
    if not any(texts):
        return sign
    if sign == "xʸ" and len(texts) == 2 and None in texts:
        return f"x^{texts[1]}" if texts[1] else f"{texts[0]}ˣ"
    left, right = texts if len(texts) == 2 else (None, None)
    word = sign.isalpha() and len(sign) > 1
    if right and left is None:
        return clean(f"{sign} {right}" if word or len(sign) > 1 else sign + right, MOST)
    if left and right is None and not word and len(sign) == 1:
        return clean(sign + left if sign in "+×" else left + sign, MOST)
    return clean(f"{sign}({', '.join(text or SLOT for text in texts)})", MOST)


# a card of several values -------------------------------------------------------------------------

WORDS = {"conv2d": "conv", "max_pool2d": "pool"}  # by the call that made the values
LOOP = "↻"
FLOW = {"Loop": LOOP, "While": LOOP, "Scan": LOOP, "Cond": "if"}
PICKS = ("Item", "KernelResult")  # ops that pick one of several results


def card_sign(outline, head, members, made_by=""):
    """The sign of a card: of the call that made its members, or of the op of its head."""
    if made_by:
        sizes = (window_text(outline.values[at]) for at in members)
        word = WORDS.get(made_by, name_in_words(made_by))
        return " ".join(filter(None, (word, next(filter(None, sizes), ""))))
    if outline.ops[head] in PICKS and outline.inputs[head][:1] in [(at,) for at in members]:
        (head,) = outline.inputs[head][:1]
    if outline.ops[head] in FLOW:
        return FLOW[outline.ops[head]]
    inputs = outline.inputs[head]
    if outline.ops[head] == "Mul" and len(inputs) == 2 and inputs[0] == inputs[1]:
        return "x²"
    if outline.ops[head] == "Matmul":
        flips = ["ᵀ" if x in members and outline.ops[x] == "Transpose" else "" for x in inputs]
        return "@".join(flips)
    constants = [is_scalar_constant(outline, x) and value_text(outline.values[x]) for x in inputs]
    return with_constants(op_sign(outline, head), [text or None for text in constants])


def window_text(value):
    """The size of a window among the parameters of a value: "3×3"."""
    size = known_params(value).get("size")
    return "×".join(map(str, size)) if isinstance(size, tuple) else ""


def is_scalar_constant(outline, at):
    """Whether a value is a constant number."""
    return outline.roles[at] == "constant" and peek(outline.values[at], "shape", default=()) == ()


def op_sign(outline, at):
    """The sign of an op without constants: of what picks or flattens, what it does."""
    op, value = outline.ops[at] or "?", outline.values[at]
    if op in PICKS:
        index = known_params(value).get("index", "")
        loop = next((loop_of(outline.values[x]) for x in outline.inputs[at]), None)
        picked = loop and loop.kind != "choice" and index in range(len(result_words(loop)))
        return result_words(loop)[index] if picked else f"[{index}]"
    if op in ("Reshape", "ReshapeLike"):
        return "flatten" if is_flattened(outline, at) else "reshape"
    return sign_of(value, op)


def known_params(value):
    """The keyword parameters of a value; {} where none are known."""
    params = peek(value, "params")
    return params if isinstance(params, dict) else {}


def known_shape(outline, at):
    """The shape of a value; () where none is known."""
    shape = peek(outline.values[at], "shape", default=())
    return shape if isinstance(shape, tuple) else ()


def is_flattened(outline, at):
    """Whether a value has fewer axes than its operand."""
    ranks = [len(known_shape(outline, x)) for x in (at, *outline.inputs[at][:1])]
    return ranks[0] < ranks[-1]


def minus(text):
    """A number with a sign of minus in place of a hyphen."""
    return text.replace("-", "−")
