"""A worker inside bubblewrap: no network, its own processes and users, next to nothing to read, and
a filter of the calls that the Linux kernel answers.

The calls that are refused make memory that no limit counts, keep what outlives a process, reach
into another process, watch what others do with a file, or make new namespaces, whose owner may
mount a file system of any size. Each answers "no such call".
"""

import functools
import json
import os
import platform
import site
import struct
import subprocess
import sys
from pathlib import Path

from minigrad.course.grading import process
from minigrad.course.grading.orphans import FOLDER, FOLDER_BYTES
from minigrad.course.grading.process import ENVIRONMENT, Launch, program

OPTIONS = "--unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try"
OPTIONS += " --die-with-parent --as-pid-1 --cap-drop ALL"  # its own process 1 has no limits
LOAD, EQUAL, SOME_BIT, AT_LEAST, RETURN = 0x20, 0x15, 0x45, 0x35, 0x06  # of classic BPF
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16  # where struct seccomp_data holds them
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000 | 38, 0x80000000  # 38 is ENOSYS
FOREIGN = 0x40000000  # from here on, x86_64 counts the calls of its 32-bit form
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CLONE, CLONE_NEWUSER = (56, 220), 0x10000000
PRCTL, PR_SET_PDEATHSIG = (157, 167), 1  # with it a worker would outlive the end of bubblewrap
REFUSED = {  # x86_64, aarch64; the flags of clone3 cannot be looked at: without it clone is used
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194),
    "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180), "add_key": (248, 217),
    "request_key": (249, 218), "keyctl": (250, 219), "unshare": (272, 97), "setns": (308, 268),
    "clone3": (435, 435), "mount": (165, 40), "fsopen": (430, 430), "io_uring_setup": (425, 425),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    # they tell which pages of a file are in memory: what one worker reads, the next could know
    "preadv2": (327, 286), "pwritev2": (328, 287), "mincore": (27, 232), "cachestat": (451, 451),
    # another process could only be one of the worker's own: its number means no other inside
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "move_pages": (279, 239), "migrate_pages": (256, 238),
    # they tell who opens a library that all share, open a file by its number, read the kernel's log
    "inotify_init": (253, 26), "inotify_init1": (294, 26), "fanotify_init": (300, 262),
    "open_by_handle_at": (304, 265), "syslog": (103, 116),
    # the times of /dev/null outlive a worker
    "utimensat": (280, 88), "utime": (132, 88), "utimes": (235, 88), "futimesat": (261, 88),
}  # fmt: skip
SOCKET, FAMILIES = (41, 198), (1, 2, 10)  # of one machine, and of a network that is not there


def launch(python, libraries):
    """The `Launch` of `python` in a sandbox: no network, its own processes and users, nothing to
    read but the interpreter and its libraries, nothing to write but an empty folder in memory."""
    prefix = os.path.realpath(sys.base_prefix)
    own = [prefix] if prefix != "/usr" else [process.real_interpreter(), "/usr/lib"]
    shared = [path for path in ("/usr/lib", "/lib", "/lib64", "/usr/lib64") if Path(path).exists()]
    covered, descriptors = package_folders(), [text_descriptor(call_filter())]
    words = [*OPTIONS.split(), "--seccomp", str(descriptors[0])]
    for name, value in {**ENVIRONMENT, "HOME": FOLDER}.items():
        words += ["--setenv", name, value]
    ready = bool
    if process.running_as_root():
        (info, told), (waits, go) = os.pipe(), os.pipe()
        descriptors += [told, waits]
        words += ["--unshare-user", "--info-fd", str(told), "--userns-block-fd", str(waits)]
        ready = functools.partial(map_users, info, go)
    else:
        words += "--unshare-user --uid 65534 --gid 65534".split()
    for path in dict.fromkeys([*shared, *own]):
        words += ["--ro-bind", path, path]
    for path in covered:  # nothing but what the assignment asks for: not another engine
        words += ["--size", "4096", "--tmpfs", path]
    for path in library_paths(libraries):
        words += ["--ro-bind", path, path]
    words += ["--dev-bind", "/dev/null", "/dev/null", "--dev-bind", "/dev/urandom", "/dev/urandom"]
    words += ["--proc", "/proc", "--size", str(FOLDER_BYTES), "--tmpfs", FOLDER, "--chdir", FOLDER]
    for path in [*covered, "/"]:
        words += ["--remount-ro", path]
    # read from a descriptor: what stands on the command line could be read inside
    descriptors.append(text_descriptor("\0".join(words).encode()))
    command = [program("bwrap"), "--args", str(descriptors[-1]), "--", *python]
    return Launch(command, [], process.spare_user(), tuple(descriptors), ready=ready)


