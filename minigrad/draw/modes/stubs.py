"""Marks where a drawing of a neighbourhood was cut: "…" before a value and behind it."""

from minigrad.draw.scene import Edge, Node, Span


def with_stubs(scene, graph, primal):
    """The scene with a mark at every value that has operands or users which are not drawn."""
    users = graph.users()
    nodes, edges = list(scene.nodes), list(scene.edges)
    for index, group in enumerate(primal.folding.groups):
        at, id = group.members[0], primal.ids[index]
        before, after = outside(graph.inputs[at], primal), outside(users[at], primal)
        if before:
            nodes.append(stub(f"{id}_before", before, primal.nodes[index].scope))
            edges.append(Edge(f"{id}_before", id))
        if after:
            nodes.append(stub(f"{id}_after", after, primal.nodes[index].scope))
            edges.append(Edge(id, f"{id}_after"))
    return scene._replace(nodes=tuple(nodes), edges=tuple(edges))


def outside(positions, primal):
    """How many of the values are not drawn, not even as text."""
    hidden = primal.folding.hidden
    return len({at for at in positions if at not in primal.owner and at not in hidden})


def stub(id, count, scope):
    """The mark for so many values."""
    return Node(id, "folded", ((Span(f"… {count}"),),), call=f"{count} more", scope=scope)
