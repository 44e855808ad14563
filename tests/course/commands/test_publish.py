"""`minigrad publish` makes both clones from the last commit, or nothing and says why."""

import json
import shutil

import pytest

from minigrad.core.errors import MinigradError
from minigrad.course import cli
from minigrad.course.commands import publish
from minigrad.course.publishing import leaks

from ..publishing.conftest import SECRETS, clone, commit_all, git

__all__ = ["clone"]

PACKAGE = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "small"
version = "1.0"
[tool.hatch.build.targets.wheel]
packages = ["minigrad"]
[tool.hatch.build.hooks.custom]
path = ".ci/hook.py"
"""
HOOK = """
from pathlib import Path
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        for path in Path(self.root, "minigrad").glob("*.reversed"):
            path.with_suffix(".py").write_text(path.read_text()[::-1])
"""


@pytest.fixture
def targets(clone, tmp_path_factory):
    """Where the clones are to go."""
    folder = tmp_path_factory.mktemp("published")
    return folder / "public", folder / "private"


def publish_both(targets):
    """The exit status of the command."""
    return cli.main(["publish", str(targets[0]), "--instructor", str(targets[1])])


def refusal(capsys, *words):
    """What the command says as it refuses."""
    assert cli.main(["publish", *map(str, words)]) == 2
    return capsys.readouterr().err


def test_both_clones_have_one_commit_and_only_one_has_the_instructors_folder(clone, targets):
    (clone / "README.md").write_text("# A course, the second commit\n")
    commit_all(clone)
    (clone / "my").mkdir()
    (clone / "my" / "notes.txt").write_text("ignored")
    assert publish_both(targets) == 0
    names = {*leaks.tracked_files(clone)}
    kept = {name for name in names if name.startswith(leaks.KEPT)}
    assert kept and {*leaks.tracked_files(targets[0])} == names - kept
    assert {*leaks.tracked_files(targets[1])} == names
    for target in targets:
        assert git(target, "rev-list", "--count", "--all").strip() == "1"
        assert git(target, "status", "--porcelain", "--ignored") == ""
        assert git(target, "symbolic-ref", "--short", "HEAD").strip() == "main"
        assert (target / "README.md").read_text() == (clone / "README.md").read_text()


def test_it_works_with_empty_folders_and_without_a_private_clone(clone, targets):
    targets[0].mkdir()
    assert cli.main(["publish", str(targets[0])]) == 0
    assert (targets[0] / "README.md").is_file() and not targets[1].exists()


@pytest.mark.parametrize("kind", SECRETS)
def test_a_leak_is_refused_and_nothing_is_written(clone, targets, capsys, kind):
    (clone / "README.md").write_text(SECRETS[kind])
    commit_all(clone)
    said = refusal(capsys, targets[0], "--instructor", targets[1])
    assert "1 line of the instructor would be public" not in said  # the git object holds it, too
    assert f"README.md: {SECRETS[kind]}  (tiny)" in said and "publish --accept" in said
    assert list(targets[0].parent.iterdir()) == []


def test_a_leak_that_only_the_wheel_holds_is_refused(clone, targets, capsys):
    (clone / "pyproject.toml").write_text(PACKAGE)
    (clone / ".ci").mkdir(exist_ok=True)
    (clone / ".ci" / "hook.py").write_text(HOOK)
    (clone / "minigrad").mkdir()
    (clone / "minigrad" / "__init__.py").write_text("")
    commit_all(clone)
    assert publish_both(targets) == 0
    shutil.rmtree(targets[0])
    (clone / "minigrad" / "a.reversed").write_text(SECRETS["bank"][::-1])
    commit_all(clone)
    assert ".whl: minigrad/a.py: return" in refusal(capsys, targets[0])
    assert not targets[0].exists()


def test_a_leak_that_only_the_kit_holds_is_refused(clone, targets, capsys, monkeypatch):
    gathered = {"README.md": SECRETS["solution"].encode()}
    monkeypatch.setattr(publish.kit, "gather_kit", lambda *_: gathered)
    assert "the kit: README.md" in refusal(capsys, targets[0])


def test_what_cannot_be_published_is_refused(clone, targets, capsys):
    out, private = targets
    assert "is not a folder" in refusal(capsys, out / "deep" / "er")
    assert "lies in" in refusal(capsys, clone / "public")
    assert "lies in" in refusal(capsys, out, "--instructor", out / "private")
    assert "lies in" in refusal(capsys, clone)
    assert "the same folder" in refusal(capsys, out, "--instructor", out)
    private.mkdir()
    (private / "kept.txt").write_text("mine")
    assert "is not empty" in refusal(capsys, out, "--instructor", private)
    for words in ([], [out, "--accept"], ["--instructor", private], ["--check", out, "--accept"]):
        assert "only one of them" in refusal(capsys, *words)
    (clone / "draft.md").write_text("not committed")
    assert "differ from it: draft.md" in refusal(capsys, out)
    assert not out.exists() and [path.name for path in private.iterdir()] == ["kept.txt"]


def test_outside_a_clone_with_the_instructors_folder_it_is_refused(clone, targets, capsys):
    assert publish_both(targets) == 0
    with pytest.raises(MinigradError, match="assignments/instructor/ is not here"):
        publish.instructors_clone(targets[0])
    shutil.rmtree(clone / ".git")
    assert "not a git repository" in refusal(capsys, targets[0] / "again")
    git(clone.parent, "init", "--quiet")
    assert "is not a git clone of the course" in refusal(capsys, targets[0] / "again")


def test_a_published_clone_is_searched_with_its_history(clone, targets, capsys):
    assert publish_both(targets) == 0
    assert cli.main(["publish", "--check", str(targets[0])]) == 0
    notes = targets[0] / "notes.ipynb"
    notes.write_text(json.dumps({"cells": [{"source": SECRETS["solution"]}]}))
    commit_all(targets[0])
    notes.unlink()
    commit_all(targets[0])
    assert "git blob" in refusal(capsys, "--check", targets[0])
    assert "is not a folder" in refusal(capsys, "--check", targets[0] / "none")


def test_what_is_accepted_is_listed_and_may_be_public(clone, targets, capsys):
    (clone / "README.md").write_text(SECRETS["hidden check"])
    before = leaks.read_listed(clone)
    assert cli.main(["publish", "--accept"]) == 0
    assert "1 new, 0 gone" in capsys.readouterr().out
    listed = leaks.read_listed(clone)
    assert listed == sorted([*before, SECRETS["hidden check"]])
    commit_all(clone)
    assert publish_both(targets) == 0
    (clone / "README.md").write_text("# A course\n")
    assert cli.main(["publish", "--accept"]) == 0
    assert leaks.read_listed(clone) == before


def test_the_files_of_a_class_are_not_published(clone, targets, capsys):
    (clone / "class.csv").write_text("name,id\nAda,1\n")
    commit_all(clone)
    assert "do not belong to the course: class.csv" in refusal(
        capsys, targets[0], "--instructor", targets[1]
    )
    assert not any(target.exists() for target in targets)
