"""Lesson 03: a small engine, cases, typical wrong answers, pictures. The words are in 03.toml."""

import sys
from collections import Counter

import minigrad as mg
from minigrad.course.lab import Lesson, known_answer
from minigrad.course.teach import table

LIMIT = 1000  # nested calls: as Python starts; some editors raise it
DEEP = 1100  # steps of a throw that need more nested calls than that
TRIED = (250, 500, 1000)  # steps; see `first_failure`
MARGIN = 100  # nested calls of which a notebook needs some itself

# the engine --------------------------------------------------------------------------------------


class Value:
    """A number in a graph, with the operation and the inputs that it was computed from."""

    def __init__(self, data, op=None, inputs=(), derivatives=(), name=None):
        self.data, self.op, self.inputs = data, op, inputs
        self.derivatives = derivatives  # one for each input
        self.grad, self.name = 0.0, name

    def __add__(self, other):
        return Value(self.data + other.data, "add", (self, other), (1.0, 1.0))

    def __sub__(self, other):
        return Value(self.data - other.data, "sub", (self, other), (1.0, -1.0))

    def __mul__(self, other):
        return Value(self.data * other.data, "mul", (self, other), (other.data, self.data))


def slide(speed, place, dt, friction, steps):
    """Return the places of a stone that loses the fraction `friction` of its speed in a step."""
    places = [place]
    for _ in range(steps):
        places.append(speed * dt + places[-1])
        speed = speed - speed * friction
    return places


def throw(speed, place=0.0, dt=1.0, friction=0.05, target=28.0, steps=30):
    """Record one throw with Value, and return its loss and the leaves speed and place."""
    numbers = {"speed": speed, "place": place, "dt": dt, "friction": friction, "target": target}
    speed, place, dt, friction, target = (Value(x, name=name) for name, x in numbers.items())
    p = slide(speed, place, dt, friction, steps)[-1]
    p.name = p.name or "p"
    loss = (p - target) * (p - target)
    loss.name = "loss"
    return loss, speed, place


def fine_throw(speed, steps):
    """Record a throw of 30 seconds in so many steps, on ice that takes about 5% in a second."""
    return throw(speed, dt=30 / steps, friction=1.5 / steps, steps=steps)


def count_contributions(root):
    """Map every node below root, and root itself, to the number of contributions it will get."""
    counts, stack = {root: 0}, [root]
    while stack:
        for source in stack.pop().inputs:
            if source not in counts:
                counts[source] = 0
                stack.append(source)
            counts[source] += 1
    return counts


def pull(root, node):
    """Return the adjoint of a node by asking all its users for theirs."""
    total = float(node is root)
    for user in count_contributions(root):
        for source, derivative in zip(user.inputs, user.derivatives):
            if source is node:
                total += pull(root, user) * derivative
    return total


# ways to visit the nodes -------------------------------------------------------------------------


def pass_on(nodes, root):
    """Let each of these nodes pass its adjoint on as the list comes to it."""
    root.grad = 1.0
    for node in nodes:
        for source, derivative in zip(node.inputs, node.derivatives):
            source.grad += node.grad * derivative


def list_as_met(root, at=0):
    """List each node once, as it is met from the root; `at`: which of those met comes next."""
    met, waiting, listed = {root}, [root], []
    while waiting:
        node = waiting.pop(at)
        listed.append(node)
        waiting += (new := dict.fromkeys(x for x in node.inputs if x not in met))
        met |= new.keys()
    return listed


def outcome(way, steps):
    """What a backward pass does for a throw of 30 seconds in so many steps: "correct", "wrong" or
    the name of Python's error, with Python's own recursion limit."""
    loss, speed, _ = fine_throw(1.5, steps)
    try:
        with_own_limit(way, loss)
    except RecursionError as error:
        return type(error).__name__
    found, speed.grad = speed.grad, 0.0
    return "correct" if abs(found / right_derivative(1.5, steps) - 1) < 1e-9 else "wrong"


def right_derivative(speed, steps):
    """∂loss/∂speed of `fine_throw`: a stone's place is its speed times a number, its reach."""
    reach = 30 / steps * sum((1 - 1.5 / steps) ** step for step in range(steps))
    return 2 * (speed * reach - 28) * reach


