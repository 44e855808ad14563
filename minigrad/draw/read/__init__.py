"""Reading values of any engine by duck typing: nothing but the first raises, nothing computes."""

import unicodedata
import weakref
from typing import NamedTuple

ABSENT = object()
PENDING = "·"  # a value that is not there yet: never 0
UNKEPT = "not kept"  # numbers that went when nobody held them: no rule reads them
SMALL = 4  # an array of up to so many numbers is shown as numbers
FLOAT = "%.4g"
SECONDS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
BYTES = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))


def peek(value, *names, default=None):
    """The first of the attributes that exists and is no method, or `default`."""
    for name in names:
        if not may_have(value, name):
            continue
        try:
            found = getattr(value, name)
        except Exception:  # a property of a learner's class may raise anything
            continue
        if not callable(found) or isinstance(found, type):
            return found
    return default


def may_have(value, name):
    """Whether an attribute may exist: a class of slots alone declares all, and to ask an engine's
    value for another takes long, since it looks for a hint."""
    kind = type(value)
    return bool(kind.__dictoffset__) or hasattr(kind, name)


def is_value(thing):
    """Whether it can stand in a graph: it has `.op` and `.inputs`."""
    return has(thing, "op") and has(thing, "inputs")


def has(thing, name):
    """Whether the attribute exists, even if reading it raises."""
    if not may_have(thing, name):
        return False
    try:
        getattr(thing, name)
    except AttributeError:
        return False
    except Exception:
        return True
    return not isinstance(thing, type)


def is_graph_function(thing):
    """Whether it is a function held as a graph, as the body of a loop is."""
    parts = (peek(thing, name) for name in ("inputs", "nodes", "outputs"))
    return all(isinstance(part, (list, tuple)) for part in parts) and not has(thing, "op")


def op_name(value):
    """The name of the op: of a str, a class, a function, an instance; None for a leaf."""
    try:
        op = value.op
        if op is None or op == "":
            return None
        if isinstance(op, str):
            return clean(op)
        return clean(getattr(op, "__name__", None) or type(op).__name__)
    except Exception:
        return None


def operands(value):
    """The inputs of a value as a list; empty when it has none or they cannot be read."""
    try:
        return [whole(x) for x in value.inputs or ()]
    except Exception:
        return []


def whole(value):
    """The value itself, where a MetaTensor, which has no numbers, stands for it in the graph."""
    resolve = getattr(type(value), "resolve", None)
    return resolve(value) if resolve else value


def role_of(value, op, inputs):
    """input, variable, constant or op, as the engine says or as it looks."""
    said = peek(value, "role")
    if isinstance(said, str) and said in ("input", "variable", "constant", "op", "port"):
        return said
    if inputs or (op and op not in ("Placeholder", "Constant", "Variable")):
        return "op"
    if op:
        return {"Placeholder": "input", "Constant": "constant", "Variable": "variable"}[op]
    if not is_value(value):
        return "constant"
    return "variable" if peek(value, "requires_grad", default=False) is True else "input"


class Form(NamedTuple):
    """What is known of a value's form, as text: "[3,2]" and "float64"; "" when unknown."""

    shape: str
    dtype: str

    def __str__(self):
        return self.dtype + self.shape


def form_of(value):
    """The shape and dtype of a value."""
    shape, dtype = peek(value, "shape"), peek(value, "dtype")
    shape = None if isinstance(dtype, tuple) else shape  # several arrays in one
    try:
        sizes = None if shape is None else ",".join("?" if n is None else str(n) for n in shape)
        shape = "" if sizes is None else clean(f"[{sizes}]")
    except Exception:
        shape = ""
    try:
        dtype = "" if dtype is None else clean(str(getattr(dtype, "name", None) or dtype))
    except Exception:
        dtype = ""
    return Form(shape, dtype)


def bytes_of(value):
    """The bytes of a value's numbers; None where its form is unknown, or a length of it."""
    try:
        count = value.dtype.itemsize
        for length in value.shape:
            count *= length
        return int(count)
    except Exception:
        return None


