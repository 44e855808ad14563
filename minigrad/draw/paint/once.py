"""Scripts once in a notebook: an output carries those that no output of its session has brought.

Each output could bring its own, and does so wherever it stands alone: outside of notebooks, and
where every output is a page of its own. In a notebook of twenty drawings that would be twenty
copies in its file.
"""

import sys

ALONE = ("google.colab", "marimo")  # they show every output in a frame of its own
# marimo makes a frame taller where its page is cut, but not where the page has no doctype, of which
# the browser always says that it fits. And a share of the window's height is one of the frame's.
FRAME = "<!doctype html>\n<style>:root { --tall: 640px }</style>\n"


class Outputs:
    """What a kernel has shown so far: by which cells, and which of them brought which script."""

    def __init__(self):
        self.first = {}  # cell → the message that ran it first
        self.brought = {}  # tag → the messages whose outputs brought its script

    def choose(self, scripts, cell, message):
        """Those of the scripts that the output of a message of a cell has to bring.

        A cell that is run again brings all that it needs: the output that it replaces, or one that
        was deleted since, may have brought it before.
        """
        again = self.first.setdefault(cell, message) != message
        needed = [script for script in scripts if self.is_missing(script, again, message)]
        for script in needed:
            self.brought.setdefault(script.tag, set()).add(message)
        return needed

    def is_missing(self, script, again, message):
        """Whether a script has not been brought yet; if the cell runs again, by this message."""
        brought = self.brought.get(script.tag, ())
        return message not in brought if again else not brought


outputs = Outputs()


def pick_missing_scripts(scripts):
    """Those of the scripts that an output shown now has to bring."""
    place = running_cell()
    return outputs.choose(scripts, *place) if place else scripts


def head_of_frame(scripts):
    """What stands before an output with scripts where it becomes the page of a frame."""
    return FRAME if scripts and "marimo" in sys.modules else ""


def running_cell():
    """(cell, message) that runs now in a notebook's kernel; None elsewhere, or when in doubt."""
    if "IPython" not in sys.modules or any(name in sys.modules for name in ALONE):
        return None
    try:
        parent = sys.modules["IPython"].get_ipython().get_parent()
        cell = parent["metadata"].get("cellId") or parent["content"]["code"]
        return cell, parent["header"]["msg_id"]
    except Exception:  # a terminal, or a front-end that we do not know
        return None
