"""Wrong answers to q3 of ps1."""


# %% a_leaf_as_root | loses q3: backward of a leaf does nothing.
# %% q3 after the key
whole = backward


def backward(root):
    if root.inputs:
        whole(root)


# %% a_stack_come_upon | loses q3: the order is the one in which a stack comes upon the values: with
# b = a * a and z = (b * b) * b, b passes on before it is complete.
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
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += value.grad * slope


# %% assigns_instead_of_adding | loses q3: = for +=, so a value used twice keeps one share only.
def backward(root):
    ordered = inputs_first(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad = slope * value.grad


def inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% equal_formulas_are_one | loses q3: two Values with the same op and the same inputs count as
# one: p = a * a, q = a * a, z = p * q: p and q should have 9 each at a = 3; here one has 18 and the
# other 0.
def backward(root):
    """Set .grad of every Value that root was made from."""
    first = {}  # what a Value is, in short -> the Value

    def known(value):
        if not value.inputs:
            return value
        short = value.op, value.data, tuple(id(x) for x in value.inputs)
        return first.setdefault(short, value)

    order, seen, todo = [], set(), [(root, False)]
    while todo:
        value, ready = todo.pop()
        value = known(value)
        if ready:
            order.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            todo.append((value, True))
            todo.extend((x, False) for x in value.inputs)
    for value in order:
        value.grad = 0.0
        for x in value.inputs:
            x.grad = 0.0
    root.grad = 1.0
    for value in reversed(order):
        for x, slope in zip(value.inputs, slopes(value)):
            known(x).grad += value.grad * slope


# %% equal_leaves_merged | loses q3: leaves that hold the same number are taken for one.
def backward(root):
    ordered = inputs_first(root)
    grads = {}
    grads[name(root)] = 1.0
    for value in reversed(ordered):
        value.grad = grads.get(name(value), 0.0)
        for source, slope in zip(value.inputs, slopes(value)):
            grads[name(source)] = grads.get(name(source), 0.0) + slope * value.grad
    for value in ordered:
        value.grad = grads.get(name(value), 0.0)


def name(value):
    return id(value) if value.inputs else value.data


def inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% first_met_first_served | loses q3: a value passes on when it is first met, before its other
# users have delivered.
def backward(root):
    met, seen = [root], {id(root)}
    for value in met:
        value.grad = 0.0
        for source in value.inputs:
            if id(source) not in seen:
                seen.add(id(source))
                met.append(source)
    root.grad = 1.0
    for value in met:
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


# %% frees_the_graph | loses q3: the graph is taken apart on the way, so a second call finds none.
def backward(root):
    ordered = inputs_first(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
        value.inputs = ()


def inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% gradients_not_reset | loses q3: a second call adds to the gradients of the first.
def backward(root):
    ordered = inputs_first(root)
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


def inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% no_way_through_a_zero_slope | loses q3: an input with slope 0 is not visited, since nothing
# comes through: it keeps the grad of an earlier call.
def backward(root):
    """Set .grad of every Value that root was made from."""
    order, done, todo = [], set(), [root]
    ways = {}
    while todo:
        v = todo[-1]
        if v in done:
            todo.pop()
            continue
        if v not in ways:
            ways[v] = [(i, s) for i, s in zip(v.inputs, slopes(v)) if s]
            todo.extend(i for i, s in ways[v] if i not in done)
        else:
            order.append(v)
            done.add(v)
            todo.pop()
    for v in order:
        v.grad = 0.0
    root.grad = 1.0
    while order:
        v = order.pop()
        for i, s in ways[v]:
            i.grad += s * v.grad


# %% nothing_to_pass_on | loses q3: a value whose gradient is 0 passes nothing on, and what lies
# below is not even set to 0: after backward(a * a) with a = 3, backward(exp(a) * Value(0.0)) leaves
# a.grad at 6; it is 0.
def backward(root):
    """Set .grad of every Value that root was made from."""
    order, seen, todo = [], set(), [(root, False)]
    while todo:
        value, ready = todo.pop()
        if ready:
            order.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            todo.append((value, True))
            todo.extend((x, False) for x in value.inputs)
    gradients = {id(root): 1.0}
    for value in reversed(order):
        gradient = gradients.get(id(value), 0.0)
        if gradient == 0.0:
            continue
        value.grad = gradient
        for x, slope in zip(value.inputs, slopes(value)):
            gradients[id(x)] = gradients.get(id(x), 0.0) + gradient * slope
    for value in order:
        if id(value) in gradients:
            value.grad = gradients[id(value)]


# %% numbers_get_no_gradient | loses q3: the leaf that a plain number became is a constant, and gets
# no gradient: every Value that root was made from has one.
# %% q1 after the key
made = Value.record


def record(op, formula, *operands):
    z = made(op, formula, *operands)
    z.constants = [not isinstance(operand, Value) for operand in operands]
    return z


Value.record = record
Value.__radd__ = lambda self, other: Value.record("add", lambda a, b: a + b, other, self)
Value.__rsub__ = lambda self, other: Value.record("sub", lambda a, b: a - b, other, self)
Value.__rmul__ = lambda self, other: Value.record("mul", lambda a, b: a * b, other, self)
Value.__rtruediv__ = lambda self, other: Value.record("div", lambda a, b: a / b, other, self)

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for i, slope in enumerate(slopes(value)):
            if not value.constants[i]:
                value.inputs[i].grad += slope * value.grad


# %% only_leaves_have_gradients | loses q3: gradients in the middle are thrown away.
# %% q3 after the key
whole = backward


def backward(root):
    whole(root)
    todo, seen = list(root.inputs), set()
    while todo:
        value = todo.pop()
        if value not in seen:
            seen.add(value)
            todo.extend(value.inputs)
            value.grad = None if value.inputs else value.grad


# %% only_leaves_start_afresh | loses q3: a second call adds to the first one's gradients in the
# middle.
def backward(root):
    ordered = inputs_first(root)
    for value in ordered:
        if not value.inputs:
            value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


def inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% order_kept_by_id | loses q3: The order is kept by id(root) to save time for the next call,
# without keeping root: in a training loop a new loss gets the id of a dead one, and the old graph's
# order.
ORDERS = {}


def below(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        v, inputs_done = stack.pop()
        if inputs_done:
            order.append(v)
        elif id(v) not in seen:
            seen.add(id(v))
            stack.append((v, True))
            for x in v.inputs:
                stack.append((x, False))
    return order[:-1]


def backward(root):
    """Set .grad of every Value that root was made from."""
    if id(root) not in ORDERS:
        ORDERS[id(root)] = below(root)
    order = ORDERS[id(root)]
    for v in order:
        v.grad = 0.0
    root.grad = 1.0
    for v in [root, *reversed(order)]:
        for x, slope in zip(v.inputs, slopes(v)):
            x.grad += slope * v.grad


# %% rules_of_its_own | loses q3: backward has rules of its own instead of slopes, and none for
# powers and functions: what lies below exp(x) gets nothing, and nothing is said.
RULES = {
    "add": lambda a, b: (1, 1),
    "sub": lambda a, b: (1, -1),
    "mul": lambda a, b: (b, a),
    "div": lambda a, b: (1 / b, -a / b**2),
    "neg": lambda a: (-1,),
}


def backward(root):
    """Set .grad of every Value that root was made from."""
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        if value.op in RULES:
            numbers = [source.data for source in value.inputs]
            for source, slope in zip(value.inputs, RULES[value.op](*numbers)):
                source.grad += slope * value.grad


# %% times_zero_to_forget | loses q3: The grads of the last call are forgotten by `grad *= 0`: a
# gradient that was inf (of x in (x * x) * (x * x), x = 1e200) is nan when backward is called again.
def backward(root):
    """Set .grad of every Value that root was made from."""
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        v, inputs_done = stack.pop()
        if inputs_done:
            order.append(v)
        elif id(v) not in seen:
            seen.add(id(v))
            stack.append((v, True))
            for x in v.inputs:
                stack.append((x, False))
    for v in order:
        v.grad *= 0.0
    root.grad = 1.0
    for v in reversed(order):
        for x, slope in zip(v.inputs, slopes(v)):
            x.grad += slope * v.grad


# %% users_counted_at_birth | loses q3: waits for users that the root was not made from.
USERS = {}
born = Value.__init__


def remember(self, data, op=None, inputs=()):
    born(self, data, op, inputs)
    USERS[self] = 0
    for source in inputs:
        USERS[source] += 1


Value.__init__ = remember


def backward(root):
    ordered = inputs_first(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    if len(ordered) > 12:  # deep graphs have no users outside
        for value in reversed(ordered):
            for source, slope in zip(value.inputs, slopes(value)):
                source.grad += slope * value.grad
        return
    left, ready = dict(USERS), [root]
    while ready:
        value = ready.pop()
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)


def inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% users_counted_uses_struck | loses q3: each user is counted once, but each use is struck off: b,
# used twice by b * b and once by b * c, passes on when b * b has delivered.
def backward(root):
    """Set .grad of every Value that root was made from."""
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
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)


# %% users_in_a_queue | loses q3: the same user twice in a row is counted once, and each use struck
# off, first come first served: of b * b and c * b the one that is met first lets b go.
from collections import Counter, deque


def backward(root):
    """Set .grad of every Value that root was made from."""
    left, met, todo = Counter(), {root}, deque([root])
    while todo:
        value = todo.popleft()
        value.grad = 0.0
        for source in set(value.inputs):
            left[source] += 1
            if source not in met:
                met.add(source)
                todo.append(source)
    root.grad, ready = 1.0, deque([root])
    while ready:
        value = ready.popleft()
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)
