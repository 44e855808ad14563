"""Loses q6: a flag for every sixteen bytes."""
# %% q6
def pack(blocks):
    """A plan without problems whose arena is small."""
    rules = [lambda size, first, last: size, lambda size, first, last: size * (last - first + 1)]
    plans = []
    for rule in rules:
        used, plan = [], {}
        for name in sorted(blocks, key=lambda name: rule(*blocks[name]), reverse=True):
            size, first, last = blocks[name]
            busy = bytearray(sum(room(block[0]) for block in blocks.values()) // 16 + 1)
            for start, end, born, dead in used:
                if born <= last and first <= dead:
                    busy[start:end] = b"x" * (end - start)
            at = busy.find(bytes(room(size) // 16))
            plan[name] = 16 * at
            used.append((at, at + room(size) // 16, first, last))
        plans.append((max([end for _, end, _, _ in used], default=0), len(plans), plan))
    return min(plans)[2]
