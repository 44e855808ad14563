"""Right answers to ps5, each of another kind than the key's."""


# %% a_kernel_for_each_op | right: every op is a kernel of its own, then kernels are joined.
# %% q5
def fuse(fetches, fed=()):
    everything, fed = [], set(fed)
    rebuild(fetches, lambda node: everything.append(node) or node, fed)
    computed = [node for node in everything if node.inputs]
    who = {node: set() for node in [*everything, *fed]}
    for node in computed:
        for x in node.inputs:
            who[x].add(node)
    roots = [node for node in computed if node in fetches or len(who[node]) != 1]
    home = {node: node for node in roots}
    for node in reversed(computed):
        if node not in home:
            (user,) = who[node]
            home[node] = home[user]
    groups = {root: [] for root in roots}
    for node in computed:
        groups[home[node]].append(node)
    made = {}
    for root in roots:
        inputs, place, steps = [], {}, []
        for node in groups[root]:
            for x in node.inputs:
                if home.get(x) is not root and x not in place:
                    place[x] = len(inputs)
                    inputs.append(made.get(x, x))
        for number, node in enumerate(groups[root], len(inputs)):
            steps.append((node.op, *(place[x] for x in node.inputs)))
            place[node] = number
        made[root] = Node("fused", inputs, value=tuple(steps))
    return [made.get(node, node) for node in fetches]


# %% an_input_for_each_use | right: objects with one call each; a kernel lists an input as often as
# it is used.
# %% q1
class Bits:
    """A float that is equal to another one by its bits."""

    def __init__(self, number):
        self.text = "not a number" if number != number else f"{number:.17e}"

    def __eq__(self, other):
        return self.text == other.text


def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    return Bits(a) == Bits(b)

# %% q2
class Folding:
    """One call of fold."""

    def __init__(self, fed):
        self.fed = list(fed)

    def number(self, node):
        if node.op != "constant" or any(node is x for x in self.fed):
            raise LookupError
        return node.value

    def __call__(self, node):
        if node.op in ("placeholder", "constant", "random"):
            return node
        try:
            return constant(run([Node(node.op, [constant(self.number(x)) for x in node.inputs],
                                      node.value)], {})[0])
        except (LookupError, ArithmeticError, ValueError):
            return node


def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    fed = list(fed)
    return rebuild(fetches, Folding(fed), fed)

# %% q3
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    shelves = {}

    def twin(node):
        if node.op in {"placeholder", "random"}:
            return node
        if node.op == "constant":
            shelf = shelves.setdefault(struct.pack(">d", node.value) if node.value == node.value
                                       else b"nan", [])
            return shelf[0] if shelf else (shelf.append(node) or node)
        shelf = shelves.setdefault((node.op, *sorted(map(id, node.inputs)), node.value), [])
        for other in shelf:
            if other.inputs == node.inputs or node.op in {"add", "mul"}:
                return other
        shelf.append(node)
        return node

    return rebuild(fetches, twin, fed)

# %% q4
class Rules:
    """One call of simplify: every rule is a generator of what it makes."""

    def __init__(self, fed):
        self.fed = set(fed)

    def opposite(self, node):
        if node.op == "neg" and node not in self.fed:
            yield from node.inputs

    def equals(self, node, value):
        if node.op == "constant" and node not in self.fed:
            if struct.pack("d", node.value) == struct.pack("d", value):
                yield True

    def neg(self, a):
        yield from self.opposite(a)

    def add(self, a, b):
        for c in self.opposite(b):
            yield a - c
        for c in self.opposite(a):
            yield b - c

    def sub(self, a, b):
        for c in self.opposite(b):
            yield a + c
        for _ in self.equals(b, 0.0):
            yield a

    def mul(self, a, b):
        for _ in self.equals(b, 1.0):
            yield a
        for _ in self.equals(a, 1.0):
            yield b

    def div(self, a, b):
        for _ in self.equals(b, 1.0):
            yield a

    def __call__(self, node):
        if node in self.fed:
            return node
        rule = {"neg": self.neg, "add": self.add, "sub": self.sub, "mul": self.mul,
                "div": self.div}.get(node.op)
        for made in rule(*node.inputs) if rule else ():
            return self(made)
        return node


