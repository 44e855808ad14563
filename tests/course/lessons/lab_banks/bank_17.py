"""What students answer in lesson 17, wrong and right; test_lab_banks.py tells the form."""

EQUATIONS = """
lines = []
for node in graph.nodes:
    if node.inputs:
        inputs = " ".join(x.name for x in node.inputs)
        lines.append(f"{node.name} = {str(node.op).lower()} {inputs}")
return lines
"""
BACKWARD = """
adjoints = dict.fromkeys(values, 0.0)
adjoints[equations[-1][0]] = 1.0
for z, op, *inputs in reversed(equations):
    local = derivatives[op](*[values[x] for x in inputs])
    for x, derivative in zip(inputs, local):
        adjoints[x] += adjoints[z] * derivative
return adjoints
"""
PORT = """
gradient = grad(loss)
for step in range(steps):
    total = 0.0
    for x, y in batches:
        total = total + gradient(w, x, y)
    w = w - 0.01 * total
return w
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1, old
    return body.replace(old, new)


SIGNATURES = {
    "equations": "graph",
    "backward_pass": "equations, values, derivatives",
    "port": "grad, loss, w, batches, steps",
}
WRONG_FUNCTIONS = {
    "equations": [
        ("    ...", "Go through graph.nodes"),
        (changed(EQUATIONS, "    if node.inputs:", "    if True:"), "every_node"),
        (changed(EQUATIONS, '" ".join', '", ".join'), "with_commas"),
        (changed(EQUATIONS, "in node.inputs)", "in node.inputs[::-1])"), "inputs_reversed"),
        (changed(EQUATIONS, "\nreturn lines", "\n        return lines"), "first_line"),
        (changed(EQUATIONS, "{node.name} = ", ""), "Each node with inputs"),
        (changed(EQUATIONS, "{node.name} = ", "{node.name}:f32[] = "), "Each node with inputs"),
        (changed(EQUATIONS, "return lines", 'return "\\n".join(lines)'), "one_text"),
        (
            """
            return "\\n".join(
                " ".join([node.name, "=", str(node.op), *[x.name for x in node.inputs]])
                for node in graph.nodes if len(node.inputs) > 0)
            """,
            "one_text",
        ),
        (
            changed(EQUATIONS, "if node.inputs:", 'if str(node.op) != "Placeholder":'),
            "constants_kept",
        ),
        (
            changed(EQUATIONS, "if node.inputs:", "if len(node.inputs) == 2:"),
            "Each node with inputs",
        ),
        (changed(EQUATIONS, "str(node.op)", "type(node.op).__name__"), "Each node with inputs"),
        (
            changed(
                EQUATIONS, "x.name for x in node.inputs", "sorted(x.name for x in node.inputs)"
            ),
            "Each node with inputs",
        ),
        (
            changed(EQUATIONS, "x.name for x in node.inputs", "{x.name: 0 for x in node.inputs}"),
            "Each node with inputs",
        ),
        ('return ["c = add a b", "d = add b 1.0", "e = mul c d"]', "graph_above"),
        (changed(EQUATIONS, "{node.name} = ", "{node.name}: "), "Each node with inputs"),
        (
            changed(
                EQUATIONS,
                '" ".join(x.name for x in node.inputs)',
                'f"{node.inputs[0].name} {node.inputs[1].name}"',
            ),
            "A node can have one input",
        ),
        (
            changed(EQUATIONS, "{node.name} = ", "{'cdefghijk'[len(lines)]} = "),
            "Each node with inputs",
        ),
        (changed(EQUATIONS, "\nreturn lines", "\nprint(lines)"), "Does it end with return"),
        (changed(EQUATIONS, "x.name for x", "x for x"), "Go through graph.nodes, and"),
        (changed(EQUATIONS, "str(node.op).lower()", "node.op.lower()"), "A graph has .nodes"),
        ("return [(node.name, node.op) for node in graph.nodes]", "Go through graph.nodes, and"),
        (changed(EQUATIONS, "str(node.op).lower()", "''"), "Each node with inputs"),
        (changed(EQUATIONS, "graph.nodes", "graph.nodes[::-1]"), "Each node with inputs"),
        (changed(EQUATIONS, "graph.nodes", "graph"), "Go through graph.nodes, and"),
    ],
    "backward_pass": [
        ("    ...", "Begin with the adjoint 1"),
        (changed(BACKWARD, "adjoints[x] +=", "adjoints[x] ="), "contribution_replaced"),
        (changed(BACKWARD, "reversed(equations)", "equations"), "only_the_last"),
        (
            changed(BACKWARD, "reversed(equations)", "equations").replace("+=", "="),
            "Only the last result",
        ),
        (changed(BACKWARD, "adjoints[equations[-1][0]] = 1.0\n", ""), "without_seed"),
        (changed(BACKWARD, "adjoints[z] * derivative", "derivative"), "adjoint_ignored"),
        (changed(BACKWARD, "\nreturn", "\n    return"), "only_the_last"),
        (changed(BACKWARD, "values[x] for", "adjoints[x] for"), "at_adjoints"),
        (changed(BACKWARD, "equations[-1][0]", "'e'"), "result_called_e"),
        (
            changed(BACKWARD, "return adjoints", "return {x: adjoints[x] for x in 'ab'}"),
            "inputs_alone",
        ),
        (changed(BACKWARD, "reversed(equations)", "equations.reverse()"), "derivatives[op]"),
        (changed(BACKWARD, "equations[-1][0]", "equations[0][0]"), "Only the last result"),
        (changed(BACKWARD, "] = 1.0", "] = values[equations[-1][0]]"), "Only the last result"),
        (changed(BACKWARD, "(values, 0.0)", "(values, 1.0)"), "Only the last result"),
        (changed(BACKWARD, "zip(inputs,", "zip(set(inputs),"), "Only the last result"),
        (
            changed(BACKWARD, "adjoints[z] * derivative", "values[z] * derivative"),
            "Only the last result",
        ),
        (
            changed(BACKWARD, "values[x] for x in inputs", "x for x in inputs"),
            "derivatives[op] takes",
        ),
        (changed(BACKWARD, "dict.fromkeys(values, 0.0)", "{}"), "A name has no entry yet"),
        (changed(BACKWARD, "(*[values[x] for x in inputs])", "(values)"), "derivatives[op] takes"),
        (changed(BACKWARD, "z, op, *inputs in", "z, op, inputs in"), "Unpack an equation"),
        (changed(BACKWARD, "return adjoints", "return list(adjoints.values())"), "derivatives[op]"),
        (changed(BACKWARD, "return adjoints", "return adjoints['b']"), "derivatives[op] takes"),
        (changed(BACKWARD, "return adjoints", ""), "Does it end with return"),
        (
            changed(BACKWARD, "zip(inputs, local)", "zip(inputs[::-1], local)"),
            "Only the last result",
        ),
    ],
    "port": [
        ("    ...", "grad(loss) is a function of"),
        (changed(PORT, "\n    w = w", "\n        w = w"), "One step is"),
        (
            """
            gradient = grad(loss)
            for step in range(steps):
                for x, y in batches:
                    w = w - 0.01 * gradient(w, x, y)
            return w
            """,
            "step_per_batch",
        ),
        (
            """
            total = 0.0
            for step in range(steps):
                for x, y in batches:
                    total = total + grad(loss)(w, x, y)
                w = w - 0.01 * total
            return w
            """,
            "never_reset",
        ),
        (changed(PORT, "total + gradient", "gradient"), "last_batch"),
        (changed(PORT, "0.01 * total", "0.01 * total / len(batches)"), "mean_of_batches"),
        (changed(PORT, "w - 0.01", "w + 0.01"), "One step is"),
        (
            """
            w = mg.tensor(w, requires_grad=True)
            optimizer = mg.optim.SGD([w], lr=0.01)
            for step in range(steps):
                optimizer.zero_grad()
                for x, y in batches:
                    loss(w, x, y).backward()
                optimizer.step()
            return w
            """,
            "without_grad",
        ),
        (
            """
            whole = lambda parameter: sum(loss(w, x, y) for x, y in batches)
            for step in range(steps):
                w = w - 0.01 * grad(whole)(w)
            return w
            """,
            "initial_w",
        ),
        (
            """
            w.requires_grad = True
            for step in range(steps):
                for x, y in batches:
                    loss(w, x, y).backward()
                w = w - 0.01 * w.grad
            return w
            """,
            "JAX has no backward",
        ),
        (
            """
            gradient = grad(loss)
            total = sum(gradient(w, x, y) for x, y in batches)
            for step in range(steps):
                w = w - 0.01 * total
            return w
            """,
            "One step is",
        ),
        (changed(PORT, "    w = w - 0.01 * total", "    new_w = w - 0.01 * total"), "initial_w"),
        (changed(PORT, "\nreturn w", "\n    return w"), "One step is"),
        (changed(PORT, "range(steps)", "range(20)"), "One step is"),
        (
            """
            whole = grad(lambda w: sum(loss(w, x, y) for x, y in batches))
            while steps:
                w -= 0.01 * whole(w)
                steps -= 1
            return w
            """,
            "whole_batch",
        ),
        (
            """
            xs, ys = (np.concatenate(part) for part in zip(*batches))
            for step in range(steps):
                w = w - 0.01 * grad(loss)(w, xs, ys)
            return w
            """,
            "whole_batch",
        ),
        (
            """
            whole = lambda w: sum(loss(w, x, y) for x, y in batches) / len(batches)
            for step in range(steps):
                w = w - 0.01 * grad(whole)(w)
            return w
            """,
            "mean_of_batches",
        ),
        (changed(PORT, "    total = 0.0\n", ""), "Give the sum a value"),
        (changed(PORT, "grad(loss)", "grad(loss, w)"), "grad(loss) returns a function"),
        (changed(PORT, "gradient(w, x, y)", "grad(loss(w, x, y))"), "grad(loss) returns a"),
        (changed(PORT, "gradient(w, x, y)", "loss(w, x, y).backward()"), "JAX has no backward"),
        (changed(PORT, "gradient(w, x, y)", "w.gradient"), "The gradient is what"),
        (changed(PORT, "0.01", "0.1"), "One step is"),
        (changed(PORT, "return w", ""), "Does it end with return"),
        (changed(PORT, "gradient(w, x, y)", "gradient(w, x)"), "grad(loss) returns a"),
    ],
}
RIGHT_FUNCTIONS = {
    "equations": [
        EQUATIONS,
        """
        return [
            " ".join([node.name, "=", str(node.op), *[x.name for x in node.inputs]])
            for node in graph.nodes if len(node.inputs) > 0]
        """,
        """
        found = ()
        for node in graph.nodes:
            if str(node.op) not in ("Placeholder", "Constant"):
                line = node.name + " = " + str(node.op).lower()
                for x in node.inputs:
                    line += " " + x.name
                found += (line,)
        return found
        """,
    ],
    "backward_pass": [
        BACKWARD,
        """
        from collections import defaultdict
        bars = defaultdict(float, {equations[-1][0]: 1})
        for equation in equations[::-1]:
            result, op, inputs = equation[0], equation[1], equation[2:]
            partials = derivatives[op](*map(values.get, inputs))
            for k, name in enumerate(inputs):
                bars[name] = bars[name] + bars[result] * partials[k]
        return bars
        """,
        """
        adjoints = dict.fromkeys(values, 0.0)
        adjoints[equations[-1][0]] = 1.0
        while equations:
            z, op, *inputs = equations.pop()
            for x, derivative in zip(inputs, derivatives[op](*[values[x] for x in inputs])):
                adjoints[x] += adjoints[z] * derivative
        return adjoints
        """,
        """
        equations.reverse()
        adjoints = dict.fromkeys(values, 0.0) | {equations[0][0]: 1.0}
        for z, op, *inputs in equations:
            for x, derivative in zip(inputs, derivatives[op](*[values[x] for x in inputs])):
                adjoints[x] += adjoints[z] * derivative
        return adjoints
        """,
        """
        def adjoint(name):
            total = 1.0 if name == equations[-1][0] else 0.0
            for z, op, *inputs in equations:
                partials = derivatives[op](*[values[x] for x in inputs])
                total += sum(adjoint(z) * d for x, d in zip(inputs, partials) if x == name)
            return total
        return {name: adjoint(name) for name in values}
        """,
    ],
    "port": [
        PORT,
        """
        for _ in range(steps):
            w = w - 0.01 * sum(grad(loss)(w, x, y) for x, y in batches)
        return w
        """,
        """
        while steps:
            gradients = [grad(lambda v: loss(v, *batch))(w) for batch in batches]
            w -= 0.01 * sum(gradients)
            steps -= 1
        return w
        """,
        """
        for step in range(steps):
            old = w
            for x, y in batches:
                for row, target in zip(x, y):
                    w = w - 0.01 * grad(loss)(old, row, target)
        return w
        """,
        """
        w = w.numpy()
        gradient = grad(loss)
        for step in range(steps):
            total = np.zeros_like(w)
            for x, y in batches:
                total += gradient(w, x, y).numpy()
            w = w - 0.01 * total
        return w
        """,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with a set of names, for"),
        ({"x"}, "x belongs to it"),
        ("h", "h belongs to it"),
        ({"w", "h"}, "w would be read for"),
        (["x", "w", "h"], "One of the three would"),
        ("x, p", "Does the formula"),
        ({"x", "p", "h"}, "One value is enough"),
        ({"p"}, "Take the two operations"),
        (["x", "w", "p", "h"], "Take the two operations"),
        (2, "Answer with a set of the names"),
        ({"y"}, "Answer with a set of the names"),
        ("", "Answer with a set of the names"),
    ],
}
RIGHT_VALUES = {"exit": [{"x", "h"}, ["h", "x"], "x h", "x and h", ("H", "X"), "xh"]}
PREDICTIONS = {
    "third": ([..., "slower", 3], "lower"),
    "habit": ([..., "PyTorch", 1], "neither"),
    "outer": ([..., 1, "nan"], "16"),
}
