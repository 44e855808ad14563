"""The checks that grade ps5: what the visible ones ask, of other graphs and odd numbers."""

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

def attributes(fetches):
    nodes, waiting = {}, list(fetches)
    while waiting:
        node = waiting.pop()
        if node not in nodes:
            nodes[node] = [node, [list(pair) for pair in vars(node).items()]]
            waiting.extend(node.inputs)
    return list(nodes.values())

def lists_after(call, fetches, fed):
    call(fetches, fed)
    return [fetches, fed]

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
SIGNS = {"add": "+", "sub": "-", "mul": "·", "div": "/"}
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


def number(rng):
    """A number that is neither near 0 nor near 1, of either sign."""
    return round(rng.uniform(1.2, 4.0), 3) * rng.choice((-1, 1)) + 0.0005


def random_graph(make, rng, length, leaves):
    """All nodes of a graph of so many ops: repeats, constants that matter, several users."""
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
    return known


def random_fetches(rng, known):
    """Fetches among the last nodes of a random graph, some of them twice."""
    some = [known[-1], *rng.sample(known[-8:], 2)]
    some += rng.choices(some[1:], k=rng.randint(0, 2))
    return rng.sample(some, len(some))


def keeps_random_graphs(student, change, rng, undone, because, fed=(0, 0, 1, 1, 2, 3)):
    """Fail unless the pass keeps the bits of random graphs, of which so many random nodes of any
    kind are `fed`, and `undone(old graph, new graph, old fetches)` names nothing in the new one."""
    make = Maker(student)
    for count in fed:
        leaves = [make.leaf("x"), make.leaf("y"), make.random()]
        known = random_graph(make, rng, 14, leaves)
        fetches, chosen = random_fetches(rng, known), rng.sample(known, count)
        asked = dict.fromkeys([*leaves, *chosen])
        feeds = [{node: rng.choice(ODD) for node in asked} for _ in range(8)]
        of = f"a random graph, nodes of it that are fed: {count}"
        _, new = rewritten(student, change, fetches, feeds, of, chosen,
                           raising="On a random graph the pass raises an error (rule 5).")
        expect(undone(read_graph(fetches, chosen), new, fetches), [], because, of)


def fed_nodes(make, rng, x):
    """A node to feed of each kind, with the word for it."""
    a, b = make.number(number(rng)), make.number(1.0)
    return {"a constant": make.number(1.0), "a zero": make.number(0.0),
            "an op of constants": make.add(a, b), "an op of x": make.mul(x, a),
            "an op of ops": make.exp(make.mul(make.neg(make.neg(x)), b)),
            "a minus": make.neg(x), "a placeholder": make.leaf("z")}


def keeps_fed_nodes(student, change, rng):
    """Fail unless the pass keeps the bits where a node of each kind is fed, and used in each
    place, once and twice."""
    make = Maker(student)
    x = make.leaf("x")
    for kind, fed in fed_nodes(make, rng, x).items():
        two = make.number(2.0)
        users = [make.add(x, fed), make.sub(two, fed), make.mul(fed, two), make.div(x, fed),
                 make.neg(fed), make.neg(make.neg(fed)), make.mul(fed, fed), fed]
        rng.shuffle(users)
        feeds = [{x: 3.0, fed: value} for value in (50.0, -0.5)]
        came, _ = rewritten(student, change, users, feeds, f"ops that use {kind}, which is fed",
                            [fed], bits="It uses the op or the value of a fed node (rule 2).")
        expect(came[users.index(fed)] == fed, True, of=f"{kind} that is fed and fetched",
               because="A fed node is not the very same node afterwards (rule 3).")


def keeps_what_it_gets(make, change, fetches, fed):
    """Fail unless the pass leaves both lists, and each of their nodes, as they are."""
    before = make.graphs.attributes([*fetches, *fed])
    with during("a small graph", because=RAISES):
        lists = make.graphs.lists_after(change, fetches, fed)
    expect(lists, [fetches, fed], of="the lists that it was given",
           because="It changes the list of fetches or of fed nodes (rule 4).")
    expect(make.graphs.attributes([*fetches, *fed]), before, of="`vars` of each node that it got",
           because="It changes an attribute of a node, or adds one (rule 4).")


def twins_left(old, new, fetches):
    """The ops of those nodes of a graph that have a twin before them."""
    seen, left = set(), []
    for name, inputs, value in new.values():
        operands = frozenset(inputs) if name in ("add", "mul") else tuple(inputs)
        key = name, operands, repr(value)
        if name not in ("placeholder", "random"):
            left += [name] if key in seen else []
            seen.add(key)
    return left


def rules_left(old, new, fetches):
    """The ops of those nodes of a graph that one of the six rules fits."""
    left = []
    for name, inputs, _ in new.values():
        looks = []
        for x in inputs:
            op, _, value = new.get(x, (None, (), None))
            looks.append(repr(value) if op == "constant" else op)
        first, last = (*looks[:1], *looks[-1:]) if looks else (None, None)
        fits = {
            "neg": first == "neg", "add": "neg" in looks, "sub": last in ("neg", "0.0"),
            "mul": "1.0" in looks, "div": last == "1.0",
        }  # fmt: skip
        left += [name] if fits.get(name) else []
    return left


def unfolded(old, new, fetches):
    """The ops of those nodes of a graph that constants alone decide."""
    known = {node: value for node, (name, _, value) in new.items() if name == "constant"}
    sure = [(name, [known[x] for x in inputs]) for name, inputs, _ in new.values()
            if inputs and all(x in known for x in inputs)]
    return [name for name, numbers in sure if has_number(name, numbers)]


def has_number(name, numbers):
    """Whether an op of these numbers raises nothing."""
    try:
        COMPUTE[name](*numbers)
    except (ValueError, ArithmeticError):
        return False
    return True


def unfused(old, new, fetches):
    """The ops and kernels beyond one for each op that stays, and those computed once more."""
    users = [x for _, inputs, _ in old.values() for x in dict.fromkeys(inputs)]
    stay = [node for node, (_, inputs, _) in old.items()
            if inputs and (node in fetches or users.count(node) != 1)]
    left = [name for name, inputs, _ in new.values() if inputs]
    return left[len(stay):] + ["computed again"] * (steps_of(new) - steps_of(old))


# q1 ----------------------------------------------------------------------------------------------


EVERY_PAIR = "It raises an error, but every pair of floats has an answer."


def compared(student, a, b, wanted, because):
    """Fail unless same_bits says so of two floats, in both orders."""
    for pair in ((a, b), (b, a)):
        of = "same_bits({!r}, {!r})".format(*pair)
        with during(of, because=EVERY_PAIR):
            came = student.same_bits(*pair)
        expect(came, wanted, because, of)


