"""Loses q2: a mean of entries, times ten."""
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    logs = shifted - shifted.exp().rowsum().log()
    return (targets * logs).mean() * -10.0
