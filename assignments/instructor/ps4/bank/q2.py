"""Wrong answers to q2 of ps4."""


# %% a_fed_zero_is_no_feed | loses q2: a node that is fed with 0.0 is computed all the same.
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


# %% a_sentence_for_a_name | loses q2: KeyError holds a sentence about the placeholder, not its
# name.
# %% q2 after the key
def run(fetches, feeds, run=run):
    try:
        return run(fetches, feeds)
    except KeyError as error:
        raise KeyError(f"the placeholder {error.args[0]!r} is needed and not fed") from None


# %% along_every_path | loses q2: no recursion, but every path is walked: exponential time.
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


# %% cached_by_the_numbers | loses q2: results are kept by fetches and fed numbers, not by which
# nodes are fed: x - y with x = 2 and y = 3, then with y = 2 and x = 3, is -1 twice.
# %% q2 after the key
compute_all, ran = run, {}


def run(fetches, feeds):
    several = isinstance(fetches, list)
    key = (tuple(fetches) if several else fetches, tuple(feeds.values()))
    if key not in ran:
        ran[key] = compute_all(fetches, feeds)
    return list(ran[key]) if several else ran[key]


# %% computes_everything_below | loses q2: computes all that the fetches were made from, even below
# a fed node.
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


# %% each_fetch_alone | loses q2: what two fetches need is computed for each of them.
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


# %% empties_the_fetches | loses q2: the caller's list of fetches is used up.
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


# %% errors_are_results | loses q2: everything below the fetches is computed, below fed nodes, too;
# an error is kept as a result, and raised only where it is needed.
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
# same.
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


# %% feeds_by_name | loses q2: placeholders are told apart by their names.
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
# before.
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


# %% fetches_sorted_by_readiness | loses q2: gives the results in the order in which they were
# computed.
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
# ZeroDivisionError.
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


# %% left_behind_by_an_error | loses q2: results stand on the nodes and are taken off at the end,
# which a run that raises never reaches: the next one uses them.
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


# %% missing_feed_is_zero | loses q2: a placeholder that nobody fed counts as 0.
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
# as NumPy has it; slow_run raises.
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


# %% recursive_run | loses q2: the specification with a memory, by recursion: 20,000 nodes are too
# deep.
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


# %% results_kept_between_runs | loses q2: keeps the results of one run for the next.
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


# %% the_names_of_all | loses q2: KeyError names all placeholders that the fetches lead to, fed ones
# too.
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


# %% the_plan_is_kept | loses q2: the plan of a run is kept for the next one of the same fetches,
# with the values of its constants: one that was changed in between does not show.
PLANS = {}


def run(fetches, feeds):
    wanted = list(fetches) if isinstance(fetches, list) else [fetches]
    key = tuple(wanted), frozenset(feeds)
    if key not in PLANS:
        PLANS[key] = plan(wanted, feeds)
    constants, steps = PLANS[key]
    results = {**constants, **feeds}
    for node, compute, inputs in steps:
        results[node] = compute(*[results[x] for x in inputs])
    numbers = [results[node] for node in wanted]
    return numbers if isinstance(fetches, list) else numbers[0]


def plan(wanted, feeds):
    constants, steps, done, waiting = {}, [], set(feeds), list(wanted)
    while waiting:
        node = waiting[-1]
        missing = [x for x in node.inputs if x not in done]
        if node in done:
            waiting.pop()
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif missing:
            waiting.extend(missing)
        else:
            done.add(node)
            if node.op == "constant":
                constants[node] = node.value
            else:
                steps.append((node, COMPUTE[node.op], node.inputs))
    return constants, steps


# %% twins_are_one | loses q2: nodes with the same op and inputs are one; when one of two exp(x) is
# fed, the other gets its number.
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


# %% waits_twice_is_computed_twice | loses q2: a node that is in the waiting list twice (as z for z
# * z, or fetched twice) is computed again when its second entry comes up; the text says at most
# once in a run. Count what COMPUTE does.
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
# again instead of 15.
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


# %% whole_numbers_are_floats | loses q2: whole numbers that are fed become floats, which 10**400 is
# too large for.
# %% q2 after the key
def run(fetches, feeds, run=run):
    return run(fetches, {x: float(a) if type(a) is int else a for x, a in feeds.items()})


# %% writes_into_the_feeds | loses q2: the results go into the caller's dict.
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
# not, and is looked up in COMPUTE: run(x + 0.0, {x: 1.0}) raises KeyError('constant').
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