def accepted(student):
    """What an answer does that accepts two neighbours: single precision tells numbers apart that
    are 7.5e-8 from each other, here across the middle of two steps, but not 3e-8."""
    with during("same_bits of two numbers that nearly agree", because=EVERY_PAIR):
        came = [student.same_bits(1.0, 1.0 + step) for step in (2.0**-25, 1.25 * 2.0**-24)]
    if came == [True, False]:
        return "It compares in single precision, which keeps fewer than half of the bits."
    return "It accepts two numbers that only nearly agree."


@pytest.mark.question("q1", points=1, core=True, hint="Try both zeros, NaN, and 0.1 + 0.2.")
def test_same_bits(student, rng):
    """ordinary numbers, both zeros, NaN"""
    a = number(rng)
    compared(student, a, a, True, "It says that a number differs from itself.")
    compared(student, a, a + 9.0, False, "It says that two different numbers are the same.")
    compared(student, a, -a, False, "It says that a number and its negative are the same.")
    nearly = accepted(student)
    for near in (math.nextafter(a, 9.0), a + 1e-7):
        compared(student, a, near, False, nearly)
    for zero in (0.0, -0.0):
        compared(student, zero, zero, True, "It says that a zero differs from itself.")
    compared(student, 0.0, -0.0, False, "It says that 0.0 and -0.0 are the same, as == does.")
    compared(student, math.nan, math.nan, True, "It says that NaN differs from NaN, as == does.")
    for b in (a, 0.0, -0.0):
        compared(student, math.nan, b, False, "It says that NaN and a number are the same.")


@pytest.mark.question("q1", points=0.5, corner=True, hint="To the last bit: there is no tolerance.")
def test_hard_numbers(student, rng):
    """infinity, -NaN, tiny and huge numbers"""
    power = 2.0 ** rng.randint(-900, 900)  # its lower neighbour is nearer than any other's
    for a in (power, 1e-300, -5e-324, 1e308, math.inf):
        compared(student, a, a, True, "It says that an infinite, huge or tiny number differs "
                                      "from itself.")
        compared(student, a, -a, False, "It says that a number and its negative are the same.")
        compared(student, a, math.nextafter(a, 0.0), False,
                 "It accepts a number and its neighbour, so a tolerance is left.")
    compared(student, math.nan, math.inf, False, "It says that NaN and infinity are the same.")
    answers = student.define("def go(call, nan, one): return [call(nan, -nan), call(-nan, nan), "
                             "call(-nan, one), call(-one, nan)]")
    expect(answers.go(student.same_bits, math.nan, power), [True, True, False, False],
           of="same_bits(nan, -nan)",
           because="It keeps NaN and -NaN apart; all NaN count as one (rule 1).")


# q2 ----------------------------------------------------------------------------------------------

FOLDED_X = "It folds an op although only one operand is a constant."


@pytest.mark.question("q2", points=3.5, core=True, hint="What stands on a folded op folds in turn.")
def test_constants_become_one(student, rng):
    """formulas of constants, beside placeholders and random nodes"""
    make, (a, b) = Maker(student), (number(rng), number(rng))
    total = make.add(make.number(a), make.number(b))
    (z,), _ = rewritten(student, "fold", [total], [{}], "a + b", most=1,
                        more="An op whose operands are all constants is not folded.")
    expect(z.op, "constant", "What it makes of an op of constants is not a constant.", "a + b")
    whole = make.neg(make.mul(total, make.number(a)))
    upon = "An op that uses a folded op is not folded in turn."
    rewritten(student, "fold", [whole], [{}], "-((a + b) a)", most=1, more=upon)
    x, r, quarter = make.leaf("x"), make.random(), make.div(make.number(a), make.number(4.0))
    leaves = "It computes a node without operands, or an op with an unknown operand."
    feeds = [{x: value, r: other} for value in (2.0, math.nan) for other in (0.25, 0.75)]
    for z, most, of in ((make.sub(whole, x), 2, "c - x"), (make.mul(x, x), 1, "x x"),
                        (make.mul(x, make.number(0.0)), 2, "x · 0.0"),
                        (make.div(x, quarter), 2, "x / (a / 4)")):
        rewritten(student, "fold", [z], feeds, of, most=most, bits=FOLDED_X, more=upon,
                  raising=leaves)
    for z, most, of in ((make.mul(r, make.add(quarter, quarter)), 2, "r (c + c)"), (r, 0, "r"),
                        (make.sub(r, make.neg(r)), 2, "r - (-r)")):
        rewritten(student, "fold", [z], feeds, of, most=most, more=upon, raising=leaves,
                  bits="It gives a random node, or an op that uses one, a number before the run.")


@pytest.mark.question("q2", points=1, hint="Nobody knows the number of a fed node before the run.")
def test_folding_fed_nodes(student, rng):
    """a constant that is fed; a folded op that is fed"""
    make, a = Maker(student), number(rng)
    x, c = make.leaf("x"), make.number(a)
    total = make.add(c, make.number(2.0))
    twin = make.add(make.number(a), make.number(2.0))
    feeds = [{x: 1.0, c: value} for value in (a + 1.0, 0.0, -7.0)]
    rewritten(student, "fold", [make.mul(total, x)], feeds, "(c + 2) x, c fed", [c], most=3,
              bits="It uses the value of a constant that is fed (rule 2).")
    rewritten(student, "fold", [make.sub(make.mul(twin, x), c)], feeds, "(d + 2) x - c, c = d fed",
              [c], most=3, bits="It uses the value of a constant that is fed (rule 2).",
              more="It treats a constant as fed because one with the same value is fed.")
    given = make.add(make.number(a), make.number(2.0))
    feeds = [{x: 1.0, given: value} for value in (0.0, 5.0)]
    rewritten(student, "fold", [make.mul(given, x), make.neg(given)], feeds,
              "s x and -s, s = c + 2 fed", [given], most=2,
              bits="It computes an op that is fed (rule 2).",
              more="It replaces or copies an op that is fed (rule 3).")
    high = make.mul(make.neg(twin), x)
    feeds = [{x: 1.0, high: value} for value in (0.0, 5.0)]
    rewritten(student, "fold", [make.sub(high, twin)], feeds, "h - (c + 2), h = -(c + 2) x fed",
              [high], most=2, bits="It computes an op that is fed (rule 2).",
              more="It replaces or copies an op that is fed (rule 3), or leaves what can fold.")
    keeps_fed_nodes(student, "fold", rng)


