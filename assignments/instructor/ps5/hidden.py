"""The checks that grade ps5: what the visible ones ask, of other graphs and odd numbers."""

import math
import operator

import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import Handle

GRAPHS = """
def op(Node, name, *inputs):
    return Node(name, inputs)

def leaf(Node, op, name=None):
    return Node(op, (), name=name)

def number(Node, value):
    return Node("constant", (), value=value)

def chain(Node, names):
    x = z = Node("placeholder", (), name="x")
    for name in names:
        z = Node(name, (z,))
    return x, z

def sums(Node, fixed, sides):
    x = z = Node("placeholder", (), name="x")
    for side in sides:
        z = Node("add", (z, fixed) if side else (fixed, z))
    return x, z

def storeys(Node, half, sides):  # each is computed from x for two users
    x = z = Node("placeholder", (), name="x")
    for side in sides:
        twice = Node("sub", (z, Node("neg", (z,))))
        z = Node("mul", (twice, half) if side else (half, twice))
    return x, z

def same_lists(call, fetches, fed):
    nodes, waiting = {}, [*fetches, *fed]
    while waiting:
        node = waiting.pop()
        if node not in nodes:
            nodes[node] = dict(vars(node))
            waiting.extend(node.inputs)
    before = list(fetches), list(fed)
    came = call(fetches, fed)
    kept = all(vars(node) == said for node, said in nodes.items())
    return [(fetches, fed) == before, kept, came is not fetches]

def size(fetches):
    seen, waiting = set(), list(fetches)
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting.extend(node.inputs)
    return len(seen)
"""
COMPUTE = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "neg": operator.neg, "exp": math.exp, "log": math.log,
}  # fmt: skip
ARITY = {"placeholder": 0, "random": 0, "constant": 0, "neg": 1, "exp": 1, "log": 1}
ARITY |= {"add": 2, "sub": 2, "mul": 2, "div": 2}
ODD = (0.0, -0.0, math.nan, math.inf, -math.inf, 1.0, -1.0, 1e308, 1e-320, 0.1, 3.0)


class Maker:
    """Makes nodes one by one, without the student's own functions."""

    def __init__(self, student):
        self.graphs, self.node = student.define(GRAPHS), student.Node

    def __getattr__(self, name):
        return lambda *inputs: self.graphs.op(self.node, name, *inputs)

    def leaf(self, name):
        return self.graphs.leaf(self.node, "placeholder", name)

    def random(self):
        return self.graphs.leaf(self.node, "random")

    def number(self, value):
        return self.graphs.number(self.node, value)


def nodes(came, count, of):
    """A list that came, once it is one of so many nodes."""
    right = type(came) in (list, tuple) and len(came) == count
    if not right or any(type(node) is not Handle for node in came):
        text = f"expected  a list of {count} nodes\ncame      {str(came):.200}"
        raise AssertionError(f"of        {of}\n{text}")
    return list(came)


def plain(value):
    """A constant's value, once it is a float."""
    if type(value) is not float:
        raise AssertionError(f"a constant holds {str(value):.80}, which is no float")
    return value


def read_node(node):
    """(op, inputs, value) of a node, once they fit together."""
    name, inputs, value = node.op, node.inputs, None
    if name == "constant":
        value = plain(node.value)
    elif name == "fused":
        value = read_steps(node.value, len(inputs) if type(inputs) in (list, tuple) else 0)
    elif type(name) is not str or name not in ARITY:
        raise AssertionError(f"a node has the op {str(name):.80}, which is not in the table")
    count = ARITY.get(name, len(inputs) if type(inputs) in (list, tuple) else -1)
    return name, nodes(inputs, count, of=f"the inputs of a node with the op {name}"), value


def read_steps(steps, inputs):
    """The steps of a kernel with so many inputs, once each only looks back."""
    right = type(steps) in (list, tuple) and 0 < len(steps) <= 300
    for number, step in enumerate(steps if right else ()):
        known = type(step) in (list, tuple) and step and type(step[0]) is str and step[0] in COMPUTE
        right = known and len(step) == ARITY[step[0]] + 1
        places = step[1:] if right else [None]
        if any(type(at) is not int or not 0 <= at < inputs + number for at in places):
            raise AssertionError(f"a kernel has the step {str(step):.80}, which cannot be run")
    if not right:
        raise AssertionError(f"a kernel's steps are {str(steps):.80}, no tuple of 1 to 300 steps")
    return [tuple(step) for step in steps]


def read_graph(fetches, fed=(), limit=300):
    """{node: (op, inputs, value)} of what a run of the fetches computes or asks for, inputs first.
    The student's graph is only read."""
    found, opened, waiting = {}, {}, list(fetches)
    while waiting:
        here = waiting[-1]
        if here in found or here in fed:
            waiting.pop()
            continue
        again = here in opened
        if not again:
            opened[here] = read_node(here)
        lacking = [x for x in opened[here][1] if x not in found and x not in fed]
        if len(opened) > limit or (lacking and again):
            raise AssertionError(f"the graph has more than {limit} nodes, or a circle")
        waiting.extend(lacking)
        if not lacking:
            found[here] = opened[here]
    return found


def meaning(graph, fetches, feeds):
    """What a run gives, as texts that show every bit, or the name of the error; computed here with
    the ops of the table alone."""
    held = {node: float(value) for node, value in feeds.items()}
    try:
        for node, (name, inputs, value) in graph.items():
            if node not in held:
                held[node] = result(name, [held[x] for x in inputs], value)
    except (ArithmeticError, ValueError) as error:
        return type(error).__name__
    return [repr(held[node]) for node in fetches]


def result(name, numbers, value):
    """The number of one node."""
    if name == "constant":
        return value
    if name == "fused":
        held = list(numbers)
        for op, *places in value:
            held.append(COMPUTE[op](*(held[at] for at in places)))
        return held[-1]
    if name in ("placeholder", "random"):
        raise AssertionError(f"a {name} node that was not in the graph before, or not fed")
    return COMPUTE[name](*numbers)


