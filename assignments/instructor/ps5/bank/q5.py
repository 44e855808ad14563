"""Wrong answers to q5 of ps5."""


# %% absorbs_what_is_fetched | loses q5: a fetch in the middle is lost in a kernel and computed
# twice.
# | says: A fetched op is computed again
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    nodes, stay = fed_walk(fetches, fed), set(fed)
    is_op = {node for node in nodes if node.inputs and node not in set(fed)}
    users = {}
    for node in nodes:
        for x in set(node.inputs) if node in is_op else ():
            users.setdefault(x, []).append(node)
    kernel = {}
    for node in reversed(nodes):
        if node in is_op:
            absorbed = len(users.get(node, ())) == 1
            kernel[node] = kernel[users[node][0]] if absorbed else node
    members = {}
    for node in nodes:
        if node in is_op:
            members.setdefault(kernel[node], []).append(node)
    new = {node: node for node in nodes if node not in is_op}
    for node in nodes:
        if kernel.get(node) is node:
            inside, inputs, steps = set(members[node]), {}, []
            for member in members[node]:
                for x in member.inputs:
                    if x not in inside:
                        inputs.setdefault(new[x], len(inputs))
            places = {}
            for member in members[node]:
                at = (places[x] if x in inside else inputs[new[x]] for x in member.inputs)
                steps.append((member.op, *at))
                places[member] = len(inputs) + len(steps) - 1
            new[node] = Node("fused", inputs, value=tuple(steps))
    return [new.get(node) or node for node in fetches]


def fed_walk(fetches, fed):
    """List what a run computes or is fed, inputs first."""
    listed = []
    rebuild(fetches, lambda node: listed.append(node) or node, fed)
    return [*fed, *listed]


# %% computed_in_every_kernel | loses q5: an op that two others use is computed by both.
# | says: computed again for each of them
def fuse(fetches, fed=()):
    """The pass that absorbs every op that is not fetched into each of its users."""
    listed, new, inner = [], {node: node for node in fed}, {}
    rebuild(fetches, lambda node: listed.append(node) or node, fed)
    for node in listed:
        if not node.inputs:
            new[node] = node
            continue
        parts = [one for x in node.inputs for one in inner.get(x, [])]
        inner[node] = list(dict.fromkeys([*parts, node]))
        if node in fetches:
            new[node] = kernel(inner.pop(node), new)
    return [new[node] for node in fetches]


def kernel(members, new):
    outer = {}
    for member in members:
        for x in member.inputs:
            if x in new:
                outer.setdefault(new[x], len(outer))
    at, steps = {}, []
    for member in members:
        places = (outer[new[x]] if x in new else at[x] for x in member.inputs)
        steps.append((member.op, *places))
        at[member] = len(outer) + len(steps) - 1
    return Node("fused", outer, value=tuple(steps))


# %% computes_what_is_fed | loses q5: a fed op is computed inside a kernel.
# | says: It computes or absorbs a node that is fed
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    nodes, stay = fed_walk(fetches, fed), set(fetches) | set(fed)
    is_op = {node for node in nodes if node.inputs}
    users = {}
    for node in nodes:
        for x in set(node.inputs) if node in is_op else ():
            users.setdefault(x, []).append(node)
    kernel = {}
    for node in reversed(nodes):
        if node in is_op:
            absorbed = node not in stay and len(users[node]) == 1
            kernel[node] = kernel[users[node][0]] if absorbed else node
    members = {}
    for node in nodes:
        if node in is_op:
            members.setdefault(kernel[node], []).append(node)
    new = {node: node for node in nodes if node not in is_op}
    for node in nodes:
        if kernel.get(node) is node:
            inside, inputs, steps = set(members[node]), {}, []
            for member in members[node]:
                for x in member.inputs:
                    if x not in inside:
                        inputs.setdefault(new[x], len(inputs))
            places = {}
            for member in members[node]:
                at = (places[x] if x in inside else inputs[new[x]] for x in member.inputs)
                steps.append((member.op, *at))
                places[member] = len(inputs) + len(steps) - 1
            new[node] = Node("fused", inputs, value=tuple(steps))
    return [new[node] for node in fetches]


def fed_walk(fetches, fed):
    """List what a run computes or is fed, inputs first."""
    listed = []
    rebuild(fetches, lambda node: listed.append(node) or node, fed)
    return [*fed, *listed]


