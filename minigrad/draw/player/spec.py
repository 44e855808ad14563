"""What the player's script is told of a trace, as plain data: texts and counts, no large arrays."""

import linecache
import re
import textwrap
from bisect import bisect_left
from functools import cache
from itertools import groupby
from pathlib import Path

from minigrad.core.errors import short_name
from minigrad.draw.look import ROLES
from minigrad.draw.paint.listing import align_columns
from minigrad.draw.player.picture import inner_parts
from minigrad.draw.player.strip import strips_data
from minigrad.draw.player.terms import PieceTable
from minigrad.draw.read import clean, form_of, op_name, value_text
from minigrad.draw.scene import SIGNS
from minigrad.draw.trace.birth import find_birth
from minigrad.draw.trace.labels import body_name, line_of
from minigrad.draw.trace.replay import replay_trace
from minigrad.draw.trace.step import RENEWED
from minigrad.draw.trace.tokens import KINDS, tokens_text

STEPS = 400
LONGEST = 80  # lines of one file
AROUND = 1  # lines that are shown before and after one that some step comes from


def kept_events(events):
    """The steps to show: the first and the last of too many."""
    half = STEPS // 2
    return events if len(events) <= STEPS else (*events[:half], *events[-half:])


def left_out_note(events):
    """A sentence about the steps that are left out."""
    left = len(events) - STEPS
    if left <= 0:
        return ""
    return (
        f"{len(events):,} steps; {left:,} of them, from step {STEPS // 2 + 1} on, are left out "
        "here. All: player(…).trace.events"
    )


def describe_trace(trace, picture, title, memory=True):
    """The whole specification; `picture` is None where there is none.

    A step's `formula`, and `numbers`, the same with numbers and its result, are places in `tokens`,
    of which those of one edge are a list, [from, to, place, …]; so is its sentence, `spoken`, where
    its numbers follow from inputs that can be moved. Entries are [text, place in `kinds`, what it
    stands for] (see terms.PieceTable); names have no bar in their text.
    """
    source, program = SourceLines(trace.events), program_data(trace)
    steps, table = steps_data(trace, picture, source, memory), PieceTable(program is not None)
    shown = [event.step for event in kept_events(trace.events)]
    places = {event.step: bisect_left(shown, event.step) for event in trace.events}
    for event in trace.events:
        at = places[event.step]
        table.note(event, at)
        if shown[at] == event.step:
            steps[at] |= table.add_step(event, at)
    return {
        "title": title,
        "mode": trace.mode,
        "note": left_out_note(trace.events),
        "peak": trace.peak * memory,
        "ending": picture.ending if picture else "",
        **(page_data(picture) if picture else {"changing": [], "drawn": {}}),
        **(
            {"upright": {"changing": [], "drawn": picture.nodes_by_id_upright()}}
            if trace.lanes
            else {}
        ),
        "steps": steps,
        "kinds": KINDS,
        "tokens": table.data(),
        "contributions": contributions_data(trace.events),
        "nodes": nodes(trace, picture, source),
        "source": source.files(),
        "strips": strips_data(trace, picture, places) if picture else [],
        "runs": [[phase, len([*some])] for phase, some in groupby(s["phase"] for s in steps)],
        "born": birth_data(trace),
        "program": program,
    }


def page_data(picture):
    """Which cards of a picture bear numbers that change, and in which of its nodes values are drawn
    that have none of their own."""
    return {"changing": picture.changing(), "drawn": picture.nodes_by_id()}


def other_page(picture, first):
    """The same of another picture than the first one, without what is the same there."""
    own = page_data(picture)
    new = [id for id in own["changing"] if id not in first["changing"]]
    return {"changing": new, "drawn": own["drawn"]}


# steps -------------------------------------------------------------------------------------------


def steps_data(trace, picture, source, memory):
    """One entry for each step; what left-out steps changed comes with the next one."""
    numbers, found, late = {event.step for event in kept_events(trace.events)}, [], {}
    peak = trace.peak
    for event in trace.events:
        if picture:
            late |= picture.texts_of(event)
        if event.step in numbers:
            told = memory_text(event, peak) if memory else ""
            said = {"memory": told, "texts": list(late.items())}
            found.append(step_data(trace, picture, event, source) | said)
            late = {}
    return found


def contributions_data(events):
    """[step, user, operand, amount] of each contribution to an adjoint: at which of the steps shown
    it is known, from which value it comes and to which it goes."""
    shown = [event.step for event in kept_events(events)]
    made = [(event.step, event.contribution) for event in events if event.contribution]
    return [[bisect_left(shown, step), one.user, one.operand, one.text] for step, one in made]


