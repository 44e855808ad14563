"""What a notebook shows: a text and HTML that never raise, and elements with scripts of ours."""

import base64
import hashlib
import json
import re
from abc import ABC, abstractmethod
from functools import cache
from html import escape
from pathlib import Path
from string import ascii_letters
from typing import NamedTuple

from minigrad.draw.look import CODE, DARK, FONT, LIGHT, ROLES, SERIF
from minigrad.draw.paint.once import head_of_frame, pick_missing_scripts

FOLDER = Path(__file__).parent
BASE = ("element.js", "legend.js", "picture.js", "trail.js", "viewer.js", "view.js")
# Names that come often in these files; the browser and data have none that is read behind a dot
LONG_NAMES = (
    "picture event player html element album address info group node viewer found told spec "
    "number part kind root scale inputs count before wordButton pane sheets handle readNumber "
    "placeOf recorded amount flag panels moved field turned fillScreen verdict light power "
    "levers questions graph strip KEY_EVENTS most legend made takePicture focused pictures "
    "isNumber runProgram numberText slider playButton named TOOLS minus inspector placeSide "
    "isPlain frameOf narrow reveal memoryButton column apart known pictureFrom DERIVATIVES "
    "sourcePanel memoryStrip parseSvg FACTOR speeds drawStep markPlay whenParsed watchTheme "
    "whole reach divideDown birthWords Picture wordsOf titles follow Viewer explain pinched "
    "wanted roundEven digits shorten changes textOf heights choose markLines nodesOf timer "
    "markEdges alone trail PREVIOUS question facts fillChip fields firsts answer "
    "phases isTyped heatMap edgesOf paint shifts stops enter press offer along aside "
    "least terms warning operand visit slots trimmed isClose panel guard leave copies boxes "
    "across modulo sigmoid around isDark Legend Album begun raise build output ground themes "
    "middle classes NARROW sample MARGIN ICONS LEAST PAUSE MEDIA start slope"
).split()
LETTERS = [a + b for a in ("", "a", "b", "c") for b in ascii_letters]
SHORT_NAMES = dict(zip(LONG_NAMES, (f"${letters}" for letters in LETTERS)), const="let")
NAME = rf"\b(?P<name>{'|'.join(SHORT_NAMES)})\b"
TEXT_OR_SIGN = re.compile(
    rf"""(?P<text>"[^"]*"|'[^']*'|`[^`]*`)|{NAME}|\((?P<only>\w+)\) => |"""
    r"""(?P<end>;\s?(?=\})|(?<![\w.])0(?=\.\d))|"""
    r"""\s?(?P<sign>=>|[!=]==|&&|\|\||[-=?:,;<>(){}\[\]*/%!|+])\s?"""
)
VARIABLES = (
    "ink card rim ring quiet line focus folded font serif code adjoint tangent variable hover tone "
    "tint mid wash tall"
).split()
INSERTED = re.compile(r"\$\{[^}]*")  # in a text between backticks
BODY = "body { margin: 16px max(0px, min(16px, 2vw - 18px)) }"  # a phone has no room to waste
QUIET = {False: "#4A5560", True: "#B4BEC8"}  # small print: 7 to 1 on the card


class Shown(ABC):
    """Something that shows itself as text in a terminal and as HTML in a notebook."""

    place = ""  # where an error of the HTML is said to have been

    @property
    @abstractmethod
    def text(self) -> str:
        """What a terminal shows."""

    @property
    @abstractmethod
    def body(self) -> str:
        """The HTML without scripts: an element, and inside it what is seen where none runs."""

    @property
    @abstractmethod
    def scripts(self) -> list:
        """The Scripts that bring the HTML to life, each behind those that it needs."""

    @property
    def html(self) -> str:
        """The HTML with its scripts: it needs nothing from elsewhere."""
        return with_scripts(self.body, self.scripts)

    def __repr__(self):
        try:
            return self.text
        except Exception as error:  # a repr never raises
            return f"{type(self).__name__} ({type(error).__name__} while listing it)"

    def _repr_html_(self):
        try:
            scripts = pick_missing_scripts(self.scripts)
            return head_of_frame(scripts) + with_scripts(self.body, scripts)
        except Exception as error:
            return f"<pre>{escape(repr(self))}</pre><p>{type(error).__name__} in {self.place}</p>"


def image_and_text(svg, alt, text, portrait=""):
    """An image, or another one on a narrow page, with its text below."""
    image = f'<img src="{data_address(svg)}" alt="{escape(alt)}" style="max-width:100%">'
    if portrait:
        narrow = f'media="(max-width: 600px)" srcset="{data_address(portrait)}"'
        image = f"<picture><source {narrow}>{image}</picture>"
    rows = f"<pre>{escape(text)}</pre>"
    return f"{image}\n<details><summary>as text</summary>{rows}</details>"


def data_address(svg):
    """The address of a picture that is part of its page."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def with_scripts(body, scripts):
    """The HTML and its scripts."""
    return "\n".join([body, *(f"<script>\n{script.code}\n</script>" for script in scripts)])


def web_page(title, body, style=""):
    """A page of its own; its ground follows the reader's system."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        '</title>\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<style>:root {{ color-scheme: light dark }} {BODY}{style}</style></head>\n"
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


