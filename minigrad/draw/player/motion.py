"""The style sheet that plays a drawing: what appears when, what runs where, what is said.

CSS inside the SVG moves wherever an image is shown. A round begins and ends with the whole picture,
which is all that is seen by readers who asked for less motion, and by programs without CSS
animations.
"""

from typing import NamedTuple

STEP, PAUSE = 1.6, 5.0  # seconds: of each step, and of rest behind the last
OPEN, LEAD = 2.5, 0.6  # seconds: of rest before all fades, and from then to the first step
TRAVEL, FADE = 0.9, 0.3  # seconds: of a bead along its edge, and of a node appearing after it
DIM = 0.12  # opacity of what is not there yet


class MotionStep(NamedTuple):
    """What appears together: node ids, edges as (source, target), words, sums as (id, text)."""

    nodes: tuple
    edges: tuple
    words: str
    sums: tuple = ()

    def changes(self, id):
        """Whether a node says something else from this step on."""
        return any(id == changed for changed, _ in self.sums)


def sheet(steps):
    """The style sheet; elements have the ids and classes that `animation` gives them."""
    clock = Clock(OPEN + LEAD + len(steps) * STEP + PAUSE)
    frames, moves, seen = [], list(clock.begin()), set()
    for at, step in enumerate(steps):
        frames += keyframes(clock, at, step, last=at == len(steps) - 1)
        moves += move_elements(at, step, seen)
        seen.update(step.nodes, step.edges)
        for id, _ in step.sums:
            frames.append(clock.stay(f"m{at}", at * STEP + TRAVEL, end_of_sum(steps, at, id)))
            moves += move_sums(steps, at, id)
    moving = "\n".join(f"  {move}" for move in moves)
    return "\n".join([*frames, "@media (prefers-reduced-motion: no-preference) {", moving, "}\n"])


def keyframes(clock, at, step, last):
    """The movements of one step: edges, nodes, their texts, beads, words."""
    start = at * STEP
    there = start + TRAVEL if step.edges else start  # a node waits for the beads that lead to it
    return [
        clock.appear(f"e{at}", start),
        clock.appear(f"n{at}", there),
        clock.stay(f"t{at}", there),
        clock.run(f"r{at}", start),
        clock.stay(f"w{at}", start, None if last else start + STEP),
    ]


def move_elements(at, step, seen):
    """Which elements take part in a step's movements; those seen before stay as they are."""
    for id in step.nodes:
        if id not in seen:
            yield f"#{id} {{ animation-name: n{at} }}"
            yield f"#{id} > .value {{ animation-name: t{at} }}"
    for source, target in step.edges:
        if (source, target) not in seen:
            edge = f'[data-from="{source}"][data-to="{target}"]'
            yield f"{edge} {{ animation-name: e{at} }}"
            yield f"{edge} > .bead {{ animation-name: r{at} }}"
    yield f".w{at} {{ animation-name: w{at} }}"


def next_sum(steps, at, id):
    """The next step that changes what a node says; None for the last."""
    return next((to for to in range(at + 1, len(steps)) if steps[to].changes(id)), None)


def end_of_sum(steps, at, id):
    """The second at which a node says something else."""
    later = next_sum(steps, at, id)
    return None if later is None else later * STEP + TRAVEL


def move_sums(steps, at, id):
    """What a node says while contributions are missing, and its label once all are there."""
    if next_sum(steps, at, id) is not None:
        yield f"#{id} > .s{at} {{ animation-name: m{at} }}"
    elif any(step.changes(id) for step in steps[:at]):
        yield f"#{id} > .value:not(.sum) {{ animation-name: m{at} }}"


class Clock:
    """Writes movements of one round, which lasts `whole` seconds and then begins again."""

    def __init__(self, whole):
        self.whole = whole

    def begin(self):
        """What all movements share."""
        moving = ".node, .node > .value, [data-from], .words, .bead"
        yield f"{moving} {{ animation: {self.whole:g}s linear infinite }}"
        yield ".bead, .words, .sum { visibility: visible; opacity: 0 }"
        yield ".rest { visibility: hidden }"

    def appear(self, name, start):
        """Plain at first, dim before the start, plain from then on."""
        return (
            f"@keyframes {name} {{ 0%, {self.share(OPEN)} {{ opacity: 1 }} "
            f"{self.share(OPEN + FADE)}, {self.at(start)} {{ opacity: {DIM} }} "
            f"{self.at(start + FADE)}, 100% {{ opacity: 1 }} }}"
        )

    def stay(self, name, start, end=None):
        """There from start to end; without an end, through both rests, and not between."""
        instant = 0.01
        if end is None:
            return (
                f"@keyframes {name} {{ 0%, {self.share(OPEN)} {{ opacity: 1 }} "
                f"{self.share(OPEN + FADE)}, {self.at(start - instant)} {{ opacity: 0 }} "
                f"{self.at(start)}, 100% {{ opacity: 1 }} }}"
            )
        return (
            f"@keyframes {name} {{ 0%, {self.at(start - instant)} {{ opacity: 0 }} "
            f"{self.at(start)}, {self.at(end - instant)} {{ opacity: 1 }} "
            f"{self.at(end)}, 100% {{ opacity: 0 }} }}"
        )

    def run(self, name, start):
        """Along an edge, from its beginning to its end, and gone."""
        return (
            f"@keyframes {name} {{ 0%, {self.at(start)} {{ opacity: 0; offset-distance: 0% }} "
            f"{self.at(start + 0.05)} {{ opacity: 1 }} "
            f"{self.at(start + TRAVEL)} {{ opacity: 1; offset-distance: 100% }} "
            f"{self.at(start + TRAVEL + 0.1)}, 100% {{ opacity: 0; offset-distance: 100% }} }}"
        )

    def at(self, seconds):
        """A moment, counted from the first step, as a share of the round."""
        return self.share(OPEN + LEAD + seconds)

    def share(self, seconds):
        """A moment as a share of the round."""
        return f"{100 * seconds / self.whole:.2f}%"
