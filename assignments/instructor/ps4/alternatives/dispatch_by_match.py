"""Full points: the rules in one match statement, shares collected in lists and summed when a node
has its turn."""

# %% q4
import collections


def shares(node, g):
    """Pairs of an input and its part of the gradient g."""
    match node.op, node.inputs:
        case "add", (a, b):
            return (a, g), (b, g)
        case "sub", (a, b):
            return (a, g), (b, 0.0 - g)
        case "mul", (a, b):
            return (a, b * g), (b, a * g)
        case "div", (a, b):
            return (a, g / b), (b, (0.0 - a) / (b * b) * g)
        case "neg", (a,):
            return ((a, -g),)
        case "exp", (a,):
            return ((a, node * g),)
        case "log", (a,):
            return ((a, g / a),)
        case "sin", (a,):
            return ((a, cos(a) * g),)
        case "cos", (a,):
            return ((a, -sin(a) * g),)
    return ()


def gradients(y, xs):
    """A node for each x: the derivative of y by x."""
    users, found = collections.Counter(), {y}
    todo = [y]
    while todo:
        for x in todo.pop().inputs:
            users[x] += 1
            if x not in found:
                found.add(x)
                todo.append(x)
    parts, whole, ready = collections.defaultdict(list), {}, [y]
    parts[y].append(constant(1.0))
    while ready:
        node = ready.pop()
        first, *rest = parts.pop(node)
        for part in rest:
            first = first + part
        whole[node] = first
        for x, share in shares(node, first):
            parts[x].append(share)
            users[x] -= 1
            if not users[x]:
                ready.append(x)
    return [whole[x] if x in whole else constant(0.0) for x in xs]
