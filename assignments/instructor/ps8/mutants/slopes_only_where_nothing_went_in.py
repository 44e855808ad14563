"""Loses q7: only Tensors that were given get a `.grad`."""
# %% q7 after the key
class Now(Now):
    def backward(self):
        computed = [x for x in inputs_first(self) if x.inputs]
        super().backward()
        for x in computed:
            x.grad = None