def first_failure(way):
    """The number of steps from which a backward pass raises RecursionError, or "never"."""
    fails = (steps for steps in TRIED if outcome(way, steps + MARGIN) == "RecursionError")
    return next(fails, "never")


def with_own_limit(function, root):
    """Call function(root) under the recursion limit with which Python starts. Raises
    RecursionError also where the function raised the limit itself."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(LIMIT)
    try:
        found = function(root)
        if sys.getrecursionlimit() != LIMIT:
            raise RecursionError("the function changes the limit of nested calls")
    finally:
        sys.setrecursionlimit(before)
    return found


# graphs of the checks ----------------------------------------------------------------------------


def reuse():
    """p · p − (p − p) of p = u · v: operations that have the same node as both inputs."""
    u, v = Value(3.0, name="u"), Value(2.0, name="v")
    p = u * v
    return p * p - (p - p), u, v


def through_zero():
    """q · z + p of p = u · v and q = p · w, where z = 0: the adjoint of q is 0."""
    u, v, w, z = Value(2.0, name="u"), Value(3.0, name="v"), Value(4.0), Value(0.0)
    p = u * v
    return p * w * z + p, u, v


def leaf():
    """A root without inputs, which is two leaves at once."""
    alone = Value(4.0, name="alone")
    return alone, alone, alone


GRAPHS = {  # in words → what makes it: the root and two leaves
    "a throw of one step": lambda: throw(2.0, 1.0, target=2.0, steps=1),
    "a throw of three steps": lambda: throw(1.0, target=6.0, steps=3),
    "a throw of five steps": lambda: throw(-1.0, 0.5, 2.0, 0.2, 3.0, 5),
    "p * p - (p - p), where p = u * v": reuse,
    "p * w * z + p, where p = u * v and z = 0": through_zero,
    "a root without inputs": leaf,
    "a throw of 30 steps": lambda: throw(0.3, -2.0, 0.1, 0.05, 4.0, 30),
    f"a throw of {DEEP:,} steps": lambda: fine_throw(1.5, DEEP),
}

SHORT, LONG = "a throw of five steps", "a throw of 30 steps"

# topological_order -------------------------------------------------------------------------------


def cases_topological_order():
    """The graphs, by their names, but the deepest one."""
    return [(name,) for name in [*GRAPHS][:7]]


def run_topological_order(function, name):
    """What is wrong with the order that a function finds, as six counts, which should be 0.

    The long throw, which no search along all paths finishes, is tried where a short one is right.
    """
    if name == LONG and any(short := run_topological_order(function, SHORT)):
        return short
    root, *_ = GRAPHS[name]()
    if (found := function(root)) is None:
        return None
    entries, listed = entries_of(found), nodes_of(found)
    function(GRAPHS[name]()[0])
    again = nodes_of(function(root))
    below = count_contributions(root).keys()
    times = Counter(node for node in listed if node in below)
    first = {node: at for at, node in reversed([*enumerate(listed)])}
    early = [x for x in times if any(first.get(y, -1) > first[x] for y in x.inputs)]
    return (
        len(entries) - len(listed),
        int(isinstance(found, (set, frozenset))),
        len(below - times.keys()),
        sum(count > 1 for count in times.values()),
        len(early),
        int(set(listed) != set(again)),
    )


def entries_of(found):
    """What an answer lists; of one that lists nothing, itself."""
    return list(found) if hasattr(found, "__iter__") else [found]


def nodes_of(found):
    """The nodes among the entries of an answer."""
    return [entry for entry in entries_of(found) if isinstance(entry, Value)]


def show_topological_order(name):
    """A case in words."""
    return name


def reference_topological_order(root):
    """List every node once, after its inputs."""
    listed = {}

    def visit(node):
        if node not in listed:
            for source in node.inputs:
                visit(source)
            listed[node] = True

    visit(root)
    return list(listed)


def users_first(root):
    """The reverse of a topological order."""
    return reference_topological_order(root)[::-1]


def node_first(root):
    """Depth-first search that appends a node before it visits its inputs."""
    return list(preorder(root, set()))


def preorder(node, seen):
    """Yield each node once, before its inputs."""
    if node not in seen:
        seen.add(node)
        yield node
        for source in node.inputs:
            yield from preorder(source, seen)


def node_first_reversed(root):
    """The reverse of the order in which a depth-first search meets the nodes."""
    return node_first(root)[::-1]


def without_root(root):
    """A topological order of the nodes below the root."""
    return reference_topological_order(root)[:-1]


def every_path(root):
    """Depth-first search without a memory of what was visited."""
    return [x for source in root.inputs for x in every_path(source)] + [root]


def search(node, visited, key=lambda node: node):
    """Yield (node, when) of a depth-first search: after each "input", and at the "end" of a visit;
    `key`: what of a node is kept in `visited`."""
    if key(node) in visited:
        return
    visited.add(key(node))
    for source in node.inputs:
        yield from search(source, visited, key)
        yield node, "input"
    yield node, "end"


def after_each_input(root):
    """Depth-first search that appends a node inside the loop over its inputs."""
    return [node for node, when in search(root, set()) if when == "input"]


def by_numbers(root):
    """Depth-first search that takes nodes with equal numbers for one."""
    return [node for node, when in search(root, set(), lambda node: node.data) if when == "end"]


def other_nodes(root):
    """A topological order, and a node that no other call lists."""
    return [*reference_topological_order(root), Value(0.0)]


def as_met_reversed(root):
    """The nodes as they are met from the root, level by level, in reverse."""
    return list_as_met(root)[::-1]


def after_topological_order(function):
    """Print the learner's order of the one-step graph, by names."""
    root, *_ = GRAPHS["a throw of one step"]()
    told = [node.name or f"({node.op})" for node in function(root)]
    print("  Your order of the graph above:", ", ".join(told))


