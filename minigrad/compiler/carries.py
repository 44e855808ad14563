"""Where generated loops keep the results of their iterations: one class for each way."""

import itertools
from typing import NamedTuple

import numpy as np

# Where a carry c lives, c[t] being its value after t iterations. An iteration reads it under the
# name `present`, and computes the next one into the array `target`:
#
#   ScalarCarry     a number, passed by value: it has no array
#   UnchangedCarry  one array, copied from the first value; no iteration writes
#   InPlaceCarry    one array: c[t+1] over c[t], under the same conditions as for a variable
#   DoubleBuffer    two arrays, which change places:
#                       present [c0] [  ]    [c1] [  ]    [c2]
#                       target  [  ] [c1]    [c0] [c2]    [c1]  …
#   StackedCarry    its row of a stack, whose rows are the residuals; of three iterations of a Scan:
#                       row          0    1    2    3
#                       forwards    [c0   c1   c2   c3]   starts in the first row
#                       reversed    [c3   c2   c1   c0]   starts in the last row
#                   Of a While the length is not known: the rows come in chunks of 4, 8, 16, …
#
# And where a y lives, which is stacked:
#
#   ScalarRow       a list of numbers, of which an array is made after the loop
#   StackedRow      row t of a stack
#   CarriedRow      row t + 1, reversed row t, of the stack of a carry whose next value it is


