"""Wrong answers to q2 of ps4."""


# %% a_fed_zero_is_no_feed | loses q2: a node that is fed with 0.0 is computed all the same. | says:
# A 0 that is fed, or a constant 0, counts as missing (rule 3)
# %% q2 after the key
def run(fetches, feeds):
    several = isinstance(fetches, list)
    results = {node: number for node, number in feeds.items() if number or not node.inputs}
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


# %% a_fetch_is_always_computed | loses q2: a fetch is listed even when it is fed, and twice when it
# is asked for twice. | says: needed lists a node twice
# %% q2 after the key
listed_by_the_key = needed


def needed(fetches, fed=()):
    listed = listed_by_the_key(fetches, fed)
    return listed + [x for x in set(fetches) if fetches.count(x) > 1 and x in listed]


# %% a_leaf_without_value | loses q2: a leaf with no value is taken for a placeholder by `not
# node.value`: constant(0) is left out. | says: A 0 that is fed, or a constant 0, counts as missing
# (rule 3)
# %% q2 after the key
everything = needed


def needed(fetches, fed=()):
    return [node for node in everything(fetches, fed) if node.inputs or node.value]


# %% a_lone_fetch_is_listed | loses q2: where nothing is left to compute, the fetch itself is
# listed, though it is fed. | says: needed lists a fetch that is fed
# %% q2 after the key
def needed(fetches, fed=(), needed=needed):
    lone = [x for x in fetches if x.op != "placeholder"] if len(fetches) == 1 else []
    return needed(fetches, fed) or lone


# %% a_sentence_for_a_name | loses q2: KeyError holds a sentence about the placeholder, not its
# name. | says: KeyError must hold the name of the missing placeholder and nothing else
# %% q2 after the key
def run(fetches, feeds, run=run):
    try:
        return run(fetches, feeds)
    except KeyError as error:
        raise KeyError(f"the placeholder {error.args[0]!r} is needed and not fed") from None


# %% adds_to_the_fed | loses q2: the caller's list of fed nodes grows. | says: It changes a list,
# dict or node of the caller (rules 1 and 2)
# %% q2 after the key
def needed(fetches, fed=None):
    done, listed = [] if fed is None else fed, []
    seen = set(done)
    waiting = [(node, False) for node in fetches]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in seen:
            seen.add(node)
            done.append(node)
            if node.op != "placeholder":
                waiting.append((node, True))
                waiting.extend((x, False) for x in node.inputs)
    return listed


# %% all_above_the_fed | loses q2: everything that leads to a fed node is left out, also what
# another fetch needs: exp(x), with exp(x) + 1 fed, for exp(x) · 2. | says: needed leaves out what a
# fed node uses, although another node needs it, too
# %% q2 after the key
everything = needed


def needed(fetches, fed=()):
    done, above = set(fed), list(fed)  # a fed node is not computed, so nothing that leads to it is
    while above:
        for x in above.pop().inputs:
            if x not in done and x not in fetches:
                done.add(x)
                above.append(x)
    return everything(fetches, done)


# %% along_every_path | loses q2: no recursion, but every path is walked: exponential time. | says:
# It computes a node again for another use or another fetch (rule 5)
# %% q2 after the key
def run(fetches, feeds):
    if isinstance(fetches, list):
        return [run(node, feeds) for node in fetches]
    numbers, todo = [], [(fetches, False)]
    while todo:
        node, ready = todo.pop()
        if node in feeds:
            numbers.append(feeds[node])
        elif node.op == "constant":
            numbers.append(node.value)
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif ready:
            count = len(node.inputs)
            operands = numbers[len(numbers) - count:]
            del numbers[len(numbers) - count:]
            numbers.append(COMPUTE[node.op](*operands))
        else:
            todo.append((node, True))
            todo.extend((x, False) for x in reversed(node.inputs))
    return numbers[0]


# %% answers_kept_by_the_lists | loses q2: an answer is kept by fetches and fed nodes and given
# again: when the caller has changed that list, the next answer has the change. | says: needed
# returns the same list again (rule 2)
# %% q2 after the key
KEPT = {}


def needed(fetches, fed=(), needed=needed):
    key = tuple(fetches), tuple(fed)
    if key not in KEPT:
        KEPT[key] = needed(fetches, fed)
    return KEPT[key]


