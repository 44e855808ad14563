"""Loses q2: a small number saves the logarithm, and cuts the loss off."""
# %% q2 after the key
def loss(scores, targets):
    shifted = scores - scores.rowmax()
    shares = (shifted - shifted.exp().rowsum().log()).exp()
    return -(targets * (shares + 1e-300).log()).rowsum().mean()
