"""The slides of a lesson's predictions: the question, then the answer."""

import re
from html import escape

from minigrad.course.slides import parts
from minigrad.course.slides.matter import (
    code_html,
    dense_code,
    dense_matter,
    lines_height,
    matter_height,
    needs_code_slide,
    question_height,
    question_matter,
    shows_picture,
    unshown_lines,
)
from minigrad.course.slides.outputs import LINES, beside_answer, find_table, lines_html
from minigrad.course.slides.pictures import ANSWER, SIDE, WHOLE, find_pictures
from minigrad.course.slides.room import ASKED, code_height, room_below, text_height
from minigrad.course.slides.slide import BECAUSE, BRIEF, Slide, arrange, figure
from minigrad.course.slides.words import (
    POINTS_BELOW,
    divide_sentences,
    first_sentences,
    inline_html,
)

LEAST = 18  # points of a letter
ROW = 42  # CSS pixels of a table's row
NARROW = 32  # letters of lines that stand beside a text


def plan_slides(asked, room, has_build=False):
    """Return which slides stand beside those of the questions, as {(what, place of a question)}:
    an "answer", the "code" of a question, the lesson's "build". Answers of words or one line that
    fit below their questions have none. Where there is no room for all, they go in this order:
    other answers that fit, such whose words fit without a line, the build, code, the answers
    without a picture; the last ones first."""
    kept = {
        ("answer", at) for at, one in enumerate(asked) if not (fits(one) and has_few_lines(one))
    }
    kept |= {("code", at) for at, one in enumerate(asked) if needs_code_slide(one)}
    kept |= {("build", 0)} if has_build else set()
    for part in sorted(kept, key=lambda part: rank_slide(asked, *part)):
        if len(asked) + len(kept) > room:
            kept.remove(part)
    return kept


def rank_slide(asked, what, at):
    """Return when a slide goes, where there is no room for all."""
    return {"build": 2, "code": 3}.get(what) or rank_answer(asked[at]), -at


def rank_answer(one):
    """Return when an answer joins its question, where there is no room for all slides."""
    if fits(one):
        return 0
    if has_few_lines(one) and fits(one, with_matter=False):
        return 1
    return 4 + bool(find_pictures(one.answering))


def prediction_slides(asked, kept, spare=0):
    """Return the slides of the predictions, of which a plan has `kept` some. Where a slide is to
    spare, a plot whose letters would be small below its answer has one of its own."""
    for at, one in enumerate(asked):
        has_code = ("code", at) in kept
        is_joined = ("answer", at) not in kept
        matter = dense_matter(one) if is_joined else question_matter(one, has_code)
        context = one.context * (text_height(one.context) <= room_for_context(one, is_joined))
        first = asking_slide(one, context, matter)
        if has_code:
            yield first._replace(body=code_html(parts.asked_code(one.asking)))
        if is_joined:
            yield first._replace(body=first.body + joined_answer(one, context))
        else:
            parted = spare > 0 and gains_by_parting(one.answering)
            spare -= parted
            yield from (first, *answer_slides(one, parted))


def room_for_context(one, is_joined):
    """Return the height that a question, its code and an answer that joins it leave for what is
    said before; below a picture there is none."""
    if shows_picture(one):
        return 0
    if is_joined:
        return room_left(one)
    return room_below(question_height(one), matter_height(one, parts.asked_code(one.asking)))


def joined_answer(one, context):
    """Return the answer that appears below its question and what was said before."""
    above = question_height(one), matter_height(one, dense_code(one)), text_height(context)
    room = room_below(*above, told_height(one))
    told = answer_words(one) + answer_matter(one, room)
    return f'<div class="fragment told">{told}</div>'


def has_few_lines(one):
    """Return whether an answer has only words, or one line that was printed."""
    return not find_table(one.answering) and len(printed_lines(one)) <= 1


def fits(one, with_matter=True):
    """Return whether an answer without pictures fits below its question, or its words alone."""
    if find_pictures(one.answering) or shows_picture(one):
        return False
    return room_left(one, with_matter) >= 0


def room_left(one, with_matter=True):
    """Return the height that is left below a question and its answer, or its words alone."""
    rows = find_table(one.answering).count("<tr>")
    matter = (ROW * rows or lines_height(printed_lines(one))) * with_matter
    above = question_height(one), matter_height(one, dense_code(one))
    return room_below(*above, told_height(one), matter)