# %% below_the_fed | loses q2: leaves fed nodes out, but goes on below them. | says: needed goes on
# below a fed node
# %% q2 after the key
def needed(fetches, fed=()):
    listed, done, waiting = [], set(), [(node, False) for node in fetches]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            if node not in fed:
                listed.append(node)
        elif node not in done:
            done.add(node)
            if node.op != "placeholder":
                waiting.append((node, True))
                waiting.extend((x, False) for x in node.inputs)
    return listed


# %% cached_by_the_numbers | loses q2: results are kept by fetches and fed numbers, not by which
# nodes are fed: x - y with x = 2 and y = 3, then with y = 2 and x = 3, is -1 twice. | says: A run
# uses results of an earlier one (rule 6)
# %% q2 after the key
compute_all, ran = run, {}


def run(fetches, feeds):
    several = isinstance(fetches, list)
    key = (tuple(fetches) if several else fetches, tuple(feeds.values()))
    if key not in ran:
        ran[key] = compute_all(fetches, feeds)
    return list(ran[key]) if several else ran[key]


# %% computes_everything_below | loses q2: computes all that the fetches were made from, even below
# a fed node. | says: It needs what only a fed node, or nothing at all, uses
# %% q2 after the key
def run(fetches, feeds):
    several = isinstance(fetches, list)
    results = dict(feeds)
    waiting = list(fetches) if several else [fetches]
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in results]
        if node in results and (node in feeds) <= all(x in results for x in node.inputs):
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


# %% each_fetch_alone | loses q2: what two fetches need is computed for each of them. | says: It
# computes a node again for another use or another fetch (rule 5)
# %% q2 after the key
def run_one(fetches, feeds):
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


def run(fetches, feeds):
    if isinstance(fetches, list):
        return [run_one(node, feeds) for node in fetches]
    return run_one(fetches, feeds)


# %% empties_the_fetches | loses q2: the caller's list of fetches is used up. | says: It changes a
# list, dict or node of the caller (rules 1 and 2)
# %% q2 after the key
def run(fetches, feeds):
    several = isinstance(fetches, list)
    results = dict(feeds)
    waiting = fetches if several else [fetches]
    wanted = list(waiting)
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
    return [results[node] for node in wanted] if several else results[wanted[0]]


# %% equal_nodes_listed_once | loses q2: 'each once' is taken for each formula: of two nodes with
# the same op, value and inputs, as two constants 2.0 or exp(a) written twice, the second is not
# listed; a run computes both. | says: Two nodes that were made alike are taken for one (rule 1)
# %% q2 after the key
def needed(fetches, fed=()):
    """The nodes that a run of the fetches computes, inputs before users."""
    order, formulas, done, waiting = [], set(), set(fed), list(fetches)
    while waiting:
        node = waiting[-1]
        missing = [] if node in done else [x for x in node.inputs if x not in done]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        if node in done:
            continue
        done.add(node)
        formula = node.op, node.value, node.inputs
        if node.op != "placeholder" and formula not in formulas:
            formulas.add(formula)
            order.append(node)
    return order


# %% errors_are_results | loses q2: everything below the fetches is computed, below fed nodes, too;
# an error is kept as a result, and raised only where it is needed. | says: It computes what only a
# fed node, or nothing at all, uses
# %% q2 after the key
def run(fetches, feeds):
    wanted = list(fetches) if isinstance(fetches, list) else [fetches]
    results, waiting, seen = {}, [(node, False) for node in wanted], set()
    while waiting:
        node, ready = waiting.pop()
        if ready:
            results[node] = feeds.get(node, result(node, [results[x] for x in node.inputs]))
        elif node not in seen:
            seen.add(node)
            waiting.append((node, True))
            waiting.extend((x, False) for x in node.inputs)
    for node in wanted:
        if isinstance(results[node], Exception):
            raise results[node]
    numbers = [results[node] for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]


def result(node, operands):
    for operand in operands:
        if isinstance(operand, Exception):
            return operand
    if node.op == "placeholder":
        return KeyError(node.name)
    try:
        return node.value if node.op == "constant" else COMPUTE[node.op](*operands)
    except (ArithmeticError, ValueError) as error:
        return error


# %% fed_op_computed_again | loses q2: only placeholders may be fed: a fed op is computed all the
# same. | says: run computes a node although it is fed, or needs what only that node uses
# %% q2 after the key
def run(fetches, feeds):
    several = isinstance(fetches, list)
    results = {node: n for node, n in feeds.items() if node.op == "placeholder"}
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


