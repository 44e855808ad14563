"""Counting bytes as reference counting frees them: every array once, however many share it."""

from minigrad.draw.trace.event import Life


class Memory:
    """Arrays that are held, over steps; `live` is the sum of their bytes now.

    A view holds the array that it looks into. What `outside` looks into is the learner's own and
    is not counted.
    """

    def __init__(self, outside=()):
        self.outside = {id(base(array)): array for array in outside}
        self.held, self.lives, self.live = {}, [], 0

    def hold(self, array, name, kind, step):
        """One reference more."""
        root = base(array)
        if id(root) in self.outside:
            return
        if id(root) in self.held:
            self.held[id(root)][0] += 1
        else:  # the array itself is kept, so that no other one gets its id
            self.held[id(root)] = [1, Life(name, kind, root.nbytes, step, step), root]
            self.live += root.nbytes

    def release(self, array, step):
        """One reference less; after the last one the array is gone from the next step on."""
        entry = self.held.get(id(base(array)))
        if entry is None:
            return
        entry[0] -= 1
        if not entry[0]:
            self.end(self.held.pop(id(entry[2])), step)

    def end(self, entry, step):
        """Notes a life that is over."""
        self.live -= entry[1].bytes
        self.lives.append(entry[1]._replace(last=step))

    def finished(self, step):
        """All lives, also of what is held to the end; in order of their first step."""
        for entry in list(self.held.values()):
            self.end(entry, step)
        self.held.clear()
        return tuple(sorted(self.lives, key=lambda life: (life.first, life.name)))


def base(array):
    """The array whose memory an array looks into."""
    while getattr(array, "base", None) is not None and hasattr(array.base, "nbytes"):
        array = array.base
    return array
