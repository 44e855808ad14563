"""A worker inside a Docker container: the command that starts it, and the one that ends it.

The container has no network, no file of the machine but the worker's own code, a file system that
cannot be written but for a folder in memory, no rights, and an end of its own.
"""

import functools
import shutil
import subprocess
from pathlib import Path

IMAGE = "minigrad-worker"
RECIPE = Path(__file__).parent / "Dockerfile"
BUILD = f"docker build -t {IMAGE} - < {RECIPE.name} (in minigrad/course/grading)"
MEMORY = "1g"
PROCESSES = 64
WAIT_SECONDS = 20
LIMITS = f"--network none --read-only --cap-drop ALL --memory {MEMORY} --memory-swap {MEMORY}"
LIMITS += f" --pids-limit {PROCESSES} --user 65534:65534 --security-opt no-new-privileges"


def start(name, inside, folder_bytes, python):
    """The command line of a container `name` that runs `python` with the worker's code."""
    words = [shutil.which("docker") or "docker", "run", "--rm", "--interactive", "--name", name]
    words += [*LIMITS.split(), "--tmpfs", f"/box:rw,mode=1777,size={folder_bytes}"]
    words += ["--workdir", "/box", "--env", "HOME=/box"]
    words += ["--env", "OMP_NUM_THREADS=1", "--env", "OPENBLAS_NUM_THREADS=1"]
    words += ["--mount", f"type=bind,source={inside},target=/grader/inside,readonly"]
    return [*words, IMAGE, "python", *python]


def end(name):
    """The command line that ends a container: its client's end would not."""
    return [shutil.which("docker") or "docker", "kill", name]


@functools.cache
def works():
    """None when Docker runs here and has the image, else the reason why not."""
    if not shutil.which("docker"):
        return "docker is not installed"
    command = ["docker", "image", "inspect", IMAGE]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=WAIT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"docker does not answer: {error}"
    if done.returncode:
        return f"docker has no image {IMAGE} ({done.stderr.strip()[:200]}); make it: {BUILD}"
    return None
