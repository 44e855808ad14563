"""The presenter's notes of a deck: the list below `## Slide notes` on the teacher's page."""

import re
from pathlib import Path

from minigrad.course.lessons import form

FOLDER = form.FOLDER / "teaching"
LIST = re.compile(r"^## Slide notes\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
NOTE = re.compile(r"^- ([\w-]+): (.+(?:\n[ \t]+\S.*)*)", re.MULTILINE)


def read_notes(number):
    """Return {key of a slide: what the presenter says}; empty where a lesson has no page."""
    path = Path(FOLDER) / f"{number}.md"
    found = LIST.search(path.read_text(encoding="utf-8")) if path.is_file() else None
    return {key: " ".join(text.split()) for key, text in NOTE.findall(found[1])} if found else {}
