"""The limits that this process sets on itself before it sees any of the student's code."""

import _signal as signal  # `signal` itself loads `enum`
import sys

try:
    import resource
except ImportError:
    resource = None


CONSTANTS = {"file": "RLIMIT_FSIZE", "core": "RLIMIT_CORE", "cpu": "RLIMIT_CPU"}
CONSTANTS |= {"descriptors": "RLIMIT_NOFILE", "processes": "RLIMIT_NPROC", "memory": "RLIMIT_AS"}
# macOS takes these limits and does not keep them
UNKEPT = {"memory", "processes"} if sys.platform == "darwin" else set()


def impose(limits):
    """Set `limits`; returns the names of those that this system lacks."""
    lacking = []
    if hasattr(signal, "alarm"):
        signal.alarm(limits["alarm"])
    for name, constant in CONSTANTS.items():
        if not cap(constant, limits[name]) or name in UNKEPT:
            lacking.append(name)
    return lacking


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
