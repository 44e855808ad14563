"""The slides of a deck: which ones, in which order, and what stands on each."""

import re
from html import escape

from minigrad.core.errors import MinigradError
from minigrad.course.slides import parts
from minigrad.course.slides.notes import read_notes
from minigrad.course.slides.outputs import printed_text
from minigrad.course.slides.pictures import TOLD, WIDE, find_pictures
from minigrad.course.slides.predictions import prediction_slides
from minigrad.course.slides.slide import BECAUSE, BRIEF, Slide, arrange, figure
from minigrad.course.slides.steps import make_frames
from minigrad.course.slides.words import (
    cell_prose,
    divide_sentences,
    first_sentences,
    inline_html,
    sentence_case,
    to_html,
    visible_length,
)

MOST = 14  # slides
LEAD, LONG = 420, 700  # letters of a text; of a derivation that is written smaller


def make_deck(path):
    """Return the slides of the lesson at `path`, with the presenter's notes. Raises MinigradError
    where the lesson lacks a part, or a note belongs to no slide."""
    found = parts.LessonParts(path)
    before = [opening_slide(found), question_slide(found), derivation_slide(found)]
    after = [*filter(None, (steps_slide(found), trap_slide(found))), summary_slide(found)]
    room = MOST - len(before) - len(after)
    slides = [*before, *prediction_slides(found.predictions, room), *after]
    return with_notes(slides, read_notes(found.number), found.number)


def with_notes(slides, notes, number):
    """Return the slides with their notes: the first slide of a key has the note."""
    keys = [slide.key for slide in slides]
    if unknown := [key for key in notes if key not in keys]:
        message = f"teaching/{number}.md has a note for {unknown[0]!r}, and its deck no such slide"
        raise MinigradError(message, hint=f"use one of {', '.join(dict.fromkeys(keys))}")
    return [
        slide._replace(notes=inline_html(notes.get(slide.key, "")) * (keys.index(slide.key) == at))
        for at, slide in enumerate(slides)
    ]


def opening_slide(found):
    """Return the slide with the title, and what one can do afterwards."""
    _, title = found.find_text(parts.TITLE, "title")
    _, goals = found.find_text(parts.GOALS, "list of what one can do after it")
    claim = inline_html(sentence_case(title[3]))
    body = f'<p class="claim">{claim}</p><p>After this lesson you can</p>{to_html(goals[1])}'
    return Slide("opening", f"{title[1]} · {inline_html(title[2])}", body)


def question_slide(found):
    """Return the slide with the one bold question, and with the first picture or, where no picture
    is seen before a prediction, with what the lesson begins with."""
    _, asked = found.find_text(parts.QUESTION, "bold question")
    title = inline_html(sentence_case(asked[0].strip("*")))
    if picture := found.first_picture():
        return Slide("question", title, figure(picture.html(WIDE)))
    said = first_sentences(cell_prose(found.texts()[1][1]), LEAD)
    return Slide("question", title, f'<p class="lead">{inline_html(said)}</p>')


def derivation_slide(found):
    """Return the slide with the first derivation, line by line."""
    _, box = found.find_text(parts.BOX, "derivation")
    lines = re.sub(r"^> ?", "", box[2], flags=re.MULTILINE)
    listed = to_html(lines.strip()).replace("<li>", '<li class="fragment">')
    title = f"Derivation: {box[1]}" if box[1] else "Derivation"
    size = " long" * (visible_length(lines) > LONG)
    return Slide("derivation", inline_html(title), f'<div class="derivation{size}">{listed}</div>')


def steps_slide(found):
    """Return the slide with the main picture step by step, or None; each step replaces the one
    before it."""
    cell = found.steps_cell()
    if cell is None:
        return None
    frames = [
        f'<div class="frame{" fragment" * (at > 0)}">{step_words(frame)}'
        f"{figure(frame.picture.html(WIDE))}</div>"
        for at, frame in enumerate(make_frames(cell))
    ]
    _, heading = found.section_of(found.cells.index(cell))
    return Slide("steps", inline_html(heading), f'<div class="frames">{"".join(frames)}</div>')


def step_words(frame):
    """Return the words for a step, where it has any."""
    return f"<p>{escape(frame.words)}</p>" if frame.words else ""


def trap_slide(found):
    """Return the slide with the trap, or None: its story, what its cells show, and why."""
    at = found.trap()
    if at is None:
        return None
    told = cell_prose(found.cells[at].source)
    title = re.sub(r"^Trap(?: \d)?: ", "", found.section_of(at)[1])
    codes, why = below(found.cells[at + 1 :])
    seen = [cell.id for one in found.predictions for cell in (one.asking, one.answering)]
    pictures = [p for cell in codes if cell.id not in seen for p in find_pictures(cell)]
    wide = pictures and not pictures[-1].is_upright
    story, reason = (first_sentences(one, BRIEF if wide else BECAUSE) for one in (told, why))
    text = f"<p>{inline_html(story)}</p>"
    text += f'<p class="fragment">{inline_html(reason)}</p>' * bool(reason)
    body = arrange(text, pictures[-1:], TOLD) if pictures else text
    return Slide("trap", inline_html(f"Trap: {title}"), body)


def below(cells):
    """Return (the code cells below a text, why they show what they show): the next text, or, where
    that begins a section, what a check has printed below its ✓."""
    count = next((at for at, cell in enumerate(cells) if cell.cell_type == "markdown"), len(cells))
    codes, text = cells[:count], cells[count].source if count < len(cells) else ""
    if not text.startswith("#"):
        return codes, cell_prose(text)
    _, _, said = "".join(map(printed_text, codes)).partition("✓")
    return codes, " ".join(said.partition("\n")[2].split())


def summary_slide(found):
    """Return the slide with what to remember, a point for each sentence."""
    _, summary = found.find_text(parts.SUMMARY, "summary")
    listed = "".join(f"<li>{inline_html(point)}</li>" for point in divide_sentences(summary[1]))
    return Slide("remember", "What to remember", f'<ul class="points">{listed}</ul>')
