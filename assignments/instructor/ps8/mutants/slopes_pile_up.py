"""Loses q3: Tensors that are kept still have the slopes of the step before."""
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.weights = [engine.tensor(w) for w in self.held]

    def step(self, x, t):
        found = self.loss_of(self.weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for at, w in enumerate(self.weights):
            slope = 0.0 if w.grad is None else w.grad
            self.speeds[at] = self.momentum * self.speeds[at] + slope
            w.value = self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(found.value)
