"""A real cluster of two processes: the losses of one process, whoever is lost on the way."""

import asyncio
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from saying import raises_saying
from workers.nets import (
    THERE_AND_BACK,
    batches,
    plain_net,
    there_and_back,
    train_here,
    two_scopes,
)

import minigrad as mg
from minigrad import optim, workers
from minigrad.workers import replica
from minigrad.workers.parallel import is_mean_of_rows
from minigrad.workers.pool import THREADS, WorkerLost, package_facts

distributed = pytest.importorskip("distributed", reason="the extra workers is not installed")
OPTIMIZERS = {
    "momentum": lambda: optim.SGD(lr=0.1, momentum=0.9),
    "adam": lambda: optim.Adam(lr=0.01),
    "clipped": lambda: optim.AdamW(lr=optim.cosine(0.1, 20), weight_decay=0.1, clip_norm=0.1),
}
PLACES = {"encoder": 0, "decoder": 1}


@pytest.fixture(scope="module")
def pool():
    with workers.local(2) as made:
        yield made


def kill(pool, address):
    """Ends the process of a worker, as a machine that loses its power would."""
    (pid,) = pool.call([(address, os.getpid, ())])
    os.kill(pid, signal.SIGKILL)


def threads_of_products():
    return [os.environ[name] for name in THREADS]


def fed(x, labels, batch):
    return {x: batch[0], labels: batch[2]}


# data parallel -----------------------------------------------------------------------------------


@pytest.mark.parametrize("make", OPTIMIZERS.values(), ids=OPTIMIZERS)
def test_two_workers_give_the_losses_of_one_process(pool, make):
    data = batches(12)
    x, labels, loss = plain_net()
    with workers.data_parallel(pool, loss, make()) as train:
        found = list(train.steps((fed(x, labels, b) for b in data), progress=False))
        state, _ = train.fetch_session().state()
    np.testing.assert_allclose(found, train_here(make(), data), rtol=1e-12)
    assert train.done == 12 and train.session.runs == 12 and len(state) >= 2
    assert train.traffic.sent > 12 * 600 and "bytes out" in str(train.traffic)


def test_float32_stays_float32(pool):
    data = batches(4)
    x, labels, loss = plain_net(np.float32)
    with workers.data_parallel(pool, loss, optim.Adam(lr=0.01)) as train:
        found = [
            train.step({x: a.astype(np.float32), labels: c}) for a, _, c in data
        ]  # fmt: skip
    assert {f.dtype for f in found} == {np.dtype(np.float32)}
    np.testing.assert_allclose(found, train_here(optim.Adam(lr=0.01), data, np.float32), rtol=1e-5)


def losses_of_survivors(pool, data, copy_every, victims):
    """(the losses of a training, how often workers were lost); victims(i, homes) are killed."""
    x, labels, loss = plain_net()
    found = []
    with workers.data_parallel(pool, loss, optim.Adam(lr=0.01), copy_every=copy_every) as train:
        for i, batch in enumerate(data):
            for address in victims(i, train.homes):
                kill(pool, address)
            found.append(train.step(fed(x, labels, batch)))
        return found, train.lost


@pytest.mark.skipif(os.name == "nt", reason="processes are killed by a signal")
def test_a_worker_that_is_killed_twice_changes_no_loss(pool):
    data = batches(12)
    found, lost = losses_of_survivors(
        pool, data, 4, lambda i, at: [at[i % 2]] if i in (3, 9) else []
    )
    assert lost >= 2
    np.testing.assert_allclose(found, train_here(optim.Adam(lr=0.01), data), rtol=1e-12)


@pytest.mark.skipif(os.name == "nt", reason="processes are killed by a signal")
def test_all_workers_killed_at_once_are_rebuilt_from_the_client(pool):
    data = batches(8)
    found, _ = losses_of_survivors(pool, data, 3, lambda i, at: set(at) if i == 5 else ())
    np.testing.assert_allclose(found, train_here(optim.Adam(lr=0.01), data), rtol=1e-12)


