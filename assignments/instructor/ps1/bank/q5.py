"""Wrong answers to q5 of ps1."""


# %% a_pass_for_each_root | loses q5: right gradients, by one backward pass for each root.
# | says: It makes a pass of its own for each root.
# %% q4 after the key
one_pass = backward_from


def backward_from(roots, seeds):
    totals = {}
    for root, seed in zip(roots, seeds):
        one_pass([root], [seed])
        for value in below(root):
            totals[value] = totals.get(value, 0.0) + value.grad
    for value, total in totals.items():
        value.grad = total


def below(root):
    found, seen = [root], {root}
    for value in found:
        new = [x for x in dict.fromkeys(value.inputs) if x not in seen]
        seen.update(new)
        found.extend(new)
    return found


# %% a_tape_of_everything | loses q5: all Values that were ever made stand on a tape, and each call
# goes through the whole tape. | says: A later call takes longer
# %% q1 after the key
TAPE = []
born = Value.__init__


def taped(self, data, op=None, inputs=()):
    born(self, data, op, inputs)
    TAPE.append(self)


Value.__init__ = taped

# %% q4
def backward_from(roots, seeds):
    adjoints = dict.fromkeys(roots, 0.0)
    for root, seed in zip(roots, seeds):
        adjoints[root] += seed
    for value in reversed(TAPE):
        if value in adjoints:
            value.grad = adjoints.pop(value)
            for source, derivative in zip(value.inputs, local_derivatives(value)):
                adjoints[source] = adjoints.get(source, 0.0) + derivative * value.grad


# %% all_users_asked_each_time | loses q5: at each contribution all users of the value are asked
# whether they are done. | says: At each contribution it looks through all users of a Value.
# %% q4
def backward_from(roots, seeds):
    found = list(dict.fromkeys(roots))
    users = {root: [] for root in found}
    for value in found:
        for source in value.inputs:
            if source not in users:
                users[source] = []
                found.append(source)
            users[source].append(value)
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    ready, done = [value for value in found if not users[value]], set()
    while ready:
        value = ready.pop()
        done.add(value)
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad
        for source in dict.fromkeys(value.inputs):
            waits = False
            for user in users[source]:
                if user not in done:
                    waits = True
            if not waits:
                ready.append(source)


# %% every_path | loses q5: right gradients without recursion, but along every path.
# | says: It follows every path instead of visiting each Value once.
# %% q4
def backward_from(roots, seeds):
    found, seen = list(roots), set(roots)
    for value in found:
        value.grad = 0.0
        for source in value.inputs:
            if source not in seen:
                seen.add(source)
                found.append(source)
    paths = list(zip(roots, seeds))
    while paths:
        value, contribution = paths.pop()
        value.grad += contribution
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            paths.append((source, derivative * contribution))


# %% stops_early_on_doublings | loses q5: visits 25 Values at most where each is used twice.
# | says: The pass ends before the whole gradient has come to the leaf.
# %% q4 after the key
whole = backward_from


def backward_from(roots, seeds):
    value = roots[0]
    for _ in range(25):
        if len(set(value.inputs)) == 1 == len(value.inputs) - 1:
            value = value.inputs[0]
        else:
            return whole(roots, seeds)
    roots[0].grad = seeds[0]


# %% looks_through_all_that_wait | loses q5: each step looks through all Values that wait for one
# that is complete. | says: At each step it looks through all Values that wait.
# %% q4
def backward_from(roots, seeds):
    found = list(dict.fromkeys(roots))
    uses = dict.fromkeys(found, 0)
    for value in found:
        for source in value.inputs:
            if source not in uses:
                uses[source] = 0
                found.append(source)
            uses[source] += 1
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    waiting = dict.fromkeys(root for root in roots if uses[root] == 0)
    while waiting:
        for value in waiting:
            if uses[value] == 0:
                break
        del waiting[value]
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad
            uses[source] -= 1
            waiting[source] = None


# %% seen_in_a_list | loses q5: the Values that were seen stand in a list, which is searched with
# `in`. | says: look for a search in a list
# %% q4
def backward_from(roots, seeds):
    found, stack = [], [(root, False) for root in roots]
    seen = []
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            found.append(value)
        elif value not in seen:
            seen.append(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(found):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


# %% waves | loses q5: contributions wait in a queue and are put together only while they wait: in
# z = z + (-(-z)) each Value is visited again for those that come later.
# | says: A Value is visited again for contributions that come later.
# %% q4
from collections import deque


def backward_from(roots, seeds):
    found, seen = list(roots), set(roots)
    for v in found:
        v.grad = 0.0
        for x in v.inputs:
            if x not in seen:
                seen.add(x)
                found.append(x)
    waiting = dict.fromkeys(roots, 0.0)
    for root, seed in zip(roots, seeds):
        waiting[root] += seed
    queue = deque(waiting)
    while queue:
        v = queue.popleft()
        contribution = waiting.pop(v)
        v.grad += contribution
        for x, derivative in zip(v.inputs, local_derivatives(v)):
            if x not in waiting:
                waiting[x] = 0.0
                queue.append(x)
            waiting[x] += derivative * contribution
