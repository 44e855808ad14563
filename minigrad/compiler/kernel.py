"""Kernels: elementwise steps that run together, tile by tile.

A tile fits in the processor's cache: what one step writes the next finds there, and values inside
the kernel never need an array of their own.
"""

import inspect
import math
from collections import defaultdict
from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

import numpy as np

from minigrad.compiler import threads
from minigrad.core.op import Op
from minigrad.core.ops.reduce import Sum
from minigrad.core.spec import spec_of
from minigrad.static.control.bundle import Item, bundle

LEAF = 128  # entries up to which NumPy's sum does not halve them
# Before 2.3 NumPy's sum filled a buffer again and again, even where it had nothing to copy.
BUFFERED = np.lib.NumpyVersion(np.__version__) < "2.3.0"
MOST_TILES = 64  # a kernel of a single call is cut into at most so many tiles, for threads


class Kernel(Op):
    """z = the results of `body` on the operands: one value, or a bundle of them."""

    builtin = True
    infallible = True
    elementwise = True
    says = "One kernel computes {steps}{between}."

    def infer(*xs, body):
        return body.spec

    def compute(*xs, body, out=None):
        return body.run(xs, out)


class KernelResult(Item):
    """z = one of several results of a kernel, which it has written into an array of its own."""

    builtin = True
    says = "{z} is one of the results of the kernel {x}."
    infallible = True

    @classmethod
    def gives_view(op, count):
        return False


def can_take_out(op):
    """True when op.compute can write into an array that it is given as `out`."""
    if isinstance(op.compute, np.ufunc):
        return True
    written_here = inspect.isfunction(op.compute)  # NumPy's own functions have no `out` to look for
    return op.builtin and written_here and "out" in inspect.signature(op.compute).parameters


class KernelStep(NamedTuple):
    """One op of a kernel, the numbers of its operands, its parameters, the dtype of its result."""

    op: type
    operands: list
    params: dict
    dtype: np.dtype


class KernelCall(NamedTuple):
    """function(operands…, results…): one step, or several that a backend merged."""

    function: Callable
    operands: list
    results: list