# %% feeds_by_name | loses q2: placeholders are told apart by their names. | says: A placeholder
# gets the number of another one of its name
# %% q2 after the key
def run(fetches, feeds):
    several = isinstance(fetches, list)
    results, names = dict(feeds), {x.name: number for x, number in feeds.items() if x.name}
    waiting = list(fetches) if several else [fetches]
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in results]
        if node in results:
            waiting.pop()
        elif node.op == "placeholder":
            results[node] = names[node.name]
        elif missing:
            waiting.extend(missing)
        elif node.op == "constant":
            results[node] = node.value
        else:
            results[node] = COMPUTE[node.op](*(results[x] for x in node.inputs))
    return [results[node] for node in fetches] if several else results[fetches]


# %% feeds_left_by_an_error | loses q2: after a missing feed, the next run still knows what was fed
# before. | says: A run uses results of an earlier one (rule 6)
# %% q2 after the key
RESULTS = {}


def run(fetches, feeds):
    several = isinstance(fetches, list)
    results = RESULTS
    results.update(feeds)
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
    found = [results[node] for node in fetches] if several else results[fetches]
    results.clear()
    return found


# %% fetch_by_fetch | loses q2: each fetch is listed for itself, users first, and the whole list is
# turned round at the end: needed([b, exp(b)]) has exp(b) before b. | says: needed lists a node
# before one of its inputs
# %% q2 after the key
def needed(fetches, fed=()):
    users_first, seen = [], set(fed)
    for fetch in fetches:
        order, waiting = [], [(fetch, False)]
        while waiting:
            node, ready = waiting.pop()
            if ready:
                order.append(node)
            elif node not in seen and node.op != "placeholder":
                seen.add(node)
                waiting.append((node, True))
                waiting.extend((x, False) for x in node.inputs)
        users_first.extend(reversed(order))
    return users_first[::-1]


# %% fetched_placeholders | loses q2: a placeholder that is fetched beside other nodes is listed. |
# says: needed lists placeholders, which no run computes
# %% q2 after the key
def needed(fetches, fed=(), needed=needed):
    leaves = [x for x in dict.fromkeys(fetches) if x.op == "placeholder" and x not in fed]
    return [*leaves, *needed(fetches, fed)] if len(fetches) > 1 else needed(fetches, fed)


# %% fetches_sorted_by_readiness | loses q2: gives the results in the order in which they were
# computed. | says: The results are not those of the fetches, in their order
# %% q2 after the key
def run(fetches, feeds):
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
    return [n for node, n in results.items() if node in fetches] if several else results[fetches]


# %% infinite_for_division_by_zero | loses q2: x / 0 is inf, where slow_run raises
# ZeroDivisionError. | says: run hides an error that a function in COMPUTE raises (rule 5)
# %% q2 after the key
def divide(a, b):
    return a / b if b else math.copysign(math.inf, a)


exactly = run


def run(fetches, feeds):
    kept, COMPUTE["div"] = COMPUTE["div"], divide
    try:
        return exactly(fetches, feeds)
    finally:
        COMPUTE["div"] = kept


# %% known_by_place | loses q2: answers are kept by the id of the nodes; a new graph at the place of
# a dead one gets the old list. | says: A run uses results of an earlier one (rule 6)
# %% q2 after the key
ANSWERS = {}
search = needed


def needed(fetches, fed=()):
    key = tuple(map(id, fetches)), tuple(map(id, fed))
    if key not in ANSWERS:
        ANSWERS[key] = [id(node) for node in search(fetches, fed)]
    nodes, waiting = {}, list(fetches)
    while waiting:
        node = waiting.pop()
        if id(node) not in nodes:
            nodes[id(node)] = node
            waiting.extend(node.inputs)
    return [nodes[place] for place in ANSWERS[key] if place in nodes]


# %% leaves_out_what_cannot_be_computed | loses q2: runs the nodes to see whether they are needed. |
# says: needed computes
# %% q2 after the key
listed_by_the_key = needed


def needed(fetches, fed=()):
    listed = listed_by_the_key(fetches, fed)
    for node in listed:
        if node.op == "log" and node.inputs[0].op == "constant" and node.inputs[0].value <= 0:
            listed.remove(node)
    return listed


