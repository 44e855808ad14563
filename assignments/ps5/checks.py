"""The visible checks of ps5: pytest functions over `student`, which answers for your code."""

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

def chain(Node, names, fixed=None):
    x = z = Node("placeholder", (), name="x")
    for name in names:
        z = Node(name, (z,) if fixed is None else (z, fixed))
    return x, z

def same_lists(call, fetches, fed):
    before = list(fetches), list(fed)
    call(fetches, fed)
    return (fetches, fed) == before

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


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1)
def test_zeros(student):
    """0.0 and -0.0"""
    expect(student.same_bits(0.0, 0.0), True, of="same_bits(0.0, 0.0)")
    expect(student.same_bits(0.0, -0.0), False, "== says that they are equal",
           of="same_bits(0.0, -0.0)")


@pytest.mark.question("q1", points=1)
def test_nan(student):
    """NaN beside NaN, beside a number"""
    expect(student.same_bits(math.nan, math.nan), True, "NaN is equal to nothing, by ==",
           of="same_bits(nan, nan)")
    expect(student.same_bits(math.nan, 1.0), False, of="same_bits(nan, 1.0)")


@pytest.mark.question("q1", points=1)
def test_neighbours(student):
    """0.1 + 0.2 and 0.3"""
    expect(student.same_bits(0.1 + 0.2, 0.3), False, "the last bit differs",
           of="same_bits(0.1 + 0.2, 0.3)")
    expect(student.same_bits(2.5, 2.5), True, of="same_bits(2.5, 2.5)")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=2)
def test_constants_become_one(student):
    """x (2 + 3)"""
    make = Maker(student)
    x, total = make.leaf("x"), make.add(make.number(2.0), make.number(3.0))
    rewritten(student, "fold", [make.neg(total)], [{}], "-(2 + 3)", most=1)
    rewritten(student, "fold", [make.mul(x, total)], [{x: 2.0}], "x (2 + 3)", most=2)


@pytest.mark.question("q2", points=1)
def test_fed_constants(student):
    """x (2 + 3), the 2 fed with 10"""
    make = Maker(student)
    x, two = make.leaf("x"), make.number(2.0)
    z = make.mul(x, make.add(two, make.number(3.0)))
    rewritten(student, "fold", [z], [{x: 1.0, two: 10.0}], "x (2 + 3), 2 fed", [two])


@pytest.mark.question("q2", points=1)
def test_random_stays(student):
    """r + (1 + 1)"""
    make = Maker(student)
    r, one = make.random(), make.number(1.0)
    feeds = [{r: 0.25}, {r: 0.75}]
    rewritten(student, "fold", [make.add(r, make.add(one, one))], feeds, "r + (1 + 1)", most=2)


@pytest.mark.question("q2", points=1)
def test_what_raises_stays(student):
    """x + 1 / 0"""
    make = Maker(student)
    x, wrong = make.leaf("x"), make.div(make.number(1.0), make.number(0.0))
    rewritten(student, "fold", [make.add(x, wrong)], [{x: 1.0}], "x + 1 / 0")


@pytest.mark.question("q2", points=1)
def test_folding_a_large_graph(student):
    """c + c thirty times"""
    make = Maker(student)
    z = make.number(3.0)
    for _ in range(30):
        z = make.add(z, z)
    rewritten(student, "fold", [z], [{}], "3 + 3, thirty times", most=1)


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=1)
def test_twins(student):
    """exp(x - y), twice"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    left, right = make.exp(make.sub(x, y)), make.exp(make.sub(x, y))
    rewritten(student, "merge", [make.add(left, right)], [{x: 2.0, y: 3.0}], "e + e", most=3)
    rewritten(student, "merge", [left, right], [{x: 2.0, y: 3.0}], "e and e", most=2)


@pytest.mark.question("q3", points=1)
def test_order(student):
    """x + y and y + x; x - y and y - x"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    feeds = [{x: 2.0, y: 3.0}]
    rewritten(student, "merge", [make.add(x, y), make.add(y, x)], feeds, "x + y, y + x", most=1)
    rewritten(student, "merge", [make.sub(x, y), make.sub(y, x)], feeds, "x - y, y - x", most=2)