# %% inputs_by_their_looks | loses q5: two random numbers, or two placeholders of one name, are one
# input.
# | says: It treats two leaves that look alike
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    ops = []
    rebuild(fetches, lambda node: (ops.append(node) if node.inputs else None) or node, fed)
    users = {}
    for node in ops:
        for x in set(node.inputs):
            users.setdefault(x, []).append(node)
    kept = set(fetches) | set(fed)
    home, members = {}, {}
    for node in reversed(ops):
        alone = node not in kept and len(users.get(node, ())) == 1
        home[node] = home[users[node][0]] if alone else node
    for node in ops:
        members.setdefault(home[node], []).append(node)
    new = {}
    for root in ops:
        if home[root] is root:
            new[root] = kernel(root, members[root], new)
    return [new.get(node, node) for node in fetches]


def looks(node):
    """What an input is, in a word."""
    return node if node.inputs else (node.op, node.name, str(node.value))


def kernel(root, members, new):
    """The node that stands for all members, the last of which is root."""
    inside, inputs = set(members), []
    for node in members:
        inputs += [x for x in node.inputs if x not in inside]
    shown = {looks(x): x for x in inputs}
    inputs = list(shown.values())
    outer = [new.get(x, x) for x in inputs]
    if len(members) == 1:
        if all(a is b for a, b in zip(inputs, outer)):
            return root
        return Node(root.op, [new.get(x, x) for x in root.inputs], root.value, root.name)
    place, steps = {}, []
    for node in members:
        given = [place[x] if x in inside else list(shown).index(looks(x)) for x in node.inputs]
        steps.append((node.op, *given))
        place[node] = len(inputs) + len(steps) - 1
    return Node("fused", outer, tuple(steps))


# %% inputs_of_one_op | loses q5: an input that two ops of a kernel use is listed by the first
# alone.
# | says: A step reads a place that has no number
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    nodes, stay = fed_walk(fetches, fed), set(fetches) | set(fed)
    is_op = {node for node in nodes if node.inputs and node not in set(fed)}
    users = {}
    for node in nodes:
        for x in set(node.inputs) if node in is_op else ():
            users.setdefault(x, []).append(node)
    kernel = {}
    for node in reversed(nodes):
        if node in is_op:
            absorbed = node not in stay and len(users[node]) == 1
            kernel[node] = kernel[users[node][0]] if absorbed else node
    members = {}
    for node in nodes:
        if node in is_op:
            members.setdefault(kernel[node], []).append(node)
    new = {node: node for node in nodes if node not in is_op}
    for node in nodes:
        if kernel.get(node) is node:
            inside, inputs, steps = set(members[node]), {}, []
            for member in members[node]:
                for x in member.inputs:
                    if x not in inside:
                        inputs[new[x]] = len(inputs)
            places = {}
            for member in members[node]:
                at = (places[x] if x in inside else inputs[new[x]] for x in member.inputs)
                steps.append((member.op, *at))
                places[member] = len(inputs) + len(steps) - 1
            new[node] = Node("fused", inputs, value=tuple(steps))
    return [new[node] for node in fetches]


def fed_walk(fetches, fed):
    """List what a run computes or is fed, inputs first."""
    listed = []
    rebuild(fetches, lambda node: listed.append(node) or node, fed)
    return [*fed, *listed]


# %% kernel_calls_kernel | loses q5: each kernel asks for the one below by recursion.
# | says: It calls itself for each node, so that a long chain is too deep (rule 6)
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    ops = []
    rebuild(fetches, lambda node: (ops.append(node) if node.inputs else None) or node, fed)
    users = {}
    for node in ops:
        for x in set(node.inputs):
            users.setdefault(x, []).append(node)
    kept = set(fetches) | set(fed)
    home, members = {}, {}
    for node in reversed(ops):
        alone = node not in kept and len(users.get(node, ())) == 1
        home[node] = home[users[node][0]] if alone else node
    for node in ops:
        members.setdefault(home[node], []).append(node)
    made = {}

    def stand_in(node):
        if node not in home:
            return node
        if node not in made:
            for member in members[node]:
                for x in member.inputs:
                    if home.get(x, x) is x:
                        made[x] = stand_in(x)
            made[node] = kernel(node, members[node], made)
        return made[node]

    return [stand_in(node) for node in fetches]


