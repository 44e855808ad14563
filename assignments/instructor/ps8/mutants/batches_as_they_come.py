"""Loses q3: the loss gets the batch as arrays, which have no `.relu()`."""
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.held]
        found = self.loss_of(weights, x, t)
        found.backward()
        for at, w in enumerate(weights):
            slope = 0.0 if w.grad is None else w.grad
            self.speeds[at] = self.momentum * self.speeds[at] + slope
            self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(found.value)
