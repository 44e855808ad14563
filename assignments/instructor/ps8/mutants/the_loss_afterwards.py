"""Loses q3: the loss is that of the weights that were changed."""
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        super().step(x, t)
        weights = [self.engine.tensor(w) for w in self.held]
        return float(self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t)).value)
