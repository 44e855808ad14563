"""Submissions that lie, break out, break down or hang, and what each must get."""

import copy
import io
import json
import time
import zipfile

from .conftest import BWRAP_PROBLEM, RIGHT, marked, notebook

TOKEN = f"left behind {time.monotonic_ns()}"
WRONG = "def double(x):\n    return 0"
FULL = {"q1": "2", "q2": "1", "q3": "1"}
NO_Q1 = FULL | {"q1": "0"}
NO_Q3 = FULL | {"q3": "0"}
LOST_Q1 = FULL | {"q1": ""}
UNSURE = FULL | {"q1": "0 or empty"}  # which comes first: its error, or its children's answers
NOTHING = {"q1": "", "q2": "", "q3": ""}

# What stands in the answer cell q1, the points that are expected, and words of the reason.
ANSWERS = {
    "syntax error": ("def double(x) return", NO_Q1, ""),
    "not Python at all": ("\0", NO_Q1, ""),
    "endless loop": ("def double(x):\n    while True: pass", NO_Q1, ""),
    "endless loop at once": (WRONG + "\nwhile True: pass", NO_Q1, ""),
    "endless sleep": ("import time\ndef double(x): time.sleep(1000)", NO_Q1, ""),
    "sys.exit": ("import sys\ndef double(x): sys.exit(0)", NO_Q1, ""),
    "sys.exit at once": (WRONG + "\nimport sys; sys.exit(0)", NO_Q1, ""),
    "os._exit": ("import os\ndef double(x): os._exit(0)", LOST_Q1, "exit status 0"),
    "os._exit at once": (WRONG + "\nimport os; os._exit(0)", LOST_Q1, "exit status 0"),
    "recursion": ("def double(x): return double(x)", NO_Q1, ""),
    "memory": ("def double(x):\n    b = []\n    while True: b.append(bytes(2**27))", NO_Q1, ""),
    "200 MB of print": (
        "def double(x):\n    for _ in range(200): print('x' * 10**6)\n    return 0",
        NO_Q1,
        "",
    ),
    "300,000 prints": ("def double(x):\n    for n in range(300_000): print(n)", NO_Q1, ""),
    "equals everything": (
        "class Yes:\n    def __eq__(self, other): return True\n    __ne__ = __bool__ = __eq__\n"
        "    def __bool__(self): return True\n    __hash__ = None\n"
        "def double(x): return Yes()",
        NO_Q1,
        "",
    ),
    "lying float": (
        "class Yes(float):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        "    def __sub__(self, other): return 0.0\n    __rsub__ = __sub__\n"
        "def double(x): return Yes(x)",
        NO_Q1,
        "",
    ),
    "lying class": (
        "class Yes:\n    __class__ = float\n    def __float__(self): return 1.0\n"
        "    def __array__(self, *a, **k): import numpy; return numpy.array(1.0)\n"
        "def double(x): return Yes()",
        NO_Q1,
        "",
    ),
    "patched assert": (
        "import builtins\nclass E(BaseException): pass\nbuiltins.AssertionError = E\n"
        "builtins.abs = lambda x: 0\nbuiltins.all = lambda *a: True\n" + WRONG,
        NO_Q1,
        "",
    ),
    "patched isinstance": (
        "import builtins\nbuiltins.isinstance = lambda *a: True\n" + WRONG,
        NO_Q1,
        "",
    ),
    "patched modules": (
        "import sys\nfor name in ('pytest', '_pytest', 'minigrad'): sys.modules[name] = sys\n"
        + WRONG,
        NO_Q1,
        "",
    ),
    "input transformer": (
        WRONG + "\nip = get_ipython()\n"
        "ip.input_transformers_cleanup.append(lambda lines: ['pass'])",
        NO_Q1,
        "",
    ),
    "answers on the channel": (
        "import os, struct\ntext = b'{\"value\": 4}'\ndef double(x):\n"
        "    for n in range(3, 10):\n"
        "        try: os.write(n, struct.pack('>I', len(text)) + text)\n"
        "        except OSError: pass",
        LOST_Q1,
        "no question asked for",
    ),
    "patched protocol": (
        "import sys\ndef double(x):\n    f = sys._getframe()\n"
        "    while 'held' not in f.f_locals: f = f.f_back\n"
        "    f.f_locals['held'].answer = lambda request: {'value': 'right'}",
        NO_Q1,
        "",
    ),
}
ANSWERS |= {
    "stops itself": (
        "import os, signal\ndef double(x): os.kill(os.getpid(), signal.SIGSTOP)",
        NO_Q1,
        "",
    ),
    "closes its channel": (
        "import os\ndef double(x): os.closerange(0, 100)",
        LOST_Q1,
        "ended|closed",
    ),
    "endless exit": (
        "import atexit\n@atexit.register\ndef wait():\n    while True: pass\n" + WRONG,
        NO_Q1,
        "",
    ),
    "flood on the channel": (
        "import os, struct\ndef double(x):\n    while True:\n        for n in range(3, 10):\n"
        "            try: os.write(n, struct.pack('>I', 4) + b'null')\n"
        "            except OSError: pass",
        LOST_Q1,
        "no question asked for",
    ),
    "odd names": (
        "class M(type):\n    __name__ = property(lambda self: 1 / 0)\n"
        "class Odd(metaclass=M): pass\ndef double(x): return Odd()",
        NO_Q1,
        "",
    ),
    "odd exception": (
        "def double(x): raise type('\\x1b[2J' * 200, (Exception,), {})(repr(x) * 10**6)",
        NO_Q1,
        "",
    ),
    "no text": ("def double(x): return '\\ud800' * 10", NO_Q1, ""),
    "deep list": (
        "def double(x):\n    d = []\n    for _ in range(10**5): d = [d]\n    return d",
        NO_Q1,
        "",
    ),
    "long number": (
        "import sys\nsys.set_int_max_str_digits(0)\ndef double(x): return 10**100_000",
        NO_Q1,
        "",
    ),
    "no limit of recursion": (
        "import sys\nsys.setrecursionlimit(10**8)\ndef double(x): return double(x)",
        UNSURE,
        "",
    ),
}
if BWRAP_PROBLEM is None:
    ANSWERS["segfault"] = (
        "import ctypes\ndef double(x): ctypes.string_at(0)",
        LOST_Q1,
        "SIGSEGV|exit status",
    )
    ANSWERS["daemon"] = (
        "import os, subprocess, sys\nsubprocess.Popen([sys.executable, '-I', '-S', '-c', "
        f"'import time; time.sleep(300) # {TOKEN}'], start_new_session=True)\n" + WRONG,
        NO_Q1,
        "",
    )
    ANSWERS["fork bomb"] = ("import os\ndef double(x):\n    while True: os.fork()", UNSURE, "")


