"""Loading: a saved graph, built again from ops that are known, every shape inferred anew.

Nothing in a file is executed or imported. Its sizes are looked at before it is read, and a graph
is returned only when all of it has been checked.
"""

import json
import math
from pathlib import Path

from minigrad.control import Fn
from minigrad.errors import FileError, MinigradError
from minigrad.graph import Constant, Graph, Node, PlaceholderOp, Variable, run_index
from minigrad.serialize.arrays import MOST_BYTES, read_arrays, size
from minigrad.serialize.net import Net
from minigrad.serialize.registry import OPS, check_call
from minigrad.serialize.values import decoded, spec_from
from minigrad.serialize.writing import FORMAT, VERSION
from minigrad.spec import Bundle, Spec, spec_of
from minigrad.statements import Assign

MOST_TEXT = 2 ** 26  # bytes of a .json file
MOST_NODES = 200_000
ALL_ENTRIES = 2 ** 33  # of all values of a graph together
LONGEST_NAME = 500
DEEPEST_NEST = 16  # levels of the nest of outputs
DEEPEST_BODY = 8  # bodies in bodies
HEAD = {"format", "version", "arrays", "outputs", "nodes"}
EVERY = {"op", "shape", "dtype", "name", "scope", "controls"}  # what any node may have
FURTHER = {"Placeholder": set(), "RunIndex": set(), "Constant": {"array"},
           "Variable": {"array", "trainable"}}
BODY = {"name", "inputs", "nodes", "outputs"}


def load(path):
    """The Net that save wrote to `path`: its graph, outputs, inputs by name, and a session.

    Nothing in the file is executed. Raises FileError, and changes nothing, for a file that is
    damaged, of another version, too large, or not of the form that save gives it.
    """
    path = Path(path)
    try:
        return read(path)
    except FileError as error:
        raise FileError(f"{path.name}: {error.fact}",
                        error.mend or "save the graph again with mg.save") from None


def read(path):
    """The same; errors do not name the file yet."""
    head = parsed(content(path, MOST_TEXT))
    expect(isinstance(head, dict) and head.get("format") == FORMAT, "this is no saved graph")
    if head.get("version") != VERSION:
        raise FileError(f"version {str(head.get('version'))[:20]} is not known",
                        f"this minigrad reads version {VERSION}")
    expect(set(head) == HEAD, f"it has {sorted(set(head) ^ HEAD)[:3]} too many or too few")
    specs = array_specs(head["nodes"])
    arrays = read_arrays(content(path.with_suffix(".npz"), 2 * MOST_BYTES), head["arrays"], specs)
    graph = Graph(path.stem)
    for number, record in enumerate(head["nodes"]):
        add(graph, number, record, arrays)
    outputs = nest(head["outputs"], graph.nodes)
    inputs = {n.name or f"%{n.order}": n for n in graph.nodes if n.op is PlaceholderOp}
    return Net(graph, outputs, inputs)


def expect(condition, fact):
    """Raises FileError unless the condition holds."""
    if not condition:
        raise FileError(fact)


def content(path, most):
    """The bytes of a file that has at most so many."""
    try:
        with open(path, "rb") as file:
            found = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise FileError(f"{path.name} cannot be read: {error}", "check the path") from None
    expect(len(found) <= most, f"{path.name} has more than {most} bytes")
    return found


