"""Long training steps: equal blocks stand in a pile, and a square for each of their nodes."""

import re

import numpy as np
import pytest

import minigrad as mg
from minigrad.draw.read.cards import read_cards
from minigrad.draw.read.outline import outline
from minigrad.draw.read.source import list_results


def build_blocks(count, sizes=None, rate=lambda k: 0.1, scoped=True):
    """(Graph, results) of a step of so many residual blocks; `sizes` are their inner widths."""
    with mg.Graph() as graph:
        h, labels = mg.placeholder("X", shape=(8, 6)), mg.placeholder("t", shape=(8,), dtype=int)
        variables, rates = [], []
        for k in range(count):
            wide = sizes[k] if sizes else 4
            scope = mg.name_scope(f"block{k}") if scoped else mg.name_scope("net")
            with scope:
                names = ("W", "U") if scoped else (f"W{k}", f"U{k}")
                W = mg.Variable(np.full((6, wide), 0.1 + k / 50), names[0])
                U = mg.Variable(np.full((wide, 6), 0.2), names[1])
                h = mg.tanh(h @ W) @ U + h
            variables += [W, U]
            rates += [rate(k), rate(k)]
        loss = mg.cross_entropy(h, labels)
        gradients = mg.gradients(loss, variables)
        updates = [mg.assign(v, v - r * g) for v, r, g in zip(variables, rates, gradients)]
    return graph, [loss, *updates]


def cards_of(graph):
    """The CardSet of a graph."""
    return read_cards(outline(list_results(graph)))


@pytest.mark.parametrize("count", [6, 12, 40])
def test_all_blocks_but_the_first_stand_in_a_pile(count):
    graph, _ = build_blocks(count)
    step = cards_of(graph)
    assert step.tier == "score" and step.piles.blocks == count - 1
    assert step.piles.title == "block0"
    names = {card.name for card in step.cards if card.count > 1}
    assert {f"{count - 1} × {word}" for word in ("block", "backward", "W", "U")} <= names
    assert {"W", "U"} <= {card.name for card in step.cards if card.count == 1}, "without a scope"
    signs = [c.sign for c in step.cards if c.is_operation and c.id in step.piles.open_ids]
    assert signs == ["@", "tanh", "@", "+"]


@pytest.mark.parametrize("count", [6, 12])
def test_every_value_stands_on_one_card(count):
    graph, _ = build_blocks(count)
    step = cards_of(graph)
    members = sorted(at for card in step.cards for at in card.members)
    assert members == [*range(len(step.outline.values))]
    ids = {card.id for card in step.cards}
    assert {end for edge in step.edges for end in (edge.source, edge.target)} <= ids
    assert {card.of for card in step.cards} - {""} <= ids


def test_blocks_without_scopes_are_counted():
    graph, _ = build_blocks(12, scoped=False)
    step = cards_of(graph)
    assert step.piles.title == "block 1" and step.piles.blocks == 11
    assert {"11 × W", "11 × U"} <= {card.name for card in step.cards}


def test_blocks_of_other_shapes_are_no_equal_blocks():
    graph, _ = build_blocks(9, sizes=[4, 4, 4, 4, 4, 5, 6, 7, 8])
    step = cards_of(graph)
    assert step.piles.blocks == 4
    drawn = {card.shape for card in step.cards if card.kind == "variable" and card.count == 1}
    assert {"6×5", "6×6", "6×7", "6×8"} <= drawn


@pytest.mark.parametrize(
    "rate, said", [(lambda k: 0.1, "each W −= 0.1 W̄"), (lambda k: 0.1 + k, "11 updates")]
)
def test_a_pile_of_updates_says_one_only_where_all_read_alike(rate, said):
    _, results = build_blocks(12, rate=rate)
    scene = mg.draw(*results).scene
    texts = {node.id: " ".join(node.lines) for node in scene.nodes if node.count > 1}
    assert said in texts.values()


def test_no_formula_names_a_value_that_is_not_drawn():
    _, results = build_blocks(12)
    scene = mg.draw(*results).scene
    step = scene.step
    hidden = {
        step.cards.outline.ids[card.head]
        for card in step.cards.whole.cards
        if card.id in step.cards.piles.owner
    }
    single = [card.id for card in step.cards.cards if card.count == 1]
    named = {id for card in single if card in step.formulas for id in step.formulas[card].ids()}
    assert named and not named & hidden


def test_a_square_stands_for_every_node():
    _, results = build_blocks(12)
    drawing = mg.draw(*results)
    assert drawing.svg.count("open-block") >= 2, "the frame, and the one around its squares"
    squares = re.findall(r"M[\d.]+ [\d.]+h(\d+)v\1h-\1z", drawing.svg)
    assert len(squares) == drawing.scene.total
    assert f"All {drawing.scene.total:,} nodes, one square each" in drawing.svg
    assert "one square each" not in drawing.portrait
    assert "11 more blocks have the graph of block0" in " ".join(drawing.scene.notes)


def test_a_short_step_has_no_pile():
    graph, results = build_blocks(2)
    assert cards_of(graph).piles is None
    assert "one square each" not in mg.draw(*results).svg


def test_three_thousand_nodes_are_drawn_in_lanes():
    _, results = build_blocks(150)
    drawing = mg.draw(*results)
    assert drawing.scene.total > 3000 and drawing.scene.mode == "step"
    assert len(drawing.scene.nodes) < 40
    assert len(re.findall(r"M[\d.]+ [\d.]+h(\d+)v\1h-\1z", drawing.svg)) == drawing.scene.total
