"""In which order a program is computed: three candidates, of which the leanest is taken."""

from typing import Any

from minigrad.compiler.memory import find_allocations, lay_out, nbytes, plan_memory


def schedule_program(program: Any, results: set[int]) -> Any:
    """The Plan with the lowest peak among program order, eager and depth-first order."""
    nodes = nodes_as_built(program)
    before = dependencies(program, nodes)
    orders = {}  # the same order may be found twice
    for order in (program_order, eager_order, depth_first_order):
        found = order(program, nodes, before)
        orders.setdefault(tuple([n.order for n in found]), found)
    fixed = find_allocations(nodes, results)
    layouts = [lay_out(order, results, fixed) for order in orders.values()]
    return plan_memory(min(layouts, key=lambda layout: layout.peak_bytes))


def lay_out_program(program, order):
    """The Layout of a program in one of the orders below, whether or not it is the leanest."""
    results, nodes = {n.order for n in program.roots()}, nodes_as_built(program)
    return lay_out(order(program, nodes, dependencies(program, nodes)), results)


def nodes_as_built(program):
    """The nodes of a program by number, but what is there before it runs comes first."""
    return sorted(program.nodes(), key=lambda n: bool(n.inputs))


def program_order(program, nodes, before):
    """The order in which the learner built the nodes."""
    return nodes


def dependencies(program, nodes):
    """{order: the nodes that must come before}: the inputs, and the effect before an effect."""
    before = {n.order: list(n.inputs) for n in nodes}
    for earlier, later in zip(program.effects, program.effects[1:]):
        before[later.order].append(earlier)
    return before


def eager_order(program, nodes, before):
    """Program order, except that a node that frees at least as many bytes as it allocates runs as
    early as possible.

    So a parameter is updated as soon as its gradient is there, and the gradient's memory is free.
    """
    walk = EagerWalk(program, nodes, before)
    for node in nodes:
        waiting = walk.take(node) if node.order not in walk.scheduled_orders else []
        while waiting:
            n = waiting.pop()
            if n.order not in walk.scheduled_orders and walk.lean(n):
                waiting.extend(walk.take(n))
    return walk.result


class EagerWalk:
    """What an eager order has taken so far, and how often each array is still needed.

    An array is needed by what uses it or a view of it; a view itself takes and frees nothing.
    """

    def __init__(self, program, nodes, before):
        self.users, self.missing, root = {n.order: [] for n in nodes}, {}, {}
        self.reads, self.readers = {}, {n.order: [] for n in nodes}
        for n in nodes:
            self.missing[n.order] = len(before[n.order])
            for x in before[n.order]:  # as often as it is an operand
                self.users[x.order].append(n)
            if n.op.view:
                root[n.order], self.reads[n.order] = root[n.inputs[0].order], ()
                continue
            root[n.order] = n
            self.reads[n.order] = read = tuple({root[x.order]: None for x in n.inputs})
            for x in read:
                self.readers[x.order].append(n)
        self.bytes = {n.order: nbytes(n) for n in nodes}
        self.roots = {n.order for n in program.roots()}
        self.remaining_uses = {o: len(readers) for o, readers in self.readers.items()}
        for order in self.roots:
            self.remaining_uses[root[order].order] += 1
        self.scheduled_orders, self.result = set(), []

    def lean(self, n):
        """True when computing n frees at least as many bytes as it takes."""
        if not n.inputs or n.op.view:
            return False
        needed = 0 if n.order in self.roots else self.bytes[n.order]
        for x in self.reads[n.order]:
            if self.remaining_uses[x.order] == 1 and x.inputs:
                needed -= self.bytes[x.order]
        return needed <= 0

    def take(self, n):
        """Computes n next; returns what can be computed now and may have become lean by it."""
        self.scheduled_orders.add(n.order)
        self.result.append(n)
        near, missing, done = [], self.missing, self.scheduled_orders
        for user in self.users[n.order]:
            missing[user.order] -= 1
            if not missing[user.order]:
                near.append(user)
        for x in self.reads[n.order]:
            self.remaining_uses[x.order] -= 1
            if self.remaining_uses[x.order] == 1:
                # looked through once for each array: linear in all
                readers = self.readers[x.order]
                near += [u for u in readers if u.order not in done and not missing[u.order]]
        return sorted(near, key=order_of, reverse=True) if len(near) > 1 else near


def order_of(node):
    """The number of a node."""
    return node.order


def depth_first_order(program, nodes, before):
    """Each root's own nodes before the next root's; within it the deeper input first."""
    depth = {}
    for n in nodes:
        depth[n.order] = 1 + max([depth[x.order] for x in before[n.order]], default=0)
    done, result = set(), []
    for root in program.roots():
        waiting = [root]
        while waiting:
            n = waiting[-1]
            missing = [x for x in before[n.order] if x.order not in done]
            if len(missing) > 1:
                missing.sort(key=lambda x: depth[x.order])
            if missing:
                waiting.extend(missing)
            elif waiting.pop().order not in done:
                done.add(n.order)
                result.append(n)
    return result