@pytest.mark.question("q2", points=1, hint="What raises an error stays in the graph (rule 5).")
def test_what_raises_stays(student):
    """ops that have no number"""
    make = Maker(student)
    x, zero = make.leaf("x"), make.number(0.0)
    wrong = [make.div(make.number(1.0), zero), make.log(make.number(-2.0)), make.log(zero),
             make.exp(make.number(1000.0)), make.div(zero, make.number(-0.0))]
    for node in wrong:
        causes = {
            "raising": f"The pass itself raises the error of this {node.op} (rule 5).",
            "bits": "It replaces an op that raises an error by a number.",
        }
        rewritten(student, "fold", [make.add(x, node)], [{x: 1.0}], f"x + a wrong {node.op}",
                  **causes)
        rewritten(student, "fold", [make.neg(node)], [{}], f"- of a wrong {node.op}", **causes)
        beside = [make.add(make.number(2.0), make.number(3.0)), make.sub(x, node)]
        _, new = rewritten(student, "fold", beside, [{x: 1.0}], f"2 + 3, x - a wrong {node.op}",
                           **causes)
        expect(unfolded(None, new, None), [], of=f"2 + 3 beside a wrong {node.op}",
               because="It does not fold other ops, because one op raises an error.")


@pytest.mark.question("q2", points=0.5, corner=True, hint="NaN and both zeros are numbers, too.")
def test_folding_hard_constants(student, rng):
    """NaN, both zeros, last bits; what stays the same"""
    make = Maker(student)
    inf, c, x = make.number(math.inf), make.number(number(rng)), make.leaf("x")
    rewritten(student, "fold", [make.sub(inf, inf)], [{}], "inf - inf", most=1,
              more="It does not fold an op whose result is NaN.")
    zeros = [make.number(value) for value in (0.0, -0.0)]
    for z in zeros:
        for node, of in ((make.neg(z), "-z"), (make.add(z, zeros[0]), "z + 0.0"),
                         (make.mul(z, c), "z c"), (make.add(z, z), "z + z")):
            rewritten(student, "fold", [node], [{}], f"{of}, z one of the zeros", most=1,
                      more="It does not fold an op whose result is a zero.")
    for _ in range(3):
        a, b, large = (make.number(v) for v in (number(rng), number(rng), rng.uniform(90, 700)))
        each = [make.sub(a, b), make.div(a, b), make.div(large, b), make.exp(a), make.exp(large),
                make.log(large)]
        rewritten(student, "fold", each, [{}], "ops of constants", most=len(each),
                  bits="The last bits of a folded constant differ from those of a run.",
                  more="An op of constants is not folded.")
    both = [make.mul(a, b) for a in zeros for b in zeros] + list(map(make.neg, zeros))
    rewritten(student, "fold", both, [{}], "products and negations of both zeros",
              bits="It uses the result of one zero for the other, because == says they agree.")
    came, _ = rewritten(student, "fold", [x, c], [{x: 2.0}], "x, c")
    expect([came[0] == x, came[1] == c], [True, True], of="whether x and c are the nodes they were",
           because="Where it has nothing to do, it does not return the node that it got (rule 3).")
    x, z = make.graphs.chain(student.Node, ["neg"] * 20_000)
    expect(called(student, "fold", [z], [], "20,000 negations of x")[0] == z, True,
           of="20,000 negations of x",
           because="Where it has nothing to do, it does not return the node that it got (rule 3).")
    keeps_what_it_gets(make, student.fold, [make.add(c, c), x], [c])


@pytest.mark.question("q2", points=0.5, hint="Each node once, without recursion (rule 6).")
def test_folding_any_graph(student, rng):
    """random graphs; c + c forty times"""
    make = Maker(student)
    x, one = make.leaf("x"), make.number(1.0)
    rewritten(student, "fold", [make.add(make.add(x, one), one)], [{x: 1e16}, {x: 2.0}],
              "(x + 1) + 1",
              bits="It adds up the constants of two additions, but each addition rounds.")
    z = make.number(3.0)
    for _ in range(40):
        z = make.add(z, z)
    (big,) = called(student, "fold", [z], [], "c + c forty times")
    expect((big.op, big.value), ("constant", 3.0 * 2.0**40), of="c + c forty times",
           because="A long formula of constants is not folded to the end.")
    earlier = make.add(one, one)
    called(student, "fold", [earlier], [], "1 + 1, nothing fed")
    rewritten(student, "fold", [make.neg(earlier)], [{one: 7.0}], "-(1 + 1), the 1 fed, after a "
              "call in which nothing was fed", [one],
              bits="It remembers what an earlier call has folded.")
    keeps_random_graphs(student, "fold", rng, unfolded, "An op of constants is left.")


# q3 ----------------------------------------------------------------------------------------------

LATER = "Ops whose inputs become equal by merging are not merged."


@pytest.mark.question("q3", points=2.5, core=True, hint="The same op on the same merged inputs.")
def test_twins(student, rng):
    """equal ops and constants, and others"""
    make, (a, b) = Maker(student), (number(rng), number(rng) + 9.0)
    x, y = make.leaf("x"), make.leaf("y")
    feeds = [{x: 2.0, y: 3.0}, {x: -0.5, y: 7.0}]

    def pair(first, second, one, size, of, because):
        came, _ = rewritten(student, "merge", [first, second], feeds, of, most=size, bits=because,
                            more=because)
        expect(came[0] == came[1], one, because, of)

    pair(make.sub(x, y), make.sub(x, y), True, 1, "x - y, x - y", "Equal ops are not merged.")
    high, again = (make.exp(make.mul(make.sub(x, y), x)) for _ in range(2))
    pair(high, again, True, 3, "exp((x - y) x) twice", LATER)
    for name in ("add", "mul"):
        f, sign = getattr(make, name), SIGNS[name]
        pair(f(x, y), f(y, x), True, 1, f"x {sign} y, y {sign} x",
             f"x {sign} y and y {sign} x are not merged.")
        (u, v), (w, t) = ((make.neg(x), make.neg(y)) for _ in range(2))
        pair(f(u, v), f(t, w), True, 3, f"-x {sign} -y, -y {sign} -x",
             f"a {sign} b and b {sign} a are not merged where a and b are ops of one kind.")
    for name in ("sub", "div"):
        f, sign = getattr(make, name), SIGNS[name]
        pair(f(x, y), f(y, x), False, 2, f"x {sign} y, y {sign} x",
             f"It merges x {sign} y and y {sign} x, which are two numbers.")
    pair(make.add(x, x), make.mul(x, x), False, 2, "x + x, x x", "It merges two different ops.")
    pair(make.add(x, x), make.add(x, y), False, 2, "x + x, x + y",
         "It merges ops that have only one operand in common.")
    same, other = [make.add(x, make.number(a)) for _ in range(2)], make.add(x, make.number(b))
    pair(*same, True, 2, "x + a, x + a", "Two constants of the same number are not merged.")
    pair(same[0], other, False, 4, "x + a, x + b", "It merges constants that differ.")


