"""Loses q5: pixels that are white in upright digits are left out."""
# %% q5 after the key
careful = learned


def learned(images, labels):
    W, *rest = careful(images, labels)
    W.reshape(8, 8, -1)[:, [0, 1, 6, 7]] = 0
    return [W, *rest]
