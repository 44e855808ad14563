"""Wrong answers to q2 of ps5."""


# %% a_power_of_e | loses q2: e ** x has other last bits than exp(x).
# | says: The last bits of a folded constant differ
RESULT = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "exp": lambda a: math.e ** a,
    "log": lambda a: math.log(a),
}


def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if node.op not in RESULT:
            return node
        if any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(RESULT[node.op](*(x.value for x in node.inputs)))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, unknown)


# %% constants_collected_along_a_sum | loses q2: (x + 1) + 1 becomes x + 2, which at x = 1e16 has
# other bits.
# | says: It adds up the constants of two additions
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def known(x):
        return x.op == "constant" and x not in unknown

    def change(node):
        if node.op in ("add", "mul") and known(node.inputs[1]):
            inner, last = node.inputs
            if inner.op == node.op and inner not in unknown and known(inner.inputs[1]):
                together = COMPUTE[node.op](inner.inputs[1].value, last.value)
                return Node(node.op, (inner.inputs[0], constant(together)))
        if node.inputs and all(known(x) for x in node.inputs):
            try:
                return constant(COMPUTE[node.op](*(x.value for x in node.inputs)))
            except (ArithmeticError, ValueError):
                pass
        return node

    return rebuild(fetches, change, fed)


# %% draws_once | loses q2: a random number is drawn by the pass.
# | says: It gives a random node
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if node.op == "random":
            return constant(0.5)
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)


# %% errors_become_nan | loses q2: what raises becomes NaN.
# | says: It replaces an op that raises an error by a number
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return constant(math.nan)

    return rebuild(fetches, change, fed)


# %% fed_by_its_value | loses q2: a constant with the number of a fed one counts as fed.
# | says: It treats a constant as fed because one
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = {x.value for x in fed if x.op == "constant"}

    def change(node):
        if not node.inputs:
            return node
        for x in node.inputs:
            if x.op != "constant" or x.value in unknown or x in fed:
                return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)


# %% fed_ops_are_copied | loses q2: the operands of a fed op are folded, and a copy replaces it.
# | says: It computes an op that is fed
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if node in unknown:
            return node
        known = all(x.op == "constant" and x not in unknown for x in node.inputs)
        if not node.inputs or not known:
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change)


# %% fed_results_are_folded | loses q2: a fed op is computed.
# | says: It computes an op that is fed
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change)


# %% folded_in_another_call | loses q2: an op that an earlier call has folded stays folded, whatever
# is fed now.
# | says: It remembers what an earlier call has folded
def fold(fetches, fed=(), known={}):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if node in known:
            return known[node]
        sure = all(x.op == "constant" and x not in unknown for x in node.inputs)
        if not node.inputs or not sure:
            return node
        try:
            return known.setdefault(node, constant(compute(node, [x.value for x in node.inputs])))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, unknown)


# %% folds_by_recursion_above_the_limit | loses q2: a call for each node, inside that of its user,
# with a higher limit. | says: It calls itself for each node, so that a long chain is too deep
import sys

sys.setrecursionlimit(10**6)


def fold(fetches, fed=()):
    """Compute every op whose operands are constants."""
    new = {node: node for node in fed}

    def fold_node(node):
        if node not in new:
            inputs = [fold_node(x) for x in node.inputs]
            new[node] = node
            if any(a is not b for a, b in zip(inputs, node.inputs)):
                new[node] = Node(node.op, tuple(inputs), node.value, node.name)
            known = [x.value for x in inputs if x.op == "constant" and x not in fed]
            if node.inputs and len(known) == len(inputs):
                try:
                    new[node] = Node("constant", value=COMPUTE[node.op](*known))
                except (ArithmeticError, ValueError):
                    pass
        return new[node]

    return [fold_node(node) for node in fetches]


# %% folds_in_place | loses q2: the old node itself becomes the constant.
# | says: It changes a node that it was given
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            node.value = compute(node, [x.value for x in node.inputs])
            node.op, node.inputs = "constant", ()
            return node
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)


