"""How large each node's box is, and which leaves sit on top of the node that uses them."""

from collections import Counter
from typing import NamedTuple

from minigrad.draw.look import FLOWS, LINE, ROLES, SIZE
from minigrad.draw.layout.widths import text_width

ARROW, SIDE = 12, 0.8  # from one arrow that comes in to the next; on so much of a side
FEW = 3  # arrows for which there is always room


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

    def turned(self):
        """The box with the two axes exchanged."""
        return Box(self.y, self.x, self.h, self.w)

    def moved(self, dx, dy):
        """The box elsewhere."""
        return self._replace(x=self.x + dx, y=self.y + dy)


def box_size(node):
    """Width and height that hold the label; even numbers, so that centres are exact."""
    width = max(line_width(line) for line in node.lines)
    height = LINE * len(node.lines)
    shape = ROLES[node.shape or node.role].shape
    if shape == "ellipse":  # a rectangle a × b lies within an ellipse of axes 1.2 a and 1.6 b
        return even(width * 1.2 + 16), even(height * 1.35 + 8)
    if shape == "cylinder":
        return even(width + 20), even(height + 18)
    if shape == "box":
        return even(max(width + 10, height + 8)), even(height + 8)
    return even(max(width + 20, 44)), even(height + 12)


def line_width(line):
    """The width of one label line."""
    return sum(text_width(span.text, SIZE, span.bold) for span in line)


def even(length):
    """Rounded up to an even whole number."""
    return 2 * int(-(-length // 2))


def sizes(scene, across):
    """Id → (width, height): room for all arrows that come in; as an adjoint, so its primal."""
    found = {node.id: box_size(node) for node in scene.nodes}
    arrows = Counter(edge.target for edge in scene.edges if edge.kind in FLOWS)
    for id, count in arrows.items():
        (width, height), room = found[id], even(ARROW * count / SIDE) if count > FEW else 0
        found[id] = (width, max(height, room)) if across else (max(width, room), height)
    for node in scene.nodes:
        if node.of:
            both = found[node.id], found[node.of]
            found[node.id] = found[node.of] = tuple(max(side) for side in zip(*both))
    return found


def riders(scene, home):
    """Leaf id → id of its only user: at most one per user, and never its only input.

    `home` says which nodes lie in the same frame: outside, a leaf would hang out of it.
    """
    uses, feeds = {}, {}
    for edge in scene.edges:
        if edge.kind in FLOWS:
            uses.setdefault(edge.source, []).append(edge.target)
            feeds.setdefault(edge.target, []).append(edge.source)
    found = {}
    for node in scene.nodes:
        target = uses.get(node.id, [])
        if node.id in feeds or len(target) != 1 or node.result or node.of:
            continue
        others = [source for source in feeds[target[0]] if source != node.id]
        if home[node.id] != home[target[0]] or node.role == "port":
            continue
        if others and (node.role != "input" or any(source in feeds for source in others)):
            found.setdefault(target[0], node.id)
    return {leaf: user for user, leaf in found.items()}
