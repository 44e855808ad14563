"""Loses q3: the Tensors of a batch are found by its arrays, which may be filled anew."""
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        if not hasattr(self, "copies"):
            self.copies = {}
        pair = self.copies.setdefault((id(x), id(t)), (x, t, np.array(x), np.array(t)))
        return super().step(*pair[2:])
