"""The static engine's runner: compiles what is fetched from what is fed, once, and runs it."""

from typing import NamedTuple

import numpy as np

from minigrad.errors import ArgumentError, FeedError, GraphError
from minigrad.graph import (
    Assign, Constant, Graph, Node, RunIndex, Variable, default_graph,
)
from minigrad.op import Value, explained
from minigrad.spec import Spec, as_array, is_float
from minigrad.tree import flatten, unflatten


class Session:
    """Holds the variables of a graph and computes fetches.

    Every new combination of fetches, fed nodes, shapes and dtypes is compiled once; `compiled`
    counts them.
    """

    def __init__(self, graph=None):
        self.graph = default_graph() if graph is None else graph
        if not isinstance(self.graph, Graph):
            raise ArgumentError(f"Session of {self.graph!r}", "pass a Graph, or nothing")
        self.stored, self.executables, self.runs = {}, {}, 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        """Forgets variables and compiled programs."""
        self.stored, self.executables, self.runs = {}, {}, 0

    @property
    def compiled(self):
        """How many programs were compiled so far."""
        return len(self.executables)

    def value(self, variable):
        """The array stored for a variable; not to be changed."""
        return self.stored.get(variable.order, variable.initial)

    def set(self, variable, value):
        """Stores `value`, an array of the variable's shape and dtype."""
        if not isinstance(variable, Variable):
            raise GraphError(f"{variable!r} is no Variable: it stores nothing",
                             "make it with mg.Variable(initial)")
        check_fetches([variable], self.graph)
        self.stored[variable.order] = np.array(checked_feed(variable, value))

    def run(self, fetches, feed_dict=None):
        """The values of `fetches`, in the same nest of lists, tuples and dicts, as new arrays.

        `feed_dict` maps nodes to values; any node may be fed. Assignments take effect together,
        at the end of a run that succeeds.
        Raises FeedError for a missing, unknown or unfitting feed.
        """
        nodes, structure = flatten(fetches)
        check_fetches(nodes, self.graph)
        feeds = checked_feeds(feed_dict or {}, self.graph)
        key = (tuple(n.order for n in nodes),
               tuple((order, a.shape, a.dtype) for order, a in sorted(feeds.items())))
        exe = self.executables.get(key)
        if exe is None:
            exe = self.executables[key] = Executable(nodes, feeds, self.graph)
        results, changed = exe.run(feeds, self.value, self.runs)
        self.stored.update(changed)
        self.runs += 1
        return unflatten(structure, results)


# fetches and feeds -------------------------------------------------------------------------------


def check_fetches(nodes, graph):
    """Raises GraphError for a fetch that is no node of this graph."""
    for node in nodes:
        if not isinstance(node, Node):
            raise GraphError(f"{type(node).__name__} cannot be fetched", "fetch nodes of the graph")
        if node.graph is not graph:
            raise GraphError(f"{node!r} belongs to {node.graph}, this session to {graph}",
                             "make a Session of that graph")


def checked_feeds(feed_dict, graph):
    """{order: array} for the fed nodes. Raises FeedError naming node and value."""
    if not isinstance(feed_dict, dict):
        raise FeedError(f"feeds come as a dict, not as {type(feed_dict).__name__}",
                        "write {x: value}")
    return {checked_key(node, graph).order: checked_feed(node, value)
            for node, value in feed_dict.items()}


def checked_key(node, graph):
    """A fed node of this graph."""
    if not isinstance(node, Node):
        raise FeedError(f"{node!r} is no node, so nothing can be fed to it",
                        "use the node itself as the key: {x: value}")
    if node.graph is not graph:
        raise FeedError(f"{node!r} belongs to {node.graph}, this session to {graph}",
                        "feed nodes of the session's graph")
    return node


def checked_feed(node, value):
    """`value` as an array of the node's dtype that fits its shape; nothing is rounded."""
    given = value.data if isinstance(value, Value) and hasattr(value, "data") else value
    array = as_array(given)
    converted = array.astype(node.dtype, copy=False)
    if not exact(array, converted, weak=not isinstance(given, (np.ndarray, np.generic))):
        raise FeedError(f"{title(node)} is {Spec(node.shape, node.dtype)}, but {array.dtype} "
                        "numbers are fed that would be rounded",
                        f"convert them yourself: value.astype(np.{node.dtype})")
    if not fits(array.shape, node.shape):
        raise FeedError(f"{title(node)} is {Spec(node.shape, node.dtype)}, but "
                        f"{Spec(array.shape, array.dtype)} is fed", "feed an array of that shape")
    return converted


def exact(array, converted, weak):
    """True when a conversion loses nothing; `weak` Python numbers may become narrower floats."""
    if np.can_cast(array.dtype, converted.dtype, "safe"):
        return True
    return weak and np.can_cast(array.dtype, converted.dtype, "same_kind") and (
        is_float(converted.dtype) or np.array_equal(array, converted))


def fits(shape, declared):
    """True when a shape agrees with a declared one, in which None stands for any length."""
    return len(shape) == len(declared) and all(
        n is None or m == n for m, n in zip(shape, declared))


def title(node):
    """What a message calls a node."""
    return node.name or f"%{node.order} ({node.op})"


# compiling ---------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One computation: where its operands lie, where the result goes, what is dead after it."""

    node: Node
    inputs: list
    output: int
    dead: list


