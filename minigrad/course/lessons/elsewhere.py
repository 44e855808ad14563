"""What other frameworks answer to a lesson's questions: programs, and what they printed.

`elsewhere/NN.toml` holds for each question a sentence and one program for each framework; a
program leaves its `answer`. A question named lesson_NN needs no sentence: it is the subject of that
lesson, from its title. In place of a program stands a name (`torch.Tensor.grad_fn`) or a
place in a framework's files (`torch/autograd/graph.py: Node`): it is looked up, and is the answer.
`elsewhere/answers.json` holds the answers, and for each framework the one version that gave them,
so that a lesson shows the same where a framework is missing. `python -m
minigrad.course.lessons.elsewhere NN` asks those that are installed and writes what they say. For a
new version of a framework it must ask all pages, as it does without NN. A test compares the answers
with the frameworks that are installed.
"""

import importlib
import json
import linecache
import pydoc
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

from minigrad.course import files
from minigrad.course.lessons import syllabus
from minigrad.course.lessons.answer import LessonError

FOLDER = Path(__file__).parent / "elsewhere"
ANSWERS = "answers.json"  # {framework: {"version": …, page: {question: text}}}
FRAMEWORKS = ("minigrad", "torch", "tensorflow", "jax", "onnxruntime")  # as they are imported
NAMES = dict(zip(FRAMEWORKS[1:], ("PyTorch", "TensorFlow", "JAX", "ONNX Runtime")))
SHORT = {"mg": "minigrad", "tf": "tensorflow", "jnp": "jax.numpy"}  # as people import them
NAME = re.compile(r"(\w+)((?:\.\w+)+)")
PLACE = re.compile(r"(\w+)/(\S+): (\w+)")


def read_questions(page):
    """The questions of a page: {question: {"asks": sentence, framework: program}}."""
    path = FOLDER / f"{page}.toml"
    if not path.exists():
        raise LessonError(f"no questions are kept for {page!r}", "name a lesson, as '15'")
    rows = tomllib.loads(path.read_text(encoding="utf-8"))
    return {question: {"asks": lesson_subject(question)} | row for question, row in rows.items()}


def lesson_subject(question):
    """What a question named lesson_NN asks for: the subject in the title of that lesson."""
    number = question.removeprefix("lesson_")
    known = syllabus.read_table()["lessons"].get(number, {})
    return f"lesson {number}: {known.get('title', '').partition(':')[0]}"


def read_answers(page):
    """The answers that are kept: {framework: {"version": …, question: text}}."""
    kept = {}
    for framework, entry in read_all_answers().items():
        if page in entry:
            version = {"version": entry["version"]} if "version" in entry else {}
            kept[framework] = version | entry[page]
    return kept


def read_all_answers():
    """What stands in answers.json."""
    path = FOLDER / ANSWERS
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def is_installed(framework):
    """Whether the framework can be imported here."""
    return find_spec(framework) is not None


def ask_framework(page, framework):
    """What a framework answers to each question here and now, from a process of its own."""
    command = [sys.executable, "-m", __spec__.name, page, framework]  # also where it is __main__
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        last = done.stderr.strip().split("\n")[-1]
        raise LessonError(f"{framework} did not answer: {last}", "run its program by itself")
    return json.loads(done.stdout.strip().split("\n")[-1])


def run_programs(page, framework):
    """The answers of a framework's programs, run in this process."""
    version = importlib.import_module(framework).__version__ if framework != "minigrad" else None
    answers = {"version": version} if version else {}
    for question, row in read_questions(page).items():
        if framework in row:
            answers[question] = find_answer(row[framework], f"<{question}, {framework}>")
    return answers


def find_answer(program, filename):
    """What a program leaves as its answer; a name or a place itself, once it was found."""
    if not (NAME.fullmatch(program) or PLACE.fullmatch(program)):
        return str(run_program(program, filename))
    if is_name(program) or is_place(program):
        return program
    raise LessonError(f"there is no {program}", "look where it went in this version")


def run_program(source, filename):
    """What a program leaves as its `answer`; its lines can be looked up, as TensorFlow does."""
    linecache.cache[filename] = len(source), None, source.splitlines(True), filename
    names = {"__name__": "__main__"}
    exec(compile(source, filename, "exec"), names)
    return names["answer"]


def is_name(program):
    """Whether it is a dotted name that leads to something."""
    found = NAME.fullmatch(program)
    return bool(found) and pydoc.locate(SHORT.get(found[1], found[1]) + found[2]) is not None


def is_place(program):
    """Whether it is a file of an installed package, and a name that the file defines.

    Of what is written in C++ a package has the headers, in `include/`; they declare the name.
    """
    found = PLACE.fullmatch(program)
    spec = find_spec(found[1]) if found else None
    if spec is None:
        return False
    folder = Path(spec.submodule_search_locations[0])
    path = folder / "include" / found[1] if found[2].endswith(".h") else folder
    defined = rf"\b(def|class) {found[3]}\b|^{found[3]}\b.* = "
    pattern = defined if found[2].endswith(".py") else rf"\b{found[3]}\("
    path /= found[2]
    return path.is_file() and bool(re.search(pattern, path.read_text("utf-8"), re.MULTILINE))


def write_answers(pages):
    """Ask the frameworks that are installed, and keep what they answer; others' answers stay."""
    kept, asked = read_all_answers(), {}
    for page in pages:
        wanted = {name for row in read_questions(page).values() for name in row}
        asked[page] = [name for name in FRAMEWORKS if name in wanted and is_installed(name)]
        for name in asked[page]:
            keep_answers(kept.setdefault(name, {}), ask_framework(page, name), page, pages)
    text = json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    files.write_atomically(FOLDER / ANSWERS, text)
    return asked


def keep_answers(entry, answers, page, pages):
    """Put the answers to a page into a framework's entry; another version must answer all pages."""
    version = answers.pop("version", None)
    others = entry.keys() - {"version", *pages}
    if others and entry.get("version") != version:
        raise LessonError(
            f"the other answers are those of version {entry.get('version')}, and this is {version}",
            f"python -m {__spec__.name}",
        )
    entry |= {page: answers} | ({"version": version} if version else {})


def list_pages():
    """The names of all pages, in order."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


if __name__ == "__main__":
    match sys.argv[1:]:
        case [page, framework]:
            print(json.dumps(run_programs(page, framework)))
        case pages:
            for page, names in write_answers(pages or list_pages()).items():
                print(page, *names)
