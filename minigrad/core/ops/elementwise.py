"""Elementwise ops: one line of local derivatives each, which serves both modes."""

import builtins
from typing import Any, overload

import numpy as np

from minigrad.core.errors import ArgumentError
from minigrad.core.op import (
    Elementwise, Operandlike, ZerosLike, accumulate, binary, bind, read_now, unary,
)  # fmt: skip
from minigrad.core.ops.options import strict
from minigrad.core.signatures import Array, ArrayLike, V, ValueOf, takes_one, takes_two
from minigrad.core.spec import as_floats, is_float, is_scalar, is_whole_number, number_type, spec_of

# arithmetic --------------------------------------------------------------------------------------


class Add(Elementwise):
    """z = x + y."""

    says = "{z} is the sum of {x} and {y}."
    says_rows = ("{small} has {n} numbers and {large} has {rows} rows, so {small} is added to "
                 "every row.")
    says_back = "+ passes {z_bar} on as it is, so {to} receives {amount}."
    says_rows_back = ("{to} was added to all {rows} rows, so its {gradient} is the sum of {z_bar} "
                      "over the rows.")
    sign = "+"
    onnx = "Add"
    layout_invariant = True
    commutative = True
    compute = np.add
    partials = (1, 1)
    reads = ("", "")


class Sub(Elementwise):
    """z = x - y."""

    says = "{z} is {x} minus {y}."
    says_back = ("− passes {z_bar} on to {to} as it is, so {to} receives {amount}.",
                 "{to} is subtracted, so it receives {z_bar} with the other sign, {amount}.")
    sign = "-"
    onnx = "Sub"
    layout_invariant = True
    hint = "write x ^ y for masks, or x.astype(float)"
    compute = np.subtract
    partials = (1, -1)
    reads = ("", "")


class Mul(Elementwise):
    """z = x · y."""

    says = "{z} is the product of {x} and {y}."
    says_back = "× passes on {z_bar} times the other factor, so {to} receives {amount}."
    sign = "*"
    onnx = "Mul"
    layout_invariant = True
    commutative = True
    compute = np.multiply
    partials = (lambda x, y, z: y,
                lambda x, y, z: x)
    reads = ("y", "x")


class Div(Elementwise):
    """z = x / y."""

    says = "{z} is {x} divided by {y}."
    says_back = ("/ passes on {z_bar} divided by {y}, so {to} receives {amount}.",
                 "For the divisor, the derivative is −{z} / {y}, so {to} receives {amount}.")
    sign = "/"
    onnx = "Div"
    layout_invariant = True
    compute = np.divide
    partials = (lambda x, y, z: 1 / y,
                lambda x, y, z: -z / y)
    reads = ("y", "yz")


class Neg(Elementwise):
    """z = -x."""

    says = "{z} is {x} with the other sign."
    says_back = "The minus changes the sign of {z_bar}, so {to} receives {amount}."
    formula = "-{0}"
    onnx = "Neg"
    layout_invariant = True
    hint = "write ~x for a mask, or x.astype(float)"
    compute = np.negative
    partials = (-1,)
    reads = ("",)


class Power(Elementwise):
    """z = x ** y.   ∂z/∂x = y x^(y-1), 0 where y = 0;   ∂z/∂y = z log x, 0 where x = 0.

    At x = 0, where for 0 < y < 1 it is infinite, ∂z/∂x = 0, as for sqrt.
    """

    says = "{z} is {x} to the power {y}."
    says_back = ("By the power rule {to} has the derivative {y} · {x}^({y} − 1) here.",
                 "{z} grows with its exponent by {z} times log {x}, so {to} receives {amount}.")
    sign = "**"
    onnx = "Pow"
    compute = np.power
    partials = (lambda x, y, z: y * bind(PowerOfPower, base_of_root(x, y), y - 1),
                lambda x, y, z: z * log(base_of_log(x, y)))
    reads = ("xy", "xyz")


class PowerOfPower(Power):
    """z = x ** y as a derivative of a power, in which an infinite derivative stays infinite."""

    verb = "power"
    partials = (lambda x, y, z: y * bind(PowerOfPower, base_of(x, y), y - 1), Power.partials[1])


