"""Lesson 14: a painted cat, cases, typical wrong answers, forgeries. The words are in 14.toml."""

import atexit
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import minigrad as mg
from minigrad.course.lab import Lesson
from minigrad.course.teach import table
from minigrad.files.atomic import seal_text

CAT = "#.....# ##...## ####### #.###.# ####### ###.### .#####."
STEPS, EVERY = 400, 25  # of the training that is drawn; it restarts after so many
FORGERIES = (  # a text in the file, and what stands there instead
    ('"Tanh"', '"os.system"'),
    ('"Tanh"', '"__import__"'),
    ('"Tanh"', '"Exp"'),
    ('"Tanh"', '"Tanh", "op": "Exp"'),
    ('"Tanh"', '"Tanh", "code": "exit()"'),
    ('"version": 2', '"version": 3'),
    ("[4, 0]", "[4, 9]"),
    ("[4, 0]", "[-1, 0]"),
    ("[2, 32]", "[2, 33]"),
    ("[2, 32]", "[99999, 99999]"),
    ('"file": "', '"file": "' + 14 * "../"),
)

# the cat -----------------------------------------------------------------------------------------


def cat_dots():
    """Return the shade of each of the 49 dots of a cat: 1 is black."""
    rows = [[dot == "#" for dot in row] for row in CAT.split()]
    return np.array(rows, float).reshape(49, 1)


def grid(count):
    """Return the (x, y) of count × count places between −3.5 and 3.5, row by row."""
    at = (np.arange(count) + 0.5) / count * 7 - 3.5
    return np.stack(np.meshgrid(at, at), -1).reshape(-1, 2)