def rewritten(student, change, fetches, feeds, of, fed=(), most=None):
    """(the new fetches, their graph), once the pass `change` keeps every bit for each of the
    `feeds`, touches nothing, and leaves at most so many nodes to compute."""
    before = read_graph(fetches)
    came = nodes(student[change](list(fetches), list(fed)), len(fetches), of=of)
    expect(read_graph(fetches) == before, True, "a node of the old graph was changed", of=of)
    old, new = read_graph(fetches, fed), read_graph(came, fed)
    for numbers in feeds:
        was, now = meaning(old, fetches, numbers), meaning(new, came, numbers)
        given = ", ".join(f"{value!r}" for value in numbers.values())
        expect(now, was, of=f"{of}, fed {given}" if given else of)
    size = sum(name not in ("placeholder", "random") for name, _, _ in new.values())
    if most is not None and size > most:
        raise AssertionError(f"of        {of}\nexpected  at most {most} constants and ops\n"
                             f"came      {size}: {', '.join(sorted(e[0] for e in new.values()))}")
    return came, new


def ops(graph):
    """The words of a graph's nodes, sorted."""
    return sorted(name for name, _, _ in graph.values())


def number(rng):
    """A number that is neither near 0 nor near 1, of either sign."""
    return round(rng.uniform(1.2, 4.0) * rng.choice((-1, 1)), 3)


def random_graph(make, rng, length, leaves):
    """Fetches of a graph of so many ops: repeats, constants that matter, several users."""
    known = [*leaves, *(make.number(rng.choice((0.0, -0.0, 1.0, -1.0, 2.5))) for _ in range(4))]
    recipes = []
    for _ in range(length):
        if recipes and rng.random() < 0.3:
            name, inputs = rng.choice(recipes)
            inputs = inputs[::-1] if rng.random() < 0.5 else inputs
        else:
            name = rng.choice(["add", "sub", "mul", "mul", "div", "neg", "neg", "add", "sub"])
            inputs = tuple(rng.choice(known[-9:]) for _ in range(1 if name == "neg" else 2))
        recipes.append((name, inputs))
        known.append(getattr(make, name)(*inputs))
    return [rng.choice(known[-5:]) for _ in range(2)] + known[-1:]


def keeps_what_it_gets(make, change, fetches, fed):
    """Fail unless the pass leaves both lists and each of their nodes as they are, and makes a list
    of its own, also where nothing is to be done: `fed` are leaves."""
    for given in (fetches, fed):  # something to do; nothing
        expect(make.graphs.same_lists(change, given, fed), [True] * 3,
               of="whether the lists are kept, their nodes (`vars` of each), a new list comes")


def keeps_random_graphs(student, change, rng, finished=None):
    """Fail unless the pass keeps the bits of random graphs, fed with odd numbers, and each new
    graph has nothing in `finished(graph)`."""
    make = Maker(student)
    for turn in range(6):
        leaves = [make.leaf("x"), make.leaf("y"), make.random()]
        fetches = random_graph(make, rng, 14, leaves)
        fed = [rng.choice(fetches)] if turn % 2 else []
        if fed:  # what it knew when nothing was fed must be forgotten
            student[change](list(fetches), [])
        asked = dict.fromkeys([*leaves, *fed])
        feeds = [{node: rng.choice(ODD) for node in asked} for _ in range(8)]
        _, new = rewritten(student, change, fetches, feeds, f"random graph {turn + 1}", fed)
        if finished is not None:
            expect(finished(new), [], "the pass can still do it", of="what is left to do")


def twins_left(graph):
    """The ops of those nodes of a graph that have a twin before them."""
    seen, left = set(), []
    for name, inputs, value in graph.values():
        operands = frozenset(inputs) if name in ("add", "mul") else tuple(inputs)
        key = name, operands, repr(value)
        if name not in ("placeholder", "random"):
            left += [name] if key in seen else []
            seen.add(key)
    return left


def rules_left(graph):
    """The ops of those nodes of a graph that one of the six rules fits."""
    left = []
    for name, inputs, _ in graph.values():
        looks = []
        for x in inputs:
            op, _, value = graph.get(x, (None, (), None))
            looks.append(repr(value) if op == "constant" else op)
        first, last = (*looks[:1], *looks[-1:]) if looks else (None, None)
        fits = {
            "neg": first == "neg", "add": "neg" in looks, "sub": last in ("neg", "0.0"),
            "mul": "1.0" in looks, "div": last == "1.0",
        }  # fmt: skip
        left += [name] if fits.get(name) else []
    return left


def unfolded(graph):
    """The ops of those nodes of a graph that constants alone decide."""
    known = {node: value for node, (name, _, value) in graph.items() if name == "constant"}
    sure = [(name, [known[x] for x in inputs]) for name, inputs, _ in graph.values()
            if inputs and all(x in known for x in inputs)]
    return [name for name, numbers in sure if has_number(name, numbers)]


def has_number(name, numbers):
    """Whether an op of these numbers raises nothing."""
    try:
        COMPUTE[name](*numbers)
    except (ArithmeticError, ValueError):
        return False
    return True


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1, hint="0.0 and -0.0 are equal, and still two numbers.")
def test_zeros(student):
    """both zeros, both ways"""
    for a in (0.0, -0.0):
        for b in (0.0, -0.0):
            expect(student.same_bits(a, b), repr(a) == repr(b), of=f"same_bits({a}, {b})")


@pytest.mark.question("q1", points=1, hint="NaN is equal to nothing, not even to itself.")
def test_nan(student):
    """NaN beside NaN and beside numbers"""
    expect(student.same_bits(math.nan, math.nan), True, of="same_bits(nan, nan)")
    expect(student.same_bits(-math.nan, math.nan), True, of="same_bits(-nan, nan)")
    for b in (0.0, math.inf, 1.0, -0.0):
        expect(student.same_bits(math.nan, b), False, of=f"same_bits(nan, {b})")
        expect(student.same_bits(b, math.nan), False, of=f"same_bits({b}, nan)")


