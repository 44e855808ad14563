"""Wrong answers to q3 of ps7."""


# %% a_mean_of_contributions | loses q3: the mean over the iterations, where the sum is right.
# | says: It returns the mean, and not the sum
def captured_bars(loop, carries, captured, bars):
    totals = [np.zeros(np.shape(value)) for value in captured]
    for carry, left in zip(carries, bars[1:]):
        _, parts = loop.body_vjp(carry, captured, left)
        totals = [t if part is None else t + part for t, part in zip(totals, parts)]
    return [total / max(1, len(carries) - 1) for total in totals]


# %% a_sum_by_recursion | loses q3: a nested call for each iteration, which ends at a thousand.
# | says: It calls itself for each iteration
def captured_bars(loop, carries, captured, bars):
    if len(carries) < 2:
        return [np.zeros(np.shape(value)) for value in captured]
    totals = captured_bars(loop, carries[1:], captured, bars[1:])
    _, parts = loop.body_vjp(carries[0], captured, bars[1])
    return [t if part is None else t + part for t, part in zip(totals, parts)]


# %% a_sum_by_recursion_above_the_limit | loses q3: a nested call for each iteration, with a limit
# that is raised and put back. | says: It calls itself for each iteration
import sys


def sums_by_recursion(loop, carries, captured, bars):
    if len(carries) < 2:
        return [np.zeros(np.shape(value)) for value in captured]
    totals = sums_by_recursion(loop, carries[1:], captured, bars[1:])
    _, parts = loop.body_vjp(carries[0], captured, bars[1])
    return [t if part is None else t + part for t, part in zip(totals, parts)]


def captured_bars(*given):
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        return sums_by_recursion(*given)
    finally:
        sys.setrecursionlimit(old)


# %% adds_into_the_first | loses q3: the first contribution itself becomes the sum.
# | says: It adds into an array that the rule returned
def captured_bars(loop, carries, captured, bars):
    totals = [None] * len(captured)
    for carry, left in zip(carries, bars[1:]):
        _, parts = loop.body_vjp(carry, captured, left)
        for i, part in enumerate(parts):
            if part is not None and totals[i] is None:
                totals[i] = np.asarray(part)
            elif part is not None:
                totals[i] += part
    return [np.zeros(np.shape(x)) if total is None else total for total, x in zip(totals, captured)]


# %% asks_the_condition_again | loses q3: sums while the condition holds.
# | says: It asks the condition or runs the body again
def captured_bars(loop, carries, captured, bars):
    totals, k = [np.zeros(np.shape(value)) for value in captured], 0
    while loop.condition(carries[k], captured):
        _, parts = loop.body_vjp(carries[k], captured, bars[k + 1])
        totals = [t if part is None else t + part for t, part in zip(totals, parts)]
        k += 1
    return totals


# %% bars_of_what_came_in | loses q3: the cotangents of the carry that came in.
# | says: The rule gets the cotangents of the carry that came in
def captured_bars(loop, carries, captured, bars):
    totals = [np.zeros(np.shape(value)) for value in captured]
    for carry, came_in in zip(carries[:-1], bars[:-1]):
        _, parts = loop.body_vjp(carry, captured, came_in)
        totals = [t if part is None else t + part for t, part in zip(totals, parts)]
    return totals


# %% carries_that_left | loses q3: the carry that left, with its cotangents.
# | says: The rule gets the carry that left
def captured_bars(loop, carries, captured, bars):
    totals = [np.zeros(np.shape(value)) for value in captured]
    for carry, left in zip(carries[1:], bars[1:]):
        _, parts = loop.body_vjp(carry, captured, left)
        totals = [t if part is None else t + part for t, part in zip(totals, parts)]
    return totals


# %% none_is_a_contribution | loses q3: adds every contribution, None too.
# | says: It computes with None
def captured_bars(loop, carries, captured, bars):
    totals = [np.zeros(np.shape(value)) for value in captured]
    for carry, left in zip(carries, bars[1:]):
        _, parts = loop.body_vjp(carry, captured, left)
        totals = [total + part for total, part in zip(totals, parts)]
    return totals