# %% folds_what_has_no_operands | loses q2: all() of nothing is true, so placeholders and random
# nodes fold.
# | says: It computes a node without operands
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if node.op == "constant" or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)


# %% forgets_that_zero_is_a_number | loses q2: a result of 0.0 counts as no result.
# | says: It does not fold an op whose result is a zero
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            value = compute(node, [x.value for x in node.inputs])
            return constant(value) if value else node
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)


# %% knows_fed_constants | loses q2: a fed constant keeps its old number.
# | says: It uses the value of a constant that is fed
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)


# %% nan_is_not_a_number | loses q2: NaN is a result like any other.
# | says: It does not fold an op whose result is NaN
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            value = compute(node, [x.value for x in node.inputs])
            return constant(value) if value == value else node
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)


# %% new_constants_for_old | loses q2: a constant is copied, although nothing was to be done.
# | says: Where it has nothing to do, it does not return the node
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        known = all(x.op == "constant" and x not in unknown for x in node.inputs)
        if node.op == "constant":
            return constant(node.value)
        if not node.inputs or not known:
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, unknown)


# %% one_constant_is_enough | loses q2: one constant operand does not decide.
# | says: or an op with an unknown operand
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or all(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)


# %% one_error_ends_all | loses q2: nothing is folded beside an op that raises an error.
# | says: It does not fold other ops, because
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if node.inputs and all(x.op == "constant" and x not in unknown for x in node.inputs):
            return constant(compute(node, [x.value for x in node.inputs]))
        return node

    try:
        return rebuild(fetches, change, unknown)
    except (ArithmeticError, ValueError):
        return list(fetches)


# %% only_arithmetic_errors | loses q2: the logarithm raises a ValueError.
# | says: The pass itself raises the error of this log
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except ArithmeticError:
            return node

    return rebuild(fetches, change, fed)


# %% raises_too_early | loses q2: the pass raises the error that only the run should raise.
# | says: The pass itself raises the error of this div
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        return constant(compute(node, [x.value for x in node.inputs]))

    return rebuild(fetches, change, fed)


# %% the_lowest_floor_only | loses q2: an op that uses a folded op does not fold.
# | says: An op that uses a folded op is not folded in turn
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    known = {n for n in nodes_of(fetches) if n.op == "constant"}
    lowest = change

    def change(node):
        return lowest(node) if all(x in known for x in node.inputs) else node

    return rebuild(fetches, change, fed)


# %% zero_times_anything | loses q2: 0 · x is folded, but x may be NaN.
# | says: It folds an op although only one operand is a constant
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        known = [x.value for x in node.inputs if x.op == "constant" and x not in unknown]
        if node.op == "mul" and 0.0 in known:
            return constant(0.0)
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)


# %% zeros_share_a_result | loses q2: the results of 0.0 and -0.0 are kept under one key.
# | says: It uses the result of one zero for the other
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown, results = set(fed), {}

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        numbers = tuple(x.value for x in node.inputs)
        key = (node.op, numbers)
        if key not in results:
            try:
                results[key] = constant(compute(node, numbers))
            except (ArithmeticError, ValueError):
                return node
        return results[key]

    return rebuild(fetches, change, unknown)


# %% rounded | loses q2: 0.0 is added to every result, so that -0.0 becomes 0.0.
# | says: A zero has the wrong sign
def fold(fetches, fed=()):
    """Replace each op of constants by a constant."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]) + 0.0)
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)


# %% five_rounds | loses q2: one floor for each of five rounds.
# | says: is not folded to the end
def fold(fetches, fed=()):
    def change(node):
        if node.inputs and all(x in known for x in node.inputs):
            try:
                return constant(compute(node, [x.value for x in node.inputs]))
            except (ArithmeticError, ValueError):
                pass
        return node

    for _ in range(5):
        known = {n for n in nodes_of(fetches) if n.op == "constant" and n not in fed}
        fetches = rebuild(fetches, change, fed)
    return fetches