@pytest.mark.question("q3", points=0.5, hint="Random nodes and placeholders are only themselves.")
def test_random_and_placeholders(student):
    """two random nodes, two placeholders of one name"""
    make = Maker(student)
    r, s, x, y = make.random(), make.random(), make.leaf("x"), make.leaf("x")
    feeds = [{r: 0.25, s: 0.75, x: 2.0, y: 5.0}]
    for a, b, because in ((r, s, "It merges two random nodes, which give two numbers."),
                          (x, y, "It merges two placeholders because they have one name.")):
        came, _ = rewritten(student, "merge", [a, b], feeds, f"two {a.op} nodes", bits=because)
        expect([came[0] == a, came[1] == b], [True, True], because, f"two {a.op} nodes")
        rewritten(student, "merge", [make.sub(make.neg(a), make.neg(b))], feeds,
                  f"-a - -b, both {a.op} nodes", bits=because)
    rewritten(student, "merge", [make.sub(make.exp(r), make.exp(r))], feeds, "exp r - exp r",
              most=2, more="It does not merge equal ops of one random node.")


@pytest.mark.question("q3", points=0.5, hint="A fed node is never merged with another (rule 2).")
def test_fed_twins(student, rng):
    """one of two twins is fed, now or in the next call"""
    make = Maker(student)

    def twins_of(kind, x, y, value):
        """Two equal nodes of a kind."""
        kinds = {"a constant": lambda: make.number(value), "an op": lambda: make.mul(x, y),
                 "an op of ops": lambda: make.exp(make.mul(y, x))}
        return kinds[kind](), kinds[kind]()

    for kind in ("a constant", "an op", "an op of ops"):
        for first in (0, 1):
            x, y = make.leaf("x"), make.leaf("y")
            twins = twins_of(kind, x, y, number(rng))
            fed = twins[first]
            users = [make.sub(*twins), make.add(x, make.neg(twins[0])), make.neg(twins[1])]
            feeds = [{x: 2.0, y: 3.0, fed: 50.0}, {x: 0.0, y: 1.0, fed: -0.0}]
            rewritten(student, "merge", rng.sample(users, 3), feeds,
                      f"twins, each {kind}, of which one is fed", [fed],
                      bits="It merges a node with a twin that is fed (rule 2).")
        x, y = make.leaf("x"), make.leaf("y")
        earlier, later = twins_of(kind, x, y, number(rng))
        of = f"{kind}, and then its twin in a call that feeds the first"
        called(student, "merge", [earlier], [], of)
        feeds = [{x: 2.0, y: 3.0, earlier: 50.0}]
        rewritten(student, "merge", [make.neg(later)], feeds, of, [earlier],
                  bits="It uses a node that it has kept from an earlier call.")
    fed = make.exp(x)
    ops = make.sub(make.neg(fed), make.exp(make.neg(fed)))
    rewritten(student, "merge", [ops], [{fed: 0.5}], "-f - exp(-f), f fed", [fed], most=3,
              more="It does not merge equal ops of one fed node.")
    keeps_fed_nodes(student, "merge", rng)


@pytest.mark.question("q3", points=0.5, corner=True, hint="The same bits, as same_bits of q1 says.")
def test_merging_hard_constants(student, rng):
    """both zeros, every NaN, neighbours, numbers of one hash"""
    make, a = Maker(student), number(rng)
    x = make.leaf("x")
    feeds = [{x: value} for value in ODD]
    twins = {"0.0": (0.0, 0.0), "-0.0": (-0.0, -0.0), "NaN": (math.nan, math.nan),
             "infinity": (math.inf, math.inf)}
    for of, (b, c) in twins.items():
        both = [make.add(x, make.number(b)), make.mul(x, make.number(c))]
        rewritten(student, "merge", both, feeds, f"x + c, x c, c = {of}", most=3,
                  more=f"Two constants that are both {of} are not merged.")
    both = [make.number(math.nan), make.number(math.nan, True)]
    rewritten(student, "merge", both, [{}], "NaN and -NaN", most=1,
              more="It keeps NaN and -NaN apart; all NaN count as one (rule 1).")
    for b, c, because in ((0.0, -0.0, "It merges 0.0 and -0.0."),
                          (-1.0, -2.0, "It merges -1.0 and -2.0, which only have the same hash."),
                          (a, a * 2.0**61, "It merges two constants that only have the same hash."),
                          (a, math.nextafter(a, 9.0), "It merges a constant with its neighbour."),
                          (math.inf, 1e308, "It merges infinity and a huge number.")):
        both = [make.mul(x, make.number(b)), make.mul(x, make.number(c))]
        came, _ = rewritten(student, "merge", both, feeds, f"x b, x c, b = {b!r}, c = {c!r}",
                            bits=because)
        expect(came[0] == came[1], False, because, f"x b, x c, b = {b!r}, c = {c!r}")
    keeps_what_it_gets(make, student.merge, [make.add(x, x), make.add(x, x)], [x])


@pytest.mark.question("q3", points=0.5, hint=(
    "Each node once, without recursion; in a key the inputs themselves, not their keys (rule 6)."
))
def test_merging_any_graph(student, rng):
    """two towers of forty; a long chain; random graphs"""
    make = Maker(student)
    x = a = b = make.leaf("x")
    for _ in range(40):  # of - and not of +: the hash of a frozenset inside a key is kept
        a, b = make.sub(a, a), make.sub(b, b)
    rewritten(student, "merge", [make.add(a, b)], [{x: 1.0}], "two towers", most=41, more=LATER)
    for f, a, b, c in ((make.add, 0.1, 0.2, 0.3), (make.mul, 0.1, 0.3, 0.7)):
        a, b, c = map(make.number, (a, b, c))
        rewritten(student, "merge", [f(f(a, b), c), f(a, f(b, c))], [{}],
                  "(a op b) op c, a op (b op c)",
                  bits="It merges formulas that group their operands differently; each op rounds.")
    x, z = make.graphs.chain(student.Node, ["neg"] * 20_000)
    came = called(student, "merge", [z], [], "20,000 negations of x")
    expect(make.graphs.size(came), 20_001, of="how many nodes 20,000 negations of x have",
           because="It merges or loses nodes of a long chain.")
    keeps_random_graphs(student, "merge", rng, twins_left, "Two equal nodes are left.")


# q4 ----------------------------------------------------------------------------------------------


def six_rules(make, a, b):
    """(rule, its left side, how many ops beside those of a and b its right side has)."""
    zero, one = make.number(0.0), make.number(1.0)
    return (("a - 0.0 → a", make.sub(a, zero), 0), ("a · 1.0 → a", make.mul(a, one), 0),
            ("a / 1.0 → a", make.div(a, one), 0), ("-(-a) → a", make.neg(make.neg(a)), 0),
            ("a + (-b) → a - b", make.add(a, make.neg(b)), 1),
            ("a - (-b) → a + b", make.sub(a, make.neg(b)), 1))


