"""Which lines are the instructor's alone, and where one of them stands in files for everybody.

A line of assignments/instructor/ is secret when it has at least 30 characters (a shorter one can
stand anywhere by chance), stands in no notebook that students get, and is not listed in
public_lines.txt, which holds the lines that public files share with it on purpose.
"""

import gzip
import hashlib
import html
import io
import os
import re
import subprocess
import tarfile
import zipfile
from collections import Counter, defaultdict
from typing import NamedTuple

from minigrad.core.errors import MinigradError
from minigrad.course.commands import release
from minigrad.course.grading import assignment, markup, notebook

DISTINCT = 30  # characters
GZIP = b"\x1f\x8b"
KEPT = "assignments/instructor"
LISTED = f"{KEPT}/public_lines.txt"
WORD = re.compile(r"\w+")
ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
BLANKS = {"n": "\n", "t": "\t", "r": "\n"}


class Leak(NamedTuple):
    """A secret line, the assignment it belongs to, and where it was found."""

    place: str
    line: str
    owner: str


class Secrets:
    """Secret lines, so ordered that a text is searched for all of them at once: it must hold all
    words of a line, so that a line is looked for only where its rarest word stands."""

    def __init__(self, owners):
        self.owners, self.read = owners, {}
        words = {line: frozenset(WORD.findall(line)) for line in owners}
        count = Counter(word for found in words.values() for word in found)
        self.by_word = defaultdict(list)
        for line, found in words.items():
            if found:
                self.by_word[min(found, key=lambda word: (count[word], word))].append((line, found))

    def find_in(self, data):
        """Return the secret lines that stand in these bytes, plainly or escaped, sorted; the same
        bytes are read once, however many files hold them."""
        key = hashlib.sha256(data).digest()
        if key not in self.read:
            forms = readings(data.decode("utf-8", errors="replace"))
            self.read[key] = sorted({line for form in forms for line in self.search(form)})
        return self.read[key]

    def search(self, text):
        """Yield the secret lines that stand plainly in a text."""
        there = set(WORD.findall(text))
        for word in there & self.by_word.keys():
            for line, words in self.by_word[word]:
                if words <= there and line in text:
                    yield line


def readings(text):
    """Yield the text as it is, and without the escapes of JSON and Python, and of HTML."""
    yield text
    if "\\" in text:
        yield ESCAPED.sub(unescape_one, text)
    if "&" in text:
        yield html.unescape(text)


def unescape_one(found):
    """Return the character that an escape stands for."""
    return chr(int(found[1], 16)) if found[1] else BLANKS.get(found[2], found[2])


def read_secrets(course, shared=True):
    """Return the `Secrets` of the course; with `shared=False` also the lines that are listed in
    public_lines.txt."""
    owners = {}
    for folder in sorted((course / KEPT).iterdir()):
        if folder.is_dir():
            name = folder.name
            chosen = assignment.Assignment(name, course / "assignments" / name, folder)
            for line in long_lines(private_text(chosen)) - long_lines(given_text(chosen)):
                owners.setdefault(line, name)
    for line in read_listed(course) if shared else ():
        owners.pop(line, None)
    return Secrets(owners)


def long_lines(text):
    """Return the lines of a text that are long enough to be told apart, stripped."""
    return {line.strip() for line in text.splitlines() if len(line.strip()) >= DISTINCT}


def given_text(chosen):
    """Return all text of the notebook that students get, made from the solution as it is now."""
    if not chosen.solution.is_file():
        return ""
    cells = release.student_notebook(chosen)["cells"]
    return "\n".join(map(notebook.source_text, cells))


def private_text(chosen):
    """Return what only the instructor has of an assignment: its solutions and hidden tests, and
    every other file of its folder whole."""
    parts = []
    for path in sorted(chosen.instructor.rglob("*")):
        if path == chosen.solution:
            parts += solved_parts(path)
        elif path.is_file() and path.suffix != ".pyc":
            parts.append(path.read_text(encoding="utf-8", errors="replace"))
    return "\n".join(parts)


def solved_parts(path):
    """Yield the solutions, hidden tests and written answers of an instructor's notebook."""
    for cell in notebook.cells(notebook.read_notebook(path)):
        _, solution, hidden = markup.regions(cell)
        yield "\n".join([*solution, *hidden])
        if cell.role == "written":
            yield cell.source


