"""The terms that the glossary explains, and links to them from the lessons' text."""

import re

BOLD = re.compile(r"\*\*([\w -]+)\*\*")


def terms(page):
    """Every term of the glossary at `page`: the lines in its glossaries that are not indented."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r"^```\{glossary\}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = (line for block in found for line in block.split("\n"))
    return {line.strip() for line in lines if line and not line.startswith(" ")}


def linked(text, known):
    """The text in which each bold term leads to its explanation."""

    def link(found):
        term = known_form(found[1], known)
        return f"**{{term}}`{found[1]} <{term}>`**" if term else found[0]

    return BOLD.sub(link, text)


def known_form(word, known):
    """The term that a word at the start of a sentence, or in the plural, stands for, or None."""
    forms = (word, word.lower(), word.removesuffix("s").lower())
    return next((form for form in forms if form in known), None)
