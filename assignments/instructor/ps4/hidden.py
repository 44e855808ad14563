"""The checks that grade ps4: what the visible ones ask, of other graphs and other numbers."""

import functools
import itertools
import math
import operator

import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import Handle, StudentError, during

GRAPHS = """
import operator

def build(Node, rows):
    nodes = []
    for op, inputs, value in rows:
        known = {"name" if op == "placeholder" else "value": value} if not inputs else {}
        nodes.append(Node(op, [nodes[k] for k in inputs], **known))
    return nodes

def chain(Node, op, count):
    x = z = Node("placeholder", (), name="x")
    for _ in range(count):
        z = Node(op, (z,))
    return x, z

def powers(Node, count):
    x = z = Node("placeholder", (), name="x")
    for _ in range(count):
        z = Node("mul", (z, x))
    return [x], z

def made(Node, functions, cases):
    makers = {name: getattr(operator, name) for name in ("add", "sub", "mul", "neg")}
    makers |= {"div": operator.truediv, **functions}
    rows = []
    for maker, words, kinds in cases:
        operands = [operand(Node, *kind, name) for kind, name in zip(kinds, "yxwv")]
        try:
            rows.append(row(Node, makers[maker](*words, *operands), operands))
        except NotImplementedError:
            raise
        except Exception as error:
            rows.append([type(error).__name__, [], None, None])
    return rows

def operand(Node, kind, number, name):
    x = Node("placeholder", (), name=name)
    kinds = {"placeholder": x, "op": Node("sin", (x,)), "constant": Node("constant", (), number)}
    return kinds.get(kind, number)

def row(Node, z, operands):
    if not isinstance(z, Node) or any(z is x for x in operands):
        return ["an operand" if isinstance(z, Node) else type(z).__name__, [], None, None]
    places = [[k for k, one in enumerate(operands) if one is x] for x in z.inputs]
    known = [k[0] if k and isinstance(x, Node) else leaf(Node, x) for k, x in zip(places, z.inputs)]
    return [z.op, known, z.value, z.name]

def leaf(Node, x):
    return [x.op, x.value] if isinstance(x, Node) else ["no node", x]

def listed(fetches, fed, limit):
    rows, places, opened = [None] * len(fed), {node: i for i, node in enumerate(fed)}, set()
    waiting = [(node, False) for node in fetches]
    while waiting and len(opened) <= limit:
        node, inputs_listed = waiting.pop()
        inputs = list(getattr(node, "inputs", ()))
        if inputs_listed:
            places[node] = len(rows)
            rows.append((getattr(node, "op", None), [places.get(x) for x in inputs],
                         getattr(node, "value", None)))
        elif node not in places and node not in opened:
            opened.add(node)
            waiting.append((node, True))
            waiting.extend((x, False) for x in inputs)
    return rows, [places.get(node) for node in fetches]

def size(nodes):
    found, waiting = set(), list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(node.inputs)
    return len(found)

def attributes(nodes):
    return [[dict(vars(node), inputs=list(node.inputs))[name] for name in sorted(vars(node))]
            for node in nodes]

def after(call, *arguments):
    call(*arguments)
    return [list(one.items()) if type(one) is dict else one for one in arguments]

def twice(call, *arguments):
    found = []
    for _ in range(2):
        came = call(*arguments)
        found.append(list(came))
        came.append("of the caller")
    return found

def each(f, *calls):
    return [f(*numbers) for numbers in calls]

def thrown_away(Node, call, counts):
    return [call(*chain(Node, "sin", count)) for count in counts]

def runs_of_thrown_away(Node, run, counts):
    return thrown_away(Node, lambda x, z: run(z, {x: 0.5}), counts)

def lists_of_thrown_away(Node, needed, counts):
    return thrown_away(Node, lambda x, z: len(needed([z])), counts)

def places_of_inputs(needed, z):
    came = list(needed([z]))
    places = {node: place for place, node in enumerate(came)}
    return [places.get(x) for node in came for x in node.inputs]

def arguments_of_key_error(call, *arguments):
    try:
        call(*arguments)
    except KeyError as error:
        return list(error.args)

def kind_of_error(call, *arguments):
    try:
        call(*arguments)
    except Exception as error:
        return type(error).__name__

def counted(Node, work):
    table, counts = Node.__init__.__globals__["COMPUTE"], {}
    kept = dict(table)
    def counter(name):
        def compute(*numbers):
            counts[name] = counts.get(name, 0) + 1
            return kept[name](*numbers)
        return compute
    table.update({name: counter(name) for name in kept})
    try:
        return work(counts)
    finally:
        table.update(kept)

def counted_run(Node, run, fetches, feeds):
    return counted(Node, lambda counts: (run(fetches, feeds), dict(counts)))

def counted_program(Node, compiled, fetches, inputs, calls):
    def work(counts):
        f = compiled(fetches, inputs)
        found = [(None, dict(counts))]
        for numbers in calls:
            counts.clear()
            found.append((list(f(*numbers)), dict(counts)))
        return found
    return counted(Node, work)

def looks(Node, call, *arguments):
    found = []
    def inputs_of(node):
        found.append(node)
        return vars(node)["inputs"]
    def same(node, other):
        found.append(node)
        return node is other
    Node.inputs = property(inputs_of, lambda node, inputs: vars(node).update(inputs=inputs))
    Node.__eq__ = same
    try:
        call(*arguments)
    finally:
        del Node.inputs, Node.__eq__
    return len(found)

def change(nodes):
    for node in nodes:
        node.op, node.inputs = {"sin": "cos", "mul": "add"}.get(node.op, node.op), node.inputs[::-1]
        node.value = node.value and node.value + 1.0

def with_emptied_lists(compiled, fetches, inputs, numbers):
    f = compiled(fetches, inputs)
    fetches.clear()
    inputs.clear()
    return f(*numbers)
"""
COMPUTE = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "neg": operator.neg, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos,
}  # fmt: skip
ARITY = {"constant": 0} | dict.fromkeys(("neg", "exp", "log", "sin", "cos"), 1)
ARITY |= dict.fromkeys(("add", "sub", "mul", "div"), 2)
LOCAL = {  # the derivatives of an op with respect to its inputs
    "add": lambda a, b: (1.0, 1.0), "sub": lambda a, b: (1.0, -1.0), "mul": lambda a, b: (b, a),
    "div": lambda a, b: (1 / b, -a / b**2), "neg": lambda a: (-1.0,),
    "exp": lambda a: (math.exp(a),), "log": lambda a: (1 / a,),
    "sin": lambda a: (math.cos(a),), "cos": lambda a: (-math.sin(a),),
}  # fmt: skip


@functools.lru_cache(maxsize=1)
def helpers(student):
    """The helper code of this file beside the student's, defined once in each check."""
    return student.define(GRAPHS)


class Graph:
    """A graph that both sides know: rows (op, inputs, value) here, nodes in the student's code."""

    def __init__(self):
        self.rows = []

    def append(self, op, *inputs, value=None):
        """Append a row; returns its number."""
        self.rows.append((op, inputs, value))
        return len(self.rows) - 1

    def leaf(self, name):
        """Append a placeholder."""
        return self.append("placeholder", value=name)

    def number(self, value):
        """Append a constant."""
        return self.append("constant", value=value)

    def __getattr__(self, op):
        if op not in COMPUTE:
            raise AttributeError(op)
        return lambda *inputs: self.append(op, *inputs)

    def build(self, student):
        """The nodes of all rows, made without the student's own functions."""
        return list(helpers(student).build(student.Node, self.rows))

    def numbers(self, feeds):
        """The number of each row, or None where it has none."""
        found = []
        for k, (op, inputs, value) in enumerate(self.rows):
            operands = [found[i] for i in inputs]
            if k in feeds or not inputs:
                found.append(feeds.get(k, value if op == "constant" else None))
            else:
                found.append(None if None in operands else number_of(op, operands))
        return found

    def needed(self, fetches, fed=()):
        """The rows that a run of the fetches computes."""
        found, waiting = set(), list(fetches)
        while waiting:
            k = waiting.pop()
            if k not in fed and k not in found and self.rows[k][0] != "placeholder":
                found.add(k)
                waiting += self.rows[k][1]
        return found

    def derivative(self, y, x, numbers, fed=()):
        """The derivative of row y with respect to row x, by forward mode; no row that is fed
        depends on another."""
        found = []
        for k, (op, inputs, _) in enumerate(self.rows[: y + 1]):
            if not inputs or k in fed or k == x:
                found.append(float(k == x))
            else:
                operands = [numbers[i] for i in inputs]
                local = () if None in operands else LOCAL[op](*operands)
                found.append(sum(found[i] * d for i, d in zip(inputs, local, strict=False)))
        return found[y] if x <= y else 0.0


