"""Loses q2: what is less than a half does not count."""
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    logs = shifted - shifted.exp().rowsum().log()
    return -((targets - 0.5).relu() * 2.0 * logs).rowsum().mean()
