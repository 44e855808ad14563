"""What a wheel holds beside the package: the lessons, and the assignments as students get them.

So the course needs no clone. An editable installation has the clone itself, and what runs in a
browser has its own copies: MINIGRAD_PACKAGE_ALONE=1 leaves the course out.
"""

import os
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PATTERNS = ("notebooks/*.ipynb", "assignments/ps*/ps*.ipynb", "assignments/ps*/checks.py")
MAP = "figures/course_map.svg"


class Content(BuildHookInterface):
    """Hatchling asks it before it builds."""

    def initialize(self, version, build_data):
        """Say where each file of the course lies in a wheel, and that a source archive has it."""
        alone = os.environ.get("MINIGRAD_PACKAGE_ALONE", "") not in ("", "0")
        if version == "editable" or alone:
            return
        inside = "minigrad/course/content/" if self.target_name == "wheel" else ""
        root = Path(self.root)
        for path in [one for pattern in (*PATTERNS, MAP) for one in sorted(root.glob(pattern))]:
            name = path.relative_to(root).as_posix()
            build_data["force_include"][str(path)] = f"{inside}{name}"
