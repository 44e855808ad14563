"""Rules as formulas: an op, or the rule of its derivative, is run on symbols."""

import numpy as np

from minigrad.compiler.kernel import Kernel
from minigrad.core.autodiff import contributions, fit_tangent
from minigrad.core.op import Elementwise
from minigrad.core.ops.elementwise import Choice
from minigrad.core.spec import spec_of
from minigrad.draw.read import number_text
from minigrad.draw.trace.symbols import Symbol, SymbolStep
from minigrad.draw.trace.tokens import Token, cut_tokens, shape_text, tokens_text, typeset_number
from minigrad.draw.trace.writing import (
    MOVING,
    SILENT,
    EntryNumbers,
    Names,
    Shapes,
    spreads_number,
)

LONGEST = 120  # characters of a formula
TERMS = 4  # numbers that are written into one; with more of them there is only the result
EQUALS, GIVES, DOTS = Token(" = "), Token(" → "), Token(" + …")


def value_symbol(v, leaf):
    """How v is computed from its inputs, of which `leaf` makes Symbols: x + w."""
    inputs = tuple(map(leaf, v.inputs))
    if issubclass(v.op, Kernel) and len(v.params["body"].results) == 1:
        return kernel_symbol(v.params["body"], inputs)
    return Symbol(spec_of(v), step=SymbolStep(v.op, inputs, v.params))


def kernel_symbol(body, inputs):
    """What a kernel computes, as if its steps were apart."""
    values = list(inputs)
    for step in body.steps:
        values.append(values[0].extend(step.op, [values[i] for i in step.operands], step.params))
    return values[body.results[0]]


def contribution_symbols(z, z_bar, path, leaf):
    """What z passes on to each input on the path, in the order of `contributions`, from the Symbol
    of its adjoint: ȳ · b."""
    wanted = [x for x in z.inputs if x.order in path]
    if loops(z):
        return [words_symbol(x, z_bar, f" back through {loops(z)}") for x in wanted]
    try:
        return [share for _, share in contributions(z, z_bar, path, leaf)]
    except Exception:
        return [words_symbol(x, z_bar, f", by {z.op.verb}’s rule") for x in wanted]


def tangent_symbol(z, x_dots, leaf):
    """How z's tangent comes from the Symbols of those of its inputs, or None: ẋ · w."""
    moving = [d for d in x_dots if d is not None]
    if loops(z):
        return words_symbol(z, moving[0], f" on through {loops(z)}")
    try:
        xs = [leaf(x) for x in z.inputs]
        return fit_tangent(z.op.pushforward(xs, leaf(z), x_dots, z.params), z)
    except Exception:
        return words_symbol(z, moving[0], f", by {z.op.verb}’s rule")


def words_symbol(x, derivative, words):
    """A derivative of x whose rule cannot be written as a formula."""
    return Symbol(spec_of(x), words=(*written(derivative), Token(words, "word")))


def loops(z):
    """What a derivative passes through at a loop or a choice; "" at other ops."""
    bodies = [name for name, value in z.params.items() if hasattr(value, "run")]
    return "" if not bodies else "the iterations" if "body" in bodies else "the branch that ran"


def written(symbol):
    """A formula with names, as tokens; not too long. Of a bundle's derivative, its parts."""
    parts = symbol.values() if isinstance(symbol, dict) else [symbol]
    tokens = tuple(token for part in parts for token in (Token(", "), *Names(part).write(part)[0]))
    return cut_tokens(tokens[1:], LONGEST)


# the same with numbers ---------------------------------------------------------------------------


def substitute(symbol, array):
    """(tokens of a formula with numbers and its result, the entry of arrays that they tell)."""
    try:
        found = few_terms(symbol) or entry_tokens(symbol, array) or shape_tokens(symbol, array)
    except Exception:
        found = ()
    return found or ((), "")