class Remainder(Elementwise):
    """Compute z = x - y ⌊x / y⌋.   ∂z/∂x = 1, ∂z/∂y = -⌊x / y⌋, at the jumps too.

    >>> mg.remainder([7.0, -7.0], 3.0)
    array([1., 2.])
    """

    says = "{z} is what is left of {x} after division by {y}."
    says_back = ("{z} moves as {to} does, so {to} receives {amount}.",
                 "{z} loses {to} as often as it goes into {x}, so {to} receives {amount}.")
    compute = np.remainder
    partials = (1, lambda x, y, z: -floor_divide(x, y))
    reads = ("", "xy")


# what x ** n is for these n, to the last bit
WITHOUT_POWER = {1: np.positive, 2: np.square, 0.5: np.sqrt}


class ScalarPower(Elementwise):
    """z = x ** n for a number n.   ∂z/∂x = n x^(n-1), 0 where n = 0.

    At x = 0, where for 0 < n < 1 it is infinite, ∂z/∂x = 0, as for sqrt.
    """

    says = "{z} is {x} to the power {exponent}."
    says_back = "By the power rule, the derivative is {slope}, so {to} receives {amount}."

    def compute(x, *, exponent, out=None):
        if x.dtype.kind == "f" and exponent in WITHOUT_POWER:  # before 2.3 np.power rounds
            return WITHOUT_POWER[exponent](x, out=out)
        return np.power(x, exponent, out=out)  # x ** n rounds single numbers in another way

    def root(x, z, *, exponent):
        """The derivative, 0 where that of a root is infinite."""
        if 0 < exponent < 1:
            x = by_convention(equal(x, 0), np.inf, x)
        return ScalarPowerOfPower.partials[0](x, z, exponent=exponent)

    partials = (root,)
    reads = ("x",)


class ScalarPowerOfPower(ScalarPower):
    """z = x ** n as a derivative of a power, in which an infinite derivative stays infinite."""

    verb = "scalar_power"
    partials = (lambda x, z, *, exponent:
                exponent * lower_power(x, exponent - 1) if exponent else None,)


add = binary(Add)
sub = binary(Sub)
mul = binary(Mul)
div = binary(Div)
negate = unary(Neg)
remainder = binary(Remainder)


def lower_power(x, exponent):
    """x ** exponent in the derivative of a power; of a root, one whose derivative at 0 is inf."""
    if 0 < exponent < 1:
        return bind(ScalarPowerOfPower, x, exponent=exponent)
    return power(x, exponent)


def base_of(x, y):
    """x, and 1 where the derivative of x ** y is 0 because y is."""
    return where(no_base(x, y), 1, x)


def base_of_root(x, y):
    """base_of(x, y), and by convention inf where x ** y is a root of 0, so that inf^(y-1) = 0."""
    return by_convention(equal(x, 0) * greater(y, 0) * less(y, 1), np.inf, base_of(x, y))


def base_of_log(x, y):
    """x, and 1 where x is 0, so that z log x is 0 there; its derivative is so for y > 1 alone."""
    none = equal(x, 0)
    return by_convention(none * less_equal(y, 1), 1, where(none, 1, x))


def no_base(x, y):
    """True where y = 0 and x is 0 or NaN, so that y x^(y-1) would be 0 · inf or NaN, not 0."""
    return equal(y, 0) * equal(greater(abs(x), 0), False)


@takes_two
def power(x: Operandlike, y: Operandlike) -> Operandlike:
    """z = x ** y, elementwise; y may be a number or an array.

    Raises ArgumentError for an integer x with a negative whole y, which has no integer result.
    """
    if not is_scalar(y) or is_scalar(x):
        return bind(Power, x, y)
    if isinstance(y, int) and y < 0 and not is_float(spec_of(x).dtype):
        raise ArgumentError(f"an integer to the power {y} is not an integer",
                            f"write {float(y)}, or make the base a float")
    return bind(ScalarPower, x, exponent=y)


@takes_one
def square(x: Operandlike) -> Operandlike:
    """Compute z = x².

    >>> mg.square([2.0, 3.0])
    array([4., 9.])
    """
    return power(x, 2)


