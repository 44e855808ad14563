"""Loops and choices in generated source: a body is a program, written where it runs.

A body goes through the pipeline as every program does. What comes from outside is fed to it; the
carries are its variables, and what an iteration returns their new values: so a carry is updated
where it lies under the same conditions as a variable, and else changes between two arrays. What is
stacked is computed in its row of the stack.
"""

import itertools
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from minigrad.compiler.codegen import FunctionWriter
from minigrad.compiler.layout import is_in_rows
from minigrad.compiler.pipeline import plan_program
from minigrad.compiler.rewrite import rebuild_program
from minigrad.compiler.updates import find_overwritten
from minigrad.control.choice import Cond
from minigrad.control.loop import Scan, While, common_length, split_operands
from minigrad.graph import Constant, PlaceholderOp, VariableOp
from minigrad.program import copy_node, cut, emit
from minigrad.spec import Shape, Spec, copy_in_rows, spec_of

DEEPEST = 60  # columns of indentation: Python takes 20 blocks inside one another


class Slot(NamedTuple):
    """The place of something that an iteration returns: of a carry, or of a row of a stack."""

    order: int
    shape: Shape
    dtype: Any


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


# a body as a program -----------------------------------------------------------------------------


def cut_body(fn, operands, carries, slices):
    """(Program of a body for operands of an outer program, {order: node of that which is fed}).

    Its feeds have the orders of outer nodes, and -1, -2, … for the slices; its variables the
    numbers of the carries. Fed is what lies row by row: views of it are made inside, so that they
    lie as outside.
    """
    sliced = range(carries, carries + slices)
    specs = [Spec(x.shape[i in sliced :], x.dtype) for i, x in enumerate(operands)]
    program = cut(fn.outputs, {x.order: spec for x, spec in zip(fn.inputs, specs)})
    places = {x.order: i for i, x in enumerate(fn.inputs)}
    places = {x.order: places[order] for order, x in program.feeds.items()}
    feeds, variables, outside = {}, {}, {}

    def visit(graph, node, inputs):
        i = places.get(node.order)
        if i is None:
            return copy_node(graph, node, inputs)
        if i < carries:
            variables[i] = emit(graph, VariableOp, (), {}, specs[i], node)
            return variables[i]
        if i in sliced:
            feeds[carries - 1 - i] = emit(graph, PlaceholderOp, (), {}, specs[i], node)
            return feeds[carries - 1 - i]
        return bring_in(graph, operands[i], node)

    def bring_in(graph, x, formal):
        if x.shape and not is_in_rows(x):  # single numbers are passed by value
            inputs = [bring_in(graph, y, y) for y in x.inputs]
            return emit(graph, x.op, inputs, x.params, spec_of(x), formal)
        if x.order not in feeds:
            outside[x.order] = x
            feeds[x.order] = emit(graph, PlaceholderOp, (), {}, spec_of(x), formal)
        return feeds[x.order]

    program = rebuild_program(program, visit)
    return replace(program, feeds=feeds, variables=variables), outside


def name_slots(program, specs):
    """The program with its results as new values: of the carries, and of the rows of stacks."""
    slots = [Slot(i, *spec) for i, spec in enumerate(specs)]
    return replace(program, fetches=[], stores=list(zip(slots, program.fetches)))


