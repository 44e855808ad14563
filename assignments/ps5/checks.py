"""The visible checks of ps5: pytest functions over `student`, which answers for your code."""

import math
import operator

import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import Mismatch
from minigrad.course.grading.student import Handle, StudentError, during

GRAPHS = """
def op(Node, name, *inputs):
    return Node(name, inputs)

def leaf(Node, op, name=None):
    return Node(op, (), name=name)

def number(Node, value, negated=False):
    return Node("constant", (), value=-value if negated else value)

def chain(Node, names):
    x = z = Node("placeholder", (), name="x")
    for name in names:
        z = Node(name, (z,))
    return x, z

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
NESTED = "It calls itself for each node, so that a long chain is too deep (rule 6)."
RAISES = "The pass itself raises an error, which only a run may do (rule 5)."


class Malformed(Exception):
    """A node that no run could compute: the cause, and what exactly came."""


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

    def number(self, value, negated=False):
        return self.graphs.number(self.node, value, negated)


def fail(of, because, wanted, came):
    """Fail as `expect` does, where it cannot compare."""
    text = f"of        {of}\nexpected  {wanted}\ncame      {came:.300}\nperhaps   {because}"
    raise Mismatch(text, of, because)


def is_nodes(came, count):
    """Whether a list of so many nodes came."""
    right = type(came) in (list, tuple) and len(came) == count
    return right and all(type(node) is Handle for node in came)


def called(student, change, fetches, fed, of, raising=RAISES):
    """The list of nodes that a pass returns."""
    try:
        came = student.without_recursion(student[change], list(fetches), list(fed))
    except StudentError as error:
        with during(of, because=NESTED if error.kind == "RecursionError" else raising):
            raise
    if not is_nodes(came, len(fetches)):
        fail(of, "The pass does not return a list with one node for each fetch.",
             f"a list of {len(fetches)} nodes", str(came))
    return list(came)


def read_node(node):
    """(op, inputs, value) of a node, once they fit together."""
    name, inputs, value = node.op, node.inputs, None
    if type(inputs) not in (list, tuple):
        raise Malformed("The inputs of a node are not a tuple.", str(inputs))
    if name == "constant":
        value = node.value
        if type(value) is not float:
            raise Malformed("A constant holds something that is not a float.", str(value))
    elif name == "fused":
        value = read_steps(node.value, len(inputs))
    elif type(name) is not str or name not in ARITY:
        raise Malformed("A node has an op that this notebook does not know.", str(name))
    if not is_nodes(inputs, ARITY.get(name, len(inputs))):
        raise Malformed("A node has more or fewer inputs than its op takes.", f"{name} {inputs}")
    return name, list(inputs), value


def read_steps(steps, inputs):
    """The steps of a kernel with so many inputs, once each only looks back."""
    if type(steps) not in (list, tuple) or not 0 < len(steps) <= 300:
        raise Malformed("The value of a kernel is not a tuple of its steps.", str(steps))
    for number, step in enumerate(steps):
        known = type(step) in (list, tuple) and step and type(step[0]) is str and step[0] in COMPUTE
        if not known or len(step) != ARITY[step[0]] + 1:
            raise Malformed("A step of a kernel is not (op, place, ...).", str(step))
        if any(type(at) is not int or not 0 <= at < inputs + number for at in step[1:]):
            raise Malformed("A step reads a place that has no number yet.", str(step))
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
            raise Malformed("The new graph has a cycle, or very many nodes.", f"over {limit}")
        waiting.extend(lacking)
        if not lacking:
            found[here] = opened[here]
    return found


def meaning(graph, fetches, feeds):
    """What a run gives, as texts that show every bit, or the name of an error; computed here with
    the ops of the table alone."""
    held = {node: float(value) for node, value in feeds.items()}
    try:
        for node, (name, inputs, value) in graph.items():
            if node not in held:
                held[node] = result(name, [held[x] for x in inputs], value)
    except (ValueError, ArithmeticError):
        return "an error"
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
        raise Malformed("The new graph needs a placeholder or a random node that the old one does "
                        "not need (rules 2 and 3).", name)
    return COMPUTE[name](*numbers)


def cause_of(was, now):
    """What a changed result looks like."""
    if type(was) is str or type(now) is str:
        lost = "no longer raises the error of the old one (rule 5)."
        return f"The new graph {lost if type(was) is str else 'raises an error in a run.'}"
    for a, b in zip(was, now, strict=True):
        if "nan" in (a, b) and a != b:
            return "The new graph gives NaN instead of a number, or a number instead of NaN."
        if {a, b} == {"0.0", "-0.0"}:
            return "A zero has the wrong sign."
    return "The new graph does not give the same numbers as the old one."


def rewritten(student, change, fetches, feeds, of, fed=(), most=None, bits="", more="",
              raising=RAISES):
    """(the new fetches, their graph), once the pass `change` keeps every bit for each of the
    `feeds`, changes no node, and leaves at most so many nodes to compute. `bits`, `more` and
    `raising` are the causes where it does not, or raises."""
    before = read_graph(fetches)
    came = called(student, change, fetches, fed, of, raising)
    try:
        unchanged = read_graph(fetches) == before
        expect(unchanged, True, "It changes a node that it was given (rule 4).", of)
        old, new = read_graph(fetches, fed), read_graph(came, fed)
        for numbers in feeds:
            was, now = meaning(old, fetches, numbers), meaning(new, came, numbers)
            given = ", ".join(f"{value!r}" for value in numbers.values())
            expect(now, was, bits or cause_of(was, now), f"{of}, fed {given}" if given else of)
    except Malformed as problem:
        fail(of, problem.args[0], "a graph that can be run", problem.args[1])
    size = sum(name not in ("placeholder", "random") for name, _, _ in new.values())
    if most is not None and size > most:
        left = ", ".join(sorted(name for name, _, _ in new.values()))
        fail(of, more, f"at most {most} constants and ops", f"{size}: {left}")
    return came, new


def steps_of(graph):
    """How many operations a run of a graph computes, in kernels and alone."""
    return sum(len(value) if name == "fused" else name in COMPUTE
               for name, _, value in graph.values())


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1, core=True)
def test_same_bits(student):
    """0.1 + 0.2 and 0.3, both zeros, NaN"""
    same = student.same_bits
    expect(same(2.5, 2.5), True, "It says that a number differs from itself.",
           "same_bits(2.5, 2.5)")
    expect(same(0.1 + 0.2, 0.3), False, "The last bit differs.", "same_bits(0.1 + 0.2, 0.3)")
    expect(same(0.0, -0.0), False, "== says that the zeros are equal.", "same_bits(0.0, -0.0)")
    expect(same(0.0, 0.0), True, "It says that a zero differs from itself.", "same_bits(0.0, 0.0)")
    expect(same(math.nan, math.nan), True, "== says that NaN differs from itself.",
           "same_bits(nan, nan)")
    expect(same(math.nan, 1.0), False, "It says that NaN and a number are the same.",
           "same_bits(nan, 1.0)")


@pytest.mark.question("q1", points=0.5, corner=True)
def test_hard_numbers(student):
    """infinity"""
    expect(student.same_bits(math.inf, math.inf), True, "inf - inf is NaN, not 0.",
           "same_bits(inf, inf)")
    expect(student.same_bits(math.inf, -math.inf), False, "It ignores the sign.",
           "same_bits(inf, -inf)")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=3.5, core=True)
def test_constants_become_one(student):
    """-(2 + 3), x (2 + 3), r + (1 + 1)"""
    make = Maker(student)
    x, r, one = make.leaf("x"), make.random(), make.number(1.0)
    total = make.add(make.number(2.0), make.number(3.0))
    rewritten(student, "fold", [total], [{}], "2 + 3", most=1,
              more="An op whose operands are all constants is not folded.")
    rewritten(student, "fold", [make.neg(total)], [{}], "-(2 + 3)", most=1,
              more="An op that uses a folded op is not folded in turn.")
    rewritten(student, "fold", [make.mul(x, total)], [{x: 2.0}], "x (2 + 3)", most=2,
              more="An op that uses a folded op is not folded in turn.",
              raising="It computes a node without operands, or an op with an unknown operand.")
    feeds = [{r: 0.25}, {r: 0.75}]
    rewritten(student, "fold", [make.add(r, make.add(one, one))], feeds, "r + (1 + 1)", most=2,
              bits="It gives a random node a number before the run.",
              more="Of r + (1 + 1), the sum 1 + 1 is not folded.")


@pytest.mark.question("q2", points=1)
def test_folding_fed_nodes(student):
    """x (2 + 3), the 2 fed with 10"""
    make = Maker(student)
    x, two = make.leaf("x"), make.number(2.0)
    z = make.mul(x, make.add(two, make.number(3.0)))
    rewritten(student, "fold", [z], [{x: 1.0, two: 10.0}], "x (2 + 3), 2 fed", [two],
              bits="It uses the value of a constant that is fed (rule 2).")


@pytest.mark.question("q2", points=1)
def test_what_raises_stays(student):
    """x + 1 / 0"""
    make = Maker(student)
    x, wrong = make.leaf("x"), make.div(make.number(1.0), make.number(0.0))
    rewritten(student, "fold", [make.add(x, wrong)], [{x: 1.0}], "x + 1 / 0")


@pytest.mark.question("q2", points=0.5)
def test_folding_any_graph(student):
    """c + c thirty times"""
    make = Maker(student)
    z = make.number(3.0)
    for _ in range(30):
        z = make.add(z, z)
    rewritten(student, "fold", [z], [{}], "3 + 3, thirty times", most=1,
              more="A long formula of constants is not folded to the end.")


@pytest.mark.question("q2", points=0.5, corner=True)
def test_folding_hard_constants(student):
    """inf - inf; -(0.0)"""
    make = Maker(student)
    inf, zero = make.number(math.inf), make.number(0.0)
    for z, of in ((make.sub(inf, inf), "inf - inf"), (make.neg(zero), "-(0.0)")):
        rewritten(student, "fold", [z], [{}], of, most=1,
                  more="It does not fold an op whose result is NaN or a zero.")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=2.5, core=True)
def test_twins(student):
    """exp(x - y), twice; x + y and y + x; 2.0 and 2.0"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    feeds = [{x: 2.0, y: 3.0}]
    left, right = make.exp(make.sub(x, y)), make.exp(make.sub(x, y))
    rewritten(student, "merge", left.inputs + right.inputs, feeds, "x - y and x - y", most=1,
              more="Equal ops are not merged.")
    rewritten(student, "merge", [left, right], feeds, "exp(x - y) and exp(x - y)", most=2,
              more="Ops whose inputs become equal by merging are not merged.")
    rewritten(student, "merge", [make.add(x, y), make.add(y, x)], feeds, "x + y, y + x", most=1,
              more="A sum is not merged with the one that has its operands exchanged.")
    rewritten(student, "merge", [make.sub(x, y), make.sub(y, x)], feeds, "x - y, y - x", most=2,
              bits="It merges x - y and y - x.")
    two = make.add(make.mul(x, make.number(2.0)), make.number(2.0))
    rewritten(student, "merge", [two], [{x: 3.0}], "2 x + 2", most=3,
              more="Two constants of the same number are not merged.")


