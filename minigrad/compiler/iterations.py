"""Loops in generated source: lines around those of their bodies.

A carry is updated where it lies under the same conditions as a variable, and else changes between
two arrays. What is stacked is computed in its row of the stack.
"""

import itertools

import numpy as np

from minigrad.compiler.bodies import BodyWriter, can_write_body
from minigrad.compiler.layout import is_in_rows
from minigrad.compiler.updates import find_overwritten
from minigrad.core.spec import Spec, copy_in_rows
from minigrad.static.control.loop import While, common_length, split_operands


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


def slices_in_rows(x):
    """The slices of an array, each row by row, as its readers may rely on."""
    if len(x) and x.strides[0] == 0:
        return itertools.repeat(copy_in_rows(x[0]), len(x))
    return map(copy_in_rows, x)


def write_loop(outer, node):
    """The lines of a Scan or While. False where they cannot be written."""
    carries, slices = node.params["carries"], node.params.get("slices", 0)
    carried, sliced, fixed = split_operands(node.inputs, carries, slices)
    rows = [Spec(x.shape[1:], x.dtype) for x in (*sliced, *node.dtype[carries:])]
    if not can_write_body(outer, node, (*carried, *fixed), (*node.dtype[:carries], *rows)):
        return False
    writer = (WhileWriter if node.op is While else ScanWriter)(outer, node)
    writer.begin()
    writer.write_iteration()
    writer.end()
    return True


