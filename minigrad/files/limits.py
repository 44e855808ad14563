"""What a file may hold at most: saving and loading look at the same limits."""

import math

from minigrad.errors import FileError
from minigrad.spec import Bundle

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


def expect(condition, fact, mend=None):
    """Raises FileError unless the condition holds."""
    if not condition:
        raise FileError(fact, mend)


class Sizes:
    """How much the nodes of a file take, node after node. Raises FileError beyond a limit."""

    def __init__(self):
        self.nodes = self.entries = self.bytes = 0

    def add(self, spec, stored):
        """Counts a node of this Spec, which may have an array in the file."""
        self.nodes += 1
        expect(
            self.nodes <= MOST_NODES,
            f"there are more than {MOST_NODES} nodes",
            "save a smaller graph",
        )
        parts = spec.dtype if isinstance(spec.dtype, Bundle) else [spec]
        self.entries += sum(math.prod(n or 1 for n in part.shape) for part in parts)
        expect(
            self.entries <= ALL_ENTRIES,
            f"the values are too large: they have more than {ALL_ENTRIES} entries together",
            "save a smaller graph",
        )
        if stored:
            self.bytes += math.prod(spec.shape) * spec.dtype.itemsize
            expect(
                self.bytes <= MOST_BYTES,
                f"the arrays have more than {MOST_BYTES} bytes together",
                "feed large arrays, or save the weights alone with Module.save",
            )


def check_shape(shape):
    """Raises FileError for a shape of too many dimensions or entries."""
    expect(
        len(shape) <= MOST_DIMENSIONS,
        f"a value has more than {MOST_DIMENSIONS} dimensions",
        "reshape it to fewer",
    )
    expect(
        math.prod(n or 1 for n in shape) <= MOST_ENTRIES,
        f"a value has more than {MOST_ENTRIES} entries",
        "compute it in parts",
    )


def check_name(name, what="name"):
    """Raises FileError for what is no text or too long to be a name or scope."""
    expect(
        isinstance(name, str),
        f"its {what} is no text but {repr(name)[:40]}",
        f"make the {what} a text",
    )
    expect(
        len(name) <= LONGEST_NAME,
        f"its {what} has more than {LONGEST_NAME} characters",
        f"choose a shorter {what}",
    )


def check_text(text):
    """Raises FileError for a .json file that is too long."""
    expect(
        len(text) <= MOST_TEXT,
        f"the .json file has more than {MOST_TEXT} bytes",
        "save a smaller graph",
    )


def check_nest(depth):
    """Raises FileError for outputs that are nested too deeply."""
    expect(
        depth <= DEEPEST_NEST,
        f"the outputs are nested too deeply, beyond {DEEPEST_NEST} levels",
        "save a flatter nest",
    )


def check_body(depth):
    """Raises FileError for bodies that are nested too deeply."""
    expect(
        depth <= DEEPEST_BODY,
        f"the bodies are nested too deeply, beyond {DEEPEST_BODY} in one another",
        "build the inner loops apart from each other",
    )
