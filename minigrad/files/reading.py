"""Loading: a saved graph, built again from ops that are known, every shape inferred anew.

Nothing in a file is executed or imported. Its sizes are looked at before it is read, and a graph
is returned only when all of it has been checked.
"""

import hashlib
import io
import json
import re

from minigrad.core.errors import FileError, MinigradError
from minigrad.core.modes import CompositeCall
from minigrad.core.spec import Spec, spec_of
from minigrad.files import limits
from minigrad.files.arrays import unpack_arrays
from minigrad.files.atomic import BYTES, FORMAT, TOKEN, VERSION, arrays_path, is_whole, open_file
from minigrad.files.limits import check_body, check_name, check_nest, expect_in_file, is_count
from minigrad.files.net import Net, nodes_by_name
from minigrad.files.paths import GivenPath, user_path
from minigrad.files.registry import OPS
from minigrad.files.signatures import check_call
from minigrad.files.values import decode_value, spec_from
from minigrad.static.control import Fn
from minigrad.static.control.bundle import Bundle
from minigrad.static.graph import Constant, Graph, Node, PlaceholderOp, Variable, run_index

START = re.compile(re.escape(BYTES) + rb" (\d{1,12})\n")
ATTEMPTS = 100  # to find the arrays of a .json file that is being replaced
HEADS = {1: {"format", "version", "arrays", "outputs", "nodes"}}
HEADS[VERSION] = HEADS[1] | {"file", "checksum", "runs"}
EVERY = {
    "op",
    "shape",
    "dtype",
    "name",
    "scope",
    "controls",
    "as_of",
    "made_by",
}  # what any node may have
STORED = {"Constant": {"array"}, "Variable": {"array", "trainable"}}
FURTHER: dict[str, set[str]] = {
    "Placeholder": set(),
    "RunIndex": set(),
} | STORED  # what those not computed must have
ODD = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, MemoryError)
BODY = {"name", "inputs", "nodes", "outputs"}


def load(path: GivenPath) -> Net:
    """Read the Net that save wrote to `path`: its graph, outputs, named inputs and a session.

    Nothing in the file is executed. Raises FileError, and changes nothing, for a file that is
    missing, damaged, of another version, too large, or not of the form that save gives it.

    >>> import tempfile
    >>> with mg.Graph():
    ...     y = mg.placeholder("x", (2,)) * 2
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mg.save(folder + "/net.json", y)
    ...     mg.load(folder + "/net.json")(x=[1.0, 2.0])
    array([2., 4.])
    """
    found = user_path(path)
    open_file(found, path).close()  # what is not there is named as it was given
    try:
        return read_net(found)
    except FileError as error:
        message = f"{found.name}: {error.message}"
        raise FileError(message, error.hint or "save the graph again with mg.save") from None


def from_bytes(data: bytes) -> Net:
    """Read the Net that to_bytes wrote, with the checks of a file. Raises FileError.

    >>> with mg.Graph():
    ...     y = mg.placeholder("x", (2,)) * 2
    >>> mg.from_bytes(mg.to_bytes(y))(x=[1.0, 2.0])
    array([2., 4.])
    """
    try:
        text, packed = split_bytes(data)
        limits.check_text(text)
        head = read_head(parse_text(text))
        expect_in_file(is_whole(text), "they were changed or damaged")
        return rebuild_net("graph", head, packed)
    except FileError as error:
        hint = error.hint or "make them again with mg.to_bytes"
        raise FileError(f"the bytes of a net: {error.message}", hint) from None


