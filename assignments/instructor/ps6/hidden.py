"""The hidden checks of ps6: other programs, blocks and networks."""

import itertools
import random
import weakref

import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import Mismatch, same
from minigrad.course.grading.student import during

CALLS = """
def after(function, *given):
    function(*given)
    return [[each, list(each)] for each in given]

def again(function, *given):
    function(*given).clear()
    return function(*given)

def refilled(function, given, then):
    function(*given)
    for each, new in zip(given, then):
        each.clear()
        each.update(new) if isinstance(each, dict) else each.extend(new)
    return function(*given)

def chain(names):
    return [{"name": name, "kind": "view" if t else "op", "reads": names[t - 1 : t], "bytes": 16}
            for t, name in enumerate(names)]

def all_fetched(function, n):
    names = [f"value{n + t}" for t in range(n)]
    return function(chain(names), names[::-1])

def all_read(function, n):
    names = [f"v{t}" for t in range(n)]
    ends = [{"name": f"o{t}", "kind": "op", "reads": names[-2:], "bytes": 16} for t in range(n)]
    found = function(chain(names) + ends, [])
    return [found.get(name) for name in ("v0", "o0", f"o{n - 1}")]
"""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def step(name, reads="", size=64, kind="op"):
    """Make one step of a program, as the notebook does."""
    return {"name": name, "kind": kind, "reads": reads.split(), "bytes": size}


def mapped(name, reads, size=64):
    """Make a step that works entry by entry."""
    return step(name, reads, size, "elementwise")


def view(name, reads, size=64):
    """Make a step whose value lies in the bytes of another one."""
    return step(name, reads, size, "view")


def aligned(size):
    """Round bytes up to a multiple of 16."""
    return (size + 15) // 16 * 16


def meets(one, other):
    """Say whether two blocks are live in a common step."""
    return one[1] <= other[2] and other[1] <= one[2]


def shown(found):
    """Show the beginning of a dict."""
    text = str(found)
    return text if len(text) < 160 else text[:160] + "…"


def told(program, fetches):
    """Write a program and its fetches in a line."""
    steps = [f"{one['name']} = {one['kind']}({' '.join(one['reads'])})" for one in program[:12]]
    more = "; …" if len(program) > 12 else ""
    return "; ".join(steps) + f"{more}, fetched: {', '.join(fetches[:12]) or 'nothing'}"


def expect_untouched(student, name, *given):
    """Fail where a call changes what it is given."""
    came = student.define(CALLS).after(student[name], *given)
    of = f"what {name} was given, after the call"
    expect(came, [[each, list(each)] for each in given], of=of,
           because="The call changes a dict or a list that it is given (rule 1).")


OLD = "A result of an earlier call is used again (rule 1)."
LONG = "It cannot follow a long chain of views (rule 4)."
NESTED = "It calls itself for each view of a long chain (rule 4)."
FLOATS = "Huge numbers become floats, which are rounded (rule 3)."


# what is right, and why an answer is not ---------------------------------------------------------


def bases_of(program):
    """Find the base of every value."""
    base = {}
    for one in program:
        base[one["name"]] = base[one["reads"][0]] if one["kind"] == "view" else one["name"]
    return base


def ranges_of(program, fetches):
    """Find the live ranges, value by value."""
    base, end = bases_of(program), len(program) - 1
    needed = {}
    for t, one in enumerate(program):
        for name in [one["name"], *one["reads"]]:
            needed.setdefault(base[name], []).append(t)
    for name in fetches:
        needed[base[name]].append(end)
    made = {one["name"]: t for t, one in enumerate(program) if one["kind"] != "view"}
    return {name: (t, max(needed[name])) for name, t in made.items()}


def cause_of_ranges(program, fetches, came, wanted):
    """Say what is wrong with live ranges."""
    if type(came) is not dict:
        return "The result is not a dict."
    if any(type(pair) not in (list, tuple) or len(pair) != 2 for pair in came.values()):
        return "A live range is not a pair of two steps."
    if {*came} - {*wanted}:
        return "A view has an entry, although it has no bytes of its own."
    if missing := {*wanted} - {*came}:
        alone = any(wanted[name][0] == wanted[name][1] for name in missing)
        return "A value that no step reads has no entry." if alone else "A value has no entry."
    name = next(name for name in wanted if not same(came[name], wanted[name]))
    (first, last), found, base = wanted[name], came[name], bases_of(program)
    if found[0] != first:
        return "A live range does not begin at the step that makes the value."
    if found[1] > last:
        return ("A value that no step reads lives longer than its own step." if first == last
                else "A value lives longer than until its last reader.")
    asked = [other for other in fetches if base[other] == name]
    if asked and last == len(program) - 1:
        return ("A fetched value does not live until the last step." if name in asked
                else "A fetched view does not keep its base until the last step.")
    if len({read for read in program[found[1]]["reads"] if base[read] == name}) > 1:
        return "A step that reads a value and a view of it counts as two readers."
    return cause_of_reader(program[last], name, program)


def cause_of_reader(reader, name, program):
    """Say which reader of a value was missed."""
    if name in reader["reads"]:
        if reader["kind"] == "view":
            return "Making a view does not count as reading its operand."
        return ("An operand after the first does not count as read."
                if reader["reads"][0] != name else "A value dies before its last reader.")
    operand = {one["name"]: one["reads"] for one in program}
    base = bases_of(program)
    through = [read for read in reader["reads"] if base[read] == name]
    if any(operand[read][0] == name for read in through):
        return "A step that reads a view does not count as a reader of the base."
    return "A view of a view does not lead to the base."


