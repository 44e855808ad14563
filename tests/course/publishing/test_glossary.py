"""The glossary: the house's terms, each where it is met, and links to them."""

import json
import re
from pathlib import Path

import pytest

from minigrad.course.publishing import gather
from minigrad.course.publishing.gather import PAGES

ROOT = Path(__file__).parents[3]
PAGE = PAGES / "glossary.md"
KNOWN = {"leaf", "placeholder", "fusion", "default graph"}
HOUSE = {
    "primal",
    "tangent",
    "cotangent",
    "adjoint",
    "jvp",
    "pushforward",
    "vjp",
    "pullback",
    "seed",
    "accumulate",
    "op",
    "spec",
    "leaf",
    "tape",
    "node",
    "edge",
    "placeholder",
    "feed",
    "fetch",
    "session",
    "rule",
    "pattern",
    "rewrite",
    "pass",
    "schedule",
    "liveness",
    "buffer",
    "arena",
    "offset",
    "alias",
    "kernel",
    "backend",
}


def entries():
    """[(the terms of an entry, its explanation)]"""
    text = PAGE.read_text(encoding="utf-8")
    for block in re.findall(r"^```\{glossary\}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for entry in block.strip().split("\n\n"):
            lines = entry.split("\n")
            yield (
                [line for line in lines if not line.startswith(" ")],
                " ".join(line.strip() for line in lines if line.startswith(" ")),
            )


def test_every_term_of_the_house_is_explained():
    assert (
        HOUSE <= gather.glossary_terms(PAGE) == {term for terms, _ in entries() for term in terms}
    )


def lesson(number):
    """The text and the code of the lesson of that number, or None where it is not there yet."""
    for path in (ROOT / "notebooks").glob(f"{number}_*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells).lower()
    return None


@pytest.mark.parametrize("terms, said", list(entries()), ids=lambda value: str(value[0]))
def test_a_term_is_met_where_its_entry_says(terms, said):
    files = re.findall(r"`(minigrad/[\w/]+\.py)`", said)
    texts = [(ROOT / file).read_text(encoding="utf-8").lower() for file in files]
    numbers = re.findall(r"[Ll]esson (\d\d[a-z]?)", said)
    texts += [text for number in numbers if (text := lesson(number))]
    assert texts, "it names no place"
    words = [*terms, *re.findall(r'as "(\w+)"', said)]
    assert any(word.lower() in text for word in words for text in texts)


@pytest.mark.parametrize(
    "text, linked",
    [
        ("a **leaf** falls", "a **{term}`leaf <leaf>`** falls"),
        ("**placeholders**", "**{term}`placeholders <placeholder>`**"),
        ("**Fusion**", "**{term}`Fusion <fusion>`**"),
        ("the **default graph**", "the **{term}`default graph <default graph>`**"),
        ("**Goal.** and **twice**", "**Goal.** and **twice**"),
    ],
)
def test_a_bold_term_leads_to_its_explanation(text, linked):
    assert gather.with_terms_linked(text, KNOWN) == linked
