"""What a notebook shows: a text and HTML that never raise, and elements with a script of ours."""

import hashlib
import json
from abc import ABC, abstractmethod
from html import escape
from pathlib import Path

FOLDER = Path(__file__).parent


class Shown(ABC):
    """Something that shows itself as text in a terminal and as HTML in a notebook."""

    place = ""  # where an error of the HTML is said to have been

    @property
    @abstractmethod
    def text(self) -> str:
        """What a terminal shows."""

    @property
    @abstractmethod
    def html(self) -> str:
        """What a notebook shows."""

    def __repr__(self):
        try:
            return self.text
        except Exception as error:  # a repr never raises
            return f"{type(self).__name__} ({type(error).__name__} while listing it)"

    def _repr_html_(self):
        try:
            return self.html
        except Exception as error:
            return f"<pre>{escape(repr(self))}</pre><p>{type(error).__name__} in {self.place}</p>"


def web_page(title, body, style=""):
    """A page of its own; its ground follows the reader's system."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        f"</title>\n<style>:root {{ color-scheme: light dark }}{style}</style></head>\n"
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def script_of(kind, file, sheets):
    """(tag, script) of an element of this kind, which `file` defines with its style sheets.

    The tag's name tells versions apart that meet on one page.
    """
    code = "\n".join(path.read_text(encoding="utf-8") for path in (FOLDER / "element.js", file))
    sheets = json.dumps(sheets)
    tag = f"minigrad-{kind}-{hashlib.sha256((code + sheets).encode()).hexdigest()[:10]}"
    return tag, f'(() => {{\n{code}\ndefine{kind.title()}("{tag}", {sheets});\n}})();'
