"""Loses q6: each piece calls itself for the next: a thousand of them are too deep."""
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""

    def fill(bars, carry):
        return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float)
                for bar, x in zip(bars, carry)]

    sums = [np.zeros(np.shape(w)) for w in captured]

    def through(first):
        """The cotangents of the carry `first`, from which the rest of the way goes."""
        carry, length = first, 0
        while length < every and loop.condition(carry, captured):
            carry, length = loop.body(carry, captured), length + 1
        if length < every:
            left = fill(bars, carry)
        else:
            left = through(carry)
        piece = [first]
        while len(piece) < length:
            piece.append(loop.body(piece[-1], captured))
        for carry in reversed(piece[:length]):
            into, parts = loop.back(carry, captured, left)
            left = fill(into, carry)
            for total, part in zip(sums, parts):
                if part is not None:
                    total += part
        return left

    return through(list(start)), sums
