"""The slides of a deck: which ones, in which order, and what stands on each."""

import itertools
import re
from html import escape

from minigrad.core.errors import MinigradError
from minigrad.course.lessons.handout import BEGIN
from minigrad.course.slides import parts
from minigrad.course.slides.build import build_slide
from minigrad.course.slides.matter import code_html, shown_length
from minigrad.course.slides.notes import read_notes
from minigrad.course.slides.outputs import printed_text
from minigrad.course.slides.pictures import TOLD, WIDE, find_pictures
from minigrad.course.slides.predictions import plan_slides, prediction_slides
from minigrad.course.slides.room import TITLE, code_height, room_below, text_height
from minigrad.course.slides.slide import BECAUSE, BRIEF, Slide, arrange, figure
from minigrad.course.slides.steps import make_frames
from minigrad.course.slides.words import (
    POINTS_BELOW,
    cell_prose,
    divide_sentences,
    first_sentences,
    inline_html,
    last_question,
    sentence_case,
    to_html,
    visible_length,
)

MOST = 14  # slides
STEP = 80  # CSS pixels of the words for a step, with their gap
SHOWN = re.compile(r"\b(?:player|pictures?|drawing|film|plots?|shows?|draws?)\b")
LEAD, LONG = 420, 700  # letters of a text; of a derivation that is written smaller


def make_deck(path):
    """Return the slides of the lesson at `path`, with the presenter's notes. Raises MinigradError
    where the lesson lacks a part, or a note belongs to no slide."""
    found = parts.LessonParts(path)
    before = [opening_slide(found), question_slide(found), derivation_slide(found)]
    after = ordered_parts(found)
    has_build = any(slide.key == "build" for slide in after)
    room = MOST - len(before) - len(after) + has_build
    asked = found.predictions[:room]
    kept = plan_slides(asked, room, has_build)
    after = [slide for slide in after if slide.key != "build" or ("build", 0) in kept]
    told = prediction_slides(asked, kept, room - len(asked) - len(kept))
    return with_notes([*before, *told, *after], read_notes(found.number), found.number)


def ordered_parts(found):
    """Return the slides with the trap, the main build and the steps, as far as a lesson has them,
    in its order, and that of its summary."""
    steps, trap, build = found.steps_cell(), found.trap(), build_slide(found)
    made = [(found.build[0], build)] if build else []
    made += [(found.cells.index(steps), steps_slide(found, steps))] if steps else []
    made += [(trap, trap_slide(found, trap))] if trap is not None else []
    return [*(slide for _, slide in sorted(made)), summary_slide(found)]


def with_notes(slides, notes, number):
    """Return the slides with their notes: those of one key have the same note, or, from the answer
    to a prediction on, that of the key `NAME-answer`; a slide with both has both notes."""
    keys = [slide.key for slide in slides]
    answers = [f"{slide.key}-answer" for slide in slides if slide.has_answer]
    if unknown := [key for key in notes if key not in [*keys, *answers]]:
        message = f"teaching/{number}.md has a note for {unknown[0]!r}, and its deck no such slide"
        raise MinigradError(message, hint=f"use one of {', '.join(dict.fromkeys(keys))}")
    return [slide._replace(notes=inline_html(find_note(slide, notes))) for slide in slides]


def find_note(slide, notes):
    """Return what the presenter says on a slide; an answer on its own has no title."""
    asked, answer = notes.get(slide.key, ""), notes.get(f"{slide.key}-answer")
    if answer and slide.has_answer:
        return answer if not slide.title else f"{asked} {answer}"
    return asked


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
    at, text = found.texts()[1]
    said = first_sentences(cell_prose(text), LEAD)
    code = code_below(found, at, said, room_below(text_height(asked[0], TITLE)))
    return Slide("question", title, f'<p class="lead">{inline_html(said)}</p>{code}')


def code_below(found, at, said, room):
    """Return the code below a place, as much as there is room for below some words that point to
    it, or ""; an exercise has its own slide."""
    cell = next((cell for cell in found.cells[at:] if cell.cell_type == "code"), None)
    if not POINTS_BELOW.search(said) or cell is None or BEGIN in cell.source:
        return ""
    blocks, left = parts.asked_code(cell).split("\n\n"), room - text_height(said)
    codes = ["\n".join(blocks[:count]) for count in range(len(blocks), 0, -1)]
    fitting = [code for code in codes if code_height(shown_length(code)) <= left]
    return code_html(fitting[0]) if fitting else ""


