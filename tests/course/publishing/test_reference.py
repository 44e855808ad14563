"""The page of public names, and docstrings as autodoc reads them."""

from minigrad.course.publishing import reference


def rst(text):
    """The lines that autodoc gets for a docstring."""
    lines = text.split("\n")
    reference.as_rst(None, "function", "f", None, None, lines)
    return "\n".join(lines)


def test_the_sections_stand_in_the_order_of_the_front_door():
    page = reference.reference_page()
    headings = [line for line in page.split("\n") if line.startswith("## ")]
    assert (
        headings.index("## core.ops")
        < headings.index("## core.autodiff")
        < headings.index("## static.session")
    )


def test_signs_of_the_markup_mean_themselves():
    assert rst("z = |x| * y_, as `a*b` says.") == "z = \\|x\\| \\* y\\_, as ``a*b`` says.\n"


def test_columns_stay_columns_and_paragraphs_wrap():
    assert rst("One.\n\nx    the first\nwith y  the second\n\nTwo\nlines.") == (
        "One.\n\n::\n\n    x    the first\n    with y  the second\n\nTwo\nlines.\n"
    )
