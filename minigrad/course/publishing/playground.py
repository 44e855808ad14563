"""The box on the first page that differentiates a typed formula, and the rules that it runs."""

import json
from pathlib import Path

from minigrad.draw import player as player_room

OPERATIONS = {
    "add": lambda x, w: x + w,
    "sub": lambda x, w: x - w,
    "mul": lambda x, w: x * w,
    "div": lambda x, w: x / w,
    "power": lambda x, w: x**w,
    "neg": lambda x: -x,
}
FUNCTIONS = (
    "exp", "log", "log1p", "expm1", "sqrt", "sin", "cos", "tanh", "sigmoid", "softplus",
    "softsign", "abs", "relu", "maximum", "minimum",
)  # fmt: skip
PAIRS = ("add", "sub", "mul", "div", "power", "maximum", "minimum")
START = "(x + w)(w + 1)"
BOX = f"""~~~{{raw}} html
<form class="playground">
<p><label for="typed">Formula:</label> <input id="typed" type="text" value="{START}" maxlength="200"
autocomplete="off" autocapitalize="off" spellcheck="false"> <button>Draw it</button></p>
<div class="refused" role="alert" hidden><p></p><pre></pre></div>
<div class="stage" hidden>
<p class="inputs"></p>
<p><button type="button" class="first">first</button>
<button type="button" class="back">back</button>
<button type="button" class="next">next</button> <button type="button" class="last">last</button>
<span class="count"></span></p>
<div role="status"><p class="say"></p><p class="formula"></p></div>
<div class="drawing" tabindex="0" role="group" aria-label="drawing"></div>
<p class="result"></p>
</div>
<noscript>The box computes in this page and needs JavaScript.</noscript>
</form>
<script defer src="playground.js"></script>
~~~"""


def save_script(folder):
    """Write the script of the box: how ops compute, the engine's rules, and the page's part."""
    values = Path(player_room.__file__).parent / "values.js"
    own = Path(__file__).with_suffix(".js")
    rules = f"const RULES = {json.dumps(list_rules(), separators=(',', ':'))};"
    parts = [values.read_text(encoding="utf-8"), rules, own.read_text(encoding="utf-8")]
    text = "\n".join(["(() => {", *parts, "})();\n"])
    (folder / "playground.js").write_text(text, encoding="utf-8")


def list_rules():
    """Return {operation: its instructions}: `value` and `adjoints` are slots of what it computes
    from its operands and the adjoint of its result."""
    import minigrad as mg

    known = OPERATIONS | {name: getattr(mg, name) for name in FUNCTIONS}
    return {name: read_rule(apply, 2 if name in PAIRS else 1) for name, apply in known.items()}


def read_rule(apply, count):
    """Return the instructions of an operation and of its backward rule, as the engine has them."""
    import minigrad as mg
    from minigrad.draw.player.spec import program_data

    operands = [mg.tensor(2.0 + at, requires_grad=True) for at in range(count)]
    adjoint = mg.tensor(1.0, requires_grad=True)
    trace = mg.player(apply(*operands) * adjoint).trace
    program = program_data(trace)
    contributions = [event.contribution for event in trace.events if event.contribution]
    slots = {one.operand: slot for one, slot in zip(contributions, program["amounts"])}
    ids = [leaf[0] for leaf in program["leaves"]]
    return {
        "constants": program["constants"],
        "code": program["code"],
        "value": count + 1 + len(program["constants"]),
        "adjoints": [slots[id] for id in ids[:count]],
    }
