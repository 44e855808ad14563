"""Loses q3: copies are made by the step, and handed out to whoever asks."""
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