class Executable:
    """The steps that compute `fetches` from `feeds`, pruned, ordered and checked once.

    Steps run in order of creation, so an assignment is seen by what was created after it. A
    fetched variable has the value from before the run.
    """

    def __init__(self, fetches, feeds, graph):
        self.fetches = fetches
        nodes = needed(fetches, feeds)
        check_fed(nodes, feeds, fetches)
        specialized(nodes, feeds)
        self.slots = {node.order: slot for slot, node in enumerate(nodes)}
        self.sources = [n for n in nodes if n.order not in feeds and not n.inputs]
        self.constants = [(self.slots[n.order], n.value) for n in nodes
                          if isinstance(n, Constant) and n.order not in feeds]
        self.variables = [n for n in self.sources if isinstance(n, Variable)]
        self.indices = [self.slots[n.order] for n in self.sources if n.op is RunIndex]
        self.fed = [(order, self.slots[order]) for order in feeds if order in self.slots]
        self.steps = self.with_deaths([n for n in nodes if n.inputs and n.order not in feeds])

    def with_deaths(self, nodes):
        """The steps; each frees the slots that no later step reads."""
        kept = {self.slots[f.order] for f in self.fetches}
        kept |= {slot for _, slot in self.fed}
        kept |= {self.slots[n.order] for n in self.sources}
        steps, seen = [], set(kept)
        for node in reversed(nodes):
            inputs = [self.slots[x.order] for x in node.inputs]
            dead = sorted({self.slots[node.order], *inputs} - seen)
            seen.update(dead)
            steps.append(Step(node, inputs, self.slots[node.order], dead))
        return steps[::-1]

    def run(self, feeds, value, index):
        """(results, {variable's order: its new value}) of run number `index`.

        `value` looks a variable up.
        """
        env = [None] * len(self.slots)
        for slot in self.indices:
            env[slot] = np.asarray(index)
        for slot, array in self.constants:
            env[slot] = array
        for v in self.variables:
            env[self.slots[v.order]] = value(v)
        for order, slot in self.fed:
            env[slot] = feeds[order]
        fetched_before = {v.order: env[self.slots[v.order]] for v in self.variables}
        changed = {}
        for step in self.steps:
            node = step.node
            arrays = [env[i] for i in step.inputs]
            env[step.output] = result = computed(node, arrays)
            if node.op is Assign:
                target = node.inputs[0].order
                changed[target] = env[self.slots[target]] = np.array(result)  # nobody's view
            for slot in step.dead:
                env[slot] = None
        return [self.result(n, env, fetched_before) for n in self.fetches], changed

    def result(self, node, env, before):
        """A fetched value as an array that shares memory with nothing."""
        value = before.get(node.order, env[self.slots[node.order]])
        return None if value is None else np.array(value)


def needed(fetches, feeds):
    """The nodes that the fetches depend on, not looking behind fed ones; in order of creation."""
    found = {node.order: node for node in fetches}
    waiting = list(found.values())
    while waiting:
        node = waiting.pop()
        for x in () if node.order in feeds else node.inputs:
            if x.order not in found:
                found[x.order] = x
                waiting.append(x)
    return [found[order] for order in sorted(found)]


def check_fed(nodes, feeds, fetches):
    """Raises FeedError when a placeholder that is needed is not fed."""
    for node in nodes:
        if node.role == "input" and node.order not in feeds:
            wanted = ", ".join(map(title, fetches))
            raise FeedError(f"{wanted} cannot be computed: {title(node)}, "
                            f"{Spec(node.shape, node.dtype)}, is not fed",
                            f"add it: sess.run(…, {{{node.name or 'node'}: value}})")


def specialized(nodes, feeds):
    """{order: Spec} with every length known, for the shapes that are fed.

    Raises, with the line where the node was made, when the shapes do not go together.
    """
    specs = {}
    for node in nodes:
        if node.order in feeds:
            specs[node.order] = Spec(feeds[node.order].shape, node.dtype)
        elif node.inputs:
            specs[node.order] = inferred(node, [specs[x.order] for x in node.inputs])
        else:
            specs[node.order] = Spec(node.shape, node.dtype)
    return specs


def inferred(node, inputs):
    """The Spec of a node for known input shapes; unknown lengths must not turn into broadcasts."""
    try:
        spec = node.op.infer(*inputs, **node.params)
        stretched = node.op.elementwise and any(map(
            lambda x, s: stretches(x.shape, s.shape, spec.shape), node.inputs, inputs))
        if stretched or not fits(spec.shape, node.shape):
            raise FeedError(f"the fed lengths give shape {list(spec.shape)}, but the graph was "
                            f"built for {Spec(node.shape, node.dtype)}",
                            "feed equal lengths, or declare the length 1 in the placeholder")
        return spec
    except Exception as error:
        raise explained(error, node.op, [named(x, s) for x, s in zip(node.inputs, inputs)],
                        node.params, node.line) from None


def stretches(declared, given, result):
    """True when a length that was unknown is now 1 and would be repeated."""
    offset = len(result) - len(given)
    return any(n is None and m == 1 != result[i + offset]
               for i, (n, m) in enumerate(zip(declared, given)))


class Named(NamedTuple):
    """A Spec under the name of its node, for messages."""

    shape: tuple
    dtype: np.dtype
    name: str


def named(node, spec):
    return Named(spec.shape, spec.dtype, node.name)


def computed(node, arrays):
    """One step; an error names the node's line, not the session's."""
    try:
        return node.op.compute(*arrays, **node.params)
    except Exception as error:
        inputs = [Named(np.shape(a), np.asarray(a).dtype, x.name)
                  for a, x in zip(arrays, node.inputs)]
        raise explained(error, node.op, inputs, node.params, node.line) from None
