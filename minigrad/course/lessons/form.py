"""The form of a lesson whose sentences lie in a file, NN.toml beside this one.

It opens with a claim and honest minutes, asks one question, derives a result, lets the reader build
a function, and closes with a check, a summary and a table of names. Nothing is folded. A rule here
gives pairs (what breaks it, what to do), as those of `minigrad lint`.
"""

import io
import math
import re
import tokenize
import tomllib
from functools import cache
from pathlib import Path

from minigrad.course import project
from minigrad.course.lessons import badges, handout

FOLDER = Path(__file__).parent
TEXT_WORDS, CODE_LINES = 150, 18  # of a cell
MINUTES = 5  # between those that a lesson says and those that it takes
PACE = 180  # words a minute; the other numbers are minutes, all by readers' clocks
LINE, PREDICTION, PICTURE, PLAYER, CLOSE, LONGER = 4 / 60, 1.25, 0.7, 3, 3, 1.15
TEXTS = (  # (what the text has, the pattern that finds it, how to write it)
    ("question", r"\*\*(?:[^\s*]+ ){2,}[^*]+\?\*\*", "ask the one question in bold: **…?**"),
    ("derivation", r"^> \*\*Derivation\b", "put numbered lines into a box: > **Derivation**"),
    ("exit question", r"^## Can you do it alone\?$", "## Can you do it alone?"),
    ("summary", r"^(?:## |\*\*)What to remember\b", "**What to remember.**"),
    (
        "table of names",
        r"^\|.*\bPyTorch\b.*\bJAX\b.*\bTensorFlow\b.*\|$",
        "head a table: | here | PyTorch | JAX | TensorFlow |",
    ),
)
CODES = (  # the same for its code
    ("open exercise", r"# begin answer$", "put # begin answer and # end answer around a body"),
    ("exit check", r"""^check\(["']exit\b""", 'check("exit", exit_answer)'),
)
OPENING = """\
except ModuleNotFoundError:
    from IPython.core.error import UsageError  # a notebook shows it in one line
    raise UsageError('Install the course first: %pip install "minigrad-course[course]"')
"""  # below `try:` and the imports of minigrad, at the top of a lesson
OPENS = re.compile(rf"\A(#.*\n)*try:\n(    .*\n)+{re.escape(OPENING.strip())}\n?")
STATED = re.compile(r"(?:\bAbout |^\*)((?:[\w-]+ )+?(?:minutes|hours?))\b", re.MULTILINE)
NO_PROSE = re.compile(  # tables, headings, literal lines, and where things come from
    r"^(?:\||#|    ).*$|^\*\*(?:History|Sources)\.\*\*(?s:.*)", re.MULTILINE
)
CODE_TOKENS = {tokenize.NAME, tokenize.NUMBER, tokenize.OP}
NO_WORDS = re.compile(r"```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]*\$|<[^>]*>", re.DOTALL)


def has_words(path):
    """Whether the sentences of the lesson at `path` lie in a file: it has the form checked here."""
    return words_file(path).is_file()


def words_file(path):
    """The file that holds, or would hold, the sentences that a lesson's cells print."""
    return FOLDER / f"{project.lesson_number(path)}.toml"


@cache
def read_terms():
    """What stands in terms.toml."""
    return tomllib.loads((FOLDER / "terms.toml").read_text(encoding="utf-8"))


def find_faults(path, cells):
    """What breaks a rule of this form in the cells of a lesson, beyond the parts that it lacks."""
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    yield from claim_and_time(project.lesson_number(path), text, cells)
    yield from long_cells(cells)
    yield from hidden_cells(cells)
    yield from lacking_terms(project.lesson_number(path), text)
    for cell in cells:
        is_text = cell.cell_type == "markdown"
        said = [NO_WORDS.sub("X", cell.source)] if is_text else strings_of(cell.source)
        for text in said:
            yield from private_words(f"cell {cell.id}", text)
    for sentence in sentences_of(tomllib.loads(words_file(path).read_text(encoding="utf-8"))):
        yield from private_words(words_file(path).name, sentence)
    logic = words_file(path).with_name(f"l{words_file(path).stem}.py")
    for text in strings_of(logic.read_text(encoding="utf-8")) if logic.is_file() else ():
        if not text.startswith("#"):  # what no reader of the lesson sees
            yield from private_words(logic.name, text)