def problems_of(blocks, plan):
    """Find all that is wrong, by the cells that two blocks take."""
    found, cells = [], {}
    for name, (size, first, last) in blocks.items():
        if name not in plan:
            found.append(("missing", name))
        elif plan[name] % 16 != 0 or plan[name] < 0:
            found.append(("misaligned", name))
        else:
            rows = range(plan[name] // 16, (plan[name] + aligned(size)) // 16)
            cells[name] = {(t, row) for t in range(first, last + 1) for row in rows}
    pairs = itertools.combinations(sorted(cells), 2)
    return found + [("overlap", a, b) for a, b in pairs if cells[a] & cells[b]]


def cause_of_problems(blocks, plan, came, wanted):
    """Say what is wrong with a list of problems."""
    if type(came) is not list or any(type(one) not in (list, tuple) for one in came):
        return "The result is not a list of tuples."
    found = [tuple(map(str, one)) for one in came]
    if any(len(one) not in (2, 3) for one in found):
        return "A problem is not a tuple of the table."
    for word, a, *b in sorted({*wanted} - {*found}, key=str):
        if b and (word, *b, a) in found:
            return "The two names of an overlap are not in alphabetical order."
        if word == "missing":
            return "A block without an offset is not reported."
        if word == "misaligned":
            return ("A negative offset is not reported." if plan[a] < 0
                    else "An offset that is not a multiple of 16 is not reported.")
        reported = [pair for kind, *pair in found
                    if kind == "overlap" and len(pair) == 2 and {*pair} <= {*blocks}]
        return cause_of_missed_overlap(blocks, plan, a, *b, reported)
    for word, a, *b in sorted({*found} - {*wanted}, key=str):
        if word != "overlap" or len(b) != 1 or not {a, *b} <= {*blocks}:
            return "It reports a problem that the plan does not have."
        return cause_of_false_overlap(blocks, plan, a, *b)
    return "A problem is reported twice."


def share_one_step(blocks, a, b):
    """Say whether of two blocks that are not live in the same steps one begins where one ends."""
    (_, first, last), (_, other_first, other_last) = blocks[a], blocks[b]
    alike = (first, last) == (other_first, other_last)
    return (last == other_first or other_last == first) and not alike


def cause_of_missed_overlap(blocks, plan, a, b, reported):
    """Say why an overlap may have been missed, given the pairs that are reported."""
    (size, first, last), (other_size, other_first, other_last) = blocks[a], blocks[b]
    start, other_start = plan[a], plan[b]
    if max(start, other_start) >= min(start + size, other_start + other_size):
        return "Bytes are not rounded up to a multiple of 16."
    if share_one_step(blocks, a, b) and not any(
            share_one_step(blocks, *pair) for pair in reported):
        return "Blocks that share only one step do not count as overlapping."
    if len(blocks) == 2 and (size, start) == (other_size, other_start):
        within = first <= other_first <= other_last <= last or (
            other_first <= first <= last <= other_last)
        return ("A live range that lies within another one is missed." if within
                else "A live range that shares only some steps with another one is missed.")
    if start == other_start and (len(blocks) == 2 or blocks[a][1:] == blocks[b][1:]):
        return "Two blocks at the same offset do not count as overlapping."
    if len(blocks) > 2:
        return "Not every pair of blocks is compared."
    if start < other_start < other_start + other_size <= start + size or (
            other_start < start < start + size <= other_start + other_size):
        return "A block that lies within the bytes of another one is missed."
    return "A block that shares only a part of its bytes is missed, if it begins above or below."


def cause_of_false_overlap(blocks, plan, a, b):
    """Say why two blocks were wrongly taken for overlapping."""
    if any(name not in plan or plan[name] < 0 or plan[name] % 16 for name in (a, b)):
        return "A misaligned block is also reported as overlapping."
    if not blocks[a][0] or not blocks[b][0]:
        return "A block of 0 bytes is reported as overlapping."
    if not meets(blocks[a], blocks[b]):
        return "Blocks that are never live in the same step count as overlapping."
    return "Blocks count as overlapping although one ends where the other begins."


def bound_of(blocks, size=aligned, last=lambda last: last, most=None):
    """Find the most bytes at a step where one becomes live. Other arguments make known mistakes."""
    sums = [sum(sorted((size(block[0]) for block in blocks.values()
                        if block[1] <= t <= last(block[2])), reverse=True)[:most])
            for _, t, _ in blocks.values()]
    return max(sums, default=0)


def mistaken_bounds(blocks):
    """List known mistakes in the lower bound, each with its cause."""
    alike = dict(enumerate({*blocks.values()}))
    plain = bound_of(blocks, size=int)
    live, sums = [], [0]
    for size, first, last in blocks.values():
        live = [(end, bytes) for end, bytes in live if end >= first] + [(last, aligned(size))]
        sums.append(sum(bytes for _, bytes in live))
    return [
        (max(sums), "The blocks are taken in the order of the dict, not of time."),
        (bound_of(blocks, last=lambda last: last - 1), "A block does not count in its last step."),
        (bound_of(blocks, last=lambda last: last + 1),
         "A block still counts in the step after its last one."),
        (plain, "Bytes are not rounded up to a multiple of 16."),
        (aligned(plain), "The sum is rounded, not each block."),
        (bound_of(alike), "Blocks with the same numbers count as one."),
        (sum(aligned(size) for size, _, _ in blocks.values()),
         "All blocks are added, also those that are never live in the same step."),
        (bound_of(blocks, most=1), "Only the largest block counts."),
    ]


def places_of(blocks, mistake=""):
    """Place by first fit: at 0, or at the end of a block in the way, the lowest that is free; or
    with a known mistake."""
    plan, need = {}, int if mistake == "unrounded" else aligned
    sorts = {"sorted": lambda name: -blocks[name][0], "by birth": lambda name: blocks[name][1]}
    for name in sorted(blocks, key=sorts[mistake]) if mistake in sorts else blocks:
        size, first, last = blocks[name]
        way = [other for other in plan if meets(blocks[other], blocks[name])]
        if mistake == "touching":
            way = [other for other in way if blocks[other][1] < last and first < blocks[other][2]]
        spans = sorted((plan[other], plan[other] + need(blocks[other][0])) for other in way)
        top = max([end for _, end in spans], default=0)
        tried = sorted({0, *(end for _, end in spans)})
        tried = tried[1:] if mistake == "floor" and spans else tried
        free = [at for at in tried if all(
            end <= at or at + need(size) <= start or not size for start, end in spans)]
        gap = {at: min([start - at for start, _ in spans if start >= at], default=10**99)
               for at in free}
        down = 0
        for start, end in spans:
            if start - down >= need(size):
                break
            down = end
        wide = [at for at in free if gap[at] > need(size)]
        best = {"top": top, "down": down, "best": min(free, key=gap.get, default=0),
                "exact": min(wide, default=0)}
        plan[name] = best.get(mistake, min(free, default=0)) if size else 0
    return plan


MISPLACED = {
    "sorted": "The blocks are placed in another order than that of the dict.",
    "by birth": "The blocks are placed in the order of their first steps, not of the dict.",
    "best": "The smallest gap is taken, not the lowest one.",
    "floor": "The gap below the lowest block is not used.",
    "down": "The search goes down again after a block that ends below a higher one.",
    "exact": "A gap of exactly the block's size is not used.",
    "top": "A block is placed above all blocks in its way, and gaps below are not used.",
    "unrounded": "Bytes are not rounded up to a multiple of 16.",
    "touching": "Blocks that share only one step do not count as being in the way.",
}


def cause_of_places(blocks, came):
    """Say what is wrong with a plan that is not that of first fit."""
    wrong = fault_of_plan(blocks, came)
    if not wrong and any(came[name] for name, (size, _, _) in blocks.items() if not size):
        return "A block of 0 bytes does not get offset 0."
    for mistake, cause in MISPLACED.items():
        if came == places_of(blocks, mistake):
            return cause
    if same(came, places_of(blocks)):
        return FLOATS
    return wrong[1] if wrong else "A block does not lie at the lowest offset that is free for it."


def fault_of_plan(blocks, plan):
    """What is wrong with a plan, and the cause; or None."""
    if type(plan) is not dict or {*plan} != {*blocks}:
        return "other names", "The plan does not have exactly one offset for each block."
    if any(type(at) is not int or at < 0 for at in plan.values()):
        return "an offset", "An offset is negative, or not an int."
    if any(at % 16 for at in plan.values()):
        return "an offset", "An offset is not a multiple of 16: sizes are not rounded up."
    for t in {first for _, first, _ in blocks.values()}:
        there = sorted((plan[name], name) for name, (size, first, last) in blocks.items()
                       if size and first <= t <= last)
        for (low, a), (high, b) in itertools.pairwise(there):
            if low + aligned(blocks[a][0]) > high:
                return f"{a} and {b} overlap", cause_of_overlap(blocks, plan, a, b)
    return None


def cause_of_overlap(blocks, plan, low, high):
    """Say why a planner may have let two blocks overlap."""
    if plan[low] + blocks[low][0] <= plan[high]:
        return "Bytes are not rounded up to a multiple of 16."
    if blocks[low][2] == blocks[high][1] or blocks[high][2] == blocks[low][1]:
        return "Two blocks that share only one step lie in the same bytes."
    return "Two blocks that are live in the same step share bytes."


def in_place_of(program, fetches):
    """Apply the four rules, each as it is written."""
    over = {}
    for t, one in enumerate(program):
        for x in reversed(one["reads"]):
            if one["kind"] == "elementwise" and not broken_rule(program, fetches, t, x):
                over[one["name"]] = bases_of(program)[x]
    return over


def broken_rule(program, fetches, t, x):
    """Say what forbids step t to write over the base of its operand x; or nothing."""
    base, one = bases_of(program), program[t]
    size = {other["name"]: other["bytes"] for other in program}
    later = {(read, other["kind"]) for other in program[t + 1 :] for read in other["reads"]
             if base[read] == base[x]}
    if size[x] != one["bytes"]:
        return ("The aligned sizes are compared, not the bytes." if aligned(size[x]) == aligned(
            one["bytes"]) else "The operand may have another size than the result.")
    if size[base[x]] != one["bytes"]:
        return "The base may be larger than the result."
    names, kinds = {name for name, _ in later}, {kind for _, kind in later}
    if kinds == {"view"}:
        return "A later step that makes a view does not count as reading its operand."
    if later:
        return ("A value is written over before its last reader." if base[x] in names
                else "A value is written over although a later step reads a view of it.")
    if base[x] in fetches:
        return "A fetched value is written over."
    if any(base[name] == base[x] for name in fetches):
        return "A value is written over although a view of it is fetched."
    if any(y != x and base[y] == base[x] for y in one["reads"]):
        return "A value is written over although another operand lies in the same bytes."
    return ""


def cause_of_in_place(program, fetches, came, wanted):
    """Say what is wrong with the results that are written in place."""
    if type(came) is not dict or any(type(name) is not str for name in came.values()):
        return "The result is not a dict of names."
    base, steps = bases_of(program), {one["name"]: t for t, one in enumerate(program)}
    for name in [name for name in steps if came.get(name) != wanted.get(name)]:
        t, found = steps[name], came.get(name)
        one = program[t]
        if found is None:
            return cause_of_missed_place(one, wanted[name], base)
        if one["kind"] != "elementwise":
            return "A step that is not elementwise writes over its operand."
        if base.get(found, found) != found:
            return "A view is named instead of its base."
        over = [x for x in one["reads"] if base[x] == found]
        if not over:
            return "The first value of the bytes is named, not the base that the step reads."
        if broken := broken_rule(program, fetches, t, over[0]):
            return broken
        right = next(x for x in one["reads"] if base[x] == wanted[name])
        if one["reads"].count(right) > 1:
            return "The same operand, read twice, counts as two operands."
        return "A later operand is taken although an earlier one satisfies the rules."
    return "A name is reported that no step makes."


def cause_of_missed_place(one, wanted, base):
    """Say why a result that can be written in place may have been missed."""
    x = next(read for read in one["reads"] if base[read] == wanted)
    if one["reads"].count(x) > 1:
        return "The same operand, read twice, counts as two operands."
    if x != wanted:
        return "An operand that is a view of the whole base is not used."
    if one["reads"][0] != x:
        return "Only the first operand is tried."
    return "A result is not written in place although all four rules allow it."


def joined(program, fetches):
    """Make the blocks of a program, with one block for what is written in place."""
    ranges, over = ranges_of(program, fetches), in_place_of(program, fetches)
    owner, blocks = {}, {}
    for one in program:
        name = one["name"]
        if name in ranges:
            owner[name] = owner[over[name]] if name in over else name
            first = blocks[owner[name]][1] if name in over else ranges[name][0]
            blocks[owner[name]] = (one["bytes"], first, ranges[name][1])
    return blocks


# one question to the student's code, compared ----------------------------------------------------


def compare(came, wanted, of, find_cause):
    """Fail unless `came` is `wanted`, to the last digit; the cause is looked for only then."""
    if not same(came, wanted, 0):
        expect(came, wanted, because=find_cause(), of=of, tolerance=0)


def expect_ranges(student, program, fetches=()):
    """Compare live ranges."""
    fetches, of = list(fetches), f"live_ranges of {told(program, list(fetches))}"
    with during(of, because="It does not work for such a program."):
        came = student.live_ranges(program, fetches)
    wanted = ranges_of(program, fetches)
    compare(came, wanted, of, lambda: cause_of_ranges(program, fetches, came, wanted))


def expect_problems(student, blocks, plan, because=""):
    """Compare the problems of a plan, in any order, each once; `because` is for an exception."""
    of = f"problems({shown(blocks)}, {shown(plan)})"
    with during(of, because=because or "It does not work for such a plan."):
        came = student.problems(blocks, plan)
    wanted = sorted(problems_of(blocks, plan))
    expect_sorted(came, wanted, blocks, plan, of)


def expect_sorted(came, wanted, blocks, plan, of):
    """Compare a list of problems with the right ones, which are sorted."""
    found = came
    if type(came) is list and all(type(one) in (list, tuple) for one in came):
        found = sorted([tuple(map(str, one)) for one in came])
    compare(found, wanted, of, lambda: cause_of_problems(blocks, plan, came, wanted))


def expect_bound(student, blocks, because=""):
    """Compare the lower bound; `because` is for an exception."""
    of = f"lower_bound({shown(blocks)})"
    with during(of, because=because or "It does not work for such blocks."):
        came = student.lower_bound(blocks)
    if not same(came, wanted := bound_of(blocks), 0):
        cause = FLOATS if same(came, wanted) else "It is not the largest sum of sizes in one step."
        expect(came, wanted, cause, of=of, tolerance=0, mistakes=mistaken_bounds(blocks))


def expect_places(student, blocks):
    """Compare the offsets of first fit."""
    of = f"first_fit({shown(blocks)})"
    with during(of, because="It does not work for such blocks, of which there may be none."):
        came = student.first_fit(blocks)
    compare(came, places_of(blocks), of, lambda: cause_of_places(blocks, came))


def expect_in_place(student, program, fetches):
    """Compare what is written over what."""
    of = f"in_place of {told(program, fetches)}"
    with during(of, because="It does not work for such a program."):
        came = student.in_place(program, fetches)
    wanted = in_place_of(program, fetches)
    compare(came, wanted, of, lambda: cause_of_in_place(program, fetches, came, wanted))


def arena_of(blocks, came, of):
    """Find the size of a plan, once nothing in it is wrong."""
    if wrong := fault_of_plan(blocks, came):
        lines = [f"of        {of}", "expected  a plan without problems", f"came      {wrong[0]}"]
        raise Mismatch("\n".join(lines), of, wrong[1])
    return max([at + aligned(blocks[name][0]) for name, at in came.items()], default=0)


# what is asked -----------------------------------------------------------------------------------


def some_program(rng, length, sizes=(64, 64, 64, 60, 16, 128), whole=0.7):
    """Draw (steps, fetches): views of the whole, of parts and of views, operands read twice."""
    program, names = [], []
    for n in range(length):
        name = "".join(rng.choice(LETTERS) for _ in range(3)) + str(n)
        kind = rng.choice(["op", "op", *["elementwise"] * 3, "view"]) if n else "op"
        near = names[-5:]
        if kind == "view":
            reads = [rng.choice(near)]
            of = next(one["bytes"] for one in program if one["name"] == reads[0])
            size = of if rng.random() < whole else of // 2
        else:
            reads = [rng.choice(near) for _ in range(rng.randrange(4))] if near else []
            size = rng.choice(sizes)
        program.append({"name": name, "kind": kind, "reads": reads, "bytes": size})
        names.append(name)
    return program, [rng.choice(names) for _ in range(rng.randrange(3))]


def some_blocks(rng, count, steps=9, sizes=(16, 32, 48, 64, 80)):
    """Draw blocks, in any order of time."""
    blocks = {}
    for n in range(count):
        first = rng.randrange(steps)
        name = rng.choice(LETTERS) + str(n)
        blocks[name] = (rng.choice(sizes), first, first + rng.randrange(steps - first))
    return blocks


ANY_SIZE = (1, 15, 16, 17, 31, 32, 33, 40, 64, 80)
WITH_VIEWS = [step("b"), view("w", "b", 20), step("a", "w b w"), view("v", "a"), mapped("c", "v"),
              step("none"), mapped("d", "c c")]
WITH_ZEROS = {"none": (0, 2, 3), "b": (20, 0, 2), "a": (33, 1, 1), "zero": (0, 0, 2)}
WITH_ZEROS |= {"c": (7, 2, 4)}


def apart_and_together(rng):
    """Draw blocks that are never live at once, and the same names and bytes in one step."""
    sizes = {f"{rng.choice(LETTERS)}{n}": rng.randint(1, 99) for n in range(9)}
    apart = {name: (size, n, n) for n, (name, size) in enumerate(sizes.items())}
    return apart, {name: (size, 2, 5) for name, size in sizes.items()}


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=3, core=True,
                      hint="A value lives until the last step that reads it or a view of it.")
