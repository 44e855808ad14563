"""The autograder zip: its scripts run in a bare folder, as Gradescope runs them."""

import json
import os
import re
import site
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

from minigrad.course import cli
from minigrad.course.commands import autograder, package
from minigrad.course.grading import assignment, process, sandbox
from minigrad.course.grading.report import CRASHED, GRADED, MISSING, UNREADABLE, Check, Report

from ..gradebook.test_gradebook import with_essay
from ..grading.conftest import KIND, RIGHT, SOLUTIONS, notebook, tiny

__all__ = ["tiny"]

SYSTEM = "/usr/bin/python3"
as_root = pytest.mark.skipif(not process.running_as_root(), reason="only root changes the user")


@pytest.fixture(scope="module")
def open_python():
    """A Python that every user can run, with the packages of this one."""
    if sandbox.user_works() is None:
        yield sys.executable
        return
    asked = [SYSTEM, "-c", "import sys; print(sys.version_info[:2])"]
    found = Path(SYSTEM).exists() and subprocess.check_output(asked, text=True).strip()
    if found != str(sys.version_info[:2]):
        pytest.skip(f"{sandbox.user_works()}; and {SYSTEM} has another version")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        subprocess.run([SYSTEM, "-m", "venv", "--without-pip", folder], check=True)
        (own,) = Path(folder).glob("lib/python*/site-packages")
        (own / "these.pth").write_text("\n".join(site.getsitepackages()))
        yield f"{folder}/bin/python"


