"""The course as files to take: its students' kit as a zip and its package as a wheel."""

from importlib import util

from minigrad.course import files, project
from minigrad.course.commands import kit
from minigrad.course.grading import assignment
from minigrad.course.lessons import badges
from minigrad.course.publishing.building import build_packages
from minigrad.course.publishing.parts import DOWNLOAD

KIT = "minigrad-kit.zip"


def save_downloads(course, folder):
    """Write the kit of a clone and, with hatchling, the wheel; return what the page says."""
    if not (course / ".gitignore").is_file():
        return ["Ask the person who gave you these pages for the folder of the course."]
    return [*take_kit(course, folder), *take_wheel(folder), *take_clone(course)]


def take_kit(course, folder):
    """Write the kit; yield how to begin with it."""
    handed_out = [
        one for one in map(assignment.find, assignment.find_all()) if one.notebook.is_file()
    ]
    contents = kit.gather_kit(course, project.lessons(start=course), handed_out)
    files.write_archive(
        folder / KIT, {f"minigrad-kit/{name}": data for name, data in contents.items()}
    )
    yield from (
        "## The whole course",
        f"{DOWNLOAD.format(f'downloads/{KIT}', KIT)} ({megabytes(folder / KIT)}) holds the "
        "lessons, the assignments and the package. Unpack it, and run in its folder:",
        "```sh\nmake lab\n```",
        "You need Python 3.11 or newer and make. The first run installs everything else into that "
        "folder. Without make, for example on Windows, run "
        "`uv run --with-requirements .ci/lab.txt minigrad lab`.",
    )


def take_wheel(folder):
    """Write the wheel where hatchling is installed; yield how to install it."""
    if util.find_spec("hatchling") is None:
        return
    (wheel,) = build_packages(project.beside_package(), folder, "wheel")
    yield from (
        "## The package alone",
        f"{DOWNLOAD.format(f'downloads/{wheel.name}', wheel.name)} ({megabytes(wheel)}) holds the "
        "package with the lessons and assignments. Install it with pip, and open the lessons:",
        f'```sh\npip install "./{wheel.name}[course]"\nminigrad lab\n```',
    )


def take_clone(course):
    """Yield how to clone the repository, once pyproject.toml names its address."""
    if name := badges.read_repository(course):
        yield from ("## The repository", f"```sh\ngit clone https://github.com/{name}\n```")


def megabytes(path):
    """Return the size of a file in words."""
    return f"{path.stat().st_size / 2**20:.1f} MB"