# %% none_without_contributions | loses q3: a value without contributions gets None.
# | says: It leaves None where the cotangent is zero
def captured_bars(loop, carries, captured, bars):
    totals = [None] * len(captured)
    for carry, left in zip(carries, bars[1:]):
        _, parts = loop.body_vjp(carry, captured, left)
        for i, part in enumerate(parts):
            if part is not None:
                totals[i] = part if totals[i] is None else totals[i] + part
    return totals


# %% one_number_for_all | loses q3: the sums begin with the number 0.0.
# | says: A cotangent does not have the shape of its value
def captured_bars(loop, carries, captured, bars):
    totals = [0.0] * len(captured)
    for carry, left in zip(carries, bars[1:]):
        _, parts = loop.body_vjp(carry, captured, left)
        totals = [t if part is None else t + part for t, part in zip(totals, parts)]
    return [np.array(total) for total in totals]


# %% only_what_the_first_reads | loses q3: None in the first iteration excludes a value for good.
# | says: None excludes a value for good
def captured_bars(loop, carries, captured, bars):
    totals, left_out = [np.zeros(np.shape(value)) for value in captured], set()
    for carry, left in zip(carries, bars[1:]):
        _, parts = loop.body_vjp(carry, captured, left)
        left_out |= {i for i, part in enumerate(parts) if part is None}
        totals = [t if i in left_out else t + parts[i] for i, t in enumerate(totals)]
    return totals


# %% the_first_alone | loses q3: the contribution of the first iteration.
# | says: Only the first iteration contributes
def captured_bars(loop, carries, captured, bars):
    if len(carries) < 2:
        return [np.zeros(np.shape(x)) for x in captured]
    _, parts = loop.body_vjp(carries[0], captured, bars[1])
    return [np.zeros(np.shape(x)) if part is None else part for part, x in zip(parts, captured)]


# %% the_last_alone | loses q3: = for +=, so only one iteration counts.
# | says: Only the last iteration contributes
def captured_bars(loop, carries, captured, bars):
    totals = [np.zeros(np.shape(value)) for value in captured]
    for carry, left in zip(carries, bars[1:]):
        _, parts = loop.body_vjp(carry, captured, left)
        totals = [t if part is None else part for t, part in zip(totals, parts)]
    return totals


# %% the_seeds_for_all | loses q3: every iteration gets the seeds, the last cotangents.
# | says: Each iteration gets the seeds
def captured_bars(loop, carries, captured, bars):
    totals = [np.zeros(np.shape(value)) for value in captured]
    for carry in carries[:-1]:
        _, parts = loop.body_vjp(carry, captured, bars[-1])
        totals = [t if part is None else t + part for t, part in zip(totals, parts)]
    return totals


# %% reversed_bars | loses q3: reads `bars` as if they began with the seeds.
# | says: The lists of bars are read in the wrong order
def captured_bars(loop, carries, captured, bars):
    totals = [np.zeros(np.shape(w)) for w in captured]
    for carry, left in zip(carries[:-1], bars[::-1]):
        _, parts = loop.body_vjp(carry, captured, left)
        totals = [t if p is None else t + p for t, p in zip(totals, parts)]
    return totals


# %% begins_with_the_values | loses q3: the sums begin with the values.
# | says: The sums begin with the captured values
def captured_bars(loop, carries, captured, bars):
    totals = list(captured)
    for k in range(len(carries) - 1):
        _, parts = loop.body_vjp(carries[k], captured, bars[k + 1])
        totals = [t if p is None else t + p for t, p in zip(totals, parts)]
    return totals


# %% the_last_iteration_is_left_out | loses q3: the range ends one iteration too early.
# | says: The last iteration is left out
def captured_bars(loop, carries, captured, bars):
    totals = [np.zeros(np.shape(x)) for x in captured]
    for k in range(len(carries) - 2):
        for i, part in enumerate(loop.body_vjp(carries[k], captured, bars[k + 1])[1]):
            if part is not None:
                totals[i] = totals[i] + part
    return totals


# %% the_first_iteration_is_left_out | loses q3: the way back ends before it reaches the start.
# | says: The first iteration is left out
def captured_bars(loop, carries, captured, bars):
    totals = [np.zeros(np.shape(x)) for x in captured]
    for k in range(len(carries) - 2, 0, -1):
        for i, part in enumerate(loop.body_vjp(carries[k], captured, bars[k + 1])[1]):
            if part is not None:
                totals[i] = totals[i] + part
    return totals
