"""`minigrad figures`: make every picture of figures/ again, each by the script of its name."""

from minigrad.course import lesson, project
from minigrad.errors import MinigradError

HELP = "make the pictures in figures/ again"


def arguments(parser):
    """Define the command's arguments."""
    parser.add_argument("names", nargs="*", help="figures without .py (default: all)")


def run(args):
    """Make each picture and write those whose text is new."""
    from tqdm import tqdm

    from minigrad.draw.figures import made

    scripts = chosen(args.names)
    changed = []
    for script in tqdm(scripts, unit="figure"):
        picture, text = script.with_suffix(".svg"), made(script)
        if not picture.exists() or picture.read_bytes() != text.encode():
            lesson.write(picture, text)
            changed.append(picture)
    for picture in changed:
        print(f"changed: {picture.name}")
    print(f"{lesson.counted(scripts, 'figure')} made, {len(changed)} changed")
    return 0


def chosen(names):
    """The scripts of the named figures, or all."""
    from minigrad.draw.figures import scripts

    found = {path.stem: path for path in scripts(project.root() / "figures")}
    unknown = [name for name in names if name not in found]
    if unknown:
        listing = ", ".join(found) or "none yet"
        raise MinigradError(f"there is no figure '{unknown[0]}'", mend=f"name one of: {listing}")
    return [found[name] for name in names] if names else list(found.values())
