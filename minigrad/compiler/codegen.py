"""The generating backend: a program as one straight-line Python function of NumPy calls.

Results go into views of one arena, which are made once. Names are generated (x feeds, v
variables, s their new values, c constants, b arena, w ready-made views, t passing values, r
results); what a learner typed stands in comments only.
"""

import itertools
import linecache
import traceback
import weakref
from functools import partial

import numpy as np

from minigrad.compiler.kernel import Kernel, KernelResult, can_take_out
from minigrad.compiler.layout import depends_on_target, is_in_rows
from minigrad.compiler.spelling import BY_NAME, spell_call
from minigrad.compiler.verify import check_array, check_view
from minigrad.core.op import compute_checked
from minigrad.core.spec import spec_of
from minigrad.static.control.bundle import Bundle, Item
from minigrad.static.control.fn import locate_error
from minigrad.static.graph import Constant, RunIndex
from minigrad.static.interpret import blame_node, dead_after

counter = itertools.count()
WRITERS = {}  # op → function (writer, node) that writes its lines, or returns False
SPELLINGS = [spell_call]  # functions (writer, node, out) → a quicker form of a call, or None
MANY = 200  # numbers in a program: from here on their names are used again, for Python is quick
# with 256 names of a function, and finds in the cache what it has just let go


def has_positional_out(op):
    """True where `out` may follow the operands, which is quicker than out=."""
    extremes = (np.maximum, np.minimum)  # these take more operands there, says NumPy
    return isinstance(op.compute, np.ufunc) and op.compute not in extremes


def is_single_number(node):
    """True for a node whose line gives one of NumPy's single numbers."""
    return node.shape == () and isinstance(node.op.compute, np.ufunc)


class Generated:
    """The generated function, its `source`, and its arena; a Session lets in one run at a time.

    `bodies` say what the passes made of the bodies of its loops and choices.
    """

    def __init__(self, program, plan, options):
        writer = FunctionWriter(program, plan, options)
        self.source = writer.text()
        self.nodes, self.bodies = writer.nodes_of_line, writer.bodies
        self.filename = f"<minigrad program {next(counter)}>"
        lines = [line + "\n" for line in self.source.split("\n")]
        linecache.cache[self.filename] = (len(self.source), None, lines, self.filename)
        weakref.finalize(self, linecache.cache.pop, self.filename, None)
        space = writer.space
        exec(compile(self.source, self.filename, "exec"), space)
        self.function = space["run"]

    def run(self, feeds, variables, spares, index):
        """The fetched arrays; new values of variables go into `spares`."""
        try:
            return self.function(feeds, variables, spares, index)
        except AssertionError:
            raise
        except Exception as error:
            *inner, node = self.nodes.get(self.line_of(error), (None,))
            if node is None:
                raise
            for step in inner:
                error = locate_error(error, step)
            raise blame_node(error, node) from None

    def line_of(self, error):
        """The line of the generated source at which an error arose."""
        frames = traceback.walk_tb(error.__traceback__)
        lines = [line for frame, line in frames if frame.f_code.co_filename == self.filename]
        return lines[-1] if lines else None


