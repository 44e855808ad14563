"""Wrong answers to q5 of ps7."""


# %% asked_about_duals | loses q5: the condition is asked about dual numbers.
# | says: The condition is asked about Duals
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition(carry, inside):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, bars)
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% bars_lose_their_tangents | loses q5: the cotangents lose their tangents after each iteration.
# | says: In the backward pass, the cotangents lose their tangents
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, bars)
        bars = [value_of(x) for x in filled(bars, start)]
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% captured_do_not_move | loses q5: the captured values are constants.
# | says: The captured values do not move
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), list(captured), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, bars)
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% captured_move_forward_only | loses q5: the backward pass reads them without tangents.
# | says: The backward pass reads captured values without their tangents
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, captured, bars)
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% carries_lose_their_tangents | loses q5: the saved carries have no tangents.
# | says: The backward pass reads carries without their tangents
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append([value_of(x) for x in carry])
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, bars)
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% counts_as_floats_in_duals | loses q5: counts become floats, which cannot be an index.
# | says: A count does not stay an integer
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, bars)
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [Dual(1.0 * x, np.zeros(np.shape(x)) if dot is None else dot)
            for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% everything_has_a_tangent | loses q5: reads .tangent of what may be a plain array.
# | says: It reads the value or the tangent of a plain array
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, bars)
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [x.tangent for x in bars], [x.tangent for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% none_as_a_tangent | loses q5: a Dual whose tangent is None.
# | says: It computes with None
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, bars)
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% one_iteration_contributes | loses q5: the sums are replaced, not added to.
# | says: Only one iteration contributes
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, bars)
        bars = filled(bars, start)
        totals = filled(parts, captured)
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% seeds_move | loses q5: the seeds move as the start does.
# | says: The seeds move, but they are constants
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = duals(filled(bars, start), start_dots), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, bars)
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% still_where_the_seed_is_none | loses q5: a value whose seed is None is thought to stand still.
# | says: A value whose seed is None does not move
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    start_dots = [None if bar is None else dot for bar, dot in zip(bars, start_dots)]
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, bars)
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% the_cotangents_themselves | loses q5: their values, not their tangents.
# | says: It returns the cotangents, and not their tangents
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, bars)
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [value_of(x) for x in bars], [value_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% a_difference_of_gradients | loses q5: a difference quotient has half of the digits.
# | says: Only the first digits are right
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    def gradient(step):
        carry = moved(start, start_dots, step)
        inside, saved = moved(captured, captured_dots, step), []
        while loop.condition(carry, inside):
            saved.append(carry)
            carry = loop.body(carry, inside)
        now, totals = filled(bars, start), filled([None] * len(captured), captured)
        for came_in in reversed(saved):
            now, parts = loop.body_vjp(came_in, inside, now)
            now = filled(now, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
        return now, totals

    pairs = zip(gradient(1e-6), gradient(-1e-6))
    return tuple([(up - down) / 2e-6 for up, down in zip(*pair)] for pair in pairs)


def moved(values, dots, step):
    return [x if dot is None else x + step * dot for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% recursion_for_each_iteration | loses q5: nested calls, which end at a thousand.
# | says: It calls itself for each iteration
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    inside = duals(captured, captured_dots)
    totals = filled([None] * len(captured), captured)

    def go(carry):
        if not loop.condition([value_of(x) for x in carry], captured):
            return filled(bars, start)
        into, parts = loop.body_vjp(carry, inside, go(loop.body(carry, inside)))
        totals[:] = [a + b for a, b in zip(totals, filled(parts, captured))]
        return filled(into, start)

    found = go(duals(start, start_dots))
    return [tangent_of(x) for x in found], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% recursion_above_the_limit | loses q5: a nested call for each iteration, with a higher
# limit. | says: It calls itself for each iteration
import sys

sys.setrecursionlimit(10**6)


def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    inside = duals(captured, captured_dots)
    totals = filled([None] * len(captured), captured)

    def go(carry):
        if not loop.condition([value_of(x) for x in carry], captured):
            return filled(bars, start)
        into, parts = loop.body_vjp(carry, inside, go(loop.body(carry, inside)))
        totals[:] = [a + b for a, b in zip(totals, filled(parts, captured))]
        return filled(into, start)

    found = go(duals(start, start_dots))
    return [tangent_of(x) for x in found], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% condition_gets_moving_weights | loses q5: only the carry is made plain.
# | says: The condition is asked about Duals
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    zero = lambda v: np.zeros(np.shape(v))
    carry = [v if d is None else Dual(v, d) for v, d in zip(start, start_dots)]
    w = [v if d is None else Dual(v, d) for v, d in zip(captured, captured_dots)]
    saved = []
    while loop.condition([value_of(c) for c in carry], w):
        saved.append(carry)
        carry = loop.body(carry, w)
    now = [zero(v) if b is None else b for b, v in zip(bars, start)]
    sums = [zero(v) for v in captured]
    for c in saved[::-1]:
        now, parts = loop.body_vjp(c, w, now)
        now = [zero(v) if b is None else b for b, v in zip(now, start)]
        sums = [s if p is None else s + p for s, p in zip(sums, parts)]
    return [tangent_of(b) for b in now], [tangent_of(b) for b in sums]


# %% pair_in_the_wrong_order | loses q5: the captured values come first.
# | says: The pair has the wrong order
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    zero = lambda v: np.zeros(np.shape(v))
    carry = [v if d is None else Dual(v, d) for v, d in zip(start, start_dots)]
    w = [v if d is None else Dual(v, d) for v, d in zip(captured, captured_dots)]
    saved = []
    while loop.condition([value_of(c) for c in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, w)
    now = [zero(v) if b is None else b for b, v in zip(bars, start)]
    sums = [zero(v) for v in captured]
    for c in saved[::-1]:
        now, parts = loop.body_vjp(c, w, now)
        now = [zero(v) if b is None else b for b, v in zip(now, start)]
        sums = [s if p is None else s + p for s, p in zip(sums, parts)]
    return [tangent_of(b) for b in sums], [tangent_of(b) for b in now]


# %% arrays_of_duals | loses q5: np.array around a Dual.
# | says: The lists hold something other than arrays and numbers
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    zero = lambda v: np.zeros(np.shape(v))
    carry = [v if d is None else Dual(v, d) for v, d in zip(start, start_dots)]
    w = [v if d is None else Dual(v, d) for v, d in zip(captured, captured_dots)]
    saved = []
    while loop.condition([value_of(c) for c in carry], captured):
        saved.append([np.array(c) for c in carry])
        carry = loop.body(carry, w)
    now = [zero(v) if b is None else b for b, v in zip(bars, start)]
    sums = [zero(v) for v in captured]
    for c in saved[::-1]:
        now, parts = loop.body_vjp(c, w, now)
        now = [zero(v) if b is None else np.array(b) for b, v in zip(now, start)]
        sums = [s if p is None else s + p for s, p in zip(sums, parts)]
    return [tangent_of(b) for b in now], [tangent_of(b) for b in sums]


# %% plain_cotangents_for_the_rule | loses q5: the rule gets the values of the cotangents.
# | says: The rule gets cotangents without their tangents
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, saved = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, inside, [value_of(bar) for bar in bars])
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def duals(values, dots):
    return [x if dot is None else Dual(x, dot) for x, dot in zip(values, dots)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% duals_into_the_list | loses q5: puts its Duals into the caller's list of captured values.
# | says: It writes into one of the lists that it was given
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    plain, carry, saved = list(captured), list(start), []
    for values, dots in ((carry, start_dots), (captured, captured_dots)):
        for i, dot in enumerate(dots):
            if dot is not None:
                values[i] = Dual(values[i], dot)
    while loop.condition([value_of(x) for x in carry], plain):
        saved.append(carry)
        carry = loop.body(carry, captured)
    bars, totals = filled(bars, start), filled([None] * len(plain), plain)
    for came_in in reversed(saved):
        bars, parts = loop.body_vjp(came_in, captured, bars)
        bars = filled(bars, start)
        totals = [a + b for a, b in zip(totals, filled(parts, plain))]
    return [tangent_of(x) for x in bars], [tangent_of(x) for x in totals]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]
