"""Loses q6: what is used twice is walked through twice."""
# %% q6 after the key
def kept_bytes(end):
    owners, waiting = {}, [end]
    while waiting:
        one = waiting.pop()
        for array in (one.value, one.grad):
            if array is not None:
                owner = array if array.base is None else array.base
                owners[id(owner)] = owner.nbytes
        waiting.extend(one.inputs)
    return sum(owners.values())