class Rows:
    """The rows of a stack whose length only its loop tells, one after another, to be filled."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype, self.chunks = shape, dtype, []

    def __iter__(self):
        for power in itertools.count(2):
            self.chunks.append(np.empty((2**power, *self.shape), self.dtype))
            yield from self.chunks[-1]

    def stack(self, count):
        """The first rows, as one array."""
        pieces = []
        for chunk in self.chunks:
            pieces.append(chunk[:count])
            count -= len(pieces[-1])
        return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


class StackSlices(NamedTuple):
    """Slices of stacks, as text: `ys` in the order in which iterations write, and of a stack of
    carries, which has a row more, the `first` row, the `targets` in this order, and those
    `before` and `after` each iteration."""

    ys: str
    first: str
    targets: str
    before: str
    after: str


FORWARDS = StackSlices(ys="", first="[0]", targets="[1:]", before="[:-1]", after="[1:]")
REVERSED = StackSlices(ys="[::-1]", first="[-1]", targets="[-2::-1]", before="[1:]", after="[:-1]")


class IterationResult:
    """Result number i of an iteration, whose `value` is a node of the body: a carry, or a y.

    `target` names the array that the body computes it into, if any. After the loop `buffers` and
    `views`, which are names, let go of their arrays.
    """

    target = None
    buffers = views = ()

    def __init__(self, loop, i, value):
        self.loop, self.i, self.value = loop, i, value
        self.present = self.name("v")

    def name(self, letter):
        """A name of its own."""
        return self.loop.name(letter, self.i)

    def bind(self, letter, text):
        """A name of its own, after a line that gives it its value."""
        name = self.name(letter)
        self.loop.line(f"{name} = {text}")
        return name

    def open_list(self):
        """The line before the loop that makes a list of its values, if it keeps one."""

    def target_rows(self):
        """The rows that `target` runs through, as text; "" where it is the same array."""
        return ""

    def before_step(self):
        """The lines of an iteration before those of the body."""

    def after_step(self):
        """Pairs (name, its next value) with which an iteration ends."""
        return []


class ListedNumber(IterationResult):
    """A single number, whose values may be kept in a list."""

    def open_list(self):
        self.bind("l", "[]")

    def append(self, number):
        """The line that adds a number to the list."""
        self.loop.step.scope.line(f"{self.name('l')}.append({number})")

    def gather(self):
        """The numbers as an array, by name."""
        dtype = self.loop.scope.source.dtype_name(self.value.dtype)
        return self.bind("r", f"array({self.name('l')}{self.loop.stack_slices.ys}, {dtype})")


class ScalarCarry(ListedNumber):
    """A carry that is passed by value; its residuals are kept in a list."""

    def start(self, x):
        """The lines that give the carry its first value x."""
        self.loop.line(f"{self.present} = {self.loop.scope.scalar_name(x)}")

    def open_list(self):
        if self.loop.record:
            super().open_list()

    def before_step(self):
        if self.loop.record:
            self.append(self.present)

    def after_step(self):
        return [(self.present, self.loop.step.scope.scalar_name(self.value))]

    def last_value(self):
        """The last value, by name."""
        return self.present

    def residuals(self):
        """The values before each iteration, by name."""
        return self.gather()


class ScalarRow(ListedNumber):
    """A y that is a single number."""

    def after_step(self):
        self.append(self.loop.step.scope.scalar_name(self.value))
        return []

    def rows(self):
        """The rows of all iterations, by name."""
        return self.gather()


class UnchangedCarry(IterationResult):
    """A carry that every iteration returns as it is: a copy of the first value."""

    def start(self, x):
        """The lines that give the carry its first value x."""
        self.loop.line(f"{self.present} = array({self.loop.scope.name(x)}, order='C')")

    def last_value(self):
        """The last value, by name."""
        return self.bind("r", self.present)


class InPlaceCarry(UnchangedCarry):
    """A carry whose next value is written over the present one."""

    def __init__(self, loop, i, value):
        super().__init__(loop, i, value)
        self.target = self.present


class DoubleBuffer(UnchangedCarry):
    """A carry that changes between two arrays."""

    def __init__(self, loop, i, value):
        super().__init__(loop, i, value)
        self.target = self.name("s")
        self.buffers = (self.target,)

    def start(self, x):
        super().start(x)
        self.loop.line(f"{self.target} = {self.loop.scope.source.new_array(x.shape, x.dtype)}")

    def after_step(self):
        return [(self.present, self.target), (self.target, self.present)]


class StackedCarry(IterationResult):
    """A carry of a Scan in its row of a stack, which has a row more than there are iterations."""

    def __init__(self, loop, i, value):
        super().__init__(loop, i, value)
        self.target, self.stack = self.name("s"), self.name("a")
        self.buffers, self.views = (self.target,), (self.present, self.stack)

    def start(self, x):
        """The lines that make the stack, and give the carry its first value x in its first row."""
        length = self.loop.length
        length = length + 1 if isinstance(length, int) else f"{length} + 1"
        self.loop.line(f"{self.stack} = {self.loop.new_stack(length, x)}")
        self.loop.line(f"{self.present} = {self.stack}{self.loop.stack_slices.first}")
        self.loop.line(f"copyto({self.present}, {self.loop.scope.name(x)})")

    def target_rows(self):
        return self.stack + self.loop.stack_slices.targets

    def after_step(self):
        return [(self.present, self.target)]

    def last_value(self):
        """The last value, by name."""
        return self.bind("q", self.present)

    def residuals(self):
        """The values before each iteration, by name."""
        return self.bind("h", self.stack + self.loop.stack_slices.before)


class GrowingStackCarry(StackedCarry):
    """A carry of a While in its row of a stack that grows."""

    def start(self, x):
        rows = self.name("g")
        self.loop.line(
            f"{self.stack} = {self.loop.scope.source.new_array(x.shape, x.dtype, 'Rows')}"
        )
        self.loop.line(f"{rows} = iter({self.stack})")
        self.loop.line(f"{self.present} = next({rows})")
        self.loop.line(f"copyto({self.present}, {self.loop.scope.name(x)})")

    def target_rows(self):
        return self.name("g")

    def last_value(self):
        return self.bind("r", f"array({self.present})")

    def residuals(self):
        return self.bind("h", f"{self.stack}.stack({self.loop.name('k')})")


class StackedRow(IterationResult):
    """A y that is computed in its row of a stack."""

    def __init__(self, loop, i, value):
        super().__init__(loop, i, value)
        self.target, self.stack = self.name("s"), self.name("a")
        self.buffers = (self.target,)

    def target_rows(self):
        self.loop.line(f"{self.stack} = {self.loop.new_stack(self.loop.length, self.value)}")
        return self.stack + self.loop.stack_slices.ys

    def rows(self):
        """The rows of all iterations, by name."""
        return self.bind("r", self.stack)


class CarriedRow(IterationResult):
    """A y that is the next value of the stacked `carry`."""

    def __init__(self, loop, i, value, carry):
        super().__init__(loop, i, value)
        self.carry = carry

    def rows(self):
        """The rows of all iterations, by name."""
        return self.bind("q", self.carry.stack + self.loop.stack_slices.after)
