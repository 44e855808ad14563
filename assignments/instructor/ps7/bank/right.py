"""Right answers to ps7, each of another kind than the key's."""


# %% a_class_for_the_passes | right: each question by a small class, with copies everywhere.
# %% q1
class Forward:
    def __init__(self, loop, captured, most):
        self.loop, self.captured, self.most, self.saved = loop, captured, most, []

    def run(self, carry):
        while self.loop.condition(list(carry), self.captured):
            if len(self.saved) == self.most:
                raise RuntimeError("endless")
            self.saved.append(carry)
            carry = tuple(np.copy(x) for x in self.loop.body(list(carry), self.captured))
        return [list(x) for x in (*self.saved, carry)]


def run_loop(loop, start, captured, most=1000):
    return Forward(loop, captured, most).run(tuple(np.copy(x) for x in start))

# %% q2
class Backward:
    def __init__(self, loop, captured):
        self.loop, self.captured = loop, captured

    def fill(self, bar, value):
        full = np.zeros(np.shape(value))
        if bar is not None:
            full[...] = bar
        return full

    def step(self, carry, bars):
        into, _ = self.loop.body_vjp(carry, self.captured, bars)
        return [self.fill(bar, value) for bar, value in zip(into, carry)]


def carry_bars(loop, carries, captured, bars):
    back = Backward(loop, captured)
    every = [[back.fill(bar, value) for bar, value in zip(bars, carries[-1])]]
    for number in range(len(carries) - 2, -1, -1):
        every.insert(0, back.step(carries[number], every[0]))
    return every


# %% a_plain_good_student | right: what a good student writes after one reading, all questions.
# %% q1
def run_loop(loop, start, captured, most=1000):
    carries = [start]
    carry = start
    count = 0
    while loop.condition(carry, captured):
        if count >= most:
            raise RuntimeError("Too many iterations!")
        carry = loop.body(carry, captured)
        carries.append(carry)
        count += 1
    return carries

# %% q2
def carry_bars(loop, carries, captured, bars):
    n = len(carries) - 1
    result = [None] * (n + 1)
    result[n] = fix(bars, carries[n])
    for k in range(n - 1, -1, -1):
        c_bars, w_bars = loop.body_vjp(carries[k], captured, result[k + 1])
        result[k] = fix(c_bars, carries[k])
    return result

def fix(bars, carry):
    fixed = []
    for bar, value in zip(bars, carry):
        if bar is None:
            bar = np.zeros_like(value)
        fixed.append(bar)
    return fixed

# %% q3
def captured_bars(loop, carries, captured, bars):
    sums = [np.zeros(np.shape(w)) for w in captured]
    for k in range(len(carries) - 1):
        c_bars, w_bars = loop.body_vjp(carries[k], captured, bars[k + 1])
        for i in range(len(captured)):
            if w_bars[i] is not None:
                sums[i] += w_bars[i]
    return sums

# %% q4
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    start = [values[i] for i in start_at]
    captured = [values[i] for i in captured_at]
    start_bars, captured_bars = loop_vjp(start, captured, bars)
    result = []
    for v in values:
        result.append(np.zeros(np.shape(v)))
    for i, bar in zip(start_at, start_bars):
        if bar is not None:
            result[i] += bar
    for i, bar in zip(captured_at, captured_bars):
        if bar is not None:
            result[i] += bar
    return result

# %% q5
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    carry = [Dual(v, np.zeros(np.shape(v)) if d is None else d) for v, d in zip(start, start_dots)]
    w = []
    for v, d in zip(captured, captured_dots):
        w.append(Dual(v, np.zeros(np.shape(v)) if d is None else d))
    carries = [carry]
    while loop.condition([value_of(c) for c in carry], [value_of(x) for x in w]):
        carry = loop.body(carry, w)
        carries.append(carry)
    now = [np.zeros(np.shape(v)) if b is None else b for b, v in zip(bars, start)]
    sums = [np.zeros(np.shape(v)) for v in captured]
    for k in range(len(carries) - 2, -1, -1):
        c_bars, w_bars = loop.body_vjp(carries[k], w, now)
        now = [np.zeros(np.shape(v)) if b is None else b for b, v in zip(c_bars, start)]
        for i in range(len(sums)):
            if w_bars[i] is not None:
                sums[i] = sums[i] + w_bars[i]
    return [tangent_of(b) for b in now], [tangent_of(b) for b in sums]

