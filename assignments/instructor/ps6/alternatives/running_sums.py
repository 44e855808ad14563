"""Full points: births and deaths apart, two fingers."""
# %% q3
from bisect import bisect_left
from itertools import accumulate


def lower_bound(blocks):
    """The most bytes that live in one step."""
    came = sorted((first, room(size)) for size, first, last in blocks.values())
    gone = sorted((last, room(size)) for size, first, last in blocks.values())
    so_far = [0, *accumulate(size for _, size in came)]
    ended = [0, *accumulate(size for _, size in gone)]
    times = [t for t, _ in came]
    most = 0
    for number, (last, _) in enumerate(gone):
        born = bisect_left(times, last + 1)
        before = bisect_left(gone, (last,))
        most = max(most, so_far[born] - ended[before])
    return most
# %% q5
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base = {}
    for each in program:
        base[each["name"]] = base[each["reads"][0]] if each["kind"] == "view" else each["name"]
    size = {each["name"]: each["bytes"] for each in program}
    closed, found = {base[name] for name in fetches}, []
    for each in reversed(program):  # closed: what a later step or a fetch reads
        bases = {}
        for x in each["reads"]:
            bases.setdefault(base[x], set()).add(x)
        if each["kind"] == "map":
            for x in each["reads"]:
                b = base[x]
                alike = size[x] == each["bytes"] == size[b]
                if alike and b not in closed and len(bases[b]) < 2:
                    found.append((each["name"], base[x]))
                    break
        closed.update(bases)
    return dict(found[::-1])