@pytest.mark.question("q4", points=4.5, core=True, hint="Try each rule with NaN and both zeros.")
def test_six_of_twelve(student, rng):
    """the six safe rules are used, the other six are not"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    feeds = [{x: a, y: b} for a in (number(rng), *ODD) for b in (2.0, -0.0)]
    for rule, z, ops in six_rules(make, x, y):
        rewritten(student, "simplify", [z], feeds, f"{rule}, of placeholders", most=ops,
                  bits=f"The rule {rule} is not applied as it stands in the table.",
                  more=f"The rule {rule} keeps every bit and is not used.")
    u = make.exp(make.neg(y))
    for rule, z, ops in six_rules(make, u, u):
        rewritten(student, "simplify", [z], feeds[:4], f"{rule}, of ops", most=ops + 2,
                  bits=f"The rule {rule} is not applied as it stands in the table.",
                  more=f"The rule {rule} is not used where a and b are ops.")
    zero = make.number(0.0)
    unsafe = (("x + 0.0 → x", make.add(x, zero), "x = -0.0"),
              ("x · 0.0 → 0.0", make.mul(x, zero), "NaN, infinity and negative x"),
              ("x - x → 0.0", make.sub(x, x), "infinity and NaN"),
              ("x / x → 1.0", make.div(x, x), "zeros, infinity and NaN"),
              ("log(exp x) → x", make.log(make.exp(x)), "x of which exp is rounded or too large"),
              ("0.0 - x → -x", make.sub(zero, x), "x = 0.0"))
    for rule, z, witness in unsafe:
        rewritten(student, "simplify", [z], feeds, f"{rule.split(' → ')[0]}",
                  bits=f"The rule {rule} is used, which is wrong for {witness}.")


@pytest.mark.question("q4", points=0.5, hint="1.0 · x and (-b) + a, but not 1.0 / x or (-b) - a.")
def test_operands_exchanged(student):
    """rules with the operands the other way round"""
    make = Maker(student)
    x, y, one, zero = make.leaf("x"), make.leaf("y"), make.number(1.0), make.number(0.0)
    feeds = [{x: a, y: b} for a in ODD for b in (2.0, -0.0, math.inf)]
    some = [{x: a, y: 2.0} for a in (0.5, -3.0, 1e-320)]
    for z, numbers, of in ((make.sub(make.neg(y), x), feeds, "(-y) - x"),
                           (make.sub(one, x), some, "1.0 - x"), (make.div(one, x), some, "1.0 / x"),
                           (make.add(zero, x), feeds, "0.0 + x"),
                           (make.mul(zero, x), feeds, "0.0 x")):
        rewritten(student, "simplify", [z], numbers, of,
                  bits=f"It simplifies {of}, but no safe rule of the table fits it.")
    for z, most, of in ((make.mul(one, x), 0, "1.0 x"), (make.add(make.neg(y), x), 1, "(-y) + x"),
                        (make.add(make.neg(x), make.neg(y)), 2, "(-x) + (-y)")):
        rewritten(student, "simplify", [z], feeds, of, most=most,
                  bits="The operands of a rule for + or · are exchanged on one side only.",
                  more="A safe rule for + or · is not used with its operands exchanged.")


@pytest.mark.question("q4", points=1, hint="Look at what a rule has made again, until none fits.")
def test_rules_after_rules(student):
    """rules that make work for others"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    zero, one = make.number(0.0), make.number(1.0)
    feeds = [{x: a, y: b} for a in ODD for b in (2.0, -0.0)]
    four = make.neg(make.neg(make.neg(make.neg(x))))
    product = make.neg(make.mul(make.neg(y), one))
    n, m = make.neg(zero), make.neg(make.mul(one, zero))
    cases = [(four, 0, "-(-(-(-x)))"), (make.neg(four), 1, "five minuses"),
             (make.sub(make.neg(x), make.neg(y)), 1, "(-x) - (-y)"),
             (make.mul(make.div(make.sub(x, zero), one), one), 0, "((x - 0.0) / 1.0) 1.0"),
             (make.add(x, product), 1, "x + (-((-y) 1.0))"),
             (make.add(x, n), 0, "x + (-(0.0))"), (make.add(n, x), 0, "(-(0.0)) + x"),
             (make.sub(make.add(m, x), zero), 0, "((-(1.0 · 0.0)) + x) - 0.0"),
             (make.sub(n, make.neg(make.mul(x, y))), 1, "-(0.0) - (-(x y))")]
    for z, most, of in cases:
        rewritten(student, "simplify", [z], feeds, of, most=most,
                  more="A rule fits what another rule has made, and is not used.")
    rewritten(student, "simplify", [make.add(x, n), n], feeds, "x + n, n, where n = -(0.0)",
              most=2, more="A rule fits what another rule has made, and is not used.")


@pytest.mark.question("q4", points=1, hint="No rule looks into a fed node (rule 2).")
def test_simplifying_fed_nodes(student, rng):
    """a fed minus, a fed one, a fed result"""
    make = Maker(student)
    x, y, one, zero = make.leaf("x"), make.leaf("y"), make.number(1.0), make.number(0.0)
    minus, product = make.neg(y), make.mul(x, one)
    into = "A rule looks into a minus that is fed (rule 2)."
    value = "A rule uses the value of a constant that is fed (rule 2)."
    for z, fed, because in ((make.add(x, minus), minus, into), (make.sub(x, minus), minus, into),
                            (make.neg(minus), minus, into), (make.add(minus, x), minus, into),
                            (product, one, value), (make.div(x, one), one, value),
                            (make.mul(one, x), one, value), (make.sub(x, zero), zero, value),
                            (make.neg(product), product, "A rule rewrites an op that is fed.")):
        feeds = [{x: 2.0, y: 3.0, fed: number} for number in (50.0, -0.0)]
        of = f"{z.op}, an operand of which is fed"
        rewritten(student, "simplify", [z], feeds, of, [fed], bits=because)
    difference = make.add(x, make.neg(y))
    for fed in (make.neg(make.neg(y)), make.mul(one, y), difference, make.sub(y, zero)):
        around = [make.neg(make.neg(fed)), make.mul(fed, one), make.div(fed, one),
                  make.mul(one, make.sub(fed, zero))]
        feeds = [{x: 2.0, y: 3.0, fed: value} for value in (50.0, -0.0)]
        of, because = "-(-f), f 1.0, f / 1.0, 1.0 (f - 0.0), f fed", (
            "A rule leads to a fed node, and the next rule changes that (rules 2 and 3).")
        came, _ = rewritten(student, "simplify", around, feeds, of, [fed], most=0, bits=because,
                            more="A safe rule is not used on a fed operand.")
        expect([z == fed for z in came], [True] * 4, because, of)
    keeps_fed_nodes(student, "simplify", rng)


