"""Each rule of the lint, on a small notebook that breaks just this one."""

import base64

import pytest

from minigrad.course import cli
from minigrad.course.commands import lint as command
from minigrad.course.lessons import form, lesson


def stream(text):
    """An output of printed text."""
    return {"output_type": "stream", "name": "stdout", "text": text}


def shown(**data):
    """An output of pictures or pages, by kind with '_' for '/'."""
    data = {kind.replace("_", "/"): content for kind, content in data.items()}
    return {"output_type": "display_data", "data": data, "metadata": {}}


def error(name="ValueError", traceback=()):
    """An output of an error."""
    return {"output_type": "error", "ename": name, "evalue": "", "traceback": list(traceback)}


def embedded(svg):
    """A page with a picture inside."""
    code = base64.b64encode(svg.encode()).decode()
    return shown(text_html=f'<img src="data:image/svg+xml;base64,{code}">')


@pytest.fixture
def linted(add_lesson, capsys, monkeypatch):
    """Lint a lesson of the given cells after `change` has been made to its run form; which parts
    it lacks is the business of test_lint_parts."""
    monkeypatch.setattr(command, "missing_parts", lambda path: ())

    def lint(*cells, outputs=(), change=lambda notebook: None, raw=lambda text: text):
        path = add_lesson(*cells)
        notebook = lesson.normalise_lesson(lesson.read_lesson(path))
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        for count, cell in enumerate(code, 1):
            cell.execution_count = count
            cell.outputs = list(outputs)
        change(notebook)
        path.write_text(raw(lesson.lesson_text(notebook)), newline="\n")
        status = cli.main(["lint"])
        *found, total = capsys.readouterr().out.splitlines()
        assert status == (1 if found else 0)
        assert total == f"1 lesson, {len(found)} finding{'' if len(found) == 1 else 's'}"
        return found

    return lint


def test_a_good_lesson_has_no_findings(linted):
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>a // b, 3/4 at home</text></svg>'
    assert (
        linted("# A claim", "f(x)  # why; because", outputs=[stream("y = 6\n"), embedded(svg)])
        == []
    )


def test_a_cell_that_never_ran(linted):
    def change(notebook):
        notebook.cells[0].execution_count = None

    assert linted("1", change=change) == [
        "01_small.ipynb, cell 1 (code): it never ran; minigrad refresh"
    ]


def test_cells_that_ran_out_of_order(linted):
    def change(notebook):
        notebook.cells[1].execution_count = 7

    assert linted("1", "2", change=change) == [
        "01_small.ipynb, cell 2 (code): it ran as number 7, not 2; minigrad refresh"
    ]


@pytest.mark.parametrize("source", ["x = 1\nx;", "x;  # note", "x ; \n"])
def test_a_hidden_value(linted, source):
    assert linted(source) == [
        "01_small.ipynb, cell 1 (code): it ends in ';', which hides its value; remove the ';'"
    ]


@pytest.mark.parametrize(
    "output",
    [
        stream("<object at 0x7f12ab34cd>"),
        shown(text_plain="0x55d0c0ffee"),
        embedded("<svg>0x7fabcdef</svg>"),
        error(traceback=["at 0x7fabcdef"]),
    ],
    ids=["printed", "shown", "drawn", "raised"],
)
def test_an_address_in_an_output(linted, output):
    tags = ["raises-exception"] if output["output_type"] == "error" else []
    (found,) = linted(("x", tags), outputs=[output])
    assert "its output has the address 0x" in found and "print a name instead" in found


def test_pictures_are_no_text(linted):
    assert linted("x", outputs=[shown(image_png="AAAA0x7fabcdef01//a.bcd")]) == []


@pytest.mark.parametrize(
    "path",
    [
        "/home/ann/kit/x.py",
        "/Users/ann/x",
        "/tmp/ab/x",
        "/var/folders/x/y",
        "C:\\Users\\ann",
        "lib/site-packages/a.py",
        "ipykernel_123",
    ],
)
def test_a_path_of_one_machine_in_an_output(linted, path):
    (found,) = linted("x", outputs=[stream(f"see {path} \n")])
    assert "it names a path of one machine, " in found and "print only the file's name" in found


def test_a_path_of_one_machine_in_code(linted):
    (found,) = linted("open('/home/ann/x.csv')")
    assert "it names a path of one machine, /home/ann/x.csv" in found


