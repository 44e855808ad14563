"""The README claims only what exists."""

import ast
import functools
import re
from importlib.util import find_spec
from pathlib import Path

import minigrad as mg
from minigrad.course import cli
from minigrad.draw import figures

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_names_every_command_and_no_other():
    table = README.split("## Commands")[1].split("##")[0]
    assert set(re.findall(r"^\|[^|]*\| `([a-z]+)", table, re.MULTILINE)) == set(cli.COMMANDS)


def test_its_links_and_folders_exist():
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    table = README.split("## Where things are")[1]
    folders = set(re.findall(r"^\| `([a-z/]+/)`", table, re.MULTILINE)) - {"my/"}
    assert len(links) >= 3 and len(folders) >= 6
    assert [path for path in (*links, *folders) if not (ROOT / path).exists()] == []


def test_its_pictures_are_figures_with_their_words():
    pictures = re.findall(r"!\[([^]]*)\]\(figures/(\w+)\.svg\)", README)
    assert len(pictures) >= 2 and pictures[0][1] == "backward_pass"
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


def test_its_examples_run_in_order_and_give_what_they_say(capsys):
    names, claims, values = {}, [], {}
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    if find_spec("jax") is None:
        blocks = [block for block in blocks if 'backend="jax"' not in block]
    for block in blocks:
        found, new = execute(block, names)
        claims, values = claims + found, values | new
    claiming = [block for block in blocks if "# 6.0 and 5.0" in block]
    assert len(claiming) >= 2 and claims == [(["6.0", "5.0"], ["6.0", "5.0"])] * len(claiming)
    drawn = [value for source, value in values.items() if source.startswith("mg.draw(y, mode=")]
    assert [len(drawing.scene.nodes) for drawing in drawn] == [6 + 4]  # values, adjoints
    assert "step" in values["mg.player(y)"]._repr_html_()
    assert "def " in capsys.readouterr().out


def test_each_public_name_that_it_writes_exists():
    for name in re.findall(r"\bmg\.([\w.]+)", README):
        functools.reduce(getattr, name.rstrip(".").split("."), mg)


def test_uv_installs_and_runs_what_make_does():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    variables = dict(re.findall(r"^(\w+) := (.*)", makefile, re.MULTILINE))
    recipes = re.findall(r"^(?:test-\w+|lint):.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    recipe = [line for lines in recipes for line in lines.splitlines()]
    variables |= {"python": "", "minigrad": "minigrad"}
    made = [re.sub(r"\$\((\w+)\)", lambda found: variables[found[1]], line) for line in recipe]
    made = [line.replace(" -m ", "") for line in made]
    prefix = "uv run --with-requirements .ci/test.txt "
    ran = [line.removeprefix(prefix) for line in README.splitlines() if line.startswith(prefix)]
    assert [line.split() for line in ran] == [line.split() for line in made]
    assert len(ran) == 6
