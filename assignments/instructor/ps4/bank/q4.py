"""Wrong answers to q4 of ps4."""


# %% a_graph_of_its_own | loses q4: compiled copies the graph and f looks for its way through the
# copy in every call: the looking is not done once. | says: A call searches for its order again
class Copy:
    """What a node says, where nobody changes it."""

    def __init__(self, node, inputs):
        self.op, self.value, self.inputs = node.op, node.value, inputs


def compiled(fetches, inputs):
    """A function of the inputs' numbers that returns the list of the fetches' numbers."""
    copies, waiting = {node: Copy(node, ()) for node in inputs}, list(fetches)
    own = [copies[node] for node in inputs]
    while waiting:
        node = waiting[-1]
        lacking = [x for x in node.inputs if x not in copies] if node not in copies else []
        if lacking:
            waiting.extend(lacking)
            continue
        waiting.pop()
        if node not in copies:
            if node.op == "placeholder":
                raise KeyError(node.name)
            copies[node] = Copy(node, tuple(copies[x] for x in node.inputs))
    wanted = [copies[node] for node in fetches]

    def f(*numbers):
        found, todo = dict(zip(own, numbers)), list(wanted)
        while todo:
            node = todo[-1]
            lacking = [x for x in node.inputs if x not in found] if node not in found else []
            if lacking:
                todo.extend(lacking)
                continue
            todo.pop()
            if node not in found:
                if node.op == "constant":
                    found[node] = node.value
                else:
                    found[node] = COMPUTE[node.op](*(found[x] for x in node.inputs))
        return [found[node] for node in wanted]

    return f


# %% a_plan_for_each_fetch | loses q4: what two fetches need is computed for each of them. | says:
# It computes a node again for another use or another fetch (rule 5)
# %% q4 after the key
of_one = compiled


def compiled(fetches, inputs):
    parts = [of_one([node], inputs) for node in fetches]
    return lambda *numbers: [f(*numbers)[0] for f in parts]


# %% a_sentence_from_compiled | loses q4: KeyError holds a sentence about the placeholder, not its
# name. | says: KeyError must hold the name of the missing placeholder and nothing else
# %% q4 after the key
def compiled(fetches, inputs, compiled=compiled):
    try:
        return compiled(fetches, inputs)
    except KeyError as error:
        raise KeyError(f"{error.args[0]} is not among the inputs") from None


# %% answers_are_kept | loses q4: f keeps its answers by the numbers, and gives the same list again:
# first = f(2.0); first.append(0.0); f(2.0) has the 0.0, too. Each call returns a list of its own. |
# says: f returns the same list again
import functools


def compiled(fetches, inputs):
    """A function of the inputs' numbers that returns the list of the fetches' numbers."""
    place = {x: i for i, x in enumerate(inputs)}
    count, rest, steps, waiting = len(inputs), [], [], list(fetches)
    while waiting:
        node = waiting[-1]
        if node in place:
            waiting.pop()
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        missing = [x for x in node.inputs if x not in place]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        place[node] = count + len(rest)
        rest.append(node.value)
        if node.op != "constant":
            steps.append((COMPUTE[node.op], [place[x] for x in node.inputs], place[node]))
    outs = [place[node] for node in fetches]

    @functools.lru_cache(maxsize=None)
    def f(*numbers):
        if len(numbers) != count:
            raise TypeError(f"{count} numbers, please")
        found = [*numbers, *rest]
        for compute, operands, to in steps:
            found[to] = compute(*[found[i] for i in operands])
        return [found[i] for i in outs]

    return f


# %% constants_are_computed_beforehand | loses q4: compiled computes what hangs on constants alone,
# and raises what f should. | says: compiled computes what does not depend on the inputs
# %% q4 after the key
wait = compiled


def compiled(fetches, inputs):
    known, waiting = dict.fromkeys(inputs), list(fetches)
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in known]
        if node in known:
            waiting.pop()
        elif missing:
            waiting.extend(missing)
        else:
            numbers = [known[x] for x in node.inputs]
            ready = node.inputs and None not in numbers
            known[node] = COMPUTE[node.op](*numbers) if ready else node.value
    return wait(fetches, inputs)


# %% constants_before_inputs | loses q4: a constant keeps its value, though it is an input. | says:
# A constant that is an input keeps its own value
# %% q4 after the key
of_one = compiled


def compiled(fetches, inputs):
    f = of_one(fetches, inputs)
    fixed = {i: node.value for i, node in enumerate(inputs) if node.op == "constant"}

    def g(*numbers):
        return f(*(fixed.get(i, n) for i, n in enumerate(numbers)))
    return g


