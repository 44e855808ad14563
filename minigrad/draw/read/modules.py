"""What modules say of a graph: whose each value is, by when it was computed, and weights' names."""

import sys
from bisect import bisect_left
from collections import defaultdict

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
    orders, firsts = computed_orders(values), []
    for module in [calls.module() for calls in list(known_calls().values())]:
        starts = [] if id(module) in seen else [x[0] for _, x in calls_among(module, orders)]
        if starts:
            firsts.append((min(starts)[0], module))
    firsts.sort(key=lambda first: first[0])
    parts = set()
    for _, module in firsts:
        inner, within = [], {id(module)}
        for name, held in vars(module).items():
            walk_parts(name, held, inner, within, 1)
        parts |= within - {id(module)}
    stems = [(type(m).__name__.lower(), m) for _, m in firsts if id(m) not in parts]
    words = [stem for stem, _ in stems]
    return [
        (stem + str(words[:at].count(stem)) * (words.count(stem) > 1), module)
        for at, (stem, module) in enumerate(stems)
    ]


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


def module_scopes(modules, values):
    """{identity of a value: the path of the innermost module that computed it}."""
    orders, found = computed_orders(values), {}
    calls = [(*call, path) for path, module in modules for call in calls_among(module, orders)]
    calls.sort(key=lambda call: call[0])  # of nested ones, the inner one is shorter
    for _, inside, path in calls:
        for _, identity in inside:
            found.setdefault(identity, path)
    return found


def known_calls():
    """{identity of a module: its calls}, where the learner has loaded mg.nn."""
    return peek(sys.modules.get(LAYERS), "module_calls", default={})


def computed_orders(values):
    """{identity of a graph, and of None for Tensors: [(order, identity), …] of the values that were
    computed in it, sorted}."""
    found = defaultdict(list)
    for value in values:
        order = peek(value, "order")
        if isinstance(order, int) and peek(value, "inputs"):
            found[id(peek(value, "graph"))].append((order, id(value)))
    return {graph: sorted(pairs) for graph, pairs in found.items()}


def calls_among(module, orders):
    """(how many values were made, what of `orders` is among them) of each call of a module that
    computed some of these."""
    calls = known_calls().get(id(module))
    for graph_ref, first, last in list(calls.spans) if calls else ():
        graph = graph_ref and graph_ref()
        if graph is None and graph_ref is not None:
            continue
        known = orders.get(id(graph), [])
        inside = known[bisect_left(known, (first,)) : bisect_left(known, (last,))]
        if inside:
            yield last - first, inside
