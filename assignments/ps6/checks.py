"""The visible checks of ps6: pytest functions over `student`, which answers for your code."""

import itertools
import random
import weakref

import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import Mismatch
from minigrad.course.grading.student import during

CALLS = """
def after(function, *given):
    function(*given)
    return [[each, list(each)] for each in given]

def again(function, *given):
    function(*given).clear()
    return function(*given)
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
NESTED = "It calls itself for each view of a long chain (rule 4)."


def expect_drawn(came, wanted, because, of, lines):
    """Compare, and draw what came below the message."""
    try:
        expect(came, wanted, because, of=of, tolerance=0)
    except Mismatch as error:
        raise Mismatch("\n".join([str(error), *lines]), error.of, error.because) from None


def expect_ranges(student, program, fetches, wanted, because=""):
    """Compare live ranges, with a line for each that is wrong."""
    came, end, lines = student.live_ranges(program, fetches), len(program), []
    if type(came) is dict and {*came} == {*wanted} and end <= 40:
        for name, life in wanted.items():
            if (found := as_range(came[name])) and found != list(life):
                lines.append(f"{name:<9} expected {line_of(life, end)} came {line_of(found, end)}")
    expect_drawn(came, wanted, because, f"live_ranges of {told(program, fetches)}", lines)


def as_range(found):
    """Turn a live range that came into [first, last]; None where it is not one."""
    right = type(found) in (list, tuple) and len(found) == 2
    return list(found) if right and all(type(t) is int for t in found) else None


def line_of(life, end):
    """Draw a live range as a line, with a mark for each step."""
    return "".join("█" if life[0] <= t <= life[1] else "·" for t in range(end))


def drawn(blocks, plan):
    """Draw a plan as lines: rows of 16 bytes, columns of steps, ✗ where two blocks overlap."""
    if type(plan) is not dict or any(type(at) is not int or at < 0 for at in plan.values()):
        return []
    end = max([last for _, _, last in blocks.values()], default=0) + 1
    top = max([plan[name] + aligned(blocks[name][0]) for name in blocks if name in plan], default=0)
    if end > 40 or top > 16 * 24:
        return []
    grid = [["·"] * end for _ in range(top // 16 + 1)]
    for number, name in enumerate(blocks):
        if name in plan:
            for row in range(plan[name] // 16, (plan[name] + aligned(blocks[name][0])) // 16):
                for t in range(blocks[name][1], blocks[name][2] + 1):
                    mark = name if len(name) == 1 else LETTERS[number % 26]
                    grid[row][t] = mark if grid[row][t] == "·" else "✗"
    rows = [f"{16 * row:>9} {' '.join(grid[row])}" for row in range(top // 16)]
    return ["the plan, step by step to the right:", *reversed(rows)]


def expect_problems(student, blocks, plan, wanted, because=""):
    """Compare the problems of a plan, in any order, each once."""
    came = student.problems(blocks, plan)
    of = f"problems({shown(blocks)}, {shown(plan)})"
    if type(came) is list and all(type(one) in (list, tuple) for one in came):
        came = sorted([tuple(map(str, one)) for one in came])
    expect_drawn(came, sorted(wanted), because, of, drawn(blocks, plan))


def expect_places(student, blocks, wanted, because=""):
    """Compare the offsets of first fit, and draw what came."""
    came = student.first_fit(blocks)
    expect_drawn(came, wanted, because, f"first_fit({shown(blocks)})", drawn(blocks, came))


def expect_in_place(student, program, fetches, wanted, because=""):
    """Compare what is written over what."""
    of = f"in_place of {told(program, fetches)}"
    expect(student.in_place(program, fetches), wanted, because, of)


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


def arena_of(blocks, came, of):
    """Find the size of a plan, once nothing in it is wrong."""
    if wrong := fault_of_plan(blocks, came):
        lines = [f"of        {of}", "expected  a plan without problems", f"came      {wrong[0]}"]
        lines += [f"perhaps   {wrong[1]}", *drawn(blocks, came)]
        raise Mismatch("\n".join(lines), of, wrong[1])
    return max([at + aligned(blocks[name][0]) for name, at in came.items()], default=0)


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=3, core=True)
def test_readers_and_views(student):
    """a value that two steps read; a view of a view"""
    skip = [step("a"), step("b", "a"), step("c", "b"), step("d", "c a")]
    expect_ranges(student, skip, [], {"a": (0, 3), "b": (1, 2), "c": (2, 3), "d": (3, 3)},
                  "A live range ends at the last reader.")
    program = [step("a"), view("v", "a"), view("w", "v"), step("b", "w"), step("c", "b")]
    expect_ranges(student, program, [], {"a": (0, 3), "b": (3, 4), "c": (4, 4)},
                  "A step that reads a view needs the bytes of its base. A view has no entry.")
    made = [step("a"), step("b", "a"), view("v", "a")]
    expect_ranges(student, made, [], {"a": (0, 2), "b": (1, 1)}, "Making a view reads its operand.")


@pytest.mark.question("q1", points=1)
def test_fetched(student):
    """a fetch in the middle; a view that is fetched"""
    program = [step("a"), step("b", "a"), view("v", "b"), step("c", "a"), step("d", "c")]
    wanted = {"a": (0, 3), "b": (1, 2), "c": (3, 4), "d": (4, 4)}
    expect_ranges(student, program, ["c", "c"], wanted,
                  "A fetched value lives until the last step, and only that.")
    expect_ranges(student, program, ["v"], {"a": (0, 3), "b": (1, 4), "c": (3, 4), "d": (4, 4)},
                  "The bytes of a fetched view are those of its base.")


@pytest.mark.question("q1", points=0.5)
def test_long_programs(student):
    """20,000 steps"""
    program = [step("v0")] + [view(f"v{n}", f"v{n - 1}") for n in range(1, 20_000)]
    with during("live_ranges of a value and 19,999 views", because=NESTED):
        came = student.without_recursion(student.live_ranges, program, ["v7"])
    expect(came, {"v0": (0, 19_999)}, "All views lead to v0.", of="live_ranges of 19,999 views")


@pytest.mark.question("q1", points=0.5, corner=True)
def test_calls(student):
    """no steps; the caller's lists; a second call"""
    expect_ranges(student, [], [], {}, "Rule 5: there may be no steps.")
    program = [step("a"), step("b", "a a")]
    expect_untouched(student, "live_ranges", program, ["a"])
    expect(student.define(CALLS).again(student.live_ranges, program, ["a"]),
           {"a": (0, 1), "b": (1, 1)}, OLD, of="a second call of live_ranges")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=3, core=True)
