"""A pool of workers: processes of this machine, or those of a Dask scheduler elsewhere."""

import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import minigrad
from minigrad.core.errors import ArgumentError, MinigradError

PATIENCE = 0.5  # seconds between two looks whether all workers are still there
STARTING = 40  # seconds for workers to come up, and for one that was lost to come back
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # of matrix products
HERE = ("127.0.0.1", "localhost", "::1")
KEY_FILES = (("cert.pem", "tls_client_cert"), ("key.pem", "tls_client_key"))
REOPEN = "connect again, and continue the training there: train.resume(pool)"


class WorkersError(MinigradError, RuntimeError):
    """Workers, or the scheduler between them, that cannot do what was asked."""


class WorkerLost(Exception):
    """A worker has gone, or another stands in its place: what it held has to be made again."""


def import_distributed() -> Any:
    """The package that moves the tasks. Raises WorkersError where it is not installed."""
    try:
        import distributed
    except ImportError:
        raise WorkersError(
            "minigrad.workers needs Dask", 'pip install "minigrad-course[workers]"'
        ) from None
    return distributed


def local(count: int = 2, dashboard: bool = True) -> "Pool":
    """Start a pool of `count` processes of this machine, one thread each: `with local(2) as pool:`.

    They listen on this machine alone, and only to holders of a key that is made for this pool, so
    that no other user can have them run anything. They are started again when they end. The page
    that shows them at work can be read by every user of this machine: `dashboard=False` leaves it
    out. Raises WorkersError when the processes do not come up.

    >>> with mg.workers.local(2) as pool:  # doctest: +SKIP
    ...     print(pool.count)
    """
    distributed = import_distributed()
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ArgumentError(f"a pool cannot have {count!r} workers", "use 1 or more: local(2)")
    folder = tempfile.TemporaryDirectory(prefix="minigrad-pool-", ignore_cleanup_errors=True)
    closing: list[Callable] = [folder.cleanup]
    try:
        security, keys = make_keys(folder.name)
        cluster = start_scheduler(security, dashboard)
        closing.insert(0, partial(cluster.close, timeout=5))
        client = distributed.Client(cluster, direct_to_workers=True)
        command = worker_command(cluster.scheduler_address, folder.name) + keys
        pool = Pool(client, count, closing, command, dashboard)
    except BaseException:
        for close in closing:
            close()
        raise
    try:
        pool.wait()
    except BaseException:
        pool.close()
        raise
    return pool


def start_scheduler(security: Any, dashboard: bool) -> Any:
    """A scheduler in this process without workers; without a dashboard it answers on its page
    nothing but that it is alive."""
    import dask
    from distributed import LocalCluster

    pages = {} if dashboard else {"distributed.scheduler.http.routes": ["distributed.http.health"]}
    with dask.config.set(pages):
        return LocalCluster(
            n_workers=0, host="127.0.0.1", protocol="tls://", security=security, silence_logs=50,
            dashboard_address="127.0.0.1:0", scheduler_kwargs={"dashboard": dashboard},
        )  # fmt: skip


def make_keys(folder: str) -> tuple[Any, list[str]]:
    """Dask's Security with a new certificate for both ends of every connection, and the options
    that name its files, which lie in the private `folder`, to a worker."""
    from distributed.security import Security

    try:
        made = Security.temporary()
    except ImportError:
        raise WorkersError(
            "workers on this machine need the package cryptography, for the keys between them",
            'pip install "minigrad-course[workers]"',
        ) from None
    cert, key = (write_secret(folder, name, made, kind) for name, kind in KEY_FILES)
    options = {"tls_ca_file": cert, "tls_client_cert": cert, "tls_client_key": key}
    options |= {f"tls_{role}_{kind}": path for role in ("scheduler", "worker")
                for kind, path in (("cert", cert), ("key", key))}  # fmt: skip
    words = ["--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", key]
    return Security(require_encryption=True, **options), words


def write_secret(folder: str, name: str, made: Any, kind: str) -> str:
    """The path of a new file that holds one part of a Security, readable by this user alone."""
    path = os.path.join(folder, name)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(getattr(made, kind))
    return path


def worker_command(address: str, folder: str) -> list[str]:
    """The command line of a worker; what it leaves on the disk lies in `folder`."""
    command = [sys.executable, "-P", "-m", "dask", "worker", address]
    command += ["--host", "127.0.0.1", "--nthreads", "1", "--death-timeout", str(STARTING)]
    command += ["--memory-limit", "0", "--local-directory", folder]
    command += ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]  # it answers "alive"
    return [*command, "--no-nanny"]  # we start them again


def start_quietly(command: Sequence[str]) -> subprocess.Popen:
    """A process that imports from where this one does, and nowhere else."""
    environment = {**os.environ, **dict.fromkeys(THREADS, "1")}
    environment["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, sys.path))
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=nowhere, stderr=nowhere, env=environment)


def connect(address: str, insecure: bool = False, security: Any = None) -> "Pool":
    """Connect to the scheduler at `address`; returns the Pool of all its workers.

    Graphs, numbers and hidden checks travel to it, and it can run any code: a scheduler on another
    machine is spoken to by TLS (tls://head:8786, with Dask's own certificates or `security`), or,
    on a network that you trust, with insecure=True.

    >>> pool = mg.workers.connect("tcp://127.0.0.1:8786")  # doctest: +SKIP
    """
    distributed = import_distributed()
    parts = urlsplit(address if isinstance(address, str) else "")
    if parts.scheme not in ("tcp", "tls") or not parts.hostname:
        raise ArgumentError(
            f"{address!r} is not the address of a scheduler", "write tls://head:8786"
        )
    if parts.scheme == "tcp" and parts.hostname not in HERE and not insecure:
        raise WorkersError(
            f"{address} is another machine, and the data sent to it would not be encrypted",
            "use its tls:// address; on a network that you trust, insecure=True or --insecure",
        )
    try:
        client = distributed.Client(address, timeout=5, security=security)
    except (OSError, ValueError, TypeError) as error:
        raise WorkersError(
            f"no scheduler answers at {address}: {str(error)[:200]}", "start it: dask scheduler"
        ) from None
    pool = Pool(client, len(client.scheduler_info(n_workers=-1)["workers"]))
    if not pool.count:
        pool.close()
        raise WorkersError(
            f"the scheduler at {address} has no workers", f"start some: dask worker {address}"
        )
    return pool


@cache
def package_facts() -> tuple[str, str]:
    """(version, digest of the sources) of the package in this process."""
    digest = hashlib.sha256()
    root = Path(minigrad.__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return read_version(), digest.hexdigest()


def read_version() -> str:
    """The version that was installed; of a folder that never was, a word that says so."""
    try:
        return version("minigrad-course")
    except PackageNotFoundError:
        return "uninstalled"


class Pool:
    """Workers that compute: made by `local` and `connect`; close it, or use it in a `with`.

    `count` workers are expected; `dashboard` is the address of the page that shows them at work.
    """

    def __init__(
        self, client: Any, count: int, closing: Sequence = (), command: Sequence[str] = (),
        dashboard: bool = True,
    ) -> None:  # fmt: skip
        self.client, self.count, self.closing, self.command = client, count, closing, command
        self.processes: list[subprocess.Popen] = []  # of a local pool, each run by `command`
        self.dashboard = client.dashboard_link if dashboard else "none"
        self.wait_count = count
        self.desks: dict[str, Any] = {}  # by the addresses of workers
        self.checked_addresses: set[str] = set()  # of workers that have this package

    def __repr__(self) -> str:
        return f"<pool of {self.count} workers; dashboard: {self.dashboard}>"

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends the workers that `local` started, and the connection."""
        for process in self.processes:
            process.terminate()
        with contextlib.suppress(Exception):  # one that is gone need not be told
            self.client.close(timeout=5)
        for process in self.processes:
            end_process(process)
        for close in self.closing:
            with contextlib.suppress(Exception):
                close()
        self.processes, self.closing, self.command = [], (), ()

    def executor(self) -> Any:
        """The pool as a concurrent.futures executor; a task whose worker goes is sent again."""
        self.check(self.wait())
        return self.client.get_executor(pure=False, retries=3)

    def addresses(self) -> list[str]:
        """The addresses of the workers that are there, in order."""
        with self.speaking():
            known = self.client.sync(self.client.scheduler.identity, n_workers=-1)
            return sorted(known["workers"])

    def wait(self) -> list[str]:
        """The addresses of all `count` workers, or of those that are there after a while."""
        self.start_missing()
        with self.speaking(), contextlib.suppress(TimeoutError):
            self.client.wait_for_workers(self.wait_count, timeout=STARTING)
        found = self.addresses()
        # who did not come is not awaited again
        self.wait_count = max(1, min(self.count, len(found)))
        if not found:
            raise WorkersError(
                f"no worker has started within {STARTING} seconds", "start some: dask worker"
            )
        return found

    def start_missing(self) -> None:
        """Starts the processes of a local pool, and again those that have ended."""
        if self.command:
            alive = [process for process in self.processes if process.poll() is None]
            new = [start_quietly(self.command) for _ in range(self.count - len(alive))]
            self.processes = alive + new

    def check(self, addresses: Sequence[str]) -> None:
        """Raises WorkersError unless each of these workers has this very minigrad."""
        new = [address for address in addresses if address not in self.checked_addresses]
        for address, facts in zip(new, self.call([(a, package_facts, ()) for a in new])):
            if facts != package_facts():
                (theirs, _), (ours, _) = facts, package_facts()
                other = f"minigrad {theirs}" if theirs != ours else "other sources of minigrad"
                raise WorkersError(
                    f"the worker {address} has {other}, this process minigrad {ours}",
                    "install the same version on all of them",
                )
        self.checked_addresses.update(new)

    def call(self, tasks: Sequence[tuple[str, Callable, tuple]]) -> list:
        """The results of (address, function, arguments), each computed by that worker.

        Raises WorkerLost when one of the workers goes, or answers that it holds nothing; what a
        function raises is raised here, when all have answered.
        """
        with self.speaking():
            desks = [self.desk(address) for address, *_ in tasks]
            waiting = [
                (ask_desk(desk, function, arguments), address)
                for desk, (address, function, arguments) in zip(desks, tasks)
            ]
            found = [self.answer(*one) for one in waiting]
        for one in found:
            if isinstance(one, Raised):
                raise one.error
            if isinstance(one, Missing):
                raise WorkerLost
        return found

    def desk(self, address: str) -> Any:
        """The Desk in a worker's process; made when it is first asked for."""
        if address not in self.desks:
            made = self.client.submit(Desk, actor=True, workers=[address], pure=False)
            try:
                self.desks[address] = self.answer(made, address)
            except (WorkerLost, MinigradError, CancelledError):
                raise
            except Exception as error:
                message = f"the worker {address} cannot take part: {str(error)[:200]}"
                raise WorkersError(message, "install the same version of minigrad there") from None
        return self.desks[address]

    def answer(self, waiting: Any, address: str) -> Any:
        """What a worker answers, however long it takes. Raises WorkerLost when it has gone."""
        while True:
            try:
                return waiting.result(timeout=PATIENCE)
            except TimeoutError:
                if address not in self.addresses():
                    raise WorkerLost from None
            except OSError:
                raise WorkerLost from None

    def speaking(self) -> "Speaking":
        """A `with` block in which the scheduler is spoken to. Raises WorkersError."""
        if self.client.status == "closed":
            raise WorkersError("the pool is closed", REOPEN)
        return Speaking()


class Speaking:
    """A `with` block that turns what a broken connection raises into a WorkersError."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, (OSError, CancelledError)):  # a CommClosedError is an OSError
            message = f"the scheduler does not answer any more: {type(error).__name__}"
            raise WorkersError(message, REOPEN) from None


class Missing:
    """What a worker answers that has lost values which the step needs."""


class Raised(NamedTuple):
    """What a function raised on a worker."""

    error: Exception


class Desk:
    """Stands in a worker's process, and does what it is told there, one thing after another.

    It is an actor of Dask: to ask it takes a millisecond, where a task takes fifteen.
    """

    def do(self, function: Callable, *arguments: Any) -> Any:
        """function(*arguments), or what it raises."""
        try:
            return function(*arguments)
        except Exception as error:
            return Raised(error)


def ask_desk(desk: Any, function: Callable, arguments: tuple) -> Any:
    """The answer to come of a Desk. Raises WorkerLost when its worker has gone."""
    try:
        return desk.do(function, *arguments)
    except RuntimeError:
        raise WorkerLost from None


def end_process(process: subprocess.Popen) -> None:
    """Waits for a process that was told to end, and ends it where it does not."""
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
