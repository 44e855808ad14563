"""One worker process seen from outside: requests with limited time, and an end that is sure."""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from typing import NamedTuple

from minigrad.course.grading import groups, orphans, sandbox, scratch
from minigrad.course.grading.inside import wire
from minigrad.course.grading.meter import PATIENCE, Meter
from minigrad.course.grading.process import spawn

OUTPUT_BYTES = 64 * 2**10
START_SECONDS = 20
END_SECONDS = 20
CLIENT_SECONDS = 2  # until the client of a container notices that it has ended
FIRST_LOOK = 1 / 8  # of a call's time: most answers come before anybody looks
LOOK_SECONDS = 0.25
LATE = "it did not come back in time"
WATCH_SECONDS = 0.1
WATCH_SHARE = 20  # looks take a twentieth of a processor at most, however many processes there are


class Limits(NamedTuple):
    """What a submission may use: seconds of `Meter` for a call, for a question, and for its cells,
    however often they are run; at one time, bytes of memory for one process and for all, of a
    file, processes, open files, files."""

    call_seconds: float = 4
    question_seconds: float = 12
    loading_seconds: float = 24
    memory: int = 768 * 2**20
    together: int = 1536 * 2**20
    file: int = 16 * 2**20
    processes: int = 8
    descriptors: int = 64
    files: int = 10_000


class Setting(NamedTuple):
    """Where a worker runs: the kind of sandbox, the libraries it may import, its limits."""

    sandbox: str = "none"
    libraries: tuple = ()
    limits: Limits = Limits()


class Lost(Exception):
    """The worker is gone or does not answer as a worker; `kind` is died, slow or forged."""

    def __init__(self, kind, text):
        self.kind = kind
        super().__init__(text)


@dataclass
class Call:
    """A request whose reply is awaited for so many seconds: when to look, and how much of the
    worker's time may have gone by the end, once that is known."""

    seconds: float
    look: float
    end: float | None = None


