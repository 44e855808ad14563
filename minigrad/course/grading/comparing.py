"""Comparing what came with what was expected, where the student's code has no say."""

import math
import operator
import re
from numbers import Number

TOLERANCE = 1e-9
LONGEST = 200
NUMBER = "a number"
NEEDS = {  # what an answer lacked, by the words in which Python says so
    r"has no attribute '(\w+)'": "an object with the attribute `{}`",
    r"is not iterable|has no len|is not subscriptable|cannot unpack|unsized object|0-d array|"
    r"scalar variable": "several values, in a tuple or a list",
    r"values to unpack \(expected (?:at least )?(\d+)": "{} values",
    r"IndexError": "more values",
    r"KeyError: (.{1,80})": "an entry for {}",
    r"unsupported operand|bad operand|must be real number|not supported between|float\(\)": NUMBER,
    r"is not callable": "a function",
}
KIND = re.compile(r"(?<=non-iterable )\w+|'[\w.]+'(?= object)|(?<=of type )'[\w.]+'")
MOST_ENTRIES = 1000  # of an array that is shown
DRAWN = re.compile(r"-?\d*\.\d{3,}(?:e[-+]?\d+)?|\d{5,}")  # a number that is no one's choice
WRITTEN = re.compile(r"-?\d+\.0*[1-9]\d*|-?\d{2,}(?:\.\d+)?")  # no digit, as in "rule 2" and 1.0


class Mismatch(AssertionError):
    """An answer that is not the expected one. A student whose hidden check fails reads `brief`: the
    case `of` and the cause `because`, without drawn numbers; nothing where no cause is named."""

    def __init__(self, message, of="", because=""):
        super().__init__(message)
        self.of, self.because, self.has_cause = of, because, bool(because)
        self.brief = "\n".join(public_lines(of, because)) if because else ""


def expect(came, wanted, because="", of="", tolerance=TOLERANCE, mistakes=()):
    """Fail unless `came` is `wanted`: numbers and arrays within `tolerance` (absolute, or
    relative when they are large), tuples and lists item by item, all else exactly.
    `of` says what was computed; `because` names the cause: what an answer does that fails here.
    `mistakes` are pairs (what a known mistake gives, its cause), which is told where `came` is
    that. A student whose hidden check fails reads both, without numbers that were drawn, and the
    cause without numbers that were expected."""
    if same(came, wanted, tolerance):
        return
    because = next((cause for wrong, cause in mistakes if same(came, wrong, tolerance)), because)
    digits = 6 if show_value(wanted) != show_value(came) else 17
    lines = [of and f"of        {of}", f"expected  {set_in(wanted, digits)}"]
    lines += [f"came      {set_in(came, digits)}", *describe_difference(came, wanted, tolerance)]
    lines += [because and f"perhaps   {because}"]
    raise Mismatch("\n".join(filter(None, lines)), of, because and hide_expected(because, wanted))


def public_lines(of, because=""):
    """What a student reads of a hidden check: its case and the cause, without drawn numbers."""
    lines = [of and f"case      {of}", because and f"cause     {because}"]
    return [DRAWN.sub("…", line) for line in lines if line]


def hide_expected(text, wanted):
    """`text` with … for each number that is one of those expected, unless it is a single digit."""
    if not WRITTEN.search(text):
        return text
    secret = {*numbers_in(wanted)}
    return WRITTEN.sub(lambda found: "…" if float(found[0]) in secret else found[0], text)