# exponentials and angles -------------------------------------------------------------------------


class Exp(Elementwise):
    """Compute z = exp(x).

    >>> mg.exp([0.0, 1.0])
    array([1.        , 2.71828183])
    """

    says = "{z} is e to the power {x}."
    says_back = "exp is its own derivative, so {to} receives {amount}."
    formula = "exp({0})"
    onnx = "Exp"
    compute = np.exp
    partials = (lambda x, z: z,)
    reads = ("z",)


class Log(Elementwise):
    """Compute z = ln(x).

    >>> mg.log([1.0, np.e])
    array([0., 1.])
    """

    says = "{z} is the natural logarithm of {x}."
    formula = "log({0})"
    onnx = "Log"
    compute = np.log
    partials = (lambda x, z: 1 / x,)
    reads = ("x",)


class Log1p(Elementwise):
    """Compute z = ln(1 + x), exact for small x.

    >>> mg.log1p([0.0, 1e-10])
    array([0.e+00, 1.e-10])
    """

    says = "{z} is the natural logarithm of 1 + {x}."
    compute = np.log1p
    partials = (lambda x, z: 1 / (1 + x),)
    reads = ("x",)


class Expm1(Elementwise):
    """Compute z = exp(x) - 1, exact for small x.

    >>> mg.expm1([0.0, 1e-10])
    array([0.e+00, 1.e-10])
    """

    says = "{z} is e to the power {x}, minus 1."
    compute = np.expm1
    partials = (lambda x, z: z + 1,)
    reads = ("z",)


class LogAddExp(Elementwise):
    """Compute z = ln(exp(x) + exp(y)), without overflow.   ∂z/∂x = 1 / (1 + exp(y - x)).

    >>> mg.logaddexp([0.0, 1000.0], 1000.0)
    array([1000.        , 1000.69314718])
    """

    says = "{z} is the logarithm of the sum of e^{x} and e^{y}."
    says_back = "e^{to} is one part of that sum, so {to} receives {z_bar} times its part."
    commutative = True
    compute = np.logaddexp
    partials = (lambda x, y, z: sigmoid(gap_between(x, y)),
                lambda x, y, z: sigmoid(gap_between(y, x)))
    reads = ("xy", "xy")


class Sqrt(Elementwise):
    """Compute z = √x. At 0, where it is infinite, ∂z/∂x = 0, so a norm has the derivative 0 at 0.

    >>> mg.sqrt([4.0, 9.0])
    array([2., 3.])
    """

    says = "{z} is the square root of {x}."
    formula = "sqrt({0})"
    onnx = "Sqrt"
    layout_invariant = True
    compute = np.sqrt
    partials = (lambda x, z: 0.5 / by_convention(equal(z, 0), np.inf, z),)
    reads = ("z",)


class Sin(Elementwise):
    """Compute z = sin(x), x in radians.

    >>> mg.sin([0.0, np.pi / 2])
    array([0., 1.])
    """

    says = "{z} is the sine of {x}."
    formula = "sin({0})"
    onnx = "Sin"
    compute = np.sin
    partials = (lambda x, z: cos(x),)
    reads = ("x",)


class Cos(Elementwise):
    """Compute z = cos(x), x in radians.

    >>> mg.cos([0.0, np.pi])
    array([ 1., -1.])
    """

    says = "{z} is the cosine of {x}."
    formula = "cos({0})"
    onnx = "Cos"
    compute = np.cos
    partials = (lambda x, z: -sin(x),)
    reads = ("x",)


class Tanh(Elementwise):
    """Compute z = tanh(x).

    >>> mg.tanh([0.0, 100.0])
    array([0., 1.])
    """

    says = "{z} is the hyperbolic tangent of {x}, between −1 and 1."
    formula = "tanh({0})"
    onnx = "Tanh"
    compute = np.tanh
    partials = (lambda x, z: 1 - z * z,)
    reads = ("z",)


