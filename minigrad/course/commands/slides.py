"""`minigrad slides`: a deck for a lecture from the text and the stored outputs of each lesson."""

from pathlib import Path

from minigrad.core.errors import MinigradError
from minigrad.course import files, project

KEYS = "n opens the presenter's window: notes, next slide, clock; d is dark or light, f full screen"
HELP = "make slide decks from lessons, one offline page each, with --pdf also as PDF"
NEEDS = ("sphinx_revealjs", "docutils", "mistune", "nbformat")


def arguments(parser):
    """Define the command's arguments."""
    parser.epilog = f"In a deck, {KEYS}."
    parser.add_argument("lessons", nargs="*", help="lesson numbers, for example 03 (default: all)")
    parser.add_argument("--pdf", action="store_true", help="print each deck as PDF, too")
    parser.add_argument("--out", type=Path, help="folder to write into (default: slides/)")


def run(args):
    """Make all decks, then write them, and say where they are."""
    from minigrad.course.slides import pdf
    from minigrad.course.slides.deck import make_deck
    from minigrad.course.slides.page import paper_page, screen_page

    paths = project.lessons(args.lessons)
    browser = pdf.find_browser() if args.pdf else None
    folder = open_folder(args.out or project.workspace().parent / "slides")
    made = {}
    for path in paths:
        slides = make_deck(path)
        made[f"{path.stem}.html"] = screen_page(path.stem, slides)
        if browser:
            made[f"{path.stem}.pdf"] = pdf.print_pdf(browser, paper_page(path.stem, slides))
        print(f"{path.stem}: {len(slides)} slides")
    folder.mkdir(exist_ok=True)
    for name, content in made.items():
        files.write_atomically(folder / name, content)
    print(f"{len(made)} files in {files.path_text(folder)}; in a deck, {KEYS}")
    return 0


def open_folder(folder):
    """Return the folder to write into. Raises MinigradError where it cannot be one."""
    if folder.exists() and not folder.is_dir():
        raise MinigradError(f"{folder} is a file", hint="name a folder after --out")
    if not folder.parent.is_dir():
        raise MinigradError(f"there is no folder {folder.parent}", hint="make it, or name another")
    return folder
