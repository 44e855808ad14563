"""Wrong answers to q2 of ps1."""


# %% a_number_has_no_derivative | loses q2: a plain number does not change, so 2 * x gets one
# number.
# | says: There is not one number for each input.
# %% q1 after the key
recorded = Value.record


def record(op, formula, *operands):
    z = recorded(op, formula, *operands)
    for x, operand in zip(z.inputs, operands):
        x.fixed = getattr(x, "fixed", False) or not isinstance(operand, Value)
    return z


Value.record = record
Value.__radd__ = lambda self, other: Value.record("add", lambda a, b: a + b, other, self)
Value.__rsub__ = lambda self, other: Value.record("sub", lambda a, b: a - b, other, self)
Value.__rmul__ = lambda self, other: Value.record("mul", lambda a, b: a * b, other, self)
Value.__rtruediv__ = lambda self, other: Value.record("div", lambda a, b: a / b, other, self)

# %% q2 after the key
of_all = local_derivatives


def local_derivatives(z):
    pairs = zip(z.inputs, of_all(z))
    return tuple(derivative for x, derivative in pairs if not getattr(x, "fixed", False))


# %% numbers_on_the_left_last | loses q2: for 1 - x and 2 / x the derivative with respect to x comes
# first. | says: The derivatives are in the wrong order.
# %% q1 after the key
minus, over = Value.__rsub__, Value.__rtruediv__


def marked(operation):
    def from_the_left(self, other):
        z = operation(self, other)
        z.swapped = True
        return z
    return from_the_left


Value.__rsub__, Value.__rtruediv__ = marked(minus), marked(over)

# %% q2 after the key
straight = local_derivatives


def local_derivatives(z):
    return straight(z)[::-1] if hasattr(z, "swapped") else straight(z)


# %% by_difference_quotient | loses q2: the derivative of exp is approximated, in nine digits.
# | says: It has too few digits, as a difference quotient has.
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    if z.op == "exp":
        return (difference_quotient(math.exp, [z.inputs[0].data], 0),)
    return others(z)


# %% division_sign | loses q2: the derivative of a / b with respect to b is positive.
# | says: The derivative of x / y by y has the wrong sign.
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    found = others(z)
    return (found[0], -found[1]) if z.op == "div" else found


# %% division_without_square | loses q2: the derivative of a / b with respect to b is -a / b.
# | says: The derivative of x / y by y lacks the square of y.
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    if z.op == "div":
        return (1 / z.inputs[1].data, -z.data)
    return others(z)


# %% all_functions_at_once | loses q2: computes the derivatives of all functions and picks one, so
# exp and tanh fail at 0. | says: It fails at 0
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    if z.op in ("exp", "log", "tanh"):
        a = z.inputs[0].data
        return ({"exp": z.data, "log": 1 / a, "tanh": 1 - z.data**2}[z.op],)
    return others(z)


# %% log_of_result | loses q2: the derivative of log is 1 / log(x).
# | says: The derivative of log divides by the result, not by x.
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    return (1 / z.data,) if z.op == "log" else others(z)


# %% one_exponent_for_all | loses q2: the derivative of x ** n takes the exponent that came last.
# | says: It is right only until another operation is recorded
# %% q2 after the key
power, LAST = Value.__pow__, []


def remembering(x, n):
    LAST[:] = [n]
    return power(x, n)


Value.__pow__ = remembering
others = local_derivatives


def local_derivatives(z):
    if z.op == "pow":
        return (LAST[0] * z.inputs[0].data ** (LAST[0] - 1),)
    return others(z)


# %% power_divides_by_x | loses q2: the derivative of x ** n as n z / x, which fails at x = 0.
# | says: perhaps because it divides by an operand.
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    return (z.exponent * z.data / z.inputs[0].data,) if z.op == "pow" else others(z)


# %% power_keeps_exponent | loses q2: the derivative of x ** n is n x ** n.
# | says: The derivative of x ** n keeps the exponent n.
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    return (z.exponent * z.data,) if z.op == "pow" else others(z)


# %% power_of_the_absolute | loses q2: the derivative of x ** n by a logarithm, which knows no
# negative x. | says: It is wrong for a negative x.
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    if z.op == "pow" and z.inputs[0].data:
        n = z.exponent
        return (n * math.exp((n - 1) * math.log(abs(z.inputs[0].data))),)
    return others(z)


# %% product_divides | loses q2: the other factor as z / a, which fails when a is 0.
# | says: perhaps because it divides by an operand.
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    return tuple(z.data / x.data for x in z.inputs) if z.op == "mul" else others(z)


# %% derivatives_change_the_result | loses q2: the square of tanh is formed in z.data, and left
# there.
# | says: The function changes z, or gives another answer the second time.
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    if z.op == "tanh":
        z.data *= z.data
        return (1 - z.data,)
    return others(z)


# %% derivatives_of_the_last_function | loses q2: exp, log and tanh leave their derivative in a
# table
# by their name. | says: It is right only until another operation is recorded
# %% q1 after the key
LAST = {}
recorded = Value.record


def record(op, formula, *operands):
    z = recorded(op, formula, *operands)
    a = z.inputs[0].data
    if op in ("exp", "log", "tanh"):
        LAST[op] = {"exp": z.data, "log": op == "log" and 1 / a, "tanh": 1 - z.data**2}[op]
    return z


Value.record = record

# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    return (LAST[z.op],) if z.op in LAST else others(z)


# %% tanh_not_squared | loses q2: the derivative of tanh is taken as 1 - tanh(x).
# | says: The derivative of tanh lacks the square.
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    return (1 - z.data,) if z.op == "tanh" else others(z)


# %% tanh_from_the_input | loses q2: 1 - x² for tanh(x), with the input for the result.
# | says: The derivative of tanh needs the square of the result
# %% q2 after the key
of_all = local_derivatives


def local_derivatives(z):
    return (1 - z.inputs[0].data ** 2,) if z.op == "tanh" else of_all(z)


# %% power_by_logarithm | loses q2: the derivative of x ** n by a logarithm, which fails for a
# negative x. | says: It fails for a negative x
# %% q2 after the key
others = local_derivatives


def local_derivatives(z):
    if z.op == "pow" and z.inputs[0].data:
        n = z.exponent
        return (n * math.exp((n - 1) * math.log(z.inputs[0].data)),)
    return others(z)


# %% one_number_for_x_twice | loses q2: x + x and x * x get one number, the sum of both derivatives.
# | says: The derivatives by both inputs are asked for
# %% q2 after the key
for_each_input = local_derivatives


def local_derivatives(z):
    found = for_each_input(z)
    same = len(z.inputs) == 2 and z.inputs[0] is z.inputs[1]
    return (found[0] + found[1],) if same else found


# %% q3
def order_below(roots):
    order, seen, stack = [], set(), [(root, False) for root in roots]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            order.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return order


def sweep(roots, seeds):
    order = order_below(roots)
    for value in order:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(order):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


def backward(root):
    sweep([root], [1.0])


# %% q4
def backward_from(roots, seeds):
    sweep(roots, seeds)


# %% q7
def accumulate(root):
    adjoints = {root: 1.0}
    for value in reversed(order_below([root])):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            adjoints[source] = adjoints.get(source, 0.0) + derivative * adjoints[value]
        if not value.inputs:
            value.grad += adjoints[value]


def descend(parameters, rate):
    for parameter in parameters:
        parameter.data -= rate * parameter.grad
        parameter.grad = 0.0
