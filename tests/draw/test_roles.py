"""Roles: what each value of a training step is for, and on which card it stands."""

from collections import Counter

import numpy as np
import pytest
from draw.training_steps import STEPS, build, net, outline_of

import minigrad as mg
from minigrad.draw.read.cards import read_cards
from minigrad.draw.read.formulas import card_formulas
from minigrad.draw.read.outline import outline
from minigrad.draw.read.roles import BACKWARD, FORWARD, SHARED, UPDATE, read_roles
from minigrad.draw.read.source import list_results

TIERS = {
    "forward": "Nothing was differentiated",
}


def named(found, roles, lane):
    """The ops of the values of a lane that are no constants, counted."""
    return Counter(found.ops[at] for at in roles.lane(lane) if found.ops[at] != "Constant")


def card_named(step, kind, name):
    """The only card of a kind and a name."""
    (card,) = [card for card in step.cards if (card.kind, card.name) == (kind, name)]
    return card


@pytest.mark.parametrize("name", STEPS)
def test_every_value_stands_on_exactly_one_card(name):
    found = outline_of(name)
    step = read_cards(found)
    assert sorted(at for card in step.cards for at in card.members) == [*range(len(found.values))]
    assert len({card.id for card in step.cards}) == len(step.cards)
    assert all(card.head in card.members or card.same_as for card in step.cards)


@pytest.mark.parametrize("name", STEPS)
def test_the_tier_is_said_in_one_line(name):
    step = read_cards(outline_of(name))
    wanted = "split graph" if name in TIERS else "score"
    assert step.tier == wanted
    assert TIERS.get(name, "") in step.reason
    assert step.reason.endswith(".") and len(step.reason) < 100


@pytest.mark.parametrize("name", sorted({*STEPS} - {"second", "penalty", "newton", "forward"}))
def test_forward_is_what_the_loss_depends_on(name):
    found = outline_of(name)
    roles = read_roles(found)
    (sweep,) = roles.sweeps
    assert set(roles.lane(FORWARD)) >= found.behind(sweep.seeds)
    assert all(not found.inputs[at] for at in set(roles.lane(FORWARD)) - found.behind(sweep.seeds))


def test_adjoints_are_those_of_the_ledger():
    with mg.Graph() as graph:
        loss, variables = net()
        slopes = mg.gradients(loss, variables)
    found = outline(list_results(graph))
    roles = read_roles(found)
    for variable, slope in zip(variables, slopes):
        assert roles.adjoints[found.place[id(variable)]] == (found.place[id(slope)],)
    assert roles.ends() == (found.place[id(loss)],)


def test_what_several_updates_read_is_shared():
    found = outline_of("clipping")
    roles = read_roles(found)
    assert named(found, roles, SHARED) == Counter(Mul=4, Sum=4, Add=4, Sqrt=1, Maximum=1, Div=1)
    assert named(found, roles, UPDATE) == Counter(Mul=8, Sub=4, Assign=4)
    shared = [card for card in read_cards(found).cards if card.kind == "shared"]
    assert len(shared) == 1 and found.ops[shared[0].head] == "Div" and shared[0].column == 0


def test_the_state_of_an_optimiser_belongs_to_its_parameter():
    found = outline_of("momentum")
    step = read_cards(found)
    card = card_named(step, "update", "W1")
    assert {found.names[at] for at in card.members} >= {"m_W1"}
    assert [found.ops[at] for at in card.members].count("Assign") == 2
    assert not [card for card in step.cards if card.name.startswith("m_")]


def test_a_count_of_steps_has_an_update_of_its_own():
    found = outline_of("adam")
    step = read_cards(found)
    counts = [card for card in step.cards if card.kind == "update" and "steps" in card.name]
    assert len(counts) == 1 and counts[0].column == 0 and not counts[0].of
    kept = {found.names[at] for at in card_named(step, "update", "W1").members}
    assert {name.rpartition(".")[2] for name in kept} >= {"m", "v", "t"}


def test_a_loop_is_one_card_with_its_derivative():
    found = outline_of("loop")
    step = read_cards(found)
    (card,) = [card for card in step.cards if card.kind == "loop"]
    assert [found.ops[at] for at in card.members] == ["While", "Item"]
    slope = card_named(step, "gradient", "w")
    assert {"While", "Scan"} <= {found.ops[at] for at in slope.members}


def test_a_choice_and_a_scan_say_what_they_are():
    with mg.Graph() as graph:
        x, xs, w = mg.placeholder("x"), mg.placeholder("xs", (5,)), mg.Variable(1.0, "w")
        y = mg.cond(x > 0, lambda: x * w, lambda: x - w)
        last, kept = mg.scan(lambda c, t: (c * w + t, c), x, xs)
        mg.gradients(y + last + mg.sum(kept), [w])
    step = read_cards(outline(list_results(graph)))
    signs = [card.sign for card in step.cards if card.is_operation]
    assert signs == [">0", "if", "↻", "last", "stack", "+", "Σ", "+"]
    formulas = card_formulas(step)
    (choice,) = [card for card in step.cards if card.sign == "if"]
    assert " ".join(formulas[choice.id].texts()) == "x, w, v4, through the choice"


