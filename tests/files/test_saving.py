"""Saving: the old net or the new one is there whatever stops it, and nothing changes by it."""

import builtins
import json
import os
import signal
import stat
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad.course.files import write_atomically
from minigrad.files import atomic
from minigrad.files.atomic import seal_text


@pytest.fixture
def path(tmp_path):
    return tmp_path / "net.json"


def net_of(number, size=3):
    """A Node and a session in which all its arrays hold a number."""
    with mg.Graph() as graph:
        w = mg.Variable(np.zeros(size), name="w")
        y = w + np.full(size, float(number))
    session = mg.Session(graph)
    session.set(w, np.full(size, float(number)))
    return y, session


def number_in(path):
    """The number that net_of had put into a file, the same in both of its arrays."""
    found = set(mg.load(path)().tolist())
    assert len(found) == 1
    return found.pop() / 2


def as_version_1(path):
    """Writes a saved net anew, as versions before the second did."""
    head = json.loads(path.read_text())
    (arrays,) = path.parent.glob(f"*-{head.pop('file')}.npz")
    arrays.rename(path.with_suffix(".npz"))
    del head["runs"], head["checksum"]
    outputs, nodes = json.dumps(head["outputs"]), json.dumps(head["nodes"])
    path.write_text(
        f'{{"format": "minigrad graph",\n "version": 1,\n "arrays": "{head["arrays"]}",\n '
        f'"outputs": {outputs},\n "nodes": {nodes}}}'
    )


# whatever stops it -------------------------------------------------------------------------------


class Stopped(BaseException):
    """What stops a call at some point."""


def stopping(patch, place, after):
    """Makes one of the calls of the system raise, before or after it has done its work."""
    calls = []

    def wrap(name, real):
        def call(*arguments, **options):
            calls.append(name)
            stops = len(calls) - 1 == place
            if stops and not after:
                raise Stopped(name)
            found = real(*arguments, **options)
            if stops:
                raise Stopped(name)
            return found

        return call

    for owner, name in [
        (os, "open"),
        (os, "fsync"),
        (os, "replace"),
        (os, "unlink"),
        (os, "close"),
        (builtins, "open"),
    ]:
        patch.setattr(owner, name, wrap(name, getattr(owner, name)))
    return calls


@pytest.mark.parametrize("after", [False, True], ids=["before a call", "after a call"])
@pytest.mark.parametrize("version", [1, 2])
def test_wherever_a_save_is_stopped_the_old_net_or_the_new_one_loads(
    version, after, path, monkeypatch
):
    outcomes = []
    for place in range(100):
        for left in path.parent.iterdir():
            left.unlink()
        mg.save(path, *net_of(1))
        if version == 1:
            as_version_1(path)
        new = net_of(2)
        stopped = False
        with monkeypatch.context() as patch:
            calls = stopping(patch, place, after)
            try:
                mg.save(path, *new)
            except Stopped:
                stopped = True
        if len(calls) <= place:
            break
        if stopped:  # else nothing was there to be taken away
            outcomes.append(number_in(path))
        mg.save(path, *net_of(3))  # and what it left is no obstacle
        assert number_in(path) == 3
    assert set(outcomes) == {1, 2} and sorted(outcomes) == outcomes
    assert {"fsync", "replace", "unlink"} <= set(calls) and number_in(path) == 2
    assert len(list(path.parent.iterdir())) == 2


def test_a_save_that_fails_leaves_only_the_old_files(path, monkeypatch):
    mg.save(path, *net_of(1))
    old = sorted(path.parent.iterdir())
    for name in ("fsync", "replace"):

        def full(*_):
            raise OSError("no space left")

        with monkeypatch.context() as patch, pytest.raises(OSError, match="no space"):
            patch.setattr(os, name, full)
            mg.save(path, *net_of(2))
        assert sorted(path.parent.iterdir()) == old and number_in(path) == 1


def test_arrays_of_another_make_beside_a_net_are_let_be(path):
    mg.save(path, *net_of(1))
    as_version_1(path)
    weights = path.with_suffix(".npz")
    np.savez(weights, w=np.ones(3))  # the user's own, in the place of those of version 1
    mg.save(path, *net_of(2))
    assert weights.exists() and number_in(path) == 2
    path.write_text("{}")
    mg.save(path, *net_of(3))
    assert weights.exists() and number_in(path) == 3


WRITER = """
import itertools, sys
import numpy as np
import minigrad as mg
from minigrad.course.files import write_atomically
with mg.Graph() as graph:
    w = mg.Variable(np.zeros(3), name="w")
    y, step = w + w, mg.assign_add(w, np.ones(3))
session = mg.Session(graph)
for n in range(int(sys.argv[2])):
    session.run(step)
    mg.save(sys.argv[1], y, session)
    print(n, flush=True)
"""


def writer(path, count):
    """A process that saves one net after another."""
    root = str(Path(mg.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(count)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root},
    )