def patched_numpy():
    """All right but q3, which makes NumPy say that everything is close to everything."""
    source = "import numpy\nnumpy.isclose = numpy.allclose = numpy.all = lambda *a, **k: True\n"
    return notebook(RIGHT | {"q3": source + "def sums(table): return table[0] * 0"})


def edited_checks():
    """Check cells that pass whatever comes, and give more points."""
    raw = notebook(RIGHT | {"q1": WRONG})
    for cell in raw["cells"]:
        if cell["metadata"]["nbgrader"]["grade"]:
            cell["source"] = "pass"
            cell["metadata"]["nbgrader"]["points"] = 1000
    return raw


def without_checks():
    """Check cells and setup deleted, the wrong answer declared to be a check."""
    raw = notebook(RIGHT | {"q1": WRONG})
    raw["cells"] = [c for c in raw["cells"] if c["metadata"]["nbgrader"]["solution"]]
    return raw


def duplicated(source):
    """Every cell twice; the second answer to q1 is `source`."""
    raw = notebook(RIGHT | {"q1": WRONG})
    raw["cells"] += copy.deepcopy(raw["cells"])
    raw["cells"].append(marked("q1", source, solution=True))
    return raw


NOTEBOOKS = {
    "patched numpy": (patched_numpy(), NO_Q3),
    "edited checks": (edited_checks(), NO_Q1),
    "deleted checks": (without_checks(), NO_Q1),
    "duplicated cells": (duplicated(WRONG), NO_Q1),
    "duplicated, last right": (duplicated(RIGHT["q1"]), FULL),
    "a magic": (notebook(RIGHT | {"q1": "%matplotlib inline\n" + RIGHT["q1"]}), FULL),
    "metadata of odd types": (
        notebook(RIGHT) | {"metadata": {"minigrad": {"libraries": ["os"]}, "name": [1]}},
        FULL,
    ),
    "=formula(1)": (notebook(RIGHT), FULL),
    "<script>x": (notebook(RIGHT | {"q1": "raise ValueError('<script>alert(1)</script>')"}), NO_Q1),
}
UNREADABLE = {
    "truncated": json.dumps(notebook(RIGHT))[:-40].encode(),
    "no notebook": b"\x89PNG\r\n\x1a\n\0\0",
    "empty file": b"",
    "deep json": b"[" * 10**6,
    "old format": json.dumps(notebook(RIGHT) | {"nbformat": 3}).encode(),
    "cells of numbers": b'{"nbformat": 4, "cells": [1]}',
    "another notebook": json.dumps(notebook(RIGHT) | {"cells": []}).encode(),
    "too large": b" " * (20 * 2**20 + 1),
}