def test_overlaps(student):
    """blocks in the same place, at different times and at the same time"""
    blocks = {"a": (32, 0, 2), "b": (32, 3, 4), "c": (32, 1, 3)}
    expect_problems(student, blocks, {"a": 0, "b": 0, "c": 32}, [],
                    "No two share a byte in a step.")
    both = [("overlap", "a", "c"), ("overlap", "b", "c")]
    expect_problems(student, blocks, {"a": 0, "b": 0, "c": 0}, both, "Every pair is looked at.")
    blocks = {"a": (32, 0, 2), "b": (32, 2, 4)}
    expect_problems(student, blocks, {"a": 0, "b": 16}, [("overlap", "a", "b")],
                    "Both blocks are live in step 2.")
    expect_problems(student, blocks, {"a": 0, "b": 32}, [], "The bytes of a end where b begins.")


@pytest.mark.question("q2", points=1)
def test_misaligned(student):
    """20 bytes take 32; an offset of 8, and a negative one"""
    blocks = {"b": (20, 0, 2), "a": (16, 1, 1)}
    expect_problems(student, blocks, {"b": 0, "a": 16}, [("overlap", "a", "b")],
                    "20 bytes are aligned to 32.")
    expect_problems(student, blocks, {"b": -32, "a": 8}, [("misaligned", "a"), ("misaligned", "b")],
                    "Offsets are multiples of 16, and not negative.")


@pytest.mark.question("q2", points=0.5)
def test_missing(student):
    """a block without an offset, an offset without a block"""
    blocks = {"a": (32, 0, 2), "b": (32, 0, 2)}
    expect_problems(student, blocks, {"b": 16, "stranger": 16}, [("missing", "a")],
                    "Only a has no offset. Other names of the plan do not matter.")


@pytest.mark.question("q2", points=0.5, corner=True)
def test_plan_corners(student):
    """0 bytes; the caller's dicts; a second call"""
    blocks, plan = {"a": (32, 0, 2), "zero": (0, 0, 2)}, {"a": 8, "zero": 16}
    expect_problems(student, blocks, {"a": 0, "zero": 16}, [], "0 bytes share no byte.")
    expect_untouched(student, "problems", blocks, plan)
    expect(student.define(CALLS).again(student.problems, blocks, plan), [("misaligned", "a")], OLD,
           of="a second call of problems")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=1.5, core=True)
def test_sums(student):
    """three blocks, of which two are live at once"""
    blocks = {"a": (32, 0, 2), "b": (64, 3, 4), "c": (16, 1, 3)}
    expect(student.lower_bound(blocks), 80, "b and c are live in step 3.",
           of=f"lower_bound({blocks})")


