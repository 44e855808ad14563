"""Plain data as text, and text as frames: all that ever crosses between checks and student.

A value crosses by its exact type, and dicts and tuples of Python's own library as dicts and tuples.
A subclass of float, an object with `__array__` or a list that holds one is not plain: it stays
inside, and a handle (a number) crosses in its place.
"""

import binascii
import builtins
import marshal
import math
import struct
import sys

__builtins__ = dict(vars(builtins))  # the student's code may replace the functions of `builtins`
LARGEST_FRAME = 4 * 2**20
DEEPEST = 40
LONGEST_INT = 8_000  # bits
LONGEST_KEY = 60
MOST_PARTS = 200_000
MOST_AXES = 64
SCALARS = frozenset((bool, float, str, type(None)))  # these and ints that are not too long
SEQUENCES = {list: "list", tuple: "tuple"}
DICTS = "defaultdict", "OrderedDict", "Counter"  # of Python's own: equal to a dict that is equal
ESCAPES = {number: f"\\u{number:04x}" for number in (*range(32), ord('"'), ord("\\"))}
WORDS = {"None": "null", "True": "true", "False": "false"}
WORDS |= {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
DTYPES = frozenset("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())
DTYPES |= frozenset("float16 float32 float64 complex64 complex128".split())


class WireError(Exception):
    """Text that is not an encoded value, or a frame that is too long."""


class WireArray:
    """An array as it crosses: dtype name, shape, bytes in row order."""

    def __init__(self, dtype, shape, data):
        self.dtype, self.shape, self.data = dtype, shape, data


def encode(value, keep):
    """`value` as JSON-like data; `keep(value)` returns the handle data for what is not plain."""
    allowed = Allowance()

    def data(value, depth):
        kind = type(value)
        if kind in SCALARS or is_short(value):
            return value
        if kind is complex:
            return {"complex": [value.real, value.imag]}
        if depth < DEEPEST and (sequence := SEQUENCES.get(tuple if is_named(kind) else kind)):
            return {sequence: items(value, depth + 1)}
        if depth < DEEPEST and is_dict(kind):
            allowed.take(len(value))
            return {"dict": [[key(name), data(item, depth + 1)] for name, item in value.items()]}
        array = as_wire_array(value)
        if array is None:
            return keep(value)
        text = binascii.b2a_base64(array.data, newline=False).decode()
        return {"array": [array.dtype, array.shape, text]}

    def items(values, depth):
        allowed.take(len(values))
        return [item if type(item) in SCALARS else data(item, depth) for item in values]

    def key(value):
        return value if is_key(value) else keep(value)

    return data(value, 0)


class Allowance:
    """Counts the parts of one value, those of each list before it is looked at."""

    def __init__(self):
        self.parts_left = MOST_PARTS - 1  # the value itself

    def take(self, count):
        """Count more parts. Raises WireError for too many."""
        self.parts_left -= count
        if self.parts_left < 0:
            raise WireError(f"more than {MOST_PARTS:,} values in one message")


def is_short(value):
    """Whether `value` is an int that crosses as it stands."""
    return type(value) is int and value.bit_length() <= LONGEST_INT


def is_named(kind):
    """Whether a class is a tuple with names for its entries, as `namedtuple` makes them."""
    return type(kind) is type and kind.__base__ is tuple and "_fields" in vars(kind)


def is_dict(kind):
    """Whether a class is `dict`, or one of Python's own that only fill themselves otherwise."""
    own = vars(sys.modules.get("collections", sys))
    return kind is dict or any(kind is own.get(name) for name in DICTS)


def is_key(value):
    """Whether `value` can be a key on the other side: no two such have the same hash by intent."""
    return type(value) is str or (type(value) is int and value.bit_length() <= LONGEST_KEY)


def as_wire_array(value):
    """A `WireArray` when `value` is exactly an ndarray or a NumPy number, else None."""
    numpy, kind = sys.modules.get("numpy"), type(value)
    if kind is WireArray:
        return value
    if numpy is None or not (kind is numpy.ndarray or kind in numpy.sctypeDict.values()):
        return None
    if value.dtype.name not in DTYPES:
        return None
    if value.nbytes > LARGEST_FRAME:  # a stretched array holds more than it occupies
        raise WireError(f"an array of {value.nbytes:,} bytes is more than a message may hold")
    native = value.astype(value.dtype.newbyteorder("="), copy=False)
    return WireArray(value.dtype.name, list(value.shape), native.tobytes())


def decode(data, handle, array):
    """The value of JSON-like `data`; `handle(fields)` and `array(WireArray)` make those two kinds.
    Takes a time that the limits above bound, whoever has made the data."""
    allowed = Allowance()

    def value(data, depth):
        if type(data) in SCALARS or is_short(data):
            return data
        if depth > DEEPEST or type(data) is not dict or len(data) != 1:
            raise WireError("not an encoded value")
        ((tag, body),) = data.items()
        if type(body) is not list:
            raise WireError(f"a {tag:.40} needs a list")
        if tag not in kinds:
            raise WireError(f"no such kind of value: {tag!r:.40}")
        return kinds[tag](body, depth + 1)

    def items(body, depth):
        allowed.take(len(body))
        return [item if type(item) in SCALARS else value(item, depth) for item in body]

    def entries(body, depth):
        allowed.take(len(body))
        if any(type(pair) is not list or len(pair) != 2 for pair in body):
            raise WireError("a dict needs pairs")
        return {key(name): value(item, depth) for name, item in body}

    def key(data):
        if not is_key(data) and not (type(data) is dict and list(data) == ["handle"]):
            raise WireError("a key that cannot be one")
        return data if is_key(data) else value(data, 0)

    kinds = {
        "list": items,
        "tuple": lambda body, depth: tuple(items(body, depth)),
        "dict": entries,
        "complex": lambda body, depth: checked_complex(body),
        "array": lambda body, depth: array(checked_array(body)),
        "handle": lambda body, depth: handle(body),
    }
    return value(data, 0)


def checked_complex(body):
    """The complex number of two floats."""
    if len(body) != 2 or any(type(part) is not float for part in body):
        raise WireError("not a complex number")
    return complex(*body)


def to_numpy(array):
    """The ndarray of a `WireArray`."""
    import numpy

    return numpy.frombuffer(array.data, array.dtype).reshape(array.shape).copy()


def checked_array(body):
    """A `WireArray` whose dtype is known and whose byte count is what its shape asks for."""
    try:
        dtype, shape, text = body
        if dtype not in DTYPES or type(shape) is not list or len(shape) > MOST_AXES:
            raise WireError("not an array")
        sizes = [size for size in shape if type(size) is int and 0 <= size <= LARGEST_FRAME]
        bits = int("".join(filter(str.isdigit, dtype)) or 8)
        data = binascii.a2b_base64(text, strict_mode=True)
        if len(sizes) == len(shape) and len(data) == math.prod(sizes) * bits // 8:
            return WireArray(dtype, tuple(shape), data)
    except (TypeError, ValueError):
        pass
    raise WireError("not an array")


def json_text(data):
    """JSON-like data as JSON. A worker that loaded `json`, and with it `re` and `enum`, would take
    half as long again to start."""
    kind = type(data)
    if kind is str:
        return quote_text(data)
    if kind is list:
        return f"[{', '.join(map(json_text, data))}]"
    if kind is dict:
        pairs = [f"{quote_text(name)}: {json_text(value)}" for name, value in data.items()]
        return f"{{{', '.join(pairs)}}}"
    return WORDS.get(text := repr(data), text)


def quote_text(text):
    """A text as JSON."""
    return f'"{text if text.isalnum() else text.translate(ESCAPES)}"'


def write_request(stream, request):
    """Send a worker what is asked of it, which only the trusted side writes."""
    write_frame(stream, marshal.dumps(request, 2))


def read_request(stream):
    """The next request; EOFError when the other side is gone."""
    return marshal.loads(read_frame(stream))


def write_reply(stream, reply):
    """Send what a worker answers, as JSON."""
    write_frame(stream, json_text(reply).encode("utf-8", "surrogatepass"))


def read_reply(stream):
    """The next reply; EOFError when the other side is gone, WireError when it is none."""
    import json

    try:
        return json.loads(read_frame(stream))
    except (ValueError, RecursionError) as error:
        raise WireError("not JSON") from error


def write_frame(stream, data):
    """Send a length and so many bytes."""
    if len(data) > LARGEST_FRAME:
        raise WireError(f"{len(data):,} bytes are more than a message may hold")
    stream.write(struct.pack(">I", len(data)) + data)
    stream.flush()


def read_frame(stream):
    """The bytes of the next frame."""
    (length,) = struct.unpack(">I", exactly(stream, 4))
    if length > LARGEST_FRAME:
        raise WireError(f"a message of {length:,} bytes")
    return exactly(stream, length)


def exactly(stream, count):
    """`count` bytes of `stream`, or EOFError."""
    data = stream.read(count)
    if len(data) != count:
        raise EOFError
    return data