def split_bytes(data):
    """(the .json text, the bytes of the .npz file) of a net in one object."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        hint = "pass what mg.to_bytes returned; mg.load reads a file"
        raise FileError(f"they have the type {type(data).__name__}", hint)
    start = START.match(data)
    if start is None:
        raise FileError("they do not begin like a saved net")
    stop = start.end() + int(start[1])
    return data[start.end() : stop], data[stop:]


def read_net(path):
    """The same; errors do not name the file yet."""
    return rebuild_net(path.stem, *read_both(path))


def rebuild_net(name, head, packed):
    """The Net of a .json value and the bytes of its .npz file."""
    specs = array_specs(head["nodes"])
    message = "the .npz file is not the one that was saved with the .json file"
    hint = "keep the two files of one save together"
    expect_in_file(hashlib.sha256(packed).hexdigest() == head["arrays"], message, hint)
    arrays = read_arrays(packed, specs)
    graph = Graph(name)
    for number, record in enumerate(head["nodes"]):
        add_node(graph, number, record, arrays)
    outputs = read_nest(head["outputs"], graph.nodes)
    inputs = nodes_by_name([n for n in graph.nodes if n.op is PlaceholderOp])
    return Net(graph, outputs, inputs, runs=head.get("runs", 0))


def read_both(path):
    """(the JSON value, the bytes of the .npz file), of one save.

    When another save has taken the arrays away between two steps, the .json file is new.
    """
    before = None
    for _ in range(ATTEMPTS):
        text = read_content(path, limits.MOST_TEXT)
        head = read_head(parse_text(text))
        whole = head["version"] == 1 or is_whole(text)
        expect_in_file(whole, "it was changed or damaged after it was saved")
        try:
            return head, read_content(arrays_path(path, head.get("file")), 2 * limits.MOST_BYTES)
        except FileError:
            if text == before:
                raise
            before = text
    raise FileError("other programs keep replacing it", "load it while no program saves to it")


def read_head(head):
    """The JSON value. Raises FileError unless it has the entries of a version that is known."""
    expect_in_file(
        isinstance(head, dict) and head.get("format") == FORMAT, "this is not a saved graph"
    )
    version, hint = head.get("version"), f"this minigrad reads versions up to {VERSION}"
    known = type(version) is int and version in HEADS
    expect_in_file(known, f"version {str(version)[:20]} is not known", hint)
    check_entries("it", set(head), HEADS[version], HEADS[version])
    if version > 1:
        token, runs = head["file"], head["runs"]
        named = isinstance(token, str) and TOKEN.fullmatch(token)
        expect_in_file(named, f"{str(token)[:40]} names no file of arrays")
        expect_in_file(is_count(runs) and runs <= limits.MOST_RUNS, "it has no number of runs")
    return head


def read_content(path, most):
    """The bytes of a file that has at most so many."""
    with open_file(path, path.name) as file:
        found = file.read(most + 1)
    expect_in_file(len(found) <= most, f"{path.name} has more than {most} bytes")
    return found


def read_arrays(packed, specs):
    """The arrays a0, a1, … of an .npz file, which must have these Specs."""

    def check(found):
        names = [f"a{i}" for i in range(len(specs))]
        expect_in_file(
            list(found) == names, f"it does not hold the {len(specs)} arrays of the nodes"
        )
        for (name, spec), expected in zip(found.items(), specs):
            expect_in_file(spec == expected, f"{name} is {str(spec)[:60]}, but its node {expected}")

    try:
        return list(unpack_arrays(io.BytesIO(packed), check).values())
    except FileError as error:
        raise FileError(f"the .npz file: {error.message}", error.hint) from None


def parse_text(text):
    """The value of a JSON text in which no key stands twice."""
    try:
        return json.loads(
            text.decode(), object_pairs_hook=check_unique, parse_constant=refuse_number
        )
    except (ValueError, RecursionError) as error:
        raise FileError(f"it is not JSON: {str(error)[:200]}") from None


def check_unique(pairs):
    """The dict of JSON's pairs."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError(f"a key appears twice in {[key for key, _ in pairs][:5]}")
    return dict(pairs)


def refuse_number(name):
    raise ValueError(f"{name} is not a number")


# nodes -------------------------------------------------------------------------------------------


def array_specs(records):
    """The Specs of the arrays that nodes want, after all nodes have been looked at."""
    specs, sizes = [], limits.Sizes()
    for record in all_records(records, 0):
        spec, stored = spec_from(record["shape"], record["dtype"]), "array" in record
        if record["op"] in FURTHER:
            expect_in_file(not isinstance(spec.dtype, Bundle), f"a {record['op']} is one array")
        if stored:
            own = type(record["array"]) is int and record["array"] == len(specs)
            expect_in_file(own, f"a {record['op']} does not have array {len(specs)}")
            expect_in_file(None not in spec.shape, "an array has no known size")
            specs.append(spec)
        sizes.add(spec, stored)
        record["spec"] = spec
    return specs


def all_records(records, depth):
    """All nodes, also those of bodies, which come before the node that has them."""
    expect_in_file(isinstance(records, list), "the nodes are not a list")
    check_body(depth)
    for number, record in enumerate(records):
        check_form(number, record, depth)
        for value in record.get("params", {}).values():
            if is_body(value):
                whole = isinstance(value["body"], dict) and set(value["body"]) == BODY
                expect_in_file(whole, f"node {number} has no proper body")
                yield from all_records(value["body"]["nodes"], depth + 1)
        yield record


def is_body(value):
    """True for a parameter that is the body of a loop or a branch."""
    return isinstance(value, dict) and set(value) == {"body"}


def check_form(number, record, depth):
    """Raises FileError unless a node has the entries of its op, and no others."""
    op = record.get("op") if isinstance(record, dict) else None
    expect_in_file(isinstance(op, str), f"node {number} names no op")
    expect_in_file(
        op in FURTHER or op in OPS, f"node {number} has the op {op[:40]!r}, which is not known"
    )
    expect_in_file(
        isinstance(record.get("params", {}), dict), f"node {number} has no proper parameters"
    )
    must = {"op", "shape", "dtype"} | FURTHER.get(op, set())
    may = EVERY | FURTHER.get(op, {"inputs", "params", "segment"})
    may -= {"controls", "as_of"} if depth else set()
    check_entries(f"node {number} ({op})", set(record), must, may)


def check_entries(what, found, must, may):
    """Raises FileError naming an entry that is missing, or one that is not known."""
    for key in sorted(must - found):
        raise FileError(f"{what} has no entry {key!r}")
    for key in sorted(found - may):
        raise FileError(f"{what} has the entry {key[:40]!r}, which is not known")


