"""What stands between a fresh machine and `make lab`: the pins, the search for a Python."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(os.name != "posix", reason="a shell script is what is tested")


@pytest.fixture
def venv_script(tmp_path):
    """Runs a copy of .ci/venv with only the given programs on the path."""
    course, programs = tmp_path / "course", tmp_path / "programs"
    (course / ".ci").mkdir(parents=True)
    programs.mkdir()
    shutil.copy(ROOT / ".ci" / "venv", course / ".ci")
    for name in ("dirname", "sh"):
        (programs / name).symlink_to(shutil.which(name))

    def run(**scripts):
        for name, text in scripts.items():
            (programs / name).write_text(f"#!/bin/sh\n{text}\n")
            (programs / name).chmod(0o755)
        return subprocess.run(
            [course / ".ci" / "venv"],
            env={"PATH": str(programs)},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def python(version, body="exit 0", status=0):
    """A program that says it is Python `version` and runs `body` when it makes environments."""
    return f'case "$1" in --version) echo Python {version};; -c) exit {status};; *) {body};; esac'


@POSIX
def test_no_python_is_said(venv_script):
    done = venv_script()
    assert done.returncode == 1
    assert done.stderr == (
        "minigrad: Python 3.11 or newer is needed; none was found on the path\n"
        "  try  install a newer Python, or name one: make PYTHON=/path/to/python3.12 ...\n"
    )


@POSIX
def test_an_old_python_is_named(venv_script):
    done = venv_script(python3=python("3.9.2", status=1))
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed; python3 is Python 3.9.2;" in done.stderr


@POSIX
def test_a_newer_python_beside_an_old_one_is_taken(venv_script):
    done = venv_script(
        **{"python3": python("3.9.2", status=1), "python3.12": python("3.12.1", 'echo made "$@"')}
    )
    assert (done.returncode, done.stdout) == (0, "made -m venv --clear .venv\n")


@POSIX
def test_a_python_without_venv_is_told_how_to_get_it(venv_script):
    done = venv_script(python3=python("3.12.1", "exit 1"))
    assert done.returncode == 1
    assert "python3 cannot make virtual environments" in done.stderr
    assert "apt install python3-venv" in done.stderr


def test_every_requirement_is_pinned_and_no_host_is_named():
    pins = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8")
    pinned = set(re.findall(r"^([\w.-]+)==", pins, re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    assert {re.match(r"[\w.-]+", line)[0] for group in groups for line in group} <= pinned
    assert "://" not in pins
    lines = [line for line in pins.splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==\S+( ; .+)?", line)] == []


def test_containers_are_set_up_by_the_steps_of_the_makefile():
    steps = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name in ("postCreateCommand", "postAttachCommand"):
        target = steps[name].split("make ")[1]
        assert re.search(
            rf"^(?:stamps := .*{re.escape(target)}\b|{target}:)", makefile, re.MULTILINE
        )
    needed = (ROOT / ".binder" / "requirements.txt").read_text().splitlines()[-1]
    assert needed == "-r ../.ci/lab.txt"
    built = (ROOT / ".binder" / "postBuild").read_text().splitlines()[-1]
    assert built == "python -m minigrad.course.cli lab --copy-only"
    assert "cli\n" in re.search(r"^minigrad := .*\n", makefile, re.MULTILINE)[0]


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_test_runs_the_linters_then_the_fast_tests_and_the_lessons():
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        ["make", "-n", "test"], cwd=ROOT, env=alone, capture_output=True, text=True, check=True
    )
    lines = done.stdout.replace("\\\n", "").splitlines()
    assert "--nbval " in lines[-1] and lines[-1].endswith("--tier fast notebooks tests")
    assert sum("-m pytest" in line or "cli lint" in line for line in lines) == 2


WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_names_actions_by_their_commits_and_asks_for_little(path):
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    flow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert flow["permissions"] in ({}, {"contents": "read"})
    steps = [step for job in flow["jobs"].values() for step in job.get("steps", ())]
    for used in filter(None, (step.get("uses") for step in steps)):
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", used), used
    for job in flow["jobs"].values():
        assert job.get("uses", "").startswith("./") or job["timeout-minutes"] <= 60


@POSIX
@pytest.mark.parametrize("subject", ["x" * 72, "é" * 72, "x" * 73])
def test_a_commit_with_a_long_subject_is_refused(tmp_path, subject):
    (tmp_path / "message").write_text(f"{subject}\n\n{'why ' * 40}\n", encoding="utf-8")
    alone = os.environ | {"LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [ROOT / ".ci/subject", tmp_path / "message"], env=alone, capture_output=True, check=False
    )
    assert done.returncode == (len(subject) > 72)
