"""What counts as a claim of a lesson's text, and what supports it."""

import nbformat
import pytest

from minigrad.course.lessons import claims


def text(source, tags=()):
    return nbformat.v4.new_markdown_cell(source, metadata={"tags": list(tags)})


def code(source="run()", printed="", tags=(), id="c1"):
    outputs = [nbformat.v4.new_output("stream", text=printed)] if printed else []
    return nbformat.v4.new_code_cell(source, outputs=outputs, metadata={"tags": list(tags)}, id=id)


def open_claims(*cells):
    return [what for _, _, what in claims.find_unsupported(cells)]


@pytest.mark.parametrize(
    "sentence, missing",
    [
        ("It takes 1,200 bytes.", ["1,200"]),
        ("From 320 down to 160, in 3 steps.", ["320", "160"]),
        ("Its cost grows with n.", ["grows"]),
        ("Reverse mode needs fewer sweeps.", ["fewer"]),
        ("So 0.25 is exactly a half.", ["0.25", "exactly"]),
        ("He came in 1964, see lesson 03 and ps1.", []),
        ("**Predict.** Are 4,000 bytes enough?", []),
        ("Does it take 4,000 bytes?", []),
        ("`x = 4000` and $y = 4000$.", []),
        ("**Goal.** Read 100 lines.", []),
        ("## Go further\nTrain 100 nets.", []),
        ("**Go on (★).** Train 100.\n\n**Sources.** Homework 10-714.", ["100"]),
    ],
)
def test_what_a_sentence_claims(sentence, missing):
    assert open_claims(text(sentence), code()) == missing


@pytest.mark.parametrize(
    "beside, missing",
    [
        (code(printed="1200 bytes"), []),
        (code(printed="1,200 bytes"), []),
        (code("assert taken == 1200"), []),
        (code(printed="12000 bytes"), ["1,200"]),
        (code(printed="1200 bytes", tags=["nbval-ignore-output"]), ["1,200"]),
    ],
)
def test_a_number_stands_beside_a_cell_that_shows_it(beside, missing):
    assert open_claims(text("It takes 1,200 bytes."), beside) == missing
    assert open_claims(beside, text("It takes 1,200 bytes.")) == missing


@pytest.mark.parametrize(
    "beside, missing",
    [
        (code(printed="n = 5: 20, n = 50: 200"), []),
        (code(printed="less than before: True"), []),
        (code("assert many > few"), []),
        (code('observe("cost", 3, hints=[], why="")'), []),
        (code(printed="done"), ["grows"]),
        (code(printed="n = 5: 20, n = 50: 200", tags=["nbval-ignore-output"]), ["grows"]),
    ],
)
def test_what_compares_stands_beside_a_cell_that_compares(beside, missing):
    assert open_claims(text("Its cost grows with n."), beside) == missing


def test_in_a_lesson_with_words_support_is_anywhere_above():
    far = [code(printed="40 bytes", id="c5"), code(id="c6"), code(id="c7")]
    cells = [text("It takes 50 bytes."), *far, text("It takes 40 bytes, which is less than 60.")]
    found = claims.find_unsupported(cells, anywhere=True)
    assert [what for _, _, what in found] == ["50", "60"]


def test_support_is_near_or_named():
    far = [code(printed="40 bytes", id="c5"), code(id="c6"), code(id="c7")]
    assert open_claims(*far, text("It takes 40 bytes.")) == ["40"]
    assert open_claims(*far, text("It takes 40 bytes.", tags=["shown-by-c5"])) == []
    assert open_claims(*far, text("It takes 41 bytes.", tags=["shown-by-c5"])) == ["41"]
