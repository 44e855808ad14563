"""Machine-made graphs of every kind and size: no drawing of them is empty, and none says what is
not true.

Both engines and objects of nobody's; chains, tangles, fan-out, scopes, loops within loops, modules;
every mode. What is shown is compared with the graph itself, counted by another way.
"""

import random
import re

import numpy as np
import pytest
from draw.toy import Add, Exp, Mul, apply, leaf

import minigrad as mg
from minigrad.draw import draw
from minigrad.draw.explore import MOST, ROOM
from minigrad.draw.paint.listing import LONGEST

BUDGET = 60
MODES = ("forward", "mirror", "backward", "tangent", "loop")


def below(y):
    """The values that y was computed from, and y: counted without the package."""
    found, waiting = {}, [y]
    while waiting:
        value = waiting.pop()
        if id(value) not in found:
            found[id(value)] = value
            waiting += value.inputs
    return found


def tangle(rng, size):
    """Ops on any earlier values, some in scopes; the last one sums up what nobody used."""
    values = [leaf(1.0, f"x{k}", requires_grad=True) for k in range(rng.randint(1, 9))]
    unused = {id(v): v for v in values}
    for k in range(size):
        op = rng.choice((Add, Mul, Exp))
        xs = [rng.choice(values[-rng.choice((2, 30, 10**6)) :]) for _ in range(2 - (op is Exp))]
        scope = rng.choice(("", "", f"block{k // 12}", f"block{k // 12}/inner{k // 5 % 2}"))
        values.append(apply(op, *xs, data=float(k), scope=scope))
        unused = {i: v for i, v in unused.items() if v not in xs} | {id(values[-1]): values[-1]}
    return apply(Add, *unused.values(), data=0.0)


def fan(rng, size):
    """Values that each user reads, 100 of them at once: dense beyond what can be laid out."""
    values = [leaf(1.0, requires_grad=True)]
    for _ in range(size // 10):
        values.append(apply(Mul, *values[-100:], data=1.0))
    return values[-1]


def tensors(rng, size):
    """A net of Tensors: equal layers, with a break in the pattern somewhere."""
    x = mg.tensor(np.ones((2, 3)), requires_grad=True, name="x")
    h, broken = x, rng.randrange(size // 4)
    for k in range(size // 4):
        h = mg.tanh(h @ mg.tensor(np.eye(3), requires_grad=True) + float(k % 2))
        h = mg.exp(-h) if k == broken else h
    return mg.sum(h)


def net(rng, size):
    """A net of modules."""
    parts = [part for _ in range(size // 6) for part in (mg.nn.Linear(3, 3), mg.nn.ReLU())]
    return mg.sum(mg.nn.Sequential(*parts)(mg.tensor(np.ones((1, 3)), requires_grad=True)))


def loops(rng, size):
    """Nodes: loops one after another, some with a loop or a choice inside, some in a scope."""
    with mg.Graph():
        h, xs = mg.placeholder("h", shape=(2,)), mg.placeholder("xs", shape=(3, 2))
        for k in range(max(1, size // 12)):
            with mg.name_scope(f"part{k}"):
                if rng.random() < 0.5:
                    h = mg.scan(lambda h, x: (mg.tanh(h * x) + 1.0, None), h, xs)[0]
                else:
                    h = mg.while_loop(
                        lambda h: mg.max(h) < 9.0,
                        lambda h: mg.scan(lambda s, x: (s + x, None), h, xs)[0] * 2.0 + 1.0,
                        h,
                    )
        return mg.sum(h)


KINDS = (tangle, fan, tensors, net, loops)
SIZES = (12, 70, 700)


CASES = [
    *((kind, size) for kind in KINDS[:4] for size in (12, 70, 700)),
    *((loops, size) for size in (12, 70)),
]


def check_scene(drawing, truth, mode):
    """What a drawing says of a graph of so many values."""
    scene = drawing.scene
    primals = [node for node in scene.nodes if not node.of]
    assert scene.nodes and scene.edges
    assert len(primals if scene.halves else scene.nodes) <= BUDGET or mode == "loop"
    if mode in ("forward", "loop"):
        assert drawing.svg.count('class="node"') == len(scene.nodes)
    assert f": {len(scene.nodes)} nodes, {len(scene.edges)} edges" in drawing.text
    assert len(drawing.text.splitlines()) <= LONGEST
    if mode in ("forward", "mirror", "tangent"):
        assert scene.total == truth
        folded = [re.search(r"([\d,]+) (?:earlier )?values", n.call) for n in primals]
        told = [int(found[1].replace(",", "")) if found else 1 for found in folded]
        assert sum(told) <= len(scene.owners) == truth  # the others stand in signs
        for note in scene.notes:
            for count in re.findall(r"^([\d,]+) nodes; drawing", note):
                assert int(count.replace(",", "")) == truth


def calls_in(notes):
    """The calls that notes suggest."""
    return re.findall(r"draw\(y(?:, [^()]*)?\)", " ".join(notes))


@pytest.mark.parametrize("kind, size", CASES)
def test_no_drawing_is_empty_or_false_and_each_call_works(kind, size):
    rng = random.Random(f"{kind.__name__} {size}")
    y = kind(rng, size)
    truth = len(below(y))
    for mode in MODES if kind is loops else MODES[:4]:
        drawing = draw(y, mode=mode)
        check_scene(drawing, truth, mode)
        for call in calls_in(drawing.scene.notes):
            other = eval(call, {"draw": draw, "y": y})
            assert other.scene.nodes, call
            assert mode != "forward" or other.picture[0], call
            assert other.scene != drawing.scene, f"{call} shows nothing else"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_each_click_leads_to_what_its_call_draws(kind):
    y = kind(random.Random(kind.__name__), 30)
    views = draw(y, budget=BUDGET // 3).views
    assert len(views) <= MOST and sum(len(v.drawing.scene.nodes) for v in views) <= ROOM + BUDGET
    for view in views:
        check_scene(view.drawing, len(below(y)), "loop" if kind is loops else "forward")
        for handle, to in view.moves.items():
            if isinstance(to, str):
                other = eval(to, {"draw": draw, "y": y}).scene
                assert other.nodes, to
            else:
                other = views[to].drawing.scene
            assert (other.nodes, other.edges) != (view.drawing.scene.nodes, ()), handle


@pytest.mark.parametrize("kind", [tensors, loops], ids=lambda kind: kind.__name__)
def test_no_player_is_without_a_picture(kind):
    y = kind(random.Random(0), 400 if kind is tensors else 30)
    if kind is loops:
        feeds = {
            v: np.ones(v.shape) for v in below(y).values() if not v.inputs and v.name in ("h", "xs")
        }
        player = mg.player(y, feeds)
    else:
        player = mg.player(y)
    assert player.picture is not None and player.body.count("<img") == 1
    nodes = {node.id for node in player.picture.scene.nodes}
    for event in player.trace.events:
        assert player.picture.node_of(event.inner or event.node) in nodes