@pytest.mark.question("q1", points=1, hint="To the last bit: no tolerance, also for tiny and huge.")
def test_neighbours(student, rng):
    """numbers beside their neighbours"""
    power = 2.0 ** rng.randint(-900, 900)  # its lower neighbour is nearer than any other's
    for a in (number(rng), power, 1e-300, -5e-324, 1e308, math.inf):
        expect(student.same_bits(a, a), True, of=f"same_bits({a!r}, {a!r})")
        expect(student.same_bits(a, -a), False, of=f"same_bits({a!r}, {-a!r})")
        near = math.nextafter(a, 0.0)
        expect(student.same_bits(a, near), False, of=f"same_bits({a!r}, {near!r})")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=1, hint="What stands on a folded node folds in turn.")
def test_constants_become_one(student, rng):
    """formulas of constants, and beside them an x"""
    make, (a, b) = Maker(student), (number(rng), number(rng))
    x = make.leaf("x")
    whole = make.neg(make.mul(make.add(make.number(a), make.number(b)), make.number(a)))
    feeds = [{x: value} for value in ODD]
    (z,), _ = rewritten(student, "fold", [whole], [{}], "-((a + b) a)", most=1)
    expect(z.op, "constant", of="what remains of it")
    rewritten(student, "fold", [make.sub(whole, x), make.mul(x, x)], feeds, "c - x, x x", most=3)
    quarter = make.div(make.number(a), make.exp(make.number(0.0)))
    rewritten(student, "fold", [make.div(x, quarter), quarter], feeds, "x / q, q", most=2)


@pytest.mark.question("q2", points=1, hint="A fed constant has another number in each run.")
def test_fed_constants(student, rng):
    """a constant that is fed; a folded op that is fed"""
    make, a = Maker(student), number(rng)
    x, c = make.leaf("x"), make.number(a)
    total = make.add(c, make.number(2.0))
    rewritten(student, "fold", [make.mul(total, x)], [{x: 1.0}], "(c + 2) x, nothing fed", most=2)
    feeds = [{x: 1.0, c: value} for value in (a + 1.0, 0.0, -7.0)]
    rewritten(student, "fold", [make.mul(total, x)], feeds, "(c + 2) x, c fed", [c], most=3)
    same = make.add(make.number(a), make.number(2.0))
    feeds = [{x: 1.0, c: value} for value in (a + 1.0, 0.0)]
    rewritten(student, "fold", [make.sub(make.mul(same, x), c)], feeds,
              "(d + 2) x - c, c = d fed", [c], most=3)
    feeds = [{x: 1.0, total: value} for value in (0.0, 5.0)]
    _, new = rewritten(student, "fold", [make.mul(total, x), make.neg(total)], feeds,
                       "s x and -s, s = c + 2 fed", [total], most=2)
    expect(ops(new), ["mul", "neg", "placeholder"], of="its nodes")
    high = make.mul(make.neg(total), x)
    feeds = [{x: 1.0, high: value} for value in (0.0, 5.0)]
    rewritten(student, "fold", [make.sub(high, total)], feeds, "h - (c + 2), h = -(c + 2) x fed",
              [high], most=2)


@pytest.mark.question("q2", points=1, hint="A node without operands is no constant.")
def test_random_stays(student, rng):
    """random numbers among constants"""
    make = Maker(student)
    r, c = make.random(), make.number(number(rng))
    feeds = [{r: value} for value in (0.25, 0.5, -0.0)]
    (z, same), _ = rewritten(student, "fold", [make.mul(r, make.add(c, c)), r], feeds,
                             "r (c + c), r", most=2)
    expect(same == r, True, of="whether r itself is still fetched")
    x = make.leaf("x")
    came, _ = rewritten(student, "fold", [x, c], [{x: 2.0}], "x, c", most=1)
    expect([came[0] == x, came[1] == c], [True, True], of="whether x and c are the nodes they were")


@pytest.mark.question("q2", points=1, hint="What raises, raises in the run, not in the pass.")
def test_what_raises_stays(student):
    """ops that have no number"""
    make = Maker(student)
    x, zero = make.leaf("x"), make.number(0.0)
    wrong = [make.div(make.number(1.0), zero), make.log(make.number(-2.0)), make.log(zero),
             make.exp(make.number(1000.0)), make.div(zero, make.number(-0.0))]
    for node in wrong:
        rewritten(student, "fold", [make.add(x, node)], [{x: 1.0}], f"x + a wrong {node.op}")
        rewritten(student, "fold", [make.neg(node)], [{}], f"- of a wrong {node.op}")
        both = [make.neg(zero), make.sub(x, node), make.exp(zero)]
        _, new = rewritten(student, "fold", both, [{x: 1.0}], f"a wrong {node.op} among others")
        expect(unfolded(new), [], of=f"what is left to fold beside a wrong {node.op}")
        (good,), _ = rewritten(student, "fold", [make.neg(zero)], [{}], "-(0.0)", most=1)
        expect(repr(good.value), "-0.0", of="-(0.0), folded")


@pytest.mark.question("q2", points=1, hint="Try NaN, inf, -0.0, and nodes that several others use.")
def test_folding_keeps_bits(student, rng):
    """odd constants, random graphs"""
    make = Maker(student)
    inf = make.number(math.inf)
    (nan,), _ = rewritten(student, "fold", [make.sub(inf, inf)], [{}], "inf - inf", most=1)
    expect(repr(nan.value), "nan", of="inf - inf, folded")
    for _ in range(3):
        a, b, c = (make.number(value) for value in (number(rng), number(rng), rng.uniform(90, 700)))
        each = [make.add(a, b), make.sub(a, b), make.mul(a, b), make.div(a, b), make.div(c, b),
                make.exp(a), make.exp(c), make.log(c)]
        rewritten(student, "fold", each, [{}], "all ops of a, b, c", most=len(each))
    x, zeros = make.leaf("x"), [make.number(value) for value in (0.0, -0.0)]
    both = [make.neg(z) for z in zeros] + [make.mul(z, make.number(2.0)) for z in zeros]
    both += [make.add(z, a) for z in zeros for a in zeros]
    rewritten(student, "fold", both, [{}], "-z, 2 z, z + z' of the zeros", most=len(both))
    feeds = [{x: value} for value in (*ODD, 1e16)]
    rewritten(student, "fold", [make.mul(x, make.number(0.0))], feeds, "x 0.0", most=2)
    one = make.number(1.0)
    rewritten(student, "fold", [make.add(make.add(x, one), one)], feeds, "(x + 1) + 1")
    keeps_random_graphs(student, "fold", rng, unfolded)


