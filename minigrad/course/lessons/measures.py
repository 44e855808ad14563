"""Measures of a lesson whose sentences lie in a file, which `minigrad lint` reports as notes.

They are lamps: a text that satisfies all of them may be bad, and a good one may miss one. Each
gives (the fact with its number, what to look at).
"""

import base64
import re
import struct
import tomllib

from minigrad.course.lessons import form, handout

WORDS, CODE_LINES, PRINTED = (1_200, 1_900), 110, 900  # of a lesson; of what its cells print
PREDICTIONS, EXERCISES, BUILD, HINTS = (2, 4), (2, 4), 5, 7  # a build has so many lines or more
SENTENCE, LINKS, COLONS, FRAGMENT, FRAGMENTS = (12, 18), 14, 10, 4, 12  # words; per 1,000; %
UNTOLD = {"ask", "choices", "answer", "title", "returns", "when", "hint"}
WIDTH = 900  # pixels of a page beside the list of files
LINK = re.compile(
    r"\b(because|so|therefore|hence|thus|since|which is why|that is why|as a result|for example"
    r"|instead|however|although|whereas|while|but|if|unless|in order to)\b",
    re.IGNORECASE,
)
ENDS = re.compile(r"(?<=[.!?])[\"”)]?\s+(?=[A-Z(\"“])")
MARKS = re.compile(r"^\s*(?:>|[-*]|\d+\.)+\s*", re.MULTILINE)
SVG = re.compile(r"""<svg\b[^>]*?\swidth=["']([\d.]+)(?:px)?["']""")
PNG = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=]{32})")


def find_notes(path, cells):
    """What is measured of a lesson and lies outside of what was agreed on."""
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    words = tomllib.loads(form.words_file(path).read_text(encoding="utf-8"))
    yield from outside_limits(
        "words", sum(map(form.word_count, texts)), WORDS, "one question, answered"
    )
    yield from outside_limits(
        "lines of code", form.line_count(code), (0, CODE_LINES), "what may go?"
    )
    printed = sum(map(words_in, form.sentences_of([*map(told, all_tables(words))])))
    yield from outside_limits(
        "words in its file", printed, (0, PRINTED), "hints and reasons are read there"
    )
    predictions = len(re.findall(r"^\s*predict\(", code, re.MULTILINE))
    yield from outside_limits("predictions", predictions, PREDICTIONS, "ask where a reader can err")
    builds = [len(handout.blank_answers(cell.source)[1]) for cell in cells if is_open(cell)]
    exercises = len(re.findall(r"^### .*\(\d+ minutes\)$", "\n".join(texts), re.MULTILINE))
    yield from outside_limits(
        "exercises with minutes", exercises, EXERCISES, "head: ### … (8 minutes)"
    )
    if max(builds, default=0) < BUILD:
        yield f"no answer has {BUILD} lines or more", "let the reader build a function"
    for name, check in words.get("check", {}).items():
        yield from outside_limits(
            f"hints for {name}", len(check.get("hint", ())), (0, HINTS), "fewer"
        )
    yield from style([sentence for text in texts for sentence in split_sentences(text)])
    for cell in cells:
        widest = max(map(round, picture_widths(cell)), default=0)
        if widest > WIDTH:
            fact = f"cell {cell.id}: a picture is {widest} pixels wide, above {WIDTH}"
            yield fact, "a page beside the list of files clips it, or makes it small"


def all_tables(words):
    """The table of each prediction, check and hint."""
    for kind in ("predict", "check"):
        for table in words.get(kind, {}).values():
            yield from (table, *table.get("hint", ()))


def told(table):
    """What a prediction, check or hint explains: all but its question, names and answers."""
    return {key: text for key, text in table.items() if key not in UNTOLD}


def outside_limits(what, count, limits, hint):
    """A note where a count lies outside of its limits."""
    least, most = limits
    if not least <= count <= most:
        asked = f"at most {most:,}" if not least else f"{least:,} to {most:,}"
        yield f"{count:,} {what}, asked are {asked}", hint


def style(found):
    """Notes on how sentences are built: their length, their links, their colons."""
    if not found:
        return
    count, words = len(found), sum(map(words_in, found))
    yield from outside_limits(
        "words in a sentence", round(words / count), SENTENCE, "read it aloud"
    )
    links = round(1000 * sum(len(LINK.findall(each)) for each in found) / words)
    if links < LINKS:
        yield f"{links} linking words in 1,000, below {LINKS}", "say because, so, but, for example"
    share = round(100 * sum(bool(re.search(r":\s+\S", each)) for each in found) / count)
    if share > COLONS:
        yield f"{share} % of sentences have a colon inside, above {COLONS} %", "say the link"
    share = round(100 * sum(words_in(each) <= FRAGMENT for each in found) / count)
    if share > FRAGMENTS:
        yield f"{share} % of sentences are short, above {FRAGMENTS} %", "give them a verb"


def split_sentences(text):
    """The sentences of a text, with X for code and formulas, without tables and headings."""
    plain = MARKS.sub("\n\n", form.prose_of(text))
    parts = (" ".join(part.replace("*", "").split()) for part in re.split(r"\n\s*\n", plain))
    return [each for part in parts for each in ENDS.split(part) if words_in(each) > 1]


def words_in(sentence):
    """The words of a sentence."""
    return len(re.findall(r"[\w’'-]+", sentence))


def is_open(cell):
    """Whether a cell asks for the body of a function."""
    return cell.cell_type == "code" and handout.BEGIN in cell.source


def picture_widths(cell):
    """The widths of the pictures among a cell's outputs, in pixels."""
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        if png := data.get("image/png"):
            yield png_width(png)
        for text in (data.get("image/svg+xml", ""), data.get("text/html", "")):
            yield from map(float, SVG.findall(text))
            yield from map(png_width, PNG.findall(text))
            for code in re.findall(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)", text):
                yield from map(float, SVG.findall(base64.b64decode(code).decode()))


def png_width(text):
    """The width that the beginning of a PNG in base64 says."""
    return struct.unpack(">I", base64.b64decode(text[:32])[16:20])[0]
