"""Lesson 07: a small static engine, cases, typical wrong answers, pictures. Words: 07.toml."""

import operator
import sys
from collections.abc import Set
from functools import partial

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson
from minigrad.course.teach import table

LONG = 60  # squarings in a chain: a search that follows each path would not end
MANY = 8  # nodes: of more than these, the number is told
RATE = 0.05  # of a step of fit_input
TRAINED = 1.25  # times its initial value: what a variable has in the session that is passed
MORE = 3  # further steps, by which one sees whether each of them builds nodes

# the engine --------------------------------------------------------------------------------------


class Node:
    """A node of a static graph: an operation on the values of its inputs, or a placeholder."""

    def __init__(self, op=None, inputs=(), name=None):
        self.op, self.inputs, self.name = op, inputs, name  # op is None in a placeholder

    def __add__(self, other):
        return Node(operator.add, (self, other))

    def __sub__(self, other):
        return Node(operator.sub, (self, other))

    def __mul__(self, other):
        return Node(operator.mul, (self, other))

    def __matmul__(self, other):
        return Node(operator.matmul, (self, other))


def tanh(x):
    """Build the node of tanh x."""
    return Node(np.tanh, (x,))


# needed ------------------------------------------------------------------------------------------


def four_nodes():
    """The graph of D = B · A + 1, and of F = (C − A) · C, by their names."""
    with mg.Graph():
        a, b = mg.placeholder("A"), mg.placeholder("B")
        c = b * a
        d = c + 1
        gap = c - a
        one = d.inputs[1]
        return {"A": a, "B": b, "C": c, "1": one, "D": d, "C - A": gap, "F": gap * c}


def chain():
    """x, and 60 squarings, each of the one before."""
    with mg.Graph():
        squares = [mg.placeholder("x")]
        for _ in range(LONG):
            squares.append(squares[-1] * squares[-1])
    return {"x": squares[0], **{f"square {at}": node for at, node in enumerate(squares[1:], 1)}}


def cases_needed():
    """(what makes the graph, the name of the fetch, the names of what is fed)."""
    small = [("D", ""), ("D", "C"), ("D", "A B"), ("F", "C"), ("F", "C A"), ("D", "D")]
    return [*[(four_nodes, *each) for each in small], (chain, f"square {LONG}", "")]


def show_needed(make, fetch, fed):
    """A case in words."""
    return f"the fetch {fetch}, with {fed.replace(' ', ' and ') or 'nothing'} fed"


def run_needed(function, make, fetch, fed):
    """The names of the nodes that a function finds, or how many they are; whether they are no set,
    and whether what is fed has changed."""
    by_name = make()
    given = {by_name[name] for name in fed.split()}
    found = function(by_name[fetch], given)
    if found is None:
        return None
    if isinstance(found, mg.Node):
        raise TypeError("the result is a node")
    known, names = {id(node): name for name, node in by_name.items()}, set()
    for each in found:
        if not isinstance(each, mg.Node):
            raise TypeError(f"the result contains {type(each).__name__}, which is not a node")
        names.add(known.get(id(each), "a node of an earlier call"))
    listed = ", ".join(name for name in [*by_name, "a node of an earlier call"] if name in names)
    told = f"{len(names)} nodes" if len(names) > MANY else listed or "no node"
    told += "" if isinstance(found, Set) else ", but not in a set"
    return told + ("" if len(given) == len(fed.split()) else ", but `fed` has changed")


def reference_needed(fetch, fed):
    """Find the nodes that a run must compute for a fetch, up to the fed nodes."""
    found, waiting = set(), [fetch]
    while waiting:
        node = waiting.pop()
        if node not in fed and node not in found:
            found.add(node)
            waiting += node.inputs
    return found


def not_cut(fetch, fed):
    """All nodes below the fetch, whatever is fed."""
    return reference_needed(fetch, set())


def cut_late(fetch, fed):
    """All nodes below the fetch, without the fed ones, but with what lies behind them."""
    return not_cut(fetch, fed) - fed


