"""Films: a frame for each step, what it shows and for how long, and what is refused."""

import re
import stat
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from draw.test_player import two_paths
from saying import raises_saying

import minigrad as mg
from minigrad.core.errors import ArgumentError
from minigrad.draw.paint import movie
from minigrad.draw.paint.movie import LEAST, REST, reading_time
from minigrad.draw.player.frames import LEAST_WIDTH

Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
pytest.importorskip("resvg_py", reason="resvg-py is not installed")
pytest.importorskip("matplotlib", reason="matplotlib is not installed")


@pytest.fixture(scope="module")
def player():
    """A player of eleven steps."""
    return two_paths()


@pytest.fixture(scope="module")
def film(player, tmp_path_factory):
    """Its film, half as large."""
    return player.save(tmp_path_factory.mktemp("film") / "steps.gif", scale=0.5)


def opened(path):
    """The frames of a GIF as (pixels, seconds)."""
    image, found = Image.open(path), []
    for at in range(image.n_frames):
        image.seek(at)
        found.append((np.array(image.convert("RGB")), image.info["duration"] / 1000))
    return found


def texts(svg):
    """All texts of an SVG, letter by letter."""
    return re.findall(r"<text[^>]*>([^<]+)</text>", svg)


def numbers(svg):
    """The numbers on its cards."""
    return re.findall(r'<text class="value[^>]*>([^<]+)</text>', svg)


# what a film shows -------------------------------------------------------------------------------


def test_a_film_has_a_frame_for_each_step_behind_the_finished_picture(player, film):
    frames = opened(film)
    assert len(frames) == len(player.trace.events) + 1
    assert len({pixels.tobytes() for pixels, _ in frames}) == len(frames)
    svg = player.frames()[0].svg
    size = [float(re.search(rf'{side}="([\d.]+)"', svg)[1]) for side in ("height", "width")]
    assert {pixels.shape for pixels, _ in frames} == {(*map(int, size), 3)}
    assert Image.open(film).info["loop"] == 0  # for ever


def test_a_frame_is_shown_for_as_long_as_its_words_take_to_read(player, film):
    seconds = [length for _, length in opened(film)]
    assert seconds == pytest.approx([frame.seconds for frame in player.frames()])
    assert seconds[0] == REST and min(seconds[1:]) >= LEAST
    said = [event.sentence for event in player.trace.events]
    times = dict(zip(said, seconds[1:]))
    assert times[max(said, key=len)] > times[min(said, key=len)]
    assert reading_time("") == LEAST


def test_numbers_appear_step_by_step(player):
    first, *steps = (texts(frame.svg) for frame in player.frames())
    assert {"6", "5"} <= {*first} and "two paths" in first and "11 steps" in first
    waits = [numbers(frame.svg).count("·") for frame in player.frames()]
    assert waits[0] == 0 and waits[1:] == sorted(waits[1:], reverse=True)
    assert waits[1] == 9 and waits[-1] == 0  # of five values and five adjoints one is there
    for event, words in zip(player.trace.events, steps):
        assert event.sentence in words and f"{event.step + 1} of 11" in words
        assert event.phase in words and event.result in words


def test_what_is_computed_now_is_marked_with_the_edges_that_lead_there(player):
    steps = dict(zip(player.trace.events, (frame.svg for frame in player.frames()[1:])))
    ending = {"forward": "", "backward": "_bar"}
    for event, svg in steps.items():
        end = ending[event.phase]
        assert re.findall(r'<g id="(\w+)" class="node now"', svg) == [event.node + end]
        used = re.findall(r'class="line now" data-from="(\w+)" data-to="(\w+)"', svg)
        if event.edge:
            assert used == [tuple(id + end for id in event.edge)]
        else:
            assert {target for _, target in used} <= {event.node}
    waiting = [len(re.findall('class="node waiting"', svg)) for svg in steps.values()]
    assert waiting == sorted(waiting, reverse=True) and waiting[-1] == 0


