"""Right answers to ps7, each of another kind than the key's."""


# %% a_class_for_the_walk | right: each question by a small class.
# %% q1
class Walk:
    def __init__(self, loop, captured):
        self.loop, self.captured, self.behind = loop, captured, []

    def step(self, carry):
        self.behind.append(carry)
        fresh = tuple(np.copy(x) for x in carry)
        return tuple(np.copy(x) for x in self.loop.body(list(fresh), self.captured))


def run_loop(loop, start, captured, most=1000):
    walk, carry = Walk(loop, captured), tuple(np.copy(x) for x in start)
    while loop.condition(list(carry), captured):
        if len(walk.behind) == most:
            raise RuntimeError("endless")
        carry = walk.step(carry)
    return [list(x) for x in (*walk.behind, carry)]

# %% q2
class Back:
    def __init__(self, loop, captured):
        self.loop, self.captured = loop, captured

    def fill(self, bar, value):
        full = np.zeros(np.shape(value))
        if bar is not None:
            full[...] = bar
        return full

    def step(self, carry, bars):
        given = [np.copy(x) for x in carry], self.captured, [np.copy(x) for x in bars]
        into, parts = self.loop.back(*given)
        return [self.fill(bar, value) for bar, value in zip(into, carry)]


def walk_back(loop, carries, captured, bars):
    back = Back(loop, captured)
    last = [back.fill(bar, value) for bar, value in zip(bars, carries[-1])]
    every = [last]
    for number in range(len(carries) - 2, -1, -1):
        every.insert(0, back.step(carries[number], every[0]))
    return every


# %% arrays_like_the_start | right: each carry is written into new arrays like those of the start.
# %% q1
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [[np.array(x) for x in start]]
    while loop.condition(carries[-1], captured):
        if len(carries) > most:
            raise RuntimeError(f"the condition still holds after {most} iterations")
        carry = loop.body([np.array(x) for x in carries[-1]], captured)
        kept = [np.empty_like(x) for x in carries[0]]
        for there, x in zip(kept, carry):
            there[...] = x
        carries.append(kept)
    return carries


# %% by_complex_numbers | right: a movement is an imaginary part that no rounding can reach.
# %% q5
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    tiny = 1e-100

    def move(values, dots):
        pairs = zip(values, dots)  # counts stay whole
        return [x if d is None or x.dtype.kind != "f" else x + 1j * tiny * d for x, d in pairs]

    def zeros(found, values):
        return [np.zeros(np.shape(x)) if f is None else f for f, x in zip(found, values)]

    carry, inside, behind = move(start, start_dots), move(captured, captured_dots), []
    real = [np.real(x) if np.iscomplexobj(x) else x for x in inside]
    while loop.condition([np.real(x) if np.iscomplexobj(x) else x for x in carry], real):
        behind.append(carry)
        carry = loop.body(carry, inside)
    now, totals = zeros(bars, start), zeros([None] * len(captured), captured)
    while behind:
        now, shares = loop.back(behind.pop(), inside, now)
        now = zeros(now, start)
        totals = [a + b for a, b in zip(totals, zeros(shares, captured))]
    return tuple([np.imag(x) / tiny for x in found] for found in (now, totals))


# %% checkpoints_in_a_dict | right: checkpoints by their number, pieces by recursion over ranges.
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    saved, carry, n = {}, [np.array(x) for x in start], 0
    while loop.condition(carry, captured):
        if n % every == 0:
            saved[n] = carry
        carry, n = loop.body(carry, captured), n + 1
    del carry
    bar = [zero(x) if b is None else zero(x) + b for b, x in zip(bars, start)]
    total = [zero(x) for x in captured]
    for begin in sorted(saved, reverse=True):
        inside = [saved.pop(begin)]
        for _ in range(begin, min(begin + every, n) - 1):
            inside.append(loop.body(inside[-1], captured))
        for _ in range(len(inside)):
            found, shares = loop.back(inside.pop(), captured, bar)
            bar = [zero(x) if b is None else zero(x) + b for b, x in zip(found, start)]
            total = [t if s is None else t + s for t, s in zip(total, shares)]
    return bar, [np.array(t) for t in total]


