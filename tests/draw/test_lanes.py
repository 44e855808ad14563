"""A training step played in lanes: what each step says and lights, and what cards hold inside."""

import importlib
import json
import re

import numpy as np
import pytest
from draw.seeds import printed_under_two_seeds
from draw.test_player import Parsed, svg_of, told
from draw.training_steps import STEPS, build, outline_of

import minigrad as mg
from minigrad.draw.layout.engine import NoLayout
from minigrad.draw.modes.inside import inside_scenes
from minigrad.draw.modes.step import read_step
from minigrad.draw.scene import with_bar
from minigrad.draw.trace import make_trace
from minigrad.draw.trace.tokens import tokens_text

PLAYED = ("toy", "mlp", "conv", "residual", "shared", "clipping", "adam", "attention", "penalty")


def feed(graph):
    """Numbers for all placeholders of a graph."""
    found = {}
    for node in graph.nodes:
        if node.role == "input":
            numbers = np.sin(np.arange(np.prod(node.shape) or 1)).reshape(node.shape)
            found[node] = np.abs(10 * numbers).astype(int) if node.dtype.kind == "i" else numbers
    return found


def trace(name, **options):
    """The Trace of a training step."""
    graph = build(name)
    return make_trace(graph, feed(graph), **options)


def player(name, **options):
    """The player of a training step."""
    graph = build(name)
    return mg.player(graph, feed(graph), **options)


@pytest.fixture(scope="module")
def players():
    """{name: the player of that training step}."""
    return {name: player(name) for name in PLAYED}


every = pytest.mark.parametrize("name", PLAYED)


@every
def test_a_step_runs_forward_then_backward_then_updates(players, name):
    phases = [event.phase for event in players[name].trace.events]
    assert [*dict.fromkeys(phases)] == ["forward", "backward", "update"]
    assert phases == sorted(phases, key=["forward", "backward", "update"].index)


@every
def test_each_step_lights_a_card_that_is_drawn(players, name):
    shown, data = players[name], told(players[name])
    for picture, page in ((svg_of(shown), data), (shown.picture.final_drawing.portrait, {})):
        places = data["drawn"] if page else data["upright"]["drawn"]
        for step in data["steps"]:
            side = data["ending"] if "derivative" in step else step.get("side", "")
            own = step["at"]
            place = places.get(own + side) or places.get(own, own) + side
            assert f'id="{place}" class="node"' in picture, step["say"]


@every
def test_all_cards_are_lit_at_some_step_or_belong_to_one_that_is(players, name):
    picture, trace = players[name].picture, players[name].trace
    lit = {picture.node_with(e.inner or e.node, picture.side_of(e)) for e in trace.events}
    dark = {node.id: node for node in picture.scene.nodes if node.id not in lit}
    assert all(node.role in ("constant", "folded") for node in dark.values()), dark


@every
def test_numbers_are_those_of_a_session(name):
    graph = build(name)
    fed = feed(graph)
    found = make_trace(graph, fed)
    assigned = {e.node: e.value for e in found.events if e.renews}
    variables = {f"n{at}": v for at, v in enumerate(found.values) if f"n{at}" in assigned}
    session = mg.Session(graph)
    session.run([node for node in graph.nodes if node.op.__name__ == "Assign"], fed)
    for id, variable in variables.items():
        now = session.run(variable, fed)
        assert assigned[id].shape == now.shape
        if now.size:
            assert assigned[id].mean == pytest.approx(float(now.mean()), rel=1e-9, abs=1e-12)


def test_a_name_in_an_update_has_one_value_at_a_time():
    for name, first in (("momentum by name", "m_W1"), ("late momentum", "W1")):
        updates = [e for e in trace(name).events if e.renews]
        assert tokens_text(updates[0].formula).startswith(f"{first} ← ")
        both = {tokens_text(event.formula) for event in updates[:2]}
        assert both == {"W1 ← W1 − 0.1 · m_W1", "m_W1 ← 0.9 · m_W1 + W̄1"}


def test_what_updates_share_reads_gradients_by_their_names():
    shared = [e for e in trace("clipping").events if e.phase == "update" and not e.renews]
    assert any(with_bar("W1") in event.sentence for event in shared)


def test_an_update_lights_the_way_from_its_gradient():
    data = told(player("toy"))
    (last,) = (step for step in data["steps"] if step["phase"] == "update")
    assert ["n1_bar", "n1_update"] in [one[:2] for one in last["formula"] if isinstance(one, list)]
    assert (last["at"], last["side"], last["say"][:21]) == (
        "n1",
        "_update",
        "The update replaces w",
    )


def test_cards_of_single_numbers_show_them():
    shown = player("toy")
    data, drawing = told(shown), shown.drawing()
    numbers = {node.id: node.number for node in drawing.scene.nodes if node.number}
    texts = dict(text for step in data["steps"] for text in step["texts"])
    assert {*numbers} <= {*texts} and {"n1_bar", "n1_update", "n5"} <= {*numbers}
    assert all(texts[id] == number for id, number in numbers.items())
    assert {n.number for n in shown.drawing(1).scene.nodes if n.id in numbers} >= {"·"}


def test_a_part_of_a_sum_is_not_the_adjoint():
    shown = player("toy")
    first = next(e for e in shown.trace.events if e.edge and e.node == "n1")
    for step, known in ((first.step + 1, False), (first.step + 2, True)):
        (card,) = (n for n in shown.drawing(step).scene.nodes if n.id == "n1_bar")
        assert (card.number != "·") == known, "w̄ = v̄4 + v̄2"


def test_no_card_moves_while_it_plays():
    shown = player("toy")
    places = [
        re.findall(r'<rect class="rim[^>]*>', shown.drawing(step).svg)
        for step in (1, 6, len(shown.trace.events))
    ]
    assert places[0] == places[1] == places[2]