def test_readers_and_views(student, rng):
    """values, views, and views of views, read early and late"""
    for program in (
        [step("a"), step("b", "a"), step("c", "b a"), step("d", "c")],
        [step("a"), view("v", "a"), step("b", "a"), step("c", "b"), step("d", "v c")],
        [step("a"), view("v", "a"), view("w", "v", 8), step("b", "a"),
         view("u", "w", 8), step("c", "b"), step("d", "c u")],
        [step("a"), step("b", "a"), view("v", "b"), view("w", "a", 16),
         step("c", "v"), step("d", "w c"), step("e", "d")],
        [step("a"), step("b", "a"), step("c"), view("v", "a"), mapped("d", "b c")],
        [step("a"), view("v", "a"), mapped("b", "a v"), step("c", "b"), step("d", "v c")],
    ):
        expect_ranges(student, program)
    for _ in range(30):
        expect_ranges(student, some_program(rng, rng.randint(5, 30))[0])


@pytest.mark.question("q1", points=1, hint="The bytes of what is fetched live until the last step.")
def test_fetched(student, rng):
    """fetches in the middle, twice, of views, of all"""
    program = [step("a"), view("v", "a"), step("b", "v"), view("w", "v", 8),
               step("c", "b"), step("d", "c")]
    for fetches in ("d", "bb", "v", "wc", "avw", "avbwcd", "wwd", ""):
        expect_ranges(student, program, fetches)
    expect_ranges(student, [step("a"), step("b", "a"), step("late"), step("later")], ["b"])
    for _ in range(30):
        expect_ranges(student, *some_program(rng, rng.randint(5, 30)))


