"""Where the course's folders are, and the packages that it needs."""

import re
import tomllib
from importlib import metadata, util
from pathlib import Path

from minigrad.core.errors import MinigradError

DISTRIBUTION = "minigrad-course"  # what pip knows it by; `minigrad` there is another's
# the modules of packages that are imported by another name
MODULES = {"pyyaml": "yaml", "scikit-learn": "sklearn", "pillow": "PIL"}
CONTENT = Path(__file__).resolve().parent / "content"  # lessons and assignments in a wheel
IN_CLONE = "change to the folder into which the course was cloned"
PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)


def root(start=None):
    """The course folder: the nearest one at or above `start` (the current folder), else the one
    that holds this package, else what was installed with it. Raises when there is none."""
    start = Path(start or Path.cwd()).resolve()
    for folder in (start, *start.parents, beside_package(), CONTENT):
        if (folder / "assignments").is_dir() and (folder / "notebooks").is_dir():
            return folder
    message = f"no course folder here: neither {start} nor a folder above it holds "
    raise MinigradError(message + "assignments/ and notebooks/", hint=IN_CLONE)


def clone():
    """The course folder, for what writes into it. Raises when there is only what was installed."""
    if (found := root()) == CONTENT:
        message = (
            "this command changes the course, but only an installed copy of the course is here"
        )
        raise MinigradError(message, hint=IN_CLONE)
    return found


def beside_package():
    """The folder that holds this package."""
    return Path(__file__).resolve().parents[2]


def assignments():
    """The folder of the assignments."""
    return root() / "assignments"


def workspace():
    """The folder in which a student works, my/ in a clone; where the course was installed, the one
    that holds the current folder, or my/ in it. It need not exist yet."""
    if (course := root()) != CONTENT:
        return course / "my"
    here = Path.cwd().resolve()
    return next((one for one in (here, *here.parents) if one.name == "my"), here / "my")


def lessons(names=(), start=None):
    """The lessons' paths in order; `names` chooses some by path, name or the start of a name."""
    found = sorted((root(start) / "notebooks").glob("*.ipynb"))
    return [lesson_named(name, found) for name in names] if names else found


def lesson_named(name, found):
    """The one lesson (or existing file) that `name` means."""
    if Path(name).is_file():
        return Path(name).resolve()
    matches = [path for path in found if lesson_number(path) == name]
    matches = matches or [path for path in found if path.name.startswith(name)]
    if len(matches) == 1:
        return matches[0]
    message = f"{len(matches)} lessons begin with" if matches else "no lesson begins with"
    listing = ", ".join(path.stem for path in matches or found) or "none yet"
    raise MinigradError(f"{message} '{name}'", hint=f"name one of: {listing}")


def lesson_number(path):
    """What texts call the lesson at `path`: "03", or "11b" for what goes on where 11 ends."""
    return path.name.partition("_")[0]


def pinned_versions():
    """{package: the version that was tried}; empty where the package stands alone."""
    path = beside_package() / ".ci" / "constraints.txt"
    return dict(PIN.findall(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def read_description():
    """{version, dependencies, extras}: what pyproject.toml says where this package lies in a
    clone, elsewhere what was noted when it was installed."""
    path = beside_package() / "pyproject.toml"
    if path.is_file():
        described = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        return {**described, "extras": described["optional-dependencies"]}
    extras = {"": []}
    for line in metadata.requires(DISTRIBUTION) or []:
        found = re.search(r"extra == ['\"]([\w-]+)['\"]", line)
        extras.setdefault(found[1] if found else "", []).append(line)
    plain = extras.pop("")
    return {"version": metadata.version(DISTRIBUTION), "dependencies": plain, "extras": extras}


def version_text():
    """What `minigrad --version` prints."""
    return f"minigrad {read_description()['version']}"


def needed_packages():
    """The names of the packages that minigrad and its extra `course` ask for."""
    said = read_description()
    return package_names([*said["dependencies"], *said["extras"]["course"]])


def package_names(lines):
    """The names in requirements such as "numpy>=2.0"."""
    return [re.match(r"[\w.-]+", line)[0] for line in lines]


def module_of(package):
    """The name by which a package is imported."""
    return MODULES.get(package, package.replace("-", "_"))


def extra_with(module):
    """The extra of this package that brings a module, the extra `course` before others; None where
    it belongs to none of them."""
    extras = {"course": [], **read_description()["extras"]}
    for extra, lines in extras.items():
        if module in map(module_of, package_names(lines)):
            return extra
    return None


def lacking(module):
    """The error for a module of an extra that is not installed."""
    hint = f'pip install "{DISTRIBUTION}[{extra_with(module) or "course"}]"'
    return MinigradError(f"this needs {module}, which is not installed", hint=hint)


def require(*modules):
    """Raises unless all of these modules are installed: before anything is done."""
    for module in modules:
        if util.find_spec(module) is None:
            raise lacking(module)
