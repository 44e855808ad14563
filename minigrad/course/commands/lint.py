"""`minigrad lint`: the rules that a lesson's file obeys, and the parts that every lesson has.

A lesson whose sentences lie in a file has other parts and limits: those of lessons/form.py. A rule
is a function from a cell or a lesson to pairs (what breaks it, the hint): what nbval does not see.
"""

import base64
import copy
import re
from collections import Counter
from itertools import chain
from typing import NamedTuple

from minigrad.core.errors import MinigradError
from minigrad.course import project
from minigrad.course.lessons import claims, form, handout, lesson, measures, syllabus

HELP = "check the lesson files: order, stability, length and required parts"
NEEDS = ("nbformat",)
MINUTES = 45
BYTES = 350_000  # scripts of pictures are 35,000; what clicks open, 60,000 to 90,000 a picture
CODE_CELLS = 25
CODE_LINES = 12
CODE_WIDTH = 100
TEXT_WORDS = 60

FORMULAS = range(2, 9)  # typeset in a lesson

ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}", re.IGNORECASE)
MACHINE_PATH = re.compile(
    r"(?<![\w.~-])/(?:home|Users|root|tmp|usr|opt|work|var|mnt|private)/[^\s'\"]+"
    r"|\b[A-Z]:\\+\w+|site-packages|ipykernel_\d+"
)
OUTSIDE = re.compile(r"(?:https?:)?//(?!www\.w3\.org/)[a-z0-9-]+\.[a-z][^\s'\"<>]*", re.IGNORECASE)
QUIET = re.compile(r";\s*(#.*)?$")
PICTURE = re.compile(r"""(?:!\[[^\]]*\]\(|<img[^>]*\ssrc=["'])(?!attachment:|data:)([^\s)"']+)""")
EMBEDDED = re.compile(r"data:image/([\w+]+);base64,([A-Za-z0-9+/=]+)")

TEXTS = (  # (what a lesson's text has, the pattern that finds it, how to write it)
    ("goal", r"^\*\*Goal\.\*\* \S", "**Goal.** and what the reader will be able to do"),
    ("recall question", r"^\*\*Recall\.\*\* \S", "**Recall.** and a question on an earlier lesson"),
    ("table of names", r"^\| word \| symbol \| call \|$", "head a table: | word | symbol | call |"),
    ("planted bug", r"^## .*\bin its picture\b", "## A bug, seen in its picture"),
    ("contrast", r"^## .*\bother engine\b", "## The same in the other engine"),
    ("exit question", r"^\*\*Exit question\.\*\* \S", "**Exit question.**"),
    ("further tasks", r"^## Go further\b(.|\n)*★(.|\n)*★★★", "## Go further, from ★ to ★★★"),
    ("history", r"^\*\*History\.\*\* \S", "**History.** and who thought of it first"),
    ("sources", r"^\*\*Sources\.\*\* \S", "**Sources.** with authors and titles"),
)
CODES = (  # the same for its code
    ("faded exercise", r"# fill in$", "end one line in: # fill in"),
    ("open exercise", r"# begin answer$", "put # begin answer and # end answer around a body"),
    ("check", r"\bcheck\(", "check what the reader writes"),
    ("picture", r"\bmg\.(draw|player|plot)\b", "draw the graph"),
)
FORMULA = re.compile(r"(?<![\\$])(\${1,2})(?=[^\s$])[^$]*?[^\s$\\]?\1(?!\d)")
CODE_IN_TEXT = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
FOLDED = "<details><summary>"


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument(
        "names", nargs="*", help="lesson numbers or paths, for example 01 (default: all)"
    )


def run(args):
    """Print one line per finding; the exit status is 1 when there is one. What is measured comes
    after them, as notes, and changes nothing."""
    paths = project.lessons(args.names)
    found = [each for path in paths for each in (*findings(path), *missing_parts(path))]
    measured = [each for path in paths for each in notes(path)]
    for each in (*found, *measured):
        print(each)
    told = f", {lesson.count_text(measured, 'note')}" if measured else ""
    print(f"{lesson.count_text(paths, 'lesson')}, {lesson.count_text(found, 'finding')}{told}")
    return 1 if found else 0


class Finding(NamedTuple):
    """One broken rule: where, the message, the hint."""

    place: str
    message: str
    hint: str

    def __str__(self):
        return f"{self.place}: {self.message}; {self.hint}"


def findings(path):
    """Everything that is wrong with the lesson at `path`."""
    try:
        notebook = lesson.read_lesson(path)
    except MinigradError as error:
        yield Finding(path.name, error.message.removeprefix(f"{path.name} "), error.hint)
        return
    of_all, text_rules = [*file_size(path), *writer(path, notebook)], (pictures,)
    if not form.has_words(path):
        of_all += [*length(notebook), *open_lines(notebook)]
        text_rules = words, pictures
    for each in of_all:
        yield Finding(path.name, *each)
    expected = 0
    for number, cell in enumerate(notebook.cells, 1):
        place = f"{path.name}, cell {number} ({cell.cell_type})"
        is_code = cell.cell_type == "code"
        expected += is_code
        broken = [*order(cell, expected)] if is_code else []
        for rule in (quiet, width, errors, unstable) if is_code else text_rules:
            broken += rule(cell)
        yield from (Finding(place, *each) for each in broken)


