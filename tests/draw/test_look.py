"""Colours that can be read, boxes that hold their text, a key that says what is drawn."""

import re

import pytest
from draw.toy import Add, apply, leaf, worked

from minigrad.draw import draw
from minigrad.draw.layout.boxes import (
    BOLD,
    ITALIC,
    REGULAR,
    ROMAN,
    body_width,
    card_of,
    name_width,
    side_width,
    text_width,
)
from minigrad.draw.look import DARK, EDGES, FRAMES, LIGHT, ROLES, style_sheet


def luminance(colour):
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(one, other):
    """The WCAG contrast of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_computed_as_wcag_does():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("role", ROLES)
def test_text_is_legible_on_its_own_ground_and_on_that_of_a_card(role):
    look = ROLES[role]
    assert contrast(look.stroke, look.fill) >= 4.5
    assert contrast(look.dark_stroke, look.dark_fill) >= 4.5
    for theme, fill in ((LIGHT, look.fill), (DARK, look.dark_fill)):
        if role != "result":  # which is ink itself
            assert contrast(theme["ink"], fill) >= 7
            assert contrast(theme["muted"], fill) >= 4.5


@pytest.mark.parametrize("kind", EDGES)
def test_lines_stand_out(kind):
    light, dark = EDGES[kind].colours
    assert contrast(light, LIGHT["card"]) >= 3 and contrast(dark, DARK["card"]) >= 3
    for frame in FRAMES.values():
        look = ROLES[frame.role]
        assert contrast(light, look.fill) >= 3 and contrast(dark, look.dark_fill) >= 3


def test_text_is_legible_on_the_card():
    for theme in (LIGHT, DARK):
        assert contrast(theme["ink"], theme["card"]) >= 7
        assert contrast(theme["muted"], theme["card"]) >= 4.5
        assert contrast(theme["sign"], theme["badge"]) >= 7


def test_both_themes_are_in_the_style_sheet():
    light, dark = style_sheet().split("@media (prefers-color-scheme: dark)")
    for role, look in ROLES.items():
        assert f".{role} {{ stroke: {look.rim}; fill: {look.fill} }}" in light
        assert f".{role} {{ stroke: {look.dark_rim}; fill: {look.dark_fill} }}" in dark


def test_widths_of_arial_and_times():
    assert len(REGULAR) == len(BOLD) == 95
    assert len(ITALIC) == len(ROMAN) == 95 + 25  # and the letters from α to ω
    assert text_width("minigrad", 1000) == 833 + 222 + 556 + 222 + 556 + 333 + 556 + 556
    assert text_width("m", 12, "bold") == pytest.approx(10.668)
    assert text_width("w\u0304", 10) == text_width("w", 10)
    assert text_width("日", 10) == 10
    assert text_width("αw", 1000, "math") == 525 + 667


@pytest.mark.parametrize("name", ["x", "a_rather_long_variable_name", "日本語", "WWWW", "iiii"])
def test_boxes_hold_their_text(name):
    y = apply(Add, leaf(1.0, name), leaf(2.0, name, requires_grad=True), name=name, data=3.0)
    for node in draw(y, mode="mirror").scene.nodes:
        for across in (True, False):
            card = card_of(node, across)
            assert card.w >= name_width(node.label) + side_width(node) + 20
            assert card.w >= body_width(node) and card.h >= 30
            assert all(length % 2 == 0 for length in (card.w, card.h))


def test_the_key_names_what_is_drawn_and_nothing_else():
    plain = draw(apply(Add, leaf(1.0), data=2.0)).svg
    for word in ("variable", "adjoint", "value", "not computed yet"):
        assert f">{word}</text>" not in plain
    mirrored = draw(worked()[-1], mode="mirror").svg
    adjoint = "adjoint (derivative)"
    for word in ("variable", adjoint, "value", "not computed yet", "saved for backward"):
        assert f">{word}</text>" in mirrored
    assert ">contribution</text>" not in mirrored


def test_the_key_is_one_line():
    svg = draw(worked()[-1], mode="mirror").svg
    assert len(re.findall(r'<g transform="translate\(16 [\d.]+\)">', svg)) == 1


def test_a_result_is_white_on_ink():
    svg = draw(apply(Add, leaf(1.0, "x"), name="y", data=2.0)).svg
    node = svg.split('<g id="n1"')[1].split("\n")[0]
    assert '<rect class="rim result"' in node and 'class="name start result-ink"' in node
    assert '<rect class="rim input"' in draw(leaf(1.0, "x")).svg  # what is fed stays what it is


def test_a_sign_stands_on_the_left_rim_and_a_long_word_on_the_upper_one():
    y = apply("tanh", apply("cross_entropy", leaf(1.0, "x"), leaf(2.0, "t")))
    scene = draw(y).scene
    long, short = (card_of(node) for node in scene.nodes if node.role == "op")
    assert long.top > 0 == long.left and short.left > 0 == short.top
    assert card_of(scene.nodes[-1], across=False).top > 0


def test_shares_stand_on_their_edges():
    x, w, a, b, y = worked()
    svg = draw(y, mode="mirror", adjoints=[(w, 5.0, [(a, 2.0), (b, 3.0)])]).svg
    chips = re.findall(r'<g class="chip" data-from="(\w+)" data-to="n1_bar">.*>([^<]*)</text>', svg)
    assert chips == [("n2_bar", "+2"), ("n4_bar", "+3")]


def test_a_scope_has_a_frame_with_its_name():
    inner = leaf(1.0, "layer1/w", scope="layer1/deep")
    svg = draw(apply(Add, inner, scope="layer1")).svg
    assert svg.count('<rect class="scope scope-frame"') == 2
    assert ">layer1</text>" in svg
    assert ">deep</text>" in svg


def test_a_name_inside_its_scopes_frame_is_short():
    node = draw(leaf(1.0, "layer1/w", scope="layer1")).scene.nodes[0]
    assert node.texts() == ["w = 1"] and node.label == "w"
    assert node.name == "layer1/w"
