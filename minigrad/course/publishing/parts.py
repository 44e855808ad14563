"""Parts of pages that are made, not written: the live player, the tables of lessons and weeks."""

import os
from html import escape

from minigrad.course import project
from minigrad.course.lessons import badges, syllabus
from minigrad.course.publishing import cards, gallery, playground, teaching

FORMULA = "y = (x + w)(w + 1)"
DOWNLOAD = '<a href="{}" download>{}</a>'


def make_parts(course, pictures, players):
    """{name: Markdown}: what stands for a line `<!-- name -->` of a page."""
    lessons, assignments = syllabus.read_lessons(course), syllabus.read_assignments(course)
    return {
        "facts": count_all(lessons, assignments),
        "player": live_player(),
        "playground": playground.BOX,
        "gallery": gallery.list_players(players, os.environ.get("MINIGRAD_SITE_URL", "")),
        "contents": "\n".join(cards.toctrees(lessons)),
        "cards": "\n".join(cards.lesson_cards(lessons, pictures)),
        "map": cards.linked_map(course / "figures" / "course_map.svg", lessons),
        "lessons": "\n".join(lesson_table(lessons)),
        "assignments": "\n".join(assignment_table(assignments)),
        "teachers": "\n".join(teaching.list_contents(course)),
        "plans": "\n".join(plan_tables([*lessons, *assignments])),
        "citation": citation(),
    }


def fill_page(text, parts):
    """The page with what is made in its place."""
    for name, made in parts.items():
        text = text.replace(f"<!-- {name} -->", made)
    return text


def count_all(lessons, assignments):
    """One line: how much there is, and how long it takes."""
    hours = syllabus.total_hours(lessons)
    return (
        f"**{len(lessons)} lessons**, {hours} hours · **{len(assignments)} assignments** of "
        "three to five hours · Python, NumPy, some calculus · free: MIT and CC BY 4.0"
    )


def live_player():
    """A player of the course's first formula, whole in the page."""
    import minigrad as mg

    y, names = first_formula()
    shown = mg.player(y, names=names, title=FORMULA)
    return f"~~~{{raw}} html\n{shown._repr_html_()}\n~~~"


def save_card(folder):
    """The picture that is shown where somebody shares the site."""
    import minigrad as mg

    y, names = first_formula()
    adjoints = mg.stepwise.adjoint_trace(y)
    mg.draw(y, names=names, adjoints=adjoints, title=FORMULA).save(folder / "card.png")


def first_formula():
    """(y, its named parts) of FORMULA at x = 2 and w = 1."""
    import minigrad as mg

    x = mg.tensor(2.0, name="x")
    w = mg.tensor(1.0, requires_grad=True, name="w")
    a, b = x + w, w + 1.0
    y = a * b
    return y, {"a": a, "b": b, "y": y}


def lesson_table(lessons):
    """The lines of the table of lessons: minutes, what comes before, files to take."""
    yield "| lesson | title | minutes | builds on | notebook |"
    yield "|---|---|---|---|---|"
    for chapter in syllabus.group_lessons(lessons):
        yield f"| | **{chapter.title}** | {sum(unit.minutes for unit in chapter.units)} | | |"
        for unit in chapter.units:
            page = f"lessons/{unit.path.name}"
            needs = " ".join(unit.needs)
            files = " · ".join(download_links(unit.path.stem, "downloads/"))
            yield f"| {unit.name} | [{unit.title}](<{page}>) | {unit.minutes} | {needs} | {files} |"


def download_links(stem, folder):
    """The links to both forms of a lesson."""
    yield DOWNLOAD.format(f"{folder}{stem}-blank.ipynb", "blank")
    yield DOWNLOAD.format(f"{folder}{stem}.ipynb", "with answers")


def assignment_table(assignments):
    """The lines of the table of assignments."""
    yield "| assignment | title | time | builds on |"
    yield "|---|---|---|---|"
    for unit in assignments:
        link = f"[{unit.title}](<assignments/{unit.path.name}>)"
        yield f"| {unit.name} | {link} | {unit.time} | {' '.join(unit.needs)} |"


def plan_tables(units):
    """The lines of a table for each length of a course, with the hours of lessons and assignments
    in each of its days or weeks, and in all."""
    for length, plan in syllabus.read_plans().items():
        unit = length.split()[1].removesuffix("s")
        yield from ("", f"### {length}", "")
        yield f"| {unit} | lessons | hours | assignment handed out | hours |"
        yield "|---|---|---|---|---|"
        for number, names in enumerate(plan, 1):
            yield plan_row(number, names, units)
        yield plan_row("in all", [name for names in plan for name in names], units, total=True)


def plan_row(label, names, units, total=False):
    """A row of a plan; that of the totals names nothing."""
    lessons, assignments = map(syllabus.hours_text, syllabus.count_hours(names, units))
    held = "" if total else " ".join(name for name in names if name[0].isdigit())
    handed = "" if total else " ".join(name for name in names if not name[0].isdigit())
    shown = assignments if handed or total else ""
    return f"| {label} | {held} | {lessons} | {handed} | {shown} |"


def citation():
    """The entry for a list of references, in BibTeX."""
    version = project.read_description()["version"]
    return "\n".join(
        (
            "```",
            "@software{minigrad,",
            "  title   = {minigrad: a course kit on computation graphs and automatic "
            "differentiation},",
            "  author  = {{minigrad contributors}},",
            "  year    = {2026},",
            f"  version = {{{version}}},",
            "  license = {MIT (code), CC BY 4.0 (texts and pictures)}",
            "}",
            "```",
        )
    )


def lesson_foot(unit, pages, hosted=""):
    """The line below a lesson's goal: what to do before it, its files, and, where the course has
    a repository, the places that open it."""
    needs = ", ".join(
        f'<a href="{pages[name].removesuffix(".ipynb")}.html">lesson {escape(name)}</a>'
        for name in unit.needs
        if name in pages
    )
    before = f"Builds on {needs}. " if needs else ""
    stem = unit.path.stem
    links = [*download_links(stem, "../downloads/")]
    links += [badges.join_links(badges.hosted_links(hosted, stem))] * bool(hosted)
    return f'\n\n<p class="take">{before}Take the notebook: {" · ".join(links)}</p>'
