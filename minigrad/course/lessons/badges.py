"""The row of links below each lesson's title: blank, with answers, in Colab, on Binder.

All of it follows from one address, `Repository` below `[project.urls]` in pyproject.toml. While it
is not set, no lesson has a row, and the README has none below its picture. Colab opens only files
of a repository, so the blank notebooks lie in notebooks/blank/. Binder makes its own blank copies
when it starts.
"""

import re
import tomllib

from minigrad.core.errors import MinigradError
from minigrad.course import files

KEY = "Repository"
FORM = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
BRANCH = "main"
BLANK = "notebooks/blank"
ROW = re.compile(r'\n\n<p class="open">.*?</p>')
PICTURE = re.compile(r"^!\[.*", re.MULTILINE)


def read_repository(course):
    """Return owner and name of the course's repository, as "ann/course", from its pyproject.toml;
    "" where no address is set. Raises where that is not a repository on GitHub."""
    path = course / "pyproject.toml"
    described = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    address = described.get("project", {}).get("urls", {}).get(KEY, "")
    if address and not (found := FORM.fullmatch(address)):
        message = f"{KEY} in pyproject.toml is not the address of a repository on GitHub"
        raise MinigradError(message, f'write {KEY} = "https://github.com/OWNER/NAME"', address)
    return found[1] if address else ""


def hosted_links(owner_name, stem):
    """Yield (label, address) of the places that open a lesson without an installation."""
    place = f"{owner_name}/blob/{BRANCH}/{BLANK}/{stem}.ipynb"
    yield "Open in Colab", f"https://colab.research.google.com/github/{place}"
    opened = f"?urlpath=lab/tree/my/{stem}.ipynb"
    yield "Binder", f"https://mybinder.org/v2/gh/{owner_name}/{BRANCH}{opened}"


def all_links(owner_name, stem):
    """Yield (label, address) of all links of a lesson."""
    raw = f"https://github.com/{owner_name}/raw/{BRANCH}"
    yield "blank", f"{raw}/{BLANK}/{stem}.ipynb"
    yield "with answers", f"{raw}/notebooks/{stem}.ipynb"
    yield from hosted_links(owner_name, stem)


def join_links(links):
    """Return links in HTML, with a dot between two."""
    return " · ".join(f'<a href="{address}">{label}</a>' for label, address in links)


def without_row(text):
    """Return the first cell of a lesson without the row."""
    return ROW.sub("", text, count=1)


def with_row(text, owner_name, stem):
    """Return the first cell of a lesson with the row that belongs below its title now."""
    title, *rest = without_row(text).split("\n", 1)
    row = f'\n\n<p class="open">{join_links(all_links(owner_name, stem))}</p>'
    return "\n".join([title + row * bool(owner_name), *rest])


def with_start(text, owner_name, stem):
    """Return the README with the row that belongs below its picture now: where to open a lesson."""
    links = join_links(hosted_links(owner_name, stem))
    row = f'\n\n<p class="open">Try the first lesson in your browser: {links}</p>'
    return PICTURE.sub(lambda found: found[0] + row * bool(owner_name), without_row(text), count=1)


def renewed_files(course):
    """Yield (path, text) of each lesson with its row, of each blank copy, and of the README, as
    they should be now; of a lesson without a change, the text that it has."""
    from minigrad.course.lessons import handout, lesson

    owner_name, paths = read_repository(course), sorted((course / "notebooks").glob("*.ipynb"))
    if (readme := course / "README.md").is_file() and paths:
        yield readme, with_start(readme.read_text(encoding="utf-8"), owner_name, paths[0].stem)
    for path in paths:
        notebook = lesson.read_lesson(path)
        first = notebook.cells[0]
        text = with_row(first.source, owner_name, path.stem)
        if first.source == text:
            yield path, path.read_text(encoding="utf-8")
        else:
            first.source = text
            yield path, lesson.lesson_text(notebook)
        if owner_name:
            yield course / BLANK / path.name, lesson.lesson_text(handout.hand_out(notebook))


def renew_rows(course):
    """Write what differs from `renewed_files`, and remove other blank copies; return the names of
    the files that are new."""
    made = dict(renewed_files(course))
    folder = course / BLANK
    stale = [path for path in folder.glob("*.ipynb") if path not in made]
    for path in stale:
        path.unlink()
    if read_repository(course):
        folder.mkdir(exist_ok=True)
    changed = [path for path, text in made.items() if files.renew(path, text)]
    return [path.relative_to(course).as_posix() for path in (*stale, *changed)]
