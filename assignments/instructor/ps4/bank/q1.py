"""Wrong answers to q1 of ps4."""


# %% at_most_two | loses q1: apply takes one operand or two; apply("sum", x, y, 3) is refused. |
# says: It does not take these operands: apply takes any number of nodes and numbers
# %% q1 after the key
def apply(op, a, b=None):
    operands = (a,) if b is None else (a, b)
    return Node(op, [x if isinstance(x, Node) else constant(x) for x in operands])


# %% computes_while_building | loses q1: works out what is constant at once, where log(0) goes
# wrong. | says: It uses a name that its own cell does not define
# %% q1 after the key
def apply(op, *operands):
    nodes = [x if isinstance(x, Node) else constant(x) for x in operands]
    if all(x.op == "constant" for x in nodes):
        return constant(COMPUTE[op](*(x.value for x in nodes)))
    return Node(op, nodes)


# %% constants_kept | loses q1: a constant of a value that was there before is the same node again.
# | says: It gives a node that exists
# %% q1 after the key
CONSTANTS = {}


def constant(value):
    return CONSTANTS.setdefault(value, Node("constant", value=value))


# %% folds_constants | loses q1: arithmetic on two constants is done at once: constant(2.0) +
# constant(3.0) is a constant, not a node with the op "add". | says: It computes while the graph is
# built
# %% q1 after the key
FOLD = {"add": float.__add__, "sub": float.__sub__, "mul": float.__mul__}
wait = apply


def apply(op, *operands):
    node = wait(op, *operands)
    if op in FOLD and all(x.op == "constant" for x in node.inputs):
        return constant(FOLD[op](*(float(x.value) for x in node.inputs)))
    return node


# %% functions_of_nodes_alone | loses q1: of the functions only exp makes a node of a plain number;
# sin(3) has the input 3. | says: A number among the operands does not become a constant
# %% q1 after the key
def log(x):
    return Node("log", (x,))


def sin(x):
    return Node("sin", (x,))


def cos(x):
    return Node("cos", (x,))


# %% names_told_apart | loses q1: a second placeholder("x") gets the name x_1, so that neither its
# name nor its KeyError says what was asked. | says: The second placeholder of a name has another
# name
# %% q1 after the key
TAKEN = {}


def placeholder(name):
    TAKEN[name] = TAKEN.get(name, -1) + 1
    return Node("placeholder", name=f"{name}_{TAKEN[name]}" if TAKEN[name] else name)


# %% number_always_second | loses q1: puts a plain number behind the node: 1 - x is x - 1. | says:
# The operands change places
# %% q1 after the key
def apply(op, *operands):
    operands = sorted(operands, key=lambda x: not isinstance(x, Node))
    return Node(op, [x if isinstance(x, Node) else constant(x) for x in operands])


# %% number_stays_a_number | loses q1: a plain number is kept as it is, and is no node. | says: A
# number among the operands does not become a constant
# %% q1 after the key
def apply(op, *operands):
    return Node(op, operands)


# %% one_node_for_each_name | loses q1: gives the same placeholder twice: a table of names outlives
# the graph. | says: It gives a node that exists
# %% q1 after the key
named = {}


def placeholder(name):
    return named.setdefault(name, Node("placeholder", name=name))


# %% only_floats_become_constants | loses q1: a whole number stays a number. | says: A number among
# the operands does not become a constant
# %% q1 after the key
def apply(op, *operands):
    return Node(op, [constant(x) if isinstance(x, float) else x for x in operands])


# %% ops_have_names | loses q1: every op gets a name, as add_3; names are for placeholders. | says:
# An op has a value or a name
# %% q1 after the key
MADE = []


def apply(op, *operands, apply=apply):
    MADE.append(op)
    z = apply(op, *operands)
    z.name = f"{op}_{len(MADE)}"
    return z


# %% ops_hold_results | loses q1: an op of constants holds its result already, in `value`. | says:
# An op has a value or a name
# %% q1 after the key
import operator

AT_ONCE = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg}


def apply(op, *operands):
    nodes = [x if isinstance(x, Node) else constant(x) for x in operands]
    known = op in AT_ONCE and all(node.value is not None for node in nodes)
    return Node(op, nodes, value=AT_ONCE[op](*(x.value for x in nodes)) if known else None)


# %% sorted_operands | loses q1: operands of add and mul are sorted by their names: y + x is x + y.
# | says: The operands change places
# %% q1 after the key
def apply(op, *operands, apply=apply):
    if op in ("add", "mul") and all(getattr(x, "name", None) for x in operands):
        operands = sorted(operands, key=lambda x: x.name)
    return apply(op, *operands)


# %% the_same_sum_once | loses q1: an operation that was written before is the same node again. |
# says: It gives a node that exists
# %% q1 after the key
made, KNOWN = apply, {}


def apply(op, *operands):
    return KNOWN.setdefault((op, *operands), made(op, *operands))


# %% times_one_is_no_node | loses q1: x * 1.0 and x + 0 give back x, which is no new node. | says:
# It gives a node that exists
# %% q1 after the key
made = apply


def apply(op, *operands):
    if op == "mul" and operands[1:] == (1.0,):
        return operands[0]
    if op == "add" and operands[1:] == (0,):
        return operands[0]
    return made(op, *operands)


# %% zero_is_no_operand | loses q1: a 0 among the operands is left out. | says: An operand is lost
# or added
# %% q1 after the key
made = apply


def apply(op, *operands):
    return made(op, *(x for x in operands if isinstance(x, Node) or x))


# %% exp_of_constant_computed | loses q1: exp, log, sin and cos of a constant are computed at once.
# | says: It computes while the graph is built
# %% q1 after the key
wait = apply


def at_once(name):
    function = getattr(math, name)

    def make(x):
        if isinstance(x, Node) and x.op == "constant" and (name != "log" or x.value > 0):
            return constant(function(x.value))
        return wait(name, x)

    return make


exp, log, sin, cos = map(at_once, ("exp", "log", "sin", "cos"))


# %% double_negation_goes | loses q1: -(-x) is x, and no new node. | says: It gives a node that
# exists
# %% q1 after the key
def apply(op, *operands, apply=apply):
    if op == "neg" and isinstance(operands[0], Node) and operands[0].op == "neg":
        return operands[0].inputs[0]
    return apply(op, *operands)
