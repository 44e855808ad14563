"""The slides of a lesson's predictions: the question, then the answer."""

import re
from html import escape

from minigrad.course.slides import parts
from minigrad.course.slides.outputs import LETTERS, beside_answer, find_table, lines_html
from minigrad.course.slides.pictures import ANSWER, ASKED, SIDE, WHOLE, find_pictures
from minigrad.course.slides.slide import BECAUSE, BRIEF, Slide, arrange, figure
from minigrad.course.slides.words import first_sentences, inline_html

LEAST = 17.7  # points of a letter: 18, but for what a plot as wide as the slide lacks
CODE_LINES = 14
DRAWN = re.compile("picture|drawing")


def prediction_slides(asked, room):
    """Return the slides of the predictions: a question and an answer each, as `room` allows. Where
    a slide is to spare, a plot whose letters would be small below its answer has one of its own."""
    asked = asked[:room]
    joined = choose_joined([bool(find_pictures(one.answering)) for one in asked], room)
    spare = room - 2 * len(asked)
    for at, one in enumerate(asked):
        first = asking_slide(one)
        if at in joined:
            told = f'<div class="fragment">{answer_words(one)}</div>'
            yield first._replace(body=first.body + told)
        else:
            parted = spare > 0 and gains_by_parting(one.answering)
            spare -= parted
            yield from (first, *answer_slides(one, parted))


def choose_joined(pictured, room):
    """Return the places of the predictions whose answers follow on the slides of their questions,
    because there is no room for two slides each: first of those that have no picture, the last of
    them first."""
    ranked = sorted(range(len(pictured)), key=lambda at: (pictured[at], -at))
    return {*ranked[: max(0, 2 * len(pictured) - room)]}


def gains_by_parting(cell):
    """Return whether a cell's plot has letters below 18 points under an answer, and larger ones on
    a slide of its own."""
    pictures = find_pictures(cell)
    if not pictures:
        return False
    below = pictures[0].letter_points(SIDE if pictures[0].is_upright else ANSWER)
    return below < min(LEAST, pictures[0].letter_points(WHOLE))


def asking_slide(one):
    """Return the slide of a question, with its choices and the code or the picture it is about."""
    choices = "".join(f"<li>{choice_text(each)}</li>" for each in one.words.get("choices", ()))
    body = f'<p class="ask">{inline_html(one.question)}</p><ol class="choices">{choices}</ol>'
    return Slide(one.name, "Predict", body + question_matter(one))


def question_matter(one):
    """Return what a question is about: its picture where it names one, else its code where that
    fits and is more than one call, else its picture or what its cell has printed."""
    pictures, code = find_pictures(one.asking), parts.asked_code(one.asking)
    lines = sum(len(line) // LETTERS + 1 for line in code.splitlines())
    printed = lines_html(beside_answer(one.asking, ()))
    if pictures and (DRAWN.search(one.question) or not 0 < lines <= CODE_LINES):
        return figure(pictures[-1].html(ASKED))
    if 0 < lines <= CODE_LINES and not (lines == 1 and printed):
        return f"<pre><code>{escape(code)}</code></pre>"
    return printed


def answer_words(one, limit=BECAUSE):
    """Return the answer to a prediction and its reason."""
    told = inline_html(first_sentences(one.words["because"], limit))
    return f"{answer_line(one)}<p>{told}</p>"


def answer_line(one):
    """Return what was asked, and the answer."""
    asked, result = inline_html(one.words["ask"]), choice_text(one.words["answer"])
    return f'<p class="answer">{asked}: <b>{result}</b></p>'


def answer_slides(one, parted):
    """Return the slide of an answer, with the pictures, table or lines that its cell has stored; or
    two, `parted` into the words and the picture."""
    pictures = find_pictures(one.answering)
    if parted:
        shown = answer_line(one) + figure(pictures[0].html(WHOLE))
        return Slide(one.name, "", answer_words(one)), Slide(one.name, "", shown)
    if pictures:
        is_upright = pictures[0].is_upright
        text = answer_words(one, BECAUSE if is_upright else BRIEF)
        return (Slide(one.name, "", arrange(text, pictures, ANSWER)),)
    sentences = [one.words["because"], *one.words.get("if", {}).values()]
    lines = find_table(one.answering) or lines_html(beside_answer(one.answering, sentences))
    return (Slide(one.name, "", answer_words(one) + lines),)


def choice_text(value):
    """Return a choice as the lessons write it: 1e-7, not 1e-07."""
    return re.sub(r"e([+-])0", r"e\1", escape(str(value)))
