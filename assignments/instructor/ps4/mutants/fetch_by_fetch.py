"""Loses q3: each fetch is listed for itself, users first, and the whole list is turned round at the
end: needed([b, exp(b)]) has exp(b) before b."""
# %% q3
def needed(fetches, fed=()):
    users_first, seen = [], set(fed)
    for fetch in fetches:
        order, waiting = [], [(fetch, False)]
        while waiting:
            node, ready = waiting.pop()
            if ready:
                order.append(node)
            elif node not in seen and node.op != "placeholder":
                seen.add(node)
                waiting.append((node, True))
                waiting.extend((x, False) for x in node.inputs)
        users_first.extend(reversed(order))
    return users_first[::-1]
