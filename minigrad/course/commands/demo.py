"""`minigrad demo`: the same net trained on real handwritten digits by both engines."""

import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

import minigrad as mg
from minigrad import data, measure, nn, optim

HELP = "train a net on handwritten digits with both engines; compare, and draw it"
EPOCHS, BATCH, HIDDEN = 30, 32, 64


class Training(NamedTuple):
    """What one engine's training gave."""

    losses: list
    accuracy: float
    seconds: float
    peak_bytes: int


def arguments(parser):
    """The command's options."""
    parser.add_argument("--out", default="demo", help="folder for the two drawings")
    parser.add_argument("--epochs", type=int, default=EPOCHS, help=f"default: {EPOCHS}")


def run(args):
    """Trains, prints the comparison, writes the drawings."""
    if args.epochs < 1:
        raise mg.ArgumentError(f"--epochs {args.epochs}", "train for at least one epoch")
    digits = data.digits()
    learnt, tested = len(digits.train_images), len(digits.test_images)
    print(f"{learnt} digits to learn from, {tested} to test on; ", end="")
    print(f"net 64 → {HIDDEN} → 10, batches of {BATCH}, SGD with momentum\n")
    dynamic = train_net(Dynamic(), digits, args.epochs)
    static = train_net(Static(), digits, args.epochs)
    report(dynamic, static)
    for path in write_drawings(digits, Path(args.out)):
        print(f"drawn: {path}")
    return 0


def net():
    """The net, with the same initial weights each time."""
    nn.manual_seed(0)
    return nn.Sequential(nn.Linear(64, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 10))


class Dynamic:
    """A graph made anew by every step."""

    name = "dynamic"

    def __init__(self):
        self.net = net()
        self.optimizer = optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9)

    def step(self, images, labels):
        """One update; returns the loss before it."""
        loss = mg.cross_entropy(self.net(images), labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def scores(self, images):
        """The class scores of images."""
        with mg.no_grad():
            return self.net(mg.tensor(images)).numpy()


class Static:
    """One graph, built before the first step and run many times."""

    name = "static"

    def __init__(self):
        with mg.Graph() as graph:
            self.images = mg.placeholder("images", shape=(None, 64))
            self.labels = mg.placeholder("labels", shape=(None,), dtype=int)
            self.output = net()(self.images)
            self.loss = mg.cross_entropy(self.output, self.labels)
            self.update = optim.SGD(lr=0.1, momentum=0.9).minimize(self.loss)
        self.session = mg.Session(graph)

    def step(self, images, labels):
        """One update; returns the loss before it."""
        feeds = {self.images: images, self.labels: labels}
        return self.session.run([self.loss, self.update], feeds)[0].item()

    def scores(self, images):
        """The class scores of images."""
        return self.session.run(self.output, {self.images: images})


def train_net(engine, digits, epochs):
    """The Training of one engine; memory is taken in extra steps, since tracing slows them."""
    from tqdm import tqdm

    losses, start = [], time.perf_counter()
    for epoch in tqdm(range(epochs), desc=engine.name, unit="epoch"):
        for images, labels in epoch_batches(digits, epoch):
            losses.append(engine.step(images, labels))
    seconds = time.perf_counter() - start
    found = engine.scores(digits.test_images).argmax(1)
    accuracy = float(np.mean(found == digits.test_labels))
    one = next(epoch_batches(digits, 0))
    return Training(losses, accuracy, seconds, measure.memory(lambda: engine.step(*one)))


def epoch_batches(digits, epoch):
    """The training digits in the order of one epoch."""
    return data.batches(digits.train_images, digits.train_labels, size=BATCH, seed=epoch)


def report(dynamic, static):
    """Prints both loss curves and what each engine needed."""
    per_epoch = len(data.digits().train_images) // BATCH
    rows = range(0, len(dynamic.losses), max(1, len(dynamic.losses) // 10 // per_epoch) * per_epoch)
    print(f"\n{'step':>12} {'dynamic loss':>14} {'static loss':>14}")
    for i in [*rows, len(dynamic.losses) - 1]:
        print(f"{i:>12} {dynamic.losses[i]:>14.10f} {static.losses[i]:>14.10f}")
    apart = np.abs(np.subtract(dynamic.losses, static.losses)).max()
    print(f"\nlargest difference between the curves: {apart:.1e}")
    both = [training_facts(dynamic), training_facts(static)]
    for title, *values in zip(("test accuracy", "training time", "peak of a step"), *both):
        print("{:>14}: dynamic {:>9}   static {:>9}".format(title, *values))
    if not apart < 1e-10:
        raise mg.MinigradError(f"the engines disagree by {apart}", "report this as a defect")


def training_facts(training):
    """What a Training says beside its losses."""
    peak = f"{training.peak_bytes / 1024:.0f} KiB"
    return f"{training.accuracy:.1%}", f"{training.seconds:.2f} s", peak


def write_drawings(digits, folder):
    """Writes the net's dynamic graph with its mirror, and the static graph it trains in."""
    folder.mkdir(parents=True, exist_ok=True)
    images = mg.tensor(digits.train_images[:BATCH], name="images")
    labels = mg.tensor(digits.train_labels[:BATCH], name="labels")
    loss = mg.cross_entropy(net()(images), labels)
    show, paths = ("op", "name", "shape"), [folder / "dynamic.svg", folder / "static.svg"]
    mg.draw(loss, mode="mirror", show=show).save(paths[0])
    mg.draw(Static().loss, show=show).save(paths[1])
    return paths