class FunctionWriter:
    """Writes the function line by line, and makes the arrays that its names stand for.

    `mark` tells the names of a body from those around it, `indent` is how deep its lines stand,
    and `within` are the loops and choices that it is in, the innermost first.
    """

    mark, indent, within = "", "", ()

    def __init__(self, program, plan, options):
        self.program, self.plan, self.options = program, plan, options
        self.debug = options.debug
        self.place, self.root = plan.storage.place, plan.storage.root
        self.space = {"empty": np.empty, "copyto": np.copyto, "array": np.array, **BY_NAME}
        if self.debug:
            self.space |= {"check_array": check_array, "asarray": np.asarray}
        self.names, self.ready = {}, {}  # node's order → its name; → its array if made once
        self.numbers = {}  # a single number's order → its name as a scalar of NumPy's
        self.lines_of = {}  # a place in the learner's source → its text
        self.first_fetch = {}  # a fetched value's name → the first place where it is asked for
        self.results = {}  # the order of a loop or choice → the names of its results
        self.free = []  # names of numbers that nothing reads any more
        self.lines, self.nodes_of_line, self.functions = [], {}, {}
        self.marks, self.bodies = itertools.count(1), []
        self.arena = np.zeros(plan.arena_bytes, np.uint8)
        self.targets = self.store_targets()
        self.parts = {}  # a kernel's order → the nodes of its results, when it has several
        for node in plan.order:
            if node.op is KernelResult:
                self.parts.setdefault(node.inputs[0].order, []).append(node)
        for parts in self.parts.values():
            parts.sort(key=lambda part: part.params["index"])

    # the function --------------------------------------------------------------------------------

    def text(self):
        """The source of the function."""
        self.line("def run(feeds, variables, spares, index):")
        self.indent, program = "    ", self.program
        self.unpack("feeds", "x", len(program.feeds), program.feeds.values())
        self.unpack("variables", "v", len(program.variables), program.variables.values())
        self.unpack("spares", "s", len(program.stores))
        self.write_steps()
        self.store()
        fetched = [self.fetched(n, i) for i, n in enumerate(self.program.fetches)]
        self.line(f"return [{', '.join(fetched)}]")
        return "\n".join(self.lines)

    def write_steps(self):
        """The lines of all nodes, in the order of the plan."""
        dying, passed = self.dying(), self.passed()
        for step, node in enumerate(self.plan.order):
            if node.order not in self.names:
                self.write(node)
                if self.debug:
                    self.check(node)
            self.free += [self.names[order] for order in passed[step]]
            for order in dying.get(step, ()):
                self.line(f"{self.names[order]}.view('u1')[...] = 255  # dead: NaN")

    def check(self, node):
        """In debug mode, a line that looks at a value; at a ready-made view it is looked at now."""
        if isinstance(node.dtype, Bundle):
            return
        name = self.names[node.order]
        if name[0] == "w":
            check_view(node, self.ready[node.order], self.ready[node.inputs[0].order])
        looked_at = self.new_name("node", node)
        self.space[looked_at] = node
        self.line(f"check_array({looked_at}, asarray({name}))", node)

    def line(self, text, node=None):
        """Adds a line; remembers whose it is."""
        self.lines.append(self.indent + text)
        if node is not None:
            self.nodes_of_line[len(self.lines)] = (node, *self.within)

    def new_name(self, kind, node):
        """A name that belongs to a node."""
        return f"{kind}{self.mark}{node.order}"

    def unpack(self, argument, letter, count, nodes=()):
        """A line that gives the parts of an argument their names, which are those of nodes."""
        names = [f"{letter}{i}" for i in range(count)]
        self.names.update(zip((n.order for n in nodes), names))
        if names:
            self.line(f"{', '.join(names)}, = {argument}")

    # one node ------------------------------------------------------------------------------------

    def write(self, node):
        """The line of one node, or none when its array is there already."""
        if isinstance(node, Constant):
            self.fix(node, "c", node.value)
        elif node.op is RunIndex:
            self.names[node.order] = "index"
        elif node.op is Item and node.inputs[0].order in self.results:
            self.pick(node)
        elif node.op in WRITERS and WRITERS[node.op](self, node):
            pass
        elif self.root[node.order] != node.order and node.op.view:
            self.write_view(node)
        elif node.op is Kernel and node.order in self.parts:
            self.write_kernel(node)
        else:
            self.write_call(node)

    def fix(self, node, kind, value):
        """Binds a value that is the same in every run."""
        self.names[node.order] = name = self.new_name(kind, node)
        self.ready[node.order] = self.space[name] = value

    def pick(self, node):
        """A result of a loop or a choice, under its name."""
        self.names[node.order] = name = self.results[node.inputs[0].order][node.params["index"]]
        if node.shape == ():
            self.numbers[node.order] = name

    def write_view(self, node):
        """A view of an array that is there already is made now, once; others in every run."""
        if all(x.order in self.ready for x in node.inputs):
            view = node.op.compute(*[self.ready[x.order] for x in node.inputs], **node.params)
            self.fix(node, "w", view)
        else:
            self.names[node.order] = name = self.new_name("t", node)
            self.line(f"{name} = {self.call(node)}{self.comment(node)}", node)

    def write_kernel(self, node):
        """A kernel with several results: arrays go where the plan wants them, sums follow."""
        outs, sums = [], [part for part in self.parts[node.order] if not part.shape]
        for part in self.parts[node.order][: -len(sums) or None]:
            if self.place[part.order] == "plan":
                self.fix(part, "b", self.buffer(part))
            elif part.order in self.targets:
                self.names[part.order] = self.targets[part.order]
            else:
                self.write_empty(part)
            outs.append(self.names[part.order])
        self.names[node.order] = name = self.new_name("t", node)
        call = self.call(node, f"[{', '.join(outs)}]" if outs else None)
        self.line(f"{name} = {call}{self.comment(node)}", node)
        for part in sums:
            self.names[part.order] = self.numbers[part.order] = number = self.new_name("t", part)
            self.line(f"{number} = {name}[{part.params['index']}]")

    def write_empty(self, node):
        """A new array for a fetched value to be computed into."""
        self.names[node.order] = name = self.new_name("r", node)
        self.line(f"{name} = {self.new_array(node.shape, node.dtype)}")

    def new_array(self, shape, dtype, maker="empty"):
        """The call that makes an array, as text, or rows of such arrays."""
        return f"{maker}({shape}, {self.dtype_name(dtype)})"

    def dtype_name(self, dtype):
        """The name of a dtype."""
        name = f"d{dtype.num}" if dtype.isnative else f"d{dtype.num}_swapped"
        self.space[name] = dtype
        return name

    def write_call(self, node):
        """A computation: into the arena, into a variable's new array, or into a new one."""
        place, out = self.place[node.order], None
        if place == "plan":
            self.place_in_arena(node)
            out = self.names[node.order]
        elif node.order in self.targets and node.shape:
            self.names[node.order] = out = self.targets[node.order]
        elif node.op is Kernel and node.shape:  # it would make arrays of its own
            self.write_empty(node)
            out = self.names[node.order]
        if out is None:
            self.write_loose(node)
        elif can_take_out(node.op) and (node.op is Kernel or not depends_on_target(node)):
            self.line(f"{self.call(node, out)}{self.comment(node)}", node)
        else:
            self.line(f"copyto({out}, {self.call(node)}){self.comment(node)}", node)

    def write_loose(self, node):
        """A number, or a fetched array of its own."""
        rows = all(is_in_rows(x) or not x.shape for x in node.inputs)
        fresh = rows and isinstance(node.op.compute, np.ufunc)  # such results own their memory
        call = self.call(node)
        if node.shape and not fresh:
            call = f"array({call}, order='C')"
        elif node.op.view:  # by value: the memory that it is picked from serves again
            call += "[()]"
        name = self.new_name("r" if node.shape else "t", node)
        if is_single_number(node):
            name = self.numbers[node.order] = self.free.pop() if self.free else name
        self.names[node.order] = name
        self.line(f"{name} = {call}{self.comment(node)}", node)

    def place_in_arena(self, node):
        """A buffer of its own, or that of the operand which it overwrites.

        The two share one array and one name: NumPy sees at once that it may write in place, where
        it would examine two arrays with the same memory for longer than a small op takes.
        """
        base = self.root[node.order]
        if base == node.order:
            self.fix(node, "b", self.buffer(node))
        else:
            self.names[node.order], self.ready[node.order] = self.names[base], self.ready[base]

    def buffer(self, node):
        """The part of the arena that the plan gives to a node, as an array of its form."""
        start = self.plan.offsets[self.root[node.order]]
        return np.ndarray(node.shape, node.dtype, self.arena, start)

    def call(self, node, out=None):
        """The call of a node's compute, as text."""
        for spelling in SPELLINGS:
            text = spelling(self, node, out)
            if text is not None:
                return text
        return self.written(node, [self.name(x) for x in node.inputs], out)

    def written(self, node, arguments, out):
        """The call of a node's compute on arguments of these names, as text."""
        positional = out is not None and has_positional_out(node.op)
        given = [*arguments, out] if positional else list(arguments)
        for i, (name, value) in enumerate(node.params.items()):
            bound = self.new_name("p", node)
            given.append(f"{name}={self.literal(value, f'{bound}_{i}')}")
        if out is not None and not positional:
            given.append(f"out={out}")
        return f"{self.function(node)}({', '.join(given)})"

    def name(self, x):
        """The name of a value."""
        return self.names[x.order]

    def number(self, x):
        """The name of a single number as a scalar: arrays of no dimension take far longer."""
        if x.order not in self.numbers:
            self.numbers[x.order] = name = self.new_name("n", x)
            if isinstance(x, Constant):
                self.space[name] = x.value[()]
            else:
                self.line(f"{name} = {self.names[x.order]}[()]")
        return self.numbers[x.order]

    def function(self, node):
        """The name under which a node's compute is called."""
        op = node.op
        if not op.ours:  # its name is what a learner typed
            name = self.new_name("op", node)
            self.space[name] = partial(compute_checked, op, spec_of(node))
            return name
        if op not in self.functions:
            self.functions[op] = f"{op.verb}_"
            self.space[self.functions[op]] = op.compute
        return self.functions[op]

    def literal(self, value, name):
        """A parameter as text where that is plain, else as a bound name."""
        plain = (bool, int, type(None))
        if all(isinstance(v, plain) for v in (value if isinstance(value, tuple) else [value])):
            return repr(value)
        self.space[name] = value
        return name

    def comment(self, node):
        """Op, name and line, as text that cannot end the comment."""
        place = "in place" if node.order in self.plan.storage.in_place else ""
        if node.line not in self.lines_of:
            self.lines_of[node.line] = str(node.line or "")
        words = [f"%{node.order}", node.op.__name__, node.name, self.lines_of[node.line], place]
        return "  # " + repr("  ".join(filter(None, words)))[1:-1]

    # the end -------------------------------------------------------------------------------------

    def store_targets(self):
        """{order: the new array of a variable} for values that may be computed right into it."""
        fetched = {n.order for n in self.program.fetches if n is not None}
        targets = {}
        for i, (_, node) in enumerate(self.program.stores):
            if self.place[node.order] == "result" and node.order not in fetched:
                targets.setdefault(node.order, f"s{i}")
        return targets

    def store(self):
        """Copies new values of variables that were not computed in their place."""
        for i, (_, node) in enumerate(self.program.stores):
            if self.names[node.order] != f"s{i}":
                self.line(f"copyto(s{i}, {self.names[node.order]})")

    def fetched(self, node, i):
        """A fetched value as text: an array that shares memory with nothing."""
        if node is None:
            return "None"
        name = self.names[node.order]
        if self.first_fetch.setdefault(name, i) == i and name[0] == "r":
            return name
        return f"array({name})" if is_in_rows(node) else f"array({name}, order='C')"

    def passed(self):
        """For each step, the numbers that nothing reads after it; none where there are few."""
        numbers = {n.order for n in self.plan.order if n.inputs and is_single_number(n)}
        if len(numbers) <= MANY:
            return [()] * len(self.plan.order)
        dead = dead_after(self.plan.order, {n.order for n in self.program.roots()})
        return [sorted(numbers & orders) for orders in dead]

    def dying(self):
        """{step: the nodes whose buffer is free after it}, for the debug mode."""
        dying = {}
        for order, (_, last) in self.plan.storage.life.items() if self.debug else ():
            dying.setdefault(last, []).append(order)
        return dying
