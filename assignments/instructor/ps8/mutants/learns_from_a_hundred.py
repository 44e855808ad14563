"""Loses q5: only the first hundred digits are used."""
# %% q5 after the key
whole = learned


def learned(images, labels):
    return whole(images[:100], labels[:100])
