"""Right answers to ps4, each of another kind than the key's."""


# %% a_small_class | right: functions made by a function; a class that sums a node's contributions
# in its turn.
# %% q1
def leaf(op, **what):
    return Node(op, (), **what)


def placeholder(name):
    return leaf("placeholder", name=name)


def constant(value):
    return leaf("constant", value=value)


def apply(op, *operands):
    inputs = []
    for x in operands:
        inputs.append(x if type(x) is Node else constant(x))
    return Node(op, tuple(inputs))


def function(name):
    return lambda x: apply(name, x)


exp, log, sin, cos = map(function, ["exp", "log", "sin", "cos"])

# %% q3
class Sweep:
    def __init__(self, y, fed):
        self.bars, self.fed = {y: [constant(1.0)]}, fed
        self.order = self.ordered(y)

    def sources(self, node):
        return () if node in self.fed else node.inputs

    def ordered(self, y):
        order, opened, listed, stack = [], set(), set(), [y]
        while stack:
            node = stack[-1]
            if node not in opened:
                opened.add(node)
                stack += [x for x in self.sources(node) if x not in opened]
                continue
            stack.pop()
            if node not in listed:
                listed.add(node)
                order.append(node)
        return order

    def total(self, node):
        parts = self.bars.get(node) or [constant(0.0)]
        result = parts[0]
        for part in parts[1:]:
            result = result + part
        self.bars[node] = [result]
        return result

    def go(self):
        for z in reversed(self.order):
            g = self.total(z)
            for x, derivative in zip(self.sources(z), self.local(z)):
                self.bars.setdefault(x, []).append(g * derivative)

    def local(self, z):
        a, b = (list(z.inputs) * 2)[:2] if z.inputs else (None, None)
        return {
            "add": lambda: (constant(1.0), constant(1.0)),
            "sub": lambda: (constant(1.0), constant(-1.0)),
            "mul": lambda: (b, a),
            "div": lambda: (1.0 / b, -(a / b) / b),
            "neg": lambda: (constant(-1.0),),
            "exp": lambda: (z,),
            "log": lambda: (1.0 / a,),
            "sin": lambda: (cos(a),),
            "cos": lambda: (-sin(a),),
        }.get(z.op, lambda: ())()


def gradients(y, xs, fed=()):
    sweep = Sweep(y, fed)
    sweep.go()
    return [sweep.total(x) for x in xs]


# %% by_counting | right: run counts, for each needed node, the inputs that are still to come, and
# computes what has none (Kahn); gradients collects lists of contributions and adds each up once.
# %% q2 after the key
from collections import deque


def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    if not isinstance(fetches, list):
        return run([fetches], feeds)[0]
    numbers, lacking, users, todo = {**feeds}, {}, {}, [*fetches]
    ready = deque()
    while todo:
        node = todo.pop()
        if node in numbers or node in lacking:
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        sources = {x for x in node.inputs if x not in feeds}
        lacking[node] = len(sources)
        for x in sources:
            users.setdefault(x, []).append(node)
            todo.append(x)
        if not sources:
            ready.append(node)
    while ready:
        node = ready.popleft()
        if node.op == "constant":
            numbers[node] = node.value
        else:
            numbers[node] = COMPUTE[node.op](*map(numbers.__getitem__, node.inputs))
        for user in users.get(node, ()):
            lacking[user] -= 1
            if not lacking[user]:
                ready.append(user)
    return [numbers[node] for node in fetches]

# %% q3
def _contributions(node, g):
    """What a node passes on to its inputs, as nodes."""
    op, ins = node.op, node.inputs
    if op == "add":
        return [g, g]
    if op == "sub":
        return [g, 0.0 - g]
    if op == "mul":
        return [ins[1] * g, ins[0] * g]
    if op == "div":
        below = 1.0 / ins[1]
        return [g * below, g * (-ins[0] * below * below)]
    if op == "neg":
        return [g * -1.0]
    if op == "exp":
        return [g * node]
    if op == "log":
        return [g / ins[0]]
    if op == "sin":
        return [g * cos(ins[0])]
    if op == "cos":
        return [g * (-1.0 * sin(ins[0]))]
    return []