def zero(x):
    return np.zeros(np.shape(x))


# %% everything_is_dual | right: every number is a Dual, counts and seeds too; sums by a table of
# places.
# %% q4
def value_bars(reverse, values, start_at, captured_at, bars):
    """The cotangent of each value, from those of the places where it stands."""
    given = [[values[at] for at in places] for places in (start_at, captured_at)]
    one, other = reverse(*given, bars)
    where, what = [*start_at, *captured_at], [*one, *other]

    def total(number, x):
        mine = [bar for place, bar in zip(where, what) if place == number and bar is not None]
        return np.array(np.zeros(np.shape(x)) + sum(mine), dtype=float)

    return [total(number, x) for number, x in enumerate(values)]

# %% q5
class Walk:
    """A run there and back, with Duals alone."""

    def __init__(self, loop, captured):
        self.loop, self.captured, self.crumbs = loop, captured, []

    @staticmethod
    def lifted(values, dots):
        zeros = [np.zeros(np.shape(x)) for x in values]
        return [Dual(np.array(x), still if dot is None else still + dot)
                for x, dot, still in zip(values, dots, zeros)]

    def there(self, carry):
        plain = [x.value for x in self.captured]
        while self.loop.condition([value_of(x) for x in carry], plain):
            self.crumbs.append(list(carry))
            carry = self.loop.body(list(carry), list(self.captured))
        return carry

    def back(self, bars):
        sums = self.lifted([np.zeros(np.shape(x.value)) for x in self.captured],
                           [None] * len(self.captured))
        while self.crumbs:
            carry = self.crumbs.pop()
            into, shares = self.loop.back(list(carry), list(self.captured), list(bars))
            bars = [Dual(np.zeros(np.shape(value_of(x))), np.zeros(np.shape(value_of(x))))
                    if b is None else b for b, x in zip(into, carry)]
            sums = [s if share is None else s + share for s, share in zip(sums, shares)]
        return bars, sums


def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    walk = Walk(loop, Walk.lifted(captured, captured_dots))
    end = walk.there(Walk.lifted(start, start_dots))
    zeros = [np.zeros(np.shape(value_of(x))) for x in end]
    seeds = [zero if bar is None else zero + bar for bar, zero in zip(bars, zeros)]
    ends = walk.back(Walk.lifted(seeds, [None] * len(seeds)))
    return tuple([np.array(dot_of(x), dtype=float) for x in some] for some in ends)


# %% flat_vectors_and_maps | right: maps, reduce and sums of stacks in place of loops over values.
# %% q1
from itertools import count as numbers


def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""

    def own(carry):
        return list(map(np.copy, carry))

    kept = [own(start)]
    for n in numbers():
        if not loop.condition(own(kept[n]), captured):
            return kept
        if n == most:
            raise RuntimeError("no end in sight")
        kept += [own(loop.body(own(kept[n]), captured))]

# %% q2
from functools import reduce


def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""

    def as_floats(bar, x):
        return np.broadcast_to(np.asarray(0.0 if bar is None else bar, float), np.shape(x)).copy()

    def one_back(found, carry):
        left = list(map(np.copy, found[0]))
        into = loop.back(list(map(np.copy, carry)), captured, left)[0]
        return [list(map(as_floats, into, carry)), *found]

    *path, end = carries
    return reduce(one_back, reversed(path), [list(map(as_floats, bars, end))])

# %% q3
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    shares = [[np.zeros(np.shape(x))] for x in captured]
    for at in range(len(carries) - 1, 0, -1):
        given = [[np.copy(x) for x in some] for some in (carries[at - 1], bars[at])]
        for mine, share in zip(shares, loop.back(given[0], captured, given[1])[1]):
            mine.extend([] if share is None else [np.array(share, float)])
    return [np.array(np.sum(np.stack(mine), axis=0)) for mine in shares]


# %% generators | right: the walks as generators, the sums by functools.
# %% q1
import itertools


def run_loop(loop, start, captured, most=1000):
    def steps():
        carry = fresh(start)
        yield carry
        for count in itertools.count():
            if not loop.condition(fresh(carry), captured):
                return
            if count >= most:
                raise RuntimeError(f"not through after {count}")
            carry = fresh(loop.body(fresh(carry), captured))
            yield carry

    return list(steps())