@pytest.mark.skipif(os.name == "nt", reason="processes are killed by a signal")
def test_a_buffer_that_the_caller_fills_again_changes_no_step_that_was_made(pool):
    data = [batch for batch in batches(12) if len(batch[0]) == 8]
    x, labels, loss = plain_net()
    rows, found = np.empty((8, 6)), []
    with workers.data_parallel(pool, loss, optim.Adam(lr=0.01)) as train:
        for i, (a, _, c) in enumerate(data):
            rows[...] = a
            if i == 4:
                for address in set(train.homes):
                    kill(pool, address)
            found.append(train.step({x: rows, labels: c}))
    np.testing.assert_allclose(found, train_here(optim.Adam(lr=0.01), data), rtol=1e-12)


def test_a_training_goes_on_from_a_session(pool):
    data = batches(6)
    x, labels, loss = plain_net()
    session = mg.Session(loss.graph)
    (w, v) = loss.graph.variables[:2]
    session.set(w, np.ones((6, 4)))
    with workers.data_parallel(pool, loss, optim.SGD(lr=0.1), session) as train:
        first = train.step(fed(x, labels, data[0]))
    fresh = mg.Session(loss.graph)
    fresh.set(w, np.ones((6, 4)))
    assert first == pytest.approx(fresh.run(loss, fed(x, labels, data[0])).item(), rel=1e-12)


def test_a_mask_that_begins_full_is_refused_at_the_step_where_it_matters(pool):
    with mg.Graph():
        x = mg.placeholder("x", shape=(None, 6))
        mask = mg.placeholder("mask", shape=(None,))
        w = mg.Variable(np.ones(6), name="w")
        loss = mg.sum(mask * (x @ w) ** 2) / mg.sum(mask)
    rows = np.random.default_rng(0).normal(size=(8, 6))
    with workers.data_parallel(pool, loss, optim.SGD(lr=0.01)) as train:
        train.step({x: rows, mask: np.ones(8)})
        with pytest.raises(workers.WorkersError, match="not a mean over rows"):
            train.step({x: rows, mask: np.arange(8) > 3.0})
        assert train.done == 1


def test_means_over_rows_are_seen_by_their_ops():
    with mg.Graph():
        x, t = mg.placeholder("x", (None, 3)), mg.placeholder("t", (None,), int)
        w = mg.Variable(np.ones((3, 3)), name="w")
        z = mg.tanh(x @ w + 1.0)
        means = [
            mg.cross_entropy(z, t),
            mg.mean(z * z),
            mg.mean(mg.mean(z, axis=1)),
            mg.cross_entropy(z, t) + 0.1 * mg.sum(w * w),
            mg.mse(z, x) / 2.0 - mg.mean(w),
            mg.mean(mg.square(x @ w[0] - mg.cast(t, float))),
        ]
        others = [
            mg.sum(z),
            mg.sum(z * z) / mg.sum(x),
            mg.mean(z) ** 2,
            mg.mean(z) * mg.mean(z),
            mg.mean(z) / mg.mean(x),
            mg.mean(z * mg.mean(z, axis=1)),
            mg.mean(z - mg.mean(z, axis=0)),
            mg.mean(z @ mg.transpose(z)),
            mg.mean(mg.cast(t, float) @ w),
            mg.exp(mg.mean(z)),
            mg.cross_entropy(z - mg.mean(z), t),
        ]
    assert [is_mean_of_rows(loss) for loss in means] == [True] * len(means)
    assert [is_mean_of_rows(loss) for loss in others] == [False] * len(others)


def test_a_batch_of_fixed_length_makes_no_shards(pool):
    with mg.Graph():
        x = mg.placeholder("x", shape=(4, 6))
        loss = mg.mean((x @ mg.Variable(np.ones((6, 2)), name="w")) ** 2)
    train = workers.data_parallel(pool, loss, optim.SGD(lr=0.1))
    with pytest.raises(mg.FeedError, match="no fed placeholder has an unknown length"):
        train.step({x: np.ones((4, 6))})


def test_an_optimiser_that_is_not_made_is_refused(pool):
    _, _, loss = plain_net()
    with pytest.raises(mg.ArgumentError, match="the optimiser is Adam"):
        workers.data_parallel(pool, loss, optim.Adam)


