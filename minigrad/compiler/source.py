"""The text of a generated function, and the names in it."""

import itertools
from functools import partial

import numpy as np

from minigrad.core.op import compute_checked
from minigrad.core.spec import spec_of
from minigrad.static.graph import Constant


def has_positional_out(op):
    """True where `out` may follow the operands, which is quicker than out=."""
    extremes = (np.maximum, np.minimum)  # these take more operands there, says NumPy
    return isinstance(op.compute, np.ufunc) and op.compute not in extremes


class GeneratedSource:
    """The lines of a function, and of all bodies in it; `space` is what their names stand for.

    `nodes_of_line` maps the number of a line to its node, and the loops and choices around it, the
    innermost first. `marks` tell the names of one body from those of others; `bodies` says what
    the passes made of each.
    """

    def __init__(self, space):
        self.space, self.lines, self.nodes_of_line = space, [], {}
        self.functions = {}  # op → the name of its compute
        self.places = {}  # a place in the learner's source → its text
        self.marks, self.bodies = itertools.count(1), []

    def __str__(self):
        return "\n".join(self.lines)

    def function_name(self, op):
        """The name under which the compute of a builtin op is called."""
        if op not in self.functions:
            self.functions[op] = f"{op.verb}_"
            self.space[self.functions[op]] = op.compute
        return self.functions[op]

    def dtype_name(self, dtype):
        """The name of a dtype."""
        name = f"d{dtype.num}" if dtype.isnative else f"d{dtype.num}_swapped"
        self.space[name] = dtype
        return name

    def new_array(self, shape, dtype, maker="empty"):
        """The call that makes an array, as text, or rows of such arrays."""
        return f"{maker}({shape}, {self.dtype_name(dtype)})"

    def literal(self, value, name):
        """A parameter as text where that is plain, else as a bound name."""
        plain = (bool, int, type(None))
        if all(isinstance(v, plain) for v in (value if isinstance(value, tuple) else [value])):
            return repr(value)
        self.space[name] = value
        return name

    def comment(self, node, words=""):
        """Op, name and line, as text that cannot end the comment."""
        if node.line not in self.places:
            self.places[node.line] = str(node.line or "")
        words = [f"%{node.order}", node.op.__name__, node.name, self.places[node.line], words]
        return "  # " + repr("  ".join(filter(None, words)))[1:-1]


class Scope:
    """The part of a source that belongs to one program or body, and the names of its nodes.

    `indent` is how deep its lines stand, and `within` are the loops and choices that it is in, the
    innermost first; `mark` tells its names from those of other bodies.
    """

    def __init__(self, source, mark="", indent="", within=()):
        self.source, self.mark, self.indent, self.within = source, mark, indent, within
        self.names, self.ready = {}, {}  # node's order → its name; → its array if made once
        self.numbers = {}  # a single number's order → its name as a scalar of NumPy's
        self.results = {}  # the order of a loop or choice → the names of its results

    def new_mark(self):
        """What tells the names of one more body from all others."""
        return f"{next(self.source.marks)}_"

    def line(self, text, node=None):
        """Adds a line; remembers whose it is."""
        self.source.lines.append(self.indent + text)
        if node is not None:
            self.source.nodes_of_line[len(self.source.lines)] = (node, *self.within)

    # names ---------------------------------------------------------------------------------------

    def new_name(self, kind, node):
        """A name that belongs to a node."""
        return f"{kind}{self.mark}{node.order}"

    def name(self, x):
        """The name of a value."""
        return self.names[x.order]

    def scalar_name(self, x):
        """The name of a single number as a scalar: arrays of no dimension take far longer."""
        if x.order not in self.numbers:
            self.numbers[x.order] = name = self.new_name("n", x)
            if isinstance(x, Constant):
                self.source.space[name] = x.value[()]
            else:
                self.line(f"{name} = {self.names[x.order]}[()]")
        return self.numbers[x.order]

    def name_as(self, x, name):
        """Gives a value a name, that of a scalar when it is a single number."""
        self.names[x.order] = name
        if x.shape == ():
            self.numbers[x.order] = name

    def bind_constant(self, node, kind, value):
        """Binds a value that is the same in every run."""
        self.names[node.order] = name = self.new_name(kind, node)
        self.ready[node.order] = self.source.space[name] = value

    def alias(self, node, other):
        """Gives a node the name, and the array, of another one."""
        self.names[node.order], self.ready[node.order] = self.names[other], self.ready[other]

    def adopt(self, x, outer, source):
        """Gives x the name of its `source` in an outer scope."""
        if x.shape == ():
            self.name_as(x, outer.scalar_name(source))
            return
        self.names[x.order] = outer.names[source.order]
        if source.order in outer.ready:
            self.ready[x.order] = outer.ready[source.order]

    # calls ---------------------------------------------------------------------------------------

    def call_text(self, node, arguments, out):
        """The call of a node's compute on arguments of these names, as text."""
        positional = out is not None and has_positional_out(node.op)
        arguments = [*arguments, out] if positional else list(arguments)
        for i, (name, value) in enumerate(node.params.items()):
            bound = self.new_name("p", node)
            arguments.append(f"{name}={self.source.literal(value, f'{bound}_{i}')}")
        if out is not None and not positional:
            arguments.append(f"out={out}")
        return f"{self.function_name(node)}({', '.join(arguments)})"

    def function_name(self, node):
        """The name under which a node's compute is called."""
        if node.op.builtin:
            return self.source.function_name(node.op)
        name = self.new_name("op", node)  # the op's own name is what a learner typed
        self.source.space[name] = partial(compute_checked, node.op, spec_of(node))
        return name
