"""Loses q3: weights of one shape push each other."""
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.own = {w.shape: np.zeros(w.shape) for w in arrays}

    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.held]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for at, w in enumerate(weights):
            speed = self.own[self.held[at].shape]
            speed *= self.momentum
            speed += 0.0 if w.grad is None else w.grad
            self.held[at] = self.held[at] - self.rate * speed
        return float(found.value)
