"""What modules say of a graph: whose each value is, by when it was computed, and weights' names."""

import sys

from minigrad.draw.read import clean, is_value, peek

DEEPEST = 8  # parts within parts
LAYERS = "minigrad.nn.layers"  # asked for what is alive there, where the learner has loaded it


def list_modules(names, values=()):
    """[(path, module)] of the modules among the learner's names, and of their parts; then of the
    others that computed some of the values, called by their classes."""
    found, seen = [], set()
    for name, thing in (names or {}).items():
        if isinstance(name, str) and not name.startswith("_"):
            walk_parts(clean(name, 28), thing, found, seen, 0)
    for name, module in nameless_modules(values, seen):
        walk_parts(name, module, found, seen, 0)
    return found


def nameless_modules(values, seen):
    """[(name, module)] of the outermost modules that computed some of the values, in the order of
    their calls: "sequential", and where there are several "linear0", "linear1"."""
    called = list(peek(sys.modules.get(LAYERS), "called", default={}).values())
    spans = [(first, m) for m in called if id(m) not in seen and (first := first_call(m, values))]
    spans.sort(key=lambda span: span[0])
    parts = set()
    for _, module in spans:
        inner, within = [], {id(module)}
        for name, held in vars(module).items():
            walk_parts(name, held, inner, within, 1)
        parts |= within - {id(module)}
    stems = [(type(m).__name__.lower(), m) for _, m in spans if id(m) not in parts]
    words = [stem for stem, _ in stems]
    return [
        (stem + str(words[:at].count(stem)) * (words.count(stem) > 1), module)
        for at, (stem, module) in enumerate(stems)
    ]


def first_call(module, values):
    """The order of the first of the values that a module computed; None where it did none."""
    spans = peek(module, "computed", default=())
    inside = (
        order
        for value in values
        if peek(value, "inputs") and isinstance(order := peek(value, "order"), int)
        for graph, first, last in spans
        if graph is peek(value, "graph") and first <= order < last
    )
    return min(inside, default=None)


def walk_parts(path, thing, found, seen, depth):
    """Adds a module and its parts, also those in lists and dicts."""
    if depth > DEEPEST or id(thing) in seen or is_value(thing):
        return
    if is_module(thing):
        seen.add(id(thing))
        found.append((path, thing))
        for name, held in vars(thing).items():
            walk_parts(f"{path}/{name}", held, found, seen, depth + 1)
    elif depth and isinstance(thing, (list, tuple, dict)):
        for key, held in thing.items() if isinstance(thing, dict) else enumerate(thing):
            walk_parts(f"{path}.{key}", held, found, seen, depth + 1)


def is_module(thing):
    """Whether it has parameters, and notes what each of its calls computed."""
    if isinstance(thing, type) or not type(thing).__dictoffset__:
        return False
    return callable(getattr(thing, "named_parameters", None))


def weight_names(modules):
    """{identity of a value: its name, with its module's}: "model/layers.0/W"."""
    found = {}
    for path, module in modules:
        for name, held in vars(module).items():
            if is_value(held):
                found.setdefault(id(held), f"{path}/{name}")
    return found


def module_scopes(modules):
    """A function from a value to the path of the innermost module that computed it; "" for none."""
    calls = [
        (last - first, first, last, graph, path)
        for path, module in modules
        for graph, first, last in peek(module, "computed", default=())
    ]
    calls.sort(key=lambda call: call[0])  # of nested ones, the inner one is shorter

    def scope(value):
        order, graph = peek(value, "order"), peek(value, "graph")
        if not isinstance(order, int) or not peek(value, "inputs"):
            return ""
        inside = (c[-1] for c in calls if c[3] is graph and c[1] <= order < c[2])
        return next(inside, "")

    return scope if calls else lambda value: ""
