"""Wrong answers to q2 of ps1."""


# %% a_number_has_no_slope | loses q2: a plain number does not change, so the tuple for 2 * x has
# the slope of x alone.
# %% q1 after the key
plus = Value.record


def record(op, formula, *operands):
    z = plus(op, formula, *operands)
    for x, operand in zip(z.inputs, operands):
        x.fixed = getattr(x, "fixed", False) or not isinstance(operand, Value)
    return z


Value.record = record
Value.__radd__ = lambda self, other: Value.record("add", lambda a, b: a + b, other, self)
Value.__rsub__ = lambda self, other: Value.record("sub", lambda a, b: a - b, other, self)
Value.__rmul__ = lambda self, other: Value.record("mul", lambda a, b: a * b, other, self)
Value.__rtruediv__ = lambda self, other: Value.record("div", lambda a, b: a / b, other, self)

# %% q2 after the key
of_all = slopes


def slopes(z):
    return tuple(s for x, s in zip(z.inputs, of_all(z)) if not getattr(x, "fixed", False))


# %% a_number_on_the_left_turns_the_slopes | loses q2: for 1 - x and 2 / x the slope of x comes
# first, for x is what was asked.
# %% q1 after the key
minus, over = Value.__rsub__, Value.__rtruediv__


def turned(operation):
    def from_the_left(self, other):
        z = operation(self, other)
        z.turned = True
        return z
    return from_the_left


Value.__rsub__, Value.__rtruediv__ = turned(minus), turned(over)

# %% q2 after the key
straight = slopes


def slopes(z):
    return straight(z)[::-1] if hasattr(z, "turned") else straight(z)


# %% by_nudging | loses q2: the exponential's slope is tried, not computed: nine digits.
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
    "pow": lambda z, a: (z.exponent * a ** (z.exponent - 1) if z.exponent else 0.0,),
    "exp": lambda z, a: (nudged(math.exp, [a], 0),),
    "log": lambda z, a: (1 / a,),
    "tanh": lambda z, a: (1 - z.data**2,),
}


# %% division_sign | loses q2: the slope of a / b by b has the wrong sign.
def slopes(z):
    numbers = [source.data for source in z.inputs]
    return SLOPES[z.op](z, *numbers)


SLOPES = {
    None: lambda z: (),
    "add": lambda z, a, b: (1.0, 1.0),
    "sub": lambda z, a, b: (1.0, -1.0),
    "mul": lambda z, a, b: (b, a),
    "div": lambda z, a, b: (1 / b, a / b**2),
    "neg": lambda z, a: (-1.0,),
    "pow": lambda z, a: (z.exponent * a ** (z.exponent - 1) if z.exponent else 0.0,),
    "exp": lambda z, a: (z.data,),
    "log": lambda z, a: (1 / a,),
    "tanh": lambda z, a: (1 - z.data**2,),
}


# %% every_slope_at_once | loses q2: computes the slopes of all functions and picks one, so exp and
# tanh fail at 0.
# %% q2 after the key
rules = slopes


def slopes(z):
    if z.op in ("exp", "log", "tanh"):
        a = z.inputs[0].data
        return ({"exp": z.data, "log": 1 / a, "tanh": 1 - z.data**2}[z.op],)
    return rules(z)


# %% log_of_result | loses q2: the slope of log is 1 / log(x).
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
    "pow": lambda z, a: (z.exponent * a ** (z.exponent - 1) if z.exponent else 0.0,),
    "exp": lambda z, a: (z.data,),
    "log": lambda z, a: (1 / z.data,),
    "tanh": lambda z, a: (1 - z.data**2,),
}


# %% one_exponent_for_all | loses q2: the slope of x ** n takes the exponent that was used last.
# %% q2 after the key
power, LAST = Value.__pow__, []


def remembering(x, n):
    LAST[:] = [n]
    return power(x, n)


Value.__pow__ = remembering
rules = slopes


def slopes(z):
    if z.op == "pow":
        return (LAST[0] * z.inputs[0].data ** (LAST[0] - 1),)
    return rules(z)


# %% power_divides_by_x | loses q2: the slope of x ** n as n z / x, which 0 / 0 ends at x = 0.
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
    "pow": lambda z, a: (z.exponent * z.data / a,),
    "exp": lambda z, a: (z.data,),
    "log": lambda z, a: (1 / a,),
    "tanh": lambda z, a: (1 - z.data**2,),
}


