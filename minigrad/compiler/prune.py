"""Pruning: what no root needs is left out."""

from minigrad.compiler.rewrite import Note, described, rebuilt
from minigrad.program import copied


def prune(program, options=None):
    """(program, notes): only the nodes that fetches, stores and effects need."""
    kept = {node.order for node in program.nodes()}
    notes = [
        Note(described(n), "nothing needs it", n.line)
        for n in program.graph.nodes
        if n.order not in kept
    ]
    return rebuilt(program, copied) if notes else program, notes
