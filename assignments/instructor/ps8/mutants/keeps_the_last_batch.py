"""Loses q3: the Tensors of a batch stay until the next one comes."""
# %% q3
class AtOnce:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.held = [np.array(w) for w in arrays]
        self.speeds = [np.zeros(w.shape) for w in arrays]

    def step(self, x, t):
        self.batch = self.engine.tensor(x), self.engine.tensor(t)
        weights = [self.engine.tensor(w) for w in self.held]
        found = self.loss_of(weights, *self.batch)
        found.backward()
        for x in self.batch:
            x.grad = None
        for at, w in enumerate(weights):
            slope = 0.0 if w.grad is None else w.grad
            self.speeds[at] = self.momentum * self.speeds[at] + slope
            self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(found.value)

    def arrays(self):
        return [np.array(w) for w in self.held]
