"""What stands on the rim of an operation's card: its sign, with the constants that it takes."""

import re

from minigrad.draw.read import clean, params_text, peek

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
    exponent = params_text(value).partition("=")[2].removesuffix(".0")
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
    left, right = texts if len(texts) == 2 else (None, None)
    word = sign.isalpha() and len(sign) > 1
    if right and left is None:
        return clean(f"{sign} {right}" if word or len(sign) > 1 else sign + right, MOST)
    if left and right is None and not word and len(sign) == 1:
        return clean(sign + left if sign in "+×" else left + sign, MOST)
    return clean(f"{sign}({', '.join(text or SLOT for text in texts)})", MOST)


def minus(text):
    """A number with a sign of minus in place of a hyphen."""
    return text.replace("-", "−")