def map_users(info, go):
    """For root: let all users keep their numbers in the namespace that bwrap has made, or it could
    not go where only root may to find the interpreter. It tells of its child by the descriptor
    `info`, and waits for a byte from `go`."""
    with os.fdopen(info) as said, os.fdopen(go, "wb") as waiting:
        child = json.load(said)["child-pid"]
        for name in ("uid_map", "gid_map"):
            ranges = [line.split() for line in Path("/proc/self", name).read_text().splitlines()]
            same = "".join(f"{first} {first} {count}\n" for first, _, count in ranges)
            Path("/proc", str(child), name).write_text(same)
        waiting.write(b".")


def text_descriptor(text):
    """A descriptor from which `text` can be read."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as file:
        file.write(text)
    return reading


def library_paths(names):
    """The folders of the libraries `names` alone, with the binary parts that lie beside them."""
    beside = [path.with_name(f"{path.name}.libs") for path in process.packages(names)]
    return [str(path) for path in [*process.packages(names), *filter(Path.is_dir, beside)]]


def package_folders():
    """The folders in which other packages may be, below what a sandbox shows of the machine."""
    python = os.path.realpath(sys.base_prefix)
    folders = [*site.getsitepackages([python]), "/usr/lib/python3/dist-packages"]
    folders += [path.removeprefix("/usr") for path in folders if path.startswith("/usr/lib")]
    shown = (f"{python}/lib", "/usr/lib", "/lib")
    there = [path for path in dict.fromkeys(folders) if path.startswith(shown)]
    return [path for path in there if os.path.isdir(path) and not os.path.islink(path)]


def call_filter():
    """The filter, as the kernel reads it."""
    machine = platform.machine()
    own = list(MACHINES).index(machine)
    lines = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, MACHINES[machine]), (RETURN, 0, 0, KILL)]
    lines += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, FOREIGN), (RETURN, 0, 0, REFUSE)]
    for numbers in REFUSED.values():
        lines += [(EQUAL, 0, 1, numbers[own]), (RETURN, 0, 0, REFUSE)]
    lines += [(EQUAL, 0, len(FAMILIES) + 3, SOCKET[own]), (LOAD, 0, 0, FIRST_ARGUMENT)]
    lines += [(EQUAL, len(FAMILIES) - at, 0, one) for at, one in enumerate(FAMILIES)]
    lines += [(RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
    some = (CLONE, SOME_BIT, CLONE_NEWUSER), (PRCTL, EQUAL, PR_SET_PDEATHSIG)
    for numbers, test, value in some:
        lines += [(EQUAL, 0, 4, numbers[own]), (LOAD, 0, 0, FIRST_ARGUMENT)]
        lines += [(test, 0, 1, value), (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
    lines += [(RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


@functools.cache
def works():
    """None when a worker starts inside bubblewrap here, else the reason why not."""
    if not sys.platform.startswith("linux"):
        return "bubblewrap exists on Linux only"
    if not program("bwrap"):
        return "bubblewrap is not installed (the command bwrap was not found)"
    if platform.machine() not in MACHINES:
        return "the list of forbidden system calls does not cover this kind of processor"
    python = [process.real_interpreter(), "-I", "-S", "-c", "import resource, os"]
    try:
        started = process.spawn(launch(python, []), cwd="/", text=True, stderr=subprocess.PIPE)
        _, said = started.communicate(timeout=10)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    return None if started.returncode == 0 else f"bubblewrap fails: {said.strip()[:200]}"
