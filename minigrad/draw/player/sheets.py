"""The script and the style sheets that every player brings with it, in the palette of drawings."""

import hashlib
import json
from functools import cache
from pathlib import Path

from minigrad.draw.look import DARK, FONT, LIGHT, ROLES, fixed_rules, theme_rules

FOLDER = Path(__file__).parent
CODE = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace"
PHASES = {"forward": "input", "run": "input", "backward": "adjoint", "tangent": "tangent"}
QUIET = {False: "#4A5560", True: "#B4BEC8"}  # small print: 7 to 1 on the card


@cache
def script():
    """(the tag's name, the script): the name tells versions apart that meet on one page."""
    code = "\n".join(
        (FOLDER / name).read_text(encoding="utf-8") for name in ("../paint/element.js", "player.js")
    )
    sheets = json.dumps(style_sheets())
    mark = hashlib.sha256((code + sheets).encode()).hexdigest()[:10]
    tag = f"minigrad-player-{mark}"
    return tag, f'(() => {{\n{code}\ndefinePlayer("{tag}", {sheets});\n}})();'


def style_sheets():
    """The rules of both themes, and those that depend on the theme."""
    base = (FOLDER / "player.css").read_text(encoding="utf-8")
    fixed = f":host {{ --font: {FONT}; --code: {CODE} }}"
    return {
        "base": "\n".join([fixed, *fixed_rules(), base]),
        "light": "\n".join([variables(LIGHT, dark=False), *theme_rules(LIGHT, dark=False)]),
        "dark": "\n".join([variables(DARK, dark=True), *theme_rules(DARK, dark=True)]),
    }


def variables(theme, dark):
    """The colours of one theme, under the names that player.css uses."""
    names = {
        "ink": theme["ink"],
        "card": theme["card"],
        "rim": theme["rim"],
        "quiet": QUIET[dark],
        "line": colour("constant", dark)[0],
        "focus": colour("input", dark)[0],
        "hover": colour("input", dark)[1],
        "current": colour("input", dark)[1],
    }
    rules = [f":host {{ {'; '.join(f'--{name}: {value}' for name, value in names.items())} }}"]
    for phase, role in PHASES.items():
        stroke, fill = colour(role, dark)
        rules.append(f".phase.{phase} {{ background: {fill}; border-color: {stroke} }}")
        rules.append(f".memory .{phase} {{ fill: {stroke}; stroke: none }}")
    return "\n".join(rules)


def colour(role, dark):
    """(stroke, fill) of a role."""
    look = ROLES[role]
    return (look.dark_stroke, look.dark_fill) if dark else (look.stroke, look.fill)