@pytest.fixture
def autograde(tiny, course, tmp_path, open_python):
    """Pack the assignment as it is, set the zip up, and grade one submission after another: the
    results and what the instructor reads."""
    tiny.solution.write_text(json.dumps(with_essay(SOLUTIONS, "The model answer.")))
    (tiny.instructor / "rubric.md").write_text("q4: four points.\n")
    assert cli.main(["package", "tiny", "--gradescope", "--sandbox", KIND]) == 0
    home = tmp_path / "autograder"
    (home / "source").mkdir(parents=True)
    with zipfile.ZipFile("tiny-gradescope.zip") as archive:
        archive.extractall(home / "source")
        for entry in archive.infolist():
            (home / "source" / entry.filename).chmod(entry.external_attr >> 16)
    environment = {"PATH": os.environ["PATH"], "MINIGRAD_AUTOGRADER": str(home)}
    environment["MINIGRAD_PYTHON"] = open_python
    subprocess.run([home / "source/setup.sh"], env=environment, check=True)
    (home / "run_autograder").write_bytes((home / "source/run_autograder").read_bytes())
    (home / "run_autograder").chmod(0o755)

    def run(files):
        subprocess.run(["rm", "-rf", home / "submission", home / "results"], check=True)
        for name in ("submission", "results"):
            (home / name).mkdir()
        for name, text in files.items():
            (home / "submission" / name).write_text(text)
        (home / "results").chmod(0o777)
        done = subprocess.run(
            [home / "run_autograder"], cwd=home, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads((home / "results/results.json").read_text()), done.stdout

    run.home = home
    return run


def handed_in(essay="YOUR ANSWER HERE", **answers):
    """A submission."""
    return {"tiny.ipynb": json.dumps(with_essay(RIGHT | answers, essay))}


@as_root
def test_each_state_has_its_results(autograde):
    found, said = autograde(handed_in())
    assert (found["score"], said) == (4, "")
    assert {test["status"] for test in found["tests"] if "status" in test} == {"passed"}
    assert found["stdout_visibility"] == "hidden"

    found, _ = autograde(handed_in(q1="def double(x): return 0"))
    assert found["score"] == 2
    (failed, *_) = [test for test in found["tests"] if test.get("status") == "failed"]
    assert (failed["number"], failed["score"], failed["max_score"]) == ("q1", 0, 1)
    assert "Twice a number is the number plus itself." in failed["output"]

    found, _ = autograde(handed_in(essay="Because."))
    assert "score" not in found and "q4 is to be graded by hand" in found["output"]
    assert sum(test.get("score", 0) for test in found["tests"]) == 4

    found, said = autograde(handed_in(q1="import os\ndef double(x): os._exit(0)"))
    assert "score" not in found and "CRASHED" in said
    assert {test["number"] for test in found["tests"] if "score" not in test} == {"q1"}

    found, _ = autograde({})
    assert (found["score"], found["output"]) == (0, "the folder holds no notebook")

    found, _ = autograde({"tiny.ipynb": "truncated"})
    assert found["score"] == 0 and "no JSON" in found["output"]


SPY = """
import os
def double(x):
    seen = [os.getuid()]
    for path in {paths}:
        try:
            open(path, "a" if path.endswith("results.json") else "r").close()
            seen.append(path)
        except OSError:
            pass
    raise ValueError(" ".join(map(str, seen)))
"""


@as_root
def test_a_submission_is_another_user_who_sees_no_checks_and_writes_no_results(autograde):
    home = autograde.home
    home_is_open = [folder for folder in (home, *home.parents) if not folder.stat().st_mode & 1]
    for folder in home_is_open:  # as /autograder is: what is closed is closed by the scripts
        folder.chmod(folder.stat().st_mode | 0o005)
    inside = home / "source/assignments/instructor/tiny"
    paths = [f"{inside}/hidden.py", f"{inside}/solution.ipynb", f"{home}/source/seed.txt"]
    paths.append(f"{home}/results/results.json")
    try:
        found, _ = autograde(handed_in(q1=SPY.format(paths=[*map(str, paths)])))
    finally:
        for folder in home_is_open:
            folder.chmod(folder.stat().st_mode & ~0o005)
    words = " ".join(test.get("output", "") for test in found["tests"])
    assert re.search(r"ValueError: 6[01]\d\d\d\b", words)  # a user that nobody else is
    assert [path for path in paths if path in words] == []
    assert found["score"] == 2


def test_a_fault_of_the_grader_gives_no_points_and_tells_nobody_why(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sandbox, "user_works", lambda: None)
    assert autograder.main([str(tmp_path)]) == 0  # there is no source/ at all
    found = json.loads((tmp_path / "results/results.json").read_text())
    assert "score" not in found and found["tests"] == [] and found["output"] == autograder.FAILED
    assert "the grader failed" in capsys.readouterr().out


def test_points_are_written_where_they_are_known():
    check = Check("a", "a", "q1", 2, "passed")
    assert autograder.as_results(Report(GRADED, (check,), notes=("said",)))["output"] == "said"
    for status in (MISSING, UNREADABLE):
        assert autograder.as_results(Report(status, reason="why"))["score"] == 0
    assert "score" not in autograder.as_results(Report(CRASHED, reason="why"))


def test_what_the_checks_import_is_declared_and_installed(tiny, course, capsys):
    words = ["package", "tiny", "a.zip", "--gradescope", "--sandbox", KIND]
    text = tiny.hidden.read_text()
    tiny.hidden.write_text(f"import sklearn.datasets\nfrom tqdm import tqdm\n{text}")
    assert cli.main(words) == 2
    said = capsys.readouterr().err
    assert "hidden.py imports sklearn, tqdm, which the autograder would not have" in said
    assert '"check_libraries": ["sklearn"] under "minigrad" in the metadata' in said
    raw = json.loads(tiny.solution.read_text())
    raw["metadata"].setdefault("minigrad", {})["check_libraries"] = ["scikit-learn", "tqdm"]
    tiny.solution.write_text(json.dumps(raw))
    assert cli.main(words) == 0
    with zipfile.ZipFile("a.zip") as archive:
        assert archive.read("requirements.txt").endswith(b"\npytest\nscikit-learn\ntqdm\n")


def test_the_digits_of_ps8_are_declared():
    chosen = assignment.find("ps8")
    if not chosen.solution.is_file():
        pytest.skip("the instructor's files are not in this copy")
    assert "scikit-learn" in package.needed_libraries(chosen, assignment.key_master(chosen))


def test_the_zip_holds_what_is_needed_and_another_seed_each_time(tiny, course, capsys):
    words = ["package", "tiny", "a.zip", "--gradescope", "--replace", "--sandbox", KIND]
    seeds = set()
    for _ in range(2):
        assert cli.main(words) == 0
        with zipfile.ZipFile("a.zip") as archive:
            names = archive.namelist()
            seeds.add(archive.read("seed.txt"))
            assert archive.read("requirements.txt") == b"-c constraints.txt\nnumpy\npytest\n"
            assert b"numpy==" in archive.read("constraints.txt")
    assert len(seeds) == 2 and {"setup.sh", "run_autograder"} <= {*names}
    kept = [name for name in names if name.startswith("assignments/")]
    assert kept == [
        "assignments/instructor/tiny/hidden.py", "assignments/instructor/tiny/solution.ipynb",
        "assignments/tiny/checks.py",
    ]  # fmt: skip
    assert "3 questions, 4 points; the key has full points" in capsys.readouterr().out


def test_an_assignment_whose_key_fails_is_refused(tiny, course, capsys):
    tiny.solution.write_text(
        json.dumps(notebook(SOLUTIONS | {"q1": SOLUTIONS["q1"].replace("x + x", "x * x")}))
    )
    assert cli.main(["package", "tiny", "--gradescope", "--sandbox", KIND]) == 2
    assert "the key fails a check of hidden.py" in capsys.readouterr().err
    assert not Path("tiny-gradescope.zip").exists()
    with pytest.raises(SystemExit):
        cli.main(["package", "tiny"])