@pytest.mark.skipif(os.name == "nt", reason="processes are killed by a signal")
def test_a_local_pool_starts_again_what_has_ended():
    data = batches(4)
    x, labels, loss = plain_net()
    with workers.local(1) as pool, workers.data_parallel(pool, loss, optim.Adam(lr=0.01)) as train:
        found = [train.step(fed(x, labels, b)) for b in data[:2]]
        for process in pool.processes:
            process.kill()
            process.wait()  # the worker that it watched over ends as well
        found += [train.step(fed(x, labels, b)) for b in data[2:]]
    np.testing.assert_allclose(found, train_here(optim.Adam(lr=0.01), data), rtol=1e-12)


def test_a_partition_goes_on_in_another_pool(pool):
    data = batches(4)
    _, net = two_scopes()
    parts = workers.partition({"loss": net["loss"], "update": net["update"]}, PLACES)
    found = []
    with workers.local(1) as first:
        for a, t, _ in data[:2]:
            found.append(parts.run(first, {net["x"]: a, net["t"]: t})["loss"])
    for a, t, _ in data[2:]:
        found.append(parts.run(pool, {net["x"]: a, net["t"]: t})["loss"])
    np.testing.assert_allclose(found, losses_here(data), rtol=1e-12)


def test_draws_differ_from_shard_to_shard_and_are_the_same_again(pool):
    def losses():
        with mg.Graph():
            x = mg.placeholder("x", shape=(None, 6))
            w = mg.Variable(np.ones((6, 2)), name="w")
            loss = mg.mean(mg.dropout(x @ w, 0.5, seed=1) ** 2)
        with workers.data_parallel(pool, loss, optim.SGD(lr=0.01)) as train:
            return [train.step({x: np.ones((4, 6))}) for _ in range(4)]

    first = losses()
    assert first == losses() and len(set(first)) == 4


def test_a_loss_that_is_no_mean_is_refused_before_anything_changes(pool):
    with mg.Graph():
        x = mg.placeholder("x", shape=(None, 6))
        w = mg.Variable(np.ones((6, 2)), name="w")
        loss = mg.sum((x @ w) ** 2)
    with workers.data_parallel(pool, loss, optim.SGD(lr=0.1)) as train:
        with pytest.raises(workers.WorkersError, match="not a mean over rows"):
            train.step({x: np.ones((4, 6))})
        state, _ = train.fetch_session().state()
    assert train.done == 0 and (state[w.order] == 1).all()


@pytest.mark.parametrize(
    ("feeds", "message"),
    [
        (lambda x, c: {x: np.ones((1, 6)), c: [0]}, "a batch of 1 rows is too small for 2 workers"),
        (lambda x, c: {x: np.ones((3, 6)), c: [0, 1]}, "batches of 2 and 3 rows"),
        (lambda x, c: {}, "x, float64"),
        (lambda x, c: {x: np.ones((3, 5)), c: [0, 1, 2]}, "x"),
        (lambda x, c: {x: np.ones((3, 6))}, "labels"),
    ],
)
def test_odd_batches_are_refused_and_training_goes_on(pool, feeds, message):
    data = batches(3)
    x, labels, loss = plain_net()
    with workers.data_parallel(pool, loss, optim.SGD(lr=0.1, momentum=0.9)) as train:
        found = [train.step(fed(x, labels, data[0]))]
        with raises_saying(mg.MinigradError, message):
            train.step(feeds(x, labels))
        found += [train.step(fed(x, labels, b)) for b in data[1:]]
    expected = train_here(optim.SGD(lr=0.1, momentum=0.9), data)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("shape", [(None, 2), (2,)], ids=["rows", "whole"])
def test_what_the_loss_does_not_need_may_be_fed(pool, shape):
    data = batches(3)
    x, labels, loss = plain_net()
    with loss.graph:
        other = mg.placeholder("other", shape)
    extra = {other: np.ones([5 if length is None else length for length in shape])}
    with workers.data_parallel(pool, loss, optim.SGD(lr=0.1, momentum=0.9)) as train:
        found = [train.step(fed(x, labels, b) | extra) for b in data]
    expected = train_here(optim.SGD(lr=0.1, momentum=0.9), data)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_an_error_of_an_op_is_the_users_own_and_changes_nothing(pool):
    with mg.Graph():
        x = mg.placeholder("x", shape=(None, 6))
        ids = mg.placeholder("ids", shape=(None,), dtype=int)
        w = mg.Variable(np.ones((5, 6)), name="w")
        loss = mg.mean((w[ids] - x) ** 2)
    with workers.data_parallel(pool, loss, optim.SGD(lr=0.1)) as train:
        train.step({x: np.ones((4, 6)), ids: [0, 1, 2, 3]})
        with pytest.raises((mg.MinigradError, IndexError)):
            train.step({x: np.ones((4, 6)), ids: [0, 1, 2, 9]})
        assert train.done == 1
        train.step({x: np.ones((4, 6)), ids: [0, 1, 2, 4]})
    assert train.done == 2


