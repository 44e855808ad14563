"""Loses q1: the logarithm is written into the operand, too."""
# %% q1 after the key
def log(x):
    result = Value.record("log", math.log, x)
    x.data = result.data
    return result
# %% q2
def slopes(z):
    a, b = ([source.data for source in z.inputs] + [None, None])[:2]
    return {
        None: lambda: (),
        "add": lambda: (1.0, 1.0),
        "sub": lambda: (1.0, -1.0),
        "mul": lambda: (b, a),
        "div": lambda: (1 / b, -a / b**2),
        "neg": lambda: (-1.0,),
        "pow": lambda: (z.exponent * a ** (z.exponent - 1) if z.exponent else 0.0,),
        "exp": lambda: (z.data,),
        "log": lambda: (math.exp(-z.data),),
        "tanh": lambda: (1 - z.data**2,),
    }[z.op]()
