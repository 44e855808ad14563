"""A line of the instructor is found wherever a public file, archive or commit holds it."""

import gzip
import html
import io
import json
import tarfile
import zipfile

import pytest

from minigrad.core.errors import MinigradError
from minigrad.course.publishing import leaks

from .conftest import SECRETS, SHOWN, commit_all, git

PLACES = {  # a public file: how it writes a line
    "README.md": "# A course\n\nFor example, `{}`.\n".format,
    "tests/test_double.py": "def test_double():\n    {}\n".format,
    "notebooks/01_small.ipynb": lambda line: json.dumps({"cells": [{"source": [f"{line}\n"]}]}),
    ".binder/postBuild": "#!/bin/sh\n# {}\n".format,
    ".devcontainer/devcontainer.json": lambda line: json.dumps({"name": f"a\t{line}\nb"}),
    "figures/small.svg": lambda line: f"<svg><text>{html.escape(line)}</text></svg>",
}


@pytest.fixture
def public(clone, tmp_path_factory):
    """A clone of the public files alone."""
    folder = tmp_path_factory.mktemp("public")
    for name in leaks.tracked_files(clone):
        if not name.startswith(leaks.KEPT):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((clone / name).read_bytes())
    git(folder, "init", "--quiet")
    commit_all(folder)
    return folder


def places(folder, secrets):
    """Where the leaks of a folder are, and their lines."""
    return [(leak.place, leak.line) for leak in leaks.find_leaks(folder, secrets)]


def test_nothing_is_found_in_what_students_get(clone, public):
    secrets = leaks.read_secrets(clone)
    assert {*SECRETS.values()} == {*secrets.owners}
    assert places(public, secrets) == []


def test_a_line_that_the_students_notebook_shows_is_no_secret(clone):
    assert SHOWN not in leaks.read_secrets(clone, shared=False).owners


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("kind", SECRETS)
def test_each_kind_of_line_is_found_in_each_kind_of_file(clone, public, kind, name):
    path = public / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(PLACES[name](SECRETS[kind]))
    assert places(public, leaks.read_secrets(clone)) == [(name, SECRETS[kind])]


@pytest.mark.parametrize("kind", SECRETS)
def test_a_line_in_an_older_commit_is_found(clone, public, kind):
    path = public / "README.md"
    path.write_text(SECRETS[kind])
    commit_all(public)
    path.write_text("# Nothing here\n")
    commit_all(public)
    ((place, line),) = places(public, leaks.read_secrets(clone))
    assert line == SECRETS[kind]
    assert place.startswith("git blob ") and place.endswith(" README.md")


def test_a_line_in_a_commit_that_no_branch_leads_to_and_in_a_message_is_found(clone, public):
    commit = git(public, "rev-parse", "HEAD").strip()
    git(public, "commit", "--quiet", "--allow-empty", "--message", SECRETS["bank"])
    git(public, "reset", "--quiet", "--hard", commit)
    git(public, "reflog", "expire", "--expire=now", "--all")
    ((place, line),) = places(public, leaks.read_secrets(clone))
    assert place.startswith("git commit ") and line == SECRETS["bank"]


def test_archives_are_opened(clone, public):
    line = SECRETS["solution"].encode()
    with zipfile.ZipFile(public / "course.whl", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("minigrad/a.py", line)
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        member = tarfile.TarInfo("course/b.py")
        member.size = len(line)
        archive.addfile(member, io.BytesIO(line))
    (public / "course.tar.gz").write_bytes(gzip.compress(data.getvalue()))
    (public / "data.csv.gz").write_bytes(gzip.compress(line))
    assert places(public, leaks.read_secrets(clone)) == [
        ("course.tar.gz: course/b.py", line.decode()),
        ("course.whl: minigrad/a.py", line.decode()),
        ("data.csv.gz", line.decode()),
    ]


def test_what_is_refused_names_the_place_the_line_and_the_assignment():
    found = [leaks.Leak(f"page {number}", "a line", "ps1") for number in range(12)]
    leaks.refuse_leaks([])
    with pytest.raises(MinigradError, match="12 lines of the instructor would be public") as said:
        leaks.refuse_leaks(found)
    assert "page 0: a line  (ps1)" in said.value.message
    assert "page 11" not in said.value.message and "and 2 more" in said.value.message
