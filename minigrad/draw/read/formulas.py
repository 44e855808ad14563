"""What stands on the cards of a training step, written from the nodes that are on them.

A formula names what stands on other cards and spells out what stands on its own. It is written from
the graph itself, so it says what a Session computes, as a textbook writes it, in two rows at most.
"""

from typing import NamedTuple
from unicodedata import combining

from minigrad.draw.read import own_name, peek, scalar_text
from minigrad.draw.read.blocks import rename_leaves
from minigrad.draw.read.bodies import loop_of
from minigrad.draw.read.precedence import (
    ATOM,
    COMPARED,
    MORE,
    OPPOSITE,
    PHRASE,
    PLUS,
    POWER,
    SIGN,
    SUM,
    TIMES,
)
from minigrad.draw.read.roles import BACKWARD, SHARED
from minigrad.draw.read.signs import known_params, known_shape
from minigrad.draw.scene import with_bar

ROW, ROWS = 26, 2  # characters of a row, rows of a card, where nothing else is asked for
NARROW = 18  # characters of a row, where a formula fits into its rows so
LONGEST = 2000  # characters of a formula in the making: what is used twice stands there twice
FIRST = 0xE000  # a term is one character of Unicode's private area until the formula is complete
BROADCASTS = frozenset(
    "BroadcastTo BroadcastLike ExpandDims Squeeze Cast Identity EnsureShape Item"
    " KernelResult".split()
)  # of which a textbook says nothing
INFIX = {  # the op's name → (the sign in Python, the shown one, its precedence)
    "Add": ("+", "+", PLUS),
    "Sub": ("-", "−", PLUS),
    "Mul": ("*", "·", TIMES),
    "Div": ("/", "/", TIMES),
    "Matmul": ("@", "", TIMES),
    "Power": ("**", "^", POWER),
    "Equal": ("==", "=", COMPARED),
    "NotEqual": ("!=", "≠", COMPARED),
    "Less": ("<", "<", COMPARED),
    "LessEqual": ("<=", "≤", COMPARED),
    "Greater": (">", ">", COMPARED),
    "GreaterEqual": (">=", "≥", COMPARED),
}
WORDS = {"Maximum": "max", "Minimum": "min", "OneHot": "onehot", "Log": "ln"}
EXPONENTS = {2: "²", 3: "³", -1: "⁻¹"}


class Term(NamedTuple):
    """A piece of a formula: text, or the name of a value, or a number."""

    text: str
    id: str = ""
    kind: str = "text"  # "text" | "number" | "value" | "variable" | "adjoint" | "tangent"


class Formula(NamedTuple):
    """What stands on a card: `rows` of Terms; `is_cut` says that they do not hold all of it."""

    rows: tuple
    is_cut: bool = False

    def ids(self):
        """The ids of the values that the rows name."""
        return {term.id for row in self.rows for term in row} - {""}

    def texts(self):
        """The rows as plain text."""
        return tuple("".join(term.text for term in row) for row in self.rows)


class Phrase(NamedTuple):
    """A text in the making, the precedence of its outermost sign, and of a comparison the text of
    its opposite."""

    text: str
    precedence: float = ATOM
    opposite: str = ""

    def within(self, least):
        """The text, in brackets where its precedence is below the least that its place asks for."""
        return self.text if self.precedence >= least else f"({self.text})"


def card_formulas(cards, limits=(ROW, ROWS)):
    """{id of a card: its Formula}, of all cards but leaves.

    `limits` are the characters of a row and the rows of a card.
    """
    if cards.piles:
        return pile_formulas(cards, limits)
    names, inputs, found = name_terms(cards), read_versions(cards), {}
    for card in cards.cards:
        writer = FormulaWriter(cards, names, inputs, card, limits)
        if card.kind == "update":
            found[card.id] = writer.write_update()
        elif card.kind == "run":
            found[card.id] = Formula(((Term("runs all updates"),),))
        elif card.members or card.same_as:
            found[card.id] = writer.write_values()
    return {id: formula for id, formula in found.items() if formula is not None}


