"""The folder that Sphinx reads: the site's own pages beside lessons, assignments and figures."""

import re
import shutil
from pathlib import Path

from minigrad.core.errors import PACKAGE
from minigrad.course import files
from minigrad.course.lessons import badges, handout, lesson, syllabus
from minigrad.course.publishing import (
    cards,
    downloads,
    gallery,
    parts,
    playground,
    reference,
    teaching,
)

FOLDS = {"exercise": "hide-input", "check": "hide-input", "observe": "hide-cell"}  # tags
PAGES = Path(__file__).parent / "pages"
PICTURE = re.compile(r"!\[([^]]*)\]\((?:figures/)?(\w+)\.svg\)")
BOLD = re.compile(r"\*\*([\w -]+)\*\*")
ELSEWHERE = re.compile(r"\[([^]]+)\]\(https?://[^)]+\)")
IN_CLONE = re.compile(r"\[([^]]+)\]\(README\.md[^)]*\)")
LESSON = re.compile(r"\b([Ll]esson)\s(\d\d[a-z]?)\b(?![^\[]*\])")


def gather(course, folder, extra):
    """Fills `folder` from the course folder: lessons, assignments and figures as they are there;
    and `extra` with the files that pages offer to take."""
    units = syllabus.read_lessons(course)
    pages = {unit.name: unit.path.name for unit in units}
    terms = glossary_terms(PAGES / "glossary.md")
    (extra / "downloads").mkdir(parents=True)
    pictures, players = cards.save_pictures(units, extra / "cards"), gallery.save_players(extra)
    made = parts.make_parts(course, pictures, players)
    made["downloads"] = "\n\n".join(downloads.save_downloads(course, extra / "downloads"))
    hosted = badges.read_repository(course)
    for page in PAGES.glob("*.md"):
        text = describe_figures(page.read_text(encoding="utf-8"), course / "figures")
        text = with_lessons_linked(parts.fill_page(text, made), pages, "lessons/")
        files.write_atomically(folder / page.name, text)
    add_teaching(course, folder, pages)
    (folder / "reference").mkdir()
    for name, text in reference.reference_pages().items():
        files.write_atomically(folder / name, text)
    add_changes(course / "CHANGELOG.md", folder / "changelog.md")
    (folder / "lessons").mkdir()
    parts.save_card(extra)
    playground.save_script(extra)
    for unit in units:
        add_downloads(unit.path, extra / "downloads")
        notebook = publish_lesson(lesson.read_lesson(unit.path), pages, terms)
        first = notebook.cells[0]
        first.source = badges.without_row(first.source) + parts.lesson_foot(unit, pages, hosted)
        files.write_atomically(folder / "lessons" / unit.path.name, lesson.lesson_text(notebook))
    add_assignments(course / "assignments", folder / "assignments")
    add_figures(course / "figures", folder / "figures")
    add_sources(folder / "minigrad")


def add_teaching(course, folder, pages):
    """The guide and the other pages for teachers, where the course has them."""
    for name, text in teaching.read_pages(course, pages):
        page = folder / f"{name}.md"
        page.parent.mkdir(exist_ok=True)
        text = IN_CLONE.sub(r"\1", text)
        text = with_lessons_linked(text, pages, "../" * name.count("/") + "lessons/")
        files.write_atomically(page, text)


def add_downloads(path, folder):
    """Both forms of a lesson: as a student opens it, and as it is published."""
    blank = handout.hand_out(lesson.read_lesson(path))
    files.write_atomically(folder / f"{path.stem}-blank.ipynb", lesson.lesson_text(blank))
    shutil.copy(path, folder)


def add_changes(source, page):
    """The changelog, where the course has one; its links to elsewhere are words."""
    text = source.read_text(encoding="utf-8") if source.exists() else "# Changelog\n"
    files.write_atomically(page, ELSEWHERE.sub(r"\1", text))


def publish_lesson(notebook, pages, terms):
    """The lesson with links to terms and lessons, and with what answers a question folded."""
    cells = []
    for cell, part in handout.student_parts(notebook.cells):
        if part == "text":
            cell.source = with_terms_linked(with_lessons_linked(cell.source, pages, ""), terms)
        elif part == "exercise":
            cells.append(exercise(cell))
        if part in FOLDS:
            hide(cell, FOLDS[part])
        cells.append(cell)
    notebook.cells = cells
    return notebook


def hide(cell, tag):
    """Gives a cell a tag by which the site folds it."""
    cell.metadata.tags = [*cell.metadata.get("tags", ()), tag]


def exercise(cell):
    """The cell as a student finds it, to stand above the answered one."""
    from nbformat.v4 import new_code_cell

    asked = handout.above_check(cell.source) or cell.source
    return new_code_cell(handout.blank_answers(asked)[0], id=f"{cell.id}-blank")


def with_lessons_linked(text, pages, folder):
    """The text in which each 'lesson 03' leads to that lesson, where there is one."""

    def link(found):
        page = pages.get(found[2])
        return f"[{found[0]}](<{folder}{page}>)" if page else found[0]

    return LESSON.sub(link, text)


def glossary_terms(page):
    """Every term of the glossary at `page`: the lines in its glossaries that are not indented."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r"^```\{glossary\}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = (line for block in found for line in block.split("\n"))
    return {line.strip() for line in lines if line and not line.startswith(" ")}


def with_terms_linked(text, known):
    """The text in which each bold term leads to its explanation."""

    def link(found):
        term = known_form(found[1], known)
        return f"**{{term}}`{found[1]} <{term}>`**" if term else found[0]

    return BOLD.sub(link, text)


def known_form(word, known):
    """The term that a word at the start of a sentence, or in the plural, stands for, or None."""
    forms = (word, word.lower(), word.removesuffix("s").lower())
    return next((form for form in forms if form in known), None)


def describe_figures(text, figures):
    """The text whose pictures have the words that the figures' own page gives them."""
    page = figures / "README.md"
    gallery = page.read_text(encoding="utf-8") if page.exists() else ""
    alts = {name: alt for alt, name in PICTURE.findall(gallery)}
    form = "![{}](figures/{}.svg)".format
    return PICTURE.sub(lambda found: form(alts.get(found[2], found[1]), found[2]), text)


def add_assignments(source, folder):
    """The students' notebook of each assignment, and nothing else that lies there."""
    folder.mkdir()
    for path in sorted(source.glob("ps*/ps*.ipynb")):
        shutil.copy(path, folder)


def add_figures(source, folder):
    """The pictures, their scripts, and the page that explains them."""
    folder.mkdir()
    for path in sorted((*source.glob("*.svg"), *source.glob("*.py"))):
        shutil.copy(path, folder)
    if (source / "README.md").exists():
        shutil.copy(source / "README.md", folder / "index.md")


def add_sources(folder):
    """The package's files, which pages quote."""
    for path in Path(PACKAGE).rglob("*.py"):
        copy = folder / path.relative_to(PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
