"""Wrong answers to q5 of ps7."""


# %% a_complex_step | loses q5: a step of 1e-7 into the imaginary direction, too far along dots of a
# million.
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    step = 1e-7

    def moved(values, dots):
        return [x if dot is None or not np.any(dot) else x + 1j * step * dot
                for x, dot in zip(values, dots)]

    def filled(some, others):
        return [np.zeros(np.shape(x)) if b is None else b for b, x in zip(some, others)]

    there = moved(captured, captured_dots)
    crumbs = [moved(start, start_dots)]
    while loop.condition([np.real(x) for x in crumbs[-1]], captured):
        crumbs.append(loop.body(crumbs[-1], there))
    bars = filled(bars, crumbs[-1])
    totals = filled([None] * len(captured), captured)
    for carry in crumbs[-2::-1]:
        into, parts = loop.back(carry, there, bars)
        bars = filled(into, carry)
        totals = [t if part is None else t + part for t, part in zip(totals, parts)]
    return ([np.array(np.imag(b) / step) for b in bars],
            [np.array(np.imag(t) / step) for t in totals])


# %% asked_about_duals | loses q5: the condition is asked about moving numbers.
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    carry, inside, kept = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition(carry, inside):
        kept.append(carry)
        carry = loop.body(carry, inside)
    now, totals = filled_in(bars, start), filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = filled_in(now, start)
        totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))


def duals(values, dots):
    pairs = zip(dots, values)
    return [Dual(x, np.zeros(np.shape(x)) if dot is None else dot) for dot, x in pairs]


def filled_in(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in pairs]


# %% bars_stand_still | loses q5: on the way back the bars lose their movement after each iteration.
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    carry, inside, kept = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        kept.append(carry)
        carry = loop.body(carry, inside)
    now, totals = filled_in(bars, start), filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = [value_of(x) for x in filled_in(now, start)]
        totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))


def duals(values, dots):
    pairs = zip(dots, values)
    return [Dual(x, np.zeros(np.shape(x)) if dot is None else dot) for dot, x in pairs]


def filled_in(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in pairs]


# %% by_small_steps | loses q5: a difference of two slopes: two runs, and half of the digits.
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    def at(step):
        values = []
        for given, dots in ((start, start_dots), (captured, captured_dots)):
            pairs = zip(given, dots)
            values.append([x if dot is None else x + step * dot for x, dot in pairs])
        carry, inside = values
        kept = []
        while loop.condition(carry, inside):
            kept.append(carry)
            carry = loop.body(carry, inside)
        now = filled_in(bars, start)
        totals = filled_in([None] * len(captured), captured)
        for before in reversed(kept):
            now, parts = loop.back(before, inside, now)
            now = filled_in(now, start)
            totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
        return now, totals
    pairs = zip(at(1e-5), at(-1e-5))
    return tuple([np.array((a - b) / 2e-5, float) for a, b in zip(*pair)] for pair in pairs)


def filled_in(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in pairs]


# %% captured_stand_still | loses q5: what is captured does not move.
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    carry, inside, kept = duals(start, start_dots), duals(captured, [None] * len(captured)), []
    while loop.condition([value_of(x) for x in carry], captured):
        kept.append(carry)
        carry = loop.body(carry, inside)
    now, totals = filled_in(bars, start), filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = filled_in(now, start)
        totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))


def duals(values, dots):
    pairs = zip(dots, values)
    return [Dual(x, np.zeros(np.shape(x)) if dot is None else dot) for dot, x in pairs]


def filled_in(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in pairs]


# %% counts_move_as_floats | loses q5: counts become floats, which no condition can look up in a
# list.
# %% q5 after the key
def duals(values, dots):
    pairs = zip(dots, values)
    return [Dual(np.array(x, float), np.zeros(np.shape(x)) if dot is None else dot)
            for dot, x in pairs]


# %% crumbs_stand_still | loses q5: the carries are kept without their movement.
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    carry, inside, kept = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        kept.append([value_of(x) for x in carry])
        carry = loop.body(carry, inside)
    now, totals = filled_in(bars, start), filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = filled_in(now, start)
        totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))