def pile_formulas(cards, limits):
    """The same where equal blocks are in a pile.

    A formula that names what stands in the pile is left out. That of piled updates is written with
    the names of one, and only where all of them read alike.
    """
    owner, ids = cards.piles.owner, cards.outline.ids
    alike = card_formulas(rename_whole(cards), limits)
    hidden = {ids[card.head] for card in cards.whole.cards if card.id in owner}
    found = {card.id: alike[card.id] for card in cards.cards if card.id in alike}
    shown = {id: formula for id, formula in found.items() if hidden.isdisjoint(formula.ids())}
    for card in cards.cards:
        if card.count > 1 and card.kind in ("adjoint", "gradient", "update"):
            piled = [alike[id] for id in owner if owner[id] == card.id and id in alike]
            shown[card.id] = join_formulas(card, piled)
    return shown


def rename_whole(cards):
    """The set without piles, in which leaves have the names that they have with them."""
    found, names = cards.piles.names, list(cards.names)
    for card in cards.whole.cards:
        if card.id in found:
            names[card.head] = found[card.id]
    renamed = rename_leaves(cards.whole.cards, found)
    return cards.whole._replace(cards=tuple(renamed), names=names)


def join_formulas(card, piled):
    """The Formula of a pile: of updates the text of each, where it is the same."""
    if card.kind == "adjoint":
        return Formula(((Term(card.name),),))
    if card.kind == "gradient":
        words = Term(f"{card.count} × "), Term(with_bar(card.name), card.of, "adjoint")
        return Formula((words,))
    if len({formula.texts() for formula in piled}) == 1:
        first, *more = piled[0].rows
        return Formula(((Term("each "), *first), *more), piled[0].is_cut)
    return Formula(((Term(f"{card.count} updates"),),))


def name_terms(cards):
    """{position: the Term by which other cards name a value}."""
    ids, found = cards.outline.ids, {}
    for card in cards.cards:
        if card.kind in ("adjoint", "gradient"):
            if not card.same_as:
                found[card.head] = Term(with_bar(card.name), ids[card.head], "adjoint")
        elif card.kind not in ("update", "shared", "run"):
            kind = "variable" if card.kind == "variable" else "value"
            found[card.head] = Term(card.name, ids[card.head], kind)
    return found | {at: Term(cards.names[at], ids[at], "value") for at in shared_outputs(cards)}


def read_versions(cards):
    """The inputs of all positions; a variable that was assigned before its reader, as graphs
    understand it, is the value that was assigned."""
    outline, found = cards.outline, []
    assigns = [a for assigns in cards.roles.assigns.values() for a in assigns]
    changes = {outline.inputs[a][0]: [] for a in assigns}
    for assign in sorted(assigns):
        variable, value = outline.inputs[assign]
        changes[variable].append((peek(outline.values[assign], "order") or 0, value))
    for at, inputs in enumerate(outline.inputs):
        version = peek(outline.values[at], "read_version") or 0
        is_assign = outline.ops[at] == "Assign"
        found.append(
            tuple(
                x if is_assign and not slot else version_of(x, changes.get(x, ()), version)
                for slot, x in enumerate(inputs)
            )
        )
    return found


def version_of(variable, changes, version):
    """A variable, or what was last assigned to it before a version."""
    earlier = [value for order, value in changes if order < version]
    return earlier[-1] if earlier else variable


def shared_outputs(cards):
    """The positions on shared cards that other cards read."""
    outline, users, owner = cards.outline, cards.outline.users(), cards.card_of()
    for at in cards.roles.lane(SHARED):
        if outline.roles[at] == "op" and any(owner[user] != owner[at] for user in users[at]):
            yield at