def step_data(trace, picture, event, source):
    """One step."""
    said = {
        "phase": event.phase,
        "say": event.sentence,
        "result": event.result,
        "name": result_name(trace, event),
        "live": event.live,
        "line": source.place(event.line),
        "of": event.node,
        "at": event.inner or event.node,
        "turn": event.turn,
    }
    if event.renews:
        said["side"] = RENEWED
    for kind in ("value", "derivative"):
        if told := getattr(event, kind):
            said[kind] = numbers_text(told)
    return said


def result_name(trace, event):
    """What the result of a step is called: v̄2, or the part of it that a turn computed."""
    name = trace.names[int(event.node[1:])]
    if event.inner:
        name = inner_name(trace.inner[event.inner])
    elif event.turn:
        return "this"
    return SIGNS[trace.derivative](name) if event.derivative else name


def memory_text(event, peak):
    """Live bytes, in words."""
    if not peak:
        return "no array held: single numbers, and what is fed or handed out, are not counted"
    where = f"; this one lies in {event.buffer}" if event.buffer[:1] == "B" else ""
    where += ", in place of its operand" if event.in_place else ""
    where = f"; {event.reuse}" if event.reuse else where
    return f"live memory: {event.live:,} B; peak: {peak:,} B{where}"


def numbers_text(told):
    """A Summary in words: its numbers if they are few, its range."""
    spread = [
        f"{word} {value:.4g}"
        for word, value in (("from", told.low), ("to", told.high), ("mean", told.mean))
        if value is not None and told.low != told.high
    ]
    return {
        "numbers": grid(told),
        "matrix": is_matrix(told),
        "range": ", ".join([*spread, told.odd] if told.odd else spread),
    }


def is_matrix(told):
    """Whether the numbers of a Summary are there in rows and columns."""
    return isinstance(told.numbers, list) and len(told.shape) == 2 and 0 not in told.shape


def grid(told):
    """All numbers in rows, or the short text."""
    rows = told.numbers
    if not is_matrix(told):
        return (
            told.text if rows is None or isinstance(rows, (bool, int, float)) else flat_text(rows)
        )
    return "\n".join(align_columns([[f"{number:.4g}" for number in row] for row in rows]))


def flat_text(rows):
    """A nest of numbers in one line."""
    return f"[{', '.join(map(flat_text, rows))}]" if isinstance(rows, list) else f"{rows:.4g}"


# what can be computed again on the page, and what went wrong ------------------------------------

MOST = 150  # steps of a program whose inputs can be moved


@cache
def known_ops():
    """The names of the ops that the page can compute: those of VALUES in values.js."""
    text = (Path(__file__).parent / "values.js").read_text(encoding="utf-8")
    return frozenset(re.findall(r"(?m)^  ([A-Z]\w*): ", text))


def program_data(trace):
    """The program of a trace of single numbers, as instructions; None for other traces."""
    if len(trace.events) > MOST:
        return None
    found = replay_trace(trace, known_ops())
    return found and {
        "leaves": found.leaves,
        "constants": found.constants,
        "code": found.code,
        "signs": found.signs,
        "steps": found.steps,
        "amounts": found.amounts,
        "curves": curves_data(trace, found),
    }


def curves_data(trace, found):
    """{id of a leaf: [slot of its adjoint, the step that completes it, slot of the result, title]},
    for the curve of the result against the leaf."""
    seeds = [event.node for event in trace.events if event.phase == "backward"][:1]
    last = {(event.node, bool(event.derivative)): event.step for event in trace.events}
    return {
        id: [found.steps[last[id, True]], last[id, True], found.steps[last[y, False]],
             f"{trace.names[int(y[1:])]} against {name}"]
        for y in seeds
        for id, name, _ in found.leaves
        if (id, True) in last
    }  # fmt: skip


def birth_data(trace):
    """At which of the steps shown a number that is not finite came up first, and how."""
    found = find_birth(trace)
    steps = [event.step for event in kept_events(trace.events)]
    if found is None or found.step not in steps:
        return None
    return {"step": steps.index(found.step), "words": found.words}


# nodes -------------------------------------------------------------------------------------------


def shown_positions(trace, picture):
    """The positions of values that the inspector can show: all that are drawn or have a step."""
    drawn = {int(id[1:]) for id in picture.ids if id[1:].isdecimal()} if picture else set()
    return drawn | {int(event.node[1:]) for event in kept_events(trace.events)}