def gradients(y, xs, fed=()):
    """Make a node for each x: the derivative of y with respect to x."""
    def sources(node):
        return () if node in fed else node.inputs

    users, todo = {y: 0}, [y]
    while todo:
        for x in sources(todo.pop()):
            if x not in users:
                users[x] = 0
                todo.append(x)
            users[x] += 1
    contributions, adjoint, ready = {node: [] for node in users}, {}, [y]
    contributions[y].append(constant(1.0))
    while ready:
        node = ready.pop()
        first, *others = contributions[node]
        for other in others:
            first = first + other
        adjoint[node] = first
        for x, contribution in zip(sources(node), _contributions(node, first)):
            contributions[x].append(contribution)
            users[x] -= 1
            if users[x] == 0:
                ready.append(x)
    return [adjoint[x] if x in adjoint else constant(0.0) for x in xs]


# %% cleaned_afterwards | right: adjoints lie on the nodes, and are taken off again; zeros come as 0
# · y.
# %% q2 after the key
def needed(fetches, fed=()):
    result, stack = {}, list(fetches)
    while stack:
        node = stack.pop()
        if node in result or node in fed or node.op == "placeholder":
            continue
        inputs = [x for x in node.inputs if x not in result and x not in fed]
        inputs = [x for x in inputs if x.op != "placeholder"]
        if inputs:
            stack += [node, *inputs]
        else:
            result[node] = len(result)
    return sorted(result, key=result.get)

# %% q3
def gradients(y, xs, fed=()):
    order, stack, held = [], [y], set(fed)
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            order.append(node[0])
        elif not hasattr(node, "contributions"):
            node.contributions = []
            stack.append((node,))
            stack.extend(node.inputs if node not in held else ())
    y.contributions.append(constant(1))
    for node in order[::-1]:
        total = node.contributions.pop() if node.contributions else None
        while node.contributions:
            total = total + node.contributions.pop()
        node.bar = total
        if total is not None and node not in held:
            for x, contribution in zip(node.inputs, passed(node, total)):
                x.contributions.append(contribution)
    found = [getattr(x, "bar", None) or constant(0) for x in xs]
    for node in order:
        del node.contributions, node.bar
    return found


def passed(node, g):
    if node.op == "add":
        return [g, g]
    if node.op == "sub":
        return [g, -g]
    if node.op == "mul":
        left, right = node.inputs
        return [right * g, left * g]
    if node.op == "div":
        above, below = node.inputs
        contribution = g / below
        return [contribution, 0 - contribution * above / below]
    if node.op == "neg":
        return [-1 * g]
    if not node.inputs:
        return []
    (x,) = node.inputs
    return [{"exp": exp, "log": one_over, "sin": cos, "cos": minus_sin}[node.op](x) * g]


def one_over(x):
    return 1 / x


def minus_sin(x):
    return -sin(x)


# %% constants_folded_where_they_can | right: compiled computes what hangs on constants alone, but
# leaves f what raises.
# %% q4
def compiled(fetches, inputs):
    """A function of the inputs' numbers that returns the list of the fetches' numbers."""
    inputs, fetches = tuple(inputs), tuple(fetches)
    fixed, steps, met = {}, [], set(inputs)
    waiting = list(fetches)
    while waiting:
        node = waiting.pop()
        lacking = [x for x in node.inputs if x not in met]
        if node in met:
            continue
        if lacking:
            waiting += [node, *lacking]
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        met.add(node)
        try:
            fixed[node] = fold(node, fixed)
        except (KeyError, ArithmeticError, ValueError):
            steps.append((node, COMPUTE[node.op], node.inputs))

    def f(*numbers):
        known = fixed | dict(zip(inputs, numbers))
        for node, compute, operands in steps:
            known[node] = compute(*map(known.__getitem__, operands))
        return [known[node] for node in fetches]

    return f


def fold(node, fixed):
    """The number of a node that hangs on constants alone; KeyError for all others."""
    if node.op == "constant":
        return node.value
    return COMPUTE[node.op](*(fixed[x] for x in node.inputs))


# %% counting_users | right: orders by counting users; rules in an if-chain; a program in Python
# source.
# %% q3
def gradients(y, xs, fed=()):
    users, todo = {y: 0}, [y]
    for z in todo:
        for x in [] if z in fed else z.inputs:
            if x not in users:
                users[x] = 0
                todo.append(x)
            users[x] += 1
    contributions, done, ready = {y: [constant(1)]}, {}, [y]
    while ready:
        z = ready.pop(0)
        g = contributions[z][0]
        for contribution in contributions[z][1:]:
            g = contribution + g
        done[z] = g
        for x, x_bar in [] if z in fed else zip(z.inputs, derivatives(z, g)):
            contributions.setdefault(x, []).append(x_bar)
            users[x] -= 1
            if not users[x]:
                ready.append(x)
    return [done.get(x, constant(0)) for x in xs]


