"""Programs in the words of other libraries, run here with their imports renamed.

`python tests/peers/programs.py`, where those libraries are installed, writes what they compute to
programs.json. Where a line must say something else here, this stands above it, after `# here: `.
"""

import json
import re
from pathlib import Path

import numpy as np

LIBRARIES = {  # by the first word of a program's name
    "hips": "HIPS autograd",
    "jax": "JAX",
    "micrograd": "micrograd",
    "pytorch": "PyTorch",
    "tensorflow": "TensorFlow 1",
}
FOLDER = Path(__file__).parent / "programs"
FILE = Path(__file__).with_name("programs.json")
IMPORTS = {  # by the same word: a line there → lines here
    "hips": {
        "import autograd.numpy as np": "import numpy as np",
        "import autograd.numpy.random as npr": "import numpy.random as npr",
        "from autograd.extend import defvjp, primitive": "from minigrad import custom_op",
        "hessian_vector_product, value_and_grad\n": (
            "hvp, value_and_grad\nfrom functools import partial\n"
            "hessian_vector_product = partial(partial, hvp)\n"
        ),
        "from autograd import": "from minigrad import",
        "from autograd.scipy.special import": "from minigrad import",
    },
    "jax": {
        "import jax\n": "import minigrad as jax\n",
        "import jax.numpy as jnp": "import minigrad as jnp",
        "from jax import grad, jit, value_and_grad": (
            "from minigrad import function as jit\nfrom minigrad import grad, value_and_grad"
        ),
    },
    "micrograd": {
        "from micrograd.engine import Value": (
            "from functools import partial\nimport minigrad\n"
            "Value = partial(minigrad.tensor, requires_grad=True, dtype=float)"
        ),
    },
    "pytorch": {"import torch\n": "import minigrad as torch\n"},
    "tensorflow": {"import tensorflow as tf": "import minigrad as tf"},
}
CHANGED = re.compile(r"^( *)# here: (.*)\n.*$", re.MULTILINE)
PROGRAMS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py"))}


def renamed(name):
    """The program as it is written here."""
    source = CHANGED.sub(r"\1\2", PROGRAMS[name])
    for line, ours in IMPORTS[name.split("_")[0]].items():
        source = source.replace(line, ours)
    return source


def table():
    """Rows for a reader: a library, how many of its programs run unchanged, what else differs."""
    changed = {name: len(CHANGED.findall(source)) for name, source in PROGRAMS.items()}
    for word, library in LIBRARIES.items():
        counts = {n.partition("_")[2]: count for n, count in changed.items() if n.startswith(word)}
        rest = ", ".join(f"{n} lines in `{name}`" for name, n in counts.items() if n)
        yield f"| {library} | {list(counts.values()).count(0)} of {len(counts)} | {rest} |"


def run(name, source):
    """{what: array} of what a program leaves in RESULT."""
    space = {"__name__": name}
    exec(compile(source, f"{name}.py", "exec"), space)
    return {what: flat(found) for what, found in space["RESULT"].items()}


def flat(found):
    """Numbers, arrays and values of any library in one row."""
    if isinstance(found, dict):
        found = list(found.values())
    if isinstance(found, (list, tuple)):
        return np.concatenate([flat(each) for each in found])
    return np.ravel(
        np.asarray(found.detach().numpy() if hasattr(found, "detach") else found, float)
    )


if __name__ == "__main__":
    stored = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for name, source in PROGRAMS.items():
        try:
            stored[name] = {what: row.tolist() for what, row in run(name, source).items()}
        except ImportError as error:
            print(f"{name} is as before: {error}")
    lines = [f"{json.dumps(name)}: {json.dumps(stored[name])}" for name in sorted(stored)]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    for name, source in PROGRAMS.items():
        print(f"{name:36} {len(CHANGED.findall(source))} lines of {source.count(chr(10))} differ")
    print("\n".join(table()))