# %% power_keeps_exponent | loses q2: the slope of x ** n is n x ** n.
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
    "pow": lambda z, a: (z.exponent * a ** z.exponent,),
    "exp": lambda z, a: (z.data,),
    "log": lambda z, a: (1 / a,),
    "tanh": lambda z, a: (1 - z.data**2,),
}


# %% power_of_the_absolute | loses q2: the slope of x ** n by a logarithm, which knows no negative
# x.
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


# %% power_over_x_but_at_zero | loses q2: the slope of x ** n is n z / x, with care for x = 0; for x
# = 1e-200 z is 0 already, and the slope of x ** 2 is 2e-200.
# %% q2 after the key
others = slopes


def slopes(z):
    if z.op == "pow" and z.inputs[0].data:
        return (z.exponent * z.data / z.inputs[0].data,)
    return others(z)


# %% power_zero_at_zero | loses q2: n x^(n-1) with n = 0 at x = 0 is 0 times 1/0: slopes(Value(0.0)
# ** 0) raises ZeroDivisionError; x ** 0 is 1 everywhere, so its slope is 0.
# %% q2 after the key
rules = slopes


def slopes(z):
    if z.op == "pow":
        return (z.exponent * z.inputs[0].data ** (z.exponent - 1),)
    return rules(z)


# %% power_zero_only_at_zero | loses q2: x ** 0 is looked after at x = 0 alone; at 1e-310 its slope,
# 0 · x⁻¹, overflows.
# %% q1
class Value:
    """A number that remembers how it was made."""

    def __init__(self, data, op=None, inputs=()):
        self.data, self.op, self.inputs, self.grad = data, op, inputs, 0.0

    @staticmethod
    def leaf(x):
        return x if isinstance(x, Value) else Value(x)

    def __add__(self, other):
        other = self.leaf(other)
        return Value(self.data + other.data, "add", (self, other))

    def __radd__(self, other):
        return self.leaf(other) + self

    def __sub__(self, other):
        other = self.leaf(other)
        return Value(self.data - other.data, "sub", (self, other))

    def __rsub__(self, other):
        return self.leaf(other) - self

    def __mul__(self, other):
        other = self.leaf(other)
        return Value(self.data * other.data, "mul", (self, other))

    def __rmul__(self, other):
        return self.leaf(other) * self

    def __truediv__(self, other):
        other = self.leaf(other)
        return Value(self.data / other.data, "div", (self, other))

    def __rtruediv__(self, other):
        return self.leaf(other) / self

    def __neg__(self):
        return Value(-self.data, "neg", (self,))

    def __pow__(self, n):
        z = Value(self.data**n, "pow", (self,))
        z.n = n
        return z


def exp(x):
    """The Value of e to the power x."""
    return Value(math.exp(x.data), "exp", (x,))


def log(x):
    """The Value of the natural logarithm of x."""
    return Value(math.log(x.data), "log", (x,))


def tanh(x):
    """The Value of the hyperbolic tangent of x."""
    return Value(math.tanh(x.data), "tanh", (x,))

# %% q2
def slopes(z):
    """The derivative of z by each of its inputs, as a tuple of plain numbers."""
    numbers = [i.data for i in z.inputs]
    if z.op is None:
        return ()
    if z.op == "add":
        return (1, 1)
    if z.op == "sub":
        return (1, -1)
    if z.op == "mul":
        x, y = numbers
        return (y, x)
    if z.op == "div":
        x, y = numbers
        return (1 / y, -x / y**2)
    if z.op == "neg":
        return (-1,)
    if z.op == "pow":
        x = numbers[0]
        return (0 if x == 0 and z.n == 0 else z.n * x ** (z.n - 1),)
    if z.op == "exp":
        return (z.data,)
    if z.op == "log":
        return (1 / numbers[0],)
    if z.op == "tanh":
        return (1 - z.data**2,)


# %% powers_are_flat_at_zero | loses q2: a power has slope 0 at x = 0, thinks this; x ** 1 has slope
# 1.
# %% q2 after the key
rules = slopes


def slopes(z):
    return (0.0,) if z.op == "pow" and z.inputs[0].data == 0 else rules(z)


# %% product_divides | loses q2: the other factor as z / a, which 0 / 0 ends when a is 0.
def slopes(z):
    numbers = [source.data for source in z.inputs]
    return SLOPES[z.op](z, *numbers)


