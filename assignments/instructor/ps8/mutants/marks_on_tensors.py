"""Loses q6: Tensors that were counted carry a mark, which not all can."""
# %% q6 after the key
def kept_bytes(end):
    owners, turn, waiting = {}, object(), [end]
    while waiting:
        one = waiting.pop()
        if getattr(one, "turn", None) is turn:
            continue
        one.turn = turn
        for array in (one.value, one.grad):
            while getattr(array, "base", None) is not None:
                array = array.base
            if array is not None:
                owners[id(array)] = array.nbytes
        waiting.extend(one.inputs)
    return sum(owners.values())
