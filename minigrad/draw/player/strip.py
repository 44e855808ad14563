"""The strip of a loop in a player: what each iteration carries on, and its derivative."""

from minigrad.draw.player.picture import inner_parts
from minigrad.draw.scene import handle_of
from minigrad.draw.trace.tokens import typeset_number

ROWS = 2  # values that a loop carries of which the strip tells


def strips_data(trace, picture, places):
    """A strip of each loop that is opened, or a card in lanes, and played: its id, its `names`, as
    [name, whether a derivative], and its `columns`, as [title, {phase: its first step}, [step,
    text] of each row]. `places` gives the place of each step among those shown."""
    frames = ((handle_of(frame.path), frame) for frame in picture.frames())
    played = {event.node for event in trace.events if event.turn}
    found = [(id, frame) for id, frame in frames if id in played and frame.carry_count]
    return [loop_strip(trace, id, frame, picture.ending, places) for id, frame in found]


def loop_strip(trace, id, frame, ending, places):
    """The strip of one loop."""
    events = [event for event in trace.events if event.node == id and event.turn]
    ports = list(zip(frame.starts[: min(frame.carry_count, ROWS)], frame.ends))
    rows = [(*pair, moved) for pair in ports for moved in (False, True)[: 1 + bool(ending)]]
    cells = {}
    for event in events:
        for row, (start, end, moved) in enumerate(rows):
            for port, text, is_moved in inner_parts(event):
                column = event.turn if port == end else 0 if port == start else None
                known = text != "·" and is_moved == moved and column is not None
                if known and (column or event.turn == 1):
                    cells.setdefault((row, column), [places[event.step], typeset_number(text)])
    firsts = {}
    for event in events:
        firsts.setdefault(event.turn, {}).setdefault(event.phase, places[event.step])
    count, every = max((column for _, column in cells), default=0), range(len(rows))
    columns = [
        [str(at or "start"), firsts.get(at or 1, {}), *(cells.get((row, at)) for row in every)]
        for at in range(count + 1)
    ]
    names = [[trace.inner[start].name, moved] for start, _, moved in rows]
    return {"id": id, "names": names, "columns": columns}
