"""Ways to run a planned program: step by step, as one generated function, with machine code."""

from minigrad.backends.codegen import Generated
from minigrad.backends.native import Native
from minigrad.backends.stepwise import Stepwise

BACKENDS = {"codegen": Generated, "numpy": Stepwise, "numba": Native}