def file_size(path):
    """A lesson is small enough to be read in a diff."""
    if (taken := path.stat().st_size) > BYTES:
        yield f"{taken:,} bytes, above {BYTES:,}", "draw fewer or smaller pictures"


def writer(path, notebook):
    """A lesson's text is the one that `minigrad refresh` writes."""
    if path.read_bytes() != lesson.lesson_text(lesson.normalise_lesson(notebook)).encode():
        yield "the file is not as `minigrad refresh` writes it", f"minigrad refresh {path.stem}"


def length(notebook):
    """A lesson fits into one sitting; folded checks count, too."""
    if (count := sum(cell.cell_type == "code" for cell in students_cells(notebook))) > CODE_CELLS:
        yield f"{count} code cells for students, above {CODE_CELLS}", "make two lessons"


def students_cells(notebook):
    """The cells of a student's copy, where the check of an answer is a cell of its own."""
    return chain.from_iterable(map(handout.split_check, copy.deepcopy(notebook.cells)))


def order(cell, expected):
    """Cells ran once each, from the first to the last: nbval trusts their outputs."""
    if (count := cell.execution_count) != expected:
        ran = "it never ran" if count is None else f"it ran as number {count}, not {expected}"
        yield ran, "minigrad refresh"


def quiet(cell):
    """No `;` hides a value: nbval cannot compare what is not shown."""
    if QUIET.search(cell.source.rstrip()):
        yield "it ends in ';', which hides its value", "remove the ';'"


def width(cell):
    """No line of code is longer than the eye follows."""
    if (longest := max(map(len, cell.source.splitlines()), default=0)) > CODE_WIDTH:
        yield f"a line of {longest} characters, above {CODE_WIDTH}", "break the line"


def open_lines(notebook):
    """What stands open in a student's copy is short enough to be read at once."""
    for cell, part in handout.student_parts(students_cells(notebook)):
        count = len(form.OPENS.sub("", cell.source).splitlines())
        if part in ("code", "prediction", "exercise") and count > CODE_LINES:
            yield f"cell {cell.id} has {count} lines, above {CODE_LINES}", "make two cells"


def words(cell):
    """Text is short enough to be read at all."""
    if (count := len(re.findall(r"\S*\w\S*", cell.source))) > TEXT_WORDS:
        yield f"{count} words, above {TEXT_WORDS}", "cut, or put code between two cells"


def pictures(cell):
    """A text holds its pictures: a lesson may be opened alone, where no file lies beside it."""
    for name in PICTURE.findall(cell.source):
        yield f"its picture is the file {name}", "attach the picture to the cell"


def errors(cell):
    """An error is shown exactly where the lesson says so."""
    raised = [output for output in cell.outputs if output.output_type == "error"]
    tagged = "raises-exception" in cell.metadata.get("tags", ())
    if raised and not tagged:
        yield f"it raised {raised[0].ename}", "fix it, or tag it 'raises-exception'"
    if tagged and not raised:
        yield "it is tagged 'raises-exception' and raised nothing", "remove the tag"


def unstable(cell):
    """Nothing in a cell or its outputs holds only here, now, or with a network."""
    shown = "\n".join(part for output in cell.outputs for part in texts(output))
    if found := ADDRESS.search(shown):
        yield f"its output has the address {found[0]}", "print a name instead"
    if found := MACHINE_PATH.search(f"{cell.source}\n{shown}"):
        yield f"it names a path of one machine, {found[0]}", "print only the file's name"
    if found := OUTSIDE.search(shown):
        yield f"its output points outside, {found[0]}", "make it whole without a network"


def texts(output):
    """The texts of one output, pictures in SVG decoded, other pictures left out."""
    plain = [output.get("text", ""), output.get("evalue", ""), *output.get("traceback", ())]
    data = output.get("data", {})
    plain += [str(value) for kind, value in data.items() if kind not in ("image/png", "image/jpeg")]
    for text in plain:
        yield EMBEDDED.sub("", text)
        for kind, content in EMBEDDED.findall(text):
            if kind == "svg+xml":
                yield base64.b64decode(content).decode("utf-8", "replace")


def notes(path):
    """A Finding for each measure of a lesson that lies outside of what was agreed on."""
    if not form.has_words(path):
        return
    try:
        cells = lesson.read_lesson(path).cells
    except MinigradError:
        return
    for each in measures.find_notes(path, cells):
        yield Finding(f"note: {path.name}", *each)


# the parts of a lesson ------------------------------------------------------------------------