def number_of(op, operands):
    """The number of an op, None where it has none or a large one."""
    try:
        came = COMPUTE[op](*operands)
    except (ArithmeticError, ValueError):
        return None
    return came if abs(came) < 1e4 else None


def random_graph(rng):
    """A graph of three placeholders, two constants and twelve ops, many of them used often."""
    graph = Graph()
    leaves = [graph.leaf(name) for name in "abc"] + [graph.number(2.5), graph.number(-0.75)]
    feeds = {k: number(rng) for k in leaves[:3]}
    while len(graph.rows) < 17:
        op = rng.choice(list(COMPUTE))
        recent = rng.randrange(max(0, len(graph.rows) - 3), len(graph.rows))
        graph.append(op, *[recent, rng.randrange(len(graph.rows))][: ARITY[op]])
        came = graph.numbers(feeds)[-1]
        if came is None or not 0.05 < abs(came) < 20:
            graph.rows.pop()
    return graph, feeds


def drawn(rng, choose):
    """What `choose(graph, feeds)` finds in a random graph in which it finds something."""
    while True:
        found = choose(*random_graph(rng))
        if found is not None:
            return found


def number(rng):
    """A number that is neither near 0 nor near 1, of either sign."""
    return round(rng.uniform(1.2, 4.0) * rng.choice((-1, 1)), 3)


class Gradients:
    """What the student's `gradients` finds, computed here."""

    def __init__(self, student):
        self.student, self.graphs = student, helpers(student)

    def nodes(self, y, xs, of, *fed):
        """The nodes that gradients(y, xs) returns."""
        with during(of):
            came = self.student.gradients(y, xs, *fed)
        right = type(came) in (list, tuple)
        expect(right and len(came) == len(xs), True, of=of,
               because="It does not return a list with one entry for each x.")
        expect(all(type(node) is Handle for node in came), True, of=of,
               because="It returns numbers. A derivative must be a node of the graph.")
        return list(came)

    def numbers(self, fetches, feeds, of, limit=400):
        """The numbers of nodes: the student's graph is only read, in one list, and nothing of it
        goes into a computation but ops of the table and numbers that are plain and small."""
        rows, wanted = self.graphs.listed(fetches, list(feeds), limit)
        expect(None in wanted, False, of=of, because=(
            "The graph of the derivative has far more nodes than y, or it never ends."))
        found = list(feeds.values())
        for op, places, value in rows[len(feeds):]:
            known = op if type(op) is str and op in ARITY else None
            expect(op, known, of=of, because=(
                "The derivative needs a placeholder that is not fed." if op == "placeholder" else
                "The derivative contains an op that no run can compute."))
            expect(len(places), ARITY[op], of=of, because=(
                "A node in the graph of the derivative has too few or too many inputs."))
            expect(all(place is not None and place < len(found) for place in places), True, of=of,
                   because="The graph of the derivative has a cycle.")
            found.append(self.plain(value, of) if op == "constant" else self.computed(
                op, [found[place] for place in places], of))
        return [found[place] for place in wanted]

    def plain(self, value, of):
        """The float of a constant's value, once it is a number and not a huge one."""
        expect(type(value) in (int, float) and abs(value) < 2**64, True, of=of,
               because="A constant in the derivative holds no ordinary number.")
        return float(value)

    def computed(self, op, operands, of):
        """The number of an op of the derivative."""
        try:
            return COMPUTE[op](*operands)
        except (ArithmeticError, ValueError) as error:
            raised = type(error).__name__
        expect(raised, "a number", of=of, because=(
            "The derivative divides by 0, or takes another step that has no result, although the "
            "formula in the table has one."))

    def __call__(self, y, xs, feeds, of, fed=(), limit=400):
        """The numbers of gradients(y, xs), or of gradients(y, xs, fed)."""
        found = self.nodes(y, xs, of, *([fed] if fed else []))
        return self.numbers(found, feeds, of, limit)


def nine_ops():
    """A graph in which each op is used twice: its placeholders, an op that is fed, fetches."""
    graph = Graph()
    x, y = graph.leaf("x"), graph.leaf("y")
    ops = [graph.append(op, *[x, y][: ARITY[op]]) for op in COMPUTE]
    top = ops[0]
    for k in ops[1:]:
        top = graph.add(graph.mul(k, k), top)
    fed = graph.neg(graph.cos(y))
    last = graph.sub(top, fed)
    graph.exp(last)  # nobody fetches it
    return graph, x, y, fed, [last, ops[6], top, ops[6]]


def expect_at_most_once(counts, graph, rows, of):
    """Fail where an op was computed more often than the rows of a graph have it."""
    wanted = [graph.rows[k][0] for k in rows]
    often = sorted(op for op, count in counts.items() if count > wanted.count(op))
    pruned = "It computes what only a fed node, or nothing at all, uses."
    expect(often, [], of=f"the ops that are computed too often: {of}", because=(
        "It computes a node again for another use or another fetch (rule 5)."), mistakes=[
        (ops, pruned) for ops in (["cos"], ["neg"], ["cos", "neg"], ["exp"])])


# q1 ----------------------------------------------------------------------------------------------

