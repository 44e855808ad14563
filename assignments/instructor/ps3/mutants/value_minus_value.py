"""Loses q1: a tangent gets its shape by `+ (value - value)`, which is nan where the value is inf,
as that of x ** 2 at 1e200."""
# %% q1 after the key
def fitted(operation):
    def method(self, other):
        new = operation(self, other)
        return Dual(new.value, new.tangent + (new.value - new.value))

    return method


for name in ("add", "sub", "radd", "rsub", "pow"):
    setattr(Dual, f"__{name}__", fitted(getattr(Dual, f"__{name}__")))
