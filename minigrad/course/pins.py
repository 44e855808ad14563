"""The packages the course needs, with the versions that were tried together."""

import re
from importlib import metadata
from pathlib import Path

PINS = Path(__file__).resolve().parents[2] / ".ci" / "constraints.txt"
PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)


def pinned():
    """name → version, from the constraints file; empty where the package stands alone."""
    return dict(PIN.findall(PINS.read_text(encoding="utf-8"))) if PINS.is_file() else {}


def needed():
    """The names of the packages that minigrad and its extra `course` ask for."""
    wanted = metadata.requires("minigrad") or []
    return [
        re.match(r"[\w.-]+", line)[0]
        for line in wanted
        if "extra" not in line or re.search(r"extra == ['\"]course['\"]", line)
    ]