@pytest.mark.question("q3", points=0.5)
def test_alignment_and_long_ranges(student):
    """bytes rounded up; millions of steps; no blocks"""
    blocks = {"a": (20, 0, 2), "b": (20, 2, 4)}
    expect(student.lower_bound(blocks), 64, "Both are live in step 2, and take 32 bytes each.",
           of=f"lower_bound({blocks})")
    blocks = {"a": (48, 5, 40_000_000), "b": (16, 90_000_000, 99_000_000), "c": (32, 7, 7)}
    of = f"lower_bound({blocks})"
    expect(student.lower_bound(blocks), 80, "Rule 3: steps may be huge.", of=of)
    expect(student.lower_bound({}), 0, "Rule 5: there may be no blocks.", of="lower_bound({})")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=1.5, core=True)
def test_lowest_offsets(student):
    """the largest last, and first; gaps; blocks beside each other"""
    last = {"a": (304, 0, 0), "b": (96, 0, 1), "c": (400, 1, 1)}
    expect_places(student, last, {"a": 0, "b": 304, "c": 400},
                  "Blocks are placed in the order of the dict, and c does not fit below b.")
    first = {"c": (400, 1, 1), "a": (304, 0, 0), "b": (96, 0, 1)}
    expect_places(student, first, {"c": 0, "a": 0, "b": 400}, "a and c are never live together.")
    gaps = {"a": (32, 0, 1), "b": (32, 0, 0), "c": (16, 0, 1), "d": (32, 1, 1), "e": (48, 1, 1)}
    expect_places(student, gaps, {"a": 0, "b": 32, "c": 64, "d": 32, "e": 80},
                  "d fits exactly between a and c, and e does not.")
    beside = {"a": (64, 0, 1), "b": (16, 2, 3), "c": (16, 2, 3), "d": (16, 0, 3)}
    expect_places(student, beside, {"a": 0, "b": 0, "c": 16, "d": 64},
                  "c begins above the floor of a and ends below its top.")


@pytest.mark.question("q4", points=0.5)
def test_aligned_sizes(student):
    """sizes that are not multiples of 16"""
    expect_places(student, {"a": (300, 0, 0), "b": (100, 0, 1), "c": (40, 1, 1)},
                  {"a": 0, "b": 304, "c": 0}, "300 bytes are aligned to 304.")


@pytest.mark.question("q4", points=0.5, corner=True)
def test_fit_corners(student):
    """no blocks; 0 bytes; huge blocks; the caller's dict; a second call"""
    expect_places(student, {}, {}, "Rule 5: there may be no blocks.")
    huge = {"a": (10**12, 0, 5), "b": (10**9, 3, 4), "c": (16, 4, 9), "e": (0, 0, 9)}
    wanted = {"a": 0, "b": 10**12, "c": 10**12 + 10**9, "e": 0}
    expect_places(student, huge, wanted, "Rule 3: sizes may be huge, or 0.")
    expect_untouched(student, "first_fit", huge)
    expect(student.define(CALLS).again(student.first_fit, huge), wanted, OLD,
           of="a second call of first_fit")


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=3, core=True)
def test_written_over(student):
    """a chain; another size; a later reader, and one of a view; fetches"""
    chain = [step("a"), mapped("b", "a"), mapped("c", "b"), step("d", "c"), mapped("e", "d")]
    expect_in_place(student, chain, ["e"], {"b": "a", "c": "b", "e": "d"},
                    "Only an elementwise step writes in place, over the base that it reads.")
    later = [step("a"), step("s", "", 16), mapped("b", "a s"), mapped("c", "b s"),
             mapped("d", "a c")]
    expect_in_place(student, later, ["d"], {"c": "b", "d": "a"}, "d reads a again, and s is small.")
    expect_in_place(student, later, ["d", "b"], {"d": "a"}, "b is fetched.")
    looked = [step("a"), view("v", "a"), mapped("b", "v"), step("c", "v")]
    expect_in_place(student, looked, ["c"], {}, "c reads the same bytes later.")
    expect_in_place(student, looked[:3], ["b"], {"b": "a"}, "The base is named, not the view.")
    expect_in_place(student, looked[:3], ["b", "v"], {}, "A view of a is fetched.")


@pytest.mark.question("q5", points=1.5)
def test_parts_and_other_names(student):
    """a value beside a view of it; an operand twice; a view of a part"""
    program = [step("a"), view("v", "a", 16), mapped("b", "a v")]
    expect_in_place(student, program, ["b"], {}, "v is lost when its part of a is written over.")
    twice = [step("a"), mapped("b", "a a")]
    expect_in_place(student, twice, ["b"], {"b": "a"}, "The same operand twice counts as one.")
    part = [step("a", "", 128), view("v", "a"), mapped("b", "v")]
    expect_in_place(student, part, ["b"], {}, "The base is larger than the result.")