def derivatives(z, g):
    if z.op == "add":
        return g, g
    if z.op == "sub":
        return g, 0 - g
    if z.op == "neg":
        return [g * -1.0]
    if z.op in ("placeholder", "constant"):
        return ()
    a, b = z.inputs[0], z.inputs[-1]
    if z.op == "mul":
        return b * g, a * g
    if z.op == "div":
        return 1 / b * g, a * g / (b * b) * -1
    if z.op == "log":
        return [1 / a * g]
    if z.op == "exp":
        return [exp(a) * g]
    return [cos(a) * g] if z.op == "sin" else [sin(a) * g * -1]

# %% q4
def compiled(fetches, inputs):
    names = {node: f"x{i}" for i, node in enumerate(inputs)}
    lines, known, stack = [], {}, list(fetches)[::-1]
    while stack:
        node = stack.pop()
        if node in names:
            continue
        waiting = [x for x in node.inputs if x not in names]
        if waiting:
            stack += [node, *waiting]
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        names[node] = f"v{len(names)}"
        if node.op == "constant":
            known[names[node]] = node.value
        else:
            call = ", ".join(names[x] for x in node.inputs)
            lines.append(f"    {names[node]} = {node.op}_({call})")
    head = "def f(" + ", ".join(names[x] for x in inputs) + "):"
    tail = "    return [" + ", ".join(names[x] for x in fetches) + "]"
    space = {f"{name}_": function for name, function in COMPUTE.items()} | known
    exec("\n".join([head, *lines, tail]), space)
    return space["f"]


# %% dispatch_by_match | right: the rules in one match statement, contributions collected in lists
# and summed when a node has its turn.
# %% q3
import collections


def contributions(node, g):
    """Pairs of an input and its part of the gradient g."""
    match node.op, node.inputs:
        case "add", (a, b):
            return (a, g), (b, g)
        case "sub", (a, b):
            return (a, g), (b, 0.0 - g)
        case "mul", (a, b):
            return (a, b * g), (b, a * g)
        case "div", (a, b):
            return (a, g / b), (b, (0.0 - a) / (b * b) * g)
        case "neg", (a,):
            return ((a, -g),)
        case "exp", (a,):
            return ((a, node * g),)
        case "log", (a,):
            return ((a, g / a),)
        case "sin", (a,):
            return ((a, cos(a) * g),)
        case "cos", (a,):
            return ((a, -sin(a) * g),)
    return ()


def gradients(y, xs, fed=()):
    """Make a node for each x: the derivative of y with respect to x."""
    cut = frozenset(fed)
    users, found = collections.Counter(), {y}
    todo = [y]
    while todo:
        node = todo.pop()
        for x in node.inputs if node not in cut else ():
            users[x] += 1
            if x not in found:
                found.add(x)
                todo.append(x)
    parts, whole, ready = collections.defaultdict(list), {}, [y]
    parts[y].append(constant(1.0))
    while ready:
        node = ready.pop()
        first, *rest = parts.pop(node)
        for part in rest:
            first = first + part
        whole[node] = first
        for x, contribution in contributions(node, first) if node not in cut else ():
            parts[x].append(contribution)
            users[x] -= 1
            if not users[x]:
                ready.append(x)
    return [whole[x] if x in whole else constant(0.0) for x in xs]


# %% generators_for_recursion | right: recursion written as generators on a stack, results in one
# dict.
# %% q2
def steps(node, results):
    if node in results:
        return
    if node.op == "placeholder":
        raise KeyError(node.name)
    for x in node.inputs:
        yield steps(x, results)
    if node.op == "constant":
        results[node] = node.value
    elif node not in results:
        results[node] = COMPUTE[node.op](*[results[x] for x in node.inputs])


def run(fetches, feeds):
    results = dict(feeds)
    for node in fetches if isinstance(fetches, list) else [fetches]:
        stack = [steps(node, results)]
        while stack:
            deeper = next(stack[-1], None)
            stack.append(deeper) if deeper else stack.pop()
    if isinstance(fetches, list):
        return [results[node] for node in fetches]
    return results[fetches]


