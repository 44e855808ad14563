"""The dynamic engine: Tensors, which are computed at once and remember how."""