def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    fed = tuple(fed)
    return rebuild(fetches, Rules(fed), fed)

# %% q5
class Kernel:
    """What becomes one node: steps in (op, operands), the operands as nodes."""

    def __init__(self):
        self.members = []

    def node(self, new):
        inner, inputs = {}, []
        uses = sum(x not in self.members_set for m in self.members for x in m.inputs)
        steps = []
        for member in self.members:
            held = []
            for x in member.inputs:
                if x in self.members_set:
                    held.append(inner[x])
                else:
                    held.append(len(inputs))
                    inputs.append(new.get(x, x))
            todo = member.value if member.op == "fused" else ((member.op, *range(len(held))),)
            for op, *at in todo:
                steps.append((op, *(held[i] for i in at)))
                held.append(uses + len(steps) - 1)
            inner[member] = held[-1]
        return Node("fused", inputs, tuple(steps))


def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    fed = set(fed)
    order = [x for x in reversed(list(walk(fetches, fed))) if x.inputs]  # users first
    kernel_of, user = {}, {}
    for x in order:
        for operand in dict.fromkeys(x.inputs):
            user[operand] = x if operand not in user else None
    for x in fetches:
        user[x] = None
    kernels = {}
    for x in order:
        mine = kernel_of.get(user.get(x))
        if mine is None:
            mine = kernels[x] = Kernel()
        kernel_of[x] = mine
        mine.members.append(x)
    new = {}
    for last in reversed(list(kernels)):
        whole = kernels[last]
        whole.members.reverse()
        whole.members_set = set(whole.members)
        if len(whole.members) > 1:
            new[last] = whole.node(new)
        elif any(x in new for x in last.inputs):
            new[last] = Node(last.op, [new.get(x, x) for x in last.inputs], last.value, last.name)
    return [new.get(x, x) for x in fetches]


def walk(fetches, fed):
    """Inputs first, each once, nothing below the fed."""
    seen, stack = set(fed), [iter(fetches)]
    path = []
    while stack:
        for x in stack[-1]:
            if x not in seen:
                seen.add(x)
                path.append(x)
                stack.append(iter(x.inputs))
                break
        else:
            stack.pop()
            if path:
                yield path.pop()

# %% q6
class Ring:
    """Passes that follow each other."""

    def __init__(self, passes, fed):
        self.passes, self.fed, self.still = passes, fed, False

    def turn(self, fetches):
        before = tuple(fetches)
        for step in self.passes:
            fetches = step(list(fetches), self.fed)
        self.still = before == tuple(fetches)
        return fetches


def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    ring, number = Ring(passes, fed), 0
    while not ring.still and number < rounds:
        fetches = ring.turn(fetches)
        number += 1
    return [*fetches]


# %% as_short_as_it_goes | right: one table, one walrus, plans that swallow shorter plans.
# %% q1
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    return repr(a) == repr(b)

# %% q2
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    def change(node):
        try:
            values = [{"constant": x.value}[x.op] for x in node.inputs if x not in off]
            complete = values and len(values) == len(node.inputs)
            return constant(compute(node, values)) if complete else node
        except (KeyError, ArithmeticError, ValueError):
            return node
    return rebuild(fetches, change, off := set(fed))

# %% q3
def merge(fetches, fed=(), *, same=("add", "mul"), leaves=("placeholder", "random")):
    """Keep one of several equal nodes."""
    seen = {}
    return rebuild(fetches, lambda node: node if node.op in leaves else seen.setdefault(
        (node.op, frozenset(node.inputs) if node.op in same else node.inputs, repr(node.value)),
        node), fed)

# %% q4
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    off = set(fed)
    word = lambda x: "fed" if x in off else f"{x.value!r}" if x.op == "constant" else x.op
    turned = {"add": "sub", "sub": "add"}

    def change(node):
        op, inputs = node.op, node.inputs
        while True:
            words = [word(x) for x in inputs]
            if (op, words) == ("neg", ["neg"]):
                node = inputs[0].inputs[0]
            elif op in turned and words[1] == "neg":
                node = Node(turned[op], (inputs[0], inputs[1].inputs[0]))
            elif op == "add" and words[0] == "neg":
                node = Node("sub", (inputs[1], inputs[0].inputs[0]))
            elif (op, words[1:]) in (("sub", ["0.0"]), ("mul", ["1.0"]), ("div", ["1.0"])):
                node = inputs[0]
            elif (op, words[:1]) == ("mul", ["1.0"]):
                node = inputs[1]
            else:
                return node
            if node in off:
                return node
            op, inputs = node.op, node.inputs

    return rebuild(fetches, change, fed)

