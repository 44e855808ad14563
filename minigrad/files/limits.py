"""What a file may hold at most: saving and loading look at the same limits."""

import math

from minigrad.core.errors import FileError
from minigrad.static.control.bundle import Bundle

MOST_TEXT = 2**26  # bytes of a .json file
MOST_NODES = 200_000  # also of those in bodies
MOST_DIMENSIONS = 32
MOST_ENTRIES = 2**27  # of one value
ALL_ENTRIES = 2**33  # of all values of a graph together
MOST_BYTES = 2**30  # of all arrays of a file together
MOST_RUNS = 2**63 - 1
LONGEST_NAME = 500
LARGEST = 2**1024  # of whole numbers among parameters: no float is larger
DEEPEST_NEST = 16  # levels of the nest of outputs
DEEPEST_BODY = 8  # bodies in bodies
DEEPEST_PARAMETER = 8  # levels of a parameter


def expect_in_file(condition, message, hint=None):
    """Raises FileError unless the condition holds."""
    if not condition:
        raise FileError(message, hint)


def is_count(n, least=0):
    """True for a whole number of at least so much."""
    return type(n) is int and n >= least


def check_at_most(count, most, message, hint):
    """Raises FileError where a count is beyond the most, which stands in the fact as {}."""
    expect_in_file(count <= most, message.format(most), hint)


class Sizes:
    """How much the nodes of a file take, node after node. Raises FileError beyond a limit."""

    def __init__(self):
        self.nodes = self.entries = self.bytes = 0

    def add(self, spec, stored):
        """Counts a node of this Spec, which may have an array in the file."""
        self.nodes += 1
        check_at_most(
            self.nodes, MOST_NODES, "there are more than {} nodes", "save a smaller graph"
        )
        parts = spec.dtype if isinstance(spec.dtype, Bundle) else [spec]
        self.entries += sum(math.prod(n or 1 for n in part.shape) for part in parts)
        message = "the values are too large: they have more than {} entries together"
        check_at_most(self.entries, ALL_ENTRIES, message, "save a smaller graph")
        if stored:
            self.bytes += math.prod(spec.shape) * spec.dtype.itemsize
            hint = "feed large arrays, or save the weights alone with Module.save"
            check_at_most(
                self.bytes, MOST_BYTES, "the arrays have more than {} bytes together", hint
            )


def check_shape(shape):
    """Raises FileError for a shape of too many dimensions or entries."""
    message, entries = "a value has more than {} ", math.prod(n or 1 for n in shape)
    check_at_most(len(shape), MOST_DIMENSIONS, message + "dimensions", "reshape it to fewer")
    check_at_most(entries, MOST_ENTRIES, message + "entries", "compute it in parts")


def check_name(name, what="name"):
    """Raises FileError for what is no text or too long to be a name or scope."""
    message = f"its {what} is not text but {repr(name)[:40]}"
    expect_in_file(isinstance(name, str), message, f"make the {what} a string")
    message = f"its {what} has more than {{}} characters"
    check_at_most(len(name), LONGEST_NAME, message, f"choose a shorter {what}")


def check_text(text):
    """Raises FileError for a .json file that is too long."""
    message = "the .json file has more than {} bytes"
    check_at_most(len(text), MOST_TEXT, message, "save a smaller graph")


def check_nest(depth):
    """Raises FileError for outputs that are nested too deeply."""
    message = "the outputs are nested too deeply, beyond {} levels"
    check_at_most(depth, DEEPEST_NEST, message, "save outputs with less nesting")


def check_body(depth):
    """Raises FileError for bodies that are nested too deeply."""
    message = "the bodies are nested too deeply, beyond {} in one another"
    check_at_most(depth, DEEPEST_BODY, message, "build the inner loops separately")