def duals(values, dots):
    pairs = zip(dots, values)
    return [Dual(x, np.zeros(np.shape(x)) if dot is None else dot) for dot, x in pairs]


def filled_in(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in pairs]


# %% everything_has_a_value | loses q5: `.value` of all that a body returns, which may be a plain
# array.
# %% q5 after the key
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, kept = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([x.value for x in carry], captured):
        kept.append(carry)
        carry = loop.body(carry, inside)
    now, totals = filled_in(bars, start), filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = filled_in(now, start)
        totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))


# %% one_movement_for_two | loses q5: hands out what `back` answered: one array, where one Dual
# stands at two places.
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""

    def still(x):
        return np.zeros(np.shape(value_of(x)))

    def dual(x, dot):
        return Dual(x, still(x) if dot is None else dot)

    moved = [dual(x, dot) for x, dot in zip(captured, captured_dots)]
    crumbs = [[dual(x, dot) for x, dot in zip(start, start_dots)]]
    while loop.condition([value_of(x) for x in crumbs[-1]], captured):
        crumbs.append(loop.body(crumbs[-1], moved))
    bars = [still(x) if bar is None else bar for bar, x in zip(bars, crumbs.pop())]
    totals = [still(x) for x in captured]
    while crumbs:
        carry = crumbs.pop()
        bars, parts = loop.back(carry, moved, bars)
        bars = [still(x) if bar is None else bar for bar, x in zip(bars, carry)]
        totals = [t if part is None else t + part for t, part in zip(totals, parts)]
    return ([np.asarray(dot_of(b), dtype=float) for b in bars],
            [np.asarray(dot_of(t), dtype=float) for t in totals])


# %% still_where_none_is_a_seed | loses q5: a value whose seed is None is thought to stand still.
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    start_dots = [None if b is None else d for b, d in zip(bars, start_dots)]
    carry, inside, kept = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        kept.append(carry)
        carry = loop.body(carry, inside)
    now, totals = filled_in(bars, start), filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = filled_in(now, start)
        totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))


def duals(values, dots):
    pairs = zip(dots, values)
    return [Dual(x, np.zeros(np.shape(x)) if dot is None else dot) for dot, x in pairs]


def filled_in(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in pairs]


# %% the_last_share_moves | loses q5: of the captured values' shares only the first iteration's is
# left.
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    carry, inside, kept = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        kept.append(carry)
        carry = loop.body(carry, inside)
    now, totals = filled_in(bars, start), filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = filled_in(now, start)
        totals = filled_in(parts, captured)
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))


def duals(values, dots):
    pairs = zip(dots, values)
    return [Dual(x, np.zeros(np.shape(x)) if dot is None else dot) for dot, x in pairs]


def filled_in(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in pairs]


# %% the_seeds_move | loses q5: the seeds move as the start does.
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    carry, inside, kept = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        kept.append(carry)
        carry = loop.body(carry, inside)
    now = duals(filled_in(bars, start), start_dots)
    totals = filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = filled_in(now, start)
        totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))


def duals(values, dots):
    pairs = zip(dots, values)
    return [Dual(x, np.zeros(np.shape(x)) if dot is None else dot) for dot, x in pairs]


def filled_in(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in pairs]


# %% whole_numbers_have_no_dots | loses q5: the slope of a whole number is thought to be zeros,
# which never move.
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, kept = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        kept.append(carry)
        carry = loop.body(carry, inside)
    now, totals = filled_in(bars, start), filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = filled_in(now, start)
        totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))


def duals(values, dots):
    pairs = zip(dots, values)
    return [Dual(x, np.zeros(np.shape(x)) if dot is None else dot) for dot, x in pairs]


def filled_in(bars, values):
    still = [bar is None or np.asarray(x).dtype.kind == "i" for bar, x in zip(bars, values)]
    return [np.zeros(np.shape(x)) if s else bar for s, bar, x in zip(still, bars, values)]
