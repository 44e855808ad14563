"""Lesson 08: cases, references, typical wrong answers, pictures. The words are in 08.toml."""

import copy
import os
import sys
from collections import OrderedDict
from itertools import pairwise
from types import SimpleNamespace
from unittest import mock

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson
from minigrad.course.teach import table

NAN, INF = np.nan, np.inf
HARD = np.array([INF, 1.0, 5.0, 0.1, 1e308, -2.0, 5e-324, -INF, NAN, 0.0, -0.0])
LARGE, TILE = 400_000, 8_192  # entries of large arrays, and of a tile
CACHE, BLOCK = 2**20, 4096  # bytes of a simulated cache, and of what it loads at once
ROUNDS = 25
STEPS_OF_ANY = ("cut", "plan", "code")  # of compiling, also where no pass runs


def count_calls(program):
    """Count the operations that a program calls, by the remark beside each of them."""
    return program.source.count("  # %")


# same_bits ---------------------------------------------------------------------------------------

PAIRS = [
    ([1.0, 2.0], [1.0, 2.0]),
    ([1.0, 2.0], [1.0, 3.0]),
    ([1.0, -2.0], [1.0, -2.0]),
    ([NAN, 1.0], [NAN, 1.0]),
    ([NAN, 1.0], [NAN, 2.0]),
    ([NAN, 1.0], [2.0, 1.0]),
    ([2.0, 1.0], [NAN, 1.0]),
    ([NAN, 1.0], [0.0, 1.0]),
    ([NAN, 1.0], [INF, 1.0]),
    ([NAN, 1.0], [1.0, NAN]),
    ([0.0, 1.0], [-0.0, 1.0]),
    ([-0.0, 0.0], [-0.0, 0.0]),
    ([1.0, NAN], [1.0, -NAN]),
    ([0.3, 1.0], [0.1 + 0.2, 1.0]),
    ([5e-324, 1.0], [0.0, 1.0]),
    ([INF, -INF], [INF, -INF]),
    ([INF, 1.0], [-INF, 1.0]),
    ([INF, 1.0], [np.finfo(float).max, 1.0]),
    ([[1.0, NAN], [0.0, -2.0]], [[1.0, NAN], [0.0, -2.0]]),
    ([[1.0, NAN], [0.0, -2.0]], [[1.0, NAN], [-0.0, -2.0]]),
    ([[1.0, NAN], [0.0, -2.0]], [[1.0, NAN], [0.0, 2.0]]),
    ([[1.0], [2.0]], [[1.0], [3.0]]),
    (-0.0, -0.0),
    (0.0, -0.0),
    (NAN, -NAN),
    (1.0, NAN),
]


def cases_same_bits():
    """Pairs of arrays of one shape, with no, one and two dimensions."""
    return [(np.array(a), np.array(b)) for a, b in PAIRS]


def show_same_bits(a, b):
    """A case in words, with the signs of NaN and the shape where it is not plain."""
    shape = "" if a.ndim == 1 else f", both of shape {a.shape}"
    return f"a = {written(a)} and b = {written(b)}{shape}"


def written(array):
    """An array with every digit that counts, and the sign bits of NaN."""
    if array.ndim:
        return f"[{', '.join(map(written, array))}]"
    return "-nan" if np.isnan(array) and np.signbit(array) else repr(float(array))


def run_same_bits(function, a, b):
    """The truth value that a function returns, as a word. Raises ValueError for an array."""
    found = function(a, b)
    if np.ndim(found):
        raise ValueError(f"the result is an array of shape {np.shape(found)}")
    return found if found is None else str(bool(found))


def reference_same_bits(a, b):
    """Tell whether all entries of two arrays agree to the last bit; every NaN is the same NaN."""
    return bool(np.all(agreeing(a, b)))


def agreeing(a, b):
    """Which entries agree."""
    return (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)


def equal_entries(a, b):
    """== alone."""
    return np.all(a == b)


def zeros_alike(a, b):
    """NaN is looked after, and the sign is not."""
    return np.all((a == b) | np.isnan(a) & np.isnan(b))


def nan_left_out(a, b):
    """The sign is looked after, and NaN is not."""
    return np.all((a == b) & (np.signbit(a) == np.signbit(b)))


def nan_tested_alike(a, b):
    """isnan(a) == isnan(b), which any two numbers pass."""
    return np.all((a == b) & (np.signbit(a) == np.signbit(b)) | (np.isnan(a) == np.isnan(b)))


