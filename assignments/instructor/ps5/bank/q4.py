"""Wrong answers to q4 of ps5."""


# %% again_while_it_shrinks | loses q4: a rule that saves no node makes room for one that does.
# | says: A rule fits what another rule has made
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        return (node.op == "constant" and node not in unknown
                and struct.pack("d", node.value) == struct.pack("d", value))

    def minus(node):
        return node.inputs[0] if node.op == "neg" and node not in unknown else None

    def rule(node):
        if node.op == "neg" and minus(node.inputs[0]) is not None:
            return minus(node.inputs[0])
        if len(node.inputs) != 2:
            return node
        a, b = node.inputs
        if node.op == "add" and minus(b) is not None:
            return a - minus(b)
        if node.op == "add" and minus(a) is not None:
            return b - minus(a)
        if node.op == "sub" and minus(b) is not None:
            return a + minus(b)
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return node

    while True:
        new = rebuild(fetches, rule, unknown)
        if len(nodes_of(new)) >= len(nodes_of(fetches)):
            return new
        fetches = new


# %% divided_by_itself | loses q4: 0.0 / 0.0 has no number.
# | says: The rule x / x → 1.0 is used
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        if node.op == "div" and a is b:
            return constant(1.0)
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% log_of_exp | loses q4: exp overflows and rounds.
# | says: The rule log(exp x) → x is used
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        if node.op == "log" and a.op == "exp" and a not in unknown:
            return a.inputs[0]
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% looks_again_at_the_fed | loses q4: a rule leads to a fed node, and the next one through it.
# | says: A rule leads to a fed node
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        return (node.op == "constant" and node not in unknown
                and struct.pack("d", node.value) == struct.pack("d", value))

    def minus(node):
        return node.inputs[0] if node.op == "neg" and node not in unknown else None

    def rule(node):
        if node.op == "neg" and minus(node.inputs[0]) is not None:
            return minus(node.inputs[0])
        if len(node.inputs) != 2:
            return node
        a, b = node.inputs
        if node.op == "add" and minus(b) is not None:
            return a - minus(b)
        if node.op == "add" and minus(a) is not None:
            return b - minus(a)
        if node.op == "sub" and minus(b) is not None:
            return a + minus(b)
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return node

    def change(node):
        while True:
            new = rule(node)
            if new is node:
                return node
            node = new

    return rebuild(fetches, change, unknown)