# %% q6
def checkpointed_bars(loop, start, captured, bars, every):
    carry = start
    n = 0
    saved = {}
    while loop.condition(carry, captured):
        if n % every == 0:
            saved[n] = carry
        carry = loop.body(carry, captured)
        n += 1
    del carry
    now = [np.zeros(np.shape(v)) if b is None else b for b, v in zip(bars, start)]
    sums = [np.zeros(np.shape(v)) for v in captured]
    end = n
    for begin in sorted(saved, reverse=True):
        segment = [saved.pop(begin)]
        for k in range(begin, end - 1):
            segment.append(loop.body(segment[-1], captured))
        end = begin
        while segment:
            c_bars, w_bars = loop.body_vjp(segment.pop(), captured, now)
            now = [np.zeros(np.shape(v)) if b is None else b for b, v in zip(c_bars, start)]
            for i in range(len(sums)):
                if w_bars[i] is not None:
                    sums[i] += w_bars[i]
    return now, sums


# %% by_complex_numbers | right: a tangent is an imaginary part that no rounding can reach.
# %% q5
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    tiny = 1e-100

    def move(values, dots):
        return [x if d is None else x + 1j * tiny * d for x, d in zip(values, dots)]

    def zeros(found, values):
        return [np.zeros(np.shape(x)) if f is None else f for f, x in zip(found, values)]

    carry, inside, saved = move(start, start_dots), move(captured, captured_dots), []
    while loop.condition([np.real(x) if np.iscomplexobj(x) else x for x in carry], captured):
        saved.append(carry)
        carry = loop.body(carry, inside)
    now, totals = zeros(bars, start), zeros([None] * len(captured), captured)
    while saved:
        now, parts = loop.body_vjp(saved.pop(), inside, now)
        now = zeros(now, start)
        totals = [a + b for a, b in zip(totals, zeros(parts, captured))]
    return tuple([np.imag(x) / tiny for x in found] for found in (now, totals))


# %% checkpoints_in_a_dict | right: checkpoints by their number, and segments from a generator.
# %% q6
def checkpointed_bars(loop, start, captured, bars, every):
    saved, carry, n = {}, start, 0
    while loop.condition(carry, captured):
        if n % every == 0:
            saved[n] = carry
        carry, n = loop.body(carry, captured), n + 1
    carry = None

    def last_first(n):
        for first in sorted(saved, reverse=True):
            segment = {first: saved.pop(first)}
            for number in range(first + 1, n):
                segment[number] = loop.body(segment[number - 1], captured)
            n = first
            while segment:
                yield segment.popitem()[1]

    start_bars = [np.zeros(np.shape(x)) + (0 if bar is None else bar)
                  for bar, x in zip(bars, start)]
    totals = [np.zeros(np.shape(x)) for x in captured]
    for carry in last_first(n):
        into, parts = loop.body_vjp(carry, captured, start_bars)
        start_bars = [np.zeros(np.shape(x)) + (0 if bar is None else bar)
                      for x, bar in zip(carry, into)]
        for total, part in zip(totals, parts):
            total += 0 if part is None else part
    return start_bars, totals


# %% everything_is_dual | right: every number is a Dual, counts and seeds too.
# %% q4
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    given = [[values[at] for at in places] for places in (start_at, captured_at)]
    one, other = loop_vjp(*given, bars)
    where, what = [*start_at, *captured_at], [*one, *other]

    def total(number, x):
        mine = [bar for place, bar in zip(where, what) if place == number and bar is not None]
        return np.array(np.zeros(np.shape(x)) + sum(mine), dtype=float)

    return [total(number, x) for number, x in enumerate(values)]

# %% q5
class Passes:
    """A forward and a backward pass, with Duals alone."""

    def __init__(self, loop, captured):
        self.loop, self.captured, self.saved = loop, captured, []

    @staticmethod
    def lifted(values, dots):
        zeros = [np.zeros(np.shape(x)) for x in values]
        return [Dual(np.array(x), zero if dot is None else zero + dot)
                for x, dot, zero in zip(values, dots, zeros)]

    def forward(self, carry):
        plain = [x.value for x in self.captured]
        while self.loop.condition([value_of(x) for x in carry], plain):
            self.saved.append(list(carry))
            carry = self.loop.body(list(carry), list(self.captured))
        return carry

    def backward(self, bars):
        sums = self.lifted([np.zeros(np.shape(x.value)) for x in self.captured],
                           [None] * len(self.captured))
        while self.saved:
            carry = self.saved.pop()
            into, parts = self.loop.body_vjp(list(carry), list(self.captured), list(bars))
            bars = [Dual(np.zeros(np.shape(value_of(x))), np.zeros(np.shape(value_of(x))))
                    if b is None else b for b, x in zip(into, carry)]
            sums = [s if part is None else s + part for s, part in zip(sums, parts)]
        return bars, sums


