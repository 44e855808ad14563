"""Wrong answers to q4 of ps8."""


# %% loss_as_run_returns_it | loses q4: the loss comes back as an array without axes, copied.
# | says: a plain number is due (rule 5).
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.nodes], [x, t, *self.weights]))
        before, *gradients = self.engine.run(self.fetches, feeds)
        for at, gradient in enumerate(gradients):
            self.velocities[at] = self.momentum * self.velocities[at] + gradient
            self.weights[at] = self.weights[at] - self.rate * self.velocities[at]
        return np.array(before)


# %% run_for_each_fetch | loses q4: the loss, then one gradient after another.
# | says: A step runs the graph once for each fetch.
# %% q4 after the key
class StaticTrainer(StaticTrainer):
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


# %% hands_out_its_arrays | loses q4: the caller gets the very arrays that the trainer goes on with.
# | says: It shares an array with its caller, who then writes into it (rule 4).
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def arrays(self):
        return list(self.weights)


# %% built_at_the_first_step | loses q4: nothing is built before the first batch.
# | says: Nothing is built before the first step.
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.weights = [np.array(w) for w in arrays]
        self.velocities, self.fetches = [np.zeros(w.shape) for w in arrays], None

    def step(self, x, t):
        if self.fetches is None:
            super().__init__(self.engine, self.loss_of, self.weights, self.rate, self.momentum)
        return super().step(x, t)


# %% built_in_every_step | loses q4: each step builds the graph again.
# | says: Each step builds the
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def __init__(self, *given):
        super().__init__(*given)
        self.given = given

    def step(self, x, t):
        fresh = type(self)(*self.given)
        fresh.weights, fresh.velocities = self.weights, self.velocities
        number = super(type(self), fresh).step(x, t)
        self.weights, self.velocities = fresh.weights, fresh.velocities
        return number


# %% feeds_what_was_fetched | loses q4: new weights are computed by the graph, and fed again
# without a copy.
# | says: It keeps an array of the engine, which overwrites it at its next call (rule 6).
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.pushed = [engine.placeholder("v") for w in arrays]
        gradient = self.fetches[1:]
        new = [v * momentum + g for v, g in zip(self.pushed, gradient)]
        moved = [w - v * rate for w, v in zip(self.nodes, new)]
        self.fetches = [self.fetches[0], *moved, *new]

    def step(self, x, t):
        nodes = [*self.batch, *self.nodes, *self.pushed]
        feeds = dict(zip(nodes, [x, t, *self.weights, *self.velocities]))
        before, *found = self.engine.run(self.fetches, feeds)
        count = len(self.weights)
        self.weights, self.velocities = found[:count], found[count:]
        return float(before)


# %% fills_what_run_returned | loses q4: what run returned is written into.
# | says: It writes into an array of the engine
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.nodes], [x, t, *self.weights]))
        before, *gradient = self.engine.run(self.fetches, feeds)
        for at, gradient in enumerate(gradient):
            gradient += self.momentum * self.velocities[at]
            self.velocities[at] = np.array(gradient)
            self.weights[at] = self.weights[at] - self.rate * gradient
        return float(before)


# %% gradients_in_every_step | loses q4: the loss is built once, its gradients in each step.
# | says: Each step builds the gradients again.
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def step(self, x, t):
        found = self.fetches[0]
        self.fetches = [found, *self.engine.gradients(found, self.nodes)]
        return super().step(x, t)


# %% gradients_one_by_one | loses q4: the backward pass is built once for each weight.
# | says: The backward pass is built for each weight separately.
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        found = self.fetches[0]
        self.fetches = [found, *[engine.gradients(found, [w])[0] for w in self.nodes]]


# %% keeps_what_run_returned | loses q4: the first velocity is the engine's own array.
# | says: It keeps an array of the engine, which overwrites it at its next call (rule 6).
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.nodes], [x, t, *self.weights]))
        before, *gradient = self.engine.run(self.fetches, feeds)
        if any(v.any() for v in self.velocities):
            gradient = [self.momentum * v + g for v, g in zip(self.velocities, gradient)]
        self.velocities = gradient
        self.weights = [w - self.rate * v for w, v in zip(self.weights, gradient)]
        return float(before)


# %% gradients_are_clipped | loses q4: large gradients are made shorter.
# | says: The step has the right direction, but it is not η v: it is longer or shorter.
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.nodes], [x, t, *self.weights]))
        before, *gradients = self.engine.run(self.fetches, feeds)
        length = np.sqrt(sum(np.sum(gradient**2) for gradient in gradients))
        factor = min(1.0, 0.1 / length) if length else 1.0
        for at, gradient in enumerate(gradients):
            self.velocities[at] = self.momentum * self.velocities[at] + factor * gradient
            self.weights[at] = self.weights[at] - self.rate * self.velocities[at]
        return float(before)


