"""What students answer in lesson 03, wrong and right; test_lab_banks.py tells the form."""

import sys

from minigrad.course.lessons.l03 import Value, count_contributions

BACKWARD = """
missing, ready = count_contributions(root), [root]
root.grad = 1.0
while ready:
    node = ready.pop()
    for source, derivative in zip(node.inputs, node.derivatives):
        source.grad += node.grad * derivative
        missing[source] -= 1
        if missing[source] == 0:
            ready.append(source)
"""
ORDER = """
order, visited = [], set()
def visit(node):
    if node not in visited:
        visited.add(node)
        for source in node.inputs:
            visit(source)
        order.append(node)
visit(root)
return order
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


AS_MET = """
root.grad, met = 1.0, [root]
for node in met:
    for source, derivative in zip(node.inputs, node.derivatives):
        source.grad += node.grad * derivative
        if source not in met:
            met.append(source)
"""
RECURSIVE = """
def visit(node):
    for source, derivative in zip(node.inputs, node.derivatives):
        source.grad += node.grad * derivative
        missing[source] -= 1
        if missing[source] == 0:
            visit(source)
missing, root.grad = count_contributions(root), 1.0
visit(root)
"""

NAMES = {"Value": Value, "count_contributions": count_contributions, "sys": sys}
SIGNATURES = {"topological_order": "root, kept=[], also=set()", "backward": "root"}
WRONG_FUNCTIONS = {
    "topological_order": [
        ("    ...", "Keep a list and a set"),
        (changed(ORDER, "return order", "return order[::-1]"), "users_first"),
        (
            """
            order = []
            def visit(node):
                if node not in order:
                    order.append(node)
                    for source in node.inputs:
                        visit(source)
            visit(root)
            return order
            """,
            "node_first",
        ),
        (
            """
            order = []
            def visit(node):
                if node not in order:
                    order.append(node)
                    for source in node.inputs:
                        visit(source)
            visit(root)
            return order[::-1]
            """,
            "node_first_reversed",
        ),
        (
            """
            order = []
            for source in root.inputs:
                order += topological_order(source)
            return order + [root]
            """,
            "every_path",
        ),
        (
            """
            met = [root]
            for node in met:
                met += [source for source in dict.fromkeys(node.inputs) if source not in met]
            return met[::-1]
            """,
            "as_met_reversed",
        ),
        (
            changed(ORDER, "return order", "return [n for n in order if n.inputs]"),
            "Each node, also a leaf",
        ),
        (changed(ORDER, "return order", "return order[:-1]"), "without_root"),
        (changed(ORDER, "return order", "return visited"), "Each node, also a leaf"),
        (
            changed(ORDER, "return order", "return [n.data for n in order]"),
            "Each node, also a leaf",
        ),
        (changed(ORDER, "return order", "return [[n] for n in order]"), "Each node, also a leaf"),
        (changed(ORDER, "return order", "return root"), "Each node, also a leaf"),
        (changed(ORDER, "in node.inputs", "in node.inputs()"), "`inputs` is a tuple"),
        (changed(ORDER, "return order", "return order + [root]"), "Each node, also a leaf"),
        (changed(ORDER, "return order", "return [root]"), "Each node, also a leaf"),
        (changed(ORDER, "return order", "order"), "Does it end with return"),
        (changed(ORDER, "        order.append", "            order.append"), "after_each_input"),
        (changed(ORDER, "        order.append", "    order.append"), "Each node, also a leaf"),
        (changed(ORDER, "visited.add(node)", "visited.add(node.data)"), "every_path"),
        (
            changed(ORDER, "if node not", "if node.data not").replace(
                "add(node)", "add(node.data)"
            ),
            "by_numbers",
        ),
        (
            changed(ORDER, "order.append(node)", "order.append(source)"),
            "This variable has no value",
        ),
        (
            changed(ORDER, "order.append(node)", "order = [*order, node]"),
            "This variable has no value",
        ),
        (changed(ORDER, "visit(root)", "pass"), "Each node, also a leaf"),
        (changed(ORDER, "[], set()", "kept, also"), "other_nodes"),
        (changed(ORDER, "[], set()", "kept, set()"), "other_nodes"),
        (changed(ORDER, "[], set()", "[], also"), "other_nodes"),
        (changed(ORDER, "visit(source)", "visit(node)"), "Each node, also a leaf"),
        (
            """
            kept = {}
            def visit(node):
                kept.pop(node, None)
                kept[node] = True
                for source in node.inputs:
                    visit(source)
            visit(root)
            return list(kept)[::-1]
            """,
            "The search never ends, or it enters a node once for each path",
        ),
        (
            """
            order = []
            for source in root.inputs:
                order += [n for n in topological_order(source) if n not in order]
            return order + [root]
            """,
            "The search never ends, or it enters a node once for each path",
        ),
        (
            """
            order, stack = [], [root]
            while stack:
                node = stack.pop()
                if node in order:
                    order.remove(node)
                order.append(node)
                stack.extend(node.inputs)
            return order[::-1]
            """,
            "The search never ends, or it enters a node once for each path",
        ),
        ("    return topological_order(root)", "The search does not end"),
        ("    while True:\n        pass", "The search never ends"),
    ],
    "backward": [
        ("    ...", "Set root.grad to 1.0"),
        (changed(BACKWARD, "root.grad = 1.0", "pass"), "no_seed"),
        (changed(BACKWARD, "missing[source] -= 1", "pass"), "root_alone"),
        (changed(BACKWARD, "ready.append(source)", "pass"), "root_alone"),
        ("    root.grad = 1.0", "root_alone"),
        (
            changed(
                BACKWARD,
                "zip(node.inputs, node.derivatives)",
                "zip(node.inputs, node.derivatives) if node.grad else ()",
            ),
            "keeps_zeros",
        ),
        (AS_MET, "as_met"),
        (changed(AS_MET, "node in met", "node in iter(met)"), "as_met"),
        (
            """
            root.grad, met, stack = 1.0, {root}, [root]
            while stack:
                node = stack.pop()
                for source, derivative in zip(node.inputs, node.derivatives):
                    source.grad += node.grad * derivative
                    if source not in met:
                        met.add(source)
                        stack.append(source)
            """,
            "last_met_first",
        ),
        (changed(BACKWARD, "grad += node", "grad = node"), "overwrites"),
        (
            """
            missing, ready = count_contributions(root), [root]
            root.grad = 1.0
            while ready:
                node = ready.pop()
                for source, derivative in zip(node.inputs, node.derivatives):
                    missing[source] -= 1
                    if missing[source] == 0:
                        source.grad += node.grad * derivative
                        ready.append(source)
            """,
            "overwrites",
        ),
        (changed(BACKWARD, "* derivative", "* source.data"), "Print each contribution"),
        (
            changed(BACKWARD, "node.derivatives", "node.derivatives[::-1]"),
            "Print each contribution",
        ),
        (
            changed(BACKWARD, "grad += node", "grad = node").replace("pop()", "pop(0)"),
            "overwrites_in_turn",
        ),
        (changed(BACKWARD, " * derivative", ""), "Print each contribution"),
        (changed(BACKWARD, "node.grad * ", ""), "Print each contribution"),
        (changed(BACKWARD, "missing[source] == 0", "missing[source] < 2"), "The loop never ends"),
        (changed(BACKWARD, "if missing[source] == 0", "if True"), "The loop never ends"),
        (changed(BACKWARD, "ready.pop()", "ready[0]"), "The loop never ends"),
        (changed(BACKWARD, "while ready", "while True"), "The list is empty"),
        (changed(BACKWARD, "missing, ready", "counts, ready"), "Print each contribution"),
        (
            """
            missing, ready = count_contributions(root), [root]
            root.grad = 1.0
            while ready:
                node = ready.pop()
                for source, derivative in zip(node.inputs, node.derivatives):
                    source.grad += node.grad * derivative
                    missing[source] -= 1
                if missing[source] == 0:
                    ready.append(source)
            """,
            "A leaf has no inputs, so the loop",
        ),
        (RECURSIVE, "The calls are nested"),
        ("    sys.setrecursionlimit(10**6)" + RECURSIVE.replace("\n", "\n    "), "The calls are"),
        (
            """
            def visit(node, received=1.0):
                node.grad += received
                for source, derivative in zip(node.inputs, node.derivatives):
                    visit(source, received * derivative)
            visit(root)
            """,
            "The loop never ends, visits nodes",
        ),
        (
            """
            counts, root.grad = count_contributions(root), 1.0
            while counts:
                node = next(node for node, count in counts.items() if count == 0)
                for source, derivative in zip(node.inputs, node.derivatives):
                    source.grad += node.grad * derivative
                    counts[source] -= 1
                del counts[node]
            """,
            "The loop never ends, visits nodes again and again, or searches",
        ),
    ],
}
RIGHT_FUNCTIONS = {
    "topological_order": [
        ORDER,
        """
        listed = {}
        def visit(node):
            for source in node.inputs:
                if source not in listed:
                    visit(source)
            listed[node] = None
        visit(root)
        return listed
        """,
        """
        missing, users_first = count_contributions(root), [root]
        for node in users_first:
            for source in node.inputs:
                missing[source] -= 1
                if missing[source] == 0:
                    users_first.append(source)
        return tuple(reversed(users_first))
        """,
        """
        order, stack = [], [(root, False)]
        while stack:
            node, done = stack.pop()
            if done and node not in order:
                order.append(node)
            elif not done and node not in order:
                stack.append((node, True))
                stack.extend((source, False) for source in node.inputs)
        return order
        """,
    ],
    "backward": [
        BACKWARD,
        """
        missing, ready = count_contributions(root), [root]
        root.grad += 1
        for node in ready:
            for k in range(len(node.inputs)):
                node.inputs[k].grad += node.derivatives[k] * node.grad
                missing[node.inputs[k]] -= 1
                if not missing[node.inputs[k]]:
                    ready.append(node.inputs[k])
        """,
        """
        from collections import deque
        counts = dict(count_contributions(root))
        adjoints, queue = dict.fromkeys(counts, 0.0), deque([root])
        adjoints[root] = 1.0
        while queue:
            node = queue.popleft()
            node.grad = adjoints[node]
            for source, derivative in zip(node.inputs, node.derivatives):
                adjoints[source] += node.grad * derivative
                counts[source] -= 1
                queue.extend([source] * (counts[source] == 0))
        return adjoints
        """,
    ],
}
WRONG_VALUES = {
    "too_early": [
        (..., "Answer with a name"),
        ("speed2", "speed2 is the result"),
        ("lost2", "lost2 has one user"),
        ("lost1", "lost1 passed on"),
        (Value(4.0, "mul"), "lost1 passed on"),
        (Value(8.0, name="speed"), "speed is a leaf"),
        ("speed", "speed is a leaf"),
        ("friction", "friction is a leaf"),
        ("s1", "Look for a node"),
        (0.5, "Look for a node"),
        (Value(4.0), "Look for a node"),
    ],
    "exit": [
        (..., "Answer with two numbers"),
        ((3, ...), "Answer with two numbers"),
        ((2, 10), "10 is correct"),
        ((3, 6), "3 is correct, and 6"),
        ([3, 4], "3 is correct, and 4"),
        ((3, 8), "3 is correct. But z"),
        ((2, 8), "The product a · a"),
        ((10, 3), "Both numbers are correct"),
        ((1, 1), "Count how often"),
        (3, "Count how often"),
        ("three and ten", "Count how often"),
    ],
}
RIGHT_VALUES = {
    "too_early": ["speed1", " Speed1 ", Value(4.0, "sub")],
    "exit": [(3, 10), [3.0, 10.0], "(3, 10)"],
}
PREDICTIONS = {
    "grad": ([..., 5, "two"], 4),
    "visits": ([..., 130, "many"], 2047),
    "nearer": ([..., "second", 3], "third"),
    "depth": ([..., 100, "always"], 1000),
    "depth_never": ([..., 100, "always"], "never"),
    "depth_500": ([..., 100, "always"], 500),
    "depth_250": ([..., 100, "always"], 250),
}
