"""What students answer in lesson 14, wrong and right; test_lab_banks.py tells the form."""

import minigrad as mg

with mg.Graph("painter"):
    NAMES = {"net": mg.nn.Linear(2, 1)}  # of the notebook

SAVE = """
part = name + ".part"
disk.write(part, text)
disk.sync(part)
disk.rename(part, name)
"""
EVALUATE = """
values = list(values)
for op, *inputs in records:
    if op not in known or any(i not in range(len(values)) for i in inputs):
        raise ValueError(op)
    function, count = known[op]
    if len(inputs) != count:
        raise ValueError(op)
    values.append(function(*[values[i] for i in inputs]))
return values[-1]
"""
KEEP_SOME = """
wanted = [v for v in session.graph.variables if {}]
return session.state(wanted)
"""


def changed(body, *pairs):
    """A right body with parts of it replaced, each of which stands there once."""
    for old, new in zip(pairs[::2], pairs[1::2]):
        assert body.count(old) == 1
        body = body.replace(old, new)
    return body


PLACES = " or any(i not in range(len(values)) for i in inputs)"
LAZY = """
n0 = len(values)
def go(i):
    if i < n0:
        return values[i]
    op, *ins = records[i - n0]
    if op not in known or known[op][1] != len(ins) or any(j not in range(i) for j in ins):
        raise ValueError(op)
    return known[op][0](*[go(j) for j in ins])
return go(n0 + len(records) - 1)
"""
ASSERTING = """
values = list(values)  # check(evaluate) comes next
for op, *inputs in records:
    assert op in known
    assert len(inputs) == known[op][1] and all(0 <= i < len(values) for i in inputs)
    values.append(known[op][0](*[values[i] for i in inputs]))
return values[-1]
"""
COUNT = "    if len(inputs) != count:\n        raise ValueError(op)\n"

