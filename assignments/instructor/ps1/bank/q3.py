"""Wrong answers to q3 of ps1."""


# %% as_they_left_it | loses q3: the recursion of q8, which passes on all of grad again.
# | says: A value that is reached again passes on all of its gradient
def backward(root, received=1.0):
    if received == 1.0:
        clear(root)
    root.grad += received
    for source, derivative in zip(root.inputs, local_derivatives(root)):
        push(source, root.grad * derivative)


def push(value, received):
    value.grad += received
    for source, derivative in zip(value.inputs, local_derivatives(value)):
        push(source, value.grad * derivative)


def clear(value):
    value.grad = 0.0
    for source in value.inputs:
        clear(source)


# %% a_leaf_as_root | loses q3: backward of a leaf does nothing.
# | says: The grad of a root that is a leaf is not 1.
# %% q3 after the key
whole = backward


def backward(root):
    if root.inputs:
        whole(root)


# %% breadth_first | loses q3: a value passes on in the order in which it is first met, before its
# users farther down have contributed. | says: before all of its users have contributed
def backward(root):
    met, seen = [root], {root}
    for value in met:
        value.grad = 0.0
        for source in value.inputs:
            if source not in seen:
                seen.add(source)
                met.append(source)
    root.grad = 1.0
    for value in met:
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


# %% stack_order | loses q3: the order in which a stack comes upon the values: with b = a * a and
# z = (b * b) * b, b passes on before it is complete. | says: before all of its users have
# contributed
def backward(root):
    order, seen, stack = [], set(), [root]
    while stack:
        value = stack.pop()
        if value not in seen:
            seen.add(value)
            order.append(value)
            stack.extend(value.inputs)
    for value in order:
        value.grad = 0.0
    root.grad = 1.0
    for value in order:
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += value.grad * derivative


# %% preorder_reversed | loses q3: each value is listed before its inputs, and the list is reversed,
# so the pass begins at the leaves. | says: a gradient is missing or wrong.
def backward(root):
    order, seen = [], set()

    def visit(value):
        if value not in seen:
            seen.add(value)
            order.append(value)
            for source in value.inputs:
                visit(source)

    visit(root)
    for value in order:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(order):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


