"""A worker inside a Docker container: how it is started and ended.

The container has no network, no file of the machine, a file system that cannot be written but for
a folder in memory, no rights, limits on all that its processes use together, and an end of its own.
"""

import functools
import os
import secrets
import subprocess
from pathlib import Path

from minigrad.course.grading.orphans import FOLDER, FOLDER_BYTES
from minigrad.course.grading.process import ONE_THREAD, Launch, program

IMAGE = "minigrad-worker"
RECIPE = Path(__file__).parent / "Dockerfile"
BUILD = f"docker build -t {IMAGE} - < {RECIPE.name} (in minigrad/course/grading)"
MEMORY = "1g"
PROCESSES = 16
FILES = 10_000
UNCOUNTED = 4_096  # processes of others, where nobody counts them
WAIT_SECONDS = 20
LIMITS = "--network none --ipc none --read-only --cap-drop ALL"
LIMITS += f" --memory {MEMORY} --memory-swap {MEMORY}"
LIMITS += f" --pids-limit {PROCESSES} --user 65534:65534 --security-opt no-new-privileges"


def launch(python):
    """The `Launch` of a container that runs `python` in a folder in memory. The image has the
    libraries, and the container counts its processes; the end of its client is not its own."""
    docker, name = program("docker") or "docker", f"{IMAGE}-{secrets.token_hex(8)}"
    memory = f"{FOLDER}:rw,mode=1777,size={FOLDER_BYTES},nr_inodes={FILES}"
    words = [docker, "run", "--rm", "--interactive", "--name", name, *LIMITS.split()]
    words += ["--tmpfs", memory, "--workdir", FOLDER]
    for variable in ({"HOME": FOLDER} | ONE_THREAD).items():
        words += ["--env", "=".join(variable)]
    command, end = [*words, IMAGE, "python", *python], [docker, "kill", name]
    return Launch(command, others=UNCOUNTED, environment=dict(os.environ), end=end)


@functools.cache
def works():
    """None when Docker runs here and has the image, else the reason why not."""
    if not (docker := program("docker")):
        return "docker is not installed"
    words, wanted = [docker, "image", "inspect", IMAGE], {"capture_output": True, "text": True}
    try:
        done = subprocess.run(words, timeout=WAIT_SECONDS, check=False, **wanted)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"docker does not answer: {error}"
    said = done.stderr.strip()[:200]
    if done.returncode and "No such image" not in done.stderr:
        return f"docker does not answer: {said}"
    return f"docker has no image {IMAGE} ({said}); make it: {BUILD}" if done.returncode else None
