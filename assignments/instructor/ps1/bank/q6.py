"""Wrong answers to q6 of ps1."""


# %% recursive_order | loses q6: the right order by recursion, which ends at a thousand operations.
# | says: It uses recursion along this operand.
# %% q4
def backward_from(roots, seeds):
    found, seen = [], set()

    def visit(value):
        if value not in seen:
            seen.add(value)
            for source in value.inputs:
                visit(source)
            found.append(value)

    for root in roots:
        visit(root)
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(found):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


# %% raises_the_limit | loses q6: recursion, with a larger limit.
# | says: It changes Python's recursion limit
# %% q4
import sys


def backward_from(roots, seeds):
    sys.setrecursionlimit(1_000_000)
    found, seen = [], set()

    def visit(value):
        if value not in seen:
            seen.add(value)
            for source in value.inputs:
                visit(source)
            found.append(value)

    for root in roots:
        visit(root)
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(found):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


# %% raises_the_limit_for_a_while | loses q6: recursion, with a larger limit that is put back.
# | says: It changes Python's recursion limit
# %% q4
from sys import getrecursionlimit, setrecursionlimit


def backward_from(roots, seeds):
    limit = getrecursionlimit()
    setrecursionlimit(1_000_000)
    found, seen = [], set()

    def visit(value):
        if value not in seen:
            seen.add(value)
            for source in value.inputs:
                visit(source)
            found.append(value)

    for root in roots:
        visit(root)
    setrecursionlimit(limit)
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(found):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


# %% raises_the_limit_in_a_thread | loses q6: recursion, in a thread that raises the limit for a
# while. | says: It uses recursion: in a thread, or until Python stops it
# %% q4
import threading
from sys import getrecursionlimit, setrecursionlimit


def backward_by_recursion(roots, seeds):
    limit = getrecursionlimit()
    setrecursionlimit(1_000_000)
    found, seen = [], set()

    def visit(value):
        if value not in seen:
            seen.add(value)
            for source in value.inputs:
                visit(source)
            found.append(value)

    for root in roots:
        visit(root)
    setrecursionlimit(limit)
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(found):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


def backward_from(*given):
    found = []
    thread = threading.Thread(target=lambda: found.append(backward_by_recursion(*given)))
    thread.start()
    thread.join()
    return found[0]


# %% recursion_along_the_second | loses q6: a loop along the first operand, recursion along the
# other.
# | says: It uses recursion along this operand.
# %% q4
def backward_from(roots, seeds):
    found, seen = [], set()

    def visit(value):
        row = []
        while value not in seen:
            seen.add(value)
            row.append(value)
            if not value.inputs:
                break
            value = value.inputs[0]
        for value in reversed(row):
            for source in value.inputs:
                visit(source)
            found.append(value)

    for root in roots:
        visit(root)
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(found):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


# %% recursion_along_the_first | loses q6: a loop along the second operand, recursion along the
# other.
# | says: It uses recursion along this operand.
# %% q4
def backward_from(roots, seeds):
    found, seen = [], set()

    def visit(value):
        row = []
        while value not in seen:
            seen.add(value)
            row.append(value)
            if not value.inputs:
                break
            value = value.inputs[-1]
        for value in reversed(row):
            for source in value.inputs:
                visit(source)
            found.append(value)

    for root in roots:
        visit(root)
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(found):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


# %% cleared_by_recursion | loses q6: what another call has left is cleared by recursion, so a
# second
# call for a deep graph fails. | says: The second call for a deep graph fails.
# %% q4 after the key
first_time = backward_from


def clear(value):
    if value.grad != 0.0:
        value.grad = 0.0
        for source in value.inputs:
            clear(source)


def backward_from(roots, seeds):
    for root in roots:
        clear(root)
    first_time(roots, seeds)


# %% breadth_first_where_recursion_ends | loses q6: the order by recursion, and level by level where
# that fails, so a deep graph is visited in another order.
# | says: It uses recursion: in a thread, or until Python stops it
# %% q4
def backward_from(roots, seeds):
    found, seen = [], set()

    def visit(value):
        if value not in seen:
            seen.add(value)
            for source in value.inputs:
                visit(source)
            found.append(value)

    try:
        for root in roots:
            visit(root)
    except RecursionError:
        found = list(roots)
        seen = set(found)
        for value in found:
            new = [x for x in dict.fromkeys(value.inputs) if x not in seen]
            seen.update(new)
            found.extend(new)
        found.reverse()
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(found):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad


# %% piece_by_piece | loses q6: recursion down to 500 Values, and what lies there begins the next
# piece: a Value that the first piece has met passes on before its users in the second one.
# | says: In a deep graph it visits Values in another order than in a small one
# %% q4
def backward_from(roots, seeds):
    found, seen, waiting = [], set(), []

    def visit(value, depth, piece):
        if depth == 500:
            waiting.append(value)
        elif value not in seen:
            seen.add(value)
            for source in value.inputs:
                visit(source, depth + 1, piece)
            piece.append(value)

    first = []
    for root in roots:
        visit(root, 0, first)
    pieces = first[::-1]
    for start in waiting:
        piece = []
        visit(start, 0, piece)
        pieces += piece[::-1]
    found = pieces[::-1]
    for value in found:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in reversed(found):
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += derivative * value.grad
