"""Loses q3: weights and speeds are found by the array that was given, which may come twice."""
# %% q3
class AtOnce:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.given = list(arrays)
        self.now = {id(w): np.array(w) for w in arrays}
        self.speed = {id(w): np.zeros(w.shape) for w in arrays}

    def step(self, x, t):
        weights = [self.engine.tensor(self.now[id(w)]) for w in self.given]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for given, w in zip(self.given, weights):
            slope = 0.0 if w.grad is None else w.grad
            speed = self.momentum * self.speed[id(given)] + slope
            self.speed[id(given)] = speed
            self.now[id(given)] = self.now[id(given)] - self.rate * speed
        return float(found.value)

    def arrays(self):
        return [np.array(self.now[id(w)]) for w in self.given]
