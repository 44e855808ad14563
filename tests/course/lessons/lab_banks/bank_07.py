"""What students answer in lesson 07, wrong and right; test_lab_banks.py tells the form."""

import minigrad as mg

NEEDED = """
found, waiting = set(), [fetch]
while waiting:
    node = waiting.pop()
    if node not in fed and node not in found:
        found.add(node)
        waiting += node.inputs
return found
"""
RUN = """
values = dict(feeds)
def value_of(node):
    if node not in values:
        values[node] = node.op(*[value_of(x) for x in node.inputs])
    return values[node]
return value_of(fetch)
"""
FIT = """
gradient = mg.gradients(loss, [node])[0]
value = start
for step in range(steps):
    value = value - 0.05 * session.run(gradient, {node: value, **feeds})
return value
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


RUN_BY_LIST = """
order, waiting = [], [fetch]
def visit(node):
    if node not in feeds and node not in order:
        for x in node.inputs:
            visit(x)
        order.append(node)
visit(fetch)
values = {**feeds}
for node in order:
    values[node] = node.op(*(values[x] for x in node.inputs))
return values[fetch]
"""
with mg.Graph():
    a, b, c, d = (mg.placeholder(name) for name in "abcd")

NAMES = {"earlier": set()}  # what a default such as found=set() keeps from call to call
SIGNATURES = {
    "needed": "fetch, fed",
    "run": "fetch, feeds",
    "fit_input": "session, loss, node, start, feeds, steps",
}
WRONG_FUNCTIONS = {
    "needed": [
        ("    ...", "Keep a set of the nodes"),
        (changed(NEEDED, "node not in fed and ", ""), "not_cut"),
        (
            changed(
                changed(NEEDED, "node not in fed and ", ""), "return found", "return found - fed"
            ),
            "cut_late",
        ),
        (
            """
            found, waiting = set(), [fetch]
            while waiting:
                node = waiting.pop()
                if node not in found:
                    found.add(node)
                    if node not in fed:
                        waiting += node.inputs
            return found
            """,
            "with_fed",
        ),
        (changed(NEEDED, "return found", "return found - {fetch}"), "without_fetch"),
        (changed(NEEDED, "[fetch]", "list(fetch.inputs)"), "begins_below"),
        (
            changed(NEEDED, "return found", "return {n for n in found if n.inputs}"),
            "without_leaves",
        ),
        (
            changed(NEEDED, "return found", "return [n for n in found if not n.inputs]"),
            "Go through the graph by hand",
        ),
        (
            "    return {fetch, *fetch.inputs} - fed if fetch not in fed else set()",
            "one_level",
        ),
        (changed(NEEDED, "return found", "return list(found)"), "no_set"),
        (changed(NEEDED, "return found", "return tuple(found)"), "no_set"),
        (
            """
            found, waiting = set(), [fetch]
            while waiting:
                node = waiting.pop()
                if node not in fed:
                    found.add(node)
                    fed.add(node)
                    waiting += node.inputs
            return found
            """,
            "changes_fed",
        ),
        (
            """
            found, waiting = {fetch}, [fetch]
            while waiting:
                for x in waiting.pop().inputs:
                    if x not in fed and x not in found:
                        found.add(x)
                        waiting.append(x)
            return found
            """,
            "fetch_not_asked",
        ),
        (
            changed(NEEDED, "if node not in fed and", "if node in fed:\n        break\n    if"),
            "Go through the graph by hand",
        ),
        (
            """
            found = earlier
            if fetch not in fed and fetch not in found:
                found.add(fetch)
                for x in fetch.inputs:
                    needed(x, fed)
            return found
            """,
            "Go through the graph by hand",
        ),
        (changed(NEEDED, "waiting += node.inputs", "pass"), "Go through the graph by hand"),
        ("    return {fetch} - fed", "Go through the graph by hand"),
        (changed(NEEDED, " and node not in found", ""), "The search reaches the same nodes"),
        (
            """
            if fetch in fed:
                return set()
            return {fetch}.union(*[needed(x, fed) for x in fetch.inputs])
            """,
            "The search reaches the same nodes",
        ),
        (
            """
            found, waiting = [], [fetch]
            for node in waiting:
                if node not in fed and node not in found:
                    found.append(node)
                    waiting += node.inputs
            return found
            """,
            "Between two nodes, == builds",
        ),
        ("    return needed(fetch, fed)", "The search does not end"),
        (changed(NEEDED, "return found", "return fetch"), "The result is a set of nodes"),
        (
            changed(NEEDED, "return found", "return {n.name for n in found}"),
            "The result is a set of",
        ),
        (changed(NEEDED, "return found", "found"), "Does it end with return"),
        (
            """
            found = {fetch}
            for node in found:
                found |= set(node.inputs) - fed
            return found
            """,
            "A set may not grow",
        ),
        (
            changed(NEEDED, "return found", "return found - set(fetch.inputs)"),
            "Go through the graph by hand",
        ),
    ],
    "run": [
        ("    ...", "Copy the feeds"),
        (changed(RUN, "dict(feeds)", "feeds"), "keeps_values"),
        (changed(RUN, "return value_of(fetch)", "value_of(fetch)\nreturn values"), "all_values"),
        (changed(RUN, "in node.inputs", "in reversed(node.inputs)"), "inputs_reversed"),
        (
            """
            if fetch in feeds:
                return feeds[fetch]
            return fetch.op(*[run(x, feeds) for x in fetch.inputs])
            """,
            "An operation runs once for each",
        ),
        (
            changed(RUN, "dict(feeds)", "{n: v for n, v in feeds.items() if not n.op}"),
            "An op takes one value",
        ),
        (changed(RUN_BY_LIST, "node not in feeds and ", ""), "An op takes one value"),
        (
            """
            values = dict(feeds)
            def value_of(node):
                values[node] = values.get(node) or node.op(*[value_of(x) for x in node.inputs])
                return values[node]
            return value_of(fetch)
            """,
            "An op takes one value",
        ),
        (changed(RUN, "*[value_of", "[value_of"), "An op takes one value"),
        (changed(RUN, "in node.inputs", "in set(node.inputs)"), "An op takes one value"),
        (
            """
            if fetch in feeds:
                return feeds[fetch]
            if not hasattr(fetch, "value"):
                fetch.value = fetch.op(*[run(x, feeds) for x in fetch.inputs])
            return fetch.value
            """,
            "keeps_values",
        ),
        (changed(RUN, "if node not in values:", "if True:"), "An op takes one value"),
        (changed(RUN_BY_LIST, "visit(fetch)", "order = [fetch]"), "The value of this node"),
        (
            """
            values = {}
            def value_of(node):
                if node not in values:
                    inputs = [value_of(x) for x in node.inputs]
                    values[node] = node.op(*inputs) if inputs else feeds[node]
                return values[node]
            return value_of(fetch)
            """,
            "The value of this node is not known. Before you go",
        ),
        (
            changed(
                RUN_BY_LIST,
                "in order:\n    values",
                "in sorted(order, key=lambda n: n.id):\n    values",
            ),
            "A node of this engine",
        ),
        (changed(RUN, "value_of(x) for x", "run(node, feeds) for x"), "The calls do not end"),
        (
            changed(RUN, "return value_of(fetch)", "return value_of(fetch) + 1"),
            "Follow your function",
        ),
    ],
    "fit_input": [
        ("    ...", "First build the gradient"),
        (changed(FIT, "value - 0.05", "value + 0.05"), "uphill"),
        (changed(FIT, "0.05 * ", ""), "without_rate"),
        (changed(FIT, "\nreturn value", "\n    return value"), "one_step"),
        (changed(FIT, "{node: value,", "{node: start,"), "always_at_start"),
        (changed(FIT, "value = value -", "value -"), "Compare one step"),
        (
            """
            gradient = mg.gradients(loss, [node])[0]
            value = start
            for step in range(steps):
                change = session.run(gradient, {node: value, **feeds})
                value = value - 0.05 * change
            return change
            """,
            "Compare one step",
        ),
        (
            """
            value = start
            for step in range(steps):
                gradient = mg.gradients(loss, [node])[0]
                value = value - 0.05 * session.run(gradient, {node: value, **feeds})
            return value
            """,
            "built_in_the_loop",
        ),
        (
            """
            gradient = mg.gradients(loss, [node])[0]
            value = start
            for step in range(steps):
                value = session.run(node - 0.05 * gradient, {node: value, **feeds})
            return value
            """,
            "built_in_the_loop",
        ),
        (
            """
            gradient = mg.gradients(loss, [node])[0]
            value = start
            for step in range(steps):
                feeds[node] = value
                value = value - 0.05 * session.run(gradient, feeds)
            return value
            """,
            "writes_feeds",
        ),
        (changed(FIT, "session.run", "mg.Session(loss.graph).run"), "initial_weights"),
        (changed(FIT, "session.run", "mg.Session().run"), "Use the session that is passed"),
        (changed(FIT, "[node])[0]", "[node])"), "mg.gradients returns a list"),
        (changed(FIT, "{node: value, **feeds}", "{node: value}"), "Use the session that is passed"),
        (changed(FIT, "{node: value, **feeds}", "feeds"), "Use the session that is passed"),
        (changed(FIT, "session.run(gradient, {node: value, **feeds})", "gradient"), "Compare one"),
        (changed(FIT, "gradients(loss, [node])", "gradients(loss, [start])"), "Differentiate the"),
        (changed(FIT, "return value", "return value * 2"), "Compare one step"),
        (changed(FIT, "value = value -", "value -="), "Work on a copy"),
        (
            "    loss.backward()\n    return start - 0.05 * node.grad",
            "A node of a static graph has no",
        ),
        (
            """
            session.run(loss, {node: start, **feeds})
            return start - 0.05 * node.grad
            """,
            "A node of a static graph has no",
        ),
        (
            """
            session.run(loss, {node: start, **feeds}).backward()
            return start
            """,
            "session.run returns an array",
        ),
    ],
}
RIGHT_FUNCTIONS = {
    "needed": [
        NEEDED,
        """
        found = {}
        def visit(node):
            if node not in fed and node not in found:
                found[node] = True
                for x in node.inputs:
                    visit(x)
        visit(fetch)
        return found.keys()
        """,
        """
        level, found = {fetch} - fed, set()
        while level:
            found |= level
            level = {x for node in level for x in node.inputs} - fed - found
        return frozenset(found)
        """,
    ],
    "run": [
        RUN,
        RUN_BY_LIST,
        """
        values = {}
        def value_of(node):
            if node in feeds:
                return feeds[node]
            if node not in values:
                values[node] = node.op(*map(value_of, node.inputs))
            return values[node]
        return value_of(fetch)
        """,
        """
        values, stack = feeds.copy(), [fetch]
        while stack:
            node = stack[-1]
            missing = [x for x in node.inputs if x not in values]
            if node in values:
                stack.pop()
            elif missing:
                stack += missing
            else:
                values[node] = node.op(*[values[x] for x in node.inputs])
        return values[fetch]
        """,
    ],
    "fit_input": [
        FIT,
        """
        gradient, = mg.gradients(loss, [node])
        value = np.array(start)
        while steps > 0:
            value -= session.run(gradient, feeds | {node: value}) * 0.05
            steps -= 1
        return value
        """,
        """
        gradient = mg.gradients(loss, node)
        gradient = gradient[0] if isinstance(gradient, list) else gradient
        value, history = start, []
        for _ in range(steps):
            error, slope = session.run([loss, gradient], {node: value} | feeds)
            history.append(error)
            value = value - slope / 20
        return value
        """,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with a list"),
        ([], "Answer with a list"),
        (2, "Answer with a list"),
        (["a", "b", "c", "d"], "E itself needs"),
        (["a"], "Let a grow by h"),
        (["a", "b", "d"], "Let a grow by h"),
        (["b", "c", "d"], "c moves E up"),
        ("bcd", "c moves E up"),
        (["d"], "Let a grow by 1"),
        (["b"], "The sum is multiplied"),
        ([b], "The sum is multiplied"),
    ],
}
RIGHT_VALUES = {
    "exit": [["b", "d"], ["d", "b"], {"b", "d"}, ("B", "D"), "bd", "b, d", "b and d", [b, d]],
}
PREDICTIONS = {
    "fed": ([..., 5, "three"], 11),
    "gradient": ([..., "C", 2], "B"),
    "programs": ([..., 13, "one"], 12),
}
