"""The pages of public names, and docstrings as autodoc reads them."""

import doctest

import pytest

import minigrad as mg
from minigrad.course.publishing import reference


def rst(text):
    """The lines that autodoc gets for a docstring."""
    lines = text.split("\n")
    reference.as_rst(None, "function", "f", None, None, lines)
    return "\n".join(lines)


def test_each_file_stands_in_its_group():
    pages = reference.reference_pages()
    for name, file in (
        ("errors", "core.errors"), ("operations", "core.ops"), ("derivatives", "core.stepwise"),
        ("dynamic", "dynamic.tensor"), ("static", "static.session"), ("layers", "nn"),
        ("tools", "draw"),
    ):  # fmt: skip
        places = [path for path, text in pages.items() if f"\n## {file}\n" in text]
        assert places == [f"reference/{name}.md"]


def test_the_first_page_links_every_name():
    page = reference.reference_pages()["reference.md"]
    for name in ("exp", "grad", "Session", "player", "ShapeError"):
        assert f"{{py:obj}}`{name} <minigrad.{name}>`" in page


@pytest.mark.parametrize("section", reference.SECTIONS, ids=lambda section: section.name)
def test_each_example_runs_as_printed(section):
    parser = doctest.DocTestParser()
    example = parser.get_doctest(section.example, {"mg": mg}, section.name, None, 0)
    assert doctest.DocTestRunner().run(example) == (0, len(example.examples))
    assert example.examples


def test_signs_of_the_markup_mean_themselves():
    assert rst("z = |x| * y_, as `a*b` says.") == "z = \\|x\\| \\* y\\_, as ``a*b`` says.\n"


def test_columns_stay_columns_and_paragraphs_wrap():
    assert rst("One.\n\nx    the first\nwith y  the second\n\nTwo\nlines.") == (
        "One.\n\n::\n\n    x    the first\n    with y  the second\n\nTwo\nlines.\n"
    )
