"""The form of a lesson whose sentences lie in a file: a whole one has all, each fault is named."""

import re

import pytest

from minigrad.course import cli, project
from minigrad.course.commands import lint
from minigrad.course.lessons import form, handout, lesson

WHOLE = (
    "# 01 · Chain rule: a product of derivatives\n\nWe derive it.\n\n*10 minutes. You need 00.*",
    f"try:\n    import minigrad as mg\n{form.OPENING}",
    "#\n**What are these numbers, and who computes them?**\n\nThe gradient, because we ask.",
    'prediction = "2"  # your prediction\npredict("size", prediction)',
    'observe("size", 2)\nshow_it()',
    "#\n> **Derivation**\n>\n> 1. Write $y = x^2$.",
    "def f(x):\n    # begin answer\n    return x\n    # end answer",
    "check(f)",
    "## In other frameworks\n\n| here | PyTorch | JAX | TensorFlow 2 |\n|---|---|---|---|",
    "## Can you do it alone?\n\nWhat is it?",
    'exit_answer = 6  # fill in\ncheck("exit", exit_answer)',
    "#\n**What to remember.** A gradient is a product.",
)
SENTENCES = '[check.f]\ntitle = "f"\nhint = [{when = "none", say = "Look at x."}]\n'
TERMS = """[required]
01 = ["gradient", "JVP | product"]
[private]
'\\bslopes?\\b' = "gradient"
"""


@pytest.fixture
def words(tmp_path, monkeypatch):
    """The file of a lesson's sentences, in a folder of its own, beside a table of terms."""
    folder = tmp_path / "words"
    folder.mkdir()
    (folder / "terms.toml").write_text(TERMS, encoding="utf-8")
    (folder / "01.toml").write_text(SENTENCES, encoding="utf-8")
    monkeypatch.setattr(form, "FOLDER", folder)
    form.read_terms.cache_clear()
    yield folder / "01.toml"
    form.read_terms.cache_clear()


@pytest.fixture
def lacking(add_lesson, words):
    """The facts that are found for the whole lesson with one text changed into another."""

    def find(old="", new="", change=lambda notebook: None):
        assert not old or sum(old in cell for cell in WHOLE) == 1
        path = add_lesson(*(cell.replace(old, new, 1) if old else cell for cell in WHOLE))
        notebook = lesson.read_lesson(path)
        change(notebook)
        path.write_text(lesson.lesson_text(notebook), encoding="utf-8")
        return [finding.message for finding in lint.missing_parts(path)]

    return find


def test_a_lesson_has_this_form_where_its_sentences_lie_in_a_file(add_lesson, words):
    path = add_lesson(*WHOLE)
    assert form.has_words(path) and list(lint.missing_parts(path)) == []
    words.unlink()
    assert not form.has_words(path)
    assert "no goal" in [finding.message for finding in lint.missing_parts(path)]


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("Chain rule: a", "A", "no title"),
        ("*10 minutes. ", "", "no time"),
        ("computes them?**", "computes them**", "no question"),
        ("> **Derivation**", "> Derivation", "no derivation"),
        ("## Can you do it alone?", "## Exit", "no exit question"),
        ("**What to remember.**", "Remember.", "no summary"),
        ("| JAX ", "| jnp ", "no table of names"),
        ("# begin answer", "pass", "no open exercise"),
        ('check("exit"', 'check("last"', "no exit check"),
        ("IPython", "x", "no opening"),
        ("x^2$", "x^2", "a formula does not end"),
        ("is a product.", "is a slope.", "cell {} says 'slope'"),
        ("A gradient is", "In 40 steps it is", "cell {}: nothing beside it shows '40' of "),
    ],
)
def test_what_it_lacks_is_named(lacking, old, new, message):
    (found,) = lacking(old, new)
    head, _, tail = message.partition("{}")
    assert found.startswith(head) and tail in found


def test_the_minutes_that_it_says_are_nearly_those_that_it_takes(lacking):
    assert lacking("*10 minutes", "*15 minutes") == lacking("*10 minutes", "*5 minutes") == []
    assert lacking("*10 minutes", "*16 minutes") == ["16 minutes are stated, and it takes 10"]


def test_a_term_may_be_said_in_one_of_two_ways(lacking, words):
    terms = words.with_name("terms.toml")
    terms.write_text(TERMS.replace("JVP | product", "JVP | tangent"), encoding="utf-8")
    form.read_terms.cache_clear()
    assert lacking() == ["the term 'JVP | tangent' is nowhere in its text"]
    assert lacking("We derive it", "We derive the jvp") == []


