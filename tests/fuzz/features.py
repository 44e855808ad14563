"""Counts which pairs of features met in the programs that were run."""

from collections import Counter
from itertools import combinations

from fuzz import settings
from fuzz.program import all_steps, tags, used

EDGES = (
    "smooth",
    "kink",
    "binary",
    "where",
    "reshape",
    "turn",
    "slice",
    "pick",
    "gather",
    "join",
    "reduce",
    "extreme",
    "logsumexp",
    "softmax",
    "matmul",
    "einsum",
    "cond",
    "while",
    "scan",
)
DATA = (
    "fed",
    "variable",
    "constant",
    "array",
    "F",
    "reversed",
    "strided",
    "special",
    "empty",
    "0-d",
    "float32",
    "float16",
    "int64",
    "uint8",
    "int8",
    "bool",
)
MODES = (
    "reverse",
    "forward",
    "forward over reverse",
    "reverse over reverse",
    "reverse over forward",
    "forward over forward",
    "checkpoints",
)


def pairs(program):
    """Pairs: "a → b" where b reads a's result, "a + b" where both are in one program."""
    found = {f"{a} → {b}" for a, b in edges(program.steps, {})}
    together = sorted(tags(program) | ({"assign twice"} if len(program.assigns()) > 1 else set()))
    found |= {f"{a} + {b}" for a, b in combinations(together, 2)}
    return found | settings.pairs(program)


def edges(steps, tag_of):
    """(tag of a step, tag of a step that reads it), those within bodies included."""
    for step in steps:
        for tag in step.tags:
            tag_of[step.id] = tag
            yield from ((tag_of[i], tag) for i in used(step) if i in tag_of)
        for body in step.bodies:
            yield from edges(body.steps, tag_of)
            inner = {t for s in all_steps(body.steps) for t in s.tags}
            yield from ((t, f"in {tag}") for t in inner for tag in step.tags)


def listed():
    """The pairs that a run of the usual length must meet."""
    found = [f"{a} → {b}" for a in EDGES for b in EDGES]
    ways = ("session", "dynamic", "function", "lazy")
    found += [plus(a, b) for a in EDGES for b in (*MODES[:6], *DATA[:4], *ways)]
    found += [plus(a, b) for a in DATA[:10] for b in ways]
    return found


def plus(a, b):
    """The name of two features in one program."""
    return " + ".join(sorted((a, b)))


def table(counts):
    """A table of how often each of EDGES was read by each, and what of the listed is missing."""
    width = max(map(len, EDGES))
    lines = [
        "how often a step (row) was read by another (column):",
        " " * width + "".join(f"{b[:6]:>7}" for b in EDGES),
    ]
    for a in EDGES:
        row = "".join(f"{counts[f'{a} → {b}']:7d}" for b in EDGES)
        lines.append(f"{a:<{width}}{row}")
    lines.append("how often features were in one program:")
    columns = (*MODES, *DATA[:4])
    lines.append(" " * width + "".join(f"{short(b):>7}" for b in columns))
    for a in (
        *EDGES,
        *DATA[4:],
        "assign",
        "random",
        "custom",
        "inner",
        "session",
        "dynamic",
        "function",
        "lazy",
    ):
        row = "".join(f"{counts[plus(a, b)]:7d}" for b in columns)
        lines.append(f"{a:<{width}}{row}")
    missing = [pair for pair in listed() if not counts[pair]]
    lines.append(
        f"pairs of features met: {len(counts)}; listed but not met: {', '.join(missing) or 'none'}"
    )
    return "\n".join(lines)


def short(mode):
    """Six letters for a feature: F/R for forward over reverse."""
    if " over " in mode:
        return "/".join(word[0].upper() for word in mode.split(" over "))
    return mode[:6]


def counted(programs):
    """How often each pair was met in programs."""
    counts = Counter()
    for program in programs:
        counts.update(pairs(program))
    return counts
