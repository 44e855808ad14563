"""The hidden checks of ps6: other programs, blocks and nets."""

import itertools
import weakref

import pytest

from minigrad.course.grading import expect

CALLS = """
import copy

def kept(function, *given):
    before = copy.deepcopy(given)
    function(*given)
    return given == before and [list(each) for each in given] == [list(each) for each in before]

def again(function, spoil, *given):
    first = function(*given)
    wanted = copy.deepcopy(first)
    spoil_result(first, spoil)
    return function(*given) == wanted

def spoil_result(found, spoil):
    if isinstance(found, dict):
        found[spoil] = found.get(spoil)
        found.pop(next(iter(found)))
    elif isinstance(found, list):
        found.append(spoil)

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
    alone = [found.pop(f"o{t}") for t in range(n)]
    return [found, [tuple(life) for life in alone] == [(n + t, n + t) for t in range(n)]]

def refilled(function, given, then):
    function(*given)
    for each, new in zip(given, then):
        each.clear()
        each.update(new) if isinstance(each, dict) else each.extend(new)
    return function(*given)
"""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def step(name, reads="", size=64, kind="op"):
    """One step of a program, as the notebook makes it."""
    return {"name": name, "kind": kind, "reads": reads.split(), "bytes": size}


def mapped(name, reads, size=64):
    """A step that works entry by entry."""
    return step(name, reads, size, "map")


def view(name, reads, size=64):
    """Another look at the bytes of another value."""
    return step(name, reads, size, "view")


def up_to_16(size):
    """Bytes as they are handed out."""
    return (size + 15) // 16 * 16


def keeps_what_it_is_given(student, name, *given):
    """The caller's dicts and lists stay as they are; a second call knows nothing of the first."""
    calls = student.define(CALLS)
    expect(calls.kept(student[name], *given), True, of=f"whether {name} leaves what it is given")
    expect(calls.again(student[name], "spoilt", *given), True,
           of=f"whether {name} says the same again, after its first result was changed")


def second_call(student, name, given, then):
    """What comes of `then`, which lies in the dicts and lists that a first call was `given`."""
    return student.define(CALLS).refilled(student[name], list(given), list(then))


def numbers_of(came, names, of):
    """A dict that came, once it has an int for each of the names and for nothing else."""
    right = type(came) is dict and {*came} == {*names}
    if not right or any(type(value) is not int for value in came.values()):
        raise AssertionError(f"of        {of}\nexpected  an offset for each of "
                             f"{', '.join(names) or 'none'}\ncame      {came!s:.200}")
    return came


def expect_drawn(came, wanted, because, of, lines):
    """What `expect` does, and lines that draw what came below its message."""
    try:
        expect(came, wanted, because, of=of)
    except AssertionError as error:
        raise AssertionError("\n".join([str(error), *lines])) from None


def expect_lives(student, program, fetches, wanted, because=""):
    """The lives of a program, with a line for each that is wrong."""
    came = student.lives(program, fetches)
    end, lines = len(program), []
    if type(came) is dict and {*came} == {*wanted} and end <= 40:
        for name, life in wanted.items():
            if (found := as_life(came[name])) and found != list(life):
                lines.append(f"{name:<9} expected {line_of(life, end)} came {line_of(found, end)}")
    of = "lives of " + told(program) + f", fetched: {', '.join(fetches) or 'nothing'}"
    expect_drawn(came, wanted, because, of, lines)


def as_life(found):
    """[first, last] of a life that came, or None."""
    right = type(found) in (list, tuple) and len(found) == 2
    return list(found) if right and all(type(t) is int for t in found) else None


def line_of(life, end):
    """A life as a line, a mark for each step."""
    return "".join("█" if life[0] <= t <= life[1] else "·" for t in range(end))


def told(program):
    """A program in a line."""
    steps = [f"{one['name']} = {one['kind']}({' '.join(one['reads'])})" for one in program[:12]]
    return "; ".join(steps) + ("; …" if len(program) > 12 else "")


