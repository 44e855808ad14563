"""Numbers in lanes: what is known of a training step stands on its cards, what adjoints are summed
of on lines, and what loops carried on their cards."""

import operator
import re
from importlib import import_module

import numpy as np
import pytest
from draw.picture_reading import Line, Picture
from draw.readable import CRITERIA, Subject
from draw.readable_graphs import Sample, adjoint_ids
from draw.svg_geometry import extent_of
from draw.svg_reading import Reader, text_runs
from draw.test_lanes import feed, player
from draw.training_steps import adam, build, clipping, descend, momentum

import minigrad as mg
from minigrad.draw.paint.upright import PHONE
from minigrad.draw.read.bodies import loop_of
from minigrad.draw.trace.history import loop_history

SCALARS = ("toy", "baydin", "newton", "second", "loop")


def known_values(graph):
    """{node: number} of a graph after a run of all its nodes, for inputs of 1, or of feed()."""
    fed = {x: number % 3 if x.shape else 1.0 for x, number in feed(graph).items()}
    nodes = [n for n in graph.nodes if isinstance(n.dtype, np.dtype)]
    return dict(zip(nodes, mg.Session(graph).run(nodes, fed)))


def draw_known(graph, **options):
    """The Drawing of a graph whose values are known."""
    return mg.draw(graph, values=known_values(graph), **options)


def random_scalars(seed):
    """A training step of single numbers, of which most are used several times."""
    rng = np.random.default_rng(seed)
    with mg.Graph() as graph:
        variables = [mg.Variable(1.5 - k, f"w{k}") for k in range(rng.integers(1, 4))]
        values = [*variables, mg.placeholder("x")]
        for _ in range(rng.integers(3, 12)):
            one, other = (values[-rng.integers(1, 1 + min(5, len(values)))] for _ in range(2))
            pair = [operator.add, operator.mul, operator.sub][rng.integers(3)]
            values.append(pair(one, other) if rng.random() < 0.7 else mg.sin(one))
        loss = values[-1] + sum(v * v for v in variables)
        [descend, momentum, clipping, adam][rng.integers(4)](loss, variables)
    return graph


def chips(svg):
    """(from, to, number) of each chip in a picture."""
    pattern = r'<g class="chip" data-from="(\w+)" data-to="(\w+)">.*?>([^<>]+)</text></g>'
    return [(*ends, float(text.replace("−", "-"))) for *ends, text in re.findall(pattern, svg)]


def check_sums(drawing, svg=None, role="adjoint"):
    """The chips; asserts that those into one derivative add up to its number."""
    found, sums = chips(svg or drawing.svg), {}
    for _, target, number in found:
        sums.setdefault(target, []).append(number)
    for target, parts in sums.items():
        node = drawing.scene.node(target)
        arrows = [e for e in drawing.scene.edges if e.target == target and e.kind == role]
        assert 1 < len(parts) == len(arrows), "all of a sum, or none"
        assert sum(parts) == pytest.approx(float(node.number), rel=2e-3, abs=2e-3)
    return found


def covered(svg):
    """(words of a chip, what it covers): cards, badges, texts, other chips, other lines."""
    reader, cards = Reader(svg), Picture(svg).cards.values()
    shapes = [one for one in reader.elements if one.tag != "text"]
    runs = [run for one in reader.elements if one.tag == "text" for run in text_runs(one)]
    texts = [(run.words, run.extent, run.element.group("chip")) for run in runs]
    bodies = [(card.id, part, None) for card in cards for part in (card.extent, *card.badges)]
    pills = [("".join(one.group("chip").itertext()), one.extent(), one.group("chip"))
             for one in shapes if one.group("chip") is not None]  # fmt: skip
    for words, extent, chip in pills:
        for what, other, group in (*texts, *bodies, *pills):
            if (group is None or group is not chip) and min(extent.overlap(other)) > 1:
                yield words, what
        for line in shapes:
            group = line.group("data-from")
            group = line.group("stub") if group is None else group
            if "edge" in line.classes and group is not None and not is_of_line(chip, group):
                points = Line("", "", np.concatenate(line.outlines())).closely()
                if any(extent.shrink(1).encloses(extent_of(point[None])) for point in points):
                    yield words, dict(group.attrib)


