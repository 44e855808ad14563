"""`minigrad figures`: make every picture of figures/ again, each by the script of its name."""

import os
import subprocess
import sys

from minigrad.course import project
from minigrad.errors import MinigradError

HELP = "make the pictures in figures/ again"


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("names", nargs="*", help="figures without .py (default: all)")


def run(args):
    """Run each script in figures/; each writes the SVG of its own name beside itself."""
    from tqdm import tqdm

    for script in tqdm(scripts(args.names), unit="figure"):
        draw(script)
    return 0


def scripts(names):
    """The scripts of the named figures, or all."""
    found = {path.stem: path for path in sorted((project.root() / "figures").glob("*.py"))}
    unknown = [name for name in names if name not in found]
    if unknown:
        listing = ", ".join(found) or "none yet"
        raise MinigradError(f"there is no figure '{unknown[0]}'", mend=f"name one of: {listing}")
    return [found[name] for name in names] if names else list(found.values())


def draw(script):
    """Run one script in its folder; no hash that differs between two runs."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, script.name],
        cwd=script.parent,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise MinigradError(
            f"figures/{script.name} failed: {last[0]}",
            mend=f"run it alone: python figures/{script.name}",
        )
