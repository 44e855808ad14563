"""Wrong answers to q3 of ps4."""


# %% a_graph_without_end | loses q3: a node that is its own input, which nobody can compute. | says:
# The graph of the derivative has a cycle
def gradients(y, xs, fed=()):
    endless = Node("neg", (y,))
    endless.inputs = (endless,)
    return [endless for _ in xs]


# %% a_leaf_has_no_derivative | loses q3: y itself a placeholder: its derivative by itself is
# missing. | says: A y that is a leaf has the derivative 1 with respect to itself, and 0 otherwise
# %% q3 after the key
of_an_op = gradients


def gradients(y, xs, fed=()):
    return of_an_op(y, xs, fed) if y.inputs else [constant(0.0) for _ in xs]


# %% a_list_of_what_was_met | loses q3: adjoints lie in a list of pairs, which is searched for each
# contribution: twice the nodes, four times the work. | says: For each node it goes through all
# nodes, or through all contributions (rule 4)
# %% q3 after the key
def gradients(y, xs, fed=()):
    pairs = [[y, constant(1.0)]]

    def place(x):
        for pair in pairs:
            if pair[0] is x:
                return pair

    for z in reversed(inputs_first(y, fed)):
        g = place(z)[1]
        if not z.inputs or z in fed:
            continue
        for x, contribution in zip(z.inputs, RULES[z.op](z, g, *z.inputs)):
            if place(x):
                place(x)[1] += contribution
            else:
                pairs.append([x, contribution])
    return [place(x)[1] if place(x) else constant(0.0) for x in xs]


# %% a_node_with_itself | loses q3: a - a and a / a are taken to pass on what one of the two
# operands gets. | says: The contributions of all uses of a placeholder are not added up
# %% q3 after the key
def once_for_equals(rule):
    def contributions(z, g, a, b):
        left, right = rule(z, g, a, b)
        return left, constant(0.0) if a is b else right

    return contributions


RULES["sub"], RULES["div"] = once_for_equals(RULES["sub"]), once_for_equals(RULES["div"])


# %% a_way_down_for_each_node | loses q3: each node goes down to the leaves to learn whether an x is
# there: twice the nodes, four times the work. | says: For each node it goes through all nodes, or
# through all contributions (rule 4)
# %% q3 after the key
def gradients(y, xs, fed=()):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y, fed)):
        below = inputs_first(z, fed)
        if z.inputs and z not in fed and any(x in below for x in xs):
            for x, contribution in zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs)):
                adjoints[x] = adjoints[x] + contribution if x in adjoints else contribution
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% adjoints_stay_on_the_nodes | loses q3: the adjoint is kept in an attribute of each node, and
# stays there after the call: vars(x) has an entry more. No node is changed. | says: It changes a
# list or node of the caller (rules 1 and 2)
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


def inputs_first(y, fed):
    """All nodes that y needs, and y."""
    order, seen, todo = [], set(), [(y, False)]
    while todo:
        node, ready = todo.pop()
        if ready:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            todo.append((node, True))
            todo.extend((x, False) for x in node.inputs if node not in fed)
    return order


def gradients(y, xs, fed=()):
    """A node for each x: the derivative of y by x."""
    order = inputs_first(y, fed)
    for node in order:
        node.adjoint = None
    y.adjoint = constant(1.0)
    for node in reversed(order):
        if node in fed:
            continue
        for x, contribution in zip(node.inputs, RULES[node.op](node, node.adjoint)):
            x.adjoint = contribution if x.adjoint is None else x.adjoint + contribution
    reached = set(order)
    return [x.adjoint if x in reached else constant(0.0) for x in xs]


# %% constants_have_no_derivative | loses q3: the derivative by a constant is 0, though y depends on
# it. | says: The derivative with respect to a constant is 0, although y depends on it
# %% q3 after the key
of_any = gradients


def gradients(y, xs, fed=()):
    found = of_any(y, xs, fed)
    return [constant(0.0) if x.op == "constant" else derivative for x, derivative in zip(xs, found)]


