"""Colours that can be read, boxes that hold their text, a key that says what is drawn."""

import pytest
from draw.toy import Add, apply, leaf, worked

from minigrad.draw import draw
from minigrad.draw.layout.boxes import BOLD, REGULAR, box_size, line_width, text_width
from minigrad.draw.look import DARK, LIGHT, ROLES, style_sheet


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
def test_text_is_legible_on_every_fill(role):
    look = ROLES[role]
    assert contrast(LIGHT["ink"], look.fill) >= 7
    assert contrast(DARK["ink"], look.dark_fill) >= 7


@pytest.mark.parametrize("role", sorted(set(ROLES) - {"scope"}))  # a frame may be faint
def test_outlines_stand_out(role):
    look = ROLES[role]
    assert contrast(look.stroke, look.fill) >= 3
    assert contrast(look.stroke, LIGHT["card"]) >= 3
    assert contrast(look.dark_stroke, look.dark_fill) >= 3
    assert contrast(look.dark_stroke, DARK["card"]) >= 3


def test_text_is_legible_on_the_card():
    assert contrast(LIGHT["ink"], LIGHT["card"]) >= 7
    assert contrast(DARK["ink"], DARK["card"]) >= 7


def test_roles_differ_in_shape_or_border_not_only_in_colour():
    nodes = ("input", "variable", "constant", "op", "folded")
    assert len({ROLES[role].shape for role in nodes}) == len(nodes)


def test_both_themes_are_in_the_style_sheet():
    light, dark = style_sheet().split("@media (prefers-color-scheme: dark)")
    for role, look in ROLES.items():
        assert f".{role} {{ stroke: {look.stroke}; fill: {look.fill} }}" in light
        assert f".{role} {{ stroke: {look.dark_stroke}; fill: {look.dark_fill} }}" in dark


def test_widths_of_helvetica():
    assert len(REGULAR) == len(BOLD) == 95
    assert text_width("minigrad", 1000) == 833 + 222 + 556 + 222 + 556 + 333 + 556 + 556
    assert text_width("m", 12, bold=True) == pytest.approx(10.668)
    assert text_width("w\u0304", 10) == text_width("w", 10)
    assert text_width("日", 10) == 10


@pytest.mark.parametrize("name", ["x", "a_rather_long_variable_name", "日本語", "WWWW", "iiii"])
def test_boxes_hold_their_text(name):
    y = apply(Add, leaf(1.0, name), leaf(2.0, name, requires_grad=True), name=name, data=3.0)
    for node in draw(y, mode="mirror").scene.nodes:
        width, height = box_size(node)
        assert width >= max(map(line_width, node.lines)) + 6
        assert height >= 14 * len(node.lines)
        assert width % 2 == height % 2 == 0


def test_the_key_names_what_is_drawn_and_nothing_else():
    plain = draw(apply(Add, leaf(1.0))).svg
    assert ">input</text>" in plain
    assert ">operation</text>" in plain
    assert ">variable</text>" not in plain
    assert ">adjoint</text>" not in plain
    mirrored = draw(worked()[-1], mode="mirror").svg
    assert ">variable</text>" in mirrored
    assert mirrored.count(">adjoint</text>") == 2  # the node and the arrow
    assert ">saved for backward</text>" in mirrored


def test_a_result_has_a_double_border():
    svg = draw(leaf(1.0, "x")).svg
    node = svg.split('<g id="n0"')[1].split("</g>")[0]
    assert node.count("<ellipse") == 2
    assert (
        draw(apply(Add, leaf(1.0, "x")))
        .svg.split('<g id="n0"')[1]
        .split("</g>")[0]
        .count("<ellipse")
        == 1
    )


def test_shares_stand_on_their_edges():
    x, w, a, b, y = worked()
    svg = draw(y, mode="mirror", adjoints=[(w, 5.0, [(a, 2.0), (b, 3.0)])]).svg
    assert svg.count(">2</text>") == svg.count(">3</text>") == 2  # the halo and the text


def test_a_scope_has_a_frame_with_its_name():
    inner = leaf(1.0, "layer1/w", scope="layer1/deep")
    svg = draw(apply(Add, inner, scope="layer1")).svg
    assert svg.count('<rect class="scope scope-frame"') == 2
    assert ">layer1</text>" in svg
    assert ">deep</text>" in svg


def test_a_name_inside_its_scopes_frame_is_short():
    node = draw(leaf(1.0, "layer1/w", scope="layer1")).scene.nodes[0]
    assert node.texts() == ["w = 1"]
    assert node.name == "layer1/w"
