"""Which column each node stands in, and which path through the graph is kept straight."""

from collections import Counter


def columns(nodes, edges):
    """Node id → length of the longest path to it. Nodes come in creation order."""
    place = {node.id: at for at, node in enumerate(nodes)}
    rank = dict.fromkeys(place, 0)
    for edge in sorted(edges, key=lambda edge: place[edge.target]):
        if place[edge.source] < place[edge.target]:  # an edge back closes a cycle: skip it
            rank[edge.target] = max(rank[edge.target], rank[edge.source] + 1)
    return rank


def spine(rank, edges):
    """One longest path, as node id → the next one's id: it is kept in a straight line."""
    if not rank:
        return {}
    at = max(rank, key=rank.get)
    path = {at: None}
    while rank[at]:
        user = at
        at = next(e.source for e in edges if e.target == at and rank[e.source] == rank[at] - 1)
        path[at] = user
    return path


def weights(edges, path):
    """How short and straight each edge should be: the longest path most, then chains of ops.

    The weights differ a little, so that one layout is best: of equally good ones each version of
    Graphviz picks its own.
    """
    fed = {edge.target for edge in edges}
    ops = Counter(edge.target for edge in edges if edge.source in fed)
    users = Counter(edge.source for edge in edges)
    for number, edge in enumerate(edges):
        if path.get(edge.source) == edge.target:
            most = 900
        elif edge.source in fed:
            most = 150 if ops[edge.target] == users[edge.source] == 1 else 60
        else:
            most = 20
        yield most + number * 13 % 17
