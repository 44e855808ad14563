"""Loses q2: the mean of the rows' largest scores is taken from all."""
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax().mean()
    logs = shifted - shifted.exp().rowsum().log()
    return -(targets * logs).rowsum().mean()