def numbers_in(value):
    """The numbers in a value, as far as they stand in arrays, lists, tuples and dicts."""
    if is_array(value):
        yield from value.ravel().tolist() if value.dtype.kind in "iufc" else ()
    elif isinstance(value, (list, tuple, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(item)
    elif is_number(value):
        yield value


def same(came, wanted, tolerance=TOLERANCE):
    """Whether `came` equals `wanted`; a bool is never a number, and a handle equals itself."""
    if as_bool(wanted) is not None:
        return as_bool(came) is as_bool(wanted)
    if is_array(wanted) or is_array(came):
        return same_array(came, wanted, tolerance)
    if is_number(wanted):
        return is_number(came) and near(came, wanted, tolerance)
    if isinstance(wanted, (list, tuple)):
        if not isinstance(came, (list, tuple)) or len(came) != len(wanted):
            return False
        return all(same(a, b, tolerance) for a, b in zip(came, wanted, strict=True))
    if type(wanted) is dict is type(came):
        alike = typed_keys(came) == typed_keys(wanted)
        return alike and all(same(came[key], wanted[key], tolerance) for key in wanted)
    return type(came) is type(wanted) and came == wanted


def typed_keys(found):
    """The keys of a dict with their types: True is not 1."""
    return {(type(key), key) for key in found}


def as_bool(value):
    """The bool that a bool, or NumPy's, is; None for all else."""
    of_numpy = type(value).__module__ == "numpy" and getattr(value, "shape", None) == ()
    if of_numpy and value.dtype.kind == "b":
        return bool(value)
    return value if type(value) is bool else None


def near(came, wanted, tolerance):
    """Whether two numbers agree, part by part; NaN agrees with NaN, infinity with itself alone."""
    came, wanted = (value.item() if hasattr(value, "item") else value for value in (came, wanted))
    try:
        if came == wanted:
            return True
        pairs = [(came.real, wanted.real), (came.imag, wanted.imag)]
        size = max([1, *(abs(part) for _, part in pairs if math.isfinite(part))])
        close = (within(*pair, tolerance * size) for pair in pairs)
        both_nan = (all(map(math.isnan, pair)) for pair in pairs)
        return all(map(operator.or_, close, both_nan))
    except (OverflowError, TypeError):  # a whole number beyond all floats, which is not equal
        return False


def within(came, wanted, distance):
    """Whether two real numbers are at most `distance` apart. A distance of 0 asks for equality,
    which `math.isclose` cannot tell for whole numbers that it rounds to floats."""
    if not distance:
        return came == wanted
    return math.isclose(came, wanted, rel_tol=0, abs_tol=distance)


def is_number(value):
    """Whether `value` is a plain number, or an array of one."""
    if is_array(value):
        return value.ndim == 0 and value.dtype.kind in "iufc"
    return isinstance(value, Number) and not isinstance(value, bool)


def is_array(value):
    """Whether `value` is an ndarray, told without importing NumPy."""
    return type(value).__module__ == "numpy" and type(value).__name__ == "ndarray"


def same_array(came, wanted, tolerance):
    """Whether two arrays agree in shape and entries; a number counts as an array of one."""
    import numpy as np

    if not all(is_array(value) or is_number(value) for value in (came, wanted)):
        return False
    alike = np.shape(came) == np.shape(wanted)
    return alike and bool(np.all(compare_entries(came, wanted, tolerance)))


def compare_entries(came, wanted, tolerance):
    """An array of booleans: which entries are `near`; a bool is never a number."""
    import numpy as np

    came, wanted = np.asarray(came), np.asarray(wanted)
    if "b" in (came.dtype.kind, wanted.dtype.kind):
        return (came == wanted) & (came.dtype.kind == wanted.dtype.kind)
    pairs = zip(came.ravel().tolist(), wanted.ravel().tolist(), strict=True)
    return np.array([near(a, b, tolerance) for a, b in pairs], bool).reshape(wanted.shape)


def describe_difference(came, wanted, tolerance):
    """Lines that say where arrays differ: the shapes, or a picture of the wrong entries; of
    several arrays, where the first wrong one does."""
    if type(wanted) in (list, tuple) and type(came) in (list, tuple) and len(came) == len(wanted):
        for number, pair in enumerate(zip(came, wanted, strict=True), 1):
            if not same(*pair, tolerance):
                lines = describe_difference(*pair, tolerance)
                return [f"in        number {number} of {len(wanted)}", *lines] if lines else []
    if not (is_array(came) and is_array(wanted)):
        return []
    import numpy as np

    if came.shape != wanted.shape:
        return [f"shapes    expected {wanted.shape}, came {came.shape}"]
    right = np.atleast_1d(compare_entries(came, wanted, tolerance))
    head = [f"wrong     {np.sum(~right)} of {right.size} entries"]
    if right.ndim > 2 or max(right.shape) > 16:
        return head
    rows = np.atleast_2d(right)
    return head + ["          " + " ".join("·" if ok else "✗" for ok in row) for row in rows]


def unusable(error, came):
    """What a check says that could not work with one of the values that `came`, each with a
    label: the last one of the kind that the error names."""
    raised = f"{type(error).__name__}: {error}"
    kind = KIND.search(raised)
    kinds = kind and [kind[0].strip("'").rpartition(".")[2]]
    suspects = [pair for pair in came if kinds is None or type(pair[1]).__name__ in kinds]
    if not suspects:
        return raised
    found = ((re.search(pattern, raised), text) for pattern, text in NEEDS.items())
    needs = [text.format(*match.groups()) for match, text in found if match]
    label, value = suspects[-1]
    wanted = needs[0] if needs else f"what the check can work with ({raised})"
    lines = [label and f"of        {label}", f"expected  {wanted}", f"came      {set_in(value, 6)}"]
    return "\n".join(filter(None, lines))


def set_in(value, digits):
    """`value` as text; later lines are indented by ten columns."""
    return show_value(value, digits).replace("\n", "\n" + " " * 10)


def show_value(value, digits=6):
    """`value` in a line: floats in so many digits, cut when long."""
    if is_array(value) and value.ndim == 0:
        value = value.item()
    if isinstance(value, float):
        return f"{value:.{digits}g}"
    if is_array(value) and value.size > MOST_ENTRIES and value.ndim > 2:
        text = f"an array of {value.dtype} with the shape {value.shape}"
    elif type(value) in (list, tuple):
        inner = ", ".join(show_value(item, digits) for item in value)
        comma = "," if len(value) == 1 else ""
        text = f"[{inner}]" if type(value) is list else f"({inner}{comma})"
    else:
        try:
            text = repr(value)
        except ValueError:  # Python writes no whole number of more digits than it reads
            text = f"a whole number of {value.bit_length():,} bits"
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
