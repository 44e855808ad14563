"""Saving: a graph as JSON, a line for each node, with its arrays in an .npz file beside it."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from minigrad.core.errors import ArgumentError, FileError
from minigrad.files.arrays import pack_arrays
from minigrad.files.atomic import BYTES, FORMAT, VERSION, replace_both, replace_file, seal_text
from minigrad.files.limits import (
    Sizes,
    check_body,
    check_name,
    check_nest,
    check_text,
    expect_in_file,
)
from minigrad.files.onnx import onnx_model
from minigrad.files.paths import GivenPath, shown_path, user_path
from minigrad.files.registry import NAMES
from minigrad.files.signatures import check_call
from minigrad.files.values import decode_value, dtype_name, encode_value, spec_from, stored_array
from minigrad.static.control import Fn
from minigrad.static.graph import Constant, Graph, Node, Variable
from minigrad.static.program import find_needed
from minigrad.static.session import Session, expect_session

STORED = (Constant, Variable)


def save(
    path: GivenPath, outputs: Any, session: Session | None = None, inputs: Iterable[Node] = ()
) -> None:
    """Write the graph from which `outputs`, a Node or a list or dict of Nodes, are computed.

    The graph is cut at `inputs`: those nodes are fed in what is loaded, and what lies behind them
    is left out, with its variables.

    net.json holds the ops, and net-….npz beside it, whose name is new each time, the arrays;
    variables have their values of `session`, else their initial ones. With a session, the number
    of its runs is kept too, so that random draws go on where they were. At any time the old net
    or the new one can be loaded, whole, whatever stops this. Tuples come back as lists. Names and
    scopes are kept, lines not.
    net.onnx, a file for other programs, is written when the package onnx is there; it holds what
    computes the outputs, with fixed variables, and cannot be loaded here.
    Raises ArgumentError, before anything is written, for what cannot be saved, and so for all
    that load would refuse; FileError where the path cannot be written. `~` is the home folder.

    >>> import os, tempfile
    >>> with mg.Graph():
    ...     y = mg.placeholder("x", (2,)) * 2
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mg.save(folder + "/net.json", y)
    ...     os.path.exists(folder + "/net.json")
    True
    """
    suffix, cut = user_path(path).suffix, list(inputs)
    if suffix not in (".json", ".onnx"):
        raise ArgumentError(f"save to {shown_path(path)}", 'give a name that ends in ".json"')
    if suffix == ".json":
        text_for, packed = pack_net(outputs, session, cut)
        replace_both(path, text_for, packed)
        return
    if cut:
        hint = "save to .json, load that, and save its outputs to .onnx"
        raise ArgumentError("an .onnx file is not cut at inputs", hint)
    template, nodes = read_outputs(outputs)
    values, _ = session_state(nodes[0].graph, session)
    replace_file(path, onnx_model(find_written(nodes), result_names(template, nodes), values))


def to_bytes(outputs: Any, session: Session | None = None, inputs: Iterable[Node] = ()) -> bytes:
    """Write the content of a saved graph as one bytes object; from_bytes reads it.

    >>> with mg.Graph():
    ...     y = mg.placeholder("x", (2,)) * 2
    >>> type(mg.to_bytes(y))
    <class 'bytes'>
    """
    text_for, packed = pack_net(outputs, session, list(inputs))
    text = text_for("0" * 16)  # no file holds the arrays
    return b"%s %d\n" % (BYTES, len(text)) + text + packed


def pack_net(outputs, session, inputs):
    """(a function of the name of the arrays that gives the .json text, the bytes of the arrays)."""
    template, nodes = read_outputs(outputs)
    values, runs = session_state(nodes[0].graph, session)
    written = find_written(nodes, [x for x in inputs if isinstance(x, Node)])
    check_inputs(inputs, written)
    records = Records(values, cut={node.order for node in inputs})
    records.add_all(written)
    packed = pack_arrays({f"a{i}": array for i, array in enumerate(records.arrays)})
    head = {
        "format": FORMAT,
        "version": VERSION,
        "arrays": hashlib.sha256(packed).hexdigest(),
        "file": None,
        "checksum": "0" * 64,
        "runs": runs,
        "outputs": number_leaves(template, records.places),
    }
    return lambda token: text_of({**head, "file": token}, records.node_records), packed


# the outputs -------------------------------------------------------------------------------------


def read_outputs(outputs):
    """(the nest of outputs, the nodes in it), looked at."""
    nodes = []
    try:
        template = template_of(outputs, nodes, 0)
    except FileError as error:
        raise ArgumentError(error.message, error.hint) from None
    check_outputs(nodes)
    return template, nodes


def template_of(outputs, nodes, depth):
    """The nest of outputs as JSON has it; its leaves are also appended to `nodes`."""
    check_nest(depth)
    if isinstance(outputs, (list, tuple)):
        return [template_of(part, nodes, depth + 1) for part in outputs]
    if isinstance(outputs, dict):
        for key in outputs:
            if not isinstance(key, str):
                raise ArgumentError(f"the output {key!r} has no name", "use strings as keys")
        return {key: template_of(part, nodes, depth + 1) for key, part in outputs.items()}
    nodes.append(outputs)
    return outputs


def number_leaves(template, places):
    """The nest of outputs with the nodes' numbers."""
    if isinstance(template, list):
        return [number_leaves(part, places) for part in template]
    if isinstance(template, dict):
        return {key: number_leaves(part, places) for key, part in template.items()}
    return places[template.order]


