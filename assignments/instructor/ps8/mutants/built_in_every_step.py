"""Loses q4: each step makes the graph anew."""
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
