"""Plain data as text, and text as frames: all that ever crosses between checks and student.

A value crosses by its exact type. A subclass of float, an object with `__array__` or a list that
holds one is not plain: it stays inside, and a handle (a number) crosses in its place.
"""

import base64
import json
import struct
import sys

LARGEST_FRAME = 4 * 2**20
DEEPEST = 40
LONGEST_INT = 8_000
SCALARS = (bool, int, float, str, type(None))
SEQUENCES = {list: "list", tuple: "tuple"}
DTYPES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64"
    " float16 float32 float64 complex64 complex128".split()
)


class WireError(Exception):
    """Text that is not an encoded value, or a frame that is too long."""


class Array:
    """An array as it crosses: dtype name, shape, bytes in row order."""

    def __init__(self, dtype, shape, data):
        self.dtype, self.shape, self.data = dtype, shape, data


def encode(value, keep, depth=0):
    """`value` as JSON-like data; `keep(value)` returns the handle data for what is not plain."""
    kind = type(value)
    if kind in SCALARS and not (kind is int and value.bit_length() > LONGEST_INT):
        return value
    if kind is complex:
        return {"complex": [value.real, value.imag]}
    if depth < DEEPEST and kind in SEQUENCES:
        return {SEQUENCES[kind]: [encode(item, keep, depth + 1) for item in value]}
    if depth < DEEPEST and kind is dict:
        pairs = [
            [encode(key, keep, depth + 1), encode(item, keep, depth + 1)]
            for key, item in value.items()
        ]
        return {"dict": pairs}
    array = as_array(value)
    if array is None:
        return keep(value)
    return {"array": [array.dtype, array.shape, base64.b64encode(array.data).decode()]}


def as_array(value):
    """An `Array` when `value` is exactly an ndarray or a NumPy number, else None."""
    numpy, kind = sys.modules.get("numpy"), type(value)
    if kind is Array:
        return value
    if numpy is None or not (kind is numpy.ndarray or kind in numpy.sctypeDict.values()):
        return None
    if value.dtype.name not in DTYPES:
        return None
    if value.nbytes > LARGEST_FRAME:  # a stretched array holds more than it occupies
        raise WireError(f"an array of {value.nbytes:,} bytes is more than a message may hold")
    native = value.astype(value.dtype.newbyteorder("="), copy=False)
    return Array(value.dtype.name, list(value.shape), native.tobytes())


def decode(data, handle, array, depth=0):
    """The value of JSON-like `data`; `handle(fields)` and `array(Array)` make those two kinds."""
    if type(data) in SCALARS:
        return data
    if depth > DEEPEST or type(data) is not dict or len(data) != 1:
        raise WireError("not an encoded value")
    ((tag, body),) = data.items()
    if tag == "handle" and type(body) is list:
        return handle(body)
    if tag == "array":
        return array(checked_array(body))
    if type(body) is not list:
        raise WireError(f"a {tag} needs a list")
    if tag == "complex" and len(body) == 2 and all(type(part) is float for part in body):
        return complex(*body)
    return container(tag, body, lambda item: decode(item, handle, array, depth + 1))


def container(tag, body, each):
    """The list, tuple or dict whose items `each` decodes."""
    if tag == "list":
        return [each(item) for item in body]
    if tag == "tuple":
        return tuple(each(item) for item in body)
    if tag == "dict" and all(type(pair) is list and len(pair) == 2 for pair in body):
        try:
            return {each(key): each(value) for key, value in body}
        except TypeError as error:
            raise WireError("a key that cannot be one") from error
    raise WireError(f"no such kind of value: {tag!r:.40}")


def checked_array(body):
    """An `Array` whose dtype is known and whose byte count is what its shape asks for."""
    try:
        dtype, shape, text = body
        data = base64.b64decode(text, validate=True)
        count = 1
        for size in shape:
            count *= size if type(size) is int and size >= 0 else None
        bits = int("".join(filter(str.isdigit, dtype)) or 8)
        if dtype in DTYPES and len(shape) <= 64 and len(data) == count * bits // 8:
            return Array(dtype, tuple(shape), data)
    except (TypeError, ValueError, AttributeError):
        pass
    raise WireError("not an array")


def write(stream, message):
    """Send one message as a length and JSON text."""
    text = json.dumps(message).encode()
    if len(text) > LARGEST_FRAME:
        raise WireError(f"{len(text):,} bytes are more than a message may hold")
    stream.write(struct.pack(">I", len(text)) + text)
    stream.flush()


def read(stream):
    """The next message; EOFError when the other side is gone, WireError when it is no message."""
    head = exactly(stream, 4)
    (length,) = struct.unpack(">I", head)
    if length > LARGEST_FRAME:
        raise WireError(f"a message of {length:,} bytes")
    try:
        return json.loads(exactly(stream, length))
    except (ValueError, RecursionError) as error:
        raise WireError("not JSON") from error


def exactly(stream, count):
    """`count` bytes of `stream`, or EOFError."""
    data = stream.read(count)
    if len(data) != count:
        raise EOFError
    return data
