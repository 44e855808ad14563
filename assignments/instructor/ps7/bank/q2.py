"""Wrong answers to q2 of ps7."""


# %% asks_the_condition | loses q2: goes on while the condition of the forward pass holds.
# | says: It asks the condition or runs the body again
def carry_bars(loop, carries, captured, bars):
    found, k = [with_zeros(bars, carries[-1])], len(carries) - 1
    while k > 0 and loop.condition(carries[k - 1], captured):
        into, _ = loop.body_vjp(carries[k - 1], captured, found[0])
        found.insert(0, with_zeros(into, carries[k - 1]))
        k -= 1
    return found


def with_zeros(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% begins_with_the_first | loses q2: the iterations in the order of the forward pass.
# | says: It begins with the first iteration
def carry_bars(loop, carries, captured, bars):
    found = [with_zeros(bars, carries[-1])]
    for carry in carries[:-1]:
        into, _ = loop.body_vjp(carry, captured, found[0])
        found.insert(0, with_zeros(into, carry))
    return found


def with_zeros(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% by_recursion | loses q2: a nested call for each iteration, which ends at a thousand.
# | says: It calls itself for each iteration
def carry_bars(loop, carries, captured, bars):
    if len(carries) == 1:
        return [with_zeros(bars, carries[0])]
    later = carry_bars(loop, carries[1:], captured, bars)
    into, _ = loop.body_vjp(carries[0], captured, later[0])
    return [with_zeros(into, carries[0]), *later]


def with_zeros(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% by_recursion_in_a_thread | loses q2: a nested call for each iteration, in a thread with a large
# stack. | says: It calls itself for each iteration
import sys
import threading

sys.setrecursionlimit(10**6)
threading.stack_size(2**25)


def bars_by_recursion(loop, carries, captured, bars):
    if len(carries) == 1:
        return [with_zeros(bars, carries[0])]
    later = bars_by_recursion(loop, carries[1:], captured, bars)
    into, _ = loop.body_vjp(carries[0], captured, later[0])
    return [with_zeros(into, carries[0]), *later]


def with_zeros(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


def carry_bars(*given):
    found = []
    thread = threading.Thread(target=lambda: found.append(bars_by_recursion(*given)))
    thread.start()
    thread.join()
    return found[0]


# %% in_the_order_of_the_pass | loses q2: the list begins with the seeds.
# | says: The list begins with the seeds
def carry_bars(loop, carries, captured, bars):
    found = [with_zeros(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.body_vjp(carry, captured, found[-1])
        found.append(with_zeros(into, carry))
    return found


def with_zeros(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% none_is_passed_on | loses q2: None goes into the next call of the rule.
# | says: It computes with None, or passes it to the rule
def carry_bars(loop, carries, captured, bars):
    found = [list(bars)]
    for carry in carries[-2::-1]:
        found.append(loop.body_vjp(carry, captured, found[-1])[0])
    return [[np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(some, carry)]
            for some, carry in zip(found[::-1], carries)]


# %% none_means_as_before | loses q2: where there is no path, the later cotangent stays.
# | says: Where the rule returns None, the later cotangent is kept
def carry_bars(loop, carries, captured, bars):
    found = [[np.zeros(np.shape(x)) if b is None else b for b, x in zip(bars, carries[-1])]]
    for carry in carries[-2::-1]:
        into, _ = loop.body_vjp(carry, captured, found[-1])
        found.append([old if new is None else new for old, new in zip(found[-1], into)])
    return found[::-1]


# %% none_stays_none | loses q2: zeros for the rule, but None in the result.
# | says: It leaves None where the cotangent is zero
def carry_bars(loop, carries, captured, bars):
    found = [list(bars)]
    for carry in carries[-2::-1]:
        given = [np.zeros(np.shape(x)) if b is None else b for b, x in zip(found[-1], carry)]
        found.append(loop.body_vjp(carry, captured, given)[0])
    return found[::-1]


# %% one_zero_for_all_shapes | loses q2: a missing path becomes 0.0, whatever the shape.
# | says: A cotangent does not have the shape of its value
def carry_bars(loop, carries, captured, bars):
    found = [[np.array(0.0) if bar is None else bar for bar in bars]]
    for carry in carries[-2::-1]:
        into, _ = loop.body_vjp(carry, captured, found[-1])
        found.append([np.array(0.0) if bar is None else bar for bar in into])
    return found[::-1]


# %% pops_the_carries | loses q2: takes the caller's carries away while it goes back.
# | says: It changes its arguments
def carry_bars(loop, carries, captured, bars):
    found = [with_zeros(bars, carries.pop())]
    while carries:
        carry = carries.pop()
        into, _ = loop.body_vjp(carry, captured, found[0])
        found.insert(0, with_zeros(into, carry))
    return found


def with_zeros(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% reads_what_left | loses q2: the rule gets the carry that left the iteration.
# | says: The rule gets the carry that left the iteration
def carry_bars(loop, carries, captured, bars):
    found = [with_zeros(bars, carries[-1])]
    for carry in carries[:0:-1]:
        into, _ = loop.body_vjp(carry, captured, found[-1])
        found.append(with_zeros(into, carry))
    return found[::-1]


def with_zeros(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% seeds_in_every_iteration | loses q2: what the rule returns is not handed on.
# | says: Each iteration begins with the seeds
def carry_bars(loop, carries, captured, bars):
    seeds = with_zeros(bars, carries[-1])
    found = [with_zeros(loop.body_vjp(c, captured, seeds)[0], c) for c in carries[:-1]]
    return [*found, seeds]


def with_zeros(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% seeds_of_none_become_ones | loses q2: a missing seed is thought to be 1, as for a loss.
# | says: A seed of None is taken for ones
def carry_bars(loop, carries, captured, bars):
    found = [[np.ones(np.shape(x)) if b is None else b for b, x in zip(bars, carries[-1])]]
    for carry in carries[-2::-1]:
        into, _ = loop.body_vjp(carry, captured, found[-1])
        found.append([np.zeros(np.shape(x)) if b is None else b for b, x in zip(into, carry)])
    return found[::-1]


# %% the_last_step_is_skipped | loses q2: the cotangents of the start are not computed.
# | says: The cotangents of the start are missing
def carry_bars(loop, carries, captured, bars):
    found = [with_zeros(bars, carries[-1])]
    for carry in carries[-2:0:-1]:
        into, _ = loop.body_vjp(carry, captured, found[-1])
        found.append(with_zeros(into, carry))
    return found[::-1]


def with_zeros(bars, values):
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(bars, values)]


# %% the_other_list | loses q2: takes the second list that the rule returns.
# | says: The lists do not have one cotangent for each value
def carry_bars(loop, carries, captured, bars):
    found = [[np.zeros(np.shape(x)) if b is None else b for b, x in zip(bars, carries[-1])]]
    for carry in reversed(carries[:-1]):
        _, into = loop.body_vjp(carry, captured, found[0])
        found.insert(0, [np.zeros(np.shape(x)) if b is None else b for b, x in zip(into, carry)])
    return found


# %% carried_bars_are_added | loses q2: the cotangents of the later carry are added.
# | says: The later cotangents are added
def carry_bars(loop, carries, captured, bars):
    found = [[np.zeros(np.shape(x)) if b is None else b for b, x in zip(bars, carries[-1])]]
    for carry in reversed(carries[:-1]):
        into, _ = loop.body_vjp(carry, captured, found[0])
        found.insert(0, [old if b is None else old + b for b, old in zip(into, found[0])])
    return found


# %% zeros_into_the_seeds | loses q2: writes the zeros for None into the caller's list of seeds.
# | says: It writes into one of the lists that it was given
def carry_bars(loop, carries, captured, bars):
    for i, value in enumerate(carries[-1]):
        if bars[i] is None:
            bars[i] = np.zeros(np.shape(value))
    found = [bars]
    for carry in reversed(carries[:-1]):
        into, _ = loop.body_vjp(carry, captured, found[0])
        filled = [np.zeros(np.shape(x)) if bar is None else bar for bar, x in zip(into, carry)]
        found.insert(0, filled)
    return found
