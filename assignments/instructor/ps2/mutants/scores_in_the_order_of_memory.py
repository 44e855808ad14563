"""Loses q5: reads the scores row by row as they lie in memory, where turned ones lie by columns."""

# %% q5 after the key
rule = vjp_cross_entropy


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    return rule(scores.ravel(order="K").reshape(scores.shape), labels, g)