# stages ------------------------------------------------------------------------------------------


def stage_losses(stages, net, data, before=lambda i: None):
    found = []
    for i, (a, t, _) in enumerate(data):
        before(i)
        found.append(stages.step({net["x"]: a, net["t"]: t})["loss"])
    return found


def losses_here(data):
    graph, net = two_scopes()
    session = mg.Session(graph)
    return [
        session.run([net["loss"], net["update"]], {net["x"]: a, net["t"]: t})[0] for a, t, _ in data
    ]


def test_two_stages_give_the_losses_of_one_process(pool):
    data = batches(6)
    _, net = two_scopes()
    parts = workers.partition({"loss": net["loss"], "update": net["update"]}, PLACES)
    with parts.on(pool) as stages:
        found = stage_losses(stages, net, data)
        assert stages.step({net["x"]: data[0][0], net["t"]: data[0][1]})["update"] is None
    np.testing.assert_allclose(found, losses_here(data), rtol=1e-12)


def test_what_a_worker_has_received_it_keeps_for_the_step(pool):
    x, _, outputs = there_and_back()
    feeds = {x: batches(1)[0][0]}
    found = workers.partition(outputs, THERE_AND_BACK).run(pool, feeds)
    expected = mg.Session(x.graph).run(outputs, feeds)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-15)


@pytest.mark.skipif(os.name == "nt", reason="processes are killed by a signal")
def test_a_stage_that_is_killed_is_rebuilt_from_the_clients_copy(pool):
    data = batches(9)
    _, net = two_scopes()
    parts = workers.partition({"loss": net["loss"], "update": net["update"]}, PLACES)
    with parts.on(pool, copy_every=2) as stages:

        def before(i):
            if i in (3, 6):
                kill(pool, stages.homes[i % 2])

        found = stage_losses(stages, net, data, before)
        assert stages.lost >= 2
    np.testing.assert_allclose(found, losses_here(data), rtol=1e-12)


def test_a_partition_runs_by_itself_and_checks_its_feeds(pool):
    _, net = two_scopes()
    parts = workers.partition([net["loss"], net["h"]], PLACES)
    data = batches(1)[0]
    assert parts.times == ()
    loss, h = parts.run(pool, {net["x"]: data[0], net["t"]: data[1]})
    assert [(one.worker, one.stage) for one in parts.times] == [(0, 0), (1, 1)]
    for one in parts.times:
        assert 0 < one.seconds < one.until - one.begun
    expected = mg.Session(net["x"].graph).run(
        [net["loss"], net["h"]], {net["x"]: data[0], net["t"]: data[1]}
    )
    assert loss == expected[0] and (h == expected[1]).all()
    h += 1  # results are the caller's own
    h -= 1
    with pytest.raises(mg.FeedError, match="t, float64"):
        parts.run(pool, {net["x"]: data[0]})
    with pytest.raises(mg.FeedError, match="is computed by a worker"):
        parts.run(pool, {net["h"]: h, net["t"]: data[1]})


# pools -------------------------------------------------------------------------------------------


def test_a_local_worker_is_one_process_with_one_thread_for_products(pool):
    assert pool.call([(pool.addresses()[0], threads_of_products, ())]) == [["1", "1", "1"]]
    found = {pool.call([(address, os.getpid, ())])[0] for address in pool.addresses()}
    assert found == {process.pid for process in pool.processes}


def test_a_worker_that_has_lost_its_values_does_not_say_so_in_words(pool):
    home, text = pool.addresses()[0], "a worker has lost values that the step needs"
    assert pool.call([(home, str, (text,))]) == [text]
    with pytest.raises(WorkerLost):
        pool.call([(home, replica.state_of, ("nobody", 0))])


