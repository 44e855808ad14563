"""What students answer in lesson 18, wrong and right; test_lab_banks.py tells the form."""

ATTENTION = """
scores = q @ k.T / np.sqrt(q.shape[1])
scores[np.triu(np.ones(scores.shape, bool), 1)] = -np.inf
weights = np.exp(scores - scores.max(axis=1, keepdims=True))
weights /= weights.sum(axis=1, keepdims=True)
return weights @ v, weights
"""
VJP = """
from minigrad.course.lessons.l18 import reference_attention as attention
_, weights = attention(q, k, v)
p_bar = o_bar @ v.T
s_bar = weights * (p_bar - (weights * p_bar).sum(axis=1, keepdims=True))
s_bar = s_bar / np.sqrt(q.shape[1])
return s_bar @ k, s_bar.T @ q, weights.T @ o_bar
"""
BLOCK = """
x = x + attend(norm_1(x))
return x + mlp(norm_2(x))
"""
LOOKS_AHEAD = """
scores = net(x)
for t in range(len(x)):
    changed = x.copy()
    changed[t] = (x[t] + 1) % 31
    if not np.array_equal(net(changed)[:t], scores[:t]):
        return True
return False
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


MASK = "scores[np.triu(np.ones(scores.shape, bool), 1)] = -np.inf"

SIGNATURES = {
    "attention": "q, k, v",
    "attention_vjp": "q, k, v, o_bar",
    "block": "x, norm_1, attend, norm_2, mlp",
    "looks_ahead": "net, x",
}
WRONG_FUNCTIONS = {
    "attention": [
        ("    ...", "Begin with the scores"),
        (changed(ATTENTION, " / np.sqrt(q.shape[1])", ""), "without_scale"),
        (changed(ATTENTION, "np.sqrt(q.shape[1])", "q.shape[1]"), "Divide the scores"),
        (changed(ATTENTION, "q.shape[1]", "q.shape[0]"), "scaled_by_letters"),
        (
            """
            scores = q @ k.T / np.sqrt(q.shape[1])
            scores[np.triu(np.ones(scores.shape, bool), 1)] = -np.inf
            powers = np.exp(scores)
            weights = powers / powers.sum(axis=1)
            return weights @ v, weights
            """,
            "Divide the scores",
        ),
        (changed(ATTENTION, MASK, "pass"), "without_mask"),
        (changed(ATTENTION, "np.triu", "np.tril").replace(", 1)]", ", -1)]"), "Divide the scores"),
        (changed(ATTENTION, "-np.inf", "0"), "zero_scores"),
        (
            """
            weights = np.exp(q @ k.T / np.sqrt(q.shape[1]))
            weights /= weights.sum(axis=1, keepdims=True)
            weights = np.tril(weights)
            return weights @ v, weights
            """,
            "mask_after_softmax",
        ),
        (ATTENTION.replace("axis=1", "axis=0"), "softmax_of_columns"),
        (changed(ATTENTION, ", bool), 1)", ", bool))"), "diagonal_masked"),
        (
            changed(ATTENTION, MASK, "scores = np.where(np.triu(scores, 1), scores, -np.inf)"),
            "Divide the scores",
        ),
        (changed(ATTENTION, "sum(axis=1, keepdims=True)", "sum(axis=1)"), "sums_without_axis"),
        (ATTENTION.replace(", keepdims=True", ""), "Divide the scores"),
        (changed(ATTENTION, "np.sqrt(q.shape[1])", "np.sqrt(len(q))"), "scaled_by_letters"),
        (
            changed(
                ATTENTION, MASK, "scores = scores + np.triu(np.ones(scores.shape), 1) * -np.inf"
            ),
            "Divide the scores",
        ),
        (changed(ATTENTION, "weights @ v, weights", "weights @ v"), "Divide the scores"),
        (
            changed(ATTENTION, "weights @ v, weights", "weights, weights @ v"),
            "Divide the scores",
        ),
        (changed(ATTENTION, "q @ k.T", "q.T @ k"), "q @ k.T and the weights"),
        (changed(ATTENTION, "q @ k.T", "q @ k"), "q @ k.T and the weights"),
        (changed(ATTENTION, "q @ k.T", "k @ q.T"), "Divide the scores"),
        (changed(ATTENTION, "return ", ""), "Does it end with return"),
        ("q *= 2\n" + ATTENTION, "Work on a copy"),
    ],
    "attention_vjp": [
        ("    ...", "Follow the derivation"),
        (changed(VJP, " - (weights * p_bar).sum(axis=1, keepdims=True)", ""), "without_row_sum"),
        (changed(VJP, ", keepdims=True", ""), "lost_axis"),
        (changed(VJP, "axis=1", "axis=0"), "Compare your lines"),
        (changed(VJP, " / np.sqrt(q.shape[1])", ""), "without_root"),
        (changed(VJP, "s_bar.T @ q", "s_bar @ q"), "k_not_transposed"),
        (changed(VJP, "weights.T @ o_bar", "weights @ o_bar"), "v_not_transposed"),
        (changed(VJP, "s_bar @ k, s_bar.T @ q", "s_bar.T @ q, s_bar @ k"), "Compare your lines"),
        (
            changed(
                VJP, "weights * (p_bar - (weights * p_bar).sum(axis=1, keepdims=True))", "p_bar"
            ),
            "without_softmax",
        ),
        (
            changed(
                VJP,
                "(p_bar - (weights * p_bar).sum(axis=1, keepdims=True))",
                "(1 - weights) * p_bar",
            ),
            "diagonal_alone",
        ),
        (changed(VJP, ".sum(", ".mean("), "Compare your lines"),
        (
            changed(VJP, "s_bar = s_bar / np.sqrt(q.shape[1])", "").replace(
                "s_bar @ k", "s_bar @ k / np.sqrt(q.shape[1])"
            ),
            "Compare your lines",
        ),
        (
            changed(
                VJP,
                "s_bar @ k, s_bar.T @ q, weights.T @ o_bar",
                "weights.T @ o_bar, s_bar @ k, s_bar.T @ q",
            ),
            "Compare your lines",
        ),
        (changed(VJP, "_, weights", "weights"), "attention returns two arrays"),
        (changed(VJP, "_, weights", "weights, _"), "Write down the shapes"),
        (changed(VJP, "o_bar @ v.T", "o_bar @ v"), "Write down the shapes"),
        (changed(VJP, "(weights * p_bar).sum", "p_bar.sum"), "Compare your lines"),
        (changed(VJP, "weights * (p_bar", "(p_bar"), "Compare your lines"),
        (changed(VJP, "s_bar @ k, s_bar.T @ q", "s_bar @ q, s_bar.T @ k"), "Compare your lines"),
        (changed(VJP, "return ", ""), "Does it end with return"),
    ],
    "block": [
        ("    ...", "One line for attention"),
        ("return mlp(norm_2(attend(norm_1(x))))", "without_residuals"),
        (changed(BLOCK, "return x + mlp", "return mlp"), "Compute x + attend"),
        ("x = norm_1(x)\nx = norm_2(x + attend(x))\nreturn x + mlp(x)", "norms_on_the_path"),
        ("x = norm_1(x + attend(x))\nreturn norm_2(x + mlp(x))", "norms_after"),
        ("return x + attend(norm_1(x)) + mlp(norm_2(x))", "parallel_block"),
        (
            "x = x + attend(norm_2(x))\nreturn x + mlp(norm_1(x))",
            "Compute x + attend",
        ),
        ("x = x + attend(x)\nreturn x + mlp(x)", "without_norms"),
        ("x = x + norm_1(attend(x))\nreturn x + norm_2(mlp(x))", "norms_of_results"),
        ("return x + mlp(norm_2(x + attend(norm_1(x))))", "sum_from_the_first"),
        ("x = x + attend(norm_1(x))\nreturn x + mlp(x)", "Compute x + attend"),
        ("x = x + attend(norm_1(x))\nreturn x + mlp(norm_1(x))", "Compute x + attend"),
        ("return x + mlp(norm_2(x)) + attend(norm_1(x + mlp(norm_2(x))))", "Compute x + attend"),
        (changed(BLOCK, "x = x + attend", "x = attend"), "Compute x + attend"),
        (changed(BLOCK, "attend(norm_1(x))", "attend(x)"), "Compute x + attend"),
        ("x += attend(norm_1(x))\nreturn x + mlp(norm_2(x))", "Work on a copy"),
        ("return x + attend * norm_1(x)", "attend, norm_1, norm_2 and mlp are functions"),
    ],
    "looks_ahead": [
        ("    ...", "Copy x, change"),
        (changed(LOOKS_AHEAD, "range(len(x))", "[len(x) - 1]"), "last_letter_alone"),
        (changed(LOOKS_AHEAD, "range(len(x))", "[1]"), "For each place t"),
        (
            """
            scores = net(x)
            return any((net(x[:t]) != scores[:t]).any() for t in range(1, len(x)))
            """,
            "finds_everywhere",
        ),
        (
            changed(LOOKS_AHEAD, "changed)[:t], scores[:t]", "changed)[:t + 1], scores[:t + 1]"),
            "with_its_own",
        ),
        (changed(LOOKS_AHEAD, "changed)[:t], scores[:t]", "changed), scores"), "with_all"),
        (
            changed(LOOKS_AHEAD, "changed)[:t], scores[:t]", "changed)[t + 1:], scores[t + 1:]"),
            "For each place t",
        ),
        (
            changed(
                LOOKS_AHEAD,
                "changed)[:t], scores[:t]",
                "changed)[max(t - 1, 0):t], scores[max(t - 1, 0):t]",
            ),
            "For each place t",
        ),
        (changed(LOOKS_AHEAD, "(x[t] + 1) % 31", "0"), "replaced_by_zero"),
        (changed(LOOKS_AHEAD, "(x[t] + 1) % 31", "5"), "For each place t"),
        (changed(LOOKS_AHEAD, "(x[t] + 1) % 31", "30 - x[t]"), "For each place t"),
        (changed(LOOKS_AHEAD, "(x[t] + 1) % 31", "x[t - 1]"), "For each place t"),
        (
            changed(LOOKS_AHEAD, "(x[t] + 1) % 31", "np.random.default_rng(t).integers(31)"),
            "For each place t",
        ),
        (
            changed(
                LOOKS_AHEAD,
                "np.array_equal(net(changed)[:t], scores[:t])",
                "np.allclose(net(changed)[:t], scores[:t], atol=0.1)",
            ),
            "only_roughly",
        ),
        (
            changed(
                LOOKS_AHEAD,
                "np.array_equal(net(changed)[:t], scores[:t])",
                "np.isclose(net(changed)[:t].sum(), scores[:t].sum())",
            ),
            "sums_alone",
        ),
        (
            changed(
                LOOKS_AHEAD,
                "np.array_equal(net(changed)[:t], scores[:t])",
                "np.allclose(net(changed)[:t].sum(axis=1), scores[:t].sum(axis=1))",
            ),
            "sums_alone",
        ),
        (
            changed(
                LOOKS_AHEAD,
                "np.array_equal(net(changed)[:t], scores[:t])",
                "np.allclose(net(changed)[:t].sum(axis=0), scores[:t].sum(axis=0))",
            ),
            "sums_alone",
        ),
        (changed(LOOKS_AHEAD, "if not", "if"), "finds_everywhere"),
        (
            LOOKS_AHEAD.replace("True", "TRUE").replace("False", "True").replace("TRUE", "False"),
            "negated",
        ),
        (changed(LOOKS_AHEAD, "(x[t] + 1) % 31", "x[t] + 1"), "A letter is a number from 0"),
        (changed(LOOKS_AHEAD, "x.copy()", "x"), "Work on a copy"),
        ("return net(x)[:-1] != net(x + 1)[:-1]", "A letter is a number from 0"),
        ("return True", "finds_everywhere"),
        ("return False", "finds_nothing"),
        (
            """
            for t in range(len(x)):
                changed = x.copy()
                changed[t] = (x[t] + 1) % 31
                return not np.array_equal(net(changed)[:t], net(x)[:t])
            """,
            "finds_nothing",
        ),
        ("if net(x)[:-1] == net((x + 1) % 31)[:-1]:\n    return True", "Comparing two arrays"),
    ],
}
RIGHT_FUNCTIONS = {
    "attention": [
        ATTENTION,
        """
        n, d = q.shape
        out, weights = np.zeros((n, v.shape[1])), np.zeros((n, n))
        for i in range(n):
            e = np.array([np.exp(q[i] @ k[j] / d**0.5) for j in range(i + 1)])
            weights[i, : i + 1] = e / e.sum()
            out[i] = sum(weights[i, j] * v[j] for j in range(i + 1))
        return out, weights
        """,
        """
        scores = q @ k.T / np.sqrt(q.shape[1])
        scores = np.where(np.tri(len(q), dtype=bool), scores, -1e9)
        powers = np.exp(scores)
        weights = powers / powers.sum(axis=1)[:, None]
        return weights @ v, weights
        """,
        """
        scores = np.where(np.tri(len(q)), q @ np.transpose(k) * q.shape[-1] ** -0.5, -np.inf)
        weights = mg.softmax(scores, axis=-1)
        return [weights @ v, weights]
        """,
    ],
    "attention_vjp": [
        VJP,
        """
        from minigrad.course.lessons.l18 import reference_attention as attention
        n, d = q.shape
        p = attention(q, k, v)[1]
        p_bar = np.einsum("ic,jc->ij", o_bar, v)
        s_bar = np.zeros((n, n))
        for i in range(n):
            jacobian = np.diag(p[i]) - np.outer(p[i], p[i])
            s_bar[i] = jacobian.T @ p_bar[i]
        return s_bar @ k / d**0.5, s_bar.T @ q / d**0.5, np.einsum("ij,ic->jc", p, o_bar)
        """,
        """
        from minigrad.course.lessons.l18 import reference_attention as attention
        o, p = attention(q, k, v)
        delta = (o * o_bar).sum(axis=1)  # as FlashAttention does
        s_bar = p * (o_bar @ v.T - delta[:, None]) / np.sqrt(q.shape[1])
        return s_bar @ k, (q.T @ s_bar).T, (o_bar.T @ p).T
        """,
    ],
    "block": [
        BLOCK,
        "found = attend(norm_1(x)) + x\nreturn mlp(norm_2(found)) + found",
    ],
    "looks_ahead": [
        LOOKS_AHEAD,
        """
        before = np.asarray(net(x))
        for place in range(len(x)):
            for later in range(place + 1, len(x)):
                other = np.array(x)
                other[later] = 0 if x[later] else 5
                if np.abs(net(other)[place] - before[place]).max() > 1e-9:
                    return True
        return False
        """,
        """
        scores = net(x)
        for t in range(1, len(x)):
            other = x.copy()
            other[t] = (other[t] + 7) % 31
            if not np.allclose(net(other)[:t], scores[:t]):
                return True
        return False
        """,
        """
        scores = net(x)
        return any(not np.allclose(net(x[:t]), scores[:t]) for t in range(1, len(x)))
        """,
        """
        def other(t):
            return np.concatenate([x[:t], (x[t:] + 3) % 31])
        return any((net(other(t))[:t] != net(x)[:t]).any() for t in range(1, len(x)))
        """,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with one number"),
        (4, "That is the mean of all four"),
        (6, "That is the third letter's own"),
        (9, "That is the sum"),
        (1.5, "That is the mean for the second"),
        (0, "The scores are 0"),
        (2, "With q = 0 all scores"),
    ],
}
RIGHT_VALUES = {"exit": [3, 3.0, "3"]}
PREDICTIONS = {
    "memory": ([..., 5, "many"], 16),
    "unmasked": ([..., "lower", 2.3], "much lower"),
}
