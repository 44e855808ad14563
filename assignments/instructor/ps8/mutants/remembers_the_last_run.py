"""Loses q7: a node that was computed is never computed again."""
# %% q7 after the key
memory = {}


def run_later(fetches, feeds):
    memory.update(feeds)
    for fetch in fetches:
        for node in inputs_first(fetch, memory):
            values = [memory[x] for x in node.inputs]
            memory[node] = node.compute(*values) if node.compute else node.value
    return [memory[fetch] for fetch in fetches]