# %% constants_read_late | loses q4: the steps hold the nodes of constants and read their value in
# each call: a value changed after compiling shows. | says: f reads the value of a constant in each
# call
def compiled(fetches, inputs):
    """A function of the inputs' numbers that returns the list of the fetches' numbers."""
    place = {}
    for node in inputs:
        place[node] = len(place)
    count, start, steps, waiting = len(place), [], [], list(fetches)
    start = [None] * count
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
        place[node] = len(start)
        start.append(node)
        if node.op != "constant":
            steps.append((COMPUTE[node.op], [place[x] for x in node.inputs], place[node]))
    wanted = [place[node] for node in fetches]

    def f(*numbers):
        slots = [node and node.value for node in start]
        slots[:count] = numbers
        for compute, operands, result in steps:
            slots[result] = compute(*[slots[i] for i in operands])
        return [slots[i] for i in wanted]

    return f


# %% fed_by_name | loses q4: a placeholder is an input when its name is: a second "x" that is no
# input gets the number of the first, and no KeyError. | says: compiled does not notice a missing
# placeholder
# %% q4 after the key
by_node = compiled


def compiled(fetches, inputs):
    names = {node.name: node for node in inputs if node.op == "placeholder"}
    twins, waiting, seen = [], list(fetches), set(inputs)
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting.extend(node.inputs)
            if node.op == "placeholder" and node.name in names:
                twins.append(node)
    places = [list(inputs).index(names[node.name]) for node in twins]
    f = by_node(fetches, [*inputs, *twins])
    return lambda *numbers: f(*numbers, *(numbers[place] for place in places))


# %% inputs_by_name | loses q4: placeholders are told apart by their names. | says: Two placeholders
# with one name are taken for one (rule 1)
# %% q4 after the key
of_one = compiled


def compiled(fetches, inputs):
    f = of_one(fetches, inputs)
    last = {node.name: i for i, node in enumerate(inputs)}
    places = [last[node.name] if node.name else i for i, node in enumerate(inputs)]
    return lambda *numbers: f(*(numbers[place] for place in places))


# %% inputs_by_order_of_making | loses q4: takes the numbers in the order in which the fetches meet
# the inputs. | says: The numbers do not go to the inputs in the order of the list
def compiled(fetches, inputs):
    places = {node: place for place, node in enumerate(inputs)}
    constants, steps, waiting = [], [], list(fetches)
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in places]
        if node in places:
            waiting.pop()
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif missing:
            waiting.extend(missing)
        else:
            places[node] = len(places)
            if node.op == "constant":
                constants.append((places[node], node.value))
            else:
                steps.append((places[node], COMPUTE[node.op], [places[x] for x in node.inputs]))
    read = [p for _, _, operands in steps for p in operands if p < len(inputs)]
    met = list(dict.fromkeys(read)) + [p for p in range(len(inputs)) if p not in read]
    size, wanted = len(places), [places[node] for node in fetches]

    def f(*numbers):
        held = list(numbers) + [None] * (size - len(numbers))
        for place, number in zip(met, numbers):
            held[place] = number
        for place, value in constants:
            held[place] = value
        for place, compute, operands in steps:
            held[place] = compute(*[held[x] for x in operands])
        return [held[place] for place in wanted]
    return f


# %% looks_at_the_graph_again | loses q4: runs the graph at each call: nothing is paid once. | says:
# f goes through the graph again when it is called
def run_once(fetches, feeds):
    several = isinstance(fetches, list)
    results = dict(feeds)
    waiting = list(fetches) if several else [fetches]
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in results]
        if node in results:
            waiting.pop()
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif missing:
            waiting.extend(missing)
        elif node.op == "constant":
            results[node] = node.value
        else:
            results[node] = COMPUTE[node.op](*(results[x] for x in node.inputs))
    return [results[node] for node in fetches] if several else results[fetches]


def compiled(fetches, inputs):
    run_once(list(fetches), {**{x: 1.0 for x in inputs}})
    return lambda *numbers: run_once(list(fetches), dict(zip(inputs, numbers)))


# %% missing_told_at_the_call | loses q4: a placeholder that is no input is only missed when f is
# called. | says: compiled does not notice a missing placeholder
def compiled(fetches, inputs):
    places = {node: place for place, node in enumerate(inputs)}
    constants, steps, waiting = [], [], list(fetches)
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in places]
        if node in places:
            waiting.pop()
        elif node.op == "placeholder":
            places[node] = len(places)
            steps.append((places[node], {}.__getitem__, [places[node]]))
        elif missing:
            waiting.extend(missing)
        else:
            places[node] = len(places)
            if node.op == "constant":
                constants.append((places[node], node.value))
            else:
                steps.append((places[node], COMPUTE[node.op], [places[x] for x in node.inputs]))
    size, wanted = len(places), [places[node] for node in fetches]

    def f(*numbers):
        held = list(numbers) + [None] * (size - len(numbers))
        for place, value in constants:
            held[place] = value
        for place, compute, operands in steps:
            held[place] = compute(*[held[x] for x in operands])
        return [held[place] for place in wanted]
    return f