class LoopWriter:
    """The lines of one loop.

    Of carry or row i of iteration t: v{i} is the present value, s{i} the array for the next one,
    a{i} the stack that it is a row of, g{i} its rows to come, l{i} the list of single numbers;
    x{j} a slice.
    """

    def __init__(self, outer, node):
        self.outer, self.node, self.params = outer, node, node.params
        self.carries, self.record = node.params["carries"], node.params["record"]
        self.carried, self.sliced, _ = split_operands(node.inputs, **self.params)
        self.mark = f"{next(outer.marks)}_"
        self.step = self.open("body", len(self.sliced), stores=True)
        self.returned = [new for _, new in self.step.program.stores]
        self.over = find_overwritten(self.step.program, self.step.plan, 0, firm=False)
        own = self.step.program.variables
        self.unchanged = {i for i in range(self.carries) if own.get(i) is self.returned[i]}
        self.stacked = {i for i in range(self.carries) if self.record and self.returned[i].shape}
        self.same_as = {}  # the number of a y → that of the carry that it is
        for i, y in enumerate(self.returned):
            if i >= self.carries and y.shape:
                twins = [k for k in range(self.carries) if self.returned[k] is y]
                self.same_as |= dict.fromkeys([i] if twins else [], *twins[:1])
        self.stacked |= set(self.same_as.values())

    def open(self, name, slices=0, stores=False):
        """The writer of the body, or of the condition."""
        fn, operands = self.params[name], self.node.inputs
        writer = BodyWriter(self.outer, self.node, fn, operands, self.carries, slices, stores)
        for i, x in writer.program.variables.items():
            writer.name_as(x, self.name("v", i))
        for order, x in writer.program.feeds.items():
            if order < 0:
                writer.name_as(x, self.name("x", -1 - order))
        return writer

    def name(self, kind, i=""):
        """A name of the loop's own."""
        return f"{kind}{self.mark}{i}"

    def line(self, text):
        """A line around the body's."""
        self.outer.line(text, self.node)

    def kind(self, i):
        """How a result of an iteration is handed on.

        "number"; "stacked" or "row", in a row of a stack of carries or of ys; "same" as a carry;
        "over" the present value; "swapped" with it; "unchanged".
        """
        if not self.returned[i].shape:
            return "number"
        if i in self.stacked:
            return "stacked"
        if i >= self.carries:
            return "same" if i in self.same_as else "row"
        return "over" if i in self.over else "unchanged" if i in self.unchanged else "swapped"

    def of_kind(self, *kinds):
        """The numbers of the results of these kinds."""
        return [i for i in range(len(self.returned)) if self.kind(i) in kinds]

    def target(self, i):
        """The name of the array that a result is computed into; None where there is none."""
        kind = self.kind(i)
        if kind == "over":
            return self.name("v", i)
        return self.name("s", i) if kind in ("stacked", "row", "swapped") else None

    def listed(self):
        """The numbers of the results that are kept in lists."""
        return [i for i in self.of_kind("number") if self.record or i >= self.carries]

    # before the iterations -----------------------------------------------------------------------

    def start(self):
        """The first values of the carries, the arrays for the next ones, the lists."""
        for i, x in enumerate(self.carried):
            kind, v = self.kind(i), self.name("v", i)
            if kind == "number":
                self.line(f"{v} = {self.outer.number(x)}")
            elif kind == "stacked":
                self.start_stack(i, x)
            else:
                self.line(f"{v} = array({self.outer.name(x)}, order='C')")
            if kind == "swapped":
                self.line(f"{self.name('s', i)} = {self.outer.new_array(x.shape, x.dtype)}")
        for i in self.listed():
            self.line(f"{self.name('l', i)} = []")

    def begin_iterations(self, bodies, runs):
        """The head of the loop: names run through the rows of `runs` together."""
        together = ", ".join(runs.values())
        together = f"zip({together})" if len(runs) > 1 else together
        head = f"for {', '.join(runs)} in {together}:" if runs else "while True:"
        for body in bodies:
            body.hoist()
        self.line(head + self.outer.comment(self.node))
        self.head = len(self.outer.lines)
        for body in bodies:
            body.indent += "    "

    # one iteration -------------------------------------------------------------------------------

    def write_iteration(self):
        """The lines of the body, and those that hand its results on."""
        step = self.step
        for i in self.listed():
            if i < self.carries:
                step.line(f"{self.name('l', i)}.append({self.name('v', i)})")
        targets = [(i, y, self.target(i)) for i, y in enumerate(self.returned) if self.target(i)]
        for _, y, target in targets:
            if step.place[y.order] == "result":
                step.targets.setdefault(y.order, target)
        step.write_steps()
        for _, y, target in targets:
            if step.name(y) != target:
                step.line(f"copyto({target}, {step.name(y)})")
        self.hand_on()

    def hand_on(self):
        """The last line of an iteration: what was next is the present."""
        pairs = []
        for i, y in enumerate(self.returned):
            kind, v, s = self.kind(i), self.name("v", i), self.name("s", i)
            if kind == "number" and i >= self.carries:
                self.step.line(f"{self.name('l', i)}.append({self.step.number(y)})")
            elif kind == "number":
                pairs.append((v, self.step.number(y)))
            elif kind == "stacked":
                pairs.append((v, s))
            elif kind == "swapped":
                pairs += [(v, s), (s, v)]
        pairs = [(left, right) for left, right in pairs if left != right]
        if pairs:
            left, right = map(", ".join, zip(*pairs))
            self.step.line(f"{left} = {right}")
        if len(self.step.lines) == self.head:
            self.step.line("pass")

    # after the iterations ------------------------------------------------------------------------

    def end(self):
        """The results by name; the loop's other names let go of their arrays."""
        names = [self.last(i) for i in range(self.carries)]
        names += [self.stack(i) for i in range(self.carries, len(self.returned))]
        if self.record:
            names += [self.history(i) for i in range(self.carries)]
        spent = [self.name("s", i) for i in self.of_kind("stacked", "row", "swapped")]
        spent += [self.name(kind, i) for i in self.of_kind("stacked") for kind in "va"]
        if spent:
            self.line(f"{' = '.join(spent)} = None")
        self.outer.results[self.node.order] = names

    def call(self, name, text):
        """A name, after a line that gives it its value."""
        self.line(f"{name} = {text}")
        return name

    def last(self, i):
        """The last value of a carry, by name."""
        if self.kind(i) == "number":
            return self.name("v", i)
        if self.kind(i) == "stacked":
            return self.last_row(i)
        return self.call(self.name("r", i), self.name("v", i))

    def stack(self, i):
        """A stack of ys, by name."""
        if self.kind(i) == "number":
            return self.gather(i)
        if self.kind(i) == "row":
            return self.call(self.name("r", i), self.name("a", i))
        return self.call(self.name("q", i), self.name("a", self.same_as[i]) + self.after)

    def gather(self, i):
        """The single numbers in a list as an array, by name."""
        order = "[::-1]" if self.params.get("reverse") else ""
        dtype = self.outer.dtype_name(self.returned[i].dtype)
        return self.call(self.name("r", i), f"array({self.name('l', i)}{order}, {dtype})")


