"""Loses q4: new weights are computed by the graph, into the arrays that feed it."""
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.pushed = [engine.placeholder("v") for w in arrays]
        slopes = self.fetches[1:]
        new = [v * momentum + g for v, g in zip(self.pushed, slopes)]
        moved = [w - v * rate for w, v in zip(self.weights, new)]
        self.fetches = [self.fetches[0], *moved, *new]

    def step(self, x, t):
        nodes = [*self.batch, *self.weights, *self.pushed]
        feeds = dict(zip(nodes, [x, t, *self.held, *self.speeds]))
        before, *found = self.engine.run(self.fetches, feeds)
        count = len(self.held)
        self.held, self.speeds = found[:count], found[count:]
        return float(before)