def name_outputs(template, name):
    """{name: node} for the nest of outputs: "y", or "output_0" in a list, "a_b" in nested dicts."""
    if isinstance(template, Node):
        return {name: template}
    if isinstance(template, list):
        template = {str(i): part for i, part in enumerate(template)}
    prefix = "" if name == "output" and not all(map(str.isdigit, template)) else f"{name}_"
    parts = [name_outputs(part, f"{prefix}{inner}") for inner, part in template.items()]
    return {key: node for part in parts for key, node in part.items()}


def result_names(template, nodes):
    """{name: node} for the outputs of an .onnx file, which has no nests."""
    results, message = (
        name_outputs(template, "output"),
        "two outputs get one name in the .onnx file",
    )
    if len(results) < len(nodes):
        raise ArgumentError(message, "give them names that differ when they are joined by _")
    return results


def check_outputs(nodes):
    """Raises ArgumentError unless the outputs are nodes of one graph."""
    if not nodes:
        raise ArgumentError("there is nothing to save", "pass a Node, or a list or dict of Nodes")
    for node in nodes:
        if not isinstance(node, Node):
            hint = "build it inside `with mg.Graph():`; for the weights of layers use Module.save"
            if isinstance(node, Graph):
                hint = "pass the nodes that the graph computes: one, or a list or dict of them"
            raise ArgumentError(
                f"{type(node).__name__} is not a Node, and only Nodes are saved", hint
            )
        if node.graph is not nodes[0].graph:
            message = f"{node!r} belongs to {node.graph}, other outputs to {nodes[0].graph}"
            raise ArgumentError(message, "save each graph to a file of its own")


def find_written(nodes, inputs=()):
    """The nodes that these are computed from, also by control, in order of creation.

    What lies behind `inputs` is not among them.
    """
    return find_needed(nodes, {x.order for x in inputs})


def check_inputs(inputs, written):
    """Raises ArgumentError for an input that is none of the nodes that are written."""
    found = {node.order for node in written}
    for x in inputs:
        if not isinstance(x, Node) or x.graph is not written[0].graph or x.order not in found:
            message = f"the outputs do not depend on the input {x!r}"
            raise ArgumentError(message, "leave it out of inputs")


def session_state(graph, session):
    """({order: value} of the graph's variables, number of runs) in a session."""
    if session is None:
        return {}, 0
    if expect_session(session).graph is not graph:
        message = f"the outputs belong to {graph}, the session to {session.graph}"
        raise ArgumentError(message, "pass the session in which the outputs run")
    return session.state()


# nodes -------------------------------------------------------------------------------------------