def kernel(root, members, new):
    """The node that stands for all members, the last of which is root."""
    inside, inputs = set(members), []
    for node in members:
        inputs += [x for x in node.inputs if x not in inside]
    inputs = list(dict.fromkeys(inputs))
    outer = [new.get(x, x) for x in inputs]
    if len(members) == 1:
        if all(a is b for a, b in zip(inputs, outer)):
            return root
        return Node(root.op, [new.get(x, x) for x in root.inputs], root.value, root.name)
    place, steps = {x: at for at, x in enumerate(inputs)}, []
    for node in members:
        given = [place[x] for x in node.inputs]
        steps.append((node.op, *given))
        place[node] = len(inputs) + len(steps) - 1
    return Node("fused", outer, tuple(steps))


# %% kernel_calls_kernel_above_the_limit | loses q5: recursion, with a higher limit. | says: It
# calls itself for each node, so that a long chain is too deep (rule 6)
import sys

sys.setrecursionlimit(10**6)


def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    ops = []
    rebuild(fetches, lambda node: (ops.append(node) if node.inputs else None) or node, fed)
    users = {}
    for node in ops:
        for x in set(node.inputs):
            users.setdefault(x, []).append(node)
    kept = set(fetches) | set(fed)
    home, members = {}, {}
    for node in reversed(ops):
        alone = node not in kept and len(users.get(node, ())) == 1
        home[node] = home[users[node][0]] if alone else node
    for node in ops:
        members.setdefault(home[node], []).append(node)
    made = {}

    def stand_in(node):
        if node not in home:
            return node
        if node not in made:
            for member in members[node]:
                for x in member.inputs:
                    if home.get(x, x) is x:
                        made[x] = stand_in(x)
            made[node] = kernel(node, members[node], made)
        return made[node]

    return [stand_in(node) for node in fetches]


def kernel(root, members, new):
    """The node that stands for all members, the last of which is root."""
    inside, inputs = set(members), []
    for node in members:
        inputs += [x for x in node.inputs if x not in inside]
    inputs = list(dict.fromkeys(inputs))
    outer = [new.get(x, x) for x in inputs]
    if len(members) == 1:
        if all(a is b for a, b in zip(inputs, outer)):
            return root
        return Node(root.op, [new.get(x, x) for x in root.inputs], root.value, root.name)
    place, steps = {x: at for at, x in enumerate(inputs)}, []
    for node in members:
        given = [place[x] for x in node.inputs]
        steps.append((node.op, *given))
        place[node] = len(inputs) + len(steps) - 1
    return Node("fused", outer, tuple(steps))


# %% only_pairs | loses q5: only the last op before its user is absorbed.
# | says: Only a part of a chain is absorbed
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    nodes, stay = fed_walk(fetches, fed), set(fetches) | set(fed)
    is_op = {node for node in nodes if node.inputs and node not in set(fed)}
    users = {}
    for node in nodes:
        for x in set(node.inputs) if node in is_op else ():
            users.setdefault(x, []).append(node)
    kernel = {}
    for node in reversed(nodes):
        if node in is_op:
            absorbed = node not in stay and len(users[node]) == 1
            user = users[node][0] if absorbed else None
            kernel[node] = user if absorbed and kernel[user] is user else node
    members = {}
    for node in nodes:
        if node in is_op:
            members.setdefault(kernel[node], []).append(node)
    new = {node: node for node in nodes if node not in is_op}
    for node in nodes:
        if kernel.get(node) is node:
            inside, inputs, steps = set(members[node]), {}, []
            for member in members[node]:
                for x in member.inputs:
                    if x not in inside:
                        inputs.setdefault(new[x], len(inputs))
            places = {}
            for member in members[node]:
                at = (places[x] if x in inside else inputs[new[x]] for x in member.inputs)
                steps.append((member.op, *at))
                places[member] = len(inputs) + len(steps) - 1
            new[node] = Node("fused", inputs, value=tuple(steps))
    return [new[node] for node in fetches]


def fed_walk(fetches, fed):
    """List what a run computes or is fed, inputs first."""
    listed = []
    rebuild(fetches, lambda node: listed.append(node) or node, fed)
    return [*fed, *listed]


# %% operands_sorted | loses q5: the places of the operands are sorted.
# | says: its operands in the wrong order
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    nodes, stay = fed_walk(fetches, fed), set(fetches) | set(fed)
    is_op = {node for node in nodes if node.inputs and node not in set(fed)}
    users = {}
    for node in nodes:
        for x in set(node.inputs) if node in is_op else ():
            users.setdefault(x, []).append(node)
    kernel = {}
    for node in reversed(nodes):
        if node in is_op:
            absorbed = node not in stay and len(users[node]) == 1
            kernel[node] = kernel[users[node][0]] if absorbed else node
    members = {}
    for node in nodes:
        if node in is_op:
            members.setdefault(kernel[node], []).append(node)
    new = {node: node for node in nodes if node not in is_op}
    for node in nodes:
        if kernel.get(node) is node:
            inside, inputs, steps = set(members[node]), {}, []
            for member in members[node]:
                for x in member.inputs:
                    if x not in inside:
                        inputs.setdefault(new[x], len(inputs))
            places = {}
            for member in members[node]:
                at = (places[x] if x in inside else inputs[new[x]] for x in member.inputs)
                steps.append((member.op, *sorted(at)))
                places[member] = len(inputs) + len(steps) - 1
            new[node] = Node("fused", inputs, value=tuple(steps))
    return [new[node] for node in fetches]


