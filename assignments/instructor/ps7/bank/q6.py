"""Wrong answers to q6 of ps7."""


# %% a_mark_too_late | loses q6: a checkpoint is set after the iteration, and the walk thinks it was
# before.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        begun, carry = carry, loop.body(carry, captured)
        if count % every == 0:
            marks.append(carry if count else begun)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
        count = first
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            for total, part in zip(totals, float_bars(parts, captured)):
                total += part
    return now, totals


def float_bars(bars, values):
    """New arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


# %% a_piece_by_recursion | loses q6: a nested call for each iteration of a piece: a thousand of
# them are too deep.
def slopes_in_pieces(loop, start, captured, bars, every):
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)

    def through(carry, left, now):
        if left == 0:
            return now
        after = loop.body(carry, captured) if left > 1 else None
        now = through(after, left - 1, now)
        now, parts = loop.back(carry, captured, now)
        for total, part in zip(totals, float_bars(parts, captured)):
            total += part
        return float_bars(now, start)

    while marks:
        first = every * (len(marks) - 1)
        now = through(marks.pop(), count - first, now)
        count = first
    return now, totals


def float_bars(bars, values):
    pairs = zip(bars, values)
    return [np.array(bar, float) if bar is not None else np.zeros(np.shape(x)) for bar, x in pairs]


# %% asks_in_every_piece | loses q6: a piece is run while the condition holds.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        while loop.condition(piece[-1], captured) and first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
        count = first
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            for total, part in zip(totals, float_bars(parts, captured)):
                total += part
    return now, totals


def float_bars(bars, values):
    """New arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


# %% checkpoints_of_last_time | loses q6: keeps the checkpoints of a loop and start, though other
# values are captured next.
def slopes_in_pieces(loop, start, captured, bars, every, known={}):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    key = (id(loop), every, *(np.asarray(x).tobytes() for x in start))
    if key not in known:
        known.clear()  # one run is enough to keep
        crumbs, carry, n = [], list(start), 0
        while loop.condition(carry, captured):
            if n % every == 0:
                crumbs.append(carry)
            carry, n = loop.body(carry, captured), n + 1
        known[key] = (loop, crumbs, [np.shape(x) for x in carry], n)
    _, crumbs, shapes, n = known[key]
    bars = [np.zeros(s) if b is None else np.array(b, dtype=float) for b, s in zip(bars, shapes)]
    totals = [np.zeros(np.shape(x)) for x in captured]
    for number in reversed(range(len(crumbs))):
        piece = [crumbs[number]]
        while len(piece) < min(every, n - number * every):
            piece.append(loop.body(piece[-1], captured))
        while piece:
            into, parts = loop.back(piece.pop(), captured, bars)
            bars = [np.zeros(s) if b is None else np.array(b, dtype=float)
                    for b, s in zip(into, shapes)]
            totals = [np.array(t if p is None else t + p) for t, p in zip(totals, parts)]
    return bars, totals


# %% every_crumb | loses q6: all carries are kept on the way there.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count, crumbs = [], start, 0, []
    while loop.condition(carry, captured):
        crumbs.append(carry)
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
        count = first
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            for total, part in zip(totals, float_bars(parts, captured)):
                total += part
    return now, totals


def float_bars(bars, values):
    """New arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


# %% from_the_start_each_time | loses q6: each carry is made again from the start: no memory, n²
# calls.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    carry, count = start, 0
    while loop.condition(carry, captured):
        carry = loop.body(carry, captured)
        count += 1
    now, totals = filled(bars, start), filled([None] * len(captured), captured)
    for left in reversed(range(count)):
        carry = start
        for _ in range(left):
            carry = loop.body(carry, captured)
        now, parts = loop.back(carry, captured, now)
        now = filled(now, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return now, totals


def filled(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


# %% full_pieces_only | loses q6: the last piece, which may be shorter, is run too far.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        while len(piece) < every:
            piece.append(loop.body(piece[-1], captured))
        count = first
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            for total, part in zip(totals, float_bars(parts, captured)):
                total += part
    return now, totals


def float_bars(bars, values):
    """New arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


# %% none_beyond_a_thousand | loses q6: an error after a thousand iterations, as in q1; here no
# limit was said.
# %% q6 after the key
slopes_without_limit = slopes_in_pieces


def slopes_in_pieces(loop, start, captured, bars, every):
    asked = []

    def condition(carry, captured):
        asked.append(0)
        if len(asked) > 1001:
            raise RuntimeError("the loop does not end")
        return loop.condition(carry, captured)

    class Counted:
        pass

    counted = Counted()
    counted.condition, counted.body, counted.back = condition, loop.body, loop.back
    return slopes_without_limit(counted, start, captured, bars, every)


