"""Wrong answers to q1 of ps1."""


# %% a_quotient_called_product | loses q1: the word of x / y is that of x * y, and an attribute
# tells them apart: op is to say what made a Value.
# %% q1 after the key
quotient = Value.__truediv__


def called_a_product(x, other):
    z = quotient(x, other)
    z.op, z.below = "mul", True
    return z


Value.__truediv__ = called_a_product

# %% q2 after the key
rules = slopes


def slopes(z):
    if not hasattr(z, "below"):
        return rules(z)
    x, y = (source.data for source in z.inputs)
    return 1 / y, -x / y**2


# %% division_by_way_of_the_inverse | loses q1: x / y as x * y ** -1: of 1e-310 / 1e-310, which is
# 1, comes an OverflowError.
class Value:
    """A number that remembers how it was made."""

    def __init__(self, data, op=None, inputs=()):
        self.data, self.op, self.inputs, self.grad = data, op, inputs, 0.0

    @staticmethod
    def _leaf(other):
        return other if isinstance(other, Value) else Value(other)

    def __add__(self, other):
        other = Value._leaf(other)
        return Value(self.data + other.data, "add", (self, other))

    def __radd__(self, other):
        return Value._leaf(other) + self

    def __sub__(self, other):
        other = Value._leaf(other)
        return Value(self.data - other.data, "sub", (self, other))

    def __rsub__(self, other):
        return Value._leaf(other) - self

    def __mul__(self, other):
        other = Value._leaf(other)
        return Value(self.data * other.data, "mul", (self, other))

    def __rmul__(self, other):
        return Value._leaf(other) * self

    def __truediv__(self, other):
        other = Value._leaf(other)
        return Value(self.data * other.data**-1, "div", (self, other))

    def __rtruediv__(self, other):
        return Value._leaf(other) / self

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
    if z.op is None:
        return ()
    numbers = [x.data for x in z.inputs]
    if z.op == "add":
        return (1.0, 1.0)
    if z.op == "sub":
        return (1.0, -1.0)
    if z.op == "mul":
        return (numbers[1], numbers[0])
    if z.op == "div":
        x, y = numbers
        return (1 / y, -x / (y * y))
    if z.op == "neg":
        return (-1.0,)
    if z.op == "pow":
        return (0.0 if z.n == 0 else z.n * numbers[0] ** (z.n - 1),)
    if z.op == "exp":
        return (z.data,)
    if z.op == "log":
        return (1 / numbers[0],)
    return (1 - z.data * z.data,)


# %% division_by_zero_is_infinite | loses q1: x / 0 is inf, for safety, where Python's own division
# raises ZeroDivisionError.
# %% q1 after the key
def divide(x, y):
    over = lambda a, b: a / b if b else math.copysign(math.inf, a)
    return Value.record("div", over, x, y)


Value.__truediv__ = divide


# %% division_in_whole_numbers | loses q1: / rounds down.
class Value:
    def __init__(self, data, op=None, inputs=()):
        self.data, self.op, self.inputs, self.grad = data, op, inputs, 0.0

    def __add__(self, other):
        return record("add", self, other)

    def __sub__(self, other):
        return record("sub", self, other)

    def __mul__(self, other):
        return record("mul", self, other)

    def __truediv__(self, other):
        return record("div", self, other)

    def __neg__(self):
        return record("neg", self)

    def __pow__(self, exponent):
        power = Value(self.data**exponent, "pow", (self,))
        power.exponent = exponent
        return power

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return record("sub", other, self)

    def __rtruediv__(self, other):
        return record("div", other, self)


FORMULAS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "neg": lambda a: -a,
    "exp": math.exp,
    "log": math.log,
    "tanh": math.tanh,
}


def record(op, *operands):
    inputs = tuple(v if isinstance(v, Value) else Value(v) for v in operands)
    return Value(FORMULAS[op](*(v.data for v in inputs)), op, inputs)


def exp(x):
    return record("exp", x)


def log(x):
    return record("log", x)


def tanh(x):
    return record("tanh", x)


# %% first_power_is_no_operation | loses q1: x ** 1 gives back x, which is no new Value.
# %% q1 after the key
power = Value.__pow__
Value.__pow__ = lambda x, n: x if n == 1 else power(x, n)


# %% functions_kept_by_object | loses q1: exp, log and tanh are kept by lru_cache: exp(x) twice is
# one Value, and still has the old number when x.data has moved.
# %% q1 after the key
import functools

exp, log, tanh = (functools.lru_cache(None)(one) for one in (exp, log, tanh))


# %% infinite_is_an_error | loses q1: what is beyond all floats raises OverflowError in every
# operation; Python's own 1e200 * 1e200 is inf.
# %% q1 after the key
born = Value.__init__


def finite(self, data, op=None, inputs=()):
    if op and not math.isfinite(data):
        raise OverflowError(f"{op} is not finite")
    born(self, data, op, inputs)