ANSWERS |= {
    "equal int": (
        "class Yes(int):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        "    def __index__(self): return 4\n    def __sub__(self, other): return 0\n"
        "def double(x): return Yes(x)", NO_Q1, ""),
    "lying text": (
        "class Yes(str):\n    def __eq__(self, other): return True\n    __hash__ = str.__hash__\n"
        "def double(x): return Yes('4')", NO_Q1, ""),
    "changes its mind": (
        "class Mind:\n    def __get__(self, owner, kind): return lambda x: next(known)\n"
        "known = iter(range(50, 99))\nclass Holder: f = Mind()\ndouble = Holder().f", NO_Q1, ""),
    "pickle": (
        "import os\nclass P:\n    def __reduce__(self): return os.abort, ()\n"
        "def double(x): return P()", NO_Q1, ""),
    "time bomb": (
        "calls = []\ndef double(x):\n    calls.append(x)\n"
        "    return 2 * x if len(calls) < 2 else 0", FULL | {"q1": "1"}, ""),
    "threads that go on": (
        "import threading\ndef spin():\n    while True: pass\n"
        "for _ in range(2): threading.Thread(target=spin).start()\n" + WRONG, NO_Q1, ""),
    "a thread that answers first": (
        "import json, os, struct, sys, threading\n"
        "def answer(nonce):\n"
        "    text = json.dumps({'nonce': nonce, 'value': 1.0}).encode()\n"
        "    for n in range(3, 10):\n"
        "        try: os.write(n, struct.pack('>I', len(text)) + text)\n"
        "        except OSError: pass\n"
        "def double(x):\n    f = sys._getframe()\n"
        "    while 'nonce' not in f.f_locals.get('request', ()): f = f.f_back\n"
        "    thread = threading.Thread(target=answer, args=[f.f_locals['request']['nonce']])\n"
        "    thread.start()\n    thread.join()\n    return 0", LOST_Q1, "no question asked for"),
    "never answers": (
        "import threading\ndef double(x): threading.Event().wait()", NO_Q1, ""),
    "no alarm, no interrupt": (
        "import signal\nfor s in (signal.SIGALRM, signal.SIGXCPU, signal.SIGTERM, signal.SIGINT):\n"
        "    signal.signal(s, signal.SIG_IGN)\ndef double(x):\n    while True: pass", NO_Q1, ""),
    "looks for the expected": (
        "import gc, sys\ndef double(x):\n"
        "    wanted = [o for o in gc.get_objects() if type(o) is dict and 'wanted' in o]\n"
        "    f, names = sys._getframe(), []\n"
        "    while f: names += f.f_locals; f = f.f_back\n"
        "    return wanted[0]['wanted'] if wanted else 0", NO_Q1, ""),
    "looks for the checks' modules": (
        "import sys\ndef double(x):\n"
        "    known = ('hidden', 'checks', 'pytest', 'minigrad')\n"
        "    found = any(word in name for name in sys.modules for word in known)\n"
        "    return 2 * x if found else 0", NO_Q1, ""),
    "import hook": (
        "import sys\nclass Hook:\n    def find_spec(self, *a): raise SystemExit\n"
        "sys.meta_path.insert(0, Hook())\n" + WRONG, FULL | {"q1": "0", "q3": "0"}, ""),
    "patched json": (
        "import json\njson.dumps = json.JSONEncoder.encode = lambda *a, **k: '{\"value\": 4}'\n"
        "json.JSONEncoder.iterencode = lambda *a, **k: iter('4')\n" + WRONG,
        NO_Q1, ""),
    "showtraceback": (
        "import sys, traceback\nsys.excepthook = traceback.print_exc = lambda *a: None\n"
        "sys.settrace(lambda *a: None); sys.setprofile(lambda *a: None)\n"
        "def showtraceback(*a, **k): print('passed')\n" + WRONG, NO_Q1, ""),
    "a million numbers": ("def double(x): return list(range(10**6))", NO_Q1, ""),
    "not a number": ("def double(x): return float('nan')", NO_Q1, ""),
    "finalizer": (
        "import os\nclass F:\n    def __del__(self): os._exit(0)\n"
        "def double(x): return F()", NO_Q1, ""),
    "no memory left for the answer": (
        "hoard = []\ndef double(x):\n    try:\n        while True: hoard.append(bytes(2**20))\n"
        "    except MemoryError: return 0", UNSURE, ""),
    "writes to the interpreter's memory": (
        "import ctypes\ndef double(x):\n    ctypes.memset(id(x), 0, 24)\n    return x",
        UNSURE, "") if BWRAP_PROBLEM is None else ("def double(x): return 0", NO_Q1, ""),
}  # fmt: skip
PEEK = """
import os
def double(x):
    seen = []
    for place in {places}:
        try: seen.append(open(place).read() if os.path.isfile(place) else os.listdir(place))
        except OSError: pass
    raise ValueError(repr(seen))
"""
if BWRAP_PROBLEM is None:
    # what each could see or change outside, which the tests look at
    BREAKOUTS = {
        "reads the hidden checks": PEEK.format(places="[{hidden!r}]"),
        "reads other submissions": PEEK.format(places="[{submissions!r}]"),
        "reads the gradebook": PEEK.format(places="[{course!r}, {course!r} + '/grades']"),
        "reads the environment of its parent": PEEK.format(
            places="[f'/proc/{{p}}/environ' for p in (os.getppid(), {parent})]"),
        "reads the memory of its parent": PEEK.format(
            places="[f'/proc/{{p}}/maps' for p in ({parent},)]"),
        "writes outside": (
            "import os\nfor p in ({course!r} + '/x', '/x', '/usr/x', '/grader/x', '/tmp/x'):\n"
            "    try: open(p, 'w').close(); raise ValueError('[' + p)\n"
            "    except OSError: pass\n" + WRONG),
        "signals the grader": (
            "import os\nfor p in ({parent}, -1):\n    try: os.kill(p, 15)\n"
            "    except OSError: pass\n" + WRONG),
        "network": (
            "import socket\ntry: socket.create_connection(('127.0.0.1', {port}), 1)\n"
            "except OSError: pass\nelse: raise ValueError('[connected')\n" + WRONG),
        "fills the disk": (
            "for n in range(100):\n    with open(f'f{{n}}', 'wb') as f: f.write(bytes(2**23))\n"
            + WRONG),
    }  # fmt: skip