class Sigmoid(Elementwise):
    """Compute z = 1 / (1 + exp(-x)).

    >>> mg.sigmoid([0.0])
    array([0.5])
    """

    says = "{z} is the sigmoid of {x}, between 0 and 1."
    onnx = "Sigmoid"

    def compute(x, out=None):
        z = np.negative(as_floats(x), out=out)  # booleans and unsigned integers have no minus
        z = np.logaddexp(0.0, z, out=out)
        return np.exp(np.negative(z, out=out), out=out)  # neither end overflows

    partials = (lambda x, z: z * (1 - z),)
    reads = ("z",)


class Softplus(Elementwise):
    """Compute z = ln(1 + exp(x)).

    >>> mg.softplus([0.0])
    array([0.69314718])
    """

    says = "{z} is log(1 + e^{x}), which is a smooth relu of {x}."
    onnx = "Softplus"

    def compute(x, out=None):
        return np.logaddexp(x, 0.0, out=out)

    partials = (lambda x, z: sigmoid(x),)
    reads = ("x",)


class Softsign(Elementwise):
    """Compute z = x / (1 + |x|).   ∂z/∂x = (1 - |z|)².

    >>> mg.softsign([1.0, -3.0])
    array([ 0.5 , -0.75])
    """

    says = "{z} is {x} / (1 + |{x}|), between −1 and 1."
    onnx = "Softsign"
    formula = "{0} / (1 + abs({0}))"

    def compute(x):
        x = as_floats(x)
        return x / (1 + np.absolute(x))

    partials = (lambda x, z: square(1 - abs(z)),)
    reads = ("z",)


exp = unary(Exp)
log = unary(Log)
log1p = unary(Log1p)
logaddexp = binary(LogAddExp)
expm1 = unary(Expm1)
sqrt = unary(Sqrt)
sin = unary(Sin)
cos = unary(Cos)
tanh = unary(Tanh)
sigmoid = unary(Sigmoid)
softplus = unary(Softplus)
softsign = unary(Softsign)


def gap_between(x, y):
    """x - y; 0, and not NaN, where both are the same infinity."""
    return where(equal(x, y) * equal(abs(x), np.inf), 0, x - y)


# kinks: each says which derivative it takes there; the table of README.md has them all -----------


class Abs(Elementwise):
    """Compute z = |x|.   ∂z/∂x = 0 at x = 0.

    >>> mg.abs([-2.0, 3.0])
    array([2., 3.])
    """

    says = "{z} is the absolute value of {x}."
    says_back = "abs passes {z_bar} on with the sign of {x}, so {to} receives {amount}."
    formula = "abs({0})"
    onnx = "Abs"
    layout_invariant = True
    compute = np.absolute
    partials = (lambda x, z: sign_of_abs(x),)
    reads = ("x",)


class Choice(Elementwise):
    """An op whose every entry is an operand's own, or a constant.

    `masks` gives, for each operand, a tangent or cotangent v where the entry is its own, else 0.
    Nothing reaches a branch that is not taken, not even an infinite cotangent, of which a product
    with 0 would make NaN.
    """

    layout_invariant = True

    @classmethod
    def pushforward(op, xs, z, x_dots, params):
        return accumulate([mask(*xs, z, x_dot, **params)
                      for mask, x_dot in zip(op.masks, x_dots) if x_dot is not None and mask])

    @classmethod
    def pullback(op, xs, z, z_bar, wanted, params):
        return [mask(*xs, z, z_bar, **params) if want and mask else None
                for mask, want in zip(op.masks, wanted)]


class Relu(Choice):
    """Compute z = max(x, 0).   ∂z/∂x = 0 at x = 0.

    >>> mg.relu([-1.0, 2.0])
    array([0., 2.])
    """

    says = "relu keeps the positive numbers and sets the rest to 0{zeros}."
    says_back = ("Where {x} is positive, relu passes the adjoint on. Where {x} is negative, the "
                 "contribution is 0.")
    formula = "({type}(0) if {0} <= 0 else {0})"

    def compute(x, out=None):
        return np.maximum(x, 0, out=out)

    masks = (lambda x, z, v: keep(less_equal(x, 0), v, when=False),)
    reads = ("x",)