def raw_bytes(a, b):
    """The sign bits of NaN count, too."""
    return a.tobytes() == b.tobytes()


def nearly_equal(a, b):
    """Close numbers pass."""
    return np.allclose(a, b, equal_nan=True)


EQUATIONS = [  # (in words, left, right): they hold for real numbers
    ("-(-x) = x", lambda x: np.negative(-x), lambda x: x),
    ("|-x| = |x|", lambda x: abs(-x), abs),
    ("x / 2 = x · 0.5", lambda x: x / 2, lambda x: x * 0.5),
    ("x / 3 = x · (1/3)", lambda x: x / 3, lambda x: x * (1 / 3)),
    ("x · 0 = 0", lambda x: x * 0, lambda x: 0 * np.ones_like(x)),
    ("x + 0 = x", lambda x: x + 0.0, lambda x: x),
    ("x - 0 = x", lambda x: x - 0.0, lambda x: x),
    ("(x + 1) - 1 = x", lambda x: x + 1 - 1, lambda x: x),
    ("x · 2 / 2 = x", lambda x: x * 2 / 2, lambda x: x),
]


def after_same_bits(function):
    """A table of equations, each with the first hard number that refutes it."""
    found = [(name, first_witness(function, *sides)) for name, *sides in EQUATIONS]
    return table(["equation", "the first witness among eleven hard numbers"], found)


def first_witness(same, left, right):
    """The first of the hard numbers at which two sides differ, as a text."""
    with np.errstate(all="ignore"):
        for number in np.split(HARD, len(HARD)):
            if not same(left(number), right(number)):
                return str(float(number[0]))
    return "none"


# cse ---------------------------------------------------------------------------------------------

R2 = [("x",), ("y",), ("mul", 0, 0), ("mul", 1, 1), ("add", 2, 3)]
RINGS = [  # the program of the lesson, pruned, line by line
    *R2,
    *[("mul", 1, 1), ("mul", 0, 0), ("add", 5, 6)],
    *[("2.0",), ("1.5",), ("mul", 8, 9), ("mul", 10, 7), ("sin", 11), ("1.0",), ("div", 12, 13)],
    *[("40.0",), ("mul", 15, 4), ("exp", 16), ("0.0",), ("mul", 17, 18), ("add", 14, 19)],
]
SUMS = (4, 7)  # the places of x² + y² and of y² + x² in it
CALLS = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
    "sin": np.sin, "exp": np.exp,
}  # fmt: skip
PRODUCT = [("a",), ("b",), ("sub", 0, 1), ("sub", 1, 0), ("mul", 2, 3)]  # (a - b) · (b - a)


def cases_cse():
    """Programs: lists of lines, each with an operation and the places of its operands."""
    return [
        ([("x",), ("exp", 0), ("exp", 0), ("add", 1, 2)],),
        ([*R2, ("mul", 0, 0), ("mul", 1, 1), ("add", 5, 6), ("div", 4, 7)],),
        ([("x",), ("exp", 0), ("sin", 0), ("exp", 0)],),
        ([("x",), ("exp", 0), ("sin", 1), ("exp", 0), ("sin", 3), ("sub", 2, 4)],),
        ([("x",), ("exp", 0), ("exp", 1), ("sin", 0)],),
        (PRODUCT,),
        ([("x",), ("x",), ("y",), ("add", 1, 2), ("add", 0, 1)],),
        ([("x",), ("y",), ("x",), ("mul", 2, 1), ("exp", 3), ("mul", 0, 1), ("div", 4, 5)],),
    ]


def show_cse(program):
    """A case in words."""
    return f"the program {as_text(program)}"


def as_text(program):
    """A program as one writes it; a line of one entry without the comma of its tuple."""
    return "[" + ", ".join(f"({', '.join(map(str, line))})" for line in program) + "]"


def run_cse(function, program):
    """(the new program as a text, the list of places). Raises TypeError for what is no pair."""
    found = function(program)
    if found is None:
        return None
    if not isinstance(found, (tuple, list)) or len(found) != 2 or is_line(found[0]):
        raise TypeError("the result is not a pair of two lists")
    lines, places = found
    if not isinstance(lines, (tuple, list)) or not all(map(is_line, lines)):
        raise TypeError("the new program is not a list of lines")
    if isinstance(places, dict):
        raise TypeError("the places are a dictionary")
    return as_text(lines), [int(place) for place in places]


