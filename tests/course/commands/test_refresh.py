"""Running lessons and writing their outputs."""

import base64
import io

from PIL import Image

from minigrad.course import cli
from minigrad.course.lessons import lesson

PICTURE = """import matplotlib
matplotlib.use("svg")
import io
import matplotlib.pyplot as plt
plt.plot([1, 2])
file = io.StringIO()
plt.savefig(file, format="svg")
file.getvalue()"""


def outputs(path):
    """The outputs of each code cell."""
    return [cell.outputs for cell in lesson.read_lesson(path).cells if cell.cell_type == "code"]


def test_a_second_run_changes_no_byte(add_lesson, capsys):
    path = add_lesson("# A claim", "print({'a', 'b', 'c'})", PICTURE, ("1/0", ["raises-exception"]))
    assert cli.main(["refresh"]) == 0
    assert capsys.readouterr().out == "changed: 01_small.ipynb\n1 lesson run, 1 changed\n"
    first = path.read_bytes()
    assert cli.main(["refresh", "01"]) == 0
    assert capsys.readouterr().out == "1 lesson run, 0 changed\n"
    assert path.read_bytes() == first
    printed, picture, raised = outputs(path)
    assert printed[0].text.startswith("{'")
    assert "<svg" in picture[-1].data["text/plain"]
    assert raised[0].ename == "ZeroDivisionError"


def test_what_was_measured_stays_until_something_else_changes(add_lesson):
    clock = "import time; time.perf_counter_ns()"
    path = add_lesson("# A claim", (clock, ["nbval-ignore-output"]), "1 + 1")
    assert cli.main(["refresh"]) == 0
    first = path.read_bytes()
    assert cli.main(["refresh"]) == 0 and path.read_bytes() == first
    path.write_bytes(first.replace(b"1 + 1", b"1 + 2"))
    assert cli.main(["refresh"]) == 0
    measured, three = outputs(path)
    assert measured[0].data["text/plain"].encode() not in first
    assert three[0].data["text/plain"] == "3"


def test_what_was_measured_by_other_code_is_measured_again(add_lesson):
    path = add_lesson("# A claim", ("print('µs')", ["nbval-ignore-output"]))
    assert cli.main(["refresh"]) == 0
    assert outputs(path)[0][0].text == "µs\n"
    notebook = lesson.read_lesson(path)
    notebook.cells[1].outputs = []
    path.write_text(lesson.lesson_text(notebook), encoding="utf-8")
    assert cli.main(["refresh"]) == 0
    assert outputs(path)[0][0].text == "µs\n"


def test_an_error_names_its_cell_and_leaves_the_file(add_lesson, capsys):
    path = add_lesson("# A claim", "x = 1", "x.shape\n# more")
    before = path.read_bytes()
    assert cli.main(["refresh"]) == 2
    assert path.read_bytes() == before
    said = capsys.readouterr().err
    assert (
        "minigrad refresh: 01_small.ipynb is unchanged: cell 3 did not end well: it raised "
        "AttributeError: 'int' object has no attribute 'shape'\n"
        "  at   01_small.ipynb, cell 3: x.shape\n"
        "  try  fix the cell, or tag it 'raises-exception' if the error is the lesson\n"
    ) in said


def test_a_dead_kernel_names_its_cell(add_lesson, capsys):
    path = add_lesson("import os", "os._exit(1)")
    before = path.read_bytes()
    assert cli.main(["refresh"]) == 2
    assert path.read_bytes() == before
    assert "cell 2 did not end well: the kernel died" in capsys.readouterr().err


def test_an_endless_cell_is_stopped(add_lesson, capsys, monkeypatch):
    monkeypatch.setattr("minigrad.course.commands.refresh.SECONDS_PER_CELL", 1)
    path = add_lesson("while True: pass")
    before = path.read_bytes()
    assert cli.main(["refresh"]) == 2
    assert path.read_bytes() == before
    assert "cell 1 did not end well: it ran longer than 1 seconds" in capsys.readouterr().err


def test_what_is_no_notebook_stops_before_any_lesson_runs(course, add_lesson, capsys):
    good = add_lesson("1")
    before = good.read_bytes()
    (course / "notebooks" / "02_bad.ipynb").write_text("{}")
    assert cli.main(["refresh"]) == 2
    assert "02_bad.ipynb is not a notebook" in capsys.readouterr().err
    assert good.read_bytes() == before


def test_pictures_keep_few_colours_and_their_size(add_lesson):
    noise = """import io
import numpy as np
from IPython.display import Image
from PIL import Image as pil
file = io.BytesIO()
pixels = np.random.default_rng(0).integers(0, 256, (60, 80, 4), dtype=np.uint8)
pil.fromarray(pixels).save(file, "PNG")
Image(file.getvalue())"""
    path = add_lesson("# A claim", noise)
    assert cli.main(["refresh"]) == 0
    ((shown,),) = outputs(path)
    picture = Image.open(io.BytesIO(base64.b64decode(shown.data["image/png"])))
    assert picture.size == (80, 60)
    assert 32 < len(picture.convert("RGBA").getcolors(5000)) <= 64
