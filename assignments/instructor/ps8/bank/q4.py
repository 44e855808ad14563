"""Wrong answers to q4 of ps8."""


# %% a_loss_in_an_array | loses q4: the loss comes back as run returned it, copied: an array without
# axes.
class Waits:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.rate, self.momentum = engine, rate, momentum
        self.held = [np.array(w) for w in arrays]
        self.speeds = [np.zeros(w.shape) for w in arrays]
        self.weights = [engine.placeholder("w") for w in arrays]
        self.batch = engine.placeholder("x"), engine.placeholder("t")
        found = loss_of(self.weights, *self.batch)
        self.fetches = [found, *engine.gradients(found, self.weights)]

    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.weights], [x, t, *self.held]))
        before, *slopes = self.engine.run(self.fetches, feeds)
        for at, slope in enumerate(slopes):
            self.speeds[at] = self.momentum * self.speeds[at] + slope
            self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return before.copy()

    def arrays(self):
        return [np.array(w) for w in self.held]


# %% a_run_for_each_fetch | loses q4: the loss, then one slope after another.
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.engine = self

    def run(self, fetches, feeds):
        return [np.array(self.real.run([fetch], feeds)[0]) for fetch in fetches]

    @property
    def engine(self):
        return self

    @engine.setter
    def engine(self, engine):
        self.real = getattr(self, "real", engine)


# %% arrays_by_reference | loses q4: the caller gets the very arrays that the net goes on with.
# %% q4 after the key
class Waits(Waits):
    def arrays(self):
        return list(self.held)


# %% built_at_the_first_step | loses q4: nothing is built before the first batch.
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.held = [np.array(w) for w in arrays]
        self.speeds, self.fetches = [np.zeros(w.shape) for w in arrays], None

    def step(self, x, t):
        if self.fetches is None:
            super().__init__(self.engine, self.loss_of, self.held, self.rate, self.momentum)
        return super().step(x, t)


# %% built_in_every_step | loses q4: each step makes the graph anew.
# %% q4 after the key
class Waits(Waits):
    def __init__(self, *given):
        super().__init__(*given)
        self.given = given

    def step(self, x, t):
        anew = type(self)(*self.given)
        anew.held, anew.speeds = self.held, self.speeds
        number = super(type(self), anew).step(x, t)
        self.held, self.speeds = anew.held, anew.speeds
        return number


# %% feeds_what_was_fetched | loses q4: new weights are computed by the graph, into the arrays that
# feed it.
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


# %% fills_what_run_returned | loses q4: what run returned is written into, as if it were one's own.
# %% q4 after the key
class Waits(Waits):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.weights], [x, t, *self.held]))
        before, *slopes = self.engine.run(self.fetches, feeds)
        for at, slope in enumerate(slopes):
            slope += self.momentum * self.speeds[at]
            self.speeds[at] = np.array(slope)
            self.held[at] = self.held[at] - self.rate * slope
        return float(before)


# %% gradients_in_every_step | loses q4: the graph is built once, its gradients each time.
# %% q4 after the key
class Waits(Waits):
    def step(self, x, t):
        found = self.fetches[0]
        self.fetches = [found, *self.engine.gradients(found, self.weights)]
        return super().step(x, t)


# %% gradients_one_by_one | loses q4: the way back is built once for each weight.
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        found = self.fetches[0]
        self.fetches = [found, *[engine.gradients(found, [w])[0] for w in self.weights]]


# %% keeps_what_run_returned | loses q4: the first speed is the engine's own array.
# %% q4 after the key
class Waits(Waits):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.weights], [x, t, *self.held]))
        before, *slopes = self.engine.run(self.fetches, feeds)
        if any(v.any() for v in self.speeds):
            slopes = [self.momentum * v + g for v, g in zip(self.speeds, slopes)]
        self.speeds = slopes
        self.held = [w - self.rate * v for w, v in zip(self.held, slopes)]
        return float(before)