# %% q5
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    order, users, plans, new = [], {}, {}, {}
    rebuild(fetches, lambda n: order.append(n) or n, fed)
    for n in order:
        for x in {*n.inputs}:
            users[x] = users.get(x, 0) + 1
    stay = {*fetches, *fed} | {n for n in order if not n.inputs or users.get(n) != 1}
    for n in order:
        if not n.inputs:
            continue
        mine = [plans.pop(x) for x in dict.fromkeys(n.inputs) if x in plans and x not in stay]
        mine.sort(key=len)
        plan = mine.pop() if mine else []
        for other in mine:
            plan += other
        plan.append(n)
        plans[n] = plan
        if n in stay:
            new[n] = kernel_of(plan, new)
    return [new.get(n, n) for n in fetches]


def kernel_of(plan, new):
    """A node for a plan, inputs first; the node itself where nothing moves."""
    last, inner = plan[-1], {*plan}
    outer = [*dict.fromkeys(x for n in plan for x in n.inputs if x not in inner)]
    if len(plan) == 1:
        inputs = [new.get(x, x) for x in last.inputs]
        return last if (*inputs,) == last.inputs else Node(last.op, inputs, last.value, last.name)
    at, steps = {x: i for i, x in enumerate(outer)}, []
    for n in plan:
        held = [at[x] for x in n.inputs]
        for op, *places in n.value if n.op == "fused" else [[n.op, *range(len(held))]]:
            steps += [(op, *(held[p] for p in places))]
            held += [len(outer) + len(steps) - 1]
        at[n] = held[-1]
    return Node("fused", [new.get(x, x) for x in outer], (*steps,))

# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    for _ in range(rounds):
        old, fetches = fetches, [*fetches]
        for step in passes:
            fetches = step(fetches, fed)
        if [*old] == [*fetches]:
            break
    return [*fetches]


# %% bits_as_texts | right: bits by repr and hex; one table of rules; kernels that grow from their
# results.
# %% q1
def same_bits(a, b):
    return float.hex(a) == float.hex(b) or (math.isnan(a) and math.isnan(b))

# %% q3
def merge(fetches, fed=()):
    twins = {}

    def change(node):
        match node.op:
            case "placeholder" | "random":
                return node
            case "constant":
                key = repr(node.value)
            case "add" | "mul":
                key = node.op, *sorted(map(id, node.inputs))
            case _:
                key = node.op, *map(id, node.inputs), node.value
        if key not in twins:
            twins[key] = node
        return twins[key]

    return rebuild(fetches, change, fed)

# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    now, left = [*fetches], rounds
    while left:
        then = now
        for change in passes:
            now = change(now, fed)
        left -= 1
        if [id(node) for node in then] == [id(node) for node in now]:
            break
    return [*now]


# %% classes_for_passes | right: a class for each pass, called like a function.
# %% q2
class Folder:
    def __init__(self, fed):
        self.fed = frozenset(fed)

    def __call__(self, node):
        values = []
        for x in node.inputs:
            if x.op == "constant" and x not in self.fed:
                values.append(x.value)
        if not values or len(values) < len(node.inputs):
            return node
        try:
            value = compute(node, values)
        except (ZeroDivisionError, OverflowError, ValueError):
            return node
        return constant(value)


def fold(fetches, fed=()):
    return rebuild(fetches, Folder(fed), fed)

# %% q3
class Merger:
    def __init__(self):
        self.nodes, self.numbers = {}, []

    def __call__(self, node):
        if node.op == "constant":
            for other in self.numbers:
                both_nan = other.value != other.value and node.value != node.value
                if both_nan or struct.pack(">d", other.value) == struct.pack(">d", node.value):
                    return other
            self.numbers.append(node)
            return node
        if not node.inputs:
            return node
        if node.op in ("add", "mul"):
            turned = self.nodes.get((node.op, node.inputs[::-1]))
            if turned is not None:
                return turned
        return self.nodes.setdefault((node.op, node.inputs), node)


