"""Loses q4: recursion down to 500 values, and what lies there begins the next piece: a value
that the first piece has met passes on there, though a user in the second one is still to come."""

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