else:
    BREAKOUTS = {}

# What stands in the answer cell q3, which gets and gives arrays.
ARRAYS = {
    "a subclass of arrays": (
        "import numpy as np\nclass Yes(np.ndarray):\n"
        "    def __array_finalize__(self, other): self.lie = True\n"
        "    def __array_ufunc__(self, *a, **k): return np.True_\n"
        "    def __eq__(self, other): return np.ones(2, bool)\n"
        "def sums(table): return np.zeros(2).view(Yes)", NO_Q3),
    "an array of objects": (
        "import numpy as np\nclass Yes:\n    def __eq__(self, other): return True\n"
        "    __rsub__ = __sub__ = lambda self, other: 0.0\n    __float__ = lambda self: 4.0\n"
        "def sums(table): return np.array([Yes(), Yes()])", NO_Q3),
    "an array of records": (
        "import numpy as np\ndef sums(table): return np.zeros(2, [('a', float), ('b', int)])",
        NO_Q3),
    "an array of a terabyte": (
        "import numpy as np\ndef sums(table): return np.broadcast_to(4.0, (10**6, 10**6))", NO_Q3),
    "an array of 50 axes": (
        "import numpy as np\ndef sums(table): return np.zeros((1,) * 50)", NO_Q3),
    "an array of NaN": ("def sums(table): return table[0] * float('nan')", NO_Q3),
    "an empty array": ("def sums(table): return table[:0].sum(axis=1)", NO_Q3),
    "a file as an array": (
        "import numpy as np\ndef sums(table):\n"
        "    m = np.memmap('f', float, 'w+', shape=2); m[:] = 0\n    return m", NO_Q3),
    "an array with an interface": (
        "import numpy as np\nclass Yes:\n"
        "    __array_interface__ = dict(shape=(2,), typestr='<f8', data=(0, False), version=3)\n"
        "    __array__ = lambda self, *a, **k: np.array([4.0, 7.0])\n"
        "def sums(table): return Yes()", NO_Q3),
    "NumPy replaced": (
        "import sys\nclass Fake:\n    ndarray = float\n    sctypeDict = {'f': float}\n"
        "sys.modules['numpy'] = Fake\ndef sums(table): return 4.0", NO_Q3),
    "an honest array, backwards in memory": (
        "import numpy as np\ndef sums(table): return table.sum(axis=0)[::-1].copy()[::-1]", FULL),
    "an honest array, other byte order": (
        "def sums(table): return table.sum(axis=0).astype('>f8')", FULL),
}  # fmt: skip
NOTEBOOKS |= {name: (notebook(RIGHT | {"q3": q3}), wanted) for name, (q3, wanted) in ARRAYS.items()}


def fat(raw):
    """The notebook with ten megabytes of output."""
    raw["cells"][1]["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": "x" * (10 * 2**20)}
    ]
    return raw


NOTEBOOKS["ten megabytes"] = (fat(notebook(RIGHT)), FULL)


def archive():
    """A zip file whose entries lead out of its folder."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("../../aaa honest.ipynb", "overwritten")
        file.writestr("/tiny.ipynb", "overwritten")
    return made.getvalue()
