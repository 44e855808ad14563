"""Loses q3: lists placeholders, which nobody computes."""
# %% q3
def needed(fetches, fed=()):
    listed, done, waiting = [], set(fed), [(node, False) for node in fetches]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in done:
            done.add(node)
            waiting.append((node, True))
            waiting.extend((x, False) for x in node.inputs)
    return listed
