"""Stored pictures as frames: only what is computed is seen, and the last frame shows all."""

import pytest

pytest.importorskip("sphinx", reason="the extra 'slides' is not installed")

from minigrad.course import project
from minigrad.course.slides.parts import LessonParts
from minigrad.course.slides.pictures import find_pictures
from minigrad.course.slides.steps import make_frames, spread


def frames_of(number, cell):
    """The frames of a cell of a lesson, and the cell."""
    (path,) = project.lessons([number])
    found = LessonParts(path)
    shown = found.cells[found.cell_named(cell)]
    return make_frames(shown), shown


def hidden(frame):
    """What a frame's own rule hides."""
    text = frame.picture.data.decode()
    before, rule, _ = text.partition(" { visibility: hidden }\n</style>")
    return before.rpartition("\n")[2].split(", ") if rule else []


def test_a_player_shows_an_adjoint_once_it_is_complete():
    frames, cell = frames_of("03", "player")
    first, last = frames[0], frames[-1]
    assert first.words == (
        "The forward pass computes all values, at the end the result: y = v6 − v5 = 11.65."
    )
    assert not {"#n2", "#n6"} & {*hidden(first)} and "#n5_bar" in hidden(first)
    assert any(frame.words.endswith("v̄5 = −ȳ = −1") for frame in frames)
    contribution = '[data-from="n4_bar"][data-to="n1_bar"]'
    sent = next(at for at, frame in enumerate(frames) if contribution not in hidden(frame))
    assert "#n1_bar" in hidden(frames[sent])  # of two contributions
    assert hidden(last) == [] and last.picture == find_pictures(cell)[-1]


def test_a_graph_grows_from_its_leaves_and_adjoints_run_back():
    frames, cell = frames_of("17", "picture")
    first_adjoint = [next(at for at, f in enumerate(frames) if f"#{id}_bar" not in hidden(f))
                     for id in ("n5", "n1")]  # fmt: skip
    assert first_adjoint == sorted(first_adjoint)
    assert "#n5" not in hidden(frames[0]) and "#n1_bar" in hidden(frames[0])
    assert frames[-1].picture == find_pictures(cell)[-1]


def test_a_film_becomes_some_of_its_plots():
    frames, cell = frames_of("11", "fit-seen")
    assert len(frames) == 10 and {frame.picture.kind for frame in frames} == {"png"}
    assert frames[0].picture.data != frames[-1].picture.data
    assert frames[0].picture.size == find_pictures(cell)[-1].size


def test_a_memory_plan_is_one_frame():
    frames, _ = frames_of("09", "four-code")
    assert len(frames) == 1 and hidden(frames[0]) == []


def test_frames_are_chosen_evenly_with_the_last():
    assert spread([*range(20)]) == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]
    assert spread([*range(3)]) == [0, 1, 2]