def is_line(each):
    """Whether something is a line of a program: an operation, and the places of its operands."""
    return isinstance(each, (tuple, list)) and bool(each) and isinstance(each[0], str)


def merged(program, key_of, line_of=None, note=None):
    """The right function, but for what makes the key, the new line, or the note of a place."""
    lines, places, seen = [], [], {}
    for op, *inputs in program:
        moved = [places[i] for i in inputs]
        key = key_of(op, inputs, moved)
        if key not in seen:
            seen[key] = len(lines)
            lines.append((op, *(line_of or (lambda old, new: new))(inputs, moved)))
        places.append(note(lines) if note else seen[key])
    return lines, places


def new_places(op, inputs, moved):
    """The key of a line: its operation and the places of its operands in the new program."""
    return (op, *moved)


def reference_cse(program):
    """Merge equal lines: return the new program, and where each old line stands in it."""
    return merged(program, new_places)


def old_places(program):
    """The keys hold the places of the old program."""
    return merged(program, lambda op, inputs, moved: (op, *inputs))


def stale_lines(program):
    """The right lines stay, but read the places of the old program."""
    return merged(program, new_places, line_of=lambda old, new: old)


def untouched_lines(program):
    """Keys and lines both hold the places of the old program."""
    return merged(program, lambda op, inputs, moved: (op, *inputs), line_of=lambda old, new: old)


def last_place(program):
    """Each place is the last line so far."""
    return merged(program, new_places, note=lambda lines: len(lines) - 1)


def any_order(program):
    """Operands are sorted, of every operation."""
    return merged(program, lambda op, inputs, moved: (op, *sorted(moved)))


def any_order_written(program):
    """Operands are sorted, of every operation, in the lines as well."""
    return merged(
        program,
        lambda op, inputs, moved: (op, *sorted(moved)),
        line_of=lambda old, new: sorted(new),
    )


def nothing_merged(program):
    """All lines stay."""
    return list(program), list(range(len(program)))


def after_cse(function):
    """Merge the rings, run both programs, and say which operations are left."""
    lines, places = function(copy.deepcopy(RINGS))
    x, y = np.meshgrid(*[np.linspace(-4, 4, 100)] * 2)
    before, after = run_lines(RINGS, x=x, y=y), run_lines(lines, x=x, y=y)
    same = reference_same_bits(before[-1], after[places[-1]])
    print(f"  The rings: {count_operations(RINGS)} operations, {count_operations(lines)} left.")
    print(f"  Run line by line, both give the same bits: {same}.")
    first, second = (lines[places[at]] for at in SUMS)
    if places[SUMS[0]] != places[SUMS[1]]:
        print(f"  Two sums are still there: {told_line(*first)} and {told_line(*second)}.")
    else:
        print(f"  Your keys merge x² + y² and y² + x², too: {told_line(*first)} is both.")


def count_operations(program):
    """How many lines read other lines."""
    return sum(len(line) > 1 for line in program)


def run_lines(program, **known):
    """The value of each line, from the values of the names in it."""
    values = []
    with np.errstate(all="ignore"):
        for name, *inputs in program:
            read = [values[i] for i in inputs]
            leaf = known[name] if name in known else None if read else float(name)
            values.append(CALLS[name](*read) if read else leaf)
    return values


def sorted_cse(program):
    """Merge equal lines as a colleague does, who sorts the operands."""
    return any_order(program)[0]


def show_lines(program):
    """Draw a program, a node for each line."""
    nodes = []
    for word, *inputs in program:
        op, name = (word, None) if inputs else (None, word)
        nodes.append(SimpleNamespace(op=op, name=name, inputs=[nodes[i] for i in inputs]))
    return mg.draw(nodes[-1])


# key_of ------------------------------------------------------------------------------------------