def few_terms(symbol):
    """The terms of a sum or a mean of up to four numbers, or of a loss of so many rows."""
    if not symbol.is_made_by("Sum", "Mean", "CrossEntropy") or symbol.shape:
        return None
    terms = list_terms(symbol)
    if not 1 < len(terms) <= TERMS:
        return None
    numbers = [number_token(term) for term in terms]
    signs = [number.text[:1] == "−" for number in numbers]
    numbers = [
        n._replace(text=f"({n.text})") if s and at else n
        for at, (n, s) in enumerate(zip(numbers, signs))
    ]
    tokens = tuple(t for number in numbers for t in (Token(" + "), number))[1:]
    if not symbol.is_made_by("Sum"):
        tokens = (Token("("), *tokens, Token(")"), Token(" / "), number_token(len(terms)))
    return (EQUALS, *tokens, EQUALS, result_token(symbol.numbers())), ""


def list_terms(symbol):
    """The numbers that a sum or a mean adds up."""
    x, *labels = (each.numbers() for each in symbol.step.inputs)
    if not labels:
        return x.ravel()
    rows = x[: TERMS + 1].astype(float)
    largest = rows.max(1, keepdims=True)
    totals = np.log(np.exp(rows - largest).sum(1)) + largest[:, 0]
    return totals - rows[np.arange(len(rows)), labels[0][: TERMS + 1]]


def entry_tokens(symbol, array):
    """The numbers of one entry; None where entries are not computed from entries."""
    inside = leave_out(symbol, SILENT)
    if inside.step is None:
        return None if inside.shape != symbol.shape else ((), "")
    elementwise = issubclass(inside.step.op, Elementwise)
    if array is None or not (elementwise and goes_by_entries(symbol, symbol.shape)):
        return None
    array = np.asarray(array)
    entry = shown_entry(symbol, array)
    tokens = EntryNumbers(entry).write(symbol)[0]
    count = sum(t.kind == "number" and bool(t.node) for t in tokens)
    if count > TERMS:
        return None if symbol.shape else ((), "")
    told, result = str(list(entry)) if entry else "", result_token(array[entry])
    if tokens_text(tokens) == result.text:
        return (), ""
    return (EQUALS, *tokens, EQUALS, result), told


def leave_out(symbol, names):
    """What a Symbol is made from by ops of these names."""
    while symbol.is_made_by(*names):
        symbol = symbol.step.inputs[0]
    return symbol


def goes_by_entries(symbol, shape):
    """Whether each entry of a formula comes from one entry of its operands, or from a number."""
    if spreads_number(symbol):
        return goes_by_entries(symbol.step.inputs[0], symbol.step.inputs[0].shape)
    if symbol.step is None or not issubclass(symbol.step.op, Elementwise):
        return not symbol.words and symbol.shape in ((), shape)
    return all(goes_by_entries(x, shape) for x in symbol.step.inputs)


def shown_entry(symbol, array):
    """The place that is shown of an array: where something becomes 0, or else the first one."""
    zeros = np.argwhere(array == 0) if issubclass(leave_out(symbol, SILENT).step.op, Choice) else ()
    return tuple(map(int, zeros[0])) if len(zeros) else (0,) * array.ndim


def shape_tokens(symbol, array):
    """The shapes of what is computed; of single numbers the result itself."""
    inside = leave_out(symbol, MOVING)
    tokens, _ = Shapes().write(inside)
    if symbol.is_made_by("Item", "KernelResult") or symbol.step and loops(symbol.step):
        return None
    sign = EQUALS if symbol.is_made_by("Matmul") and symbol.shape else GIVES
    result = Token(shape_text(symbol.shape), "result") if symbol.shape else result_token(array)
    if not any("×" in token.text or "Σ" in token.text for token in (*tokens, result)):
        return None
    return (*cut_tokens(tokens, LONGEST), sign, result), ""


def number_token(number, kind="number"):
    """A number as a token."""
    return Token(typeset_number(number_text(number)), kind)


def result_token(number):
    """The number that a formula gives."""
    return number_token(np.asarray(number)[()], "result")