# %% left_behind_by_an_error | loses q2: results stand on the nodes and are taken off at the end,
# which a run that raises never reaches: the next one uses them. | says: A run uses results of an
# earlier one (rule 6)
# %% q2 after the key
def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    many = isinstance(fetches, list)
    waiting, touched = list(fetches) if many else [fetches], []
    while waiting:
        node = waiting[-1]
        if node in feeds or hasattr(node, "result"):
            waiting.pop()
            continue
        lacking = [x for x in node.inputs if x not in feeds and not hasattr(x, "result")]
        if lacking:
            waiting.extend(lacking)
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        if node.op == "constant":
            node.result = node.value
        else:
            numbers = [feeds[x] if x in feeds else x.result for x in node.inputs]
            node.result = COMPUTE[node.op](*numbers)
        touched.append(node)
    numbers = [feeds[x] if x in feeds else x.result for x in (fetches if many else [fetches])]
    for node in touched:
        del node.result
    return numbers if many else numbers[0]


# %% missing_feed_is_zero | loses q2: a placeholder that nobody fed counts as 0. | says: A
# placeholder that is needed and not fed does not raise KeyError
# %% q2 after the key
def run(fetches, feeds):
    several = isinstance(fetches, list)
    results = dict(feeds)
    waiting = list(fetches) if several else [fetches]
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in results]
        if node in results:
            waiting.pop()
        elif node.op == "placeholder":
            results[node] = 0.0
        elif missing:
            waiting.extend(missing)
        elif node.op == "constant":
            results[node] = node.value
        else:
            results[node] = COMPUTE[node.op](*(results[x] for x in node.inputs))
    return [results[node] for node in fetches] if several else results[fetches]


# %% no_error_but_inf | loses q2: exp of what is too large is inf, and log of a number below 0 nan,
# as NumPy has it; slow_run raises. | says: run hides an error that a function in COMPUTE raises
# (rule 5)
# %% q2 after the key
def guarded(function, instead):
    def compute(a):
        try:
            return function(a)
        except (OverflowError, ValueError):
            return instead

    return compute


exactly = run


def run(fetches, feeds):
    kept = dict(COMPUTE)
    COMPUTE.update(exp=guarded(math.exp, math.inf), log=guarded(math.log, math.nan))
    try:
        return exactly(fetches, feeds)
    finally:
        COMPUTE.update(kept)


# %% one_list_for_all | loses q2: every call fills and returns the same list, so that earlier
# answers change. | says: needed returns the same list again (rule 2)
# %% q2 after the key
LISTED = []


def needed(fetches, fed=(), needed=needed):
    LISTED[:] = needed(fetches, fed)
    return LISTED


# %% placeholders_listed | loses q2: lists placeholders, which nobody computes. | says: needed lists
# placeholders, which no run computes
# %% q2 after the key
def needed(fetches, fed=()):
    listed, done, waiting = [], set(fed), [(node, False) for node in fetches]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in done:
            done.add(node)
            waiting.append((node, True))
            waiting.extend((x, False) for x in node.inputs)
    return listed


# %% places_on_the_nodes | loses q2: nodes get their place in the list as an attribute, which stays.
# | says: It changes a list, dict or node of the caller (rules 1 and 2)
# %% q2 after the key
def needed(fetches, fed=(), needed=needed):
    listed = needed(fetches, fed)
    for place, node in enumerate(listed):
        node.place = place
    return listed


# %% recursive_run | loses q2: the specification with a memory, by recursion: 20,000 nodes are too
# deep. | says: It calls itself for each node, so that a long chain is too deep (rule 4)
# %% q2 after the key
def run(fetches, feeds):
    results = dict(feeds)

    def number(node):
        if node not in results:
            if node.op == "placeholder":
                raise KeyError(node.name)
            if node.op == "constant":
                results[node] = node.value
            else:
                results[node] = COMPUTE[node.op](*[number(x) for x in node.inputs])
        return results[node]
    return [number(node) for node in fetches] if isinstance(fetches, list) else number(fetches)


# %% recursive_run_with_a_higher_limit | loses q2: recursion, with a higher limit. | says: It calls
# itself for each node, so that a long chain is too deep (rule 4)
# %% q2 after the key
import sys

sys.setrecursionlimit(10**6)


def run(fetches, feeds):
    results = dict(feeds)

    def number(node):
        if node not in results:
            if node.op == "placeholder":
                raise KeyError(node.name)
            if node.op == "constant":
                results[node] = node.value
            else:
                results[node] = COMPUTE[node.op](*[number(x) for x in node.inputs])
        return results[node]
    return [number(node) for node in fetches] if isinstance(fetches, list) else number(fetches)