# too_early ---------------------------------------------------------------------------------------


NAMED = {  # what made a node of the picture, and its value → its name
    ("mul", 4.0): "lost1",
    ("sub", 4.0): "speed1",
    ("mul", 2.0): "lost2",
    ("sub", 2.0): "speed2",
}


def judge_too_early(answer, words):
    """The hint for the wrong node, or None for the right one; a node counts as its name."""
    if isinstance(answer, Value):
        answer = answer.name or NAMED.get((answer.op, answer.data), "a node of another graph")
    return known_answer(answer, words)


# backward ----------------------------------------------------------------------------------------


def cases_backward():
    """All graphs, by their names."""
    return [(name,) for name in GRAPHS]


def run_backward(function, name):
    """What a backward pass leaves in `grad` of the root and of two leaves."""
    root, *leaves = GRAPHS[name]()
    with_own_limit(function, root)
    told = "root" if root.inputs else root.name
    return {f"{told}.grad": root.grad, **{f"{leaf.name}.grad": leaf.grad for leaf in leaves}}


def show_backward(name):
    """A case in words."""
    return name


def reference_backward(root):
    """Let every node pass its adjoint on once, after all its contributions have arrived."""
    send_when_complete(root, lambda node: True)


def send_when_complete(root, sends):
    """A backward pass by counts, in which a node passes on where `sends` says so."""
    missing, ready = count_contributions(root), [root]
    root.grad = 1.0
    while ready:
        node = ready.pop()
        for source, derivative in zip(node.inputs, node.derivatives) if sends(node) else ():
            source.grad += node.grad * derivative
            missing[source] -= 1
            if missing[source] == 0:
                ready.append(source)


def in_right_order(root, at=-1):
    """List every node once, after its users; `at`: which of those that are ready comes next."""
    missing, ready, listed = count_contributions(root), [root], []
    while ready:
        listed.append(node := ready.pop(at))
        for source in node.inputs:
            missing[source] -= 1
            if missing[source] == 0:
                ready.append(source)
    return listed


def as_met(root):
    """Each node passes on once, as it is met, level by level."""
    pass_on(list_as_met(root), root)


def last_met_first(root):
    """Each node passes on once, the one met last first."""
    pass_on(list_as_met(root, -1), root)


