"""Wrong answers to q5 of ps6."""


# %% a_base_of_a_base_above_the_limit | loses q5: a call for each view of a chain, with a higher
# limit. | says: It calls itself for each view of a long chain
import sys

sys.setrecursionlimit(10**6)


def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    made, found = {each["name"]: each for each in program}, {}

    def base(name):
        if name not in found:
            each = made[name]
            found[name] = base(each["reads"][0]) if each["kind"] == "view" else name
        return found[name]

    dies = {base(name): len(program) for name in fetches}
    for t, each in enumerate(program):
        for read in each["reads"]:
            dies[base(read)] = max(t, dies.get(base(read), 0))
    over = {}
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "elementwise" else ():
            sizes = {each["bytes"], made[read]["bytes"], made[base(read)]["bytes"]}
            alone = all(base(x) != base(read) for x in each["reads"] if x != read)
            if len(sizes) == 1 and alone and dies[base(read)] == t:
                over.setdefault(each["name"], base(read))
    return over


# %% a_fetched_view_keeps_nothing | loses q5: what is fetched by the name of a view is written over.
# | says: A value is written over although a view of it is fetched
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({base[read]: t for read in reads})
    dies.update({name: None for name in fetches if base[name] == name})
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "elementwise" else ():
            alone = all(base[other] != base[read] for other in each["reads"] if other != read)
            alike = each["bytes"] == size[read] == size[base[read]]
            if alone and alike and dies[base[read]] == t:
                over.setdefault(each["name"], base[read])
    return over


# %% a_view_nobody_reads | loses q5: a view that nobody reads is not counted as a reader of its
# operand: a is written over by b = map(a), though v = view of a is made later. | says: A later
# step that makes a view does not count as reading its operand
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size = {}, {}
    for one in program:
        size[one["name"]] = one["bytes"]
        base[one["name"]] = base[one["reads"][0]] if one["kind"] == "view" else one["name"]
    used, last = set(fetches), {base[name]: len(program) for name in fetches}
    for t in range(len(program) - 1, -1, -1):
        one = program[t]
        if one["kind"] == "view" and one["name"] not in used:
            continue  # nobody looks through it
        for x in one["reads"]:
            used.add(x)
            last.setdefault(base[x], t)
    over = {}
    for t, one in enumerate(program):
        for x in one["reads"] if one["kind"] == "elementwise" else []:
            b = base[x]
            alone = all(y == x or base[y] != b for y in one["reads"])
            if size[x] == size[b] == one["bytes"] and last[b] == t and alone:
                over[one["name"]] = b
                break
    return over


# %% a_view_of_what_was_written | loses q5: a view of a result that was written in place is named by
# the first owner of the bytes: a, b = map(a), v = view of b, c = map(v): c takes the bytes of b,
# and it says a. | says: The first value of the bytes is named, not the base that the step reads
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, last, over = {}, {}, {}, {}
    for t, one in enumerate(program):
        size[one["name"]] = one["bytes"]
        for x in one["reads"]:
            last[base[x]] = t
        base[one["name"]] = base[one["reads"][0]] if one["kind"] == "view" else one["name"]
    for name in fetches:
        last[base[name]] = len(program)
    first_owner = {}
    for t, one in enumerate(program):
        name = one["name"]
        if one["kind"] == "view":
            inner = base[name]
            first_owner[name] = first_owner.get(inner, inner)
        for x in one["reads"] if one["kind"] == "elementwise" else []:
            b = base[x]
            alone = all(y == x or base[y] != b for y in one["reads"])
            if size[x] == size[b] == one["bytes"] and last[b] == t and alone:
                over[name] = first_owner.get(x, b) if x != b else b
                first_owner[name] = first_owner.get(b, b)
                break
    return over


# %% down_to_the_first_of_the_chain | loses q5: c over b over a is named c over a. | says: The first
# value of the bytes is named, not the base that the step reads
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({base[read]: t for read in reads})
    dies.update({base[name]: None for name in fetches})
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "elementwise" else ():
            alone = all(base[other] != base[read] for other in each["reads"] if other != read)
            alike = each["bytes"] == size[read] == size[base[read]]
            if alone and alike and dies[base[read]] == t:
                over.setdefault(each["name"], over.get(base[read], base[read]))
    return over


