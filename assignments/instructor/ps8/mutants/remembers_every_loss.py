"""Loses q3: a list of losses that are Tensors keeps all graphs."""
# %% q3 after the key
class AtOnce(AtOnce):
    def __init__(self, engine, loss_of, arrays, rate, momentum=0.9):
        super().__init__(engine, loss_of, arrays, rate, momentum)
        self.history, self.loss_of = [], lambda *given: self.noted(loss_of(*given))

    def noted(self, found):
        self.history.append(found)
        return found