def fed_walk(fetches, fed):
    """List what a run computes or is fed, inputs first."""
    listed = []
    rebuild(fetches, lambda node: listed.append(node) or node, fed)
    return [*fed, *listed]


# %% plan_taken_over_once_for_each_operand | loses q5: a kernel takes over the steps of each
# operand: of a · a those of a come twice.
# | says: once for each use
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    order, users = [], {}
    rebuild(fetches, lambda node: order.append(node) or node, fed)
    for node in order:
        for x in set(node.inputs):  # x * x is one user of x
            users[x] = users.get(x, 0) + 1
    stays = set(fetches) | set(fed)
    plans, new = {}, {node: node for node in fed}
    for node in order:
        if not node.inputs:
            new[node] = node
            continue
        waiting = [plans[x] for x in node.inputs if x in plans]
        waiting.sort(key=len)
        plan = waiting.pop() if waiting else []
        for other in waiting:  # only the short one is copied
            plan.extend(other)
        plan.append(node)
        if users.get(node) == 1 and node not in stays:
            plans[node] = plan
            continue
        inside, inputs = set(plan), {}
        for op in plan:
            for x in op.inputs:
                if x not in inside:
                    inputs.setdefault(new[x], len(inputs))
        place, steps = {}, []
        for op in plan:
            places = [place[x] if x in inside else inputs[new[x]] for x in op.inputs]
            place[op] = len(inputs) + len(steps)
            steps.append((op.op, *places))
        new[node] = Node("fused", inputs, value=tuple(steps))
    return [new[node] for node in fetches]


# %% uses_not_users | loses q5: n · n counts as two users of n.
# | says: It counts uses, not users
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    nodes, stay = fed_walk(fetches, fed), set(fetches) | set(fed)
    is_op = {node for node in nodes if node.inputs and node not in set(fed)}
    users = {}
    for node in nodes:
        for x in node.inputs if node in is_op else ():
            users.setdefault(x, []).append(node)
    kernel = {}
    for node in reversed(nodes):
        if node in is_op:
            absorbed = node not in stay and len(users[node]) == 1
            kernel[node] = kernel[users[node][0]] if absorbed else node
    members = {}
    for node in nodes:
        if node in is_op:
            members.setdefault(kernel[node], []).append(node)
    new = {node: node for node in nodes if node not in is_op}
    for node in nodes:
        if kernel.get(node) is node:
            inside, inputs, steps = set(members[node]), {}, []
            for member in members[node]:
                for x in member.inputs:
                    if x not in inside:
                        inputs.setdefault(new[x], len(inputs))
            places = {}
            for member in members[node]:
                at = (places[x] if x in inside else inputs[new[x]] for x in member.inputs)
                steps.append((member.op, *at))
                places[member] = len(inputs) + len(steps) - 1
            new[node] = Node("fused", inputs, value=tuple(steps))
    return [new[node] for node in fetches]


def fed_walk(fetches, fed):
    """List what a run computes or is fed, inputs first."""
    listed = []
    rebuild(fetches, lambda node: listed.append(node) or node, fed)
    return [*fed, *listed]


# %% what_is_fed_uses | loses q5: an op that only a fed node uses beside its user stays alone.
# | says: It counts a fed node among the users
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    nodes, stay = fed_walk(fetches, fed), set(fetches) | set(fed)
    is_op = {node for node in nodes if node.inputs and node not in set(fed)}
    users = {}
    for node in nodes:
        for x in set(node.inputs):
            users.setdefault(x, []).append(node)
    kernel = {}
    for node in reversed(nodes):
        if node in is_op:
            absorbed = node not in stay and len(users[node]) == 1
            kernel[node] = kernel[users[node][0]] if absorbed else node
    members = {}
    for node in nodes:
        if node in is_op:
            members.setdefault(kernel[node], []).append(node)
    new = {node: node for node in nodes if node not in is_op}
    for node in nodes:
        if kernel.get(node) is node:
            inside, inputs, steps = set(members[node]), {}, []
            for member in members[node]:
                for x in member.inputs:
                    if x not in inside:
                        inputs.setdefault(new[x], len(inputs))
            places = {}
            for member in members[node]:
                at = (places[x] if x in inside else inputs[new[x]] for x in member.inputs)
                steps.append((member.op, *at))
                places[member] = len(inputs) + len(steps) - 1
            new[node] = Node("fused", inputs, value=tuple(steps))
    return [new[node] for node in fetches]


