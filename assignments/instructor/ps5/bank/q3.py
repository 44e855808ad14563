"""Wrong answers to q3 of ps5."""


# %% a_sum_of_two_is_a_sum | loses q3: x + x and x + y become one, because only one operand is
# compared.
# | says: that have only one operand in common
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = (node.op, min(node.inputs, key=id))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% by_the_text_of_the_formula | loses q3: the text of a formula doubles with every level.
# | says: Each node once, without recursion
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first, names = {}, {}

    def text(node):
        if node in fed or node.op in ("placeholder", "random"):
            return f"{node.op}{id(node)}"
        if node.op == "constant":
            return f"{node.value!r}"
        parts = [text(x) for x in node.inputs]
        return f"{node.op}({', '.join(sorted(parts) if node.op in ('add', 'mul') else parts)})"

    return rebuild(fetches, lambda node: first.setdefault(text(node), node), fed)


# %% close_constants | loses q3: constants that print alike become one.
# | says: It merges a constant with its neighbour
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else f"{node.value:g}"
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% constants_by_hash | loses q3: -1.0 and -2.0 have the same hash.
# | says: It merges -1.0 and -2.0
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            sign = math.copysign(1.0, node.value)
            key = "nan" if math.isnan(node.value) else ("constant", hash(node.value), sign)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% constants_stay | loses q3: constants of the same bits are not merged.
# | says: Two constants of the same number are not merged
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if not node.inputs:
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% every_order_is_one | loses q3: a - b and b - a become one.
# | says: It merges x - y and y - x
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif len(node.inputs) == 2:
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% fed_constants_are_merged | loses q3: a fed constant is the first of its value.
# | says: It merges a node with a twin that is fed
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {struct.pack("d", node.value): node for node in fed if node.op == "constant"}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% keys_left_on_nodes | loses q3: each node of the caller gets an attribute.
# | says: It changes an attribute of a node
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            node.key = node
        elif node.op == "constant":
            node.key = repr(node.value)
        elif node.op in ("add", "mul"):
            node.key = (node.op, frozenset(node.inputs))
        else:
            node.key = (node.op, node.inputs)
        return first.setdefault(node.key, node)

    return rebuild(fetches, change, fed)


# %% merges_with_what_is_fed | loses q3: an op becomes its fed twin.
# | says: It merges a node with a twin that is fed
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def key_of(node):
        if node.op == "constant":
            return "nan" if node.value != node.value else struct.pack("d", node.value)
        if node.op in ("add", "mul"):
            return node.op, frozenset(node.inputs)
        return node.op, node.inputs, node.value

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        return first.setdefault(key_of(node), node)

    for node in fed:
        if node.inputs:
            first[key_of(node)] = node
    return rebuild(fetches, change, fed)


# %% names_are_nodes | loses q3: two placeholders of one name become one.
# | says: because they have one name
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op == "placeholder":
            return first.setdefault(("placeholder", node.name), node)
        if node.op == "random":
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% nan_is_never_found | loses q3: NaN is not equal to NaN.
# | says: Two constants that are both NaN are not merged
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = (node.value, math.copysign(1, node.value), node.value == node.value or node)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% nothing_upon_fed_nodes_is_merged | loses q3: ops that use a fed node are left alone: with f
# fed, -f and -f stay two.
# | says: It does not merge equal ops of one fed node
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first, unknown = {}, set(fed)

    def change(node):
        if node.op == "constant":
            bits = "nan" if math.isnan(node.value) else struct.pack("d", node.value)
            key = ("constant", bits)
        elif not node.inputs or any(x in unknown for x in node.inputs):
            return node
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% one_dice_for_all | loses q3: two random numbers become one.
# | says: It merges two random nodes
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op == "placeholder":
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% only_leaves_twins | loses q3: twins of twins are not found: the inputs before merging are
# compared.
# | says: whose inputs become equal by merging
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first, new = {}, {}
    for node in nodes_of(fetches):
        if node in fed or node.op in ("placeholder", "random"):
            continue
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        new[node] = first.setdefault(key, node)
    old = {node: node for node in nodes_of(fetches)}
    return rebuild(fetches, lambda node: new.get(node, node), fed)


# %% operands_by_their_looks | loses q3: two minuses have no order, so a + b and b + a stay two.
# | says: are not merged where a and b are ops of one kind
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
            return first.setdefault(("constant", key), node)
        inputs = list(node.inputs)
        if node.op in ("add", "mul"):
            inputs.sort(key=lambda x: (x.op, str(x.name), str(x.value)))
        return first.setdefault((node.op, *inputs), node)

    return rebuild(fetches, change, fed)


# %% sums_and_products_in_any_grouping | loses q3: sums and products are compared by all their
# terms, in any grouping: (0.1 + 0.2) + 0.3 and 0.1 + (0.2 + 0.3) differ in the last bit, and come
# as one number.
# | says: that group their operands differently
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    from collections import Counter

    first, terms, fixed = {}, {}, set(fed)

    def key_of(node):
        if node.op == "constant":
            return ("constant", "nan" if math.isnan(node.value) else struct.pack("d", node.value))
        if node.op not in ("add", "mul"):
            return (node.op, node.inputs)
        found = Counter()
        for x in node.inputs:
            within = x.op == node.op and x not in fixed and len(terms.get(x, ())) < 50
            found.update(terms[x] if within else {x: 1})
        terms[node] = found
        return (node.op, frozenset(found.items()))

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        return first.setdefault(key_of(node), node)

    return rebuild(fetches, change, fed)


# %% the_order_matters | loses q3: a + b and b + a stay two.
# | says: x + y and y + x are not merged
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% the_word_is_forgotten | loses q3: x + x and x x have the same inputs.
# | says: It merges two different ops
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = frozenset(node.inputs)
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% twins_of_earlier_calls | loses q3: the twin that it finds is of an earlier call, and fed in
# this one.
# | says: It uses a node that it has kept from an earlier call
def merge(fetches, fed=(), first={}):
    """Keep one of several equal nodes."""

    def key_of(node):
        if node.op == "constant":
            return "constant", repr(node.value)
        if node.op in ("add", "mul"):
            return node.op, frozenset(node.inputs)
        return node.op, node.inputs

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        return first.setdefault(key_of(node), node)

    return rebuild(fetches, change, fed)


# %% zeros_are_equal | loses q3: 0.0 and -0.0 are equal, and become one.
# | says: It merges 0.0 and -0.0
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else node.value
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% nan_by_bits | loses q3: NaN and -NaN have two patterns of bits, and stay two.
# | says: It keeps NaN and -NaN apart
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)


# %% keys_inside_keys | loses q3: a key holds the keys of the inputs, so it doubles on each storey.
# | says: in a key the inputs themselves, not their keys
def merge(fetches, fed=()):
    """Keep one of several equal nodes."""
    first, keys = {}, {node: node for node in fed}

    def change(node):
        if node.op == "constant":
            key = "nan" if math.isnan(node.value) else struct.pack("d", node.value)
        elif not node.inputs:
            key = node
        else:
            parts = [keys[x] for x in node.inputs]
            key = node.op, frozenset(parts) if node.op in ("add", "mul") else tuple(parts)
        node = first.setdefault(key, node)
        keys[node] = key
        return node

    return rebuild(fetches, change, fed)
