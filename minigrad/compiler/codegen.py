"""The generating backend: a program as one straight-line Python function of NumPy calls.

Results go into views of one arena, which are made once. Names are generated (x feeds, v
variables, s their new values, c constants, b arena, w ready-made views, t passing values, r
results); what a learner typed stands in comments only.
"""

import contextlib
import itertools
import linecache
import traceback
import weakref

import numpy as np

from minigrad.compiler.kernel import Kernel, KernelResult, can_take_out
from minigrad.compiler.layout import depends_on_target, is_contiguous
from minigrad.compiler.lowering import BY_NAME, lower_call
from minigrad.compiler.source import GeneratedSource, Scope
from minigrad.compiler.verify import check_array, check_view
from minigrad.static.control.bundle import Bundle, Item
from minigrad.static.control.fn import locate_error
from minigrad.static.graph import Constant, RunIndex
from minigrad.static.interpret import blame_node, dead_after

counter = itertools.count()
WRITERS = {}  # op → function (writer, node) that writes its lines, or returns False
LOWERINGS = [lower_call]  # functions (scope, node, out) → a quicker form of a call, or None
# Beyond so many, scalar names are reused: CPython is faster with fewer than 256 local names, and
# freed objects are still in the cache.
MOST_SCALARS = 200


def is_single_number(node):
    """True for a node whose line gives one of NumPy's single numbers."""
    return node.shape == () and isinstance(node.op.compute, np.ufunc)


class Generated:
    """The generated function, its `source`, and its arena; a Session lets in one run at a time.

    `bodies` say what the passes made of the bodies of its loops and choices.
    """

    def __init__(self, program, plan, options):
        source = write_function(program, plan, options)
        self.source = str(source)
        self.nodes, self.bodies = source.nodes_of_line, source.bodies
        self.filename = f"<minigrad program {next(counter)}>"
        lines = [line + "\n" for line in self.source.split("\n")]
        linecache.cache[self.filename] = (len(self.source), None, lines, self.filename)
        weakref.finalize(self, linecache.cache.pop, self.filename, None)
        exec(compile(self.source, self.filename, "exec"), source.space)
        self.function = source.space["run"]

    def run(self, feeds, variables, back_buffers, index):
        """The fetched arrays; new values of variables go into `back_buffers`."""
        try:
            return self.function(feeds, variables, back_buffers, index)
        except AssertionError:
            raise
        except Exception as error:
            *inner, node = self.nodes.get(self.line_of(error), (None,))
            if node is None:
                raise
            for step in inner:
                error = locate_error(error, step)
            raise blame_node(error, node) from None

    @contextlib.contextmanager
    def replace_function(self, function):
        """Inside, `run` calls another function, as one whose lines are timed."""
        usual, self.function = self.function, function
        try:
            yield
        finally:
            self.function = usual

    def line_of(self, error):
        """The line of the generated source at which an error arose."""
        frames = traceback.walk_tb(error.__traceback__)
        lines = [line for frame, line in frames if frame.f_code.co_filename == self.filename]
        return lines[-1] if lines else None


def write_function(program, plan, options):
    """The GeneratedSource of a function `run` that computes a program."""
    space = {"empty": np.empty, "copyto": np.copyto, "array": np.array, **BY_NAME}
    if options.debug:
        space |= {"check_array": check_array, "asarray": np.asarray}
    source = GeneratedSource(space)
    FunctionWriter(Scope(source), program, plan, options).write_function()
    return source