def with_fed(fetch, fed):
    """The right nodes, and the fed ones that are read."""
    found = reference_needed(fetch, fed)
    return found | {x for node in found for x in node.inputs} | {fetch}


def without_fetch(fetch, fed):
    """The right nodes but the fetch."""
    return reference_needed(fetch, fed) - {fetch}


def begins_below(fetch, fed):
    """The nodes found by a search that begins at the inputs of the fetch."""
    return set().union(*(reference_needed(x, fed) for x in fetch.inputs))


def one_level(fetch, fed):
    """The fetch and its inputs, without theirs."""
    return set() if fetch in fed else {fetch, *fetch.inputs} - fed


def fetch_not_asked(fetch, fed):
    """The right nodes, and the fetch even where it is fed."""
    return reference_needed(fetch, fed - {fetch})


def without_leaves(fetch, fed):
    """The operations alone."""
    return {node for node in reference_needed(fetch, fed) if node.inputs}


def no_set(fetch, fed):
    """The right nodes in a list."""
    return list(reference_needed(fetch, fed))


def changes_fed(fetch, fed):
    """The right nodes, which are put into the caller's set, too."""
    found = reference_needed(fetch, fed)
    fed |= found
    return found


# run ---------------------------------------------------------------------------------------------


def squared_difference(a, b):
    """(a − b)², whose difference has two uses."""
    d = a - b
    return d * d, {a: 5.0, b: 2.0}


def inner_fed(a, b):
    """c − b with c = a · b fed, and a not."""
    c = a * b
    return c - b, {c: 10.0, b: 1.0}


def all_fed(a, b):
    """The same with c and both of its inputs fed."""
    c = a * b
    return c - b, {a: 2.0, b: 3.0, c: 10.0}


def result_fed(a, b):
    """The product itself is fed."""
    c = a * b
    return c, {c: 10.0}


def with_zero(a, b):
    """A zero is fed, which is a value like any other."""
    c = a - b
    return c * b + a, {a: 4.0, b: 0.0, c: 0.0}


def long_chain(a, b):
    """60 squarings of 1."""
    for _ in range(LONG):
        a = a * a
    return a, {a if not a.inputs else first_input(a): 1.0}


def first_input(node):
    """The placeholder at the beginning of a chain."""
    while node.inputs:
        node = node.inputs[0]
    return node


RUNS = {  # in words → what makes the fetch and the feeds of two placeholders
    "(a + b) * (a - b), with a = 5 and b = 3": lambda a, b: ((a + b) * (a - b), {a: 5.0, b: 3.0}),
    "d * d, where d = a - b": squared_difference,
    "c - b, where c = a * b is fed, and a is not": inner_fed,
    "c - b, where c = a * b is fed, and a and b are fed, too": all_fed,
    "c = a * b, which is itself fed": result_fed,
    "c * b + a, where b and c are fed with 0": with_zero,
    f"a chain of {LONG} squarings": long_chain,
}


def cases_run():
    """All graphs, by their names."""
    return [(name,) for name in RUNS]


def show_run(name):
    """A case in words."""
    return name


def run_run(function, name):
    """A value, how many operations ran for it, and the value of a second run with other feeds."""
    fetch, feeds = RUNS[name](Node(name="a"), Node(name="b"))
    ran = []
    for node in reference_needed(fetch, set()):
        if node.op:
            node.op = counted(node.op, ran)
    given = [*feeds]
    first = function(fetch, feeds)
    if first is None:
        return None
    count = len(ran)
    for node in given:
        feeds[node] += 1.0
    return plain(first), count, plain(function(fetch, feeds))


def counted(op, ran):
    """An operation that notes each of its runs, and reduces large values."""

    def noted(*values):
        ran.append(op)
        return np.clip(op(*values), -100.0, 100.0)

    return noted


def plain(value):
    """A value as it is compared."""
    return "a dictionary of values" if isinstance(value, dict) else value


def reference_run(fetch, feeds):
    """Compute the value of a node from those that are fed, each operation at most once."""
    values = dict(feeds)
    return value_of(fetch, values)