@pytest.mark.question("q2", points=1, hint="Each node once; the caller's lists stay as they are.")
def test_folding_large_graphs(student):
    """c + c forty times; 20,000 negations; the caller's lists"""
    make = Maker(student)
    c = z = make.number(3.0)
    for _ in range(40):
        z = make.add(z, z)
    (big,) = nodes(student.fold([z], []), 1, of="c + c forty times")
    expect((big.op, big.value), ("constant", 3.0 * 2.0**40), of="c + c forty times")
    x, z = make.graphs.chain(student.Node, ["neg"] * 20_000)
    (same,) = nodes(student.fold([z], []), 1, of="20,000 negations")
    expect(same == z, True, "nothing was to be done", of="whether -(-(... x)) is the node it was")
    both = [make.add(c, c), x]
    keeps_what_it_gets(make, student.fold, both, [c])


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=1, hint="The same op on the same, already merged, inputs.")
def test_twins(student, rng):
    """twins of twins, two fetches that are one"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    feeds = [{x: a, y: b} for a in (2.0, -0.0) for b in (3.0, 0.0)]
    left, right = (make.exp(make.mul(make.sub(x, y), x)) for _ in range(2))
    rewritten(student, "merge", [make.add(left, right)], feeds, "e + e", most=4)
    (a, b, c), _ = rewritten(student, "merge", [left, right, left], feeds, "e, e, e", most=3)
    expect((a == b, b == c), (True, True), of="whether the fetches are one node")


@pytest.mark.question("q3", points=1, hint="a + b is b + a; a - b is not b - a.")
def test_order(student):
    """operands the other way round"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    feeds = [{x: a, y: b} for a in (2.0, -0.0, math.inf) for b in (3.0, 0.0, math.nan)]
    for name, most in (("add", 1), ("mul", 1), ("sub", 2), ("div", 2)):
        f = getattr(make, name)
        some = [{x: 2.0, y: 3.0}, {x: -0.0, y: 5.0}] if name == "div" else feeds
        came, _ = rewritten(student, "merge", [f(x, y), f(y, x)], some, f"x {name} y", most=most)
        expect((came[0] == came[1]), most == 1, of=f"whether x {name} y and y {name} x are one")
    rewritten(student, "merge", [make.add(x, x), make.mul(x, x)], feeds, "x + x, x x", most=2)
    rewritten(student, "merge", [make.add(x, x), make.add(x, y), make.add(y, y)], feeds,
              "x + x, x + y, y + y", most=3)
    for f, a, b, c in ((make.add, 0.1, 0.2, 0.3), (make.mul, 0.1, 0.3, 0.7)):
        a, b, c = map(make.number, (a, b, c))
        groups = [f(f(a, b), c), f(a, f(b, c))]
        rewritten(student, "merge", groups, [{}], "three numbers, grouped otherwise", most=7)
    for name in ("neg", "exp"):
        a, b = (getattr(make, name)(z) for z in (x, y))
        both = [make.mul(make.add(a, b), a), make.mul(a, make.add(b, a))]
        of = f"(a + b) a, a (b + a), a and b {name} of x and y"
        rewritten(student, "merge", both, feeds[:2], of, most=4)


@pytest.mark.question("q3", points=1, hint="The same bits: 0.0 is not -0.0, and NaN is NaN.")
def test_constants(student, rng):
    """constants of the same bits, and others"""
    make, (a, b) = Maker(student), (number(rng), number(rng) + 9.0)
    x = make.leaf("x")
    feeds = [{x: value} for value in ODD]
    for value in (a, 0.0, -0.0, math.nan, math.inf):
        one, other = make.number(value), make.number(value)
        rewritten(student, "merge", [make.add(x, one), make.mul(x, other)], feeds,
                  f"x + c, x c, c = {value!r}", most=3)
    values = (0.0, -0.0, a, b, math.nextafter(a, 9.0), math.inf, -1.0, -2.0, a * 2.0**61)
    kept = [make.number(value) for value in values]  # the last three: two pairs of one hash
    rewritten(student, "merge", [make.mul(x, c) for c in kept], feeds, "x times nine", most=18)
    _, new = rewritten(student, "merge", kept, [{}], "nine constants")
    expect(len(new), 9, of="how many constants there are, of nine that differ")


@pytest.mark.question("q3", points=1, hint="Random nodes and placeholders are only themselves.")
def test_what_waits_stays(student):
    """two random nodes, two placeholders of one name"""
    make = Maker(student)
    r, s, x, y = make.random(), make.random(), make.leaf("x"), make.leaf("x")
    feeds = [{r: 0.25, s: 0.75, x: 2.0, y: 5.0}]
    came, _ = rewritten(student, "merge", [r, s, x, y], feeds, "r, s, x, x", most=0)
    expect([a == b for a, b in zip(came, (r, s, x, y))], [True] * 4, of="whether they stayed")
    rewritten(student, "merge", [make.sub(r, s), make.sub(make.exp(r), make.exp(r))], feeds,
              "r - s, exp r - exp r", most=3)
    rewritten(student, "merge", [make.sub(make.neg(x), make.neg(y))], feeds, "-x - -x'", most=3)


