"""What students answer in lesson 10, wrong and right; test_lab_banks.py tells the form."""

WHILE = """
saved = []
while condition(x, w):
    saved.append(x)
    x = body(x, w)
x_bar, w_bar = 1.0, 0.0
for came_in in reversed(saved):
    x_bar, contribution = body_vjp(came_in, w, x_bar)
    w_bar += contribution
return x, x_bar, w_bar
"""
LIGHT = """
safe = mg.where(r > 0, r, 1.0)
return mg.where(r > 0, mg.sqrt(safe), 0.0)
"""
READ = """
def body(h, x):
    return mg.tanh(x @ U + h @ W), None

h, outputs = mg.scan(body, h, xs)
return h
"""


def changed(body, *pairs):
    """A right body with parts of it replaced, each of which stands there once."""
    for old, new in zip(pairs[::2], pairs[1::2]):
        assert body.count(old) == 1
        body = body.replace(old, new)
    return body


ONCE = "Call body_vjp once for each iteration"
CALL = "    x_bar, contribution = body_vjp(came_in, w, x_bar)\n"

SIGNATURES = {
    "while_vjp": "condition, body, body_vjp, x, w",
    "light": "r",
    "read": "xs, h, U, W",
}
WRONG_FUNCTIONS = {
    "while_vjp": [
        ("    ...", "Run the loop first"),
        (changed(WHILE, "reversed(saved)", "saved"), "first_iteration_first"),
        (
            changed(
                WHILE,
                "    saved.append(x)\n    x = body(x, w)",
                "    x = body(x, w)\n    saved.append(x)",
            ),
            "what_left",
        ),
        (changed(WHILE, "reversed(saved)", "[x] + saved[::-1]"), ONCE),
        (changed(WHILE, "w_bar += contribution", "w_bar = contribution"), "last_contribution"),
        (
            changed(
                WHILE, "for came_in in reversed(saved):", "while condition(x, w):\n    came_in = x"
            ),
            "condition_again",
        ),
        (
            changed(WHILE, "x_bar, contribution = body_vjp", "_, contribution = body_vjp"),
            "cotangent_of_one",
        ),
        (
            changed(WHILE, CALL, "    contribution = body_vjp(came_in, w, 1.0)[1]\n"),
            "cotangent_of_one",
        ),
        (
            changed(
                WHILE,
                "while condition(x, w):\n",
                "while not saved or condition(x, w):\n",
            ),
            "body_first",
        ),
        (
            """
            saved = []
            while True:
                saved.append(x)
                x = body(x, w)
                if not condition(x, w):
                    break
            x_bar, w_bar = 1.0, 0.0
            for came_in in reversed(saved):
                x_bar, contribution = body_vjp(came_in, w, x_bar)
                w_bar += contribution
            return x, x_bar, w_bar
            """,
            "body_first",
        ),
        (changed(WHILE, "body_vjp(came_in, w, x_bar)", "body_vjp(x, w, x_bar)"), "last_x_only"),
        (changed(WHILE, "body_vjp(came_in, w, x_bar)", "body_vjp(saved[0], w, x_bar)"), ONCE),
        (changed(WHILE, "body_vjp(came_in, w, x_bar)", "body_vjp(saved[-1], w, x_bar)"), ONCE),
        (
            changed(
                WHILE,
                CALL,
                "    more, contribution = body_vjp(came_in, w, x_bar)\n    x_bar += more\n",
            ),
            ONCE,
        ),
        (changed(WHILE, "x_bar, w_bar = 1.0, 0.0", "x_bar, w_bar = 1.0, 1.0"), ONCE),
        (changed(WHILE, "return x, x_bar", "return came_in, x_bar"), "If no iteration runs"),
        (changed(WHILE, "body_vjp(came_in, w, x_bar)", "body_vjp(came_in, w, 1.0)"), ONCE),
        (changed(WHILE, "return x, x_bar, w_bar", "return x, w_bar, x_bar"), ONCE),
        (
            changed(WHILE, "x_bar, w_bar = 1.0, 0.0", "x_bar, w_bar = 0.0, 0.0"),
            ONCE,
        ),
        (changed(WHILE, "return x, x_bar, w_bar", "return x_bar, w_bar"), ONCE),
        (changed(WHILE, "reversed(saved)", "saved[-2::-1]"), ONCE),
        (changed(WHILE, "    x = body(x, w)\n", ""), "The loop doesn't end"),
        (
            changed(
                WHILE, "for came_in", "w_bar = body_vjp(saved[-1], w, 1.0)[1] * 0\nfor came_in"
            ),
            "The list is empty",
        ),
        (
            changed(WHILE, "x_bar, contribution = body_vjp", "x_bar, contribution, _ = body_vjp"),
            "body_vjp returns two",
        ),
        (
            changed(WHILE, "body_vjp(came_in, w, x_bar)", "body_vjp(came_in, x_bar)"),
            "condition and body take",
        ),
        (changed(WHILE, "return x, x_bar, w_bar", "x, x_bar, w_bar"), "Does it end with return"),
    ],
    "light": [
        ("    ...", "Which input can the root have"),
        ("return mg.where(r > 0, mg.sqrt(r), 0.0)", "one_where"),
        ("return mg.where(r > 0, mg.where(r > 0, mg.sqrt(r), 0.0), 0.0)", "one_where"),
        ("return mg.sqrt(mg.where(r > 0, r, 1.0))", "root_of_one"),
        ("return mg.where(r > 0, mg.sqrt(mg.abs(r) + 0.01), 0.0)", "Compare one entry"),
        ("return mg.cond(r > 0, mg.sqrt, lambda r: 0 * r, r)", "`mg.cond` takes one"),
        ("return mg.sqrt(r) if r > 0 else 0 * r", "Python's `if`"),
        ("return np.where(r > 0, np.sqrt(r), 0.0)", "one_where"),
        ("return mg.where(r > 0, mg.sqrt(r + 1e-12), 0.0)", "one_where"),
        ("return mg.where(r > 0, mg.sqrt(r + 1e-6), 0.0)", "root_of_more"),
        ("return mg.sqrt(mg.maximum(r, 1e-12))", "root_of_little"),
        ("return mg.where(r > 0, mg.sqrt(r.detach()), 0.0)", "detach and changes in place"),
        ("return mg.where(r > 0, mg.sqrt(r), 0.0).detach()", "detach and changes in place"),
        (changed(LIGHT, "r, 1.0)", "r, 1.0).detach()"), "detach and changes in place"),
        (changed(LIGHT, "mg.sqrt(safe), 0.0", "0.0, mg.sqrt(safe)"), "Compare one entry"),
        ("return mg.sqrt(mg.abs(r) + 1e-12)", "Compare one entry"),
        (changed(LIGHT, "return mg.where", "mg.where"), "Does it end with return"),
        ("return 0 * r", "Compare one entry"),
        ("return mg.sqrt(mg.abs(r))", "Compare one entry"),
        ("return mg.sqrt(r) * (r > 0)", "Compare one entry"),
        ("return mg.where(r > 0, mg.sqrt(r + 1e-9), 0.0)", "Compare one entry"),
        ("r[r < 0] = 0; return mg.sqrt(r)", "detach and changes in place"),
    ],
    "read": [
        ("    ...", "Write body(h, x)"),
        (
            changed(READ, "None", "mg.tanh(x @ U + h @ W)", "return h\n", "return outputs\n"),
            "all_states",
        ),
        (changed(READ, "mg.scan(body, h, xs)", "mg.scan(body, 0 * h, xs)"), "from_zeros"),
        (
            changed(READ, "mg.scan(body, h, xs)", "mg.scan(body, h, xs, reverse=True)"),
            "Compare with h",
        ),
        (changed(READ, " + h @ W", ""), "no_memory"),
        (changed(READ, "mg.tanh(x @ U + h @ W)", "x @ U + h @ W"), "no_tanh"),
        (
            """
            last = mg.scan(lambda h, x: (x @ U + h @ W, None), h, xs)[0]
            return mg.tanh(last)
            """,
            "tanh_outside",
        ),
        (changed(READ, "body(h, x)", "body(state, x)"), "given_h"),
        ("first = h\n" + changed(READ, "h @ W", "first @ W").lstrip(), "given_h"),
        (changed(READ, "h @ W", "h.detach() @ W"), "detached"),
        (changed(READ, "return h\n", "return h.detach()\n"), "Compare with h"),
        (changed(READ, "mg.scan(body, h, xs)", "mg.scan(body, np.zeros(4), xs)"), "from_zeros"),
        ("return mg.scan(lambda h, x: (mg.tanh(x @ U + h @ W), None), h, xs)", "mg.scan(body"),
        (changed(READ, "mg.tanh(x @ U + h @ W)", "h + mg.tanh(x @ U + h @ W)"), "Compare with h"),
        (
            changed(READ, "mg.tanh(x @ U + h @ W)", "mg.tanh(x @ U) + mg.tanh(h @ W)"),
            "Compare with h",
        ),
        (
            changed(READ, "mg.tanh(x @ U + h @ W), None", "h, mg.tanh(x @ U + h @ W)"),
            "Compare with h",
        ),
        (
            """
            _, hs = mg.scan(lambda h, x: (mg.tanh(x @ U + h @ W),) * 2, h, xs)
            return hs[-1]
            """,
            "Is it body(h, x), with x @ U and h @ W? If there are no rows",
        ),
        (changed(READ, ", None", ""), "The body of mg.scan"),
        (changed(READ, "body(h, x)", "body(x, h)"), "Is it body(h, x)"),
        (changed(READ, "x @ U + h @ W", "h @ U + x @ W"), "Is it body(h, x)"),
        (changed(READ, "h, outputs = ", "h = "), "mg.scan(body"),
        ("for x in xs:\n    h = mg.tanh(x @ U + h @ W)\nreturn h", "Python's loop"),
        ("for i in range(len(xs)):\n    h = mg.tanh(xs[i] @ U + h @ W)\nreturn h", "mg.scan(body"),
        (
            "for i in range(xs.shape[0]):\n    h = mg.tanh(xs[i] @ U + h @ W)\nreturn h",
            "mg.scan(body",
        ),
        (changed(READ, "return h\n", "h\n"), "Does it end with return"),
        (changed(READ, "x @ U + h @ W", "x @ U + h"), "Compare with"),
        (
            changed(READ, "None", "mg.tanh(x @ U + h @ W)", "return h\n", "return outputs[-1]\n"),
            "Is it body(h, x), with x @ U and h @ W? If there are no rows",
        ),
    ],
}
RIGHT_FUNCTIONS = {
    "while_vjp": [
        WHILE,
        """
        if not condition(x, w):
            return x, 1.0, 0.0
        last, bar, w_bar = while_vjp(condition, body, body_vjp, body(x, w), w)
        x_bar, more = body_vjp(x, w, bar)
        return last, x_bar, w_bar + more
        """,
        """
        xs = [x]
        while condition(xs[-1], w):
            xs.append(body(xs[-1], w))
        bar = np.ones(()); total = np.zeros(())
        for k in range(len(xs) - 2, -1, -1):
            bar, part = body_vjp(xs[k], w, bar)
            total = total + part
        return [xs[-1], bar, total]
        """,
        """
        count, first = 0, x
        while condition(x, w):
            x = body(x, w)
            count += 1
        x_bar, w_bar = 1.0, 0.0
        for k in range(count - 1, -1, -1):
            came_in = first
            for _ in range(k):
                came_in = body(came_in, w)
            x_bar, more = body_vjp(came_in, w, x_bar)
            w_bar += more
        return x, x_bar, w_bar
        """,
    ],
    "light": [
        LIGHT,
        "return mg.where(r > 0, mg.where(r > 0, r, 2.0) ** 0.5, 0)",
        """
        positive = r > 0
        inside = mg.where(positive, r, mg.ones_like(r))
        return mg.sqrt(inside) * mg.where(positive, 1.0, 0.0)
        """,
        "return mg.where(r <= 0, mg.zeros_like(r), mg.sqrt(mg.maximum(r, 1e-12)))",
        "return mg.sqrt(mg.maximum(r, 0.0))",
        "return mg.where(r > 0, mg.sqrt(mg.abs(r)), 0.0)",
        """
        mask = mg.where(r > 0, 1.0, 0.0)
        return mask * mg.sqrt(r * mask + 1 - mask)
        """,
    ],
    "read": [
        READ,
        "return mg.scan(lambda h, x: (mg.tanh(x @ U + h @ W), h), h, xs)[0]",
        """
        projected = xs @ U
        return mg.scan(lambda h, p: (mg.tanh(p + mg.matmul(h, W)), None), h, projected)[0]
        """,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with one number"),
        (1, "That is the contribution"),
        (3, "That would be right if"),
        (5, "That is the derivative after two"),
        (11, "Those are the last two"),
        (80, "That is the derivative with respect to"),
        (131, "You added the derivative"),
        (26, "That is the last s"),
        (50, "Write down s before"),
    ],
}
RIGHT_VALUES = {"exit": [51, 51.0, "51"]}
PREDICTIONS = {
    "rays": ([..., "near", 3], "the near miss"),
    "one": ([..., 2, "half"], 1),
    "where": ([..., 1, "error"], "nan"),
}
