"""Claims of a lesson's text that no cell beside them shows.

A claim is a sentence with a number of more than one digit, or with a word that compares ("grows",
"costs", "fewer", "equal"). It stands when the code beside it, up to two cells before and two after,
asserts something or has an output that is compared (not tagged nbval-ignore-output) and, for a
number, when this is written there. A text may name the cell that shows it by a tag: shown-by-c12.

Where a lesson's sentences lie in a file, a number may be shown `anywhere` above, and a word may
compare without support.
"""

import re

NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
COMPARES = re.compile(
    r"\b(grow[sn]?|shrinks?|costs|fewer|less|faster|slower|cheaper|dearer|equals?|exactly"
    r"|twice|half|(at|the) (most|least)|(as|so) (many|much|few|often)|more than)\b"
)
LEFT_OUT = re.compile(  # code and formulas, marks, numbers of lessons and years, questions
    r"```.*?```|`[^`\n]*`|\$\$?[^$]*\$\$?|<[^>]+>"
    r"|\b(?:0\d|[Ll]esson \d\d[a-z]?|ps\d|(?:1[89]|20)\d\d)\b"
    r"|\*\*(?:Predict|Exit question|History|Sources)\.\*\*[^\n]*|[^.:;?!\n]*\?",
    re.DOTALL,
)
NO_CLAIMS = re.compile(r"# |## Go further|\*\*(Goal|Recall|Predict|History|Sources)\.\*\*")
ASSERTS = re.compile(r"\bassert\b|\b(check(_\w+)?|observe)\(")
SHOWN_BY = "shown-by-"
NEAR = 2  # code cells, on each side


def find_unsupported(cells, anywhere=False):
    """(cell, the sentence, what nothing beside it shows) for each claim without support."""
    for at, cell in enumerate(cells):
        if cell.cell_type == "markdown" and not NO_CLAIMS.match(cell.source):
            beside = cells_that_show(cells, at, anywhere)
            known = {
                plain for code in beside for plain in numerals(code.source + output_text(code))
            }
            asserted = anywhere or any(map(asserts, beside))
            for sentence in sentences(cell.source):
                for what in open_claims(sentence, known, asserted):
                    yield cell, sentence, what


def cells_that_show(cells, at, anywhere):
    """The code beside a text, or `anywhere` above it, too, and what its tags name."""
    tags = cells[at].metadata.get("tags", ())
    named = {tag.removeprefix(SHOWN_BY) for tag in tags if tag.startswith(SHOWN_BY)}
    before = [cell for cell in cells[:at] if cell.cell_type == "code"]
    after = [cell for cell in cells[at:] if cell.cell_type == "code"]
    others = [cell for cell in before + after if cell.get("id") in named]
    return [*(before if anywhere else before[-NEAR:]), *after[:NEAR], *others]


def asserts(cell):
    """Whether it asserts something, or has an output that compares."""
    return bool(ASSERTS.search(cell.source)) or compares(cell)


def output_text(cell):
    """What nbval compares of a cell's outputs, as text."""
    if "nbval-ignore-output" in cell.metadata.get("tags", ()):
        return ""
    return "\n".join(
        part
        for output in cell.outputs
        for part in (output.get("text", ""), output.get("data", {}).get("text/plain", ""))
    )


def compares(cell):
    """Whether its compared output has two numbers to hold side by side, or says True or False."""
    text = output_text(cell)
    return bool(re.search(r"\b(True|False)\b", text)) or len(numerals(text)) > 1


def numerals(text):
    """The numbers of a text, without separators; of a range or a list, each."""
    return {found.replace(",", "") for found in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", text)}


def sentences(text):
    """What a text says, sentence by sentence, without code, formulas, questions."""
    parts = re.split(r"(?<=[.:;!])\s+|\n\s*\n|\n[-*|] ?", LEFT_OUT.sub("", text))
    return [part.strip() for part in parts if part.strip()]


def open_claims(sentence, known, asserted):
    """The numbers of a sentence that nothing shows, or the word that compares."""
    for found in NUMBER.findall(sentence):
        if len(found) > 1 and found.replace(",", "") not in known:
            yield found
    word = COMPARES.search(sentence)
    if word and not asserted:
        yield word[0]