KINDS = ("placeholder", "op", "constant", "number")
SHOWN = {"placeholder": "{1}", "op": "sin({1})", "constant": "constant({0})", "number": "{0}"}
SIGNS = {"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "neg": "-{}"}


def cases_of_makers(numbers):
    """(maker, words before its operands, [(kind, number), …]) for every maker with every kind of
    operand at every place."""
    for name, count in ARITY.items():
        if name == "constant":
            continue
        for kinds in itertools.product(KINDS, repeat=count):
            operands = [(kind, next(numbers)) for kind in kinds]
            plain = set(kinds) == {"number"}
            if not plain or count == 1 and name != "neg":  # 2 + 3 is Python's own business
                yield name, [], operands
            yield "apply", [name], operands


def written(maker, words, operands):
    """A call as a student would write it."""
    texts = [SHOWN[kind].format(number, name)
             for (kind, number), name in zip(operands, "yxwv", strict=False)]
    if maker in SIGNS:
        return SIGNS[maker].format(*texts)
    return f"{maker}({', '.join([*map(repr, words), *texts])})"


def expect_made(came, maker, words, operands):
    """Fail unless a call has made the right node."""
    of, op = written(maker, words, operands), words[0] if words else maker
    inputs = [[*("constant", number)] if kind == "number" else k
              for k, (kind, number) in enumerate(operands)]
    at_once = "It computes while the graph is built. An expression only makes a node."
    again = "It returns a node that exists. Each call makes a new node."
    expect(came[0], op, of=f"the op of {of}", because=(
        "It raises an error, or its node has another op. An expression only makes a node."),
        mistakes=[
        *((kind, at_once) for kind in ("constant", "ValueError", "ZeroDivisionError",
                                       "OverflowError", "int", "float")),
        ("an operand", again), ("placeholder", again),
        ("TypeError", "It does not take these operands: apply takes any number of nodes and "
                      "numbers."),
        ("AttributeError", "It takes for granted that every operand is a node."),
        ("NameError", "It uses a name that its own cell does not define, such as COMPUTE, which "
                      "belongs to q2."),
    ])
    numbers = [["no node", number] if kind == "number" else k
               for k, (kind, number) in enumerate(operands)]
    expect(len(came[1]), len(inputs), of=f"the number of inputs of {of}", because=(
        "An operand is lost or added. A 0 is an operand, too."))
    expect(came[1], inputs, of=f"the inputs of {of}", because=(
        "The inputs are not the operands themselves, in their order."), mistakes=[
        (numbers, "A number among the operands does not become a constant."),
        (inputs[::-1], "The operands change places. Their order counts."),
    ])
    expect(came[2:], [None, None], of=f"value and name of {of}", because=(
        "An op has a value or a name. Only constants have values, and only placeholders names."))


@pytest.mark.question("q1", points=2, core=True, hint=(
    "Go through the table row by row, with a placeholder, an op, a constant and a number."
))
def test_makers(student, rng):
    """every maker, with every kind of operand"""
    pool = itertools.cycle([-1.0, 2, number(rng), -3])
    cases = list(cases_of_makers(pool))
    cases.append(("div", [], [("constant", 1.0), ("constant", 0.0)]))
    cases.append(("log", [], [("number", 0.0)]))
    cases.append(("apply", ["mean"], [(kind, next(pool)) for kind in KINDS]))
    functions = {name: student[name] for name in ("exp", "log", "sin", "cos", "apply")}
    rows = helpers(student).made(student.Node, functions, cases)
    for came, case in zip(list(rows), cases, strict=True):
        expect_made(came, *case)


@pytest.mark.question("q1", points=0.5, hint="Look at op, inputs, name and value of each leaf.")
def test_leaves(student, rng):
    """placeholder and constant"""
    x, a = student.placeholder("speed"), number(rng)
    expect((x.op, list(x.inputs), x.name), ("placeholder", [], "speed"), because=(
        "A placeholder lacks its op, its name, or has inputs."), of='placeholder("speed")')
    for value in (a, 7):
        c = student.constant(value)
        expect((c.op, list(c.inputs), c.value), ("constant", [], value), because=(
            "A constant lacks its op, its value, or has inputs."), of=f"constant({value})")


@pytest.mark.question("q1", points=0.5, corner=True, hint=(
    "Try 0 and 1 as operands, and make the same thing twice."
))
def test_each_call_makes_a_new_node(student, rng):
    """a new node for each call, also with 0 and 1"""
    apply, a = student.apply, number(rng)
    x, c = student.placeholder("x"), student.constant(a)
    again = "It gives a node that exists. Each call makes a new one (rule 1)."
    expect(student.placeholder("x") == x, False, because=again, of='placeholder("x"), twice')
    expect(student.placeholder("x").name, "x", because=(
        "The second placeholder of a name has another name."), of='placeholder("x"), twice')
    expect(student.constant(a) == c, False, because=again, of=f"constant({a}), twice")
    expect((x + c) == (x + c), False, because=again, of="x + c, twice")
    minus = -x
    expect((-minus == x, (-minus).op), (False, "neg"), because=again, of="-(-x)")
    for op, value in itertools.product(("add", "sub", "mul", "div"), (0, 0.0, 1, 1.0)):
        for operands in ((x, value), (value, x)):
            of = f"{op} of x and {value}"
            z = apply(op, *operands)
            expect((z == x, z.op), (False, op), because=again, of=of)
            expect([type(one) for one in z.inputs], [Handle, Handle], of=of, because=(
                "A number among the operands is lost, or does not become a constant."))
            came = [one.value for one in z.inputs if not one == x]
            expect(came, [value], of=of, because="It loses an operand that is 0 or 1 (rule 3).")


# q2 ----------------------------------------------------------------------------------------------

PLACEHOLDERS = "needed lists placeholders, which no run computes."
PRUNED = "It needs what only a fed node, or nothing at all, uses. A run must prune that."


def run_numbers(student, graph, fetches, feeds, of, because, nodes=None, raises=None):
    """Compare run(fetches, feeds) with the numbers of a graph; it `raises` for another cause."""
    nodes = nodes or graph.build(student)
    numbers = graph.numbers(feeds)
    with during(of, because=raises or because):
        came = student.run([nodes[k] for k in fetches], {nodes[k]: a for k, a in feeds.items()})
    wanted = [numbers[k] for k in fetches]
    expect(came, wanted, of=of, because=because, mistakes=wrong_lists(wanted))


def wrong_lists(wanted):
    """(results, cause) of what is often done wrong with the list of the results."""
    yield list(dict.fromkeys(wanted)), "A node that is fetched twice has only one result."
    if len(wanted) == 1:
        yield wanted[0], "A list of one fetch gives a number. It must give a list of one number."


def random_run(graph, feeds, rng):
    """(graph, fetches, feeds, placeholders left out): some ops and constants are fed, some
    placeholders are not needed; None where this is not so, or a number is missing."""
    fed = rng.sample(range(3, 14), 3)
    fetches = rng.sample(range(8, 17), 4)
    feeds = feeds | {k: number(rng) for k in fed}
    reached = {i for k in graph.needed(fetches, fed) for i in graph.rows[k][1]}
    left_out = [k for k in range(3) if k not in reached]
    feeds = {k: a for k, a in feeds.items() if k not in left_out}
    numbers = graph.numbers(feeds)
    if len(left_out) != 1 or any(numbers[k] is None for k in fetches):
        return None
    return graph, fetches, feeds


def expect_needed(student, graph, fetches, fed, of, nodes=None, because=(
        "needed does not list exactly the nodes that the run computes.")):
    """Fail unless needed(fetches, fed) lists the right nodes in a right order."""
    nodes, wanted = nodes or graph.build(student), graph.needed(fetches, fed)
    with during(of, because="needed raises an error. It must not compute anything."):
        came = list(student.needed([nodes[k] for k in fetches], [nodes[k] for k in fed]))
    rows = [nodes.index(node) if node in nodes else None for node in came]
    fed_too = wanted | {k for k in fed if k in fetches}
    whole = graph.needed(fetches)
    placed = wanted | {i for k in wanted for i in graph.rows[k][1] if i not in fed} | {
        k for k in fetches if k not in fed}
    expect(len(rows) - len(set(rows)), 0, of=of, because="needed lists a node twice.")
    above = {i for k in fed for i in graph.needed(graph.rows[k][1])} - set(fetches)
    expect(sorted(rows), sorted(wanted), of=of, because=because, mistakes=[
        (sorted(placed), PLACEHOLDERS),
        (sorted(fed_too), "needed lists a fetch that is fed. A fed node is not computed."),
        (sorted(whole - set(fed)), "needed goes on below a fed node."),
        (sorted(whole), "needed ignores what is fed."),
        (sorted(wanted - above), "needed leaves out what a fed node uses, although another node "
                                 "needs it, too."),
    ])
    early = [k for n, k in enumerate(rows)
             if any(i in wanted and i not in rows[:n] for i in graph.rows[k][1])]
    expect(early, [], of=of, because="needed lists a node before one of its inputs.")


@pytest.mark.question("q2", points=2, core=True, hint=(
    "Compare run with slow_run, and feed an op in the middle of a graph."
))
def test_a_run_computes_what_is_needed(student, rng):
    """random graphs, with feeds in the middle"""
    graph = Graph()
    x = graph.leaf("x")
    b = graph.exp(x)
    c = graph.mul(b, b)
    d = graph.add(graph.number(1.0), graph.mul(b, c))
    nodes, a = graph.build(student), number(rng)
    names, formulas = {x: "x", b: "b", c: "c", d: "d"}, "b = exp(x), c = b * b, d = 1 + b * c"
    lists = [[d], [c], *([*one, x, one[0]] for one in itertools.permutations((b, c, d)))]
    for fed, fetches in [*itertools.product([[]], lists),
                         *itertools.product(([c], [x, b], [b, c, d]), lists[:4])]:
        shown = [", ".join(names[k] for k in one) for one in (fetches, fed)]
        of = f"needed([{shown[0]}], [{shown[1]}]), {formulas}"
        expect_needed(student, graph, fetches, fed, of)
    for fed, because in (([c], "needed does not list exactly the nodes that the run computes."),
                         ([], "needed depends on an earlier call (rule 6).")):
        of = f"needed([d], [{'c' * len(fed)}]), twice with the same nodes, {formulas}"
        expect_needed(student, graph, [d], fed, of, nodes, because)
    graph_of_y = Graph()
    left, right = graph_of_y.leaf("x"), graph_of_y.leaf("y")
    difference = graph_of_y.sub(graph_of_y.sin(left), right)
    z = graph_of_y.div(difference, graph_of_y.mul(left, graph_of_y.number(3.0)))
    same, feeds = graph_of_y.build(student), {left: number(rng)}
    for because in ("run does not compute what slow_run computes.",
                    "A run uses results of an earlier one (rule 6)."):
        feeds |= {right: number(rng)}
        run_numbers(student, graph_of_y, [z], feeds, "a formula of x and y", because, same)
    run_numbers(student, graph, [d, b, x, c], {x: 0.5}, f"run([d, b, x, c], …), {formulas}",
                "The results are not those of the fetches, in their order.")
    of = f"run([c, d], …) with b fed, {formulas}"
    run_numbers(student, graph, [c, d], {b: a}, of, (
        "run computes a node although it is fed, or needs what only that node uses."))
    of = "a random graph in which constants and ops are fed"
    for _ in range(3):
        graph, fetches, feeds = drawn(rng, lambda *found: random_run(*found, rng))
        expect_needed(student, graph, fetches, [k for k in feeds if k > 2], of)
        run_numbers(student, graph, fetches, feeds, of, raises=PRUNED, because=(
            "run computes a constant or an op although it is fed."))
    graph = Graph()
    x, unknown = graph.leaf("x"), graph.leaf("unknown")
    broken = graph.log(graph.sub(unknown, graph.number(9.0)))
    square = graph.mul(x, x)
    total = graph.add(square, broken)
    run_numbers(student, graph, [square], {x: a}, "x * x, beside log(unknown - 9)", PRUNED)
    run_numbers(student, graph, [total], {x: a, broken: 1.0}, "x * x + log(unknown - 9), the "
                "logarithm being fed", PRUNED)


@pytest.mark.question("q2", points=0.5, hint=(
    "Count the calls of the functions in COMPUTE."
))
def test_each_node_once(student, rng):
    """how often a run computes each node"""
    graph, x, y, fed, fetches = nine_ops()
    feeds = {x: abs(number(rng)), y: number(rng), fed: 2.0}
    nodes, numbers = graph.build(student), graph.numbers(feeds)
    of = "four fetches of a graph with all nine ops, each of them used twice"
    with during(of, because="run cannot compute this graph: a node comes before one of its inputs, "
                            "or a fed node is computed."):
        came, counts = helpers(student).counted_run(
            student.Node, student.run, [nodes[k] for k in fetches],
            {nodes[k]: a for k, a in feeds.items()})
    expect(came, [numbers[k] for k in fetches], of=of, because=(
        "run does not compute what slow_run computes."),
        mistakes=wrong_lists([numbers[k] for k in fetches]))
    expect_at_most_once(counts, graph, graph.needed(fetches, [fed]), of)
    graph = Graph()
    x = z = graph.leaf("x")
    for _ in range(40):
        z = graph.add(z, z)
    nodes, a = graph.build(student), number(rng)
    paths = "It follows every path to a node. x + x forty times has 2**40 paths (rule 4)."
    with during("x + x forty times", because=paths):
        student.count_lines(student.run, nodes[z], {nodes[x]: a}, limit=100_000)
        student.count_lines(student.needed, [nodes[z]], limit=100_000)
    expect(student.run(nodes[z], {nodes[x]: a}), a * 2.0**40, of="x + x forty times", because=paths)


@pytest.mark.question("q2", points=0.5, hint="Try a graph of 20,000 nodes in a row (rule 4).")
def test_long_chains(student, rng):
    """25,000 nodes in a row"""
    graphs, a = helpers(student), number(rng)
    x, z = graphs.chain(student.Node, "neg", 25_001)
    of = "25,001 negations in a row"
    with during(of, because="It calls itself for each node, so that a long chain is too deep "
                            "(rule 4)."):
        came = student.without_recursion(student.run, z, {x: a})
        row = student.without_recursion(graphs.places_of_inputs, student.needed, z)
    expect(came, -a, of=of, because="A long chain gives another result than a short one.")
    expect(row == [*range(25_001)], False, PLACEHOLDERS, of)
    expect(row == [None, *range(25_000)], True, "needed does not list a long chain in its order.",
           of)


@pytest.mark.question("q2", points=0.5, corner=True, hint="Go through the numbered rules.")
def test_edges_of_runs(student, rng):
    """zeros, missing feeds, lists, later runs"""
    graph = Graph()
    x, rate, other = graph.leaf("x"), graph.leaf("rate"), graph.leaf("x")
    zero, three, double = graph.number(0.0), graph.number(3.0), graph.add(x, x)
    products = graph.mul(double, rate), graph.mul(rate, double)
    ratio, root, six = graph.div(rate, x), graph.log(rate), graph.mul(three, graph.number(2.0))
    shifted, names_alike = graph.add(double, zero), graph.sub(x, other)
    alike = [graph.exp(x), graph.exp(x)]
    both = graph.sub(*alike)
    nodes, a, b = graph.build(student), number(rng), number(rng)
    graphs, node = helpers(student), nodes.__getitem__

    def run(fetch, feeds):
        return student.run(node(fetch), {node(k): value for k, value in feeds.items()})

    zeros = "A 0 that is fed, or a constant 0, counts as missing (rule 3)."
    of, computed = "2x * rate, 2x fed with 3", "run computes an op although it is fed."
    with during(of, because=computed):
        expect(run(products[0], {double: 3.0, rate: b}), 3.0 * b, computed, of)
    with during("0 as a number", because=zeros):
        expect(run(products[0], {double: 0.0, rate: b}), 0.0, zeros, "2x * rate, 2x fed with 0")
        expect(run(shifted, {x: a}), 2 * a, zeros, "2x + 0")
        expect(node(zero) in list(student.needed([node(shifted)])), True, zeros, "needed([2x + 0])")
    silent = "A placeholder that is needed and not fed does not raise KeyError."
    for fetch, feeds, missing, because in (
        (products[0], {x: a}, "rate", silent), (rate, {x: a}, "rate", silent),
        (ratio, {rate: a}, "x", silent),
        (names_alike, {other: a}, "x", "A placeholder gets the number of another one of its name."),
    ):
        nodes = graph.build(student)
        came = graphs.arguments_of_key_error(
            student.run, nodes[fetch], {nodes[k]: value for k, value in feeds.items()})
        expect(came, [missing], of="what KeyError holds where a placeholder is not fed", because=(
            "KeyError must hold the name of the missing placeholder and nothing else."),
            mistakes=[(None, because)])
    nodes = graph.build(student)
    node, before = nodes.__getitem__, graphs.attributes(nodes)
    earlier = "A run uses results of an earlier one (rule 6)."
    for z in products:
        graphs.kind_of_error(student.run, node(z), {node(x): a})
        of = "2x * rate, after a run in which rate was missing"
        expect(run(z, {x: b, rate: 3.0}), 6 * b, earlier, of)
    for feeds in ({x: a, other: b}, {other: a, x: b}, {x: b, other: a}):
        of = "x - other, both named x, after runs with other feeds"
        expect(run(names_alike, feeds), feeds[x] - feeds[other], earlier, of)
    for feeds, wanted in (({}, 6.0), ({three: b}, 2.0 * b), ({}, 6.0)):
        expect(run(six, feeds), wanted, earlier, "3 * 2, where 3 is fed in one of three runs")
    counts, sines = [rng.randint(1, 5) for _ in range(30)], [0.5]
    while len(sines) < 6:
        sines.append(math.sin(sines[-1]))
    with during("one chain after another, each thrown away", because=earlier):
        came = graphs.runs_of_thrown_away(student.Node, student.run, counts)
        lengths = graphs.lists_of_thrown_away(student.Node, student.needed, counts)
    numbers = [sines[n] for n in counts]
    expect([came, lengths], [numbers, counts], earlier,
           "one chain after another, each thrown away", mistakes=[
               ([numbers, [n + 1 for n in counts]], PLACEHOLDERS)])
    for kind, fetch, feeds in (("ZeroDivisionError", ratio, {x: 0.0, rate: a}),
                               ("ValueError", root, {rate: -1.0})):
        came = graphs.kind_of_error(
            student.run, node(fetch), {node(k): value for k, value in feeds.items()})
        expect(came, kind, of="the error of rate / 0, or of log(-1)", because=(
            "run hides an error that a function in COMPUTE raises (rule 5)."))
    expect_needed(student, graph, [root], [rate], "needed([log(rate)], [rate])")
    broken = Graph()
    top = broken.log(broken.number(-1.0))
    expect_needed(student, broken, [top], [], "needed([log(-1)], []), which is never run", because=(
        "needed computes. It must only look at the graph."))
    fetches, feeds = [node(double), node(x)], {node(x): a}
    changed = "It changes a list, dict or node of the caller (rules 1 and 2)."
    expect(graphs.after(student.run, fetches, feeds), [fetches, [(node(x), a)]], changed,
           "the arguments of run, after the call")
    expect(graphs.after(student.needed, fetches, [node(x)]), [fetches, [node(x)]], changed,
           "the arguments of needed, after the call")
    expect(graphs.attributes(nodes), before, changed, "the nodes, after run and needed")
    lists = "needed returns the same list again (rule 2)."
    expect(graphs.twice(student.needed, [node(double)]), [[node(double)]] * 2, lists,
           "needed([2x]), twice, the first list being changed")
    expect(graphs.each(student.needed, [[node(double)]], [[node(root)]]),
           [[node(double)], [node(root)]], lists, "needed([2x]) and needed([log(rate)])")
    expect(student.run([], {}), [], "A list of no fetches has no results.", "run([], {})")
    twins = "Two nodes that were made alike are taken for one (rule 1)."
    expect_needed(student, graph, [both], [], "needed([exp(x) - exp(x)], [])", because=twins)
    expect(run(both, {x: 0.0, alike[0]: a}), a - 1.0, twins, "exp(x) - exp(x), one of them fed")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=6, core=True, hint=(
    "Compare the derivatives of a small graph with a formula by hand."
))
def test_the_derivatives(student, rng):
    """every op; every kind of x, used once and more often; random graphs"""
    gradients = Gradients(student)
    for op in COMPUTE:
        expect_rule(student, gradients, op, rng)
    for op in COMPUTE:
        expect_rule(student, gradients, op, rng, times=3.0)
    for kind, use in itertools.product(("placeholder", "op", "constant"), USES):
        expect_use(student, gradients, kind, use, rng)
    for _ in range(4):
        graph, feeds = random_graph(rng)
        nodes, numbers = graph.build(student), graph.numbers(feeds)
        xs = sorted({i for k in graph.needed([16]) for i in graph.rows[k][1]})[:6]
        wanted = [graph.derivative(16, k, numbers) for k in xs]
        of = "a random graph of twelve ops, and six of its nodes as xs"
        came = gradients(nodes[16], [nodes[k] for k in xs], {nodes[k]: feeds[k] for k in range(3)},
                         of)
        expect(came, wanted, of=of, because=(
            "The derivatives are right in small graphs and wrong in one where nodes have many "
            "users. Is every adjoint complete before it is passed on?"))