@pytest.mark.question("q5", points=0.5, corner=True)
def test_in_place_corners(student):
    """two operands that would do; 60 and 64 bytes; the caller's lists; a second call"""
    program = [step("a"), step("b"), mapped("c", "b a"), mapped("d", "c", 60)]
    expect_in_place(student, program, ["d"], {"c": "b"},
                    "The first of them in reads is taken, and 60 bytes are not 64.")
    expect_in_place(student, [], [], {}, "Rule 5: there may be no steps.")
    expect_untouched(student, "in_place", program, ["d"])
    expect(student.define(CALLS).again(student.in_place, program, ["d"]), {"c": "b"}, OLD,
           of="a second call of in_place")


# q6 ----------------------------------------------------------------------------------------------

SEEDS = [1630, 2944, 7653]
BOUNDS = [6560, 14512, 12512]  # the lower bounds of these networks
PRIMES = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 47, 53, 61, 67, 83)
SECONDS = 2  # of processor time, for each network
FEW_BLOCKS = "For at most 60 blocks, a call may take a tenth of a second."
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


def contest(student):
    """Plan the networks once; (the mean distance to the lower bound in percent, the most seconds
    for one). Raises the same Mismatch again where a plan is wrong."""
    if (bench := student._channel) not in RESULTS:
        try:
            RESULTS[bench] = planned(student)
        except Mismatch as wrong:
            RESULTS[bench] = wrong
    if isinstance(RESULTS[bench], Mismatch):
        raise RESULTS[bench]
    return RESULTS[bench]


def planned(student):
    """Plan the networks: the mean distance in percent, and the most seconds for one."""
    distances, seconds, pack = [], [], student.pack
    for seed, bound in zip(SEEDS, BOUNDS, strict=True):
        blocks, begun, of = network(seed), student.seconds_used(), f"pack(network({seed}))"
        with during(of, because="It does not work for a network of some hundred blocks."):
            came = pack(blocks)
        seconds.append(student.seconds_used() - begun)
        distances.append(100 * (arena_of(blocks, came, of) / bound - 1))
    return sum(distances) / len(distances), max(seconds)


def expect_distance(result, most, because):
    """Fail where the mean distance is larger than `most`, or a plan took too long."""
    mean, seconds = result
    if seconds > SECONDS:
        most, because = f"a plan in {SECONDS} s", "A plan takes more time than is allowed."
    elif mean <= most:
        return
    lines = ["of        the mean of the networks, % above the lower bound",
             f"expected  at most {most}", f"came      {mean:.2f}, {seconds:.1f} s for the slowest",
             f"perhaps   {because}"]
    raise Mismatch("\n".join(lines), lines[0][10:], because)


@pytest.mark.question("q6", points=4, core=True)
def test_at_most_17(student, measure):
    """three networks: right plans, at most 17 % above the lower bound"""
    result = contest(student)
    measure(result[0], f"% above the lower bound, {result[1]:.1f} of {SECONDS} s for the slowest")
    expect_distance(result, 17, "Small blocks are placed early, and large ones then find no gap.")


@pytest.mark.question("q6", points=1)
def test_at_most_10(student):
    """three networks, at most 10.5 %"""
    because = "Another sorted order is better for some networks."
    expect_distance(contest(student), 10.5, because)


@pytest.mark.question("q6", points=1)
def test_at_most_7(student):
    """three networks, at most 7.5 %"""
    expect_distance(contest(student), 7.5, "Small changes of the best order help.")


@pytest.mark.question("q6", points=1)
def test_at_most_5(student):
    """three networks, at most 5 %"""
    expect_distance(contest(student), 5, "Which blocks lie too high, and what would help them?")


@pytest.mark.question("q6", points=0.5, hint=FEW_BLOCKS, corner=True)
def test_odd_blocks(student):
    """none, 0 bytes, huge ones, equal ones; the caller's dict"""
    odd = [{}, {"a": (0, 0, 0)}, {"a": (20, 3, 3), "b": (20, 3, 3)}, {"a": (10**12, 0, 10**12)},
           {name: (32, 0, 5) for name in "abcdefgh"}, {"a": (16, 0, 2), "b": (16, 2, 3)}]
    for blocks in odd:
        arena_of(blocks, student.pack(blocks), of=f"pack({shown(blocks)})")
    expect_untouched(student, "pack", odd[2])