def needed(fetches, fed=()):
    order = {}

    def visit(node):
        if node in order or node in fed or node.op == "placeholder":
            return
        for x in node.inputs:
            yield visit(x)
        order[node] = None
    for node in fetches:
        stack = [visit(node)]
        while stack:
            deeper = next(stack[-1], None)
            stack.append(deeper) if deeper else stack.pop()
    return list(order)


# %% generators_that_wait | right: a run is a stack of generators, each waiting for its operands; a
# compiled function is a list of closures.
# %% q2 after the key
def waiter(node, found):
    """Yields what node still lacks, then leaves its number in found."""
    for x in node.inputs:
        if x not in found:
            yield x
    if node.op == "placeholder":
        raise KeyError(node.name)
    if node.op == "constant":
        found[node] = node.value
    else:
        found[node] = COMPUTE[node.op](*map(found.__getitem__, node.inputs))


def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    if isinstance(fetches, Node):
        (number,) = run([fetches], feeds)
        return number
    found = {**feeds}
    for fetch in fetches:
        stack = [] if fetch in found else [waiter(fetch, found)]
        while stack:
            lacking = next(stack[-1], None)
            if lacking is None:
                stack.pop()
            else:
                stack.append(waiter(lacking, found))
    return [found[fetch] for fetch in fetches]

# %% q4
def compiled(fetches, inputs):
    """A function of the inputs' numbers that returns the list of the fetches' numbers."""
    inputs, columns, program, seen = tuple(inputs), {}, [], set()
    for node in inputs:
        columns[node] = len(columns)
    todo = [(node, False) for node in fetches]
    while todo:
        node, ready = todo.pop()
        if ready:
            columns[node] = len(columns)
            act, where = COMPUTE[node.op], [columns[x] for x in node.inputs]
            program.append(lambda desk, act=act, where=where: act(*(desk[i] for i in where)))
        elif node not in columns and node not in seen:
            if node.op == "placeholder":
                raise KeyError(node.name)
            if node.op == "constant":
                columns[node] = len(columns)
                program.append(lambda desk, value=node.value: value)
                continue
            seen.add(node)
            todo.append((node, True))
            todo.extend((x, False) for x in node.inputs if x not in columns)
    picks, wanted = [columns[node] for node in inputs], [columns[node] for node in fetches]
    distinct = len(set(picks))

    def f(*numbers):
        desk = [None] * distinct
        for column, number in zip(picks, numbers, strict=True):
            desk[column] = number
        for step in program:
            desk.append(step(desk))
        return [desk[i] for i in wanted]

    return f


# %% numbers_for_nodes | right: nodes get numbers; runs and programs contribution one plan, a list
# of tuples.
# %% q2 after the key
def plan(fetches, known):
    places = {node: place for place, node in enumerate(known)}
    program, stack = [], [(node, 0) for node in reversed(fetches)]
    while stack:
        node, at = stack.pop()
        if node in places:
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        if at < len(node.inputs):
            stack.append((node, at + 1))
            stack.append((node.inputs[at], 0))
            continue
        program.append((node.op, node.value, tuple(places[x] for x in node.inputs)))
        places[node] = len(places)
    return program, [places[node] for node in fetches]


def follow(program, wanted, numbers):
    numbers = list(numbers)
    for op, value, operands in program:
        if op == "constant":
            numbers.append(value)
        else:
            numbers.append(COMPUTE[op](*map(numbers.__getitem__, operands)))
    return [numbers[place] for place in wanted]


def run(fetches, feeds):
    if not isinstance(fetches, list):
        return run([fetches], feeds)[0]
    program, wanted = plan(fetches, feeds)
    return follow(program, wanted, feeds.values())

# %% q4
def compiled(fetches, inputs):
    program, wanted = ordered(fetches, inputs)

    def f(*numbers):
        held = [*numbers]
        for make in program:
            held.append(make(held))
        return list(map(held.__getitem__, wanted))
    return f