# %% long_slopes_are_shortened | loses q4: all slopes together are no longer than 5.
class Waits:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.rate, self.momentum = engine, rate, momentum
        self.held = [np.array(w) for w in arrays]
        self.speeds = [np.zeros(w.shape) for w in arrays]
        self.weights = [engine.placeholder("w") for w in arrays]
        self.batch = engine.placeholder("x"), engine.placeholder("t")
        found = loss_of(self.weights, *self.batch)
        self.fetches = [found, *engine.gradients(found, self.weights)]

    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.weights], [x, t, *self.held]))
        before, *slopes = self.engine.run(self.fetches, feeds)
        length = np.sqrt(sum(np.sum(slope**2) for slope in slopes))
        share = min(1.0, 10.0 / length) if length else 1.0
        for at, slope in enumerate(slopes):
            self.speeds[at] = self.momentum * self.speeds[at] + share * slope
            self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(before)

    def arrays(self):
        return [np.array(w) for w in self.held]


# %% looks_by_running | loses q4: arrays() asks the graph for what it feeds.
# %% q4 after the key
class Waits(Waits):
    def arrays(self):
        found = self.engine.run(self.weights, dict(zip(self.weights, self.held)))
        return [np.array(w) for w in found]


# %% looks_into_the_graph | loses q4: a Node is asked for its inputs, which the table of the engine
# does not have.
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        waiting, self.read = list(self.fetches[0].inputs), set()
        while waiting:
            node = waiting.pop()
            self.read.add(node)
            waiting.extend(node.inputs)


# %% moves_the_given_arrays | loses q4: the arrays of both styles are changed by one.
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.held = arrays


# %% no_more_rows_than_at_first | loses q4: later batches are cut to the length of the first.
# %% q4 after the key
class Waits(Waits):
    rows = None

    def step(self, x, t):
        self.rows = self.rows or len(x)
        return super().step(x[: self.rows], t[: self.rows])


# %% nothing_to_learn_at_loss_zero | loses q4: a loss of 0 ends the step early, though v still moves
# the weights.
# %% q4 after the key
class Waits(Waits):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.weights], [x, t, *self.held]))
        before, *slopes = self.engine.run(self.fetches, feeds)
        if before == 0:
            return 0.0
        self.speeds = [self.momentum * v + g for v, g in zip(self.speeds, slopes)]
        self.held = [w - self.rate * v for w, v in zip(self.held, self.speeds)]
        return float(before)


# %% one_graph_for_an_engine | loses q4: the nets of one engine share a graph, with all that feeds
# it.
class Waits:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.rate, self.momentum = engine, rate, momentum
        self.weights = [engine.placeholder("w") for w in arrays]
        self.batch = engine.placeholder("x"), engine.placeholder("t")
        found = loss_of(self.weights, *self.batch)
        engine.fetches = [found, *engine.gradients(found, self.weights)]
        engine.feeds = dict(zip(self.weights, map(np.array, arrays)))
        self.speeds = [np.zeros(w.shape) for w in arrays]

    def step(self, x, t):
        self.engine.feeds |= dict(zip(self.batch, (x, t)))
        before, *slopes = self.engine.run(self.engine.fetches, self.engine.feeds)
        for at, (w, slope) in enumerate(zip(self.weights, slopes)):
            self.speeds[at] = self.momentum * self.speeds[at] + slope
            self.engine.feeds[w] = self.engine.feeds[w] - self.rate * self.speeds[at]
        return float(before)

    def arrays(self):
        return [np.array(self.engine.feeds[w]) for w in self.weights]


# %% rate_zero_is_no_rate | loses q4: a rate of 0 is taken for none.
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate or 0.01, momentum)


# %% the_first_weights_are_fed | loses q4: the graph always sees the weights that were given.
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.first = [np.array(w) for w in arrays]

    def step(self, x, t):
        now, self.held = self.held, list(self.first)
        number = super().step(x, t)
        self.held = [w - self.rate * v for w, v in zip(now, self.speeds)]
        return number


# %% the_loss_in_a_run_of_its_own | loses q4: one run for the loss, one for the slopes.
# %% q4 after the key
class Waits(Waits):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.weights], [x, t, *self.held]))
        number = float(self.engine.run(self.fetches[:1], feeds)[0])
        super().step(x, t)
        return number


# %% weights_by_their_names | loses q4: weights in the order of their names: w10 comes before w2.
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        def by_name(some):
            return [some[at] for at in sorted(range(len(arrays)), key=str)]

        super().__init__(engine, lambda w, x, t: loss_of(by_name(w), x, t), arrays, rate, momentum)