def test_where_lanes_do_not_fit_one_line_says_so():
    with mg.Graph() as graph:
        x = mg.Variable(1.0, "x")
        (slope,) = mg.gradients(mg.sin(x) * x, [x])
        (other,) = mg.gradients(mg.sin(x) + x, [x])
        mg.assign_sub(x, slope / other)
    shown = mg.player(graph)
    assert shown.picture.scene.mode == "forward"
    assert "Played without lanes: 2 backward passes" in " ".join(shown.picture.scene.notes)
    assert "Played without lanes" in shown.picture.final_drawing.text


def test_what_is_asked_for_is_played_so():
    graph = build("loop")
    fed = {node: 1.0 for node in graph.nodes if node.role == "input"}
    closed, opened = mg.player(graph, fed), mg.player(graph, fed, expand="n2")
    assert closed.picture.scene.mode == "step"
    assert opened.picture.scene.frames and opened.picture.scene.mode == "forward"
    assert "a part of it is open" in opened.picture.scene.notes[-1]
    plain = mg.player(graph.nodes[-1].inputs[1], fed)
    assert plain.picture.scene.mode != "step", "only the update, without the loss"


def test_a_loop_in_lanes_has_the_strip_of_its_iterations():
    graph = build("loop")
    shown = mg.player(graph, {node: 1.0 for node in graph.nodes if node.role == "input"})
    (strip,) = shown.data["strips"]
    assert strip["id"] == "n2" and strip["names"] == [["v", False], ["v", True]]
    cells = [[title, *(text for _, text in cells)] for title, _, *cells in strip["columns"]]
    assert cells == [["start", "1", "128"], ["1", "2", "64"], ["2", "4", "32"], ["3", "8", "16"]]
    steps = shown.data["steps"]
    for title, firsts, *_ in strip["columns"][1:]:
        turns = {phase: steps[at]["turn"] for phase, at in firsts.items()}
        assert turns == {"forward": int(title), "backward": int(title)}


def test_wrt_of_a_training_step_plays_its_own_backward_pass():
    graph = build("mlp")
    variables = [node for node in graph.nodes if node.role == "variable"]
    assert mg.player(graph, feed(graph), wrt=variables).trace.lanes
    images = next(n for n in graph.nodes if n.role == "input" and n.dtype.kind == "f")
    loss = next(n for n in graph.nodes if n.op.__name__ == "CrossEntropy")
    assert not mg.player([loss], feed(graph), wrt=images).trace.lanes


def test_a_film_of_a_training_step_marks_its_cards():
    frames = player("mlp").frames()
    last = frames[-1].svg if hasattr(frames[-1], "svg") else frames[-1][0]
    assert re.search(r'<g id="n\d+_update" class="node now"', last)
    assert all('class="node waiting"' not in str(frame) for frame in frames[-1:])


def test_the_same_bytes_under_two_seeds():
    code = (
        "from draw.test_lanes import player\n"
        "import hashlib\n"
        "for name in ('toy', 'mlp', 'adam'):\n"
        "    print(hashlib.sha256(player(name).body.encode()).hexdigest())\n"
    )
    first, second = printed_under_two_seeds(code)
    assert first == second


# what a card holds -------------------------------------------------------------------------------


def insides(name):
    """{what a card is called: the Scene of what it holds}."""
    step, _ = read_step(outline_of(name))
    return {scene.title: scene for _, scene in inside_scenes(step)}


def test_a_composite_is_opened_as_the_graph_that_its_call_made():
    scene = insides("conv")["inside v8"]
    signs = [node.sign for node in scene.nodes if node.sign]
    assert signs == ["windows", "einsum", "ᵀ"]
    assert [node.label for node in scene.nodes if not node.sign] == ["images", "K"]


def test_what_comes_into_an_adjoint_has_its_bar_and_its_colour():
    scene = insides("mlp")["inside the adjoint of v5"]
    adjoints = {node.label for node in scene.nodes if node.role == "adjoint"}
    assert adjoints == {"v5", "v6"} and len(scene.nodes) == 5
    assert len(scene.edges) == 5


@pytest.mark.parametrize("name", [name for name in STEPS if name != "forward"])
def test_a_card_that_is_opened_shows_all_that_it_holds(name):
    step, _ = read_step(outline_of(name))
    members = {card.id: card.members for card in step.cards.cards} if step else {}
    ids = step.cards.outline.ids if step else []
    for id, scene in inside_scenes(step) if step else ():
        shown = {node.id for node in scene.nodes} | {*scene.owners}
        assert {ids[at] for at in members[id]} <= shown


def test_a_page_holds_the_pictures_of_insides_without_a_kernel():
    graph = build("conv")
    drawing = mg.draw(graph)
    (album,) = re.findall(r"album='([^']*)'", drawing.body)
    data = json.loads(album.replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">")
                      .replace("&amp;", "&"))  # fmt: skip
    cards = {node.id for node in drawing.scene.nodes if node.inside}
    assert cards <= {*data["inside"]} and len(data["pages"]) == len(data["inside"]) + 1
    played = Parsed(player("conv").html).albums[0]
    assert played["inside"].keys() == data["inside"].keys()


def test_the_listing_says_what_is_inside():
    text = mg.draw(build("conv")).text
    assert "holds Windows, Einsum, Transpose" in text


def test_without_a_layout_engine_cards_stay_closed(monkeypatch):
    def none(*_):
        raise NoLayout("there is none")

    monkeypatch.setattr(importlib.import_module("minigrad.draw.layout"), "centres", none)
    drawing = mg.draw(build("mlp"))
    assert drawing.insides == {} and "album=" not in drawing.body
