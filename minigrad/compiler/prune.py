"""Pruning: what no root needs is left out."""

from minigrad.compiler.rewrite import note_on, rebuild_program
from minigrad.program import copy_node


def prune(program, options=None):
    """(program, notes): only the nodes that fetches, stores and effects need."""
    kept = {node.order for node in program.nodes()}
    dropped = [n for n in program.graph.nodes if n.order not in kept]
    notes = [note_on(n, "nothing needs it") for n in dropped]
    return rebuild_program(program, copy_node) if notes else program, notes
