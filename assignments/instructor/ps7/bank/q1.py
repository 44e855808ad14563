"""Wrong answers to q1 of ps7."""


# %% a_call_for_each_iteration | loses q1: a nested call for each iteration: 1,000 end as Python's
# own kind of RuntimeError.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    here = [np.array(x) for x in start]
    if not loop.condition([np.array(x) for x in here], captured):
        return [here]
    if most <= 0:
        raise RuntimeError("too many iterations")
    there = loop.body([np.array(x) for x in here], captured)
    return [here, *run_loop(loop, there, captured, most - 1)]


# %% at_least_once | loses q1: the body runs before anybody asks.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [own(start)]
    while True:
        carries.append(own(loop.body(own(carries[-1]), captured)))
        if not loop.condition(carries[-1], captured):
            return carries
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")


def own(values):
    """Copies that nobody else holds."""
    return [np.array(value) for value in values]


# %% copied_as_one | loses q1: deepcopy keeps that one array stands in two places.
import copy


def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [own(start)]
    while loop.condition(carries[-1], captured):
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carries.append(own(loop.body(own(carries[-1]), captured)))
    return carries


def own(values):
    """Copies that nobody else holds."""
    return copy.deepcopy(list(values))


# %% counts_become_floats | loses q1: a count is turned into a float.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [own(start)]
    while loop.condition(carries[-1], captured):
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carries.append(own(loop.body(own(carries[-1]), captured)))
    return carries


def own(values):
    """Copies that nobody else holds."""
    return [np.array(value, float) for value in values]


# %% one_iteration_too_many | loses q1: the body runs once more than `most` times before the error.
# %% q1 after the key
def run_loop(loop, start, captured, most=1000):
    carries = [own(start)]
    while loop.condition(carries[-1], captured):
        carries.append(own(loop.body(own(carries[-1]), captured)))
        if len(carries) - 1 > most:
            raise RuntimeError(f"more than {most} iterations")
    return carries


# %% raises_when_it_is_through | loses q1: a loop that ends after exactly `most` iterations is
# refused.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [own(start)]
    while loop.condition(carries[-1], captured):
        carries.append(own(loop.body(own(carries[-1]), captured)))
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
    return carries


def own(values):
    """Copies that nobody else holds."""
    return [np.array(value) for value in values]


# %% stops_without_a_word | loses q1: after `most` iterations it returns what it has.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [own(start)]
    while len(carries) <= most and loop.condition(carries[-1], captured):
        carries.append(own(loop.body(own(carries[-1]), captured)))
    return carries


def own(values):
    """Copies that nobody else holds."""
    return [np.array(value) for value in values]


# %% the_body_gets_what_is_kept | loses q1: a body that works in place changes the crumb behind it.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [own(start)]
    while loop.condition(carries[-1], captured):
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carries.append(own(loop.body(carries[-1], captured)))
    return carries


def own(values):
    """Copies that nobody else holds."""
    return [np.array(value) for value in values]


# %% the_result_is_forgotten | loses q1: what came into each iteration is kept, but not the result.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [own(start)]
    while loop.condition(carries[-1], captured):
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carries.append(own(loop.body(own(carries[-1]), captured)))
    return carries[:-1] if len(carries) > 1 else carries


def own(values):
    """Copies that nobody else holds."""
    return [np.array(value) for value in values]


# %% the_start_is_not_copied | loses q1: the first list is the caller's arrays.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [list(start)]
    while loop.condition(carries[-1], captured):
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carries.append(own(loop.body(own(carries[-1]), captured)))
    return carries


def own(values):
    """Copies that nobody else holds."""
    return [np.array(value) for value in values]


# %% what_stands_still_is_done | loses q1: a carry that stays as it is ends the run, where `most`
# should.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [[np.array(x) for x in start]]
    while loop.condition([np.array(x) for x in carries[-1]], captured):
        if len(carries) > most:
            raise RuntimeError(f"more than {most} iterations")
        carry = loop.body([np.array(x) for x in carries[-1]], captured)
        carries.append([np.array(x) for x in carry])
        if all(np.array_equal(x, y) for x, y in zip(*carries[-2:])):
            break  # it converged, and would go on like this
    return carries


# %% what_stays_is_kept_once | loses q1: a value that an iteration leaves as it is stands in both
# carries as one array.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""

    def kept(x, before):
        same = x.dtype == before.dtype and np.array_equal(x, before)
        return before if same else np.array(x)

    carries = [[np.array(x) for x in start]]
    while loop.condition([np.array(x) for x in carries[-1]], captured):
        if len(carries) > most:
            raise RuntimeError(f"more than {most} iterations")
        carry = loop.body([np.array(x) for x in carries[-1]], captured)
        carries.append([kept(np.asarray(x), old) for x, old in zip(carry, carries[-1])])
    return carries


# %% what_the_body_returns_is_kept | loses q1: a body that fills its arrays anew rewrites all
# crumbs.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [own(start)]
    while loop.condition(carries[-1], captured):
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")
        carries.append(list(loop.body(own(carries[-1]), captured)))
    return carries


def own(values):
    """Copies that nobody else holds."""
    return [np.array(value) for value in values]


# %% yes_is_true | loses q1: goes on only where the condition's answer equals True, and not at 3.
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [[np.array(x) for x in start]]
    while loop.condition([np.array(x) for x in carries[-1]], captured) == True:
        if len(carries) > most:
            raise RuntimeError(f"more than {most} iterations")
        carry = loop.body([np.array(x) for x in carries[-1]], captured)
        carries.append([np.array(x) for x in carry])
    return carries
