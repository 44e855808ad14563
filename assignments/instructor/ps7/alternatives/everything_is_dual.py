"""Full points: every number is a Dual, counts and seeds too; sums by a table of places."""
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