SLOPES = {
    None: lambda z: (),
    "add": lambda z, a, b: (1.0, 1.0),
    "sub": lambda z, a, b: (1.0, -1.0),
    "mul": lambda z, a, b: (z.data / a, z.data / b),
    "div": lambda z, a, b: (1 / b, -a / b**2),
    "neg": lambda z, a: (-1.0,),
    "pow": lambda z, a: (z.exponent * a ** (z.exponent - 1) if z.exponent else 0.0,),
    "exp": lambda z, a: (z.data,),
    "log": lambda z, a: (1 / a,),
    "tanh": lambda z, a: (1 - z.data**2,),
}


# %% product_from_the_result | loses q2: the slopes of x * y are z / x and z / y, with care for 0:
# where z is infinite they are, too.
# %% q2 after the key
rules = slopes


def slopes(z):
    if z.op != "mul":
        return rules(z)
    x, y = (source.data for source in z.inputs)
    return (z.data / x if x else y, z.data / y if y else x)


# %% quotients_known_by_their_result | loses q2: the slopes of quotients are kept by the result: 6 /
# 3 and 4 / 2 get the same ones.
# %% q2 after the key
reckoned, KEPT = slopes, {}


def slopes(z):
    if z.op != "div":
        return reckoned(z)
    if z.data not in KEPT:
        KEPT[z.data] = reckoned(z)
    return KEPT[z.data]


# %% six_digits_of_the_exponent | loses q2: the n of x ** n is kept in the word, with six digits: 1
# / 3 is not 0.333333.
# %% q2 after the key
power = Value.__pow__


def with_a_word(x, n):
    z = power(x, n)
    z.exponent = float(f"{n:g}")
    return z


Value.__pow__ = with_a_word


# %% slopes_change_the_result | loses q2: the square of tanh is formed in z.data itself, and left
# there.
# %% q2 after the key
others = slopes


def slopes(z):
    if z.op == "tanh":
        z.data *= z.data
        return (1 - z.data,)
    return others(z)


# %% slopes_kept_by_id | loses q2: slopes are kept by id(z), without keeping z: a new Value gets the
# id of a dead one, and its slopes.
# %% q2 after the key
reckoned, KEPT = slopes, {}


def slopes(z):
    if z.op in ("exp", "log", "tanh", "pow"):
        if id(z) not in KEPT:
            KEPT[id(z)] = reckoned(z)
        return KEPT[id(z)]
    return reckoned(z)


# %% slopes_of_a_power_given_once | loses q2: a power keeps its slope as a generator, which gives it
# to the first who asks.
# %% q1 after the key
power = Value.__pow__


def with_slope(self, n):
    z = power(self, n)
    z.local = (n * x.data ** (n - 1) if n else 0.0 for x in z.inputs)
    return z


Value.__pow__ = with_slope

# %% q2 after the key
others = slopes


def slopes(z):
    return tuple(z.local) if z.op == "pow" else others(z)


# %% slopes_of_the_last_function | loses q2: exp, log and tanh leave their slope in a table by their
# name: exp(x) asked for after exp(y) gets that of exp(y).
# %% q1 after the key
LAST = {}
power_of_e, logarithm, tangent = exp, log, tanh


def exp(x):
    z = power_of_e(x)
    LAST["exp"] = z.data
    return z


def log(x):
    z = logarithm(x)
    LAST["log"] = 1 / x.data
    return z


def tanh(x):
    z = tangent(x)
    LAST["tanh"] = 1 - z.data**2
    return z

# %% q2 after the key
others = slopes


def slopes(z):
    return (LAST[z.op],) if z.op in LAST else others(z)


# %% tanh_by_cosh | loses q2: the slope of tanh is 1 / cosh(x)²; at x = 1000 cosh is beyond all
# floats and raises, where the slope is 0.
# %% q2 after the key
others = slopes


def slopes(z):
    return (1 / math.cosh(z.inputs[0].data) ** 2,) if z.op == "tanh" else others(z)


# %% tanh_not_squared | loses q2: the slope of tanh is taken as 1 - tanh(x).
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
    "pow": lambda z, a: (z.exponent * a ** (z.exponent - 1) if z.exponent else 0.0,),
    "exp": lambda z, a: (z.data,),
    "log": lambda z, a: (1 / a,),
    "tanh": lambda z, a: (1 - z.data,),
}


# %% x_over_x_is_one | loses q2: x / x is 1 everywhere, so both slopes are said to be 0; they are 1
# / x and -1 / x.
# %% q2 after the key
rules = slopes


def slopes(z):
    return (0.0, 0.0) if z.op == "div" and z.inputs[0] is z.inputs[1] else rules(z)
