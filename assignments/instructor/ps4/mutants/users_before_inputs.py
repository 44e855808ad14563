"""Loses q3: lists a node when it is met, before its inputs."""
# %% q3
def needed(fetches, fed=()):
    listed = []
    waiting = list(fetches)
    while waiting:
        node = waiting.pop()
        if node not in listed and node not in fed and node.op != "placeholder":
            listed.append(node)
            waiting.extend(node.inputs)
    return listed
