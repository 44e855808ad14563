"""Lanes of workers, checked as a reader would: nothing lost, nothing on something else, and what
travels is what the partition says."""

import itertools
import re
from typing import NamedTuple

import numpy as np
import pytest
from draw.seeds import printed_under_two_seeds
from draw.test_score import edges_of, meets, overlap, segments
from machine_made import machine_made
from workers.nets import THERE_AND_BACK, there_and_back, two_scopes

import minigrad as mg
from minigrad import workers
from minigrad.draw.layout import engine
from minigrad.draw.modes.workers import travel_note
from minigrad.draw.paint.score import measure_by
from minigrad.draw.paint.workers import PILL, pill_size, place_sharing, width_of
from minigrad.static.program import find_needed

EYES = ("eye_up", "eye_low", "vote_up", "vote_low", "loss")
LONG = 60  # more steps than one picture holds in lanes


def two_layers():
    """A net of two layers, each on a worker: (loss, its gradients, places)."""
    with mg.Graph():
        x, t = mg.placeholder("X", (32, 64)), mg.placeholder("t", (32,), int)
        with mg.name_scope("first"):
            w, b = mg.Variable(np.ones((64, 32)), name="W1"), mg.Variable(np.ones(32), name="b1")
            h = mg.tanh(x @ w + b)
        with mg.name_scope("second"):
            v, c = mg.Variable(np.ones((32, 10)), name="W2"), mg.Variable(np.ones(10), name="b2")
            loss = mg.cross_entropy(h @ v + c, t)
    return loss, mg.gradients(loss, [w, b, v, c]), {"first": 0, "second": 1}


def two_eyes(*on):
    """(loss and its gradients, places) of the net of lesson 16, with its parts on these workers."""

    def eye(half, start):
        with mg.name_scope("eye_" + half):
            seen = mg.relu(mg.nn.Linear(32, 64)(images[:, start : start + 32]))
        with mg.name_scope("vote_" + half):
            return mg.nn.Linear(64, 10)(seen)

    with mg.Graph() as graph:
        images = mg.placeholder("images", (None, 64))
        labels = mg.placeholder("labels", (None,), int)
        up, low = eye("up", 0), eye("low", 32)
        with mg.name_scope("loss"):
            loss = mg.cross_entropy(up + low, labels)
    return [loss, *mg.gradients(loss, graph.variables)], dict(zip(EYES, on))


def shards(count):
    """(loss and update, places): a step whose rows are shared among so many workers."""
    with mg.Graph():
        w, losses = mg.Variable(np.ones((64, 10)), name="W"), []
        for at in range(count):
            with mg.name_scope(f"shard{at}"):
                x = mg.placeholder(f"x{at}", (16, 64))
                labels = mg.placeholder(f"y{at}", (16,), int)
                losses.append(mg.cross_entropy(x @ w, labels))
        with mg.name_scope("mean"):
            loss = sum(losses[1:], losses[0]) / count
        (gradient,) = mg.gradients(loss, [w])
        with mg.name_scope("mean"):
            update = mg.assign_sub(w, 0.1 * gradient)
    return [loss, update], {**{f"shard{at}": at for at in range(count)}, "mean": 0}


def adam():
    """A step of Adam with a clipped norm, on two workers."""
    net = two_scopes()[1]
    return [net["loss"], net["update"]], {"encoder": 0, "decoder": 1}


def both_layers():
    """The net of two layers with its gradients."""
    loss, gradients, places = two_layers()
    return [loss, *gradients], places


SAMPLES = {
    "forward": lambda: two_layers()[::2],
    "layers": both_layers,
    "eyes": lambda: two_eyes(0, 1, 2, 2, 2),
    "crossed": lambda: two_eyes(0, 1, 1, 0, 2),
    "two": lambda: two_eyes(0, 1, 0, 1, 0),
    "four": lambda: two_eyes(0, 1, 2, 3, 0),
    "shards2": lambda: shards(2),
    "shards3": lambda: shards(3),
    "shards4": lambda: shards(4),
    "there and back": lambda: (there_and_back()[2], THERE_AND_BACK),
    "adam": adam,
}
every = pytest.mark.parametrize("name", SAMPLES)


