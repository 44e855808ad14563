"""`python tests/peers`, where PyTorch is installed: writes what it computes to pytorch.json."""

import json
import warnings
from pathlib import Path

import theirs
import torch
from rows import LAYERS, OPTIMISERS, SCHEDULES

if __name__ == "__main__":
    warnings.filterwarnings("ignore", "The epoch parameter")  # PyTorch's own SequentialLR uses it
    made = theirs.everything(torch, LAYERS, OPTIMISERS, SCHEDULES)
    lines = [
        f"{json.dumps(name)}: "
        + json.dumps({what: array.tolist() for what, array in found.items()})
        for name, found in made.items()
    ]
    text = f'{{"PyTorch": "{torch.__version__.split("+")[0]}",\n' + ",\n".join(lines) + "}\n"
    Path(__file__).with_name("pytorch.json").write_text(text, encoding="utf-8")
    print(f"{len(made)} rows, {len(text)} characters")