def missing_parts(path):
    """A Finding for each part that the lesson at `path` lacks; none for what is no notebook."""
    try:
        cells = lesson.read_lesson(path).cells
    except MinigradError:
        return
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    codes = [cell.source for cell in cells if cell.cell_type == "code"]
    has_words = form.has_words(path)
    of_text, of_code = (form.TEXTS, form.CODES) if has_words else (TEXTS, CODES)
    missing = [*headings(text), *absent_patterns(of_text, text), *syllabus.find_differences(path)]
    missing += [*absent_patterns(of_code, "\n".join(codes)), *opening(codes)]
    missing += [*open_formulas(text), *claims_alone(cells, has_words)]
    if has_words:
        missing += form.find_faults(path, cells)
    else:
        missing += [*title_and_time(path, text), *predictions(codes), *formulas(text)]
        missing += spoilers(cells)
    for each in missing:
        yield Finding(path.name, *each)


def title_and_time(path, text):
    """A title that is a claim under the lesson's number, and a time that fits a sitting."""
    number = path.name.partition("_")[0]
    if not re.match(rf"# {re.escape(number)} · \S", text):
        yield "no title", f"begin with: # {number} · and what the lesson claims"
    minutes = re.search(r"^About (\d+) minutes\.", text, re.MULTILINE)
    if not minutes:
        yield "no time", "write in the first cell: About 30 minutes."
    elif int(minutes[1]) > MINUTES:
        yield f"{minutes[1]} minutes, above {MINUTES}", "make two lessons"


def headings(text):
    """No heading stands twice: what was moved has left its old place."""
    found = Counter(re.findall(r"^## (.*\S)", text, re.MULTILINE))
    for heading, times in found.items():
        if times > 1:
            yield f"the heading '{heading}' stands {times} times", "keep one of them"


def opening(codes):
    """Where the course is not installed, the first cell of a lesson says how to install it.

    A lesson may be opened by itself, as in Colab. Of what stops a cell, IPython shows a UsageError
    alone in one line; that of a SystemExit fills a page there.
    """
    first = codes[0] if codes else ""
    if not form.OPENS.match(first):
        yield "no opening", "begin the first cell of code as another lesson does, with: try:"
    elif re.search(r"^(import|from) minigrad\b", first, re.MULTILINE):
        yield "minigrad is imported outside of the opening", "move the import below its: try:"


def absent_patterns(parts, text):
    """The parts whose pattern is nowhere in the text."""
    for name, pattern, hint in parts:
        if not re.search(pattern, text, re.MULTILINE):
            yield f"no {name}", hint


def predictions(codes):
    """Each question is predicted before it is observed, and at least one is."""
    predicted, observed = [], []
    for call, question in (found for code in codes for found in questions(code)):
        if call == "predict":
            predicted.append(question)
        elif question not in predicted:
            yield f"'{question}' is observed before it is predicted", "ask for a prediction first"
        observed += [question] * (call == "observe")
    for question in predicted:
        if question not in observed:
            yield f"'{question}' is predicted and never observed", "show prediction beside result"
    if not predicted:
        yield "no prediction", "ask with predict, answer with observe"


def questions(code):
    """(predict or observe, the question) for each call, in order."""
    return re.findall(r"\b(predict|observe)\(\s*[\"'](.*?)[\"']", code)


def formulas(text):
    """A lesson's mathematics is typeset."""
    found = len(FORMULA.findall(CODE_IN_TEXT.sub("", text)))
    if found not in FORMULAS:
        asked = f"{FORMULAS[0]} to {FORMULAS[-1]}"
        yield f"{found} typeset formulas", f"write {asked} between $ signs, beside code and picture"


def open_formulas(text):
    """No formula stays open."""
    if "$" in FORMULA.sub("", CODE_IN_TEXT.sub("", text)).replace(r"\$", ""):
        yield "a formula does not end", "close it with $, or write \\$ for the sign itself"


def spoilers(cells):
    """No answer stands on the screen while one predicts: it is folded, and says why or why not."""
    for (cell, part), below in zip(handout.student_parts(cells), [*cells[1:], None]):
        if cell.cell_type != "code" or "observe(" not in cell.source or "import" in cell.source:
            continue
        (_, question), *others = questions(cell.source) or [("", "?")]
        if others or part not in handout.LABELS:
            yield f"'{question}' is answered in a cell that is not folded", "make observe a cell"
        if "hints=" not in cell.source or "why=" not in cell.source:
            yield f"'{question}' does not answer the prediction", "observe(…, hints=[…], why=…)"
        if not is_folded(below):
            yield f"what explains '{question}' is in sight", f"begin the text with {FOLDED}"


def claims_alone(cells, anywhere):
    """What a text claims, the code beside it (or `anywhere` above) shows, and nbval compares."""
    for cell, sentence, what in claims.find_unsupported(cells, anywhere):
        yield (
            f"cell {cell.id}: nothing beside it shows {what!r} of {sentence!r}",
            f"print or assert it, or tag the text {claims.SHOWN_BY} and the cell's id",
        )


def is_folded(cell):
    """Whether what follows an answer can be seen without spoiling it."""
    return cell is None or cell.cell_type == "code" or cell.source.startswith((FOLDED, "## "))