def merge(fetches, fed=()):
    return rebuild(fetches, Merger(), fed)

# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    def one_round(nodes):
        for each in passes:
            nodes = each(nodes, fed)
        return list(nodes)

    nodes, moved = list(fetches), True
    while moved and rounds > 0:
        after = one_round(nodes)
        moved = any(a is not b for a, b in zip(nodes, after))
        nodes, rounds = after, rounds - 1
    return nodes


# %% generators_of_states | right: q2 and q6 in the style of someone who likes generators and sets.
# %% q2
def fold(fetches, fed=()):
    fed = tuple(fed)
    is_known = lambda x: x.op == "constant" and x not in fed

    def change(node):
        if node.inputs and all(map(is_known, node.inputs)):
            try:
                return Node("constant", value=compute(node, [x.value for x in node.inputs]))
            except ArithmeticError:
                return node
            except ValueError:
                return node
        return node

    return rebuild(fetches, change, fed)

# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    def states(nodes):
        for _ in range(rounds):
            new = nodes
            for each in passes:
                new = each(new, fed)
            yield new
            if list(map(id, new)) == list(map(id, nodes)):
                return
            nodes = new

    last = fetches
    for last in states(list(fetches)):
        pass
    return list(last)


# %% ops_before_nodes | right: simplify by a step on ops and inputs, repeated, before a node is
# made.
# %% q4
ONE, ZERO = struct.pack("<d", 1.0), struct.pack("<d", 0.0)


def simplify(fetches, fed=()):
    hidden = {id(node) for node in fed}

    def bits(node):
        if node.op == "constant" and id(node) not in hidden:
            return struct.pack("<d", node.value)
        return None

    def under(node):
        return node.inputs[0] if node.op == "neg" and id(node) not in hidden else None

    def step(op, inputs):
        if op == "neg":
            return under(inputs[0])
        if len(inputs) < 2:
            return None
        a, b = inputs
        if op == "add":
            if (c := under(b)) is not None:
                return ("sub", (a, c))
            if (c := under(a)) is not None:
                return ("sub", (b, c))
        if op == "sub":
            if (c := under(b)) is not None:
                return ("add", (a, c))
            return a if bits(b) == ZERO else None
        if op == "mul" and bits(a) == ONE:
            return b
        return a if op in ("mul", "div") and bits(b) == ONE else None

    def change(node):
        op, inputs = node.op, node.inputs
        while (found := step(op, inputs)) is not None:
            if isinstance(found, Node):
                return found
            op, inputs = found
        return node if op == node.op and inputs == node.inputs else Node(op, inputs, node.value)

    return rebuild(fetches, change, fed)


# %% rules_in_a_table | right: simplify by a list of small functions that each know one rule.
# %% q4
def simplify(fetches, fed=()):
    fed = list(fed)

    def known(node, op):
        return node.op == op and not any(node is one for one in fed)

    def exactly(node, text):
        return known(node, "constant") and repr(node.value) == text

    def double_minus(op, a, b=None):
        if op == "neg" and known(a, "neg"):
            return a.inputs[0]

    def plus_minus(op, a, b=None):
        if op == "add":
            for one, other in ((a, b), (b, a)):
                if known(other, "neg"):
                    return one - other.inputs[0]

    def minus_minus(op, a, b=None):
        if op == "sub" and known(b, "neg"):
            return a + b.inputs[0]

    def nothing(op, a, b=None):
        if op == "sub" and exactly(b, "0.0") or op in ("mul", "div") and exactly(b, "1.0"):
            return a
        if op == "mul" and exactly(a, "1.0"):
            return b

    rules = [double_minus, plus_minus, minus_minus, nothing]

    def change(node):
        for _ in range(1000):
            if not node.inputs or any(node is one for one in fed):
                return node
            found = [made for rule in rules if (made := rule(node.op, *node.inputs)) is not None]
            if not found:
                return node
            node = found[0]
        return node

    return rebuild(fetches, change, fed)


# %% signs_by_copysign | right: zeros by copysign, constants in a dict of pairs.
# %% q1
def same_bits(a, b):
    if a != a:
        return b != b
    return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)

