"""Wrong answers to q3 of ps8."""


# %% a_mean_of_slopes | loses q3: what is new counts 1 - momentum.
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate * (1 - momentum), momentum)


# %% a_way_back_for_each_weight | loses q3: one loss and one way back for each of the weights.
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        slopes = []
        for at in range(len(self.held)):
            weights = [self.engine.tensor(w) for w in self.held]
            found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
            found.backward()
            slopes.append(0.0 if weights[at].grad is None else weights[at].grad)
        for at, slope in enumerate(slopes):
            self.speeds[at] = self.momentum * self.speeds[at] + slope
            self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(found.value)


# %% batches_as_they_come | loses q3: the loss gets the batch as arrays, which have no `.relu()`.
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.held]
        found = self.loss_of(weights, x, t)
        found.backward()
        for at, w in enumerate(weights):
            slope = 0.0 if w.grad is None else w.grad
            self.speeds[at] = self.momentum * self.speeds[at] + slope
            self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(found.value)


# %% begins_with_theirs | loses q3: the net begins with the very arrays that it was given, which
# their owner may fill.
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.held = list(arrays)


# %% first_slope_becomes_the_speed | loses q3: the first slopes are kept as v, uncopied: the next
# way back may write into them.
class AtOnce:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.held, self.speeds = [np.array(w) for w in arrays], None

    def step(self, x, t):
        tensor = self.engine.tensor
        weights = [tensor(w) for w in self.held]
        y = self.loss_of(list(weights), tensor(x), tensor(t))
        y.backward()
        slopes = [np.zeros(np.shape(w.value)) if w.grad is None else w.grad for w in weights]
        if self.speeds is None:
            self.speeds = slopes
        else:
            self.speeds = [self.momentum * v + g for v, g in zip(self.speeds, slopes)]
        self.held = [w - self.rate * v for w, v in zip(self.held, self.speeds)]
        return float(y.value)

    def arrays(self):
        return [np.array(w) for w in self.held]


# %% found_by_what_was_given | loses q3: weights and speeds are found by the array that was given,
# which may come twice.
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


# %% half_as_many_digits | loses q3: weights of 32 bits agree to the seventh digit.
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        number = super().step(x, t)
        self.held = [w.astype(np.float32) for w in self.held]
        return number


# %% hands_out_its_own | loses q3: the caller gets the very arrays that the net goes on with.
# %% q3 after the key
class AtOnce(AtOnce):
    def arrays(self):
        return list(self.held)


# %% keeps_the_last_batch | loses q3: the Tensors of a batch stay until the next one comes.
class AtOnce:
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        self.engine, self.loss_of, self.rate, self.momentum = engine, loss_of, rate, momentum
        self.held = [np.array(w) for w in arrays]
        self.speeds = [np.zeros(w.shape) for w in arrays]

    def step(self, x, t):
        self.batch = self.engine.tensor(x), self.engine.tensor(t)
        weights = [self.engine.tensor(w) for w in self.held]
        found = self.loss_of(weights, *self.batch)
        found.backward()
        for x in self.batch:
            x.grad = None
        for at, w in enumerate(weights):
            slope = 0.0 if w.grad is None else w.grad
            self.speeds[at] = self.momentum * self.speeds[at] + slope
            self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(found.value)

    def arrays(self):
        return [np.array(w) for w in self.held]


# %% learned_all_below_zero | loses q3: learning ends when the loss is 0 or less; any function may
# be the loss.
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        before, speeds = self.held[:], self.speeds[:]
        found = super().step(x, t)
        if found <= 0:
            self.held, self.speeds = before, speeds
        return found


# %% looks_ahead | loses q3: Nesterov's momentum: the slopes are those at w - rate v.
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        now = self.held
        self.held = [w - self.rate * self.momentum * v for w, v in zip(now, self.speeds)]
        ahead = [self.engine.tensor(w) for w in self.held]
        found = self.loss_of(ahead, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        slopes = [0.0 if w.grad is None else w.grad for w in ahead]
        self.speeds = [self.momentum * v + g for v, g in zip(self.speeds, slopes)]
        self.held = [w - self.rate * v for w, v in zip(now, self.speeds)]
        return float(found.value)


# %% moved_through_a_flat_view | loses q3: weights are moved through flat views, which an array that
# lies transposed has not.
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


# %% no_slope_no_momentum | loses q3: a weight that the loss does not read in this step stops
# coasting.
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.held]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for at, w in enumerate(weights):
            if w.grad is not None:
                self.speeds[at] = self.momentum * self.speeds[at] + w.grad
                self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(found.value)


