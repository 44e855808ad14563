"""Four arrays of ten numbers take 320 bytes if each has its own memory. The plan needs only 160
bytes, because c overwrites b, and d overwrites c."""

import minigrad as mg

ALT = (
    "Above, a = exp(z), b = 2 z, c = b a, d = c + 1 and the sum of d, in the order of a run. "
    "Below, time runs to the right and addresses run upwards. a lies in buffer B0 (80 bytes) "
    "until c has been computed. b lies above a in buffer B1, where dashed lines show that c "
    "overwrites b, and d overwrites c."
)


def make():
    """The program with its buffers; passes are off, so that all four arrays are there."""
    with mg.Graph() as graph:
        z = mg.placeholder("z", shape=(10,))
        a = mg.exp(z)
        b = z * 2.0
        c = b * a
        d = c + 1.0
        total = mg.sum(d)
    executable = mg.Session(graph, optimize=False).compile(total, [z])
    values = executable.program.nodes()
    names = dict(zip("abcd", [v for v in values if v.inputs], strict=False))
    return mg.draw(executable, mode="plan", names=names, title="Four arrays in two buffers")
