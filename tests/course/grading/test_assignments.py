"""Every assignment: its key, its released notebook, and its bank of wrong and right answers."""

import json
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest
import tiers

from minigrad.course.commands import release, student
from minigrad.course.grading import assignment, notebook, report
from minigrad.course.grading.run import Graders, Job
from minigrad.course.grading.worker import Limits, Setting
from minigrad.course.proving import bank

from . import parrot
from .conftest import KIND
from .paths import ROOT

FOLDER = ROOT / "assignments"
ALL = [
    assignment.Assignment(path.name, path, FOLDER / "instructor" / path.name)
    for path in sorted(FOLDER.glob("ps*"))
    if (FOLDER / "instructor" / path.name / "solution.ipynb").is_file()
]
MEMBERS = [
    (chosen, member)
    for chosen in ALL
    for member in tiers.sample(bank.members(chosen), tiers.BANK, chosen.name)
]
ONLY_LINES = {("ps1", "q5")}  # asks how many lines run, by the student's own account
LIMITS = Limits(call_seconds=2, question_seconds=6)  # half: what never ends is known sooner
PATIENT = Limits(call_seconds=60, question_seconds=180)  # for what ends: no machine is too slow
FAULTS = 6  # of the machine's, in each key; `minigrad mutants --automatic` tries all
WORDS = 80  # of a text cell, without hints that are folded: a specification takes its room
FOLDED = re.compile("<details>.*?</details>", re.DOTALL)
each = pytest.mark.parametrize("chosen", ALL, ids=lambda chosen: chosen.name)
pytestmark = pytest.mark.skipif(not ALL, reason="the instructor's files are not in this copy")


def file_of(member):
    """Name the file of the bank that holds a member: q3, or right."""
    return Path(member.place).stem


def setting(chosen, limits=PATIENT):
    """Where an assignment's answers run."""
    libraries = assignment.key_master(chosen).libraries
    return Setting(KIND, libraries, limits)


@cache
def verdicts(chosen):
    """Each member's verdict, by its name. Who does not do as promised, perhaps because a slow
    machine stopped it, is judged again with time enough."""
    members = [member for owner, member in MEMBERS if owner is chosen]
    found = judge(chosen, members, LIMITS)
    late = [member for member in members if not found[member.name][0]]
    return found | judge(chosen, late, PATIENT)


def judge(chosen, members, limits):
    """The verdicts of these members within the limits, by name."""
    judged = bank.verdicts(members, chosen, setting(chosen, limits), jobs=2, brief=True)
    return {member.name: one for member, one in zip(members, judged, strict=True)}


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("chosen", "member"),
    MEMBERS,
    ids=[f"{chosen.name}-{file_of(member)}-{member.name}" for chosen, member in MEMBERS],
)
def test_a_member_of_the_bank_loses_what_it_names_and_nothing_else(chosen, member):
    holds, lost, found = verdicts(chosen)[member.name]
    assert lost == ([member.loses] if member.loses else []), report.terminal_text(found)
    assert holds
    assert found.status == report.GRADED


@each
def test_the_bank_is_large_enough_and_names_every_question(chosen):
    members = bank.members(chosen)
    wrong = [member for member in members if member.loses]
    assert len(wrong) >= 25
    assert {member.loses for member in wrong} == set(assignment.key_master(chosen).points)
    assert len(members) - len(wrong) >= 6
    assert [one for one in members if file_of(one) != (one.loses or "right")] == []


@each
@pytest.mark.parametrize("checks", ["checks", "hidden"])
def test_the_key_has_full_points_and_the_released_notebook_none(chosen, checks):
    path, where = getattr(chosen, checks), setting(chosen)
    master = assignment.key_master(chosen)
    blank = assignment.released_master(chosen)
    jobs = Job(path, master, where, chosen.solution), Job(path, blank, where, chosen.notebook)
    with Graders() as graders:
        key, blank = map(graders.run, jobs)
    assert (key.status, key.reason) == (report.GRADED, "")
    assert {question: key.earned_points(question) for question in key.questions()} == master.points
    assert (blank.status, blank.earned_points()) == (report.GRADED, 0)
    for check in blank.checks:  # a check that waits for an error is given another one
        assert check.is_unanswered or "'NotImplementedError'" in check.message


@each
def test_some_faults_of_the_key_are_noticed_or_explained(chosen):
    reasons = bank.read_explanations(chosen)
    tried = bank.trials(chosen, FAULTS, seed="tests")
    found = bank.outcomes(chosen, setting(chosen, LIMITS), tried, jobs=2)
    missed = [trial.name for trial, notice in found if notice is None]
    assert set(missed) <= set(reasons)


@each
def test_every_explained_fault_can_be_made_and_passes_the_visible_checks(chosen):
    trials = {trial.name: trial for trial in bank.trials(chosen)}
    explained = [trials[name] for name in bank.read_explanations(chosen)]
    found = bank.outcomes(chosen, setting(chosen), explained, jobs=2, checks=chosen.checks)
    assert [(trial.name, notice) for trial, notice in found if notice is not None] == []


@each
def test_who_knows_only_the_visible_answers_does_not_pass_the_hidden_checks(chosen):
    master = assignment.key_master(chosen)
    key, visible, hidden = parrot.reports(chosen, master, setting(chosen))
    assert key.earned_points() == visible.earned_points() == sum(master.points.values())
    gained = [name for name in hidden.questions() if hidden.earned_points(name)]
    assert {(chosen.name, question) for question in gained} <= ONLY_LINES


@each
def test_answers_that_do_no_work_get_no_points(chosen):
    master, where = assignment.key_master(chosen), setting(chosen, LIMITS)
    with Graders() as graders:
        for name, source in parrot.IDLE.items():
            found = graders.run(parrot.idle_job(chosen, master, where, source))
            assert not [one for one in found.checks if one.passed], name
            assert found.status == report.GRADED, name


@each
def test_the_released_notebook_is_what_release_makes_of_the_solution(chosen):
    made = release.student_notebook(chosen)
    assert chosen.notebook.read_text(encoding="utf-8") == notebook.notebook_text(made)


@each
def test_the_released_notebook_is_valid_and_has_no_output(chosen):
    raw = nbformat.read(chosen.notebook, as_version=4)
    nbformat.validate(raw)
    code = [cell for cell in raw.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    text = chosen.notebook.read_text(encoding="utf-8")
    assert "BEGIN SOLUTION" not in text and "HIDDEN" not in text


@each
def test_submit_names_every_question_that_checks_decide(chosen):
    master = assignment.released_master(chosen)
    parts = [part for part in master.parts if not part.given]
    said = " ".join(f"{part.question}{student.other_questions(part, master)}" for part in parts)
    assert sorted(re.findall(r"q\d", said)) == list(master.points)


@each
def test_cells_are_short(chosen):
    raw = json.loads(chosen.notebook.read_text(encoding="utf-8"))
    for cell in notebook.cells(raw):
        if cell.kind == "markdown":
            words = FOLDED.sub("", cell.source).split()
            assert len([word for word in words if any(map(str.isalnum, word))]) <= WORDS
        elif cell.role == "free":
            assert len(cell.source.splitlines()) <= 12


@each
def test_both_masters_agree_on_everything_but_the_answers(chosen):
    key, released = assignment.key_master(chosen), assignment.released_master(chosen)
    for name in ("points", "runs", "own", "libraries", "written"):
        assert getattr(key, name) == getattr(released, name)
    for ours, theirs in zip(key.parts, released.parts, strict=True):
        assert (ours.name, ours.defines) == (theirs.name, theirs.defines)
        assert (ours.source == theirs.source) == ours.given