def parsed(text):
    """The value of a JSON text in which no key stands twice."""
    try:
        return json.loads(text.decode(), object_pairs_hook=unique, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise FileError(f"it is no JSON: {error}") from None


def unique(pairs):
    """The dict of JSON's pairs."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError(f"a key stands twice in {[key for key, _ in pairs][:5]}")
    return dict(pairs)


def no_number(name):
    raise ValueError(f"{name} is no number")


# nodes -------------------------------------------------------------------------------------------


def array_specs(records):
    """The Specs of the arrays that nodes want, after all nodes have been looked at."""
    specs, entries = [], 0
    for count, record in enumerate(all_records(records, 0)):
        expect(count < MOST_NODES, f"there are more than {MOST_NODES} nodes")
        spec = record["spec"] = spec_from(record["shape"], record["dtype"])
        parts = spec.dtype if isinstance(spec.dtype, Bundle) else [spec]
        entries += sum(math.prod(n or 1 for n in part.shape) for part in parts)
        expect(entries <= ALL_ENTRIES, "the values are too large")
        if "array" in record:
            expect(type(record["array"]) is int and record["array"] == len(specs),
                   f"a {record['op']} does not have array {len(specs)}")
            expect(parts == [spec] and None not in spec.shape, "an array has no known size")
            specs.append(spec)
    expect(sum(map(size, specs)) <= MOST_BYTES, f"the arrays have more than {MOST_BYTES} bytes")
    return specs


def all_records(records, depth):
    """All nodes, also those of bodies, which come before the node that has them."""
    expect(isinstance(records, list), "the nodes are no list")
    expect(depth <= DEEPEST_BODY, "the bodies are nested too deeply")
    for number, record in enumerate(records):
        check_form(number, record)
        for value in record.get("params", {}).values():
            if is_body(value):
                expect(isinstance(value["body"], dict) and set(value["body"]) == BODY,
                       f"node {number} has no proper body")
                yield from all_records(value["body"]["nodes"], depth + 1)
        yield record


def is_body(value):
    """True for a parameter that is the body of a loop or a branch."""
    return isinstance(value, dict) and set(value) == {"body"}


def check_form(number, record):
    """Raises FileError unless a node has the entries of its op, and no others."""
    expect(isinstance(record, dict) and isinstance(record.get("op"), str),
           f"node {number} names no op")
    op = record["op"]
    expect(op in FURTHER or op in OPS, f"node {number} has the op {op[:40]!r}, which is not known")
    expect(isinstance(record.get("params", {}), dict), f"node {number} has no proper parameters")
    must = {"op", "shape", "dtype"} | FURTHER.get(op, set())
    may = EVERY | FURTHER.get(op, {"inputs", "params"})
    odd = (must - set(record)) | (set(record) - may)
    if odd:
        raise FileError(f"node {number} ({op}) has {str(sorted(odd)[:3])[:60]} too many or too few")


def add(graph, number, record, arrays):
    """Adds a node to the graph; its inputs can only be nodes that are there already."""
    where, spec = f"node {number} ({record['op']})", record["spec"]
    name, scope = record.get("name"), record.get("scope", "")
    for text in (name or "", scope):
        expect(isinstance(text, str) and len(text) <= LONGEST_NAME, f"{where} has no proper name")
    controls = tuple(earlier(graph, record, "controls", where))
    with graph:
        node = made(graph, record, spec, arrays, where)
    if spec_of(node) != spec:
        raise FileError(f"{where} says it is {spec}, but gives {spec_of(node)}")
    expect(node.name == name, f"{where} has the name {name!r} of another node")
    node.scope, node.controls = scope, controls


def made(graph, record, spec, arrays, where):
    """The node of a record."""
    op, name = record["op"], record.get("name")
    if op == "Placeholder":
        return Node(graph, PlaceholderOp, (), {}, spec, name)
    if op == "RunIndex":
        expect(name is None, f"{where} has a name")
        return run_index(graph)
    if op == "Constant":
        return Constant(graph, arrays[record["array"]], name)
    if op == "Variable":
        expect(type(record["trainable"]) is bool, f"{where} is neither trainable nor not")
        return Variable(arrays[record["array"]], name, record["trainable"])
    return computed(graph, OPS[op], record, arrays, where)


def computed(graph, op, record, arrays, where):
    """The node of an op, its Spec inferred from its inputs."""
    inputs = tuple(earlier(graph, record, "inputs", where))
    params = {name: fn(value["body"], arrays, where) if is_body(value) else decoded(value)
              for name, value in record.get("params", {}).items()}
    check_call(op, len(inputs), params)
    expect(op is not Assign or isinstance(inputs[0], Variable), f"{where} is of no variable")
    try:
        spec = Spec(*op.infer(*map(spec_of, inputs), **params))
    except MinigradError as error:
        raise FileError(f"{where}: {error.fact}") from None
    except Exception as error:  # the rule of an op, on parameters that no call could have
        raise FileError(f"{where}: {type(error).__name__}: {str(error)[:80]}") from None
    return Node(graph, op, inputs, params, spec, record.get("name"))


def fn(record, arrays, where):
    """The body of a loop or a branch; it holds inputs, constants, and ops without effects."""
    name, count, records = record["name"], record["inputs"], record["nodes"]
    expect(isinstance(name, str) and len(name) <= LONGEST_NAME and type(count) is int,
           f"{where} has a body without a name or inputs")
    graph, ops = Graph(name), [r["op"] for r in records]
    expect(0 <= count <= len(ops) and ops[:count] == ["Placeholder"] * count and all(
        op == "Constant" or op in OPS and not OPS[op].effect for op in ops[count:]),
        f"the body of {where} holds what no body can")
    for number, part in enumerate(records):
        add(graph, number, part, arrays)
    outputs = earlier(graph, record, "outputs", where)
    return Fn(name, graph.nodes[:count], outputs)


def earlier(graph, record, entry, where):
    """The nodes that an entry names by numbers."""
    numbers = record.get(entry, [])
    if not isinstance(numbers, list) or not all(
            type(n) is int and 0 <= n < len(graph.nodes) for n in numbers):
        raise FileError(f"{where} has {entry} {str(numbers)[:40]}, which are not all earlier nodes")
    return [graph.nodes[n] for n in numbers]


def nest(outputs, nodes, depth=0):
    """The nest of outputs, with nodes for their numbers."""
    expect(depth <= DEEPEST_NEST, "the outputs are nested too deeply")
    if isinstance(outputs, list):
        return [nest(part, nodes, depth + 1) for part in outputs]
    if isinstance(outputs, dict):
        return {key: nest(part, nodes, depth + 1) for key, part in outputs.items()}
    expect(type(outputs) is int and 0 <= outputs < len(nodes),
           f"{str(outputs)[:40]} is no output")
    return nodes[outputs]