# %% no_slope_no_step | loses q3: a weight that the loss does not read stops all others.
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.held]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        if all(w.grad is not None for w in weights):
            for at, w in enumerate(weights):
                self.speeds[at] = self.momentum * self.speeds[at] + w.grad
                self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(found.value)


# %% one_snapshot_for_all | loses q3: copies are made by the step, and handed out to whoever asks.
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self.shown = super().arrays()

    def step(self, x, t):
        number = super().step(x, t)
        self.shown = super().arrays()
        return number

    def arrays(self):
        return list(self.shown)


# %% one_speed_for_equal_shapes | loses q3: weights of one shape push each other.
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.own = {w.shape: np.zeros(w.shape) for w in arrays}

    def step(self, x, t):
        weights = [self.engine.tensor(w) for w in self.held]
        found = self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for at, w in enumerate(weights):
            speed = self.own[self.held[at].shape]
            speed *= self.momentum
            speed += 0.0 if w.grad is None else w.grad
            self.held[at] = self.held[at] - self.rate * speed
        return float(found.value)


# %% remembers_every_loss | loses q3: a list of losses that are Tensors keeps all graphs.
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.history, self.loss_of = [], lambda *given: self.noted(loss_of(*given))

    def noted(self, found):
        self.history.append(found)
        return found


# %% slopes_of_a_batch_seen_before | loses q3: the Tensors of a batch are found by its arrays, which
# may be filled anew.
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        if not hasattr(self, "copies"):
            self.copies = {}
        pair = self.copies.setdefault((id(x), id(t)), (x, t, np.array(x), np.array(t)))
        return super().step(*pair[2:])


# %% slopes_pile_up | loses q3: Tensors that are kept still have the slopes of the step before.
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.weights = [engine.tensor(w) for w in self.held]

    def step(self, x, t):
        found = self.loss_of(self.weights, self.engine.tensor(x), self.engine.tensor(t))
        found.backward()
        for at, w in enumerate(self.weights):
            slope = 0.0 if w.grad is None else w.grad
            self.speeds[at] = self.momentum * self.speeds[at] + slope
            w.value = self.held[at] = self.held[at] - self.rate * self.speeds[at]
        return float(found.value)


# %% speeds_by_array | loses q3: v is found by the given array, which may be given twice.
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


# %% speeds_of_the_class | loses q3: all nets have one list of speeds.
# %% q3 after the key
class AtOnce(AtOnce):
    moving = {}

    def step(self, x, t):
        self.speeds = [self.moving.get((at, v.shape), v) for at, v in enumerate(self.speeds)]
        number = super().step(x, t)
        self.moving.update({(at, v.shape): v for at, v in enumerate(self.speeds)})
        return number


# %% takes_the_list | loses q3: the caller's list is empty once the net is made.
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, list(arrays), rate, momentum)
        self.held = []
        while arrays:
            self.held.insert(0, np.array(arrays.pop()))


# %% the_loss_afterwards | loses q3: the loss is that of the weights that were changed.
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        super().step(x, t)
        weights = [self.engine.tensor(w) for w in self.held]
        return float(self.loss_of(weights, self.engine.tensor(x), self.engine.tensor(t)).value)


# %% the_speed_before | loses q3: the weights move before the slopes are heard.
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        before = [w - self.rate * v for w, v in zip(self.held, self.speeds)]
        number = super().step(x, t)
        self.held = before
        return number


# %% what_was_there_before | loses q3: slopes are differences of what was read, where `.grad` may
# have grown in place.
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


# %% writes_into_what_was_given | loses q3: the arrays of both styles are changed by one.
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.given = arrays

    def step(self, x, t):
        number = super().step(x, t)
        for mine, new in zip(self.given, self.held):
            mine[...] = new
        return number