class Maximum(Choice):
    """Compute z = max(x, y). At a tie y receives the whole derivative, as in relu; at NaN both do.

    >>> mg.maximum([1.0, 4.0], 2.0)
    array([2., 4.])
    """

    says = "{z} is the larger one of {x} and {y}."
    says_back = ("Where {to} is the larger one, it receives {z_bar}. Elsewhere the contribution "
                 "is 0.")
    formula = "maximum({0}, {1})"
    onnx = "Max"
    compute = np.maximum
    masks = (lambda x, y, z, v: keep(less_equal(x, y), v, when=False),
             lambda x, y, z, v: keep(greater(x, y), v, when=False))
    reads = ("xy", "xy")


class Minimum(Choice):
    """Compute z = min(x, y). At a tie y receives the whole derivative; at NaN both do.

    >>> mg.minimum([1.0, 4.0], 2.0)
    array([1., 2.])
    """

    says = "{z} is the smaller one of {x} and {y}."
    says_back = ("Where {to} is the smaller one, it receives {z_bar}. Elsewhere the contribution "
                 "is 0.")
    formula = "minimum({0}, {1})"
    onnx = "Min"
    compute = np.minimum
    masks = (lambda x, y, z, v: keep(greater_equal(x, y), v, when=False),
             lambda x, y, z, v: keep(less(x, y), v, when=False))
    reads = ("xy", "xy")


class Clip(Choice):
    """z = x held within [low, high].   ∂z/∂x = 1 at both ends."""

    says = "{z} is {x}, held between {low} and {high}."
    says_back = "Between {low} and {high}, clip passes {z_bar} on. Outside, the contribution is 0."

    def compute(x, *, low, high, out=None):
        return np.clip(x, low, high, out=out)

    masks = (lambda x, z, v, *, low, high:
             keep(less(x, low) + greater(x, high), v, when=False),)
    reads = ("x",)


class Where(Choice):
    """z = y where x is true, else w."""

    says = "{z} is {y} where {x} is true, and {w} elsewhere."
    says_back = ("",
                 "Where {x} is true, {to} receives {z_bar}. Elsewhere the contribution is 0.",
                 "Where {x} is false, {to} receives {z_bar}. Elsewhere the contribution is 0.")
    formula = "({1} if {0} else {2})"
    compute = np.where
    masks = (None,
             lambda x, y, w, z, v: keep(x, v),
             lambda x, y, w, z, v: keep(x, v, when=False))
    reads = ("", "x", "x")


class Convention(Where):
    """z = y where x is true, by convention, else w: its derivative is NaN there.

    In a derivative, y takes the place of what is infinite. Zero would be a guess at the next one.
    """

    says = "{z} is {y} by convention where {x} is true, and {w} elsewhere."
    says_back = ("",
                 "",
                 "Where {x} is true, {to} has no derivative. Elsewhere it receives {z_bar}.")
    verb = "where"
    masks = (None, None, lambda x, y, w, z, v: where(x, np.nan, v))
    reads = ("", "", "x")


class Keep(Choice):
    """z = y where the condition x is `when`, else 0: y's bits times 1 or 0, quicker than where."""

    says = "{z} is {y} where {x} is {when}, and 0 elsewhere."
    says_back = ("",
                 "Where {x} is {when}, {to} receives {z_bar}. Elsewhere the contribution is 0.")
    formula = "({1} if {0} == {when} else {type}(0))"

    def compute(x, y, *, when, out=None):
        whole = BITS[y.dtype.itemsize]
        z = None if out is None else out.view(whole)
        return np.multiply(y.view(whole), x if when else ~x, out=z).view(y.dtype)

    masks = (None,
             lambda x, y, z, v, *, when: keep(x, v, when))
    reads = ("", "x")


BITS = {2: np.int16, 4: np.int32, 8: np.int64}  # by bytes of a float


relu = unary(Relu)
abs = unary(Abs)
maximum = binary(Maximum)
minimum = binary(Minimum)


def by_convention(condition, value, x):
    """x, and the number `value` by convention where the condition is true."""
    return bind(Convention, condition, value, x)


def keep(condition, x, when=True):
    """z = the floats x where the condition is `when`, else 0; inf and NaN go, too."""
    return bind(Keep, condition, x, when=when)