LINES = [  # two lines, each (operation, places)
    (("exp", [4]), ("exp", [4])),
    (("add", [3, 5]), ("add", [5, 3])),
    (("mul", [3, 5]), ("mul", [5, 3])),
    (("sub", [3, 5]), ("sub", [5, 3])),
    (("div", [3, 5]), ("div", [5, 3])),
    (("pow", [3, 5]), ("pow", [5, 3])),
    (("sub", [5, 3]), ("sub", [5, 3])),
    (("add", [3, 5]), ("mul", [3, 5])),
    (("add", [3, 5]), ("mul", [5, 3])),
    (("add", [3, 5]), ("add", [4, 4])),
    (("mul", [2, 6]), ("mul", [3, 4])),
    (("mul", [3, 3]), ("mul", [3, 5])),
    (("sub", [1, 23]), ("sub", [12, 3])),
    (("exp", [4]), ("exp", [3])),
    (("sin", [4]), ("exp", [4])),
    (("div", [3, 3]), ("div", [5, 5])),
    (("sub", [3, 3]), ("sub", [5, 5])),
    (("add", [0, 8]), ("add", [8, 0])),
    (("mul", [8, 0]), ("mul", [0, 8])),
    (("x", []), ("y", [])),
    (("x", []), ("x", [])),
]


def cases_key_of():
    """Pairs of lines of one program."""
    return LINES


def show_key_of(first, second):
    """A case in words."""
    (first_op, first_places), (second_op, second_places) = first, second
    return f"{told_line(first_op, *first_places)} and {told_line(second_op, *second_places)}"


def told_line(op, *places):
    """A line as one writes it."""
    return f"({', '.join(map(str, (op, *places)))})"


def run_key_of(function, first, second):
    """Whether a function gives two lines the same key, and the lists of places afterwards. Raises
    TypeError for a key that a dictionary refuses."""
    keys = [function(*line) for line in (first, second)]
    if None in keys:
        return None
    same = "the same key" if len(set(keys)) == 1 else "different keys"
    return same, [places for _, places in (first, second)]


def reference_key_of(op, places):
    """Return the key of a line: equal for lines whose values have the same bits."""
    return (op, *(sorted(places) if op in ("add", "mul") else places))


def in_order(op, places):
    """The places as they are written."""
    return (op, *places)


def sorted_always(op, places):
    """Sorted for every operation."""
    return (op, *sorted(places))


def add_alone(op, places):
    """Sorted for + alone."""
    return (op, *(sorted(places) if op == "add" else places))


def equal_operands(op, places):
    """x / x has one key for all x, and so has x - x."""
    if op in ("sub", "div") and places[0] == places[1]:
        return (op,)
    return reference_key_of(op, places)


def set_of_places(op, places):
    """The places in the order of a set."""
    return (op, *(set(places) if op in ("add", "mul") else places))


def operation_left_out(op, places):
    """The operation is not in the key."""
    return reference_key_of(op, places)[1:]


def sorts_places(op, places):
    """The right key, but the list itself is sorted."""
    if op in ("add", "mul"):
        places.sort()
    return (op, *places)


def after_key_of(function):
    """Merge the rings by the key, and say what fold and simplify leave."""
    lines, _ = merged(RINGS, lambda op, inputs, moved: function(op, moved))
    plain, _ = reference_cse(RINGS)
    left = " → ".join(str(count_operations(each)) for each in (RINGS, plain, lines))
    print(f"  Operations of the rings: as written → keys in order → your keys: {left}.")
    print("  Folding 2.0 · 1.5 and leaving out / 1.0 saves one more each: 9, as in the session.")


# multiply_add ------------------------------------------------------------------------------------


class Watched(np.ndarray):
    """An array whose operations, and those on its parts, are logged: which bytes each reads and
    writes, as pairs (address, bytes)."""

    def __array_finalize__(self, other):
        self.log = getattr(other, "log", None)

    def __array_ufunc__(self, ufunc, method, *inputs, out=(), **options):
        """Compute with plain arrays, and log the operands and the result."""
        if out:
            options["out"] = tuple(map(plain, out))
        found = getattr(ufunc, method)(*map(plain, inputs), **options)
        arrays = [x for x in (*map(plain, inputs), found) if isinstance(x, np.ndarray)]
        self.log.append([(x.__array_interface__["data"][0], x.nbytes) for x in arrays])
        if out:
            return out[0]
        found = np.asarray(found).view(Watched)
        found.log = self.log
        return found

    def __setitem__(self, key, value):
        """Write into a part, and log it."""
        super().__setitem__(key, value)
        part = plain(self[key])
        if isinstance(part, np.ndarray):
            self.log.append([(part.__array_interface__["data"][0], part.nbytes)])


def plain(x):
    """A watched array without its log; anything else as it is."""
    return x.view(np.ndarray) if isinstance(x, Watched) else x