# %% q3
def merge(fetches, fed=()):
    seen = {}

    def name_of(node):
        if node.op == "constant":
            sign = math.copysign(1.0, node.value)
            return ("nan",) if node.value != node.value else ("number", node.value, sign)
        if node.op in ("add", "mul"):
            a, b = node.inputs
            return (node.op, a, b) if id(a) < id(b) else (node.op, b, a)
        return (node.op, *node.inputs)

    def change(node):
        if node.inputs or node.op == "constant":
            return seen.setdefault(name_of(node), node)
        return node

    return rebuild(fetches, change, fed)


# %% walks_and_unions | right: walks of its own, numbers for nodes, kernels by union-find.
# %% q1
def same_bits(a, b):
    """Tell whether two floats have the same bits; all NaN count as one."""
    return a.hex() == b.hex()

# %% q2
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    fed, done = frozenset(fed), {}

    def settle(node):
        inputs = [done[x] for x in node.inputs]
        if inputs and all(x.op == "constant" for x in inputs) and not fed.intersection(inputs):
            try:
                return Node("constant", value=compute(node, [x.value for x in inputs]))
            except (ZeroDivisionError, OverflowError, ValueError):
                pass
        if inputs == list(node.inputs):
            return node
        return Node(node.op, inputs, node.value, node.name)

    agenda = [(node, False) for node in fetches]
    while agenda:
        node, ready = agenda.pop()
        if node in done:
            continue
        if node in fed:
            done[node] = node
        elif ready:
            done[node] = settle(node)
        else:
            agenda += [(node, True), *((x, False) for x in node.inputs)]
    return [done[node] for node in fetches]

# %% q3
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    class Words(dict):
        def __missing__(self, node):
            self[node] = len(self)
            return self[node]

    number, kept = Words(), {}

    def name(node):
        match node.op:
            case "placeholder" | "random":
                return ("itself", number[node])
            case "constant":
                return ("constant", float.hex(node.value))
            case "add" | "mul":
                return (node.op, *sorted(number[x] for x in node.inputs))
            case "fused":
                return ("fused", str(node.value), *(number[x] for x in node.inputs))
            case _:
                return (node.op, *(number[x] for x in node.inputs))

    return rebuild(fetches, lambda node: kept.setdefault(name(node), node), fed)

# %% q4
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    fed = {id(node): node for node in fed}

    class Shape:
        """What may be known about a node."""

        def __init__(self, node):
            known = id(node) not in fed
            self.minus = node.inputs[0] if known and node.op == "neg" else None
            self.number = repr(node.value) if known and node.op == "constant" else None

    def better(node):
        a, b = (Shape(x) for x in (node.inputs * 2)[:2]) if node.inputs else (None, None)
        match node.op, a and a.number, b and b.number:
            case ("mul", "1.0", _):
                return node.inputs[1]
            case ("mul" | "div", _, "1.0") | ("sub", _, "0.0"):
                return node.inputs[0]
        if node.op == "neg" and a.minus:
            return a.minus
        if node.op == "add" and (a.minus or b.minus):
            whole, part = (node.inputs[0], b.minus) if b.minus else (node.inputs[1], a.minus)
            return Node("sub", (whole, part))
        if node.op == "sub" and b.minus:
            return Node("add", (node.inputs[0], b.minus))
        return None

    def change(node):
        following = better(node)
        while following is not None:
            node = following
            following = None if id(node) in fed else better(node)
        return node

    return rebuild(fetches, change, fed.values())

# %% q5
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    order = []
    rebuild(fetches, lambda node: [node, order.append(node)][0], fed)
    leader = {node: node for node in order if node.inputs}

    def find(node):
        while leader[node] is not node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    users = {}
    for node in leader:
        for x in node.inputs:
            users.setdefault(x, {})[node] = True
    private = set(leader) - set(fetches) - set(fed)
    for node, by in users.items():
        if node in private and len(by) == 1:
            leader[node] = next(iter(by))
    groups = {}
    for node in leader:
        groups.setdefault(find(node), []).append(node)
    built = {}
    for last in [node for node in leader if leader[node] is node]:
        group = groups[last]
        inner = set(group)
        sources = list({x: 0 for node in group for x in node.inputs if x not in inner})
        now = [built.get(x, x) for x in sources]
        if group == [last] and now == sources:
            built[last] = last
            continue
        where, steps = {x: i for i, x in enumerate(sources)}, []
        for node in group:
            here = [where[x] for x in node.inputs]
            wanted = node.value if node.op == "fused" else [(node.op, *range(len(here)))]
            for word, *places in wanted:
                steps.append((word, *[here[i] for i in places]))
                here.append(len(sources) + len(steps) - 1)
            where[node] = here[-1]
        built[last] = Node("fused", now, tuple(steps))
    return [built.get(node, node) for node in fetches]

# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """Run the passes in rounds, until a round changes nothing."""
    import functools
    import operator

    one_round = lambda now: functools.reduce(lambda held, change: change(held, fed), passes, now)
    now, left = list(fetches), rounds
    while left > 0:
        later = one_round(list(now))
        if all(map(operator.is_, now, later)):
            return list(later)
        now, left = later, left - 1
    return list(now)


# %% without_rebuild | right: each pass walks by itself, users of a node beside its inputs.
# %% q2
def fold(fetches, fed=()):
    new = {node: node for node in fed}
    for node in walk(fetches, set(fed)):
        inputs = [new[x] for x in node.inputs]
        made = node if all(a is b for a, b in zip(inputs, node.inputs)) else Node(
            node.op, inputs, node.value, node.name)
        if inputs and all(x.op == "constant" and x not in fed for x in inputs):
            numbers = [x.value for x in inputs]
            try:
                made = Node("constant", (), compute(node, numbers))
            except Exception:
                pass
        new[node] = made
    return [new[node] for node in fetches]


def walk(fetches, fed):
    listed, seen, stack = [], set(fed), [(node, 0) for node in fetches]
    while stack:
        node, place = stack.pop()
        if place == 0 and node in seen:
            continue
        seen.add(node)
        if place < len(node.inputs):
            stack.append((node, place + 1))
            if node.inputs[place] not in seen:
                stack.append((node.inputs[place], 0))
        else:
            listed.append(node)
    return listed

# %% q5
def fuse(fetches, fed=()):
    order, closed = [], set(fed)
    stack = list(fetches)
    while stack:
        node = stack[-1]
        open_ones = [x for x in node.inputs if x not in closed]
        if node in closed:
            stack.pop()
        elif open_ones:
            stack += open_ones
        else:
            closed.add(node)
            order.append(node)
    users = {}
    for node in order:
        for x in dict.fromkeys(node.inputs):
            users[x] = users.get(x, 0) + 1
    pending, done = {}, {node: node for node in fed}
    for node in order:
        if not node.inputs:
            done[node] = node
            continue
        plan = None  # the longest plan of its inputs takes the others in
        parts = [pending.pop(x) for x in dict.fromkeys(node.inputs) if x in pending]
        parts.sort(key=len)
        plan = parts.pop() if parts else []
        for part in parts:
            plan += part
        plan.append(node)
        if users.get(node, 0) == 1 and node not in fetches:
            pending[node] = plan
        else:
            done[node] = kernel(plan, done)
    return [done[node] for node in fetches]


def kernel(plan, done):
    outer = dict.fromkeys(done[x] for node in plan for x in node.inputs if x in done)
    spots = {node: number for number, node in enumerate(outer)}
    steps = []
    for node in plan:
        steps.append((node.op, *(spots[done[x]] if x in done else spots[x] for x in node.inputs)))
        spots[node] = len(outer) + len(steps) - 1
    return Node("fused", tuple(outer), tuple(steps))


# %% good_student | right: written plainly from the text, question by question.
# %% q1
def same_bits(a, b):
    if math.isnan(a) and math.isnan(b):
        return True
    return struct.pack("d", a) == struct.pack("d", b)

# %% q2
def fold(fetches, fed=()):
    def change(node):
        if node.inputs == ():
            return node
        for operand in node.inputs:
            if operand.op != "constant" or operand in fed:
                return node
        try:
            return constant(compute(node, [operand.value for operand in node.inputs]))
        except Exception:
            return node

    return rebuild(fetches, change, fed)

