"""Pruning: what no root needs is left out."""

from dataclasses import replace

from minigrad.compiler.rewrite import Note
from minigrad.static.graph import Graph


def prune(program, options=None):
    """(program, notes): only the nodes that fetches, stores and effects need."""
    kept = {node.order for node in program.nodes()}
    dropped = [n for n in program.graph.nodes if n.order not in kept]
    notes = [Note(n, "nothing needs it", "removed") for n in dropped]
    if not notes:
        return program, notes
    graph = Graph(program.graph.name)
    graph.nodes = program.nodes()  # the nodes themselves: they keep their numbers
    feeds = {k: n for k, n in program.feeds.items() if n.order in kept}
    variables = {k: n for k, n in program.variables.items() if n.order in kept}
    return replace(program, graph=graph, feeds=feeds, variables=variables), notes
