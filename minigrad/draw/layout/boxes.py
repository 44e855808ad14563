"""How wide a text is, how large each node's box, and which leaves sit on top of their user."""

import unicodedata
from collections import Counter, defaultdict
from typing import NamedTuple

from minigrad.draw.look import LINE, ROLES, SIZE

ARROW, SIDE = 12, 0.8  # from one arrow that comes in to the next; on so much of a side
FEW = 3  # arrows for which there is always room
OTHER, FULL = 620, 1000  # a letter outside the table; an East Asian one


def widths(table):
    """The numbers of a table of widths."""
    return tuple(map(int, table.split()))


# Thousandths of the font size, for the characters from space to "~". Read with fontTools from
# LiberationSans-Regular and -Bold (`hmtx` advances, scaled from 2048 units), whose widths are those
# of Helvetica and Arial by design. A table, so that boxes do not depend on the fonts installed.
REGULAR = widths("""
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556
556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778
667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556
556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584
""")
BOLD = widths("""
278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556
556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778
667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611
611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584
""")


def text_width(text, size, bold=False):
    """The width of `text` in pixels at `size` pixels."""
    return sum(char_width(char, BOLD if bold else REGULAR) for char in text) * size / 1000


def char_width(char, table):
    """The width of one character in thousandths of the font size."""
    if " " <= char <= "~":
        return table[ord(char) - 32]
    if unicodedata.combining(char):
        return 0
    return FULL if unicodedata.east_asian_width(char) in "WF" else OTHER


class Box(NamedTuple):
    """A rectangle by its centre and its size, in pixels."""

    x: float
    y: float
    w: float
    h: float

    left = property(lambda box: box.x - box.w / 2)
    right = property(lambda box: box.x + box.w / 2)
    top = property(lambda box: box.y - box.h / 2)
    bottom = property(lambda box: box.y + box.h / 2)

    def transpose(self):
        """The box with the two axes exchanged."""
        return Box(self.y, self.x, self.h, self.w)

    def translate(self, dx, dy):
        """The box elsewhere."""
        return self._replace(x=self.x + dx, y=self.y + dy)


def box_size(node):
    """Width and height that hold the label; even numbers, so that centres are exact."""
    width = max(line_width(line) for line in node.lines)
    height = LINE * len(node.lines)
    shape = ROLES[node.shape or node.role].shape
    if shape == "ellipse":  # a rectangle a × b lies within an ellipse of axes 1.2 a and 1.6 b
        return round_even(width * 1.2 + 16), round_even(height * 1.35 + 8)
    if shape == "cylinder":
        return round_even(width + 20), round_even(height + 18)
    if shape == "box":
        return round_even(max(width + 10, height + 8)), round_even(height + 8)
    return round_even(max(width + 20, 44)), round_even(height + 12)


def line_width(line):
    """The width of one label line."""
    return sum(text_width(span.text, SIZE, span.bold) for span in line)


def round_even(length):
    """Rounded up to an even whole number."""
    return 2 * int(-(-length // 2))


def sizes(scene, across):
    """Id → (width, height): room for all arrows that come in; as an adjoint, so its primal.

    Of a scene of stages, room for each node as it is in any of them.
    """
    if scene.stages:
        every = [sizes(stage, across) for stage in scene.stages]
        return {n.id: most([one[n.id] for one in every if n.id in one]) for n in scene.nodes}
    found = {node.id: box_size(node) for node in scene.nodes}
    arrows = Counter(edge.target for edge in scene.flows())
    for id, count in arrows.items():
        (width, height), room = found[id], round_even(ARROW * count / SIDE) if count > FEW else 0
        found[id] = (width, max(height, room)) if across else (max(width, room), height)
    for node in scene.nodes:
        if node.of:
            both = found[node.id], found[node.of]
            found[node.id] = found[node.of] = most(both)
    return found


def most(pairs):
    """The greatest width and the greatest height of some sizes."""
    return tuple(max(side) for side in zip(*pairs))


def riders(scene, home):
    """Leaf id → id of its only user: at most one per user, and never its only input.

    `home` says which nodes lie in the same frame: outside, a leaf would hang out of it.
    """
    users, feeds, found = defaultdict(list), defaultdict(list), {}
    for edge in scene.flows():
        users[edge.source].append(edge.target)
        feeds[edge.target].append(edge.source)
    for node in scene.nodes:
        if node.id not in feeds and len(users[node.id]) == 1 and is_light(node):
            (user,) = users[node.id]
            others = {*feeds[user]} - {node.id}
            enough = others if node.role != "input" else others & feeds.keys()
            if enough and home[node.id] == home[user]:
                found.setdefault(user, node.id)
    return {leaf: user for user, leaf in found.items()}


def is_light(node):
    """Whether a leaf may ride: it is neither a result nor an adjoint, nor where a frame begins."""
    return not (node.result or node.of or node.role == "port")
