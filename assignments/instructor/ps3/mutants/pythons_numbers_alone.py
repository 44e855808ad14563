"""Loses q4: int and float are plain numbers, NumPy's whole ones are not: x * np.int64(2) raises."""
# %% q4 after the key
def checked(operation):
    def method(self, other):
        if not isinstance(other, (int, float, Moving)):
            raise TypeError(f"a {type(other).__name__} is no number")
        return operation(self, other)

    return method


for name in ("add", "radd", "mul", "rmul", "sub", "rsub"):
    setattr(Moving, f"__{name}__", checked(getattr(Moving, f"__{name}__")))