def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    passes = Passes(loop, Passes.lifted(captured, captured_dots))
    end = passes.forward(Passes.lifted(start, start_dots))
    zeros = [np.zeros(np.shape(value_of(x))) for x in end]
    seeds = [zero if bar is None else zero + bar for bar, zero in zip(bars, zeros)]
    ends = passes.backward(Passes.lifted(seeds, [None] * len(seeds)))
    return tuple([np.array(tangent_of(x), dtype=float) for x in some] for some in ends)


# %% maps_and_reduce | right: maps, reduce and sums of stacks instead of loops over values.
# %% q1
from itertools import count as numbers


def run_loop(loop, start, captured, most=1000):
    kept = [list(start)]
    for n in numbers():
        if not loop.condition(kept[n], captured):
            return kept
        if n == most:
            raise RuntimeError("no end in sight")
        kept += [list(loop.body(kept[n], captured))]

# %% q2
from functools import reduce


def carry_bars(loop, carries, captured, bars):
    def as_floats(bar, x):
        return np.broadcast_to(np.asarray(0.0 if bar is None else bar, float), np.shape(x))

    def one_back(found, carry):
        into = loop.body_vjp(carry, captured, found[0])[0]
        return [list(map(as_floats, into, carry)), *found]

    *path, end = carries
    return reduce(one_back, reversed(path), [list(map(as_floats, bars, end))])

# %% q3
def captured_bars(loop, carries, captured, bars):
    stacks = [[np.zeros(np.shape(x))] for x in captured]
    for at in range(len(carries) - 1, 0, -1):
        for mine, part in zip(stacks, loop.body_vjp(carries[at - 1], captured, bars[at])[1]):
            mine.extend([] if part is None else [np.array(part, float)])
    return [np.sum(np.stack(mine), axis=0) for mine in stacks]


# %% generators | right: the passes as generators, the sums by functools; tuples for lists.
# %% q1
import itertools


def run_loop(loop, start, captured, most=1000):
    def steps():
        carry = start
        yield carry
        for count in itertools.count():
            if not loop.condition(carry, captured):
                return
            if count >= most:
                raise RuntimeError(f"not through after {count}")
            carry = loop.body(carry, captured)
            yield carry

    return tuple(steps())

# %% q3
from functools import reduce


def captured_bars(loop, carries, captured, bars):
    def contributions():
        for at in range(len(carries) - 1):
            yield loop.body_vjp(carries[at], captured, bars[at + 1])[1]

    def add(totals, parts):
        return [t if s is None else t + s for t, s in zip(totals, parts)]

    return tuple(reduce(add, contributions(), [np.zeros_like(x, dtype=float) for x in captured]))


# %% pairs_of_places | right: places and cotangents as one list of pairs, summed by value.
# %% q4
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    chosen = [[values[i] for i in places] for places in (start_at, captured_at)]
    outside, inside = loop_vjp(*chosen, bars)
    pairs = [*zip(start_at, outside), *zip(captured_at, inside)]

    def total(at):
        begin = np.zeros(np.shape(values[at]))
        return sum((bar for i, bar in pairs if i == at and bar is not None), begin)

    return [total(at) for at in range(len(values))]

# %% q1
def run_loop(loop, start, captured, most=1000):
    carries, carry = [], start
    for _ in range(most + 1):
        carries.append(carry)
        if not loop.condition(carries[-1], captured):
            return carries
        if len(carries) <= most:
            carry = loop.body(carry, captured)
    raise RuntimeError("more iterations than allowed")


# %% places_as_a_matrix | right: which value stands where, as a table of ones and zeros.
# %% q4
def value_bars(loop_vjp, values, start_at, captured_at, bars):
    places = list(start_at) + list(captured_at)
    chosen = [values[i] for i in places]
    k = len(start_at)
    answer = loop_vjp(chosen[:k], chosen[k:], list(bars))
    flat = [*answer[0], *answer[1]]
    here = np.array([[i == j for j in places] for i in range(len(values))], dtype=bool)
    found = []
    for value, row in zip(values, here.reshape(len(values), len(places))):
        mine = [np.asarray(flat[at], float) for at in np.flatnonzero(row) if flat[at] is not None]
        found.append(np.sum([np.zeros(np.shape(value)), *mine], axis=0))
    return found


# %% preallocated | right: the lists have their length before the pass.
# %% q2
def carry_bars(loop, carries, captured, bars):
    n = len(carries) - 1
    found = [[np.zeros(np.shape(x)) for x in carry] for carry in carries]
    for place, bar in zip(found[n], bars):
        place += 0 if bar is None else bar
    for k in reversed(range(n)):
        for place, bar in zip(found[k], loop.body_vjp(carries[k], captured, found[k + 1])[0]):
            if bar is not None:
                place[...] = bar
    return found

