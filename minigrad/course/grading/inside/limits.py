"""The limits that this process sets on itself before it sees any of the student's code."""

import os
import signal
import sys

try:
    import resource
except ImportError:
    resource = None


# macOS takes these limits and does not keep them
UNKEPT = {"memory", "processes"} if sys.platform == "darwin" else set()


def impose(limits):
    """Give up rights and set `limits`; returns the names of those that this system lacks."""
    lacking = [] if drop_user(limits["user"]) else ["user"]
    if hasattr(signal, "alarm"):
        signal.alarm(limits["alarm"])
    for name, constant in (
        ("file", "RLIMIT_FSIZE"),
        ("core", "RLIMIT_CORE"),
        ("cpu", "RLIMIT_CPU"),
        ("processes", "RLIMIT_NPROC"),
        ("memory", "RLIMIT_AS"),
    ):
        if not cap(constant, limits[name]) or name in UNKEPT:
            lacking.append(name)
    return lacking


def drop_user(number):
    """Become the unprivileged user `number`, when one is given; whether that was possible."""
    if number is None:
        return True
    try:
        os.setgroups([])
        os.setgid(number)
        os.setuid(number)
    except (OSError, AttributeError):
        return False
    return True


def cap(constant, value):
    """Set one resource limit, soft and hard; whether the system took it."""
    number = getattr(resource, constant, None)
    if number is None:
        return False
    try:
        hardest = resource.getrlimit(number)[1]
        if hardest != resource.RLIM_INFINITY:
            value = min(value, hardest)
        resource.setrlimit(number, (value, value))
    except (OSError, ValueError):
        return False
    return True
