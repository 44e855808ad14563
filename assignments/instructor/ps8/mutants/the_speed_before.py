"""Loses q3: the weights move before the slopes are heard."""
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        before = [w - self.rate * v for w, v in zip(self.held, self.speeds)]
        number = super().step(x, t)
        self.held = before
        return number
