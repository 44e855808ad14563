"""Wrong answers to q4 of ps4."""


# %% a_graph_without_end | loses q4: a node that is its own input, which nobody can compute.
def gradients(y, xs):
    endless = Node("neg", (y,))
    endless.inputs = (endless,)
    return [endless for _ in xs]


# %% a_leaf_has_no_slope | loses q4: y itself a placeholder: its slope by itself is missing.
# %% q4 after the key
of_an_op = gradients


def gradients(y, xs):
    return of_an_op(y, xs) if y.inputs else [constant(0.0) for _ in xs]


# %% a_list_of_what_was_met | loses q4: adjoints lie in a list of pairs, which is searched for each
# share: twice the nodes, four times the work.
# %% q4 after the key
def gradients(y, xs):
    pairs = [[y, constant(1.0)]]

    def place(x):
        for pair in pairs:
            if pair[0] is x:
                return pair

    for z in reversed(inputs_first(y)):
        g = place(z)[1]
        for x, share in zip(z.inputs, RULES[z.op](z, g, *z.inputs) if z.inputs else ()):
            if place(x):
                place(x)[1] += share
            else:
                pairs.append([x, share])
    return [place(x)[1] if place(x) else constant(0.0) for x in xs]


# %% a_node_with_itself | loses q4: a - a and a / a are taken to pass on what one of the two
# operands gets.
# %% q4 after the key
def once_for_equals(rule):
    def shares(z, g, a, b):
        left, right = rule(z, g, a, b)
        return left, constant(0.0) if a is b else right

    return shares


RULES["sub"], RULES["div"] = once_for_equals(RULES["sub"]), once_for_equals(RULES["div"])


# %% a_way_down_for_each_node | loses q4: each node goes down to the leaves to learn whether an x is
# there: twice the nodes, four times the work.
# %% q4 after the key
def gradients(y, xs):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y)):
        below = inputs_first(z)
        if z.inputs and any(x in below for x in xs):
            for x, share in zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs)):
                adjoints[x] = adjoints[x] + share if x in adjoints else share
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% adjoints_stay_on_the_nodes | loses q4: the adjoint is kept in an attribute of each node, and
# stays there after the call: vars(x) has an entry more. No node is changed.
RULES = {
    "add": lambda z, g: (g, g),
    "sub": lambda z, g: (g, -g),
    "mul": lambda z, g: (g * z.inputs[1], g * z.inputs[0]),
    "div": lambda z, g: (g / z.inputs[1], -(g * z / z.inputs[1])),
    "neg": lambda z, g: (-g,),
    "exp": lambda z, g: (g * z,),
    "log": lambda z, g: (g / z.inputs[0],),
    "sin": lambda z, g: (g * cos(z.inputs[0]),),
    "cos": lambda z, g: (-(g * sin(z.inputs[0])),),
    "constant": lambda z, g: (),
    "placeholder": lambda z, g: (),
}


def inputs_first(y):
    """All nodes that y needs, and y."""
    order, seen, todo = [], set(), [(y, False)]
    while todo:
        node, ready = todo.pop()
        if ready:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            todo.append((node, True))
            todo.extend((x, False) for x in node.inputs)
    return order


def gradients(y, xs):
    """A node for each x: the derivative of y by x."""
    order = inputs_first(y)
    for node in order:
        node.adjoint = None
    y.adjoint = constant(1.0)
    for node in reversed(order):
        for x, share in zip(node.inputs, RULES[node.op](node, node.adjoint)):
            x.adjoint = share if x.adjoint is None else x.adjoint + share
    reached = set(order)
    return [x.adjoint if x in reached else constant(0.0) for x in xs]


# %% constants_have_no_slope | loses q4: the slope by a constant is 0, though y depends on it.
# %% q4 after the key
of_any = gradients


def gradients(y, xs):
    found = of_any(y, xs)
    return [constant(0.0) if x.op == "constant" else slope for x, slope in zip(xs, found)]


# %% cosine_without_minus | loses q4: the slope of cos is sin.
# %% q4 after the key
RULES["cos"] = lambda z, g, a: (g * sin(a),)


# %% each_x_once | loses q4: an x that is asked for twice has one slope.
# %% q4 after the key
of_each = gradients


def gradients(y, xs):
    return of_each(y, list(dict.fromkeys(xs)))