@pytest.mark.question("q1", points=0.5,
                      hint="It goes through the program, or a chain of views, again for each step, "
                           "or calls itself for each view (rule 4).")
def test_long_programs(student, rng):
    """40,000 steps: a chain of views, all of them fetched, or the last ones read"""
    short = [step("a"), view("v", "a"), view("w", "v"), step("b", "w"), step("c", "w")]
    expect_ranges(student, short, "wva")
    expect_ranges(student, short)
    long, count = student.define(CALLS), 40_000 + rng.randrange(99)
    with during("live_ranges of a value and 40,000 views", because=NESTED):
        came = student.without_recursion(long.all_fetched, student.live_ranges, count)
        expect(came, {f"value{count}": (0, count - 1)},
               LONG, of="live_ranges of a value and 40,000 views, all of them fetched")
    with during("live_ranges of 20,000 views and steps", because=NESTED):
        n = count // 4
        came = student.without_recursion(long.all_read, student.live_ranges, n)
        wanted = [(0, 2 * n - 1), (n, n), (2 * n - 1,) * 2]
        expect(came, wanted, LONG,
               of="live_ranges of 10,000 views and as many steps that read the last")


@pytest.mark.question("q1", points=0.5, corner=True, hint="Look at rule 1, and at no steps at all.")
def test_calls(student, rng):
    """no steps; the caller's lists; a second call"""
    expect_ranges(student, [])
    expect_ranges(student, [step("one", "", 0)], ["one", "one"])
    expect_untouched(student, "live_ranges", WITH_VIEWS, ["w", "d", "a", "w"])
    program, fetches = some_program(rng, 12)
    expect_ranges(student, program, fetches)
    expect_ranges(student, program[:5])
    calls = student.define(CALLS)
    expect(calls.again(student.live_ranges, program, fetches), ranges_of(program, fetches), OLD,
           of="a second call of live_ranges, after its first result was changed")
    came = calls.refilled(student.live_ranges, [program[:5], []], [program, fetches])
    expect(came, ranges_of(program, fetches), OLD,
           of="live_ranges of a list that has grown since the last call")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=3, core=True,
                      hint="Two blocks overlap if they share a step and, in it, a byte.")
