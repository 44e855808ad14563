"""Loses q6: a NumPy number that two hold counts twice."""
# %% q6 after the key
def kept_bytes(end):
    owners, numbers, seen, waiting = {}, 0, {id(end)}, [end]
    while waiting:
        one = waiting.pop()
        for array in (one.value, one.grad):
            if isinstance(array, np.generic):
                numbers += array.nbytes
            elif array is not None:
                while array.base is not None:
                    array = array.base
                owners[id(array)] = array.nbytes
        fresh = {id(x): x for x in one.inputs if id(x) not in seen}
        seen |= set(fresh)
        waiting.extend(fresh.values())
    return sum(owners.values()) + numbers
