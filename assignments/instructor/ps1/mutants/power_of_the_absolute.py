"""Loses q2: the slope of x ** n by a logarithm, which knows no negative x."""
# %% q2
def slopes(z):
    numbers = [source.data for source in z.inputs]
    return SLOPES[z.op](z, *numbers)


SLOPES = {
    None: lambda z: (),
    "add": lambda z, a, b: (1.0, 1.0),
    "sub": lambda z, a, b: (1.0, -1.0),
    "mul": lambda z, a, b: (b, a),
    "div": lambda z, a, b: (1 / b, -a / b**2),
    "neg": lambda z, a: (-1.0,),
    "pow": lambda z, a: (z.exponent * abs(a) ** (z.exponent - 1) if z.exponent else 0.0,),
    "exp": lambda z, a: (z.data,),
    "log": lambda z, a: (1 / a,),
    "tanh": lambda z, a: (1 - z.data**2,),
}