@pytest.mark.question("q3", points=1, hint="What is fed is only itself, and so is its twin.")
def test_fed_twins(student, rng):
    """one of two twins is fed, now or in the next call; a constant, too"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    for first in (0, 1):
        twins = [make.mul(x, y), make.mul(x, y)]
        fed = twins[first]
        feeds = [{x: 2.0, y: 3.0, fed: 50.0}, {x: 0.0, y: 1.0, fed: -0.0}]
        rewritten(student, "merge", [make.sub(*twins)], feeds, "p - p, one p fed", [fed], most=2)
        constants = [make.number(4.0), make.number(4.0)]
        feeds = [{x: 1.0, constants[first]: 9.0}]
        rewritten(student, "merge", [make.sub(make.add(x, constants[0]), constants[1])], feeds,
                  "x + 4 - 4, one 4 fed", [constants[first]], most=3)
        both = [make.add(x, make.exp(twins[0])), make.add(make.exp(twins[1]), x)]
        feeds = [{x: 2.0, y: 3.0, fed: 0.5}]
        rewritten(student, "merge", both, feeds, "x + exp p twice, one p fed", [fed], most=5)
    z, value = make.leaf("z"), number(rng)
    for earlier, later in ((make.sub(z, x), make.sub(z, x)),
                           (make.number(value), make.number(value))):
        of = f"{earlier.op} nodes: one, then its twin in a call that feeds the first"
        rewritten(student, "merge", [earlier], [{x: 2.0, z: 3.0}], of, most=1)
        feeds = [{x: 2.0, z: 3.0, earlier: 50.0}]
        rewritten(student, "merge", [make.exp(later)], feeds, of, [earlier], most=2)
    fed = make.exp(x)
    twins = make.sub(make.neg(fed), make.exp(make.neg(fed)))
    rewritten(student, "merge", [twins], [{fed: 0.5}], "-f - exp(-f), f fed", [fed], most=3)
    high = make.sub(later, x)
    both = [make.mul(x, y), make.exp(high)]
    rewritten(student, "merge", both, [{x: 2.0, y: 3.0, high: 0.5}], "x y, exp h, h = x y - x fed",
              [high], most=2)


@pytest.mark.question("q3", points=1, hint="Each node once, no recursion; odd numbers, too.")
def test_merging_large_graphs(student, rng):
    """two towers of forty; a long chain; random graphs"""
    make = Maker(student)
    x = a = b = make.leaf("x")
    for _ in range(40):
        a, b = make.add(a, a), make.add(b, b)
    _, new = rewritten(student, "merge", [make.sub(a, b)], [{x: 1.0}], "two towers", most=41)
    expect(len(new), 42, of="how many nodes there are")
    x, z = make.graphs.chain(student.Node, ["neg"] * 20_000)
    (came,) = nodes(student.merge([z], []), 1, of="20,000 negations")
    expect(make.graphs.size([came]), 20_001, of="how many nodes 20,000 negations of x have")
    both = [make.add(x, x), make.add(x, x)]
    keeps_what_it_gets(make, student.merge, both, [x])
    keeps_random_graphs(student, "merge", rng, twins_left)


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=1, hint="Each of the six rules, alone, on an op and on a leaf.")
def test_safe_rules(student):
    """each safe rule alone"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    zero, one = make.number(0.0), make.number(1.0)
    feeds = [{x: a, y: b} for a in ODD for b in (2.0, -0.0, math.nan)]
    sure = [{x: a, y: b} for a in (0.5, -0.0, 7.0) for b in (2.0, -3.0)]
    cases = [(make.sub(x, zero), 0, "x - 0.0"), (make.mul(x, one), 0, "x 1.0"),
             (make.div(x, one), 0, "x / 1.0"), (make.neg(make.neg(x)), 0, "-(-x)"),
             (make.add(x, make.neg(y)), 1, "x + (-y)"), (make.sub(x, make.neg(y)), 1, "x - (-y)")]
    for z, most, of in cases:
        rewritten(student, "simplify", [z], feeds, of, most=most)
    u = make.exp(make.neg(y))
    for z, most, of in ((make.sub(u, zero), 2, "u - 0.0"), (make.mul(u, one), 2, "u 1.0"),
                        (make.div(u, one), 2, "u / 1.0"), (make.neg(make.neg(u)), 2, "-(-u)"),
                        (make.add(x, make.neg(u)), 3, "x + (-u)"),
                        (make.sub(u, make.neg(u)), 3, "u - (-u)")):
        rewritten(student, "simplify", [z, z], sure, of, most=most)


@pytest.mark.question("q4", points=1, hint="1.0 · x and (-b) + a; and - and / cannot be turned.")
def test_the_other_way_round(student):
    """safe rules with their operands turned"""
    make = Maker(student)
    x, y, one, zero = make.leaf("x"), make.leaf("y"), make.number(1.0), make.number(0.0)
    feeds = [{x: a, y: b} for a in ODD for b in (2.0, -0.0, math.inf)]
    sure = [{x: a, y: 2.0} for a in (0.5, -3.0, 1e-320)]
    rewritten(student, "simplify", [make.mul(one, x)], feeds, "1.0 x", most=0)
    rewritten(student, "simplify", [make.add(make.neg(y), x)], feeds, "(-y) + x", most=1)
    rewritten(student, "simplify", [make.sub(make.neg(y), x)], feeds, "(-y) - x")
    rewritten(student, "simplify", [make.sub(zero, x)], feeds, "0.0 - x")
    rewritten(student, "simplify", [make.sub(one, x), make.div(one, x)], sure, "1 - x, 1 / x")
    both = make.add(make.neg(x), make.neg(y))
    rewritten(student, "simplify", [both], feeds, "(-x) + (-y)", most=2)


