"""Opening and closing: the drawings that a page holds, where clicks lead, calls for the rest."""

import json
from html import unescape

from draw.test_fold import layers
from draw.toy import chain

import minigrad as mg
from minigrad.draw import draw


def album_of(drawing):
    """The data of a drawing's attribute `album`."""
    text = drawing.body.partition("album='")[2].partition("'")[0]
    return json.loads(unescape(text)) if text else None


def test_every_set_of_a_few_scopes_is_there():
    views = draw(layers(2)).views
    assert len(views) == 4 and all(len(view.moves) == 2 for view in views)
    assert views[0].moves == {"layer0": 1, "layer1": 2}
    for at, view in enumerate(views):
        for handle, to in view.moves.items():
            assert views[to].moves[handle] == at, "a second click leads back"


def test_a_view_is_what_the_call_draws():
    y = layers(3)
    first, *others = draw(y).views
    shown = [view.drawing.svg for view in others]
    assert draw(y, collapse=["layer1"]).svg in shown
    assert draw(y, collapse=["layer0", "layer2"]).svg in shown


def test_a_loop_opens_in_every_mode():
    with mg.Graph():
        z = mg.placeholder("z")
        y = mg.while_loop(lambda i, z: i < 9, lambda i, z: (i + 1, z * 2.0), (0, z))[1]
    for mode in ("forward", "mirror", "tangent", "backward"):
        first, opened = draw(y, mode=mode).views
        assert first.moves == {"n2": 1} and len(opened.drawing.scene.nodes) > 4
        assert mode == "backward" or opened.moves == {"n2": 0}


def test_turns_of_a_repeat_close_from_any_of_them():
    views = draw(chain(1000)).views
    assert [view.moves for view in views[:3]] == [{"n1": 1}, {"n1": 0, "n2": 2},
        {"n1": 0, "n2": 1, "n3": 3}]  # fmt: skip


def test_a_small_graph_without_frames_has_no_album():
    assert album_of(draw(chain(5))) is None


def test_the_parts_of_a_picture_are_those_of_the_drawing():
    drawing = draw(layers(3))
    data = album_of(drawing)
    parts = [part.replace("`", '"') for part in data["parts"]]
    page, view = data["pages"][1], drawing.views[1]
    used = [parts[at] for at in page["places"][::3]]
    for node in view.drawing.scene.nodes:
        assert sum(f'<g id="{node.id}"' in part for part in used) == 1
    assert sum("data-from" in part for part in used) >= len(view.drawing.scene.edges)
    assert len(json.dumps(data)) < 8 * len(drawing.svg) / 2, "most parts are shared"


def test_numbers_are_those_of_when_it_was_drawn():
    x = mg.tensor(2.0, requires_grad=True, name="x")
    y = x * 3.0
    drawing = draw(y, mode="mirror")
    y.backward()
    with mg.no_grad():
        x[...] = 7.0
    assert all(view.drawing.scene.nodes[0].number == "2" for view in drawing.views)
