"""One slope in each framework, at once and compiled: what lessons and `minigrad compare` time.

Each function takes the length of an array, or the shape of a square matrix, and returns what is
timed, ready to run.
"""

import os
import re
import shutil
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np

import minigrad as mg


def y(x, xp=mg):
    """y = Σ r² with r = tanh(0.5 x + 0.1) · exp(−x²) + 0.1 x², for any library."""
    q = x * x
    r = xp.tanh(x * 0.5 + 0.1) * xp.exp(-q) + q * 0.1
    return xp.sum(r * r)


def square_product(x, xp=mg):
    """Σ (x @ x)²: three products of matrices make its value and slope."""
    r = x @ x
    return xp.sum(r * r)


def pose_slope(size):
    """(formula, numbers from -1 to 1): y for a length, the product for a shape."""
    numbers = np.linspace(-1, 1, np.prod(size)).reshape(size)
    return (y if numbers.ndim == 1 else square_product), numbers


# minigrad ----------------------------------------------------------------------------------------


def walk_back(formula, array):
    """The slope of a formula on Tensors: a graph is made and walked back in every run."""
    x = mg.tensor(array, requires_grad=True)

    def run():
        x.zero_grad()
        formula(x).backward()
        return x.grad

    return run


def compile_slope(formula, array, backend="codegen"):
    """The same in a Graph: one program, compiled before the clock starts."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=array.shape)
        session = mg.Session(graph, backend=backend)
        program = session.compile(mg.gradients(formula(x), [x]), [x])
    return lambda: program(array)


def compile_on_jax(formula, array):
    """The same Graph by the jax backend: arrays go in and come out as NumPy's."""
    return compile_slope(formula, array, "jax")


# the frameworks ----------------------------------------------------------------------------------


def with_torch(size):
    """PyTorch, eager, on one thread."""
    import torch

    torch.set_num_threads(1)
    formula, numbers = pose_slope(size)
    x = torch.tensor(numbers, requires_grad=True)
    return lambda: torch.autograd.grad(formula(x, torch), [x])


def with_torch_compiled(size):
    """PyTorch by torch.compile, on one thread; it needs a C++ compiler.

    It compiles in every process: what an earlier one has left on the disk is not taken.
    """
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", empty_folder().name)
    import torch

    torch.set_num_threads(1)
    formula, numbers = pose_slope(size)
    slope = torch.compile(torch.func.grad(lambda x: formula(x, torch)), dynamic=False)
    x = torch.tensor(numbers)
    return lambda: slope(x)


@cache
def empty_folder():
    """A folder that is empty at first, and gone with this process."""
    return TemporaryDirectory(prefix="minigrad-", ignore_cleanup_errors=True)


def with_tensorflow(size):
    """TensorFlow by tf.function; on one thread where it did not run before."""
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    formula, numbers = pose_slope(size)
    with mute_messages():  # about the machine; no setting stops those of its first moments
        import tensorflow as tf

        with suppress(RuntimeError):  # it runs already
            tf.config.threading.set_intra_op_parallelism_threads(1)
            tf.config.threading.set_inter_op_parallelism_threads(1)
        x = tf.constant(numbers)
    names = SimpleNamespace(tanh=tf.tanh, exp=tf.exp, sum=tf.reduce_sum)

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = formula(x, names)
        return tape.gradient(z, x)

    return lambda: slope(x).numpy()


@contextmanager
def mute_messages():
    """What this process, also its C code, writes to standard error in a block goes nowhere."""
    stderr = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)


def with_jax(size):
    """JAX by jax.jit; on one thread where JAX was not loaded before."""
    jax = load_jax()
    formula, numbers = pose_slope(size)
    slope = jax.jit(jax.grad(lambda x: formula(x, jax.numpy)))
    x = jax.numpy.asarray(numbers)
    return lambda: jax.block_until_ready(slope(x))


def load_jax():
    """The module jax, with doubles, and on one thread where it was not loaded before."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax


def find_compiler():
    """The name of a C++ compiler that torch.compile can use here, or None."""
    names = (os.environ.get("CXX", ""), "c++", "g++", "clang++", "cl")
    return next((name for name in names if name and shutil.which(name)), None)


# memory ------------------------------------------------------------------------------------------


def measure_peak(make, size):
    """Bytes that a slope of that size needs at most, its arrays included, in a process of its own.

    What the process holds after a slope of ten numbers is not counted, so that neither a library
    nor its compiler is. None where the system does not tell (it is Linux that does).
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:
        return alone.submit(grow_here, make, size).result()


def grow_here(make, size):
    """How far this process grows while it computes a slope of that size: bytes, or None."""
    make(10)()
    try:
        Path("/proc/self/clear_refs").write_text("5")  # the peak is what there is now
        before = read_status("VmRSS")
        run = make(size)
        run()
        run()
        return read_status("VmHWM") - before
    except OSError:
        return None


def read_status(name):
    """A number of bytes that Linux tells of this process."""
    text = Path("/proc/self/status").read_text()
    return 1024 * int(re.search(rf"{name}:\s+(\d+) kB", text)[1])
