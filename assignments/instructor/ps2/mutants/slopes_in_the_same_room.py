"""Loses q5: the cotangent is formed in an array kept by shape: the next call writes over it."""

# %% q5 after the key
ROOMS = {}


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    room = ROOMS.setdefault(scores.shape, np.empty(scores.shape))
    np.exp(log_softmax(scores), out=room)
    room[np.arange(len(labels)), labels] -= 1
    room *= g / len(labels)
    return room