@takes_one
@strict
def clip(x: Operandlike, low: float | None = None, high: float | None = None) -> Operandlike:
    """Compute z = x limited to [low, high], both numbers; the derivative is 1 at the ends.

    >>> mg.clip([-2.0, 0.5, 2.0], -1, 1)
    array([-1. ,  0.5,  1. ])
    """
    given = [bound for bound in (low, high) if bound is not None]
    if not given:
        raise ArgumentError("clip has no bound", "give one: mg.clip(x, 0, None)")
    least, most = number_range(spec_of(x).dtype, *given)
    low, high = least if low is None else low, most if high is None else high
    if not (is_scalar(low) and is_scalar(high) and low <= high):
        raise ArgumentError(f"clip needs numbers low ≤ high, not {low!r} and {high!r}",
                            "use maximum and minimum for bounds that are arrays")
    return bind(Clip, x, low=low, high=high)


def number_range(dtype, *bounds):
    """The least and the largest number of a dtype, infinite beside a bound that is a float."""
    if dtype == bool:  # noqa: E721
        return 0, 1
    if is_float(dtype) or any(isinstance(bound, float) for bound in bounds):
        return -np.inf, np.inf
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike) -> Array: ...
@overload
def where(condition: ValueOf[V], x: ArrayLike, y: ArrayLike) -> V: ...
@overload
def where(condition: Any, x: ValueOf[V], y: ValueOf[V] | ArrayLike) -> V: ...
@overload
def where(condition: Any, x: ArrayLike, y: ValueOf[V]) -> V: ...
def where(condition: Any, x: Any, y: Any) -> Any:
    """Compute z = x where the condition is true, else y, elementwise.

    >>> mg.where([True, False], 1.0, 2.0)
    array([1., 2.])
    """
    if is_scalar(condition):  # beside floats, True would become the float 1
        condition = np.asarray(bool(condition))
    if getattr(condition, "dtype", None) != bool and spec_of(condition).dtype != bool:  # noqa: E721
        condition = not_equal(condition, 0)
    return bind(Where, condition, x, y)


# steps: zero slope wherever there is one ---------------------------------------------------------


class Step(Elementwise):
    """An elementwise op that is constant between its jumps, and so has no derivative to pass."""

    layout_invariant = True

    differentiable = False


class Sign(Step):
    """Compute z = -1, 0 or 1, the sign of x.

    >>> mg.sign([-2.0, 0.0, 3.0])
    array([-1.,  0.,  1.])
    """

    says = "{z} is the sign of {x}, which is −1, 0 or 1."
    formula = "sign({0})"
    onnx = "Sign"
    compute = np.sign


class SignOfAbs(Sign):
    """z = sign(x), the derivative of |x|: 0 at x = 0 by convention, where its own is NaN."""

    says_back = "A sign is constant between its jumps, so {to} receives 0."
    verb = "sign"
    differentiable = True
    partials = (lambda x, z: where(equal(x, 0), np.nan, bind(ZerosLike, x)),)
    reads = ("x",)


class Floor(Step):
    """Compute z = the largest whole number ≤ x.

    >>> mg.floor([1.7, -1.2])
    array([ 1., -2.])
    """

    says = "{z} is {x}, rounded down to a whole number."
    onnx = "Floor"
    compute = np.floor


class FloorDivide(Step):
    """Compute z = ⌊x / y⌋.

    >>> mg.floor_divide([7.0, -7.0], 2.0)
    array([ 3., -4.])
    """

    says = "{z} is {x} divided by {y}, rounded down."
    compute = np.floor_divide


class Round(Step):
    """z = x rounded to `decimals` places after the point; halves go to the even neighbour."""

    says = "{z} is {x}, rounded to {decimals} decimal places."

    def compute(x, *, decimals, out=None):
        return np.round(x, decimals, out=out)


class Equal(Step):
    """Compute z = (x == y).

    >>> mg.equal([1.0, 2.0], [1.0, 3.0])
    array([ True, False])
    """

    says = "{z} says whether {x} equals {y}."
    sign = "=="
    onnx = "Equal"
    compute = np.equal


class NotEqual(Step):
    """Compute z = (x != y).

    >>> mg.not_equal([1.0, 2.0], [1.0, 3.0])
    array([False,  True])
    """

    says = "{z} says whether {x} differs from {y}."
    sign = "!="
    compute = np.not_equal