class Worker:
    """A process that holds the student's code, of the run with this `token`. `lacking` names the
    limits it could not set."""

    def __init__(self, setting, token=""):
        self.limits = setting.limits
        start = sandbox.launch_worker(setting.sandbox, setting.libraries)
        self.end, self.over = start.end, ""
        self.folder = scratch.new_folder(start.user) if start.bare else None
        environment = start.environment | ({"HOME": self.folder} if start.bare else {})
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        with groups.new_group(self.limits, token) as self.group:
            self.process = spawn(start, cwd=self.folder, env=environment, **pipes)
        self.meter = Meter(self.process.pid, self.group, is_client=bool(self.end))
        self.output, self.call = bytearray(), None
        self.closed, self.ending = threading.Event(), threading.Lock()
        for task in (self.drain, self.watch):  # which never keep the program alive
            threading.Thread(target=task, daemon=True).start()
        told = {"limits": self.own_limits(start.others), "libraries": start.libraries}
        self.lacking = self.open(told)

    def open(self, message):
        """Send the opening message and wait for the worker to be ready."""
        try:
            return wire.decode(self.ask(message, START_SECONDS)["value"], None, None)
        except Lost as lost:
            seen = self.output.decode(errors="replace")[-300:]
            raise RuntimeError(f"no worker starts: {lost} {seen}") from lost

    def own_limits(self, others):
        """The limits as the worker sets them on itself, beside `others` that count as its own."""
        seconds, call_seconds = self.limits.question_seconds, self.limits.call_seconds
        cpu = (seconds + call_seconds) * (PATIENCE if self.end else 1)  # see Meter.is_client
        own = {"alarm": int(PATIENCE * seconds) + 60, "cpu": int(cpu) + 1}
        own |= {"processes": self.limits.processes + others, "core": 0}
        return self.limits._asdict() | own

    def watch(self):
        """End the process, and what holds its channel open, once all that it has started use too
        much together, its reply is late, or it has ended itself."""
        pause = WATCH_SECONDS
        while not (self.over or self.closed.wait(pause) or self.process.poll() is not None):
            begun = time.thread_time()  # by the clock, a busy machine would make the pauses long
            if not self.end:  # a container counts for itself
                self.over = orphans.excess(self.process.pid, self.limits, self.group)
            self.over = self.over or self.late()
            pause = max(WATCH_SECONDS, WATCH_SHARE * (time.thread_time() - begun))
        with self.ending:
            if not self.closed.is_set():
                self.finish()

    def late(self):
        """Why the reply is not awaited any longer; empty while it is."""
        call, now = self.call, time.monotonic()
        if call is None or now < call.look:
            return ""
        used = self.meter.look()
        if call.end is None:
            call.end = used + call.seconds
        elif used >= call.end or self.meter.sleeps:
            return LATE if self.call is call else ""
        call.look = now + max(call.end - used, LOOK_SECONDS)
        return ""

    def finish(self):
        """Kill the process with all that it has started."""
        with contextlib.suppress(OSError, AttributeError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        orphans.end_children()

    def ask(self, request, seconds=None):
        """The reply to one request. Raises `Lost`, after which the process is gone."""
        nonce, seconds = secrets.token_hex(8), seconds or self.limits.call_seconds
        self.call = Call(seconds, time.monotonic() + FIRST_LOOK * seconds)
        try:
            wire.write_request(self.process.stdin, {"nonce": nonce, **request})
            reply = wire.read_reply(self.process.stdout)
        except (EOFError, OSError, wire.WireError) as error:
            reply = error
        finally:
            self.call = None
        if isinstance(reply, (EOFError, OSError)):
            raise self.end_error()
        if type(reply) is not dict or reply.pop("nonce", None) != nonce or len(reply) != 1:
            raise self.end_as_lost("forged", "an answer came that no question asked for")
        return reply

    def end_error(self):
        """The exception for a process that has ended."""
        words = self.last_words()
        over = self.over or (self.group and groups.excess_in(self.group, self.limits))
        return self.end_as_lost("slow", over) if over else self.end_as_lost("died", words)

    def end_as_lost(self, kind, text):
        """End the process; the exception to raise."""
        self.close()
        return Lost(kind, text)

    def drain(self):
        """Read what the student's code prints, so that it never waits; keep the beginning."""
        with contextlib.suppress(OSError, ValueError), self.process.stderr as stream:
            while data := stream.read1(1 << 16):
                self.output += data[: OUTPUT_BYTES - len(self.output)]

    def last_words(self):
        """How the process ended, in words."""
        code = self.exit_status()
        if code is None:
            return "it closed its channel"
        number = -code if code < 0 else code - 128  # bwrap reports a signal as 128 + its number
        if number == getattr(signal, "SIGKILL", 9):
            return "the system ended it (processor time or memory)"
        if number in {item.value for item in signal.Signals}:
            return f"it ended by the signal {signal.Signals(number).name}"
        return f"it ended its own process with exit status {code}"

    def exit_status(self):
        """The exit status of a process that is ending; None when it goes on, or sleeps."""
        until = time.monotonic() + (CLIENT_SECONDS if self.end else END_SECONDS)
        self.meter.look()
        while self.process.poll() is None and time.monotonic() < until:
            try:
                return self.process.wait(timeout=LOOK_SECONDS)
            except subprocess.TimeoutExpired:
                self.meter.look()
            if self.meter.sleeps:
                return None
        return self.process.poll()

    def close(self):
        """End the process with all it has started, and remove its folder. Afterwards nothing here
        ends children any more: the next ones are another worker's."""
        with self.ending:
            self.closed.set()
        if self.end:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(self.end, capture_output=True, timeout=END_SECONDS, check=False)
        self.finish()
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                stream.close()
        if self.group:
            groups.remove_group(self.group)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