def fed_walk(fetches, fed):
    """List what a run computes or is fed, inputs first."""
    listed = []
    rebuild(fetches, lambda node: listed.append(node) or node, fed)
    return [*fed, *listed]


# %% fetched_once_absorbed | loses q5: a fetch counts as a user, and one that is fetched twice is
# taken for two uses by one user.
# | says: It absorbs an op that is fetched
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    order, users = [], {}
    rebuild(fetches, lambda node: order.append(node) or node, fed)
    for node in order:
        for x in set(node.inputs):
            users.setdefault(x, []).append(node)
    plans, new = {}, {node: node for node in fed}
    for node in order:
        if not node.inputs:
            new[node] = node
            continue
        plan = [op for x in dict.fromkeys(node.inputs) for op in plans.pop(x, [])] + [node]
        if len(users.get(node, ())) == 1 and fetches.count(node) != 1:
            plans[node] = plan
            continue
        inside, inputs = set(plan), {}
        for op in plan:
            for x in op.inputs:
                if x not in inside:
                    inputs.setdefault(new[x], len(inputs))
        place, steps = {}, []
        for op in plan:
            places = [place[x] if x in inside else inputs[new[x]] for x in op.inputs]
            place[op] = len(inputs) + len(steps)
            steps.append((op.op, *places))
        new[node] = Node("fused", inputs, value=tuple(steps))
    return [new[node] for node in fetches]


# %% one_operand_absorbed | loses q5: of two operands only the first is absorbed, so a tree
# becomes several kernels.
# | says: Of two operands with one user each, one is not absorbed.
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    order, users = [], {}
    rebuild(fetches, lambda n: order.append(n) or n, fed)
    for n in order:
        for i in n.inputs:
            users.setdefault(i, set()).add(n)
    new = {}

    def absorbable(n):
        alone = len(users.get(n, ())) == 1
        return n.op in COMPUTE and alone and n not in fetches and n not in fed

    taken = {}
    for n in order:
        found = [i for i in n.inputs if absorbable(i)]
        if found:
            taken[n] = found[0]
    inner = set(taken.values())
    for n in order:
        if n.op not in COMPUTE or n in inner:
            continue
        chain = [n]
        while chain[-1] in taken:
            chain.append(taken[chain[-1]])
        chain.reverse()
        own = set(chain)
        ins = list(dict.fromkeys(i for m in chain for i in m.inputs if i not in own))
        at = {m: k for k, m in enumerate(ins + chain)}
        steps = tuple((m.op, *(at[i] for i in m.inputs)) for m in chain)
        new[n] = Node("fused", [new.get(i, i) for i in ins], steps)
    return [new.get(n, n) for n in fetches]


# %% users_in_one_kernel | loses q5: an op is absorbed where all of its users end in one kernel.
# | says: because both end in one kernel
def fuse(fetches, fed=()):
    """Absorb each op that has one user into the kernel of this user."""
    order, users = [], {}
    rebuild(fetches, lambda n: order.append(n) or n, fed)
    for n in order:
        for x in n.inputs:
            users.setdefault(x, []).append(n)
    fed, fetched, root, kernels = set(fed), set(fetches), {}, {}
    for n in reversed(order):
        if n.inputs:
            roots = {root[user] for user in users.get(n, ())}
            root[n] = roots.pop() if len(roots) == 1 and n not in fetched else n
            kernels.setdefault(root[n], []).append(n)
    new = {n: n for n in [*order, *fed]}
    for last in [n for n in order if root.get(n) is n]:
        ops = kernels[last][::-1]
        own = set(ops)
        inputs = list(dict.fromkeys(x for op in ops for x in op.inputs if x not in own))
        at = {x: place for place, x in enumerate(inputs + ops)}
        steps = tuple((op.op, *(at[x] for x in op.inputs)) for op in ops)
        new[last] = Node("fused", [new[x] for x in inputs], steps)
    return [new[n] for n in fetches]