OTHER_RULE = ("It uses a rule that is not in the table. The six safe rules are asked, and no "
              "others.")


@pytest.mark.question("q4", points=0.5, corner=True, hint="A rule about 0.0 is not about -0.0.")
def test_other_constants(student):
    """constants that no rule of the table is about; what stays the same"""
    make = Maker(student)
    x = make.leaf("x")
    feeds = [{x: a} for a in ODD]
    rewritten(student, "simplify", [make.neg(make.neg(x))], feeds, "-(-x)", most=0,
              more="The rule for -(-x) is not used.")
    for value in (-0.0, -1.0, 2.0):
        c = make.number(value)
        because = (f"A rule for 0.0 or 1.0 is used for {value!r}."
                   if value else "A rule for 0.0 is used for -0.0, because == says they agree.")
        for name in ("add", "sub", "mul", "div"):
            f = getattr(make, name)
            of = f"x {SIGNS[name]} {value!r}"
            ops = [f(x, c), f(c, x)] if value else [f(x, c)]
            came, _ = rewritten(student, "simplify", ops, feeds if name != "div" else feeds[4:],
                                of, bits=because)
            expect(came == ops, True, OTHER_RULE, of=f"whether {of} stays as it is")
    keeps_what_it_gets(make, student.simplify, [make.neg(make.neg(x)), x], [x])


@pytest.mark.question("q4", points=0.5, hint="Each node once, without recursion (rule 6).")
def test_simplifying_any_graph(student, rng):
    """a tower, 20,001 negations, random graphs, rules that nobody gave"""
    make = Maker(student)
    x, y, one = make.leaf("x"), make.leaf("y"), make.number(1.0)
    feeds = [{x: a, y: b} for a in ODD for b in (2.0, -0.0)]
    for z, of in ((make.sub(make.add(x, y), y), "(x + y) - y"),
                  (make.exp(make.log(x)), "exp log x"),
                  (make.mul(make.neg(x), y), "(-x) y"), (make.neg(make.sub(x, y)), "-(x - y)"),
                  (make.neg(make.add(x, y)), "-(x + y)")):
        rewritten(student, "simplify", [z], feeds, of,
                  bits=f"It simplifies {of} by a rule that is not in the table and not safe.")
    ops = [make.mul(make.neg(x), make.neg(y)), make.div(make.neg(x), make.neg(y)),
           make.mul(make.neg(x), y), make.add(x, x)]
    of = "(-x)(-y), (-x) / (-y), (-x) y, x + x"
    expect(called(student, "simplify", ops, [], of) == ops, True, OTHER_RULE,
           of=f"whether {of} stay as they are")
    tower = x
    for _ in range(10):
        tower = make.mul(one, tower)
        tower = make.add(tower, tower)
    rewritten(student, "simplify", [tower], [{x: 2.0}], "ten times (1.0 z) + (1.0 z)", most=10,
              more="A node with two users is copied for each of them, or a rule is not used.")
    x, z = make.graphs.chain(student.Node, ["neg"] * 20_001)
    came = called(student, "simplify", [z], [], "20,001 negations of x")
    expect(make.graphs.size(came), 2, of="how many nodes 20,001 negations of x have",
           because="Of a long chain of minuses more than one is left.")
    keeps_random_graphs(student, "simplify", rng, rules_left, "A safe rule still fits a node.")


# q5 ----------------------------------------------------------------------------------------------

PLACES = "A step reads a wrong place, or its operands in the wrong order."


@pytest.mark.question("q5", points=3.5, core=True, hint="An op with one user goes into its kernel.")
def test_kernels(student):
    """chains and trees become one kernel; what several ops use stays"""
    make = Maker(student)
    x, y, two = make.leaf("x"), make.leaf("y"), make.number(2.0)
    feeds = [{x: a, y: b} for a in (0.5, -1.0, 3.0) for b in (2.0, 7.0)]
    chain = make.neg(make.exp(make.mul(make.neg(x), y)))
    tree = make.sub(make.div(make.exp(x), y), make.mul(make.neg(y), x))
    one = "An op that has one user is not absorbed."
    for z, most, of, more in ((make.neg(make.exp(x)), 1, "-exp x", one),
                              (chain, 1, "-exp((-x) y)", "Only a part of a chain is absorbed."),
                              (make.div(make.add(x, two), two), 2, "(x + 2) / 2", one),
                              (tree, 1, "exp(x) / y - (-y) x",
                               "Of two operands with one user each, one is not absorbed.")):
        rewritten(student, "fuse", [z], feeds, of, most=most, bits=PLACES, more=more)
    shared = make.exp(make.neg(x))
    a = make.add(x, y)
    b = make.mul(a, make.exp(a))
    for z, most, ops, of in (
        (make.mul(make.add(shared, y), make.sub(shared, y)), 2, 5, "(e + y)(e - y), e = exp(-x)"),
        (make.sub(b, make.neg(b)), 3, 5, "b - (-b), b = a exp a, a = x + y"),
    ):
        _, new = rewritten(student, "fuse", [z], feeds, of, most=most, bits=PLACES, more=one,
                           raising="It absorbs an op that another kernel still uses.")
        expect(steps_of(new), ops, "An op that several ops use is computed again for each of them.",
               of=f"how many operations a run computes of {of}")
    both = [make.add(shared, y), make.sub(shared, y)]
    _, new = rewritten(student, "fuse", both, feeds, "e + y, e - y", most=3, bits=PLACES, more=one,
                       raising="It absorbs an op that another kernel still uses.")
    expect(steps_of(new), 4, "An op that several ops use is computed again for each of them.",
           of="how many operations a run computes of e + y and e - y, e = exp(-x)")


