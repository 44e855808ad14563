"""Full points: objects with one call each; a kernel lists an input as often as it is used."""
# %% q1
class Bits:
    """A float that is equal to another one by its bits."""

    def __init__(self, number):
        self.text = "not a number" if number != number else f"{number:.17e}"

    def __eq__(self, other):
        return self.text == other.text


def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
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
    """The pass that computes what only constants decide."""
    fed = list(fed)
    return rebuild(fetches, Folding(fed), fed)


# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
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
    """The pass of the six rules that keep every bit."""
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
    """The pass that absorbs each op with one user into this user's kernel."""
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
    """The fetches after the passes, in rounds until one changes nothing."""
    ring, number = Ring(passes, fed), 0
    while not ring.still and number < rounds:
        fetches = ring.turn(fetches)
        number += 1
    return [*fetches]
