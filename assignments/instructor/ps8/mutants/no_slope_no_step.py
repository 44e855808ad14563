"""Loses q3: a weight that the loss does not read stops all others."""
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.held]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        if all(w.grad is not None for w in weights):
            for at, w in enumerate(weights):
                self.speeds[at] = self.momentum * self.speeds[at] + w.grad
                self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(found.value)