def test_a_local_pool_listens_on_this_machine_alone(pool):
    import psutil

    ours = {process.pid for process in psutil.Process().children(recursive=True)} | {os.getpid()}
    open_ports = [
        c.laddr.ip
        for c in psutil.net_connections("inet")
        if c.status == psutil.CONN_LISTEN and c.pid in ours
    ]
    assert open_ports and set(open_ports) <= {"127.0.0.1", "::1"}
    assert "127.0.0.1" in pool.dashboard and pool.dashboard in repr(pool)


SCRIPT = """
import sys
sys.path[:] = [path for path in sys.path if path not in ("", sys.argv[1])]
from minigrad import workers
with workers.local(1) as pool:
    print(len(pool.addresses()))
"""


def test_workers_import_from_where_the_client_does_and_nowhere_else(tmp_path):
    for module in ("dask", "numpy", "distributed"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit('not this one')")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True,
        check=False, env={**os.environ, "PYTHONPATH": str(Path(mg.__file__).parents[1])},
    )  # fmt: skip
    assert done.stdout == "1\n", done.stderr


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("tcp://10.1.2.3:8786", workers.WorkersError),
        ("tcp://127.0.0.1:9", workers.WorkersError),
        ("head:8786", mg.ArgumentError),
        (7, mg.ArgumentError),
    ],
)
def test_schedulers_that_are_refused(address, error):
    with pytest.raises(error):
        workers.connect(address)


def test_an_unencrypted_scheduler_elsewhere_is_named_with_its_cure():
    with pytest.raises(workers.WorkersError, match="another machine") as caught:
        workers.connect("tcp://10.1.2.3:8786")
    assert "insecure=True" in caught.value.hint


@pytest.fixture
def listening(pool):
    """The addresses at which the pool's scheduler and workers listen."""
    return [pool.client.scheduler.address, *pool.addresses()]


def test_nobody_without_the_key_of_a_pool_is_answered(listening):
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    assert len(listening) == 3
    for parts in map(urlsplit, listening):
        assert parts.scheme == "tls" and parts.hostname == "127.0.0.1"
        plain = socket.create_connection((parts.hostname, parts.port), timeout=30)
        with anybody.wrap_socket(plain) as wire, pytest.raises(ssl.SSLError, match="REQUIRED"):
            wire.recv(1)


async def ask_scheduler(address, security):
    """What a scheduler answers to who asks it for its name."""
    options = security.get_connection_args("client") if security else {}
    wire = await distributed.core.connect(address, timeout=5, **options)
    try:
        await wire.write({"op": "identity", "reply": True})
        return await wire.read()
    finally:
        wire.abort()


def test_a_stranger_with_another_key_or_none_is_not_answered(pool, listening):
    answer = asyncio.run(ask_scheduler(listening[0], pool.client.security))
    assert answer["type"] == "Scheduler"
    for security in (None, distributed.Security.temporary()):
        for address in (listening[0], listening[0].replace("tls:", "tcp:")):
            with pytest.raises((OSError, TypeError, RuntimeError)):
                asyncio.run(ask_scheduler(address, security))


def test_keys_and_folders_of_a_pool_are_private_and_go_with_it():
    with workers.local(1, dashboard=False) as pool:
        folder = Path(pool.command[pool.command.index("--local-directory") + 1])
        modes = [path.stat().st_mode & 0o777 for path in sorted(folder.glob("*.pem"))]
        assert (folder.stat().st_mode & 0o777, modes) == (0o700, [0o600, 0o600])
        assert pool.dashboard == "none"
    assert not folder.exists()


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux lists its sockets so")
def test_a_pool_listens_on_this_machine_alone(pool):
    numbers = {os.getpid(), *(process.pid for process in pool.processes)}
    links = [os.readlink(path) for n in numbers for path in Path(f"/proc/{n}/fd").iterdir()
             if path.is_symlink()]  # fmt: skip
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    found = [row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in links]
    assert len(found) >= 5 and all(address.startswith("0100007F:") for address in found)


def test_odd_pools_are_refused():
    for count in (0, True, "2"):
        with pytest.raises(mg.ArgumentError):
            workers.local(count)
    _, _, loss = plain_net()
    with pytest.raises(mg.ArgumentError, match="not a pool"):
        workers.data_parallel("tcp://127.0.0.1:1", loss, optim.SGD(lr=0.1))


