"""Loses q3: v is found by the given array, which may be given twice."""
# %% q3
class AtOnce:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.held, self.given = [np.array(w) for w in arrays], list(arrays)
        self.speeds = {id(w): np.zeros(w.shape) for w in arrays}

    def step(self, x, t):
        tensor = self.engine.tensor
        weights = [tensor(w) for w in self.held]
        y = self.loss_of(list(weights), tensor(x), tensor(t))
        y.backward()
        for at, w in enumerate(weights):
            slope, key = 0.0 if w.grad is None else w.grad, id(self.given[at])
            self.speeds[key] = self.momentum * self.speeds[key] + slope
            self.held[at] = self.held[at] - self.rate * self.speeds[key]
        return float(y.value)

    def arrays(self):
        return [np.array(w) for w in self.held]
