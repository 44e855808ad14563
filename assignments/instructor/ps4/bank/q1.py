"""Wrong answers to q1 of ps4."""


# %% at_most_two | loses q1: apply takes one operand or two; apply("sum", x, y, 3) is refused.
# %% q1 after the key
def apply(op, a, b=None):
    operands = (a,) if b is None else (a, b)
    return Node(op, [x if isinstance(x, Node) else constant(x) for x in operands])


# %% computes_while_building | loses q1: works out what is constant at once, where log(0) goes
# wrong.
# %% q1 after the key
def apply(op, *operands):
    nodes = [x if isinstance(x, Node) else constant(x) for x in operands]
    if all(x.op == "constant" for x in nodes):
        return constant(COMPUTE[op](*(x.value for x in nodes)))
    return Node(op, nodes)


# %% constants_kept | loses q1: a constant of a value that was there before is the same node again.
# %% q1 after the key
CONSTANTS = {}


def constant(value):
    return CONSTANTS.setdefault(value, Node("constant", value=value))


# %% floats_only | loses q1: a constant keeps float(value): 2**60 + 1 becomes another number,
# 10**400 an error.
# %% q1 after the key
def constant(value):
    return Node("constant", value=float(value))


# %% folds_constants | loses q1: arithmetic on two constants is done at once: constant(2.0) +
# constant(3.0) is a constant, not a node with the op "add".
# %% q1 after the key
FOLD = {"add": float.__add__, "sub": float.__sub__, "mul": float.__mul__}
wait = apply


def apply(op, *operands):
    node = wait(op, *operands)
    if op in FOLD and all(x.op == "constant" for x in node.inputs):
        return constant(FOLD[op](*(float(x.value) for x in node.inputs)))
    return node


# %% functions_of_nodes_alone | loses q1: of the functions only exp makes a node of a plain number;
# sin(3) has the input 3.
# %% q1 after the key
def log(x):
    return Node("log", (x,))


def sin(x):
    return Node("sin", (x,))


def cos(x):
    return Node("cos", (x,))


# %% names_told_apart | loses q1: a second placeholder("x") gets the name x_1, so that neither its
# name nor its KeyError says what was asked.
# %% q1 after the key
TAKEN = {}


def placeholder(name):
    TAKEN[name] = TAKEN.get(name, -1) + 1
    return Node("placeholder", name=f"{name}_{TAKEN[name]}" if TAKEN[name] else name)


# %% number_always_second | loses q1: puts a plain number behind the node: 1 - x is x - 1.
# %% q1 after the key
def apply(op, *operands):
    operands = sorted(operands, key=lambda x: not isinstance(x, Node))
    return Node(op, [x if isinstance(x, Node) else constant(x) for x in operands])


# %% number_stays_a_number | loses q1: a plain number is kept as it is, and is no node.
# %% q1 after the key
def apply(op, *operands):
    return Node(op, operands)


# %% one_node_for_each_name | loses q1: gives the same placeholder twice: a table of names outlives
# the graph.
# %% q1 after the key
named = {}


def placeholder(name):
    return named.setdefault(name, Node("placeholder", name=name))


# %% only_floats_become_constants | loses q1: a whole number stays a number.
# %% q1 after the key
def apply(op, *operands):
    return Node(op, [constant(x) if isinstance(x, float) else x for x in operands])


# %% ops_have_names | loses q1: every op gets a name, as add_3; names are for placeholders.
# %% q1 after the key
MADE = []


def apply(op, *operands, apply=apply):
    MADE.append(op)
    z = apply(op, *operands)
    z.name = f"{op}_{len(MADE)}"
    return z


# %% ops_hold_results | loses q1: an op of constants holds its result already, in `value`.
# %% q1 after the key
import operator

AT_ONCE = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg}


def apply(op, *operands):
    nodes = [x if isinstance(x, Node) else constant(x) for x in operands]
    known = op in AT_ONCE and all(node.value is not None for node in nodes)
    return Node(op, nodes, value=AT_ONCE[op](*(x.value for x in nodes)) if known else None)


# %% sorted_operands | loses q1: operands of add and mul are sorted by their names: y + x is x + y.
# %% q1 after the key
def apply(op, *operands, apply=apply):
    if op in ("add", "mul") and all(getattr(x, "name", None) for x in operands):
        operands = sorted(operands, key=lambda x: x.name)
    return apply(op, *operands)


# %% the_same_sum_once | loses q1: an operation that was written before is the same node again.
# %% q1 after the key
made, KNOWN = apply, {}


def apply(op, *operands):
    return KNOWN.setdefault((op, *operands), made(op, *operands))


# %% tidy_names | loses q1: names are tidied: " Speed " becomes "speed", and "" becomes "unnamed".
# %% q1 after the key
def placeholder(name):
    return Node("placeholder", name=name.strip().lower() or "unnamed")


# %% times_one_is_no_node | loses q1: x * 1.0 and x + 0 give back x, which is no new node.
# %% q1 after the key
made = apply


def apply(op, *operands):
    if op == "mul" and operands[1:] == (1.0,):
        return operands[0]
    if op == "add" and operands[1:] == (0,):
        return operands[0]
    return made(op, *operands)


# %% zero_is_no_operand | loses q1: a 0 among the operands is left out.
# %% q1 after the key
made = apply


def apply(op, *operands):
    return made(op, *(x for x in operands if isinstance(x, Node) or x))
