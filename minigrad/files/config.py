"""Nets from a description in YAML or JSON."""

import inspect
from difflib import get_close_matches
from functools import partial
from io import TextIOWrapper
from pathlib import Path

import minigrad as mg
from minigrad.core.errors import FileError, MinigradError
from minigrad.files.atomic import open_file
from minigrad.files.lines import error_at_line, json_item, yaml_item
from minigrad.files.net import Net
from minigrad.files.paths import GivenPath, user_path
from minigrad.static.graph import Graph, name_scope, placeholder

MOST_TEXT = 2**20  # characters of a description
LAYERS = """Linear Conv2d MaxPool2d Flatten ReLU Tanh Sigmoid Dropout LayerNorm
BatchNorm""".split()
ENTRYWISE = [  # functions of one value, and of nothing else
    name
    for name in mg.core.ops.__all__
    if inspect.isfunction(function := vars(mg).get(name))
    and list(inspect.signature(function).parameters) == ["x"]
]
OPS = [
    *ENTRYWISE,
    *"""softmax log_softmax clip sum mean var std max min prod cumsum logsumexp reshape transpose
    squeeze expand_dims matmul maximum minimum remainder""".split(),
]
JOINS = {
    "add": lambda *xs: sum(xs[1:], xs[0]),
    "concatenate": lambda *xs, axis=-1: mg.concatenate(xs, axis),
}
LOSSES = ("cross_entropy", "mse")
WIDTHS = {"Linear": -1, "Conv2d": 1, "LayerNorm": -1, "BatchNorm": 1}  # the axis that is counted
COUNTED = {"Linear": "inputs", "Conv2d": "inputs", "LayerNorm": "size", "BatchNorm": "size"}


def from_config(path_or_text: GivenPath) -> Net:
    r"""Build the Net of a description; its outputs are {name: node} of all layers and the loss.

    A YAML text (JSON likewise; a path ends in .yaml, .yml or .json):

        inputs:
          x: {shape: [null, 784]}
          labels: {shape: [null], dtype: int64}
        layers:
          - {name: hidden, type: Linear, outputs: 100}
          - {type: ReLU}
          - {name: scores, type: Linear, outputs: 10}
        loss: {type: cross_entropy, from: [scores, labels]}

    A layer is a class of mg.nn or an op, with its arguments by name. It takes what `from` names,
    one name or a list, else the layer before, at first the first input. A layer's number of
    inputs may be left out. Raises FileError naming the line.

    >>> text = "inputs: {x: {shape: [null, 3]}}\nlayers: [{type: Linear, outputs: 2, name: y}]"
    >>> mg.from_config(text)(x=np.zeros((4, 3)))["y"].shape
    (4, 2)
    """
    text, name, read = read_source(path_or_text)
    if len(text) > MOST_TEXT:
        raise FileError(f"{name} has more than {MOST_TEXT} characters", "describe a smaller net")
    try:
        return build_net(
            read_entries(read(text), {"inputs", "layers", "loss"}, {"inputs", "layers"}), name
        )
    except FileError as error:
        raise FileError(f"{name}, {error.message}", error.hint) from None


def read_source(path_or_text):
    """(the text, what messages call it, its reader)."""
    given = str(path_or_text)
    if isinstance(path_or_text, str) and ("\n" in given or given.lstrip().startswith("{")):
        return given, "the text", json_item if given.lstrip().startswith("{") else yaml_item
    path = user_path(path_or_text)
    if path.suffix not in (".json", ".yaml", ".yml"):
        raise FileError(f"{path.name} is not a description", "give it the suffix .yaml or .json")
    read = json_item if path.suffix == ".json" else yaml_item
    with open_file(path, path_or_text) as file:
        try:
            return TextIOWrapper(file, encoding="utf-8").read(), path.name, read
        except ValueError as error:
            message = f"{path.name} cannot be read: {error}"
            raise FileError(message, "save it as UTF-8 in your editor") from None


def read_entries(item, known, needed):
    """An Item's dict. Raises FileError for an entry that is missing or not known."""
    if not isinstance(item.value, dict):
        raise error_at_line(item.line, f"{as_plain(item)!r} has no entries", "write key: value")
    for key, part in item.value.items():
        if known is not None and key not in known:
            message = f"{key!r} is not known here"
            raise error_at_line(part.line, message, suggest_choice(key, sorted(known)))
    for key in sorted(needed - set(item.value)):
        raise error_at_line(item.line, f"{key!r} is missing", f"add {key}: …")
    return item.value


def suggest_choice(name, known):
    """The cure for a name that is not known."""
    near = get_close_matches(str(name).lower(), [k.lower() for k in known], 1)
    meant = [k for k in known if k.lower() in near]
    return f"write {meant[0]}" if meant else f"choose from {', '.join(known) or 'nothing'}"


def as_plain(item):
    """An Item as a Python value; lists become tuples."""
    if isinstance(item.value, dict):
        return {key: as_plain(part) for key, part in item.value.items()}
    if isinstance(item.value, list):
        return tuple(as_plain(part) for part in item.value)
    return item.value


# building ----------------------------------------------------------------------------------------


