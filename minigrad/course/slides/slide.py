"""One slide, and how a text and its pictures share it."""

from typing import NamedTuple

from minigrad.course.slides.pictures import SIDE, choose_fitting

BECAUSE, BRIEF = 330, 200  # letters of a text: alone or beside a picture; above a picture


class Slide(NamedTuple):
    """One slide: its key (for the presenter's notes), its heading and its body in HTML."""

    key: str
    title: str
    body: str
    notes: str = ""

    @property
    def has_answer(self):
        """Whether it has the answer to a prediction: one slide of its own, or a part of one."""
        return 'class="answer"' in self.body


def figure(content):
    """Return a picture in its room."""
    return f"<figure>{content}</figure>"


def arrange(text, pictures, box):
    """Return a text with pictures below it, or beside it where the first of them is upright."""
    if pictures[0].is_upright:
        return f'<div class="columns"><div>{text}</div>{figure(pictures[0].html(SIDE))}</div>'
    return text + "".join(figure(one.html(box)) for one in choose_fitting(pictures, box))