# scripts ------------------------------------------------------------------------------------------


class Script(NamedTuple):
    """The script that defines the element of a tag. It may stand on a page several times."""

    tag: str
    code: str


@cache
def view_script():
    """The Script of a drawing's element, behind which those of others stand."""
    code = squeeze_script(FOLDER / name for name in BASE)
    tag, sheets = tag_and_sheets("view", code, base_sheets())
    return Script(tag, f'(() => {{\n{code}\ndefineView("{tag}",{sheets});\n}})();')


def script_of(kind, files, sheets):
    """The Script of an element of another kind, which the last of the files defines."""
    base, code = view_script(), squeeze_script(files)
    names = ",".join(n for n in base_names() if re.search(rf"(?<![\w$]){re.escape(n)}\b", code))
    tag, sheets = tag_and_sheets(kind, base.tag + code, sheets)
    return Script(
        tag,
        f'customElements.whenDefined("{base.tag}").then(({{parts:{{{names}}}}})=>{{\n'
        f'{code}\ndefine{kind.title()}("{tag}",{sheets});\n}});',
    )


def tag_and_sheets(kind, code, sheets):
    """The tag's name, which tells versions apart that meet on one page; the sheets as JSON."""
    squeezed = {name: squeeze_rules(rules) for name, rules in sheets.items()}
    sheets = json.dumps(squeezed, separators=(",", ":"))
    return f"minigrad-{kind}-{hashlib.sha256((code + sheets).encode()).hexdigest()[:10]}", sheets


def squeeze_code(files):
    """The text of some files in one line, without indentation and comments.

    A notebook keeps each line as a string of its own, which would add a third to the bytes. So
    every statement of these files ends with a semicolon, and no text holds " // ". Behind what
    ends a statement or a part of one, no space is left.
    """
    lines = (line.strip() for file in files for line in file.read_text("utf-8").splitlines())
    bare = (re.sub(r"(^|\s)// .*", "", line).rstrip() for line in lines)
    return re.sub(r"(?<=[{};,])\n", "", "\n".join(filter(None, bare))).replace("\n", " ")


def squeeze_script(files):
    """The code of some JavaScript files, where signs outside texts stand without spaces, long names
    are short, and what is set once is set like all else. A statement at the end of a block needs no
    semicolon, an operand that is alone no brackets, and a number no zero before its point.

    A pattern, and a text inside another's `${ }`, count as code: they hold no space beside a sign.
    """
    code = squeeze_code(files)
    return TEXT_OR_SIGN.sub(squeeze_piece, code)


def squeeze_piece(found):
    """A text, a name or a sign of some code, as short as it can be."""
    if found["end"]:
        return ""
    if found["only"]:
        return f"{SHORT_NAMES.get(found['only'], found['only'])}=>"
    if found["sign"] or found["name"]:
        return found["sign"] or SHORT_NAMES[found["name"]]
    text = found["text"]
    return INSERTED.sub(lambda part: squeeze_names(part[0]), text) if text[0] == "`" else text


def squeeze_names(code):
    """Some code in which long names are short."""
    return re.sub(NAME, lambda found: SHORT_NAMES[found["name"]], code)


def squeeze_rules(text):
    """Rules of style, without the spaces and zeros that mean nothing; variables are letters."""
    text = re.sub(r";?\s*([{};,>])\s*|(:)\s+", r"\1\2", text)
    text = re.sub(r"(?<=[ (:])0(?=\.\d)", "", text)
    letters = dict(zip(VARIABLES, ascii_letters))
    return re.sub(r"(?<=--)\w+", lambda found: letters.get(found[0], found[0]), text)


def base_names():
    """The names in the viewer's script that it hands to the others."""
    text = (FOLDER / BASE[-1]).read_text("utf-8")
    names = re.findall(r"\w+", re.search(r"View\.parts = \{([^}]*)\}", text)[1])
    return [SHORT_NAMES.get(name, name) for name in names]


# style sheets -------------------------------------------------------------------------------------


def base_sheets():
    """The rules of a viewer, which all elements have, for both themes."""
    fixed = f":host {{ --font: {FONT}; --serif: {SERIF}; --code: {CODE} }}"
    return {
        "base": f"{fixed}\n{squeeze_code([FOLDER / 'view.css'])}",
        "light": variables(LIGHT, dark=False),
        "dark": variables(DARK, dark=True),
    }


def variables(theme, dark):
    """The colours of one theme, under the names that the CSS files use."""
    focus, tint = ROLES["input"].colours(dark)
    names = {
        **{name: theme[name] for name in ("ink", "card", "rim", "ring")},
        "quiet": QUIET[dark],
        "line": ROLES["constant"].colours(dark)[0],
        "folded": ROLES["folded"].colours(dark)[1],
        "focus": focus,
        **{role: ROLES[role].colours(dark)[0] for role in ("adjoint", "tangent", "variable")},
        "hover": tint,
    }
    return f":host {{ {'; '.join(f'--{name}: {value}' for name, value in names.items())} }}"