# %% cosine_without_minus | loses q3: the derivative of cos is sin. | says: The rule of cos has the
# wrong sign
# %% q3 after the key
RULES["cos"] = lambda z, g, a: (g * sin(a),)


# %% each_x_once | loses q3: an x that is asked for twice has one derivative. | says: It does not
# return a list with one entry for each x
# %% q3 after the key
of_each = gradients


def gradients(y, xs, fed=()):
    return of_each(y, list(dict.fromkeys(xs)), fed)


# %% every_path_a_node | loses q3: right, but one contribution after another is passed down each
# path. | says: A node passes on once for each path to it
# %% q3 after the key
def gradients(y, xs, fed=()):
    adjoints, todo = {}, [(y, constant(1.0))]
    while todo:
        z, g = todo.pop()
        adjoints[z] = adjoints[z] + g if z in adjoints else g
        if z.inputs and z not in fed:
            todo.extend(zip(z.inputs, RULES[z.op](z, g, *z.inputs)))
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% last_use_wins | loses q3: = for +: the adjoint of the last use replaces the others. | says: The
# contributions of all uses of a placeholder are not added up
# %% q3 after the key
def gradients(y, xs, fed=()):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y, fed)):
        g = adjoints[z]
        if not z.inputs or z in fed:
            continue
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs)):
            adjoints[x] = x_bar
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% nothing_for_no_way | loses q3: an x that y does not depend on is left out of the list. | says:
# It does not return a list with one entry for each x
# %% q3 after the key
def gradients(y, xs, fed=()):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y, fed)):
        g = adjoints[z]
        if not z.inputs or z in fed:
            continue
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs)):
            adjoints[x] = adjoints[x] + x_bar if x in adjoints else x_bar
    return [adjoints[x] for x in xs if x in adjoints]


# %% numbers_made_of_words | loses q3: its nodes hold a word and a huge number, whose product would
# fill the memory. | says: A constant in the derivative holds no ordinary number
def gradients(y, xs, fed=()):
    return [constant("word") * constant(9 * 10**8) for _ in xs]


# %% once_for_each_x | loses q3: the whole way back is built again for each x: for 100 of them the
# graph has 100 nodes for each node of y. | says: The backward pass is made again for each x
# %% q3 after the key
all_at_once = gradients


def gradients(y, xs, fed=()):
    return [all_at_once(y, [x], fed)[0] for x in xs]


# %% order_of_meeting | loses q3: users are not all done when a node passes on. | says: A node
# passes its adjoint on before all its users have contributed to it
# %% q3 after the key
def gradients(y, xs, fed=()):
    adjoints = {y: constant(1.0)}
    for z in met(y, fed):
        g = adjoints[z]
        if not z.inputs or z in fed:
            continue
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs)):
            adjoints[x] = adjoints[x] + x_bar if x in adjoints else x_bar
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


def met(y, fed):
    listed = {y: True}
    waiting = [y]
    while waiting:
        node = waiting.pop(0)
        for x in () if node in fed else node.inputs:
            if x not in listed:
                listed[x] = True
                waiting.append(x)
    return list(listed)


# %% own_factor | loses q3: each factor gets itself. | says: The rule of mul gives each input what
# belongs to the other one
# %% q3 after the key
RULES["mul"] = lambda z, g, a, b: (g * a, g * b)


# %% product_divides | loses q3: the other factor as z / a, which 0 / 0 ends where a is 0. | says:
# The derivative divides by 0, or takes another step that has no result, although the formula in the
# table has one
# %% q3 after the key
RULES["mul"] = lambda z, g, a, b: (g * z / a, g * z / b)


# %% quotient_sign | loses q3: the derivative of a / b by b lacks its minus. | says: The rule of div
# has a wrong sign for its last input
# %% q3 after the key
RULES["div"] = lambda z, g, a, b: (g / b, g * z / b)


