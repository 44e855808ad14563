"""Wrong answers to q3 of ps8."""


# %% averages_gradients | loses q3: what is new is multiplied by 1 - momentum.
# | says: The new gradient is multiplied by 1 − μ.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.weights]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for at, w in enumerate(weights):
            gradient = 0.0 if w.grad is None else w.grad
            new = (1 - self.momentum) * gradient
            self.velocities[at] = self.momentum * self.velocities[at] + new
            self.weights[at] = self.weights[at] - self.rate * self.velocities[at]
        return float(found.value)


# %% backward_for_each_weight | loses q3: one loss and one backward pass for each of the weights.
# | says: It calls `loss_of` or `.backward()` more than once.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        gradient = []
        for at in range(len(self.weights)):
            weights = [self.engine.tensor(w) for w in self.weights]
            found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
            found.backward()
            gradient.append(0.0 if weights[at].grad is None else weights[at].grad)
        for at, gradient in enumerate(gradient):
            self.velocities[at] = self.momentum * self.velocities[at] + gradient
            self.weights[at] = self.weights[at] - self.rate * self.velocities[at]
        return float(found.value)


# %% batch_of_arrays | loses q3: the loss gets the batch as arrays, which have no `.relu()`.
# | says: `loss_of` gets the arrays of the batch, not Tensors.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.weights]
        found = self.loss_of(weights, x, t)
        found.backward()
        for at, w in enumerate(weights):
            gradient = 0.0 if w.grad is None else w.grad
            self.velocities[at] = self.momentum * self.velocities[at] + gradient
            self.weights[at] = self.weights[at] - self.rate * self.velocities[at]
        return float(found.value)


# %% keeps_the_given_arrays | loses q3: the trainer begins with the very arrays that it was given.
# | says: It shares an array with its caller, who then writes into it (rule 4).
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.weights = list(arrays)


# %% gradient_becomes_velocity | loses q3: the first gradients are kept as v, without a copy.
# | says: It keeps an array of the engine, which overwrites it at its next call (rule 6).
class DynamicTrainer:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.weights, self.velocities = [np.array(w) for w in arrays], None

    def step(self, x, t):
        tensor = self.engine.tensor
        weights = [tensor(w) for w in self.weights]
        y = self.loss_of(list(weights), tensor(x), tensor(t))
        y.backward()
        gradient = [np.zeros(np.shape(w.value)) if w.grad is None else w.grad for w in weights]
        if self.velocities is None:
            self.velocities = gradient
        else:
            self.velocities = [self.momentum * v + g for v, g in zip(self.velocities, gradient)]
        self.weights = [w - self.rate * v for w, v in zip(self.weights, self.velocities)]
        return float(y.value)

    def arrays(self):
        return [np.array(w) for w in self.weights]


# %% half_precision | loses q3: weights of 32 bits agree to the seventh digit only.
# | says: The weights do not follow v ← μ v + gradient, w ← w − η v.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        number = super().step(x, t)
        self.weights = [w.astype(np.float32) for w in self.weights]
        return number


# %% hands_out_its_own | loses q3: the caller gets the very arrays that the trainer goes on with.
# | says: It shares an array with its caller, who then writes into it (rule 4).
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def arrays(self):
        return list(self.weights)


# %% ends_at_a_loss_of_zero | loses q3: training ends when the loss is 0 or less.
# | says: A loss of 0 ends the step
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        before, velocities = self.weights[:], self.velocities[:]
        found = super().step(x, t)
        if found == 0:
            self.weights, self.velocities = before, velocities
        return found


# %% nesterov | loses q3: the gradient is that at w - rate momentum v.
# | says: The gradient is not taken at the present weights.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        now = self.weights
        self.weights = [w - self.rate * self.momentum * v for w, v in zip(now, self.velocities)]
        ahead = [self.engine.tensor(w) for w in self.weights]
        found = self.loss_of(ahead, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        gradient = [0.0 if w.grad is None else w.grad for w in ahead]
        self.velocities = [self.momentum * v + g for v, g in zip(self.velocities, gradient)]
        self.weights = [w - self.rate * v for w, v in zip(now, self.velocities)]
        return float(found.value)


# %% unread_weight_rests | loses q3: a weight that the loss does not read in this step stops.
# | says: though its velocity still moves it.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.weights]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for at, w in enumerate(weights):
            if w.grad is not None:
                self.velocities[at] = self.momentum * self.velocities[at] + w.grad
                self.weights[at] = self.weights[at] - self.rate * self.velocities[at]
        return float(found.value)


# %% unread_weight_stops_all | loses q3: a weight that the loss does not read stops all others.
# | says: One weight that the loss does not read stops all the others.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.weights]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        if all(w.grad is not None for w in weights):
            for at, w in enumerate(weights):
                self.velocities[at] = self.momentum * self.velocities[at] + w.grad
                self.weights[at] = self.weights[at] - self.rate * self.velocities[at]
        return float(found.value)


# %% unread_weight_raises | loses q3: `.grad` is taken for an array always.
# | says: `.grad` is None where the loss does not read a weight.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.weights]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for at, w in enumerate(weights):
            self.velocities[at] = self.momentum * self.velocities[at] + w.grad
            self.weights[at] = self.weights[at] - self.rate * self.velocities[at]
        return float(found.value)


# %% one_snapshot_for_all | loses q3: copies are made by the step, and handed out to all who ask.
# | says: It shares an array with its caller, who then writes into it (rule 4).
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self.shown = super().arrays()

    def step(self, x, t):
        number = super().step(x, t)
        self.shown = super().arrays()
        return number

    def arrays(self):
        return list(self.shown)


# %% one_velocity_for_equal_shapes | loses q3: weights of one shape share their velocity.
# | says: The weights do not follow v ← μ v + gradient, w ← w − η v.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.own = {w.shape: np.zeros(w.shape) for w in arrays}

    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.weights]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for at, w in enumerate(weights):
            velocity = self.own[self.weights[at].shape]
            velocity *= self.momentum
            velocity += 0.0 if w.grad is None else w.grad
            self.weights[at] = self.weights[at] - self.rate * velocity
        return float(found.value)


