"""Loses q2: the specification with a memory, by recursion: 20,000 nodes are too deep."""
# %% q2
def run(fetches, feeds):
    results = dict(feeds)

    def number(node):
        if node not in results:
            if node.op == "placeholder":
                raise KeyError(node.name)
            if node.op == "constant":
                results[node] = node.value
            else:
                results[node] = COMPUTE[node.op](*[number(x) for x in node.inputs])
        return results[node]
    return [number(node) for node in fetches] if isinstance(fetches, list) else number(fetches)