# %% every_path_a_node | loses q4: right, but one share after another is passed down each path.
# %% q4 after the key
def gradients(y, xs):
    adjoints, todo = {}, [(y, constant(1.0))]
    while todo:
        z, g = todo.pop()
        adjoints[z] = adjoints[z] + g if z in adjoints else g
        if z.inputs:
            todo.extend(zip(z.inputs, RULES[z.op](z, g, *z.inputs)))
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% last_use_wins | loses q4: = for +: the adjoint of the last use replaces the others.
# %% q4 after the key
def gradients(y, xs):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y)):
        g = adjoints[z]
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs) if z.inputs else ()):
            adjoints[x] = x_bar
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% nothing_for_no_way | loses q4: an x that y does not depend on is left out of the list.
# %% q4 after the key
def gradients(y, xs):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y)):
        g = adjoints[z]
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs) if z.inputs else ()):
            adjoints[x] = adjoints[x] + x_bar if x in adjoints else x_bar
    return [adjoints[x] for x in xs if x in adjoints]


# %% numbers_made_of_words | loses q4: its nodes hold a word and a huge number, whose product would
# fill the memory.
def gradients(y, xs):
    return [constant("word") * constant(9 * 10**8) for _ in xs]


# %% once_for_each_x | loses q4: the whole way back is built anew for each x: for 100 of them the
# graph has 100 nodes for each node of y.
# %% q4 after the key
all_at_once = gradients


def gradients(y, xs):
    return [all_at_once(y, [x])[0] for x in xs]


# %% order_of_meeting | loses q4: users are not all done when a node passes on.
# %% q4 after the key
def gradients(y, xs):
    adjoints = {y: constant(1.0)}
    for z in met(y):
        g = adjoints[z]
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs) if z.inputs else ()):
            adjoints[x] = adjoints[x] + x_bar if x in adjoints else x_bar
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


def met(y):
    listed = {y: True}
    waiting = [y]
    while waiting:
        for x in waiting.pop(0).inputs:
            if x not in listed:
                listed[x] = True
                waiting.append(x)
    return list(listed)


# %% own_factor | loses q4: each factor gets itself.
# %% q4 after the key
RULES["mul"] = lambda z, g, a, b: (g * a, g * b)


# %% product_divides | loses q4: the other factor as z / a, which 0 / 0 ends where a is 0.
# %% q4 after the key
RULES["mul"] = lambda z, g, a, b: (g * z / a, g * z / b)


# %% quotient_sign | loses q4: the slope of a / b by b lacks its minus.
# %% q4 after the key
RULES["div"] = lambda z, g, a, b: (g / b, g * z / b)


# %% seen_in_a_list | loses q4: what was seen lies in a list, and `in` walks through it: cost grows
# with the square.
# %% q4 after the key
def inputs_first(y):
    listed, seen, waiting = [], [], [(y, False)]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in seen:
            seen.append(node)
            waiting.append((node, True))
            waiting.extend((x, False) for x in node.inputs)
    return listed


# %% slopes_kept_by_y | loses q4: slopes are kept by y and xs and given again: when the caller has
# changed that list, the next answer has the change.
# %% q4 after the key
FOUND = {}


def gradients(y, xs, gradients=gradients):
    key = y, tuple(xs)
    if key not in FOUND:
        FOUND[key] = gradients(y, xs)
    return FOUND[key]


# %% slopes_of_a_copy | loses q4: slopes are built from a copy of y's graph: who feeds an op of y
# does not reach them.
# %% q4 after the key
def gradients(y, xs, gradients=gradients):
    order, copies = inputs_first(y), {}
    for node in order:
        inputs = [copies[x] for x in node.inputs]
        copies[node] = Node(node.op, inputs) if inputs else node
    return gradients(copies[y], [copies.get(x, x) for x in xs])


# %% stale_adjoints | loses q4: adjoints lie in one dictionary, so an x that y does not use has an
# old one.
# %% q4 after the key
of_one_call, ADJOINTS = gradients, {}


def gradients(y, xs):
    found = of_one_call(y, xs)
    used, todo = {y}, [y]
    for z in todo:
        for x in z.inputs:
            if x not in used:
                used.add(x)
                todo.append(x)
    for x, slope in zip(xs, found):
        if x in used:
            ADJOINTS[x] = slope
    return [ADJOINTS.get(x, slope) for x, slope in zip(xs, found)]