def bytes_text(count):
    """A number of bytes: "80 B", "128 KiB", "1.5 MiB"; "? B" for None."""
    if count is None:
        return "? B"
    size, word = unit_of(count, BYTES)
    return f"{FLOAT % (count / size)} {word}"


def three_digits(value):
    """A number to three digits, without an exponent."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:.3g}"


def seconds_text(seconds):
    """Three digits and a unit: "12.3 µs"."""
    unit, word = unit_of(seconds / 0.9995, SECONDS)
    return f"{three_digits(seconds / unit)} {word}"


def unit_of(amount, units):
    """(size, word): the largest of the units of which it is one or more, else the smallest."""
    return next((unit for unit in units if amount >= unit[0]), units[-1])


def is_meta(value):
    """Whether only this stands in the graph for a value, whose numbers are gone."""
    return may_have(value, "origin") and isinstance(getattr(value, "origin", None), weakref.ref)


class Told(str):
    """The text of a number, as it was when it was read."""


def value_text(value):
    """A value's number as text; PENDING before it is computed, "" when it has none to show."""
    if peek(value, "pending"):  # lazy: reading `data` would compute it
        return PENDING
    if is_meta(value):
        return UNKEPT
    return number_text(
        peek(value, "array", "data", "value", default=ABSENT) if has(value, "op") else value
    )


def number_text(raw):
    """A number or a small array as text: "6", "[1, 2.5]", PENDING for None, "" for the rest."""
    if raw is ABSENT or raw is None:
        return "" if raw is ABSENT else PENDING
    if isinstance(raw, Told):
        return raw
    try:
        if has(raw, "op"):
            return value_text(raw)
        return clean(raw, 24) if isinstance(raw, str) else few_numbers_text(raw)
    except Exception:
        return "?"


def single_text(number):
    """A single number as text; "" of an array, and where it is not known."""
    text = "" if number is None else number_text(number)
    return "" if text[:1] == "[" else text


def few_numbers_text(raw):
    """The same for a number, a list or an array. May raise."""
    shape = getattr(raw, "shape", ())
    if shape and (len(shape) > 1 or shape[0] > SMALL):
        return ""
    raw = raw.tolist() if hasattr(raw, "tolist") else raw
    if not isinstance(raw, (list, tuple)):
        return scalar_text(raw)
    few = len(raw) <= SMALL and all(isinstance(n, (int, float, complex)) for n in raw)
    return f"[{', '.join(map(scalar_text, raw))}]" if few else ""


def scalar_text(number):
    """One number, floats as %.4g."""
    if isinstance(number, bool):
        return str(number)
    if isinstance(number, int):
        return str(number) if abs(number) < 10**9 else FLOAT % number
    if isinstance(number, complex):
        return f"{FLOAT % number.real}{number.imag:+.4g}j"
    return FLOAT % number


def params_text(value, most=26):
    """The keyword parameters that say something: "axis=0, keepdims=True"."""
    try:
        given = dict(getattr(value, "params", None) or {})
        said = (f"{key}={setting_text(given[key])}" for key in given if not is_silent(given[key]))
        return clean(", ".join(said), most)
    except Exception:
        return ""


def is_silent(parameter):
    """Whether a parameter is at rest: None or False, too large to print, or a body."""
    at_rest = parameter is None or parameter is False or getattr(parameter, "size", 1) != 1
    return at_rest or is_graph_function(parameter)


def setting_text(parameter):
    """A parameter as text, without the address that some objects print."""
    text = str(getattr(parameter, "__name__", parameter))
    return type(parameter).__name__ if " at 0x" in text else text


def own_name(value):
    """The name that the value carries itself, or ""."""
    name = peek(value, "name", "label")
    return clean(name, 28) if isinstance(name, str) else ""


def scope_of(value):
    """The path of the name scopes around a value."""
    return clean(peek(value, "scope", default="") or "", 200)


def clean(text, most=60):
    """Text fit to be drawn: one line, no control or direction characters, not too long."""
    text = "".join(map(drawable, str(text)[: 4 * most]))
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def drawable(char):
    """The character itself, or � for one that neither XML nor a screen can show."""
    return char if char.isspace() or unicodedata.category(char)[0] != "C" else "\ufffd"