def test_overlaps(student, rng):
    """one inside the other, side by side, one after the other, random plans"""
    blocks = {"d": (96, 2, 5), "c": (16, 0, 9), "b": (32, 3, 4), "a": (32, 6, 8)}
    pairs = [{"x": (32, *times), "y": (64, *other)} for times, other in (
        ((1, 4), (2, 3)), ((0, 5), (2, 8)), ((0, 2), (3, 4)), ((5, 8), (0, 4)))]
    touching = [{"x": (32, *times), "y": (64, *other)} for times, other in (
        ((0, 2), (2, 4)), ((2, 4), (0, 2)), ((0, 9), (9, 9)))]
    expect_pair(student, {"x": (32, 1, 4), "y": (64, 1, 4)})
    for times, other in itertools.permutations(((2, 6), (3, 4), (4, 8), (2, 4)), 2):
        if times[1] != other[0] and other[1] != times[0]:
            expect_problems(student, {"x": (32, *times), "y": (32, *other)}, {"x": 16, "y": 16})
    for pair in pairs:
        expect_pair(student, pair)
    for plan in ({"a": 32, "b": 32, "c": 48, "d": 0}, {"a": 0, "b": 0, "c": 0, "d": 0},
                 {"a": 96, "b": 96, "c": 128, "d": 0}, {"a": 0, "b": 96, "c": 0, "d": 0}):
        expect_problems(student, blocks, plan)
    expect_problems(student, {name: (48, 1, 4) for name in "cab"}, dict.fromkeys("abc", 32))
    for pair in touching:
        expect_pair(student, pair)
    for _ in range(40):
        blocks = some_blocks(rng, rng.randint(2, 12))
        expect_problems(student, blocks, {name: 16 * rng.randrange(12) for name in blocks})


def expect_pair(student, blocks):
    """Compare the problems of two blocks in several places."""
    for x, y in ((0, 16), (0, 32), (64, 0), (48, 0), (160, 160), (16, 0)):
        expect_problems(student, blocks, {"x": x, "y": y})


@pytest.mark.question("q2", points=1, hint="Bytes are rounded up, and offsets are multiples of 16.")
def test_misaligned(student, rng):
    """sizes and offsets that are not multiples of 16"""
    for size in (1, 15, 16, 17):
        blocks = {"b": (size, 0, 2), "a": (33, 0, 2)}
        for at in (0, 16, 32, 48):
            expect_problems(student, blocks, {"b": 16, "a": at})
    blocks = {name: (32, 0, 2) for name in "edcba"}
    expect_problems(student, blocks, {"a": -16, "b": 8, "c": 0, "d": 16, "e": -7})
    expect_problems(student, {"z": (16, 4, 4)}, {"z": 24})
    for _ in range(20):
        blocks = some_blocks(rng, 8, sizes=ANY_SIZE)
        expect_problems(student, blocks, {name: rng.choice([-16, 0, 4, 16, 32, 48, 64])
                                          for name in blocks})


@pytest.mark.question("q2", points=0.5,
                      hint="Each block needs an offset; the plan may have others.")
def test_missing(student, rng):
    """blocks without an offset, offsets without a block"""
    blocks = {name: (32, 0, 2) for name in "cba"}
    expect_problems(student, blocks, {})
    stranger = "A name of the plan is looked up in the blocks, although no block has it."
    expect_problems(student, blocks, {"stranger": 0, "b": 32}, because=stranger)
    expect_problems(student, {}, {"a": -3}, because=stranger)
    for _ in range(10):
        blocks = some_blocks(rng, 8)
        expect_problems(student, blocks, {name: 16 * rng.randrange(6) for name in blocks
                                          if rng.random() < 0.7})


