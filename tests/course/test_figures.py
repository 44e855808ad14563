"""Making the figures again."""

from minigrad.course import cli

SCRIPT = '''"""A picture."""


def make():
    """The picture's text."""
    return "<svg>1</svg>"
'''


def test_a_figure_is_written_once_and_then_found_unchanged(course, capsys):
    (course / "figures" / "one.py").write_text(SCRIPT)
    assert cli.main(["figures"]) == 0
    assert capsys.readouterr().out == "changed: one.svg\n1 figure made, 1 changed\n"
    assert (course / "figures" / "one.svg").read_text() == "<svg>1</svg>"
    assert cli.main(["figures", "one"]) == 0
    assert capsys.readouterr().out == "1 figure made, 0 changed\n"


def test_an_unknown_figure_lists_the_known_ones(course, capsys):
    (course / "figures" / "one.py").write_text(SCRIPT)
    assert cli.main(["figures", "two"]) == 2
    assert capsys.readouterr().err == (
        "minigrad figures: there is no figure 'two'\n  try  name one of: one\n"
    )


def test_a_script_without_a_picture_is_named(course, capsys):
    (course / "figures" / "none.py").write_text('"""Nothing."""\n')
    assert cli.main(["figures"]) == 2
    assert "minigrad figures: none.py defines no make()" in capsys.readouterr().err
    assert not (course / "figures" / "none.svg").exists()