def nodes(trace, picture, source):
    """{id: what the inspector shows of a value at every step}."""
    events, texts = {}, formula_texts(trace.events)
    roles = {node.id: ROLES[node.role].word for node in picture.scene.nodes} if picture else {}
    for event in trace.events:
        events.setdefault(event.inner or event.node, []).append(event)
    found = {
        f"n{at}": node(trace, at, events.get(f"n{at}", ()), source)
        | {"op": op_text(trace.values[at], texts.get(f"n{at}")), "role": roles.get(f"n{at}", "")}
        for at in sorted(shown_positions(trace, picture))
    }
    told = {(id, moved) for event in trace.events for id, _, moved in inner_parts(event)}
    inner = ((id, value) for id, value in trace.inner.items() if (id, False) in told)
    return found | {
        id: inner_node(id, value, (id, True) in told, source)
        | {"op": op_text(value, texts.get(id))}
        for id, value in inner
    }


def formula_texts(events):
    """{id: how a value is computed, in the learner's names}."""
    return {e.inner or e.node: tokens_text(e.formula) for e in reversed(events) if e.value}


def inner_name(value):
    """What a value in the body of a loop is called."""
    return value.name if value.role == "port" else body_name(value.origin)


def inner_node(id, value, moves, source):
    """The same of a value that stands in the body of a loop; has it a derivative?"""
    line = line_of(value)
    return {
        "id": id,
        "inner": True,
        "role": "",
        "name": inner_name(value),
        "form": form_text(value),
        "constant": "",
        "moves": moves,
        "buffer": "",
        "line": clean(line or "", 120),
        "place": source.place(line),
    }


def node(trace, at, events, source):
    """What stays the same of a value; `events` are the steps about it."""
    value, id = trace.values[at], f"n{at}"
    last = [event for event in events if not event.derivative and not event.renews]
    line, buffer = (last[-1].line, last[-1].buffer) if last else (None, "")
    return {
        "id": id,
        "name": trace.names[at],
        "form": form_text(value),
        "constant": "" if last else value_text(value),
        "moves": any(event.derivative for event in events),
        "buffer": buffer if buffer[:1] == "B" else "",
        "line": clean(line or "", 120),
        "place": source.place(line),
    }


def form_text(value):
    """Its dtype and shape: "float64[3,2]", "float64, scalar"."""
    form = form_of(value)
    return f"{form.dtype}, scalar" if form.shape == "[]" else str(form)


def op_text(value, formula):
    """The op, and what it computes in the learner's names: "Mul: y = a · b"."""
    name = op_name(value) if value.inputs else ""
    return f"{name}: {formula}" if name and formula else name or ""


# the learner's source -----------------------------------------------------------------------------


class SourceLines:
    """The lines that steps name, with those around them, file by file."""

    def __init__(self, events):
        places = {event.line for event in events if event.line}
        named = {}
        for line in sorted(places):
            if linecache.getline(*line).strip():
                named.setdefault(line.filename, []).append(line.number)
        self.numbers = {name: add_neighbours(name, numbers) for name, numbers in named.items()}

    def files(self):
        """[{the file's name, its lines as [number, text]}]; "⋮" stands for lines left out."""
        return [
            {"name": short_name(name), "lines": quote_lines(name, numbers)}
            for name, numbers in self.numbers.items()
        ]

    def place(self, line):
        """[file, line], counted from 0 within what `files` gives; None for other lines."""
        if line is None or line.number not in self.numbers.get(line.filename, ()):
            return None
        numbers = self.numbers[line.filename]
        return [list(self.numbers).index(line.filename), numbers.index(line.number)]


def add_neighbours(name, numbers):
    """The numbers with their neighbours, None where a gap is."""
    near = {n + d for n in numbers for d in range(-AROUND, AROUND + 1)}
    near = [n for n in sorted(near) if n in numbers or linecache.getline(name, n).strip()]
    found = []
    for number in near[:LONGEST]:
        if found and number > found[-1] + 1:
            found.append(None)
        found.append(number)
    return found


def quote_lines(name, numbers):
    """[number, text] of each line, moved to the left together."""
    texts = [linecache.getline(name, n).rstrip("\n") if n else "" for n in numbers]
    texts = textwrap.dedent("\n".join(texts)).split("\n")
    return [["" if n is None else n, "⋮" if n is None else t] for n, t in zip(numbers, texts)]