class FunctionWriter:
    """Writes a program into a scope line by line, and makes the arrays that its names stand for."""

    def __init__(self, scope, program, plan, options):
        self.scope, self.program, self.plan, self.options = scope, program, plan, options
        self.arena = np.zeros(plan.arena_bytes, np.uint8)
        self.targets = self.store_targets()
        self.first_fetch = {}  # a fetched value's name → the first place where it is asked for
        self.free = []  # names of numbers that nothing reads any more
        self.parts = {}  # a kernel's order → the nodes of its results, when it has several
        for node in plan.order:
            if node.op is KernelResult:
                self.parts.setdefault(node.inputs[0].order, []).append(node)
        for parts in self.parts.values():
            parts.sort(key=lambda part: part.params["index"])

    # the function --------------------------------------------------------------------------------

    def write_function(self):
        """The lines of the function."""
        scope, program = self.scope, self.program
        scope.line("def run(feeds, variables, back_buffers, index):")
        scope.indent = "    "
        self.unpack("feeds", "x", len(program.feeds), program.feeds.values())
        self.unpack("variables", "v", len(program.variables), program.variables.values())
        self.unpack("back_buffers", "s", len(program.stores))
        self.write_steps()
        self.store()
        values = [self.fetch(n, i) for i, n in enumerate(program.fetches)]
        scope.line(f"return [{', '.join(values)}]")

    def write_steps(self):
        """The lines of all nodes, in the order of the plan."""
        names, dead_names, dead_buffers = self.scope.names, self.dead_names(), self.dead_buffers()
        for step, node in enumerate(self.plan.order):
            if node.order not in names:
                self.write(node)
                if self.options.debug:
                    self.check(node)
            self.free += [names[order] for order in dead_names[step]]
            for order in dead_buffers.get(step, ()):
                self.scope.line(f"{names[order]}.view('u1')[...] = 255  # dead: NaN")

    def check(self, node):
        """In debug mode, a line that looks at a value; at a ready-made view it is looked at now."""
        if isinstance(node.dtype, Bundle):
            return
        name, ready = self.scope.name(node), self.scope.ready
        if name[0] == "w":
            check_view(node, ready[node.order], ready[node.inputs[0].order])
        looked_at = self.scope.new_name("node", node)
        self.scope.source.space[looked_at] = node
        self.scope.line(f"check_array({looked_at}, asarray({name}))", node)

    def unpack(self, argument, letter, count, nodes=()):
        """A line that gives the parts of an argument their names, which are those of nodes."""
        names = [f"{letter}{i}" for i in range(count)]
        self.scope.names.update(zip((n.order for n in nodes), names))
        if names:
            self.scope.line(f"{', '.join(names)}, = {argument}")

    # one node ------------------------------------------------------------------------------------

    def write(self, node):
        """The line of one node, or none when its array is there already."""
        if isinstance(node, Constant):
            self.scope.bind_constant(node, "c", node.value)
        elif node.op is RunIndex:
            self.scope.names[node.order] = "index"
        elif node.op is Item and node.inputs[0].order in self.scope.results:
            self.unpack_result(node)
        elif node.op in WRITERS and WRITERS[node.op](self, node):
            pass
        elif self.allocation(node).base != node.order and node.op.view:
            self.write_view(node)
        elif node.op is Kernel and node.order in self.parts:
            self.write_kernel(node)
        else:
            self.write_call(node)

    def allocation(self, node):
        """Where the value of a node lies."""
        return self.plan.values[node.order]

    def unpack_result(self, node):
        """A result of a loop or a choice, under its name."""
        results = self.scope.results[node.inputs[0].order]
        self.scope.name_as(node, results[node.params["index"]])

    def write_view(self, node):
        """A view of an array that is there already is made now, once; others in every run."""
        ready = self.scope.ready
        if all(x.order in ready for x in node.inputs):
            view = node.op.compute(*[ready[x.order] for x in node.inputs], **node.params)
            self.scope.bind_constant(node, "w", view)
        else:
            self.assign(node, self.scope.new_name("t", node), self.call(node))

    def assign(self, node, name, call):
        """The line that gives a node its value under a name."""
        self.scope.names[node.order] = name
        self.scope.line(f"{name} = {call}{self.comment(node)}", node)

    def write_kernel(self, node):
        """A kernel with several results: arrays go where the plan wants them, sums follow."""
        outs, sums = [], [part for part in self.parts[node.order] if not part.shape]
        for part in self.parts[node.order][: -len(sums) or None]:
            if self.allocation(part).space == "plan":
                self.scope.bind_constant(part, "b", self.buffer(part))
            elif part.order in self.targets:
                self.scope.names[part.order] = self.targets[part.order]
            else:
                self.write_empty(part)
            outs.append(self.scope.name(part))
        name = self.scope.new_name("t", node)
        self.assign(node, name, self.call(node, f"[{', '.join(outs)}]" if outs else None))
        for part in sums:
            self.scope.name_as(part, self.scope.new_name("t", part))
            self.scope.line(f"{self.scope.name(part)} = {name}[{part.params['index']}]")

    def write_empty(self, node):
        """A new array for a fetched value to be computed into."""
        self.scope.names[node.order] = name = self.scope.new_name("r", node)
        self.scope.line(f"{name} = {self.scope.source.new_array(node.shape, node.dtype)}")

    def write_call(self, node):
        """A computation: into the arena, into a variable's new array, or into a new one."""
        if self.allocation(node).space == "plan":
            self.place_in_arena(node)
        elif node.order in self.targets and node.shape:
            self.scope.names[node.order] = self.targets[node.order]
        elif node.op is Kernel and node.shape:  # it would make arrays of its own
            self.write_empty(node)
        else:
            self.write_loose(node)
            return
        out = self.scope.name(node)
        if can_take_out(node.op) and (node.op is Kernel or not depends_on_target(node)):
            call = self.call(node, out)
        else:
            call = f"copyto({out}, {self.call(node)})"
        self.scope.line(call + self.comment(node), node)

    def write_loose(self, node):
        """A number, or a fetched array of its own."""
        rows = all(is_contiguous(x) or not x.shape for x in node.inputs)
        fresh = rows and isinstance(node.op.compute, np.ufunc)  # such results own their memory
        call = self.call(node)
        if node.shape and not fresh:
            call = f"array({call}, order='C')"
        elif node.op.view:  # by value: the memory that it is picked from serves again
            call += "[()]"
        name = self.scope.new_name("r" if node.shape else "t", node)
        if is_single_number(node):
            name = self.scope.numbers[node.order] = self.free.pop() if self.free else name
        self.assign(node, name, call)

    def place_in_arena(self, node):
        """A buffer of its own, or that of the operand which it overwrites.

        The two share one array and one name: NumPy sees at once that it may write in place, where
        it would examine two arrays with the same memory for longer than a small op takes.
        """
        base = self.allocation(node).base
        if base == node.order:
            self.scope.bind_constant(node, "b", self.buffer(node))
        else:
            self.scope.alias(node, base)

    def buffer(self, node):
        """The part of the arena that the plan gives to a node, as an array of its form."""
        start = self.plan.values[self.allocation(node).base].offset
        return np.ndarray(node.shape, node.dtype, self.arena, start)

    def call(self, node, out=None):
        """The call of a node's compute, as text."""
        for lower in LOWERINGS:
            text = lower(self.scope, node, out)
            if text is not None:
                return text
        return self.scope.call_text(node, [self.scope.name(x) for x in node.inputs], out)

    def comment(self, node):
        """Op, name and line, and whether an operand is overwritten, as a comment."""
        in_place = self.allocation(node).in_place
        return self.scope.source.comment(node, "in place" if in_place else "")

    # the end -------------------------------------------------------------------------------------

    def store_targets(self):
        """{order: the new array of a variable} for values that may be computed right into it."""
        fetched = {n.order for n in self.program.fetches if n is not None}
        targets = {}
        for i, (_, node) in enumerate(self.program.stores):
            if self.allocation(node).space == "result" and node.order not in fetched:
                targets.setdefault(node.order, f"s{i}")
        return targets

    def store(self):
        """Copies new values of variables that were not computed in their place."""
        for i, (_, node) in enumerate(self.program.stores):
            if self.scope.name(node) != f"s{i}":
                self.scope.line(f"copyto(s{i}, {self.scope.name(node)})")

    def fetch(self, node, i):
        """A fetched value as text: an array that shares memory with nothing."""
        if node is None:
            return "None"
        name = self.scope.name(node)
        if self.first_fetch.setdefault(name, i) == i and name[0] == "r":
            return name
        return f"array({name})" if is_contiguous(node) else f"array({name}, order='C')"

    def dead_names(self):
        """For each step, the numbers that nothing reads after it; none where there are few."""
        numbers = {n.order for n in self.plan.order if n.inputs and is_single_number(n)}
        if len(numbers) <= MOST_SCALARS:
            return [()] * len(self.plan.order)
        dead = dead_after(self.plan.order, {n.order for n in self.program.roots()})
        return [sorted(numbers & orders) for orders in dead]

    def dead_buffers(self):
        """{step: the nodes whose buffer is free after it}, for the debug mode."""
        dead = {}
        for node in self.plan.order if self.options.debug else ():
            if self.allocation(node).live_range:
                dead.setdefault(self.allocation(node).live_range[1], []).append(node.order)
        return dead
