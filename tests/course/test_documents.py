"""Commands, options and paths that the documents name exist, and their code runs."""

import argparse
import json
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from minigrad.course import cli, project
from minigrad.course.grading import expect

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "minigrad" / "course" / "publishing" / "pages"
KEPT = ROOT / "assignments" / "instructor"
INSTRUCTORS = KEPT.glob("*/*.md")
FOLDERS_OWN = [*ROOT.glob("[a-z]*/README.md"), *ROOT.glob("minigrad/*/README.md")]
READMES = [ROOT / "README.md", *sorted(FOLDERS_OWN)]
FOR_AUTHORS = sorted(ROOT.glob(".github/**/*.md"))
KIT = ROOT / "minigrad" / "course" / "templates" / "kit" / "README.md"
GUIDE = ROOT / "assignments" / "GUIDE.md"
TEACHING = sorted((ROOT / "minigrad" / "course" / "lessons" / "teaching").glob("*.md"))
FOR_TEACHERS = [GUIDE, GUIDE.with_name("AI_POLICY.md"), *TEACHING, *sorted(INSTRUCTORS)]
TEXTS = [*READMES, *FOR_AUTHORS, KIT, *FOR_TEACHERS, *PAGES.glob("*.md")]
NOTEBOOKS = [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("assignments/*/*.ipynb")]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
RUN_BY_TESTS = {  # by the last test here, and by those of test_readme.py
    "README.md", "assignments/README.md",
    "minigrad/on_jax/README.md", "minigrad/workers/README.md",
}  # fmt: skip
FENCED = re.compile(r"^```(\S*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LANGUAGES = {"", "sh", "python", "pycon", "{toctree}", "{glossary}"}
FOLDERS = r"(?:\.ci|assignments|figures|minigrad|notebooks|tests)"


def markdown():
    """(the name of a document, its text) of every document, notebooks' text cells too."""
    for path in TEXTS:
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    for path in sorted(NOTEBOOKS):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        yield path.name, "\n\n".join(text)


def spans(text):
    """What stands between backticks outside fenced blocks, on one line."""
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", FENCED.sub("", text))]


def commands():
    """(the document, the words) of every command line that a document shows."""
    for name, text in markdown():
        lines = [
            line
            for kind, block in FENCED.findall(text)
            if kind == "sh"
            for line in block.splitlines()
        ]
        lines += [
            span
            for span in spans(text)
            if re.match(r"([A-Z_]+=\S+ )*(\.venv/bin/)?(minigrad|make|uv) ", span)
        ]
        yield from ((name, shlex.split(line, comments=True)) for line in lines if line.strip())


def fault(words, new=()):
    """What is wrong with a command line; None when its parts exist, or are the assignments `new`
    that the document has made."""
    while "=" in words[0]:  # a setting of the environment
        setting, *words = words
        if not any(
            setting.split("=")[0] in path.read_text(encoding="utf-8")
            for path in (ROOT / "minigrad").rglob("*.py")
        ):
            return f"nobody reads {setting}"
    program, *rest = words
    if program == "minigrad" and {*rest} & {*new}:
        rest = ["psN" if word in new else word for word in rest]
    known = {"minigrad": minigrad_fault, "make": make_fault, "uv": uv_fault, "pip": pip_fault}
    return known[program.removeprefix(".venv/bin/")](rest)


def minigrad_fault(words):
    """What is wrong with a command of the course; psN stands for any assignment."""
    name, *rest = words
    spoken_of = name in ("COMMAND", "--help", "--version") or name in cli.COMMANDS and not rest
    if spoken_of:
        return None
    if name not in cli.COMMANDS:
        return f"there is no command {name}"
    parser = argparse.ArgumentParser(exit_on_error=False)
    cli.load_command(name).arguments(parser)
    try:
        given = parser.parse_args([word.replace("psN", "ps1") for word in rest])
    except (argparse.ArgumentError, SystemExit) as error:
        return f"minigrad {name} does not take {rest}: {error}"
    chosen = getattr(given, "name", None)
    there = not isinstance(chosen, str) or (ROOT / "assignments" / chosen).is_dir()
    return None if there else f"there is no assignment {chosen}"


def make_fault(words):
    """What is wrong with a target, or with a variable that is set for it."""
    for word in words:
        name, setting, _ = word.partition("=")
        pattern = rf"\$\({name}\)" if setting else rf"^\.PHONY:.*\b{name}\b"
        if not re.search(pattern, MAKEFILE, re.MULTILINE):
            return f"make knows no {name}"
    return None


def uv_fault(words):
    """What is wrong with `uv run --with-requirements FILE COMMAND`."""
    run, option, file, *command = words
    if (run, option) != ("run", "--with-requirements") or not (ROOT / file).is_file():
        return f"not the way this project uses uv: {words}"
    paths = [ROOT / word for word in command if "/" in word]
    missing = [path.name for path in paths if not path.exists()]
    return (
        f"there is no {missing[0]}"
        if missing
        else (None if command[0] in {"mypy", "pytest", "ruff"} else minigrad_fault(command[1:]))
    )


def pip_fault(words):
    """What is wrong with `pip install NAME[EXTRA]` of this project."""
    described = project.read_description()
    known = {f"{described['name']}[{extra}]" for extra in described["extras"]}
    return None if words[0] == "install" and {*words[1:]} <= known else f"pip knows no {words}"


def test_every_command_line_can_be_given():
    found = list(commands())
    assert len(found) > 30
    new = {(name, words[2]) for name, words in found if words[:2] == ["minigrad", "new"]}
    made = {name: [word for there, word in new if there == name] for name, _ in found}
    assert [(name, said) for name, words in found if (said := fault(words, made[name]))] == []


@pytest.mark.parametrize(
    "line",
    [
        "minigrad strat ps1",
        "minigrad start ps10",
        "minigrad grade ps1 subs --ony ann",
        "make tests",
        "pip install minigrad-course[courses]",
        "make bench BANCH=--help",
        "MINIGRAD_NO_BROSWER=1 make lab",
        "uv run minigrad lab",
        "uv run --with-requirements .ci/lap.txt minigrad lab",
        "uv run --with-requirements .ci/lab.txt minigrad lap",
        "uv run --with-requirements .ci/test.txt pytest note/",
    ],
)
def test_a_wrong_command_line_is_found(line):
    assert fault(shlex.split(line))


def test_every_option_that_stands_alone_belongs_to_a_command():
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    for module in map(cli.load_command, cli.COMMANDS):
        module.arguments(parser)
    known = {option for action in parser._actions for option in action.option_strings}
    named = {
        option
        for _, text in markdown()
        for span in spans(text)
        if span.startswith("--")
        for option in re.findall(r"--[a-z-]+", span)
    }
    assert {"--keep", "--roster", "--sandbox"} <= named <= known


def test_every_path_of_the_project_is_there():
    absent = "psN|ps10" if KEPT.is_dir() else "psN|ps10|^assignments/instructor/"
    found = {
        (name, span)
        for name, text in markdown()
        for span in spans(text)
        if re.fullmatch(FOLDERS + r"/[\w./-]*", span) and not re.search(absent, span)
    }
    assert len(found) > 10
    assert [pair for pair in sorted(found) if not (ROOT / pair[1]).exists()] == []


def test_every_block_is_of_a_kind_that_is_tested():
    kinds = {(kind, name) for name, text in markdown() for kind, _ in FENCED.findall(text)}
    assert {kind for kind, _ in kinds} <= LANGUAGES
    with_code = {name for kind, name in kinds if kind == "python"}
    assert with_code == RUN_BY_TESTS
    typed = {name for kind, name in kinds if kind == "pycon"}  # test_teaching.py types them
    assert typed == {page.relative_to(ROOT).as_posix() for page in TEACHING}


def test_the_check_that_is_shown_tells_right_from_wrong():
    text = (ROOT / "assignments" / "README.md").read_text(encoding="utf-8")
    (source,) = [block for kind, block in FENCED.findall(text) if kind == "python"]
    marked = []

    def question(*name, **more):
        marked.append((name, more))
        return lambda test: test

    mark = SimpleNamespace(question=question)
    names = {"pytest": SimpleNamespace(mark=mark), "expect": expect}
    exec(source, names)
    assert marked == [(("q1",), {"points": 2, "hint": "Try it with a negative number."})]
    rng = SimpleNamespace(uniform=lambda low, high: (low + 2 * high) / 3)
    names["test_double"](SimpleNamespace(double=lambda x: x + x), rng)
    with pytest.raises(AssertionError, match="x \\* x is not 2 x"):
        names["test_double"](SimpleNamespace(double=lambda x: x * x), rng)
