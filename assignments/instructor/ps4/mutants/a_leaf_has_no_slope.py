"""Loses q4: y itself a placeholder: its slope by itself is missing."""
# %% q4 after the key
of_an_op = gradients


def gradients(y, xs):
    return of_an_op(y, xs) if y.inputs else [constant(0.0) for _ in xs]