# %% q3
def captured_bars(loop, carries, captured, bars):
    n = len(carries) - 1
    table = [np.zeros((n, *np.shape(x))) for x in captured]
    for k in reversed(range(n)):
        for rows, part in zip(table, loop.body_vjp(carries[k], captured, bars[k + 1])[1]):
            rows[k] = 0.0 if part is None else part
    return [rows.sum(axis=0) for rows in table]


# %% the_last_segment_is_at_hand | right: the last segment is saved forward, and not run again.
# %% q6
def checkpointed_bars(loop, start, captured, bars, every):
    checkpoints, segment, carry = [], [], list(start)
    while loop.condition(carry, captured):
        if len(segment) == every:
            checkpoints.append(segment[0])
            segment = []
        segment.append(carry)
        carry = loop.body(carry, captured)
    carry = None
    now = full(bars, start)
    totals = full([None for _ in captured], captured)
    while True:
        for before in iter(lambda: segment.pop() if segment else None, None):
            into, parts = loop.body_vjp(before, captured, now)
            now = full(into, start)
            for at, part in enumerate(full(parts, captured)):
                totals[at] = totals[at] + part
        if not checkpoints:
            return now, totals
        segment.append(checkpoints.pop())
        while len(segment) < every:
            segment.append(loop.body(segment[-1], captured))


def full(bars, values):
    return [np.zeros(np.shape(v)) if b is None else 1.0 * np.array(b) for b, v in zip(bars, values)]


# %% values_and_tangents_apart | right: Duals are made for one call and taken apart after it.
# %% q5
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    def still(values):
        return [np.zeros(np.shape(x)) for x in values]

    def known(found, values):
        return [z if f is None else f for f, z in zip(found, still(values))]

    def apart(found):
        return [value_of(x) for x in found], [tangent_of(x) for x in found]

    def together(values, dots):
        return list(map(Dual, values, dots))

    values, dots = list(start), known(start_dots, start)
    inside = together(captured, known(captured_dots, captured))
    saved = []
    while loop.condition(values, captured):
        saved.append((values, dots))
        values, dots = apart(loop.body(together(values, dots), inside))
    bar, bar_dot = known(bars, start), still(start)
    total_dot = still(captured)
    for values, dots in saved[::-1]:
        into, parts = loop.body_vjp(together(values, dots), inside, together(bar, bar_dot))
        bar, bar_dot = apart(known(into, start))
        total_dot = [a + tangent_of(b) for a, b in zip(total_dot, known(parts, captured))]
    return bar_dot, total_dot


# %% for_else | right: a for with an else; a dict of cotangents by number.
# %% q1
def run_loop(loop, start, captured, most=1000):
    out = [list(start)]
    for _ in range(most):
        if not loop.condition(out[-1], captured):
            break
        out.append(loop.body(out[-1], captured))
    else:
        if loop.condition(out[-1], captured):
            raise RuntimeError("endless?")
    return out

# %% q2
def carry_bars(loop, carries, captured, bars):
    by_number = {len(carries) - 1: bars}
    for k in range(len(carries) - 1, -1, -1):
        by_number[k] = [np.zeros_like(x, dtype=float) if b is None else b
                        for x, b in zip(carries[k], by_number[k])]
        if k:
            by_number[k - 1] = loop.body_vjp(carries[k - 1], captured, by_number[k])[0]
    return [by_number[k] for k in range(len(carries))]


# %% everything_through_one_tape | right: a tape of closures, second order by the same.
# %% q5
def loop_hvp(loop, start, captured, bars, start_dots, captured_dots):
    def lift(values, dots):
        return [Dual(v, d if d is not None else 0.0 * v) for v, d in zip(values, dots)]

    w, carry, tape = lift(captured, captured_dots), lift(start, start_dots), []
    while loop.condition(list(map(value_of, carry)), list(map(value_of, w))):
        tape.append(lambda bars, carry=carry: loop.body_vjp(carry, w, bars))
        carry = loop.body(carry, w)
    fill = lambda bars, like: [0.0 * value_of(x) if b is None else b for b, x in zip(bars, like)]
    bars, sums = fill(bars, carry), fill([None] * len(w), w)
    while tape:
        bars, more = tape.pop()(bars)
        bars, sums = fill(bars, carry), [s + m for s, m in zip(sums, fill(more, w))]
    return tuple([tangent_of(b) for b in some] for some in (bars, sums))