@pytest.mark.question("q5", points=0.5, hint="x · x is one user of x, which uses it twice.")
def test_used_twice_by_one_op(student):
    """n n, where n is an op; an op of which both users are in one kernel"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    feeds = [{x: 0.5, y: 2.0}, {x: -0.0, y: 3.0}]
    n, deep = make.neg(x), make.exp(make.mul(x, y))
    for z, ops, of in ((make.mul(n, n), 2, "n n, n = -x"), (make.sub(x, x), 1, "x - x"),
                       (make.sub(deep, deep), 3, "d - d, d = exp(x y)")):
        _, new = rewritten(student, "fuse", [z], feeds, of, most=1, bits=PLACES,
                           more="It counts uses, not users: one op may use another twice.")
        expect(steps_of(new), ops, "It copies the steps of an op once for each use.",
               of=f"how many operations a run computes of {of}")
    e = make.exp(x)
    for z, size, of in ((make.mul(make.add(e, y), make.sub(e, y)), 2, "(e + y)(e - y), e = exp x"),
                        (make.sub(e, make.neg(e)), 2, "e - (-e), e = exp x")):
        _, new = rewritten(student, "fuse", [z], feeds, of, most=size, bits=PLACES,
                           more="An op that has one user is not absorbed.")
        expect(sum(bool(inputs) for _, inputs, _ in new.values()), size,
               of=f"how many ops and kernels there are of {of}",
               because="It absorbs an op that two ops use, because both end in one kernel. This op "
                       "has to stay.")


@pytest.mark.question("q5", points=0.5, corner=True, hint="Leaves stay outside, as inputs.")
def test_leaves_stay_outside(student, rng):
    """random numbers, equal leaves, odd numbers; what stays the same"""
    make = Maker(student)
    r, x, c = make.random(), make.leaf("x"), make.number(number(rng))
    feeds = [{r: a, x: b} for a in (0.25, 0.75) for b in ODD]
    z = make.sub(make.mul(r, c), make.add(make.neg(r), make.mul(x, c)))
    _, new = rewritten(student, "fuse", [z], feeds, "r c - (-r + x c)", most=2, bits=PLACES,
                       more="An op that has one user is not absorbed.")
    expect(sorted(name for name, _, _ in new.values()), ["constant", "fused", "placeholder",
           "random"], "A leaf is lost or copied.", "r c - (-r + x c)")
    pairs = [(make.random(), make.random()), (make.leaf("x"), make.leaf("x")),
             (make.number(2.0), make.number(2.0)), (make.number(0.0), make.number(-0.0))]
    for a, b in pairs:
        both = [make.add(a, b), make.sub(make.neg(a), make.neg(b))]
        waits = a.op != "constant"
        of = f"a + b, -a - -b, two {a.op} nodes"
        alike = "It treats two leaves that look alike as one."
        rewritten(student, "fuse", both, [{a: 0.5, b: 3.0} if waits else {}], of, most=4,
                  bits=alike, more=alike)
        rewritten(student, "fuse", both, [{a: 0.5, b: 3.0} if waits else {b: 7.0}], f"{of}, b fed",
                  [b], most=3, bits=alike, more=alike)
    keeps_what_it_gets(make, student.fuse, [make.neg(make.exp(x)), x], [x])


@pytest.mark.question("q5", points=1, hint="What is fetched stays, however often it is fetched.")
def test_fetched(student, rng):
    """fetches of inner ops, once and twice, and of leaves; random graphs"""
    make = Maker(student)
    x, c = make.leaf("x"), make.number(number(rng))
    feeds = [{x: 0.5}, {x: -0.0}]
    inner = [make.exp(x)]
    inner += [make.sub(inner[0], c)]
    inner += [make.neg(inner[1])]
    last = make.div(inner[2], c)
    for kept in inner:
        for times in (1, 2, 3):
            fetches = rng.sample([last, *[kept] * times, x], times + 2)
            of = f"a chain of four ops, of which an inner one is fetched {times} times"
            came, new = rewritten(
                student, "fuse", fetches, feeds, of, most=3,
                raising="It absorbs an op that is fetched, so no node is left for the fetch.",
                more="An op is not absorbed, or computed again, where its user is fetched.")
            expect(steps_of(new), 4, "A fetched op is computed again inside a kernel.", of)
            alike = [node for node, old in zip(came, fetches, strict=True) if old == kept]
            expect(len(set(alike)), 1, "Fetches of one node become several nodes.", of)
            expect(came[fetches.index(x)] == x, True, "A fetched leaf is another node.", of)
    keeps_random_graphs(student, "fuse", rng, unfused, fed=(0, 0, 0),
                        because="An op with one user is left, or an op is computed twice.")


@pytest.mark.question("q5", points=0.5, hint="A fed node is an input, and uses nothing (rule 2).")
def test_fusing_fed_nodes(student, rng):
    """a fed op in the middle; what only it uses"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    shared = make.exp(x)
    fed = make.mul(shared, y)
    z = make.neg(make.sub(shared, fed))
    feeds = [{x: 1.0, y: 2.0, fed: value} for value in (50.0, -0.0)]
    causes = {"bits": "It computes an op that is fed (rule 2).",
              "raising": "It computes or absorbs a node that is fed, or needs its inputs (rule 2).",
              "more": "It counts a fed node among the users of its inputs."}
    rewritten(student, "fuse", [z], feeds, "-(e - p), p = e y fed", [fed], most=1, **causes)
    rewritten(student, "fuse", [z, fed], feeds, "the same, p fetched as well", [fed], most=1,
              **causes)
    below = make.mul(make.neg(shared), y)
    feeds = [{x: 1.0, y: 2.0, below: value} for value in (50.0, -0.0)]
    causes["more"] = "It counts a user that only a fed node needs."
    rewritten(student, "fuse", [make.neg(make.sub(shared, below))], feeds,
              "-(e - p), p = (-e) y fed", [below], most=1, **causes)
    leaf = make.leaf("leaf")
    rewritten(student, "fuse", [make.neg(x)], [{x: 1.0, leaf: 2.0}], "-x, another leaf fed", [leaf],
              most=1, more="A node that is fed and not used makes a difference.")
    keeps_fed_nodes(student, "fuse", rng)
    keeps_random_graphs(student, "fuse", rng, unfused, fed=(1, 1, 2, 3),
                        because="Beside fed nodes an op with one user is left, or computed twice.")


@pytest.mark.question("q5", points=0.5, hint="No recursion, and no list copied for every op.")
def test_long_kernels(student, rng):
    """20,000 ops in a row; 2,500 kernels in a row"""
    make = Maker(student)
    half, sides = make.number(0.5), [rng.random() < 0.5 for _ in range(20_000)]
    for build, length, start, wanted, size, of in (
        ("sums", 20_000, 1.0, 10_001.0, 3, "20,000 additions of 0.5"),
        ("storeys", 2_500, 1.25, 1.25, 2_502, "2,500 times 0.5 (z - -z)"),
    ):
        x, z = getattr(make.graphs, build)(student.Node, half, sides[:length])
        came = called(student, "fuse", [z], [], of)
        expect(student.run(came, {x: start}), [wanted], of=of,
               because="A long graph does not give the same number.")
        expect(make.graphs.size(came), size, of=f"how many nodes there are of {of}",
               because="In a long graph an op is not absorbed, or computed twice.")


# q6 ----------------------------------------------------------------------------------------------

