"""Formulas on cards: what they say is what a Session computes, as a textbook writes it."""

import re

import numpy as np
import pytest
from draw import exact_formulas
from draw.training_steps import STEPS, build, outline_of

import minigrad as mg
from minigrad.core.op import Op, bind
from minigrad.draw.read.cards import read_cards
from minigrad.draw.read.formulas import Phrase, Term, card_formulas, show_infix, show_kept
from minigrad.draw.read.outline import outline
from minigrad.draw.read.precedence import COMPARED
from minigrad.draw.read.source import list_results

every = pytest.mark.parametrize("name", STEPS)


def subclasses(op):
    """All ops below one."""
    for below in op.__subclasses__():
        yield below
        yield from subclasses(below)


OPS = {op.__name__: op for op in subclasses(Op)}


class Names(dict):
    """What an exact text means: values by their ids, and ops by their names."""

    def __missing__(self, name):
        if name == "dtype":
            return np.dtype
        op = OPS[name]
        return lambda *operands, **params: bind(op, *map(np.asarray, operands), **params)


def feeds_for(graph):
    """Numbers for the placeholders of a graph."""
    rng = np.random.default_rng(1)
    labels = (n for n in graph.nodes if n.role == "input" and n.dtype.kind == "i")
    fed = {node: rng.integers(0, 8, size=node.shape) for node in labels}
    inputs = (n for n in graph.nodes if n.role == "input" and n.dtype.kind == "f")
    return fed | {node: rng.normal(size=node.shape) + 1.5 for node in inputs}


def run_step(name):
    """(CardSet, {id: value before the step}, {id of a variable: value after it})."""
    graph = build(name)
    found = outline(list_results(graph))
    session, feeds = mg.Session(graph, optimize=False), feeds_for(graph)
    assigns = [node for node in graph.nodes if node.op.__name__ == "Assign"]
    if assigns:
        session.run(assigns, feeds)  # once, so that what an optimiser keeps is not zero
    computed = [
        v for v in found.values if v.op.__name__ != "Group" and isinstance(v.dtype, np.dtype)
    ]
    arrays = session.run(computed, feeds)
    values = {found.ids[found.place[id(v)]]: array for v, array in zip(computed, arrays)}
    variables = [v for v in found.values if isinstance(v, mg.Variable)]
    after = dict(zip((found.ids[found.place[id(v)]] for v in variables), session.run(variables)))
    return read_cards(found), values, after


@every
def test_a_formula_says_what_the_session_computes(name):
    cards, values, after = run_step(name)
    with exact_formulas.exact_texts():
        formulas, seen = card_formulas(cards), set()
    for card in cards.cards:
        for id, text in exact_formulas.texts_of(formulas.get(card.id)):
            wanted = after[id] if card.kind == "update" else values[id]
            np.testing.assert_allclose(eval(text, {}, Names(values)), wanted, rtol=1e-9, atol=1e-12)
            seen.add(card.kind)
    kinds = {card.kind for card in cards.cards} & {"adjoint", "gradient", "update", "shared"}
    unspelled = {"gradient"} if name == "loop" else set()
    assert seen >= kinds - unspelled and (kinds or name == "forward")


@every
def test_every_card_but_leaves_has_a_formula(name):
    cards = read_cards(outline_of(name))
    formulas = card_formulas(cards)
    bare = [card for card in cards.cards if card.id not in formulas and not names_pile(cards, card)]
    assert all(card.kind in ("input", "variable", "constant") for card in bare)
    for formula in formulas.values():
        assert 1 <= len(formula.rows) <= 2
        assert all(len(row) <= 40 for row in formula.texts())
        assert formula.is_cut == any("…" in row for row in formula.texts())


def names_pile(cards, card):
    """Whether the formula of a card would name a value in a pile, or it is the pile."""
    if not cards.piles:
        return False
    hidden = {one.head for one in cards.whole.cards if one.id in cards.piles.owner}
    read = {x for at in card.members for x in cards.outline.inputs[at]}
    return card.kind == "pile" or not hidden.isdisjoint(read)


def texts_of(name, kind):
    """{name of a card: its rows as one text} of one kind."""
    cards = read_cards(outline_of(name))
    formulas = card_formulas(cards)
    return {
        card.name: " / ".join(formulas[card.id].texts())
        for card in cards.cards
        if card.kind == kind
    }


