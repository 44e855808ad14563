"""What students answer in lesson 07b, wrong and right; test_lab_banks.py tells the form."""

CONFLICTS = """
pairs = set()
for j, (later_reads, later_writes) in enumerate(program):
    for i, (reads, writes) in enumerate(program[:j]):
        if writes & later_reads or reads & later_writes or writes & later_writes:
            pairs.add((i, j))
return pairs
"""
LAST_WRITER = """
last, readers, pairs = {}, {}, set()
for j, (reads, writes) in enumerate(program):
    pairs |= {(last[name], j) for name in reads | writes if name in last}
    pairs |= {(i, j) for name in writes for i in readers.get(name, ())}
    for name in reads:
        readers.setdefault(name, []).append(j)
    for name in writes:
        last[name] = j
return pairs
"""
THROUGH_OTHERS = """
pairs = set()
for j, (later_reads, later_writes) in enumerate(program):
    for i in reversed(range(j)):
        reads, writes = program[i]
        if writes & later_reads or reads & later_writes or writes & later_writes:
            pairs |= {(i, j)} | {(h, j) for h, middle in pairs if middle == i}
return pairs
"""
MOMENTUM = """
new_v = mg.assign(v, 0.9 * v + gradient)
new_w = mg.assign(w, w - 0.004 * v)
return mg.group(new_v, new_w)
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


TEST = "writes & later_reads or reads & later_writes or writes & later_writes"

SIGNATURES = {"conflicts": "program", "momentum_step": "w, v, gradient"}
WRONG_FUNCTIONS = {
    "conflicts": [
        ("    ...", "Compare every statement"),
        (changed(CONFLICTS, TEST, "writes & later_reads"), "raw_only"),
        (changed(CONFLICTS, TEST, "reads & later_writes"), "In each pair"),
        (changed(CONFLICTS, " or writes & later_writes", ""), "without_waw"),
        (changed(CONFLICTS, TEST, "writes & (later_reads | later_writes)"), "raw_and_waw"),
        (changed(CONFLICTS, TEST, "(reads | writes) & (later_reads | later_writes)"), "with_reads"),
        (changed(CONFLICTS, "add((i, j))", "add((j, i))"), "In each pair"),
        (changed(CONFLICTS, "pairs.add((i, j))", "pairs |= {(i, j), (j, i)}"), "In each pair"),
        (changed(CONFLICTS, "program[:j]", "program[: j + 1]"), "In each pair"),
        (changed(CONFLICTS, TEST, f"i == j - 1 and ({TEST})"), "In each pair"),
        (
            changed(CONFLICTS, "(reads, writes)", "(writes, reads)").replace(
                "(later_reads, later_writes)", "(later_writes, later_reads)"
            ),
            "exchanged_sets",
        ),
        (LAST_WRITER, "last_writer"),
        (THROUGH_OTHERS, "In each pair"),
        (
            changed(CONFLICTS, "        if", "        later_reads |= later_writes\n        if"),
            "changes_reads",
        ),
        (changed(CONFLICTS, "pairs = set()", "pairs = set(); program.pop()"), "In each pair"),
        (changed(CONFLICTS, TEST, "True"), "In each pair"),
        (changed(CONFLICTS, TEST, "False"), "In each pair"),
        (changed(CONFLICTS, TEST, "later_writes"), "In each pair"),
        (changed(CONFLICTS, "writes & later_reads", "writes + later_reads"), "`reads` and"),
        (changed(CONFLICTS, "program[:j]", "program[j]"), "Each statement is a pair"),
        (
            changed(CONFLICTS, "(reads, writes)", "(reads, writes, more)"),
            "Each statement is a pair",
        ),
        ("    return program[0] & program[len(program)]", "The numbers of the statements"),
        (changed(CONFLICTS, "return pairs", "pairs"), "Does it end with return"),
    ],
    "momentum_step": [
        ("    ...", "Build two assignments"),
        (
            """
            new_w = mg.assign(w, w - 0.004 * v)
            new_v = mg.assign(v, 0.9 * v + gradient)
            return mg.group(new_v, new_w)
            """,
            "late_velocity",
        ),
        (changed(MOMENTUM, "group(new_v, new_w)", "group(new_v)"), "velocity_alone"),
        (
            """
            new_w = mg.assign(w, w - 0.004 * v)
            return mg.group(new_w)
            """,
            "weight_alone",
        ),
        (
            """
            moved = w - 0.004 * v
            new_v = mg.assign(v, 0.9 * v + gradient)
            return mg.group(new_v, mg.assign(w, moved))
            """,
            "late_velocity",
        ),
        (changed(MOMENTUM, "return mg.group(new_v, new_w)", "return new_w"), "weight_alone"),
        (changed(MOMENTUM, "w - 0.004 * v", "w"), "velocity_alone"),
        (
            """
            v = 0.9 * v + gradient
            w = w - 0.004 * v
            return mg.group(v, w)
            """,
            "nothing_written",
        ),
        (changed(MOMENTUM, "0.9 * v + gradient", "gradient"), "plain_descent"),
        (changed(MOMENTUM, "w - 0.004", "w + 0.004"), "uphill_velocity"),
        (changed(MOMENTUM, "0.004 * v", "0.004 * (0.9 * v + gradient)"), "velocity_twice"),
        (changed(MOMENTUM, "0.9 * v + gradient", "0.9 * v - gradient"), "One step is v"),
        (
            changed(MOMENTUM, "return mg.group(new_v, new_w)", "return new_v, new_w"),
            "Return a node",
        ),
        (changed(MOMENTUM, "return mg.group", "mg.group"), "Does it end with return"),
        (changed(MOMENTUM, "0.004", "0.04"), "One step is v"),
    ],
}
RIGHT_FUNCTIONS = {
    "conflicts": [
        CONFLICTS,
        """
        found = []
        for i in range(len(program)):
            for j in range(i + 1, len(program)):
                r1, w1 = program[i]
                r2, w2 = program[j]
                if not (w1.isdisjoint(r2 | w2) and r1.isdisjoint(w2)):
                    found.append([i, j])
        return found
        """,
        """
        from itertools import combinations
        return {(i, j) for (i, a), (j, b) in combinations(enumerate(program), 2)
                if any(name in a[1] or name in a[0] for name in b[1]) or a[1] & b[0]}
        """,
    ],
    "momentum_step": [
        MOMENTUM,
        """
        velocity = 0.9 * v + gradient
        return mg.group(mg.assign_sub(w, 0.004 * velocity), mg.assign(v, velocity))
        """,
        """
        new_v = mg.assign(v, 0.9 * v + gradient)
        with mg.control_dependencies([new_v]):
            return mg.assign_sub(w, 0.004 * v)
        """,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with one number"),
        (25, "e was built after"),
        (5, "d was built before"),
        (17, "The reads are exchanged"),
        (1, "d, s and e were built"),
    ],
}
RIGHT_VALUES = {"exit": [13, 13.0, "13"]}
PREDICTIONS = {
    "second": ([..., 4.88, "no"], 4.94),
    "swap": ([..., "1 and 2", 3], "2 and 2"),
    "moving": ([..., 1, "three"], 0),
}
