"""A row of pictures with a slider: without scripts, pictures that unfold one by one."""

import re
from functools import cache
from html import escape

from minigrad.core.errors import ArgumentError
from minigrad.draw.paint.album import album_attribute
from minigrad.draw.paint.element import (
    FOLDER,
    Shown,
    image_and_text,
    script_of,
    squeeze_code,
    view_script,
    web_page,
)
from minigrad.draw.paint.movie import REST, FilmFrame, reading_time
from minigrad.draw.paint.saving import (
    FILMS,
    WRITERS,
    check_scale,
    check_suffix,
    save_drawing,
    save_film,
    save_slides,
    suffix_of,
    write_file,
)


class Slider(Shown):
    """Drawings in a row. A notebook shows one at a time, and keys and buttons to move along."""

    place = "the pictures"

    def __init__(self, title, drawings):
        self.title, self.drawings = title, drawings

    @property
    def text(self):
        """The listing of each drawing."""
        return "\n\n".join([self.title, *(drawing.text for drawing in self.drawings)])

    @property
    def body(self):
        """The element; its children show all pictures where no script runs."""
        tag = slider_script().tag
        parts = "\n".join(self.part(at, drawing) for at, drawing in enumerate(self.drawings))
        return f'<{tag} data-title="{escape(self.title)}">\n{parts}\n</{tag}>'

    @property
    def scripts(self):
        """The viewer's and the slider's."""
        return [view_script(), slider_script()]

    def part(self, at, drawing):
        """One picture under its title, as a thing that unfolds."""
        words = escape(drawing.scene.title)
        start = f"<details{' open' * (at == 0)}{self.album(drawing)}><summary>{words}</summary>"
        return f"{start}\n{drawing.plain}\n</details>"

    def album(self, drawing):
        """The attribute with the pictures that one comes to; what has none stays as it is."""
        views = [
            view._replace(moves={one: to for one, to in view.moves.items() if isinstance(to, int)})
            for view in drawing.views
        ]
        return album_attribute(views)

    def save(self, path, scale=1.0):
        """Write all pictures as a page (.html) or a film (.gif, .mp4, .webm), or the last picture
        (.svg, .png, .pdf, .dot); returns the path.

        A film begins with the last picture; then each is shown for as long as its words take to
        read. .mp4 and .webm need ffmpeg: pip install imageio-ffmpeg.
        """
        suffix = suffix_of(path)
        if suffix == ".html":
            check_scale(suffix, scale)
            return write_file(path, web_page(self.title, self.html).encode())
        if suffix in FILMS:
            return save_film(path, self.frames, scale)
        check_suffix(suffix, (*WRITERS, *FILMS))
        return self.drawings[-1].save(path, scale)

    def frames(self):
        """The FilmFrames of a film: the last picture, then all from the first on."""
        svgs = same_height([drawing.svg for drawing in self.drawings])
        said = (" ".join([d.scene.title, *d.scene.notes]) for d in self.drawings)
        timed = [FilmFrame(svg, REST + reading_time(words)) for svg, words in zip(svgs, said)]
        return [timed[-1]._replace(seconds=REST), *timed]

    def slides(self, folder, suffix=".svg", scale=1.0):
        """Write each picture into a folder, as 01.svg, 02.svg, … (or .png, .pdf); the paths."""
        return save_slides(self.drawings, folder, suffix, scale)

    def __len__(self):
        return len(self.drawings)

    def __iter__(self):
        return iter(self.drawings)

    def __getitem__(self, at):
        try:
            return self.drawings[at]
        except IndexError:
            raise ArgumentError(
                f"there is no picture {at}", f"there are {len(self.drawings)}, from 0"
            ) from None


class PassPicture(Slider):
    """One picture with a row for each pass, by a RowSheet. It still has a drawing of each."""

    def __init__(self, sheet, drawings):
        super().__init__(sheet.title, drawings)
        self.sheet = sheet

    @property
    def svg(self):
        """The SVG text."""
        return self.sheet.svg

    @property
    def text(self):
        """What each pass changed, then the listing of each drawing."""
        return f"{self.sheet.text}\n\n{super().text}"

    @property
    def body(self):
        """The element; its children are what is seen where no script runs."""
        plain = image_and_text(self.svg, self.sheet.alt, self.text)
        code = "\n".join(self.drawings[-1].scene.code)
        more = f"\n<details><summary>the program</summary><pre>{escape(code)}</pre></details>"
        tag = view_script().tag
        return f"<{tag}>\n{plain}{more if code else ''}\n</{tag}>"

    @property
    def scripts(self):
        """The viewer's."""
        return [view_script()]

    def save(self, path, scale=1.0):
        """Write the picture (.svg, .png, .pdf), a page (.html), the last graph (.dot),
        or the passes one after the other (.gif, .mp4, .webm)."""
        if suffix_of(path) in (".html", ".dot", *FILMS):
            return super().save(path, scale)
        return save_drawing(self, path, scale)


def same_height(svgs):
    """SVG texts of drawings on cards that are all as high as the highest."""
    highs = [re.search(r'height="([\d.]+)"', svg)[1] for svg in svgs]
    high = max(highs, key=float)
    for svg, own in zip(svgs, highs):
        grown = svg.replace(f'height="{own}"', f'height="{high}"', 2)  # of the picture, of its card
        yield grown.replace(f' {own}" role', f' {high}" role', 1)  # of its viewBox


@cache
def slider_script():
    """The Script of the element."""
    sheets = {"base": squeeze_code([FOLDER / "slider.css"])}
    return script_of("slider", [FOLDER / "slider.js"], sheets)