class KernelSteps:
    """The steps of a kernel, whose values have numbers: the inputs, then the result of each step.

    `results` are the values that leave the kernel: arrays first, then sums of all entries.
    A backend may put other calls into `native`, for arrays that lie in one piece.
    """

    def __init__(self, nodes, inputs, results, tile):
        number = {x.order: i for i, x in enumerate([*inputs, *nodes])}
        self.steps = [
            KernelStep(n.op, [number[x.order] for x in n.inputs], n.params, n.dtype) for n in nodes
        ]
        self.step_of = dict(enumerate(self.steps, len(inputs)))  # by the number of its result
        self.results, self.inputs = [number[n.order] for n in results], [x.shape for x in inputs]
        self.shape, self.specs = nodes[0].shape, list(map(spec_of, results))
        self.spec = self.specs[0] if len(results) == 1 else bundle(self.specs)
        sums = [i for i in self.results if self.step_of[i].op is Sum]
        self.arrays = [i for i in self.results if i not in sums]
        self.sum_operands = [self.step_of[i].operands[0] for i in sums]
        self.tile = entries_of_tile(tile, self.steps)
        self.calls = [
            KernelCall(write_into(step.op, step.params), step.operands, [i])
            for i, step in self.step_of.items()
            if step.op is not Sum
        ]
        self.native, self.tile_functions = None, {}

    def __repr__(self):
        return " → ".join(step.op.verb for step in self.steps)

    def writes_late(self, result, place, calls):
        """True when no call after that of `result` reads the input at `place`."""
        at = next((n for n, call in enumerate(calls) if result in call.results), None)
        return at is not None and all(place not in call.operands for call in calls[at + 1 :])

    def run(self, xs, out=None):
        """The kernel's results, its arrays in `out` (one, or a list of them) when that is given."""
        outs = out if isinstance(out, list) else [out]
        if out is None:
            outs = [np.empty(self.shape, self.step_of[i].dtype) for i in self.arrays]
        whole, targets, flat = flatten_arrays([np.asarray(x) for x in xs], outs, self)
        length, *rest = (math.prod(self.shape),) if flat else self.shape
        calls = self.calls_for(flat)
        rows = self.rows_of_tile(calls, length, rest)
        times, run_tiles = threads.plan_tiles(length // rows)
        rows *= times
        if flat not in self.tile_functions:
            self.tile_functions[flat] = tile_maker(self, flat)
        tiles, dtypes = self.tile_functions[flat]

        def new_tile():
            return tiles(*whole, *targets, *[np.empty((rows, *rest), dtype) for dtype in dtypes])

        if self.sum_operands:
            sums = run_tiles(new_tile, list(pieces_of_sum(length, rows)))
            outs = [*outs, *add_pieces(iter(sums), length, rows)]
        else:
            starts = range(0, length, rows)
            run_tiles(new_tile, [(i, min(i + rows, length)) for i in starts])
        return outs[0] if len(outs) == 1 else tuple(outs)

    def calls_for(self, flat):
        """The calls of a tile: a backend's own where all lies in one piece."""
        return self.native if flat and self.native else self.calls

    def rows_of_tile(self, calls, length, shape):
        """How many rows of a shape fill a tile, at least one. A single call finds nothing in the
        cache that another has left there: its tiles may be larger."""
        rows = max(1, self.tile // max(1, math.prod(shape)))
        if self.sum_operands:
            rows = max(rows, LEAF)
        elif len(calls) == 1:
            rows = max(rows, -(-length // MOST_TILES))
        return min(rows, length)


def tile_maker(body, flat):
    """(function (inputs…, results…, scratch…) → tile(start, stop), dtypes of the scratch).

    A tile's calls are written out: a closure over a list of calls, which looks their operands up,
    takes a fifth longer for tiles that fit in the cache.
    """
    calls = body.calls_for(flat)
    scratch, dtypes = assign_tiles(calls, body)
    space = {f"f{n}": call.function for n, call in enumerate(calls)}
    space["add_reduce"] = np.add.reduce
    exec(write_tiles(body, calls, name_values(body, scratch, flat), len(dtypes)), space)
    return space["tiles"], dtypes


def name_values(body, scratch, flat):
    """{number of a value: its name in a tile}: X an input of which it takes its rows, x one that it
    takes whole, Z a result, S scratch. In small letters they are the whole arrays."""
    names = {i: f"S{k}" for i, k in scratch.items()}
    names |= {i: f"Z{k}" for k, i in enumerate(body.arrays)}
    for i, shape in enumerate(body.inputs):
        rows = flat or shape[:1] == body.shape[:1] and len(shape) == len(body.shape)
        names[i] = f"X{i}" if rows and math.prod(shape) > 1 else f"x{i}"
    return names


def write_tiles(body, calls, names, scratch_count):
    """The source of the function that tile_maker returns."""
    scratch = [f"s{k}" for k in range(scratch_count)]
    arguments = [f"x{i}" for i in range(len(body.inputs))]
    arguments += [f"z{k}" for k in range(len(body.arrays))] + scratch
    sums = [f"add_reduce({names[i]})" for i in body.sum_operands]
    lines = [f"def tiles({', '.join(arguments)}):", "    def tile(start, stop):"]
    lines += [f"        {n} = {n.lower()}[start:stop]" for n in names.values() if n[0] in "XZ"]
    lines += [f"        {name.upper()} = {name}[:stop - start]" for name in scratch]
    for number, call in enumerate(calls):
        values = [names[i] for i in (*call.operands, *call.results)]
        lines.append(f"        f{number}({', '.join(values)})")
    lines += [f"        return [{', '.join(sums)}]", "    return tile"]
    return "\n".join(lines)


def entries_of_tile(doubles, steps):
    """How many entries of the widest step fill a tile for so many doubles, at least one."""
    return max(1, doubles * 8 // max(step.dtype.itemsize for step in steps))


def pieces_of_sum(length, rows):
    """The pieces (start, stop) of at most `rows` entries in the order of NumPy's own sum.

    It halves the whole array; up to NumPy 2.2 it halves each buffer, of 8192 entries unless
    np.setbufsize says otherwise, and adds the buffers' sums one after another.
    """
    for start, stop in buffers(length):
        yield from halve(start, stop, rows)


def add_pieces(sums, length, rows):
    """The sums over these pieces, added up in NumPy's own order, so bit for bit."""
    parts = (add_halves(sums, stop - start, rows) for start, stop in buffers(length))
    return reduce(add_each, parts)


def buffers(length):
    """What NumPy's sum halves: the whole of [0, length), or one buffer after another."""
    size = np.getbufsize() if BUFFERED else length
    return [(start, min(start + size, length)) for start in range(0, length, size)]


def halve(start, stop, rows):
    """The pieces of [start, stop): branches of the tree of NumPy's pairwise summation.

    It halves a range, in multiples of 8, down to LEAF entries (Source: Higham, Accuracy and
    Stability, 4.2).
    """
    if stop - start <= rows:
        yield start, stop
    else:
        half = start + middle(stop - start)
        yield from halve(start, half, rows)
        yield from halve(half, stop, rows)


def add_halves(sums, length, rows):
    """The sums over the pieces of one tree of so many entries, added up along its branches."""
    if length <= rows:
        return next(sums)
    half = middle(length)
    return add_each(add_halves(sums, half, rows), add_halves(sums, length - half, rows))


def add_each(xs, ys):
    """The sums of two lists, entry by entry."""
    return [x + y for x, y in zip(xs, ys)]


def middle(length):
    """Where NumPy's sum divides so many entries."""
    return length // 2 // 8 * 8


def write_into(op, params):
    """op.compute as a function (operands…, result): the result is an array to write into."""
    if isinstance(op.compute, np.ufunc) and op.compute not in (np.maximum, np.minimum):
        return op.compute
    if can_take_out(op):
        return lambda *xs: op.compute(*xs[:-1], out=xs[-1], **params)
    return lambda *xs: np.copyto(xs[-1], op.compute(*xs[:-1], **params))


def flatten_arrays(xs, outs, body):
    """(inputs, results, True) in one dimension, when all are in one piece; else as they are.

    A sum needs them so: an input that is not is copied.
    """
    xs = [x.reshape(()) if x.size == 1 else x for x in xs]
    if body.sum_operands:
        xs = [np.ascontiguousarray(x) if x.ndim else x for x in xs]
    if not all(out.flags.c_contiguous for out in outs) or not all(
        x.ndim == 0 or x.shape == body.shape and x.flags.c_contiguous for x in xs
    ):
        return xs, outs, False
    return [x.reshape(-1) if x.ndim else x for x in xs], [out.reshape(-1) for out in outs], True


def assign_tiles(calls, body):
    """({step: number of its tile}, dtype of each tile): tiles are used again when dead.

    A result has no tile, since its value lies in an array of its own. A ufunc may write over its
    operand; machine code is slower when it must look for that.
    """
    last = {i: at for at, call in enumerate(calls) for i in call.operands}
    last.update(dict.fromkeys(body.sum_operands, len(calls)))
    free, chosen, tiles = defaultdict(list), {}, []
    for at, call in enumerate(calls):
        dead = [i for i in set(call.operands) if last[i] == at and i in chosen]
        early, late = (dead, ()) if calls is body.calls else ((), dead)
        for i in early:
            free[body.step_of[i].dtype].append(chosen[i])
        for i in call.results:
            dtype = body.step_of[i].dtype
            if i not in body.arrays and not free[dtype]:
                free[dtype].append(len(tiles))
                tiles.append(dtype)
            if i not in body.arrays:
                chosen[i] = free[dtype].pop()
        for i in late:
            free[body.step_of[i].dtype].append(chosen[i])
    return chosen, tiles