# %% seen_in_a_list | loses q3: what was seen lies in a list, and `in` walks through it: cost grows
# with the square. | says: For each node it goes through all nodes, or through all contributions
# (rule 4)
# %% q3 after the key
def inputs_first(y, fed):
    listed, seen, waiting = [], [], [(y, False)]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in seen:
            seen.append(node)
            waiting.append((node, True))
            waiting.extend((x, False) for x in node.inputs if node not in fed)
    return listed


# %% derivatives_kept_by_y | loses q3: derivatives are kept by y and xs and given again: when the
# caller has changed that list, the next answer has the change. | says: It returns the same list
# twice (rule 2)
# %% q3 after the key
FOUND = {}


def gradients(y, xs, fed=(), gradients=gradients):
    key = y, tuple(xs), tuple(fed)
    if key not in FOUND:
        FOUND[key] = gradients(y, xs, fed)
    return FOUND[key]


# %% derivatives_of_a_copy | loses q3: derivatives are built from a copy of y's graph: who feeds an
# op of y does not reach them. | says: The derivative holds a copy of a node of y, which a feed of
# that node does not reach
# %% q3 after the key
def gradients(y, xs, fed=(), gradients=gradients):
    order, copies = inputs_first(y, ()), {}
    for node in order:
        inputs = [copies[x] for x in node.inputs]
        copies[node] = Node(node.op, inputs) if inputs else node
    copied = [[copies.get(x, x) for x in nodes] for nodes in (xs, fed)]
    return gradients(copies[y], *copied)


# %% stale_adjoints | loses q3: adjoints lie in one dictionary, so an x that y does not use has an
# old one. | says: A call uses adjoints of an earlier one (rule 6)
# %% q3 after the key
of_one_call, ADJOINTS = gradients, {}


def gradients(y, xs, fed=()):
    found = of_one_call(y, xs, fed)
    used, todo = {y}, [y]
    for z in todo:
        for x in z.inputs:
            if x not in used:
                used.add(x)
                todo.append(x)
    for x, derivative in zip(xs, found):
        if x in used:
            ADJOINTS[x] = derivative
    return [ADJOINTS.get(x, derivative) for x, derivative in zip(xs, found)]


# %% stops_at_the_first_derivative | loses q3: derivatives are cut off from x: the second derivative
# is 0. | says: The first derivative holds numbers or copies where it should use the nodes of y, so
# that its own derivative is 0
# %% q3 after the key
cut = set()


def gradients(y, xs, fed=()):
    if y in cut:
        return [constant(0.0) for x in xs]
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y, fed)):
        g = adjoints[z]
        if not z.inputs or z in fed:
            continue
        for x, x_bar in zip(z.inputs, RULES[z.op](z, g, *z.inputs)):
            adjoints[x] = adjoints[x] + x_bar if x in adjoints else x_bar
    cut.update(node for x in xs if x in adjoints for node in inputs_first(adjoints[x], fed))
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% sums_built_again | loses q3: with each contribution that comes, the sum of all contributions so
# far is built again: twice the users, four times the work. | says: For each node it goes through
# all nodes, or through all contributions (rule 4)
# %% q3 after the key
def gradients(y, xs, fed=()):
    contributions, adjoints = {}, {y: constant(1.0)}
    for z in reversed(inputs_first(y, fed)):
        if not z.inputs or z in fed:
            continue
        for x, contribution in zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs)):
            first, *others = contributions.setdefault(x, []) + [contribution]
            contributions[x].append(contribution)
            adjoints[x] = sum(others, first)
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% takes_the_graph_apart | loses q3: a node that has passed on forgets its inputs. | says: A node
# in the graph of the derivative has too few or too many inputs
# %% q3 after the key
whole = gradients


def gradients(y, xs, fed=()):
    found = whole(y, xs, fed)
    for x in xs:
        if x.op == "mul" and not any(z.inputs for z in x.inputs):
            x.inputs = ()
    return found


