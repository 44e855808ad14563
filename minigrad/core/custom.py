"""Ops added from outside the package."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from minigrad.core.errors import ArgumentError, GradientError, MinigradError, deprecate, name_of
from minigrad.core.op import (
    ARRAYS_AND_NUMBERS,
    OF_OPERANDS,
    Op,
    OpType,
    Value,
    ZerosLike,
    bind,
    compute,
)
from minigrad.core.ops.shape import is_known
from minigrad.core.signatures import AnyOperands, Params, Values
from minigrad.core.spec import Shape, Spec, as_array, spec_of


class Custom(Op):
    """An op whose rules take and return the derivatives of all operands together."""

    pure = False  # what compute does is not known
    says = "{z} is what your op {verb} computes from {xs}."
    says_back = "The rule that you gave for {verb} says that {to} receives {amount}."
    rules: dict[Any, Any] = {}

    @classmethod
    def infer(op, /, *specs: Spec, **params: Any) -> Spec:
        rule = op.rules["infer"]
        if rule is None:
            return probe_spec(op, specs, params)
        told = rule(*specs, **params)
        try:
            shape, dtype = told
            return Spec(tuple(shape), np.dtype(dtype))
        except (TypeError, ValueError):
            message = f"{op.verb}'s infer returned {told!r}"
            raise ArgumentError(message, "return (shape, dtype), as (x.shape, x.dtype)") from None

    @classmethod
    def operands(op, count: int) -> list[str]:
        return list(op.rules["names"])

    @classmethod
    def stretchable(op, inputs: Values, params: Params) -> Values:
        return [place for place, x in enumerate(inputs) if not is_known(x.shape)]

    @classmethod
    def pushforward(op, xs: Values, z: Any, x_dots: Values, params: Params) -> Any:
        tangents = [bind(ZerosLike, x) if d is None else d for x, d in zip(xs, x_dots)]
        z_dot = settle_result(op.rule("jvp", "forward")(*xs, z, *tangents, **params))
        shape = returned_shape(z_dot)
        if not fits_into(shape, z.shape):
            message = f"{op.verb}'s jvp returned shape {shape} for a result {z.shape}"
            raise GradientError(message, "return a tangent of the result's shape")
        return z_dot

    @classmethod
    def pullback(
        op, xs: Values, z: Any, z_bar: Any, wanted: Sequence[bool], params: Params
    ) -> list[Any]:
        x_bars = op.rule("vjp", "reverse")(*xs, z, z_bar, **params)
        if x_bars is None and len(xs) > 1:
            message = f"{op.verb}'s vjp returned nothing for {len(xs)} operands"
            raise GradientError(message, "return one cotangent for each operand")
        x_bars = x_bars if isinstance(x_bars, (tuple, list)) else (x_bars,)
        if len(x_bars) != len(xs):
            message = f"{op.verb}'s vjp returned {len(x_bars)} cotangents for {len(xs)} operands"
            raise GradientError(
                message, "return one for each operand, or None for one that has no derivative"
            )
        x_bars = [settle_result(x_bar) for x_bar in x_bars]
        for x, x_bar, name in zip(xs, x_bars, op.rules["names"]):
            shape = x.shape if x_bar is None else returned_shape(x_bar)
            if not is_cotangent_shape(shape, x.shape, z.shape):
                message = f"{op.verb}'s vjp returned shape {shape} for {name}, {x.shape}"
                raise GradientError(message, "return a cotangent of each operand's own shape")
        return x_bars

    @classmethod
    def rule(op, kind: str, mode: str) -> Any:
        """The rule that a mode needs. Raises GradientError when the op was made without it."""
        if op.rules[kind] is None:
            message = f"{op.verb} has no {kind}, which {mode} mode needs"
            raise GradientError(message, f"make it with custom_op(..., {kind}=...)")
        return op.rules[kind]


def returned_shape(value: Any) -> tuple[Any, ...]:
    """The shape of what a rule returned."""
    return value.shape if isinstance(value, Value) else np.shape(value)


def fits_into(shape: Shape, other: Shape) -> bool:
    """True when broadcasting repeats `shape` to `other`; unknown lengths agree with every one."""
    pairs = zip(reversed(shape), reversed(other))
    return len(shape) <= len(other) and all(m in (1, None, n) or n is None for m, n in pairs)


def is_cotangent_shape(shape: Shape, x_shape: Shape, z_shape: Shape) -> bool:
    """True for an operand's own shape, or one that broadcasting leads to it: a single number's, or
    the result's where one of the two is repeated to the other."""
    if fits_into(shape, x_shape):
        return len(shape) in (0, len(x_shape)) or fits_into(shape, z_shape)
    return fits_into(x_shape, shape) and fits_into(shape, z_shape)