class Records:
    """The nodes of a graph, or of a body in it, as JSON; `places` maps orders to their numbers.

    `arrays` and `sizes` are shared by a graph and its bodies.
    """

    def __init__(self, values, depth=0, arrays=None, sizes=None, cut=()):
        self.cut = cut  # orders of nodes that are fed in what is loaded
        self.values, self.depth, self.names = values, depth, set()
        self.node_records, self.places, self.calls = [], {}, {}
        self.arrays = [] if arrays is None else arrays
        self.sizes = Sizes() if sizes is None else sizes

    def add_all(self, nodes):
        """Adds nodes in order of creation. Raises ArgumentError for what would not load."""
        orders = np.array([node.order for node in nodes])
        for node in nodes:
            try:
                made = self.record(node)
                if node.version is not None and not self.depth:  # bodies read no variables
                    made["as_of"] = int(np.searchsorted(orders, node.version))
            except FileError as error:
                message = f"{repr(node)[:200]} cannot be saved: {error.message}"
                raise ArgumentError(message, error.hint, node.line) from None
            self.places[node.order] = len(self.node_records)
            self.node_records.append(made)

    def record(self, node):
        """A node as JSON."""
        if node.order in self.cut:
            return self.cut_record(node)
        hint = "write it with minigrad's ops, or save only the weights"
        expect_in_file(node.op in NAMES, f"{node.op} is not an op of minigrad", hint)
        self.check_names(node)
        made = {
            "op": NAMES[node.op],
            "name": node.name,
            "scope": node.scope,
            "inputs": [self.places[x.order] for x in node.inputs],
        }
        if not self.depth:  # in a body, which has no effects, nothing waits for anything
            made["controls"] = [self.places[x.order] for x in node.controls]
        made = {key: value for key, value in made.items() if value}
        if node.segment is not None:
            made["segment"] = node.segment
        if node.made_by is not None:
            made["made_by"] = self.call(node.made_by)
        if params := self.checked_params(node):
            made["params"] = params
        return made | self.kind(node)

    def call(self, call):
        """A call of a composite function as JSON: its name, and the number of its first node."""
        check_name(call.name)
        return [call.name, self.calls.setdefault(call, len(self.node_records))]

    def cut_record(self, node):
        """A node that is fed instead of computed, as JSON."""
        self.check_names(node)
        made = {"op": "Placeholder", "name": node.name, "scope": node.scope}
        shape, dtype = [n if n is None else int(n) for n in node.shape], dtype_name(node.dtype)
        self.sizes.add(spec_from(shape, dtype), False)
        return {k: v for k, v in made.items() if v} | {"shape": shape, "dtype": dtype}

    def checked_params(self, node):
        """The parameters as JSON. Raises FileError where no call gives them to the op."""
        coded = {n: v if isinstance(v, Fn) else encode_value(v) for n, v in node.params.items()}
        if node.inputs or coded:
            loaded = {n: v if isinstance(v, Fn) else decode_value(v) for n, v in coded.items()}
            check_call(node.op, node.inputs, loaded)
        return {n: self.body(v) if isinstance(v, Fn) else v for n, v in coded.items()}

    def kind(self, node):
        """The shape and dtype as JSON, and the number of the array that is stored."""
        shape = [n if n is None else int(n) for n in node.shape]
        made = {"shape": shape, "dtype": dtype_name(node.dtype)}
        spec, stored = spec_from(made["shape"], made["dtype"]), isinstance(node, STORED)
        self.sizes.add(spec, stored)
        if stored:
            made["array"] = len(self.arrays)
            self.arrays.append(np.asarray(stored_array(node, self.values), spec.dtype))
        if isinstance(node, Variable):
            made["trainable"] = bool(node.trainable)
        return made

    def check_names(self, node):
        """Raises FileError for a name or a scope that no file may have."""
        check_name(node.scope, "scope")
        if node.name is not None:
            check_name(node.name)
            message = f"another node has the name {node.name[:40]!r}"
            expect_in_file(
                node.name not in self.names, message, "leave it to minigrad to number equal names"
            )
            self.names.add(node.name)

    def body(self, fn):
        """The body of a loop or a branch as JSON: its inputs are the first of its nodes."""
        check_body(self.depth + 1)
        check_name(fn.name)
        inner = Records({}, self.depth + 1, self.arrays, self.sizes)
        inner.add_all([*fn.inputs, *fn.nodes])
        body = {"name": fn.name, "inputs": len(fn.inputs), "nodes": inner.node_records}
        return {"body": body | {"outputs": [inner.places[y.order] for y in fn.outputs]}}


def text_of(head, records):
    """The JSON text, with a line for each entry and each node. Raises ArgumentError if too long."""
    lines = [f'"{key}": {json.dumps(value)}' for key, value in head.items()]
    nodes = ",\n".join(json.dumps(record, allow_nan=False) for record in records)
    text = seal_text(("{" + ",\n ".join(lines) + ',\n "nodes": [\n' + nodes + "\n]}\n").encode())
    try:
        check_text(text)
    except FileError as error:
        raise ArgumentError(error.message, error.hint) from None
    return text