# %% one_chance | loses q5: only the first operand is tried. | says: Only the first operand is tried
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({base[read]: t for read in reads})
    dies.update({base[name]: None for name in fetches})
    for t, each in enumerate(program):
        for read in each["reads"][:1] if each["kind"] == "elementwise" else ():
            alone = all(base[other] != base[read] for other in each["reads"] if other != read)
            alike = each["bytes"] == size[read] == size[base[read]]
            if alone and alike and dies[base[read]] == t:
                over.setdefault(each["name"], base[read])
    return over


# %% only_base_and_view | loses q5: two views of one base are not seen beside each other. | says: A
# value is written over although another operand lies in the same bytes
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({base[read]: t for read in reads})
    dies.update({base[name]: None for name in fetches})
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "elementwise" else ():
            alone = all(read != base[other] and other != base[read]
                        for other in each["reads"] if other != read)
            alike = each["bytes"] == size[read] == size[base[read]]
            if alone and alike and dies[base[read]] == t:
                over.setdefault(each["name"], base[read])
    return over


# %% readers_by_their_own_name | loses q5: who reads the base by the name of a view is not seen. |
# says: A value is written over before its last reader
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({read: t for read in reads})
    dies.update({base[name]: None for name in fetches})
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "elementwise" else ():
            alone = all(base[other] != base[read] for other in each["reads"] if other != read)
            alike = each["bytes"] == size[read] == size[base[read]]
            if alone and alike and dies[read] == t and dies.get(base[read], t) is not None:
                over.setdefault(each["name"], base[read])
    return over


# %% the_base_may_be_larger | loses q5: the bytes of the view decide, not those of the base. | says:
# The base may be larger than the result
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({base[read]: t for read in reads})
    dies.update({base[name]: None for name in fetches})
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "elementwise" else ():
            alone = all(base[other] != base[read] for other in each["reads"] if other != read)
            alike = each["bytes"] == size[read]
            if alone and alike and dies[base[read]] == t:
                over.setdefault(each["name"], base[read])
    return over


# %% the_last_operand | loses q5: the last that will do, not the first. | says: A later operand is
# taken although an earlier one satisfies the rules
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({base[read]: t for read in reads})
    dies.update({base[name]: None for name in fetches})
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "elementwise" else ():
            alone = all(base[other] != base[read] for other in each["reads"] if other != read)
            alike = each["bytes"] == size[read] == size[base[read]]
            if alone and alike and dies[base[read]] == t:
                over[each["name"]] = base[read]
    return over


# %% the_name_of_the_view | loses q5: the operand is named, not its base. | says: A view is named
# instead of its base
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({base[read]: t for read in reads})
    dies.update({base[name]: None for name in fetches})
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "elementwise" else ():
            alone = all(base[other] != base[read] for other in each["reads"] if other != read)
            alike = each["bytes"] == size[read] == size[base[read]]
            if alone and alike and dies[base[read]] == t:
                over.setdefault(each["name"], read)
    return over


# %% the_operand_may_be_a_part | loses q5: the bytes of the base decide, not those of the operand. |
# says: The operand may have another size than the result
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({base[read]: t for read in reads})
    dies.update({base[name]: None for name in fetches})
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "elementwise" else ():
            alone = all(base[other] != base[read] for other in each["reads"] if other != read)
            alike = each["bytes"] == size[base[read]]
            if alone and alike and dies[base[read]] == t:
                over.setdefault(each["name"], base[read])
    return over


# %% the_same_room_will_do | loses q5: 60 and 64 bytes take one room, but are not the same. | says:
# The aligned sizes are compared, not the bytes
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({base[read]: t for read in reads})
    dies.update({base[name]: None for name in fetches})
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "elementwise" else ():
            alone = all(base[other] != base[read] for other in each["reads"] if other != read)
            alike = aligned(each["bytes"]) == aligned(size[read]) == aligned(size[base[read]])
            if alone and alike and dies[base[read]] == t:
                over.setdefault(each["name"], base[read])
    return over


# %% twice_is_two | loses q5: x and x are taken for two operands. | says: The same operand, read
# twice, counts as two operands
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({base[read]: t for read in reads})
    dies.update({base[name]: None for name in fetches})
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "elementwise" else ():
            alone = [base[other] for other in each["reads"]].count(base[read]) == 1
            alike = each["bytes"] == size[read] == size[base[read]]
            if alone and alike and dies[base[read]] == t:
                over.setdefault(each["name"], base[read])
    return over
