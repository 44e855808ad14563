"""Calls of the Linux kernel that a worker is refused, as a filter that bubblewrap installs.

They make memory that no limit counts, keep what outlives a process, or make new namespaces, whose
owner may mount a file system of any size. Each answers "no such call".
"""

import platform
import struct

LOAD, EQUAL, SOME_BIT, AT_LEAST, RETURN = 0x20, 0x15, 0x45, 0x35, 0x06  # of classic BPF
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16  # where struct seccomp_data holds them
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000 | 38, 0x80000000  # 38 is ENOSYS
FOREIGN = 0x40000000  # from here on, x86_64 counts the calls of its 32-bit form
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CLONE, CLONE_NEWUSER = (56, 220), 0x10000000
PRCTL, PR_SET_PDEATHSIG = (157, 167), 1  # with it a worker would outlive the end of bubblewrap
REFUSED = {  # x86_64, aarch64
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "setns": (308, 268),
    "clone3": (435, 435),  # its flags cannot be looked at; without it clone is used
    "mount": (165, 40),
    "fsopen": (430, 430),
    "io_uring_setup": (425, 425),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
}


def known():
    """Whether this machine's numbers of calls stand here."""
    return platform.machine() in MACHINES


def program():
    """The filter, as the kernel reads it."""
    machine = platform.machine()
    own = list(MACHINES).index(machine)
    lines = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, MACHINES[machine]), (RETURN, 0, 0, KILL)]
    lines += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, FOREIGN), (RETURN, 0, 0, REFUSE)]
    for numbers in REFUSED.values():
        lines += [(EQUAL, 0, 1, numbers[own]), (RETURN, 0, 0, REFUSE)]
    some = (CLONE, SOME_BIT, CLONE_NEWUSER), (PRCTL, EQUAL, PR_SET_PDEATHSIG)
    for numbers, test, value in some:
        lines += [(EQUAL, 0, 4, numbers[own]), (LOAD, 0, 0, FIRST_ARGUMENT)]
        lines += [(test, 0, 1, value), (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
    lines += [(RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
