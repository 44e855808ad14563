"""Shortcuts: the same numbers in less time. They can be left out: MINIGRAD_PLAIN=1.

Nothing in the engines imports them. They put themselves in from above: into tables that an
op, a compiler or a backend looks into, and into the places of functions whose work it does.
"""

from minigrad.fast import dispatch, native, sweeps


def install():
    """Puts the shortcuts in, once, before anything is computed."""
    for room in (dispatch, sweeps, native):
        room.install()
