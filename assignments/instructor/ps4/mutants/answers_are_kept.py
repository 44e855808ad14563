"""Loses q5: f keeps its answers by the numbers, and gives the same list again: first = f(2.0);
first.append(0.0); f(2.0) has the 0.0, too. Each call returns a list of its own."""

# %% q5
import functools


def compiled(fetches, inputs):
    """A function of the inputs' numbers that returns the list of the fetches' numbers."""
    place = {x: i for i, x in enumerate(inputs)}
    count, rest, steps, waiting = len(inputs), [], [], list(fetches)
    while waiting:
        node = waiting[-1]
        if node in place:
            waiting.pop()
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        missing = [x for x in node.inputs if x not in place]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        place[node] = count + len(rest)
        rest.append(node.value)
        if node.op != "constant":
            steps.append((COMPUTE[node.op], [place[x] for x in node.inputs], place[node]))
    outs = [place[node] for node in fetches]

    @functools.lru_cache(maxsize=None)
    def f(*numbers):
        if len(numbers) != count:
            raise TypeError(f"{count} numbers, please")
        found = [*numbers, *rest]
        for compute, operands, to in steps:
            found[to] = compute(*[found[i] for i in operands])
        return [found[i] for i in outs]

    return f