# %% keeps_every_loss | loses q3: a list of losses that are Tensors keeps all graphs.
# | says: The Tensor of a loss is kept, and with it the whole graph.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.history, self.loss_of = [], lambda *given: self.noted(loss_of(*given))

    def noted(self, found):
        self.history.append(found)
        return found


# %% keeps_the_last_loss | loses q3: the Tensor of the last loss is an attribute.
# | says: The Tensor of a loss is kept, and with it the whole graph.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, self.note, arrays, rate, momentum)
        self.compute = loss_of

    def note(self, weights, x, t):
        self.last = self.compute(weights, x, t)
        return self.last


# %% gradients_accumulate | loses q3: Tensors that are kept still have the gradient of the step
# before.
# | says: The gradients of earlier steps are still in `.grad`, and are added again.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.tensors = [engine.tensor(w) for w in self.weights]

    def step(self, x, t):
        found = self.loss_of(self.tensors, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for at, w in enumerate(self.tensors):
            gradient = 0.0 if w.grad is None else w.grad
            self.velocities[at] = self.momentum * self.velocities[at] + gradient
            w.value = self.weights[at] = self.weights[at] - self.rate * self.velocities[at]
        return float(found.value)


# %% velocities_of_the_class | loses q3: all trainers have one list of velocities.
# | says: The weights do not follow v ← μ v + gradient, w ← w − η v.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    moving = {}

    def step(self, x, t):
        pairs = enumerate(self.velocities)
        self.velocities = [self.moving.get((at, v.shape), v) for at, v in pairs]
        number = super().step(x, t)
        self.moving.update({(at, v.shape): v for at, v in enumerate(self.velocities)})
        return number


# %% empties_the_list | loses q3: the caller's list is empty once the trainer is made.
# | says: It changes an array, a list or a dict that it was given (rule 3).
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, list(arrays), rate, momentum)
        self.weights = []
        while arrays:
            self.weights.insert(0, np.array(arrays.pop()))


# %% loss_after_the_step | loses q3: the loss is that of the weights after the step.
# | says: The loss is that after the step.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        super().step(x, t)
        weights = [self.engine.tensor(w) for w in self.weights]
        return float(self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t)).value)


# %% old_velocity | loses q3: the weights move before the velocity is updated.
# | says: The weights move by the velocity of the step before.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        before = [w - self.rate * v for w, v in zip(self.weights, self.velocities)]
        number = super().step(x, t)
        self.weights = before
        return number


# %% no_momentum | loses q3: the velocity of the step before is forgotten.
# | says: The velocity of the step before is lost.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        self.velocities = [0.0 * v for v in self.velocities]
        return super().step(x, t)


# %% against_the_minus | loses q3: the weights move along the gradient.
# | says: The weights do not follow v ← μ v + gradient, w ← w − η v.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, -rate, momentum)


# %% moves_the_given_arrays | loses q3: the arrays of the caller are changed in place.
# | says: It changes an array, a list or a dict that it was given (rule 3).
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.given = arrays

    def step(self, x, t):
        number = super().step(x, t)
        for mine, new in zip(self.given, self.weights):
            mine[...] = new
        return number


# %% loss_in_an_array | loses q3: the loss comes back as an array without axes.
# | says: a plain number is due (rule 5).
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        return np.array(super().step(x, t))


# %% the_rate_decays | loses q3: each step has a smaller rate than the one before.
# | says: The step has the right direction, but it is not η v: it is longer or shorter.
# %% q3 after the key
class DynamicTrainer(DynamicTrainer):
    def step(self, x, t):
        number = super().step(x, t)
        self.rate *= 0.99
        return number
