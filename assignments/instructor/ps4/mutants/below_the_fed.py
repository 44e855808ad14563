"""Loses q3: leaves fed nodes out, but goes on below them."""
# %% q3
def needed(fetches, fed=()):
    listed, done, waiting = [], set(), [(node, False) for node in fetches]
    while waiting:
        node, inputs_listed = waiting.pop()
        if inputs_listed:
            if node not in fed:
                listed.append(node)
        elif node not in done:
            done.add(node)
            if node.op != "placeholder":
                waiting.append((node, True))
                waiting.extend((x, False) for x in node.inputs)
    return listed
