"""Loses q4: what was seen lies in a list, and `in` walks through it: cost grows with the square."""
# %% q4 after the key
def inputs_first(y):
    listed, seen, waiting = [], [], [(y, False)]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in seen:
            seen.append(node)
            waiting.append((node, True))
            waiting.extend((x, False) for x in node.inputs)
    return listed
