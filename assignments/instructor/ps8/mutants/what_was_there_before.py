"""Loses q3: slopes are differences of what was read, where `.grad` may have grown in place."""
# %% q3
class AtOnce:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.tensors = [engine.tensor(np.array(w)) for w in arrays]
        self.before = [0.0] * len(self.tensors)
        self.speeds = [0.0] * len(self.tensors)

    def step(self, x, t):
        found = self.loss_of(self.tensors, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for at, w in enumerate(self.tensors):
            now = 0.0 if w.grad is None else w.grad
            slope, self.before[at] = now - self.before[at], now
            self.speeds[at] = self.momentum * self.speeds[at] + slope
            w.value = w.value - self.rate * self.speeds[at]
        return float(found.value)

    def arrays(self):
        return [np.array(w.value) for w in self.tensors]
