"""Loses q3: a leaf with no value is taken for a placeholder by `not node.value`: constant(0) is
left out."""
# %% q3 after the key
everything = needed


def needed(fetches, fed=()):
    return [node for node in everything(fetches, fed) if node.inputs or node.value]
