"""A walk through a program that JAX compiles, and what the compiled program notes while it runs.

JAX raises nothing while it computes, and wants every length beforehand. So a place at which NumPy
would look at numbers, and raise, notes the first that does not fit; a loop that stacks the carries
of its iterations notes how many there were. Both go through all loops, and are read after a run.
"""

from contextlib import contextmanager
from functools import partial, reduce

import jax.numpy as jnp
import numpy as np

from minigrad.core.errors import ArgumentError
from minigrad.core.op import ZerosLike
from minigrad.core.spec import is_compatible, spec_of
from minigrad.on_jax.arrays import JaxArray, bare, unknown_length
from minigrad.on_jax.counterparts import COUNTERPARTS, FAULTS, FORMULAS
from minigrad.static.control.bundle import Bundle, Item
from minigrad.static.control.fn import locate_error
from minigrad.static.interpret import blame_node

ANY_LENGTH = (Item, ZerosLike)  # may meet stacks of which only a run tells the length


class Notes:
    """One walk. `room` is how many iterations a stack has room for; `marks` are (the most
    iterations that a loop with a stack made, the number of the first fault or 0)."""

    def __init__(self, room):
        self.room, self.faults, self.blamers = room, [], []
        self.marks = jnp.zeros((), np.int64), jnp.zeros((), np.int32)

    @contextmanager
    def inside(self, marks):
        """Notes go into these marks: those that come into a body."""
        outer, self.marks = self.marks, marks
        try:
            yield
        finally:
            self.marks = outer

    def note_count(self, count):
        """A loop made so many iterations, which all are to be kept."""
        most, fault = self.marks
        self.marks = jnp.maximum(most, count.astype(np.int64)), fault

    def note_fault(self, wrong, error):
        """The error is raised after the run where `wrong`, and nothing was wrong before."""
        most, fault = self.marks
        blamers = self.blamers[::-1]  # the lines of the nodes that are computed now
        self.faults.append(lambda: reduce(lambda told, blame: blame(told), blamers, error))
        number = jnp.asarray(len(self.faults), np.int32)
        self.marks = most, jnp.where((fault == 0) & wrong, number, fault)

    # the walk ------------------------------------------------------------------------------------

    def apply(self, node, arrays, explain=blame_node):
        """A node's op applied to arrays; an error names the line that made the node."""
        self.blamers.append(partial(explain, node=node))
        try:
            return self.compute(node, arrays)
        except Exception as error:
            raise explain(error, node) from None
        finally:
            self.blamers.pop()

    def compute(self, node, arrays):
        """The op's counterpart, or its own formula, on arrays of JAX's."""
        op, params = node.op, node.params
        arrays = [x if isinstance(x, tuple) else cover(x) for x in arrays]
        count = common_count(op, arrays)
        for wrong, error in FAULTS[op](*arrays, **params) if op in FAULTS else ():
            self.note_fault(wrong, error)
        if op in COUNTERPARTS:
            return COUNTERPARTS[op](self, *arrays, **params)
        if "jax" in op.lowerings:
            z = op.lowerings["jax"](*bare(arrays), **params)
        else:
            z = FORMULAS.get(op, op.compute)(*arrays, **params)
        if isinstance(node.dtype, Bundle) or op is Item:
            return z
        z = cover(z, count)
        if z.dtype != node.dtype or not is_compatible(z.shape, node.shape):
            message = f"on JAX it computed {spec_of(z)}, where its shape rule says {spec_of(node)}"
            raise ArgumentError(message, "cast the result: .astype(dtype); or correct infer")
        return z

    def run(self, fn, arrays):
        """The results of a body."""
        return list(map(cover, fn.run(arrays, partial(self.apply, explain=locate_error))))


def cover(x, count=None):
    """x as a JaxArray of its own: what is written into it changes no other."""
    if isinstance(x, JaxArray):
        return JaxArray(x.value, x.count if count is None else count)
    return JaxArray(x, count)


def common_count(op, arrays):
    """How many entries of the first axis are meant; None where all are.

    Raises GraphError for an op that would look at the others.
    """
    counts = [x.count for x in arrays if isinstance(x, JaxArray) and x.count is not None]
    if not counts or op in COUNTERPARTS:
        return None
    if not op.elementwise and op not in ANY_LENGTH:
        raise unknown_length()
    return counts[0]