class FormulaWriter:
    """Writes the formula of one card; `terms` are the Terms that its characters stand for."""

    def __init__(self, cards, names, inputs, card, limits):
        self.cards, self.outline, self.inputs, self.card = cards, cards.outline, inputs, card
        self.limits = limits
        self.terms, self.chars = [], {}
        self.names = names.copy()
        for at in () if card.same_as else {card.head, *card.members}:
            self.names.pop(at, None)
        self.phrases = {}  # position → Phrase, of the formula in the making

    # whole formulas

    def write_values(self):
        """The Formula of a card that computes values; None for a leaf."""
        if len(parts := self.other_parts()) > 1:
            return self.write_parts(parts)
        outputs = self.outputs()
        if not outputs or not self.outline.inputs[outputs[0]] and self.card.kind in LEAF_KINDS:
            return None
        if self.flows(outputs):
            return self.write_loop(outputs)
        many = len(outputs) > 1 or self.card.kind == "shared"
        opened = not self.card.same_as
        shown = [self.equation(at) if many else self.show(at, opened) for at in outputs]
        rows, is_cut = self.break_rows(["; ".join(shown)])
        if is_cut and (words := self.composites_passed()):
            rows, is_cut = self.write_passage(outputs, words)
        return Formula(rows, is_cut)

    def write_parts(self, parts):
        """The Formula of what consists of several others: their names."""
        named = (at for at in parts if at in self.names)
        names = ", ".join(self.name_char(at, self.names[at]) for at in named)
        return Formula(self.break_rows([names])[0])

    def other_parts(self):
        """What the adjoint of several results consists of, where that stands on other cards."""
        of = self.card.of if self.card.same_as else ""
        adjoints = self.cards.roles.adjoints if of else {}
        own = (parts for at, parts in adjoints.items() if self.outline.ids[at] == of)
        return sorted((at for at in next(own, ()) if at in self.names), reverse=True)

    def outputs(self):
        """The positions that a card computes for others."""
        if self.card.kind != "shared":
            return [self.card.head]
        outputs = [at for at in shared_outputs(self.cards) if at in self.card.members]
        return outputs or [self.card.head]

    def equation(self, at):
        """A shared value and how it is computed: "f = 1 / max(n, 1)"."""
        term = Term(self.cards.names[at], self.outline.ids[at], "value")
        return f"{self.name_char(at, term)} = {self.show(at)}"

    def write_loop(self, outputs):
        """The Formula of what passes a loop or a choice: of what it is computed."""
        return Formula(*self.write_passage(outputs, f"the {self.flow_word(outputs)}"))

    def write_passage(self, outputs, through):
        """The rows that say what is computed by what it is, and what it passes."""
        operands = [at for at in self.walk_back(outputs, {*outputs}) if at in self.names]
        back = self.card.lane in (BACKWARD, "gradients")
        if back or self.card.kind == "tangent":
            derived = [at for at in operands if self.names[at].kind in ("adjoint", "tangent")]
            operands = derived or operands
        names = ", ".join(self.name_char(at, self.names[at]) for at in operands)
        return self.break_rows([f"{names}, {'back ' * back}through {through}"])

    def composites_passed(self):
        """The composite calls that the derivative of a card comes back through: "layer norm"."""
        if self.card.lane not in (BACKWARD, "gradients"):
            return ""
        users = {edge.target for edge in self.cards.edges if edge.source == self.card.of}
        cards = (card for card in self.cards.cards if card.id in users)
        words = [card.sign for card in cards if len(card.members) > 2 and card.sign[:1].isalpha()]
        return " and ".join(dict.fromkeys(words))

    def flows(self, roots):
        """The loops and choices on the way to the roots from what is named."""
        needed = self.walk_back(roots, {*roots})
        inner = (x for x in needed if x in roots or x not in self.names)
        return [flow for flow in map(loop_of, map(self.outline.values.__getitem__, inner)) if flow]

    def flow_word(self, roots):
        """What the derivative passes: a "loop" or, where there is none, a "choice"."""
        return "choice" if {flow.kind for flow in self.flows(roots)} == {"choice"} else "loop"

    # updates

    def write_update(self):
        """The Formula of an update: what is kept for the variable first, then the variable."""
        assigns = self.cards.roles.assigns[self.variable()]
        last = [a for a in assigns if self.outline.inputs[a][0] == self.variable()]
        first = [assign for assign in assigns if assign not in last]
        for assign in assigns:
            self.name_new_value(assign)
        self.prime_new_values([*first, *last])
        parts = ["; ".join(map(self.statement, group)) for group in (first, last) if group]
        return Formula(*self.break_rows(parts))

    def variable(self):
        """The position of the variable that a card updates."""
        return self.cards.outline.ids.index(self.card.id.removesuffix("_update"))

    def assigned_value(self, assign):
        """(position of what is assigned, whether this update computes it)."""
        value = self.inputs[assign][1]
        return value, value in self.card.members and bool(self.inputs[value])

    def name_new_value(self, assign):
        """Other statements of the update call the new value of a variable by its name."""
        value, own = self.assigned_value(assign)
        if own:
            term = self.own_term(self.outline.inputs[assign][0])
            self.names[value] = self.names[assign] = term._replace(id=self.outline.ids[value])

    def prime_new_values(self, assigns):
        """Calls a new value m′ where, read from row to row, m would be taken for another value.

        That is where a later statement reads the old value, or an earlier one the new value.
        """
        for place, assign in enumerate(assigns):
            variable, (value, own) = self.outline.inputs[assign][0], self.assigned_value(assign)
            later = any(variable in self.read_by(other) for other in assigns[place + 1 :])
            earlier = any({value, assign} & self.read_by(other) for other in assigns[:place])
            if own and (later or earlier):
                term = self.names[value]
                self.names[value] = self.names[assign] = term._replace(text=f"{term.text}′")

    def read_by(self, assign):
        """The positions that the statement of an assignment names or spells out."""
        value, own = self.assigned_value(assign)
        return {*self.walk_back([value], {value} if own else set())} - {value}

    def statement(self, assign):
        """How a variable changes: W −= 0.1 W̄ where that is assigned; else m ← 0.9 m + W̄."""
        variable = self.outline.inputs[assign][0]
        value, own = self.assigned_value(assign)
        target = self.own_term(variable)
        target = target._replace(text=self.names[value].text) if own else target
        name = self.name_char(variable, target)
        op, inputs = self.outline.ops[value], self.inputs[value]
        if own and op in ("Add", "Sub") and inputs[0] == variable and target.text[-1] != "′":
            return f"{name} {'+=' if op == 'Add' else '−='} {self.show(inputs[1], opened=False)}"
        return f"{name} ← {self.show(value, opened=own)}"

    def own_term(self, at):
        """The Term of a value that has no card of its own: W1.m is m on the card of W1."""
        name = self.cards.names[at]
        if self.card.kind == "update":
            owner = own_name(self.outline.values[self.variable()])
            name = name.removeprefix(f"{owner}.")
        return Term(name, self.outline.ids[at], "variable")

    # texts

    def show(self, root, opened=True):
        """The text of a value as a textbook writes it, with characters for terms; `opened` spells
        it out even where it has a name."""
        self.phrases = made = {}
        opened = {root} if opened else set()
        for at in self.walk_back([root], opened):
            if at in self.names and at not in opened or not self.inputs[at]:
                made[at] = self.show_leaf(at)
            else:
                made[at] = self.show_op(at, [made[x] for x in self.inputs[at]])
                if len(made[at].text) > LONGEST:
                    made[at] = Phrase("…")
        return made[root].text

    def walk_back(self, roots, opened):
        """The positions that formulas of the roots spell out or name, in order."""
        found, todo = set(), list(roots)
        while todo:
            at = todo.pop()
            if at not in found:
                found.add(at)
                if at in opened or at not in self.names:
                    todo += self.inputs[at]
        return sorted(found)

    def name_char(self, at, term):
        """The character that stands for a term."""
        key = at, term
        if key not in self.chars:
            self.chars[key] = chr(FIRST + len(self.terms))
            self.terms.append(term)
        return self.chars[key]

    def show_leaf(self, at):
        """A named value, or a constant as its number."""
        if at in self.names:
            return Phrase(self.name_char(at, self.names[at]))
        number = constant_number(self.outline, at)
        if number is None:
            return Phrase(self.name_char(at, self.own_term(at)))
        term = Term(shown_number(number), self.outline.ids[at], "number")
        return Phrase(self.name_char(at, term), SIGN if number < 0 else ATOM)

    def show_op(self, at, parts):
        """The Phrase of an op as a textbook writes it, or as a call."""
        try:
            known = self.show_known(at, parts)
        except Exception:  # an op of a learner's engine may have the name of one of ours
            known = None
        return known or self.show_call(at, parts)

    def show_call(self, at, parts):
        """The Phrase of an op as a call: tanh(x)."""
        op = self.outline.ops[at]
        kept = parts[:1] if op == "OneHot" else parts
        verb = WORDS.get(op) or peek(peek(self.outline.values[at], "op"), "verb", default=op)
        return Phrase(f"{verb}({', '.join(part.text for part in kept)})")

    def show_known(self, at, parts):
        """The Phrase of an op that a textbook has a sign for; None of others."""
        op, inputs = self.outline.ops[at], self.inputs[at]
        if op in BROADCASTS or op == "Assign":
            return parts[op == "Assign"]
        if op == "Sum":
            axes, x = self.sum_parts(at)
            return show_sum(axes, self.phrases[x], self.rank(x))
        if op in INFIX:
            x, y = parts
            paired = op in ("Add", "Mul")
            return self.show_pair(op, inputs, parts) if paired else show_infix(op, x, y)
        if op in SPECIAL:
            params = known_params(self.outline.values[at])
            return SPECIAL[op](params, parts, self.rank(inputs[0]))
        return None

    def rank(self, at):
        """The number of axes of a value."""
        return len(known_shape(self.outline, at))

    def show_pair(self, op, inputs, parts):
        """A sum or a product; + 0, and a factor 1, as the first adjoint is, say nothing."""
        x, y = parts
        numbers = [constant_number(self.outline, at) for at in inputs]
        silent = 1 if op == "Mul" else 0
        if silent in numbers:
            return y if numbers[0] == silent else x
        if x.text == y.text:
            doubled = Phrase(f"2 {x.within(TIMES)}", TIMES)
            return doubled if op == "Add" else Phrase(f"{x.within(ATOM)}²", POWER)
        if op == "Add" or numbers == [None, None]:
            return show_infix(op, x, y)
        return self.show_multiple(*((y, x) if numbers[0] is None else (x, y)))

    def show_multiple(self, number, x):
        """A number times x: "0.1 W̄", without a sign where no number follows."""
        text = x.within(TIMES + MORE)
        first = self.term(text[0])
        digit = first.kind == "number" if first else text[0].isdigit() or text[0] == "−"
        return Phrase(f"{number.within(TIMES)}{' · ' if digit else ' '}{text}", TIMES)

    def sum_parts(self, at):
        """(axes, position of what is added up) of a sum, or of sums in a row that keep axes."""
        params = known_params(self.outline.values[at])
        (x,), axes = self.inputs[at], tuple(params.get("axis") or ())
        if self.outline.ops[x] == "Sum" and x not in self.names:
            more, deeper = self.sum_parts(x)
            if known_params(self.outline.values[x]).get("keepdims"):
                return (*axes, *more), deeper
        return axes or tuple(range(self.rank(x))), x

    # rows

    def break_rows(self, parts):
        """(rows of Terms, whether something was cut): of one part all rows, of two one each."""
        limits = [self.limits[1]] if len(parts) == 1 else [1] * len(parts)
        rows, is_cut = [], False
        for part, limit in zip(parts, limits):
            narrow = min(NARROW, self.limits[0]) if self.card.kind == "adjoint" else self.limits[0]
            found, rest = self.fill_rows(part.split(" "), limit, narrow)
            if rest:
                found, rest = self.fill_rows(part.split(" "), limit, self.limits[0])
            is_cut = is_cut or rest
            rows += found
        return tuple(self.row_terms(row) for row in rows), is_cut

    def fill_rows(self, words, limit, width):
        """(at most so many rows of words, whether words are left), which "…" then says."""
        rows = [""]
        for word in words:
            longer = f"{rows[-1]} {word}".strip()
            if self.length(longer) <= width or not rows[-1]:
                rows[-1] = longer
            elif len(rows) < limit:
                head, _, last = rows[-1].rpartition(" ")
                signed = head and last in ("+", "−", "·", "/", "=")  # a sign begins the next row
                rows[-1] = head if signed else rows[-1]
                rows.append(f"{last} {word}" if signed else word)
            else:
                rows[-1] += " …"
                return rows, True
        return rows, False

    def length(self, text):
        """How many letters a text has when its terms are written out."""
        terms = map(self.term, text)
        shown = "".join(term.text if term else char for term, char in zip(terms, text))
        return sum(not combining(char) for char in shown)

    def term(self, char):
        """The Term that a character stands for, or None."""
        place = ord(char) - FIRST
        return self.terms[place] if 0 <= place < len(self.terms) else None

    def row_terms(self, text):
        """A row as Terms."""
        found = []
        for char in text:
            term = self.term(char)
            if term is None and found and found[-1].kind == "text":
                found[-1] = Term(found[-1].text + char)
            else:
                found.append(term or Term(char))
        return tuple(found)


