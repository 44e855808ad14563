"""Loses q6: a view counts as what it shows."""
# %% q6 after the key
def kept_bytes(end):
    found, seen, waiting = {}, {id(end)}, [end]
    while waiting:
        one = waiting.pop()
        for array in (one.value, one.grad):
            if array is not None:
                found[id(array)] = array.nbytes
        fresh = {id(x): x for x in one.inputs if id(x) not in seen}
        seen |= set(fresh)
        waiting.extend(fresh.values())
    return sum(found.values())