def test_gradients_are_written_as_in_a_textbook():
    assert texts_of("mlp", "gradient") == {
        "W1": "Xᵀ v̄5",
        "b1": "Σ rows v̄5",
        "W2": "v6ᵀ v̄10",
        "b2": "Σ rows v̄10",
    }
    adjoints = texts_of("mlp", "adjoint")
    assert adjoints["v6"] == "v̄10 W2ᵀ" and adjoints["v5"] == "v̄6 · (1 − v6²)"
    assert adjoints["v10"] == "(softmax(v10) / − onehot(labels)) / 32"
    assert texts_of("conv", "adjoint")["v9"] == "v̄10 where v9 > 0"
    assert texts_of("conv", "gradient")["b1"] == "Σ axes 0,2,3 v̄9"


def test_an_update_says_what_is_assigned():
    assert texts_of("mlp", "update")["W1"] == "W1 −= 0.1 W̄1"
    assert texts_of("momentum", "update")["W1"] == "m_W1 ← 0.9 m_W1 + W̄1 / W1 −= 0.1 m_W1"
    by_name = texts_of("momentum by name", "update")
    assert by_name == texts_of("momentum", "update")
    late = texts_of("late momentum", "update")["W1"]
    assert late == "m_W1′ ← 0.9 m_W1 + W̄1 / W1 −= 0.1 m_W1"
    assert texts_of("clipping", "update")["W1"] == "W1 −= 0.1 v48 · W̄1"
    assert texts_of("clipping", "shared")["v48"].startswith("v48 = 1 / max(√(Σ W̄1²")
    assert texts_of("adam", "update")["W1"].startswith("m ← 0.9 m + 0.1 W̄1; ")
    assert texts_of("loop", "gradient") == {"w": "v̄3, back through the loop"}


@pytest.mark.parametrize(
    "value, text",
    [
        (lambda w, d: w - 0.5 * d, "w −= 0.5 w̄"),
        (lambda w, d: w + d, "w += w̄"),
        (lambda w, d: 0.9 * w, "w ← 0.9 w"),
        (lambda w, d: d - w, "w ← w̄ − w"),
        (lambda w, d: d, "w ← w̄"),
        (lambda w, d: w - d * d, "w −= w̄²"),
        (lambda w, d: w / (1 - d), "w ← w / (1 − w̄)"),
        (lambda w, d: w - 0.1 * mg.sign(d), "w −= 0.1 sign(w̄)"),
    ],
)
def test_no_update_is_said_to_be_descent_that_is_none(value, text):
    with mg.Graph() as graph:
        w = mg.Variable(2.0, "w")
        (d,) = mg.gradients(mg.exp(w), [w])
        mg.assign(w, value(w, d))
    cards = read_cards(outline(list_results(graph)))
    card = next(card for card in cards.cards if card.kind == "update")
    assert card_formulas(cards)[card.id].texts() == (text,)


# what is printed, read back ----------------------------------------------------------------------

FUNCTIONS = {
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
    "ln": np.log,
    "exp": np.exp,
    "relu": lambda x: np.maximum(x, 0),
    "max": np.maximum,
    "min": np.minimum,
    "softmax": lambda x: np.exp(x) / np.sum(np.exp(x), -1, keepdims=True),
    "onehot": lambda labels: labels[:, None] == np.arange(10),
}
POSTFIX = {"ᵀ": lambda x: x.mT, "²": lambda x: x**2, "³": lambda x: x**3}
COMPARISONS = {">": np.greater, "≥": np.greater_equal, "<": np.less, "≤": np.less_equal}


