"""The student's code as a check sees it: names, calls and operators; answers as plain data."""

import builtins
import re

from minigrad.course.grading.inside import wire

PLACE = re.compile(r" \([\w-]{1,20}, line \d{1,4}\)")


class StudentError(AssertionError):
    """The student's code raised; `kind` is the name of the exception's type. `brief` leaves out
    what the student's code could have written its arguments into."""

    def __init__(self, kind, text, line):
        self.kind = printable(kind)
        place = f" ({printable(line)})" if line else ""
        known = self.kind if hasattr(builtins, self.kind) else "an exception"
        self.brief = f"your code raised {known}" + (place if PLACE.fullmatch(place) else "")
        super().__init__(f"your code raised {self.kind}: {printable(text)}{place}")


class Student:
    """`student.f(x)` calls the student's `f`; `channel.ask(request)` carries the question."""

    def __init__(self, channel):
        self.__dict__["_channel"] = channel

    def __getattr__(self, name):
        """What the student's code calls `name`: plain data, or a handle."""
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        """The same for a name that a method of this class hides."""
        return ask(self._channel, "name", name=name)

    def define(self, source):
        """Run helper code of the check beside the student's; its names are attributes of the
        result. The student's code could read it, so it must not hold what is expected."""
        return ask(self._channel, "define", source=source)

    def count_lines(self, function, *arguments, limit):
        """How many lines of Python the call executes. Raises StudentError above `limit`.
        The count is the worker's own: pair it with a size that no cheat can finish."""
        body = encoded(arguments)
        return ask(self._channel, "lines", of=function._number, args=body, limit=limit)


class Handle:
    """An object that stays with the student's code. Compared by identity, never by its `__eq__`;
    what it computes crosses as plain data or as another handle."""

    __slots__ = ("_channel", "_kind", "_number")

    def __init__(self, channel, number, kind):
        for name, value in (("_channel", channel), ("_number", number), ("_kind", kind)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        """An attribute of the object."""
        if name.startswith("__"):
            raise AttributeError(name)  # or NumPy and pytest would question the student's object
        return ask(self._channel, "get", of=self._number, name=name)

    def __setattr__(self, name, value):
        """Set an attribute of the object."""
        ask(self._channel, "set", of=self._number, name=name, value=encoded(value))

    def __call__(self, *arguments, **keywords):
        """Call the object."""
        body = {"args": encoded(list(arguments)), "kwargs": encoded(keywords)}
        return ask(self._channel, "call", of=self._number, **body)

    def __eq__(self, other):
        """Whether both are the same object of the student."""
        return type(other) is Handle and self._number == other._number

    def __hash__(self):
        return hash(self._number)

    def __bool__(self):
        raise AssertionError(f"{self!r} came where plain data was expected")

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
    return ask(channel, "operate", name=name, args=encoded(operands))


def encoded(value):
    """`value` as JSON-like data, with handles as their numbers."""
    return wire.encode(value, handle_data)


def handle_data(value):
    """What stands for a handle in a request."""
    if type(value) is Handle:
        return {"handle": [value._number]}
    raise TypeError(f"a check sent a {type(value).__name__}: only plain data can be sent")


def ask(channel, do, **arguments):
    """Ask the student's side; plain data, a handle, or StudentError. A reply that is not an
    encoded value raises `channel.forged()`."""
    reply = channel.ask({"do": do, "with": arguments})
    try:
        if "error" in reply:
            error = reply["error"]
            raise StudentError(error["type"], error["text"], error["line"])
        return wire.decode(reply["value"], lambda body: handle(channel, body), to_numpy)
    except (wire.WireError, KeyError, TypeError, ValueError) as problem:
        raise channel.forged() from problem


def handle(channel, body):
    """The `Handle` that an answer names."""
    number, kind = body
    if type(number) is not int or type(kind) is not str:
        raise wire.WireError("not a handle")
    return Handle(channel, number, printable(kind)[:80])


def to_numpy(array):
    """The ndarray of an `Array`."""
    import numpy

    return numpy.frombuffer(array.data, array.dtype).reshape(array.shape).copy()


def printable(text):
    """`text` without control characters, which could rewrite what a terminal shows."""
    text = text if type(text) is str else "?"
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text[:2_000])
