"""Loses q6: whether a Tensor was seen is looked up in a list, from its beginning."""
# %% q6 after the key
def kept_bytes(end):
    owners, seen, waiting = {}, [id(end)], [end]
    while waiting:
        one = waiting.pop()
        for array in (one.value, one.grad):
            while getattr(array, "base", None) is not None:
                array = array.base
            if array is not None:
                owners[id(array)] = array.nbytes
        for x in one.inputs:
            if id(x) not in seen:
                seen.append(id(x))
                waiting.append(x)
    return sum(owners.values())