@pytest.mark.question("q4", points=2, hint="Try each rule with NaN, inf, 0.0, -0.0, 1e308.")
def test_unsafe_rules(student):
    """each unsafe rule, and the other zero"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    feeds = [{x: a, y: b} for a in ODD for b in (2.0, -0.0)]
    for value in (0.0, -0.0, -1.0, 2.0):
        c = make.number(value)
        for name in ("add", "sub", "mul"):
            f = getattr(make, name)
            rewritten(student, "simplify", [f(x, c)], feeds, f"x {name} {value!r}")
            rewritten(student, "simplify", [f(c, x)], feeds, f"{value!r} {name} x")
        rewritten(student, "simplify", [make.div(x, c)], feeds, f"x / {value!r}")
        rewritten(student, "simplify", [make.div(c, x)], feeds, f"{value!r} / x")
    for z, of in ((make.sub(x, x), "x - x"), (make.div(x, x), "x / x"),
                  (make.log(make.exp(x)), "log exp x"), (make.exp(make.log(x)), "exp log x"),
                  (make.sub(make.add(x, y), y), "x + y - y"), (make.mul(make.neg(x), y), "(-x) y"),
                  (make.neg(make.sub(x, y)), "-(x - y)"), (make.neg(make.add(x, y)), "-(x + y)")):
        rewritten(student, "simplify", [z], feeds, of)


@pytest.mark.question("q4", points=1, hint="What a rule makes is looked at again, inputs first.")
def test_rules_after_rules(student):
    """rules that make work for others"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    zero, one = make.number(0.0), make.number(1.0)
    feeds = [{x: a, y: b} for a in ODD for b in (2.0, -0.0, math.nan)]
    z = make.neg(make.neg(make.neg(make.neg(x))))
    rewritten(student, "simplify", [z], feeds, "-(-(-(-x)))", most=0)
    rewritten(student, "simplify", [make.neg(z)], feeds, "five minuses", most=1)
    rewritten(student, "simplify", [make.add(x, make.neg(zero))], feeds, "x + (-(0.0))", most=0)
    rewritten(student, "simplify", [make.sub(make.neg(x), make.neg(y))], feeds, "-x - -y", most=1)
    rewritten(student, "simplify", [make.mul(make.div(make.sub(x, zero), one), one)], feeds,
              "three rules", most=0)
    rewritten(student, "simplify", [make.add(x, make.neg(make.mul(make.neg(y), one)))], feeds,
              "x + (-((-y) 1.0))", most=1)
    for c, of in ((zero, "n = -(0.0)"), (make.mul(one, zero), "n = -(1.0 · 0.0)")):
        n = make.neg(c)
        for z in (make.add(x, n), make.add(n, x), make.sub(make.add(n, x), zero)):
            rewritten(student, "simplify", [z, n], feeds[:9], f"{z.op} of x and n, n; {of}", most=2)
    z = make.sub(make.neg(zero), make.neg(make.mul(x, y)))
    rewritten(student, "simplify", [z], feeds, "-(0.0) - -(x y)", most=1)


@pytest.mark.question("q4", points=1, hint="Who is fed is unknown; lists and long chains, too.")
def test_fed_and_long(student, rng):
    """a fed minus, a fed one, a fed result; 20,000 minuses; random graphs"""
    make = Maker(student)
    x, y, one, zero = make.leaf("x"), make.leaf("y"), make.number(1.0), make.number(0.0)
    minus, product = make.neg(y), make.mul(x, one)
    for z, fed in ((make.add(x, minus), minus), (make.sub(x, minus), minus),
                   (make.neg(minus), minus), (make.add(minus, x), minus), (product, one),
                   (make.div(x, one), one), (make.sub(x, zero), zero),
                   (make.neg(product), product)):
        feeds = [{x: 2.0, y: 3.0, fed: value} for value in (50.0, -0.0)]
        rewritten(student, "simplify", [z], feeds, f"{z.op} of something fed", [fed])
    difference = make.add(x, make.neg(y))
    for fed in (make.neg(make.neg(y)), make.mul(one, y), difference, make.sub(y, zero)):
        around = [make.neg(make.neg(fed)), make.mul(fed, one), make.div(fed, one),
                  make.mul(one, make.sub(fed, zero))]
        feeds = [{x: 2.0, y: 3.0, fed: value} for value in (50.0, -0.0)]
        came, _ = rewritten(student, "simplify", around, feeds, "four of f, f fed", [fed], most=0)
        expect([z == fed for z in came], [True] * 4, of="whether each of the four is f itself")
    high = make.exp(make.mul(x, one))
    rewritten(student, "simplify", [make.neg(high)], [{x: 2.0, high: 50.0}],
              "-h, h = exp(x 1.0) fed", [high], most=1)
    tower = x
    for _ in range(10):
        tower = make.mul(one, tower)
        tower = make.add(tower, tower)
    rewritten(student, "simplify", [tower], [{x: 2.0}], "a tower, (1.0 z) + (1.0 z)", most=10)
    x, z = make.graphs.chain(student.Node, ["neg"] * 20_001)
    (came,) = nodes(student.simplify([z], []), 1, of="20,001 negations")
    expect(make.graphs.size([came]), 2, of="how many nodes 20,001 negations of x have")
    keeps_what_it_gets(make, student.simplify, [z, x], [x])
    keeps_random_graphs(student, "simplify", rng, rules_left)


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=1, hint="An op with one user belongs to its user's kernel.")
def test_one_kernel(student):
    """formulas that become one node"""
    make = Maker(student)
    x, y, two = make.leaf("x"), make.leaf("y"), make.number(2.0)
    feeds = [{x: a, y: b} for a in (0.5, -0.0, 3.0) for b in (2.0, 7.0)]
    chain = make.neg(make.exp(make.mul(x, y)))
    tree = make.sub(make.div(make.exp(x), y), make.mul(make.neg(y), x))
    square = make.mul(chain, chain)
    for z, most, of in ((chain, 1, "-exp(x y)"), (tree, 1, "exp(x) / y - (-y) x"),
                        (square, 1, "(-exp(x y)) squared"), (make.sub(x, x), 1, "x - x"),
                        (make.div(make.add(x, two), two), 2, "(x + 2) / 2")):
        rewritten(student, "fuse", [z], feeds, of, most=most)