def test_the_first_frame_is_the_picture_after_the_last_step(player, film):
    first, *_, last = (pixels for pixels, _ in opened(film))
    below = slice(first.shape[0] // 2, None)  # without the banner; the last step is marked
    same = (first[below] == last[below]).all(axis=2).mean()
    assert 0.97 < same < 1
    assert "now" not in player.frames()[0].svg.partition("</style>")[2]


def test_the_same_bytes_every_time(film, tmp_path):
    assert two_paths().save(tmp_path / "again.gif", scale=0.5).read_bytes() == film.read_bytes()


def test_scale_is_that_of_a_png(player, film, tmp_path):
    large = player.save(tmp_path / "large.gif")
    assert Image.open(large).width == 2 * Image.open(film).width
    step = Image.open(player.save(tmp_path / "step.png"))
    assert Image.open(large).width == max(step.width, 2 * LEAST_WIDTH)


def test_long_words_are_wrapped_and_long_formulas_cut(tmp_path):
    names = {f"a_very_long_name_{at}": mg.tensor(1.0 + at, requires_grad=True) for at in range(9)}
    total = sum(names.values(), mg.tensor(0.0))
    frames = mg.player(mg.stack([total, total]).sum(), names=names).frames()
    heights = {re.search(r'height="([\d.]+)"', frame.svg)[1] for frame in frames}
    assert len(heights) == 1
    for frame in frames:
        width = float(re.search(r'width="([\d.]+)"', frame.svg)[1])
        for x, fit in re.findall(
            r'class="said start" x="([\d.]+)"[^>]*textLength="([\d.]+)"', frame.svg
        ):
            assert float(x) + float(fit) <= width - 30


def test_numbers_of_one_entry_say_which(tmp_path):
    x = mg.tensor([[1.0, 2.0]], name="x", requires_grad=True)
    frames = mg.player(mg.sum(mg.tanh(x))).frames()
    assert any("entry [0, 0]" in texts(frame.svg) for frame in frames)


def test_names_are_text_and_no_markup():
    x = mg.tensor(2.0, requires_grad=True, name="<b>&\\1")
    for frame in mg.player(x * x, title='"<i>').frames():
        assert not [
            e for e in ElementTree.fromstring(frame.svg).iter() if e.tag.endswith(("}b", "}i"))
        ]


def test_a_film_of_a_loop_marks_the_loop(tmp_path):
    with mg.Graph():
        w = mg.Variable(2.0, name="w")
        y = mg.while_loop(lambda s: s < 9.0, lambda s: s * w, mg.constant(1.0))
    player = mg.player(y, wrt=[w])
    for event, frame in zip(player.trace.events, player.frames()[1:]):
        assert len(re.findall('class="node now"', frame.svg)) == 1, event


# sliders -----------------------------------------------------------------------------------------


def test_passes_play_as_a_film_of_one_size(tmp_path):
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        slider = mg.draw.passes(mg.Session(graph).compile(mg.exp(x * 1.0), [x]))
    frames = opened(slider.save(tmp_path / "passes.gif", scale=0.5))
    assert len(frames) == len(slider) + 1
    assert (frames[0][0] == frames[-1][0]).all() and frames[0][1] == REST < frames[1][1]
    assert len({pixels.tobytes() for pixels, _ in frames}) == len(slider)
    svgs = [frame.svg for frame in slider.frames()]
    assert len({re.search(r'height="[\d.]+"', svg)[0] for svg in svgs}) == 1
    assert all(svg.count(re.search(r'height="[\d.]+"', svg)[0]) == 2 for svg in svgs)


# palettes ----------------------------------------------------------------------------------------


def test_flat_colours_stay_and_rare_ones_become_the_nearest():
    steps = np.arange(64, dtype=np.uint8) * 4
    many = np.zeros((64, 64, 3), np.uint8)
    many[..., 0], many[..., 1] = steps[:, None], steps  # 4,096 colours, one point each
    tints = [[255, 255, 255], [253, 237, 225], [231, 240, 250], [23, 32, 42], [254, 254, 254]]
    flat = np.repeat(np.array(tints[:4], np.uint8), 1024, axis=0).reshape(64, 64, 3)
    flat[0, :5] = tints[4]  # nearly white, and not as common
    images = [Image.fromarray(pixels) for pixels in (flat, many)]
    palette = movie.Palette(images)
    found = [np.array(palette.reduce(image).convert("RGB")).astype(int) for image in images]
    assert (found[0] == flat).all()
    assert len(np.unique(found[1].reshape(-1, 3), axis=0)) <= 256 == len(palette.colours)
    colours = np.array(palette.colours)
    best = ((many[:, :, None].astype(int) - colours) ** 2).sum(axis=3).min(axis=2)
    assert (((found[1] - many) ** 2).sum(axis=2) == best).all()


def test_the_ground_of_a_film_is_white(film):
    assert {tuple(pixels[2, 2]) for pixels, _ in opened(film)} == {(255, 255, 255)}


# what is refused ---------------------------------------------------------------------------------


def test_an_unknown_suffix_is_refused_with_those_that_work(player, tmp_path):
    with pytest.raises(ArgumentError, match=r"cannot write \.mov") as caught:
        player.save(tmp_path / "steps.mov")
    assert caught.value.hint.endswith(".svg, .png, .pdf, .html, .dot, .gif, .mp4, .webm")
    assert not list(tmp_path.iterdir())


def test_a_drawing_is_no_film_and_says_what_is(tmp_path):
    with pytest.raises(ArgumentError, match=r"cannot write \.gif") as caught:
        mg.draw(mg.tensor(1.0) * 2.0).save(tmp_path / "one.gif")
    assert "mg.player(y)" in caught.value.hint and not list(tmp_path.iterdir())


def test_one_step_is_no_film(player, tmp_path):
    with pytest.raises(ArgumentError, match=r"step=3, and \.gif shows all steps") as caught:
        player.save(tmp_path / "steps.gif", step=3)
    assert "save as .png" in caught.value.hint and not list(tmp_path.iterdir())


@pytest.mark.parametrize("scale", [0, "2", True])
def test_what_is_no_factor_is_refused(player, scale, tmp_path):
    with pytest.raises(ArgumentError, match="scale"):
        player.save(tmp_path / "steps.gif", scale=scale)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_without_ffmpeg_the_fix_is_named_before_anything_is_drawn(
    player, suffix, tmp_path, monkeypatch
):
    monkeypatch.setattr(movie.shutil, "which", lambda name: None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setattr(type(player), "frames", lambda self: pytest.fail("frames were made"))
    with pytest.raises(ArgumentError, match=rf"{suffix} needs the program ffmpeg") as caught:
        player.save(tmp_path / f"steps{suffix}")
    assert caught.value.hint == "pip install imageio-ffmpeg, or save as .gif"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "package, words",
    [("resvg_py", r"\.gif needs the package resvg-py"), ("matplotlib", "films need the fonts of")],
)
def test_without_a_package_a_film_names_it(player, package, words, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(type(player), "frames", lambda self: pytest.fail("frames were made"))
    with raises_saying(ArgumentError, words):
        player.save(tmp_path / "steps.gif")
    assert not list(tmp_path.iterdir())


# ffmpeg, by a program that stands for it ---------------------------------------------------------

STAND_IN = f"""#!{sys.executable}
import pathlib, sys
assert sys.argv[-1].endswith((".mp4", ".webm"))
lines = pathlib.Path("frames.txt").read_text()
sizes = [pathlib.Path(line.split()[1]).read_bytes()[16:24].hex()
         for line in lines.splitlines() if line.startswith("file")]
pathlib.Path(sys.argv[-1]).write_text(repr((sys.argv[1:], lines, sizes)))
"""


def stand_in(folder, monkeypatch, text):
    """Makes a program of this text what is found as ffmpeg."""
    program = folder / "ffmpeg"
    program.write_text(text)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(movie.shutil, "which", lambda name: str(program))


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program on Windows")
@pytest.mark.parametrize("suffix, codec", [(".mp4", "libx264"), (".webm", "libvpx-vp9")])
def test_ffmpeg_is_given_every_frame_and_its_time(player, suffix, codec, tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch, STAND_IN)
    path = player.save(tmp_path / f"steps{suffix}", scale=0.5)
    words, lines, sizes = eval(path.read_text())
    assert codec in words and "yuv420p" in " ".join(words)
    shown = [f"{float(line.split()[1]):.1f}" for line in lines.splitlines() if "duration" in line]
    assert shown == [f"{frame.seconds:.1f}" for frame in player.frames()]
    assert len(sizes) == len(shown) + 1 and len({*sizes}) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program on Windows")
def test_what_ffmpeg_says_is_passed_on_and_no_file_is_left(player, tmp_path, monkeypatch):
    folder = tmp_path / "films"
    folder.mkdir()
    stand_in(tmp_path, monkeypatch, "#!/bin/sh\necho Unknown encoder libx264 >&2\nexit 1\n")
    with pytest.raises(ArgumentError, match=r"cannot write \.mp4: Unknown encoder") as caught:
        player.save(folder / "steps.mp4", scale=0.5)
    assert "save as .gif" in caught.value.hint and not list(folder.iterdir())
