"""Sentences: the lines that ops say of themselves, in the learner's names."""

import numpy as np

from minigrad.core.op import Op
from minigrad.core.spec import spec_of
from minigrad.draw.read import clean, number_text
from minigrad.draw.trace.formula import written
from minigrad.draw.trace.symbols import Symbol
from minigrad.draw.trace.tokens import Token, shape_text, tokens_text, typeset_number
from minigrad.draw.trace.writing import Names, index_tokens, learners_verb, over_words

MOST = 110  # characters of a sentence
LONG = 32  # characters of a formula that stands in a sentence
PLACES = ("x", "y", "w")  # what templates call operands
VERBS = {"*": "×", "-": "−", "@": "matmul"}  # how sentences write a sign, or a verb
VERBS |= {"**": "power", "scalar_power": "power", "get_item": "indexing", "while_loop": "the loop"}
PLAIN = "{z} is what {verb} computes."  # where a sentence with all names is too long
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


class Facts(dict):
    """What a template may ask for; a function is called when it is asked for."""

    def __getitem__(self, key):
        value = super().__getitem__(key)
        return value() if callable(value) else value


def fill_sentence(facts, *templates):
    """The first sentence that is not too long; templates that ask for unknown facts are skipped."""
    for template in filter(None, templates):
        try:
            sentence = template.format_map(facts)
        except (KeyError, IndexError, ValueError):
            continue
        if len(sentence) <= MOST:
            return sentence
    return clean(PLAIN.format_map(facts), MOST)


def verb_of(op):
    """What sentences call an op: its sign, or its verb."""
    word = op.sign or learners_verb(op)
    return VERBS.get(word, word.replace("_", " "))


