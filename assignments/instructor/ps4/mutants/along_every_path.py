"""Loses q2: no recursion, but every path is walked: exponential time."""
# %% q2
def run(fetches, feeds):
    if isinstance(fetches, list):
        return [run(node, feeds) for node in fetches]
    numbers, todo = [], [(fetches, False)]
    while todo:
        node, ready = todo.pop()
        if node in feeds:
            numbers.append(feeds[node])
        elif node.op == "constant":
            numbers.append(node.value)
        elif node.op == "placeholder":
            raise KeyError(node.name)
        elif ready:
            count = len(node.inputs)
            operands = numbers[len(numbers) - count:]
            del numbers[len(numbers) - count:]
            numbers.append(COMPUTE[node.op](*operands))
        else:
            todo.append((node, True))
            todo.extend((x, False) for x in reversed(node.inputs))
    return numbers[0]