@pytest.mark.question("q3", points=1)
def test_constants(student):
    """2.0 and 2.0; 0.0 and -0.0"""
    make = Maker(student)
    x = make.leaf("x")
    two = make.add(make.mul(x, make.number(2.0)), make.number(2.0))
    rewritten(student, "merge", [two], [{x: 3.0}], "2 x + 2", most=3)
    both = [make.add(x, make.number(0.0)), make.add(x, make.number(-0.0))]
    rewritten(student, "merge", both, [{x: -0.0}], "x + 0.0, x + -0.0", most=4)


@pytest.mark.question("q3", points=1)
def test_what_waits_stays(student):
    """two random nodes, two placeholders of one name"""
    make = Maker(student)
    r, s, x, y = make.random(), make.random(), make.leaf("x"), make.leaf("x")
    feeds = [{r: 0.25, s: 0.75, x: 2.0, y: 5.0}]
    rewritten(student, "merge", [make.sub(r, s), make.sub(x, y)], feeds, "r - s, x - x'", most=2)


@pytest.mark.question("q3", points=1)
def test_fed_twins(student):
    """x y twice, one of them fed"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    fed, twin = make.mul(x, y), make.mul(x, y)
    feeds = [{x: 2.0, y: 3.0, fed: 50.0}]
    rewritten(student, "merge", [make.sub(fed, twin)], feeds, "p - p, one p fed", [fed])


@pytest.mark.question("q3", points=1)
def test_merging_a_large_graph(student):
    """two towers of thirty"""
    make = Maker(student)
    x = a = b = make.leaf("x")
    for _ in range(30):
        a, b = make.add(a, a), make.add(b, b)
    rewritten(student, "merge", [make.sub(a, b)], [{x: 1.0}], "two towers", most=31)


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=2)
def test_unsafe_rules(student):
    """all twelve, with odd numbers"""
    make = Maker(student)
    x, b, zero, one = make.leaf("x"), make.leaf("b"), make.number(0.0), make.number(1.0)
    table = {
        "x + 0.0": make.add(x, zero), "x - 0.0": make.sub(x, zero), "x 1.0": make.mul(x, one),
        "x 0.0": make.mul(x, zero), "x / 1.0": make.div(x, one), "x - x": make.sub(x, x),
        "x / x": make.div(x, x), "-(-x)": make.neg(make.neg(x)),
        "x + (-b)": make.add(x, make.neg(b)), "x - (-b)": make.sub(x, make.neg(b)),
        "log exp x": make.log(make.exp(x)), "0.0 - x": make.sub(zero, x),
    }  # fmt: skip
    feeds = [{x: value, b: 2.0} for value in ODD]
    for of, z in table.items():
        rewritten(student, "simplify", [z], feeds, of)


@pytest.mark.question("q4", points=2)
def test_how_many_are_safe(student):
    """six of the twelve make fewer nodes, or a better one"""
    make = Maker(student)
    x, b, zero, one = make.leaf("x"), make.leaf("b"), make.number(0.0), make.number(1.0)
    sure = [make.sub(x, zero), make.mul(one, x), make.div(x, one), make.neg(make.neg(x)),
            make.add(x, make.neg(b)), make.sub(x, make.neg(b))]
    alike = [make.add(x, zero), make.mul(x, zero), make.sub(x, x), make.div(x, x),
             make.log(make.exp(x)), make.sub(zero, x)]
    fewer = 0
    for z in sure + alike:
        _, new = rewritten(student, "simplify", [z], [{x: 3.0, b: 2.0}], f"a rule on {z.op}")
        fewer += len(new) < len(read_graph([z]))
    expect(fewer, 6, of="how many of the twelve get smaller")


@pytest.mark.question("q4", points=1)
def test_rules_after_rules(student):
    """x + (-(0.0)), and four minuses"""
    make = Maker(student)
    x, zero = make.leaf("x"), make.number(0.0)
    feeds = [{x: value} for value in ODD]
    rewritten(student, "simplify", [make.add(x, make.neg(zero))], feeds, "x + (-(0.0))", most=0)
    z = make.neg(make.neg(make.neg(make.neg(x))))
    rewritten(student, "simplify", [z], feeds, "-(-(-(-x)))", most=0)


@pytest.mark.question("q4", points=1)
def test_what_is_fed(student):
    """x + (-b), the minus fed"""
    make = Maker(student)
    x, b = make.leaf("x"), make.leaf("b")
    minus = make.neg(b)
    feeds = [{x: 2.0, b: 3.0, minus: 50.0}]
    rewritten(student, "simplify", [make.add(x, minus)], feeds, "x + m, m = -b fed", [minus])


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=2)
def test_one_kernel(student):
    """exp(x y) - y"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    feeds = [{x: 0.5, y: 2.0}, {x: -0.0, y: 3.0}]
    z = make.sub(make.exp(make.mul(x, y)), y)
    rewritten(student, "fuse", [z], feeds, "exp(x y) - y", most=1)
    inner = make.neg(x)
    rewritten(student, "fuse", [make.mul(inner, inner)], feeds, "(-x) (-x)", most=1)


