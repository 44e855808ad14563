"""Loses q3: what has a name is a placeholder, so that one with the empty name is listed."""
# %% q3 after the key
def needed(fetches, fed=()):
    listed, done, waiting = [], set(fed), [(node, False) for node in fetches]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            listed.append(node)
        elif node not in done:
            done.add(node)
            if not node.name:
                waiting.append((node, True))
                waiting.extend((x, False) for x in node.inputs)
    return listed