@pytest.mark.parametrize(
    "content", ["<script src='https://a.org/x.js'>", "<img src='//a.org/x.png'>", "http://b.com"]
)
def test_an_output_that_needs_a_network(linted, content):
    (found,) = linted("x", outputs=[shown(text_html=content)])
    assert "its output points outside, " in found and "without a network" in found


def test_an_error_without_its_tag(linted):
    assert linted("x", outputs=[error("KeyError")]) == [
        "01_small.ipynb, cell 1 (code): it raised KeyError; fix it, or tag it 'raises-exception'"
    ]


def test_a_tagged_error(linted):
    assert linted(("x", ["raises-exception"]), outputs=[error()]) == []


def test_a_tag_without_its_error(linted):
    assert linted(("x", ["raises-exception"])) == [
        "01_small.ipynb, cell 1 (code): it is tagged 'raises-exception' and raised nothing; "
        "remove the tag"
    ]


def test_code_of_twelve_lines_and_of_thirteen(linted):
    assert linted("\n".join("x" * 12)) == []
    (found,) = linted("\n".join("x" * 13))
    assert found.endswith("has 13 lines, above 12; make two cells")


def test_the_opening_of_a_lesson_is_not_counted(linted):
    opening = f"try:\n    import minigrad as mg\n{form.OPENING}"
    assert linted(opening + "\n".join("x" * 12)) == []
    (found,) = linted(opening + "\n".join("x" * 13))
    assert found.endswith("has 13 lines, above 12; make two cells")


@pytest.mark.parametrize(
    "text",
    ["![a plan](../figures/plan.svg)", '<img alt="" src="plan.png">', "![](http://a.b/c.svg)"],
)
def test_a_picture_that_lies_in_a_file(linted, text):
    (found,) = linted(f"# See\n\n{text}")
    assert "(markdown): its picture is the file " in found and "attach the picture" in found
    assert linted("# See\n\n![a plan](attachment:plan.png), [lesson 3](03_reverse.ipynb)") == []


def test_a_folded_check_may_be_long(linted):
    asked, check = "answer = 2  # fill in", 'check("two", answer, 2' + "," + "\n" * 12 + ")"
    assert linted(asked, check) == []
    (found,) = linted(check)  # nobody was asked anything: it stands open
    assert found.endswith("has 13 lines, above 12; make two cells")


def test_a_line_of_a_hundred_characters_and_of_a_hundred_and_one(linted):
    assert linted("x" * 100) == []
    (found,) = linted("x" * 101)
    assert found.endswith("cell 1 (code): a line of 101 characters, above 100; break the line")


def test_text_of_sixty_words_and_of_sixty_one(linted):
    assert linted("# " + "word " * 60) == []
    (found,) = linted("# " + "word " * 61)
    assert "cell 1 (markdown): 61 words, above 60; cut" in found


def test_twenty_five_code_cells_and_twenty_six(linted):
    assert linted(*["1"] * 25) == []
    assert linted(*["1"] * 26) == [
        "01_small.ipynb: 26 code cells for students, above 25; make two lessons"
    ]


def test_a_check_below_an_answer_is_a_cell_of_its_own(linted):
    asked = 'answer = 5  # fill in\ncheck("five", answer, 5)'
    assert linted(*["1"] * 23, asked) == []
    (found,) = linted(*["1"] * 24, asked)
    assert "26 code cells for students" in found


def test_a_file_that_is_too_large(linted):
    (found,) = linted("1", outputs=[stream("a" * 350_000)])
    assert "bytes, above 350,000; draw fewer or smaller pictures" in found


def test_a_file_of_another_writer(linted):
    assert linted("1", raw=lambda text: text.replace("\n", "\n\n", 1)) == [
        "01_small.ipynb: the file is not as `minigrad refresh` writes it; minigrad refresh 01_small"
    ]


def test_what_is_no_notebook_does_not_stop_the_lint(course, linted, capsys):
    (course / "notebooks" / "00_bad.ipynb").write_text("{}")
    assert cli.main(["lint", "00"]) == 1
    assert capsys.readouterr().out.startswith(
        "00_bad.ipynb: is not a notebook: it is not in nbformat 4; open it in JupyterLab"
    )
