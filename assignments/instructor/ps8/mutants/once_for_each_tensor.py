"""Loses q6: an array that two Tensors hold counts twice."""
# %% q6 after the key
def kept_bytes(end):
    total, seen, waiting = 0, {id(end)}, [end]
    while waiting:
        one = waiting.pop()
        owners = {}
        for array in (one.value, one.grad):
            if array is not None:
                owner = array if array.base is None else array.base
                owners[id(owner)] = owner.nbytes
        total += sum(owners.values())
        fresh = {id(x): x for x in one.inputs if id(x) not in seen}
        seen |= set(fresh)
        waiting.extend(fresh.values())
    return total