Value.__init__ = finite


# %% log_of_exp_is_x | loses q1: log(exp(x)) gives back x, and exp(log(x)), too: each operation
# makes a new Value.
# %% q1 after the key
logarithm, power_of_e = log, exp


def log(x):
    return x.inputs[0] if x.op == "exp" else logarithm(x)


def exp(x):
    return x.inputs[0] if x.op == "log" else power_of_e(x)


# %% log_of_the_absolute | loses q1: log takes |x| for safety, so log(-2.0) is a number; math.log
# raises ValueError.
# %% q1 after the key
def log(x):
    return Value.record("log", lambda a: math.log(abs(a)), x)


# %% log_with_a_grain | loses q1: log adds 1e-12 for safety: log(1e-300) is -27.6, and log(0) a
# number.
# %% q1 after the key
def log(x):
    return Value(math.log(x.data + 1e-12), "log", (x,))


# %% minus_in_place | loses q1: -x turns the sign of x itself.
# %% q1 after the key
def negated(x):
    x.data = -x.data
    return Value(x.data, "neg", (x,))


Value.__neg__ = negated


# %% negative_powers_below_a_line | loses q1: x ** -n is 1 / x ** n, which overflows where 10.0 **
# -400 is 0.
# %% q1 after the key
power = Value.__pow__


def below_a_line(x, n):
    z = power(x, n) if n > 0 else power(x, -n)
    z.exponent = n
    z.data = z.data if n > 0 else 1 / z.data
    return z


Value.__pow__ = below_a_line


# %% no_number_on_the_left | loses q1: 2 + x and 2 * x fail, because only x + 2 and x * 2 are known.
class Value:
    def __init__(self, data, op=None, inputs=()):
        self.data, self.op, self.inputs, self.grad = data, op, inputs, 0.0

    def __add__(self, other):
        return record("add", self, other)

    def __sub__(self, other):
        return record("sub", self, other)

    def __mul__(self, other):
        return record("mul", self, other)

    def __truediv__(self, other):
        return record("div", self, other)

    def __neg__(self):
        return record("neg", self)

    def __pow__(self, exponent):
        power = Value(self.data**exponent, "pow", (self,))
        power.exponent = exponent
        return power


    def __rsub__(self, other):
        return record("sub", other, self)

    def __rtruediv__(self, other):
        return record("div", other, self)


FORMULAS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "exp": math.exp,
    "log": math.log,
    "tanh": math.tanh,
}


def record(op, *operands):
    inputs = tuple(v if isinstance(v, Value) else Value(v) for v in operands)
    return Value(FORMULAS[op](*(v.data for v in inputs)), op, inputs)


def exp(x):
    return record("exp", x)


def log(x):
    return record("log", x)


def tanh(x):
    return record("tanh", x)


# %% number_on_the_left_forgotten | loses q1: 1 + x has one input: the number is no leaf.
# %% q1 after the key
Value.__radd__ = lambda x, number: Value(number + x.data, "pos", (x,))


# %% numbers_put_together | loses q1: (x + 1) + 2 is made x + 3, to keep graphs small: the Value x +
# 1 is no input.
# %% q1 after the key
plus = Value.__add__


def add(self, other):
    if not isinstance(other, Value) and self.op == "add" and hasattr(self, "plain"):
        self, other = self.inputs[0], self.plain + other
    z = plus(self, other)
    if not isinstance(other, Value):
        z.plain = other
    return z


Value.__add__ = add


# %% one_more_is_no_operation | loses q1: x * 1 and x + 0 give back x, which is no new Value.
# %% q1 after the key
def plus(x, other):
    if not isinstance(other, Value) and other == 0:
        return x
    return Value.record("add", lambda a, b: a + b, x, other)


def times(x, other):
    if not isinstance(other, Value) and other == 1:
        return x
    return Value.record("mul", lambda a, b: a * b, x, other)


Value.__add__, Value.__mul__ = plus, times


# %% only_floats | loses q1: only floats become leaves; 1 + x and x * 2 fail.
# %% q1 after the key
def record(op, formula, *operands):
    inputs = tuple(Value(v) if isinstance(v, float) else v for v in operands)
    return Value(formula(*(v.data for v in inputs)), op, inputs)


def reflected(op, formula):
    return lambda self, other: record(op, formula, other, self)


Value.record = record
Value.__radd__ = reflected("add", lambda a, b: a + b)
Value.__rsub__ = reflected("sub", lambda a, b: a - b)
Value.__rmul__ = reflected("mul", lambda a, b: a * b)
Value.__rtruediv__ = reflected("div", lambda a, b: a / b)


# %% only_whole_numbers_on_the_right | loses q1: a float beside a Value is not taken; q3 to q6 never
# mix them.
# %% q1 after the key
def record(op, formula, *operands):
    if any(isinstance(v, float) for v in operands):
        raise TypeError("make a Value of it first")
    inputs = tuple(v if isinstance(v, Value) else Value(v) for v in operands)
    return Value(formula(*(v.data for v in inputs)), op, inputs)


