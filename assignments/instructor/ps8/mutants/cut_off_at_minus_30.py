"""Loses q2: scores far below the largest count as 30 below."""
# %% q2 after the key
def loss(scores, targets):
    shifted = (scores - scores.rowmax() + 30.0).relu() - 30.0
    logs = shifted - shifted.exp().rowsum().log()
    return -(targets * logs).rowsum().mean()
