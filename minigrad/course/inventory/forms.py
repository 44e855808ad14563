"""The files of a quiz: a page and a notebook for students, Moodle XML, QTI, and the key.

QTI is version 1.2 as Canvas itself writes and reads it; Canvas's Classic Quizzes convert nothing
newer without losses, and New Quizzes, Blackboard and Sakai read it, too.
"""

import functools
import html
from pathlib import Path

from minigrad.course.grading import notebook
from minigrad.course.inventory import answers
from minigrad.course.inventory.questions import LETTERS

PAGES = Path(__file__).parent / "pages"
TITLE = "Computation graphs: concept inventory"
INTRO = (
    "These questions are about computation graphs and automatic differentiation. You answer them "
    "in the first week and again in the last week, so that your class can see what it has learnt. "
    "In the first week you will not know many of the terms, and nobody expects it. Nobody grades "
    "your answers. Please use no notes and no programs, so that the answers show what you know."
)
ADVICE = (
    "Choose one option for each question. If you are not sure, choose the option that seems most "
    "likely. Leave a question open only if you have no idea."
)
UNTESTED = "The questions have not been validated on a real class yet."
SCHEME = (
    "Your code connects your two files, and must not tell who you are. Take a word that you will "
    "remember and that nobody connects with you, and two digits, for example pepper 38. Do not use "
    "your name, initials, birthday, address or student number. Write the code down, because you "
    "need the same code in the last week. No list of codes exists."
)
IDENT = "minigrad_inventory"


@functools.cache
def page_templates():
    """Return the templates, which escape what is put into them, except into Markdown."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    def is_escaped(name):
        return not name.endswith(".md")

    blocks = {"trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined}
    return Environment(loader=FileSystemLoader(PAGES), autoescape=is_escaped, **blocks)


def render_page(template, **values):
    """Return a page made of a template and values."""
    return page_templates().get_template(template).render(**values)


def html_text(markdown):
    """Return a stem as HTML, as a string that is still to be escaped where it is data."""
    import mistune

    return mistune.create_markdown(escape=True)(markdown).strip()


def quiz_files(form):
    """Return {name: text} of all files of a quiz; of a zip the dict of its files."""
    return {
        "quiz.html": quiz_page(form),
        "quiz.ipynb": notebook.notebook_text(quiz_notebook(form)),
        "quiz-moodle.xml": with_key("moodle.xml", form),
        "quiz-qti.zip": qti_files(form),
        "key.md": key_page(form),
    }


def lettered_options(options):
    """Return [(letter, text)] of options in order: all that a student sees of them."""
    return [(letter, option.says) for letter, option in zip(LETTERS, options, strict=True)]


def html_options(options):
    """Return the same as HTML, as strings that are still to be escaped where they are data."""
    return [(letter, html.escape(text)) for letter, text in lettered_options(options)]


def shown_questions(form):
    """Return [(name, stem, [(letter, text)])]: all that a student sees of a form, without a key."""
    return [
        (question.name, question.stem, lettered_options(options))
        for question, options in form.options()
    ]


def quiz_page(form):
    """Return the page for students."""
    from markupsafe import Markup

    shown = [(name, Markup(html_text(stem)), own) for name, stem, own in shown_questions(form)]
    return render_page(
        "quiz.html",
        title=TITLE,
        intro=INTRO,
        advice=ADVICE,
        untested=UNTESTED,
        scheme=SCHEME,
        weeks=answers.WEEKS,
        questions=shown,
        names=[question.name for question in form.questions],
        record=answers.empty_record(form),
        shortest=answers.SHORTEST_CODE,
    )


NOTEBOOK_INTRO = """# {title}

{intro}

{advice} {untested}

In each cell below a question, write the letter of your option between the quotation marks, for
example `answers["q1"] = "B"`. Then run all cells. The last cell writes your answers to a file.

## Your code

{scheme}

The week is `"first"` or `"last"`."""
NOTEBOOK_SAVE = """import json
from datetime import datetime, timezone

record = {record!r}
letters = {{name: letter.strip().upper() for name, letter in answers.items() if letter.strip()}}
wrong = [name for name, letter in letters.items() if letter not in {letters}]
if sum(map(str.isalnum, code)) < {shortest}:
    print("Nothing is saved. Write your code into the cell below 'Your code', and run it.")
elif week not in {weeks!r}:
    print("Nothing is saved. The week is 'first' or 'last'.")
elif wrong:
    print("Nothing is saved. These answers are no letter from A to D:", ", ".join(wrong))
else:
    saved = datetime.now(timezone.utc).isoformat()
    record |= {{"code": code.strip(), "week": week, "saved": saved, "answers": letters}}
    with open(f"answers-{{week}}.json", "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1)
    left = {count} - len(letters)
    print(f"Saved as answers-{{week}}.json. Questions without an answer: {{left}}.")"""


def quiz_notebook(form):
    """Return the same questions as a notebook that needs nothing but Python."""
    words = {"title": TITLE, "intro": INTRO, "advice": ADVICE, "untested": UNTESTED}
    cells = [
        ("markdown", NOTEBOOK_INTRO.format(**words, scheme=SCHEME)),
        ("code", 'code = ""\nweek = ""\nanswers = {}'),
    ]
    for name, stem, options in shown_questions(form):
        listed = "\n".join(f"{letter}   {text}" for letter, text in options)
        cells.append(("markdown", f"## {name}\n\n{stem}\n\n```\n{listed}\n```"))
        cells.append(("code", f'answers["{name}"] = ""'))
    save = NOTEBOOK_SAVE.format(
        record=answers.empty_record(form),
        letters=[*LETTERS],
        weeks=answers.WEEKS,
        shortest=answers.SHORTEST_CODE,
        count=len(form.questions),
    )
    cells += [("markdown", "## Save your answers"), ("code", save)]
    made = [{"cell_type": kind, "source": text, "metadata": {}} for kind, text in cells]
    return notebook.strip_outputs({"cells": made, "metadata": {}})


def with_key(template, form):
    """Return an XML file for a platform: each question with its options and its key."""
    questions = [
        (question, html_text(question.stem), html_options(options), form.key_letter(at))
        for at, (question, options) in enumerate(form.options())
    ]
    ident = f"{IDENT}_{form.number}"
    return (
        render_page(template, title=TITLE, advice=ADVICE, ident=ident, questions=questions) + "\n"
    )


def qti_files(form):
    """Return {name in the zip: text} of the package that Canvas imports."""
    ident = f"{IDENT}_{form.number}"
    return {
        "imsmanifest.xml": with_key("imsmanifest.xml", form),
        f"{ident}/{ident}.xml": with_key("qti.xml", form),
        f"{ident}/assessment_meta.xml": with_key("assessment_meta.xml", form),
    }


def key_page(form):
    """Return the key for the instructor: each option with what a student who takes it thinks."""
    questions = [
        (question, "", list(zip(LETTERS, options, strict=True)), form.key_letter(at))
        for at, (question, options) in enumerate(form.options())
    ]
    return (
        render_page("key.md", title=TITLE, untested=UNTESTED, form=form, questions=questions) + "\n"
    )
