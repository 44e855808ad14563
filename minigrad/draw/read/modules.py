"""What modules say of a graph: whose each value is, by when it was computed, and weights' names."""

from minigrad.draw.read import clean, is_value, peek

DEEPEST = 8  # parts within parts


def list_modules(names):
    """[(path, module)] of the modules among the learner's names, and of their parts."""
    found, seen = [], set()
    for name, thing in (names or {}).items():
        if isinstance(name, str) and not name.startswith("_"):
            walk_parts(clean(name, 28), thing, found, seen, 0)
    return found


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
    named = callable(getattr(thing, "named_parameters", None)) and not isinstance(thing, type)
    return named and hasattr(thing, "__dict__")


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
