"""The student's code as a check sees it: names, calls and operators; answers as plain data."""

import functools
import re
import time
from collections import deque
from contextlib import contextmanager

from minigrad.course.grading.comparing import public_lines
from minigrad.course.grading.inside import wire
from minigrad.course.grading.worker import Lost

PLACE = re.compile(r"(.{1,80}), line (\d{1,6})")
# what honest mistakes raise; each further kind would tell something of a hidden input
KNOWN = """ArithmeticError AssertionError AttributeError FloatingPointError ImportError IndexError
KeyError MemoryError ModuleNotFoundError NameError NotImplementedError OverflowError RecursionError
RuntimeError SyntaxError TypeError UnboundLocalError ValueError ZeroDivisionError""".split()
SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%"}
SIGNS |= {"pow": "**", "matmul": "@"}
LONGEST_LABEL = 40
KEPT = 8  # of the values that came, for a message
MOST_NESTED = 900  # calls, below Python's limit of 1000; a chain that tries an answer is longer


class StudentError(AssertionError):
    """The student's code raised; `kind` is the name of the exception's type. `brief` leaves out
    what the student's code could have written its arguments into; `during` may add the cause."""

    has_cause = False

    def __init__(self, error, places):
        self.kind = printable(error["type"])
        self.brief = f"your code raised {public_error(error, places)}"
        super().__init__(f"your code raised {whole_error(error)}")


@contextmanager
def during(of, because=""):
    """Name the case `of` the calls in this block, and the cause if the student's code raises there:
    the page of a hidden check shows both, without drawn numbers."""
    try:
        yield
    except StudentError as error:
        error.brief = "\n".join([error.brief, *public_lines(of, because)])
        error.has_cause = error.has_cause or bool(because)
        raise


def whole_error(error):
    """All that a worker says about an exception: its type, its text, its place."""
    place = f" ({printable(error['line'])})" if error["line"] else ""
    return f"{printable(error['type'])}: {printable(error['text'])}{place}"


def public_error(error, places):
    """What may be told of a hidden check: the name of a usual exception, and a place that is there.
    `places` has, by cell, what is told of each of its lines; the student's code may write all
    else."""
    kind = error["type"] if error["type"] in KNOWN else "an exception"
    found = PLACE.fullmatch(error["line"] or "")
    known = places.get(found[1], ()) if found else ()
    there = 0 < int(found[2]) <= len(known) if found else False
    return f"{kind} ({known[int(found[2]) - 1]})" if there else kind


class Student:
    """`student.f(x)` calls the student's `f`; `channel.ask(request)` carries the question."""

    def __init__(self, channel):
        self.__dict__["_channel"] = channel
        channel.came = deque(maxlen=KEPT)

    def __getattr__(self, name):
        """What the student's code calls `name`: plain data, or a handle."""
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        """The same for a name that a method of this class hides."""
        return ask(self._channel, name, "name", name=name)

    def define(self, source):
        """Run helper code of the check beside the student's; its names are attributes of the
        result. The student's code could read it, so it must not hold what is expected."""
        return ask(self._channel, "", "define", source=source)

    def count_lines(self, function, *arguments, limit):
        """How many lines of Python the call executes. Raises StudentError above `limit`.
        The count is the worker's own: pair it with a size that no cheat can finish."""
        body, label = encode_argument(arguments), f"the lines of {function._label}(…)"
        return ask(self._channel, label, "lines", of=function._number, args=body, limit=limit)

    def without_recursion(self, function, *arguments):
        """Call a function with a long chain; the result. Raises StudentError, of the kind
        RecursionError, where it nests a call for each link, even if it has raised Python's limit,
        or where it starts a thread or a process, in which nobody counts. With Python 3.11 on macOS
        and Windows, a thread that C code starts, as in `map(start_new_thread, …)`, is not seen.
        """
        body, label = encode_argument(arguments), f"{function._label}(…)"
        fields = {"of": function._number, "args": body, "limit": MOST_NESTED}
        return ask(self._channel, label, "shallow", **fields)

    def seconds_used(self):
        """The processor time, in seconds, that the process of the student's code has used so far:
        call it before and after, and subtract."""
        worker = getattr(self._channel, "worker", None)
        return worker.meter.look() if worker else time.process_time()


