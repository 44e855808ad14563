"""Saving: a graph as JSON, a line for each node, with its arrays in an .npz file beside it."""

import hashlib
import io
import json
import os
from pathlib import Path

import numpy as np

from minigrad.control import Fn
from minigrad.errors import ArgumentError, FileError
from minigrad.graph import Constant, Node, Variable
from minigrad.serialize.onnx import onnx_model
from minigrad.serialize.registry import NAMES
from minigrad.serialize.values import dtype_name, encoded

FORMAT, VERSION = "minigrad graph", 1


def save(path, outputs, session=None):
    """Writes what `outputs`, a Node or a list or dict of Nodes, are computed from.

    net.json holds the ops and net.npz beside it the arrays; variables have their values of
    `session`, else their initial ones. Each file replaces an old one whole, and the first knows
    the second by its digest. Tuples come back as lists. Names and scopes are kept, lines not.
    net.onnx, a file for other programs, is written when the package onnx is there; it holds what
    computes the outputs, with fixed variables, and cannot be loaded here.
    Raises ArgumentError, before anything is written, for what cannot be saved.
    """
    path, nodes, arrays = Path(path), [], []
    if path.suffix not in (".json", ".onnx"):
        raise ArgumentError(f"save to {path.name}", 'give a name that ends in ".json"')
    template = template_of(outputs, nodes)
    check_outputs(nodes)
    values = session_values(nodes[0].graph, session)
    if path.suffix == ".onnx":
        return replace(path, onnx_model(needed(nodes), named(template, "output"), values))
    records, places = recorded(needed(nodes), arrays, values)
    packed = io.BytesIO()
    np.savez(packed, **{f"a{i}": array for i, array in enumerate(arrays)})
    text = text_of(hashlib.sha256(packed.getvalue()).hexdigest(),
                   numbered(template, places), records)
    replace(path.with_suffix(".npz"), packed.getvalue())
    replace(path, text.encode())


def template_of(outputs, nodes):
    """The nest of outputs as JSON has it; its leaves are also appended to `nodes`."""
    if isinstance(outputs, (list, tuple)):
        return [template_of(part, nodes) for part in outputs]
    if isinstance(outputs, dict):
        for key in outputs:
            if not isinstance(key, str):
                raise ArgumentError(f"the output {key!r} has no name", "use strings as keys")
        return {key: template_of(part, nodes) for key, part in outputs.items()}
    nodes.append(outputs)
    return outputs


def numbered(template, places):
    """The nest of outputs with the nodes' numbers."""
    if isinstance(template, list):
        return [numbered(part, places) for part in template]
    if isinstance(template, dict):
        return {key: numbered(part, places) for key, part in template.items()}
    return places[template.order]


def named(template, name):
    """{name: node} for the nest of outputs: "y", or "output_0" in a list, "a_b" in nested dicts."""
    if isinstance(template, Node):
        return {name: template}
    if isinstance(template, list):
        template = {str(i): part for i, part in enumerate(template)}
    prefix = "" if name == "output" and not all(map(str.isdigit, template)) else f"{name}_"
    return {key: node for inner, part in template.items()
            for key, node in named(part, f"{prefix}{inner}").items()}


def check_outputs(nodes):
    """Raises ArgumentError unless the outputs are nodes of one graph."""
    if not nodes:
        raise ArgumentError("there is nothing to save", "pass a Node, or a list or dict of Nodes")
    for node in nodes:
        if not isinstance(node, Node):
            raise ArgumentError(f"{type(node).__name__} is no Node: only graphs are saved",
                                "build it inside `with mg.Graph():`; for the weights of layers "
                                "use Module.save")
        if node.graph is not nodes[0].graph:
            raise ArgumentError(f"{node!r} belongs to {node.graph}, other outputs to "
                                f"{nodes[0].graph}", "save each graph to a file of its own")


def needed(nodes):
    """The nodes that these are computed from, also by control, in order of creation."""
    found = {node.order: node for node in nodes}
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        for x in (*node.inputs, *node.controls):
            if x.order not in found:
                found[x.order] = x
                waiting.append(x)
    return [found[order] for order in sorted(found)]


def session_values(graph, session):
    """{order: value} of the graph's variables in a session."""
    if session is None:
        return {}
    if session.graph is not graph:
        raise ArgumentError(f"the outputs belong to {graph}, the session to {session.graph}",
                            "pass the session in which the outputs run")
    return dict(zip([v.order for v in graph.variables], session.run(graph.variables)))


def recorded(nodes, arrays, values=()):
    """(nodes of one graph as JSON, {order: number}); their arrays are appended to `arrays`."""
    records, places = [], {}
    for node in nodes:
        records.append(record(node, places, arrays, values))
        places[node.order] = len(places)
    return records, places


def record(node, places, arrays, values):
    """A node as JSON."""
    if node.op not in NAMES:
        raise ArgumentError(f"{node!r} cannot be saved: {node.op} is not an op of minigrad",
                            "write it with minigrad's ops, or save only the weights", node.line)
    made = {"op": NAMES[node.op], "name": node.name, "scope": node.scope,
            "inputs": [places[x.order] for x in node.inputs],
            "controls": [places[x.order] for x in node.controls]}
    made = {key: value for key, value in made.items() if value}
    try:
        if node.params:
            made["params"] = {name: body(value, arrays) if isinstance(value, Fn)
                              else encoded(value) for name, value in node.params.items()}
        made |= {"shape": list(node.shape), "dtype": dtype_name(node.dtype)}
    except FileError as error:
        raise ArgumentError(f"{node!r} cannot be saved: {error.fact}", error.mend,
                            node.line) from None
    if isinstance(node, (Constant, Variable)):
        made["array"] = len(arrays)
        array = node.value if isinstance(node, Constant) else values.get(node.order, node.initial)
        arrays.append(np.asarray(array, node.dtype.newbyteorder("=")))
    if isinstance(node, Variable):
        made["trainable"] = bool(node.trainable)
    return made


def body(fn, arrays):
    """The body of a loop or a branch as JSON: its inputs are the first of its nodes."""
    records, places = recorded([*fn.inputs, *fn.nodes], arrays)
    return {"body": {"name": fn.name, "inputs": len(fn.inputs), "nodes": records,
                     "outputs": [places[y.order] for y in fn.outputs]}}


def text_of(digest, outputs, records):
    """The JSON text, with a line for each node."""
    head = [f'"format": "{FORMAT}"', f'"version": {VERSION}', f'"arrays": "{digest}"',
            f'"outputs": {json.dumps(outputs)}']
    nodes = ",\n".join(json.dumps(record, allow_nan=False) for record in records)
    return "{" + ",\n ".join(head) + ',\n "nodes": [\n' + nodes + "\n]}\n"


def replace(path, content):
    """Writes a file so that at any time it is there with the old or the new content."""
    made = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        made.write_bytes(content)
        os.replace(made, path)
    finally:
        made.unlink(missing_ok=True)
