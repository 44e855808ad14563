"""Loses q6: arrays with the same numbers count once."""
# %% q6 after the key
def kept_bytes(end):
    owners, seen, waiting = {}, {id(end)}, [end]
    while waiting:
        one = waiting.pop()
        for array in (one.value, one.grad):
            if array is not None:
                owner = array if array.base is None else array.base
                owners[owner.tobytes(), owner.shape] = owner.nbytes
        fresh = {id(x): x for x in one.inputs if id(x) not in seen}
        seen |= set(fresh)
        waiting.extend(fresh.values())
    return sum(owners.values())