def test_an_adjoint_that_is_passed_on_is_the_same():
    step = read_cards(outline_of("mlp"))
    same = [card for card in step.cards if card.same_as]
    assert len(same) == 2 and all(step.card(card.same_as).members for card in same)
    assert all(not card.members for card in same)


def test_constants_stand_in_the_sign_of_their_user():
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        ys = [x + 1, x / 32, 0.1 * x, 1 - x, x**2, 2**x, mg.tanh(x), x - 3, 1 / x]
    step = read_cards(outline(list_results(graph)))
    signs = [step.card(f"n{step.outline.place[id(y)]}").sign for y in ys]
    assert signs == ["+1", "÷32", "×0.1", "1−", "x²", "2ˣ", "tanh", "−3", "1÷"]
    assert not [card for card in step.cards if card.kind == "constant"]


def test_what_one_call_made_is_one_card():
    step = read_cards(outline_of("conv"))
    found = [(card.sign, len(card.members), card.shape) for card in step.cards if card.sign]
    assert ("conv 3×3", 3, "32×4×10×10") in found and ("pool 2×2", 2, "32×4×5×5") in found
    assert [card.name for card in step.cards if (card.lane, card.column) == ("forward", 0)] == [
        "images"
    ]


def test_a_helper_belongs_to_its_only_user():
    with mg.Graph() as graph:
        x, w = mg.placeholder("x", shape=(3, 2)), mg.Variable(np.ones((3, 2)), "w")
        y = mg.sum(x @ mg.transpose(w))
        mg.gradients(y, [w])
    step = read_cards(outline(list_results(graph)))
    card = step.card(step.card_of()[step.outline.place[id(y.inputs[0])]])
    assert [step.outline.ops[at] for at in card.members] == ["Transpose", "Matmul"]


def test_what_the_learner_named_is_no_helper():
    with mg.Graph() as graph:
        x, w = mg.placeholder("x", shape=(3, 2)), mg.Variable(np.ones((3, 2)), "w")
        turned = mg.transpose(w)
        mg.gradients(mg.sum(x @ turned), [w])
    step = read_cards(outline(list_results(graph), {"turned": turned}))
    assert card_named(step, "op", "turned").members == (step.outline.place[id(turned)],)


def test_several_backward_passes_are_said():
    with mg.Graph() as graph:
        loss, variables = net()
        for variable in variables:
            mg.gradients(loss, variable)
    step = read_cards(outline(list_results(graph)))
    assert step.tier == "split graph" and "4 backward passes" in step.reason


def test_what_is_measured_beside_the_loss_is_kept():
    with mg.Graph():
        loss, variables = net()
        scores, labels = loss.inputs
        right = mg.mean(mg.cast(mg.equal(mg.argmax(scores, 1), labels), float))
        slopes = mg.gradients(loss, variables)
        length = mg.sqrt(sum(mg.sum(d * d) for d in slopes))
        found = outline([loss, right, length, *slopes])
    step = read_cards(found)
    roles = step.roles
    assert roles.lanes[found.place[id(right)]] == FORWARD
    assert roles.lanes[found.place[id(length)]] == SHARED
    assert sorted(at for card in step.cards for at in card.members) == [*range(len(found.values))]


def test_an_open_loop_is_no_score():
    graph = build("loop")
    found = outline(list_results(graph), None, lambda id, value: True)
    step = read_cards(found)
    assert step.tier == "split graph" and "open" in step.reason
    assert sorted(at for card in step.cards for at in card.members) == [*range(len(found.values))]


@pytest.mark.parametrize("name", ["mlp", "conv", "adam", "loop"])
def test_a_program_is_read_by_where_it_comes_from(name):
    graph = build(name)
    session = mg.Session(graph)
    fetches = list_results(graph)
    feeds = [node for node in graph.nodes if node.role == "input"]
    found = outline(list(session.compile(fetches, feeds).program.roots()))
    step = read_cards(found)
    assert sorted(at for card in step.cards for at in card.members) == [*range(len(found.values))]


def test_values_of_another_engine_have_only_a_forward_pass():
    x = mg.tensor(2.0, requires_grad=True)
    step = read_cards(outline([mg.sin(x) * x]))
    assert step.tier == "split graph" and not step.roles.sweeps
    assert BACKWARD not in step.roles.lanes and UPDATE not in step.roles.lanes


class Odd:
    """A value of somebody's engine, with an op that is called as one of ours."""

    def __init__(self, op, inputs, params, shape=(2, 2)):
        self.op, self.inputs, self.params, self.shape = op, inputs, params, shape


NAMES = "Sum Add Mul Keep Neg Item While Transpose Assign Reshape ScalarPower Einsum Tied KeepTied"


@pytest.mark.parametrize("params", [None, {}, 7, {"axis": 0, "axes": 1, "size": 2, "index": None}])
@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("op", NAMES.split())
def test_an_odd_engine_is_read_as_it_is(op, count, params):
    leaf = Odd(None, [], None)
    inner = Odd(op, [leaf, Odd("Constant", [], params, ())][:count] * 2, params)
    found = outline([Odd(op, [inner] * count, params), Odd("Group", [inner], params)])
    step = read_cards(found)
    assert sorted(at for card in step.cards for at in card.members) == [*range(len(found.values))]
    assert step.tier == "split graph"
    assert all(formula.rows for formula in card_formulas(step).values())