class BodyWriter(FunctionWriter):
    """Writes a body among the lines of an outer writer, with an arena and names of its own."""

    SHARED = ("space", "lines", "nodes_of_line", "functions", "lines_of", "marks")

    def __init__(self, outer, node, fn, operands, carries=0, slices=0, stores=False):
        program, outside = cut_body(fn, operands, carries, slices)
        if stores:
            program = name_slots(program, map(spec_of, program.fetches))
        program, _, plan = plan_program(program, outer.options)
        super().__init__(program, plan, outer.options)
        for name in self.SHARED:
            setattr(self, name, getattr(outer, name))
        self.mark, self.indent = f"{next(self.marks)}_", outer.indent
        self.within, self.fixed = (node, *outer.within), set()
        for order, x in program.feeds.items():
            if order >= 0:
                self.take(outer, outside[order], x)

    def store_targets(self):
        """None as yet: the loop says where its results go."""
        return {}

    def take(self, outer, source, x):
        """Gives x, which is fed, the name of its source outside."""
        self.fixed.add(x.order)
        if x.shape == ():
            self.names[x.order] = self.numbers[x.order] = outer.number(source)
            return
        self.names[x.order] = outer.names[source.order]
        if source.order in outer.ready:
            self.ready[x.order] = outer.ready[source.order]

    def fetched(self, node, i):
        """As of a program; what comes from outside is not the body's to give away."""
        given = super().fetched(node, i)
        return f"array({given})" if node.order in self.fixed and given[0] == "r" else given

    def name_as(self, x, name):
        """Gives a value that changes from iteration to iteration its name."""
        self.names[x.order] = name
        if x.shape == ():
            self.numbers[x.order] = name

    def hoist(self):
        """Constants, and views of what stays the same, are made before the loop."""
        for node in self.plan.order:
            view = self.root[node.order] != node.order and node.op.view
            fixed = self.fixed.issuperset(x.order for x in node.inputs)
            if isinstance(node, Constant) or view and fixed:
                self.fixed.add(node.order)
                self.write(node)


# a choice ----------------------------------------------------------------------------------------


def write_choice(outer, node):
    """The lines of a Cond: if, else. False where they cannot be written."""
    if not can_write_body(outer, node, node.inputs, node.dtype):
        return False
    pred, *operands = node.inputs
    mark = f"{next(outer.marks)}_"
    names = [f"{'r' if spec.shape else 'q'}{mark}{i}" for i, spec in enumerate(node.dtype)]
    branches = [BodyWriter(outer, node, node.params[b], operands) for b in ("then", "otherwise")]
    for head, branch in zip((f"if {outer.name(pred)}:", "else:"), branches):
        outer.line(head + outer.comment(node), node)
        branch.indent += "    "
        branch.write_steps()
        values = [
            branch.fetched(n, i) if n.shape else branch.number(n)
            for i, n in enumerate(branch.program.fetches)
        ]
        branch.line(f"{', '.join(names)}, = {', '.join(values)}," if names else "pass")
    outer.results[node.order] = names
    return True


def can_write_body(outer, node, operands, results):
    """True where all lengths are known, and Python takes one more block inside the others."""
    lengths = [n for x in (*operands, *results) for n in x.shape]
    return None not in lengths and len(outer.indent) < DEEPEST


# a loop ------------------------------------------------------------------------------------------


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
    a{i} the stack that it is a row of, l{i} the list of single numbers; x{j} a slice.
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
                self.start_stack(self.name("a", i), v, x)
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

    def start_stack(self, stack, v, x):
        """A stack of carries, in whose first row is the first value."""
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

    def start_stack(self, stack, v, x):
        """A growing stack of carries, in whose first row is the first value."""
        (rows,) = self.outer.new_array(x.shape, x.dtype).split("empty")[1:]
        self.line(f"{stack} = Rows{rows}")
        self.line(f"{stack.replace('a', 'g')} = iter({stack})")
        self.line(f"{v} = next({stack.replace('a', 'g')})")
        self.line(f"copyto({v}, {self.outer.name(x)})")

    def last_row(self, i):
        """The last value of a stacked carry, by name."""
        return self.call(self.name("r", i), f"array({self.name('v', i)})")

    def history(self, i):
        """The values of a carry before each iteration, by name."""
        if self.kind(i) == "number":
            return self.gather(i)
        return self.call(self.name("h", i), f"{self.name('a', i)}.stack({self.name('k')})")


WRITERS = {Cond: write_choice, Scan: write_loop, While: write_loop}