def test_what_a_cell_prints_uses_the_words_of_the_field(lacking, words):
    words.write_text(SENTENCES.replace("Look at x", "Look at the slope"), encoding="utf-8")
    assert lacking() == ["01.toml says 'slope'"]
    assert lacking("A gradient is", "A gradient, `slope`, is") == ["01.toml says 'slope'"]


@pytest.mark.parametrize(
    "sentence, found",
    [
        ("The slope is passed on by one turn.", ["slope", "one turn"]),
        ("Its share is handed on the way back.", ["Its share", "handed on", "way back"]),
        ("Mend the bug that somebody made.", ["Mend", "somebody"]),
        ("The slope of the curve is what two layers share.", []),
        ("We draw a line whose slope is the derivative.", []),
        ("Go back to lesson 03, and return in backward order.", []),
    ],
)
def test_words_that_are_ours_alone(sentence, found):
    said = [message.split("'")[1] for message, _ in form.private_words("here", sentence)]
    assert sorted(said) == sorted(found)


def test_each_lesson_of_this_form_says_which_terms_it_needs():
    lessons = [path for path in project.lessons(start=__file__) if form.has_words(path)]
    assert {project.lesson_number(path) for path in lessons} == {*form.read_terms()["required"]}
    assert lessons


def test_a_text_of_150_words_and_code_of_18_lines(lacking):
    assert lacking("Write $y", "word " * 146 + "Write $y") == []
    (found,) = lacking("Write $y", "word " * 147 + "Write $y")
    assert "has 151 words, above 150" in found
    assert lacking("show_it()", "\n".join(["show_it()"] + ["x = 1"] * 16)) == []
    (found,) = lacking("show_it()", "\n".join(["show_it()"] + ["x = 1"] * 17))
    assert "has 19 lines, above 18" in found


def test_nothing_is_folded(lacking):
    (found,) = lacking("check(f)", 'check("f", f(1), 2)')
    assert found.endswith("is folded for students")
    (found,) = lacking('observe("size", 2)', 'observe("size", 2, why="so")')
    assert found.endswith("is folded for students")
    (found,) = lacking("We derive it.", "<details>We derive it.</details>")
    assert found.endswith("is folded")

    def fold(notebook):
        notebook.cells[4].metadata["jupyter"] = {"source_hidden": True}

    (found,) = lacking(change=fold)
    assert found.endswith("is folded")


def test_minutes_are_those_of_reading_predicting_looking_and_exercises(add_lesson):
    def takes(*cells):
        return form.fair_minutes(lesson.read_lesson(add_lesson(*cells)).cells)

    assert takes("# Title of many words") == 5  # the close alone
    assert takes("# T\n\n" + "word " * 1800) == 15
    assert takes("# T\n\n" + "word " * 1800, "\n".join(["x = 1"] * 90)) == 25
    assert takes("### Exercise (10 minutes)", "mg.player(y)") == 20
    assert takes("# T\n\n| " + "word " * 1800, "\n\n" * 90) == 5


def test_a_student_gets_all_of_it_open(add_lesson, words):
    given = handout.hand_out(lesson.read_lesson(add_lesson(*WHOLE))).cells
    assert not any(cell.metadata for cell in given)
    sources = [cell.source for cell in given]
    assert 'observe("size", 2)\nshow_it()' in sources and "check(f)" in sources
    assert 'exit_answer = ...  # fill in\ncheck("exit", exit_answer)' in sources
    assert len(given) == len(WHOLE) + 2  # the worked answers


def test_the_old_limits_are_not_asked_for(add_lesson, words, capsys):
    text, code = "# " + "word " * 100, "\n".join(["x = 1"] * 15)
    cells = [*WHOLE, text, code]
    add_lesson(*cells)
    cli.main(["lint"])
    said = re.sub(r"note: .*", "", capsys.readouterr().out)
    assert "above" not in said and "never ran" in said
    words.unlink()
    cli.main(["lint"])
    assert said.count("above") < capsys.readouterr().out.count("above")


def test_strings_and_comments_of_code_use_the_words_of_the_field(lacking, words):
    (found,) = lacking('prediction = "2"', 'prediction = "a slope"')
    assert found.endswith("says 'slope'") and found.startswith("cell ")
    (found,) = lacking("show_it()", "show_it()  # the slope")
    assert found.endswith("says 'slope'")
    assert lacking("show_it()", "show_it(slope)") == []
    assert lacking("show_it()", 'show_it(f"by {slope:.2f}")') == []
    logic = words.with_name("l01.py")
    logic.write_text('"""The slope."""\nsay("the slope")  # the slope\n', encoding="utf-8")
    assert lacking() == ["l01.py says 'slope'"]
    assert form.strings_of("x = (") == []