def is_of_line(chip, group):
    """Whether a chip stands on the line, or the stub, of a group."""
    ends = chip.get("data-from"), chip.get("data-to")
    if group.get("data-from"):
        return ends == (group.get("data-from"), group.get("data-to"))
    card, names = group.get("data-card"), group.get("data-names").split()
    return any(one == card and other.removesuffix("_bar") in names
               for one, other in (ends, ends[::-1]))  # fmt: skip


def test_what_an_adjoint_is_the_sum_of_stands_on_the_lines():
    drawing = draw_known(build("toy"))
    assert chips(drawing.svg) == [("n2_bar", "n1_bar", 2.0), ("n4_bar", "n1_bar", 2.0)]
    assert "n2_bar -> n1_bar (2)" in drawing.text and ">contribution<" in drawing.svg
    assert "chip" not in mg.draw(build("toy")).svg, "nothing is known"
    assert "chip" not in draw_known(build("residual")).svg, "of arrays nothing is said"


def test_numbers_stand_on_cards_that_hold_one():
    nodes = {node.id: node.number for node in draw_known(build("toy")).scene.nodes}
    assert nodes == {"n0": "1", "n1": "1", "n2": "2", "n4": "2", "n5": "4", "n5_bar": "",
                     "n4_bar": "2", "n2_bar": "2", "n1_bar": "4", "n1_update": "0.6"}  # fmt: skip
    graph = build("mlp")
    (loss,) = (number for node, number in known_values(graph).items()
               if node.op.__name__ == "CrossEntropy")  # fmt: skip
    numbers = [node.number for node in draw_known(graph).scene.nodes]
    assert [*filter(None, numbers)] == [f"{loss:.4g}"], "all others are arrays"


def test_an_update_of_several_variables_shows_its_own():
    graph = random_scalars(7)  # with Adam
    updates = {node.name: node.number for node in draw_known(graph).scene.nodes
               if node.id.endswith("_update")}  # fmt: skip
    known = known_values(graph)
    for node, number in known.items():
        if node.op.__name__ == "Assign" and node.inputs[0].name in ("w0", "w1", "w2"):
            assert updates[node.inputs[0].name] == f"{number:.4g}"
    assert {*updates} == {"w0", "w1", "w2", "steps"}


@pytest.mark.parametrize("name", SCALARS)
def test_pictures_with_numbers_can_be_read(name):
    drawing = draw_known(build(name))
    for svg in (drawing.svg, drawing.portrait):
        check_sums(drawing, svg)
        assert Picture(svg).faults() == {} and not [*covered(svg)]
    assert drawing.scene.mode == "step" and Picture(drawing.svg).width <= 940


def test_random_steps_of_numbers_can_be_read():
    found = []
    for seed in range(30):
        drawing = draw_known(random_scalars(seed))
        found += check_sums(drawing) if drawing.scene.mode == "step" else []
        assert Picture(drawing.svg).faults() == {} and not [*covered(drawing.svg)], seed
    assert len(found) >= 10


def test_random_steps_of_numbers_can_be_read_on_a_phone():
    found = []
    for seed in range(30):
        drawing = draw_known(random_scalars(seed))
        if drawing.scene.mode == "step":
            found += check_sums(drawing, drawing.portrait)
            picture = Picture(drawing.portrait)
            assert picture.faults() == {} and not [*covered(drawing.portrait)], seed
            assert picture.width <= PHONE or not chips(drawing.portrait), seed
    assert len(found) >= 60


def test_each_contribution_has_a_place_on_a_phone():
    drawing = draw_known(build("toy"))
    assert chips(drawing.portrait) == chips(drawing.svg)
    assert 'data-card="n2_bar" data-names="n1"' in drawing.portrait, "beside its first user, too"
    assert 'data-card="n2_bar"' not in mg.draw(build("toy")).portrait, "nothing is known"
    assert "contribution" in drawing.portrait


@pytest.mark.parametrize("name", SCALARS)
def test_numbers_leave_no_criterion_unmet(name):
    graph = build(name)
    ids = {node.order: f"n{at}" for at, node in enumerate(graph.nodes)}
    unmet = []
    for drawing in (mg.draw(graph), draw_known(graph)):
        sample = Sample(drawing, [*ids.values()], dict(adjoint_ids(graph.nodes, ids)))
        subject = Subject(name, sample)
        unmet.append({word for word, check in CRITERIA.items() if not check(subject).is_met})
    assert unmet[1] <= unmet[0] and not unmet[0] & {"size", "edge length", "overlaps", "owners"}