@pytest.mark.question("q2", points=0.5, corner=True,
                      hint="Blocks may have 0 bytes, or more than a float counts (rules 1 and 3).")
def test_plan_corners(student, rng):
    """0 bytes; huge numbers; the caller's dicts; a second call"""
    blocks = {"b": (32, 0, 2), "a": (33, 1, 1), "zero": (0, 0, 2), "none": (0, 1, 1)}
    for at in (0, 16, 32):
        expect_problems(student, blocks, {"b": 0, "a": 32, "zero": at, "none": at})
    size, at = 16 * rng.randrange(2**60, 2**70) + 1, 16 * rng.randrange(2**60, 2**70)
    blocks = {"a": (size, 2, 10**12), "b": (1, 10**12, 10**13), "c": (1, 3, 3)}
    cause = "It does not work for huge numbers (rule 3)."
    for b, c, wanted in ((at + size + 15, at + 8, [("misaligned", "c")]),
                         (at + size - 1, at - 16, [("overlap", "a", "b")])):
        plan = {"a": at, "b": b, "c": c}
        with during("problems of huge blocks", because=cause):
            expect_sorted(student.problems(blocks, plan), wanted, blocks, plan,
                          "problems of huge blocks")
    plan = {"b": 8, "zero": 16, "x": -3, "c": 0}
    expect_problems(student, WITH_ZEROS, plan, because="It does not work for such a plan.")
    expect_untouched(student, "problems", WITH_ZEROS, plan)
    calls, given = student.define(CALLS), [{"a": (16, 0, 3), "b": (32, 1, 1)}, {"a": 32, "b": 0}]
    expect_problems(student, given[0], {"a": 0, "b": 0})
    came = calls.again(student.problems, given[0], {"a": 0, "b": 0})
    expect(came, [("overlap", "a", "b")], OLD, of="problems, a second time")
    came = calls.refilled(student.problems, given, [{"a": (16, 0, 3), "b": (33, 1, 1)}, given[1]])
    expect(came, [("overlap", "a", "b")], OLD, of="problems of dicts that have changed since")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=1.5, core=True,
                      hint="It is the largest sum of sizes in one step.")
def test_sums(student, rng):
    """the first and the last step, live ranges that touch, random blocks"""
    nested = {"a": (16, 0, 8), "b": (32, 1, 7), "c": (48, 2, 6), "d": (64, 3, 5), "e": (16, 9, 9)}
    late = {"a": (16, 4, 5), "b": (48, 5, 6), "c": (64, 6, 6), "d": (96, 9, 9), "e": (16, 9, 9)}
    early = {"a": (160, 0, 0), "b": (16, 0, 7), "c": (32, 2, 3), "d": (32, 4, 6)}
    touch = {"c": (48, 5, 6), "b": (48, 4, 5), "a": (80, 2, 3)}
    for blocks in (nested, {"a": (96, 3, 3)}, late, early, touch,
                   {"a": (32, 0, 2), "b": (32, 0, 2)}):
        expect_bound(student, blocks)
    for _ in range(30):
        expect_bound(student, some_blocks(rng, rng.randint(2, 20)))


@pytest.mark.question("q3", points=0.5,
                      hint="Round each size; where steps may be billions, look only at those "
                           "where a block begins.")
def test_alignment_and_long_ranges(student, rng):
    """sizes that are not multiples of 16, and huge ones; billions of steps; no blocks"""
    for blocks in ({name: (1, 0, 0) for name in LETTERS}, {"a": (17, 0, 1), "b": (31, 1, 1)}):
        expect_bound(student, blocks)
    expect_bound(student, {}, because="There may be no blocks (rule 5).")
    for _ in range(10):
        expect_bound(student, some_blocks(rng, rng.randint(1, 20), sizes=ANY_SIZE))
    expect_bound(student, {name: (2**60 * size + size // 16, first, last) for name, (
        size, first, last) in some_blocks(rng, 12).items()})
    shift = rng.randrange(10**11)
    expect_bound(student, {name: (size, shift + first * 10**8, shift + last * 10**8)
                           for name, (size, first, last) in some_blocks(rng, 30).items()},
                 because="It goes through all steps, but steps may be billions (rule 3).")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=1.5, core=True,
                      hint="Of all offsets that are free for the block, take the lowest.")
def test_lowest_offsets(student, rng):
    """other orders, gaps, blocks beside each other"""
    blocks = {"a": (304, 0, 0), "b": (96, 0, 1), "c": (400, 1, 1), "d": (64, 0, 9), "e": (16, 2, 2)}
    for between in (48, 32):
        expect_places(student, {"a": (32, 0, 1), "b": (between, 0, 0), "c": (16, 0, 1),
                                "d": (32, 1, 1)})
    for order in ("abcde", "cabde", "edcba", "dbeca"):
        expect_places(student, {name: blocks[name] for name in order})
    for size in (16, 32, 48):
        expect_places(student, {"a": (32, 0, 0), "b": (48, 0, 1), "c": (32, 0, 0), "d": (16, 0, 1),
                                "e": (size, 1, 1), "f": (size, 1, 1), "g": (16, 0, 3)})
    for blocks in (
        {"a": (64, 0, 1), "b": (16, 2, 3), "c": (32, 2, 3), "d": (16, 0, 3), "e": (48, 1, 2)},
        {"a": (160, 5, 9), "b": (16, 0, 4), "c": (16, 0, 9), "d": (16, 4, 5)},
        {"a": (16, 0, 2), "b": (16, 2, 4), "c": (16, 4, 5)},
    ):
        expect_places(student, blocks)
    for _ in range(40):
        expect_places(student, some_blocks(rng, rng.randint(5, 20), rng.choice([5, 9])))


@pytest.mark.question("q4", points=0.5, hint="Round each size up to a multiple of 16.")
def test_aligned_sizes(student, rng):
    """sizes that are not multiples of 16"""
    expect_places(student, {"a": (300, 0, 0), "b": (100, 0, 1), "c": (400, 1, 1)})
    for _ in range(20):
        expect_places(student, some_blocks(rng, rng.randint(2, 20), sizes=ANY_SIZE))


