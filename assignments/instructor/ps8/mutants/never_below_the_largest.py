"""Loses q2: the largest score in place of the sum, once it is far ahead."""
# %% q2 after the key
def loss(scores, targets):
    largest = scores.rowmax()
    total = (scores - largest).exp().rowsum()
    return (largest + total.log() - (targets * scores).rowmax()).mean()