def add_node(graph, number, record, arrays):
    """Adds a node to the graph; its inputs can only be nodes that are there already."""
    try:
        name, spec = read_names(record), record["spec"]
        controls = tuple(earlier_nodes(graph, record, "controls"))
        version, segment = (read_count(record, entry) for entry in ("as_of", "segment"))
        call = read_call(graph, record, number)
        with graph:
            node = build_node_of(graph, record, spec, arrays)
        expect_in_file(spec_of(node) == spec, f"it says it is {spec}, but gives {spec_of(node)}")
        expect_in_file(node.name == name, f"it has the name {name!r} of another node")
        expect_in_file(
            version is None or version <= number, "it reads variable values of a later node"
        )
    except MinigradError as error:
        raise FileError(f"node {number} ({record['op']}): {error.message}", error.hint) from None
    node.scope, node.controls = record.get("scope", ""), controls
    node.segment, node.version, node.made_by = segment, version, call


def read_call(graph, record, number):
    """The call of a composite function that a node is made by, or None: [name, its first node]."""
    if "made_by" not in record:
        return None
    entry = record["made_by"]
    pair = isinstance(entry, list) and len(entry) == 2
    expect_in_file(pair and is_count(entry[1]), "its made_by is not a call")
    name, first = entry
    check_name(name)
    if first == number:
        return CompositeCall(name)
    made_by = graph.nodes[first].made_by if first < number else None
    same = made_by is not None and made_by.name == name
    expect_in_file(same, f"node {first} is not made by the same call")
    return made_by


def read_names(record):
    """The name of a record, or None. Raises FileError for what is no name or scope."""
    for what in ("name", "scope"):
        if what in record:
            check_name(record[what], what)
    return record.get("name")


def read_count(record, entry):
    """The number of an entry, None when it is not there."""
    number = record.get(entry)
    known = entry not in record or is_count(number) and number <= limits.MOST_NODES
    expect_in_file(known, f"its {entry} is not the number of a node")
    return number


def build_node_of(graph, record, spec, arrays):
    """The node of a record."""
    op, name = record["op"], record.get("name")
    if op == "Placeholder":
        return Node(graph, PlaceholderOp, (), {}, spec, name)
    if op == "RunIndex":
        expect_in_file(name is None, "it has a name")
        return run_index(graph)
    if op == "Constant":
        return Constant(graph, arrays[record["array"]], name)
    if op == "Variable":
        expect_in_file(type(record["trainable"]) is bool, "it is neither trainable nor not")
        return Variable(arrays[record["array"]], name, record["trainable"])
    return build_computed(graph, OPS[op], record, arrays)


def build_computed(graph, op, record, arrays):
    """The node of an op, its Spec inferred from its inputs."""
    inputs = tuple(earlier_nodes(graph, record, "inputs"))
    params = {
        name: read_body(value["body"], arrays) if is_body(value) else decode_value(value)
        for name, value in record.get("params", {}).items()
    }
    try:
        check_call(op, inputs, params)
        spec = Spec(*op.infer(*map(spec_of, inputs), **params))
    except MinigradError:
        raise
    except ODD as error:  # the rule of an op, on parameters that no call could have
        raise FileError(f"{type(error).__name__}: {str(error)[:80]}") from None
    return Node(graph, op, inputs, params, spec, record.get("name"))


def read_body(record, arrays):
    """The body of a loop or a branch; it holds inputs, constants, and ops without effects."""
    name, count, records = record["name"], record["inputs"], record["nodes"]
    check_name(name)
    expect_in_file(type(count) is int, "its body has no number of inputs")
    graph, ops = Graph(name), [r["op"] for r in records]
    inputs = 0 <= count <= len(ops) and ops[:count] == ["Placeholder"] * count
    pure = all(op == "Constant" or op in OPS and not OPS[op].effect for op in ops[count:])
    expect_in_file(inputs and pure, "its body contains an op that is not allowed in a body")
    for number, part in enumerate(records):
        add_node(graph, number, part, arrays)
    outputs = earlier_nodes(graph, record, "outputs")
    return Fn(name, graph.nodes[:count], outputs)


def earlier_nodes(graph, record, entry):
    """The nodes that an entry names by numbers."""
    numbers = record.get(entry, [])
    count = len(graph.nodes)
    if not isinstance(numbers, list) or not all(is_count(n) and n < count for n in numbers):
        raise FileError(f"its {entry} {str(numbers)[:40]} are not all earlier nodes")
    return [graph.nodes[n] for n in numbers]


def read_nest(outputs, nodes, depth=0):
    """The nest of outputs, with nodes for their numbers."""
    check_nest(depth)
    if isinstance(outputs, list):
        return [read_nest(part, nodes, depth + 1) for part in outputs]
    if isinstance(outputs, dict):
        return {key: read_nest(part, nodes, depth + 1) for key, part in outputs.items()}
    expect_in_file(
        is_count(outputs) and outputs < len(nodes), f"{str(outputs)[:40]} is not an output"
    )
    return nodes[outputs]
