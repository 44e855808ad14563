"""A memory plan on a drawing: whose memory each value is in, and what overwrites what."""

from itertools import accumulate
from typing import NamedTuple

from minigrad.draw.look import BUFFERS
from minigrad.draw.read import bytes_of, bytes_text, name_of, peek
from minigrad.draw.read.opened import Inner
from minigrad.draw.scene import Span

COLOURS = len(BUFFERS)
NAMED = 6  # values named in the legend for one buffer


class Home(NamedTuple):
    """Where a value lies: the colour of its buffer, the words on its node."""

    fill: str
    words: tuple
    number: int | None = None
    over: int | None = None  # the `order` of the value that it overwrites


def with_buffers(scene, primal, executable):
    """The scene with every node coloured and lettered by its buffer."""
    graph, plan = primal.outline, executable.plan
    numbers = buffer_numbers(plan)
    homes, frames = {}, {}
    for index, group in enumerate(primal.folding.groups):
        value = graph.values[group.members[0]]
        node = program_node(value)
        if group.kind == "one" and peek(node, "order") in plan.storage.root and node is not None:
            homes[primal.ids[index]] = home_of(node, plan, numbers, executable.program.stores)
            frames[primal.ids[index]] = scene.nodes[index].scope
    over = overwritten_edges(graph, primal, homes, frames)
    nodes = tuple(dress_node(node, homes.get(node.id)) for node in scene.nodes)
    edges = tuple(
        edge._replace(kind="inplace") if (edge.source, edge.target) in over else edge
        for edge in scene.edges
    )
    return scene._replace(
        nodes=nodes,
        edges=edges,
        legend=tuple(legend(plan, nodes, homes)),
        notes=(*scene.notes, plan_totals(plan)),
    )


def program_node(value):
    """The program's own node that a drawn value is; None inside a kernel."""
    return value.origin if isinstance(value, Inner) else value


def buffer_numbers(plan):
    """The `order` of every root in the plan → the number of its buffer."""
    known = {
        (buffer.offset, life.first, life.last): buffer.number
        for buffer in plan.buffers
        for life in buffer.lives
    }
    return {key: known.get((plan.offsets[key], *life)) for key, life in plan.storage.life.items()}


def alive_bytes(buffers, steps):
    """The bytes of all buffers in use at each of so many steps."""
    change = [0] * (steps + 1)
    for buffer in buffers:
        for life in buffer.lives:
            change[life.first] += buffer.bytes
            change[life.last + 1] -= buffer.bytes
    return list(accumulate(change))[:steps]


def home_of(node, plan, numbers, stores):
    """The Home of one value of a program."""
    storage, key = plan.storage, node.order
    root, place = storage.root[key], storage.place[key]
    into = [name_of(variable) or "a variable" for variable, new in stores if new is node]
    if into:
        return Home("", (f"stored in {', '.join(into)}",))
    if place == "result":
        return Home("", (f"handed out · {bytes_text(bytes_of(node))}",))
    if place != "plan":
        return Home("", ("view",) if root != key else ())
    number = numbers.get(root)
    if number is None:
        return Home("", ())
    letter = f"B{number} · {bytes_text(bytes_of(node))}"
    if key in storage.in_place:
        over = next((x.order for x in node.inputs if storage.root.get(x.order) == root), None)
        return Home(f"b{number % COLOURS}", (letter, "in place"), number, over)
    return Home(f"b{number % COLOURS}", (letter, "view") if root != key else (letter,), number)


def overwritten_edges(graph, primal, homes, frames):
    """(source, target) of the edges along which a buffer is overwritten.

    Into a kernel that is any edge from the dying value into its frame.
    """
    by_order = {
        peek(program_node(graph.values[group.members[0]]), "order"): primal.ids[index]
        for index, group in enumerate(primal.folding.groups)
        if group.kind == "one"
    }
    kernels = {frame.path for frame in graph.frames if frame.kind == "fused"}
    inside = {}
    for node in primal.nodes:
        if node.scope in kernels:
            inside.setdefault(node.scope, []).append(node.id)
    return {
        (by_order.get(found.over), target)
        for id, found in homes.items()
        if found.over is not None
        for target in inside.get(frames[id], [id])
    }


def dress_node(node, home):
    """The node in its buffer's colour, with the words below its label."""
    if home is None:
        return node
    lines = (*node.lines, *((Span(word),) for word in home.words))
    return node._replace(lines=lines, fill=home.fill, more=", ".join(home.words))


def legend(plan, nodes, homes):
    """(colour, words) for every buffer: its size and the values that it holds in turn."""
    for buffer in plan.buffers:
        held = [
            node.name or node.id
            for node in nodes
            if node.id in homes and homes[node.id].number == buffer.number
        ]
        more = [f"… {len(held) - NAMED} more"] * (len(held) > NAMED)
        yield (
            f"b{buffer.number % COLOURS}",
            f"B{buffer.number} · {bytes_text(buffer.bytes)}: {', '.join(held[:NAMED] + more)}",
        )


def plan_totals(plan):
    """The figures of the plan in a line."""
    count = len(plan.buffers)
    return (
        f"{bytes_text(plan.arena_bytes)} in {count} buffer{'s' * (count != 1)}; most at once "
        f"{bytes_text(plan.peak_bytes)}; an array for every value would take "
        f"{bytes_text(plan.naive_bytes)}."
    )