def overwrites(root, at=-1):
    """A later contribution replaces an earlier one."""
    root.grad = 1.0
    for node in in_right_order(root, at):
        for source, derivative in zip(node.inputs, node.derivatives):
            source.grad = node.grad * derivative


def overwrites_in_turn(root):
    """The same, where the node that was ready first comes first."""
    overwrites(root, 0)


def keeps_zeros(root):
    """A node whose adjoint is 0 passes nothing on, and its inputs wait for it."""
    send_when_complete(root, lambda node: node.grad != 0)


def no_seed(root):
    """The adjoint of the root stays 0."""


def root_alone(root):
    """The root has its 1, and no leaf gets a contribution."""
    root.grad = 1.0


def after_backward(function):
    """Let the learner's backward pass find the rings in many small steps; compare visits."""
    speed = 1.0
    for _ in range(8):
        loss, leaf, _ = fine_throw(speed, DEEP)
        function(loss)
        speed -= 0.001 * leaf.grad
    miss = fine_throw(speed, DEEP)[0].inputs[0].data
    print(f"  Eight throws with your backward, {DEEP:,} steps each: {miss:+.2f} m from the centre.")
    rows = []
    for steps in (1, 8, 30, DEEP):
        paths = 2 ** (steps + 3) - 1
        nodes = len(count_contributions(fine_throw(1.0, steps)[0]))
        rows.append(
            (
                steps,
                f"{paths:,}" if steps < DEEP else f"a number of {len(str(paths))} digits",
                nodes,
            )
        )
    return table(["steps", "visits of the second attempt", "nodes in the graph"], rows)


# pictures ----------------------------------------------------------------------------------------


def show_slides(slides):
    """Draw the place of the stone over time for each throw, later throws darker."""
    from minigrad.draw.plot.axes import paper

    with paper([2.2]) as (_, (axes,)):
        axes.axhline(28, color="#5A6673", linestyle="--")
        axes.text(0, 26.8, "centre of the rings", va="top", color="#5A6673")
        for number, places in enumerate(slides, 1):
            numbers = [mg.tensor(place).item() for place in places]
            axes.plot(numbers, color="#1B5FA8", alpha=number / len(slides))
        axes.set(xlabel="second", ylabel="place in metres", ylim=(0, 30))


def show_learning(**ways):
    """Draw by how much each of eight throws misses 6 m, for each way to find the gradient."""
    from minigrad.draw.plot.axes import paper

    with paper([2.2]) as (_, (axes,)):
        for (name, way), style in zip(ways.items(), ("by hand", "dynamic")):
            misses = learn(way)
            axes.plot(range(1, 9), misses, **mg.plot.style_of(style), label=name.replace("_", " "))
        axes.set(xlabel="throw", ylabel="miss in metres")
        axes.legend(edgecolor="none", framealpha=1)


def learn(way):
    """Let gradient descent make eight throws, and return by how much each misses."""
    speed, misses = 1.0, []
    for _ in range(8):
        loss, leaf, _ = throw(speed, target=6.0, steps=3)
        way(loss)
        misses.append(loss.inputs[0].data)
        speed -= 0.03 * leaf.grad
    return misses


def list_adjoints(trace, names):
    """A table of the adjoints that were found, last node first, with their contributions."""
    known = {step.primal.order: name for step, name in zip(trace, names)}
    rows = []
    for value, adjoint, parts in trace:
        told = [f"{part.item():.3f} from {known[user.order]}" for user, part in parts]
        rows.append((known[value.order], " + ".join(told), adjoint))
    return table(["node", "contributions", "adjoint"], rows, ".3f")


lesson = Lesson("03", sys.modules[__name__])
check, predict = lesson.check, lesson.predict
require, skip = lesson.require, lesson.skip
same_reason = lesson.words["predict"]["depth_500"]
lesson.words["predict"]["depth_250"] = same_reason | {"answer": 250}


def observe(name, result=None):
    """Answer a prediction; if the learner's own search goes to another depth, by its own reason."""
    told = f"{name}_{result}"
    if name in lesson.predictions and told in lesson.words["predict"]:
        lesson.predictions[told] = lesson.predictions[name]
        name = told
    return lesson.observe(name, result)
