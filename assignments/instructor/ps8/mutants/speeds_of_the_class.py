"""Loses q3: all nets have one list of speeds."""
# %% q3 after the key
class AtOnce(AtOnce):
    moving = {}

    def step(self, x, t):
        self.speeds = [self.moving.get((at, v.shape), v) for at, v in enumerate(self.speeds)]
        number = super().step(x, t)
        self.moving.update({(at, v.shape): v for at, v in enumerate(self.speeds)})
        return number