@pytest.fixture(scope="module")
def found():
    """{name: (Partition, Drawing, WorkerPicture)} of all samples."""
    parts = {name: workers.partition(*sample()) for name, sample in SAMPLES.items()}
    drawn = {name: one.draw() for name, one in parts.items()}
    return {name: (parts[name], one, picture_of(one)) for name, one in drawn.items()}


def picture_of(drawing):
    """The WorkerPicture of a drawing in lanes."""
    return place_sharing(drawing.scene.step, {node.id: node for node in drawing.scene.nodes})


def bodies_of(drawing, picture):
    """{id of a card: its rectangle with its sign}."""
    step, found = drawing.scene.step, {}
    measure = measure_by({node.id: node for node in drawing.scene.nodes}, step.formulas)
    for card in picture.cards:
        size, (left, top, *rest) = measure(step.sharing.cards.card(card.id)), edges_of(card.box, 0)
        found[card.id] = left - size.left, top - size.above, *rest
    return found


def pills_of(drawing, picture):
    """The rectangles of the pills of messages."""
    for one in picture.messages:
        half = pill_size(drawing.scene.step.said[one.message]) / 2
        yield one.x - half, one.y - PILL / 2, one.x + half, one.y + PILL / 2


def collisions(drawing):
    """What lies on something else in the picture of a drawing, or is nowhere in it."""
    picture, step = picture_of(drawing), drawing.scene.step
    bodies, pills = bodies_of(drawing, picture), list(pills_of(drawing, picture))
    boxes = [*bodies.values(), *pills]
    lines = [((edge.source, edge.target), edge.points) for edge in picture.edges]
    for one in picture.messages:
        message = step.sharing.messages[one.message]
        lines.append(((message.source, message.target), one.points))
    yield from (pair for pair in itertools.combinations(boxes, 2) if overlap(*pair))
    for ends, points in lines:
        for piece, (id, box) in itertools.product(segments(points), bodies.items()):
            if id not in ends and meets(piece, box):
                yield ends, id
    yield from (box for box in boxes if box[0] < 0 or box[2] > picture.width)
    ids = sorted(id for card in picture.cards for id in card.members)
    yield from {*step.sharing.cards.outline.ids}.symmetric_difference(ids)
    yield from (id for id, other in itertools.pairwise(ids) if id == other)


# tests -------------------------------------------------------------------------------------------


@every
def test_nothing_lies_on_something_else_and_nothing_is_lost(found, name):
    _, drawing, picture = found[name]
    assert list(collisions(drawing)) == []
    width = float(re.search(r'width="([\d.]+)"', drawing.svg)[1])
    assert picture.width <= width <= 940


@every
def test_what_travels_is_what_the_partition_says(found, name):
    parts, drawing, picture = found[name]
    step = drawing.scene.step
    values, homes = step.sharing.cards.outline.values, step.sharing.homes
    sent = [(values[m.value].order, homes[m.target]) for m in step.sharing.messages]
    assert sorted(sent) == sorted((n.order, w) for n, ws in parts.crossing.items() for w in ws)
    assert {one.message for one in picture.messages} == {*range(len(sent))}
    assert re.search(rf"^{len(sent)} messages? between workers, ", drawing.text, re.M)


@every
def test_each_value_stands_in_the_lane_of_its_worker(found, name):
    parts, drawing, picture = found[name]
    cards, lanes = drawing.scene.step.sharing.cards, picture.lanes
    placed = {node.order: piece.worker for piece in parts.pieces for node in piece.nodes}
    own = cards.card_of()
    boxes = {card.id: card.box for card in picture.cards}
    for at, value in enumerate(cards.outline.values):
        if value.order in placed and cards.outline.roles[at] != "constant":
            box, word = boxes[own[at]], f"worker {placed[value.order]}"
            around = [lane.word for lane in lanes if lane.box.top < box.y < lane.box.bottom]
            assert around == [word]


