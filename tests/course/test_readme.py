"""The README claims only what exists."""

import re
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
        assert alt == figures.described(ROOT / "figures" / f"{name}.py").alt


def test_its_example_gives_what_it_says():
    example = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]
    names = {}
    exec(example, names)
    assert (names["y"].item(), names["w"].grad) == (6.0, 5.0)
    assert "6.0 and 5.0" in example
    assert isinstance(names["mg"].draw(names["y"]).svg, str) and names["mg"] is mg


def test_uv_installs_and_runs_what_make_does():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    flags = re.search(r"^nbval := ((?:.*\\\n)*.*)", makefile, re.MULTILINE)[1].replace("\\\n", " ")
    (line,) = [line for line in README.splitlines() if line.startswith("uv ") and "nbval" in line]
    assert len(flags.split()) == 5 and " ".join(flags.split()) in line
