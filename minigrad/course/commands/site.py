"""`minigrad site`: the lessons, the assignments, a glossary and the reasons as a web site."""

import shutil
import subprocess
import sys
import tempfile
from importlib import util
from pathlib import Path

from minigrad.course import project
from minigrad.errors import MinigradError

HELP = "build the web site in site/: lessons, assignments, glossary, reasons"
CONFIGURATION = Path(__file__).parents[1] / "publishing"
NEEDED = ("myst_nb", "sphinx", "sphinx_book_theme", "sphinx-mathjax-offline")


def arguments(parser):
    """This command takes none."""


def run(args):
    """Build the site and say where it is; with a warning, the old one stays as it was."""
    course = project.root()
    pages = build(course, course / "site")
    print(f"{pages} pages; open {course / 'site' / 'index.html'}")
    return 0


def build(course, site):
    """Puts the site of the course folder at `site`; returns the number of its pages.

    Raises MinigradError where a package is missing, where `site` holds something else, and where
    Sphinx warns of anything.
    """
    if missing := [name for name in NEEDED if util.find_spec(name) is None]:
        raise MinigradError(
            f"{missing[0]} is not installed", mend='make site, or: pip install "minigrad[site]"'
        )
    if site.exists() and not (site / ".buildinfo").exists():
        raise MinigradError(
            f"{site} is not a site that this command built",
            mend="move it away, and run the command again",
        )
    with tempfile.TemporaryDirectory() as scratch:
        made = pages(course, Path(scratch))
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(made, site)
    return len([page for page in site.rglob("*.html") if "_static" not in page.parts])


def pages(course, scratch):
    """The folder below `scratch` into which Sphinx wrote the pages."""
    from minigrad.course.publishing.gather import gather

    source, made = scratch / "source", scratch / "made"
    source.mkdir()
    gather(course, source)
    options = [
        "--builder",
        "html",
        "--conf-dir",
        CONFIGURATION,
        "--doctree-dir",
        scratch / "doctrees",
        "--fail-on-warning",
        "--keep-going",
        "--quiet",
        "--no-color",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, source, made],
        cwd=CONFIGURATION.parents[2],
        capture_output=True,
        check=False,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode:
        warnings = done.stderr.replace(f"{source}/", "").strip()
        raise MinigradError(f"the site was not built\n{warnings}", mend="mend what is named above")
    return made