@pytest.mark.question("q5", points=1)
def test_several_users(student):
    """(e + y)(e - y), e = exp(x)"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    e = make.exp(x)
    z = make.mul(make.add(e, y), make.sub(e, y))
    feeds = [{x: 0.5, y: 2.0}]
    _, new = rewritten(student, "fuse", [z], feeds, "(e + y)(e - y)", most=2)
    steps = sum(len(e[2]) if e[0] == "fused" else e[0] in COMPUTE for e in new.values())
    expect(steps, 4, "what two use was computed twice", of="how many ops are left, in all kernels")


@pytest.mark.question("q5", points=1)
def test_fetched(student):
    """a fetch in the middle, and a leaf"""
    make = Maker(student)
    x = make.leaf("x")
    inner = make.neg(x)
    feeds = [{x: 0.5}, {x: -0.0}]
    rewritten(student, "fuse", [make.exp(inner), inner, x], feeds, "exp(-x), -x, x", most=2)


@pytest.mark.question("q5", points=1)
def test_fed_nodes(student):
    """-p - y, p = x y fed"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    fed = make.mul(x, y)
    z = make.sub(make.neg(fed), y)
    rewritten(student, "fuse", [z], [{x: 2.0, y: 3.0, fed: 50.0}], "-p - y", [fed], most=1)


@pytest.mark.question("q5", points=1)
def test_long_kernels(student):
    """20,000 negations"""
    make = Maker(student)
    x, z = make.graphs.chain(student.Node, ["neg"] * 20_000)
    (came,) = nodes(student.fuse([z], []), 1, of="20,000 negations")
    expect(student.run([came], {x: 2.5}), [2.5], of="20,000 times -x at 2.5")
    expect(make.graphs.size([came]), 2, of="how many nodes there are: x, the kernel")


# q6 ----------------------------------------------------------------------------------------------

PASSES = """
def peeling(Node, improve, depth, **options):
    calls = []
    def peel(fetches, fed):  # takes one minus off each
        calls.append(fed)
        return [z.inputs[0] if z.op == "neg" else z for z in fetches]
    def copy(fetches, fed):
        calls.append(fed)
        return [Node(z.op, z.inputs, z.value, z.name) for z in fetches]
    x = z = Node("placeholder", (), name="x")
    for _ in range(depth):
        z = Node("neg", (z,))
    chosen = [copy if options else peel]
    came = improve(chosen, [z], [x], **options)
    return [came[0] is x, len(calls), all(fed == [x] for fed in calls)]
"""


@pytest.mark.question("q6", points=2)
def test_until_a_round_changes_nothing(student):
    """a pass that takes one minus off, three times"""
    found = student.define(PASSES).peeling(student.Node, student.improve, 3)
    expect(found, [True, 4, True], "the fourth round says that nothing is left to do",
           of="whether x is left, how many rounds, whether each pass was told what is fed")


@pytest.mark.question("q6", points=1)
def test_rounds(student):
    """a pass that never rests"""
    found = student.define(PASSES).peeling(student.Node, student.improve, 2, rounds=5)
    expect(found, [False, 5, True], "a copy is another node: such passes never agree",
           of="whether x is left, how many rounds, whether each pass was told what is fed")
