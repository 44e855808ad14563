"""ps1: the key, the released notebook, and a bank of wrong and right answers."""

import json
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest

from minigrad.course.grading import assignment, bank, notebook, releasing, report
from minigrad.course.grading.run import Job, run
from minigrad.course.grading.worker import Setting

from .conftest import BWRAP_PROBLEM
from .paths import ROOT

PS1 = assignment.Assignment(
    "ps1", ROOT / "assignments" / "ps1", ROOT / "assignments" / "instructor" / "ps1"
)
SETTING = Setting("none" if BWRAP_PROBLEM else "bwrap")
pytestmark = pytest.mark.skipif(
    not PS1.solution.is_file(), reason="the instructor's files are not in this copy"
)
MEMBERS = bank.members(PS1)


@pytest.fixture(scope="module")
def verdicts():
    """Each member's verdict, by file name."""
    master = assignment.key_master(PS1)

    def judge(member):
        return member.path.name, bank.verdict(member, PS1, master, SETTING)

    with ThreadPoolExecutor(2) as pool:
        return dict(pool.map(judge, MEMBERS))


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: member.path.stem)
def test_a_member_of_the_bank_loses_what_it_names_and_nothing_else(member, verdicts):
    holds, lost, found = verdicts[member.path.name]
    assert lost == ([member.loses] if member.loses else []), report.as_text(found)
    assert holds
    assert found.status == report.GRADED


def test_the_bank_is_large_enough_and_names_every_question():
    wrong = [member for member in MEMBERS if member.loses]
    assert len(wrong) >= 12
    assert {member.loses for member in wrong} == set(assignment.key_master(PS1).questions)
    assert len(MEMBERS) - len(wrong) >= 2


@pytest.mark.parametrize("checks", [PS1.checks, PS1.hidden], ids=lambda path: path.stem)
def test_the_key_has_full_points_and_the_released_notebook_none(checks):
    master = assignment.key_master(PS1)
    key = run(Job(checks, master, SETTING, PS1.solution))
    assert (key.status, key.reason) == (report.GRADED, "")
    assert {question: key.earned(question) for question in key.questions()} == master.points
    blank = run(Job(checks, assignment.released_master(PS1), SETTING, PS1.notebook))
    assert (blank.status, blank.earned()) == (report.GRADED, 0)
    assert {check.message for check in blank.checks} == {report.UNANSWERED}


def test_the_released_notebook_is_what_release_makes_of_the_solution():
    made = releasing.released(PS1)
    assert PS1.notebook.read_text(encoding="utf-8") == notebook.as_text(made)


def test_the_released_notebook_is_valid_and_has_no_output():
    raw = nbformat.read(PS1.notebook, as_version=4)
    nbformat.validate(raw)
    code = [cell for cell in raw.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    text = PS1.notebook.read_text(encoding="utf-8")
    assert "BEGIN SOLUTION" not in text and "HIDDEN" not in text


def test_cells_are_short():
    raw = json.loads(PS1.notebook.read_text(encoding="utf-8"))
    for cell in notebook.cells(raw):
        if cell.kind == "markdown":
            assert len([word for word in cell.source.split() if any(map(str.isalnum, word))]) <= 60
        elif cell.role == "free":
            assert len(cell.source.splitlines()) <= 12


def test_both_masters_agree_on_everything_but_the_answers():
    key, released = assignment.key_master(PS1), assignment.released_master(PS1)
    assert (key.points, key.runs, key.own) == (released.points, released.runs, released.own)
    for ours, theirs in zip(key.parts, released.parts, strict=True):
        assert (ours.name, ours.defines) == (theirs.name, theirs.defines)
        assert (ours.source == theirs.source) == ours.given


def hard_coded():
    """A submission that knows what the visible checks expect, and nothing else."""
    member = next(member for member in MEMBERS if member.path.stem == "as_they_left_it")
    raw = bank.submission(member, PS1)
    for cell in raw["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "q6":
            cell["source"] = (
                "def mended_backward(root):\n"
                "    known = {2.0: 2, 1.0: 2, 6.0: 12, 3.0: 24}\n"
                "    nodes = {root}\n"
                "    for _ in range(10):\n"
                "        nodes |= {source for node in nodes for source in node.inputs}\n"
                "    for node in nodes:\n"
                "        node.grad = known.get(node.value, 0)\n"
            )
    return raw


def test_answers_made_from_the_visible_checks_do_not_pass_the_hidden_ones():
    master = assignment.key_master(PS1)
    visible = run(Job(PS1.checks, master, SETTING, raw=hard_coded(), questions=("q6",)))
    hidden = run(Job(PS1.hidden, master, SETTING, raw=hard_coded(), questions=("q6",)))
    assert visible.earned() == 2
    assert hidden.earned() == 0