def test_a_loss_that_assigns_is_refused(pool):
    with mg.Graph():
        x = mg.placeholder("x", shape=(None, 6))
        w, count = mg.Variable(np.ones((6, 2)), name="w"), mg.Variable(0.0, name="count")
        with mg.control_dependencies([mg.assign_add(count, 1.0)]):
            loss = mg.mean((x @ w) ** 2)
    with pytest.raises(mg.GraphError, match="assigns count"):
        workers.data_parallel(pool, loss, optim.SGD(lr=0.1))


def test_a_closed_pool_says_so():
    x, labels, loss = plain_net()
    with workers.local(1) as pool:
        train = workers.data_parallel(pool, loss, optim.SGD(lr=0.1))
        train.step(fed(x, labels, batches(1)[0]))
    for ask in (lambda: train.step(fed(x, labels, batches(1)[0])), pool.addresses, pool.executor):
        with pytest.raises(workers.WorkersError, match="the pool is closed"):
            ask()
    train.close()


class Cluster:
    """A scheduler and workers in processes of their own, as on other machines."""

    def __init__(self, folder, count=1, path=None):
        file = folder / "scheduler.json"
        self.env = {**os.environ, "PYTHONPATH": str(path or Path(mg.__file__).parents[1])}
        self.started, self.folder = [], folder
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0",
                                    "--no-dashboard", "--scheduler-file", str(file))  # fmt: skip
        for _ in range(600):
            if file.exists() and file.read_text().strip().endswith("}"):
                break
            time.sleep(0.1)
        for _ in range(count):
            self.start("worker", "--scheduler-file", str(file), "--host", "127.0.0.1",
                       "--nthreads", "1", "--no-dashboard", "--no-nanny")  # fmt: skip
        import json

        self.address = json.loads(file.read_text())["address"]

    def start(self, *command):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *command], env=self.env, cwd=self.folder, **quiet
        )
        self.started.append(process)
        return process

    def connect(self):
        """The pool, when its workers are there."""
        for _ in range(300):
            try:
                return workers.connect(self.address)
            except workers.WorkersError as error:
                if "has no workers" not in error.message:
                    raise
                time.sleep(0.2)
        raise AssertionError("no worker came up")

    def end(self):
        for process in self.started:
            process.kill()
            process.wait()


def test_a_vanished_scheduler_is_one_message_and_the_training_goes_on_elsewhere(pool, tmp_path):
    data = batches(8)
    x, labels, loss = plain_net()
    cluster = Cluster(tmp_path)
    try:
        with cluster.connect() as remote:
            train = workers.data_parallel(remote, loss, optim.Adam(lr=0.01), copy_every=3)
            found = [train.step(fed(x, labels, b)) for b in data[:7]]
            cluster.scheduler.kill()
            with pytest.raises(workers.WorkersError, match="does not answer") as caught:
                train.step(fed(x, labels, data[7]))
            assert "train.resume" in caught.value.hint and train.done == 7
    finally:
        cluster.end()
    train.resume(pool)
    found.append(train.step(fed(x, labels, data[7])))
    np.testing.assert_allclose(found, train_here(optim.Adam(lr=0.01), data), rtol=1e-12)


def test_a_worker_with_other_sources_is_refused(tmp_path):
    source = Path(mg.__file__).parent
    shutil.copytree(source, tmp_path / "other" / "minigrad", ignore=shutil.ignore_patterns("*.pyc"))
    with open(tmp_path / "other" / "minigrad" / "errors.py", "a") as file:
        file.write("\n# another version\n")
    x, labels, loss = plain_net()
    cluster = Cluster(tmp_path, path=tmp_path / "other")
    try:
        with cluster.connect() as remote:
            train = workers.data_parallel(remote, loss, optim.SGD(lr=0.1))
            with pytest.raises(workers.WorkersError, match="other sources of minigrad"):
                train.step(fed(x, labels, batches(1)[0]))
            assert train.done == 0
    finally:
        cluster.end()


def test_facts_name_the_version():
    version, digest = package_facts()
    assert version and len(digest) == 64