def derivation_slide(found):
    """Return the slide with the first derivation, line by line."""
    at, box = found.find_text(parts.BOX, "derivation")
    lines = re.sub(r"^> ?", "", box[2], flags=re.MULTILINE)
    listed = number_lines(to_html(lines.strip()))
    title = f"Derivation: {box[1]}" if box[1] else f"Derivation · {found.section_of(at)[1]}"
    size = " long" * (visible_length(lines) > LONG)
    return Slide("derivation", inline_html(title), f'<div class="derivation{size}">{listed}</div>')


def number_lines(html):
    """Return a derivation whose lines appear one by one after the first, and with the last one
    what is below."""
    first, item, others = html.partition("<li>")
    count = itertools.count()
    others = re.sub(
        "<li>", lambda _: f'<li class="fragment" data-fragment-index="{next(count)}">', others
    )
    listed, end, below = f"{first}{item}{others}".rpartition("</ol>")
    last = f'<div class="fragment" data-fragment-index="{max(0, next(count) - 1)}">'
    return f"{listed}{end}{last}{below}</div>" if below.strip() and end else f"{listed}{end}{below}"


def steps_slide(found, cell):
    """Return the slide with the main picture step by step, below the sentence that introduces it;
    each step replaces the one before it."""
    at, made = found.cells.index(cell), make_frames(cell)
    (_, heading), lead = found.section_of(at), lead_sentence(found, at)
    told = STEP if any(frame.words for frame in made) else 0
    room = room_below(text_height(heading, TITLE), text_height(lead), told)
    box = WIDE._replace(height=min(WIDE.height, room))
    frames = [
        f'<div class="frame{" fragment" * (at > 0)}">{step_words(frame)}'
        f"{figure(frame.picture.html(box))}</div>"
        for at, frame in enumerate(made)
    ]
    lead = f"<p>{inline_html(lead)}</p>" * bool(lead)
    body = f'{lead}<div class="frames">{"".join(frames)}</div>'
    return Slide("steps", inline_html(heading), body)


def lead_sentence(found, at):
    """Return the sentence of a section that introduces the picture of a cell: of the
    paragraphs above it, the last one first, a sentence that names a picture, else any, or "";
    where [deck] has a `lead`, that one."""
    if lead := found.choice.get("lead"):
        return lead
    texts = [cell_prose(text) for place, text in found.section_texts(at) if place < at]
    said = [one for text in texts[::-1] for one in text.split("\n\n")[::-1] if one.strip()]
    ranked = [one for part in said for one in divide_sentences(part)]
    sentences = [one for one in ranked if visible_length(one) <= BRIEF]
    return next(filter(SHOWN.search, sentences), next(iter(sentences), ""))


def step_words(frame):
    """Return the words for a step, where it has any."""
    return f"<p>{escape(frame.words)}</p>" if frame.words else ""


def trap_slide(found, at):
    """Return the slide with the trap: its story and question, what its cells show, and why."""
    told, title = cell_prose(found.cells[at].source), parts.plain_title(found.section_of(at)[1])
    codes, why = below(found.cells[at + 1 :])
    seen = [cell.id for one in found.predictions for cell in (one.asking, one.answering)]
    shown = [cell for cell in codes if cell.id not in seen or SHOWN.search(why)]
    pictures = [picture for cell in shown for picture in find_pictures(cell)]
    wide = pictures and not pictures[-1].is_upright
    story, reason = (first_sentences(one, BRIEF if wide else BECAUSE) for one in (told, why))
    asked = trap_question(found, at)
    text = "".join(f"<p>{inline_html(one)}</p>" for one in (story, asked) if one)
    above = [text_height(f"Trap: {title}", TITLE), *map(text_height, (asked, reason))]
    text += code_below(found, at, story, room_below(*above)) * (not pictures)
    text += f'<p class="fragment">{inline_html(reason)}</p>' * bool(reason)
    above.append(text_height(story))
    box = TOLD._replace(height=min(TOLD.height, room_below(*above)))
    body = arrange(text, pictures[-1:], box) if pictures else text
    return Slide("trap", inline_html(f"Trap: {title}"), body)


def trap_question(found, at):
    """Return what the exercise of the trap's section asks, or "" """
    tasks = [parts.EXERCISE.search(text) for _, text in found.section_texts(at)]
    task = next(filter(None, tasks), None)
    return last_question(task["text"], BRIEF) if task else ""


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
