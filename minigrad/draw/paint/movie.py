"""Pictures one after the other as a file that plays: GIF by Pillow, MP4 and WebM by ffmpeg."""

import io
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw.look import LIGHT
from minigrad.draw.paint.fonts import SANS, font_path
from minigrad.draw.paint.png import PNG_SCALE, png_bytes, renderer

LETTER, LEAST = 0.05, 1.6  # seconds: to read a letter; that a frame is shown at least
REST = 2.5  # seconds for the first frame, which is the finished picture
RATE = 5  # frames in each second of a video
COLOURS = 256  # of a GIF
CODECS = {  # what ffmpeg is told of each kind of video
    ".gif": None,
    ".mp4": ("-c:v libx264 -preset medium -tune stillimage -crf 20 -movflags +faststart").split(),
    ".webm": "-c:v libvpx-vp9 -crf 32 -b:v 0 -deadline good -cpu-used 8".split(),
}
SAME = "-fflags +bitexact -flags:v +bitexact -map_metadata -1 -threads 1".split()  # no date
EVEN = "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white,format=yuv420p"  # of other sizes there is none
TALE = 200  # characters of what ffmpeg says where it fails


class FilmFrame(NamedTuple):
    """One picture of a film as SVG text, and for how many seconds it is shown."""

    svg: str
    seconds: float


def reading_time(text):
    """How many seconds a text takes to read, in tenths."""
    return max(LEAST, round(LETTER * len(text), 1))


def film_bytes(suffix, make_frames, scale):
    """The film of the FilmFrames that `make_frames()` gives. Raises ArgumentError, before it makes
    any, where a package or a program is missing."""
    renderer(suffix)
    font_path(SANS)
    program = find_ffmpeg(suffix) if CODECS[suffix] else None
    frames = make_frames()
    pictures = [png_bytes(frame.svg, PNG_SCALE * scale) for frame in frames]
    size, seconds = common_size(pictures), [frame.seconds for frame in frames]
    if program is None:
        return animated_gif(pictures, size, seconds)
    return video_bytes(program, suffix, (opaque_picture(one, size) for one in pictures), seconds)


def common_size(pictures):
    """The width and the height that all PNG pictures have room in."""
    from PIL import Image

    return tuple(map(max, zip(*(Image.open(io.BytesIO(one)).size for one in pictures))))


def opaque_picture(picture, size):
    """A PNG picture as an image of Pillow, at the upper left of a ground of that size."""
    from PIL import Image

    image = Image.open(io.BytesIO(picture)).convert("RGBA")
    ground = Image.new("RGB", size, LIGHT["card"])
    ground.paste(image, (0, 0), image)
    return ground


# GIF ---------------------------------------------------------------------------------------------


def animated_gif(pictures, size, seconds):
    """PNG pictures as a GIF that begins again at its end; all have one palette."""
    palette = Palette(opaque_picture(one, size) for one in pictures)
    first, *others = (palette.reduce(opaque_picture(one, size)) for one in pictures)
    times, buffer = [round(1000 * length) for length in seconds], io.BytesIO()
    first.save(
        buffer, "GIF", save_all=True, append_images=others, duration=times, loop=0, optimize=False
    )
    return buffer.getvalue()


class Palette(dict):
    """The colours that most points of some images have, so that flat grounds keep theirs.

    As a dictionary it has for each colour, four bytes as a number, the place of the nearest one:
    Pillow looks for that in steps of 4, and takes one tint for another.
    """

    def __init__(self, images):
        found = Counter()
        for image in images:
            for count, colour in image.getcolors(image.width * image.height):
                found[colour] += count
        self.colours = sorted(found, key=lambda colour: (-found[colour], colour))[:COLOURS]

    def __missing__(self, point):
        red, green, blue, _ = point.to_bytes(4, sys.byteorder)
        apart = [(red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2 for r, g, b in self.colours]
        return self.setdefault(point, apart.index(min(apart)))

    def reduce(self, image):
        """An image in these colours."""
        from PIL import Image

        points = memoryview(image.convert("RGBX").tobytes()).cast("I")
        found = Image.frombytes("P", image.size, bytes(map(self.__getitem__, points)))
        found.putpalette(bytes(chain(*self.colours)))
        return found


# video -------------------------------------------------------------------------------------------


def find_ffmpeg(suffix):
    """The path of the program ffmpeg: the one on the PATH, else that of imageio-ffmpeg."""
    if found := shutil.which("ffmpeg"):
        return found
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        message = f"save: {suffix} needs the program ffmpeg, which is not installed"
        raise ArgumentError(message, "pip install imageio-ffmpeg, or save as .gif") from None


def video_bytes(program, suffix, images, seconds):
    """Images of Pillow as a video. Raises ArgumentError where ffmpeg cannot write it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = list(store_frames(images, seconds, folder))
        (folder / "frames.txt").write_text("".join(lines), encoding="ascii")
        source = ["-f", "concat", "-i", "frames.txt", "-vf", f"fps={RATE},{EVEN}"]
        command = [program, *"-y -nostdin -v error".split(), *source, *CODECS[suffix], *SAME]
        done = subprocess.run(
            [*command, f"film{suffix}"], cwd=folder, capture_output=True, check=False
        )
        if done.returncode:
            told = done.stderr.decode(errors="replace").strip()[-TALE:]
            message = f"save: ffmpeg cannot write {suffix}: {told or 'it does not say why'}"
            raise ArgumentError(message, "save as .gif, or install another ffmpeg")
        return (folder / f"film{suffix}").read_bytes()


def store_frames(images, seconds, folder):
    """Writes images as files; gives the lines that tell ffmpeg how long each one is shown."""
    last = ""
    for at, (image, length) in enumerate(zip(images, seconds)):
        last = f"file {at:04}.png\n"
        image.save(folder / f"{at:04}.png", compress_level=1)
        yield f"{last}duration {length:.1f}\n"
    yield last  # without a second mention, ffmpeg shows the last one for a moment only
