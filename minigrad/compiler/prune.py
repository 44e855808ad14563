"""Pruning: what no root needs is left out."""

from minigrad.compiler.rewrite import Note, describe_in_note, rebuild_program
from minigrad.program import copy_node


def prune(program, options=None):
    """(program, notes): only the nodes that fetches, stores and effects need."""
    kept = {node.order for node in program.nodes()}
    notes = [
        Note(describe_in_note(n), "nothing needs it", n.line)
        for n in program.graph.nodes
        if n.order not in kept
    ]
    return rebuild_program(program, copy_node) if notes else program, notes
