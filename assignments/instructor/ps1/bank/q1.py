"""Wrong answers to q1 of ps1."""


# %% division_in_whole_numbers | loses q1: / rounds down. | says: It divides in whole numbers.
# %% q1 after the key
Value.__truediv__ = lambda x, other: Value.record("div", lambda a, b: a // b, x, other)


# %% minus_in_place | loses q1: -x turns the sign of x itself.
# | says: An operation changes its operand.
# %% q1 after the key
def negated(x):
    number, x.data = x.data, -x.data
    z = Value(x.data, "neg", (x,))
    return z if number else z


Value.__neg__ = negated


# %% no_number_on_the_left | loses q1: 2 + x fails, because only x + 2 is known.
# | says: A plain number on this side of a Value is refused.
# %% q1 after the key
del Value.__radd__, Value.__rmul__, Value.__rsub__, Value.__rtruediv__


# %% number_on_the_left_forgotten | loses q1: 1 + x has one input: the number is no leaf.
# | says: The plain number does not become an input.
# %% q1 after the key
Value.__radd__ = lambda x, number: Value(number + x.data, "plus_number", (x,))


# %% one_more_is_no_operation | loses q1: x * 1 and x + 0 give back x, which is no new Value.
# | says: The plain number does not become an input.
# %% q1 after the key
plus, times = Value.__add__, Value.__mul__
Value.__add__ = lambda x, other: x if isinstance(other, int) and other == 0 else plus(x, other)
Value.__mul__ = lambda x, other: x if isinstance(other, int) and other == 1 else times(x, other)


# %% only_floats | loses q1: only floats become leaves; 1 + x and x * 2 fail.
# | says: A plain number on this side of a Value is refused.
# %% q1 after the key
def record(op, formula, *operands):
    inputs = tuple(Value(v) if isinstance(v, float) else v for v in operands)
    return Value(formula(*(v.data for v in inputs)), op, inputs)


Value.record = record


# %% operand_changed | loses q1: the hyperbolic tangent is written into the operand, too.
# | says: An operation changes its operand.
# %% q1 after the key
def tanh(x):
    result = Value.record("tanh", math.tanh, x)
    x.data = result.data
    return result


# %% operands_in_a_set | loses q1: inputs is a set, as in micrograd, so x + x has one input and the
# order of x - y is lost. | says: The inputs are not the operands themselves, in their order.
# %% q1 after the key
def record(op, formula, *operands):
    inputs = tuple(v if isinstance(v, Value) else Value(v) for v in operands)
    return Value(formula(*(v.data for v in inputs)), op, tuple(dict.fromkeys(inputs)))


Value.record = record

# %% q2 after the key
of_two = local_derivatives


def local_derivatives(z):
    if z.op in ("add", "sub", "mul", "div") and len(z.inputs) == 1:
        both = Value(0.0, z.op, (z.inputs[0], z.inputs[0]))
        return (sum(of_two(both)),)
    return of_two(z)


# %% plus_equals_in_place | loses q1: __iadd__ changes the operand: after y = x; x += 1 the Value y
# holds the new number, too. | says: The line changes x itself
# %% q1 after the key
def added_in_place(x, other):
    x.data += other.data if isinstance(other, Value) else other
    return x


Value.__iadd__ = added_in_place


# %% powers_by_logarithms | loses q1: x ** n as exp(n log x), which knows no negative x.
# | says: It is wrong for a negative x.
# %% q1 after the key
def power(x, n):
    z = Value(math.exp(n * math.log(abs(x.data))) if x.data else 0.0**n, "pow", (x,))
    z.exponent = n
    return z


Value.__pow__ = power


# %% reversed_minus | loses q1: 1 - x is computed as x - 1.
# | says: The operands are swapped: Python calls __rsub__(self, other) for other - self.
# %% q1 after the key
Value.__rsub__ = Value.__sub__


# %% leaves_named | loses q1: a leaf has the op "leaf", where None is asked for.
# | says: A leaf has an op or inputs.
# %% q1 after the key
born = Value.__init__


def named(self, data, op="leaf", inputs=()):
    born(self, data, op, inputs)


Value.__init__ = named

# %% q2 after the key
of_operations = local_derivatives


def local_derivatives(z):
    return () if z.op == "leaf" else of_operations(z)


# %% one_leaf_for_a_number | loses q1: equal plain numbers share a leaf, also in two graphs.
# | says: Two operations share the leaf of a number
# %% q1 after the key
LEAVES = {}


def record(op, formula, *operands):
    inputs = tuple(
        v if isinstance(v, Value) else LEAVES.setdefault(v, Value(v)) for v in operands
    )
    return Value(formula(*(v.data for v in inputs)), op, inputs)


Value.record = record
Value.__radd__ = lambda self, other: Value.record("add", lambda a, b: a + b, other, self)
Value.__rsub__ = lambda self, other: Value.record("sub", lambda a, b: a - b, other, self)
Value.__rmul__ = lambda self, other: Value.record("mul", lambda a, b: a * b, other, self)
Value.__rtruediv__ = lambda self, other: Value.record("div", lambda a, b: a / b, other, self)


# %% whole_exponents | loses q1: x ** 0.5 is computed as x ** 0. | says: It makes n a whole number.
# %% q1 after the key
power_of = Value.__pow__
Value.__pow__ = lambda x, n: power_of(x, int(n))
