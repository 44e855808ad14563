"""Measure planning strategies on the networks of q6, and prove that these are hard.

`python measure.py` tells, of each strategy, the distance to the lower bound in percent over all
networks of hidden.py: the mean, the least and the most, and the processor time for one network. Its
exit status is 1 where a network is easier than hidden.py says. `python measure.py 30000 31000`
looks for more such seeds.
"""

import random
import sys
import time

from hidden import SEEDS, aligned, network

SIZE, LIFE, PRODUCT, BIRTH = range(4)


def prepare(blocks):
    """(aligned sizes, the other blocks that are live with each, sorted orders, lower bound)."""
    size, first, last = zip(*blocks.values(), strict=True)
    count, need = range(len(size)), list(map(aligned, size))
    beside = [
        [m for m in count if m != n and first[m] <= last[n] and first[n] <= last[m]] for n in count
    ]
    bound = max(need[n] + sum(need[m] for m in beside[n] if first[m] <= first[n]) for n in count)
    life = [last[n] - first[n] + 1 for n in count]
    weights = [size, life, [size[n] * life[n] for n in count], [-t for t in first]]
    orders = [sorted(count, key=weight.__getitem__, reverse=True) for weight in weights]
    return need, beside, orders, bound


def place(order, need, beside):
    """Place by first fit: (the arena, the offsets)."""
    offsets = [None] * len(need)
    for n in order:
        at = 0
        for start, end in sorted(
            [(offsets[m], offsets[m] + need[m]) for m in beside[n] if offsets[m] is not None]
        ):
            if start - at >= need[n]:
                break
            at = max(at, end)
        offsets[n] = at
    return max(map(sum, zip(offsets, need, strict=True))), offsets


def one_order(which):
    """Make the strategy of one sorted order."""
    return lambda need, beside, orders, bound, luck: place(orders[which], need, beside)[0]


def best_order(need, beside, orders, bound, luck):
    """Try the four sorted orders."""
    return min(place(order, need, beside)[0] for order in orders)


def shuffles(count):
    """Make the strategy of random orders."""

    def strategy(need, beside, orders, bound, luck):
        order = list(orders[BIRTH])
        return min(place(luck.sample(order, len(order)), need, beside)[0] for _ in range(count))

    return strategy


def changes(count, swap):
    """Make the strategy that changes the best order by moves or swaps of one block."""

    def strategy(need, beside, orders, bound, luck):
        order = min(orders, key=lambda order: place(order, need, beside)[0])
        best = place(order, need, beside)[0]
        for _ in range(count):
            other, i, j = list(order), luck.randrange(len(order)), luck.randrange(len(order))
            if swap:
                other[i], other[j] = other[j], other[i]
            else:
                other.insert(j, other.pop(i))
            if (found := place(other, need, beside)[0]) <= best:
                order, best = other, found
        return best

    return strategy


def blame(count):
    """Make the strategy where blocks that end above the bound come earlier next time."""

    def strategy(need, beside, orders, bound, luck):
        order = min(orders, key=lambda order: place(order, need, beside)[0])
        urgency, best = [-order.index(n) for n in range(len(order))], []
        for _ in range(count):
            arena, offsets = place(order, need, beside)
            best.append(arena)
            for n, at in enumerate(offsets):
                urgency[n] += (at + need[n] > bound) * luck.random() * len(order) / 20
            order = sorted(order, key=urgency.__getitem__, reverse=True)
        return min(best)

    return strategy


STRATEGIES = {
    "order of birth": one_order(BIRTH),
    "largest first": one_order(SIZE),
    "best of four orders": best_order,
    "200 random orders": shuffles(200),
    "500 random orders": shuffles(500),
    "300 moves": changes(300, swap=False),
    "300 swaps": changes(300, swap=True),
    "blame, 100 times": blame(100),
    "blame, 300 times": blame(300),
    "blame, 1000 times": blame(1000),
}
BOUNDS = {
    "order of birth": 17, "largest first": 10.5, "best of four orders": 7.5, "500 random orders": 3,
}


def distance(name, seed):
    """The distance of a strategy to the lower bound of one network in percent, and its seconds."""
    begun, prepared = time.process_time(), prepare(network(seed))
    arena = STRATEGIES[name](*prepared, random.Random(seed))
    return 100 * (arena / prepared[-1] - 1), time.process_time() - begun


def main(given):
    """Print the table of strategies, or new seeds; 1 where a network is too easy."""
    if given:
        for seed in range(*map(int, given)):
            if all(distance(name, seed)[0] > least for name, least in BOUNDS.items()):
                print(seed)
        return 0
    easy = []
    for name in STRATEGIES:
        found, seconds = zip(*(distance(name, seed) for seed in SEEDS), strict=True)
        easy += [
            (name, seed)
            for seed, far in zip(SEEDS, found, strict=True)
            if far <= BOUNDS.get(name, -1)
        ]
        print(
            f"{name:<20} {sum(found) / len(found):6.2f} {min(found):6.2f} {max(found):6.2f} %"
            f" {sum(seconds) / len(seconds):6.2f} s",
            flush=True,
        )
    print(f"too easy: {easy or 'none'}")
    return 1 if easy else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