@pytest.mark.question("q3", points=0.5)
def test_random_and_placeholders(student):
    """two random nodes, two placeholders of one name"""
    make = Maker(student)
    r, s, x, y = make.random(), make.random(), make.leaf("x"), make.leaf("x")
    rewritten(student, "merge", [make.sub(r, s)], [{r: 0.25, s: 0.75}], "r - s, both random",
              bits="It merges two random nodes, which give two numbers.")
    rewritten(student, "merge", [make.sub(x, y)], [{x: 2.0, y: 5.0}], "x - y, both named x",
              bits="It merges two placeholders because they have one name.")


@pytest.mark.question("q3", points=0.5)
def test_fed_twins(student):
    """x y twice, one of them fed"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    fed, twin = make.mul(x, y), make.mul(x, y)
    feeds = [{x: 2.0, y: 3.0, fed: 50.0}]
    rewritten(student, "merge", [make.sub(fed, twin)], feeds, "p - p, one p fed", [fed],
              bits="It merges a node with a twin that is fed (rule 2).")


@pytest.mark.question("q3", points=0.5)
def test_merging_any_graph(student):
    """two towers of thirty"""
    make = Maker(student)
    x = a = b = make.leaf("x")
    for _ in range(30):
        a, b = make.add(a, a), make.add(b, b)
    rewritten(student, "merge", [make.sub(a, b)], [{x: 1.0}], "two towers", most=31,
              more="Ops whose inputs become equal by merging are not merged.")


@pytest.mark.question("q3", points=0.5, corner=True)
def test_merging_hard_constants(student):
    """0.0 and -0.0; NaN and -NaN"""
    make = Maker(student)
    x = make.leaf("x")
    both = [make.add(x, make.number(0.0)), make.add(x, make.number(-0.0))]
    rewritten(student, "merge", both, [{x: -0.0}], "x + 0.0, x + -0.0", most=4,
              bits="It merges 0.0 and -0.0.")
    both = [make.number(math.nan), make.number(math.nan, True)]
    rewritten(student, "merge", both, [{}], "NaN and -NaN", most=1,
              more="It keeps two NaN apart; all NaN count as one (rule 1).")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=4.5, core=True)
def test_six_of_twelve(student):
    """all twelve, with unusual numbers; six of them become smaller"""
    make = Maker(student)
    x, b, zero, one = make.leaf("x"), make.leaf("b"), make.number(0.0), make.number(1.0)
    table = {
        "x + 0.0": make.add(x, zero), "x - 0.0": make.sub(x, zero), "x 1.0": make.mul(x, one),
        "x 0.0": make.mul(x, zero), "x / 1.0": make.div(x, one), "x - x": make.sub(x, x),
        "x / x": make.div(x, x), "-(-x)": make.neg(make.neg(x)),
        "x + (-b)": make.add(x, make.neg(b)), "x - (-b)": make.sub(x, make.neg(b)),
        "log exp x": make.log(make.exp(x)), "0.0 - x": make.sub(zero, x),
    }  # fmt: skip
    feeds, fewer = [{x: value, b: 2.0} for value in ODD], 0
    for of, z in table.items():
        _, new = rewritten(student, "simplify", [z], feeds, of,
                           bits=f"The rule for {of} is not safe, or not applied as it stands.")
        fewer += len(new) < len(read_graph([z]))
    expect(fewer, 6, "A safe rule is not used.", of="how many of the twelve become smaller")


@pytest.mark.question("q4", points=0.5)
def test_operands_exchanged(student):
    """1.0 x; 1.0 / x"""
    make = Maker(student)
    x, one = make.leaf("x"), make.number(1.0)
    rewritten(student, "simplify", [make.mul(one, x)], [{x: 3.0}], "1.0 x", most=0,
              more="The rule for x · 1.0 is not used with its operands exchanged.")
    rewritten(student, "simplify", [make.div(one, x)], [{x: 4.0}], "1.0 / x",
              bits="The operands of a division are exchanged.")


@pytest.mark.question("q4", points=1)
def test_rules_after_rules(student):
    """x + (-(0.0)), and four minuses"""
    make = Maker(student)
    x, zero = make.leaf("x"), make.number(0.0)
    feeds = [{x: value} for value in ODD]
    four = make.neg(make.neg(make.neg(make.neg(x))))
    for z, of in ((make.add(x, make.neg(zero)), "x + (-(0.0))"), (four, "-(-(-(-x)))")):
        rewritten(student, "simplify", [z], feeds, of, most=0,
                  more="A rule fits what another rule has made, and is not used.")


@pytest.mark.question("q4", points=1)
def test_simplifying_fed_nodes(student):
    """x + (-b), the minus fed"""
    make = Maker(student)
    x, b = make.leaf("x"), make.leaf("b")
    minus = make.neg(b)
    feeds = [{x: 2.0, b: 3.0, minus: 50.0}]
    rewritten(student, "simplify", [make.add(x, minus)], feeds, "x + m, m = -b fed", [minus],
              bits="A rule looks into a minus that is fed (rule 2).")


@pytest.mark.question("q4", points=0.5)
def test_simplifying_any_graph(student):
    """201 minuses"""
    make = Maker(student)
    x, z = make.graphs.chain(student.Node, ["neg"] * 201)
    rewritten(student, "simplify", [z], [{x: 2.0}], "201 minuses", most=1,
              more="Of a long chain of minuses more than one is left.")


@pytest.mark.question("q4", points=0.5, corner=True)
def test_other_constants(student):
    """x - (-0.0); x + (-0.0), which no rule fits"""
    make = Maker(student)
    x = make.leaf("x")
    z = make.sub(x, make.number(-0.0))
    rewritten(student, "simplify", [z], [{x: value} for value in ODD], "x - (-0.0)",
              bits="A rule for 0.0 is used for -0.0.")
    z = make.add(x, make.number(-0.0))
    (came,) = called(student, "simplify", [z], [], "x + (-0.0)")
    expect(came == z, True, "It uses a rule that is not in the table.",
           of="whether x + (-0.0) stays")


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=3.5, core=True)
def test_kernels(student):
    """exp(x y) - y; (e + y)(e - y), e = exp(x)"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    feeds = [{x: 0.5, y: 2.0}, {x: -0.0, y: 3.0}]
    z = make.sub(make.exp(make.mul(x, y)), y)
    rewritten(student, "fuse", [z], feeds, "exp(x y) - y", most=1,
              more="An op that has one user is not absorbed.")
    e = make.exp(x)
    z = make.mul(make.add(e, y), make.sub(e, y))
    _, new = rewritten(student, "fuse", [z], feeds, "(e + y)(e - y), e = exp x", most=2,
                       more="An op that has one user is not absorbed.",
                       raising="It absorbs an op that another kernel still uses.")
    expect(steps_of(new), 4, "An op that two use is computed again for each of them.",
           of="how many operations a run computes of (e + y)(e - y), e = exp x")


