"""Loops in generated source: lines around those of their bodies.

`carries` decides how each result of an iteration is stored.
"""

import itertools

from minigrad.compiler.bodies import BodyWriter, can_write_body
from minigrad.compiler.carries import (
    FORWARDS,
    REVERSED,
    CarriedRow,
    DoubleBuffer,
    GrowingStackCarry,
    InPlaceCarry,
    Rows,
    ScalarCarry,
    ScalarRow,
    StackedCarry,
    StackedRow,
    UnchangedCarry,
)
from minigrad.compiler.layout import is_contiguous
from minigrad.compiler.updates import find_overwritten
from minigrad.core.spec import Spec, as_contiguous
from minigrad.static.control.loop import While, common_length, split_operands
from minigrad.static.control.loop_bodies import LoopSignature


def contiguous_slices(x):
    """The slices of an array, each row by row, as its readers may rely on."""
    if len(x) and x.strides[0] == 0:
        return itertools.repeat(as_contiguous(x[0]), len(x))
    return map(as_contiguous, x)


def write_loop(outer, node):
    """The lines of a Scan or While. False where they cannot be written."""
    signature = LoopSignature.of(**node.params)
    carries, sequences, constants = split_operands(node.inputs, **node.params)
    last, stacks = signature.carries(node.dtype), node.dtype[len(carries) :]
    rows = [Spec(x.shape[1:], x.dtype) for x in (*sequences, *stacks)]
    if not can_write_body(outer, (*carries, *constants), (*last, *rows)):
        return False
    writer = (WhileWriter if node.op is While else ScanWriter)(outer, node)
    writer.begin()
    writer.write_iteration()
    writer.end()
    return True


class LoopWriter:
    """Writes one loop: `step` writes an iteration, `carries` and `ys` store its results. `name`
    explains the one-letter prefixes of the loop's names."""

    STACKED: type[StackedCarry]

    def __init__(self, outer, node):
        self.outer, self.node, self.params = outer, node, node.params
        self.signature, self.record = LoopSignature.of(**node.params), node.params["record"]
        self.stack_slices = REVERSED if node.params.get("reverse") else FORWARDS
        self.mark = outer.scope.new_mark()
        self.step = self.open("body", self.signature.sequence_count, stores=True)
        results = [new for _, new in self.step.program.stores]
        carried = self.signature.carries(results)
        carry_of = find_carried_ys(carried, self.signature.ys(results))
        self.carries = self.choose_carries(carried, set(carry_of.values()))
        self.ys = [
            self.choose_row(i, y, carry_of.get(y.order))
            for i, y in enumerate(self.signature.ys(results), len(carried))
        ]

    def choose_carries(self, carried, stacked):
        """How each carry is kept; those with a number in `stacked` lie in rows of a stack."""
        overwritten = find_overwritten(self.step.program, self.step.plan, 0, infallible=False)
        before = self.step.program.variables
        found = []
        for i, value in enumerate(carried):
            if not value.shape:
                kind = ScalarCarry
            elif self.record or i in stacked:
                kind = self.STACKED
            elif i in overwritten:
                kind = InPlaceCarry
            else:
                kind = UnchangedCarry if before.get(i) is value else DoubleBuffer
            found.append(kind(self, i, value))
        return found

    def choose_row(self, i, y, carry):
        """How the y that is result i is kept; `carry` is the number of the carry that it is."""
        if carry is not None:
            return CarriedRow(self, i, y, self.carries[carry])
        return StackedRow(self, i, y) if y.shape else ScalarRow(self, i, y)

    def open(self, name, slices=0, stores=False):
        """The writer of the body, or of the condition."""
        fn, operands, carries = self.params[name], self.node.inputs, self.signature.carry_count
        writer = BodyWriter(self.outer, self.node, fn, operands, carries, slices, stores)
        for i, x in writer.program.variables.items():
            writer.scope.name_as(x, self.name("v", i))
        for order, x in writer.program.feeds.items():
            if order < 0:
                writer.scope.name_as(x, self.name("x", -1 - order))
        return writer

    def name(self, letter, i=""):
        """A name of the loop's own. Of a result i: v is its present value, s its target, a the
        stack of its rows, g these rows in turn, l the list of its numbers; after the loop r is a
        result, q one in the memory of another, h the residuals. x is a slice, k a count."""
        return f"{letter}{self.mark}{i}"

    def line(self, text):
        """A line around the body's."""
        self.scope.line(text, self.node)

    @property
    def scope(self):
        """The scope around the loop."""
        return self.outer.scope

    @property
    def results(self):
        """The results of an iteration, in order."""
        return [*self.carries, *self.ys]

    # before the iterations -----------------------------------------------------------------------

    def start(self):
        """The first values of the carries, the arrays for the next ones, the lists."""
        for carry, x in zip(self.carries, self.node.inputs):
            carry.start(x)
        for result in self.results:
            result.open_list()

    def target_rows(self):
        """{name of a target: the rows that it runs through}."""
        rows = ((result.target, result.target_rows()) for result in self.results)
        return {target: text for target, text in rows if text}

    def begin_iterations(self, bodies, runs):
        """The head of the loop: names run through the rows of `runs` together."""
        together = ", ".join(runs.values())
        together = f"zip({together})" if len(runs) > 1 else together
        head = f"for {', '.join(runs)} in {together}:" if runs else "while True:"
        for body in bodies:
            body.hoist()
        self.line(head + self.outer.comment(self.node))
        self.head = len(self.scope.source.lines)
        for body in bodies:
            body.scope.indent += "    "

    # one iteration -------------------------------------------------------------------------------

    def write_iteration(self):
        """The lines of the body, and those that make what was next the present."""
        step = self.step
        for carry in self.carries:
            carry.before_step()
        computed = [result for result in self.results if result.target]
        for result in computed:
            if step.allocation(result.value).space == "result":
                step.targets.setdefault(result.value.order, result.target)
        step.write_steps()
        for result in computed:
            if step.scope.name(result.value) != result.target:
                step.scope.line(f"copyto({result.target}, {step.scope.name(result.value)})")
        self.update_carries()
        if len(self.scope.source.lines) == self.head:
            step.scope.line("pass")

    def update_carries(self):
        """The last line of an iteration: all names get their next values at once."""
        pairs = [pair for result in self.results for pair in result.after_step()]
        pairs = [(name, text) for name, text in pairs if name != text]
        if pairs:
            names, texts = map(", ".join, zip(*pairs))
            self.step.scope.line(f"{names} = {texts}")

    # after the iterations ------------------------------------------------------------------------

    def end(self):
        """The results by name; the loop's other names let go of their arrays."""
        names = [carry.last_value() for carry in self.carries] + [y.rows() for y in self.ys]
        if self.record:
            names += [carry.residuals() for carry in self.carries]
        spent = [name for result in self.results for name in result.buffers]
        spent += [name for result in self.results for name in result.views]
        if spent:
            self.line(f"{' = '.join(spent)} = None")
        self.scope.results[self.node.order] = names