def value_of(node, values):
    """The value of a node, which `values` has or gets."""
    if node not in values:
        values[node] = node.op(*[value_of(x, values) for x in node.inputs])
    return values[node]


def keeps_values(fetch, feeds):
    """Writes the values into the caller's feeds, so that the next run finds them there."""
    return value_of(fetch, feeds)


def all_values(fetch, feeds):
    """Every value that was computed, instead of one."""
    values = dict(feeds)
    value_of(fetch, values)
    return values


def inputs_reversed(fetch, feeds):
    """The operations with their inputs in the wrong order."""
    return reversed_value(fetch, dict(feeds))


def reversed_value(node, values):
    """The same for a node."""
    if node not in values:
        values[node] = node.op(*[reversed_value(x, values) for x in reversed(node.inputs)])
    return values[node]


# fit_input ---------------------------------------------------------------------------------------


def scalar_graph():
    """(x · w − y)² with respect to the placeholder x."""
    with mg.Graph() as graph:
        x, y = mg.placeholder("x"), mg.placeholder("y")
        loss = (x * mg.Variable(2.0, name="w") - y) ** 2
    return graph, loss, x, {y: 6.0}


def inner_graph():
    """A mean of squares with respect to an inner value of two layers, h; x is not fed."""
    with mg.Graph() as graph:
        x, y = mg.placeholder("x", shape=(None, 3)), mg.placeholder("y", shape=(None, 2))
        h = x @ mg.Variable(np.ones((3, 2)), name="V")
        loss = mg.sum((mg.tanh(h) @ mg.Variable([[1.0, -0.5], [0.5, 2.0]], name="W") - y) ** 2)
    return graph, loss, h, {y: np.array([[0.5, 1.0], [-1.0, 0.2], [0.0, 0.0]])}


FITS = {"(x * w - y) ** 2 and x": scalar_graph, "a network and its inner node h": inner_graph}


def cases_fit_input():
    """(name of a graph, start, steps)."""
    scalar, inner = FITS
    points = np.array([[0.0, 0.0], [0.5, -0.5], [1.0, 0.2]])
    return [(scalar, np.array(0.5), 1), (scalar, np.array(-1.0), 4), (inner, points, 3)]


def show_fit_input(name, start, steps):
    """A case in words."""
    return f"{name}, {steps} step{'s' * (steps > 1)}"


def run_fit_input(function, name, start, steps):
    """The value that was found, what each further step builds, and whether `feeds` has changed."""
    values, grown, same = [], [], True
    for count in (steps, steps + MORE):
        graph, loss, node, feeds = FITS[name]()
        session, before, given = mg.Session(graph), len(graph.nodes), {*feeds}
        for variable in graph.variables:
            session.set(variable, TRAINED * variable.initial)
        values.append(function(session, loss, node, start, feeds, count))
        grown.append(len(graph.nodes) - before)
        same = same and given == {*feeds}
    if values[0] is None:
        return None
    built = "new nodes" if grown[1] > grown[0] else "nothing"
    return values[0], built, "the same" if same else "changed"


def descended(session, loss, node, start, feeds, steps, factor=-RATE):
    """Gradient descent on a fed value, with another factor of the gradient."""
    (gradient,) = mg.gradients(loss, [node])
    value = start
    for _ in range(steps):
        value = value + factor * session.run(gradient, {node: value, **feeds})
    return value


def reference_fit_input(*case):
    """Lower a loss by gradient descent on the value that is fed to a node."""
    return descended(*case)


def writes_feeds(session, loss, node, start, feeds, steps):
    """The right value, with the last one fed left in the caller's dictionary."""
    value = descended(session, loss, node, start, feeds, steps)
    feeds[node] = value
    return value


def initial_weights(session, *case):
    """The right steps in a session of their own."""
    return descended(mg.Session(session.graph), *case)


def uphill(*case):
    """The gradient is added."""
    return descended(*case, factor=RATE)


def without_rate(*case):
    """The whole gradient is subtracted."""
    return descended(*case, factor=-1.0)