@pytest.mark.question("q4", points=0.5, corner=True,
                      hint="Do not try one offset after the other: sizes may be huge (rule 3).")
def test_fit_corners(student, rng):
    """no blocks; 0 bytes; huge numbers; the caller's dict; a second call"""
    for blocks in ({}, WITH_ZEROS, {"z": (0, 0, 9), "a": (16, 3, 3), "y": (0, 3, 3)},
                   {"a": (16, 0, 2), "d": (0, 0, 5), "c": (16, 2, 5)},
                   {"a": (16, 0, 0), "b": (32, 0, 2), "c": (16, 0, 0), "d": (0, 2, 2)}):
        expect_places(student, blocks)
    huge = {name: (10**18 * size + size % 3, 10**9 * first, 10**9 * last)
            for name, (size, first, last) in some_blocks(rng, 12).items()}
    expect_places(student, huge)
    expect_untouched(student, "first_fit", WITH_ZEROS)
    apart, together = apart_and_together(rng)
    calls = student.define(CALLS)
    expect_places(student, {name.upper(): block for name, block in together.items()})
    expect(calls.again(student.first_fit, together), places_of(together), OLD,
           of="a second call of first_fit, after its first result was changed")
    expect(calls.refilled(student.first_fit, [apart], [together]), places_of(together), OLD,
           of="first_fit of a dict that has changed since the last call")


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=3, core=True,
                      hint="The operand has the result's size, and nothing needs its bytes later.")
def test_written_over(student, rng):
    """chains; operands of other sizes; later readers and fetches, of the value or of a view"""
    chain = [step("a"), mapped("b", "a"), mapped("c", "b"), step("d", "c"), mapped("e", "d")]
    late = [step("a"), mapped("b", "a"), mapped("c", "b"), step("k", "a c"), step("s", "", 16),
            mapped("d", "s k")]
    looked = [step("a"), view("v", "a"), mapped("b", "v"), step("c", "b v"), mapped("d", "c")]
    whole = [step("a"), view("v", "a"), view("w", "v"), mapped("b", "w"), view("u", "b"),
             mapped("c", "u"), step("d", "b c")]
    deep = [step("a"), mapped("b", "a"), view("v", "b"), mapped("c", "v"), mapped("d", "c")]
    alone = [step("a"), mapped("b", "a"), view("v", "a"), mapped("c", "b"), mapped("d", "")]
    small = [step("a", "", 128), mapped("b", "a"), mapped("c", "b", 128)]
    for program in (chain, late, looked, whole, deep, alone, small):
        for fetches in ([program[-1]["name"]], [program[1]["name"]], ["a"], []):
            expect_in_place(student, program, fetches)
    for _ in range(60):
        program, fetches = without_shared_bytes(some_program(rng, 14, (64, 64, 16, 128), whole=1))
        expect_decided(student, program, fetches)
        expect_decided(student, program, [])


def expect_decided(student, program, fetches):
    """Compare what is written over what, unless a step could choose between two operands."""
    backwards = [one | {"reads": one["reads"][::-1]} for one in program]
    if in_place_of(program, fetches) == in_place_of(backwards, fetches):
        expect_in_place(student, program, fetches)


def without_shared_bytes(drawn):
    """Leave out the steps that read two operands in the same bytes, and those that read them."""
    program, names = [], set()
    for one in drawn[0]:
        base = bases_of(program)
        if {*one["reads"]} <= names and len({base[x] for x in one["reads"]}) == len(one["reads"]):
            program.append(one)
            names.add(one["name"])
    return program, [name for name in drawn[1] if name in names]


@pytest.mark.question("q5", points=1.5, hint="Rules 1 and 4 of the list are about parts and views.")
def test_parts_and_other_names(student, rng):
    """views of a part; a value beside a view of it; an operand twice"""
    part = [step("a", "", 128), view("v", "a"), mapped("b", "v"), mapped("c", "b")]
    middle = [step("a"), view("v", "a", 32), view("w", "v"), mapped("b", "w"), view("x", "b", 32),
              mapped("c", "x", 32)]
    for program in (part, middle):
        expect_in_place(student, program, [program[-1]["name"]])
    for reads in (("a", "v"), ("v", "a"), ("v", "w"), ("a", "a"), ("w", "w"), ("a", "o", "v"),
                  ("o", "o", "a", "v"), ("v", "o", "v"), ("o", "w", "o"), ("a", "v", "w", "o")):
        for size in (64, 16):
            program = [step("a"), view("v", "a", size), view("w", "v", size), step("o"),
                       mapped("r", " ".join(reads))]
            expect_in_place(student, program, ["r"])
    for _ in range(40):
        program, fetches = some_program(rng, rng.randint(4, 14), (64, 64, 32, 128))
        expect_decided(student, program, fetches)
        expect_decided(student, program, [])


@pytest.mark.question("q5", points=0.5, corner=True,
                      hint="60 bytes are not 64, and the first operand counts (rules 1 and 4).")
def test_in_place_corners(student, rng):
    """60 and 64 bytes; several operands; 40,000 steps; the caller's lists; a second call"""
    program = [step("a", "", 60), mapped("b", "a"), mapped("c", "b", 60), mapped("d", "c a", 60),
               mapped("e", "d b"), step("s", "", 0), mapped("f", "s e d", 60), mapped("g", "s", 0)]
    several = [step("a"), step("s", "", 16), step("b"), step("c"), mapped("d", "s b a c"),
               mapped("e", "c d"), mapped("f", "d e a")]
    for fetches in ([], ["a", "e", "e"], ["b"], ["c", "d"]):
        expect_in_place(student, program, fetches)
        expect_in_place(student, several, fetches)
    expect_in_place(student, [], [])
    for _ in range(20):
        expect_in_place(student, *some_program(rng, 10, sizes=(64, 60)))
    with during("in_place of 40,000 steps", because=NESTED):
        long = student.define(CALLS).all_fetched
        came = student.without_recursion(long, student.in_place, 40_000)
        expect(came, {}, LONG,
               of="in_place of a value and 40,000 views, all of them fetched")
    expect_untouched(student, "in_place", WITH_VIEWS, ["w", "a", "w"])
    calls, wanted = student.define(CALLS), in_place_of(several, ["f"])
    expect(calls.again(student.in_place, several, ["f"]), wanted, OLD,
           of="a second call of in_place, after its first result was changed")
    came = calls.refilled(student.in_place, [several[:5], ["d"]], [several, ["f"]])
    expect(came, wanted, OLD, of="in_place of a list that has grown since the last call")


