"""Wrong answers to q1 of ps7."""


# %% a_call_for_each_iteration | loses q1: a nested call for each iteration ends at Python's limit.
# | says: It calls itself for each iteration
def run_loop(loop, start, captured, most=1000):
    if not loop.condition(start, captured):
        return [start]
    if most <= 0:
        raise RuntimeError("too many iterations")
    return [start, *run_loop(loop, loop.body(start, captured), captured, most - 1)]


# %% recursion_with_a_higher_limit | loses q1: a nested call for each iteration, with a higher
# limit. | says: It calls itself for each iteration
import sys

sys.setrecursionlimit(10**6)


def run_loop(loop, start, captured, most=1000):
    if not loop.condition(start, captured):
        return [start]
    if most <= 0:
        raise RuntimeError("too many iterations")
    return [start, *run_loop(loop, loop.body(start, captured), captured, most - 1)]


# %% always_the_start | loses q1: the body is run on the start again and again.
# | says: Each body call gets the newest carry
def run_loop(loop, start, captured, most=1000):
    carries = [start]
    carry = start
    while loop.condition(carry, captured) and len(carries) <= 50:
        carry = loop.body(carries[0], captured)
        carries.append(carry)
    return carries


# %% at_least_once | loses q1: the body runs before the condition is asked.
# | says: The body runs once more although the condition is already false
def run_loop(loop, start, captured, most=1000):
    carries = [start]
    while True:
        carries.append(loop.body(carries[-1], captured))
        if not loop.condition(carries[-1], captured):
            return carries
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")


# %% condition_is_true | loses q1: NumPy's True is not Python's.
# | says: It stops at once although the condition holds
def run_loop(loop, start, captured, most=1000):
    carries = [start]
    while loop.condition(carries[-1], captured) is True:
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carries.append(loop.body(carries[-1], captured))
    return carries


# %% condition_once_too_often | loses q1: asks once more before it raises.
# | says: the condition is not asked `most` + 1 times
def run_loop(loop, start, captured, most=1000):
    carries = [start]
    while loop.condition(carries[-1], captured):
        if len(carries) > most and loop.condition(carries[-1], captured):
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carries.append(loop.body(carries[-1], captured))
    return carries


# %% counts_become_floats | loses q1: a count is turned into a float.
# | says: A count does not stay an integer
def run_loop(loop, start, captured, most=1000):
    carries = [[np.array(x, float) for x in start]]
    while loop.condition(carries[-1], captured):
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carries.append([np.array(x, float) for x in loop.body(carries[-1], captured)])
    return carries


# %% one_iteration_too_many | loses q1: the body runs once more than `most` times before the error.
# | says: The body runs once more than `most` times
def run_loop(loop, start, captured, most=1000):
    carries = [start]
    while loop.condition(carries[-1], captured):
        carries.append(loop.body(carries[-1], captured))
        if len(carries) - 1 > most:
            raise RuntimeError(f"more than {most} iterations")
    return carries


# %% one_list_for_all | loses q1: the list of the carry is filled in place.
# | says: One list is used for all carries
def run_loop(loop, start, captured, most=1000):
    carry = list(start)
    carries = [carry]
    while loop.condition(carry, captured):
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carry[:] = loop.body(carry, captured)
        carries.append(carry)
    return carries


# %% raises_when_it_is_through | loses q1: a loop that ends after exactly `most` iterations raises.
# | says: It raises although the loop ends after `most` iterations
def run_loop(loop, start, captured, most=1000):
    carries = [start]
    while loop.condition(carries[-1], captured):
        carries.append(loop.body(carries[-1], captured))
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
    return carries


# %% stops_without_a_word | loses q1: after `most` iterations it returns what it has.
# | says: It raises no RuntimeError
def run_loop(loop, start, captured, most=1000):
    carries = [start]
    while len(carries) <= most and loop.condition(carries[-1], captured):
        carries.append(loop.body(carries[-1], captured))
    return carries


# %% the_last_carry_alone | loses q1: the last carry, as in `final_carry`.
# | says: It returns the last carry, not a list of all carries
def run_loop(loop, start, captured, most=1000):
    carry, count = start, 0
    while loop.condition(carry, captured):
        if count == most:
            raise RuntimeError("too many iterations")
        carry, count = loop.body(carry, captured), count + 1
    return carry


# %% the_result_is_forgotten | loses q1: only what came into an iteration is saved.
# | says: The last carry is missing
def run_loop(loop, start, captured, most=1000):
    carries, carry = [], start
    while loop.condition(carry, captured):
        if len(carries) == most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carries.append(carry)
        carry = loop.body(carry, captured)
    return carries


# %% the_start_is_forgotten | loses q1: only what left an iteration is saved.
# | says: The start is missing
def run_loop(loop, start, captured, most=1000):
    carries, carry = [], start
    while loop.condition(carry, captured):
        if len(carries) == most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carry = loop.body(carry, captured)
        carries.append(carry)
    return carries


# %% what_stands_still_is_done | loses q1: a carry that does not change ends the run.
# | says: It stops when the carry no longer changes
def run_loop(loop, start, captured, most=1000):
    carries = [start]
    while loop.condition(carries[-1], captured):
        if len(carries) > most:
            raise RuntimeError(f"more than {most} iterations")
        carries.append(loop.body(carries[-1], captured))
        if all(np.array_equal(x, y) for x, y in zip(*carries[-2:])):
            break  # it has converged
    return carries


# %% default_of_a_hundred | loses q1: `most` is 100 where it is not given.
# | says: the body does not run `most` times
def run_loop(loop, start, captured, most=100):
    carries = [start]
    while loop.condition(carries[-1], captured):
        if len(carries) > most:
            raise RuntimeError("too many")
        carries.append(loop.body(carries[-1], captured))
    return carries


# %% asks_about_the_start | loses q1: the condition gets the start each time.
# | says: It goes on although the condition is false
def run_loop(loop, start, captured, most=1000):
    carries = [start]
    while loop.condition(start, captured):
        if len(carries) > most:
            raise RuntimeError("too many")
        carries.append(loop.body(carries[-1], captured))
    return carries
