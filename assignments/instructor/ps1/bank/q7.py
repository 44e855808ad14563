"""Wrong answers to q7 of ps1."""


# %% computed_values_accumulate | loses q7: nothing is cleared, so a computed Value passes on again
# what the first call has left. | says: keeps its gradient of an earlier call and passes it on
# again.
# %% q7 after the key
def accumulate(root):
    ordered = users_last(root)
    root.grad = root.grad + 1.0 if not root.inputs else 1.0
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


# %% the_root_accumulates | loses q7: the root gets 1 more in each call, and passes all of it on.
# | says: keeps its gradient of an earlier call and passes it on again.
# %% q7 after the key
def accumulate(root):
    ordered = users_last(root)
    for value in ordered:
        if value.inputs and value is not root:
            value.grad = 0.0
    root.grad += 1.0
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


# %% backward_again | loses q7: accumulate is backward, which starts from scratch.
# | says: It replaces what earlier calls have left in the leaves
# %% q7 after the key
accumulate = backward


# %% backward_added_twice | loses q7: adds the grads of before to all leaves, and twice to those
# that
# are used twice. | says: is counted again for each of its uses.
# %% q7 after the key
def accumulate(root):
    leaves, pending = [], [root]
    while pending:
        value = pending.pop()
        if not value.inputs:
            leaves.append((value, value.grad))
        pending.extend(value.inputs)
    backward(root)
    for value, grad in leaves:
        value.grad += grad


# %% breadth_first_adjoints | loses q7: adjoints of its own, in breadth-first order.
# | says: Even after one call the gradients of the leaves are wrong.
# %% q7 after the key
def accumulate(root):
    adjoints, met = {root: 1.0}, [root]
    for value in met:
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            if source not in adjoints:
                adjoints[source] = 0.0
                met.append(source)
            adjoints[source] += derivative * adjoints[value]
    for value in met:
        if not value.inputs:
            value.grad += adjoints[value]


# %% gradients_not_cleared | loses q7: descend leaves the gradients as they are.
# | says: The gradients are not cleared
# %% q7 after the key
def descend(parameters, rate):
    for parameter in parameters:
        parameter.data -= rate * parameter.grad


# %% uphill | loses q7: the step has the sign of the gradient. | says: The step goes uphill
# %% q7 after the key
def descend(parameters, rate):
    for parameter in parameters:
        parameter.data += rate * parameter.grad
        parameter.grad = 0.0


# %% new_parameters | loses q7: descend makes new Values, which the caller never sees.
# | says: The parameters do not move
# %% q7 after the key
def descend(parameters, rate):
    for parameter in parameters:
        stepped = Value(parameter.data - rate * parameter.grad)
        parameter.grad, parameter = 0.0, stepped


# %% a_leaf_as_the_root | loses q7: nothing is added where the root itself is a leaf.
# | says: A leaf that is the root does not get 1 more.
# %% q7 after the key
adding = accumulate


def accumulate(root):
    if root.inputs:
        adding(root)


# %% clears_before_the_step | loses q7: descend clears the gradient first, and then steps by 0.
# | says: The parameters do not move
# %% q7 after the key
def descend(parameters, rate):
    for parameter in parameters:
        parameter.grad = 0.0
    for parameter in parameters:
        parameter.data -= rate * parameter.grad


# %% cleared_afterwards | loses q7: computed Values are cleared after the call, so what `backward`
# has left in them is passed on again. | says: What another call, such as backward, has left
# %% q7 after the key
def accumulate(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            order.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    root.grad += 1.0
    for value in reversed(order):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad
    for value in order:
        if value.inputs:
            value.grad = 0.0


# %% last_parameter_cleared | loses q7: the gradient is cleared after the loop, so that only that of
# the last parameter is. | says: Only the gradient of the last parameter is cleared.
# %% q7 after the key
def descend(parameters, rate):
    for parameter in parameters:
        parameter.data -= rate * parameter.grad
    parameter.grad = 0.0


# %% functions_left_out | loses q7: accumulate has rules of its own for + - * / and none for the
# functions, -x and x ** n. | says: An input does not get its local derivative
# %% q7 after the key
all_rules = local_derivatives


def accumulate(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            order.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    adjoints = dict.fromkeys(order, 0.0) | {root: 1.0}
    for value in reversed(order):
        if len(value.inputs) == 2:
            for source, derivative in zip(value.inputs, all_rules(value)):
                adjoints[source] += derivative * adjoints[value]
        elif not value.inputs:
            value.grad += adjoints[value]
