"""What is said below a drawing: what was left out, and the calls that show it."""

from collections import Counter

from minigrad.draw.read import peek
from minigrad.draw.read.bodies import loop_of
from minigrad.draw.read.fold import STEPS
from minigrad.draw.read.opened import MARK


def notes_on(graph, folding, limit, asked):
    """What was left out, and the calls that show more; without `asked`, a step of draw.passes."""
    total, shown = len(graph.values), folding.size()
    closed = [
        at
        for group in folding.groups
        if group.kind == "one"
        for at in group.members
        if asked and asked.mode == "forward" and loop_of(graph.values[at])
    ]
    if closed:
        calls = f'draw(y, mode="loop"), draw(y, expand="{graph.ids[closed[0]]}")'
        yield f"{graph.ids[closed[0]]} holds a body: {calls}"
    bare = [at for at, inputs in enumerate(graph.inputs) if graph.roles[at] == "op" and not inputs]
    freed = [at for at in bare if peek(graph.values[at], "is_leaf") is False]
    if freed:
        yield (
            f"backward() let go of what {graph.ids[freed[0]]} was computed from: draw before "
            "it, or call backward(retain_graph=True)."
        )
    if total == shown <= limit:
        return
    if asked is None:
        yield f"{total:,} nodes; drawing {shown}. More: draw.passes(executable, budget={total})"
        return
    if asked.around is not None:
        yield f"{total:,} nodes; drawing {shown} around what was asked for."
        depth = (STEPS if asked.depth is None else asked.depth) + 1
        yield f"More: draw(y, around=…, depth={depth}), draw(y, around=…, budget={total})"
        return
    said = list(folding.said)
    if folding.hidden:
        said.insert(0, f"{len(folding.hidden)} constants in labels")
    cut = [group.label for group in folding.groups if group.kind == "rest"]
    if shown > limit:
        yield f"{total:,} nodes, too many to draw ({shown:,} after folding)."
        yield f"More: draw(y, depth=4), draw(y, budget={shown})"
        return
    yield f"{total:,} nodes; drawing {shown} ({', '.join(cut + said)})."
    yield f"More: {', '.join(more(graph, folding, total))}"


def more(graph, folding, total):
    """Calls that show more, at most three."""
    for group in folding.groups:
        if group.kind == "scope":
            last = group.path.rpartition("/")[2]
            name = last[1:] if last.startswith(MARK) else group.path
            yield f'draw(y, expand="{name}")'
            break
    for group in folding.groups:
        if group.kind == "repeat":
            yield f'draw(y, expand="{graph.ids[group.members[0]]}")'
            break
    if any(group.kind == "rest" for group in folding.groups):
        yield "a larger depth"
    yield f"draw(y, budget={total})"


def count_table(graph):
    """(what, how many) for every op and kind of leaf, the most frequent first."""
    words = [op if role == "op" else role for op, role in zip(graph.ops, graph.roles)]
    count = Counter(word or "?" for word in words)
    return tuple(sorted(count.items(), key=lambda item: (-item[1], item[0])))
