"""What students answer in lesson 09, wrong and right; test_lab_banks.py tells the form."""

RANGES = """
last = list(range(len(program)))
for step, (op, *inputs) in enumerate(program):
    for place in inputs:
        last[place] = step
return list(enumerate(last))
"""
BOUND = """
steps = range(1 + max(last for size, first, last in blocks))
return max(sum(size for size, first, last in blocks if first <= step <= last) for step in steps)
"""
FIT = """
offsets = []
for size, first, last in blocks:
    spans = sorted((at, at + n) for at, (n, a, b) in zip(offsets, blocks)
                   if a <= last and first <= b)
    place = 0
    for start, end in spans:
        if start - place >= size:
            break
        place = max(place, end)
    offsets.append(place)
return offsets
"""
LIVES = "first <= step <= last"
MEETS = "a <= last and first <= b"


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


SIGNATURES = {"live_ranges": "program", "lower_bound": "blocks", "first_fit": "blocks"}
WRONG_FUNCTIONS = {
    "live_ranges": [
        ("    ...", "Begin with a list"),
        ("return [(step, step) for step in range(len(program))]", "never_longer"),
        ("return [(step, len(program) - 1) for step in range(len(program))]", "to_the_end"),
        (
            """
            last = [len(program) - 1] * len(program)
            for step, (op, *inputs) in enumerate(program):
                for place in inputs:
                    last[place] = step
            return list(enumerate(last))
            """,
            "unread_to_the_end",
        ),
        (changed(RANGES, "list(enumerate(last))", "[(0, end) for end in last]"), "from_the_start"),
        (
            """
            ranges = []
            for step in range(len(program)):
                readers = [t for t, line in enumerate(program) if step in line[1:]]
                ranges.append((step, max([step, *[t - 1 for t in readers]])))
            return ranges
            """,
            "before_the_reader",
        ),
        (
            changed(RANGES, "list(enumerate(last))", "[(s, t + 1) for s, t in enumerate(last)]"),
            "one_more",
        ),
        (
            """
            ranges = []
            for step in range(len(program)):
                readers = [t for t, line in enumerate(program) if step in line[1:]]
                ranges.append((step, readers[0] if readers else step))
            return ranges
            """,
            "first_reader",
        ),
        (changed(RANGES, "last[place] = step", "last[place] += 1"), "Take one line"),
        (changed(RANGES, "last[place] = step", "last[step] = place"), "Take one line"),
        (changed(RANGES, "list(enumerate(last))", "dict(enumerate(last))"), "Return a list with"),
        (changed(RANGES, "list(enumerate(last))", "last"), "Return a list with"),
        (
            """
            ranges = [(step, step) for step in range(len(program))]
            for step, (op, *inputs) in enumerate(program):
                for place in inputs:
                    ranges[place][1] = step
            return ranges
            """,
            "Return a list with",
        ),
        (changed(RANGES, "last[place]", "last[place + 1]"), "Take one line"),
        (
            """
            last = {}
            for step, (op, *inputs) in enumerate(program):
                for place in inputs:
                    last[place] = step
            return [(step, last[step]) for step in range(len(program))]
            """,
            "A value that is never read needs",
        ),
        (changed(RANGES, "list(range(len(program)))", "[]"), "The places of a program"),
        (changed(RANGES, "(op, *inputs)", "(op, inputs)"), "A line holds an operation"),
        (changed(RANGES, "return list(enumerate(last))", "list(enumerate(last))"), "Does it end"),
        (changed(RANGES, "in inputs:", "in inputs[:1]:"), "Take one line"),
        (changed(RANGES, "in inputs:", "in inputs[:2]:"), "Take one line"),
        (
            """
            last, step = list(range(len(program))), 0
            while program:
                op, *inputs = program.pop(0)
                for place in inputs:
                    last[place] = step
                step += 1
            return list(enumerate(last))
            """,
            "The caller still needs",
        ),
    ],
    "lower_bound": [
        ("    ...", "For each step, add"),
        ("return sum(size for size, first, last in blocks)", "sum_of_all"),
        ("return max(size for size, first, last in blocks)", "largest_block"),
        (changed(BOUND, LIVES, "first <= step < last"), "end_left_out"),
        (changed(BOUND, LIVES, "step in (first, last)"), "ends_alone"),
        (changed(BOUND, "sum(size for", "sum(1 for"), "number_of_blocks"),
        (
            changed(BOUND, "1 + max(last for size, first, last in blocks)", "len(blocks)"),
            "as_many_steps_as_blocks",
        ),
        (
            """
            best = 0
            for size, first, last in blocks:
                best = max(best, sum(n for n, a, b in blocks if a <= last and first <= b))
            return best
            """,
            "meets_the_block",
        ),
        (changed(BOUND, "1 + max(", "max("), "Which blocks live"),
        (f"blocks.sort()\n{BOUND}", "The caller still needs"),
        (
            """
            live = {}
            while blocks:
                size, first, last = blocks.pop()
                for step in range(first, last + 1):
                    live[step] = live.get(step, 0) + size
            return max(live.values())
            """,
            "The caller still needs",
        ),
        (
            changed(BOUND, "max(last for size, first, last in blocks)", "blocks[-1][2]"),
            "Which blocks live",
        ),
        (changed(BOUND, "return max(", "return min("), "Which blocks live"),
        (changed(BOUND, "return max(sum(", "return list(sum("), "Return one number"),
        (
            changed(BOUND, "size, first, last in blocks if", "size, last in blocks if"),
            "A block has three",
        ),
        (changed(BOUND, "return max(", "max("), "Does it end with return"),
        (
            """
            total = 0
            for step in range(1 + max(b[2] for b in blocks)):
                total += sum(n for n, a, b in blocks if a <= step <= b)
            return total
            """,
            "Which blocks live",
        ),
    ],
    "first_fit": [
        ("    ...", "For each block, list the spans"),
        (
            """
            offsets, top = [], 0
            for size, first, last in blocks:
                offsets.append(top)
                top += size
            return offsets
            """,
            "one_on_another",
        ),
        (
            """
            offsets = []
            for size, first, last in blocks:
                ends = [at + n for at, (n, a, b) in zip(offsets, blocks)
                        if a <= last and first <= b]
                offsets.append(max(ends, default=0))
            return offsets
            """,
            "above_all_in_the_way",
        ),
        ("return [0] * len(blocks)", "Draw this case"),
        (changed(FIT, MEETS, "a < last and first < b"), "not_at_one_step"),
        (changed(FIT, "max(place, end)", "end"), "climbs_down"),
        (changed(FIT, "sorted(", "list("), "not_sorted"),
        (
            """
            offsets = []
            for size, first, last in blocks:
                spans = sorted((at, at + n) for at, (n, a, b) in zip(offsets, blocks)
                               if a <= last and first <= b)
                place, gaps = 0, []
                for start, end in spans:
                    if start - place >= size:
                        gaps.append((start - place, place))
                    place = max(place, end)
                offsets.append(min(gaps)[1] if gaps else place)
            return offsets
            """,
            "smallest_gap",
        ),
        (changed(FIT, "start - place >= size", "start - place > size"), "no_exact_gap"),
        (changed(FIT, MEETS, "first <= b"), "Draw this case"),
        (changed(FIT, MEETS, "a <= first <= b"), "Draw this case"),
        (f"blocks = sorted(blocks, reverse=True)\n{FIT}", "Draw this case"),
        (
            """
            order = sorted(range(len(blocks)), key=lambda i: -blocks[i][0])
            offsets, placed = [0] * len(blocks), []
            for i in order:
                size, first, last = blocks[i]
                place = 0
                for start, n, a, b in sorted(placed):
                    if a <= last and first <= b:
                        if start - place >= size:
                            break
                        place = max(place, start + n)
                offsets[i] = place
                placed.append((place, size, first, last))
            return offsets
            """,
            "Draw this case",
        ),
        (
            """
            offsets = []
            for size, first, last in blocks:
                place = 0
                for at, (n, a, b) in zip(offsets, blocks):
                    if a <= last and first <= b and at < place + size and place < at + n:
                        place = at + n
                offsets.append(place)
            return offsets
            """,
            "Draw this case",
        ),
        (
            """
            placed = []
            for size, first, last in blocks:
                place = 0
                for at, n, a, b in sorted(placed):
                    if a <= last and first <= b:
                        if place + size < at:
                            break
                        place = max(place, at + n)
                placed.append((place, size, first, last))
            return [at for at, *_ in placed]
            """,
            "no_exact_gap",
        ),
        (changed(FIT, "            break\n", "            pass\n"), "above_all_in_the_way"),
        (changed(FIT, "at + n)", "n)"), "Draw this case"),
        (changed(FIT, "return offsets", "return dict(enumerate(offsets))"), "Return a list with"),
        (changed(FIT, "return offsets", "return max(offsets)"), "Return a list with"),
        (
            """
            offsets = []
            for i, (size, first, last) in enumerate(blocks):
                place = 0
                for j in range(i + 1):
                    n, a, b = blocks[j]
                    if a <= last and first <= b:
                        place = max(place, offsets[j] + n)
                offsets.append(place)
            return offsets
            """,
            "Only the blocks before",
        ),
        (
            changed(FIT, "for size, first, last in blocks:", "for size, last in blocks:"),
            "A block has three",
        ),
        (changed(FIT, "return offsets", "offsets"), "Does it end with return"),
        (
            changed(FIT, "return offsets", "blocks.clear(); return offsets"),
            "The caller still needs",
        ),
    ],
}
RIGHT_FUNCTIONS = {
    "live_ranges": [
        RANGES,
        """
        ranges = [[step, step] for step in range(len(program))]
        for step, line in enumerate(program):
            for place in line[1:]:
                ranges[place][1] = step
        return ranges
        """,
        """
        return [(i, max([i] + [s for s, line in enumerate(program) if i in line[1:]]))
                for i in range(len(program))]
        """,
    ],
    "lower_bound": [
        BOUND,
        """
        live = {}
        for size, first, last in blocks:
            for step in range(first, last + 1):
                live[step] = live.get(step, 0) + size
        return max(live.values())
        """,
        """
        return max(sum(n for n, a, b in blocks if a <= first <= b) for _, first, _ in blocks)
        """,
        """
        events = sorted([(a, 1, n) for n, a, b in blocks] + [(b + 1, 0, -n) for n, a, b in blocks])
        now = most = 0
        for _, _, change in events:
            now += change
            most = max(most, now)
        return most
        """,
    ],
    "first_fit": [
        FIT,
        """
        placed = []
        for size, first, last in blocks:
            at = 0
            while True:
                hit = [o + n for o, n, a, b in placed
                       if a <= last and first <= b and o < at + size and at < o + n]
                if not hit:
                    break
                at = min(hit)
            placed.append((at, size, first, last))
        return [at for at, *_ in placed]
        """,
        """
        offsets = np.zeros(len(blocks), int)
        for i, (size, first, last) in enumerate(blocks):
            others = [(offsets[j], blocks[j][0]) for j in range(i)
                      if blocks[j][1] <= last and blocks[j][2] >= first]
            places = [0] + [at + n for at, n in others]
            offsets[i] = min(p for p in places
                             if all(p + size <= at or p >= at + n for at, n in others))
        return offsets
        """,
    ],
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with two numbers"),
        (3, "Write two numbers in brackets"),
        ("three, sixty", "Write two numbers in brackets"),
        ((2, 60), "Two frames are enough"),
        ((10, 60), "The first frame waits"),
        ((3, 30), "30 is the best k"),
        ((60, 3), "Exchange the two numbers"),
        ((3, 900), "That is the number without"),
        ((3, 450), "With every k-th result"),
        ((3, 32), "With every k-th result"),
    ],
}
RIGHT_VALUES = {"exit": [(3, 60), [3, 59], (3.0, 61), ("3", "60")]}
PREDICTIONS = {
    "rows": ([..., "up"], "lower"),
    "training": ([..., 64, "many"], 66),
    "updates": ([..., 64, "all"], 65),
}