def expect_rule(student, gradients, op, rng, times=None):
    """Compare the derivatives of op(a, b), or of 3 · op(a, b), with the table."""
    graph, count = Graph(), ARITY[op]
    leaves = [graph.leaf("a"), graph.leaf("b")][:count]
    y = graph.append(op, *leaves)
    if times:
        y = graph.mul(graph.number(times), y)
    for a in [abs(number(rng))] + [0.0] * (op != "log" and not times):
        nodes = graph.build(student)
        feeds = dict(zip(leaves, (a, number(rng)), strict=False))
        local = LOCAL[op](*feeds.values())
        wanted = [d * (times or 1.0) for d in local]
        of = f"the derivatives of {'3 * ' * bool(times)}{op}({', '.join('ab'[:count])})"
        of += " at a = 0" * (a == 0)
        came = gradients(nodes[y], [nodes[k] for k in leaves],
                         {nodes[k]: value for k, value in feeds.items()}, of)
        expect(came, wanted, of=of, because=f"The rule of {op} is wrong.", mistakes=[
            (list(local), f"The rule of {op} does not multiply by the adjoint of the node."),
            (wanted[::-1], f"The rule of {op} gives each input what belongs to the other one."),
            ([-d for d in wanted], f"The rule of {op} has the wrong sign."),
            ([*wanted[:-1], -wanted[-1]], f"The rule of {op} has a wrong sign for its last input."),
        ])