SIGNATURES = {
    "keep": "session",
    "save_whole": "disk, name, text",
    "evaluate": "records, values, known",
}
WRONG_FUNCTIONS = {
    "keep": [
        ("    ...", "session.state() returns"),
        (KEEP_SOME.format("v.trainable"), "without_moments"),
        (KEEP_SOME.format("not v.trainable"), "without_parameters"),
        ("return session.state()[0], 0", "without_runs"),
        ("return session.state(session.graph.variables[:1])[0], 0", "parameters_alone"),
        ("return {}, session.runs", "runs_alone"),
        ("return session.state()[0]", "Return a pair"),
        ("return session", "Return a pair"),
        ("return session.runs", "Return a pair"),
        ("return session.state_dict()", "A session has session.state()"),
        ("return session.state()[0], session.runs + 1", "Return a pair, a dictionary"),
        ("session.state()", "Does it end with return"),
        ("return session.state()[::-1]", "Return a pair"),
        ("return session.state(net.parameters())", "net belongs to another graph"),
        ("return session.state(net.parameters())[0], session.runs", "net belongs to another graph"),
        ("return session.state(), session.runs", "Return a pair: the dictionary"),
        ("return session.state()[0], session", "Return a pair: the dictionary"),
        (
            "return {v.name: session.run(v) for v in session.graph.variables}, session.runs",
            "Return a pair: the dictionary",
        ),
    ],
    "save_whole": [
        ("    ...", "Don't write into the file"),
        ("disk.write(name, text)", "overwrite"),
        ("disk.write(name, text)\ndisk.sync(name)", "overwrite"),
        (changed(SAVE, "disk.sync(part)\n", ""), "rename_unsynced"),
        (
            changed(
                SAVE,
                "disk.sync(part)\n",
                "",
                "rename(part, name)\n",
                "rename(part, name)\ndisk.sync(name)\n",
            ),
            "rename_unsynced",
        ),
        (
            changed(
                SAVE,
                "disk.write(part, text)",
                "disk.rename(name, 'before')\ndisk.write(part, text)",
            ),
            "move_away",
        ),
        (changed(SAVE, "disk.rename(part, name)\n", ""), "never_renamed"),
        (changed(SAVE, "rename(part, name)", "rename(name, part)"), "swapped"),
        (changed(SAVE, "disk.write(part, text)\n", ""), "rename takes the name"),
        (changed(SAVE, "sync(part)", "sync()"), "The calls are"),
        (changed(SAVE, "sync", "fsync"), "A disk has three"),
        (
            changed(SAVE, "disk.rename(part, name)", "disk.write(name, text)\ndisk.sync(name)"),
            "overwrite",
        ),
        (changed(SAVE, "disk.sync(part)", "disk.sync(name)"), "rename_unsynced"),
        (changed(SAVE, "rename(part, name)", "rename(part, 'net')"), "Go through your calls"),
        (changed(SAVE, "rename(part, name)", "rename(name, 'part')"), "swapped"),
        (
            changed(SAVE, "disk.rename(part", "disk.rename(name, 'old')\ndisk.rename(part"),
            "move_away",
        ),
        ("disk.rename(name, 'old')\ndisk.write(name, text)\ndisk.sync(name)", "backup_first"),
        (
            "disk.write('old', disk.left[-1][name])\ndisk.sync('old')\ndisk.write(name, text)",
            "overwrite",
        ),
        ("import os; os.replace('part', name)", "Call the methods of"),
        (changed(SAVE, "write(part, text)", "write(part, text.upper())"), "Go through your calls"),
    ],
    "evaluate": [
        ("    ...", "Go through the records"),
        (
            """
            values = list(values)
            for op, *inputs in records:
                if op not in known or len(inputs) != known[op][1]:
                    return None
                if any(not 0 <= i < len(values) for i in inputs):
                    return None
                values.append(known[op][0](*[values[i] for i in inputs]))
            return values[-1]
            """,
            "An honest file",
        ),
        (
            """
            values = list(values)
            for op, *inputs in records:
                if op not in known or len(inputs) != known[op][1]:
                    continue
                if any(not 0 <= i < len(values) for i in inputs):
                    continue
                values.append(known[op][0](*[values[i] for i in inputs]))
            return values[-1]
            """,
            "An honest file",
        ),
        (LAZY, "only_used"),
        (
            changed(
                EVALUATE,
                "values = list(values)",
                "found = list(values)",
                "range(len(values))",
                "range(len(found))",
                "values.append(",
                "found.append(",
                "return values",
                "return found",
            ),
            "This input is not an earlier",
        ),
        (changed(LAZY, "j not in range(i)", "not 0 <= j < i"), "only_used"),
        (ASSERTING, "Raise ValueError instead"),
        (
            changed(EVALUATE, "i not in", "int(i) not in", "values[i]", "values[int(i)]"),
            "rounding",
        ),
        (
            changed(
                EVALUATE,
                "op not in known or ",
                "",
                "known[op]\n",
                "known.get(op) or (getattr(np, op.lower(), None), len(inputs))\n",
            ),
            "A record may have more",
        ),
        (
            changed(
                EVALUATE,
                "op not in known or ",
                "not (op in known or hasattr(np, op.lower())) or ",
                "known[op]\n",
                "known.get(op) or (getattr(np, op.lower()), 1)\n",
            ),
            "any_of_numpy",
        ),
        (changed(EVALUATE, "op not in known or ", ""), "This op is not in `known`"),
        (changed(EVALUATE, PLACES, ""), "This input is not an earlier"),
        (changed(EVALUATE, PLACES, " or any(i >= len(values) for i in inputs)"), "from_the_end"),
        (
            changed(EVALUATE, PLACES, " or any(i > len(values) for i in inputs)"),
            "This input is not",
        ),
        (
            changed(EVALUATE, PLACES, " or -1 in inputs or max(inputs) >= len(values)"),
            "An honest file",
        ),
        (changed(EVALUATE, COUNT, ""), "A record may have more"),
        (changed(EVALUATE, "!= count", "> count"), "A record may have more"),
        (changed(EVALUATE, "values = list(values)\n", ""), "changes_values"),
        (
            changed(
                EVALUATE,
                "        raise ValueError(op)\n    function",
                "        continue\n    function",
                COUNT,
                COUNT.replace("raise ValueError(op)", "continue"),
            ),
            "skipping",
        ),
        ("raise ValueError('no')", "refuse_all"),
        (changed(EVALUATE, "range(len(values))", "range(1, len(values))"), "refuse_all"),
        (
            changed(
                EVALUATE,
                "function, count = known[op]",
                "function, count = getattr(np, op.lower()), known[op][1]",
                "op not in known or ",
                "op.lower() not in dir(np) or ",
            ),
            "This op is not in",
        ),
        (EVALUATE.replace("raise", "return"), "An honest file"),
        (EVALUATE.replace("raise ValueError(op)", "return ValueError"), "An honest file"),
        (
            "assert all(op in known for op, *inputs in records); return values[0]",
            "Raise ValueError instead",
        ),
        (changed(EVALUATE, "return values[-1]", "return values"), "An honest file"),
        (changed(EVALUATE, "values.append(", "values.insert(0, "), "An honest file"),
        (changed(EVALUATE, "values.append(function", "(function"), "An honest file"),
        (changed(EVALUATE, "return values[-1]", "values[-1]"), "Does it end with return"),
    ],
}
RIGHT_FUNCTIONS = {
    "keep": [
        "return session.state()",
        "return dict(session.state()[0]), session.runs",
        "values, runs = session.state(session.graph.variables)\nreturn [values, runs]",
    ],
    "save_whole": [
        SAVE,
        "disk.write('new', text); disk.sync('new'); disk.rename('new', name); disk.sync(name)",
        """
        for call, *given in (disk.write, "~", text), (disk.sync, "~"), (disk.rename, "~", name):
            call(*given)
        """,
    ],
    "evaluate": [
        EVALUATE,
        changed(EVALUATE, PLACES, " or any(not 0 <= i < len(values) for i in inputs)"),
        """
        values = list(values)
        for op, *inputs in records:
            if type(op) is not str or op not in known or len(inputs) != known[op][1]:
                raise ValueError(f"{op} of {inputs} is not accepted")
            if not all(type(i) is int and 0 <= i < len(values) for i in inputs):
                raise ValueError(f"{inputs} are not all numbers of earlier values")
            values.append(known[op][0](*[values[i] for i in inputs]))
        return values[-1]
        """,
        """
        found = {n: value for n, value in enumerate(values)}
        for op, *inputs in records:
            try:
                function, count = known[op]
                operands = [found[i] for i in inputs]
            except KeyError:
                raise ValueError("refused") from None
            if count != len(operands):
                raise ValueError("refused")
            found[len(found)] = function(*operands)
        return found[len(found) - 1]
        """,
        """
        for n, (op, *inputs) in enumerate(records, len(values)):
            if op not in known or known[op][1] != len(inputs) or not set(inputs) <= set(range(n)):
                raise ValueError
        out = values[:]
        for op, *inputs in records:
            out = out + [known[op][0](*map(out.__getitem__, inputs))]
        return out[-1]
        """,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with one number"),
        (1000, "Those are the weights. A step"),
        (3000, "Those are the weights and"),
        (3001, "The random generator"),
        (3004, "Adam's number of steps"),
        (4005, "The gradients are computed"),
        (4004, "The gradients are computed again in each step. And"),
        (2005, "Adam keeps two moments"),
        (1004, "Count all that a step"),
    ],
}
RIGHT_VALUES = {"exit": [3005, 3005.0, "3005"]}
PREDICTIONS = {
    "forgot": ([..., "gradients", 3], "moments"),
    "killed": ([..., 199, "half"], 200),
    "burglar": ([..., "load", 2], "loads"),
    "forged": ([..., 2, "none"], 1),
}
