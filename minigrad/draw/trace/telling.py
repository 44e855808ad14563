"""What a step tells: a sentence, the formula with names, and the same with numbers."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import NamedTuple

from minigrad.core.op import Elementwise, Linear
from minigrad.core.ops.elementwise import Choice
from minigrad.core.spec import spec_of
from minigrad.draw.scene import with_bar, with_dot
from minigrad.draw.trace.formula import (
    DOTS,
    EQUALS,
    TERMS,
    contribution_symbols,
    substitute,
    tangent_symbol,
    value_symbol,
    written,
)
from minigrad.draw.trace.sentences import (
    MOST,
    count_word,
    numbers_words,
    ordinal_word,
    say_contribution,
    say_saved,
    say_sum,
    say_value,
    slope_words,
    verb_of,
)
from minigrad.draw.trace.summary import Summary, summary
from minigrad.draw.trace.symbols import Symbol
from minigrad.draw.trace.tokens import (
    Token,
    cut_tokens,
    name_token,
    shape_text,
    tokens_text,
    typeset_number,
    with_edge,
)

LONG = 32  # characters of a formula that a sentence quotes
FIRST = 0xE000  # a character that no sentence has, which stands for those of a number
PLUS = Token(" + ")


class Telling(NamedTuple):
    """What a step tells. `element` is the place in an array whose numbers the substitution has.
    `spoken` is the sentence as Tokens, where numbers in it follow from the inputs."""

    sentence: str
    formula: tuple = ()
    substitution: tuple = ()
    element: str = ""
    spoken: tuple = ()


class Contribution(NamedTuple):
    """What the rule of one value adds to the adjoint of another. `say(count, received)` gives its
    sentence, where that has so many contributions; it is None once the event is told. `received`
    is what that sentence says of the amount, as Tokens."""

    user: str  # ids
    operand: str
    names: tuple  # of the operand and of the user
    amount: Summary
    received: tuple
    alone: Telling  # what it tells by itself
    say: Callable | None

    @property
    def text(self):
        """The amount as text, also of an array."""
        return typeset_number(self.amount.text)

    @property
    def number(self):
        """The amount as text; "" for an array."""
        single = isinstance(self.amount.numbers, (int, float))
        return self.text if single else ""

    @property
    def token(self):
        """The amount as a Token."""
        return Token(self.text, "amount", edge=(self.user, self.operand))


class Teller:
    """Tells of values and their derivatives: `labels` has their names and ids, and read(v) their
    numbers, or None."""

    def __init__(self, labels, read):
        self.labels, self.read = labels, read

    def leaf(self, v):
        """A value as a Symbol."""
        token = name_token(self.labels.name(v), self.labels.id(v))
        return Symbol(spec_of(v), token, read=lambda: self.read(v))

    def derivative(self, v, kind, array=None):
        """Its adjoint, or its tangent."""
        token = name_token(self.labels.name(v), self.labels.id(v), kind)
        return Symbol(spec_of(v), token, read=lambda: array)

    def leaf_value(self, v, template):
        """A value that comes from outside: "You fed x with 2."."""
        token, array = self.leaf(v).token, self.read(v)
        found = summary("not kept" if array is None else array)
        return tell_given(token, self.labels.name(v), template, found)

    def value(self, v, array, saved="", **more):
        """A value that is computed."""
        symbol, id = value_symbol(v, self.leaf), self.labels.id(v)
        sentence = say_value(v, self.labels.name, array, saved, **more)
        tokens = tuple(t._replace(edge=(id, t.node)) if t.node else t for t in written(symbol))
        numbers, element = substitute(symbol, array)
        return Telling(sentence, (self.leaf(v).token, EQUALS, *tokens), numbers, element)

    def why_saved(self, v, wanted):
        """Why operands of v are saved, where the rules of the `wanted` ones read them."""
        known = v.op.reads is not None and True in wanted
        read = v.op.values_read(wanted) if known else ()
        roles = {at: "" if at == "z" else self.labels.role(v.inputs[at]) for at in read}
        places = [at for at, role in roles.items() if role != "constant"]
        return say_saved(v, self.labels.name, sorted(places, key=str))

    def seed(self, y, array):
        """Where the backward pass starts."""
        name, token = self.labels.name(y), self.derivative(y, "adjoint").token
        text = numbers_words(summary(array))
        sentence = (
            "The backward pass starts here: the derivative of {} with respect to itself is {}."
        )
        return Telling(
            sentence.format(name, text), (token, EQUALS, Token(text, "result", token.node, "bar"))
        )

    def contributions(self, z, z_bar, path, passed):
        """The Contributions of z to what is `passed`, as pairs (operand, array or parts)."""
        own = self.derivative(z, "adjoint", z_bar)
        symbols = contribution_symbols(z, own, path, self.leaf)
        places = [at for at, x in enumerate(z.inputs) if x.order in path]
        for (x, amount), symbol in zip(passed, symbols):
            at = next((p for p in places if z.inputs[p].order == x.order), 0)
            places = [p for p in places if p != at]
            yield self.contribution(z, x, at, symbol, own, amount)

    def contribution(self, z, x, place, symbol, z_bar, array):
        """The Contribution of z to x, its operand at a place."""
        edge, amount = (self.labels.id(z), self.labels.id(x)), summary(array)
        tokens = written(symbol)
        alone = symbol is z_bar and not x.shape and issubclass(z.op, Elementwise)
        tokens = (*tokens, Token(" · "), Token("1", "number")) if alone else tokens
        numbers, element = substitute(symbol, array)
        if alone:
            number = Token(typeset_number(amount.text), "number", edge[0], "bar")
            numbers = (EQUALS, number, *tokens[-2:], EQUALS, number._replace(kind="result"))
        names = self.labels.name(x), self.labels.name(z)
        own = Token(typeset_number(amount.text), "amount", edge=edge)
        received = amount_tokens(own, tokens, with_edge(numbers, edge), amount, alone)
        bar = with_bar(names[1])
        told = Telling("", with_edge(tokens, edge), with_edge(numbers, edge), element)

        def say(count, words):
            """Its sentence, where there are so many contributions."""
            return say_contribution(z, x, place, self.labels.name, bar, words, count)

        return Contribution(*edge, names, amount, received, told, say)

    def tangent(self, v, dots, array):
        """A tangent that comes from those of the operands: `dots` are their arrays, or None."""
        symbols = [self.derivative(x, "tangent", d) if moves else None for x, moves, d in dots]
        symbol = tangent_symbol(v, symbols, self.leaf)
        numbers, element = substitute(symbol, array)
        left, id = self.derivative(v, "tangent").token, self.labels.id(v)
        tokens = tuple(t._replace(edge=(id, t.node)) if t.node else t for t in written(symbol))
        moving = [x for x, moves, _ in dots if moves]
        return Telling(
            say_tangent(v, moving, self.labels.name), (left, EQUALS, *tokens), numbers, element
        )

    def given_tangent(self, v, array):
        """A tangent that the learner has chosen."""
        token, found = self.derivative(v, "tangent").token, summary(array)
        template = "By the seed, the tangent of {z} is {value}."
        return tell_given(token, self.labels.name(v), template, found)


def tell_given(token, name, template, found):
    """A value, or a derivative, of which only numbers are known."""
    words = numbers_words(found)
    single = not found.shape
    end = (EQUALS, Token(words, "result", token.node, token.mark))
    shape = (Token(": "), Token(shape_text(found.shape), "result", token.node, token.mark))
    sentence = template.format(z=name, value=words)
    sentence = sentence if len(sentence) <= MOST else template.format(z=name, value="an array")
    spoken = speak(lambda text: template.format(z=name, value=text), end[1:])
    return Telling(sentence, (token, *(end if single else shape)), spoken=spoken if single else ())


def amount_tokens(own, tokens, numbers, amount, alone):
    """What an operand receives, in a sentence: "1 · 2", "v̄ Wᵀ", "64×32 numbers". `own` is the
    Token of the amount, a single number."""
    single = alone or not amount.shape and (numbers or amount.numbers is not None)
    found = numbers[1:-2] if single and numbers and not alone else (own,) if single else tokens
    if len(tokens_text(found)) <= LONG:
        return found
    return (own,) if single else (Token(f"{shape_text(amount.shape)} numbers"),)


def speak(say, *numbers):
    """A sentence as Tokens, in which each of `numbers`, Tokens themselves, stays apart: `say` makes
    it of their texts."""
    marks = [chr(FIRST + at) * len(tokens_text(tokens)) for at, tokens in enumerate(numbers)]
    known, found = dict(zip(marks, numbers)), []
    for part in filter(None, re.split(f"({'|'.join(marks)})", say(*marks))):
        found += known.get(part) or (Token(part),)
    return tuple(found)


def say_tangent(v, moving, name):
    """How a tangent comes from those of the operands that move."""
    z, verb = name(v), verb_of(v.op)
    if len(moving) > 1:
        many = count_word(len(moving))
        return f"The tangent of {z} is the sum of what its {many} operands contribute."
    dot = with_dot(name(moving[0]))
    if issubclass(v.op, Elementwise) and v.op.partials:
        place = next(at for at, x in enumerate(v.inputs) if x is moving[0])
        if v.op.partials[place] in (1, -1):
            sign = "as it is" if v.op.partials[place] == 1 else "with the other sign"
            why = ", because its other operand does not move" if len(v.inputs) > 1 else ""
            return f"{verb} passes {dot} on {sign}{why}."
        slope = slope_words(v, place, name)
        told = f"The tangent of {z} is {dot} times the derivative of {verb}, {slope}."
        return told if len(told) <= MOST else f"The tangent of {z} is {dot} times that of {verb}."
    if issubclass(v.op, Linear):
        return f"{verb} is linear, so the tangent of {z} is {verb} of {dot}."
    if issubclass(v.op, Choice):
        return f"{verb} passes {dot} on where it takes its entries from {name(moving[0])}."
    return f"The tangent of {z} comes from {dot} by the rule of {verb}."


# sums of contributions ---------------------------------------------------------------------------


def tell_sums(events):
    """The events, in which each contribution is told as a part of the sum that it belongs to."""
    counts = Counter(e.contribution.operand for e in events if e.contribution)
    seen, found = defaultdict(list), []
    for event in events:
        if (one := event.contribution) is not None:
            so_far, count = seen[one.operand], counts[one.operand]
            so_far.append(one)
            event = event._replace(**tell_sum(so_far, count, event.derivative)._asdict())
            event = event._replace(contribution=one._replace(say=None))
        found.append(event)
    return found


def tell_sum(so_far, count, total):
    """The adjoint of a value after the last of these contributions, of `count` in all."""
    last, here = so_far[-1], len(so_far)
    left = name_token(last.names[0], last.operand, "adjoint")
    terms = islice((t for one in so_far for t in (PLUS, *one.alone.formula)), 1, None)
    formula = (left, EQUALS, *cut_tokens(terms, MOST), *[DOTS] * (here < count))
    numbers = sum_tokens(so_far, here == count, total) if count > 1 else last.alone.substitution
    if here == count > 1:
        told = [(one.token,) for one in so_far]
        say = partial(say_whole_sum, so_far)
    else:
        told, say = [last.received], partial(say_part, last, here, count)
    sentence, element = say(*map(tokens_text, told)), last.alone.element * (count == 1)
    spoken = speak(say, *told) if all(one.number for one in so_far) else ()
    return Telling(sentence, formula, numbers, element, spoken)


def say_part(one, here, count, amount):
    """The sentence of a contribution before the last one, or of the only one."""
    sentence = one.say(count, amount)
    which = f" It is the {ordinal_word(here - 1)} of {count_word(count)} contributions."
    return sentence + which if count > 1 and len(sentence + which) <= MOST else sentence


def say_whole_sum(contributions, *amounts):
    """The sentence of the last contribution, which tells the sum."""
    numbers = [a if one.number else "" for one, a in zip(contributions, amounts)]
    users = [one.names[1] for one in contributions]
    return say_sum(contributions[0].names[0], list(zip(users, numbers)))


def sum_tokens(so_far, complete, total):
    """The amounts that are there, and their sum where no more come; of arrays nothing."""
    if len(so_far) > TERMS or not all(one.number for one in so_far):
        return ()
    amounts = [
        one.token._replace(text=f"({one.text})") if at and one.text[0] == "−" else one.token
        for at, one in enumerate(so_far)
    ]
    tokens = tuple(t for amount in amounts for t in (PLUS, amount))[1:]
    node = so_far[0].operand
    result = (EQUALS, Token(typeset_number(total.text), "result", node, "bar"))
    return (EQUALS, *tokens, *(result if complete else (DOTS,)))
