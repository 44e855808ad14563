"""Wrong answers to q6 of ps1."""


# %% a_list_of_all_calls | loses q6: The order is a default argument that lives on: a second root's
# call sets the grads of the first root's own nodes to 0 and calls their pushes again, and every
# call takes longer.
def mended_backward(root, order=[], seen=set()):
    """Set .grad of every Node that root was made from, each node delivering once."""
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
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)


# %% a_node_alone | loses q6: a root that was made from nothing gets no gradient.
def mended_backward(root):
    if not root.inputs:
        return
    ordered = nodes_inputs_first(root)
    for node in ordered:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(ordered):
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)


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


# %% as_they_left_it | loses q6: the recursion without order, as it was found.
def mended_backward(root, gradient=1.0):
    root.grad += gradient
    for source, push in zip(root.inputs, root.pushes):
        mended_backward(source, push(root.grad))


# %% each_node_once_in_any_order | loses q6: each node delivers once, but before it is complete.
def mended_backward(root):
    root.grad, todo, seen = 1.0, [root], {id(root)}
    while todo:
        node = todo.pop()
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)
            if id(source) not in seen:
                seen.add(id(source))
                todo.append(source)


# %% mended_once | loses q6: right the first time; a second call adds to the inner gradients of the
# first.
def mended_backward(root):
    ordered = nodes_inputs_first(root)
    for node in ordered:
        if not node.inputs or not hasattr(node, "met"):
            node.grad, node.met = 0.0, True
    root.grad = 1.0
    for node in reversed(ordered):
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)


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


# %% nodes_by_their_value | loses q6: nodes that hold the same number are taken for one.
def mended_backward(root):
    ordered = nodes_inputs_first(root)
    for node in ordered:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(ordered):
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)


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


# %% passes_on_only_the_share | loses q6: recursion that passes on only what just came: right
# numbers, exponential time.
def mended_backward(root, gradient=1.0):
    root.grad += gradient
    for source, push in zip(root.inputs, root.pushes):
        mended_backward(source, push(gradient))


# %% pushes_tried_first | loses q6: each push is called twice, once to look whether it works.
def mended_backward(root):
    ordered = nodes_inputs_first(root)
    for node in ordered:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(ordered):
        for source, push in zip(node.inputs, node.pushes):
            if push(0.0) is not None:
                source.grad += push(node.grad)


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


# %% slope_times_gradient | loses q6: Calls push(1.0) for the slope and multiplies: a push is given
# a 1 and not the node's own gradient, so one that limits what passes (max(-1, min(1, g))) limits
# nothing.
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
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
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(1.0) * node.grad
            users[id(source)] -= 1
            if users[id(source)] == 0:
                ready.append(source)


# %% their_node_changed | loses q6: changes their Node, which should stay as it is.
born = Node.__init__


def remember(self, value, inputs=(), pushes=()):
    born(self, value, inputs, pushes)
    self.age = AGES.pop() + 1
    AGES.append(self.age)


AGES, Node.__init__ = [0], remember


def mended_backward(root):
    found, todo = {root.age: root}, [root]
    while todo:
        for source in todo.pop().inputs:
            if source.age not in found:
                found[source.age] = source
                todo.append(source)
    for node in found.values():
        node.grad = 0.0
    root.grad = 1.0
    for age in sorted(found, reverse=True):
        for source, push in zip(found[age].inputs, found[age].pushes):
            source.grad += push(found[age].grad)


# %% their_order_kept_by_id | loses q6: the order is kept by id(root), without keeping root: a new
# root gets the id of a dead one, and its order.
ORDERS = {}


def below(root):
    ordered, seen, stack = [], {root}, [(root, iter(root.inputs))]
    while stack:
        node, rest = stack[-1]
        source = next((source for source in rest if source not in seen), None)
        if source is None:
            ordered.append(stack.pop()[0])
        else:
            seen.add(source)
            stack.append((source, iter(source.inputs)))
    return ordered[:-1]


def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
    if id(root) not in ORDERS:
        ORDERS[id(root)] = below(root)
    ordered = [*ORDERS[id(root)], root]
    for node in ordered:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(ordered):
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)


# %% their_users_counted_once | loses q6: each user is counted once, but each use struck off: a node
# that one user has used twice delivers before the other users have.
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
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
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)


# %% times_zero_in_theirs | loses q6: what is in grad is made 0 by `*= 0`: an infinite gradient
# becomes nan.
# %% q6 after the key
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
    ordered, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for source in node.inputs:
                visit(source)
            ordered.append(node)

    visit(root)
    for node in ordered:
        node.grad *= 0
    root.grad = 1.0
    for node in reversed(ordered):
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)


# %% twenty_rounds | loses q6: levels are mended in twenty rounds, as if no chain were longer.
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
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
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)


# %% two_inputs_always | loses q6: Takes node.inputs for a pair: a Node made with one input and one
# push (a negation), or three, raises ValueError.
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
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
            (left, right), (push_left, push_right) = node.inputs, node.pushes
            left.grad += push_left(node.grad)
            right.grad += push_right(node.grad)
            users[id(left)] -= 1
            users[id(right)] -= 1
            if users[id(left)] == 0:
                ready.append(left)
            if users[id(right)] == 0 and right is not left:
                ready.append(right)


# %% who_has_nothing_delivers_nothing | loses q6: users are counted, but a node with gradient 0 is
# passed over before it tells its inputs that it is done: in (w*w) * Node(0) + w with w = a*a the
# node w waits for ever, and a.grad stays 0 instead of 2 a.
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
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
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)
            users[source] -= 1
            if users[source] == 0:
                ready.append(source)


# %% zero_is_not_delivered | loses q6: A node whose gradient is 0 does not call its pushes, since 0
# changes nothing: each node's pushes are to be called once, and one below a factor 0 is called
# never.
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
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
        for source, push in zip(node.inputs, node.pushes):
            if node.grad != 0:
                source.grad += push(node.grad)
            users[id(source)] -= 1
            if users[id(source)] == 0:
                ready.append(source)