# %% none_stays_none | loses q6: no iteration: None comes back as None.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)
    kept = bool(marks)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
        count = first
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            for total, part in zip(totals, float_bars(parts, captured)):
                total += part
    return (now, totals) if kept else (list(bars), totals)


def float_bars(bars, values):
    """New arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


# %% old_pieces_are_kept | loses q6: what a piece has run is never forgotten.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now, pieces = float_bars(bars, start), []
    totals = float_bars([None] * len(captured), captured)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        pieces.append([])
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
            pieces[-1].append(piece[-1])
        count = first
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            for total, part in zip(totals, float_bars(parts, captured)):
                total += part
    return now, totals


def float_bars(bars, values):
    """New arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


# %% piece_within_a_piece | loses q6: each piece calls itself for the next: a thousand of them are
# too deep.
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


# %% pieces_in_order | loses q6: the first piece is walked back first.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)
    ends = [*range(every, count, every), count]
    for number, mark in enumerate(marks):
        first, count, piece = every * number, ends[number], [mark]
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            for total, part in zip(totals, float_bars(parts, captured)):
                total += part
    return now, totals


def float_bars(bars, values):
    """New arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


# %% pieces_of_ten_at_most | loses q6: a piece is never longer than ten, whatever `every` says.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    every = min(every, 10)
    crumbs, carry, n = [], list(start), 0
    while loop.condition(carry, captured):
        if n % every == 0:
            crumbs.append(carry)
        carry, n = loop.body(carry, captured), n + 1
    shapes = [np.shape(x) for x in carry]
    bars = [np.zeros(s) if b is None else np.array(b, dtype=float) for b, s in zip(bars, shapes)]
    totals = [np.zeros(np.shape(x)) for x in captured]
    while crumbs:
        piece = [crumbs.pop()]
        while len(piece) < min(every, n - len(crumbs) * every):
            piece.append(loop.body(piece[-1], captured))
        while piece:
            into, parts = loop.back(piece.pop(), captured, bars)
            bars = [np.zeros(s) if b is None else np.array(b, dtype=float)
                    for b, s in zip(into, shapes)]
            totals = [np.array(t if p is None else t + p) for t, p in zip(totals, parts)]
    return bars, totals


# %% shares_of_all_iterations | loses q6: the shares of the captured values are kept, and added up
# at the end.
# %% q6 after the key
def slopes_in_pieces(loop, start, captured, bars, every):
    marks, carry, count, shares = [], start, 0, []
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
        count = first
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            shares.append(float_bars(parts, captured))
    totals = float_bars([None] * len(captured), captured)
    return now, [sum(each, total) for total, *each in zip(totals, *shares)]


# %% the_first_value_counts | loses q6: takes the first carried value for the number of iterations.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    crumbs, carry = [], list(start)
    while loop.condition(carry, captured):
        if int(carry[0] - start[0]) % every == 0:
            crumbs.append(carry)
        carry = loop.body(carry, captured)
    n, shapes = int(carry[0] - start[0]), [np.shape(x) for x in carry]
    bars = [np.zeros(s) if b is None else np.array(b, dtype=float) for b, s in zip(bars, shapes)]
    totals = [np.zeros(np.shape(x)) for x in captured]
    while crumbs:
        piece = [crumbs.pop()]
        while len(piece) < min(every, n - len(crumbs) * every):
            piece.append(loop.body(piece[-1], captured))
        while piece:
            into, parts = loop.back(piece.pop(), captured, bars)
            bars = [np.zeros(s) if b is None else np.array(b, dtype=float)
                    for b, s in zip(into, shapes)]
            totals = [np.array(t if p is None else t + p) for t, p in zip(totals, parts)]
    return bars, totals


# %% the_seeds_come_back | loses q6: without an iteration the seeds themselves come back.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
        count = first
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            for total, part in zip(totals, float_bars(parts, captured)):
                total += part
    return now, totals


def float_bars(bars, values):
    """New arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.asarray(bar, float) for bar, x in pairs]


# %% totals_of_a_piece | loses q6: the captured values' sums begin anew in each piece.
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
        count = first
        totals = float_bars([None] * len(captured), captured)
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            for total, part in zip(totals, float_bars(parts, captured)):
                total += part
    return now, totals


def float_bars(bars, values):
    """New arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]