@pytest.mark.question("q5", points=1, hint="What two ops use is computed once, in its own node.")
def test_several_users(student):
    """nodes that two ops use"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    feeds = [{x: a, y: b} for a in (0.5, -0.0, 3.0) for b in (2.0, 7.0)]
    shared = make.exp(make.neg(x))
    z = make.mul(make.add(shared, y), make.sub(shared, y))
    _, new = rewritten(student, "fuse", [z], feeds, "(e + y)(e - y)", most=2)
    steps = sum(len(e[2]) if e[0] == "fused" else e[0] in COMPUTE for e in new.values())
    expect(steps, 5, "what two use was computed twice", of="how many ops are left, in all kernels")
    n = make.neg(x)
    _, new = rewritten(student, "fuse", [make.mul(n, n)], feeds, "(-x)(-x)", most=1)
    steps = [len(e[2]) for e in new.values() if e[0] == "fused"]
    expect(steps, [2], of="the steps of (-x)(-x), one operation used twice by one other")
    a = make.add(x, y)
    b = make.mul(a, make.exp(a))
    rewritten(student, "fuse", [make.sub(b, make.neg(b))], feeds, "b - -b", most=3)


@pytest.mark.question("q5", points=1, hint="What is fetched stays a node, and so does a leaf.")
def test_fetched(student):
    """fetches in the middle, twice, and of leaves"""
    make = Maker(student)
    x, y, c = make.leaf("x"), make.leaf("y"), make.number(4.0)
    feeds = [{x: a, y: 2.0} for a in (0.5, -0.0)]
    inner = make.exp(make.neg(x))
    outer = make.mul(make.sub(inner, y), c)
    rewritten(student, "fuse", [outer, inner], feeds, "outer and inner", most=3)
    came, _ = rewritten(student, "fuse", [outer, x, c, outer], feeds, "outer, x, c, outer", most=2)
    expect((came[0] == came[3], came[1] == x, came[2] == c), (True, True, True),
           of="whether outer is one node, and x and c are themselves")


@pytest.mark.question("q5", points=1, hint="What is fed is no op: not absorbed, and using nothing.")
def test_fed_nodes(student):
    """a fed op in the middle; what only it used"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    shared = make.exp(x)
    fed = make.mul(shared, y)
    z = make.sub(make.neg(fed), make.div(shared, y))
    feeds = [{x: 1.0, y: 2.0, fed: value} for value in (50.0, -0.0)]
    rewritten(student, "fuse", [z], feeds, "-p - e / y, p = e y fed", [fed], most=1)
    rewritten(student, "fuse", [z, fed], feeds, "the same, p fetched as well", [fed], most=1)
    leaf = make.leaf("leaf")
    rewritten(student, "fuse", [make.neg(x)], [{x: 1.0, leaf: 2.0}], "-x", [leaf], most=1)


@pytest.mark.question("q5", points=1, hint="Random nodes and constants stay outside, as inputs.")
def test_inputs_stay_outside(student, rng):
    """random numbers, constants, odd numbers"""
    make = Maker(student)
    r, x, c = make.random(), make.leaf("x"), make.number(number(rng))
    feeds = [{r: a, x: b} for a in (0.25, 0.75) for b in ODD]
    z = make.sub(make.mul(r, c), make.add(make.neg(r), make.mul(x, c)))
    _, new = rewritten(student, "fuse", [z], feeds, "r c - (-r + x c)", most=2)
    expect(ops(new), ["constant", "fused", "placeholder", "random"], of="its nodes")
    pairs = [(make.random(), make.random()), (make.leaf("x"), make.leaf("x")),
             (make.number(2.0), make.number(2.0)), (make.number(0.0), make.number(-0.0))]
    for a, b in pairs:
        both = [make.add(a, b), make.add(make.neg(a), make.neg(b))]
        waits = a.op != "constant"
        of = f"a + b, -a + -b, both {a.op} nodes"
        rewritten(student, "fuse", both, [{a: 0.5, b: 3.0} if waits else {}], of, most=4)
        rewritten(student, "fuse", both, [{a: 0.5, b: 3.0} if waits else {b: 7.0}], of, [b], most=3)
    keeps_random_graphs(student, "fuse", rng)


@pytest.mark.question("q5", points=1, hint="No recursion, no list copied at every step.")
def test_long_kernels(student, rng):
    """20,000 ops in a row; 2,500 kernels in a row; the caller's lists"""
    make = Maker(student)
    half, sides = make.number(0.5), [rng.random() < 0.5 for _ in range(20_000)]
    x, z = make.graphs.sums(student.Node, half, sides)
    (came,) = nodes(student.fuse([z], []), 1, of="20,000 additions")
    expect(student.run([came], {x: 1.0}), [10_001.0], of="1 + 20,000 times 0.5")
    expect(make.graphs.size([came]), 3, of="how many nodes there are: x, 0.5, the kernel")
    x, z = make.graphs.storeys(student.Node, half, sides[:2_500])
    (came,) = nodes(student.fuse([z], []), 1, of="2,500 times 0.5 (z - -z)")
    expect(student.run([came], {x: 1.25}), [1.25], of="2,500 times 0.5 (z - -z), from 1.25")
    expect(make.graphs.size([came]), 2_502, of="how many nodes there are: x, 0.5, 2,500 kernels")
    both = [make.neg(make.exp(x)), x]
    keeps_what_it_gets(make, student.fuse, both, [x])


# q6 ----------------------------------------------------------------------------------------------

