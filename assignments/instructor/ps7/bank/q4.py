"""Wrong answers to q4 of ps7."""


# %% adds_into_the_answer | loses q4: the first cotangent of a value becomes the sum, in place.
# | says: It adds into an array that loop_vjp returned
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, captured_bars = loop_vjp(start, captured, bars)
    totals = [None] * len(values)
    for i, bar in [*zip(start_at, start_bars), *zip(captured_at, captured_bars)]:
        if bar is not None and totals[i] is None:
            totals[i] = np.asarray(bar)
        elif bar is not None:
            totals[i] += bar
    return [np.zeros(np.shape(x)) if total is None else total for total, x in zip(totals, values)]


# %% asked_for_each_value | loses q4: one backward pass for each value.
# | says: loop_vjp is called more than once
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    def total(number):
        start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
        start_bars, captured_bars = loop_vjp(start, captured, bars)
        places = [*zip(start_at, start_bars), *zip(captured_at, captured_bars)]
        mine = [bar for i, bar in places if i == number and bar is not None]
        return sum(mine, np.zeros(np.shape(values[number])))

    return [total(number) for number in range(len(values))]


# %% by_their_arrays | loses q4: values are found by their arrays.
# | says: Values are found by their numbers or their arrays
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, captured_bars = loop_vjp(start, captured, bars)
    totals = {id(x): np.zeros(np.shape(x)) for x in values}
    for x, bar in [*zip(start, start_bars), *zip(captured, captured_bars)]:
        if bar is not None:
            totals[id(x)] = totals[id(x)] + bar
    return [totals[id(x)] for x in values]


# %% by_their_numbers | loses q4: values are found by their numbers.
# | says: Values are found by their numbers or their arrays
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, captured_bars = loop_vjp(start, captured, bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    for x, bar in [*zip(start, start_bars), *zip(captured, captured_bars)]:
        for i, value in enumerate(values):
            if bar is not None and np.array_equal(value, x):
                totals[i] = totals[i] + bar
    return totals


# %% captured_only | loses q4: the cotangents of the start are left out.
# | says: The places at the start are left out
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    _, found = loop_vjp([values[i] for i in start_at], [values[i] for i in captured_at], bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    for i, bar in zip(captured_at, found):
        totals[i] = totals[i] if bar is None else totals[i] + bar
    return totals


# %% everything_is_captured | loses q4: all values are captured, whatever the indices say.
# | says: loop_vjp gets other values than those at start_at and captured_at
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start_bars, captured_bars = loop_vjp([values[i] for i in start_at], list(values), bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    for i, bar in [*zip(start_at, start_bars), *zip(captured_at, captured_bars)]:
        totals[i] = totals[i] if bar is None else totals[i] + bar
    return totals


# %% none_is_added | loses q4: adds None.
# | says: It computes with None
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start_bars, captured_bars = loop_vjp(
        [values[i] for i in start_at], [values[i] for i in captured_at], bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    for i, bar in [*zip(start_at, start_bars), *zip(captured_at, captured_bars)]:
        totals[i] = totals[i] + bar
    return totals


# %% start_or_captured | loses q4: a value that starts the loop is not looked for elsewhere.
# | says: The captured places of a value that also starts the loop are left out
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, captured_bars = loop_vjp(start, captured, bars)
    totals = []
    for i, value in enumerate(values):
        places, found = (start_at, start_bars) if i in start_at else (captured_at, captured_bars)
        mine = [bar for j, bar in zip(places, found) if j == i and bar is not None]
        totals.append(sum(mine, np.zeros(np.shape(value))))
    return totals


# %% the_first_place_counts | loses q4: the first place of each value is looked up.
# | says: Only the first place of a value counts
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, captured_bars = loop_vjp(start, captured, bars)
    places, found = [*start_at, *captured_at], [*start_bars, *captured_bars]
    bars = [found[places.index(i)] if i in places else None for i in range(len(values))]
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% the_last_place_counts | loses q4: a dict holds one cotangent for each index.
# | says: Only the last place of a value counts
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, captured_bars = loop_vjp(start, captured, bars)
    found = dict([*zip(start_at, start_bars), *zip(captured_at, captured_bars)])
    bars = [found.get(i) for i in range(len(values))]
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% unused_are_none | loses q4: a value without a place gets None.
# | says: It leaves None where the cotangent is zero
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, captured_bars = loop_vjp(start, captured, bars)
    totals = [None] * len(values)
    for i, bar in [*zip(start_at, start_bars), *zip(captured_at, captured_bars)]:
        if bar is not None:
            totals[i] = bar if totals[i] is None else totals[i] + bar
    return totals


# %% seeds_by_index | loses q4: looks the seeds up by the indices.
# | says: loop_vjp does not get the seeds as they are
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    seeds = [bars[start_at.index(i)] for i in start_at]
    a, b = loop_vjp([values[i] for i in start_at], [values[i] for i in captured_at], seeds)
    result = [np.zeros(np.shape(v)) for v in values]
    for i, x in [*zip(start_at, a), *zip(captured_at, b)]:
        if x is not None:
            result[i] = result[i] + x
    return result


# %% the_start_is_assigned | loses q4: = for += at the start, so one of two places counts.
# | says: stands twice in start_at, only one of its places
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, captured_bars = loop_vjp(start, captured, bars)
    totals = [np.zeros(np.shape(x)) for x in values]
    for i, bar in zip(start_at, start_bars):
        if bar is not None:
            totals[i] = bar
    for i, bar in zip(captured_at, captured_bars):
        if bar is not None:
            totals[i] = totals[i] + bar
    return totals


# %% captured_by_index | loses q4: `index` finds the first of two captured places.
# | says: stands twice in captured_at, only one of its places
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, captured_bars = loop_vjp(start, captured, bars)
    totals = [np.zeros(np.shape(x)) for x in values]
    for i, bar in zip(start_at, start_bars):
        if bar is not None:
            totals[i] = totals[i] + bar
    for i in set(captured_at):
        bar = captured_bars[captured_at.index(i)]
        if bar is not None:
            totals[i] = totals[i] + bar
    return totals


# %% a_dict_of_places | loses q4: a dict has one cotangent for each index. | says: is not the sum
# over the places where it stands
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start_bars, captured = loop_vjp(
        [values[i] for i in start_at], [values[i] for i in captured_at], bars
    )
    first, second = dict(zip(start_at, start_bars)), dict(zip(captured_at, captured))
    found = []
    for i, value in enumerate(values):
        total = np.zeros(np.shape(value))
        for part in (first.get(i), second.get(i)):
            if part is not None:
                total = total + part
        found.append(total)
    return found