def settle_result(x_bar: Any) -> Any:
    """What a rule returned; of a variable, which a rule may return as it is, the value by now.
    Raises DtypeError for what is not made of numbers."""
    if isinstance(x_bar, Value):
        return x_bar.read_value()
    return x_bar if x_bar is None or isinstance(x_bar, ARRAYS_AND_NUMBERS) else as_array(x_bar)


def probe_spec(op: type[Op], specs: Values, params: Params) -> Spec:
    """The Spec found by computing on ones. Raises ArgumentError, code probe, where that fails."""
    if not all(is_known(s.shape) for s in specs):
        message = f"{op.verb} has no shape rule for unknown lengths"
        raise ArgumentError(message, "make it with custom_op(..., infer=...)")
    try:
        return spec_of(compute(op, [np.ones(s.shape, s.dtype) for s in specs], params))
    except MinigradError:
        raise
    except OF_OPERANDS as error:
        message = f"{op.verb} was tried on ones to find its shape, and failed: {error}"
        hint = "make it with custom_op(..., infer=...)"
        raise ArgumentError(message, hint, code="probe") from None


def custom_op(
    compute: Callable[..., Any],
    vjp: Callable[..., Any] | None = None,
    jvp: Callable[..., Any] | None = None,
    infer: Callable[..., Any] | None = None,
    name: str | None = None,
    lowerings: dict[str, Callable[..., Any]] | None = None,
    elsewhere: dict[str, Callable[..., Any]] | None = None,
) -> AnyOperands:
    """Make a new op z = compute(x, y, …) as a function of arrays, Tensors and Nodes.

    compute works on NumPy arrays. vjp(x, y, z, z_bar) returns a tuple with a cotangent (or None)
    for each operand; jvp(x, y, z, x_dot, y_dot) returns z's tangent; both are written with ops
    and operators, so that they run on arrays, Tensors and Nodes. infer(x, y) returns (shape,
    dtype) from Specs; without it the op is tried on ones. Parameters go by keyword, to all four.
    On JAX, compute runs as it is where it calls NumPy's functions of whole arrays and asks for no
    numbers; else `lowerings` is {"jax": compute on JAX's arrays} (until 1.0 called `elsewhere`).
    Raises ArgumentError when compute's operands cannot be counted.

    >>> cube = mg.custom_op(lambda x: x ** 3, vjp=lambda x, z, z_bar: z_bar * 3 * x ** 2)
    >>> mg.grad(cube)(mg.tensor(2.0))
    tensor(12.)
    """
    if elsewhere is not None:
        deprecate("the argument `elsewhere` of custom_op", "lowerings")
        lowerings = elsewhere
    name = name or name_of(compute)
    names = operand_names(compute, name)
    rules = {"compute": compute, "vjp": vjp, "jvp": jvp, "infer": infer, "names": names}
    computing = staticmethod(returning_arrays(compute))
    own = {"compute": computing, "rules": rules, "lowerings": lowerings or {}}
    op: Any = OpType(name, (Custom,), own)

    def apply(*operands: Any, **params: Any) -> Any:
        if len(operands) != len(names):
            message = f"{name} takes {len(names)} operands, not {len(operands)}"
            raise ArgumentError(message, f"call {name}({', '.join(names)})")
        params = {
            name: np.array(value) if isinstance(value, np.ndarray) else value
            for name, value in params.items()
        }
        return bind(op, *operands, **params)

    apply.__name__, apply.__doc__ = name, compute.__doc__
    apply.op = op  # type: ignore[attr-defined]  # functions take attributes
    return apply


def returning_arrays(compute: Callable[..., Any]) -> Callable[..., Any]:
    """`compute`, whose Python numbers and lists come as arrays; other arrays stay as they are."""

    def arrays(*operands: Any, **params: Any) -> Any:
        z = compute(*operands, **params)
        return as_array(z) if isinstance(z, (int, float, list, tuple)) else z

    return arrays


def operand_names(compute: Callable[..., Any], name: str) -> list[str]:
    """The names of a function's operands: of a NumPy ufunc, which only counts them, x, y and z.

    Raises ArgumentError where they cannot be counted.
    """
    if isinstance(compute, np.ufunc):
        return list("xyz"[: compute.nin])
    parameters: Iterable[inspect.Parameter]
    try:
        parameters = inspect.signature(compute).parameters.values()
    except (TypeError, ValueError):
        parameters = [inspect.Parameter("all", inspect.Parameter.VAR_POSITIONAL)]
    names = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    if not names or any(p.kind is p.VAR_POSITIONAL for p in parameters):
        message = f"the compute function of {name} does not name its operands"
        raise ArgumentError(message, "write compute with named operands: def compute(x, y)")
    return names
