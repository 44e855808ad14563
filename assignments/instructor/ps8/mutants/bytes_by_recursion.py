"""Loses q6: a call for each Tensor, inside that of its user."""
# %% q6 after the key
def kept_bytes(end):
    owners, seen = {}, set()

    def visit(one):
        if id(one) not in seen:
            seen.add(id(one))
            for array in (one.value, one.grad):
                if array is not None:
                    owner = array if array.base is None else array.base
                    owners[id(owner)] = owner.nbytes
            for x in one.inputs:
                visit(x)

    visit(end)
    return sum(owners.values())
