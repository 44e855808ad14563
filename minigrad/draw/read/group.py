"""Groups: which values are drawn as one node."""

from typing import NamedTuple


class Group(NamedTuple):
    """Values drawn as one node."""

    members: tuple  # positions in the outline, sorted
    kind: str = "one"  # "one" | "scope" | "repeat" | "rest"
    label: str = ""
    times: int = 1
    path: str = ""  # of the frame that it stands for


class Folding(NamedTuple):
    """Which groups are drawn, which constants stand in labels instead, and what was done."""

    groups: list
    hidden: dict  # position of a constant → its text
    said: list

    def owners(self):
        """Position → index of its group; hidden constants have none."""
        return {at: index for index, group in enumerate(self.groups) for at in group.members}

    def size(self):
        """The number of nodes to draw."""
        return len(self.groups)


def sort_groups(groups):
    """By first member, so that ids rise in creation order."""
    return sorted(groups, key=lambda group: group.members[0])
