"""Wrong answers to q2 of ps7."""


# %% asks_the_condition | loses q2: the way back goes on while the condition of the way there holds.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        if not loop.condition(carry, captured):
            break
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return found[::-1]


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% by_recursion | loses q2: a nested call for each iteration, which ends at a thousand.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    if len(carries) == 1:
        return [as_bars(bars, carries[0])]
    later = walk_back(loop, carries[1:], captured, bars)
    into, _ = loop.back(copies(carries[0]), captured, copies(later[0]))
    return [as_bars(into, carries[0]), *later]


def as_bars(bars, values):
    pairs = zip(bars, values, strict=True)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    return [np.array(value) for value in values]


# %% copies_what_it_has_met | loses q2: copies arrays that it has met before; views of what is kept
# are new each time.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    answers, known = [], []
    now = [np.zeros(np.shape(x)) if b is None else np.array(b, dtype=float)
           for b, x in zip(bars, carries[-1])]
    found = [now]
    for carry in reversed(carries[:-1]):
        given = [np.array(bar) for bar in found[0]]
        into, _ = loop.back([np.array(x) for x in carry], captured, given)
        mine = []
        for bar, x in zip(into, carry):
            if bar is None:
                mine.append(np.zeros(np.shape(x)))
            elif type(bar) is not np.ndarray or bar.dtype != float:
                mine.append(np.array(bar, dtype=float))
            else:
                met = any(bar is one for one in known)
                mine.append(np.array(bar) if met else bar)
                known.append(bar)
        found.insert(0, mine)
        answers.append(mine)
        if len(answers) == 1:  # the first answer cannot be told from one that is kept
            found[0] = [np.array(bar) for bar in mine]
    return found


# %% in_the_order_of_the_walk | loses q2: the list begins with the seeds.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return found


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% none_ends_it | loses q2: when no seed is given nothing is asked of the rule.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    if all(bar is None for bar in bars):
        return [as_bars(bars, carry) for carry in carries]
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return found[::-1]


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% none_means_as_before | loses q2: where there is no path the bar of the later iteration stays.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        into = [old if new is None else new for old, new in zip(found[-1], into)]
        found.append(as_bars(into, carry))
    return found[::-1]


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% one_zero_for_all_shapes | loses q2: a missing path becomes one 0.0, whatever the shape.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return found[::-1]


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.array(0.0) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% reads_what_left | loses q2: the rule gets the carry that left the iteration.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [as_bars(bars, carries[-1])]
    for carry, left in zip(carries[-2::-1], carries[::-1]):
        into, _ = loop.back(copies(left), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return found[::-1]


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% remembers_the_walk | loses q2: what one call has found is found by the next one too.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    walked.append(as_bars(bars, carries[-1]))
    found = walked
    for carry in carries[-2::-1]:
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return found[::-1]


walked = []


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% runs_it_again | loses q2: the body is run again for every iteration.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        loop.body(copies(carry), captured)
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return found[::-1]


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% seeds_are_handed_on | loses q2: without a copy the seeds are the caller's arrays.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return found[::-1]


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.asarray(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% the_rule_gets_the_bars | loses q2: a rule that works in place changes the bars that are kept.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.back(copies(carry), captured, found[-1])
        found.append(as_bars(into, carry))
    return found[::-1]


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% the_rule_gets_the_crumbs | loses q2: a rule that works in place changes the carries.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.back(carry, captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return found[::-1]


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% the_rule_gets_whole_bars | loses q2: whole seeds become floats at the end; the rule, which gets
# floats, got them whole.
def walk_back(loop, carries, captured, bars):
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return [[np.array(x, float) for x in y] for y in found[::-1]]


def as_bars(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar) for bar, x in pairs]


def copies(values):
    return [np.array(value) for value in values]


# %% whole_cotangents_of_a_rule | loses q2: what the rule says in whole numbers stays whole.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""

    def fill(bars, carry):
        return [np.zeros(np.shape(x)) if bar is None else np.array(bar)
                for bar, x in zip(bars, carry)]

    found = [[np.array(bar, float) for bar in fill(bars, carries[-1])]]
    for carry in carries[-2::-1]:
        given = [np.array(x) for x in carry]
        into, _ = loop.back(given, captured, [np.array(bar) for bar in found[-1]])
        found.append(fill(into, carry))
    return found[::-1]


# %% whole_numbers_have_no_bars | loses q2: the cotangent of a whole number is zeros, whatever its
# seed or its rule says.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""

    def filled(bars, carry):
        return [np.zeros(np.shape(x)) if bar is None or np.asarray(x).dtype.kind in "iub"
                else np.array(bar, dtype=float) for bar, x in zip(bars, carry)]

    found = [filled(bars, carries[-1])]
    for carry in reversed(carries[:-1]):
        given = [np.array(x) for x in carry]
        into, _ = loop.back(given, captured, [np.array(bar) for bar in found[0]])
        found.insert(0, filled(into, carry))
    return found


# %% whole_zeros | loses q2: a count gets whole numbers, which cut what is added to them.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return found[::-1]


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [
        np.zeros_like(x) if bar is None else np.array(bar, np.asarray(x).dtype) for bar, x in pairs
    ]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]


# %% zeros_by_times_zero | loses q2: the zeros of a missing seed are 0.0 times the value, so NaN
# where that is infinite.
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = []

    def keep(bars, carry):
        found.append([np.array(0.0 * x if bar is None else bar, dtype=float)
                      for bar, x in zip(bars, carry)])

    with np.errstate(invalid="ignore"):
        keep(bars, carries[-1])
        for carry in carries[:-1][::-1]:
            into, _ = loop.back([np.array(x) for x in carry], captured,
                                [np.array(bar) for bar in found[-1]])
            keep(into, carry)
    return found[::-1]
