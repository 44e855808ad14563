"""The pages for teachers: the guide, a policy on AI assistants, and a page for each lesson."""

from pathlib import Path

from minigrad.course.lessons import syllabus

FOLDER = Path(syllabus.__file__).parent / "teaching"
PAGES = {"guide": "assignments/GUIDE.md", "ai_policy": "assignments/AI_POLICY.md"}
OVERVIEW = "teaching/index"
INTRODUCTION = """# Teaching the lessons

Each page is for one lesson. It says what students find hard, where the minutes go and what a
lecture of 50 minutes keeps, what to draw on the board, and what to ask. The answers are computed by
the engine: type the lines to see them. The notes at the end say what to tell with each slide, and
for how many minutes. The rest of a lecture is code and exercises."""


def has_pages(course):
    """Return whether the course has its guide, which the students' kit leaves out."""
    return (course / PAGES["guide"]).is_file()


def list_contents(course):
    """Yield the lines of the site's contents that name these pages; none without the guide."""
    if has_pages(course):
        yield from ("```{toctree}", ":caption: For teachers", ":hidden:", "")
        yield from (*PAGES, OVERVIEW, "```")


def read_pages(course, names):
    """Yield (name, Markdown) of the guide, the policy, and the page of each of these lessons."""
    if has_pages(course):
        for name, path in PAGES.items():
            yield name, (course / path).read_text(encoding="utf-8")
        there = [name for name in names if (FOLDER / f"{name}.md").is_file()]
        tree = "\n".join(["```{toctree}", ":maxdepth: 1", "", *there, "```"])
        yield OVERVIEW, f"{INTRODUCTION}\n\n{tree}\n"
        for name in there:
            yield f"teaching/{name}", (FOLDER / f"{name}.md").read_text(encoding="utf-8")
