"""Loses q5: the images are changed for a while, and may not be."""
# %% q5 after the key
from_scaled = learned


def learned(images, labels):
    images *= 2.0
    found = from_scaled(images, labels)
    images *= 0.5
    return found
