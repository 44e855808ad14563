"""What students answer in lesson 04, wrong and right; test_lab_banks.py tells the form."""

DESCEND = """
history = []
for step in range(steps):
    w.grad = None
    total = 0.0
    for loss in losses:
        y = loss(w)
        y.backward()
        total += y.item()
    with mg.no_grad():
        w -= rate * w.grad
    history.append(total)
return history
"""
TOTAL = """
history = []
while len(history) < steps:
    total = sum(loss(w) for loss in losses)
    w.grad = None
    total.backward()
    history += [total.item()]
    with mg.no_grad():
        w -= rate * w.grad
    del total
return history
"""
FORWARD_FIRST = """
history = []
for step in range(steps):
    w.grad = None
    values = [loss(w) for loss in losses]
    for y in values:
        y.backward()
    with mg.no_grad():
        w -= rate * w.grad
    history.append(sum(y.item() for y in values))
    del values, y
return history
"""
CLIP = """
def clip(gradient):
    norm = np.linalg.norm(gradient)
    if norm > limit:
        return gradient * (limit / norm)
    return gradient
return w.register_hook(clip)
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


def changed_descend(old, new):
    """A body of descend with one part of the right one replaced."""
    return changed(DESCEND, old, new)


def changed_clip(old, new):
    """A body of clip_gradient with one part of the right one replaced."""
    return changed(CLIP, old, new)


WRONG_FUNCTIONS = {
    "smoothed": [
        ("    ...", "Begin with the colleague"),
        ("    return ...", "Begin with the colleague"),
        ("    return 0.9 * smooth + 0.1 * y", "still_leaks"),
        (
            "    smooth = 0.9 * smooth + 0.1 * y\n    smooth.item()\n    return smooth",
            "still_leaks",
        ),
        ("    return 0.9 * smooth + 0.1 * mg.abs(y) * mg.sign(y)", "still_leaks"),
        ("    return y.item()", "only_the_last"),
        ("    return smooth + y.item()", "added_up"),
        ("    return 0.1 * smooth + 0.9 * y.item()", "The formula is"),
        ("    return 0.9 * smooth + y.item()", "The formula is"),
        ("    return 0.9 * smooth + 0.1 * y.grad", "Are the parentheses"),
        ("    return 0.9 * smooth + 0.1 * y.item", "Are the parentheses"),
        ("    return 0.9 * smooth + 0.1 * y.items()", "did you mean x.item?"),
        ("    return 0.9 * smooth + 0.1 * float(y)", "backward has already"),
        ("    y.backward()\n    return 0.9 * smooth + 0.1 * y.item()", "backward has already"),
        ("    return 0.9 * smooth.item() + 0.1 * y.item()", "smooth begins as a plain number"),
        ("    0.9 * smooth + 0.1 * y.item()", "Does it end with return"),
    ],
    "descend": [
        ("    ...", "Begin with two loops"),
        (changed_descend("total += y.item()", "total = total + y"), "keeps_tensors"),
        (
            changed_descend("history.append(total)", "history.append(mg.tensor(total))"),
            "keeps_tensors",
        ),
        (changed_descend("y.item()", "y.detach()"), "keeps_tensors"),
        (TOTAL, "one_large_graph"),
        (FORWARD_FIRST, "one_large_graph"),
        (changed_descend("y.backward()", "y.backward(retain_graph=True)"), "one_large_graph"),
        (
            """
            history = []
            for step in range(steps):
                total = gradient = 0.0
                for loss in losses:
                    y = loss(w)
                    gradient += mg.gradients(y, [w])[0].item()
                    total += y.item()
                y = None
                with mg.no_grad():
                    w -= rate * gradient
                history.append(total)
            return history
            """,
            "one_large_graph",
        ),
        (changed_descend("y.item()", "float(y)"), "`w -= …` inside no_grad"),
        (
            """
            history = []
            for step in range(steps):
                w.grad = None
                total = 0.0
                with mg.no_grad():
                    for loss in losses:
                        y = loss(w)
                        y.backward()
                        total += y.item()
                    w -= rate * w.grad
                history.append(total)
            return history
            """,
            "`w -= …` inside no_grad",
        ),
        (changed_descend("    w.grad = None\n", ""), "never_cleared"),
        (
            changed_descend("    w.grad = None\n", "").replace(
                "history = []", "history, w.grad = [], None"
            ),
            "cleared_once",
        ),
        (
            changed_descend("    w.grad = None\n", "").replace(
                "    history.append(total)", "    history.append(total)\n    w.grad = None"
            ),
            "In each step, first clear",
        ),
        (changed_descend("y = loss(w)", "w.grad = None; y = loss(w)"), "cleared_for_each_loss"),
        (
            changed_descend(
                "    with mg.no_grad():\n        w -=",
                "        with mg.no_grad():\n            w -=",
            ),
            "updated_after_each_loss",
        ),
        (
            """
            history = []
            for step in range(steps):
                total = 0.0
                for loss in losses:
                    w.grad = None
                    y = loss(w)
                    y.backward()
                    total += y.item()
                    with mg.no_grad():
                        w -= rate * w.grad
                history.append(total)
            return history
            """,
            "updated_for_each_loss",
        ),
        (
            changed_descend("rate * w.grad", "rate * w.grad / len(losses)"),
            "In each step, first clear",
        ),
        (
            changed_descend("append(total)", "append(total / len(losses))"),
            "In each step, first clear",
        ),
        (
            changed_descend("append(total)", "append(sum(loss(w).item() for loss in losses))"),
            "In each step, first clear",
        ),
        (changed_descend("w -= rate", "w += rate"), "uphill"),
        (changed_descend("w -= rate * w.grad", "pass"), "standing_still"),
        (
            changed_descend("w -= rate * w.grad", "w = (w - rate * w.grad).detach()").replace(
                "    history.append", "    w.requires_grad = True\n    history.append"
            ),
            "another_leaf",
        ),
        (
            changed_descend(
                "    with mg.no_grad():\n        w -= rate * w.grad",
                "    w = mg.tensor(w.numpy() - rate * w.grad.numpy(), requires_grad=True)",
            ),
            "another_leaf",
        ),
        (changed_descend("w -= rate * w.grad", "v = w - rate * w.grad"), "standing_still"),
        (
            changed_descend("w -= rate * w.grad", "w = w - rate * w.grad"),
            "`w -= …` inside no_grad",
        ),
        (changed_descend("with mg.no_grad():", "if True:"), "`w -= …` inside no_grad"),
        (
            """
            history = []
            for step in range(steps):
                w.grad = None
                total = 0.0
                for loss in losses:
                    y = loss(w)
                    total += y.item()
                with mg.no_grad():
                    w -= rate * w.grad
                history.append(total)
            return history
            """,
            "Is w.grad None here",
        ),
        (changed_descend("y = loss(w)", "y = loss(w).detach()"), "`w -= …` inside no_grad"),
        (
            changed_descend("    history.append", "    return [total]\n    history.append"),
            "In each step, first clear",
        ),
        (changed_descend("total += y.item()", "total = y.item()"), "In each step, first clear"),
        (changed_descend("rate *", "0.1 *"), "In each step, first clear"),
        (changed_descend("w.grad = None", "w.zero_grads()"), "did you mean x.zero_grad?"),
        (changed_descend("return history", "return total"), "In each step, first clear"),
        (changed_descend("return history", "history"), "Does it end with return"),
    ],
    "clip_gradient": [
        ("    ...", "Inside yours, define"),
        (
            changed_clip("return gradient * (limit / norm)", "gradient * (limit / norm)"),
            "not_clipped",
        ),
        (changed_clip("norm > limit", "norm < 0"), "not_clipped"),
        ("    return w.register_hook(lambda gradient: None)", "not_clipped"),
        (
            "    return w.register_hook(lambda g: mg.clip(g, -limit, limit))",
            "clipped_by_value",
        ),
        (
            "    return w.register_hook(lambda g: g * limit / np.linalg.norm(g))",
            "always_scaled",
        ),
        (changed_clip("limit / norm)", "1 / norm)"), "unit_length"),
        (changed_clip("np.linalg.norm(gradient)", "mg.sum(gradient ** 2)"), "squared_norm"),
        (
            """
            def clip(gradient):
                n = np.linalg.norm(gradient)
                if n > limit:
                    gradient *= limit / n
                return gradient
            return w.register_hook(clip)
            """,
            "changed_in_place",
        ),
        (
            """
            def clip(gradient):
                n = np.linalg.norm(gradient)
                if n > limit:
                    gradient *= limit / n
            return w.register_hook(clip)
            """,
            "changed_and_not_returned",
        ),
        (changed_clip("norm(gradient)", "norm(w)"), "not_clipped"),
        (changed_clip("gradient * (limit / norm)", "limit"), "The hook returns the gradient"),
        (changed_clip("return gradient\n", "return 0\n"), "The hook returns the gradient"),
        (changed_clip("np.linalg.norm(gradient)", "mg.abs(gradient).max()"), "largest_entry"),
        (changed_clip("gradient * (limit / norm)", "gradient / limit"), "A gradient whose norm"),
        (changed_clip("limit / norm", "norm / limit"), "A gradient whose norm"),
        (changed_clip("gradient * (limit / norm)", "gradient * 0"), "A gradient whose norm"),
        (changed_clip("norm > limit", "nrm > limit"), "A gradient whose norm"),
        (changed_clip("norm(gradient)", "norm(w.grad)"), "register_hook takes a function"),
        ("    return w.register_hook(mg.clip(w.grad, -limit, limit))", "w.grad is still None here"),
        (changed_clip("return w.register_hook(clip)", "w.register_hook(clip)"), "Does it end with"),
        (changed_clip("return w.register_hook(clip)", "return clip"), "Look at the name"),
        (changed_clip("np.linalg.norm(gradient)", "gradient.norm()"), "A Tensor has no"),
    ],
}
RIGHT_FUNCTIONS = {
    "smoothed": [
        "    return 0.9 * smooth + 0.1 * float(y.detach())",
        "    return (0.9 * smooth + 0.1 * y).detach()",
        "    return (0.9 * smooth + 0.1 * y).item()",
        "    with mg.no_grad():\n        return 0.9 * smooth + 0.1 * y",
        "    return smooth + (y.numpy() - smooth) / 10",
    ],
    "descend": [
        """
        def backward(loss):
            y = loss(w)
            y.backward()
            return y.item()
        history = []
        while len(history) < steps:
            w.grad = None
            history += [sum(map(backward, losses))]
            with mg.no_grad():
                w -= rate * w.grad
        return history
        """,
        """
        def step():
            total, gradient = 0.0, 0.0
            for loss in losses:
                value, more = numbers(loss(w))
                total, gradient = total + value, gradient + more
            with mg.no_grad():
                w.data = w.data - rate * gradient
            return total
        def numbers(y):
            return y.item(), mg.gradients(y, [w])[0].numpy()
        return tuple(step() for _ in range(steps))
        """,
        changed_descend("w.grad = None", "w.zero_grad()"),
    ],
    "clip_gradient": [
        "    return w.register_hook(lambda g: g * min(1.0, limit / (1e-300 + np.linalg.norm(g))))",
        """
        def hook(g):
            norm = mg.sqrt(mg.sum(g * g)).item()
            if norm > limit:
                return limit * g / norm
        return w.register_hook(hook)
        """,
    ],
}
SIGNATURES = {
    "smoothed": "smooth, y",
    "descend": "w, losses, steps, rate",
    "clip_gradient": "w, limit",
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with one number"),
        (None, "Answer with one number"),
        (5.6, "5.6 is the gradient of the last call"),
        ("5.6", "5.6 is the gradient of the last call"),
        (7, "7 is in w.grad before"),
        (14, "Two calls come after"),
        (26.6, "This counts the first two calls"),
        ("error", "The first call keeps its graph"),
        (6, "Go through the lines"),
        ([7, 12.6], "Go through the lines"),
    ],
}
RIGHT_VALUES = {"exit": [12.6, "12.6", 63 / 5]}
PREDICTIONS = {
    "line_a": ([..., "soon", 3], "never"),
    "again": ([..., 15, "ten"], "error"),
    "expanded": ([..., 3, "five"], "error"),
    "kept": ([..., 5, "many"], 50),
}