def read_listed(course):
    """Return the lines that are listed as public; none where there is no list."""
    path = course / LISTED
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def shared_lines(course):
    """Return the secret lines that the public files of a clone hold today, sorted."""
    secrets = read_secrets(course, shared=False)
    paths = [course / name for name in tracked_files(course) if not name.startswith(f"{KEPT}/")]
    found = (leak.line for path in paths for leak in leaks_of_file(path, path.name, secrets))
    return sorted(set(found))


def tracked_files(folder):
    """Return the names of the files that git follows in a clone and that are there."""
    names = git(folder, "ls-files", "-z").decode().split("\0")
    return [name for name in names if name and (folder / name).is_file()]


def git(folder, *words, hint="run it in a clone of the course"):
    """Run git in a folder; return what it printed. Raises MinigradError where it fails."""
    alone = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-C", str(folder), *words]
    try:
        done = subprocess.run(command, env=alone, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise MinigradError("git is not installed", "install git, and try again") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise MinigradError(f"git says: {said}", hint)
    return done.stdout


def find_leaks(folder, secrets):
    """Return every `Leak` in the files of a folder and, where it is a clone, in all objects of its
    git history, also those that no branch leads to."""
    found = leaks_of_files(folder, secrets)
    if (folder / ".git").exists():
        found += leaks_of_history(folder, secrets)
    return found


def leaks_of_files(folder, secrets):
    """Return the leaks in the files of a folder, without those of git."""
    found = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if ".git" not in inside.parts and path.is_file():
            found += leaks_of_file(path, inside.as_posix(), secrets)
    return found


def leaks_of_file(path, place, secrets):
    """Return the leaks in one file, which is called `place`."""
    return leaks_of_bytes(path.read_bytes(), place, secrets)


def leaks_of_bytes(data, place, secrets):
    """Return the leaks in what a file holds; archives are opened."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        parts = zip_members(data)
    elif data[:2] == GZIP:
        parts = tar_members(gzip.decompress(data))
    else:
        return [Leak(place, line, secrets.owners[line]) for line in secrets.find_in(data)]
    found = []
    for name, part in parts:
        found += leaks_of_bytes(part, f"{place}: {name}" if name else place, secrets)
    return found


def zip_members(data):
    """Yield (name, bytes) of each member of a zip, such as a wheel or a kit."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield from ((name, archive.read(name)) for name in archive.namelist())


def tar_members(data):
    """Yield (name, bytes) of each file of a tar; of what is none, the bytes without a name."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            yield from (
                (one.name, archive.extractfile(one).read()) for one in archive if one.isreg()
            )
    except tarfile.ReadError:
        yield "", data


def leaks_of_history(folder, secrets):
    """Return the leaks in every object of a clone: files of any commit, and messages."""
    listed = git(folder, "rev-list", "--objects", "--all", "--reflog").decode(errors="replace")
    names = dict(line.partition(" ")[::2] for line in listed.splitlines())
    found = []
    for key, kind, data in git_objects(folder):
        if kind != "tree":
            place = f"git {kind} {key[:10]} {names.get(key, '')}".strip()
            found += leaks_of_bytes(data, place, secrets)
    return found


def git_objects(folder):
    """Yield (name, kind, bytes) of every object of a clone."""
    stream = io.BytesIO(git(folder, "cat-file", "--batch-all-objects", "--batch"))
    while head := stream.readline().decode():
        key, kind, size = head.split()
        yield key, kind, stream.read(int(size))
        stream.readline()


def refuse_leaks(found, shown=10):
    """Raise MinigradError where there is a leak; its message lists the first ones."""
    if found:
        lines = [f"{leak.place}: {leak.line}  ({leak.owner})" for leak in found[:shown]]
        lines += [f"and {len(found) - shown} more"] * (len(found) > shown)
        hint = "remove these lines; or, where they may be public, run minigrad publish --accept"
        message = f"{count_lines(found)} of the instructor would be public"
        raise MinigradError("\n  - ".join([message, *lines]), hint)


def count_lines(found):
    """Return the number of leaks in words."""
    return f"{len(found)} line{'' if len(found) == 1 else 's'}"
