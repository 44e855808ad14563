"""What students answer in lesson 08, wrong and right; test_lab_banks.py tells the form."""

import numpy as np

SAME = """
equal = (a == b) & (np.signbit(a) == np.signbit(b))
return bool(np.all(equal | np.isnan(a) & np.isnan(b)))
"""
CSE = """
lines, places, seen = [], [], {}
for op, *inputs in program:
    line = (op, *[places[i] for i in inputs])
    if line not in seen:
        seen[line] = len(lines)
        lines.append(line)
    places.append(seen[line])
return lines, places
"""
KEY = """
if op in ("add", "mul"):
    places = sorted(places)
return (op, *places)
"""
ADD = "np.add(out[tile], 1, out[tile])"
KERNEL = """
for at in range(0, len(a), size):
    tile = slice(at, at + size)
    np.multiply(a[tile], b[tile], out[tile])
    np.add(out[tile], 1, out[tile])
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


SIGNATURES = {
    "same_bits": "a, b",
    "cse": "program",
    "key_of": "op, places",
    "multiply_add": "a, b, out, size",
}
WRONG_FUNCTIONS = {
    "same_bits": [
        ("    ...", "Write the two conditions"),
        ("return (a == b) & (np.signbit(a) == np.signbit(b))", "One truth value is"),
        (
            "return (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)",
            "One truth value is",
        ),
        ("return np.all(a == b)", "equal_entries"),
        ("return np.array_equal(a, b)", "equal_entries"),
        ("return np.array_equal(a, b, equal_nan=True)", "zeros_alike"),
        ("return np.all((a == b) | (a != a) & (b != b))", "zeros_alike"),
        ("return np.all((a == b) & (np.signbit(a) == np.signbit(b)))", "nan_left_out"),
        (
            changed(SAME, "np.isnan(a) & np.isnan(b)", "(np.isnan(a) == np.isnan(b))"),
            "nan_tested_alike",
        ),
        (
            """
            a, b = np.nan_to_num(a), np.nan_to_num(b)
            return np.all((a == b) & (np.signbit(a) == np.signbit(b)))
            """,
            "Take one pair",
        ),
        ("return a.tobytes() == b.tobytes()", "raw_bytes"),
        (
            """
            return np.array_equal(a, b, equal_nan=True) and np.array_equal(
                np.signbit(a), np.signbit(b))
            """,
            "raw_bytes",
        ),
        ("return np.allclose(a, b, equal_nan=True)", "nearly_equal"),
        (changed(SAME, "np.all(", "np.any("), "Take one pair"),
        ("return np.all(np.signbit(a) == np.signbit(b))", "Take one pair"),
        (changed(SAME, " & np.isnan(b)", ""), "Take one pair"),
        ("return str(a) == str(b)", "Take one pair"),
        ("return True", "Take one pair"),
        (
            """
            for x, y in zip(a, b):
                if np.isnan(x) != np.isnan(y):
                    return False
                if not np.isnan(x) and (x != y or np.signbit(x) != np.signbit(y)):
                    return False
            return True
            """,
            "One truth value is",
        ),
        (changed(SAME, "(a == b) & (", "a == b and ("), "One truth value is"),
        (
            """
            if a.ndim > 1:
                a, b = a.ravel(), b.ravel()
            return all(str(float(x)) == str(float(y)) for x, y in zip(a, b))
            """,
            "An array without dimensions",
        ),
        (
            """
            if a.ndim > 1:
                return same_bits(a[0], b[0])
            return all(str(float(x)) == str(float(y)) for x, y in zip(a, b))
            """,
            "An array without dimensions",
        ),
        ("return a == b & np.isnan(a) & np.isnan(b)", "An array without dimensions"),
        (
            """
            for i in range(a.size):
                if str(a.flat[i]) != str(b[i]):
                    return False
            return True
            """,
            "Some arrays have no dimension",
        ),
        ("return a[0] == b[0]", "One truth value is"),
        (changed(SAME, "return ", ""), "Does it end with return"),
    ],
    "cse": [
        ("    ...", "For each line, look up"),
        (
            """
            lines, places, seen = [], [], {}
            for op, *inputs in program:
                key = (op, *inputs)
                if key not in seen:
                    seen[key] = len(lines)
                    lines.append((op, *[places[i] for i in inputs]))
                places.append(seen[key])
            return lines, places
            """,
            "old_places",
        ),
        (changed(CSE, "lines.append(line)", "lines.append((op, *inputs))"), "stale_lines"),
        (changed(CSE, "*[places[i] for i in inputs]", "*inputs"), "untouched_lines"),
        (changed(CSE, "places.append(seen[line])", "places.append(len(lines) - 1)"), "last_place"),
        (
            """
            lines, places, seen = [], [], {}
            for op, *inputs in program:
                line = (op, *[places[i] for i in inputs])
                key = (op, *sorted(line[1:]))
                if key not in seen:
                    seen[key] = len(lines)
                    lines.append(line)
                places.append(seen[key])
            return lines, places
            """,
            "any_order",
        ),
        (
            """
            lines, places = [], []
            for op, *inputs in program:
                line = (op, *sorted(places[i] for i in inputs))
                if line not in lines:
                    lines.append(line)
                places.append(lines.index(line))
            return lines, places
            """,
            "any_order_written",
        ),
        ("return program, list(range(len(program)))", "nothing_merged"),
        (changed(CSE, "return lines, places", "return lines"), "Return two lists"),
        (changed(CSE, "return lines, places", "return places, lines"), "Return two lists"),
        (
            changed(
                CSE, "(op, *[places[i] for i in inputs])", "[op, *[places[i] for i in inputs]]"
            ),
            "Return two lists",
        ),
        (
            """
            lines, places = [], []
            for op, *inputs in program:
                line = (op, *[places[i] for i in inputs])
                if line not in lines:
                    lines.append(line)
                    places.append(len(lines) - 1)
            return lines, places
            """,
            "`places` needs one entry",
        ),
        (
            """
            lines, places = [], []
            for op, *inputs in program:
                line = (op, *[places[i] for i in inputs])
                if (op, *inputs) not in program[: len(places)]:
                    lines.append(line)
                places.append(lines.index(line))
            return lines, places
            """,
            "Take this program line by line",
        ),
        (changed(CSE, "for op, *inputs", "for op, inputs"), "A line has any number"),
        (
            changed(CSE, "places.append(seen[line])", "places.append(seen[(op, *inputs)])"),
            "This key was never stored",
        ),
        (changed(CSE, "return lines, places", "lines, places"), "Does it end with return"),
    ],
    "key_of": [
        ("    ...", "Return a tuple of"),
        ("return (op, *places)", "in_order"),
        ("return op, tuple(places)", "in_order"),
        ("return (op, *sorted(places))", "sorted_always"),
        ("return op, frozenset(places)", "sorted_always"),
        ("return op, min(places[0], places[1]), max(places[0], places[1])", "An `exp` or `sin`"),
        (changed(KEY, 'in ("add", "mul")', '== "add"'), "add_alone"),
        (changed(KEY, "(op, *places)", "tuple(places)"), "operation_left_out"),
        (changed(KEY, "places = sorted(places)", "places.sort()"), "sorts_places"),
        (
            'if op in ("sub", "div") and places[0] == places[1]:\n    return (op,)' + KEY,
            "equal_operands",
        ),
        ('if op == "div" and places[0] == places[1]:\n    return (op,)' + KEY, "Put in numbers"),
        (
            'return (op, *set(places)) if op in ("add", "mul") else (op, *places)',
            "set_of_places",
        ),
        (changed(KEY, "sorted(places)", "set(places)"), "set_of_places"),
        (changed(KEY, '"mul")', '"mul", "pow")'), "Put in numbers"),
        (changed(KEY, '"mul")', '"mul", "sub")'), "Put in numbers"),
        (changed(KEY, '("add", "mul")', '("sub", "div", "pow")'), "Put in numbers"),
        (changed(KEY, "sorted(places)", "[sum(places)]"), "Put in numbers"),
        (changed(KEY, "(op, *places)", 'op + "".join(map(str, places))'), "Put in numbers"),
        (changed(KEY, "(op, *places)", "[op, *places]"), "A dictionary does not take"),
        (changed(KEY, "places = sorted(places)", "places = places.sort()"), "A dictionary does"),
        (changed(KEY, "sorted(places)", "places.sorted()"), "`places` is a list"),
        (changed(KEY, "return ", ""), "Does it end with return"),
    ],
    "multiply_add": [
        ("    ...", "Write a loop"),
        ("out[:] = a * b + 1", "whole_arrays"),
        ("np.multiply(a, b, out)\nnp.add(out, 1, out)", "whole_arrays"),
        ("for i in range(len(a)):\n    out[i] = a[i] * b[i] + 1", "entry_by_entry"),
        (
            """
            for i in range(len(a)):
                np.multiply(a[i : i + 1], b[i : i + 1], out[i : i + 1])
                np.add(out[i : i + 1], 1, out[i : i + 1])
            """,
            "entry_by_entry",
        ),
        (changed(KERNEL, "range(0, len(a), size)", "range(0, len(a))"), "step_of_one"),
        (
            """
            for at in range(0, len(a), size):
                np.multiply(a[at : at + size], b[at : at + size], out[at : at + size])
            for at in range(0, len(a), size):
                np.add(out[at : at + size], 1, out[at : at + size])
            """,
            "not_fused",
        ),
        (
            """
            room = np.empty(len(a))
            for at in range(0, len(a), size):
                np.multiply(a[at : at + size], b[at : at + size], room[at : at + size])
            for at in range(0, len(a), size):
                np.add(room[at : at + size], 1, out[at : at + size])
            """,
            "not_fused",
        ),
        (
            """
            for at in range(0, len(a), size):
                t = slice(at, at + size)
                a[t] *= b[t]
                a[t] += 1
                out[t] = a[t]
            """,
            "spoils_operands",
        ),
        (
            """
            for at in range(0, len(a), size):
                t = slice(at, at + size)
                b[t] *= a[t]
                np.add(b[t], 1, out[t])
            """,
            "spoils_operands",
        ),
        (
            """
            half = size // 2 or 1
            for at in range(0, len(a), half):
                np.multiply(a[at : at + half], b[at : at + half], out[at : at + half])
                np.add(out[at : at + half], 1, out[at : at + half])
            """,
            "Is 1 added",
        ),
        (changed(KERNEL, "    np.add(out[tile], 1, out[tile])\n", ""), "Is 1 added"),
        (changed(KERNEL, "range(0, len(a), size)", "range(0, size, size)"), "Is 1 added"),
        (
            changed(KERNEL, "range(0, len(a), size)", "range(0, len(a) - size + 1, size)"),
            "without_the_rest",
        ),
        (
            changed(KERNEL, "range(0, len(a), size)", "range(0, len(a) // size)"),
            "Is 1 added",
        ),
        ("out = a * b + 1", "nothing_written"),
        (
            """
            for at in range(0, len(a), size):
                tile = a[at : at + size] * b[at : at + size] + 1
            """,
            "nothing_written",
        ),
        (changed(KERNEL, ADD, "np.add(out, 1, out)"), "Is 1 added"),
        (changed(KERNEL, ADD, "np.add(out[tile], 1)"), "Is 1 added"),
        (changed(KERNEL, "b[tile], out", "b[:size], out"), "Two parts have different lengths"),
        (changed(KERNEL, ADD, "np.add(out[tile])"), "np.multiply and"),
        (changed(KERNEL, "range(0, len(a), size)", "range(len(a), size)"), "Is 1 added"),
        (
            """
            for at in range(0, len(a), size):
                tile = slice(at, at + size)
                np.multiply(a, b, out)
                np.add(out[tile], 1, out[tile])
            """,
            "Is 1 added",
        ),
    ],
}
RIGHT_FUNCTIONS = {
    "same_bits": [
        SAME,
        "return str(a.tolist()) == str(b.tolist())",
        """
        nan = np.isnan(a)
        kept = ~nan
        return np.array_equal(nan, np.isnan(b)) and a[kept].tobytes() == b[kept].tobytes()
        """,
        """
        for x, y in zip(a.ravel(), b.ravel()):
            if np.isnan(x) or np.isnan(y):
                if not (np.isnan(x) and np.isnan(y)):
                    return False
            elif x != y or np.signbit(x) != np.signbit(y):
                return False
        return True
        """,
        """
        same_number = (a == b) & (np.copysign(1, a) == np.copysign(1, b))
        return (same_number | (a != a) & (b != b)).all()
        """,
    ],
    "cse": [
        CSE,
        """
        lines, places = [], []
        for line in program:
            new = [line[0]] + [places[i] for i in line[1:]]
            if new not in lines:
                lines.append(new)
            places.append(lines.index(new))
        return [lines, places]
        """,
        """
        new = {}
        where = []
        for op, *inputs in program:
            key = op, *(where[i] for i in inputs)
            where.append(new.setdefault(key, len(new)))
        return list(new), where
        """,
        """
        lines, places = [], []
        while program:
            op, *inputs = program.pop(0)
            inputs = [places[i] for i in inputs]
            line = (op, *(sorted(inputs) if op in ("add", "mul") else inputs))
            if line not in lines:
                lines.append(line)
            places.append(lines.index(line))
        return lines, places
        """,
    ],
    "key_of": [
        KEY,
        """
        commutative = {"add", "mul"}
        return op, tuple(sorted(places)) if op in commutative else tuple(places)
        """,
        """
        if op == "add" or op == "mul":
            return op, frozenset(places)
        return op, *places
        """,
        """
        words = sorted(map(str, places)) if op in ["mul", "add"] else map(str, places)
        return " ".join([op, *words])
        """,
    ],
    "multiply_add": [
        KERNEL,
        """
        at = 0
        while at < len(a):
            end = min(at + size, len(a))
            out[at:end] = a[at:end] * b[at:end] + 1
            at = end
        return out
        """,
        """
        room = np.empty(size)
        for at in range(0, len(out), size):
            p, q, r = a[at:][:size], b[at:][:size], out[at:][:size]
            tile = room[: len(p)]
            np.multiply(p, q, tile)
            r[:] = np.add(tile, 1, tile)
        """,
        """
        for at in reversed(range(0, len(a), size)):
            tile = out[at : at + size]
            tile[:] = a[at : at + size]
            tile *= b[at : at + size]
            tile += 1
        """,
        """
        ends = range(size, len(a), size)
        for p, q, r in zip(np.split(a, ends), np.split(b, ends), np.split(out, ends)):
            np.add(p * q, 1, out=r)
        """,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with two numbers"),
        (3, "Write two numbers in brackets"),
        ((3, "inf * 0"), "Write two numbers in brackets"),
        ((7, 1e200), "7 are written"),
        ((6, 1e200), "Which operations does an equation"),
        ((5, 1e200), "5 are left after"),
        ((4, 1e200), "4 are left if relu(relu(t))"),
        ((2, 1e200), "2 would be left"),
        ((3, -2.0), "3 operations are right. But for x = -2"),
        ((3, np.inf), "3 operations are right. But for x = inf"),
        ((3, np.nan), "3 operations are right. But for x = nan"),
        ((3, -0.0), "3 operations are right. But for x = -0"),
        ((3, 1e150), "3 operations are right. But for x = 1e+150"),
    ],
}
RIGHT_VALUES = {"exit": [(3, 1e200), [3, -1e300], (3, 1e-200), ("3", "5e-324"), (3.0, 2**600)]}
PREDICTIONS = {
    "fog": ([..., "no"], "nan"),
    "guard": ([..., 2, "2, -1, nan"], "2, nan, inf"),
    "product": ([..., 3, "nine"], 9),
}
