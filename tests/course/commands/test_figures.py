"""Making the figures again."""

from minigrad.course import cli

SCRIPT = '''"""A picture."""

ALT = "The words."

def make():
    """The picture's text."""
    return "<svg>1</svg>"
'''


def test_a_figure_is_written_once_and_then_found_unchanged(course, capsys):
    (course / "figures" / "one.py").write_text(SCRIPT)
    assert cli.main(["figures"]) == 0
    said = "changed: one.svg\nchanged: README.md\n1 figure made, 2 files changed\n"
    printed = capsys.readouterr()
    assert printed.out == said and printed.err == "", "a bar is for terminals alone"
    picture = '<svg role="img" aria-label="The words.">1</svg>'
    assert (course / "figures" / "one.svg").read_text() == picture
    assert "![The words.](one.svg)\n\nA picture." in (course / "figures/README.md").read_text()
    assert cli.main(["figures", "one"]) == 0
    assert capsys.readouterr().out == "1 figure made, 0 files changed\n"


def test_what_is_measured_is_measured_on_request_only(course, capsys):
    (course / "figures" / "one.py").write_text(SCRIPT + "\n\ndef measure():\n    return [1.5]\n")
    assert cli.main(["figures"]) == 0
    assert not (course / "figures" / "one.json").exists()
    assert cli.main(["figures", "--measure", "one"]) == 0
    assert (course / "figures" / "one.json").read_text() == "[\n 1.5\n]\n"
    assert "measured: one" in capsys.readouterr().out


def test_an_unknown_figure_lists_the_known_ones(course, capsys):
    (course / "figures" / "one.py").write_text(SCRIPT)
    assert cli.main(["figures", "two"]) == 2
    assert capsys.readouterr().err == (
        "minigrad figures: 'two' is not a figure\n  try  name one of: one\n"
    )


def test_a_script_without_a_picture_is_named(course, capsys):
    (course / "figures" / "none.py").write_text('"""Nothing."""\n')
    assert cli.main(["figures"]) == 2
    assert "minigrad figures: none.py has no make()" in capsys.readouterr().err
    assert not (course / "figures" / "none.svg").exists()