USES = {  # of a row x, by their formulas
    "sin(x)": lambda graph, x: graph.sin(x),
    "x * x": lambda graph, x: graph.mul(x, x),
    "x - x": lambda graph, x: graph.sub(x, x),
    "x / x": lambda graph, x: graph.div(x, x),
    "sin(x) + cos(x)": lambda graph, x: graph.add(graph.sin(x), graph.cos(x)),
    "sin(x) + x * x": lambda graph, x: graph.add(graph.sin(x), graph.mul(x, x)),
    "x * x + sin(x)": lambda graph, x: graph.add(graph.mul(x, x), graph.sin(x)),
    "sin(x) * x + x": lambda graph, x: graph.add(graph.mul(graph.sin(x), x), x),
    "x * (x * (x * x))": lambda graph, x: graph.mul(x, graph.mul(x, graph.mul(x, x))),
    "((x * x) * x) * x": lambda graph, x: graph.mul(graph.mul(graph.mul(x, x), x), x),
}


def expect_use(student, gradients, kind, use, rng):
    """Compare a derivative with respect to an x of a kind that a formula uses."""
    graph, a = Graph(), round(rng.uniform(0.6, 1.8), 3)
    p = graph.leaf("p")
    x = {"placeholder": lambda: p, "op": lambda: graph.mul(p, p),
         "constant": lambda: graph.number(a)}[kind]()
    y = USES[use](graph, x)
    nodes, numbers = graph.build(student), graph.numbers({p: a})
    called = {"placeholder": "a placeholder", "op": "an op p * p", "constant": "a constant"}[kind]
    of = f"the derivative of {use} with respect to x, where x is {called}"
    came = gradients(nodes[y], [nodes[x]], {nodes[p]: a}, of)
    wanted = graph.derivative(y, x, numbers)
    expect(came, [wanted], of=of, because=(
        f"The contributions of all uses of {called} are not added up."), mistakes=[
        ([0.0], f"The derivative with respect to {called} is 0, although y depends on it."),
    ])
    if kind == "op":
        of = f"the derivatives of {use} with respect to x and p, where x is {called}"
        came = gradients(nodes[y], [nodes[x], nodes[p]], {nodes[p]: a}, of)
        expect(came, [wanted, graph.derivative(y, p, numbers)], of=of, because=(
            "A node passes its adjoint on before all its users have contributed to it."),
            mistakes=[([wanted, 0.0], "The backward pass stops at an x. An x that is an op passes "
                       "its adjoint on to its inputs, too.")])


@pytest.mark.question("q3", points=1.5, hint=(
    "A derivative must be built from the nodes of y, so that it depends on x itself."
))
def test_a_gradient_of_a_gradient(student, rng):
    """second derivatives of every op; third derivatives"""
    gradients, a, b = Gradients(student), abs(number(rng)), number(rng)
    second = {
        "add": [[0, 0], [0, 0]], "sub": [[0, 0], [0, 0]], "mul": [[0, 1], [1, 0]],
        "div": [[0, -1 / b**2], [-1 / b**2, 2 * a / b**3]], "neg": [[0]], "exp": [[math.exp(a)]],
        "log": [[-1 / a**2]], "sin": [[-math.sin(a)]], "cos": [[-math.cos(a)]],
    }  # fmt: skip
    cut = ("The first derivative holds numbers or copies where it should use the nodes of y, so "
           "that its own derivative is 0.")
    wrong = "The first derivative has the right number, but its own derivative is wrong."
    for op, wanted in second.items():
        graph = Graph()
        leaves = [graph.leaf("a"), graph.leaf("b")][: len(wanted)]
        y = graph.append(op, *leaves)
        nodes = graph.build(student)
        xs = [nodes[k] for k in leaves]
        feeds = dict(zip(xs, (a, b), strict=False))
        of = f"the second derivatives of {op}"
        first = gradients.nodes(nodes[y], xs, of)
        local = list(LOCAL[op](*(a, b)[: len(wanted)]))
        expect(gradients.numbers(first, feeds, of), local, of=f"the derivatives of {op}", because=(
            "The first derivative is wrong already."))
        came = [gradients(one, xs, feeds, of, limit=2000) for one in first]
        zeros = [0.0] * len(wanted)
        expect(came, wanted, of=of, because=wrong, mistakes=[
            ([zeros] * len(wanted), cut),
            ([local] * len(wanted), "A call uses adjoints of an earlier one (rule 6)."),
        ])
    graph = Graph()
    x = graph.leaf("x")
    y = graph.mul(x, graph.sin(graph.mul(x, x)))
    nodes = graph.build(student)
    s, c = math.sin(a * a), math.cos(a * a)
    wanted = [s + 2 * a * a * c, 6 * a * c - 4 * a**3 * s,
              6 * c - 24 * a * a * s - 8 * a**4 * c]
    node, found = nodes[y], []
    for order in (1, 2, 3):
        of = f"derivative number {order} of x * sin(x * x)"
        (node,) = gradients.nodes(node, [nodes[x]], of)
        found += gradients.numbers([node], {nodes[x]: a}, of, limit=9000)
        expect(found[-1], wanted[order - 1], of=of, mistakes=[(0.0, cut)], because=(
            wrong if order > 1 else "The first derivative is wrong already."))