class ScanWriter(LoopWriter):
    """The lines of a Scan. A stack of carries has a row more than there are iterations."""

    def begin(self):
        """The lines before an iteration's own."""
        back = self.params["reverse"]
        self.before, self.after = ("[1:]", "[:-1]") if back else ("[:-1]", "[1:]")
        self.length = common_length(self.sliced, self.params["length"])
        slices = [self.outer.name(x) for x in self.sliced]
        if self.length is None:
            self.outer.space["common_length"] = common_length
            told = f"common_length(({', '.join(slices)},), {self.params['length']})"
            self.length = self.call(self.name("k"), told)
        self.start()
        runs = {self.name("x", j): self.slices(j) for j in self.sliced_places()}
        runs |= {self.name("s", i): self.targets(i) for i in self.of_kind("stacked", "row")}
        if not runs:
            runs[self.name("k")] = f"range({self.length})"
        self.begin_iterations([self.step], runs)

    def sliced_places(self):
        """Which of the sliced arrays an iteration reads."""
        return sorted(-1 - order for order in self.step.program.feeds if order < 0)

    def slices(self, j):
        """What runs through the slices of an array, as text."""
        x = self.sliced[j]
        text = self.outer.name(x) + ("[::-1]" if self.params["reverse"] else "")
        self.outer.space["slices_in_rows"] = slices_in_rows
        return text if is_in_rows(x) else f"slices_in_rows({text})"

    def targets(self, i):
        """What runs through the rows of a stack that iterations write, as text."""
        back, stack, y = self.params["reverse"], self.name("a", i), self.returned[i]
        if self.kind(i) == "stacked":
            return f"{stack}[-2::-1]" if back else f"{stack}[1:]"
        self.line(f"{stack} = {self.new_stack(self.length, y)}")
        return f"{stack}[::-1]" if back else stack

    def new_stack(self, length, y):
        """The call that makes a stack of values like y, as text."""
        lengths = ", ".join(map(str, (length, *y.shape)))
        return self.outer.new_array(f"({lengths},)", y.dtype)

    def start_stack(self, i, x):
        """A stack of carries, in whose first row is the first value."""
        stack, v = self.name("a", i), self.name("v", i)
        length = self.length + 1 if isinstance(self.length, int) else f"{self.length} + 1"
        self.line(f"{stack} = {self.new_stack(length, x)}")
        self.line(f"{v} = {stack}[{-1 if self.params['reverse'] else 0}]")
        self.line(f"copyto({v}, {self.outer.name(x)})")

    def last_row(self, i):
        """The last value of a stacked carry, by name."""
        return self.call(self.name("q", i), self.name("v", i))

    def history(self, i):
        """The values of a carry before each iteration, by name."""
        if self.kind(i) == "number":
            return self.gather(i)
        return self.call(self.name("h", i), self.name("a", i) + self.before)


class WhileWriter(LoopWriter):
    """The lines of a While."""

    def begin(self):
        """The lines before an iteration's own."""
        limit, k = self.params["limit"], self.name("k")
        test = self.open("condition")
        self.outer.space |= {"count": itertools.count, "Rows": Rows}
        self.start()
        runs = {k: "count()"} if limit is not None or self.of_kind("stacked") else {}
        runs |= {self.name("s", i): self.name("g", i) for i in self.of_kind("stacked")}
        self.begin_iterations([test, self.step], runs)
        if limit is not None:
            test.line(f"if {k} == {limit}: break")
        test.write_steps()
        test.line(f"if not {test.name(test.program.fetches[0])}: break")

    def start_stack(self, i, x):
        """A growing stack of carries, in whose first row is the first value."""
        stack, rows, v = self.name("a", i), self.name("g", i), self.name("v", i)
        self.line(f"{stack} = {self.outer.new_array(x.shape, x.dtype, 'Rows')}")
        self.line(f"{rows} = iter({stack})")
        self.line(f"{v} = next({rows})")
        self.line(f"copyto({v}, {self.outer.name(x)})")

    def last_row(self, i):
        """The last value of a stacked carry, by name."""
        return self.call(self.name("r", i), f"array({self.name('v', i)})")

    def history(self, i):
        """The values of a carry before each iteration, by name."""
        if self.kind(i) == "number":
            return self.gather(i)
        return self.call(self.name("h", i), f"{self.name('a', i)}.stack({self.name('k')})")
