"""The slide of what a lesson mainly builds: its idea, and its code, of which the answer appears."""

import re
from html import escape

from minigrad.course.lessons import form
from minigrad.course.lessons.handout import BEGIN, END
from minigrad.course.slides.outputs import LETTERS
from minigrad.course.slides.room import TITLE, code_height, room_below, text_height
from minigrad.course.slides.slide import BECAUSE, BRIEF, Slide
from minigrad.course.slides.words import cell_prose, first_sentences, inline_html

LISTED = re.compile(r"\n\s*(?:\d+\.|[-*]) ")
TO_COME = re.compile(r"(?:(?<=\. )|^)[^.]*:\s*\Z")  # a sentence that only begins a list


def build_slide(found):
    """Return the slide of the lesson's main build, or None where its code fits on no slide."""
    if found.build is None:
        return None
    place, name, task = found.build
    title, code = f"Build: {name}", form.OPENS.sub("", found.cells[place].source).strip("\n")
    start, _ = found.section_of(place)
    idea = found.choice.get("idea", cell_prose(found.cells[start].source))
    told = fitting_texts(title, code, idea, task)
    if told is None:
        return None
    words = "".join(f"<p>{inline_html(text)}</p>" for text in told)
    body = f"{words}<pre><code>{answer_in_place(code)}</code></pre>"
    return Slide("build", inline_html(title), body)


def fitting_texts(title, code, idea, task):
    """Return the idea of a section and the task, as much of them as there is room for above the
    code, or None."""
    lines, idea = code.splitlines(), TO_COME.sub("", LISTED.split(idea)[0])
    count = sum(len(line) // LETTERS + 1 for line in lines if line.strip() not in (BEGIN, END))
    left = room_below(text_height(title, TITLE), code_height(count))
    shorter = [[first_sentences(text, limit) for text in (idea, task) if text]
               for limit in (BECAUSE, BRIEF, 1)]  # fmt: skip
    texts = [*shorter, shorter[-1][:1]]
    return next((each for each in texts if sum(map(text_height, each)) <= left), None)


def answer_in_place(code):
    """Return code as HTML in which its answers are one fragment, without the marks around them."""
    made = []
    for line in code.splitlines():
        if line.strip() == BEGIN:
            made.append('<span class="fragment" data-fragment-index="0">')
        elif line.strip() == END:
            made.append("</span>")
        else:
            made.append(f"{escape(line)}\n")
    return "".join(made).rstrip("\n")
