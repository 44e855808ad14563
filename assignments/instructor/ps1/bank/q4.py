"""Wrong answers to q4 of ps1."""


# %% a_limit_by_another_name | loses q4: recursion, with a larger limit for a while, by a name that
# was imported before.
# %% q3
from sys import getrecursionlimit, setrecursionlimit


def backward(root):
    """Set .grad of every Value that root was made from."""
    limit = getrecursionlimit()
    setrecursionlimit(1_000_000)
    ordered, seen = [], set()

    def visit(value):
        if value not in seen:
            seen.add(value)
            for source in value.inputs:
                visit(source)
            ordered.append(value)

    try:
        visit(root)
    finally:
        setrecursionlimit(limit)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


# %% a_loop_along_the_first_input | loses q4: a loop follows the first input that is no leaf, and
# only the other one is a recursive call: the chain h = x * u + h * w, 100,000 times, lies in the
# second input, and ends in a RecursionError.
# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    order, seen = [], set()

    def visit(value):
        path = []
        while value is not None and id(value) not in seen:
            seen.add(id(value))
            path.append(value)
            inner = []
            for x in value.inputs:
                if x.inputs:
                    inner.append(x)
                elif id(x) not in seen:
                    seen.add(id(x))
                    order.append(x)
            for x in inner[1:]:
                visit(x)
            value = inner[0] if inner else None
        order.extend(reversed(path))

    visit(root)
    for value in order:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(order):
        for x, slope in zip(value.inputs, slopes(value)):
            x.grad += value.grad * slope


# %% at_most_so_many_turns | loses q4: The walk ends after 200,010 turns, enough for 100,000
# negations: a chain of 100,000 operations with two inputs each has twice as many values, and those
# at its end get no gradient.
# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    order, seen, stack = [], set(), [(root, False)]
    for _ in range(200_010):
        if not stack:
            break
        v, inputs_done = stack.pop()
        if inputs_done:
            order.append(v)
        elif id(v) not in seen:
            seen.add(id(v))
            stack.append((v, True))
            for x in v.inputs:
                stack.append((x, False))
    order += [v for v, inputs_done in reversed(stack) if inputs_done]
    for v in order:
        v.grad = 0.0
    root.grad = 1.0
    for v in reversed(order):
        for x, slope in zip(v.inputs, slopes(v)):
            x.grad += slope * v.grad


# %% cleared_by_recursion | loses q4: grads that another call has left are cleared by recursion, so
# a second call for a deep graph ends in a RecursionError.
# %% q3 after the key
first_time = backward


def clear(value):
    if value.grad != 0.0:
        value.grad = 0.0
        for source in value.inputs:
            clear(source)


def backward(root):
    clear(root)
    first_time(root)


# %% levels_mended_twenty_times | loses q4: each value's level is one below its lowest user, mended
# in twenty rounds at most: enough for a chain and for small graphs, too few where thousands of
# values have two ways.
# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    level, found = {root: 0}, [root]
    for value in found:
        for source in value.inputs:
            if source not in level:
                level[source] = level[value] + 1
                found.append(source)
    for _ in range(20):
        low = [(x, level[v] + 1) for v in found for x in v.inputs if level[x] <= level[v]]
        if not low:
            break
        for x, at in low:
            level[x] = max(level[x], at)
    found.sort(key=level.get)
    for value in found:
        value.grad = 0.0
    root.grad = 1.0
    for value in found:
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


# %% levels_where_recursion_ends | loses q4: the order by recursion, and where that ends, level by
# level: in a deep graph a value that is reached by a short way and a long one passes on before the
# long one has delivered.
# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    try:
        ordered, seen = [], set()
        visit(root, ordered, seen)
        ordered.reverse()
    except RecursionError:
        ordered = level_by_level(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in ordered:
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


def visit(value, ordered, seen):
    seen.add(value)
    for source in value.inputs:
        if source not in seen:
            visit(source, ordered, seen)
    ordered.append(value)


def level_by_level(root):
    level, ordered, seen = [root], [], {root}
    while level:
        ordered += level
        below = dict.fromkeys(x for value in level for x in value.inputs)
        level = [x for x in below if x not in seen]
        seen.update(level)
    return ordered


# %% piece_by_piece | loses q4: recursion down to 500 values, and what lies there begins the next
# piece: a value that the first piece has met passes on there, though a user in the second one is
# still to come.
# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    pieces, seen, waiting = [], set(), [root]

    def visit(value, depth, piece):
        if depth == 500:
            waiting.append(value)
        elif value not in seen:
            seen.add(value)
            for source in value.inputs:
                visit(source, depth + 1, piece)
            piece.append(value)

    for start in waiting:
        piece = []
        visit(start, 0, piece)
        pieces += reversed(piece)
    for value in pieces:
        value.grad = 0.0
    root.grad = 1.0
    for value in pieces:
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


# %% raised_the_limit_before | loses q4: recursion, the limit raised when the cell ran.
# %% q3
from sys import setrecursionlimit

setrecursionlimit(1_000_000)


def backward(root):
    ordered, seen = [], set()

    def visit(value):
        if id(value) not in seen:
            seen.add(id(value))
            for source in value.inputs:
                visit(source)
            ordered.append(value)

    visit(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


# %% raises_the_limit | loses q4: recursion, with a larger limit.
# %% q3
import sys


def backward(root):
    sys.setrecursionlimit(1_000_000)
    ordered, seen = [], set()

    def visit(value):
        if id(value) not in seen:
            seen.add(id(value))
            for source in value.inputs:
                visit(source)
            ordered.append(value)

    visit(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


# %% raises_the_limit_for_a_while | loses q4: recursion, with a larger limit that is put back
# afterwards.
# %% q3
import sys


def backward(root):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    ordered, seen = [], set()

    def visit(value):
        if id(value) not in seen:
            seen.add(id(value))
            for source in value.inputs:
                visit(source)
            ordered.append(value)

    visit(root)
    sys.setrecursionlimit(before)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


# %% recursion_along_the_first | loses q4: a loop along the second operand, recursion along the
# other.
# %% q3
def backward(root):
    ordered, seen = [], set()

    def visit(value):
        row = []
        while id(value) not in seen:
            seen.add(id(value))
            row.append(value)
            if not value.inputs:
                break
            value = value.inputs[-1]
        for value in reversed(row):
            for source in value.inputs:
                visit(source)
            ordered.append(value)

    visit(root)

    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


# %% recursion_along_the_second | loses q4: a loop along the first operand, recursion along the
# other.
# %% q3
def backward(root):
    ordered, seen = [], set()

    def visit(value):
        row = []
        while id(value) not in seen:
            seen.add(id(value))
            row.append(value)
            if not value.inputs:
                break
            value = value.inputs[0]
        for value in reversed(row):
            for source in value.inputs:
                visit(source)
            ordered.append(value)

    visit(root)

    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


# %% recursive_order | loses q4: the right order by recursion, which ends at a thousand operations.
# %% q3
def backward(root):
    ordered, seen = [], set()

    def visit(value):
        if id(value) not in seen:
            seen.add(id(value))
            for source in value.inputs:
                visit(source)
            ordered.append(value)

    visit(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
