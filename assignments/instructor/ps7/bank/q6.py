"""Wrong answers to q6 of ps7."""


# %% a_checkpoint_too_late | loses q6: the checkpoint is saved after the iteration.
# | says: The segments do not begin or end where they should
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        carry = loop.body(carry, captured)
        if count % every == 0:
            checkpoints.append(carry)
        count += 1
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        count = first
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% adds_into_the_first_contribution | loses q6: the first contribution becomes the sum.
# | says: It adds into an array that the rule returned
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    bars, totals = filled(bars, start), [None] * len(captured)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        count = first
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            for i, part in enumerate(filled(parts, captured)):
                if totals[i] is None:
                    totals[i] = np.asarray(part)
                else:
                    totals[i] += part
    return bars, filled(totals, captured)


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% all_carries_are_saved | loses q6: the forward pass saves every carry.
# | says: Too many carries stay in memory
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count, carries = [], start, 0, []
    while loop.condition(carry, captured):
        carries.append(carry)
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        count = first
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% asks_in_every_segment | loses q6: a segment is run while the condition holds.
# | says: The condition is asked again
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while loop.condition(segment[-1], captured) and first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        count = first
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% contributions_are_listed | loses q6: the contributions are kept, and added at the end.
# | says: Too many carries stay in memory
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    bars, totals = filled(bars, start), [filled([None] * len(captured), captured)]
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        count = first
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            totals.append(filled(parts, captured))
    return bars, [sum(parts) for parts in zip(*totals)]


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% from_the_start_each_time | loses q6: no memory, but n² calls.
# | says: The body runs more often than once forward
def checkpointed_bars(loop, start, captured, bars, every):
    carry, count = start, 0
    while loop.condition(carry, captured):
        carry = loop.body(carry, captured)
        count += 1
    now, totals = filled(bars, start), filled([None] * len(captured), captured)
    for left in reversed(range(count)):
        carry = start
        for _ in range(left):
            carry = loop.body(carry, captured)
        now, parts = loop.body_vjp(carry, captured, now)
        now = filled(now, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return now, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% full_segments_only | loses q6: the last segment, which may be shorter, runs too far.
# | says: The segments do not begin or end where they should
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while len(segment) < every:
            segment.append(loop.body(segment[-1], captured))
        count = first
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% none_for_the_rule | loses q6: None as a seed goes into the rule.
# | says: It computes with None
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    totals = filled([None] * len(captured), captured)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        count = first
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% old_segments_are_kept | loses q6: what a segment has saved is never freed.
# | says: Too many carries stay in memory
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    done = []
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        count = first
        done.append(list(segment))
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% segments_too_long | loses q6: segments ten times as long as `every` says.
# | says: Too many carries stay in memory
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count, every = [], start, 0, 10 * every
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        count = first
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% segments_in_order | loses q6: the first segment goes backward first.
# | says: The segments do not begin or end where they should
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    ends = [*range(every, count, every), count]
    for number, checkpoint in enumerate(checkpoints):
        first, count, segment = every * number, ends[number], [checkpoint]
        while first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% segment_by_recursion | loses q6: a nested call for each iteration of a segment.
# | says: It calls itself for each iteration
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    totals = filled([None] * len(captured), captured)

    def through(carry, left, bars):
        if left > 1:
            bars = through(loop.body(carry, captured), left - 1, bars)
        bars, parts = loop.body_vjp(carry, captured, bars)
        totals[:] = [a + b for a, b in zip(totals, filled(parts, captured))]
        return filled(bars, start)

    bars = filled(bars, start)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        bars = through(checkpoints.pop(), count - first, bars)
        count = first
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% segment_by_recursion_above_the_limit | loses q6: a nested call for each iteration of a segment,
# with a higher limit. | says: It calls itself for each iteration
import sys

sys.setrecursionlimit(10**6)


def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    totals = filled([None] * len(captured), captured)

    def through(carry, left, bars):
        if left > 1:
            bars = through(loop.body(carry, captured), left - 1, bars)
        bars, parts = loop.body_vjp(carry, captured, bars)
        totals[:] = [a + b for a, b in zip(totals, filled(parts, captured))]
        return filled(bars, start)

    bars = filled(bars, start)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        bars = through(checkpoints.pop(), count - first, bars)
        count = first
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% sums_of_a_segment | loses q6: the sums begin again in each segment.
# | says: The sums of the captured values begin at zero again in each segment
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        count = first
        totals = filled([None] * len(captured), captured)
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% the_first_value_counts | loses q6: takes the first carried value for the number of iterations.
# | says: The segments do not begin or end where they should
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if int(np.sum(carry[0] - start[0])) % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    bars, totals = filled(bars, start), filled([None] * len(captured), captured)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        count = first
        while segment:
            bars, parts = loop.body_vjp(segment.pop(), captured, bars)
            bars = filled(bars, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return bars, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% seeds_for_each_segment | loses q6: each segment begins with the seeds.
# | says: Each segment begins with the seeds
def checkpointed_bars(loop, start, captured, bars, every):
    points, carry, n = [], start, 0
    while loop.condition(carry, captured):
        if n % every == 0:
            points.append(carry)
        carry = loop.body(carry, captured)
        n += 1
    seeds = [np.zeros(np.shape(x)) if b is None else b for b, x in zip(bars, start)]
    sums, now = [np.zeros(np.shape(w)) for w in captured], seeds
    for k in reversed(range(len(points))):
        segment, now = [points.pop()], seeds
        for _ in range(min(every, n - k * every) - 1):
            segment.append(loop.body(segment[-1], captured))
        while segment:
            now, parts = loop.body_vjp(segment.pop(), captured, now)
            now = [np.zeros(np.shape(x)) if b is None else b for b, x in zip(now, start)]
            sums = [s if p is None else s + p for s, p in zip(sums, parts)]
    return now, sums


# %% the_rest_is_forgotten | loses q6: what follows the last checkpoint does not go backward.
# | says: The segments do not begin or end where they should
def checkpointed_bars(loop, start, captured, bars, every):
    saved, carry, n = [start], start, 0
    while loop.condition(carry, captured):
        carry, n = loop.body(carry, captured), n + 1
        if n % every == 0:
            saved.append(carry)
    bars = [np.zeros(np.shape(x)) if bar is None else bar for x, bar in zip(carry, bars)]
    totals = [np.zeros(np.shape(x)) for x in captured]
    saved.pop()
    while saved:
        segment = [saved.pop()]
        while len(segment) < every:
            segment.append(loop.body(segment[-1], captured))
        while segment:
            came_in = segment.pop()
            bars, parts = loop.body_vjp(came_in, captured, bars)
            bars = [np.zeros(np.shape(x)) if b is None else b for x, b in zip(came_in, bars)]
            totals = [a if b is None else a + b for a, b in zip(totals, parts)]
    return bars, totals


# %% zeros_into_the_list_of_seeds | loses q6: writes the zeros for None into the caller's list.
# | says: It writes into one of the lists that it was given
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            checkpoints.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    for i, value in enumerate(start):
        if bars[i] is None:
            bars[i] = np.zeros(np.shape(value))
    now, totals = bars, filled([None] * len(captured), captured)
    while checkpoints:
        first = every * (len(checkpoints) - 1)
        segment = [checkpoints.pop()]
        while first + len(segment) < count:
            segment.append(loop.body(segment[-1], captured))
        count = first
        while segment:
            now, parts = loop.body_vjp(segment.pop(), captured, now)
            now = filled(now, start)
            totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return now, totals


def filled(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]