LEAF_KINDS = ("input", "variable", "constant")


def constant_number(outline, at):
    """The number of a constant that is one number, or the same one everywhere; else None."""
    array = peek(outline.values[at], "value") if outline.roles[at] == "constant" else None
    if array is None or getattr(array, "dtype", None) is None or array.dtype.kind not in "biuf":
        return None
    if not array.size or (array != array.flat[0]).any():
        return None
    return array.flat[0].item()


def shown_number(number):
    """A number as a textbook writes it: 0.5, −1e−9."""
    text, exponent, power = scalar_text(number).partition("e")
    return (text + exponent + (str(int(power)) if power else "")).replace("-", "−")


# signs of a textbook -----------------------------------------------------------------------------


def show_infix(op, x, y):
    """The Phrase of x sign y; two matrices stand side by side."""
    _, sign, precedence = INFIX[op]
    if op == "Power":
        return Phrase(f"{x.within(ATOM)}^{y.within(ATOM)}", POWER)
    left, right = x.within(precedence), y.within(precedence + MORE)
    opposite = f"{left} {INFIX[OPPOSITE[op]][1]} {right}" if op in OPPOSITE else ""
    return Phrase(f"{left} {sign} {right}" if sign else f"{left} {right}", precedence, opposite)


def show_sum(axes, x, rank):
    """Σ of all entries, of rows, of columns, or along axes."""
    along = f" axes {','.join(map(str, sorted(axes)))}" if len(axes) < rank else ""
    along = {(2, (0,)): " rows", (2, (1,)): " columns"}.get((rank, axes), along)
    return Phrase(f"Σ{along} {x.within(TIMES)}", SUM)