def claim_and_time(number, text, cells):
    """A title of a field's term and a claim, and minutes that are those that it takes."""
    if not re.match(rf"# {re.escape(number)} · [^:\n]+: \S", text):
        yield "no title", f"begin with: # {number} · the field's term: what the lesson claims"
    said, takes = STATED.search(cells[0].source), fair_minutes(cells)
    stated = re.match(r"(\d+) minutes", said[1]) if said else None
    if not stated:
        yield "no time", f"write in the first cell: *{takes} minutes.*"
    elif abs(int(stated[1]) - takes) > MINUTES:
        yield f"{stated[1]} minutes are stated, and it takes {takes}", f"write: *{takes} minutes.*"


def fair_minutes(cells):
    """How long a lesson takes, in steps of five: reading, predicting, looking, stated exercises."""
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    words = sum(word_count(cell.source) for cell in cells if cell.cell_type == "markdown")
    pictures = len(re.findall(r"\bmg\.draw\b|\bplt\.subplots\b|\bshow_\w+\(|\bplot\.\w+\(", code))
    minutes = words / PACE + line_count(code) * LINE + CLOSE
    minutes += PICTURE * pictures + PLAYER * code.count("mg.player(")
    minutes += PREDICTION * len(re.findall(r"^\s*predict\(", code, re.MULTILINE))
    minutes += sum(map(int, re.findall(r"\((\d+) minutes\)", text)))
    return 5 * math.ceil(minutes * LONGER / 5)


def word_count(text):
    """The words that one reads in sentences; code or a formula is one."""
    return len(re.findall(r"[\w’'-]+", prose_of(text)))


def prose_of(text):
    """Return the sentences of a text: without tables, headings and the row of links, with X for
    code and formulas."""
    return NO_PROSE.sub("", NO_WORDS.sub("X", badges.without_row(text)))


def line_count(code):
    """The lines of code that one reads: not those by which a lesson opens, and no blank ones."""
    return sum(bool(line.strip()) for line in OPENS.sub("", code).splitlines())


def long_cells(cells):
    """A text holds one idea, and code is read at once."""
    for cell in cells:
        is_text = cell.cell_type == "markdown"
        count = (word_count if is_text else line_count)(cell.source)
        limit, noun = (TEXT_WORDS, "words") if is_text else (CODE_LINES, "lines")
        if count > limit:
            yield f"cell {cell.id} has {count} {noun}, above {limit}", "make two cells"


def hidden_cells(cells):
    """All that a lesson shows stands open, in a student's copy, too."""
    for cell, part in handout.student_parts(cells):
        if part in handout.LABELS:
            yield f"cell {cell.id} is folded for students", "check(…) and observe(…) take one line"
        if cell.metadata.get("jupyter", {}).get("source_hidden") or "<details" in cell.source:
            yield f"cell {cell.id} is folded", "let all of it stand open"


def lacking_terms(number, text):
    """A reader meets the terms by which one finds more about this."""
    for term in read_terms()["required"].get(number, ()):
        if not any(form.lower() in text.lower() for form in term.split(" | ")):
            yield f"the term {term!r} is nowhere in its text", "say it, once in bold"


def private_words(place, text):
    """Where the field has a word, no other is used."""
    for pattern, better in read_terms()["private"].items():
        for found in re.finditer(pattern, text, re.IGNORECASE):
            yield f"{place} says {found[0]!r}", f"write: {better}"


def strings_of(source):
    """The texts that code shows: its comments, and strings without what f-strings compute and
    without docstrings; none of what is no Python."""
    try:
        tokens = [*tokenize.generate_tokens(io.StringIO(source).readline)]
    except (SyntaxError, tokenize.TokenError):
        return []
    texts = [each.string for each in tokens if each.type not in CODE_TOKENS]
    return [re.sub(r"\{[^{}]*\}", "", text) for text in texts if not text.startswith('"""')]


def sentences_of(words):
    """Every text of a table, however deep."""
    if isinstance(words, str):
        yield words
    elif isinstance(words, (dict, list)):
        for part in words.values() if isinstance(words, dict) else words:
            yield from sentences_of(part)
