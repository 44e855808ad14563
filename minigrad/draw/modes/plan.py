"""A memory plan on a drawing: whose memory each value is in, and what overwrites what."""

from itertools import accumulate
from typing import NamedTuple

from minigrad.draw.look import numbered_fill
from minigrad.draw.read import bytes_of, bytes_text, own_name, peek
from minigrad.draw.read.opened import Inner

NAMED = 6  # values named in the legend for one buffer


class Home(NamedTuple):
    """Where a value lies: the colour of its buffer, the words on its node."""

    fill: str
    words: tuple
    number: int | None = None
    over: int | None = None  # the `order` of the value that it overwrites


def colour_buffers(scene, basis):
    """The scene with every node coloured and lettered by its buffer."""
    plan, stores = basis.executable.plan, basis.executable.program.stores
    primal = basis.primal
    numbers = buffer_numbers(plan)
    drawn = {id: program_node(primal.outline.values[at]) for id, at in primal.alone.items()}
    drawn = {id: node for id, node in drawn.items() if not is_in_body(node, primal.outline)}
    known = {id: node for id, node in drawn.items() if peek(node, "order") in plan.values}
    homes = {id: home_of(node, plan, numbers, stores) for id, node in known.items()}
    over = overwritten_edges(primal, drawn, homes)
    nodes = tuple(dress_node(node, homes.get(node.id)) for node in scene.nodes)
    edges = [
        edge._replace(kind="inplace") if (edge.source, edge.target) in over else edge
        for edge in scene.edges
    ]
    words, notes = tuple(legend(plan, nodes, homes)), (*scene.notes, plan_totals(plan))
    return scene._replace(nodes=nodes, edges=tuple(edges), legend=words, notes=notes)


def program_node(value):
    """The program's own node that a drawn value is; None inside a kernel."""
    return value.origin if isinstance(value, Inner) else value


def is_in_body(node, outline):
    """Whether a node stands in the body of a loop or a choice, a graph with its own orders."""
    around = next((value for value in outline.values if not isinstance(value, Inner)), None)
    return peek(node, "graph") is not peek(around, "graph")


def buffer_numbers(plan):
    """The `order` of every root in the plan → the number of its buffer."""
    known = {
        (buffer.offset, life.first, life.last): buffer.number
        for buffer in plan.buffers
        for life in buffer.lives
    }
    bases = {key: value for key, value in plan.values.items() if value.live_range}
    return {key: known.get((value.offset, *value.live_range)) for key, value in bases.items()}


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
    value = plan.values[node.order]
    into = [own_name(variable) or "a variable" for variable, new in stores if new is node]
    if into:
        return Home("", (f"stored in {', '.join(into)}",))
    if value.space == "result":
        return Home("", (f"handed out · {bytes_text(bytes_of(node))}",))
    if value.space != "plan":
        return Home("", ("view",) if value.base != node.order else ())
    number = numbers.get(value.base)
    return Home("", ()) if number is None else home_in_buffer(node, plan.values, number)


def home_in_buffer(node, values, number):
    """The Home of a value in a buffer: which one, and whether another value's memory is reused."""
    value = values[node.order]
    letter, fill = buffer_words(number, bytes_of(node)), numbered_fill(number)
    if value.in_place:
        operands = (x.order for x in node.inputs if x.order in values)
        over = next((order for order in operands if values[order].base == value.base), None)
        return Home(fill, (letter, "in place"), number, over)
    return Home(fill, (letter, "view") if value.base != node.order else (letter,), number)


def overwritten_edges(primal, drawn, homes):
    """(source, target) of the edges along which a buffer is overwritten.

    Into a kernel that is any edge from the dying value into its frame.
    """
    by_order = {peek(node, "order"): id for id, node in drawn.items()}
    scopes = {node.id: node.scope for node in primal.nodes}
    inside = {frame.path: [] for frame in primal.outline.frames if frame.kind == "fused"}
    for id, scope in scopes.items():
        if scope in inside:
            inside[scope].append(id)
    over = {id: by_order.get(home.over) for id, home in homes.items() if home.over is not None}
    return {(old, target) for id, old in over.items() for target in inside.get(scopes[id], [id])}


def dress_node(node, home):
    """The node in its buffer's colour, with the words below its label."""
    if home is None:
        return node
    lines = (*node.lines, *home.words)
    return node._replace(lines=lines, fill=home.fill, more=", ".join(home.words))


def legend(plan, nodes, homes):
    """(colour, words) for every buffer: its size and the values that it holds in turn."""
    for buffer in plan.buffers:
        own = {id for id, home in homes.items() if home.number == buffer.number}
        held = [node.name or node.id for node in nodes if node.id in own]
        more = [f"… {len(held) - NAMED} more"] * (len(held) > NAMED)
        values = ", ".join(held[:NAMED] + more)
        yield numbered_fill(buffer.number), f"{buffer_words(buffer.number, buffer.bytes)}: {values}"


def buffer_words(number, size):
    """What a buffer is called: "B3 · 128 KiB"."""
    return f"B{number} · {bytes_text(size)}"


def plan_totals(plan):
    """The figures of the plan in a sentence."""
    count = len(plan.buffers)
    if not count:
        return "no buffer: nothing lies between two calls."
    arena, naive, where = plan.arena_bytes, plan.naive_bytes, f"in {count} buffer{'s'[: count - 1]}"
    most = f" At most {bytes_text(plan.peak_bytes)} are in use at once."
    if arena < naive:
        share = f"{bytes_text(arena)}, {100 * arena / naive:.0f} % of it, {where}"
        said = f"Without reuse the values would take {bytes_text(naive)}; this plan takes {share}."
    else:
        said = f"This plan takes {bytes_text(arena)} {where}, no less than without reuse."
    return said + most * (plan.peak_bytes < arena)