def test_what_one_card_contributes_twice_stands_there_as_one_number():
    with mg.Graph() as graph:
        w = mg.Variable(3.0, "w")
        descend(w * w + mg.sin(w), [w])
    found = check_sums(draw_known(graph))
    assert [(target, round(number, 3)) for _, target, number in found] == [
        ("n0_bar", 6.0),
        ("n0_bar", -0.99),
    ]


def test_a_player_has_chips_where_both_ends_show_numbers():
    shown = player("toy")
    assert chips(shown.drawing().svg) == [("n2_bar", "n1_bar", 2.0), ("n4_bar", "n1_bar", 1.0)]
    first = next(e.step for e in shown.trace.events if e.edge == ("n4", "n1"))
    assert not chips(shown.drawing(first).svg)
    assert len(chips(shown.drawing(first + 1).svg)) == 1
    assert not chips(player("baydin").drawing().svg), "a part of a sum comes from a mere name"


# loops -------------------------------------------------------------------------------------------


def recurrent():
    """A training step of a recurrent net of one number: h = tanh(w h + u x[t]), fed with four."""
    with mg.Graph() as graph:
        x, h = mg.placeholder("x", (4,)), mg.placeholder("h")
        w, u = mg.Variable(0.5, "w"), mg.Variable(1.5, "u")
        last, hs = mg.scan(lambda h, x: (mg.tanh(w * h + u * x),) * 2, h, x)
        descend(last * last + mg.sum(hs), [w, u])
    return graph


def in_a_net():
    """A training step of a net with a loop between two layers."""
    with mg.Graph() as graph:
        x, t = mg.placeholder("X", (8, 4)), mg.placeholder("t", (8,), dtype=int)
        W, V, U = (mg.Variable(np.eye(4)[:, :k] / 2, n) for k, n in ((4, "W"), (4, "V"), (3, "U")))
        h = mg.while_loop(lambda h: mg.sum(h * h) > 1.0, lambda h: mg.tanh(h @ V), x @ W)
        descend(mg.cross_entropy(h @ U, t), [W, V, U])
    return graph


@pytest.mark.parametrize("make", [recurrent, in_a_net])
def test_a_loop_is_one_card_in_lanes(make):
    graph = make()
    for drawing in (mg.draw(graph), draw_known(graph)):
        assert drawing.scene.mode == "step" and Picture(drawing.svg).faults() == {}
        assert drawing.scene.owners.keys() == {f"n{at}" for at in range(drawing.scene.total)}
        (card,) = [node for node in drawing.scene.nodes if node.formula]
        assert card.sign == "↻"


def test_a_loop_tells_what_it_carried_and_the_adjoints_of_that():
    (card,) = [node for node in draw_known(build("loop")).scene.nodes if node.strip]
    assert [*card.strip.texts()] == [
        "v: 1, 2, 4, 8",
        "v̄: 128, 64, 32, 16",
        "into w̄: +64, +64, +64, Σ = 192",
    ]
    assert "3 times" in " ".join(card.formula_texts())
    assert not any(node.strip for node in mg.draw(build("loop")).scene.nodes)


def test_a_loop_whose_numbers_are_known_runs_once(monkeypatch):
    runs = []

    def count(z, *given):
        runs.append(z)
        return loop_history(z, *given)

    monkeypatch.setattr(import_module("minigrad.draw.make"), "loop_history", count)
    graph = build("loop")
    draw_known(graph)
    loops = [node for node in graph.nodes if loop_of(node)]
    assert len(runs) == len(loops) == len({*runs})


def test_a_loop_with_several_results_says_which_each_is_and_whose_adjoint_its_own_is():
    scene = mg.draw(recurrent()).scene
    assert [node.sign for node in scene.nodes if node.sign][1:3] == ["last", "stack"]
    (same,) = [node for node in scene.nodes if node.call == "adjoint of v4"]
    assert same.lines == ("v̄5, v̄6",)
