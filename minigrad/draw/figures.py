"""The figures of the course: one script each in `figures/`, whose picture lies beside it."""

import runpy
from pathlib import Path

from minigrad.errors import ArgumentError


def made(script):
    """The SVG text that a figure's script makes."""
    names = runpy.run_path(str(script))
    if "make" not in names:
        raise ArgumentError(f"{Path(script).name} defines no make()", "see the other figures")
    figure = names["make"]()
    return figure if isinstance(figure, str) else figure.svg


def scripts(folder):
    """The figure scripts of a folder, by name."""
    return sorted(path for path in Path(folder).glob("*.py") if not path.name.startswith("_"))


def remake(folder):
    """Write every figure again; returns a list of (name, whether its picture changed)."""
    report = []
    for script in scripts(folder):
        target, text = script.with_suffix(".svg"), made(script).encode()
        changed = not target.exists() or target.read_bytes() != text
        if changed:
            target.write_bytes(text)
        report.append((script.stem, changed))
    return report