def ordered(fetches, inputs):
    places, program = {node: place for place, node in enumerate(inputs)}, []

    def step(node):
        if node.op == "constant":
            return lambda held, value=node.value: value
        function, operands = COMPUTE[node.op], [places[x] for x in node.inputs]
        return lambda held: function(*(held[place] for place in operands))

    for fetch in fetches:
        stack = [fetch]
        while stack:
            node = stack[-1]
            later = [x for x in node.inputs if x not in places]
            if node in places or not later:
                stack.pop()
                if node not in places:
                    if node.op == "placeholder":
                        raise KeyError(node.name)
                    program.append(step(node))
                    places[node] = len(places)
            else:
                stack += later
    return program, [places[node] for node in fetches]


# %% partial_and_graphlib | right: functions of one line made by partial; orders by graphlib; run is
# needed and a loop.
# %% q1
import functools
import numbers

placeholder = lambda name: Node("placeholder", name=name)
constant = functools.partial(Node, "constant", ())


def apply(op, *operands):
    """A node for op(operands)."""
    return Node(op, map(lambda x: constant(x) if isinstance(x, numbers.Number) else x, operands))


exp, log, sin, cos = (functools.partial(apply, word) for word in ("exp", "log", "sin", "cos"))

# %% q2 after the key
import graphlib


def needed(fetches, fed=()):
    """The nodes that a run of the fetches computes, inputs before users."""
    known = dict.fromkeys(fed)
    users, fresh = {}, {*fetches} - known.keys()
    while fresh:
        users |= {node: [x for x in node.inputs if x not in known] for node in fresh}
        fresh = {x for node in fresh for x in users[node] if x not in users}
    order = graphlib.TopologicalSorter(users).static_order()
    return [node for node in order if node.op != "placeholder"]


# %% python_is_written | right: compiled writes a Python function with numbered variables and
# executes it; needed is a generator over a stack of iterators; q1 is made in a loop.
# %% q1
constant = lambda value: Node("constant", (), value)
placeholder = lambda name: Node("placeholder", (), None, name)
as_node = lambda x: x if isinstance(x, Node) else constant(x)
apply = lambda op, *operands: Node(op, map(as_node, operands))
exp, log, sin, cos = ((lambda x, op=op: apply(op, x)) for op in ("exp", "log", "sin", "cos"))

# %% q2 after the key
def needed(fetches, fed=()):
    """The nodes that a run of the fetches computes, inputs before users."""
    def walk():
        met = set(fed)
        path = [(None, iter(tuple(fetches)))]
        while path:
            node, rest = path[-1]
            for x in rest:
                if x not in met and x.op != "placeholder":
                    met.add(x)
                    path.append((x, iter(x.inputs)))
                    break
            else:
                path.pop()
                if node is not None:
                    yield node
    return list(walk())

# %% q4
def compiled(fetches, inputs):
    """A function of the inputs' numbers that returns the list of the fetches' numbers."""
    fetches, names, lines, space = list(fetches), {}, [], {}
    for i, node in enumerate(inputs):
        names[node] = f"n{i}"
    heading = ", ".join(f"n{i}" for i in range(len(inputs)))
    waiting = list(reversed(fetches))
    while waiting:
        node = waiting.pop()
        if node in names:
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        lacking = [x for x in node.inputs if x not in names]
        if lacking:
            waiting += [node, *lacking]
            continue
        name = names[node] = f"v{len(names)}"
        if node.op == "constant":
            space["c" + name] = node.value
            lines.append(f"    {name} = c{name}\n")
        else:
            space["op_" + node.op] = COMPUTE[node.op]
            lines.append(f"    {name} = op_{node.op}({', '.join(names[x] for x in node.inputs)})\n")
    answer = ", ".join(names[node] for node in fetches)
    exec(f"def f({heading}):\n{''.join(lines)}    return [{answer}]\n", space)
    return space["f"]


# %% two_passes | right: first an order for everything, then one pass over it; lists with positions.
# %% q2
def order(fetches, cut):
    listed, state, stack = [], {}, list(reversed(fetches))
    while stack:
        node = stack.pop()
        if node in cut or state.get(node) == "listed":
            continue
        if state.get(node) == "open":
            state[node] = "listed"
            listed.append(node)
        else:
            state[node] = "open"
            stack.append(node)
            stack += node.inputs
    return listed


