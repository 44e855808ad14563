"""Full points: new weights and speeds are fetched with the loss, and copied."""
# %% q4
class Waits:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.run, self.count = engine.run, len(arrays)
        self.state = [np.array(w) for w in arrays] + [np.zeros(w.shape) for w in arrays]
        self.nodes = [engine.placeholder(str(at)) for at in range(2 * self.count)]
        self.x, self.t = engine.placeholder("x"), engine.placeholder("t")
        weights, speeds = self.nodes[: self.count], self.nodes[self.count :]
        loss = loss_of(weights, self.x, self.t)
        speeds = [momentum * v + g for v, g in zip(speeds, engine.gradients(loss, weights))]
        self.fetches = [w - rate * v for w, v in zip(weights, speeds)] + speeds + [loss]

    def step(self, x, t):
        feeds = {self.x: x, self.t: t} | dict(zip(self.nodes, self.state))
        *found, number = self.run(self.fetches, feeds)
        self.state = [np.array(w) for w in found]
        return float(number)

    def arrays(self):
        return [np.array(w) for w in self.state[: self.count]]
