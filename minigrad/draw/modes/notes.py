"""What is said below a drawing: what was left out, and the calls that show it."""

from collections import Counter

from minigrad.draw.read import peek
from minigrad.draw.read.bodies import loop_of
from minigrad.draw.read.fold import STEPS
from minigrad.draw.read.opened import MARK
from minigrad.draw.scene import Scene


def empty_scene(mode, title, graph, folding, limit, asked=None):
    """The scene of a graph before anything is drawn; with a table where too much is left.

    Without `asked`, it is a step of draw.passes.
    """
    ids = tuple(graph.ids[at] for at in graph.results)
    notes = tuple(notes_on(graph, folding, limit, asked))
    table = count_table(graph) if folding.size() > limit else ()
    return Scene(mode, (), (), title, notes, len(graph.values), ids, table)


def notes_on(graph, folding, limit, asked):
    """What was left out, and the calls that show more."""
    closed = [at for at in folding.alone() if loop_of(graph.values[at])]
    if closed and asked and asked.mode == "forward":
        id = graph.ids[closed[0]]
        yield f'{id} holds a body: draw(y, mode="loop"), draw(y, expand="{id}")'
    if freed := freed_places(graph):
        yield (
            f"backward() let go of what {graph.ids[freed[0]]} was computed from: draw before "
            "it, or call backward(retain_graph=True)."
        )
    if not len(graph.values) == folding.size() <= limit:
        yield from notes_on_folding(graph, folding, limit, asked)


def freed_places(graph):
    """The positions of operations whose operands `backward` let go of."""
    bare = [at for at, inputs in enumerate(graph.inputs) if graph.roles[at] == "op" and not inputs]
    return [at for at in bare if peek(graph.values[at], "is_leaf") is False]


def notes_on_folding(graph, folding, limit, asked):
    """How many nodes are drawn of how many, and the calls that show more."""
    total, shown = len(graph.values), folding.size()
    if asked is None:
        yield f"{total:,} nodes; drawing {shown}. More: draw.passes(executable, budget={total})"
    elif asked.around is not None:
        yield f"{total:,} nodes; drawing {shown} around what was asked for."
        depth = (STEPS if asked.depth is None else asked.depth) + 1
        yield f"More: draw(y, around=…, depth={depth}), draw(y, around=…, budget={total})"
    elif shown > limit:
        yield f"{total:,} nodes, too many to draw ({shown:,} after folding)."
        yield f"More: draw(y, depth=4), draw(y, budget={shown})"
    else:
        said = [group.label for group in folding.groups if group.kind == "rest"]
        said += [f"{len(folding.hidden)} constants in labels"] * bool(folding.hidden)
        yield f"{total:,} nodes; drawing {shown} ({', '.join(said + folding.said)})."
        yield f"More: {', '.join(more(graph, folding, total))}"


def more(graph, folding, total):
    """Calls that show more, at most three."""
    first = {group.kind: group for group in reversed(folding.groups)}
    if "scope" in first:
        path = first["scope"].path
        last = path.rpartition("/")[2]
        yield f'draw(y, expand="{last[1:] if last.startswith(MARK) else path}")'
    if "repeat" in first:
        yield f'draw(y, expand="{graph.ids[first["repeat"].members[0]]}")'
    if "rest" in first:
        yield "a larger depth"
    yield f"draw(y, budget={total})"


def count_table(graph):
    """(what, how many) for every op and kind of leaf, the most frequent first."""
    words = [op if role == "op" else role for op, role in zip(graph.ops, graph.roles)]
    count = Counter(word or "?" for word in words)
    return tuple(sorted(count.items(), key=lambda item: (-item[1], item[0])))