@pytest.mark.parametrize("start", range(0, 100, 50))
def test_machine_made_graphs_have_lanes_without_collisions(start):
    drawn = 0
    for seed in range(start, start + 50):
        _, outputs, _ = machine_made(seed)
        scopes = sorted({n.scope for n in find_needed(outputs.values(), ()) if n.scope})
        try:
            parts = workers.partition(outputs, {name: at % 3 for at, name in enumerate(scopes)})
        except mg.MinigradError:
            continue
        drawing = parts.draw()
        if drawing.scene.step:
            assert list(collisions(drawing)) == [], seed
            assert drawing.svg.startswith("<svg")
        drawn += bool(drawing.scene.step)
    assert drawn > 25


def test_the_picture_says_what_a_message_is():
    loss, gradients, places = two_layers()
    drawing = workers.partition([loss, *gradients], places).draw()
    assert drawing.svg.count('class="message"') == 2 and drawing.svg.count(">8 KiB</text>") == 2
    assert "2 messages between workers, 16 KiB in all." in drawing.text
    sent = "Worker 0 sends v6 to worker 1: 32×32 · 8 B = 8 KiB."
    assert sent in drawing.text and f"<title>{sent}</title>" in drawing.svg
    assert "n6 -> n9 (8 KiB)" in drawing.text and "n6_bar -> n5_bar (8 KiB)" in drawing.text
    assert all(f">{words}</text>" in drawing.svg for words in ("worker 0", "worker 1", "message"))


def test_a_result_is_a_result_without_derivatives_too():
    loss, gradients, places = two_layers()
    for outputs in (loss, [loss, *gradients]):
        nodes = workers.partition(outputs, places).draw().scene.nodes
        assert [node.label for node in nodes if node.result] == ["v11"]


def test_an_adjoint_that_comes_from_another_worker_is_in_the_lane_that_computes_it():
    loss, gradients, places = two_layers()
    shared = workers.partition([loss, *gradients], places).draw().scene.step.sharing
    assert shared.homes["n6"] == 0 and shared.homes["n6_bar"] == 1


def test_each_worker_has_its_contribution_and_one_the_sum():
    drawing = workers.partition(*shards(3)).draw()
    assert "Worker 0 sends its contribution to W̄ to worker 2: " in drawing.text
    more = [node.more for node in drawing.scene.nodes if "contribution" in node.more]
    assert [words.partition(" · ")[0] for words in more] == [
        "worker 0, contribution",
        "worker 1, contribution",
    ]
    sums = [node for node in drawing.scene.nodes if node.sign == "+" and node.role == "adjoint"]
    assert [(n.label, n.more.partition(" · ")[0]) for n in sums] == [("W", "worker 2")]


def test_what_is_fed_to_two_workers_stands_in_both_lanes():
    drawing = workers.partition(*two_eyes(0, 1, 2, 2, 2)).draw()
    fed = [n for n in drawing.scene.nodes if n.label == "images"]
    assert [n.more for n in fed] == ["worker 0, fed by the caller", "worker 1, fed by the caller"]


def test_a_line_is_as_wide_as_its_message_is_long():
    widths = [width_of(size) for size in (8, 512, 8 * 2**10, 2**20, 2**40, None)]
    assert widths == [*sorted(widths[:-1]), 2] and len({*widths}) > 3


def test_bytes_of_whole_values_and_of_rows_are_added_apart():
    with mg.Graph():
        rows, one = mg.placeholder("rows", (None, 4)), mg.placeholder("one", (4,))
    said = "3 messages between workers, 64 B and 32 B a row in all."
    assert travel_note([rows, one, one]) == said
    assert travel_note([]) == "0 messages between workers."


def test_what_is_not_computed_yet_is_dashed_and_its_message_grey():
    loss, _, places = two_layers()
    first = workers.partition(loss, places).draw_stages()[0]
    late = {node.label for node in first.scene.nodes if node.mark == "later"}
    assert late == {"W2", "b2", "v9", "v10", "v11"}
    assert ">not computed yet</text>" in first.svg and "gone ghost" in first.svg
    assert "edge gone" not in first.svg, "h is computed, and can be sent"


