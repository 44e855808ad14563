"""Loses q4: weights in the order of their names: w10 comes before w2."""
# %% q4 after the key
class Waits(Waits):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        def by_name(some):
            return [some[at] for at in sorted(range(len(arrays)), key=str)]

        super().__init__(engine, lambda w, x, t: loss_of(by_name(w), x, t), arrays, rate, momentum)