@pytest.mark.question("q5", points=1)
def test_fetched(student):
    """a fetch in the middle, once and twice; a leaf"""
    make = Maker(student)
    x = make.leaf("x")
    inner = make.neg(x)
    feeds = [{x: 0.5}, {x: -0.0}]
    for kept in ([inner], [inner, inner]):
        of = f"exp(-x), x, and {len(kept)} times -x"
        _, new = rewritten(student, "fuse", [make.exp(inner), *kept, x], feeds, of, most=2,
                           raising="It absorbs an op that is fetched.")
        expect(steps_of(new), 2, "A fetched op is computed again inside a kernel.", of)


@pytest.mark.question("q5", points=0.5)
def test_used_twice_by_one_op(student):
    """(-x) (-x); (e + y)(e - y) has two kernels"""
    make = Maker(student)
    x = make.leaf("x")
    inner = make.neg(x)
    rewritten(student, "fuse", [make.mul(inner, inner)], [{x: 0.5}], "(-x) (-x)", most=1,
              more="It counts uses, not users: one op may use another twice.")
    y, e = make.leaf("y"), make.exp(x)
    z = make.mul(make.add(e, y), make.sub(e, y))
    _, new = rewritten(student, "fuse", [z], [{x: 0.5, y: 2.0}], "(e + y)(e - y), e = exp x")
    expect(sum(bool(inputs) for _, inputs, _ in new.values()), 2,
           "It absorbs e, which two ops use.", of="how many ops and kernels there are")