def find_carried_ys(carried, ys):
    """{order of a y: number of the first carry whose next value it is}, single numbers apart."""
    numbers = {value.order: i for i, value in reversed(list(enumerate(carried)))}
    return {y.order: numbers[y.order] for y in ys if y.shape and y.order in numbers}


class ScanWriter(LoopWriter):
    """The lines of a Scan."""

    STACKED = StackedCarry

    def begin(self):
        """The lines before an iteration's own."""
        sequences = self.signature.sequences(self.node.inputs)
        self.length = common_length(sequences, self.params["length"])
        names = [self.scope.name(x) for x in sequences]
        if self.length is None:
            self.scope.source.space["common_length"] = common_length
            self.length = self.name("k")
            count = f"common_length(({', '.join(names)},), {self.params['length']})"
            self.line(f"{self.length} = {count}")
        self.start()
        read = sorted(-1 - order for order in self.step.program.feeds if order < 0)
        runs = {self.name("x", j): self.slices(sequences[j]) for j in read}
        runs |= self.target_rows()
        if not runs:
            runs[self.name("k")] = f"range({self.length})"
        self.begin_iterations([self.step], runs)

    def slices(self, x):
        """What runs through the slices of an array, as text."""
        self.scope.source.space["contiguous_slices"] = contiguous_slices
        text = self.scope.name(x) + self.stack_slices.ys
        return text if is_contiguous(x) else f"contiguous_slices({text})"

    def new_stack(self, length, y):
        """The call that makes a stack of values like y, as text."""
        lengths = ", ".join(map(str, (length, *y.shape)))
        return self.scope.source.new_array(f"({lengths},)", y.dtype)


class WhileWriter(LoopWriter):
    """The lines of a While."""

    STACKED = GrowingStackCarry

    def begin(self):
        """The lines before an iteration's own."""
        limit, count = self.params["limit"], self.name("k")
        test = self.open("condition")
        self.scope.source.space |= {"count": itertools.count, "Rows": Rows}
        self.start()
        runs = self.target_rows()
        runs = {count: "count()"} | runs if limit is not None or runs else runs
        self.begin_iterations([test, self.step], runs)
        self.write_condition(test, limit, count)

    def write_condition(self, test, limit, count):
        """The lines that end the loop."""
        if limit is not None:
            test.scope.line(f"if {count} == {limit}: break")
        test.write_steps()
        test.scope.line(f"if not {test.scope.name(test.program.fetches[0])}: break")
