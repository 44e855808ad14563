"""The graph of a gradient: what was computed forward, and what reverse mode added to it."""

from minigrad.draw.scene import Edge
from minigrad.errors import ArgumentError


def split(scene, graph, primal, of):
    """The scene with all that `of` (positions) does not need drawn as adjoints, pointing back."""
    if not of:
        raise ArgumentError(
            "draw: what `of` names is not in this graph",
            'draw(gradient, loss, mode="backward", of=loss)',
        )
    forward = behind(graph, of)
    added = {
        primal.ids[index]
        for index, group in enumerate(primal.folding.groups)
        if not forward.issuperset(group.members)
    }
    nodes = tuple(
        node._replace(role="adjoint", shape=node.role, scope="") if node.id in added else node
        for node in scene.nodes
    )
    edges = tuple(turned(edge, added) for edge in scene.edges)
    return scene._replace(nodes=nodes, edges=edges)


def behind(graph, ends):
    """The positions of all that the ends were computed from, and of the ends."""
    found, todo = set(), list(ends)
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo += graph.inputs[at]
    return found


def turned(edge, added):
    """An edge between added values points back; one that leads to them shows what is read."""
    kinds = {(True, True): "adjoint", (False, True): "saved"}
    kind = kinds.get((edge.source in added, edge.target in added), edge.kind)
    return Edge(edge.source, edge.target, kind, edge.slot if kind == "data" else 0)
