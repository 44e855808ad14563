"""A graph on several workers: whose each value is, and the bytes of what crosses between them."""

from math import prod

from minigrad.draw.look import numbered_fill
from minigrad.draw.read import bytes_of, bytes_text, peek

FED = "op"  # white, as an operation's box


def colour_workers(scene, basis):
    """The scene with every node in its worker's colour; what is fed, and on none, is white."""
    primal, placed, home = basis.primal, basis.place.numbers(basis.options.placed), {}
    for id, group in zip(primal.ids, primal.folding.groups):
        workers = {placed[at] for at in group.members if at in placed}
        if len(workers) == 1:
            (home[id],) = workers
    nodes = tuple(colour_node(node, home.get(node.id)) for node in scene.nodes)
    edges, travels = [], set()
    for edge in scene.edges:
        ends = home.get(edge.source), home.get(edge.target)
        if None not in ends and ends[0] != ends[1]:
            edge = edge._replace(label=crossing_text(primal, edge.source))
            travels.add((edge.source, ends[1]))
        edges.append(edge)
    legend = tuple((numbered_fill(w), f"worker {w}") for w in sorted(set(home.values())))
    legend += ((FED, "fed by the caller"),) * any(node.fill == FED for node in nodes)
    note = f"Values that travel from worker to worker: {len(travels)}."
    return scene._replace(
        nodes=nodes, edges=tuple(edges), legend=legend, notes=(*scene.notes, note)
    )


def colour_node(node, worker):
    """The node in the colour of its worker, whom it names.

    An input's own colour is nearly that of worker 0.
    """
    if worker is None:
        return node._replace(fill=FED) if node.role == "input" else node
    words = f"worker {worker}"
    return node._replace(lines=(*node.lines, words), fill=numbered_fill(worker), more=words)


def crossing_text(primal, id):
    """The bytes of a value that crosses; of a row, where the number of rows is not known."""
    value = primal.outline.values[primal.folding.groups[primal.ids.index(id)].members[-1]]
    shape = peek(value, "shape") or ()
    if None not in shape:
        return bytes_text(bytes_of(value))
    size = peek(value, "dtype").itemsize * prod(n or 1 for n in shape)
    return f"{bytes_text(size)} a row"