class Took(NamedTuple):
    """What a piece took."""

    worker: int
    stage: int
    begun: float
    until: float
    seconds: float


TIMES = (Took(0, 0, 0.0, 0.3, 0.22), Took(1, 1, 0.3, 0.6, 0.28), Took(0, 2, 0.6, 1.0, 0.002))


def test_who_works_when_is_drawn_where_it_was_measured():
    loss, gradients, places = two_layers()
    parts = workers.partition([loss, *gradients], places)
    assert "who works when" not in parts.draw().svg and parts.times == ()
    drawing = parts.draw(profile=TIMES)
    assert "Of 1 s, worker 0 computes 22%, worker 1 computes 28%; the rest is" in drawing.text
    tracks = re.findall(r'class="track" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', drawing.svg)
    (x, first, wide), (_, second, _) = (tuple(map(float, track)) for track in tracks)
    bars = re.findall(
        r'class="rim input" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="20"', drawing.svg
    )
    found = [tuple(map(float, bar)) for bar in bars]
    assert [bar[1] for bar in found] == [first, first, second]
    begun = [(bar[0] - x) / wide for bar in found]
    assert begun == pytest.approx([0, 0.6, 0.3], abs=0.001)
    assert [bar[2] / wide for bar in found] == pytest.approx([0.22, 0.003, 0.28], abs=0.001)
    assert all(f">stage {number}</text>" in drawing.svg for number in range(3))


def test_what_says_no_times_is_refused():
    loss, _, places = two_layers()
    for wrong in (3, [1.0], {"a": 1}):
        with pytest.raises(mg.ArgumentError, match="does not say what pieces took"):
            workers.partition(loss, places).draw(profile=wrong)


def long_chain():
    """(y, places) of a chain of more steps than lanes hold."""
    with mg.Graph():
        with mg.name_scope("a"):
            y = mg.tanh(mg.placeholder("x", (4,)))
        with mg.name_scope("b"):
            for _ in range(LONG):
                y = mg.tanh(y)
    return y, {"a": 0, "b": 1}


def test_more_than_sixty_cards_are_drawn_in_colours_and_it_says_so():
    drawing = workers.partition(*long_chain()).draw()
    assert drawing.scene.step is None
    assert "Drawn without lanes: 62 cards are more than one picture holds." in drawing.text
    assert {node.fill for node in drawing.scene.nodes} >= {"b0", "b1"}
    assert "1 message between workers, 32 B in all." in drawing.text


def test_values_on_no_worker_are_drawn_in_colours_and_it_says_so():
    loss, _, _ = two_layers()
    drawing = mg.draw(loss, mode="workers", placed={})
    assert drawing.scene.step is None and "values are on no worker" in drawing.text


def test_what_is_asked_to_be_opened_or_near_is_drawn_in_colours():
    loss, _, places = two_layers()
    parts = workers.partition(loss, places)
    assert parts.draw(depth=2).scene.step is None and parts.draw().scene.step


def test_lanes_need_no_layout_engine(monkeypatch):
    monkeypatch.setattr(engine, "is_available", lambda name: False)
    loss, _, places = two_layers()
    assert workers.partition(loss, places).draw().picture[1] == ""


def test_a_picture_is_the_same_under_every_seed_of_hashes():
    script = (
        "import sys; sys.path.insert(0, 'tests');"
        "from draw.test_workers import shards; from minigrad import workers;"
        "print(workers.partition(*shards(3)).draw().svg)"
    )
    one, other = printed_under_two_seeds(script)
    assert one == other and one.startswith(b"<svg")


def test_a_picture_can_be_saved_in_each_form(tmp_path):
    drawing = workers.partition(*shards(2)).draw()
    for suffix in ("svg", "html", "dot", "pdf", "png"):
        assert drawing.save(tmp_path / f"one.{suffix}").stat().st_size > 1000
