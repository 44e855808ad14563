"""What a question is about, on its slide: code, a picture, or what its cell has printed."""

import re
from html import escape

from minigrad.course.slides import parts
from minigrad.course.slides.outputs import LETTERS, LINES, beside_answer, lines_html
from minigrad.course.slides.pictures import ASKED, find_pictures
from minigrad.course.slides.room import ASKED as ASKED_LETTERS
from minigrad.course.slides.room import CHOICES, TITLE, code_height, room_below, text_height
from minigrad.course.slides.slide import figure

CODE_LINES, ALONE = 14, 19  # of code below a question, and on a slide of its own
CLEAR = 1.4  # times as large: a drawing that is shown smaller has letters too narrow for a row
DRAWN = re.compile("picture|drawing|[Ll]ook closely")
DEFINES = re.compile(r"^ *(?:def|class) ", re.MULTILINE)


def question_matter(one, has_code_slide=False):
    """Return what a question is about: its picture where it names one, else its code where that
    fits and is more than one call, else its picture or what its cell has printed. Code that defines
    something stands above its picture, where it has no slide of its own."""
    code, pictures = parts.asked_code(one.asking), find_pictures(one.asking)
    if shows_picture(one):
        shown = "" if has_code_slide or not replaces_code(one) else code
        box = ASKED._replace(height=min(ASKED.height, room_for_picture(one, shown)))
        return code_html(shown) + figure(pictures[-1].html(box))
    return code_html(code) if shows_code(one) else printed_html(one)


def dense_matter(one):
    """Return what a question is about where its answer follows on the same slide: code is without
    its blank lines."""
    return code_html(dense_code(one)) if shows_code(one) else question_matter(one)


def dense_code(one):
    """Return the code of a question without its blank lines."""
    return re.sub(r"\n+", "\n", parts.asked_code(one.asking))


def shows_picture(one):
    """Return whether a question has a picture that it names, or that stands for its code."""
    fits = 0 < shown_length(parts.asked_code(one.asking)) <= CODE_LINES
    return bool(find_pictures(one.asking)) and (bool(DRAWN.search(one.question)) or not fits)


def shows_code(one):
    """Return whether a question without its picture shows code: not one call that has printed."""
    lines = shown_length(parts.asked_code(one.asking))
    return 0 < lines <= CODE_LINES and not (lines == 1 and printed_html(one))


def replaces_code(one):
    """Return whether a picture stands where the code of a question defines something."""
    return shows_picture(one) and bool(DEFINES.search(parts.asked_code(one.asking)))


def needs_code_slide(one):
    """Return whether a question's code defines something and leaves its picture too little room."""
    code = parts.asked_code(one.asking)
    if not replaces_code(one) or shown_length(code) > ALONE:
        return False
    box = ASKED._replace(height=room_for_picture(one, code))
    return find_pictures(one.asking)[-1].scale(box) < CLEAR


def room_for_picture(one, code):
    """Return the height that a question and some code leave for a picture."""
    return room_below(question_height(one), code_height(shown_length(code)))


def question_height(one):
    """Return about how high the heading, the question and its choices are."""
    heading = text_height(f"Predict · {one.section}", TITLE)
    return heading + text_height(one.question, ASKED_LETTERS) + CHOICES


def matter_height(one, code):
    """Return about how high a question's code, given as it is shown, or its printed lines are."""
    if shows_code(one):
        return code_height(shown_length(code))
    return lines_height(beside_answer(one.asking, ()))


def lines_height(lines):
    """Return how high printed lines are."""
    return code_height(shown_length("\n".join(lines[:LINES])))


def shown_length(code):
    """Return how many lines code has on a slide."""
    return sum(len(line) // LETTERS + 1 for line in code.splitlines())


def code_html(code):
    """Return code, or "" where there is none."""
    return f"<pre><code>{escape(code)}</code></pre>" * bool(code)


def printed_html(one):
    """Return what the cell that asks has printed."""
    return lines_html(beside_answer(one.asking, ()))


def unshown_lines(one):
    """Return the lines that the cell that asks has printed, and its question does not show."""
    return beside_answer(one.asking, ()) if shows_picture(one) or shows_code(one) else []
