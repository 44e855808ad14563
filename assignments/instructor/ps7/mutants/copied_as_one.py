"""Loses q1: deepcopy keeps that one array stands in two places."""
# %% q1
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
