"""Loses q6: every call draws the same numbers, whatever the seed."""

# %% q6 after the key
with_seed = is_right


def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    return with_seed(f, vjp, shapes, 0)
