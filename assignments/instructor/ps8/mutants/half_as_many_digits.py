"""Loses q3: weights of 32 bits agree to the seventh digit."""
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        number = super().step(x, t)
        self.held = [w.astype(np.float32) for w in self.held]
        return number
