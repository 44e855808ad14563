"""Wrong answers to q8 of ps1."""


# %% a_list_of_all_calls | loses q8: The order is a default argument that lives on: a second root's
# call sets the grads of the first root's own nodes to 0 and calls their rules again, and every call
# takes longer.
# | says: It changes grad of Nodes that are not below the root
def repaired_backward(root, order=[], seen=set()):
    """Set .grad of every Node below root, and call each rule once."""
    stack = [(root, False)]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((source, False) for source in node.inputs)
    for node in order:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(order):
        for source, rule in zip(node.inputs, node.rules):
            source.grad += rule(node.grad)


# %% a_node_alone | loses q8: a root that was made from nothing gets no gradient.
# | says: A Node without inputs that is the root does not get 1.
def repaired_backward(root):
    if not root.inputs:
        return
    ordered = nodes_inputs_first(root)
    for node in ordered:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(ordered):
        for source, rule in zip(node.inputs, node.rules):
            source.grad += rule(node.grad)


def nodes_inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((source, False) for source in node.inputs)
    return ordered


# %% their_recursion_as_found | loses q8: the recursion without order, as it was found.
# | says: A value that is reached again passes on all of its gradient
def repaired_backward(root, gradient=1.0):
    root.grad += gradient
    for source, rule in zip(root.inputs, root.rules):
        repaired_backward(source, rule(root.grad))


# %% each_node_once_in_any_order | loses q8: each node delivers once, but before it is complete.
# | says: A contribution is lost
def repaired_backward(root):
    root.grad, todo, seen = 1.0, [root], {id(root)}
    while todo:
        node = todo.pop()
        for source, rule in zip(node.inputs, node.rules):
            source.grad += rule(node.grad)
            if id(source) not in seen:
                seen.add(id(source))
                todo.append(source)


# %% repaired_once | loses q8: right the first time; a second call adds to the inner gradients of
# the first.
# | says: What an earlier call has left in grad is counted
def repaired_backward(root):
    ordered = nodes_inputs_first(root)
    for node in ordered:
        if not node.inputs or not hasattr(node, "met"):
            node.grad, node.met = 0.0, True
    root.grad = 1.0
    for node in reversed(ordered):
        for source, rule in zip(node.inputs, node.rules):
            source.grad += rule(node.grad)


def nodes_inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((source, False) for source in node.inputs)
    return ordered


# %% nodes_by_their_value | loses q8: nodes that hold the same number are taken for one.
# | says: or two Nodes that hold the same number are taken for one.
def repaired_backward(root):
    ordered = nodes_inputs_first(root)
    for node in ordered:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(ordered):
        for source, rule in zip(node.inputs, node.rules):
            source.grad += rule(node.grad)


def nodes_inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(node)
        elif node.value not in seen:
            seen.add(node.value)
            stack.append((node, True))
            stack.extend((source, False) for source in node.inputs)
    return ordered


# %% passes_on_only_what_is_new | loses q8: recursion that passes on only what just came: right
# numbers, exponential time.
# | says: It follows every path
def repaired_backward(root, gradient=1.0):
    root.grad += gradient
    for source, rule in zip(root.inputs, root.rules):
        repaired_backward(source, rule(gradient))


# %% rules_tried_first | loses q8: each rule is called twice, once to look whether it works.
# | says: A rule is not called once
def repaired_backward(root):
    ordered = nodes_inputs_first(root)
    for node in ordered:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(ordered):
        for source, rule in zip(node.inputs, node.rules):
            if rule(0.0) is not None:
                source.grad += rule(node.grad)


def nodes_inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((source, False) for source in node.inputs)
    return ordered


# %% factor_times_gradient | loses q8: Calls rule(1.0) for the derivative and multiplies: a rule is
# given a 1 and not the node's own gradient, so one that limits what passes (max(-1, min(1, g)))
# limits nothing.
# | says: Rules are called with 1
def repaired_backward(root):
    """Set .grad of every Node below root, and call each rule once."""
    users, found = {id(root): 0}, [root]
    for node in found:
        node.grad = 0.0
        for source in node.inputs:
            if id(source) not in users:
                users[id(source)] = 0
                found.append(source)
            users[id(source)] += 1
    root.grad, ready = 1.0, [root]
    while ready:
        node = ready.pop()
        for source, rule in zip(node.inputs, node.rules):
            source.grad += rule(1.0) * node.grad
            users[id(source)] -= 1
            if users[id(source)] == 0:
                ready.append(source)