class Less(Step):
    """Compute z = (x < y).

    >>> mg.less([1.0, 2.0], 2.0)
    array([ True, False])
    """

    says = "{z} says whether {x} is less than {y}."
    sign = "<"
    onnx = "Less"
    compute = np.less


class LessEqual(Step):
    """Compute z = (x <= y).

    >>> mg.less_equal([1.0, 3.0], 2.0)
    array([ True, False])
    """

    says = "{z} says whether {x} is at most {y}."
    sign = "<="
    onnx = "LessOrEqual"
    compute = np.less_equal


class Greater(Step):
    """Compute z = (x > y).

    >>> mg.greater([1.0, 2.0], 1.0)
    array([False,  True])
    """

    says = "{z} says whether {x} is greater than {y}."
    sign = ">"
    onnx = "Greater"
    compute = np.greater


class GreaterEqual(Step):
    """Compute z = (x >= y).

    >>> mg.greater_equal([1.0, 2.0], 2.0)
    array([False,  True])
    """

    says = "{z} says whether {x} is at least {y}."
    sign = ">="
    onnx = "GreaterOrEqual"
    compute = np.greater_equal


sign = unary(Sign)
sign_of_abs = unary(SignOfAbs)
floor = unary(Floor)
floor_divide = binary(FloorDivide)
equal = binary(Equal)
not_equal = binary(NotEqual)
less = binary(Less)
less_equal = binary(LessEqual)
greater = binary(Greater)
greater_equal = binary(GreaterEqual)


PLACES = 100  # NumPy multiplies by 10 ** decimals


@takes_one
@strict
def round(x: Operandlike, decimals: int = 0) -> Operandlike:
    """Compute z = x rounded to `decimals` places, halves to the even neighbour; no derivative.

    >>> mg.round([0.5, 1.5, 2.4])
    array([0., 2., 2.])
    """
    if not is_whole_number(decimals) or builtins.abs(decimals) > PLACES:
        raise ArgumentError(f"round to {decimals!r} places",
                            f"give a whole number from -{PLACES} to {PLACES}")
    return bind(Round, x, decimals=int(decimals))


# copies and casts --------------------------------------------------------------------------------


def as_entries(x):
    """x, with a single number as an array; an array of another library as it is."""
    single = type(x) is not np.ndarray and isinstance(x, (np.generic, int, float))
    return np.asarray(x) if single else x


def copy_entries(x, out=None):
    """The entries of x in an array of their own; np.positive refuses booleans."""
    if as_entries(x).dtype == bool:
        return np.logical_and(x, x, out=out)
    return np.positive(x, out=out)


class Identity(Elementwise):
    """z = x."""

    says = "{z} is a copy of {x}."
    says_back = "A copy passes {z_bar} on as it is, so {to} receives {amount}."
    formula = "{0}"
    onnx = "Identity"
    layout_invariant = True
    compute = copy_entries
    partials = (1,)
    reads = ("",)


class Detach(Step):
    """z = x, of which reverse and forward mode know nothing."""

    says = "{z} has the numbers of {x}, and no derivative passes through it."
    onnx = "Identity"
    compute = copy_entries


class Cast(Elementwise):
    """z = x in another floating dtype."""

    says = "{z} is {x} as {dtype}."
    says_back = "A change of dtype passes {z_bar} on as it is, so {to} receives {amount}."
    formula = "{type}({0})"
    layout_invariant = True
    def compute(x, *, dtype):
        return as_entries(x).astype(dtype)

    partials = (1,)
    reads = ("",)


class CastToDiscrete(Step):
    """z = x as integers or booleans."""

    says = "{z} is {x} as {dtype}, and no derivative passes through it."
    compute = Cast.compute


@takes_one
def cast(x: Operandlike, dtype: Any) -> Operandlike:
    """Compute z = x in `dtype`; no derivative passes to integers and booleans.

    >>> mg.cast([1.7, -1.7], int)
    array([ 1, -1])
    """
    dtype = number_type(dtype)
    if spec_of(x).dtype == dtype:
        return read_now(x)
    return bind(Cast if is_float(dtype) else CastToDiscrete, x, dtype=dtype)