# q6 ----------------------------------------------------------------------------------------------

# found and proved by measure.py: of each, the best of 500 random orders stays more than 3 % above
# the bound (in fact about 14), the largest first 10.5 %, the best of four sorted orders 7.5 %
SEEDS = [
    495, 682, 1191, 3185, 3966, 4064, 4840, 5355, 7559, 7776, 8937, 9300, 10551, 10590, 11013,
    11526, 11738, 12834, 13381, 15121, 17176, 18048, 23016,
]
PRIMES = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 47, 53, 61, 67, 83)
DRAWN, SECONDS = 4, 2  # networks, and processor time for each
ANY_BLOCKS = ("A plan must be right for any blocks, and for at most 60 of them found in a tenth of "
              "a second.")
RESULTS = weakref.WeakKeyDictionary()  # the checks of one question share what was planned


def network(seed):
    """Make the blocks of a network: every fourth value waits for a skip connection."""
    luck = random.Random(seed)

    def pick(n):
        return int(luck.random() * n)

    count, blocks = 150 + pick(251), {}
    for t in range(count):
        size = 16 * PRIMES[pick(len(PRIMES))] - pick(16)
        wait = 1 + pick(3) if pick(4) else 5 + pick(count // 3)
        blocks[f"v{t}"] = (size, t, min(t + wait, count - 1))
    return blocks


def contest(student, seeds):
    """Plan the networks once; (the mean distance to the lower bound in percent, the most seconds
    for one). Raises the same Mismatch again where a plan is wrong."""
    if (bench := student._channel) not in RESULTS:
        try:
            RESULTS[bench] = planned(student, seeds)
        except Mismatch as wrong:
            RESULTS[bench] = wrong
    if isinstance(RESULTS[bench], Mismatch):
        raise RESULTS[bench]
    return RESULTS[bench]


def planned(student, seeds):
    """Plan the networks: the mean distance in percent, and the most seconds for one."""
    distances, seconds, pack = [], [], student.pack
    for number, seed in enumerate(seeds, 1):
        blocks, begun, of = network(seed), student.seconds_used(), f"pack of network {number}"
        with during(of, because="It does not work for a network of some hundred blocks."):
            came = pack(blocks)
        seconds.append(student.seconds_used() - begun)
        distances.append(100 * (arena_of(blocks, came, of) / bound_of(blocks) - 1))
    return sum(distances) / len(distances), max(seconds)


def expect_distance(result, most, because):
    """Fail where the mean distance is larger than `most`, or a plan took too long."""
    mean, seconds = result
    if seconds > SECONDS:
        most, because = f"a plan in {SECONDS} s", "A plan takes more time than is allowed."
    elif mean <= most:
        return
    lines = ["of        the mean of the networks, % above the lower bound",
             f"expected  at most {most}", f"came      {mean:.2f}, {seconds:.1f} s for the slowest"]
    raise Mismatch("\n".join(lines), lines[0][10:], because)


@pytest.mark.question("q6", points=4, core=True,
                      hint="A plan must be right, and found in two seconds of processor time.")
def test_at_most_17(student, rng, measure):
    """four networks: right plans, at most 17 % above the lower bound"""
    result = contest(student, rng.sample(SEEDS, DRAWN))
    measure(result[0], f"% above the lower bound, {result[1]:.1f} of {SECONDS} s for the slowest")
    expect_distance(result, 17, "Small blocks are placed early, and large ones then find no gap.")


@pytest.mark.question("q6", points=1, hint="A plan must be right, and found in two seconds.")
def test_at_most_10(student, rng):
    """four networks, at most 10.5 %"""
    because = "It does not choose, for each network, the best of several sorted orders."
    expect_distance(contest(student, rng.sample(SEEDS, DRAWN)), 10.5, because)


@pytest.mark.question("q6", points=1, hint="A plan must be right, and found in two seconds.")
def test_at_most_7(student, rng):
    """four networks, at most 7.5 %"""
    because = "It does not improve its best order by small changes, or makes too few of them."
    expect_distance(contest(student, rng.sample(SEEDS, DRAWN)), 7.5, because)


@pytest.mark.question("q6", points=1, hint="A plan must be right, and found in two seconds.")
def test_at_most_5(student, rng):
    """four networks, at most 5 %"""
    because = "Its changes do not ask which blocks lie too high."
    expect_distance(contest(student, rng.sample(SEEDS, DRAWN)), 5, because)


@pytest.mark.question("q6", points=0.5, corner=True, hint=ANY_BLOCKS)
def test_odd_blocks(student, rng):
    """none, 0 bytes, huge ones, all alike; the caller's dict; a second call"""
    odd = [{}, {"a": (0, 0, 0)}, {"b": (0, 3, 9), "c": (0, 3, 3)}, {"x": (17, 5, 5)},
           {"d": (20, 3, 3), "e": (20, 3, 3)}, {"f": (10**12, 0, 10**12), "g": (1, 10**12, 10**13)},
           {name: (32, 0, 5) for name in LETTERS}, {f"v{n}": (24, n, n + 1) for n in range(60)},
           {f"v{n}": (rng.randrange(2**60, 2**70), n, n + 3) for n in range(9)}]
    odd += [some_blocks(rng, rng.randint(2, 30), sizes=(0, *ANY_SIZE)) for _ in range(9)]
    odd += [joined(*some_program(rng, 30)) for _ in range(3)]
    for blocks in odd:
        of = f"pack({shown(blocks)})"
        with during(of, because="It does not work for such blocks, of which there may be none."):
            came = student.pack(blocks)
        arena_of(blocks, came, of)
    expect_untouched(student, "pack", WITH_ZEROS)
    apart, together = apart_and_together(rng)
    calls = student.define(CALLS)
    arena_of(apart, student.pack(apart), "pack of blocks that are never live at once")
    second = (student.pack(together), calls.again(student.pack, together),
              calls.refilled(student.pack, [apart], [together]))
    for came in second:
        wrong = fault_of_plan(together, came)
        expect(wrong, None, OLD, of="a later call of pack, for other blocks of the same names")