# %% their_users_counted_once | loses q8: each user is counted once, but each use struck off: a node
# that one user has used twice delivers before the other users have.
# | says: before all of its users have contributed
def repaired_backward(root):
    """Set .grad of every Node below root, and call each rule once."""
    users, found = {root: set()}, [root]
    for node in found:
        for source in node.inputs:
            if source not in users:
                users[source] = set()
                found.append(source)
            users[source].add(node)
    left = {node: len(users[node]) for node in found}
    for node in found:
        node.grad = 0.0
    root.grad, ready = 1.0, [root]
    while ready:
        node = ready.pop()
        for source, rule in zip(node.inputs, node.rules):
            source.grad += rule(node.grad)
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)


# %% twenty_rounds | loses q8: levels are mended in twenty rounds, as if no chain were longer.
# | says: a chain of a hundred operations
def repaired_backward(root):
    """Set .grad of every Node below root, and call each rule once."""
    level, found = {root: 0}, [root]
    for node in found:
        for source in node.inputs:
            if source not in level:
                level[source] = level[node] + 1
                found.append(source)
    for _ in range(20):
        for node in reversed(found):
            for source in node.inputs:
                level[source] = max(level[source], level[node] + 1)
    for node in found:
        node.grad = 0.0
    root.grad = 1.0
    for node in sorted(found, key=level.get):
        for source, rule in zip(node.inputs, node.rules):
            source.grad += rule(node.grad)


# %% two_inputs_always | loses q8: Takes node.inputs for a pair: a Node made with one input and one
# rule (a negation), or three, raises ValueError.
# | says: It takes two inputs for granted.
def repaired_backward(root):
    """Set .grad of every Node below root, and call each rule once."""
    users, found = {id(root): 0}, [root]
    for node in found:
        node.grad = 0.0
        for source in node.inputs:
            if id(source) not in users:
                users[id(source)] = 0
                found.append(source)
            users[id(source)] += 1
    root.grad, ready = 1.0, [root]
    while ready:
        node = ready.pop()
        if node.inputs:
            (left, right), (rule_left, rule_right) = node.inputs, node.rules
            left.grad += rule_left(node.grad)
            right.grad += rule_right(node.grad)
            users[id(left)] -= 1
            users[id(right)] -= 1
            if users[id(left)] == 0:
                ready.append(left)
            if users[id(right)] == 0 and right is not left:
                ready.append(right)


# %% a_gradient_0_holds_up_others | loses q8: users are counted, but a node with gradient 0 is
# passed over before it tells its inputs that it is done: in (w*w) * Node(0) + w with w = a*a the
# node w waits for ever, and a.grad stays 0 instead of 2 a.
# | says: A node whose gradient is 0 holds up others
def repaired_backward(root):
    """Set .grad of every Node below root, and call each rule once."""
    users, todo = {root: 0}, [root]
    while todo:
        node = todo.pop()
        node.grad = 0.0
        for source in node.inputs:
            if source not in users:
                users[source] = 0
                todo.append(source)
            users[source] += 1
    root.grad = 1.0
    ready = [root]
    while ready:
        node = ready.pop()
        if node.grad == 0.0:
            continue  # nothing to deliver
        for source, rule in zip(node.inputs, node.rules):
            source.grad += rule(node.grad)
            users[source] -= 1
            if users[source] == 0:
                ready.append(source)


# %% zero_is_not_passed_on | loses q8: A node whose gradient is 0 does not call its rules, since 0
# changes nothing: each node's rules are to be called once, and one below a factor 0 is called
# never.
# | says: leaves out the rules of a node whose gradient is 0
def repaired_backward(root):
    """Set .grad of every Node below root, and call each rule once."""
    users, found = {id(root): 0}, [root]
    for node in found:
        node.grad = 0.0
        for source in node.inputs:
            if id(source) not in users:
                users[id(source)] = 0
                found.append(source)
            users[id(source)] += 1
    root.grad, ready = 1.0, [root]
    while ready:
        node = ready.pop()
        for source, rule in zip(node.inputs, node.rules):
            if node.grad != 0:
                source.grad += rule(node.grad)
            users[id(source)] -= 1
            if users[id(source)] == 0:
                ready.append(source)


# %% zeros_left_out | loses q8: a node whose gradient is 0 contributes nothing, so its rules are not
# called. | says: It leaves out the rules of a node whose gradient is 0.
def repaired_backward(root):
    ordered, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for source in node.inputs:
                visit(source)
            ordered.append(node)

    visit(root)
    for node in ordered:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(ordered):
        if node.grad != 0:
            for source, rule in zip(node.inputs, node.rules):
                source.grad += rule(node.grad)