# %% times_one_is_left_out | loses q3: a product with a constant 1 or 0 is simplified by its value
# today; it may be fed. | says: The derivative holds the number of a constant, so that a feed does
# not reach it
# %% q3 after the key
def product(a, b):
    for one, other in ((a, b), (b, a)):
        if one.op == "constant" and one.value in (0, 1):
            return other if one.value else constant(0.0)
    return a * b


RULES["mul"] = lambda z, g, a, b: (product(g, b), product(g, a))


# %% too_many_inputs | loses q3: writes each derivative as a sum of three, which the table's add
# cannot be. | says: A node in the graph of the derivative has too few or too many inputs
# %% q3 after the key
of_two = gradients


def gradients(y, xs, fed=()):
    return [Node("add", (one, constant(0.0), constant(0.0))) for one in of_two(y, xs, fed)]


# %% users_searched_again | loses q3: each node searches all nodes for its users: twice the nodes,
# four times the work. | says: For each node it goes through all nodes, or through all contributions
# (rule 4)
# %% q3 after the key
def gradients(y, xs, fed=()):
    order, adjoints = inputs_first(y, fed), {y: constant(1.0)}
    for x in reversed(order[:-1]):
        for z in [z for z in order if x in z.inputs and z not in fed]:
            for source, contribution in zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs)):
                if source is x:
                    adjoints[x] = adjoints[x] + contribution if x in adjoints else contribution
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% value_of_a_constant_is_copied | loses q3: where a factor is a constant, its value today goes
# into the derivative instead of the node; any node may be fed: for y = x * two the derivative by x,
# run with {x: 3.0, two: 5.0}, is 5, and comes as 2; and its own derivative by two is lost. | says:
# The derivative holds the number of a constant, so that a feed does not reach it
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


def inputs_first(y, fed):
    """All nodes that y needs, and y."""
    order, seen, todo = [], set(), [(y, False)]
    while todo:
        node, ready = todo.pop()
        if ready:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            todo.append((node, True))
            todo.extend((x, False) for x in node.inputs if node not in fed)
    return order


def gradients(y, xs, fed=()):
    """A node for each x: the derivative of y by x."""
    adjoints = {y: constant(1.0)}
    for node in reversed(inputs_first(y, fed)):
        if node in fed:
            continue
        for x, contribution in zip(node.inputs, RULES[node.op](node, adjoints[node])):
            adjoints[x] = adjoints[x] + contribution if x in adjoints else contribution
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% zero_times_x | loses q3: the derivative by an x without a way to y is x * 0.0, for which x must
# be fed. | says: An x that y does not depend on has constant(0.0), whatever is fed
# %% q3 after the key
def gradients(y, xs, fed=(), gradients=gradients):
    reached = set(inputs_first(y, fed))
    return [one if x in reached else x * 0.0 for x, one in zip(xs, gradients(y, xs, fed))]


# %% constants_keep_the_last_use | loses q3: the contributions of several uses add up only where x
# is a placeholder or an op; of a constant the last one stays. | says: The contributions of all uses
# of a constant are not added up
# %% q3 after the key
def gradients(y, xs, fed=()):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y, fed)):
        if not z.inputs or z in fed:
            continue
        for x, part in zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs)):
            known = x in adjoints and x.op != "constant"
            adjoints[x] = adjoints[x] + part if known else part
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% recursive_order | loses q3: the order is found by recursion, which a long chain is too deep
# for. | says: gradients calls itself for each node, so that a long chain is too deep (rule 4)
# %% q3 after the key
def inputs_first(y, leaves):
    listed = {}

    def visit(node):
        if node not in listed:
            for x in node.inputs if node not in leaves else ():
                visit(x)
            listed[node] = True

    visit(y)
    return list(listed)


# %% recursive_order_with_a_higher_limit | loses q3: recursion, with a limit that is raised and put
# back. | says: gradients calls itself for each node, so that a long chain is too deep (rule 4)
# %% q3 after the key
import sys


