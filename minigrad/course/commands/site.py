"""`minigrad site`: the lessons, the assignments, a glossary and the reasons as a web site."""

import subprocess
import sys
from functools import partial
from importlib import util
from pathlib import Path

from minigrad.core.errors import MinigradError
from minigrad.course import files, project

HELP = "build the web site in site/: lessons, assignments, syllabus, glossary, reasons"
CONFIGURATION = Path(__file__).parents[1] / "publishing"
OPTIONS = "--fail-on-warning --keep-going --quiet --no-color"
NEEDED = ("myst_nb", "sphinx", "sphinx_book_theme")


def arguments(parser):
    """This command takes none."""


def run(args):
    """Build the site and say where it is; with a warning, the old one stays as it was."""
    course = project.clone()
    pages = build(course, course / "site")
    print(f"{pages} pages; open {course / 'site' / 'index.html'}")
    return 0


def build(course, site):
    """Puts the site of the course folder at `site`; returns the number of its pages.

    Raises MinigradError where a package is missing, where `site` holds something else, and where
    Sphinx warns of anything.
    """
    if missing := [name for name in NEEDED if util.find_spec(name) is None]:
        hint = 'make site, or: pip install "minigrad-course[site]"'
        raise MinigradError(f"{missing[0]} is not installed", hint=hint)
    files.renew_folder(site, partial(pages, course))
    return len([page for page in site.rglob("*.html") if "_static" not in page.parts])


def pages(course, scratch):
    """The folder below `scratch` into which Sphinx wrote the pages."""
    from minigrad.course.publishing.gather import gather
    from minigrad.course.publishing.lighten import lighten_site

    source, extra, made = scratch / "source", scratch / "extra", scratch / "made"
    source.mkdir()
    gather(course, source, extra)
    words = [sys.executable, "-m", "sphinx", "--builder", "html", *OPTIONS.split()]
    words += ["-D", f"html_extra_path={extra}", "--conf-dir", CONFIGURATION]
    words += ["--doctree-dir", scratch / "doctrees", source, made]
    text = {"encoding": "utf-8", "errors": "replace", "capture_output": True}
    done = subprocess.run(words, cwd=CONFIGURATION.parents[2], check=False, **text)
    if done.returncode:
        warnings = done.stderr.replace(f"{source}/", "").strip()
        raise MinigradError(f"the site was not built\n{warnings}", hint="fix what is named above")
    lighten_site(made)
    return made