@cache
def lesson_folder():
    """Make a folder, which goes when this process ends; return its Path, each time the same."""
    folder = TemporaryDirectory(ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    return Path(folder.name)


def run_python(program, folder, until=None):
    """Run a program in a new Python process, inside of a folder; return the lines it prints.

    The process is killed as soon as it has printed the line `until`.
    """
    command = [sys.executable, "-c", program]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    lines = []
    with process:
        for line in process.stdout:
            lines.append(line.strip())
            if lines[-1] == until:
                process.kill()
    return lines


# keep --------------------------------------------------------------------------------------------


def small_training(optimizer):
    """The graph of a training with noise, its loss, and its step."""
    with mg.Graph() as graph:
        w = mg.Variable([1.0, -2.0], name="w")
        loss = mg.mean((w * mg.random_normal(2, seed=1) - 3.0) ** 2)
        step = optimizer.minimize(loss)
    return graph, loss, step


OPTIMIZERS = {
    "Adam": lambda: mg.optim.Adam(lr=0.1),
    "momentum": lambda: mg.optim.SGD(lr=0.05, momentum=0.9),
}


def cases_keep():
    """(the optimiser, how many steps before each restart)."""
    return [("Adam", 3), ("momentum", 2)]


def show_keep(optimizer, every):
    """A case in words."""
    return f"training with {optimizer} that restarts after every {every} steps"


def run_keep(function, optimizer, every):
    """The losses of twelve steps."""
    graph, loss, step = small_training(OPTIMIZERS[optimizer]())
    losses = train_with_restarts(function, graph, loss, step, 12, every)
    return losses if losses is None else np.array(losses)


def train_with_restarts(keep, graph, loss, step, steps=STEPS, every=EVERY):
    """Train, and restart after each `every` steps with what `keep(session)` has kept.

    Returns the losses. A variable that was not kept begins with its initial value again.
    """
    session, losses = mg.Session(graph), []
    for number in range(steps):
        if number % every == 0 and number:
            kept = keep(session)
            if kept is None:
                return None
            values, runs = read_kept(kept)
            session = mg.Session(graph)  # the machine restarts
            session.restore(session.state()[0] | values, runs)
        losses.append(session.run([loss, step])[0].item())
    return losses


def read_kept(kept):
    """(copies of the values, runs) of what `keep` returned. Raises TypeError for anything else."""
    pair = isinstance(kept, (tuple, list)) and len(kept) == 2
    if not (pair and isinstance(kept[0], dict) and is_number(kept[1])):
        raise TypeError(f"keep returned {kind_of(kept)}, and not (dict, int)")
    if strange := [key for key in kept[0] if not isinstance(key, (int, np.integer))]:
        raise TypeError(f"the key {strange[0]!r} is none of those of session.state()")
    return {name: np.array(value) for name, value in kept[0].items()}, int(kept[1])


def is_number(value):
    """Whether a value is one number."""
    return np.ndim(value) == 0 and np.asarray(value).dtype.kind in "iuf"


def kind_of(found):
    """The type of a result in words; of a tuple or list, the types of its entries."""
    if isinstance(found, (tuple, list)):
        return f"({', '.join(type(each).__name__ for each in found)})"
    return type(found).__name__


def reference_keep(session):
    """Return what a restart needs: the values of all variables, and the number of runs."""
    return session.state()


def without_moments(session):
    """The parameters, and the number of runs."""
    trainable = [v for v in session.graph.variables if v.trainable]
    return session.state(trainable)


def without_parameters(session):
    """What the optimiser keeps, and the number of runs."""
    return session.state([v for v in session.graph.variables if not v.trainable])


def without_runs(session):
    """The values of all variables."""
    return session.state()[0], 0


def parameters_alone(session):
    """The parameters, and no number of runs."""
    return without_moments(session)[0], 0


def runs_alone(session):
    """No value of a variable."""
    return {}, session.runs


def colleagues_keep(session):
    """What the colleague keeps."""
    return without_moments(session)


def after_keep(function):
    """Say what restarts do now."""
    print("  Training that restarts, with Adam or with momentum, now has the same losses.")


# save_whole --------------------------------------------------------------------------------------


class Disk:
    """A disk that writes late: a power cut may leave any of the states in `left` behind."""

    def __init__(self, **files):
        """Begin with these files, a text for each name."""
        self.late, self.left = set(), [files]

    def write(self, name, text):
        """Write a text into a file, one letter after another."""
        self.late.add(name)  # the text may still be lost
        for end in range(len(text) + 1):
            self.left.append(self.left[-1] | {name: text[:end]})

    def sync(self, name):
        """Wait until the text of a file is safe, as os.fsync does."""
        self.late.discard(name)

    def rename(self, old, new):
        """Give a file a new name, at once; the file that had this name before is gone."""
        others = dict(self.left[-1])
        text = others.pop(old)
        if old in self.late:  # the name is on the disk, and the text is not
            self.left.append(others | {new: ""})
            self.late = self.late - {old} | {new}
        self.left.append(others | {new: text})


def cases_save_whole():
    """(the name of the file, its old text, its new text)."""
    return [("net", "old", "new"), ("cat", "twelve weights", "thirteen")]


def show_save_whole(name, old, new):
    """A case in words."""
    return f"the file {name!r}, which holds {old!r} and should hold {new!r}"


def run_save_whole(function, name, old, new):
    """What a reader of the file may find after a power cut, and what the file holds at the end."""
    disk = Disk(**{name: old})
    function(disk, name, new)
    found = {files.get(name, "(no file)") or "(an empty file)" for files in disk.left}
    half = ", ".join(sorted(found - {old, new}))
    return half or "nothing but whole texts", disk.left[-1].get(name, "(no file)")


def reference_save_whole(disk, name, text):
    """Replace a file so that a reader finds the old text or the new one, whatever happens."""
    disk.write("part", text)
    disk.sync("part")
    disk.rename("part", name)


def overwrite(disk, name, text):
    """Write over the file itself."""
    disk.write(name, text)
    disk.sync(name)


def rename_unsynced(disk, name, text):
    """Rename before the text is safe."""
    disk.write("part", text)
    disk.rename("part", name)


def move_away(disk, name, text):
    """Move the old file away first."""
    disk.rename(name, "before")
    disk.write("part", text)
    disk.sync("part")
    disk.rename("part", name)


def backup_first(disk, name, text):
    """Move the old file away, and write over its name."""
    disk.rename(name, "before")
    overwrite(disk, name, text)


def swapped(disk, name, text):
    """Rename the old file to the name of the new one."""
    disk.write("part", text)
    disk.sync("part")
    disk.rename(name, "part")


def never_renamed(disk, name, text):
    """Write the new text under another name."""
    disk.write("part", text)
    disk.sync("part")


def after_save_whole(function):
    """Count what power cuts leave behind, for the learner's function and two others."""
    rows = []
    ways = {"write over the file": overwrite, "rename without sync": rename_unsynced}
    for name, way in {**ways, "yours": function}.items():
        disk = Disk(net="old weights")
        way(disk, "net", "new weights")
        whole = sum(files.get("net") in ("old weights", "new weights") for files in disk.left)
        rows.append((name, len(disk.left), len(disk.left) - whole))
    return table(["", "states after a power cut", "not whole"], rows)


# evaluate ----------------------------------------------------------------------------------------


def sigmoid(x):
    """1 / (1 + e^−x)."""
    return 1 / (1 + np.exp(-x))


KNOWN = {
    "Add": (np.add, 2),
    "Matmul": (np.matmul, 2),
    "Tanh": (np.tanh, 1),
    "Sigmoid": (sigmoid, 1),
}
HONEST = [("Add", 0, 1), ("Tanh", 2), ("Add", 3, 0)]  # tanh(x + b) + x
FRACTION = "the record 2 reads value 0.5"  # here Python's own TypeError will do
FORGED = {
    "the record 3 calls Exp": [*HONEST[:2], ("Exp", 3)],
    "the record 2 calls __import__": [HONEST[0], ("__import__", 2), HONEST[2]],
    "the record 1 reads value 3": [("Add", 0, 3), *HONEST[1:]],
    "the record 1 reads its own value 2": [("Add", 0, 2), *HONEST[1:]],
    "the record 3 reads value −1": [*HONEST[:2], ("Add", -1, 0)],
    "the record 2 reads value −2": [HONEST[0], ("Tanh", -2), HONEST[2]],
    FRACTION: [HONEST[0], ("Tanh", 0.5), HONEST[2]],
    "the record 2, whose value no record reads, calls os.system": [
        HONEST[0],
        ("os.system", 2),
        ("Tanh", 2),
    ],
    "Tanh has two inputs": [HONEST[0], ("Tanh", 2, 1), HONEST[2]],
    "Add has one input": [("Add", 0), *HONEST[1:]],
    "Add has three inputs": [("Add", 0, 1, 1), *HONEST[1:]],
}
FILES = {"three honest records": HONEST, "one honest record": HONEST[:1], **FORGED}


def cases_evaluate():
    """The file in words, and x."""
    return [(name, x) for name in FILES for x in (0.5, 2.0)[: 1 + (name not in FORGED)]]


def show_evaluate(name, x):
    """A case in words."""
    return f"{name}: {FILES[name]} with the values [{x:g}, 0.25]"


def run_evaluate(function, name, x):
    """The result of a function, or that it refuses the file; whether it changed what it got."""
    records, values, known = list(FILES[name]), [x, 0.25], dict(KNOWN)
    refusals = (ValueError, TypeError) if name == FRACTION else ValueError
    try:
        found = function(records, values, known)
    except refusals:
        return "a ValueError", "as it was"
    if found is None and name not in FORGED:
        return None
    return result_text(found), "changed" if len(values) != 2 else "as it was"


def result_text(found):
    """What a reader returned, in words."""
    if isinstance(found, Exception):
        found = type(found)
    if isinstance(found, type) or found is None:
        return f"{getattr(found, '__name__', None)}, which is returned and not raised"
    return f"{float(found):.9g}" if np.ndim(found) == 0 else f"{len(found)} values"


def evaluate_if(name_fits, place_fits, count_fits):
    """A reader with these tests of an op's name, of an input's place, and of their count."""

    def evaluate(records, values, known):
        values = list(values)
        for op, *inputs in records:
            fits = name_fits(op, known) and all(place_fits(i, len(values)) for i in inputs)
            if not fits or not count_fits(len(inputs), known, op):
                raise ValueError(op)
            function = known[op][0] if op in known else getattr(np, op.lower())
            values.append(function(*[values[i] for i in inputs]))
        return values[-1]

    return evaluate


def is_known(op, known):
    """Whether an op is on the list."""
    return op in known


def is_earlier(place, count):
    """Whether an input is the number of an earlier value."""
    return isinstance(place, int) and 0 <= place < count


def is_count(count, known, op):
    """Whether an op has as many inputs as it takes."""
    return count == known[op][1]


reference_evaluate = evaluate_if(is_known, is_earlier, is_count)
from_the_end = evaluate_if(is_known, lambda place, count: place in range(-count, count), is_count)


def rounding(records, values, known):
    """An input such as 0.5 is made a whole number."""
    whole = [(op, *map(int, inputs)) for op, *inputs in records]
    return reference_evaluate(whole, values, known)


def any_of_numpy(records, values, known):
    """What is not on the list is looked for in NumPy."""
    more = {op: (np.exp, 1) for op, *_ in records if op == "Exp"}
    return reference_evaluate(records, values, known | more)


def only_used(records, values, known):
    """A record is checked when its value is needed."""
    last, used = len(records) - 1, {len(records) - 1}
    for n in range(last, -1, -1):
        if n in used:
            used |= {place - len(values) for place in records[n][1:]}
    kept = [record if n in used else ("Add", 0, 0) for n, record in enumerate(records)]
    return reference_evaluate(kept, values, known)


def skipping(records, values, known):
    """A bad record is left out."""
    values = list(values)
    for op, *inputs in records:
        fits = is_known(op, known) and all(is_earlier(i, len(values)) for i in inputs)
        if fits and is_count(len(inputs), known, op):
            values.append(known[op][0](*[values[i] for i in inputs]))
    return values[-1]


def refuse_all(records, values, known):
    """No file is read."""
    raise ValueError("refused")


def changes_values(records, values, known):
    """The results are added to the list that was given."""
    result = reference_evaluate(records, values, known)
    values.append(result)
    return result


# forgeries ---------------------------------------------------------------------------------------


def forge(path, old, new):
    """Replace a text in a saved file, and make its checksum fit again, as a forger does."""
    content = path.read_bytes().replace(old.encode(), new.encode(), 1)
    path.write_bytes(seal_text(content))


def try_forgery(path, old, new):
    """What the loader says of a forged file, which is put right again afterwards."""
    honest = path.read_bytes()
    try:
        forge(path, old, new)
        return f"loaded: {mg.load(path)}"
    except mg.FileError as error:
        return error.message.removeprefix(f"{path.name}: ")
    finally:
        path.write_bytes(honest)


def count_loaded(path):
    """How many of the forgeries of a file are loaded."""
    return sum(try_forgery(path, *edit).startswith("loaded") for edit in FORGERIES)


def show_forgeries(path):
    """Draw the honest and the forged cat; return a table of what the loader says."""
    honest = path.read_bytes()
    before = mg.load(path)(places=grid(56))
    forge(path, '"Tanh"', '"Exp"')
    show_cats(honest=before, with_Exp_for_Tanh=mg.load(path)(places=grid(56)))
    path.write_bytes(honest)
    rows = [(*edit, try_forgery(path, *edit)) for edit in FORGERIES]
    return table(["original", "forged", "the loader says"], rows)


# pictures ----------------------------------------------------------------------------------------


def show_cats(**images):
    """Draw square images beside one another, each with its name."""
    from minigrad.draw.plot.axes import paper

    with paper([1.9], share=False, columns=max(3, len(images))) as (_, frames):
        for axes in frames[len(images) :]:
            axes.set_axis_off()
        for axes, (name, image) in zip(frames, images.items()):
            side = int(np.sqrt(np.size(image)))
            axes.imshow(np.reshape(image, (side, side)), cmap="gray_r", vmin=0, vmax=1)
            axes.set(xticks=[], yticks=[])
            axes.set_title(name.replace("_", " "))


def show_file(path):
    """Print the nodes of a saved graph, a line each, without quotes and dtypes."""
    text = re.sub(r', "(dtype|made_by)": ("\w+"|\[[^]]*\])', "", path.read_text(encoding="utf-8"))
    text = text.replace('"', "")
    for line in text.split("\n"):
        if "op:" in line or "runs:" in line:
            print(line.strip())


def show_restart(losses, theirs, first, last):
    """Draw the losses of two trainings from step `first` to `last`."""
    from minigrad.draw.plot.axes import paper

    ways = ("never stopped", losses, "dynamic"), ("restarted", theirs, "by hand")
    with paper([2.4]) as (_, (axes,)):
        for name, found, style in ways:
            part = found[first:last]
            axes.plot(range(first, last), part, **mg.plot.style_of(style, marker=""), label=name)
        axes.set(xlabel="step", ylabel="loss")
        if last - first == STEPS:
            axes.set_yscale("log")
            axes.set_yticks([0.1, 0.01], ["0.1", "0.01"], minor=False)
            axes.set_yticks([], minor=True)
        axes.legend(edgecolor="none", framealpha=1)


lesson = Lesson("14", sys.modules[__name__])
check, observe, predict = lesson.check, lesson.observe, lesson.predict
require, skip = lesson.require, lesson.skip
