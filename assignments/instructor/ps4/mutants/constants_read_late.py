"""Loses q5: the steps hold the nodes of constants and read their value in each call: a value
changed after compiling shows."""

# %% q5
def compiled(fetches, inputs):
    """A function of the inputs' numbers that returns the list of the fetches' numbers."""
    place = {}
    for node in inputs:
        place[node] = len(place)
    count, start, steps, waiting = len(place), [], [], list(fetches)
    start = [None] * count
    while waiting:
        node = waiting[-1]
        lacking = [x for x in node.inputs if x not in place] if node not in place else []
        if lacking:
            waiting.extend(lacking)
            continue
        waiting.pop()
        if node in place:
            continue
        if node.op == "placeholder":
            raise KeyError(node.name)
        place[node] = len(start)
        start.append(node)
        if node.op != "constant":
            steps.append((COMPUTE[node.op], [place[x] for x in node.inputs], place[node]))
    wanted = [place[node] for node in fetches]

    def f(*numbers):
        slots = [node and node.value for node in start]
        slots[:count] = numbers
        for compute, operands, result in steps:
            slots[result] = compute(*[slots[i] for i in operands])
        return [slots[i] for i in wanted]

    return f
