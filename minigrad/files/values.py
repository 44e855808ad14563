"""Specs, and the parameters of ops, as JSON; strictly in both directions."""

import math

import numpy as np

from minigrad.core.errors import FileError
from minigrad.core.spec import Spec
from minigrad.files.limits import DEEPEST_PARAMETER, LARGEST, check_shape, expect_in_file, is_count
from minigrad.static.control.bundle import Bundle
from minigrad.static.graph import Constant

DTYPES = """bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32
float64""".split()
ODD = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}  # JSON has no numbers for them


def encode_value(value):
    """A parameter as JSON. Raises FileError for what is no number, text, dtype or tuple."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, np.integer)):
        message = "a parameter is a number of more than 1024 bits"
        expect_in_file(abs(int(value)) < LARGEST, message, "use a smaller number")
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"float": str(float(value))}
    if isinstance(value, np.dtype):
        return {"dtype": dtype_name(value)}
    if value is ...:
        return {"index": "..."}
    if isinstance(value, tuple):
        return [encode_value(part) for part in value]
    hint = "build the graph from ops whose parameters are numbers, texts and tuples"
    raise FileError(f"a parameter of type {type(value).__name__} cannot be saved", hint)


def decode_value(value, depth=0):
    """The parameter that JSON stands for. Raises FileError for anything else."""
    if value is None or type(value) in (bool, str):
        return value
    if type(value) is int and abs(value) < LARGEST or type(value) is float and math.isfinite(value):
        return value
    if isinstance(value, list) and depth < DEEPEST_PARAMETER:
        return tuple(decode_value(part, depth + 1) for part in value)
    if isinstance(value, dict) and len(value) == 1:
        ((kind, what),) = value.items()
        if kind == "dtype":
            return find_dtype(what)
        if kind == "float" and isinstance(what, str) and what in ODD:
            return ODD[what]
        if kind == "index" and what == "...":
            return ...
    raise FileError(f"{str(value)[:40]} is not a parameter")


def dtype_name(dtype):
    """The name under which a dtype is saved. Raises FileError for one that is not portable."""
    if isinstance(dtype, Bundle):
        return {"bundle": [[list(spec.shape), dtype_name(spec.dtype)] for spec in dtype]}
    if dtype.name not in DTYPES:
        raise FileError(f"{dtype} is not the same on all machines", "cast it to float64")
    return dtype.name


def find_dtype(name):
    """The dtype of a name in a file."""
    expect_in_file(isinstance(name, str) and name in DTYPES, f"{str(name)[:40]!r} is not a dtype")
    return np.dtype(name)


def spec_from(shape, dtype):
    """The Spec that a shape and a dtype in a file stand for."""
    lengths = isinstance(shape, list) and all(n is None or is_count(n) for n in shape)
    expect_in_file(lengths, f"{str(shape)[:40]} is not a shape")
    check_shape(shape)
    if isinstance(dtype, dict) and set(dtype) == {"bundle"} and not shape:
        parts = dtype["bundle"]
        expect_in_file(isinstance(parts, list), f"{str(parts)[:40]} is not a bundle")
        return Spec((), Bundle(part_spec(part) for part in parts))
    return Spec(tuple(shape), find_dtype(dtype))


def part_spec(part):
    """The Spec of one array of a bundle."""
    fits = isinstance(part, list) and len(part) == 2 and isinstance(part[1], str)
    expect_in_file(fits, f"{str(part)[:40]} is not a part of a bundle")
    return spec_from(*part)


def stored_array(node, values):
    """The array of a Constant, or of a Variable, which may have another value by now."""
    return node.value if isinstance(node, Constant) else values.get(node.order, node.initial)