def build_net(head, name):
    """The Net of a description."""
    values, modules = {}, {}
    with Graph(Path(name).stem) as graph:
        for key, item in read_entries(head["inputs"], None, set()).items():
            values[key] = attempt(item.line, key, partial(new_input, key, item))
        inputs = dict(values)
        if not inputs:
            raise error_at_line(
                head["inputs"].line, "the inputs are missing", "add x: {shape: […]}"
            )
        if not isinstance(head["layers"].value, list):
            message = "layers is not a list"
            raise error_at_line(head["layers"].line, message, "write - {type: …} for each")
        last = next(iter(values))
        for item in head["layers"].value:
            last = add_layer(item, values, modules, last)
        outputs = {key: node for key, node in values.items() if key not in inputs}
        if "loss" in head:
            outputs["loss"] = new_loss(head["loss"], values)
    return Net(graph, outputs, inputs, modules)


def attempt(line, name, make):
    """make(), with the line in front of what goes wrong."""
    try:
        return make()
    except FileError:
        raise
    except MinigradError as error:
        raise error_at_line(line, f"{name}: {error.message}", error.hint) from None
    except (TypeError, ValueError, ArithmeticError, MemoryError) as error:
        raise error_at_line(line, f"{name}: {error}", "check its options") from None


def new_input(name, item):
    """A placeholder from {shape: […], dtype: …}."""
    given = {
        key: as_plain(part)
        for key, part in read_entries(item, {"shape", "dtype"}, {"shape"}).items()
    }
    return placeholder(name, **given)


def add_layer(item, values, modules, last):
    """Adds what a layer computes to `values`; returns the layer's name."""
    parts = dict(read_entries(item, None, {"type"}))
    kind, sources = as_plain(parts.pop("type")), wire_inputs(parts.pop("from", None), values, last)
    name = as_plain(parts.pop("name")) if "name" in parts else f"{kind}_{len(values)}".lower()
    if not isinstance(name, str) or name in values or name == "loss":
        raise error_at_line(item.line, f"the name {name!r} cannot be used", "choose a new name")
    make = find_maker(kind, item.line)
    options = check_options(kind, make, parts, sources, item.line)

    def compute():
        with name_scope(name):
            if kind not in LAYERS:
                return make(*sources, **options)
            modules[name] = make(**options)
            return modules[name](*sources)

    values[name] = attempt(item.line, name, compute)
    return name


def wire_inputs(item, values, last):
    """The nodes that `from` names, else the one before."""
    if item is None:
        return [values[last]]
    names = as_plain(item) if isinstance(item.value, list) else (as_plain(item),)
    for name in names:
        if not isinstance(name, str) or name not in values:
            message = f"from names {name!r}, which does not stand above"
            raise error_at_line(item.line, message, suggest_choice(name, values))
    return [values[name] for name in names]


def find_maker(kind, line):
    """The layer class or op of a type."""
    if kind in LAYERS:
        return getattr(mg.nn, kind)
    if kind in OPS:
        return getattr(mg, kind)
    if isinstance(kind, str) and kind in JOINS:
        return JOINS[kind]
    message = f"the type {kind!r} is not known"
    raise error_at_line(line, message, suggest_choice(kind, [*LAYERS, *OPS, *JOINS]))


def check_options(kind, make, parts, sources, line):
    """The arguments of a layer by name; a number of inputs that is left out is counted."""
    known = list(inspect.signature(make).parameters)
    known = known if kind in LAYERS else known[1:]
    for key, part in parts.items():
        if key not in known:
            message = f"{kind} has no option {key!r}"
            raise error_at_line(part.line, message, suggest_choice(key, known))
    options = {key: as_plain(part) for key, part in parts.items()}
    if kind in WIDTHS and len(sources[0].shape) > 1:
        options.setdefault(COUNTED[kind], sources[0].shape[WIDTHS[kind]])
    check_complete(kind, make, sources, options, line)
    return options


def check_complete(kind, make, sources, options, line):
    """Raises FileError where a layer or an op would get too few or too many arguments."""
    parameters = inspect.signature(make).parameters.values()
    ordered = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    some = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    given = 0 if kind in LAYERS else len(sources)
    most = 1 if kind in LAYERS else len(ordered)
    if not some and len(sources) > most:
        message = f"{kind} takes {most} value{'s' * (most > 1)}, but from names {len(sources)}"
        raise error_at_line(line, message, f"write {most} name{'s' * (most > 1)} there")
    for p in ordered[given:]:
        if p.default is p.empty and p.name not in options:
            raise error_at_line(line, f"{kind} has no {p.name!r}", f"add {p.name}: …")


def new_loss(item, values):
    """The loss, which compares two values."""
    parts = read_entries(item, {"type", "from"}, {"type", "from"})
    kind, sources = as_plain(parts["type"]), wire_inputs(parts["from"], values, None)
    if kind not in LOSSES:
        message = f"the loss {kind!r} is not known"
        raise error_at_line(parts["type"].line, message, suggest_choice(kind, LOSSES))
    if len(sources) != 2:
        message = f"a loss compares two values, not {len(sources)}"
        raise error_at_line(parts["from"].line, message, "write from: [scores, labels]")
    return attempt(item.line, "loss", lambda: getattr(mg, kind)(*sources))
