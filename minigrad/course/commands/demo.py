"""`minigrad demo`: the same net trained on real handwritten digits by both engines."""

import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

import minigrad as mg
from minigrad import data, measure, nn, optim
from minigrad.workers import data_parallel, local, partition

HELP = "train a network on handwritten digits with both engines, then compare and draw it"
NEEDS = ("sklearn", "tqdm")
EPOCHS, BATCH, HIDDEN = 30, 32, 64
EPOCHS_OF_WORKERS = 5


class Training(NamedTuple):
    """What one engine's training gave, and its `cost`: memory, or bytes sent."""

    losses: list
    accuracy: float
    seconds: float
    cost: str


def arguments(parser):
    """The command's options."""
    parser.add_argument(
        "--out",
        default="demo",
        metavar="FOLDER",
        help="folder for the two drawings (default: demo)",
    )
    known = f"passes over the training data (default: {EPOCHS}; {EPOCHS_OF_WORKERS} with workers)"
    parser.add_argument("--epochs", type=int, metavar="N", help=known)
    count = "train on N processes of this machine, and compare with one process"
    parser.add_argument("--workers", type=int, metavar="N", help=count)


def run(args):
    """Trains, prints the comparison, writes the drawings."""
    epochs = args.epochs
    if epochs is None:
        epochs = EPOCHS_OF_WORKERS if args.workers else EPOCHS
    if epochs < 1:
        raise mg.ArgumentError(f"--epochs {epochs}", "train for at least one epoch")
    digits = data.digits()
    learnt, tested = len(digits.train_images), len(digits.test_images)
    print(f"{learnt} digits to learn from, {tested} to test on; ", end="")
    print(f"net 64 → {HIDDEN} → 10, batches of {BATCH}, SGD with momentum\n")
    if args.workers is not None:
        compare_workers(args.workers, digits, epochs)
        print("\nnext: lesson 16 says why the curves are one, and what travels (minigrad lab)")
        return 0
    dynamic = train_net(Dynamic(), digits, epochs)
    static = train_net(Static(), digits, epochs)
    report({"dynamic": dynamic, "static": static}, "peak of a step")
    for path in write_drawings(digits, Path(args.out)):
        print(f"drawn: {path}")
    print("\nnext: open the drawings in a browser, then begin with lesson 00: minigrad lab")
    print("      when a graph that waits pays, on this machine: minigrad compare")
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
    losses, seconds = train_epochs(engine, digits, epochs)
    one = next(epoch_batches(digits, 0))
    peak = measure.memory(lambda: engine.step(*one))
    return Training(losses, accuracy_of(engine, digits), seconds, f"{peak / 1024:.0f} KiB")


def train_epochs(engine, digits, epochs):
    """(losses, seconds) of so many epochs."""
    from tqdm import tqdm

    losses, start = [], time.perf_counter()
    for epoch in tqdm(range(epochs), desc=engine.name, unit="epoch", disable=None):
        for images, labels in epoch_batches(digits, epoch):
            losses.append(engine.step(images, labels))
    return losses, time.perf_counter() - start


def accuracy_of(engine, digits):
    """The part of the test digits that is named rightly."""
    found = engine.scores(digits.test_images).argmax(1)
    return float(np.mean(found == digits.test_labels))


def epoch_batches(digits, epoch):
    """The training digits in the order of one epoch."""
    return data.batches(digits.train_images, digits.train_labels, size=BATCH, seed=epoch)


def report(trainings, last):
    """Prints the loss curves of {name: Training} and what each needed; `last` names that."""
    losses = [training.losses for training in trainings.values()]
    count, per_epoch = len(losses[0]), len(data.digits().train_images) // BATCH
    rows = range(0, count, max(1, count // 10 // per_epoch) * per_epoch)
    print(f"\n{'step':>12} " + " ".join(f"{name + ' loss':>14}" for name in trainings))
    for i in [*rows, count - 1]:
        print(f"{i:>12} " + " ".join(f"{curve[i]:>14.10f}" for curve in losses))
    apart = max(np.abs(np.subtract(losses[0], curve)).max() for curve in losses[1:])
    print(f"\nlargest difference between the curves: {apart:.1e}")
    facts = [(f"{t.accuracy:.1%}", f"{t.seconds:.2f} s", t.cost) for t in trainings.values()]
    for title, *values in zip(("test accuracy", "training time", last), *facts):
        columns = [f"{name} {value:>9}" for name, value in zip(trainings, values)]
        print(f"{title:>14}: " + "   ".join(columns))
    if not apart < 1e-10:
        raise mg.MinigradError(f"the curves differ by {apart}", "report this as a defect")


# on workers ---------------------------------------------------------------------------------------


class Shards:
    """The same net on every worker of a pool, each with a part of the batch."""

    name = "shards"

    def __init__(self, pool):
        with mg.Graph():
            self.images, self.labels, self.output, self.loss = layers_in_scopes()
        self.train = self.start(pool)

    def start(self, pool):
        """The training on the pool."""
        return data_parallel(pool, self.loss, optim.SGD(lr=0.1, momentum=0.9))

    def step(self, images, labels):
        """One update; returns the loss before it."""
        return self.train.step({self.images: images, self.labels: labels}).item()

    def scores(self, images):
        """The class scores of images, by the weights that the workers have."""
        return self.train.fetch_session().run(self.output, {self.images: images})


class Layers(Shards):
    """The first layer on one worker, the second on another."""

    name = "stages"

    def start(self, pool):
        """The training on the pool."""
        update = optim.SGD(lr=0.1, momentum=0.9).minimize(self.loss)
        return partition([self.loss, update], {"hidden": 0, "output": 1}).on(pool)

    def step(self, images, labels):
        """One update; returns the loss before it."""
        return self.train.step({self.images: images, self.labels: labels})[0].item()


def layers_in_scopes():
    """(images, labels, scores, loss) of the net, with a scope around each layer."""
    images = mg.placeholder("images", shape=(None, 64))
    labels = mg.placeholder("labels", shape=(None,), dtype=int)
    first, relu, second = net().layers
    with mg.name_scope("hidden"):
        hidden = relu(first(images))
    with mg.name_scope("output"):
        output = second(hidden)
        loss = mg.cross_entropy(output, labels)
    return images, labels, output, loss


def compare_workers(count, digits, epochs):
    """Trains in one process, in shards on `count` workers and in two stages; prints all."""
    with local(count) as pool:
        print(f"{count} workers, one thread each; dashboard: {pool.dashboard}")
        found = {}
        for engine in (Static(), Shards(pool), Layers(pool)):
            losses, seconds = train_epochs(engine, digits, epochs)
            needed, accuracy = "0 bytes", accuracy_of(engine, digits)
            if engine.name != "static":
                moved = engine.train.traffic.sent + engine.train.traffic.received
                needed = f"{moved / 2**20:.1f} MiB"
                engine.train.close()
            found[engine.name] = Training(losses, accuracy, seconds, needed)
    report(found, "travelled")


def write_drawings(digits, folder):
    """Writes the net's dynamic graph with its adjoints, and the static graph it trains in."""
    folder.mkdir(parents=True, exist_ok=True)
    images = mg.tensor(digits.train_images[:BATCH], name="images")
    labels = mg.tensor(digits.train_labels[:BATCH], name="labels")
    loss = mg.cross_entropy(net()(images), labels)
    show, paths = ("op", "name", "shape"), [folder / "dynamic.svg", folder / "static.svg"]
    mg.draw(loss, mode="split", show=show).save(paths[0])
    mg.draw(Static().loss, show=show).save(paths[1])
    return paths