PASSES = """
def passes(Node, depth):
    calls = []
    def peel(fetches, fed):  # takes one minus off, as long as there is one
        calls.append(("peel", list(fed)))
        fits = [z.op == "neg" and z not in fed for z in fetches]
        return [z.inputs[0] if fit else z for z, fit in zip(fetches, fits)]
    def idle(fetches, fed):
        calls.append(("idle", list(fed)))
        return list(fetches)
    def restless(fetches, fed):  # copies what it gets
        calls.append(("restless", list(fed)))
        return [Node(z.op, z.inputs, z.value, z.name) for z in fetches]
    def turn(fetches, fed):  # changes nodes, and not their number
        calls.append(("turn", list(fed)))
        after = {"neg": "exp", "exp": "log"}
        return [Node(after[z.op], z.inputs) if z.op in after else z for z in fetches]
    def late(fetches, fed):  # has something to do once peel is through
        calls.append(("late", list(fed)))
        if all(z.op == "exp" for z in fetches):
            return [Node("neg", (Node("neg", (z.inputs[0],)),)) for z in fetches]
        return list(fetches)
    x = z = Node("placeholder", (), name="x")
    for _ in range(depth):
        z = Node("neg", (z,))
    known = {"peel": peel, "idle": idle, "restless": restless, "turn": turn, "late": late}
    return known, calls, x, z

def go(Node, improve, names, depth, feed=False, **options):
    known, calls, x, z = passes(Node, depth)
    chosen, fetches, fed = [known[name] for name in names], [z], [z] if feed else []
    before = list(chosen), list(fetches), list(fed)
    came = improve(chosen, fetches, fed, **options) if options else improve(chosen, fetches, fed)
    left, node = 0, came[0]
    while node is not x and left <= depth:
        node, left = node.inputs[0], left + 1
    return {"left": left, "calls": [name for name, _ in calls], "told": [fed for _, fed in calls],
            "lists": [chosen, fetches, fed], "before": before, "came": came}

def go_several(Node, improve):
    known, calls, x, z = passes(Node, 3)
    came = improve([known["peel"]], [Node("neg", (x,)), z, x], [])
    return list(came), [x] * 3, len(calls)

def go_late(Node, improve):
    known, calls, x, z = passes(Node, 0)
    came = improve([known["peel"], known["late"]], [Node("exp", (x,))], [])
    return came[0], x, [name for name, _ in calls]

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
    came = improve([swing(x, y), swing(y, x)] * number, [x, x], [])
    return list(came), [x, x], len(calls)
"""
EARLY = "It stops although the last round has changed a node."
LATE = "It goes on after a round that has changed nothing, or beyond `rounds`."
ORDER = "It does not call every pass of the list once in each round, in order."


def follow(student, names, depth, left, calls, of, feed=False, early=EARLY, **options):
    """What improve has done with these passes on a chain of minuses, once it has called them as
    often as it should, and so many minuses are left."""
    with during(of, because="It raises an error, or returns no list of nodes."):
        found = student.define(PASSES).go(student.Node, student.improve, names, depth, feed,
                                          **options)
    came, fed = list(found["calls"]), found["before"][2]
    expect(found["told"], [fed] * len(came), "The passes do not get the list of fed nodes.", of)
    short = min(len(came), len(calls))
    cause = ORDER if came[:short] != calls[:short] else LATE if len(came) > short else early
    expect(came, calls, cause, f"the calls of {of}")
    expect(found["left"], left, "It does not return what the last pass has returned.", of)
    return found


@pytest.mark.question("q6", points=2, core=True, hint="Rounds, until one of them changes no node.")
def test_until_a_round_changes_nothing(student):
    """passes that need several rounds"""
    follow(student, ["peel"], 3, 0, ["peel"] * 4, "a pass that takes one of three minuses off")
    again = "It stops within a round, or because one pass of several has changed nothing."
    follow(student, ["peel", "idle"], 2, 0, ["peel", "idle"] * 3, "the same before an idle pass",
           early=again)
    follow(student, ["idle", "peel"], 2, 0, ["idle", "peel"] * 3, "the same behind an idle pass",
           early=again)
    follow(student, ["peel"], 2, 2, ["peel"], "the same on a node that is fed", feed=True)
    helper = student.define(PASSES)
    came, x, calls = helper.go_late(student.Node, student.improve)
    expect([came, calls], [x, ["peel", "late"] * 4], again,
           of="a pass that has something to do only after another")
    follow(student, ["turn"], 1, 1, ["turn"] * 3, "a pass that changes nodes and not their number",
           early="It stops because the number of nodes is the same; a node has changed.")
    came, wanted, calls = helper.go_several(student.Node, student.improve)
    expect([came, calls], [wanted, 4],
           "It does not look at every fetch: one may change when another does not.",
           of="what -x, -(-(-x)) and x become, which is x, and how many rounds it took")


@pytest.mark.question("q6", points=0.5, hint="It stops after `rounds` rounds at the latest.")
def test_rounds(student):
    """passes that never agree; no passes, no rounds"""
    early = "It stops before `rounds` rounds although each has changed a node."
    follow(student, ["restless"], 2, 2, ["restless"] * 7, "seven rounds of a pass that copies",
           early=early, rounds=7)
    follow(student, ["peel", "restless"], 5, 2, ["peel", "restless"] * 3, "three rounds of two "
           "passes", early=early, rounds=3)
    follow(student, ["restless"], 1, 1, ["restless"] * 100, "a pass that copies, without `rounds`",
           early=early)
    follow(student, [], 2, 2, [], "a list without passes")
    follow(student, ["peel"], 2, 2, [], "a call with no rounds", rounds=0)


@pytest.mark.question("q6", points=0.5, corner=True, hint="Nodes are compared with `is`, by round.")
def test_the_very_same_nodes(student):
    """passes that undo each other, swap nodes, or copy them; the caller's lists"""
    helper = student.define(PASSES)
    for number in (1, 3):
        came, wanted, calls = helper.go_swing(student.Node, student.improve, number)
        expect([came, calls], [wanted, 2 * number],
               "It compares after each pass; the whole round has returned the nodes that it got.",
               of="passes of which each undoes the one before: nodes, calls")
    for rounds in (5, 8):
        order = [1, 0, 2] if rounds % 2 else [0, 1, 2]
        circle = ([0, 1, 2], 2), "It stops where nodes return that it had two rounds before."
        expect(helper.go_swap(student.Node, student.improve, rounds), (order, rounds),
               "It does not go on for `rounds` rounds although each of them has changed a node.",
               of=f"{rounds} rounds of a pass that swaps two nodes: their order, the calls",
               mistakes=[circle])
        for number in (2, 3):
            expect(helper.go_copies(student.Node, student.improve, rounds, number), rounds * number,
                   "It confuses a new node with an old one, perhaps because Python reused an id.",
                   of=f"the calls in {rounds} rounds of {number} passes that copy")
    found = follow(student, ["peel"], 2, 0, ["peel"] * 3, "a pass that takes a minus off")
    expect(found["lists"], found["before"], "It changes a list that it was given (rule 4).",
           "its lists")
    expect(type(found["came"]) is list, True, "It does not return a list.", "what improve returns")