# %% q3
def merge(fetches, fed=()):
    first = {}

    def change(node):
        if node.op == "placeholder" or node.op == "random":
            return node
        if node.op == "constant":
            if math.isnan(node.value):
                key = "nan"
            else:
                key = struct.pack("d", node.value)
        elif node.op == "add" or node.op == "mul":
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs)
        if key in first:
            return first[key]
        first[key] = node
        return node

    return rebuild(fetches, change, fed)

# %% q4
def simplify(fetches, fed=()):
    def is_constant(node, text):
        return node.op == "constant" and node not in fed and str(node.value) == text

    def is_neg(node):
        return node.op == "neg" and node not in fed

    def rule(node):
        if node in fed:
            return node
        if node.op == "neg" and is_neg(node.inputs[0]):
            return node.inputs[0].inputs[0]
        if node.op == "add":
            a, b = node.inputs
            if is_neg(b):
                return a - b.inputs[0]
            if is_neg(a):
                return b - a.inputs[0]
        if node.op == "sub":
            a, b = node.inputs
            if is_neg(b):
                return a + b.inputs[0]
            if is_constant(b, "0.0"):
                return a
        if node.op == "mul":
            a, b = node.inputs
            if is_constant(a, "1.0"):
                return b
            if is_constant(b, "1.0"):
                return a
        if node.op == "div" and is_constant(node.inputs[1], "1.0"):
            return node.inputs[0]
        return node

    def change(node):
        result = rule(node)
        while result is not node:
            node = result
            result = rule(node)
        return node

    return rebuild(fetches, change, fed)

# %% q5
def fuse(fetches, fed=()):
    order = []

    def visit(node):
        order.append(node)
        return node

    rebuild(fetches, visit, fed)
    users = {}
    for node in order:
        for x in node.inputs:
            users.setdefault(x, set()).add(node)
    ops_of, new = {}, {}
    for node in fed:
        new[node] = node
    for node in order:
        if not node.inputs:
            new[node] = node
            continue
        ops = []
        for x in node.inputs:
            if x in ops_of:
                other = ops_of.pop(x)
                if len(other) > len(ops):
                    ops, other = other, ops
                ops.extend(other)
        ops.append(node)
        if node in fetches or len(users.get(node, ())) != 1:
            inputs, place, steps = [], {}, []
            for op in ops:
                for x in op.inputs:
                    if x in new and x not in place:
                        place[x] = len(inputs)
                        inputs.append(new[x])
            for op in ops:
                steps.append((op.op, *[place[x] for x in op.inputs]))
                place[op] = len(inputs) + len(steps) - 1
            new[node] = Node("fused", inputs, tuple(steps))
        else:
            ops_of[node] = ops
    return [new[node] for node in fetches]

# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    for _ in range(rounds):
        old = fetches
        for p in passes:
            fetches = p(fetches, fed)
        if all(a is b for a, b in zip(old, fetches)):
            break
    return list(fetches)


# %% from_the_results_down | right: q5 from the fetches down, a stack for each kernel.
# %% q5
def fuse(fetches, fed=()):
    fed, seen, users, stack = set(fed), set(), {}, list(fetches)
    while stack:
        n = stack.pop()
        if n in seen or n in fed:
            continue
        seen.add(n)
        for x in set(n.inputs):
            users[x] = users.get(x, 0) + 1
            stack.append(x)
    order = []
    rebuild(fetches, lambda n: order.append(n) or n, fed)
    rank = {n: i for i, n in enumerate(order)}
    keeps = set(fetches) | fed
    roots = [n for n in order if n.inputs and (n in keeps or users[n] > 1)]
    new = {}
    for root in roots:
        inside, todo = {root}, [root]
        while todo:
            for x in todo.pop().inputs:
                if x not in inside and x.inputs and x not in keeps and users[x] == 1:
                    inside.add(x)
                    todo.append(x)
        ops = sorted(inside, key=rank.get)
        place = {}
        for n in ops:
            for x in n.inputs:
                if x not in inside:
                    place.setdefault(x, len(place))
        inputs = [new.get(x, x) for x in place]
        steps = []
        for n in ops:
            steps.append((n.op, *(place[x] for x in n.inputs)))
            place[n] = len(inputs) + len(steps) - 1
        new[root] = Node("fused", inputs, tuple(steps))
    return [new.get(n, n) for n in fetches]