def run(fetches, feeds):
    wanted = fetches if isinstance(fetches, list) else [fetches]
    numbers = {}
    for node, number in feeds.items():
        numbers[node] = number
    for node in order(wanted, feeds):
        if node.op == "constant":
            numbers[node] = node.value
        elif node.op in COMPUTE:
            numbers[node] = COMPUTE[node.op](*map(numbers.get, node.inputs))
        else:
            raise KeyError(node.name)
    answers = [numbers[node] for node in wanted]
    return answers if isinstance(fetches, list) else answers[0]


def needed(fetches, fed=()):
    fed = set(fed)
    users, found, stack = {}, set(), [x for x in fetches if x not in fed]
    while stack:
        node = stack.pop()
        if node in found or node.op == "placeholder":
            continue
        found.add(node)
        for x in node.inputs:
            if x not in fed and x.op != "placeholder":
                users.setdefault(x, []).append(node)
                stack.append(x)
    left = {node: 0 for node in found}
    for lists in users.values():
        for node in lists:
            left[node] += 1
    ready, result = [node for node in found if not left[node]], []
    while ready:
        node = ready.pop()
        result.append(node)
        for user in users.get(node, ()):
            left[user] -= 1
            if not left[user]:
                ready.append(user)
    return result


# %% good_student | right: written once from the text, without a second look at the rules.
# %% q1
def placeholder(name):
    return Node("placeholder", name=name)


def constant(value):
    return Node("constant", value=value)


def apply(op, *operands):
    nodes = []
    for x in operands:
        if not isinstance(x, Node):
            x = constant(x)
        nodes.append(x)
    return Node(op, nodes)


def exp(x):
    return apply("exp", x)


def log(x):
    return apply("log", x)


def sin(x):
    return apply("sin", x)


def cos(x):
    return apply("cos", x)

# %% q2
def needed(fetches, fed=()):
    order, done, stack = [], set(), list(fetches)
    while stack:
        node = stack[-1]
        if node in done or node in fed or node.op == "placeholder":
            stack.pop()
            continue
        missing = [x for x in node.inputs
                   if x not in done and x not in fed and x.op != "placeholder"]
        if missing:
            stack.extend(missing)
        else:
            stack.pop()
            done.add(node)
            order.append(node)
    return order


def run(fetches, feeds):
    if not isinstance(fetches, list):
        return run([fetches], feeds)[0]
    values = dict(feeds)
    for node in needed(fetches, feeds):
        if node.op == "constant":
            values[node] = node.value
        else:
            for x in node.inputs:
                if x.op == "placeholder" and x not in values:
                    raise KeyError(x.name)
            values[node] = COMPUTE[node.op](*[values[x] for x in node.inputs])
    for node in fetches:
        if node not in values:
            raise KeyError(node.name)
    return [values[node] for node in fetches]

# %% q3
def contributions(node, bar):
    if node.op == "add":
        return [bar, bar]
    if node.op == "sub":
        return [bar, -bar]
    if node.op == "mul":
        a, b = node.inputs
        return [bar * b, bar * a]
    if node.op == "div":
        a, b = node.inputs
        return [bar / b, -(bar * a) / (b * b)]
    if node.op == "neg":
        return [-bar]
    (a,) = node.inputs
    if node.op == "exp":
        return [bar * exp(a)]
    if node.op == "log":
        return [bar / a]
    if node.op == "sin":
        return [bar * cos(a)]
    return [-(bar * sin(a))]


