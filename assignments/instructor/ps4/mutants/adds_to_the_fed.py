"""Loses q3: the caller's list of fed nodes grows."""
# %% q3
def needed(fetches, fed=None):
    done, listed = [] if fed is None else fed, []
    seen = set(done)
    waiting = [(node, False) for node in fetches]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in seen:
            seen.add(node)
            done.append(node)
            if node.op != "placeholder":
                waiting.append((node, True))
                waiting.extend((x, False) for x in node.inputs)
    return listed