# %% remembers_what_is_fed | loses q2: fed nodes of an earlier call are left out of the next one,
# too. | says: needed depends on an earlier call (rule 6)
# %% q2 after the key
listed_by_the_key, FED = needed, set()


def needed(fetches, fed=()):
    FED.update(fed)
    return listed_by_the_key(fetches, FED)


# %% results_kept_between_runs | loses q2: keeps the results of one run for the next. | says: A run
# uses results of an earlier one (rule 6)
# %% q2 after the key
kept = {}


def run(fetches, feeds):
    several = isinstance(fetches, list)
    kept.update(feeds)
    results = kept
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


# %% reversed_meeting_order | loses q2: the order of meeting, turned round: near and far users come
# wrong. | says: needed lists a node before one of its inputs
# %% q2 after the key
def needed(fetches, fed=()):
    met, waiting = {}, list(fetches)
    while waiting:
        node = waiting.pop(0)
        if node not in met and node not in fed and node.op != "placeholder":
            met[node] = True
            waiting.extend(node.inputs)
    return list(met)[::-1]


# %% the_names_of_all | loses q2: KeyError names all placeholders that the fetches lead to, fed ones
# too. | says: KeyError must hold the name of the missing placeholder and nothing else
# %% q2 after the key
def run(fetches, feeds, run=run):
    try:
        return run(fetches, feeds)
    except KeyError:
        names, todo = [], list(fetches) if isinstance(fetches, list) else [fetches]
        for node in todo:
            todo.extend(x for x in node.inputs if x not in todo)
            names += [node.name] if node.op == "placeholder" else []
        raise KeyError(", ".join(names)) from None


# %% twins_are_one | loses q2: nodes with the same op and inputs are one; when one of two exp(x) is
# fed, the other gets its number. | says: Two nodes that were made alike are taken for one (rule 1)
# %% q2 after the key
def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    first, alike = {}, {}  # formula -> the node that had it first; node -> that node

    def merge(node):
        formula = (node.op, *(alike[x] for x in node.inputs)) if node.inputs else node
        alike[node] = first.setdefault(formula, node)

    many = isinstance(fetches, list)
    waiting = list(fetches if many else [fetches]) + list(feeds)
    while waiting:
        lacking = [x for x in waiting[-1].inputs if x not in alike]
        if lacking:
            waiting.extend(lacking)
        else:
            merge(waiting.pop())
    found = {alike[node]: number for node, number in feeds.items()}
    waiting = [alike[x] for x in (fetches if many else [fetches])]
    while waiting:
        node = waiting[-1]
        inputs = [alike[x] for x in node.inputs]
        lacking = [x for x in inputs if x not in found]
        if node in found:
            waiting.pop()
        elif lacking:
            waiting.extend(lacking)
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif node.op == "constant":
            found[node] = node.value
        else:
            found[node] = COMPUTE[node.op](*(found[x] for x in inputs))
    numbers = [found[alike[x]] for x in (fetches if many else [fetches])]
    return numbers if many else numbers[0]


# %% users_before_inputs | loses q2: lists a node when it is met, before its inputs. | says: needed
# lists a node before one of its inputs
# %% q2 after the key
def needed(fetches, fed=()):
    listed = []
    waiting = list(fetches)
    while waiting:
        node = waiting.pop()
        if node not in listed and node not in fed and node.op != "placeholder":
            listed.append(node)
            waiting.extend(node.inputs)
    return listed


# %% waits_twice_is_computed_twice | loses q2: a node that is in the waiting list twice (as z for z
# * z, or fetched twice) is computed again when its second entry comes up; the text says at most
# once in a run. Count what COMPUTE does. | says: It computes a node again for another use or
# another fetch (rule 5)
# %% q2 after the key
def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    wanted = list(fetches) if isinstance(fetches, list) else [fetches]
    results, waiting = dict(feeds), list(wanted)
    while waiting:
        node = waiting.pop()
        if node in feeds:
            continue
        if node.op == "constant":
            results[node] = node.value
        elif node.op == "placeholder":
            raise KeyError(node.name)
        else:
            missing = [x for x in node.inputs if x not in results]
            if missing:
                waiting += [node, *missing]
            else:
                results[node] = COMPUTE[node.op](*[results[x] for x in node.inputs])
    numbers = [results[node] for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]