def drawn(blocks, plan):
    """The plan as lines: rows of 16 bytes, columns of steps, ✗ where two lie in one place."""
    end = max([last for _, _, last in blocks.values()], default=0) + 1
    ends = [plan[name] + up_to_16(blocks[name][0]) for name in blocks if name in plan]
    top = max(ends, default=0)
    if end > 40 or top > 16 * 24 or min(plan.values(), default=0) < 0:
        return []
    grid = [["·"] * end for _ in range(top // 16 + 1)]
    for number, name in enumerate(blocks):
        if name in plan:
            for row in range(plan[name] // 16, (plan[name] + up_to_16(blocks[name][0])) // 16):
                for t in range(blocks[name][1], blocks[name][2] + 1):
                    mark = name if len(name) == 1 else LETTERS[number % 26]
                    grid[row][t] = mark if grid[row][t] == "·" else "✗"
    rows = [f"{16 * row:>9} {' '.join(grid[row])}" for row in range(top // 16)]
    return ["the plan, step by step to the right:", *reversed(rows)]


def expect_problems(student, blocks, plan, wanted, because=""):
    """The problems of a plan, in any order, each once."""
    came = student.problems(blocks, plan)
    of = f"problems({shown(blocks)}, {shown(plan)})"
    if type(came) is list and all(type(one) in (list, tuple) for one in came):
        came = sorted([tuple(map(str, one)) for one in came])
    expect_drawn(came, sorted(wanted), because, of, drawn(blocks, plan))


def shown(found):
    """The beginning of a dict."""
    text = str(found)
    return text if len(text) < 160 else text[:160] + "…"


def expect_places(student, blocks, wanted, because=""):
    """The offsets of first_fit, with a drawing of what came."""
    of = f"first_fit({shown(blocks)})"
    came = numbers_of(student.first_fit(blocks), blocks, of)
    expect_drawn(came, wanted, because, of, drawn(blocks, came))


def arena_of(blocks, came, of):
    """The size of a plan that came, once nothing in it is wrong."""
    plan, said = numbers_of(came, blocks, of), ""
    for name, at in plan.items():
        if at < 0 or at % 16:
            said = f"{name} lies at {at}"
    for t in {first for _, first, _ in blocks.values()}:
        there = [name for name in blocks if blocks[name][1] <= t <= blocks[name][2]]
        there = sorted((plan[name], plan[name] + up_to_16(blocks[name][0]), name)
                       for name in there if blocks[name][0])
        for (_, above, low), (at, _, high) in itertools.pairwise(there):
            if above > at:
                said = f"{low} and {high} share bytes in step {t}"
    if said:
        lines = [f"of        {of}", "expected  a plan without problems", f"came      {said}"]
        raise AssertionError("\n".join(lines + drawn(blocks, plan)))
    return max([plan[name] + up_to_16(blocks[name][0]) for name in blocks], default=0)


def some_net(pick):
    """Blocks of a made-up net; pick(n) is a number below n."""
    count, base = 8 + pick(25), 64 << pick(3)
    kind, blocks = pick(4), {}
    for n in range(count):
        size = (base, 2 * base, base // 2, 1 + pick(4 * base), base + pick(40))[pick(5)]
        near, far = n + 1 + pick(2), max(n + 1, count - n)
        back = 2 * count - n if pick(3) else near
        last = (near, far if pick(3) else near, n + pick(12), back)[kind]
        blocks[f"v{n}"] = (size, n, min(last, 2 * count if kind == 3 else count))
        if kind == 3:  # the way back
            blocks[f"g{n}"] = (size, 2 * count - n, min(2 * count - n + pick(3), 2 * count))
    return blocks


PLANNED = weakref.WeakKeyDictionary()  # the checks of one question share what was planned


def expect_distance(student, nets, bounds, most):
    """The mean distance to the lower bounds in percent, once it is known and small enough."""
    bench = student._channel
    if bench not in PLANNED:
        found = [arena_of(net, student.pack(net), of=f"pack of net {number}") / bound - 1
                 for number, (net, bound) in enumerate(zip(nets, bounds, strict=True))]
        PLANNED[bench] = 100 * sum(found) / len(found), found.index(max(found)), 100 * max(found)
    mean, worst, its = PLANNED[bench]
    if mean > most:
        raise AssertionError(f"of        the mean of {len(nets)} nets, % above the lower bound\n"
                             f"expected  at most {most}\ncame      {mean:.2f}\n"
                             f"worst     net {worst}: {its:.1f}")
    return mean


def expect_in_place(student, program, fetches, wanted, because=""):
    """What is written over what."""
    of = f"in_place of {told(program)}, fetched: {', '.join(fetches) or 'nothing'}"
    expect(student.in_place(program, fetches), wanted, because, of=of)


# what is right -----------------------------------------------------------------------------------


def lives_of(program, fetches):
    """The lives, asked value by value."""
    base, born, wanted = {}, {}, {}
    for t, one in enumerate(program):
        if one["kind"] == "view":
            base[one["name"]] = base[one["reads"][0]]
        else:
            base[one["name"]], born[one["name"]] = one["name"], t
        for read in one["reads"]:
            wanted.setdefault(base[read], []).append(t)
    for name in fetches:
        wanted.setdefault(base[name], []).append(len(program) - 1)
    return {name: (t, max(wanted.get(name, [t]))) for name, t in born.items()}


def problems_of(blocks, plan):
    """All that is wrong, by the cells that two blocks take."""
    found, cells = [], {}
    for name, (size, first, last) in blocks.items():
        if name not in plan:
            found.append(("lost", name))
        elif plan[name] % 16 != 0 or plan[name] < 0:
            found.append(("odd", name))
        else:
            rows = range(plan[name] // 16, (plan[name] + up_to_16(size)) // 16)
            cells[name] = {(t, row) for t in range(first, last + 1) for row in rows}
    names = sorted(cells)
    return found + [("clash", a, b) for a in names for b in names if a < b and cells[a] & cells[b]]


def bound_of(blocks):
    """The most bytes at a step at which one is born."""
    return max([sum(up_to_16(size) for size, first, last in blocks.values() if first <= t <= last)
                for _, t, _ in blocks.values()], default=0)


def places_of(blocks):
    """First fit: zero, or the end of one in the way, whichever is the lowest that is free."""
    plan = {}
    for name, (size, first, last) in blocks.items():
        spans = [(plan[other], plan[other] + up_to_16(blocks[other][0])) for other in plan
                 if blocks[other][1] <= last and first <= blocks[other][2]]
        tried = [0, *sorted(end for _, end in spans)]
        plan[name] = next(at for at in tried if all(
            end <= at or at + up_to_16(size) <= start or not size for start, end in spans))
    return plan


def in_place_of(program, fetches):
    """The four rules, each as it is written."""
    base, size, over = {}, {one["name"]: one["bytes"] for one in program}, {}
    for one in program:
        base[one["name"]] = base[one["reads"][0]] if one["kind"] == "view" else one["name"]
    asked = {base[name] for name in fetches}
    for t, one in enumerate(program):
        later = {base[read] for two in program[t + 1 :] for read in two["reads"]}
        for x in reversed(one["reads"]):
            b = base[x]
            beside = [y for y in one["reads"] if y != x and base[y] == b]
            if (one["kind"] == "map" and size[x] == size[b] == one["bytes"] and b not in later
                    and b not in asked and not beside):
                over[one["name"]] = b
    return over


def joined(program, fetches):
    """The blocks of a program, what is written in place together."""
    life, over, owner, blocks = lives_of(program, fetches), in_place_of(program, fetches), {}, {}
    for one in program:
        name = one["name"]
        if name in life:
            owner[name] = owner[over[name]] if name in over else name
            first = blocks[owner[name]][1] if name in over else life[name][0]
            blocks[owner[name]] = (one["bytes"], first, life[name][1])
    return blocks


# what is asked -----------------------------------------------------------------------------------


def some_program(rng, length, sizes=(64, 64, 64, 60, 16, 128)):
    """(steps, fetches) by chance: views, views of views, parts, maps, operands read twice."""
    program, names = [], []
    for n in range(length):
        name = "".join(rng.choice(LETTERS) for _ in range(3)) + str(n)
        kind = rng.choice(["op", "op", "map", "map", "map", "view"]) if n else "op"
        near = names[-5:]
        if kind == "view":
            reads = [rng.choice(near)]
            of = next(one["bytes"] for one in program if one["name"] == reads[0])
            size = of if rng.random() < 0.7 else of // 2
        else:
            reads = [rng.choice(near) for _ in range(rng.randrange(4))] if near else []
            size = rng.choice(sizes)
        program.append({"name": name, "kind": kind, "reads": reads, "bytes": size})
        names.append(name)
    return program, [rng.choice(names) for _ in range(rng.randrange(3))]


def some_blocks(rng, count, steps=9, sizes=(0, 1, 15, 16, 17, 32, 40, 48, 64, 80)):
    """Blocks by chance, in any order of time."""
    blocks = {}
    for n in range(count):
        first = rng.randrange(steps)
        name = rng.choice(LETTERS) + str(n)
        blocks[name] = (rng.choice(sizes), first, first + rng.randrange(steps - first))
    return blocks


def apart_and_together(rng):
    """Blocks that never live at once, and the same names and bytes in one step."""
    sizes = {f"{rng.choice(LETTERS)}{n}": rng.randint(1, 99) for n in range(9)}
    apart = {name: (size, n, n) for n, (name, size) in enumerate(sizes.items())}
    return apart, {name: (size, 2, 5) for name, size in sizes.items()}


def all_at_once(rng, count):
    """Blocks of which each lives within the one before, so that all meet in the middle."""
    sizes = [rng.randint(1, 99) for _ in range(count)]
    return {f"v{n}": (size, n, 3 * count - n) for n, size in enumerate(sizes)}


WITH_VIEWS = [step("b"), view("w", "b", 20), step("a", "w b w"), view("v", "a"), mapped("c", "v"),
              step("none", "", 0), mapped("d", "c c")]
WITH_ZEROS = {"none": (0, 2, 3), "b": (20, 0, 2), "a": (33, 1, 1), "zero": (0, 0, 2)}
WITH_ZEROS |= {"c": (7, 2, 4)}


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1, hint="Up to the last reader; who has none lives one step.")
def test_readers(student, rng):
    """chains, skips, an operand twice, values that nobody reads"""
    for program, fetches in (
        ([step("a"), step("b", "a"), step("c", "b")], ["c"]),
        ([step("p"), step("q", "p"), step("r", "p q"), step("s", "r"), step("t", "p s s")], ["t"]),
        ([step("a"), step("idle", "a"), step("b", "a a"), step("c", "b")], ["c"]),
        ([step("a"), step("b"), mapped("c", "b", 0), step("d", "a c"), step("e")], ["d"]),
        ([step("z"), step("y", "z"), step("x", "y"), step("w", "x z")], []),
        ([step("only", "", 0)], []),
    ):
        expect_lives(student, program, fetches, lives_of(program, fetches))
    program = [one | {"kind": rng.choice(["op", "map"])} for one in some_program(rng, 30)[0]]
    expect_lives(student, program, [], lives_of(program, []))


@pytest.mark.question("q1", points=1, hint="Who reads a view reads its base, also through others.")
def test_views(student, rng):
    """views of views, parts, views that nobody reads or that are read late"""
    for program in (
        [step("a"), view("v", "a"), step("b", "a"), step("c", "b"), step("d", "v c")],
        [step("a"), view("v", "a"), view("w", "v", 8), step("b", "a"),
         view("u", "w", 8), step("c", "b")],
        [step("a"), step("b", "a"), view("v", "b"), view("w", "a", 16),
         step("c", "v"), step("d", "w c"), step("e", "d")],
    ):
        last = [program[-1]["name"]]
        expect_lives(student, program, last, lives_of(program, last))
    for _ in range(20):
        program, _ = some_program(rng, rng.randint(5, 30))
        expect_lives(student, program, [], lives_of(program, []))


@pytest.mark.question("q1", points=1, hint="Fetched bytes, a view's too, live to the last step.")
def test_fetched(student, rng):
    """fetches in the middle, twice, of views, of all"""
    program = [step("a"), view("v", "a"), step("b", "v"), view("w", "v", 8),
               step("c", "b"), step("d", "c")]
    for fetches in (["d"], ["b", "b"], ["v"], ["w", "c"], ["a", "v", "w"], list("avbwcd"), []):
        expect_lives(student, program, fetches, lives_of(program, fetches))
    for _ in range(20):
        program, fetches = some_program(rng, rng.randint(5, 30))
        expect_lives(student, program, fetches, lives_of(program, fetches))


@pytest.mark.question("q1", points=1, hint="Look at each step few times; change and keep nothing.")
def test_nothing_and_much(student, rng):
    """no step, one step, 20,000 steps, as many fetches, the caller's lists"""
    expect_lives(student, [], [], {})
    expect_lives(student, [step("one")], ["one", "one"], {"one": (0, 0)})
    large = student.define(CALLS)
    expect(large.all_read(student.lives, 10_000), [{"v0": (0, 19_999)}, True],
           of="lives of 10,000 steps, a value and views of it, and of as many that read the last")
    long = [step("v0")] + [step(f"v{n}", f"v{n - 1} v0", 16) if n % 3 == 1
                           else view(f"v{n}", f"v{n - 1}", 16) for n in range(1, 3_000)]
    expect_lives(student, long, ["v5"], lives_of(long, ["v5"]))
    count = 40_000 + rng.randrange(99)
    expect(large.all_fetched(student.lives, count), {f"value{count}": (0, count - 1)},
           of=f"lives of {count} steps, a value and views of it, all of them fetched")
    keeps_what_it_is_given(student, "lives", WITH_VIEWS, ["w", "d", "a", "w"])
    short, fetches = some_program(rng, 12)
    came = second_call(student, "lives", (short[:5], []), (short, fetches))
    expect(came, lives_of(short, fetches), of=f"lives of {told(short)}, a list that has grown")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=1, hint="Same step and same byte: both must be true.")
def test_clashes(student, rng):
    """one inside the other, all in one place, random plans"""
    blocks = {"d": (96, 2, 4), "c": (16, 0, 9), "b": (32, 3, 3), "a": (32, 5, 6)}
    for plan in ({"a": 32, "b": 32, "c": 48, "d": 0}, {"a": 0, "b": 0, "c": 0, "d": 0},
                 {"a": 96, "b": 96, "c": 128, "d": 0}, {"a": 0, "b": 96, "c": 0, "d": 0}):
        expect_problems(student, blocks, plan, problems_of(blocks, plan))
    expect_problems(student, {}, {}, [])
    expect_problems(student, {"a": (32, 0, 3)}, {"a": 320}, [])
    alike, place = {name: (48, 1, 4) for name in "cab"}, 16 * rng.randrange(9)
    expect_problems(student, alike, {name: place for name in alike},
                    [("clash", "a", "b"), ("clash", "a", "c"), ("clash", "b", "c")])
    for _ in range(30):
        blocks = some_blocks(rng, rng.randint(2, 12))
        plan = {name: 16 * rng.randrange(8) for name in blocks}
        expect_problems(student, blocks, plan, problems_of(blocks, plan))


@pytest.mark.question("q2", points=1, hint="A last step is part of a life; an end of bytes is not.")
def test_touching(student):
    """lives that touch, and bytes that touch, from both sides"""
    for times in (((0, 2), (2, 4)), ((2, 4), (0, 2)), ((0, 2), (3, 4)), ((3, 3), (3, 3)),
                  ((0, 9), (9, 9)), ((5, 5), (0, 4))):
        blocks = {"x": (32, *times[0]), "y": (48, *times[1])}
        for plan in ({"x": 0, "y": 16}, {"x": 0, "y": 32}, {"x": 48, "y": 0}, {"x": 32, "y": 0},
                     {"x": 160, "y": 160}):
            expect_problems(student, blocks, plan, problems_of(blocks, plan))


@pytest.mark.question("q2", points=1, hint="Count rooms, in whole numbers; nothing takes no room.")
def test_rooms(student, rng):
    """bytes rounded up; 0 bytes; huge blocks and long lives"""
    for size in (1, 15, 16, 17, 0):
        blocks = {"b": (size, 0, 2), "a": (33, 1, 1), "zero": (0, 0, 2), "none": (0, 1, 1)}
        for at in (0, 16, 32, 48):
            plan = {"b": 16, "a": at, "zero": 16, "none": 16 + at}
            expect_problems(student, blocks, plan, problems_of(blocks, plan))
    far = 16 * rng.randrange(10**9, 10**10)
    blocks = {"a": (far - 3, 0, 10**9), "b": (far, 10**9, 10**10), "c": (16, 7, 10**9 - 1)}
    expect_problems(student, blocks, {"a": 0, "b": far, "c": far}, [])
    expect_problems(student, blocks, {"a": 0, "b": far - 16, "c": far - 16},
                    [("clash", "a", "b"), ("clash", "a", "c")])
    size, at = 16 * rng.randrange(2**60, 2**70) + 1, 16 * rng.randrange(2**60, 2**70)
    blocks = {"a": (size, 2, 3), "b": (1, 3, 3), "c": (1, 3, 3)}
    expect_problems(student, blocks, {"a": at, "b": at + size + 15, "c": at + 8}, [("odd", "c")])
    expect_problems(student, blocks, {"a": at, "b": at + size - 1, "c": at - 16},
                    [("clash", "a", "b")])


@pytest.mark.question("q2", points=1, hint="Lost, odd, then clashes; other names do not matter.")
def test_lost_and_odd(student, rng):
    """lost, negative, no multiple of 16; strange names; the caller's dicts"""
    blocks = {name: (32, 0, 2) for name in "fedcba"}
    plan = {"a": -16, "b": 8, "c": 0, "e": 16, "f": -7, "stranger": 0}
    expect_problems(student, blocks, plan, problems_of(blocks, plan))
    expect_problems(student, blocks, {}, [("lost", name) for name in "abcdef"])
    expect_problems(student, {"z": (0, 4, 4)}, {"z": 24}, [("odd", "z")])
    expect_problems(student, {"z": (0, 4, 4)}, {"y": 0}, [("lost", "z")])
    expect_problems(student, {}, {"a": -3}, [])
    expect_problems(student, {"a": (16, 0, 0), "b": (16, 0, 0)}, {"a": 0, "b": 16}, [])
    for _ in range(10):
        blocks = some_blocks(rng, 8)
        kept = [name for name in blocks if rng.random() < 0.8]
        plan = {name: rng.choice([-16, -8, 0, 4, 16, 32, 48]) for name in kept}
        expect_problems(student, blocks, plan, problems_of(blocks, plan))
    keeps_what_it_is_given(student, "problems", WITH_ZEROS, {"b": 8, "zero": 16, "x": -3, "c": 0})
    given = {"a": (16, 0, 3), "b": (32, 1, 1)}, {"a": 32, "b": 0}
    came = second_call(student, "problems", given, ({"a": (16, 0, 3), "b": (33, 1, 1)}, given[1]))
    expect(came, [("clash", "a", "b")], of="problems of dicts that are other ones since")


# q3 ----------------------------------------------------------------------------------------------


def expect_bound(student, blocks):
    """The lower bound, once it is right."""
    expect(student.lower_bound(blocks), bound_of(blocks), of=f"lower_bound({shown(blocks)})")


@pytest.mark.question("q3", points=1, hint="The largest sum of what lives in one step.")
def test_sums(student, rng):
    """none, one, the first and the last step, blocks by chance"""
    late = {"a": (16, 4, 5), "b": (48, 5, 6), "c": (64, 6, 6), "d": (96, 9, 9), "e": (16, 9, 9)}
    early = {"a": (160, 0, 0), "b": (16, 0, 7), "c": (32, 2, 3), "d": (32, 4, 6)}
    for blocks in ({}, {"a": (96, 3, 3)}, {"a": (0, 0, 8)}, late, early):
        expect_bound(student, blocks)
    for _ in range(20):
        expect_bound(student, some_blocks(rng, rng.randint(1, 20), sizes=(16, 32, 80, 160)))


@pytest.mark.question("q3", points=1, hint="Last steps count; bytes are rounded up, each alone.")
def test_edges(student, rng):
    """lives that touch; bytes of every size, 0 too"""
    for blocks in (
        {"a": (16, 0, 2), "b": (16, 2, 4), "c": (16, 4, 6)},
        {"c": (48, 5, 6), "b": (48, 4, 4), "a": (80, 2, 3)},
        {name: (1, 0, 0) for name in LETTERS},
        {"a": (17, 0, 1), "b": (31, 1, 1), "c": (0, 1, 1)},
    ):
        expect_bound(student, blocks)
    for _ in range(20):
        expect_bound(student, some_blocks(rng, rng.randint(1, 20)))


@pytest.mark.question("q3", points=1, hint="Only where a life begins can the sum grow; sort; add.")
def test_many_steps(student, rng):
    """lives of billions of steps; 20,000 blocks; the caller's dict"""
    shift = rng.randrange(10**11)
    far = {name: (size, shift + first * 10**8, shift + last * 10**8)
           for name, (size, first, last) in some_blocks(rng, 30).items()}
    expect_bound(student, far)
    most = rng.randint(2, 9)
    many = {f"v{n}": (16 * (n % 2 + 1), n, n + 2 * most - 1) for n in range(20_000)}
    expect(student.lower_bound(many), 48 * most, of="lower_bound of 20,000 blocks")
    nested = all_at_once(rng, 20_000)
    expect(student.lower_bound(nested), sum(up_to_16(size) for size, *_ in nested.values()),
           of="lower_bound of 20,000 blocks that all live in one step")
    huge = {f"v{n}": (rng.randrange(2**60, 2**70), n, n + 3) for n in range(9)}
    expect_bound(student, huge)
    keeps_what_it_is_given(student, "lower_bound", WITH_ZEROS)
    apart, together = apart_and_together(rng)
    came = second_call(student, "lower_bound", [apart], [together])
    expect(came, bound_of(together), of=f"lower_bound({shown(together)}), another one before")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=1, hint="In the order of the dict, whatever lives when.")
def test_in_their_order(student, rng):
    """several orders of the same blocks"""
    blocks = {"a": (300, 0, 0), "b": (100, 0, 1), "c": (400, 1, 1), "d": (64, 0, 9)}
    blocks["e"] = (16, 2, 2)
    for order in ("abcde", "cabde", "edcba", "dbeca"):
        chosen = {name: blocks[name] for name in order}
        expect_places(student, chosen, places_of(chosen))
    for _ in range(20):
        blocks = some_blocks(rng, rng.randint(1, 12), sizes=(16, 32, 48))
        expect_places(student, blocks, places_of(blocks))
    expect_places(student, {}, {})


@pytest.mark.question("q4", points=1, hint="A gap may be just large enough; count rooms.")
def test_gaps(student, rng):
    """gaps of every size, at the bottom too"""
    for size in (16, 17, 32, 33, 48, 49):
        blocks = {"a": (32, 0, 0), "b": (48, 0, 1), "c": (32, 0, 0), "d": (16, 0, 1),
                  "e": (size, 1, 1), "f": (size, 1, 1), "g": (15, 0, 3)}
        expect_places(student, blocks, places_of(blocks), "e looks for gaps below b and d")
    for _ in range(20):
        blocks = some_blocks(rng, rng.randint(5, 20), sizes=(1, 16, 17, 40, 64))
        expect_places(student, blocks, places_of(blocks))


@pytest.mark.question("q4", points=1, hint="Climb only; who lives at no common step is not there.")
def test_side_by_side(student, rng):
    """blocks beside each other at several heights; 0 bytes; lives that touch"""
    for blocks in (
        {"a": (64, 0, 1), "b": (16, 2, 3), "c": (32, 2, 3), "d": (16, 0, 3), "e": (48, 1, 2)},
        {"a": (16, 0, 2), "b": (16, 2, 4), "c": (16, 4, 5), "d": (0, 0, 5), "e": (0, 2, 2)},
        {"z": (0, 0, 9), "a": (16, 3, 3), "y": (0, 3, 3), "b": (16, 3, 3)},
        {"a": (160, 5, 9), "b": (16, 0, 4), "c": (16, 0, 9), "d": (16, 4, 5)},
    ):
        expect_places(student, blocks, places_of(blocks))
    for _ in range(20):
        blocks = some_blocks(rng, rng.randint(5, 20), steps=5)
        expect_places(student, blocks, places_of(blocks))


@pytest.mark.question("q4", points=1, hint="Only ends can be lowest; look once at each in the way.")
def test_large_plans(student, rng):
    """huge blocks, long lives, many blocks, the caller's dict"""
    huge = {name: (10**18 * size + size % 3, 10**9 * first, 10**9 * last)
            for name, (size, first, last) in some_blocks(rng, 12).items()}
    expect_places(student, huge, places_of(huge))
    each = rng.randint(2, 5)
    many = {f"v{n}": (16, n // each, n // each) for n in range(1000)}
    expect_places(student, many, {f"v{n}": 16 * (n % each) for n in range(1000)})
    stack, top, wanted = all_at_once(rng, 1000), 0, {}
    for name, (size, *_) in stack.items():
        wanted[name], top = top, top + up_to_16(size)
    expect_places(student, stack, wanted, "all thousand live in one step")
    keeps_what_it_is_given(student, "first_fit", WITH_ZEROS)
    apart, together = apart_and_together(rng)
    came = second_call(student, "first_fit", [apart], [together])
    expect(came, places_of(together), of=f"first_fit({shown(together)}), another one before")
    renamed = {name.upper(): block for name, block in together.items()}
    expect_places(student, renamed, places_of(renamed))


# q5 ----------------------------------------------------------------------------------------------


def expect_rules(student, rng, count, **options):
    """Programs by chance, with and without fetches."""
    for _ in range(count):
        program, fetches = some_program(rng, rng.randint(4, 14), **options)
        for asked in (fetches, []):
            expect_in_place(student, program, asked, in_place_of(program, asked))


@pytest.mark.question("q5", points=1, hint="Only a map writes in place; it is a base of its own.")
def test_written_over(student):
    """chains of maps; ops; no operands; results that nobody reads"""
    for program in (
        [step("a"), mapped("b", "a"), mapped("c", "b"), mapped("d", "c")],
        [step("a"), step("b", "a"), mapped("c", "b"), step("d", "c"), step("e", "d")],
        [mapped("a", ""), mapped("b", ""), mapped("c", "a b")],
        [step("a"), mapped("b", "a"), mapped("c", ""), mapped("d", "c")],
    ):
        expect_in_place(student, program, [program[-1]["name"]],
                        in_place_of(program, [program[-1]["name"]]))


@pytest.mark.question("q5", points=1, hint="The same bytes, not the same room; no later reader.")
def test_sizes_and_readers(student, rng):
    """60 and 64 bytes, 0 bytes, later readers, fetches"""
    program = [step("a", "", 60), mapped("b", "a"), mapped("c", "b", 60),
               mapped("d", "c a", 60), mapped("e", "d b"), mapped("f", "e d", 60)]
    for fetches in (["f"], ["d", "f"], ["b"], ["a", "e", "e"], list("abcdef"), []):
        expect_in_place(student, program, fetches, in_place_of(program, fetches))
    empty = [step("z", "", 0), mapped("y", "z", 0), mapped("x", "y", 16)]
    expect_in_place(student, empty, ["x"], {"y": "z"})
    for _ in range(20):
        program, fetches = some_program(rng, 10, sizes=(64, 60))
        program = [one | {"kind": one["kind"].replace("view", "map")} for one in program]
        expect_in_place(student, program, fetches, in_place_of(program, fetches))


@pytest.mark.question("q5", points=1, hint="Bytes, readers, fetches: those of the base count.")
def test_views_in_place(student, rng):
    """views, parts, views of views; read later, fetched"""
    part = [step("a", "", 128), view("v", "a"), mapped("b", "v"),
            mapped("c", "b")]
    whole = [step("a"), view("v", "a"), view("w", "v"), mapped("b", "w"),
             view("u", "b"), mapped("c", "u"), mapped("d", "b c")]
    middle = [step("a"), view("v", "a", 32), view("w", "v"),
              mapped("b", "w"), view("x", "b", 32), mapped("c", "x", 32)]
    last = [step("a"), mapped("b", "a"), view("v", "a"), mapped("c", "b v")]
    for program in (part, whole, middle, last, whole[:4]):
        for fetches in ([program[-1]["name"]], ["v"], [program[0]["name"], "v"], []):
            expect_in_place(student, program, fetches, in_place_of(program, fetches))
    expect_rules(student, rng, 20)


@pytest.mark.question("q5", points=1, hint="Another name for the same bytes is another operand.")
def test_two_names(student, rng):
    """x and a part of x, x and a view of x, two views, x twice"""
    def of(*reads, size=64):
        return [step("a", "", 64), view("v", "a", size), view("w", "v", size),
                step("o", "", 64), step("r", " ".join(reads), 64, "map")]

    for reads in (("a", "v"), ("v", "a"), ("v", "w"), ("a", "a"), ("w", "w"), ("a", "o", "v"),
                  ("o", "o", "a", "v"), ("v", "o", "v"), ("o", "w", "o"), ("a", "v", "w", "o")):
        for size in (64, 16):
            program = of(*reads, size=size)
            expect_in_place(student, program, ["r"], in_place_of(program, ["r"]))
    expect_rules(student, rng, 20, sizes=(64,))


@pytest.mark.question("q5", points=1, hint="The first operand for which all four rules are true.")
def test_the_first_of_two(student, rng):
    """several operands that die; long programs; the caller's lists"""
    program = [step("a"), step("s", "", 16), step("b"), step("c"), mapped("d", "s b a c"),
               mapped("e", "c d"), mapped("f", "d e a")]
    for fetches in (["f"], ["b"], ["c", "d"], []):
        expect_in_place(student, program, fetches, in_place_of(program, fetches))
    expect_in_place(student, [], [], {})
    long = [step("v0")] + [step(f"v{n}", f"v{n - 1}", 64, "view" if n % 2 else "map")
                           for n in range(1, 9_000)]
    wanted = {f"v{n}": f"v{n - 2}" for n in range(2, 9_000, 2)}
    expect(student.in_place(long, ["v8998"]), wanted, of="in_place of 9,000 steps")
    expect(student.define(CALLS).all_fetched(student.in_place, 40_000), {},
           of="in_place of 40,000 steps, all of them fetched")
    expect_rules(student, rng, 10)
    keeps_what_it_is_given(student, "in_place", WITH_VIEWS, ["w", "a", "w"])
    came = second_call(student, "in_place", (program[:5], ["d"]), (program, ["f"]))
    of = f"in_place of {told(program)}, a list that has grown"
    expect(came, in_place_of(program, ["f"]), of=of)


# q6 ----------------------------------------------------------------------------------------------

NETS = []  # the 200 of this run, with their lower bounds


def nets(rng):
    """(blocks, bounds) of 200 nets, the same for all of a run: 140 made up, 60 of programs."""
    while len(NETS) < 200:
        if len(NETS) % 10 < 7:
            blocks = some_net(rng.randrange)
        else:
            sizes = (64, 64, 128, 128, 256, 250, 100, 40)
            blocks = joined(*some_program(rng, rng.randint(15, 45), sizes))
        NETS.append((blocks, bound_of(blocks)))
    return zip(*NETS, strict=True)


@pytest.mark.question("q6", points=2, hint="Right before small, whatever blocks came before.")
def test_plans_are_right(student, rng):
    """none, one, 0 bytes, huge ones, all alike, lives that touch, blocks by chance"""
    odd = [{}, {"a": (0, 0, 0)}, {"a": (0, 3, 9), "b": (0, 3, 3)}, {"x": (17, 5, 5)},
           {"a": (20, 3, 3), "b": (20, 3, 3)}, {"a": (10**12, 0, 10**12), "b": (1, 10**12, 10**13)},
           {name: (32, 0, 5) for name in LETTERS}, {f"v{n}": (24, n, n + 1) for n in range(60)},
           {f"v{n}": (16 * n, 60 - n, 60) for n in range(60)}]
    odd += [some_blocks(rng, rng.randint(2, 30)) for _ in range(30)]
    odd += [{f"v{n}": (rng.randrange(2**60, 2**70), n, n + 3) for n in range(9)}]
    apart, together = apart_and_together(rng)
    odd += [apart, {name.upper(): block for name, block in apart.items()}]
    for blocks in odd:
        arena_of(blocks, student.pack(blocks), of=f"pack({shown(blocks)})")
    keeps_what_it_is_given(student, "pack", WITH_ZEROS)
    came = second_call(student, "pack", [apart], [together])
    arena_of(together, came, of=f"pack({shown(together)}), another one before")


@pytest.mark.question("q6", points=1, hint="Give the room of what is dead to those who come.")
def test_at_most_15(student, rng, measure):
    """200 nets, at most 15 % above the bound"""
    measure(expect_distance(student, *nets(rng), 15), "% above the lower bound")


@pytest.mark.question("q6", points=2, hint="What is hard to place comes first.")
def test_at_most_7(student, rng):
    """200 nets, at most 7 %"""
    expect_distance(student, *nets(rng), 7)


@pytest.mark.question("q6", points=1, hint="Try several orders, keep the best plan.")
def test_at_most_3(student, rng):
    """200 nets, at most 2.8 %"""
    expect_distance(student, *nets(rng), 2.8)


@pytest.mark.question("q6", points=1, hint="Change the best order a little, again and again.")
def test_at_most_1(student, rng):
    """200 nets, at most 1.2 %"""
    expect_distance(student, *nets(rng), 1.2)