def inputs_first(y, leaves):
    listed, old = {}, sys.getrecursionlimit()

    def visit(node):
        if node not in listed:
            for x in node.inputs if node not in leaves else ():
                visit(x)
            listed[node] = True

    sys.setrecursionlimit(10**6)
    visit(y)
    sys.setrecursionlimit(old)
    return list(listed)


# %% fed_is_ignored | loses q3: the third argument is taken and not used. | says: A fed node passes
# its adjoint on to its inputs
# %% q3 after the key
def gradients(y, xs, fed=(), gradients=gradients):
    return gradients(y, xs)


# %% fed_has_no_derivative | loses q3: a fed node is left out altogether, also among the xs. | says:
# A fed node among the xs has the derivative 0, although y depends on it
# %% q3 after the key
def gradients(y, xs, fed=(), gradients=gradients):
    found = gradients(y, xs, fed)
    return [constant(0.0) if x in fed else one for x, one in zip(xs, found)]


# %% adjoint_left_out | loses q3: the rule of sin returns cos(a), without the adjoint. | says: The
# rule of sin does not multiply by the adjoint of the node
# %% q3 after the key
RULES["sin"] = lambda z, g, a: (cos(a),)


# %% numbers_of_a_run | loses q3: derivatives are numbers, as in a dynamic engine. | says: It
# returns numbers
# %% q3 after the key
def gradients(y, xs, fed=(), gradients=gradients):
    return [1.0 for x in xs]


# %% one_contribution_for_each_input | loses q3: the contributions of a node lie in a dict by input.
# | says: The contributions of all uses of a placeholder are not added up
# %% q3 after the key
def gradients(y, xs, fed=()):
    adjoints = {y: constant(1.0)}
    for z in reversed(inputs_first(y, set(fed))):
        if not z.inputs or z in fed:
            continue
        parts = dict(zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs)))
        for x, part in parts.items():
            adjoints[x] = adjoints[x] + part if x in adjoints else part
    return [adjoints.get(x, constant(0.0)) for x in xs]


# %% first_popped_first | loses q3: a node passes on when it is first taken from a stack. | says: A
# node passes its adjoint on before all its users have contributed to it
# %% q3 after the key
def gradients(y, xs, fed=()):
    adjoints, seen, stack = {y: constant(1.0)}, set(), [y]
    while stack:
        z = stack.pop()
        if z in seen or not z.inputs or z in fed:
            continue
        seen.add(z)
        for x, part in zip(z.inputs, RULES[z.op](z, adjoints[z], *z.inputs)):
            adjoints[x] = adjoints[x] + part if x in adjoints else part
            stack.append(x)
    return [adjoints.get(x, constant(0.0)) for x in xs]


# %% stops_at_the_xs | loses q3: each x counts as a leaf, so that an x below another one misses
# contributions. | says: backward pass stops at an x
# %% q3 after the key
def gradients(y, xs, fed=(), gradients=gradients):
    return gradients(y, xs, [*fed, *xs])