def one_step(session, loss, node, start, feeds, steps):
    """The first step alone."""
    return descended(session, loss, node, start, feeds, 1)


def always_at_start(session, loss, node, start, feeds, steps):
    """Every step uses the gradient at the start."""
    first = descended(session, loss, node, start, feeds, 1)
    return start + steps * (first - start)


def built_in_the_loop(session, loss, node, start, feeds, steps):
    """The right value, while each step builds the gradient again."""
    value = start
    for _ in range(steps):
        value = descended(session, loss, node, value, feeds, 1)
    return value


# the exit question -------------------------------------------------------------------------------


def letters_of(answer):
    """The placeholders that an answer names, as "bd"; names and nodes count alike."""
    parts = answer if isinstance(answer, (list, tuple, set, frozenset, dict)) else [answer]
    text = " ".join(str(getattr(part, "name", None) or part) for part in parts).lower()
    words = [word.strip(",.;[]()'\"") for word in text.replace(" and ", " ").split()]
    known = [word for word in words if word and set(word) <= set("abcd,")]
    return "".join(letter for letter in "abcd" if any(letter in word for word in known))


def judge_exit(answer, words):
    """The hint for the first letter that is there or missing wrongly; None where all is right."""
    found = letters_of(answer)
    if found == words["answer"]:
        return None
    if not found:
        return words["start"]
    if found == "abcd":
        return words["all"]
    wrong = next(letter for letter in "acbd" if (letter in found) != (letter in words["answer"]))
    return words["letters"][wrong]


# pictures ----------------------------------------------------------------------------------------


def show_pictures(pictures, across=12, names=()):
    """Draw pictures of 8 × 8 pixels side by side, so many in a row; white is 0 and black is 1."""
    from minigrad.draw.plot.axes import pyplot

    plt = pyplot()
    framed = [np.pad(np.reshape(one, (8, 8)), ((0,), (1,))) for one in pictures]
    rows = [framed[at : at + across] for at in range(0, len(framed), across)]
    image = np.vstack([np.pad(np.hstack(row), ((1,), (0,))) for row in rows])
    plt.figure(figsize=(7.2, 7.2 * len(image) / len(image[0])))
    plt.imshow(image.clip(0, 1).round(1), cmap="gray_r")
    plt.box(False)
    plt.xticks([])
    plt.yticks(10 * np.arange(len(names)) + 4.5, names)
    plt.tick_params(length=0)


def show_restored(seen, restored, whole):
    """Draw the upper halves, what was restored from them, and the digits as they were."""
    names = ("seen", "restored", "original")
    show_pictures([*seen, *restored, *whole], across=len(seen), names=names)


def show_cut(fetch, fed, names):
    """Draw the graph of a fetch with what a run leaves out in grey, and the fed nodes marked."""
    from minigrad.draw.drawing import Drawing
    from minigrad.draw.read.outline import outline

    scene = mg.draw(fetch, names=names).scene
    read = outline((fetch,))
    found = reference_needed(fetch, fed)
    places = {f"n{at}": value for at, value in enumerate(read.values)}
    out = {id for id, value in places.items() if value not in found and value not in fed}
    taken = {id for id, value in places.items() if value in fed}
    nodes = [
        node._replace(mark="gone" if node.id in out else "", caption="fed" * (node.id in taken))
        for node in scene.nodes
    ]
    edges = [
        edge._replace(kind="gone") if edge.target in out | taken else edge for edge in scene.edges
    ]
    return Drawing(scene._replace(nodes=tuple(nodes), edges=tuple(edges)))


def compare_loops(loops, session, points):
    """A table of loops: the nodes and the programs that each makes, and the time of a step."""
    rows = []
    for name, loop in loops.items():
        fresh, before = mg.Session(session.graph), len(session.graph.nodes)
        seconds = mg.measure.time(partial(loop, fresh, points), repeat=1) / len(points)
        rows.append((name, len(session.graph.nodes) - before, fresh.compiled, 1e3 * seconds))
    return table(["nodes are built", "nodes", "programs", "ms a step"], rows, ".2g")


lesson = Lesson("07", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
