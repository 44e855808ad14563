"""What a reader who opens and closes things sees: a picture for each state.

Every picture is a drawing of its own, made by the same calls as any other: nothing is computed on
the page, and nothing there can be other than what `draw` says.
"""

from minigrad.draw.drawing import View
from minigrad.draw.scene import handle_of

MOST = 24  # pictures that a page holds
ROOM = 48  # nodes in all of them: up to 400 bytes of a notebook for each
READ = 40_000  # values that are read for all of them
DEEP = 4  # things that are not as at first, in one of them


def explore(first, make, call):
    """The Views of a drawing, beginning with it.

    `make(opened, closed)` is the drawing with other things opened and closed than by itself, which
    are named as in `expand`; `call(opened, closed)` the call that a reader would write.
    """
    found, natural, tried = {frozenset(): first}, {}, set()
    for key in (waiting := [frozenset()]):
        for handle, is_open in handles_in(found[key]).items():
            natural.setdefault(handle, is_open)
            other = key ^ {handle}
            if other in found or other in tried or len(other) > DEEP or not has_room(found):
                continue
            tried.add(other)
            drawing = make(*sides(other, natural))
            if drawing.picture[0] and handles_in(drawing).get(handle) != is_open:
                found[other] = drawing
                waiting.append(other)
    return [View(found[key], moves_from(key, found, natural, call)) for key in found]


def has_room(found):
    """Whether one more picture may be made."""
    scenes = [drawing.scene for drawing in found.values()]
    drawn, read = sum(len(scene.nodes) for scene in scenes), sum(scene.total for scene in scenes)
    return len(found) < MOST and drawn < ROOM and read < READ


def handles_in(drawing):
    """{what can be opened or closed: whether it is open} in a drawing."""
    frames = {handle_of(frame.path): True for frame in drawing.frames}
    nodes = {node.opens: False for node in drawing.scene.nodes}
    return {handle: is_open for handle, is_open in (frames | nodes).items() if handle}


def sides(key, natural):
    """(what is opened, what is closed) in a state, which names what is not as at first."""
    opened = sorted(handle for handle in key if not natural[handle])
    return opened, sorted(key - {*opened})


def moves_from(key, found, natural, call):
    """The moves of one state."""
    places, moves = list(found), {}
    for handle, is_open in handles_in(found[key]).items():
        wanted = key ^ {handle}
        other = nearest_state(wanted, handle, is_open, found)
        moves[handle] = call(*sides(wanted, natural)) if other is None else places.index(other)
    return moves


def nearest_state(wanted, handle, was_open, found):
    """The state to go to: the one that is wanted, else one with fewer things changed in which the
    handle is no longer as it was."""
    if wanted in found:
        return wanted
    fit = (key for key in found if key < wanted)
    changed = (key for key in fit if handles_in(found[key]).get(handle) is (not was_open))
    return max(changed, key=len, default=None)
