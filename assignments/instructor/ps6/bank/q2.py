"""Wrong answers to q2 of ps6."""


# %% bytes_that_touch_are_shared | loses q2: an end of bytes is taken for a last byte. | says:
# Blocks count as overlapping although one ends where the other begins
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name in sorted(blocks):
        size, first, last = blocks[name]
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("misaligned", name))
        else:
            here = name, plan[name], plan[name] + aligned(size), first, last
            found += [("overlap", there[0], name) for there in placed if is_shared(here, there)]
            placed.append(here)
    return found


def is_shared(here, there):
    """Whether two placed blocks share a byte in a step."""
    _, start, end, first, last = here
    _, other_start, other_end, other_first, other_last = there
    steps = max(first, other_first) <= min(last, other_last)
    both = end > start and other_end > other_start
    return steps and both and start <= other_end and other_start <= end


# %% divided_as_floats | loses q2: whether an offset is a multiple of 16 is asked of at / 16, a
# float: 2**60 + 8 seems to be one, and its block is not odd. | says: An offset that is not a
# multiple of 16 is not reported
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, good = [], []
    for name in sorted(blocks):
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or not (plan[name] / 16).is_integer():
            found.append(("misaligned", name))
        elif blocks[name][0]:
            size, first, last = blocks[name]
            for other, low, high, its_first, its_last in good:
                if low < plan[name] + aligned(size) and plan[name] < high:
                    if its_first <= last and first <= its_last:
                        found.append(("overlap", other, name))
            good.append((name, plan[name], plan[name] + aligned(size), first, last))
    return found


# %% in_the_order_of_the_dict | loses q2: the pair is in the order of the blocks. | says: The two
# names of an overlap are not in alphabetical order
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name in blocks:
        size, first, last = blocks[name]
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("misaligned", name))
        else:
            here = name, plan[name], plan[name] + aligned(size), first, last
            found += [("overlap", there[0], name) for there in placed if is_shared(here, there)]
            placed.append(here)
    return found


def is_shared(here, there):
    """Whether two placed blocks share a byte in a step."""
    _, start, end, first, last = here
    _, other_start, other_end, other_first, other_last = there
    steps = max(first, other_first) <= min(last, other_last)
    return steps and max(start, other_start) < min(end, other_end)


# %% lives_that_touch_are_apart | loses q2: in the step where they touch both are needed. | says:
# Blocks that share only one step do not count as overlapping
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name in sorted(blocks):
        size, first, last = blocks[name]
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("misaligned", name))
        else:
            here = name, plan[name], plan[name] + aligned(size), first, last
            found += [("overlap", there[0], name) for there in placed if is_shared(here, there)]
            placed.append(here)
    return found


def is_shared(here, there):
    """Whether two placed blocks share a byte in a step."""
    _, start, end, first, last = here
    _, other_start, other_end, other_first, other_last = there
    steps = max(first, other_first) < min(last, other_last) or first == last == other_first
    steps = steps or other_first == other_last == first == last
    return steps and max(start, other_start) < min(end, other_end)


# %% negative_multiples | loses q2: -16 is a multiple of 16. | says: A negative offset is not
# reported
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name in sorted(blocks):
        size, first, last = blocks[name]
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] % 16:
            found.append(("misaligned", name))
        else:
            here = name, plan[name], plan[name] + aligned(size), first, last
            found += [("overlap", there[0], name) for there in placed if is_shared(here, there)]
            placed.append(here)
    return found


def is_shared(here, there):
    """Whether two placed blocks share a byte in a step."""
    _, start, end, first, last = here
    _, other_start, other_end, other_first, other_last = there
    steps = max(first, other_first) <= min(last, other_last)
    return steps and max(start, other_start) < min(end, other_end)


# %% neighbours_only | loses q2: only blocks next to each other in address are compared. | says: Not
# every pair of blocks is compared
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name, (size, first, last) in blocks.items():
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("misaligned", name))
        elif size:
            placed.append((plan[name], plan[name] + aligned(size), first, last, name))
    placed.sort()
    for (_, end, first, last, a), (start, _, born, dead, b) in zip(placed, placed[1:]):
        if start < end and first <= dead and born <= last:
            found.append(("overlap", *sorted([a, b])))
    return found


# %% nothing_inside_something | loses q2: a block of 0 bytes inside another shares no byte. | says:
# A block of 0 bytes is reported as overlapping
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name in sorted(blocks):
        size, first, last = blocks[name]
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("misaligned", name))
        else:
            here = name, plan[name], plan[name] + aligned(size), first, last
            found += [("overlap", there[0], name) for there in placed if is_shared(here, there)]
            placed.append(here)
    return found


def is_shared(here, there):
    """Whether two placed blocks share a byte in a step."""
    _, start, end, first, last = here
    _, other_start, other_end, other_first, other_last = there
    steps = max(first, other_first) <= min(last, other_last)
    return steps and start < other_end and other_start < end