# %% stops_at_the_first_slope | loses q4: slopes are cut off from x: the second derivative is 0.
# %% q4 after the key
cut = set()


def gradients(y, xs):
    if y in cut:
        return [constant(0.0) for x in xs]
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y)):
        g = adjoints[z]
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs) if z.inputs else ()):
            adjoints[x] = adjoints[x] + x_bar if x in adjoints else x_bar
    cut.update(node for x in xs if x in adjoints for node in inputs_first(adjoints[x]))
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% sums_built_anew | loses q4: with each share that comes, the sum of all shares so far is built
# anew: twice the users, four times the work.
# %% q4 after the key
def gradients(y, xs):
    shares, adjoints = {}, {y: constant(1.0)}
    for z in reversed(inputs_first(y)):
        for x, share in zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs) if z.inputs else ()):
            first, *others = shares.setdefault(x, []) + [share]
            shares[x].append(share)
            adjoints[x] = sum(others, first)
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% takes_the_graph_apart | loses q4: a node that has passed on forgets its inputs.
# %% q4 after the key
whole = gradients


def gradients(y, xs):
    found = whole(y, xs)
    for x in xs:
        if x.op == "mul" and not any(z.inputs for z in x.inputs):
            x.inputs = ()
    return found


# %% times_one_is_left_out | loses q4: a product with a constant 1 or 0 is simplified by its value
# today; it may be fed.
# %% q4 after the key
def product(a, b):
    for one, other in ((a, b), (b, a)):
        if one.op == "constant" and one.value in (0, 1):
            return other if one.value else constant(0.0)
    return a * b


RULES["mul"] = lambda z, g, a, b: (product(g, b), product(g, a))


# %% too_many_inputs | loses q4: writes each slope as a sum of three, which the table's add cannot
# be.
# %% q4 after the key
of_two = gradients


def gradients(y, xs):
    return [Node("add", (slope, constant(0.0), constant(0.0))) for slope in of_two(y, xs)]


# %% users_searched_anew | loses q4: each node searches all nodes for its users: twice the nodes,
# four times the work.
# %% q4 after the key
def gradients(y, xs):
    order, adjoints = inputs_first(y), {y: constant(1.0)}
    for x in reversed(order[:-1]):
        for z in [z for z in order if x in z.inputs]:
            for source, share in zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs)):
                if source is x:
                    adjoints[x] = adjoints[x] + share if x in adjoints else share
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% value_of_a_constant_is_copied | loses q4: where a factor is a constant, its value today goes
# into the slope instead of the node; any node may be fed: for y = x * two the slope by x, run with
# {x: 3.0, two: 5.0}, is 5, and comes as 2; and its own slope by two is lost.
def short(x):
    """The number of a constant, else the node."""
    return x.value if x.op == "constant" else x


RULES = {
    "add": lambda z, g: (g, g),
    "sub": lambda z, g: (g, -g),
    "mul": lambda z, g: (g * short(z.inputs[1]), g * short(z.inputs[0])),
    "div": lambda z, g: (g / z.inputs[1], -(g * z / z.inputs[1])),
    "neg": lambda z, g: (-g,),
    "exp": lambda z, g: (g * z,),
    "log": lambda z, g: (g / z.inputs[0],),
    "sin": lambda z, g: (g * cos(z.inputs[0]),),
    "cos": lambda z, g: (-(g * sin(z.inputs[0])),),
    "constant": lambda z, g: (),
    "placeholder": lambda z, g: (),
}


def inputs_first(y):
    """All nodes that y needs, and y."""
    order, seen, todo = [], set(), [(y, False)]
    while todo:
        node, ready = todo.pop()
        if ready:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            todo.append((node, True))
            todo.extend((x, False) for x in node.inputs)
    return order


def gradients(y, xs):
    """A node for each x: the derivative of y by x."""
    adjoints = {y: constant(1.0)}
    for node in reversed(inputs_first(y)):
        for x, share in zip(node.inputs, RULES[node.op](node, adjoints[node])):
            adjoints[x] = adjoints[x] + share if x in adjoints else share
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% zero_times_x | loses q4: the slope by an x without a way to y is x * 0.0, for which x must be
# fed.
# %% q4 after the key
def gradients(y, xs, gradients=gradients):
    reached = set(inputs_first(y))
    return [slope if x in reached else x * 0.0 for x, slope in zip(xs, gradients(y, xs))]