def fresh(values):
    return [np.array(x, copy=True) for x in values]

# %% q3
from functools import reduce


def captured_bars(loop, carries, captured, bars):
    def shares():
        for at in range(len(carries) - 1):
            given = map(np.array, carries[at]), map(np.array, bars[at + 1])
            yield loop.back(list(given[0]), captured, list(given[1]))[1]

    def add(totals, share):
        return [t if s is None else t + s for t, s in zip(totals, share)]

    zeros = [np.zeros_like(x, dtype=float) for x in captured]
    return [np.array(x) for x in reduce(add, shares(), zeros)]


# %% pairs_of_places | right: places and shares as one list of pairs, summed by value.
# %% q4
def value_bars(reverse, values, start_at, captured_at, bars):
    outside, inside = reverse([values[i] for i in start_at], [values[i] for i in captured_at], bars)
    shares = [*zip(start_at, outside), *zip(captured_at, inside)]

    def total(at):
        begin = np.zeros(np.shape(values[at]))
        return sum((bar for i, bar in shares if i == at and bar is not None), begin)

    return [total(at) for at in range(len(values))]

# %% q1
def run_loop(loop, start, captured, most=1000):
    carries = []
    carry = start
    for _ in range(most + 1):
        carries.append([np.array(x) for x in carry])
        if not loop.condition(carries[-1], captured):
            return carries
        if len(carries) <= most:
            carry = loop.body([np.array(x) for x in carry], captured)
    raise RuntimeError("more iterations than allowed")


# %% pieces_by_a_generator | right: generators of steps and of pieces; cotangents in arrays filled
# by number.
# %% q1
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""

    def steps(carry):
        yield tuple(x.copy() for x in carry)
        while loop.condition([x.copy() for x in carry], captured):
            carry = [np.array(x) for x in loop.body([x.copy() for x in carry], captured)]
            yield tuple(x.copy() for x in carry)

    found = []
    run = steps([np.array(x) for x in start])
    while len(found) <= most:
        try:
            found.append(list(next(run)))
        except StopIteration:
            return found
    if loop.condition([x.copy() for x in found[-1]], captured):
        raise RuntimeError(most)
    return found

# %% q2
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [[np.zeros(np.shape(x), float) for x in carry] for carry in carries]
    for number in range(len(carries) - 1, -1, -1):
        if number < len(carries) - 1:
            given = [x.copy() for x in map(np.asarray, carries[number])]
            bars, _ = loop.back(given, captured, [bar.copy() for bar in found[number + 1]])
        for mine, bar in zip(found[number], bars):
            mine[...] = 0 if bar is None else bar
    return found

# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    crumbs, carry, n = {}, start, 0
    while loop.condition(carry, captured):
        if n % every == 0:
            crumbs[n] = carry
        n, carry = n + 1, loop.body(carry, captured)
    start_bars = [np.zeros(np.shape(x)) for x in carry]
    for mine, bar in zip(start_bars, bars):
        mine += 0 if bar is None else bar
    carry = None

    def last_first(n):
        for first in sorted(crumbs, reverse=True):
            piece = {first: crumbs.pop(first)}
            for number in range(first + 1, n):
                piece[number] = loop.body(piece[number - 1], captured)
            n = first
            while piece:
                yield piece.popitem()[1]

    totals = [np.zeros(np.shape(x)) for x in captured]
    for carry in last_first(n):
        into, parts = loop.back(carry, captured, start_bars)
        start_bars = [np.zeros(np.shape(x)) + (0 if bar is None else bar)
                      for x, bar in zip(carry, into)]
        for mine, part in zip(totals, parts):
            mine += 0 if part is None else part
    return list(map(np.array, start_bars)), totals