def show_transpose(params, parts, rank):
    """xᵀ where the last two axes change places; else x, as a textbook writes axes by indices."""
    (x,), axes = parts, tuple(params.get("axes") or ())
    if rank < 2 or axes != (*range(rank - 2), rank - 1, rank - 2):
        return x
    twice = x.precedence == ATOM and x.text.endswith("ᵀ")
    return Phrase(x.text[:-1] if twice else f"{x.within(ATOM)}ᵀ")


def show_power(params, parts, rank):
    """x², or x^n; x for x^1, as the derivative of x² has it."""
    exponent = params.get("exponent")
    if exponent == 1:
        return parts[0]
    raised = EXPONENTS.get(exponent) or f"^{scalar_text(exponent).replace('-', '−')}"
    return Phrase(f"{parts[0].within(ATOM)}{raised}", POWER)


def show_root(params, parts, rank):
    """√x."""
    return Phrase(f"√{parts[0].within(ATOM)}")


def show_absolute(params, parts, rank):
    """|x|."""
    return Phrase(f"|{parts[0].text}|")


def show_negative(params, parts, rank):
    """−x."""
    return Phrase(f"−{parts[0].within(SIGN)}", SIGN)


def show_products(params, parts, rank):
    """The sum of products that an einsum is."""
    return Phrase(f"Σ {' · '.join(part.within(SIGN) for part in parts)}", SUM)


def show_kept(params, parts, rank):
    """x where a condition holds, and 0 elsewhere."""
    condition, x = parts[0].text, parts[1]
    if not params.get("when", True):
        condition = parts[0].opposite or f"not ({condition})"
    return Phrase(f"{x.within(PLUS)} where {condition}", PHRASE)


def show_ties(params, parts, rank):
    """The entries that equal the greatest, or the least, of theirs."""
    return Phrase("ties")


def show_tied(params, parts, rank):
    """x at the ties, and 0 elsewhere."""
    return Phrase(f"{parts[1].within(PLUS)} where {parts[0].text}", PHRASE)


SPECIAL = {
    "Tied": show_ties,
    "KeepTied": show_tied,
    "Transpose": show_transpose,
    "ScalarPower": show_power,
    "Sqrt": show_root,
    "Abs": show_absolute,
    "Neg": show_negative,
    "Einsum": show_products,
    "Keep": show_kept,
}
