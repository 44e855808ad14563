"""The README, and the documents that it leads to, claim only what exists."""

import ast
import functools
import re
from pathlib import Path

import pytest

import minigrad as mg
from minigrad.course import cli
from minigrad.course.lessons import syllabus
from minigrad.draw import figures

ROOT = Path(__file__).parents[2]


def document(path):
    """The text of a document of the project."""
    return (ROOT / path).read_text(encoding="utf-8")


README = document("README.md")
CONTRIBUTING = document(".github/CONTRIBUTING.md")
SCREEN = 40  # lines: what is seen before one scrolls


def test_the_table_names_every_command_in_its_group_and_no_other():
    table = document("minigrad/course/README.md").split("## Commands")[1].split("##")[0]
    groups, rows = {}, re.findall(r"^\| ?(\w*) \| `([a-z]+)", table, re.MULTILINE)
    for group, command in rows:
        own = groups.setdefault(group or [*groups][-1], [])
        own.append(command)
    assert {group: tuple(names) for group, names in groups.items()} == cli.GROUPS


def test_the_first_screen_has_a_sentence_a_moving_picture_and_two_ways_to_begin():
    top = "\n".join(README.splitlines()[:SCREEN])
    assert re.match(r"# minigrad\n\n\*\*[^*]+\.\*\*\n\n!\[[^]]+\]\(figures/\w+\.svg\)\n", top)
    (picture,) = re.findall(r"\]\((figures/\w+\.svg)\)", top)
    assert "animation" in document(picture) or "<animate" in document(picture)
    cloned, installed = re.findall(r"```sh\n(.*?)```", top, re.DOTALL)
    assert re.findall(r"^make (\w+) ", cloned, re.MULTILINE) == ["lab"]
    assert re.findall(r"^(?:pip|minigrad) \w+", installed, re.MULTILINE) == [
        "pip install", "minigrad lab",
    ]  # fmt: skip


def test_its_table_of_lessons_is_what_the_lessons_say():
    rows = re.findall(r"^\| \[(\d\d[a-z]?)\]\((\S+)\) \| (.+) \| (\d+) \|$", README, re.MULTILINE)
    assert rows == [
        (unit.name, unit.path.relative_to(ROOT).as_posix(), unit.title, str(unit.minutes))
        for unit in syllabus.read_lessons(ROOT)
    ]


def test_it_counts_the_assignments():
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    assert f"[{words[len(syllabus.read_assignments(ROOT))]} assignments]" in README


def test_it_adds_up_the_hours_of_the_lessons():
    assert f"about {syllabus.total_hours(syllabus.read_lessons(ROOT))} hours" in README


@pytest.mark.parametrize("path", ["README.md", "assignments/GUIDE.md"])
def test_the_range_of_hours_is_that_of_the_assignments(path):
    hours = [unit.hours for unit in syllabus.read_assignments(ROOT)]
    assert (min(hours), max(hours)) == (3, 5)
    assert "three to five hours" in " ".join(document(path).split())


def test_its_links_exist():
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert len(links) >= 25
    assert [path for path in links if not (ROOT / path).exists()] == []


def test_the_folders_that_a_newcomer_is_told_of_exist():
    table = CONTRIBUTING.split("## Where things are")[1].split("##")[0]
    folders = set(re.findall(r"^\| `([a-z/]+/)`", table, re.MULTILINE)) - {"my/"}
    assert len(folders) >= 5 and [path for path in folders if not (ROOT / path).exists()] == []


def test_its_pictures_are_figures_with_their_words():
    pictures = re.findall(r"!\[([^]]*)\]\(figures/(\w+)\.svg\)", README)
    assert pictures
    for alt, name in pictures:
        assert alt == figures.describe_figure(ROOT / "figures" / f"{name}.py").alt


def statements(block):
    """[(a statement of a block, its source, the comment on its last line)]"""
    lines = block.splitlines()
    for node in ast.parse(block).body:
        end = lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode()
        yield node, ast.get_source_segment(block, node), end.partition("#")[2].strip()


def numbers(value):
    """The numbers in a value or a nest of values."""
    if isinstance(value, list | tuple):
        return [number for part in value for number in numbers(part)]
    return [float(value)]


def execute(block, names):
    """Run a block as a notebook would; returns [(the numbers in a comment, those that came)] and
    {an expression, or a call that a comment names: its value}."""
    claims, values = [], {}
    for node, source, comment in statements(block):
        if not isinstance(node, ast.Expr):
            exec(source, names)
            continue
        values[source] = eval(source, names)
        if claimed := re.findall(r"-?\d+\.\d+", comment):
            claims.append((claimed, [str(number) for number in numbers(values[source])]))
        for call in re.findall(r"\bmg\.\w+\(.*?\)", comment):
            values[call] = eval(call, names)
    return claims, values


def run_document(path):
    """The claims and the values of all Python of a document, run from its first block on."""
    names, claims, values = {}, [], {}
    blocks = re.findall(r"```python\n(.*?)```", document(path), re.DOTALL)
    assert blocks
    for block in blocks:
        found, new = execute(block, names)
        claims, values = claims + found, values | new
    claiming = [block for block in blocks if "# 6.0 and 5.0" in block]
    assert claims == [(["6.0", "5.0"], ["6.0", "5.0"])] * len(claiming)
    return claims, values


def test_its_examples_run_in_order_and_give_what_they_say(capsys):
    claims, values = run_document("README.md")
    assert len(claims) == 2
    drawn = [value for source, value in values.items() if source.startswith("mg.draw(y)")]
    numbers = [{n.label: n.number for n in d.scene.nodes if n.of and n.label == "w"} for d in drawn]
    assert numbers == [{"w": "5"}]  # the picture of the README shows what its text says
    assert "step" in values["mg.player(y)"]._repr_html_()
    assert "def " in capsys.readouterr().out


def test_the_example_on_jax_gives_what_it_says():
    pytest.importorskip("jax", reason="the extra jax is not installed")
    claims, _ = run_document("minigrad/on_jax/README.md")
    assert len(claims) == 1


def test_the_example_on_workers_trains_and_cuts(capsys):
    pytest.importorskip("distributed", reason="the extra workers is not installed")
    run_document("minigrad/workers/README.md")
    printed = capsys.readouterr().out
    assert "bytes out" in printed and "stage 1 on worker 1" in printed


def test_each_public_name_that_it_writes_exists():
    for name in re.findall(r"\bmg\.([\w.]+)", README):
        functools.reduce(getattr, name.rstrip(".").split("."), mg)


def test_uv_installs_and_runs_what_make_does():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    variables = dict(re.findall(r"^(\w+) := (.*)", makefile, re.MULTILINE))
    recipes = re.findall(r"^(?:test-fast|lint):.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    recipe = [line for lines in recipes for line in lines.splitlines()]
    variables |= {"python": "", "minigrad": "minigrad"}
    made = [re.sub(r"\$\((\w+)\)", lambda found: variables[found[1]], line) for line in recipe]
    made = [line.replace(" -m ", "") for line in made]
    prefix = "uv run --with-requirements .ci/test.txt "
    lines = CONTRIBUTING.splitlines()
    ran = [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]
    assert [line.split() for line in ran] == [line.split() for line in made]
    assert len(ran) == 5
