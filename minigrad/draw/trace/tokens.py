"""Tokens: the pieces of a formula, each of which knows what it stands for in the drawing."""

import re
from typing import NamedTuple

from minigrad.draw.scene import with_bar, with_dot

KINDS = ("sign", "value", "adjoint", "tangent", "number", "word", "power", "result", "amount")
MARKS = {"adjoint": "bar", "tangent": "dot"}  # what is written over the name of a derivative
SIGNS = {"bar": with_bar, "dot": with_dot}
HYPHEN = re.compile(r"(?<![\w)\]])-(?=\d|inf)|(?<=\de)-(?=\d)")  # before a number, or in one
RAISED = str.maketrans("0123456789-−+T", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺ᵀ")


class Token(NamedTuple):
    """A piece of a formula.

    `kind` says how it is written: "value", "adjoint" and "tangent" are names, in `text` without
    their bar or dot; "number", "word" (of a function), "sign", "power" (an exponent, or T),
    "result" (the last number) and "amount" (what goes along the edge, as a number). `node` is the
    id of the value that it belongs to, and `mark` tells its adjoint ("bar") and its tangent ("dot")
    from the value, of numbers too. `edge` is the pair of ids (user, operand) whose contribution, or
    whose use, it is a part of.
    """

    text: str
    kind: str = "sign"
    node: str = ""
    mark: str = ""
    edge: tuple | None = None

    def __str__(self):
        if self.kind == "power":
            return raise_text(self.text)
        return SIGNS[self.mark](self.text) if self.kind in MARKS else self.text


def name_token(name, node="", kind="value"):
    """The name of a value, or of its derivative; a number where that is its name."""
    text = typeset_number(name)
    kind = "number" if kind == "value" and text[:1] in "−0123456789" else kind
    return Token(text if kind == "number" else name, kind, node, MARKS.get(kind, ""))


def raise_text(text):
    """An exponent as text: "²", "ᵀ", "^0.5"."""
    raised = text.translate(RAISED)
    if set(raised) <= set("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵀ"):
        return raised
    return f"^({text})" if text[:1] == "−" else f"^{text}"


def typeset_number(text):
    """A text in which numbers have minus signs in the places of hyphens."""
    return HYPHEN.sub("−", text)


def tokens_text(tokens):
    """Tokens as one text."""
    return "".join(map(str, tokens))


def shape_text(shape):
    """A shape as it is said: "32×64", "3 numbers"; "1" for a single number."""
    return "×".join("?" if n is None else str(n) for n in shape) or "1"


def with_edge(tokens, edge):
    """The tokens as a part of what goes along an edge."""
    return tuple(token._replace(edge=edge) for token in tokens)


def cut_tokens(tokens, most):
    """The tokens up to so many characters; … stands for the rest."""
    room, found = most, []
    for token in tokens:
        room -= len(str(token))
        if room < 0:
            return (*found, Token("…"))
        found.append(token)
    return tuple(found)
