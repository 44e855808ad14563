"""The same graph on JAX: `Session(backend="jax")`. It needs the package jax, an extra of this one.

Ops compute by the formulas they have: NumPy hands each call of its functions to the library of the
arrays, by a protocol of its own, and `arrays` answers for JAX. What is no formula of arrays, a loop
or a draw, has a counterpart. `backend` makes one program of it, which XLA compiles.
"""

from minigrad.core.errors import ArgumentError


def new_program(program, plan):
    """The program compiled by JAX. Raises ArgumentError where JAX is not installed."""
    try:
        import jax  # noqa: F401  it takes a second, so it is imported only when needed
    except ImportError:
        raise ArgumentError(
            "the jax backend needs jax, which is not installed",
            'pip install "minigrad-course[jax]", or use backend="codegen"',
        ) from None
    from minigrad.on_jax.backend import JaxProgram

    return JaxProgram(program, plan)