# %% assigns_instead_of_adding | loses q3: = for +=, so a value that is used twice keeps one
# contribution. | says: = stands where += is needed.
def backward(root):
    ordered = users_last(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad = derivative * value.grad


def users_last(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% equal_leaves_merged | loses q3: leaves that hold the same number are taken for one.
# | says: Two Values that hold the same number are taken for one (rule 4).
def backward(root):
    ordered, grads = users_last(root), {key(root): 1.0}
    for value in reversed(ordered):
        value.grad = grads.get(key(value), 0.0)
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            grads[key(source)] = grads.get(key(source), 0.0) + derivative * value.grad
    for value in ordered:
        value.grad = grads.get(key(value), 0.0)


def key(value):
    return id(value) if value.inputs else value.data


def users_last(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% gradients_not_reset | loses q3: a second call adds to the gradients of the first.
# | says: What an earlier call has left in grad is counted again (rule 3).
def backward(root):
    ordered = users_last(root)
    root.grad = 1.0
    for value in reversed(ordered):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


def users_last(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% only_leaves_start_from_scratch | loses q3: a second call adds to the first one's gradients of
# computed Values. | says: What an earlier call has left in grad is counted again (rule 3).
def backward(root):
    ordered = users_last(root)
    for value in ordered:
        if not value.inputs:
            value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


def users_last(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% frees_the_graph | loses q3: the graph is taken apart on the way, so a second call finds none.
# | says: The call takes the graph apart
def backward(root):
    ordered = users_last(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad
        value.inputs = ()


def users_last(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% nothing_to_pass_on | loses q3: a value whose gradient is 0 passes nothing on, so what lies
# below keeps an older number. | says: Where a gradient is 0, grad keeps an older number.
def backward(root):
    gradients = {root: 1.0}
    for value in reversed(users_last(root)):
        gradient = gradients.get(value, 0.0)
        if gradient == 0.0 and value is not root:
            continue
        value.grad = gradient
        for x, derivative in zip(value.inputs, local_derivatives(value)):
            gradients[x] = gradients.get(x, 0.0) + gradient * derivative


def users_last(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% numbers_get_no_gradient | loses q3: the leaf of a plain number counts as a constant.
# | says: or a leaf made of a plain number gets nothing.
# %% q1 after the key
recorded = Value.record


def record(op, formula, *operands):
    z = recorded(op, formula, *operands)
    z.constants = [not isinstance(operand, Value) for operand in operands]
    return z


Value.record = record
Value.__radd__ = lambda self, other: Value.record("add", lambda a, b: a + b, other, self)
Value.__rsub__ = lambda self, other: Value.record("sub", lambda a, b: a - b, other, self)
Value.__rmul__ = lambda self, other: Value.record("mul", lambda a, b: a * b, other, self)
Value.__rtruediv__ = lambda self, other: Value.record("div", lambda a, b: a / b, other, self)

# %% q3
def backward(root):
    ordered = users_last(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for i, derivative in enumerate(local_derivatives(value)):
            if not value.constants[i]:
                value.inputs[i].grad += derivative * value.grad


def users_last(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% only_leaves_have_gradients | loses q3: gradients of computed Values are thrown away.
# | says: Even where each value is used once
# %% q3 after the key
whole = backward


def backward(root):
    whole(root)
    pending, seen = list(root.inputs), set()
    while pending:
        value = pending.pop()
        if value not in seen:
            seen.add(value)
            pending.extend(value.inputs)
            value.grad = None if value.inputs else value.grad


# %% rules_of_its_own | loses q3: backward has its own rules for + - * / and none for functions.
# | says: An input does not get its local derivative
# %% q3 after the key
with_all_rules = local_derivatives


def only_signs(value):
    found = with_all_rules(value)
    return found if len(found) == 2 else (0.0,) * len(found)


def backward(root):
    ordered = users_last(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, derivative in zip(value.inputs, only_signs(value)):
            source.grad += derivative * value.grad


def users_last(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% uses_counted_at_birth | loses q3: waits for users that are not below the root.
# | says: It waits for users that are not below the root, or counts them.
# %% q1 after the key
USES = {}
born = Value.__init__


def counting(self, data, op=None, inputs=()):
    born(self, data, op, inputs)
    USES[self] = 0
    for source in inputs:
        USES[source] += 1


Value.__init__ = counting

# %% q3
def backward(root):
    for value in below(root):
        value.grad = 0.0
    root.grad, left, ready = 1.0, dict(USES), [root]
    while ready:
        value = ready.pop()
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)


def below(root):
    found = [root]
    for value in found:
        found.extend(x for x in dict.fromkeys(value.inputs) if x not in found)
    return found


# %% users_counted_uses_struck_off | loses q3: each user is counted once, but each use is struck
# off:
# b, used twice by b * b and once by b * c, passes on too early.
# | says: before all of its users have contributed
def backward(root):
    users, found = {root: set()}, [root]
    for value in found:
        for source in value.inputs:
            if source not in users:
                users[source] = set()
                found.append(source)
            users[source].add(value)
    left = {value: len(users[value]) for value in found}
    for value in found:
        value.grad = 0.0
    root.grad, ready = 1.0, [root]
    while ready:
        value = ready.pop()
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)


# %% seen_by_number | loses q3: what was seen is known by its number, so of two Values that hold
# the same number only one passes its gradient on. | says: taken for one (rule 4)
def backward(root):
    order, seen = [], set()

    def visit(value):
        if value.data not in seen:
            seen.add(value.data)
            for source in value.inputs:
                visit(source)
            order.append(value)

    visit(root)
    for value in order:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(order):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad
