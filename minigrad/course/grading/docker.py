"""A worker inside a Docker container: the command that starts it, and the one that ends it.

The container has no network, no file of the machine, a file system that cannot be written but for
a folder in memory, no rights, limits on all that its processes use together, and an end of its own.
"""

import functools
import os
import shutil
import subprocess
from pathlib import Path

IMAGE = "minigrad-worker"
RECIPE = Path(__file__).parent / "Dockerfile"
BUILD = f"docker build -t {IMAGE} - < {RECIPE.name} (in minigrad/course/grading)"
MEMORY = "1g"
PROCESSES = 16
FILES = 10_000
WAIT_SECONDS = 20
LIMITS = "--network none --ipc none --read-only --cap-drop ALL"
LIMITS += f" --memory {MEMORY} --memory-swap {MEMORY}"
LIMITS += f" --pids-limit {PROCESSES} --user 65534:65534 --security-opt no-new-privileges"


def program(name):
    """Where a program lies, or None; none from the folder in which the command was given."""
    folders = filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep))
    found = shutil.which(name, path=os.pathsep.join(folders))
    return found if found and os.path.isabs(found) else None  # Windows looks there in any case


def start(name, folder, folder_bytes, python):
    """The command line of a container `name` that runs `python` in a `folder` in memory."""
    words = [program("docker") or "docker", "run", "--rm", "--interactive", "--name", name]
    memory = f"{folder}:rw,mode=1777,size={folder_bytes},nr_inodes={FILES}"
    words += [*LIMITS.split(), "--tmpfs", memory]
    words += ["--workdir", folder, "--env", f"HOME={folder}"]
    words += ["--env", "OMP_NUM_THREADS=1", "--env", "OPENBLAS_NUM_THREADS=1"]
    return [*words, IMAGE, "python", *python]


def end(name):
    """The command line that ends a container: its client's end would not."""
    return [program("docker") or "docker", "kill", name]


@functools.cache
def works():
    """None when Docker runs here and has the image, else the reason why not."""
    if not program("docker"):
        return "docker is not installed"
    command = ["docker", "image", "inspect", IMAGE]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=WAIT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"docker does not answer: {error}"
    if done.returncode and "No such image" not in done.stderr:
        return f"docker does not answer: {done.stderr.strip()[:200]}"
    if done.returncode:
        return f"docker has no image {IMAGE} ({done.stderr.strip()[:200]}); make it: {BUILD}"
    return None