# %% begins_with_the_given_arrays | loses q4: the arrays of the caller are kept, without a copy.
# | says: It shares an array with its caller, who then writes into it (rule 4).
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.weights = list(arrays)


# %% no_more_rows_than_at_first | loses q4: later batches are cut to the length of the first.
# | says: The weights do not follow v ← μ v + gradient, w ← w − η v.
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    rows = None

    def step(self, x, t):
        self.rows = self.rows or len(x)
        return super().step(x[: self.rows], t[: self.rows])


# %% nothing_to_learn_at_loss_zero | loses q4: a loss of 0 ends the step early, though v still
# moves the weights.
# | says: A loss of 0 ends the step
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.nodes], [x, t, *self.weights]))
        before, *gradient = self.engine.run(self.fetches, feeds)
        if before == 0:
            return 0.0
        self.velocities = [self.momentum * v + g for v, g in zip(self.velocities, gradient)]
        self.weights = [w - self.rate * v for w, v in zip(self.weights, self.velocities)]
        return float(before)


# %% one_graph_for_an_engine | loses q4: the trainers of one engine share a graph, with all that
# feeds it.
# | says: One trainer changes what another one keeps.
class StaticTrainer:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.rate, self.momentum = engine, rate, momentum
        self.nodes = [engine.placeholder("w") for w in arrays]
        self.batch = engine.placeholder("x"), engine.placeholder("t")
        found = loss_of(self.nodes, *self.batch)
        engine.fetches = [found, *engine.gradients(found, self.nodes)]
        engine.feeds = dict(zip(self.nodes, map(np.array, arrays)))
        self.velocities = [np.zeros(w.shape) for w in arrays]

    def step(self, x, t):
        self.engine.feeds |= dict(zip(self.batch, (x, t)))
        before, *gradient = self.engine.run(self.engine.fetches, self.engine.feeds)
        for at, (w, gradient) in enumerate(zip(self.nodes, gradient)):
            self.velocities[at] = self.momentum * self.velocities[at] + gradient
            self.engine.feeds[w] = self.engine.feeds[w] - self.rate * self.velocities[at]
        return float(before)

    def arrays(self):
        return [np.array(self.engine.feeds[w]) for w in self.nodes]


# %% rate_zero_is_none | loses q4: a momentum of 0 is taken for none.
# | says: The weights do not follow v ← μ v + gradient, w ← w − η v.
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum or 0.9)


# %% initial_weights_are_fed | loses q4: the graph always sees the initial weights.
# | says: The gradient is that of the initial weights in every step.
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.first = [np.array(w) for w in arrays]

    def step(self, x, t):
        now, self.weights = self.weights, list(self.first)
        number = super().step(x, t)
        self.weights = [w - self.rate * v for w, v in zip(now, self.velocities)]
        return number


# %% loss_in_a_run_of_its_own | loses q4: one run for the loss, one for the gradients.
# | says: A step runs the graph twice.
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def step(self, x, t):
        feeds = dict(zip([*self.batch, *self.nodes], [x, t, *self.weights]))
        number = float(self.engine.run(self.fetches[:1], feeds)[0])
        super().step(x, t)
        return number


# %% loss_of_a_second_run | loses q4: a second run computes the loss after the step.
# | says: The loss is that after the step.
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def step(self, x, t):
        super().step(x, t)
        feeds = dict(zip([*self.batch, *self.nodes], [x, t, *self.weights]))
        return float(self.engine.run(self.fetches[:1], feeds)[0])


# %% targets_are_not_fed | loses q4: the targets of a batch are forgotten.
# | says: is every placeholder fed?
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def step(self, x, t):
        feeds = dict(zip([self.batch[0], *self.nodes], [x, *self.weights]))
        return float(self.engine.run(self.fetches, feeds)[0])


# %% sorted_by_name | loses q4: weights in the order of their names: w10 comes before w2.
# | says: Making the trainer, or a step, raises an error
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        def by_name(some):
            return [some[at] for at in sorted(range(len(arrays)), key=str)]

        super().__init__(engine, lambda w, x, t: loss_of(by_name(w), x, t), arrays, rate, momentum)


# %% no_velocity | loses q4: the gradients move the weights without momentum.
# | says: The velocity of the step before is lost.
# %% q4 after the key
class StaticTrainer(StaticTrainer):
    def step(self, x, t):
        self.velocities = [0.0 * v for v in self.velocities]
        return super().step(x, t)