@pytest.mark.question("q5", points=0.5)
def test_fusing_fed_nodes(student):
    """-p - y, p = x y fed"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    fed = make.mul(x, y)
    z = make.sub(make.neg(fed), y)
    rewritten(student, "fuse", [z], [{x: 2.0, y: 3.0, fed: 50.0}], "-p - y", [fed], most=1,
              bits="It computes an op that is fed (rule 2).",
              more="An op that uses a fed node is not absorbed.")


@pytest.mark.question("q5", points=0.5)
def test_long_kernels(student):
    """20,000 negations"""
    make = Maker(student)
    x, z = make.graphs.chain(student.Node, ["neg"] * 20_000)
    came = called(student, "fuse", [z], [], "20,000 negations")
    expect(student.run(came, {x: 2.5}), [2.5], "A long chain does not give the same number.",
           of="20,000 times -x at 2.5")
    expect(make.graphs.size(came), 2, "Not all ops of a long chain are absorbed.",
           of="how many nodes there are: x, the kernel")


@pytest.mark.question("q5", points=0.5, corner=True)
def test_leaves_stay_outside(student):
    """-r - -s, two random nodes"""
    make = Maker(student)
    r, s = make.random(), make.random()
    z = make.sub(make.neg(r), make.neg(s))
    rewritten(student, "fuse", [z], [{r: 0.5, s: 3.0}], "-r - -s", most=1,
              bits="It treats two random nodes as one input.",
              more="An op that uses a random node is not absorbed.")


# q6 ----------------------------------------------------------------------------------------------

PASSES = """
def go(Node, improve, name, depth, **options):
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
    known = {"peel": peel, "copy": copy}
    came = improve([known[name]], [z], [x], **options)
    return [came[0] is x, len(calls), all(list(fed) == [x] for fed in calls)]