# %% no_division_error | loses q4: f gives nan where run raises an error, as for a division by 0. |
# says: f hides an error that a function in COMPUTE raises (rule 5)
# %% q4 after the key
def compiled(fetches, inputs, compiled=compiled):
    f = compiled(fetches, inputs)

    def g(*numbers):
        try:
            return f(*numbers)
        except (ArithmeticError, ValueError):
            return [math.nan for _ in fetches]

    return g


# %% nothing_to_feed | loses q4: without inputs there is nothing to wait for: a list comes, not a
# function. | says: Without inputs it returns no function
# %% q4 after the key
def compiled(fetches, inputs, compiled=compiled):
    f = compiled(fetches, inputs)
    return f if inputs else f()


# %% numbers_for_needed_inputs | loses q4: f takes numbers for those inputs alone that the fetches
# lead to. | says: f takes no number for an input that no fetch uses
# %% q4 after the key
def compiled(fetches, inputs, compiled=compiled):
    below, todo = set(), list(fetches)
    while todo:
        node = todo.pop()
        if node not in below:
            below.add(node)
            todo.extend(() if node in inputs else node.inputs)
    return compiled(fetches, [node for node in inputs if node in below])


# %% one_list_for_all_calls | loses q4: every call returns the same list, with new numbers in it. |
# says: f returns the same list again
# %% q4 after the key
of_one = compiled


def compiled(fetches, inputs):
    f, found = of_one(fetches, inputs), []

    def g(*numbers):
        found[:] = f(*numbers)
        return found
    return g


# %% reads_the_lists_in_each_call | loses q4: the two lists are read again in each call, when the
# caller has changed them. | says: f reads the caller's lists when it is called (rule 2)
# %% q4 after the key
of_one = compiled


def compiled(fetches, inputs):
    f = of_one(fetches, inputs)

    def g(*numbers):
        return f(*numbers)[:len(fetches)]
    return g


# %% recursive_plan_above_the_limit | loses q4: the plan is found by recursion, with a higher limit.
# | says: compiled or f calls itself for each node, so that a long chain is too deep (rule 4)
import sys

sys.setrecursionlimit(10**6)


def compiled(fetches, inputs):
    places, steps, start = {node: k for k, node in enumerate(inputs)}, [], list(inputs)

    def place_of(node):
        if node not in places:
            if node.op == "placeholder":
                raise KeyError(node.name)
            operands = [place_of(x) for x in node.inputs]
            places[node] = len(start)
            start.append(node.value if node.op == "constant" else None)
            if node.op != "constant":
                steps.append((places[node], COMPUTE[node.op], operands))
        return places[node]

    ends = [place_of(node) for node in fetches]

    def f(*numbers):
        values = [*numbers, *start[len(numbers) :]]
        for place, compute, operands in steps:
            values[place] = compute(*[values[k] for k in operands])
        return [values[k] for k in ends]

    return f


# %% recursive_program | loses q4: one closure calls the next: 20,000 are too deep. | says: It
# computes a node again for another use or another fetch (rule 5)
def compiled(fetches, inputs):
    made = {node: (lambda numbers, place=place: numbers[place])
            for place, node in enumerate(inputs)}

    def made_of(node):
        if node not in made:
            if node.op == "placeholder":
                raise KeyError(node.name)
            parts = [made_of(x) for x in node.inputs]
            compute = COMPUTE.get(node.op)
            value = node.value
            made[node] = (lambda numbers: value) if compute is None else (
                lambda numbers: compute(*[part(numbers) for part in parts]))
        return made[node]
    parts = [made_of(node) for node in fetches]
    return lambda *numbers: [part(numbers) for part in parts]


# %% results_of_the_first_call | loses q4: keeps what the first call computed. | says: The second
# call is wrong although the first was right
def compiled(fetches, inputs):
    places = {node: place for place, node in enumerate(inputs)}
    constants, steps, waiting = [], [], list(fetches)
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in places]
        if node in places:
            waiting.pop()
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif missing:
            waiting.extend(missing)
        else:
            places[node] = len(places)
            if node.op == "constant":
                constants.append((places[node], node.value))
            else:
                steps.append((places[node], COMPUTE[node.op], [places[x] for x in node.inputs]))
    size, wanted = len(places), [places[node] for node in fetches]

    kept = []

    def f(*numbers):
        if kept:
            return [numbers[p] if p < len(numbers) else kept[0][p] for p in wanted]
        held = list(numbers) + [None] * (size - len(numbers))
        kept.append(held)
        for place, value in constants:
            held[place] = value
        for place, compute, operands in steps:
            held[place] = compute(*[held[x] for x in operands])
        return [held[place] for place in wanted]
    return f