def told_height(one):
    """Return about how high the words of an answer are."""
    return text_height(f"{one.words['ask']}: ", ASKED) + text_height(why(one, BECAUSE))


def gains_by_parting(cell):
    """Return whether a cell's plot has letters below 18 points under an answer, and larger ones on
    a slide of its own."""
    pictures = find_pictures(cell)
    if not pictures:
        return False
    below = pictures[0].letter_points(SIDE if pictures[0].is_upright else ANSWER)
    return below < min(LEAST, pictures[0].letter_points(WHOLE))


def asking_slide(one, context, matter):
    """Return the slide of a question, with what is said before, its choices and what it is
    about."""
    choices = "".join(f"<li>{choice_text(each)}</li>" for each in one.words.get("choices", ()))
    said = f'<p class="lead">{inline_html(context)}</p>' * bool(context)
    body = f'{said}<p class="ask">{inline_html(one.question)}</p><ol class="choices">{choices}</ol>'
    title = inline_html(f"Predict · {one.section}")
    return Slide(one.name, title, body + matter)


def why(one, limit):
    """Return the sentences of a reason that a slide has room for."""
    sentences = divide_sentences(one.words["because"])
    return first_sentences(" ".join(s for s in sentences if not POINTS_BELOW.search(s)), limit)


def answer_words(one, limit=BECAUSE):
    """Return the answer to a prediction and its reason."""
    return f"{answer_line(one)}<p>{inline_html(why(one, limit))}</p>"


def answer_line(one):
    """Return what was asked, and the answer."""
    asked, result = inline_html(one.words["ask"]), choice_text(one.words["answer"])
    return f'<p class="answer">{asked}: <b>{result}</b></p>'


def printed_lines(one):
    """Return the lines that the cell of an answer has printed beside it."""
    sentences = [one.words["because"], *one.words.get("if", {}).values()]
    return beside_answer(one.answering, [text for text in sentences if isinstance(text, str)])


def answer_matter(one, room):
    """Return the table that the cell of an answer shows, or the lines that it has printed; above
    them the lines of the cell that asks, where the room is high enough for all."""
    asked, table, lines = unshown_lines(one), find_table(one.answering), printed_lines(one)
    if table:
        has_room = room >= code_height(len(asked)) + ROW * table.count("<tr>")
        return lines_html(asked) * has_room + table
    shown = [*asked, *lines]
    if room >= lines_height(shown) and len(shown) <= LINES:
        return lines_html(shown)
    return lines_html(lines) * (room >= lines_height(lines[:1]))


def answer_slides(one, parted):
    """Return the slide of an answer, with the pictures, table or lines that its cell has stored; or
    two, `parted` into the words and the picture."""
    pictures = find_pictures(one.answering)
    if parted:
        shown = answer_line(one) + figure(pictures[0].html(WHOLE))
        told = answer_words(one) + lines_html(unshown_lines(one))
        return Slide(one.name, "", told), Slide(one.name, "", shown)
    if pictures:
        return (pictured_answer(one, pictures),)
    matter = answer_matter(one, room_below(told_height(one)))
    return (Slide(one.name, "", answer_words(one) + matter),)


def pictured_answer(one, pictures):
    """Return the slide of an answer with its pictures; the lines of the cell that asks stand beside
    the words, where the picture stays as large."""
    if pictures[0].is_upright:
        text = answer_words(one) + lines_html(unshown_lines(one)[:4])
        return Slide(one.name, "", arrange(text, pictures, SIDE))
    text, lines = answer_words(one, BRIEF), unshown_lines(one)
    width = max(map(len, lines), default=NARROW + 1)
    if width <= NARROW:
        narrow = 1130 - 15 * width
        text_room = text_height(one.words["ask"], ASKED, narrow)
        text_room += text_height(why(one, BRIEF), width=narrow)
        box = ANSWER._replace(height=room_below(max(text_room, code_height(len(lines)))))
        if pictures[0].letter_points(box) >= min(LEAST, pictures[0].letter_points(ANSWER)):
            text = f'<div class="columns"><div>{text}</div>{lines_html(lines)}</div>'
            return Slide(one.name, "", text + figure(pictures[0].html(box)))
    return Slide(one.name, "", arrange(text, pictures, ANSWER))


def choice_text(value):
    """Return a choice as the lessons write it: 1e-7, not 1e-07."""
    return re.sub(r"e([+-])0", r"e\1", escape(str(value)))