class Handle:
    """An object that stays with the student's code. Compared by identity, never by its `__eq__`;
    what it computes crosses as plain data or as another handle. `_label` says where it is from."""

    __slots__ = ("_channel", "_kind", "_label", "_number")

    def __init__(self, *fields):
        for name, value in zip(("_channel", "_number", "_kind", "_label"), fields, strict=True):
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        """An attribute of the object."""
        if name.startswith("__"):
            raise AttributeError(name)  # or NumPy and pytest would question the student's object
        label = f"{self._label}.{name}" if self._label else name
        return ask(self._channel, label, "get", of=self._number, name=name)

    def __setattr__(self, name, value):
        """Set an attribute of the object."""
        body = {"name": name, "value": encode_argument(value)}
        ask(self._channel, self._label, "set", of=self._number, **body)

    def __call__(self, *arguments, **keywords):
        """Call the object."""
        body = {"args": encode_argument(list(arguments)), "kwargs": encode_argument(keywords)}
        return ask(self._channel, f"{self._label}(…)", "call", of=self._number, **body)

    def __eq__(self, other):
        """Whether both are the same object of the student."""
        return type(other) is Handle and self._number == other._number

    def __hash__(self):
        return hash(self._number)

    def __bool__(self):
        raise AssertionError(f"{self!r} came where plain data was expected, of {self._label}")

    __float__ = __int__ = __index__ = __iter__ = __bool__
    __array_ufunc__ = None  # an array on the left leaves the operator to the student's object

    def __array__(self, *arguments, **keywords):
        """Never: NumPy would ask the student's object for its length and entries."""
        bool(self)

    def __repr__(self):
        return f"an object of class {self._kind}"


def operator(name, reverse=False):
    """A method that applies the operator `name` where the student's object lives."""

    def method(self, *others):
        operands = [self, *others]
        return apply(self._channel, name, operands[::-1] if reverse else operands)

    return method


for _name in "add sub mul truediv floordiv mod pow matmul".split():
    setattr(Handle, f"__{_name}__", operator(_name))
    setattr(Handle, f"__r{_name}__", operator(_name, reverse=True))
for _name in "neg pos abs getitem len".split():
    setattr(Handle, f"__{_name}__", operator(_name))


def apply(channel, name, operands):
    """The result of an operator on handles and plain data."""
    words = [one._label if type(one) is Handle else repr(one)[:9] for one in operands]
    label = f" {SIGNS[name]} ".join(words) if name in SIGNS else f"{name}({', '.join(words)})"
    return ask(channel, label, "operate", name=name, args=encode_argument(operands))


def encode_argument(value):
    """`value` as JSON-like data, with handles as their numbers."""
    return wire.encode(value, handle_data)


def handle_data(value):
    """What stands for a handle in a request."""
    if type(value) is Handle:
        return {"handle": [value._number]}
    raise TypeError(f"a check sent a {type(value).__name__}: only plain data can be sent")


def ask(channel, label, do, **arguments):
    """Ask the student's side for what a message would call `label`; plain data, a handle, or
    StudentError. Raises `Lost` for a reply that is not an encoded value."""
    label = label if len(label) <= LONGEST_LABEL else label[:LONGEST_LABEL] + "…"
    reply = channel.ask({"do": do, "with": arguments})
    try:
        if "error" in reply:
            raise StudentError(check_error(reply["error"]), getattr(channel, "places", {}))
        made = functools.partial(handle, channel, label)
        value = wire.decode(reply["value"], made, wire.to_numpy)
    except (wire.WireError, KeyError, TypeError, ValueError) as problem:
        raise forged_answer_error(channel) from problem
    channel.came.append((label, value))
    return value


def forged_answer_error(channel):
    """The exception for an answer that is no answer; its worker is not used again."""
    channel.close()
    return Lost("forged", "an answer came that is not plain data")


def check_error(error):
    """An error as a worker describes it. Raises WireError for anything else."""
    texts = type(error) is dict and [error.get("type"), error.get("text"), error.get("line") or ""]
    if not texts or len(error) != 3 or any(type(text) is not str for text in texts):
        raise wire.WireError("not an error")
    return error


def handle(channel, label, body):
    """The `Handle` that an answer names."""
    number, kind = body
    if not wire.is_key(number) or type(number) is not int or type(kind) is not str:
        raise wire.WireError("not a handle")
    return Handle(channel, number, printable(kind)[:80], label)


def printable(text):
    """`text` without control characters, which could rewrite what a terminal shows."""
    text = text if type(text) is str else "?"
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text[:2_000])