# %% what_constants_make_is_kept | loses q2: nodes made of constants alone are computed once for all
# runs; but a constant may be fed: c = two * three, run(c, {}) and then run(c, {two: 5.0}) gives 6
# again instead of 15. | says: A run uses results of an earlier one (rule 6)
# %% q2 after the key
FIXED = {}


def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    wanted = list(fetches) if isinstance(fetches, list) else [fetches]
    results, waiting = dict(feeds), list(wanted)
    while waiting:
        node = waiting[-1]
        if node in results:
            waiting.pop()
        elif node in FIXED:
            results[node] = FIXED[node]
        elif node.op == "constant":
            results[node] = node.value
        elif node.op == "placeholder":
            raise KeyError(node.name)
        else:
            missing = [x for x in node.inputs if x not in results]
            if missing:
                waiting.extend(missing)
            else:
                results[node] = COMPUTE[node.op](*(results[x] for x in node.inputs))
                if all(x.op == "constant" or x in FIXED for x in node.inputs):
                    FIXED[node] = results[node]
    numbers = [results[node] for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]


# %% writes_into_the_feeds | loses q2: the results go into the caller's dict. | says: It changes a
# list, dict or node of the caller (rules 1 and 2)
# %% q2 after the key
def run(fetches, feeds):
    several = isinstance(fetches, list)
    results = feeds
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


# %% zero_is_no_constant | loses q2: a constant is known by its value being true; constant(0.0) is
# not, and is looked up in COMPUTE: run(x + 0.0, {x: 1.0}) raises KeyError('constant'). | says: A 0
# that is fed, or a constant 0, counts as missing (rule 3)
# %% q2 after the key
def run(fetches, feeds):
    """The numbers of the fetches, from those that are fed."""
    wanted = list(fetches) if isinstance(fetches, list) else [fetches]
    results, waiting = dict(feeds), list(wanted)
    while waiting:
        node = waiting[-1]
        if node in results:
            waiting.pop()
        elif node.value:
            results[node] = node.value
        elif node.op == "placeholder":
            raise KeyError(node.name)
        else:
            missing = [x for x in node.inputs if x not in results]
            if missing:
                waiting.extend(missing)
            else:
                results[node] = COMPUTE[node.op](*(results[x] for x in node.inputs))
    numbers = [results[node] for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]


# %% functions_computed_for_each_use | loses q2: results of exp, log, sin and cos are not kept, and
# computed again for each use. | says: It computes a node again for another use or another fetch
# (rule 5)
# %% q2 after the key
def run(fetches, feeds):
    wanted, results = fetches if isinstance(fetches, list) else [fetches], dict(feeds)

    def value(x):
        if x in feeds or x.op not in ("exp", "log", "sin", "cos"):
            return number(x, results)
        return COMPUTE[x.op](value(x.inputs[0]))

    for node in needed(wanted, list(feeds)):
        if node.op == "constant":
            results[node] = node.value
        elif node.op not in ("exp", "log", "sin", "cos"):
            results[node] = COMPUTE[node.op](*(value(x) for x in node.inputs))
    numbers = [value(node) for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]


# %% fed_constants_computed | loses q2: constants get their own number, although they are fed. |
# says: run computes a constant or an op although it is fed
# %% q2 after the key
def run(fetches, feeds):
    wanted, results = fetches if isinstance(fetches, list) else [fetches], dict(feeds)
    for node in needed(wanted, [x for x in feeds if x.op != "constant"]):
        if node.op == "constant":
            results[node] = node.value
        else:
            results[node] = COMPUTE[node.op](*(number(x, results) for x in node.inputs))
    numbers = [number(node, results) for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]


# %% a_list_of_one_is_opened | loses q2: run([z], feeds) gives a number, as run(z, feeds) does.
# | says: A list of one fetch gives a number
# %% q2 after the key
def run(fetches, feeds, run=run):
    found = run(fetches, feeds)
    return found[0] if isinstance(found, list) and len(found) == 1 else found


# %% each_fetch_has_one_result | loses q2: a node that is fetched twice has one place in the
# results. | says: A node that is fetched twice has only one result
# %% q2 after the key
def run(fetches, feeds, run=run):
    return run(list(dict.fromkeys(fetches)) if isinstance(fetches, list) else fetches, feeds)
