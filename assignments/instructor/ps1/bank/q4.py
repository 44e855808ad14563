"""Wrong answers to q4 of ps1."""


# %% seeds_ignored | loses q4: each root begins with 1. | says: It does not use the seed
# %% q4 after the key
with_seeds = backward_from


def backward_from(roots, seeds):
    with_seeds(roots, [1.0 for _ in seeds])


# %% last_root_only | loses q4: each root's pass clears what the earlier ones have found.
# | says: Each root's pass replaces what the earlier ones have found.
def backward_from(roots, seeds):
    for root, seed in zip(roots, seeds):
        ordered = users_last([root])
        for value in ordered:
            value.grad = 0.0
        root.grad = seed
        for value in reversed(ordered):
            for source, derivative in zip(value.inputs, local_derivatives(value)):
                source.grad += derivative * value.grad


def users_last(roots):
    ordered, seen, stack = [], set(), [(root, False) for root in roots]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% first_root_only | loses q4: only the first root is visited. | says: Only one of the roots
# counts
# %% q4 after the key
all_roots = backward_from


def backward_from(roots, seeds):
    found = below(roots)
    for value in found:
        value.grad = 0.0
    all_roots(roots[:1], seeds[:1])


def below(roots):
    found, seen = list(roots), set(roots)
    for value in found:
        new = [x for x in dict.fromkeys(value.inputs) if x not in seen]
        seen.update(new)
        found.extend(new)
    return found


# %% root_after_root | loses q4: one clearing and then a pass for each root, in which values that
# several roots share pass on again what the earlier root's pass has left.
# | says: of the roots
def backward_from(roots, seeds):
    for value in users_last(roots):
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
        for value in reversed(users_last([root])):
            for source, derivative in zip(value.inputs, local_derivatives(value)):
                source.grad += derivative * value.grad


def users_last(roots):
    ordered, seen, stack = [], set(), [(root, False) for root in roots]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% orders_one_after_another | loses q4: each root has an order, and they are put one behind the
# other: what both roots share passes on before the second root has contributed.
# | says: A Value below several roots does not get the sum over all of them.
def backward_from(roots, seeds):
    order, seen = [], set()
    for root in roots:
        for value in reversed(users_last([root])):
            if value not in seen:
                seen.add(value)
                order.append(value)
    for value in order:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in order:
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


def users_last(roots):
    ordered, seen, stack = [], set(), [(root, False) for root in roots]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% all_roots_are_ready | loses q4: uses are counted, but every root is ready at once: one that
# lies below another passes on before its users have contributed, and again afterwards.
# | says: A root that lies below another one passes its gradient on before
def backward_from(roots, seeds):
    uses, found = {}, list(dict.fromkeys(roots))
    met = set(found)
    for value in found:
        for source in value.inputs:
            uses[source] = uses.get(source, 0) + 1
            if source not in met:
                met.add(source)
                found.append(source)
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    ready, at_once = list(dict.fromkeys(roots)), set(roots)
    while ready:
        value = ready.pop()
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad
            uses[source] -= 1
            if uses[source] == 0 and source not in at_once:
                ready.append(source)


# %% seed_set_at_the_visit | loses q4: grad of a root is set to its seed when the pass comes to it.
# | says: The seed of a root replaces the contributions of its users
def backward_from(roots, seeds):
    seed_of = {}
    for root, seed in zip(roots, seeds):
        seed_of[root] = seed_of.get(root, 0.0) + seed
    ordered = users_last(roots)
    for value in ordered:
        value.grad = 0.0
    for value in reversed(ordered):
        if value in seed_of:
            value.grad = seed_of[value]
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


def users_last(roots):
    ordered, seen, stack = [], set(), [(root, False) for root in roots]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% seed_lost_below | loses q4: grad is cleared after the seeds were set, except for roots without
# users. | says: The seed of a root that lies below another one is lost.
def backward_from(roots, seeds):
    for root in roots:
        root.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    ordered = users_last(roots)
    for value in ordered:
        for source in value.inputs:
            source.grad = 0.0
    for value in reversed(ordered):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


def users_last(roots):
    ordered, seen, stack = [], set(), [(root, False) for root in roots]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% seeds_in_a_dict | loses q4: the seeds are kept by root, so a root that is named twice has only
# the last. | says: The seeds of a root that is named twice do not add up.
# %% q4 after the key
one_by_one = backward_from


def backward_from(roots, seeds):
    seed_of = dict(zip(roots, seeds))
    one_by_one(list(seed_of), list(seed_of.values()))


# %% assigns_contributions | loses q4: = for +=. | says: = stands where += is needed.
def backward_from(roots, seeds):
    ordered = users_last(roots)
    for value in ordered:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(ordered):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad = derivative * value.grad


def users_last(roots):
    ordered, seen, stack = [], set(), [(root, False) for root in roots]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% breadth_first_from_all | loses q4: from all roots, in the order in which the values are met.
# | says: before all of its users have contributed
def backward_from(roots, seeds):
    met = list(dict.fromkeys(roots))
    seen = set(met)
    for value in met:
        value.grad = 0.0
        for source in value.inputs:
            if source not in seen:
                seen.add(source)
                met.append(source)
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in met:
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


# %% seeds_add_to_the_last_call | loses q4: seeds are added to what the roots hold.
# | says: What an earlier call has left in grad is counted again (rule 3).
def backward_from(roots, seeds):
    ordered = users_last(roots)
    for value in ordered:
        for source in value.inputs:
            source.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(ordered):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


def users_last(roots):
    ordered, seen, stack = [], set(), [(root, False) for root in roots]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered


# %% an_order_for_each_root | loses q4: the orders of the roots follow each other. | says: A Value
# below several roots does not get the sum over all of them
# %% q4
def backward_from(roots, seeds):
    order, seen = [], set()
    for root in roots:
        own, stack = [], [(root, False)]
        while stack:
            value, done = stack.pop()
            if done:
                own.append(value)
            elif value not in seen:
                seen.add(value)
                stack.append((value, True))
                stack.extend((x, False) for x in value.inputs)
        order += own[::-1]
    for value in order:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in order:
        for x, derivative in zip(value.inputs, local_derivatives(value)):
            x.grad += derivative * value.grad


# %% products_seen_by_number | loses q4: which products were seen is known by their numbers, so of
# two that hold the same number only one passes its gradient on. | says: taken for one (rule 4)
# %% q4
def backward_from(roots, seeds):
    product = (Value(1.0) * Value(1.0)).op
    order, seen, stack = [], set(), [(root, False) for root in roots]
    while stack:
        value, inputs_done = stack.pop()
        known_by = value.data if value.op == product else value
        if inputs_done:
            order.append(value)
        elif known_by not in seen:
            seen.add(known_by)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    for value in order:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(order):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


# %% seeds_of_0_left_out | loses q4: a root with the seed 0 is left out, so that grad keeps what an
# earlier call has left below it. | says: A root whose seed is 0 is left out
# %% q4 after the key
of_all_roots = backward_from


def backward_from(roots, seeds):
    pairs = [(root, seed) for root, seed in zip(roots, seeds) if seed]
    of_all_roots([root for root, _ in pairs], [seed for _, seed in pairs])


# %% functions_left_out_from_roots | loses q4: backward_from has no rules for exp, log and tanh.
# | says: An input does not get its local derivative
# %% q4
def backward_from(roots, seeds):
    order, seen, stack = [], set(), [(root, False) for root in roots]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            order.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    for value in order:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(order):
        if value.op not in ("exp", "log", "tanh"):
            for source, derivative in zip(value.inputs, local_derivatives(value)):
                source.grad += derivative * value.grad