# %% odd_ones_clash | loses q2: who is odd is looked at for clashes, too. | says: A misaligned block
# is also reported as overlapping
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name in sorted(blocks):
        size, first, last = blocks[name]
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("misaligned", name))
        if name in plan:
            here = name, plan[name], plan[name] + aligned(size), first, last
            found += [("overlap", there[0], name) for there in placed if is_shared(here, there)]
            placed.append(here)
    return found


def is_shared(here, there):
    """Whether two placed blocks share a byte in a step."""
    _, start, end, first, last = here
    _, other_start, other_end, other_first, other_last = there
    steps = max(first, other_first) <= min(last, other_last)
    return steps and max(start, other_start) < min(end, other_end)


# %% only_who_begins_inside | loses q2: a block that begins below another and holds it all is not
# seen. | says: A block that shares only a part of its bytes is missed, if it begins above or
# below
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name in sorted(blocks):
        size, first, last = blocks[name]
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("misaligned", name))
        else:
            here = name, plan[name], plan[name] + aligned(size), first, last
            found += [("overlap", there[0], name) for there in placed if is_shared(here, there)]
            placed.append(here)
    return found


def is_shared(here, there):
    """Whether two placed blocks share a byte in a step."""
    _, start, end, first, last = here
    _, other_start, other_end, other_first, other_last = there
    steps = max(first, other_first) <= min(last, other_last)
    return steps and other_start <= start < other_end


# %% strangers_are_looked_up | loses q2: a name that only the plan knows is an error. | says: A name
# of the plan is looked up in the blocks, although no block has it
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name in plan:
        size, first, last = blocks[name]
    for name in sorted(blocks):
        size, first, last = blocks[name]
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("misaligned", name))
        else:
            here = name, plan[name], plan[name] + aligned(size), first, last
            found += [("overlap", there[0], name) for there in placed if is_shared(here, there)]
            placed.append(here)
    return found


def is_shared(here, there):
    """Whether two placed blocks share a byte in a step."""
    _, start, end, first, last = here
    _, other_start, other_end, other_first, other_last = there
    steps = max(first, other_first) <= min(last, other_last)
    return steps and max(start, other_start) < min(end, other_end)


# %% taken_for_itself | loses q2: two blocks with equal numbers in one place are taken for one
# block: a and b, both (32, 0, 2) at offset 0, are no clash. | says: Two blocks at the same
# offset do not count as overlapping
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, boxes = [], []
    for name in sorted(blocks):
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or plan[name] % 16 != 0:
            found.append(("misaligned", name))
        else:
            boxes.append((name, (plan[name], *blocks[name])))
    for a, one in boxes:
        for b, other in boxes:
            if one == other or a > b:  # itself, or seen from the other side
                continue
            at, size, first, last = one
            its, its_size, its_first, its_last = other
            if size and its_size and at < its + aligned(its_size) and its < at + aligned(size):
                if first <= its_last and its_first <= last:
                    found.append(("overlap", a, b))
    return found


# %% takes_odd_ones_out | loses q2: what is odd is taken out of the caller's plan, so that it is not
# looked at for clashes: after the call, a plan with an offset of 8 has lost it, and the second
# call says lost. | says: The call changes a dict or a list that it is given
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found = [("missing", name) for name in blocks if name not in plan]
    for name in blocks:
        if name in plan and (plan[name] < 0 or plan[name] % 16):
            found.append(("misaligned", name))
            del plan[name]
    names = sorted(name for name in blocks if name in plan and blocks[name][0])
    for i, a in enumerate(names):
        for b in names[i + 1:]:
            (n, f, l), (m, g, k) = blocks[a], blocks[b]
            if max(f, g) <= min(l, k) and max(plan[a], plan[b]) < min(
                plan[a] + aligned(n), plan[b] + aligned(m)
            ):
                found.append(("overlap", a, b))
    return found


# %% the_first_clash_of_each | loses q2: one clash for each block is enough. | says: Not every pair
# of blocks is compared
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name in sorted(blocks):
        size, first, last = blocks[name]
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("misaligned", name))
        else:
            here = name, plan[name], plan[name] + aligned(size), first, last
            found += [("overlap", there[0], name) for there in placed if is_shared(here, there)][:1]
            placed.append(here)
    return found


def is_shared(here, there):
    """Whether two placed blocks share a byte in a step."""
    _, start, end, first, last = here
    _, other_start, other_end, other_first, other_last = there
    steps = max(first, other_first) <= min(last, other_last)
    return steps and max(start, other_start) < min(end, other_end)


# %% only_who_is_born_later | loses q2: of two names in alphabetical order, only the second may
# begin while the first is live: one that begins earlier is missed. | says: A live range that lies
# within another one is missed
def problems(blocks, plan):
    """Everything that is wrong with a plan."""
    found, fine = [], []
    for name in sorted(blocks):
        size, first, last = blocks[name]
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("misaligned", name))
        else:
            top = plan[name] + aligned(size)
            for other in fine:
                bottom, end = plan[other], plan[other] + aligned(blocks[other][0])
                born = blocks[other][1] <= first <= blocks[other][2]
                if born and max(plan[name], bottom) < min(top, end):
                    found.append(("overlap", other, name))
            fine.append(name)
    return found