PASSES = """
def passes(Node, depth):
    calls = []
    def peel(fetches, fed):  # takes one minus off, as long as there is one, and counts
        calls.append(("peel", list(fed)))
        if any(z.op == "neg" and z not in fed for z in fetches):
            return [z.inputs[0] if z.op == "neg" and z not in fed else z for z in fetches]
        return list(fetches)
    def idle(fetches, fed):
        calls.append(("idle", list(fed)))
        return list(fetches)
    def restless(fetches, fed):
        calls.append(("restless", list(fed)))
        return [Node(z.op, z.inputs, z.value, z.name) for z in fetches]
    def late(fetches, fed):  # has something to do once peel is through
        calls.append(("late", list(fed)))
        if all(z.op == "exp" for z in fetches):
            return [Node("neg", (Node("neg", (z.inputs[0],)),)) for z in fetches]
        return list(fetches)
    x = z = Node("placeholder", (), name="x")
    for _ in range(depth):
        z = Node("neg", (z,))
    return {"peel": peel, "idle": idle, "restless": restless, "late": late}, calls, x, z

def go(Node, improve, names, depth, feed=False, **options):
    known, calls, x, z = passes(Node, depth)
    chosen, fetches, fed = [known[name] for name in names], [z], [z] if feed else []
    before = list(chosen), list(fetches), list(fed)
    came = improve(chosen, fetches, fed, **options) if options else improve(chosen, fetches, fed)
    kept = (chosen, fetches, fed) == before
    left, node = 0, came[0]
    while node is not x and left <= depth:
        node, left = node.inputs[0], left + 1
    told = all(each == fed for _, each in calls)
    return [left, [name for name, _ in calls], kept and type(came) is list, told]

def go_swap(Node, improve, rounds):
    leaves = [Node("placeholder", (), name=name) for name in "xyz"]
    calls = []
    def swap(fetches, fed):  # never agrees with itself
        calls.append(len(fetches))
        return [leaves[1 - leaves.index(z)] if z in leaves[:2] else z for z in fetches]
    came = improve([swap], list(leaves), [], rounds=rounds)
    return [leaves.index(z) for z in came], len(calls)

def go_copies(Node, improve, rounds, number):
    calls = [0]
    def copy(fetches, fed):  # nobody but improve holds what it makes
        calls[0] += 1
        return [Node(z.op, z.inputs, z.value, z.name) for z in fetches]
    improve([copy] * number, [Node("neg", (Node("placeholder", (), name="x"),))], [], rounds=rounds)
    return calls[0]

def go_swing(Node, improve, number):
    x, y = (Node("placeholder", (), name=name) for name in "xy")
    calls = []
    def swing(a, b):
        def to_the_other(fetches, fed):
            calls.append(len(fetches))
            return [b if z is a else z for z in fetches]
        return to_the_other
    came = improve([swing(x, y), swing(y, x)] * number, [x, x])
    return [z is x for z in came], len(calls)

def go_late(Node, improve):
    known, calls, x, z = passes(Node, 0)
    came = improve([known["peel"], known["late"]], [Node("exp", (x,))])
    return [came[0] is x, [name for name, _ in calls]]
"""


@pytest.mark.question("q6", points=1, hint="Round after round, until one changes no node at all.")
def test_until_a_round_changes_nothing(student):
    """passes that need several rounds"""
    go = student.define(PASSES).go
    expect(go(student.Node, student.improve, ["peel"], 3), [0, ["peel"] * 4, True, True],
           of="a pass that takes one minus off, three times: minuses left, calls, list kept, fed")
    expect(go(student.Node, student.improve, ["idle", "peel"], 2),
           [0, ["idle", "peel"] * 3, True, True], of="the same behind an idle pass")
    expect(go(student.Node, student.improve, ["peel", "idle"], 2),
           [0, ["peel", "idle"] * 3, True, True], of="the same before an idle pass")
    expect(go(student.Node, student.improve, ["peel"], 2, feed=True), [2, ["peel"], True, True],
           of="the same on a fed node")
    late = student.define(PASSES).go_late
    expect(late(student.Node, student.improve), [True, ["peel", "late"] * 4],
           of="a pass that has to do only after another")
    swing = student.define(PASSES).go_swing
    for number in (1, 3):
        expect(swing(student.Node, student.improve, number), ([True, True], 2 * number),
               "the round returned the very same nodes",
               of=f"{number} times two passes, of which one undoes the other: nodes, calls")


@pytest.mark.question("q6", points=1, hint="Stop after `rounds`; without passes nothing is to do.")
def test_rounds(student):
    """passes that never agree; no passes"""
    go = student.define(PASSES).go
    found = go(student.Node, student.improve, ["restless"], 2, rounds=7)
    expect(found, [2, ["restless"] * 7, True, True], of="seven rounds of a restless pass")
    found = go(student.Node, student.improve, ["peel", "restless"], 5, rounds=3)
    expect(found, [2, ["peel", "restless"] * 3, True, True], of="three rounds of two passes")
    helper = student.define(PASSES)
    for rounds in (5, 8):
        order = [1, 0, 2] if rounds % 2 else [0, 1, 2]
        expect(helper.go_swap(student.Node, student.improve, rounds), (order, rounds),
               of=f"{rounds} rounds of a pass that swaps two nodes: their order, the calls")
        for number in (2, 3):
            expect(helper.go_copies(student.Node, student.improve, rounds, number), rounds * number,
                   "a copy is another node, wherever it lies in memory",
                   of=f"the calls in {rounds} rounds of {number} copying passes")
    found = go(student.Node, student.improve, ["restless"], 1)
    expect(found[1], ["restless"] * 100, of="the calls when rounds is not said")
    expect(go(student.Node, student.improve, [], 2), [2, [], True, True], of="no passes")
    found = go(student.Node, student.improve, ["peel"], 2, rounds=0)
    expect(found, [2, [], True, True], of="no rounds")


@pytest.mark.question("q6", points=1, hint="Nodes are compared one by one, as the same objects.")
def test_several_fetches(student):
    """two fetches, of which one is through earlier"""
    helper = student.define(PASSES + """
def two(Node, improve):
    known, calls, x, z = passes(Node, 3)
    came = improve([known["peel"]], [Node("neg", (x,)), z, x])
    return [each is x for each in came], len(calls)
""")
    expect(helper.two(student.Node, student.improve), ([True, True, True], 4),
           of="whether -x, -(-(-x)) and x have all become x, and how many rounds it took")
