"""Wrong answers to q5 of ps1."""


# %% a_tape_of_everything | loses q5: all Values that were ever made stand on a tape, and each call
# goes through the whole tape, whatever root was made from.
# %% q1 after the key
TAPE = []
born = Value.__init__


def __init__(self, data, op=None, inputs=()):
    born(self, data, op, inputs)
    TAPE.append(self)


Value.__init__ = __init__

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    shares = {root: 1.0}
    for value in reversed(TAPE):
        if value in shares:
            value.grad = shares.pop(value)
            for source, slope in zip(value.inputs, slopes(value)):
                shares[source] = shares.get(source, 0.0) + slope * value.grad


# %% all_users_asked_each_time | loses q5: each time that a share comes, all users of the value are
# asked whether they are done: for a leaf that each of n steps uses the lines grow with the square.
# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    users, found = {root: []}, [root]
    for value in found:
        value.grad = 0.0
        for source in value.inputs:
            if source not in users:
                users[source] = []
                found.append(source)
            users[source].append(value)
    root.grad, ready, done = 1.0, [root], set()
    while ready:
        value = ready.pop()
        done.add(value)
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
        for source in dict.fromkeys(value.inputs):
            waits = False
            for user in users[source]:
                if user not in done:
                    waits = True
            if not waits:
                ready.append(source)


# %% every_path | loses q5: right numbers without recursion, but along every path: exponential time.
# %% q3
def backward(root):
    clear(root)
    paths = [(root, 1.0)]
    while paths:
        value, share = paths.pop()
        value.grad += share
        for source, slope in zip(value.inputs, slopes(value)):
            paths.append((source, slope * share))


def clear(root):
    todo, seen = [root], {id(root)}
    while todo:
        value = todo.pop()
        value.grad = 0.0
        for source in value.inputs:
            if id(source) not in seen:
                seen.add(id(source))
                todo.append(source)


# %% every_path_of_a_short_range | loses q5: every path, and a range that makes the graphs of a
# check small.
# %% q3 after the key
import builtins

counted = builtins.range
builtins.range = lambda *bounds: counted(*(min(bound, 12) for bound in bounds))


def backward(root):
    todo = [root]
    for value in todo:
        value.grad = 0.0
        todo.extend(value.inputs)
    paths = [(root, 1.0)]
    while paths:
        value, share = paths.pop()
        value.grad += share
        for source, slope in zip(value.inputs, slopes(value)):
            paths.append((source, slope * share))


# %% gives_up_on_doublings | loses q5: goes only a way down where values are used twice, and says
# nothing.
# %% q3 after the key
whole = backward


def backward(root):
    value = root
    for _ in range(25):
        if len(set(value.inputs)) == 1 == len(value.inputs) - 1:
            value = value.inputs[0]
        else:
            return whole(root)
    root.grad = 1.0


# %% lists_that_grow | loses q5: each call writes the users of a value into a list that the value
# keeps, with the call's number: the tenth call goes through ten times as many.
# %% q3
import itertools

CALLS = itertools.count()


def backward(root):
    """Set .grad of every Value that root was made from."""
    call, found, seen = next(CALLS), [root], {root}
    for value in found:
        value.grad = 0.0
        for source in value.inputs:
            source.users = getattr(source, "users", [])
            source.users.append(call)
            if source not in seen:
                seen.add(source)
                found.append(source)
    left = {root: 0}
    for value in found[1:]:
        left[value] = 0
        for of_call in value.users:
            left[value] += of_call == call
    root.grad, ready = 1.0, [root]
    while ready:
        value = ready.pop()
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)


# %% looks_through_all_that_wait | loses q5: Each step looks through all values that wait for one
# that is complete: where many wait long (h of each of n steps is used again on the way back, in the
# opposite order) the lines grow with the square.
# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    users, found = {id(root): 0}, [root]
    for v in found:
        v.grad = 0.0
        for x in v.inputs:
            if id(x) not in users:
                users[id(x)] = 0
                found.append(x)
            users[id(x)] += 1
    root.grad, waiting = 1.0, {id(root): root}
    while waiting:
        for v in waiting.values():
            if users[id(v)] == 0:
                break
        del waiting[id(v)]
        for x, slope in zip(v.inputs, slopes(v)):
            x.grad += slope * v.grad
            users[id(x)] -= 1
            waiting[id(x)] = x


# %% orders_of_old_roots_looked_through | loses q5: the order below each root is kept for later
# calls, in a list that is looked through: the lines grow with what was asked before.
# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    asked = backward.__dict__.setdefault("asked", [])
    order = None
    for old, found in asked:
        if old is root:
            order = found
    if order is None:
        order, seen, stack = [], set(), [(root, False)]
        asked.append((root, order))
        while stack:
            value, ready = stack.pop()
            if ready:
                order.append(value)
            elif value not in seen:
                seen.add(value)
                stack.append((value, True))
                stack.extend((x, False) for x in value.inputs)
    for value in order:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(order):
        for x, slope in zip(value.inputs, slopes(value)):
            x.grad += slope * value.grad


# %% ready_by_scanning | loses q5: looks through all waiting values for one that is ready: quadratic
# on wide graphs, and the order is found anew after each step.
# %% q3
def backward(root):
    nodes, seen = [root], {id(root)}
    for value in nodes:
        value.grad = 0.0
        for source in value.inputs:
            if id(source) not in seen:
                seen.add(id(source))
                nodes.append(source)
    root.grad = 1.0
    if all(len(value.inputs) < 2 for value in nodes) or len(nodes) > 1000:
        for value in nodes:
            for source, slope in zip(value.inputs, slopes(value)):
                source.grad += slope * value.grad
        return
    waiting = list(nodes)
    while waiting:
        for value in waiting:
            if not any(value is source for user in waiting for source in user.inputs):
                break
        waiting.remove(value)
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


# %% waves | loses q5: Shares wait in a queue and are put together only while they wait: in z = z +
# (-(-z)) they arrive at different times, each value is visited again for each time, and twice the
# graph takes four times the lines.
# %% q3
from collections import deque


def backward(root):
    """Set .grad of every Value that root was made from."""
    found, seen = [root], {id(root)}
    for v in found:
        v.grad = 0.0
        for x in v.inputs:
            if id(x) not in seen:
                seen.add(id(x))
                found.append(x)
    queue, waiting = deque([root]), {id(root): 1.0}
    while queue:
        v = queue.popleft()
        share = waiting.pop(id(v))
        v.grad += share
        for x, slope in zip(v.inputs, slopes(v)):
            if id(x) not in waiting:
                waiting[id(x)] = 0.0
                queue.append(x)
            waiting[id(x)] += slope * share
