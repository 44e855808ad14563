"""Full points: lives from the end, sweeps by heaps, gaps by their ends."""
# %% q1
def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    below = {}
    for each in program:
        below[each["name"]] = each["name"]
        if each["kind"] == "view":
            below[each["name"]] = below[each["reads"][0]]
    last = {below[name]: len(program) - 1 for name in fetches}
    found = []
    for t in range(len(program) - 1, -1, -1):
        for name in program[t]["reads"]:
            last.setdefault(below[name], t)
        if program[t]["kind"] != "view":
            found.append((program[t]["name"], [t, last.get(program[t]["name"], t)]))
    return dict(reversed(found))
# %% q3
import heapq


def lower_bound(blocks):
    """The most bytes that live in one step."""
    ends, live, most = [], 0, 0
    for first, last, size in sorted((first, last, size) for size, first, last in blocks.values()):
        while ends and ends[0][0] < first:
            live -= heapq.heappop(ends)[1]
        heapq.heappush(ends, (last, room(size)))
        live += room(size)
        most = max(most, live)
    return most
