"""Events and lives by the plan of a program: what lies in which buffer, and for how long."""

from bisect import bisect_left
from typing import NamedTuple

from minigrad.draw.trace.event import Event, Life
from minigrad.compiler.memory import nbytes, padded, title


class Draft(NamedTuple):
    """An event to be: when the plan's step at `position` is done."""

    position: int
    phase: str
    node: str
    sentence: str
    line: object
    found: dict


def place(plan, node):
    """Whose memory a node's value lies in, as parts of an Event."""
    storage = plan.storage
    where = storage.place[node.order]
    if where == "plan":
        where = f"B{buffer_numbers(plan)[storage.root[node.order]]}"
    return {
        "buffer": "" if where == "outside" else where,
        "in_place": node.order in storage.in_place,
    }


def buffer_numbers(plan):
    """{root: the number of its buffer}."""
    numbers = {(b.offset, b.bytes): b.number for b in plan.buffers}
    sizes = {n.order: padded(nbytes(n)) for n in plan.order if n.order in plan.storage.life}
    return {root: numbers[plan.offsets[root], size] for root, size in sizes.items()}


def events_of(drafts, plan):
    """The Events of drafts, in the plan's order; each with the most bytes held since the last."""
    drafts = sorted(drafts, key=lambda draft: draft.position)
    live, stops = most_between(plan, drafts), sorted({draft.position for draft in drafts})
    return [
        Event(
            step,
            d.phase,
            d.node,
            d.sentence,
            line=d.line,
            live=live[bisect_left(stops, d.position)],
            **d.found,
        )
        for step, d in enumerate(drafts)
    ]


def most_between(plan, drafts):
    """For each position that has drafts: the most bytes of the plan alive since the one before."""
    alive = alive_bytes(plan)
    stops = sorted({draft.position for draft in drafts})
    starts = [0, *(stop + 1 for stop in stops)]
    ends = [*(stop + 1 for stop in stops[:-1]), len(alive)]
    return [max(alive[start:end], default=0) for start, end in zip(starts, ends)]


def alive_bytes(plan):
    """The bytes of all buffers in use at each step of the plan."""
    change = [0] * (len(plan.order) + 2)
    for buffer in plan.buffers:
        for life in buffer.lives:
            change[life.first] += buffer.bytes
            change[life.last + 1] -= buffer.bytes
    alive, now = [], 0
    for difference in change[:-1]:
        now += difference
        alive.append(now)
    return alive


def lives_of(drafts, plan, names):
    """The Lives of the plan's buffers, in steps of the events; `names` maps order → (name, kind).

    Several values in one life overwrite each other in place.
    """
    positions = sorted(draft.position for draft in drafts)
    stops, numbers = sorted(set(positions)), buffer_numbers(plan)
    members = {}
    for node in plan.order:
        if plan.storage.place[node.order] == "plan":
            members.setdefault(plan.storage.root[node.order], []).append(node)
    lives = []
    for root, (first, last) in plan.storage.life.items():
        called = [names.get(n.order, (title(n), "value")) for n in members[root]]
        lives.append(
            Life(
                ", ".join(dict.fromkeys(name for name, _ in called)),
                called[0][1],
                padded(nbytes(members[root][0])),
                bisect_left(positions, stop(stops, first)),
                bisect_left(positions, stop(stops, last) + 1) - 1,
                f"B{numbers[root]}",
            )
        )
    return tuple(sorted(lives, key=lambda life: (life.first, life.last, life.name)))


def stop(stops, position):
    """The first position with a draft at or after this one, else the last."""
    return stops[min(bisect_left(stops, position), len(stops) - 1)]
