"""One run as one function, compiled by XLA: feeds and variables in, fetches and new values out."""

from contextlib import ExitStack, contextmanager

import jax
import numpy as np

from minigrad.core.errors import MinigradError
from minigrad.on_jax.arrays import JaxArray, unknown_length
from minigrad.on_jax.notes import Notes, cover
from minigrad.static.interpret import Interpreter
from minigrad.static.statements import Print

ROOM = 64  # iterations that are kept of a while_loop; a run that makes more compiles for more
OPTIONS = {
    "xla_allow_excess_precision": False,  # half floats are rounded in each step
    "xla_disable_hlo_passes": "constant_folding",  # fold has; this takes seconds
}


@contextmanager
def settings_of_numpy():
    """JAX with NumPy's float64 and whole products, for a block; what the user set stays set."""
    with ExitStack() as stack:
        stack.enter_context(jax.enable_x64(True))
        stack.enter_context(jax.numpy_dtype_promotion("strict"))  # dtypes are chosen in arrays.py
        stack.enter_context(jax.default_matmul_precision("highest"))
        yield


class JaxProgram:
    """A compiled program: the plain interpreter walks it once, on arrays of JAX's.

    `source` is what JAX made of it; `fallbacks` says what explain() adds.
    """

    def __init__(self, program, plan):
        self.program, self.order, self.room = program, plan.order, ROOM
        self.fallbacks = ["XLA compiles all of it, and plans the memory itself"]
        self.compile()

    def compile(self):
        """Compiles the program for loops of up to `room` kept iterations."""
        taken = [
            [jax.ShapeDtypeStruct(n.shape, n.dtype) for n in nodes.values()]
            for nodes in (self.program.feeds, self.program.variables)
        ]
        with settings_of_numpy():
            index = jax.ShapeDtypeStruct((), np.int64)
            try:
                traced = jax.jit(lambda *given: self.compute(*given)).trace(*taken, index)
            except MinigradError as error:  # without what JAX says of its own lines
                raise type(error)(error.message, error.hint, error.line, error.code) from None
            self.source = traced.jaxpr.pretty_print(use_color=False)
            self.compiled = traced.lower().compile(OPTIONS)

    def compute(self, feeds, variables, index):
        """(fetched, new values, printed, marks): what JAX looks at, once."""
        self.notes = Notes(self.room)
        given = map(JaxArray, feeds), map(JaxArray, variables), JaxArray(index)
        values = Interpreter(self.program, self.order).values(*given, self.notes.apply)
        found = [
            [cover(values[n.order]) for n in nodes]
            for nodes in (
                [n for n in self.program.fetches if n is not None],
                [new for _, new in self.program.stores],
                self.prints(),
            )
        ]
        if any(x.count is not None for group in found for x in group):
            raise unknown_length()
        return *([x.value for x in group] for group in found), self.notes.marks

    def prints(self):
        """The nodes that print, in order."""
        return [n for n in self.program.effects if n.op is Print]

    def run(self, feeds, variables, back_buffers, index):
        """The fetched arrays; new values of variables go into `back_buffers`."""
        with settings_of_numpy():
            found = self.compiled(list(feeds), list(variables), np.asarray(index))
            while int(found[3][0]) > self.room:
                self.room = 1 << (int(found[3][0]) - 1).bit_length()
                self.compile()
                found = self.compiled(list(feeds), list(variables), np.asarray(index))
            fetched, new, printed, (_, fault) = found
            if int(fault):
                raise self.notes.faults[int(fault) - 1]()
            for node, x in zip(self.prints(), printed):
                Print.compute(np.asarray(x), **node.params)
            for back_buffer, x in zip(back_buffers, new):
                back_buffer[...] = np.asarray(x)
            fetched = iter(fetched)
            return [
                None if n is None else np.array(next(fetched), order="C")
                for n in self.program.fetches
            ]