class Reader:
    """Reads the rows of a Formula as a student would, with the values of a Session."""

    def __init__(self, formula, values):
        self.tokens, self.values = [], values
        for row in formula.rows:
            if len(row) > 1 and row[1].text.startswith((" ←", " −=", " +=")):
                self.tokens.append(";")
            for term in row:
                pieces = re.findall(r"\d+(?:\.\d+)?|\w+|\S", term.text)
                self.tokens += pieces if term.kind == "text" else [term]

    def next(self):
        """The token ahead, or None."""
        return self.tokens[0] if self.tokens else None

    def take(self, *wanted):
        """Takes the token ahead, where it is one of these."""
        if self.next() in wanted:
            return self.tokens.pop(0)
        return None

    def phrase(self):
        """A sum, where a condition holds."""
        x = self.sum()
        if self.take("where"):
            left = self.sum()
            return np.where(COMPARISONS[self.tokens.pop(0)](left, self.sum()), x, 0)
        return x

    def sum(self):
        """x + y − z."""
        x = self.product()
        while sign := self.take("+", "−"):
            y = self.product()
            x = x + y if sign == "+" else x - y
        return x

    def product(self):
        """x · y / z; side by side, a number times an array or two matrices."""
        x, number = self.power()
        while self.tokens and self.next() not in ("+", "−", ")", ",", ";", "where", *COMPARISONS):
            sign = self.take("·", "/")
            y, other = self.power()
            entries = sign or number or other  # are multiplied one by one
            x = x / y if sign == "/" else x * y if entries else x @ y
            number = number and other
        return x

    def power(self):
        """(x with what follows it, whether it is written as a number)."""
        if self.take("−"):
            x, number = self.power()
            return -x, number
        if self.take("Σ"):
            axis = {"rows": 0, "columns": 1}.get(self.take("rows", "columns"))
            return np.sum(self.product(), axis, keepdims=axis is not None), False
        if self.take("√"):
            return np.sqrt(self.power()[0]), False
        x, number = self.atom()
        while mark := self.take(*POSTFIX, "^"):
            x = x ** self.power()[0] if mark == "^" else POSTFIX[mark](x)
        return x, number

    def atom(self):
        """A value, a number, a bracket, or a function of what is in brackets."""
        token = self.tokens.pop(0)
        if isinstance(token, Term):
            return self.values[token.id], token.kind == "number"
        if token == "(":
            x = self.phrase()
            assert self.take(")")
            return x, False
        if token[0].isdigit():
            return float(token), True
        assert self.take("(")
        operands = [self.phrase()]
        while self.take(","):
            operands.append(self.phrase())
        assert self.take(")")
        return FUNCTIONS[token](*operands), False


def read_assignments(formula, values):
    """{id of what is changed: its new value} of the statements of an update."""
    reader, found = Reader(formula, values), {}
    while reader.take(";"):
        target, arrow = reader.tokens.pop(0), reader.tokens.pop(0)
        arrow += reader.take("=") or ""
        x = reader.phrase()
        old = values.get(target.id) if arrow != "←" else None
        found[target.id] = {"−=": lambda: old - x, "+=": lambda: old + x, "←": lambda: x}[arrow]()
    return found


def is_readable(formula):
    """Whether all of a formula is printed, in functions that a student knows."""
    text = " ".join(formula.texts())
    words = set(re.findall(r"([^\W\d_]\w*)\(", text))
    plain = words <= FUNCTIONS.keys() and "axes" not in text
    return exact_formulas.texts_of(formula) and not formula.is_cut and plain


@every
def test_what_is_printed_is_what_the_session_computes(name):
    cards, values, after = run_step(name)
    with exact_formulas.exact_texts():
        formulas, seen = card_formulas(cards), []
    for card in cards.cards:
        formula = formulas.get(card.id)
        if formula is None or not is_readable(formula) or "windows" in str(formula.rows):
            continue
        if card.count > 1:
            continue  # each of its exact texts is computed above
        if card.kind == "update":
            found, wanted = read_assignments(formula, values), after
            assert found.keys() == {id for id, _ in formula.exact}
        elif card.kind == "shared":
            continue
        else:
            ((id, _),) = formula.exact
            found, wanted = {id: Reader(formula, values).phrase()}, values
        for id, x in found.items():
            x, y = np.asarray(x), wanted[id]
            x = x.reshape(y.shape) if x.size == y.size else np.broadcast_to(x, y.shape)
            np.testing.assert_allclose(x, y, rtol=1e-3, atol=1e-9)
        seen.append(card.kind)
    assert len(seen) > len(cards.cards) / 4


@pytest.mark.parametrize(
    "op, words",
    [
        ("Equal", "z where x ≠ y"),
        ("NotEqual", "z where x = y"),
        ("Less", "z where x ≥ y"),
        ("GreaterEqual", "z where x < y"),
    ],
)
def test_where_a_comparison_does_not_hold_its_opposite_does(op, words):
    asked = show_infix(op, Phrase("x"), Phrase("y"))
    assert show_kept({"when": False}, [asked, Phrase("z")], 1).text == words


def test_only_the_outermost_of_two_comparisons_becomes_its_opposite():
    inner = show_infix("Less", Phrase("x"), Phrase("y"))
    outer = show_infix("Less", Phrase("a"), inner)
    assert outer.text == "a < (x < y)"
    assert show_kept({"when": False}, [outer, Phrase("z")], 1).text == "z where a ≥ (x < y)"
    either = Phrase("p or q", COMPARED)
    assert show_kept({"when": False}, [either, Phrase("z")], 1).text == "z where not (p or q)"
