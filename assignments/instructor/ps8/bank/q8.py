"""Wrong answers to q8 of ps8."""


# %% leaves_alone | loses q8: only Tensors that were not computed are counted.
# | says: Not every array is counted once.
# %% q8 after the key
def kept_bytes(end):
    seen, stack, total = set(), [end], 0
    while stack:
        x = stack.pop()
        if id(x) not in seen:
            seen.add(id(x))
            stack += x.inputs
            if not x.inputs:
                total += x.value.nbytes + (0 if x.grad is None else x.grad.nbytes)
    return total


# %% every_path | loses q8: what is used twice is visited twice.
# | says: It follows each path separately.
# %% q8 after the key
def kept_bytes(end):
    sizes, stack = {}, [end]
    while stack:
        one = stack.pop()
        for array in (one.value, one.grad):
            if array is not None:
                owner = array if array.base is None else array.base
                sizes[id(owner)] = owner.nbytes
        stack.extend(one.inputs)
    return sum(sizes.values())


# %% by_recursion | loses q8: a call for each Tensor, inside that of its user.
# | says: It calls itself for each Tensor
# %% q8 after the key
def kept_bytes(end):
    sizes, seen = {}, set()

    def visit(one):
        if id(one) not in seen:
            seen.add(id(one))
            for array in (one.value, one.grad):
                if array is not None:
                    owner = array if array.base is None else array.base
                    sizes[id(owner)] = owner.nbytes
            for x in one.inputs:
                visit(x)

    visit(end)
    return sum(sizes.values())


# %% by_recursion_above_the_limit | loses q8: a call for each Tensor, inside that of its user, with
# a higher limit. | says: It calls itself for each Tensor
# %% q8 after the key
import sys

sys.setrecursionlimit(10**6)


def kept_bytes(end):
    sizes, seen = {}, set()

    def visit(one):
        if id(one) not in seen:
            seen.add(id(one))
            for array in (one.value, one.grad):
                if array is not None:
                    owner = array if array.base is None else array.base
                    sizes[id(owner)] = owner.nbytes
            for x in one.inputs:
                visit(x)

    visit(end)
    return sum(sizes.values())


# %% equal_arrays_are_one | loses q8: arrays with the same numbers count once.
# | says: Arrays of equal numbers are counted once.
# %% q8 after the key
def kept_bytes(end):
    sizes, seen, stack = {}, {id(end)}, [end]
    while stack:
        one = stack.pop()
        for array in (one.value, one.grad):
            if array is not None:
                owner = array if array.base is None else array.base
                sizes[owner.tobytes(), owner.shape] = owner.nbytes
        for x in one.inputs:
            if id(x) not in seen:
                seen.add(id(x))
                stack.append(x)
    return sum(sizes.values())


# %% once_for_each_tensor | loses q8: an array that two Tensors hold counts twice.
# | says: An array that two Tensors hold is counted twice.
# %% q8 after the key
def kept_bytes(end):
    sizes, seen, stack = {}, {id(end)}, [end]
    while stack:
        one = stack.pop()
        for array in (one.value, one.grad):
            if array is not None:
                owner = array if array.base is None else array.base
                sizes[id(one), id(owner)] = owner.nbytes
        for x in one.inputs:
            if id(x) not in seen:
                seen.add(id(x))
                stack.append(x)
    return sum(sizes.values())


# %% without_gradients | loses q8: `.grad` is forgotten.
# | says: The gradients are not counted.
# %% q8 after the key
def kept_bytes(end):
    sizes, seen, stack = {}, {id(end)}, [end]
    while stack:
        one = stack.pop()
        for array in (one.value,):
            if array is not None:
                owner = array if array.base is None else array.base
                sizes[id(owner)] = owner.nbytes
        for x in one.inputs:
            if id(x) not in seen:
                seen.add(id(x))
                stack.append(x)
    return sum(sizes.values())


# %% views_by_what_they_show | loses q8: a view counts as what it shows.
# | says: A view is counted by what it shows, not by its base.
# %% q8 after the key
def kept_bytes(end):
    sizes, seen, stack = {}, {id(end)}, [end]
    while stack:
        one = stack.pop()
        for array in (one.value, one.grad):
            if array is not None:
                sizes[id(array)] = array.nbytes
        for x in one.inputs:
            if id(x) not in seen:
                seen.add(id(x))
                stack.append(x)
    return sum(sizes.values())


# %% seen_in_a_list | loses q8: whether a Tensor was seen is looked up in a list, from its
# beginning.
# | says: look up in a set which ones you have seen
# %% q8 after the key
def kept_bytes(end):
    sizes, seen, stack = {}, [id(end)], [end]
    while stack:
        one = stack.pop()
        for array in (one.value, one.grad):
            if array is not None:
                owner = array if array.base is None else array.base
                sizes[id(owner)] = owner.nbytes
        for x in one.inputs:
            if id(x) not in seen:
                seen.append(id(x))
                stack.append(x)
    return sum(sizes.values())


# %% bytes_of_entries | loses q8: each entry counts as 8 bytes.
# | says: Not every array is counted once.
# %% q8 after the key
def kept_bytes(end):
    sizes, seen, stack = {}, {id(end)}, [end]
    while stack:
        one = stack.pop()
        for array in (one.value, one.grad):
            if array is not None:
                owner = array if array.base is None else array.base
                sizes[id(owner)] = 8 * owner.size
        for x in one.inputs:
            if id(x) not in seen:
                seen.add(id(x))
                stack.append(x)
    return sum(sizes.values())
