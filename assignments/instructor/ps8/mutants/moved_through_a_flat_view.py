"""Loses q3: weights are moved through flat views, which an array that lies transposed has not."""
# %% q3
class AtOnce:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.held = [np.array(w) for w in arrays]
        self.flat = [w.ravel() for w in self.held]
        self.speeds = [np.zeros(w.size) for w in self.held]

    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.held]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        number = float(found.value)
        for flat, speed, w in zip(self.flat, self.speeds, weights):
            speed *= self.momentum
            if w.grad is not None:
                speed += w.grad.ravel()
            flat -= self.rate * speed
        return number

    def arrays(self):
        return [np.array(w) for w in self.held]
