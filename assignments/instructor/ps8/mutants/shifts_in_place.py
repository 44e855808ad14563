"""Loses q2: Tensors are shifted in their own array, which the caller has, too."""
# %% q2
def loss(scores, targets):
    if hasattr(scores, "backward"):
        scores.value -= scores.value.max(axis=1, keepdims=True)
    else:
        scores = scores - scores.rowmax()
    logs = scores - scores.exp().rowsum().log()
    return -(targets * logs).rowsum().mean()