@pytest.mark.question("q3", points=1.5, hint=(
    "Write the formula of the derivative down, and replace each fed node by its number."
))
def test_fed_nodes(student, rng):
    """a run of a gradient with feeds in the middle, and gradients(y, xs, fed)"""
    gradients, a, b, d = Gradients(student), number(rng), number(rng), number(rng)
    graph = Graph()
    x, three, one, zero = graph.leaf("x"), graph.number(3.0), graph.number(1.0), graph.number(0.0)
    u = graph.mul(x, x)
    y = graph.add(graph.sin(u), graph.cos(graph.mul(three, x)))
    scaled = graph.sin(graph.add(graph.mul(x, one), graph.mul(zero, x)))
    divided = graph.cos(graph.div(x, three))
    nodes = graph.build(student)

    def derivative(u, three, inner=None):
        return 2 * a * math.cos(u) - three * math.sin((inner or three) * a)

    copied = "The derivative holds the number of a constant, so that a feed does not reach it."
    cut = ("The term of u is missing. A feed of u only replaces its number, and the contributions "
           "of both terms to x are added up.")
    copies = "The derivative holds a copy of a node of y, which a feed of that node does not reach."
    factor = (b + d) * a
    for of, top, feeds, wanted, mistakes in (
        ("the derivative of sin(u) + cos(3x), u = x * x, where u and 3 are fed", y,
         {x: a, u: b, three: d}, derivative(b, d),
         [(derivative(b, 3.0, inner=d), copied), (derivative(b, 3.0), copied),
          (derivative(a * a, d), copies), (derivative(a * a, 3.0), copies),
          (-d * math.sin(d * a), cut)]),
        ("the derivative of cos(x / 3), where 3 is fed", divided, {x: a, three: d},
         -math.sin(a / d) / d, [(-math.sin(a / d) / 3.0, copied)]),
        ("the derivative of sin(1 * x + 0 * x), where 1 and 0 are fed", scaled,
         {x: a, one: b, zero: d}, (b + d) * math.cos(factor),
         [(value * math.cos(factor), copied) for value in (1.0, b, d, 1.0 + d)]),
    ):
        came = gradients(nodes[top], [nodes[x]], {nodes[k]: n for k, n in feeds.items()}, of)
        expect(came, [wanted], of=of, mistakes=[([one], because) for one, because in mistakes],
               because="A run of the derivative, with nodes of y fed, does not have the number of "
                       "the formula.")
    for op in COMPUTE:
        expect_fed_operands(student, gradients, op, rng)
    total, held = derivative(b, 3.0), -3.0 * math.sin(3.0 * a)
    of = "gradients(y, [x, u], [u]), y = sin(u) + cos(3x), u = x * x"
    with_u = {nodes[x]: a, nodes[u]: b}
    came = gradients(nodes[y], [nodes[x], nodes[u]], with_u, of, fed=[nodes[u]])
    expect(came, [held, math.cos(b)], of=of, because=(
        "With u fed, y depends on u and x as on two placeholders."), mistakes=[
        ([total, math.cos(b)], "A fed node passes its adjoint on to its inputs."),
        ([held, 0.0], "A fed node among the xs has the derivative 0, although y depends on it."),
    ])
    came = gradients(nodes[y], [nodes[x], nodes[u]], with_u, f"{of}, and then without [u]")
    expect(came, [total, math.cos(b)], of=f"{of}, and then without [u]", because=(
        "What an earlier call was told to be fed still counts as fed (rule 6)."))
    expect_users_of_the_fed(student, gradients, rng)
    for of, top, fed, wanted in (("y itself is fed", y, [y], [0.0, 0.0, 1.0]),
                                 ("x is fed", y, [x], [total, math.cos(b), 1.0]),
                                 ("an unused node is fed", y, [one], [total, math.cos(b), 1.0])):
        of = f"the derivatives with respect to x, u and y, where {of}"
        came = gradients(nodes[top], [nodes[k] for k in (x, u, y)], with_u, of,
                         fed=[nodes[k] for k in fed])
        expect(came, wanted, of=of, because=(
            "A fed y, a fed x, or a fed node that y does not use is treated wrongly: each fed node "
            "counts as a placeholder."))
    for _ in range(4):
        graph, fed, feeds = drawn(rng, lambda *found: random_feeds(*found, rng))
        nodes, numbers = graph.build(student), graph.numbers(feeds)
        xs = [0, 1, 2, *fed]
        of = "a random graph in which three ops are fed"
        came = gradients(nodes[16], [nodes[k] for k in xs], {nodes[k]: n for k, n in feeds.items()},
                         of, fed=[nodes[k] for k in fed])
        wanted, uncut = ([graph.derivative(16, k, numbers, cut) for k in xs] for cut in (fed, ()))
        expect(came, wanted, of=of, because="A derivative with fed nodes is wrong.", mistakes=[
            (uncut, "A fed node passes its adjoint on to its inputs.")])


def expect_users_of_the_fed(student, gradients, rng):
    """Fail where w = sin(x) waits for the contribution of w * w, which is fed."""
    graph, a = Graph(), number(rng)
    x = graph.leaf("x")
    w = graph.sin(x)
    u = graph.mul(w, w)
    for y in (graph.add(graph.exp(u), graph.cos(w)), graph.sub(graph.cos(w), graph.exp(u))):
        nodes, of = graph.build(student), "a node that is used by a fed node, too"
        came = gradients(nodes[y], [nodes[x]], {nodes[x]: a, nodes[u]: 0.5}, of, fed=[nodes[u]])
        expect(came, [-math.sin(math.sin(a)) * math.cos(a)], of=of, because=(
            "A fed node passes nothing on, so its inputs must not wait for it."))


def expect_fed_operands(student, gradients, op, rng):
    """Compare the derivatives of p · op(a, b) where a run feeds a and b: constants, or one op."""
    graph, count = Graph(), ARITY[op]
    own = [abs(number(rng)), number(rng)][:count]
    p, *leaves = graph.leaf("p"), *(graph.number(value) for value in own)
    if count == 1:  # a q1 that computes cos(constant) at once shows in q1 alone
        own, leaves = [-own[0]], [graph.neg(leaves[0])]
    y = graph.mul(p, graph.append(op, *leaves))
    nodes, fed = graph.build(student), [abs(number(rng)), number(rng)][:count]
    xs, factor = [nodes[k] for k in leaves], number(rng)
    names = "ab"[:count]
    of = f"the derivatives of p * {op}({', '.join(names)}), where {' and '.join(names)} "
    of += "are constants that are fed" if count == 2 else "is an op that is fed"
    came = gradients(nodes[y], xs, {nodes[p]: factor, **dict(zip(xs, fed, strict=True))}, of)
    wanted, copied = ([factor * d for d in LOCAL[op](*values)] for values in (fed, own))
    expect(came, wanted, of=of, because=(
        "A run of the derivative, with nodes of y fed, does not have the number of the formula."),
        mistakes=[(copied, (
            "The derivative holds a number or a copy of a node, which a feed does not reach."))])


def random_feeds(graph, feeds, rng):
    """(graph, three ops that are fed, all feeds), or None where a number is missing."""
    fed = rng.sample(range(5, 14), 3)
    feeds = feeds | {k: abs(number(rng)) for k in fed}
    return None if graph.numbers(feeds)[16] is None else (graph, fed, feeds)


@pytest.mark.question("q3", points=1, hint=(
    "Count the nodes of the derivative and the lines that gradients executes (rule 4)."
))
def test_each_node_passes_on_once(student, rng):
    """the cost of a gradient: many paths, many nodes, many xs"""
    gradients, graphs, a = Gradients(student), helpers(student), number(rng)
    graph = Graph()
    x = z = graph.leaf("x")
    for _ in range(40):
        z = graph.add(z, z)
    nodes, of = graph.build(student), "x + x forty times"
    paths = "A node passes on once for each path to it. It must pass on once (rule 4)."
    with during(of, because=paths):
        student.count_lines(student.gradients, nodes[z], [nodes[x]], limit=100_000)
    came = gradients(nodes[z], [nodes[x]], {nodes[x]: a}, of, limit=500)
    expect(came, [2.0**40], of=of, because="The derivative of a graph with many paths is wrong.")
    xs, z = graphs.powers(student.Node, 500)
    of = "x * x * …, with 500 products"
    searches = "For each node it goes through all nodes, or through all contributions (rule 4)."
    with during(of, because=searches):
        few, many = (student.count_lines(student.gradients, *graphs.powers(student.Node, n)[::-1],
                                         limit=n * 600) for n in (125, 500))
    expect(many <= 8 * few, True, of=of, because=searches)
    count = graphs.looks(student.Node, student.gradients, z, xs)
    expect(count < 500 * 50, True, of=of, because=searches)
    graph = Graph()
    xs = [graph.leaf(f"x{i}") for i in range(40)]
    z = xs[0]
    for x in xs[1:]:
        z = graph.mul(graph.neg(z), x)
    nodes, of = graph.build(student), "a product of 40 factors, and its 40 derivatives"
    found = gradients.nodes(nodes[z], nodes[:40], of)
    expect(graphs.size([nodes[z], *found]) <= 118 * 11, True, of=of, because=(
        "The backward pass is made again for each x. One pass serves all of them."))
    feeds, chosen = {k: rng.choice((-1.0, 1.0)) for k in xs}, rng.randrange(40)
    wanted = -math.prod(feeds.values()) / feeds[chosen]  # 39 signs
    feeds = {nodes[k]: value for k, value in feeds.items()}
    came = gradients.numbers([found[chosen]], feeds, of, limit=1300)
    expect(came, [wanted], of=of, because="One of many derivatives of a product is wrong.")