def go_swing(Node, improve):
    x, y = (Node("placeholder", (), name=name) for name in "xy")
    calls = []
    def swing(a, b):
        def to_the_other(fetches, fed):
            calls.append(len(fetches))
            return [b if z is a else z for z in fetches]
        return to_the_other
    came = improve([swing(x, y), swing(y, x)], [x], [])
    return len(calls)
"""


@pytest.mark.question("q6", points=2, core=True)
def test_until_a_round_changes_nothing(student):
    """a pass that takes one minus off, three times"""
    done, rounds, told = student.define(PASSES).go(student.Node, student.improve, "peel", 3)
    of = "a pass that takes one of three minuses off"
    expect(told, True, "The passes do not get the list of fed nodes.", of)
    expect(done, True, "It stops before x is left, or does not return the last fetches.", of)
    expect(rounds, 4, "The fourth round changes nothing, and is the last.", f"the rounds of {of}")


@pytest.mark.question("q6", points=0.5)
def test_rounds(student):
    """a pass that never agrees with itself"""
    go = student.define(PASSES).go
    _, rounds, _ = go(student.Node, student.improve, "copy", 2, rounds=5)
    expect(rounds, 5, "A copy is another node, so each round changes something.",
           of="the rounds of a pass that copies, where `rounds` is 5")


@pytest.mark.question("q6", points=0.5, corner=True)
def test_the_very_same_nodes(student):
    """two passes, of which one undoes the other"""
    expect(student.define(PASSES).go_swing(student.Node, student.improve), 2,
           "It compares after each pass; the whole round has returned the node that it got.",
           of="how often two passes are called, of which one undoes the other")
