"""`minigrad figures`: make every picture of figures/ again, each by the script of its name, and the
tables of lessons in README and guide."""

from minigrad.core.errors import MinigradError
from minigrad.course import files, project
from minigrad.course.lessons import lesson, syllabus

HELP = "rebuild the pictures in figures/ and the tables of lessons"
NEEDS = ("tqdm",)


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument(
        "names", nargs="*", help="figure names without .py, for example what_if (default: all)"
    )
    again = "repeat the measurements that the plots show, before drawing"
    parser.add_argument("--measure", action="store_true", help=again)


def run(args):
    """Make each picture and write those whose text is new; with all of them, their page."""
    from tqdm import tqdm

    from minigrad.draw import figures

    chosen_scripts, found = choose_scripts(args.names), []
    for script in tqdm(chosen_scripts, unit="figure", disable=None):
        if args.measure and figures.store_measurement(script):
            tqdm.write(f"measured: {script.stem}")
        found.append(figures.make_figure(script))
    folder = project.clone() / "figures"
    texts = {f"{one.name}.svg": one.svg for one in found}
    if not args.names:
        texts["README.md"] = figures.gallery(found)
    changed = [name for name, text in texts.items() if files.renew(folder / name, text)]
    if not args.names:
        changed += syllabus.renew_tables(project.root())
    for name in changed:
        print(f"changed: {name}")
    made = lesson.count_text(chosen_scripts, "figure")
    print(f"{made} made, {lesson.count_text(changed, 'file')} changed")
    return 0


def choose_scripts(names):
    """The scripts of the named figures, or all."""
    from minigrad.draw.figures import scripts

    found = {path.stem: path for path in scripts(project.root() / "figures")}
    unknown = [name for name in names if name not in found]
    if unknown:
        listing = ", ".join(found) or "none yet"
        raise MinigradError(f"'{unknown[0]}' is not a figure", hint=f"name one of: {listing}")
    return [found[name] for name in names] if names else list(found.values())