# %% same_nodes_once | loses q4: nodes with one formula are computed once, also where one of them is
# an input, whose number the other gets. | says: An op that is an input is computed instead of
# taking its number, or inputs or results are in another order than in their lists
# %% q4 after the key
def compiled(fetches, inputs, compiled=compiled):
    first, alike = {}, {}
    for node in [*inputs, *needed(fetches, inputs)]:
        formula = (node.op, *(alike.get(x, x) for x in node.inputs)) if node.inputs else node
        alike[node] = first.setdefault(formula, node)
    wanted = [alike.get(x, x) for x in fetches]
    return compiled(wanted, inputs)


# %% zero_inputs_lost | loses q4: an input that is 0 is taken for none and computed. | says: An
# input that is 0 counts as missing (rule 3)
# %% q4 after the key
of_one = compiled


def compiled(fetches, inputs):
    f = of_one(fetches, inputs)
    ops = [place for place, node in enumerate(inputs) if node.inputs or node.op == "constant"]

    def g(*numbers):
        return f(*(n if n or i not in ops else 1.0 for i, n in enumerate(numbers)))
    return g


# %% step_for_every_use | loses q4: exp, log, sin and cos get a step for each use, so that every
# call computes them again. | says: It computes a node again for another use or another fetch (rule
# 5)
def compiled(fetches, inputs):
    places = {node: place for place, node in enumerate(inputs)}
    constants, steps, waiting = [], [], list(fetches)
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in places]
        if node in places:
            waiting.pop()
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif missing:
            waiting.extend(missing)
        else:
            again = [x for x in node.inputs if x.op in ("exp", "log", "sin", "cos")]
            for x in again:
                if x not in inputs:
                    steps.append((places[x], COMPUTE[x.op], [places[x.inputs[0]]]))
            places[node] = len(places)
            if node.op == "constant":
                constants.append((places[node], node.value))
            else:
                steps.append((places[node], COMPUTE[node.op], [places[x] for x in node.inputs]))
    size, wanted = len(places), [places[node] for node in fetches]

    def f(*numbers):
        held = list(numbers) + [None] * (size - len(numbers))
        for place, value in constants:
            held[place] = value
        for place, compute, operands in steps:
            held[place] = compute(*[held[x] for x in operands])
        return [held[place] for place in wanted]
    return f


# %% compiled_for_ones | loses q4: compiled computes everything once, to see whether it works. |
# says: compiled computes ops
# %% q4 after the key
def compiled(fetches, inputs, compiled=compiled):
    f = compiled(fetches, inputs)
    try:
        f(*(1.0 for _ in inputs))
    except (ArithmeticError, ValueError):
        pass
    return f


# %% inputs_are_placeholders | loses q4: only placeholders among the inputs take a number; an op
# that is an input is computed. | says: An op that is an input is computed instead of taking its
# number, or inputs or results are in another order than in their lists
# %% q4 after the key
def compiled(fetches, inputs, compiled=compiled):
    leaves = [k for k, node in enumerate(inputs) if node.op == "placeholder"]
    f = compiled(fetches, [inputs[k] for k in leaves])
    return lambda *numbers: f(*(numbers[k] for k in leaves))


# %% kept_by_the_first_number | loses q4: results are kept by the first number alone. | says: A
# later call depends on an earlier one (rule 6)
# %% q4 after the key
def compiled(fetches, inputs, compiled=compiled):
    f, memory = compiled(fetches, inputs), {}

    def g(*numbers):
        key = numbers[:1]
        if key not in memory:
            memory[key] = f(*numbers)
        return list(memory[key])
    return g


# %% all_placeholders_wanted | loses q4: placeholders below an input must be inputs, too. | says:
# compiled wants a placeholder that only an input uses
# %% q4 after the key
def compiled(fetches, inputs, compiled=compiled):
    seen, todo = set(), list(fetches)
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            if node.op == "placeholder" and node not in inputs:
                raise KeyError(node.name)
            todo += node.inputs
    return compiled(fetches, inputs)


# %% each_fetch_is_listed_once | loses q4: a node that is fetched twice has one place in the
# results. | says: A node that is fetched twice has only one result
# %% q4 after the key
def compiled(fetches, inputs, compiled=compiled):
    return compiled(list(dict.fromkeys(fetches)), inputs)