@pytest.mark.question("q3", points=0.5, hint="Try a graph of 20,000 nodes in a row (rule 4).")
def test_gradients_of_long_chains(student, rng):
    """1,501 nodes in a row"""
    gradients, a = Gradients(student), number(rng)
    x, z = gradients.graphs.chain(student.Node, "neg", 1_501)
    deep = "gradients calls itself for each node, so that a long chain is too deep (rule 4)."
    of = "1,501 negations in a row"
    with during(of, because=deep):
        student.without_recursion(student.gradients, z, [x])
    came = gradients(z, [x, z], {x: a}, of, limit=20_000)
    expect(came, [-1.0, 1.0], of=of, because="A long chain gives another result than a short one.")


@pytest.mark.question("q3", points=0.5, corner=True, hint=(
    "Ask for y itself, for an x that y does not use, and twice; look at the nodes afterwards."
))
def test_edges_of_gradients(student, rng):
    """leaves, an x that is not used, lists, later calls"""
    gradients, a = Gradients(student), number(rng)
    graphs, graph = gradients.graphs, Graph()
    x, other = graph.leaf("x"), graph.leaf("other")
    y = graph.sin(x)
    graph.mul(y, other)
    cosine = graph.cos(other)
    nodes = graph.build(student)
    before = graphs.attributes(nodes)
    feeds = {nodes[x]: a}
    unused = "An x that y does not depend on has constant(0.0), whatever is fed."
    of = "the derivatives of sin(x) with respect to another placeholder, x, sin(x) and x again"
    xs = [nodes[k] for k in (other, x, y, x)]
    found = gradients.nodes(nodes[y], xs, of)
    expect((found[0].op, found[0].value), ("constant", 0.0), of=of, because=unused)
    came = gradients.numbers(found, feeds, of)
    expect(came, [0.0, math.cos(a), 1.0, math.cos(a)], of=of, because=(
        "The derivative of y with respect to itself, or of an x that is listed twice, is wrong."))
    of = "the derivatives of cos(other) with respect to x and other, after other calls"
    came = gradients(nodes[cosine], [nodes[x], nodes[other]], {nodes[x]: a, nodes[other]: a}, of)
    expect(came, [0.0, -math.sin(a)], of=of, because=(
        "A call uses adjoints of an earlier one (rule 6)."), mistakes=[
        ([0.0, math.sin(a)], "The rule of cos has the wrong sign.")])
    of = "the derivatives of x with respect to x and sin(x)"
    expect(gradients(nodes[x], [nodes[x], nodes[y]], feeds, of), [1.0, 0.0], of=of, because=(
        "A y that is a leaf has the derivative 1 with respect to itself, and 0 otherwise."))
    changed = "It changes a list or node of the caller (rules 1 and 2)."
    expect(graphs.attributes(nodes), before, of="the nodes, after gradients", because=changed)
    expect(graphs.after(student.gradients, nodes[y], xs), [nodes[y], xs], because=changed,
           of="the arguments of gradients, after the call")
    lengths = [len(one) for one in graphs.twice(student.gradients, nodes[y], xs)]
    expect(lengths, [4, 4], because="It returns the same list twice (rule 2).",
           of="the lengths of two lists, the first being changed in between")


# q4 ----------------------------------------------------------------------------------------------


def leaves_out_fed_fetches(student):
    """Whether `needed`, which `compiled` may call, leaves out a fetch that is fed, as q2 asks."""
    graph = Graph()
    power = graph.exp(graph.leaf("x"))
    node = graph.build(student)[power]
    try:
        return list(student.needed([node], [node])) == []
    except StudentError:
        return False


def random_program(graph, feeds, rng, fetched):
    """(graph, fetches, inputs, the numbers of some calls, each of which changes one): ops are among
    the inputs, in any order, and among the fetches, too, where `fetched` is true; None where a
    number is missing."""
    inputs = [0, 1, 2, *rng.sample(range(5, 12), 2)]
    rng.shuffle(inputs)
    fetches = [*rng.sample(range(9, 17), 3), rng.choice(inputs)]
    if not fetched and any(k in inputs for k in fetches if k > 2):
        return None
    used = {*fetches, *(i for k in graph.needed(fetches, inputs) for i in graph.rows[k][1])}
    inputs = [k for k in inputs if k in used]
    calls = [[number(rng) for _ in inputs]]
    for place in rng.sample(range(len(inputs)), min(3, len(inputs))):
        calls.append(list(calls[-1]))
        calls[-1][place] = number(rng)
    for numbers in calls:
        found = graph.numbers(dict(zip(inputs, numbers, strict=True)))
        if any(found[k] is None for k in fetches):
            return None
    return graph, fetches, inputs, calls


def results(graph, fetches, inputs, numbers):
    """The fetches' numbers where the inputs have these numbers."""
    found = graph.numbers(dict(zip(inputs, numbers, strict=True)))
    return [found[k] for k in fetches]


@pytest.mark.question("q4", points=4, core=True, hint=(
    "Call one f several times, and change the graph between compiled and the calls."
))
def test_a_program(student, rng):
    """one plan, called with several numbers, while the graph changes"""
    graph = Graph()
    x, y, two = graph.leaf("x"), graph.leaf("y"), graph.number(2.0)
    ratio = graph.div(x, y)
    fetches, inputs = [graph.cos(ratio), graph.sub(ratio, two), y], [y, x]
    calls = [[number(rng), number(rng)] for _ in range(2)]
    wanted = [results(graph, fetches, inputs, numbers) for numbers in calls]
    of = "compiled([cos(x / y), x / y - 2, y], [y, x])"
    nodes = graph.build(student)
    with during(of, because="It cannot compile this graph, or f cannot compute it."):
        f = student.compiled([nodes[k] for k in fetches], [nodes[k] for k in inputs])
        came = [f(*numbers) for numbers in calls]
    expect(came[0], wanted[0], of=of, because="f does not compute what run computes.", mistakes=[
        (results(graph, fetches, inputs, calls[0][::-1]),
         "The numbers do not go to the inputs in the order of the list."),
        (wanted[0][::-1], "The results do not come in the order of the fetches."),
        ([*wanted[0][:2], None], "A number that is fetched is thrown away after its last use."),
    ])
    expect(came[1], wanted[1], of=f"the second call of f = {of}", because=(
        "The second call is wrong although the first was right."), mistakes=[
        (wanted[0], "f returns the results of its first call again.")])
    fetched = leaves_out_fed_fetches(student)
    for _ in range(3):
        graph, fetches, inputs, calls = drawn(
            rng, lambda *found: random_program(*found, rng, fetched))
        expect_program(student, graph, fetches, inputs, calls)
    graph = Graph()
    x = graph.leaf("x")
    half = graph.number(0.5)
    z = graph.exp(graph.sin(graph.mul(half, x)))
    nodes, a = graph.build(student), number(rng)
    f = student.compiled([nodes[z]], [nodes[x]])
    for changed, what, because in (
        (nodes[half + 1:], "ops and inputs", "f goes through the graph again when it is called."),
        ([nodes[half]], "the constant's value", "f reads the value of a constant in each call."),
    ):
        helpers(student).change(changed)
        of = f"exp(sin(x / 2)), {what} being changed after compiled"
        with during(of, because=because):
            came = f(a)
        expect(came, [math.exp(math.sin(a / 2))], of=of, because=because)


def expect_program(student, graph, fetches, inputs, calls):
    """Compare the calls of a compiled function with the numbers of a graph."""
    nodes, of = graph.build(student), "a random graph, with ops and placeholders as inputs"
    with during(of, because="An op that is an input is computed, or needs what only it uses."):
        f = student.compiled([nodes[k] for k in fetches], [nodes[k] for k in inputs])
        came = [f(*numbers) for numbers in calls]
    wanted = [results(graph, fetches, inputs, numbers) for numbers in calls]
    expect(came[0], wanted[0], of=of, because=(
        "An op that is an input is computed instead of taking its number, or inputs or results "
        "are in another order than in their lists."), mistakes=wrong_lists(wanted[0]))
    expect(came[1:], wanted[1:], of=of, because="A later call depends on an earlier one (rule 6).")