def watch(function, count, size):
    """(the arrays a, b and out after a call, the log of the operations)."""
    log = []
    arrays = [np.array(x).view(Watched) for x in numbers(count)]
    for array in arrays:
        array.log = log
    function(*arrays, size)
    return list(map(plain, arrays)), log


def bytes_loaded(log):
    """The bytes that a cache loads for the operations of a log, if it forgets what it has not
    used for the longest time."""
    held, misses = OrderedDict(), 0
    for first, length in (span for operation in log for span in operation):
        for block in range(first // BLOCK, -(-(first + length) // BLOCK)):
            misses += block not in held
            held[block] = True
            held.move_to_end(block)
            if len(held) > CACHE // BLOCK:
                held.popitem(last=False)
    return misses * BLOCK


def cases_multiply_add():
    """(entries, entries of a tile)."""
    return [(6, 2), (6, 3), (10, 4), (3, 5)]


def show_multiply_add(count, size):
    """A case in words."""
    return f"arrays of {count} entries and tiles of {size}"


def run_multiply_add(function, count, size):
    """(the array out after the call, how the operations work, what became of a and b)."""
    arrays, log = watch(function, count, size)
    kept = all(map(np.array_equal, arrays[:2], numbers(count)[:2]))
    out, parts = arrays[-1], parts_in_turn(arrays, log)
    way = way_of_working(parts, count, size)
    if parts and np.all(np.isnan(out)):
        way = "nothing is written into out"
    return out, way, "as before" if kept else "changed"


def parts_in_turn(arrays, log):
    """The parts (start, end) of a, b and out that the operations use, in entries, one after the
    other; the same part twice in a row counts once."""
    begins = [array.__array_interface__["data"][0] for array in arrays]
    spans = [span for operation in log for span in operation]
    parts = [
        ((first - begin) // 8, (first - begin + length) // 8)
        for first, length in spans
        for begin, array in zip(begins, arrays)
        if begin <= first < begin + array.nbytes
    ]
    return [part for at, part in enumerate(parts) if at == 0 or part != parts[at - 1]]


def way_of_working(parts, count, size):
    """How operations on these parts work, in words."""
    longest = max((end - start for start, end in parts), default=0)
    different = sorted(set(parts))
    if longest > size:
        return "an operation on more than one tile"
    if longest <= 1:
        return "entry by entry"
    if any(end > start for (_, end), (start, _) in pairwise(different)):
        return "parts that overlap"
    if len(parts) > len(different):
        return "first one operation on all tiles, then the next"
    return "tile by tile" if longest == min(size, count) else "parts smaller than a tile"


def numbers(count):
    """a, b, and an array of NaN for the result."""
    a = np.linspace(1, 2, count)
    return a, a[::-1] ** 2, np.full(count, NAN)


def reference_multiply_add(a, b, out, size):
    """Write a · b + 1 into out, tile by tile."""
    for at in range(0, len(a), size):
        tile = slice(at, at + size)
        np.multiply(a[tile], b[tile], out[tile])
        np.add(out[tile], 1, out[tile])


def whole_arrays(a, b, out, size):
    """The same without tiles."""
    out[:] = a * b + 1


def entry_by_entry(a, b, out, size):
    """The same, each entry alone."""
    for i in range(len(a)):
        out[i] = float(a[i]) * float(b[i]) + 1


def step_of_one(a, b, out, size):
    """A tile begins at each entry."""
    for at in range(len(a)):
        reference_multiply_add(a[at : at + size], b[at : at + size], out[at : at + size], size)


def not_fused(a, b, out, size):
    """All products, and then all sums."""
    for at in range(0, len(a), size):
        np.multiply(a[at : at + size], b[at : at + size], out[at : at + size])
    for at in range(0, len(a), size):
        np.add(out[at : at + size], 1, out[at : at + size])


def spoils_operands(a, b, out, size):
    """The products are written into a."""
    for at in range(0, len(a), size):
        a[at : at + size] *= b[at : at + size]
        out[at : at + size] = a[at : at + size] + 1


def without_the_rest(a, b, out, size):
    """Whole tiles alone: what is left over at the end is not written."""
    end = len(a) // size * size
    reference_multiply_add(a[:end], b[:end], out[:end], size)


def nothing_written(a, b, out, size):
    """Each tile of the result has another name than out."""
    for at in range(0, len(a), size):
        np.multiply(a[at : at + size], b[at : at + size])


def after_multiply_add(function):
    """Count what two operations on whole arrays, and the learner's kernel, load into a cache."""
    told = []
    for way in (two_operations, function):
        _, log = watch(way, LARGE, TILE)
        told.append(f"{bytes_loaded(log) / (8 * LARGE):.1f}")
    print(f"  We let a simulated cache of a mebibyte count, for {LARGE:,} entries:")
    print(f"    two operations on whole arrays move {told[0]} arrays between memory and cache,")
    print(f"    your kernel with tiles of {TILE:,} entries moves {told[1]}.")


def two_operations(a, b, out, size):
    """Write a · b + 1 into out, by two operations on whole arrays."""
    np.multiply(a, b, out)
    np.add(out, 1, out)


# race --------------------------------------------------------------------------------------------


def race_rings(rings):
    """A table: the rings as written and optimised, timed by turns, and the gain that is possible.

    `rings(side, **options)` makes the program of so many pixels. Kernels of the session use one
    thread here, as NumPy does. Each time is the least of all rounds, because load only adds to it,
    and a median with load in it can show a gain above the limit.
    """
    ways = {
        "written": lambda side: prepared(rings, side, optimize=False),
        "optimised": lambda side: prepared(rings, side),
        "alone": lambda side: sines_and_exponentials(side),
    }
    with mock.patch.dict(os.environ, MINIGRAD_THREADS="1"):
        race = mg.measure.compare(ways, sizes=(10, 100, 1000), rounds=ROUNDS)
    rows = []
    for at, side in enumerate(race.sizes):
        written, optimised, alone = (min(race.seconds[name][at]) for name in ways)
        runs = paid_after(written - optimised, rings(side))
        rows.append(
            (f"{side:,}", f"{1e6 * written:,.0f}", written / optimised, written / alone, runs)
        )
    heads = ["side", "as written, µs", "times as fast", "limit 1/s", "runs that pay for the passes"]
    return table(heads, rows, ".2f")


def prepared(rings, side, **options):
    """A function that runs the rings on numbers that are ready."""
    program = rings(side, **options)
    grid = np.meshgrid(*[np.linspace(-1, 1, side)] * 2)
    return lambda: program(*grid)


def sines_and_exponentials(side):
    """A function that computes the sines and exponentials of the rings and nothing else, tile by
    tile, from numbers that are ready."""
    r2 = sum(at * at for at in np.meshgrid(*[np.linspace(-1, 1, side)] * 2)).ravel()
    angles, powers, room = 3 * r2, 40 * r2, np.empty(min(TILE, r2.size))
    tiles = [slice(at, at + TILE) for at in range(0, r2.size, TILE)]

    def run():
        for tile in tiles:
            np.sin(angles[tile], room[: len(angles[tile])])
            np.exp(powers[tile], room[: len(powers[tile])])

    return run


def paid_after(saved, program):
    """After how many runs the time of the passes is saved, if each saves so many seconds; a dash
    where no run saves any."""
    steps = mg.measure.compiling(program)
    passes = sum(seconds for step, seconds in steps.items() if step not in STEPS_OF_ANY)
    return f"{int(np.ceil(passes / saved)):,}" if saved > 0 else "–"


# exit --------------------------------------------------------------------------------------------


def judge_exit(value, words):
    """The hint for a wrong pair (operations left, witness); None where it is right."""
    try:
        left, number = value
        left, number = int(left), float(number)
    except (TypeError, ValueError):
        return words["form"]
    if left != 3:
        return words.get(f"left_{left}", words["otherwise"])
    with np.errstate(all="ignore"):
        x = np.array([number])
        if reference_same_bits(np.sqrt(x * x), abs(x)):
            return words["no_witness"].format(number=number)
    return None


# pictures ----------------------------------------------------------------------------------------


def show_images(**images):
    """Show images side by side, each under its name, from dark (-1) to light (1); NaN is orange."""
    from minigrad.draw.plot.axes import pyplot

    plt = pyplot()
    grey = plt.colormaps["gray"].with_extremes(bad="#B0430A")
    size = (2.56 * len(images), 2.8)
    frames = plt.subplots(1, len(images), figsize=size, squeeze=False)[1][0]
    for axes, (name, image) in zip(frames, images.items()):
        axes.imshow(image, cmap=grey, interpolation="nearest", vmin=-1, vmax=1)
        axes.axis("off")
        axes.set_title(name.replace("_", " "))


lesson = Lesson("08", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