# %% a_factor_one_is_passed_by | loses q3: a constant 1 of y is left out of a product, although a
# run may feed it. | says: The derivative holds the number of a constant
# %% q3 after the key
def gradients(y, xs, fed=()):
    def times(a, b):
        one = [x.op == "constant" and x.value == 1 for x in (a, b)]
        return b if one[0] else a if one[1] else a * b

    order, seen, waiting = [], set(), [(y, False)]
    while waiting:
        node, listed = waiting.pop()
        if listed:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            waiting.append((node, True))
            waiting += [(x, False) for x in node.inputs if node not in fed]
    adjoints = {y: constant(1.0)}
    rules = {
        "add": lambda z, g, a, b: (g, g), "sub": lambda z, g, a, b: (g, -g),
        "mul": lambda z, g, a, b: (times(g, b), times(g, a)),
        "div": lambda z, g, a, b: (g / b, -(g * z) / b), "neg": lambda z, g, a: (-g,),
        "exp": lambda z, g, a: (g * z,), "log": lambda z, g, a: (g / a,),
        "sin": lambda z, g, a: (g * cos(a),), "cos": lambda z, g, a: (-g * sin(a),),
    }
    for node in reversed(order):
        if node.inputs and node not in fed:
            for x, new in zip(node.inputs, rules[node.op](node, adjoints[node], *node.inputs)):
                adjoints[x] = adjoints[x] + new if x in adjoints else new
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% users_counted_uses_struck_off | loses q3: each user is counted once, each use is struck off:
# in sin(u) + u * u the node u passes its adjoint on before sin(u) has contributed.
# | says: A node passes its adjoint on before all its users have contributed to it
# %% q3 after the key
OWN_RULES = {
    "add": lambda z, g, a, b: (g, g), "sub": lambda z, g, a, b: (g, -g),
    "mul": lambda z, g, a, b: (g * b, g * a), "div": lambda z, g, a, b: (g / b, -(g * z) / b),
    "neg": lambda z, g, a: (-g,), "exp": lambda z, g, a: (g * z,), "log": lambda z, g, a: (g / a,),
    "sin": lambda z, g, a: (g * cos(a),), "cos": lambda z, g, a: (-g * sin(a),),
}


def gradients(y, xs, fed=()):
    fed, left, todo = set(fed), {y: 0}, [y]
    for node in todo:
        for x in dict.fromkeys(() if node in fed else node.inputs):
            if x not in left:
                todo.append(x)
            left[x] = left.get(x, 0) + 1
    adjoints, ready = {y: constant(1.0)}, [y]
    while ready:
        node = ready.pop()
        if node.inputs and node not in fed:
            for x, new in zip(node.inputs, OWN_RULES[node.op](node, adjoints[node], *node.inputs)):
                adjoints[x] = adjoints[x] + new if x in adjoints else new
                left[x] -= 1
                if left[x] == 0:
                    ready.append(x)
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% waits_for_the_fed | loses q3: the uses by fed nodes are counted, though a fed node passes
# nothing on: with u = w * w fed, w waits for ever. | says: so its inputs must not wait for it
# %% q3 after the key
OWN_RULES = {
    "add": lambda z, g, a, b: (g, g), "sub": lambda z, g, a, b: (g, -g),
    "mul": lambda z, g, a, b: (g * b, g * a), "div": lambda z, g, a, b: (g / b, -(g * z) / b),
    "neg": lambda z, g, a: (-g,), "exp": lambda z, g, a: (g * z,), "log": lambda z, g, a: (g / a,),
    "sin": lambda z, g, a: (g * cos(a),), "cos": lambda z, g, a: (-g * sin(a),),
}


def gradients(y, xs, fed=()):
    fed, left, todo = set(fed), {y: 0}, [y]
    for node in todo:
        for x in node.inputs:
            if x not in left:
                todo.append(x)
            left[x] = left.get(x, 0) + 1
    adjoints, ready = {y: constant(1.0)}, [y]
    while ready:
        node = ready.pop()
        if node.inputs and node not in fed:
            for x, new in zip(node.inputs, OWN_RULES[node.op](node, adjoints[node], *node.inputs)):
                adjoints[x] = adjoints[x] + new if x in adjoints else new
                left[x] -= 1
                if left[x] == 0:
                    ready.append(x)
    return [adjoints[x] if x in adjoints else constant(0.0) for x in xs]


# %% fed_nodes_remembered | loses q3: the nodes that were fed in an earlier call still count as fed.
# | says: What an earlier call was told to be fed still counts as fed (rule 6)
# %% q3 after the key
FED_SO_FAR = []


def gradients(y, xs, fed=FED_SO_FAR, gradients=gradients):
    FED_SO_FAR.extend(x for x in fed if x not in FED_SO_FAR)
    return gradients(y, xs, list(FED_SO_FAR))
