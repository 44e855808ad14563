"""Points follow importance, and each hidden expectation has a cause: the rules of assignments."""

import ast

from minigrad.course.proving import bank

from .test_assignments import each
from .test_assignments import pytestmark as pytestmark


class Marked:
    """A check's marker, read from the source of a checks file."""

    def __init__(self, function):
        [marker] = [
            call
            for call in function.decorator_list
            if ast.unparse(call).startswith("pytest.mark.question")
        ]
        fields = {word.arg: word.value for word in marker.keywords}
        self.question = ast.literal_eval(marker.args[0])
        self.points = ast.literal_eval(fields["points"])
        self.core, self.corner = "core" in fields, "corner" in fields


def hidden_checks(chosen):
    """The markers of the hidden checks of an assignment."""
    tree = ast.parse(chosen.hidden.read_text(encoding="utf-8"))
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    return [Marked(one) for one in functions if one.name.startswith("test_")]


@each
def test_each_question_has_one_core_check_worth_more_than_half_of_it(chosen):
    checks = hidden_checks(chosen)
    for question in {check.question for check in checks}:
        these = [check for check in checks if check.question == question]
        cores = [check.points for check in these if check.core]
        assert len(cores) == 1, question
        assert cores[0] > sum(check.points for check in these) / 2, question


@each
def test_corners_together_are_worth_at_most_a_fifth(chosen):
    checks = hidden_checks(chosen)
    corners = sum(check.points for check in checks if check.corner)
    assert corners <= sum(check.points for check in checks) / 5


@each
def test_each_hidden_expectation_names_its_cause(chosen):
    tree = ast.parse(chosen.hidden.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    calls = [call for call in calls if getattr(call.func, "id", "") == "expect"]
    bare = [call.lineno for call in calls if not named(call)]
    assert not bare, f"{chosen.hidden}: expect without because= in lines {bare}"


def named(call):
    """Whether a call of `expect` says because=, by its name or as its third argument."""
    return len(call.args) > 2 or any(word.arg == "because" for word in call.keywords)


@each
def test_each_wrong_answer_says_what_its_student_reads(chosen):
    silent = [one.name for one in bank.members(chosen) if one.loses and not one.says]
    assert not silent


JUDGES = {"all", "any", "bool", "isinstance", "hasattr", "np.array_equal", "np.allclose"}
VERDICTS = ast.Compare, ast.BoolOp, ast.Not
HOLDERS = ast.Tuple, ast.List, ast.Dict, ast.ListComp, ast.Starred, ast.UnaryOp


@each
def test_helpers_return_data_and_no_verdict(chosen):
    """A submission can turn each False that a helper returns into True, but not guess numbers."""
    tree = ast.parse(chosen.hidden.read_text(encoding="utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    sources = [text for text in texts if isinstance(text, str) and "\n    return " in text]
    assert sources
    found = [verdict for source in sources for verdict in verdicts(ast.parse(source))]
    assert not found, f"{chosen.hidden}: the check should compare by itself what is returned here"


def verdicts(helpers):
    """What the functions of a helper return that is a bool, as text."""
    functions = [one for one in helpers.body if isinstance(one, ast.FunctionDef)]
    values = [value for one in functions for value in returned(one)]
    return [ast.unparse(one) for value in values for one in parts(value) if is_verdict(one)]


def returned(node):
    """The values that a function returns itself: not those of the functions inside it."""
    for one in ast.iter_child_nodes(node):
        if isinstance(one, ast.Return) and one.value:
            yield one.value
        elif not isinstance(one, ast.FunctionDef):
            yield from returned(one)


def parts(value):
    """An expression and, in tuples, lists and dicts, their entries."""
    yield value
    for one in ast.iter_child_nodes(value) if isinstance(value, HOLDERS) else ():
        yield from parts(one)


def is_verdict(node):
    """Whether an expression is a comparison, or asks a function that answers yes or no."""
    judged = isinstance(node, ast.Call) and ast.unparse(node.func) in JUDGES
    return judged or isinstance(node, VERDICTS)
