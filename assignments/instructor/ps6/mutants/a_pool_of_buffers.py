"""Loses q6: whole buffers are handed on: what is over in one is lost."""
# %% q6
def pack(blocks):
    """A plan without problems whose arena is small."""
    buffers, where = [], {}
    for name in sorted(blocks, key=lambda name: blocks[name][1]):
        size, first, last = blocks[name]
        free = [one for one in buffers if one[1] < first]
        if free:
            one = min(free, key=lambda one: abs(one[0] - room(size)))
            one[0] = max(one[0], room(size))
        else:
            one = [room(size), last]
            buffers.append(one)
        one[1] = last
        where[name] = one
    offsets, at = {}, 0
    for one in buffers:
        offsets[id(one)], at = at, at + one[0]
    return {name: offsets[id(one)] for name, one in where.items()}