@pytest.mark.question("q4", points=1, hint="Count the calls of the functions in COMPUTE.")
def test_each_node_once_in_a_call(student, rng):
    """how often a call computes each node"""
    graph, x, y, given, fetches = nine_ops()
    inputs = [given, y, x]
    calls = [[number(rng), number(rng), abs(number(rng))] for _ in range(2)]
    nodes = graph.build(student)
    of = "four fetches of a graph with all nine ops, each of them used twice"
    with during(of, because="It cannot compile this graph, or f cannot compute it."):
        first, *found = helpers(student).counted_program(
            student.Node, student.compiled, [nodes[k] for k in fetches],
            [nodes[k] for k in inputs], calls)
    expect([count for count in first[1].values() if count], [], of="the ops that compiled computes",
           because="compiled computes ops. It makes a plan, and f computes.")
    for (came, counts), numbers in zip(found, calls, strict=True):
        wanted = results(graph, fetches, inputs, numbers)
        expect(came, wanted, of=of, because="f does not compute what run computes.",
               mistakes=wrong_lists(wanted))
        expect_at_most_once(counts, graph, graph.needed(fetches, inputs), of)


@pytest.mark.question("q4", points=1, hint=(
    "Compile a graph with a placeholder that is not among the inputs."
))
def test_a_missing_input_is_told_at_once(student, rng):
    """placeholders that are no inputs"""
    graph = Graph()
    x, depth, again = graph.leaf("x"), graph.leaf("depth"), graph.leaf("x")
    middle = graph.exp(depth)
    z = graph.div(middle, x)
    twins = graph.sub(x, again)
    nodes, a, b = graph.build(student), number(rng), number(rng)
    graphs, compiled = helpers(student), student.compiled
    for fetches, inputs, name in (([x, z], [x], "depth"), ([depth], [x], "depth"),
                                  ([twins], [x], "x")):
        arguments = [[nodes[k] for k in fetches], [nodes[k] for k in inputs]]
        of = f"the placeholder {name!r} is needed and is no input"
        came = graphs.arguments_of_key_error(compiled, *arguments)
        expect(came, [name], of=of, because=(
            "KeyError must hold the name of the missing placeholder and nothing else."), mistakes=[
            (None, "compiled does not notice a missing placeholder. It must raise, not f.")])
    of = "exp(depth) / x, where exp(depth) and x are the inputs"
    with during(of, because="compiled wants a placeholder that only an input uses."):
        f = compiled([nodes[z]], [nodes[middle], nodes[x]])
        came = f(a, b)
    expect(came, [a / b], of=of, because="An op that is an input is computed.")


@pytest.mark.question("q4", points=1, hint=(
    "f has a few lines for each step of the plan. It does not search (rule 4)."
))
def test_large_programs(student, rng):
    """25,001 nodes in a row, 2**40 paths, and the length of a call"""
    graphs, a = helpers(student), number(rng)
    x, z = graphs.chain(student.Node, "neg", 25_001)
    of = "25,001 negations in a row"
    with during(of, because="compiled or f calls itself for each node, so that a long chain is too "
                            "deep (rule 4)."):
        f = student.without_recursion(student.compiled, [z], [x])
        came = student.without_recursion(f, a)
    expect(came, [-a], of=of, because="A long chain gives another result than a short one.")
    graph = Graph()
    x = z = graph.leaf("x")
    for _ in range(40):
        z = graph.add(z, z)
    nodes, of = graph.build(student), "x + x forty times"
    paths = "It follows every path to a node. x + x forty times has 2**40 paths (rule 4)."
    with during(of, because=paths):
        student.count_lines(student.compiled, [nodes[z]], [nodes[x]], limit=100_000)
        f = student.compiled([nodes[z]], [nodes[x]])
        student.count_lines(f, 1.0, limit=100_000)
    expect(f(a), [a * 2.0**40], of=of, because="The result of a graph with many paths is wrong.")
    x, z = graphs.chain(student.Node, "sin", 400)
    f, of = student.compiled([z], [x]), "400 sines in a row"
    with during(of, because="A call searches for its order again. compiled must have found it."):
        student.count_lines(f, 1.0, limit=400 * 14)  # a plan takes 6


@pytest.mark.question("q4", points=0.5, corner=True, hint="Go through the numbered rules.")
def test_edges_of_programs(student, rng):
    """zeros, errors, lists, no inputs"""
    graph = Graph()
    x, y, two, twin = graph.leaf("x"), graph.leaf("y"), graph.number(2.0), graph.leaf("x")
    square, ratio = graph.mul(x, x), graph.div(x, y)
    outer = graph.sub(ratio, two)
    alike = [graph.exp(x), graph.exp(x)]
    both = graph.sub(*alike)
    broken, names_alike = graph.log(graph.number(-1.0)), graph.sub(x, twin)
    nodes, a, b = graph.build(student), number(rng), number(rng)
    graphs, node = helpers(student), nodes.__getitem__

    def program(fetches, inputs):
        return student.compiled([node(k) for k in fetches], [node(k) for k in inputs])

    zeros = "An input that is 0 counts as missing (rule 3)."
    f = program([outer, two], [two, ratio])
    with during("inputs that are 0", because=zeros):
        expect(f(b, a), [a - b, b], of="x / y - 2, where x / y and 2 are the inputs", because=(
            "A constant that is an input keeps its own value."))
        expect(f(0.0, 0.0), [0.0, 0.0], of="x / y - 2, both inputs being 0", because=zeros)
    f = program([two, two], [])
    expect(type(f) is Handle, True, of="compiled([2, 2], [])", because=(
        "Without inputs it returns no function."))
    expect(f(), [2.0, 2.0], of="compiled([2, 2], [])()", because="A program needs inputs.",
           mistakes=wrong_lists([2.0, 2.0]))
    of = "compiled([y], [x, y])(…)"
    with during(of, because="f takes no number for an input that no fetch uses."):
        came = program([y], [x, y])(a, b)
    expect(came, [b], of=of, because="f takes no number for an input that no fetch uses.")
    of = "x - twin, two inputs with the name x"
    expect(program([names_alike], [x, twin])(a, b), [a - b], of=of,
           because="Two placeholders with one name are taken for one (rule 1).")
    f = program([ratio], [x, y])
    expect(graphs.kind_of_error(f, a, 0.0), "ZeroDivisionError", of="x / y at y = 0", because=(
        "f hides an error that a function in COMPUTE raises (rule 5)."))
    expect(f(a, b), [a / b], of="x / y, after an error", because=(
        "A call depends on an earlier one (rule 6)."))
    came = graphs.kind_of_error(student.compiled, [node(broken)], [])
    expect(came, None, of="compiled([log(-1)], [])", because=(
        "compiled computes what does not depend on the inputs. log(-1) has no result, and only f "
        "may raise for it."))
    came = graphs.kind_of_error(program([broken], []))
    expect(came, "ValueError", of="f of log(-1)", because=(
        "f hides an error that a function in COMPUTE raises (rule 5)."))
    f = program([both, *alike], [alike[1], x])
    of = "exp(x) - exp(x), the second one being an input"
    expect(f(a, 0.0), [1.0 - a, 1.0, a], of=of, because=(
        "Two nodes that were made alike are taken for one (rule 1)."))
    f = program([square], [x])
    lists = "f returns the same list again. Each call makes a list of its own (rule 2)."
    expect(graphs.each(f, [a], [b]), [[a * a], [b * b]], lists, "two results, compared afterwards")
    expect(graphs.twice(f, a), [[a * a]] * 2, lists, "two results, the first being changed")
    of = "x / y and x, the two lists being emptied after compiled"
    late = "f reads the caller's lists when it is called (rule 2)."
    with during(of, because=late):
        came = graphs.with_emptied_lists(
            student.compiled, [node(ratio), node(x)], [node(x), node(y)], [a, b])
    expect(came, [a / b, a], of=of, because=late)
    arguments, before = [[node(ratio), node(x)], [node(y), node(x)]], graphs.attributes(nodes)
    changed = "It changes a list or node of the caller (rules 1 and 2)."
    expect(graphs.after(student.compiled, *arguments), arguments, changed,
           "the arguments of compiled, after the call")
    expect(graphs.attributes(nodes), before, changed, "the nodes, after compiled")