def gradients(y, xs, fed=()):
    fed = set(fed)
    order, seen, stack = [], set(), [(y, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            if node not in fed:
                for x in node.inputs:
                    stack.append((x, False))
    bars = {y: constant(1.0)}
    for node in reversed(order):
        if node in fed or not node.inputs:
            continue
        for x, bar in zip(node.inputs, contributions(node, bars[node])):
            if x in bars:
                bars[x] = bars[x] + bar
            else:
                bars[x] = bar
    return [bars.get(x, constant(0.0)) for x in xs]

# %% q4
def compiled(fetches, inputs):
    where = {}
    for node in inputs:
        where[node] = len(where)
    count = len(where)
    numbers, steps, stack = [0.0] * count, [], list(fetches)
    while stack:
        node = stack[-1]
        if node in where:
            stack.pop()
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif node.op == "constant":
            where[node] = len(numbers)
            numbers.append(node.value)
        else:
            missing = [x for x in node.inputs if x not in where]
            if missing:
                stack.extend(missing)
            else:
                where[node] = len(numbers)
                numbers.append(None)
                steps.append((COMPUTE[node.op], [where[x] for x in node.inputs], where[node]))
    results = [where[node] for node in fetches]

    def f(*given):
        values = list(numbers)
        values[:count] = given
        for function, operands, place in steps:
            values[place] = function(*[values[i] for i in operands])
        return [values[i] for i in results]

    return f


# %% plans_are_kept | right: run keeps the plan of each set of fetches and feeds; f has one list of
# places for all its calls. Neither can be noticed, since nodes do not change.
# %% q2 after the key
PLANS = {}


def run(fetches, feeds):
    wanted = list(fetches) if isinstance(fetches, list) else [fetches]
    key = tuple(wanted), frozenset(feeds)
    if key not in PLANS:
        PLANS[key] = needed(wanted, feeds)
    results = {**feeds}
    for node in PLANS[key]:
        if node.op == "constant":
            results[node] = node.value
            continue
        for x in node.inputs:
            if x not in results:
                raise KeyError(x.name)
        results[node] = COMPUTE[node.op](*[results[x] for x in node.inputs])
    for node in wanted:
        if node not in results:
            raise KeyError(node.name)
    numbers = [results[node] for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]

# %% q4
def compiled(fetches, inputs):
    place = {node: k for k, node in enumerate(inputs)}
    count, slots, steps, waiting = len(place), [None] * len(place), [], list(fetches)
    while waiting:
        node = waiting[-1]
        lacking = [x for x in node.inputs if x not in place] if node not in place else []
        if lacking:
            waiting.extend(lacking)
            continue
        waiting.pop()
        if node in place:
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        place[node] = len(slots)
        slots.append(node.value)
        if node.op != "constant":
            steps.append((COMPUTE[node.op], [place[x] for x in node.inputs], place[node]))
    wanted = [place[node] for node in fetches]

    def f(*numbers):
        slots[:count] = numbers
        for compute, operands, result in steps:
            slots[result] = compute(*[slots[i] for i in operands])
        return [slots[i] for i in wanted]

    return f


# %% operators_in_the_source | right: compiled writes a function with Python's own operators, one
# line for each node.
# %% q4
SIGNS = {"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "neg": "-{}"}


def compiled(fetches, inputs):
    names = {node: f"v{k}" for k, node in enumerate(inputs)}
    lines, waiting = [f"def f({', '.join(names.values())}):"], list(fetches)
    while waiting:
        node = waiting[-1]
        lacking = [x for x in node.inputs if x not in names] if node not in names else []
        if lacking:
            waiting.extend(lacking)
            continue
        waiting.pop()
        if node in names:
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        if node.op == "constant":
            names[node] = f"({node.value!r})"
            continue
        operands = [names[x] for x in node.inputs]
        text = SIGNS.get(node.op, f"math.{node.op}({{}})").format(*operands)
        names[node] = f"v{len(names)}"
        lines.append(f"    {names[node]} = {text}")
    lines.append(f"    return [{', '.join(names[node] for node in fetches)}]")
    space = {"math": math}
    exec("\n".join(lines), space)
    return space["f"]


# %% a_table_for_each_node | right: the library's order, and for each node a table of all rules:
# many lines for a node, yet in proportion.
# %% q3
from graphlib import TopologicalSorter


def gradients(y, xs, fed=()):
    below, waiting = {}, [y]
    while waiting:
        node = waiting.pop()
        if node not in below:
            below[node] = () if node in fed else node.inputs
            waiting.extend(below[node])
    adjoints = {y: constant(1)}
    for z in list(TopologicalSorter(below).static_order())[::-1]:
        inputs = below[z]
        if not inputs:
            continue
        g, a, b = adjoints[z], inputs[0], inputs[-1]
        table = {
            "add": lambda: [g, g],
            "sub": lambda: [g, 0 - g],
            "mul": lambda: [b * g, a * g],
            "div": lambda: [g / b, 0 - g * a / (b * b)],
            "neg": lambda: [0 - g],
            "exp": lambda: [g * z],
            "log": lambda: [g / a],
            "sin": lambda: [g * cos(a)],
            "cos": lambda: [0 - g * sin(a)],
        }
        for x, contribution in zip(inputs, table[z.op]()):
            adjoints[x] = adjoints[x] + contribution if x in adjoints else contribution
    return [adjoints.get(x, constant(0.0)) for x in xs]