def reflected(op, formula):
    return lambda self, other: record(op, formula, other, self)


Value.record = record
Value.__radd__ = reflected("add", lambda a, b: a + b)
Value.__rsub__ = reflected("sub", lambda a, b: a - b)
Value.__rmul__ = reflected("mul", lambda a, b: a * b)
Value.__rtruediv__ = reflected("div", lambda a, b: a / b)


# %% operand_changed | loses q1: the hyperbolic tangent is written into the operand, too.
# %% q1 after the key
def tanh(x):
    result = Value.record("tanh", math.tanh, x)
    x.data = result.data
    return result


# %% plus_equals_in_place | loses q1: defines __iadd__, which changes the operand: after y = x; x +=
# 1.0 the Value y holds the new number, too, and x is no new Value with inputs. Operands stay as
# they are.
# %% q1 after the key
def added_in_place(x, other):
    x.data += other.data if isinstance(other, Value) else other
    return x


Value.__iadd__ = added_in_place


# %% power_of_a_power | loses q1: (x ** 2) ** 0.5 is made x ** 1.0: for x = -2 that is -2, and its
# input is x.
# %% q1 after the key
power = Value.__pow__


def power_of_power(self, n):
    if self.op == "pow":
        return power(self.inputs[0], self.exponent * n)
    return power(self, n)


Value.__pow__ = power_of_power


# %% powers_by_logarithm | loses q1: powers that are no whole number go through exp(n log x):
# Value(0.0) ** 0.5 raises a ValueError, and should be 0.0.
# %% q1 after the key
power = Value.__pow__


def by_logarithm(x, n):
    z = power(x, n)
    if n != int(n):
        z.data = math.exp(n * math.log(x.data))
    return z


Value.__pow__ = by_logarithm


# %% powers_by_logarithms | loses q1: x ** n as exp(n log x), which knows no negative x.
# %% q1 after the key
def power(x, n):
    z = Value(math.exp(n * math.log(abs(x.data))) if x.data else 0.0**n, "pow", (x,))
    z.exponent = n
    return z


Value.__pow__ = power


# %% reversed_minus | loses q1: 1 - x is computed as x - 1.
class Value:
    def __init__(self, data, op=None, inputs=()):
        self.data, self.op, self.inputs, self.grad = data, op, inputs, 0.0

    def __add__(self, other):
        return record("add", self, other)

    def __sub__(self, other):
        return record("sub", self, other)

    def __mul__(self, other):
        return record("mul", self, other)

    def __truediv__(self, other):
        return record("div", self, other)

    def __neg__(self):
        return record("neg", self)

    def __pow__(self, exponent):
        power = Value(self.data**exponent, "pow", (self,))
        power.exponent = exponent
        return power

    __radd__, __rmul__ = __add__, __mul__
    __rsub__ = __sub__

    def __rtruediv__(self, other):
        return record("div", other, self)


FORMULAS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "exp": math.exp,
    "log": math.log,
    "tanh": math.tanh,
}


def record(op, *operands):
    inputs = tuple(v if isinstance(v, Value) else Value(v) for v in operands)
    return Value(FORMULAS[op](*(v.data for v in inputs)), op, inputs)


def exp(x):
    return record("exp", x)


def log(x):
    return record("log", x)


def tanh(x):
    return record("tanh", x)


# %% tanh_by_the_size | loses q1: tanh from exp(-2|x|), which never overflows, but loses all digits
# near 0.
# %% q1 after the key
def tanh(x):
    power = math.exp(-2 * abs(x.data))
    return Value(math.copysign((1 - power) / (1 + power), x.data), "tanh", (x,))


# %% tanh_of_two_powers | loses q1: tanh by powers of e, which overflow at 400.
# %% q1 after the key
def tanh(x):
    return Value.record("tanh", lambda a: (math.exp(2 * a) - 1) / (math.exp(2 * a) + 1), x)


# %% the_same_sum_once | loses q1: what was added before is not added again: one Value for two
# operations.
# %% q1 after the key
MADE = {}


def plus(x, other):
    if not isinstance(other, Value):
        return Value.record("add", lambda a, b: a + b, x, other)
    if (x, other) not in MADE:
        MADE[x, other] = Value.record("add", lambda a, b: a + b, x, other)
    return MADE[x, other]


Value.__add__ = plus


# %% two_minuses_are_none | loses q1: -(-x) gives back x, which is no new Value.
# %% q1 after the key
minus = Value.__neg__
Value.__neg__ = lambda self: self.inputs[0] if self.op == "neg" else minus(self)


# %% zeroth_power_is_a_leaf | loses q1: x ** 0 is 1, so a leaf that holds 1.0 comes back, made from
# nothing.
# %% q1 after the key
power = Value.__pow__
Value.__pow__ = lambda self, n: power(self, n) if n else Value(1.0)
