"""Ways to run a planned program: one NumPy call after another, or as one generated function."""

from minigrad.backends.codegen import Generated
from minigrad.backends.stepwise import Stepwise

BACKENDS = {"codegen": Generated, "numpy": Stepwise}