def join_names(names):
    """x, w and b."""
    names = list(names)
    if len(names) > 4:
        names = [*names[:3], f"{len(names) - 3} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def count_word(count):
    """A small number as a word."""
    return COUNTS[count] if count < len(COUNTS) else f"{count:,}"


def ordinal_word(place):
    """A place, counted from 0, as a word."""
    return ORDINALS[place] if place < len(ORDINALS) else f"{place + 1}th"


def times_word(count):
    """How often something is used."""
    return {1: "once", 2: "twice"}.get(count, f"{count_word(count)} times")


def numbers_words(told):
    """An array in words: its number, or how many there are and their range."""
    if not told.shape or told.text[:1] == "[":
        return typeset_number(told.text)
    count = shape_text(told.shape) if len(told.shape) > 1 else f"{told.shape[0]:,}"
    if told.low is None:
        return f"{count} numbers"
    low, high = (typeset_number(f"{number:.2g}") for number in (told.low, told.high))
    return f"{count} numbers, all {low}" if low == high else f"{count} numbers from {low} to {high}"


# facts -------------------------------------------------------------------------------------------


def op_facts(v, name):
    """What all templates may ask of a value that was computed: names, shapes, parameters."""
    names, specs = [name(x) for x in v.inputs], [spec_of(x) for x in v.inputs]
    facts = Facts({key: setting_words(value) for key, value in v.params.items()})
    facts |= zip(PLACES, names)
    facts |= {f"{place}_shape": shape_text(spec.shape) for place, spec in zip(PLACES, specs)}
    facts |= {"z": name(v), "z_shape": shape_text(v.shape), "verb": verb_of(v.op)}
    facts |= {"xs": join_names(names), "dtype": str(v.dtype), "shape": shape_text(v.shape)}
    if "axis" in v.params and specs:
        facts |= axis_facts(v.params["axis"], len(specs[0].shape))
    if "template" in v.params:
        facts["index"] = lambda: index_words(v, name)
    rows = find_rows(v)
    if rows is not None:
        small, large, count, length = rows
        facts |= {"small": names[small], "large": names[large], "rows": count, "n": length}
    elif specs and specs[0].shape:
        facts["rows"] = shape_text(specs[0].shape[:1])
    return facts


def setting_words(value):
    """A parameter in a sentence."""
    if isinstance(value, tuple) and all(isinstance(n, int) for n in value):
        return shape_text(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    number = typeset_number(number_text(value))
    return number.replace("inf", "infinity") if "inf" in number[:4] else number or clean(value, 20)


def axis_facts(axis, rank):
    """What a reduction runs over, and along which axis something goes."""
    axes = axis if isinstance(axis, tuple) else (axis,)
    over = over_words(axes, rank)
    along = f"{'axis' if len(axes) == 1 else 'axes'} {join_names(map(str, axes))}"
    over = f"the {over}" if over in ("rows", "columns") else over
    return {"over": over or "all entries", "along": along}


def index_words(v, name):
    """What stands in the brackets of an index."""
    leaves = [Symbol(spec_of(x), Token(name(x), "value")) for x in v.inputs]
    arrays = leaves[len(leaves) - sum(part == "array" for part in v.params["template"]) :]
    return tokens_text(index_tokens(Names(), v.params["template"], arrays)[1:-1])


def find_rows(v):
    """(place of the operand that each row uses, place of the other one, rows, length of a row)
    where a vector meets the rows of a matrix; None elsewhere."""
    shapes = [x.shape for x in v.inputs]
    if len(shapes) != 2 or None in (*v.shape, *shapes[0], *shapes[1]) or len(v.shape) != 2:
        return None
    if v.op.elementwise:
        for small, large in ((1, 0), (0, 1)):
            vector = shapes[small] in (v.shape[1:], (1, *v.shape[1:]))
            if vector and shapes[large] == v.shape and shapes[small] != shapes[large]:
                return small, large, v.shape[0], v.shape[1]
        return None
    both = all(len(shape) == 2 for shape in shapes)
    return (1, 0, shapes[0][0], shapes[1][-1]) if both else None


# sentences ---------------------------------------------------------------------------------------


def say_value(v, name, array=None, saved="", about="", first=None, **more):
    """What a value is; `about` it more, and why something is `saved`, where there is room. `first`
    is the array of the first operand, which says of a choice which branch runs."""
    facts = op_facts(v, name) | more
    if getattr(array, "shape", ()):
        zeros = int((np.asarray(array) == 0).sum())
        facts["zeros"] = f": {zeros:,} of {np.size(array):,} become 0"
    facts = Facts({"zeros": "", "iterations": "its iterations"} | facts)
    if first is not None and "then" in v.params:
        facts |= {"condition": setting_words(bool(first)), "branch": branch_names(v)[not first]}
    facts["said"] = lambda: v.op.says.format_map(facts)
    told = [v.op.says_rows if find_rows(v) else "", v.op.says, Op.says]
    told = [t for one in told for t in ([f"{one} {saved}"] if one and saved else []) + [one]]
    sentence = fill_sentence(facts, *told)
    start = f"{facts['z']} is "
    longer = f"{facts['z']}, {about}, is {sentence.removeprefix(start)}"
    fits = about and sentence.startswith(start) and len(longer) <= MOST
    return longer if fits else sentence


def branch_names(v):
    """The names of the branches of a choice: what runs where the condition is true comes first."""
    return [name for name, value in v.params.items() if hasattr(value, "run")]


def say_saved(v, name, places):
    """Why the values at these places are saved; "" where none are."""
    if not places:
        return ""
    names = list(dict.fromkeys(name(v if at == "z" else v.inputs[at]) for at in places))
    who, needs = join_names(names), f"because the backward rule of {verb_of(v.op)} needs"
    if len(names) == 1:
        return f"{'It' if places == ['z'] else who} is saved, {needs} it."
    both = len(names) == len(v.inputs) == 2 and "z" not in places
    return f"{'Both' if both else who} are saved, {needs} them."


def say_contribution(z, x, place, name, z_bar, amount, count=1):
    """What the rule of z passes on to x, its operand at a place, of `count` contributions in all.

    `z_bar` names the adjoint of z. `amount` is in words what x receives.
    """
    leaf = not x.inputs
    gradient = "gradient" if leaf else "adjoint"
    gradient = gradient if count == 1 else "contribution to the adjoint"
    facts = op_facts(z, name) | {"to": name(x), "z_bar": z_bar, "amount": amount}
    facts = Facts(facts | {"gradient": gradient, "slope": lambda: slope_words(z, place, name)})
    rows, says = find_rows(z), z.op.says_back
    says = says if isinstance(says, str) else says[place] if place < len(says) else ""
    by_rows = z.op.says_rows_back if rows and z.op.elementwise and rows[0] == place else ""
    return fill_sentence(facts, by_rows, says, "By the rule of {verb}, {to} receives {amount}.")


def slope_words(z, place, name):
    """The derivative of an op of single entries with respect to one operand, as a formula."""
    partial = z.op.partials[place]
    if not callable(partial):
        return typeset_number(str(partial))
    xs = [Symbol(spec_of(x), Token(name(x), "value")) for x in z.inputs]
    found = partial(*xs, Symbol(spec_of(z), Token(name(z), "value")), **z.params)
    return "0" if found is None else tokens_text(written(found))


def say_sum(name, contributions):
    """The adjoint of a value that is used several times, once all contributions are there."""
    count = len(contributions)
    start = f"{name} is used {times_word(count)}, so its adjoint is the sum of"
    users = list(dict.fromkeys(user for user, _ in contributions))
    amounts = [amount for _, amount in contributions]
    if not all(amounts):
        parts = f", from {join_names(users)}"
    elif len(users) == 1:
        parts = f": {join_names(amounts)} from {users[0]}"
    else:
        parts = f": {join_names(f'{amount} from {user}' for user, amount in contributions)}"
    several = f"{start} {count_word(count)} contributions"
    return next(t for t in (f"{several}{parts}.", clean(f"{several}.", MOST)) if len(t) <= MOST)