@pytest.mark.skipif(os.name == "nt", reason="processes are killed by a signal")
def test_a_process_that_is_killed_leaves_a_net_that_loads(path):
    for lines in (1, 2, 5):
        process = writer(path, 10_000)
        for _ in range(lines):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert number_in(path) >= lines


def test_readers_beside_writers_load_one_whole_net(path):
    mg.save(path, *net_of(0))
    process, failed, done = writer(path, 60), [], []

    def write():
        try:
            for _ in range(40):
                for net in nets:
                    mg.save(path, *net)
        except Exception as error:
            failed.append(error)

    def read():
        try:
            done.extend(number_in(path) for _ in range(100))
        except Exception as error:
            failed.append(error)

    nets = [net_of(n) for n in (1, 2)]
    threads = [threading.Thread(target=f) for f in (write, read, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    process.communicate()
    assert failed == [] and process.returncode == 0 and len(done) == 200
    assert number_in(path) in range(61)
    assert not list(path.parent.glob(".*")), "parts are taken away"


def test_two_savers_at_once_leave_one_whole_net(path):
    failed = []

    def write(net):
        try:
            for _ in range(20):
                mg.save(path, *net)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=[net_of(n)]) for n in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == [] and number_in(path) in (1, 2)


def test_a_reader_whose_arrays_were_taken_away_reads_anew(path, monkeypatch):
    from minigrad.files import reading

    mg.save(path, *net_of(1))
    real, saved = reading.parse_text, []

    def replaced(text):
        if len(saved) < 3:
            mg.save(path, *net_of(len(saved) + 2))
            saved.append(1)
        return real(text)

    monkeypatch.setattr(reading, "parse_text", replaced)
    assert number_in(path) == 4 and len(saved) == 3
    monkeypatch.setattr(reading, "parse_text", lambda text: mg.save(path, *net_of(5)) or real(text))
    monkeypatch.setattr(reading, "ATTEMPTS", 5)
    with pytest.raises(mg.FileError, match="keep replacing it"):
        mg.load(path)


def test_files_of_version_1_load(path):
    mg.save(path, *net_of(4))
    as_version_1(path)
    assert number_in(path) == 4 and mg.load(path).session.runs == 0
    mg.save(path, *net_of(5))
    assert number_in(path) == 5 and not path.with_suffix(".npz").exists()


# nothing changes, and all comes back -------------------------------------------------------------


def dropping():
    """A net with dropout in training; (loss, step, graph, its batch)."""
    mg.nn.manual_seed(0)
    rng = np.random.default_rng(0)
    with mg.Graph() as graph:
        x = mg.placeholder("x", (None, 5))
        hidden = mg.dropout(mg.tanh(mg.nn.Linear(5, 8)(x)), 0.4, seed=3)
        loss = mg.mean((mg.nn.Linear(8, 1)(hidden) - mg.random_normal((6, 1), seed=5)) ** 2)
        step = mg.optim.Adam(lr=0.1).minimize(loss)
    return loss, step, graph, rng.normal(size=(6, 5))


def test_saving_changes_nothing_that_is_drawn_or_stored(path):
    loss, step, graph, batch = dropping()
    x = graph.nodes[0]
    alone, watched = mg.Session(graph), mg.Session(graph)
    for _ in range(4):
        a, _ = alone.run([loss, step], {x: batch})
        mg.save(path, [loss, step], watched)
        b, _ = watched.run([loss, step], {x: batch})
        mg.save(path, [loss, step], watched)
        assert a == b and watched.compiled == alone.compiled
    for v in graph.variables:
        np.testing.assert_array_equal(alone.run(v), watched.run(v))


def test_training_goes_on_from_a_file_as_if_it_had_not_stopped(path):
    loss, step, graph, batch = dropping()
    session, x = mg.Session(graph), graph.nodes[0]
    for _ in range(3):
        session.run(step, {x: batch})
    mg.save(path, {"loss": loss, "step": step}, session)
    net = mg.load(path)
    assert net.session.runs == session.runs == 3
    for _ in range(4):
        a, _ = session.run([loss, step], {x: batch})
        b, _ = net.run([net.outputs["loss"], net.outputs["step"]], {"x": batch})
        assert a == b
    mg.save(path, {"loss": loss, "step": step})
    assert mg.load(path).session.runs == 0


def test_what_a_session_stores_is_read_at_one_moment_without_a_run():
    with mg.Graph() as graph:
        v, w = mg.Variable(np.ones(2)), mg.Variable(5)
        step = mg.assign_add(v, np.ones(2))
    with mg.Graph():
        far = mg.Variable(0)
    session = mg.Session(graph)
    session.run(step)
    values, runs = session.state()
    assert (values[v.order].tolist(), values[w.order], runs) == ([2, 2], 5, 1)
    values[v.order][:] = 9  # a copy
    assert session.state([v])[0].keys() == {v.order} and session.run(v).tolist() == [2, 2]
    assert session.compiled == 2
    with pytest.raises(mg.GraphError, match="is not a Variable"):
        session.state([step])
    with pytest.raises(mg.GraphError, match="belongs to"):
        session.state([far])


def test_a_state_is_of_a_moment_between_two_runs():
    with mg.Graph() as graph:
        v, w = mg.Variable(np.zeros(20_000)), mg.Variable(np.zeros(20_000))
        step = mg.group(mg.assign_add(v, np.ones(20_000)), mg.assign_add(w, np.ones(20_000)))
    session, found = mg.Session(graph), []
    runner = threading.Thread(target=lambda: [session.run(step) for _ in range(300)])
    runner.start()
    for _ in range(100):
        values, runs = session.state()
        found.append({runs, *values[v.order].tolist(), *values[w.order].tolist()})
    runner.join()
    assert all(len(numbers) == 1 for numbers in found) and session.state()[1] == 300


def test_a_save_inside_a_run_is_refused(path):
    def save(x):
        mg.save(path, outputs, session)
        return x

    with mg.Graph() as graph:
        x = mg.placeholder("x", (2,))
        outputs = x * mg.Variable(np.ones(2))
        y = mg.custom_op(save, infer=lambda x: (x.shape, x.dtype), name="save")(x)
    session = mg.Session(graph)
    with pytest.raises(mg.MinigradError, match="the session is running"):
        session.run(y, {x: np.ones(2)})
    assert list(path.parent.iterdir()) == []
    mg.save(path, outputs, session)
    assert mg.load(path)(x=np.ones(2)).tolist() == [1, 1]


def test_what_is_computed_again_from_checkpoints_is_so_after_loading(path):
    with mg.Graph():
        x = h = mg.placeholder("x", (64,))
        for _ in range(16):
            h = mg.tanh(h * 1.1)
        (slope,) = mg.gradients(mg.sum(h), [x], checkpoints="sqrt")
    mg.save(path, slope)
    net, session = mg.load(path), mg.Session(slope.graph)
    a, b = session.compile(slope, [x]), net.session.compile(net.outputs, [net.inputs["x"]])
    assert len(a.recomputed) == len(b.recomputed) > 0
    assert a.plan.peak_bytes == b.plan.peak_bytes


def test_a_derivative_reads_variables_as_of_its_loss_after_loading(path):
    with mg.Graph():
        mg.placeholder("unused")
        w = mg.Variable(3.0)
        loss = w * w * w
        step = mg.assign(w, w - 1.0)
        (slope,) = mg.gradients(loss, [w])
    mg.save(path, [loss, slope, step])
    assert mg.load(path)() == [27, 27, 2]
    head = json.loads(path.read_text())
    for moment in (-1, True, 1.5, None, "1", 99):
        path.write_bytes(
            seal_text(
                json.dumps(
                    {
                        **head,
                        "nodes": [
                            {**node, "as_of": moment} if "as_of" in node else node
                            for node in head["nodes"]
                        ],
                    }
                ).encode()
            )
        )
        with pytest.raises(mg.FileError):
            mg.load(path)


@pytest.mark.skipif(os.name == "nt", reason="modes and the umask are those of Unix")
@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_a_file_of_the_course_is_on_the_disk_before_it_has_its_mode_and_its_name(
    tmp_path, monkeypatch, umask
):
    seen, sync = [], os.fsync

    def watch(handle):
        found = os.fstat(handle)
        seen.append((stat.S_IMODE(found.st_mode), found.st_size, (tmp_path / "page").exists()))
        sync(handle)

    monkeypatch.setattr(os, "fsync", watch)
    before = os.umask(umask)
    try:
        write_atomically(tmp_path / "page", "text")
    finally:
        os.umask(before)
    assert seen[0] == (0o600, 4, False)
    assert stat.S_IMODE((tmp_path / "page").stat().st_mode) == 0o644
    assert [path.name for path in tmp_path.iterdir()] == ["page"]


def test_a_file_of_the_course_waits_for_another_process_that_holds_it(tmp_path, monkeypatch):
    replace, refusals = os.replace, [PermissionError(13, "held")]

    def hold(*paths):
        if refusals:
            raise refusals.pop()
        replace(*paths)

    monkeypatch.setattr(os, "replace", hold)
    monkeypatch.setattr(atomic, "WAITS", (0,))
    write_atomically(tmp_path / "page", "text")
    assert (tmp_path / "page").read_text() == "text"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_device_is_not_replaced_by_a_file(tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with mg.Graph():
        y = mg.placeholder("x") + 1.0
    for write in (partial(mg.save, pipe, y), partial(write_atomically, pipe, "text")):
        with pytest.raises(mg.MinigradError, match=r"pipe\.json is a device, not a file"):
            write()
    assert pipe.is_fifo() and [path.name for path in tmp_path.iterdir()] == ["pipe.json"]