# %% places_as_a_matrix | right: which value stands where, as a table of ones and zeros.
# %% q4
def value_bars(reverse, values, start_at, captured_at, bars):
    places = list(start_at) + list(captured_at)
    chosen = [values[i] for i in places]
    k = len(start_at)
    answer = reverse(chosen[:k], chosen[k:], list(bars))
    flat = [*answer[0], *answer[1]]
    here = np.array([[i == j for j in places] for i in range(len(values))], dtype=bool)
    found = []
    for value, row in zip(values, here.reshape(len(values), len(places))):
        mine = [np.asarray(flat[at], float) for at in np.flatnonzero(row) if flat[at] is not None]
        found.append(np.sum([np.zeros(np.shape(value)), *mine], axis=0))
    return found


# %% preallocated | right: the lists have their length before the walk.
# %% q2
def walk_back(loop, carries, captured, bars):
    n = len(carries) - 1
    found = [[np.zeros(np.shape(x), dtype=np.float64) for x in carry] for carry in carries]
    for place, bar in zip(found[n], bars):
        place += 0 if bar is None else bar
    for k in reversed(range(n)):
        given = [np.array(x) for x in carries[k]], captured, [x.copy() for x in found[k + 1]]
        for place, bar in zip(found[k], loop.back(*given)[0]):
            if bar is not None:
                place[...] = bar
    return found

# %% q3
def captured_bars(loop, carries, captured, bars):
    n = len(carries) - 1
    shares = [np.zeros((n, *np.shape(x))) for x in captured]
    for k in reversed(range(n)):
        given = [np.array(x) for x in carries[k]], captured, [np.array(b) for b in bars[k + 1]]
        for share, part in zip(shares, loop.back(*given)[1]):
            share[k] = 0.0 if part is None else part
    return [share.sum(axis=0) for share in shares]


# %% the_last_piece_is_at_hand | right: the last piece is kept on the way there, and not run again.
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    marks, piece, carry = [], [], list(start)
    while loop.condition(carry, captured):
        if len(piece) == every:
            marks.append(piece[0])
            piece = []
        piece.append(carry)
        carry = loop.body(carry, captured)
    carry = None
    now = full(bars, start)
    totals = full([None for _ in captured], captured)
    while True:
        for before in iter(lambda: piece.pop() if piece else None, None):
            into, parts = loop.back(before, captured, now)
            now = full(into, start)
            for at, part in enumerate(full(parts, captured)):
                totals[at] = totals[at] + part
        if not marks:
            return now, [np.asarray(t) for t in totals]
        piece.append(marks.pop())
        while len(piece) < every:
            piece.append(loop.body(piece[-1], captured))


def full(bars, values):
    return [np.zeros(np.shape(v)) if b is None else 1.0 * np.array(b) for b, v in zip(bars, values)]


# %% values_and_dots_apart | right: Duals are made for one call and taken apart after it.
# %% q5
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    def still(values):
        return [np.zeros(np.shape(x)) for x in values]

    def known(found, values):
        return [z if f is None else f for f, z in zip(found, still(values))]

    def apart(found):
        return [value_of(x) for x in found], [dot_of(x) for x in found]

    def together(values, dots):
        return list(map(Dual, values, dots))

    values, dots = list(start), known(start_dots, start)
    inside = together(captured, known(captured_dots, captured))
    trail = []
    while loop.condition(values, captured):
        trail.append((values, dots))
        values, dots = apart(loop.body(together(values, dots), inside))
    bar, bar_dot = known(bars, start), still(start)
    total_dot = still(captured)
    for values, dots in trail[::-1]:
        into, shares = loop.back(together(values, dots), inside, together(bar, bar_dot))
        bar, bar_dot = apart(known(into, start))
        total_dot = [a + dot_of(b) for a, b in zip(total_dot, known(shares, captured))]
    return [0.0 + x for x in bar_dot], [0.0 + x for x in total_dot]


# %% whole_numbers_are_no_duals | right: whole numbers stand still, so they are no Duals.
# %% q5
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, kept = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        kept.append(carry)
        carry = loop.body(carry, inside)
    now, totals = filled_in(bars, start), filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = filled_in(now, start)
        totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))


def duals(values, dots):
    pairs = zip(dots, values)
    return [x if np.asarray(x).dtype.kind == "i"
            else Dual(x, np.zeros(np.shape(x)) if dot is None else dot) for dot, x in pairs]


def filled_in(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in pairs]
