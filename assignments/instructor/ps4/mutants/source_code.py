"""Loses q5: a Python function is written and run, with constants as their repr: inf and nan are
names that nobody knows."""

# %% q5
SIGNS = {"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "neg": "-{}"}


def compiled(fetches, inputs):
    """A function of the inputs' numbers that returns the list of the fetches' numbers."""
    names = {}
    for node in inputs:
        names[node] = f"v{len(names)}"
    lines, waiting = [f"def f({', '.join(names.values())}):"], list(fetches)
    while waiting:
        node = waiting[-1]
        lacking = [x for x in node.inputs if x not in names] if node not in names else []
        if lacking:
            waiting.extend(lacking)
            continue
        waiting.pop()
        if node in names:
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        if node.op == "constant":
            names[node] = f"({node.value!r})"
            continue
        operands = [names[x] for x in node.inputs]
        text = SIGNS.get(node.op, f"math.{node.op}({{}})").format(*operands)
        names[node] = f"v{len(names)}"
        lines.append(f"    {names[node]} = {text}")
    lines.append(f"    return [{', '.join(names[node] for node in fetches)}]")
    space = {"math": math}
    exec("\n".join(lines), space)
    return space["f"]
