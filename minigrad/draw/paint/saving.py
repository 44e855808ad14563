"""Writing pictures to files: which endings there are, how large, and what can go wrong."""

from minigrad.core.errors import ArgumentError
from minigrad.draw.paint.bare import spell_out
from minigrad.draw.paint.element import web_page
from minigrad.draw.paint.movie import CODECS, film_bytes
from minigrad.draw.paint.pdf import pdf_bytes
from minigrad.draw.paint.png import PNG_SCALE, png_bytes
from minigrad.files import replace_file, user_path


def save_drawing(drawing, path, scale=1.0):
    """Writes a drawing as its path's suffix says; returns the path."""
    suffix = suffix_of(path)
    check_suffix(suffix, WRITERS)
    check_scale(suffix, scale)
    return write_file(path, WRITERS[suffix](drawing, scale))


def save_film(path, make_frames, scale=1.0):
    """Writes the FilmFrames that `make_frames()` gives as a film; returns the path."""
    suffix = suffix_of(path)
    check_scale(suffix, scale)
    return write_file(path, film_bytes(suffix, make_frames, scale))


def check_suffix(suffix, known):
    """Raises ArgumentError for an ending that is not among the known ones."""
    if suffix in known:
        return
    hint = f"use a name that ends in {', '.join(known)}"
    if suffix in FILMS:
        hint += "; mg.player(y) and mg.draw.passes(executable) also save films"
    raise ArgumentError(f"save: cannot write {suffix or 'a file without a suffix'}", hint)


def suffix_of(path):
    """The ending of a path's name, in small letters, with its dot. Raises for what is no path."""
    return user_path(path).suffix.lower()


def check_scale(suffix, scale):
    """Raise ArgumentError for what is not a factor, and for a factor where nothing has a size."""
    if isinstance(scale, bool) or not isinstance(scale, (int, float)) or not 0 < scale < 100:
        raise ArgumentError(f"save: scale={scale!r} is not a factor", "write for example scale=2")
    if scale != 1 and suffix in UNSIZED:
        message = f"save: scale={scale:g} was given, but {suffix} has no size"
        raise ArgumentError(message, "leave it out, or save as .svg, .png or .pdf")


def write_file(path, content):
    """Writes bytes; returns the path. Raises FileError where the system does not let us."""
    return replace_file(path, content)


def save_slides(drawings, folder, suffix=".svg", scale=1.0):
    """Writes each drawing into a folder, as 01.svg, 02.svg, …; returns the paths."""
    folder, drawings = user_path(folder), list(drawings)
    if suffix.lower() not in (".svg", ".png", ".pdf"):
        raise ArgumentError(f"slides: cannot write {suffix!r}", "use .svg, .png or .pdf")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"slides: cannot make the folder {folder}: {error.strerror or error}"
        raise ArgumentError(message, "name a folder that can be made") from None
    wide = max(2, len(str(len(drawings))))
    return [
        save_drawing(drawing, folder / f"{at:0{wide}}{suffix}", scale)
        for at, drawing in enumerate(drawings, 1)
    ]


# what is written ---------------------------------------------------------------------------------


def scaled_svg(drawing, scale):
    """The SVG text, shown `scale` times as large; it is itself without its style sheet, too."""
    text = spell_out(drawing.svg)
    if scale == 1:
        return text.encode()
    head, rest = text.split(">", 1)
    for name in ("width", "height"):
        before, _, after = head.partition(f' {name}="')
        number, _, after = after.partition('"')
        head = f'{before} {name}="{float(number) * scale:g}"{after}'
    return f"{head}>{rest}".encode()


def page_of(drawing, scale):
    """A page of its own."""
    return web_page(drawing.scene.title or "Computation graph", drawing.html).encode()


WRITERS = {
    ".svg": scaled_svg,
    ".png": lambda drawing, scale: png_bytes(drawing.svg, PNG_SCALE * scale),
    ".pdf": lambda drawing, scale: pdf_bytes(drawing.svg, scale),
    ".html": page_of,
    ".dot": lambda drawing, scale: drawing.dot.encode(),
}
UNSIZED = (".html", ".dot")
FILMS = tuple(CODECS)  # endings of files that show one picture after the other
