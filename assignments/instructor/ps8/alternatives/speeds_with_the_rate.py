"""Full points: the speed holds the rate; in place, in copies of its own; a parent for both."""
# %% q3
class Learner:
    def begin(self, arrays, rate, momentum):
        self.now = [w.copy() for w in arrays]
        self.moves = [np.zeros_like(w) for w in arrays]
        self.rate, self.momentum = rate, momentum

    def change(self, slopes):
        for w, move, slope in zip(self.now, self.moves, slopes):
            move *= self.momentum
            if slope is not None:
                move -= self.rate * slope
            w += move

    def arrays(self):
        return [w.copy() for w in self.now]


class AtOnce(Learner):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.begin(arrays, rate, momentum)
        self.engine, self.loss_of = engine, loss_of

    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.now]
        loss = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        loss.backward()
        number = float(loss.value)
        self.change([w.grad for w in weights])
        return number
# %% q4
class Waiting:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.now = [w.copy() for w in arrays]
        self.moves = [np.zeros_like(w) for w in arrays]
        self.rate, self.momentum, self.run = rate, momentum, engine.run
        x, t = engine.placeholder("x"), engine.placeholder("t")
        weights = [engine.placeholder(f"w{at}") for at in range(len(arrays))]
        loss = loss_of(weights, x, t)
        self.inputs, self.wanted = [x, t, *weights], engine.gradients(loss, weights) + [loss]

    def step(self, x, t):
        *slopes, loss = self.run(self.wanted, dict(zip(self.inputs, [x, t, *self.now])))
        for w, move, slope in zip(self.now, self.moves, slopes):
            move *= self.momentum
            move -= self.rate * slope
            w += move
        return float(loss)

    def arrays(self):
        return [w.copy() for w in self.now]


Waits = Waiting
