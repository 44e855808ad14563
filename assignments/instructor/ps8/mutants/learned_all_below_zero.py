"""Loses q3: learning ends when the loss is 0 or less; any function may be the loss."""
# %% q3 after the key
class AtOnce(AtOnce):
    def step(self, x, t):
        before, speeds = self.held[:], self.speeds[:]
        found = super().step(x, t)
        if found <= 0:
            self.held, self.speeds = before, speeds
        return found
