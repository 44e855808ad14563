"""Where the course's folders are."""

from pathlib import Path

from minigrad.errors import MinigradError


def root(start=None):
    """The course folder: the nearest one at or above `start` (the current folder), else the
    one that holds this package. Raises when neither has lessons and assignments."""
    start = Path(start or Path.cwd()).resolve()
    beside_package = Path(__file__).resolve().parents[2]
    for folder in (start, *start.parents, beside_package):
        if (folder / "assignments").is_dir() and (folder / "notebooks").is_dir():
            return folder
    raise MinigradError(
        f"no course folder here: neither {start} nor a folder above it holds "
        "assignments/ and notebooks/",
        mend="change to the folder into which the course was cloned",
    )


def notebooks(start=None):
    """The folder of the lessons as they are published, with outputs."""
    return root(start) / "notebooks"


def assignments(start=None):
    """The folder of the assignments."""
    return root(start) / "assignments"


def workspace(start=None):
    """The folder in which a student works; it need not exist yet."""
    return root(start) / "my"


def lessons(names=(), start=None):
    """The lessons' paths in order; `names` chooses some by path, name or the start of a name."""
    found = sorted(notebooks(start).glob("*.ipynb"))
    return [_named(name, found) for name in names] if names else found


def _named(name, found):
    """The one lesson (or existing file) that `name` means."""
    if Path(name).is_file():
        return Path(name).resolve()
    matches = [path for path in found if path.name.startswith(name)]
    if len(matches) == 1:
        return matches[0]
    fact = f"{len(matches)} lessons begin with" if matches else "no lesson begins with"
    listing = ", ".join(path.stem for path in matches or found) or "none yet"
    raise MinigradError(f"{fact} '{name}'", mend=f"name one of: {listing}")