# %% looks_into_fed_minuses | loses q4: a fed minus is taken for a minus.
# | says: A rule looks into a minus that is fed
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg"

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% minus_first | loses q4: (-b) + a is left as it is.
# | says: is not used with its operands exchanged
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% minus_itself | loses q4: inf - inf is NaN.
# | says: The rule x - x → 0.0 is used
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        if node.op == "sub" and a is b:
            return constant(0.0)
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% not_turned | loses q4: 1.0 x is left as it is.
# | says: is not used with its operands exchanged
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% one_minus_too_many | loses q4: a - (-b) becomes a - b.
# | says: The rule a - (-b) → a + b is not applied as it stands
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% one_over_x | loses q4: 1.0 / x is not x.
# | says: It simplifies 1.0 / x
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        if node.op == "div" and is_number(a, 1.0):
            return b
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% one_rule_a_node | loses q4: what a rule has made is not looked at again.
# | says: A rule fits what another rule has made
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return None

    def change(node):
        made = node
        if (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% plus_zero | loses q4: x + 0.0 is 0.0 for x = -0.0.
# | says: The rule x + 0.0 → x is used
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        if node.op == "add" and is_number(b, 0.0):
            return a
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% shared_is_visited_twice | loses q4: a node with two users is rebuilt for each of them.
# | says: has a cycle, or very many nodes
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        return (node.op == "constant" and node not in unknown
                and struct.pack("d", node.value) == struct.pack("d", value))

    def minus(node):
        return node.inputs[0] if node.op == "neg" and node not in unknown else None

    def rule(node):
        if node.op == "neg" and minus(node.inputs[0]) is not None:
            return minus(node.inputs[0])
        if len(node.inputs) != 2:
            return node
        a, b = node.inputs
        if node.op == "add" and minus(b) is not None:
            return a - minus(b)
        if node.op == "add" and minus(a) is not None:
            return b - minus(a)
        if node.op == "sub" and minus(b) is not None:
            return a + minus(b)
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return node

    def change(node):
        while node not in unknown and rule(node) is not node:
            node = rule(node)
        return node

    def visit(node):
        if node in unknown or not node.inputs:
            return node
        inputs = tuple(visit(x) for x in node.inputs)
        if all(a is b for a, b in zip(inputs, node.inputs)):
            return change(node)
        return change(Node(node.op, inputs, node.value, node.name))

    return [visit(node) for node in fetches]


# %% the_other_zero | loses q4: == says that -0.0 is 0.0, but x - (-0.0) is not x.
# | says: A rule for 0.0 is used for -0.0
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and node.value == value

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% there_and_back | loses q4: (x + y) - y is rounded on the way.
# | says: by a rule that is not in the table
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        if node.op == "sub" and a.op == "add" and a not in unknown and a.inputs[1] is b:
            return a.inputs[0]
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% times_zero | loses q4: 0.0 times NaN is NaN.
# | says: The rule x · 0.0 → 0.0 is used
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        if node.op == "mul" and (is_number(a, 0.0) or is_number(b, 0.0)):
            return constant(0.0)
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% trusts_fed_ones | loses q4: a fed 1.0 has another number.
# | says: A rule uses the value of a constant that is fed
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant"
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% turned_difference | loses q4: -(a - b) is -0.0 where b - a is 0.0.
# | says: by a rule that is not in the table
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        return (node.op == "constant" and node not in unknown
                and struct.pack("d", node.value) == struct.pack("d", value))

    def minus(node):
        return node.inputs[0] if node.op == "neg" and node not in unknown else None

    def rule(node):
        if node.op == "neg" and minus(node.inputs[0]) is not None:
            return minus(node.inputs[0])
        if node.op == "neg" and node.inputs[0].op == "sub" and node.inputs[0] not in unknown:
            a, b = node.inputs[0].inputs
            return b - a
        if len(node.inputs) != 2:
            return node
        a, b = node.inputs
        if node.op == "add" and minus(b) is not None:
            return a - minus(b)
        if node.op == "add" and minus(a) is not None:
            return b - minus(a)
        if node.op == "sub" and minus(b) is not None:
            return a + minus(b)
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return node

    def change(node):
        while node not in unknown and rule(node) is not node:
            node = rule(node)
        return node

    return rebuild(fetches, change, unknown)


# %% turned_too_far | loses q4: (-a) - b is not b - a.
# | says: It simplifies (-y) - x
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op in ("add", "sub") and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% zero_minus | loses q4: 0.0 - 0.0 is not -0.0.
# | says: The rule 0.0 - x → -x is used
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    unknown = set(fed)

    def is_number(node, value):
        known = node.op == "constant" and node not in unknown
        return known and struct.pack("d", node.value) == struct.pack("d", value)

    def is_minus(node):
        return node.op == "neg" and node not in unknown

    def better(node):
        a, b = (*node.inputs, None, None)[:2]
        if node.op == "neg" and is_minus(a):
            return a.inputs[0]
        if node.op == "add" and is_minus(b):
            return Node("sub", (a, b.inputs[0]))
        if node.op == "add" and is_minus(a):
            return Node("sub", (b, a.inputs[0]))
        if node.op == "sub" and is_minus(b):
            return Node("add", (a, b.inputs[0]))
        if node.op == "sub" and is_number(b, 0.0):
            return a
        if node.op in ("mul", "div") and is_number(b, 1.0):
            return a
        if node.op == "mul" and is_number(a, 1.0):
            return b
        if node.op == "sub" and is_number(a, 0.0):
            return -b
        return None

    def change(node):
        made = node
        while made not in unknown and (next_one := better(made)) is not None:
            made = next_one
        return made

    return rebuild(fetches, change, fed)


# %% minus_b_plus_a | loses q4: (-b) + a becomes b - a.
# | says: are exchanged on one side only
def simplify(fetches, fed=()):
    fed = set(fed)

    def neg(x):
        return x.op == "neg" and x not in fed

    def const(x, text):
        return x.op == "constant" and x not in fed and repr(x.value) == text

    def step(n):
        if n.op == "neg" and neg(n.inputs[0]):
            return n.inputs[0].inputs[0]
        if len(n.inputs) < 2:
            return n
        a, b = n.inputs
        if n.op == "add" and neg(b):
            return a - b.inputs[0]
        if n.op == "add" and neg(a):
            return a.inputs[0] - b
        if n.op == "sub" and neg(b):
            return a + b.inputs[0]
        if n.op == "sub" and const(b, "0.0") or n.op in ("mul", "div") and const(b, "1.0"):
            return a
        if n.op == "mul" and const(a, "1.0"):
            return b
        return n

    def change(node):
        while node not in fed:
            new = step(node)
            if new is node:
                break
            node = new
        return node

    return rebuild(fetches, change, fed)


# %% plus_minus_zero | loses q4: x + (-0.0) is x, which is safe, but not in the table.
# | says: It uses a rule that is not in the table
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    fed = set(fed)

    def neg(x):
        return x.op == "neg" and x not in fed

    def const(x, text):
        return x.op == "constant" and x not in fed and repr(x.value) == text

    def step(n):
        if n.op == "neg" and neg(n.inputs[0]):
            return n.inputs[0].inputs[0]
        if len(n.inputs) < 2:
            return n
        a, b = n.inputs
        if n.op == "add" and const(b, "-0.0"):
            return a
        if n.op == "add" and neg(b):
            return a - b.inputs[0]
        if n.op == "add" and neg(a):
            return b - a.inputs[0]
        if n.op == "sub" and neg(b):
            return a + b.inputs[0]
        if n.op == "sub" and const(b, "0.0") or n.op in ("mul", "div") and const(b, "1.0"):
            return a
        if n.op == "mul" and const(a, "1.0"):
            return b
        return n

    def change(node):
        while node not in fed:
            new = step(node)
            if new is node:
                break
            node = new
        return node

    return rebuild(fetches, change, fed)


# %% two_minuses_cancel | loses q4: (-x)(-y) is x y, which is safe, but not in the table.
# | says: It uses a rule that is not in the table
def simplify(fetches, fed=()):
    """Apply the six safe rules until none fits."""
    fed = set(fed)

    def neg(x):
        return x.op == "neg" and x not in fed

    def const(x, text):
        return x.op == "constant" and x not in fed and repr(x.value) == text

    def step(n):
        if n.op == "neg" and neg(n.inputs[0]):
            return n.inputs[0].inputs[0]
        if len(n.inputs) < 2:
            return n
        a, b = n.inputs
        if n.op in ("mul", "div") and neg(a) and neg(b):
            return Node(n.op, (a.inputs[0], b.inputs[0]))
        if n.op == "add" and neg(b):
            return a - b.inputs[0]
        if n.op == "add" and neg(a):
            return b - a.inputs[0]
        if n.op == "sub" and neg(b):
            return a + b.inputs[0]
        if n.op == "sub" and const(b, "0.0") or n.op in ("mul", "div") and const(b, "1.0"):
            return a
        if n.op == "mul" and const(a, "1.0"):
            return b
        return n

    def change(node):
        while node not in fed:
            new = step(node)
            if new is node:
                break
            node = new
        return node

    return rebuild(fetches, change, fed)
