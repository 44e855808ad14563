"""Attacks on the process that holds the checks, and on what it tells: a table of what each got.

    python -m tests.course.grading.attacks [none|bwrap]

Each source defines `answer`, which would have to double a number, and perhaps `later`, asked in a
new process for the next question; it returns the right number only where it has broken out.
"""

import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from minigrad.course.grading import run
from minigrad.course.grading.assignment import Master, Part
from minigrad.course.grading.worker import Limits, Setting

SECRET = 86028121  # the hidden input
LONGEST_SECONDS = 120
LIMITS = Limits(call_seconds=0.5, question_seconds=1)
HONEST = "def answer(x): return 2 * x"
CHECKS = """
import pytest

from minigrad.course.grading import expect
"""
CHECK = '''

@pytest.mark.question("{0}", points=1)
def test_{0}_{1}(student):
    """doubles a number"""
    expect(student.{1}({2}), 2 * {2})
'''

WRITES = """
import json, os, struct, sys, time
def nonce():
    f = sys._getframe()
    while 'nonce' not in f.f_locals.get('request', ()): f = f.f_back
    return f.f_locals['request']['nonce']
def frame(text): return struct.pack('>I', len(text)) + text
def put(data):
    for n in range(3, 12):
        try: os.write(n, data)
        except OSError: pass
def says(text): put(frame(('{"nonce": "%s", ' % nonce() + text + '}').encode()))
"""


def writing(statement):
    """An answer that writes on the channel itself."""
    return WRITES + f"def answer(x):\n    {statement}\n    return 0"


def returning(expression, before=""):
    """An answer that is the value of an expression."""
    return f"{before}\ndef answer(x): return {expression}"


def raising(expression, before=""):
    """An answer that raises."""
    return f"{before}\ndef answer(x): raise {expression}"


RETURNED = {
    "infinity": "float('inf')",
    "not a number": "float('nan')",
    "half a number": "complex(2 * x, float('nan'))",
    "a number without end": "10 ** 2400",
    "a number of 8,000 bits": "2 ** 7999",
    "text": "str(2 * x)",
    "bytes": "bytes(str(2 * x), 'ascii')",
    "one in a list": "[2 * x]",
    "one in a tuple": "(2 * x,)",
    "one in a dict": "{2 * x: 2 * x}",
    "a dict of tuples": "{(n, n): n for n in range(9)}",
    "keys that collide": "{n * (2 ** 61 - 1): 0 for n in range(20_000)}",
    "a list of lists": "[[]] * 90_000",
    "a generator": "(2 * x for _ in range(9))",
    "a module": "__import__('os')",
    "a type": "type(x)",
    "a lock": "__import__('threading').Lock()",
    "the namespace": "globals()",
    "the built-ins": "__builtins__",
    "the frames": "__import__('sys')._getframe()",
    "lone surrogates": "'\\udcff' * 10_000",
    "right to left": "'\\u202e' + str(2 * x)",
    "a terminal's title": "'\\x1b]0;owned\\x07'",
    "four million letters": "'x' * (2 ** 22 - 99)",
    "a class of a long name": "type('N' * 10 ** 6, (), {})()",
    "a class of no name": "type('\\ud800', (), {})()",
    "a decimal": "__import__('decimal').Decimal(2 * x)",
    "a fraction": "__import__('fractions').Fraction(2 * x)",
}
RAISED = {
    "a class named like the input": "type(f'E{x}', (Exception,), {})(x)",
    "a class named like a function": "type('print', (Exception,), {})",
    "a class named in wide letters": "type('\\uff36alueError', (Exception,), {})(x)",
    "a class named like the grader's": "type('GraderFault', (Exception,), {})(x)",
    "the input as text": "ValueError(x)",
    "an interrupt": "KeyboardInterrupt(x)",
    "the end of a generator": "GeneratorExit(x)",
    "the end of the memory": "MemoryError(x)",
    "an assertion": "AssertionError(x)",
    "a hundred megabytes of text": "ValueError('x' * 10 ** 8)",
    "a place of its own": "SyntaxError('m', (f'{x}', x, 1, ''))",
    "a place that is no text": "SyntaxError('m', (b'1', 'x', 1, ''))",
    "a message that is no text": "SyntaxError(['m'])",
    "not answered": "NotImplementedError(x)",
}
WRITTEN = {
    "a million axes": ('says(\'"value": {"array": ["float64", [%s1], ""]}\' % (\'1,\' * 10 ** 6))'),
    "axes beyond all numbers": (
        'says(\'"value": {"array": ["float64", [%s], ""]}\' % (\'9\' * 4000 + \',1\'))'
    ),
    "an empty axis and a long one": (
        'says(\'"value": {"array": ["float64", [0, 4611686018427387904], ""]}\')'
    ),
    "axes in a dict": 'says(\'"value": {"array": ["float64", {"0": 1}, ""]}\')',
    "an unknown dtype": 'says(\'"value": {"array": ["O", [1], "AAAAAAAAAAA="]}\')',
    "keys of one hash": (
        'says(\'"value": {"dict": [%s]}\''
        " % ','.join('[%d,1]' % (n * (2 ** 61 - 1)) for n in range(99_000)))"
    ),
    "handles of one hash": (
        "says('\"value\": {\"dict\": [%s]}' % ','.join("
        '\'[{"handle": [%d, ""]}, 1]\' % (n * (2 ** 61 - 1)) for n in range(70_000)))'
    ),
    "a handle of a bool": 'says(\'"value": {"handle": [true, "x"]}\')',
    "a handle that is none": 'says(\'"value": {"handle": [-1, {}]}\')',
    "a handle of many": 'says(\'"value": {"handle": [1, "x", 3]}\')',
    "a million lists": "says('\"value\": {\"list\": [%s0]}' % ('[],' * 10 ** 6))",
    "a million values": "says('\"value\": {\"list\": [%s0]}' % ('0,' * 10 ** 6))",
    "brackets": "put(frame(b'[' * 10 ** 6))",
    "braces": "put(frame(b'{\"a\":' * 10 ** 5))",
    "many digits": "says('\"value\": ' + '9' * 10 ** 5)",
    "many decimals": "says('\"value\": 0.' + '9' * 10 ** 6)",
    "a large exponent": "says('\"value\": 1e' + '9' * 10 ** 6)",
    "two values": 'says(\'"value": 0, "value": %d\' % (x + 1))',
    "a value and an error": 'says(\'"value": 0, "error": {}\')',
    "neither": "says('\"odd\": 0')",
    "an error without words": "says('\"error\": null')",
    "an error of numbers": 'says(\'"error": {"type": 1, "text": [], "line": {}}\')',
    "an error with a place": (
        'says(\'"error": {"type": "ValueError", "text": "", "line": "%d, line 1"}\' % x)'
    ),
    "an error at the input": (
        'says(\'"error": {"type": "ValueError", "text": "", "line": "setup, line %d"}\' % x)'
    ),
    "a complex of texts": 'says(\'"value": {"complex": ["1", "2"]}\')',
    "a tag without end": "says('\"value\": {\"%s\": []}' % ('x' * 10 ** 6))",
    "half a frame": "put(struct.pack('>I', 99) + b'{'); time.sleep(99)",
    "half a head": "put(b'\\0'); time.sleep(99)",
    "a frame of four gigabytes": "put(b'\\xff' * 4); time.sleep(99)",
    "no letters": "put(frame(b'\\xff\\xfe' * 99))",
    "the answer to an older question": 'put(frame(b\'{"nonce": "00", "value": 4}\'))',
    "a thousand answers": "[says('\"value\": 0') for _ in range(1000)]",
}
ATTACKS = {name: returning(text) for name, text in RETURNED.items()}
ATTACKS |= {f"raises {name}": raising(text) for name, text in RAISED.items()}
ATTACKS |= {f"writes {name}": writing(text) for name, text in WRITTEN.items()}
ATTACKS |= {
    "a file named like the input": (
        "def answer(x): exec(compile('1 / 0', f'leak-{x}', 'exec'))"),
    "a line like the input": (
        "def answer(x): exec(compile('\\n' * (x % 9999) + '1 / 0', 'setup', 'exec'))"),
    "a cell that stops with a text": f"def answer(x): raise ValueError\nraise ValueError({SECRET})",
    "prints the input": (
        "import os, sys\ndef answer(x):\n    print(x); print(x, file=sys.stderr)\n"
        "    raise SystemExit(x)"),
    "an exit status": "import os\ndef answer(x): os._exit(x % 256)",
    "a chain of exceptions": (
        "def answer(x):\n    e = ValueError(x)\n    for _ in range(10 ** 5):\n"
        "        n = ValueError(x); n.__context__ = e; n.__cause__ = e; e = n\n    raise e"),
    "a ring of exceptions": (
        "def answer(x):\n    a, b = ValueError(x), ValueError(x)\n"
        "    a.__cause__, b.__cause__ = b, a\n    raise a"),
    "a deep traceback": (
        "def down(n): return 1 / 0 if n == 0 else down(n - 1)\ndef answer(x): down(900)"),
    "odd attributes": (
        "class Odd:\n    def __getattribute__(self, name): raise SystemExit(name)\n"
        "    def __del__(self): raise KeyboardInterrupt\ndef answer(x): return Odd()"),
    "an exception without a traceback": (
        "class E(Exception):\n    __traceback__ = property(lambda self: 1 / 0)\n"
        "def answer(x): raise E(x)"),
    "replaces all built-ins": (
        "import builtins\nfor name in dir(builtins):\n"
        "    if name.islower() and not name.startswith('_'): setattr(builtins, name, None)\n"
        "def answer(x): return 0"),
    "replaces json and struct": (
        "import base64, json, operator, struct\n"
        "json.dumps = json.loads = struct.pack = struct.unpack = base64.b64encode = None\n"
        "operator.add = operator.mul = lambda *a: 0\ndef answer(x): return 0"),
    "removes all modules": "import sys\nsys.modules.clear()\ndef answer(x): return 0",
    "traces and profiles": (
        "import sys, threading\ndef watch(*a): raise SystemExit\n"
        "threading.settrace(watch); threading.setprofile(watch)\n"
        "def answer(x): sys.settrace(watch); sys.setprofile(watch); return 0"),
    "ends by a timer of C": (
        "import faulthandler, time\ndef answer(x):\n"
        "    faulthandler.dump_traceback_later(0.05, exit=True)\n    time.sleep(1)\n    return 0"),
    "statistics without end": (
        "import sys\ndef answer(x):\n    while True: sys._debugmallocstats()"),
    "the collector changes what it sees": (
        "import gc, sys\ndef change(phase, info):\n    frame = sys._getframe()\n"
        "    while frame:\n        for one in list(frame.f_locals.values()):\n"
        "            if type(one) is dict and 'value' in one: one['value'] = 'leak'\n"
        "        frame = frame.f_back\n"
        "gc.callbacks.append(change)\ngc.set_threshold(1)\ndef answer(x): return 0"),
    "every module loads itself": (
        "import sys, types\nclass M(types.ModuleType):\n    def __getattr__(self, n): return self\n"
        "    def __call__(self, *a, **k): return self\n"
        "for name in list(sys.modules):\n"
        "    if name not in ('sys', 'builtins', '__main__'): sys.modules[name] = M(name)\n"
        "def answer(x): return 0"),
    "no recursion": "import sys\ndef answer(x): sys.setrecursionlimit(20); return 0",
    "one thread for ever": (
        "import sys, threading\nsys.setswitchinterval(1e6)\n"
        "def spin():\n    while True: pass\n"
        "def answer(x): threading.Thread(target=spin, daemon=True).start(); return 0"),
    "alarms": (
        "import signal\nsignal.signal(signal.SIGALRM, lambda *a: 1 / 0)\n"
        "def answer(x): signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001); return 0"),
    "awaits for ever": "import asyncio\ndef answer(x): return 0\nawait asyncio.sleep(1e9)",
    "replaces what runs a coroutine": (
        "import asyncio\nasyncio.run = lambda *a: 2\nawait asyncio.sleep(0)\n"
        "def answer(x): return 0"),
    "a loop of its own": (
        "import asyncio\nclass Loop:\n    def __getattr__(self, name): raise SystemExit(name)\n"
        "asyncio.set_event_loop_policy(Loop())\nawait asyncio.sleep(0)\ndef answer(x): return 0"),
    "a task that stays": (
        "import asyncio\nasync def spin():\n    while True: await asyncio.sleep(0)\n"
        "asyncio.create_task(spin())\nawait asyncio.sleep(0)\ndef answer(x): return 0"),
    "a coroutine as the answer": "async def answer(x): return 2 * x",
    "no descriptors": (
        "import os\ndef answer(x):\n    try:\n        while True: os.open('/dev/null', 0)\n"
        "    except OSError: return 0"),
    "no file at all": (
        "import resource\ndef answer(x):\n"
        "    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0)); return 0"),
    "the channel led to nothing": (
        "import os\ndef answer(x):\n    null = os.open('/dev/null', os.O_RDWR)\n"
        "    for n in range(3, 10): os.dup2(null, n)\n    return 0"),
    "a child that answers": (
        "import os\ndef answer(x):\n    if os.fork(): os.wait()\n    return 0"),
    "a child that keeps the channel": (
        "import os, time\ndef answer(x):\n    if os.fork() == 0: time.sleep(30)\n    os._exit(0)"),
    "collected by force": (
        "import gc\nclass Ring:\n    def __init__(self): self.me = self\n"
        "    def __del__(self): raise SystemExit\n"
        "gc.callbacks.append(lambda *a: Ring())\ngc.set_threshold(1)\ndef answer(x): return 0"),
    "audits": (
        "import sys\nsys.addaudithook(lambda *a: 1 / 0)\ndef answer(x): return 0"),
    "codecs": (
        "import codecs, encodings\ncodecs.lookup = encodings.search_function = None\n"
        "def answer(x): return 0"),
    "sleeps and spins": (
        "import time\ndef answer(x):\n    while True:\n        time.sleep(0.1)\n"
        "        end = time.process_time() + 0.02\n        while time.process_time() < end: pass"),
    "wide letters in names": "def \uff41nswer(x): return 0",
    "an interrupt from C": (
        "import _thread\ndef answer(x): _thread.interrupt_main(); return 0"),
    "reads what the worker holds": (
        "import gc\ndef answer(x):\n"
        "    found = [o for o in gc.get_objects() if type(o) is dict and 'expected' in o]\n"
        "    return 2 * x if found else 0"),
    "keeps a file for later": (
        "def answer(x): open('/tmp/kept' if 0 else 'kept', 'w').write(str(x)); return 0\n"
        "def later(x): return 2 * x if open('kept').read() else 0"),
    "memory left for later": (
        "import os\ndef answer(x):\n    open('/dev/shm/kept', 'w').write(str(x)); return 0\n"
        "def later(x): return 2 * x if open('/dev/shm/kept').read() else 0"),
    "an arranged import for later": (
        "import sys\ndef answer(x): sys.modules['kept'] = sys; return 0\n"
        "def later(x):\n    import kept\n    return 2 * x"),
}  # fmt: skip

# what only a sandbox stops
ISOLATION = {
    "memory in descriptors": (
        "import os\ndef answer(x):\n    kept, block = [], bytes(2 ** 20)\n    try:\n"
        "        for n in range(60):\n            kept.append(os.memfd_create('m'))\n"
        "            for _ in range(15): os.write(kept[-1], block)\n"
        "    except (OSError, MemoryError): pass\n"
        "    return 2 * x if len(kept) * 15 > 800 else 0"),
    "memory in seven processes": (
        "import os\ndef answer(x):\n    pipe, taken = os.pipe(), 0\n    for _ in range(7):\n"
        "        try: child = os.fork()\n        except OSError: break\n        if child == 0:\n"
        "            b = bytearray(b'x') * (300 * 2 ** 20)\n            os.write(pipe[1], b'!')\n"
        "            import time; time.sleep(0.3); os._exit(0)\n"
        "    os.close(pipe[1])\n    while os.read(pipe[0], 1): taken += 1\n"
        "    return 2 * x if taken > 5 else 0"),
    "a folder in memory without a size": (
        "import os, site, sys\ndef answer(x):\n    block, got = bytes(2 ** 20), 0\n"
        "    for top, folders, files in os.walk('/'):\n"
        "        if top.startswith(('/proc', '/box')): folders.clear(); continue\n"
        "        try:\n            with open(top + '/fill', 'wb') as f:\n"
        "                for _ in range(16): f.write(block)\n            got += 16\n"
        "        except OSError: continue\n"
        "        for n in range(9):\n"
        "            try:\n                with open(f'{top}/fill{n}', 'wb') as f:\n"
        "                    for _ in range(16): f.write(block)\n                got += 16\n"
        "            except OSError: break\n    return 2 * x if got > 0 else 0"),
    "many processes": (
        "import os, time\ndef answer(x):\n    children = 0\n    try:\n        for _ in range(40):\n"
        "            if os.fork() == 0: time.sleep(5); os._exit(0)\n            children += 1\n"
        "    except OSError: pass\n    return 2 * x if children > 12 else 0"),
    "a key for the next question": (
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "def answer(x):\n    text = str(x).encode()\n"
        "    libc.syscall(248, b'user', b'kept', text, len(text), -4)\n    return 0\n"
        "def later(x):\n    key = libc.syscall(249, b'user', b'kept', None, -4)\n"
        "    if key < 0: key = libc.syscall(250, 10, -4, b'user', b'kept', 0)\n"
        "    buffer = ctypes.create_string_buffer(99)\n"
        "    size = libc.syscall(250, 11, key, buffer, 99)\n"
        "    return 2 * x if size > 0 and buffer.value == str(x).encode() else 0"),
    "times of a device for the next question": (
        "import ctypes, os, time\nlibc = ctypes.CDLL(None)\nplaces = '/dev/null', '/dev/urandom'\n"
        "def answer(x):\n    for place in places:\n        try: os.utime(place)\n"
        "        except OSError: pass\n        libc.utime(place.encode(), None)\n"
        "        libc.utimes(place.encode(), None)\n"
        "        libc.futimesat(-100, place.encode(), None)\n    return 0\n"
        "def later(x):\n    return 2 * x if any(os.stat(place).st_mtime > time.time() - 30\n"
        "        for place in places) else 0"),
    "a lock for the next question": (
        "import fcntl, os, time\ndef answer(x):\n    if os.fork() == 0:\n        os.setsid()\n"
        "        held = open(os.__file__); fcntl.flock(held, fcntl.LOCK_EX); time.sleep(60)\n"
        "    return 0\ndef later(x):\n"
        "    try: fcntl.flock(open(os.__file__), fcntl.LOCK_EX | fcntl.LOCK_NB); return 0\n"
        "    except OSError: return 2 * x"),
    "shared memory of System V": (
        "import ctypes\nlibc = ctypes.CDLL(None)\ndef answer(x):\n"
        "    libc.shmget(4242, 4096, 0o1666)\n    return 0\n"
        "def later(x): return 2 * x if libc.shmget(4242, 4096, 0o666) >= 0 else 0"),
    "the host's command lines": (
        "def answer(x):\n    seen = ''\n"
        "    for path in ('/proc/1/cmdline', '/proc/self/mountinfo'): seen += open(path).read()\n"
        "    return 2 * x if 'minigrad/course' in seen else 0"),
    "root again": (
        "import os\ndef answer(x):\n    for call in (os.setuid, os.seteuid, os.setgid):\n"
        "        try: call(0)\n        except OSError: pass\n"
        "    return 2 * x if os.getuid() == 0 and os.path.exists('/etc/shadow') else 0"),
    "a namespace of its own": (
        "import ctypes, os\nlibc = ctypes.CDLL(None)\ndef answer(x):\n"
        "    if libc.unshare(0x10000000): return 0\n"
        "    if libc.unshare(0x00020000): return 0\n"
        "    return 2 * x if libc.mount(b'tmpfs', b'/box', b'tmpfs', 0, None) == 0 else 0"),
    "a descriptor that was left open": (
        "import os\nfound = [n for n in range(64) if os.path.lexists(f'/proc/self/fd/{n}')]\n"
        "def answer(x): return 2 * x if len(found) > 5 else 0"),
    "users of the namespace": (
        "def answer(x):\n    for name in ('uid_map', 'gid_map', 'setgroups'):\n"
        "        try:\n            with open(f'/proc/self/{name}', 'w') as file:\n"
        "                file.write('0 0 1')\n"
        "            return 2 * x\n        except OSError: pass\n    return 0"),
    "many descriptors": (
        "import os\ndef answer(x):\n    kept = []\n    try:\n"
        "        while len(kept) < 4000: kept.append(os.open('/dev/null', 0))\n"
        "    except OSError: pass\n    return 2 * x if len(kept) > 600 else 0"),
    "a priority of its own": (
        "import os\ndef answer(x):\n    try: os.nice(-5); return 2 * x\n"
        "    except OSError: return 0"),
    "traces another process": (
        "import ctypes\ndef answer(x):\n    libc = ctypes.CDLL(None)\n"
        "    return 2 * x if libc.ptrace(16, 1, 0, 0) == 0 else 0"),
    "a socket of packets": (
        "import socket\ndef answer(x):\n    try: socket.socket(17, 3, 3); return 2 * x\n"
        "    except (OSError, PermissionError): return 0"),
    "a watch on the libraries": (
        "import ctypes\ndef answer(x):\n    libc = ctypes.CDLL(None)\n"
        "    fd = libc.inotify_init1(2048)\n    if fd < 0: return 0\n"
        "    return 2 * x if libc.inotify_add_watch(fd, b'/usr/lib', 0xfff) >= 0 else 0"),
    "a descriptor of another process": (
        "import ctypes, os\ndef answer(x):\n    libc, child = ctypes.CDLL(None), os.fork()\n"
        "    if not child: os._exit(0)\n    fd = libc.syscall(434, child, 0)\n"
        "    return 2 * x if fd >= 0 else 0"),
    "the kernel's log": (
        "def answer(x):\n"
        "    for path in ('/proc/kmsg', '/proc/kcore', '/dev/mem', '/proc/sysrq-trigger'):\n"
        "        try: open(path, 'rb').read(1); return 2 * x\n        except OSError: pass\n"
        "    return 0"),
    "the grader's descriptors": (
        "import os\ndef answer(x):\n    for pid in filter(str.isdigit, os.listdir('/proc')):\n"
        "        if int(pid) == os.getpid(): continue\n"
        "        try: names = os.listdir(f'/proc/{pid}/fd')\n"
        "        except OSError: continue\n        for n in names:\n"
        "            try:\n                to = os.readlink(f'/proc/{pid}/fd/{n}')\n"
        "                if to.startswith('/') and 'null' not in to: return 2 * x\n"
        "            except OSError: pass\n    return 0"),
}  # fmt: skip


ATTACKS |= {
    "quotes in a text": returning('\'", "value": %d, "a": "\' % (2 * x)'),
    "quotes in a list": returning('[\'"]}, "value": %d}\' % (2 * x)]'),
    "quotes in a key": returning('{\'"]]}, "value": %d}\0\' % (2 * x): 1}'),
    "quotes in an error": (
        'def answer(x): raise ValueError(\'", "value": %d, "b": "\\\\\' % (2 * x))'
    ),
    "half a character": returning('\'\\ud800", "value": %d\' % (2 * x)'),
    "numbers that write themselves": (
        "class N(int):\n    def __repr__(self): return str(2 * int(self))\n    __str__ = __repr__\n"
        "def answer(x): return N(x)"
    ),
    "patched modules of the protocol": (
        "import binascii, gc, marshal, struct\ngc.unfreeze()\ndef answer(x):\n"
        "    marshal.loads = binascii.b2a_base64 = lambda *a, **k: {'value': 2 * x}\n"
        "    struct.pack = lambda *a: b''\n"
        "    for o in gc.get_objects():\n"
        "        if type(o) is dict and 'json_text' in o: o['json_text'] = lambda reply: '{}'\n"
        "    return 0\ndef later(x): return 2 * x if 'json' in __import__('sys').modules else 0"
    ),
    "collects all the time": (
        "import gc\ngc.set_threshold(1)\ngc.callbacks.append(lambda *a: gc.get_objects())\n"
        "def answer(x): return 0"
    ),
}


def against(where):
    """The attacks on a sandbox of a kind."""
    return ATTACKS | (ISOLATION if where == "bwrap" else {})


def job(folder, attacks, where):
    """The `Job` of several attacks, each with two questions, between honest ones."""
    sources = {"first": HONEST} | attacks | {"last": HONEST}
    names = {name: f"a{number}" for number, name in enumerate(sources)}
    parts = [Part("setup", "", True, "zero = 0")]
    parts += [Part(one, one, False, "", frozenset(["answer"])) for one in names.values()]
    text, runs, own = [CHECKS], {}, {}
    for one in names.values():
        for question, function in ((one, "answer"), (f"{one}later", "later")):
            text.append(CHECK.format(question, function, SECRET))
            runs[question], own[question] = ["setup", one], [one]
    checks = Path(folder) / "hidden.py"
    checks.write_text("".join(text))
    cells = [
        {"cell_type": "code", "id": names[name], "metadata": {"nbgrader": mark(names[name])}}
        | {"source": source, "outputs": [], "execution_count": None}
        for name, source in sources.items()
    ]
    raw = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    master = Master(tuple(parts), dict.fromkeys(runs, 1), runs, own, (), {})
    return names, run.Job(checks, master, Setting(where, (), LIMITS), raw=raw)


def mark(name):
    """nbgrader's metadata of an answer cell."""
    found = {"grade_id": name, "schema_version": 3, "locked": False, "grade": False}
    return found | {"solution": True}


def verdicts(attacks, where):
    """{name: the set of gained, leaked, harmed} of attacks that share one submission, and its
    report. Who is harmed is the last honest question, or the submission."""
    with tempfile.TemporaryDirectory() as folder:
        names, made = job(folder, attacks, where)
        found = run.run_job(made)
    harmed, result = not all(found.earned_points(names[one]) for one in ("first", "last")), {}
    for name in attacks:
        checks = found.of(names[name]) + found.of(f"{names[name]}later")
        told = " ".join(check.brief for check in checks)
        leaked = any(word in told for word in (str(SECRET), str(SECRET % 9999), "leak"))
        faults = {"gained": any(check.passed for check in checks), "leaked": leaked}
        faults["harmed"] = harmed or len(checks) != 2
        result[name] = {fault for fault, here in faults.items() if here}
    return result, found


def timed(name, where):
    """(name, the faults of one attack alone, its seconds)."""
    begun = time.monotonic()
    found = verdicts({name: against(where)[name]}, where)[0][name]
    seconds = time.monotonic() - begun
    return name, found | ({"slow"} if seconds > LONGEST_SECONDS else set()), seconds


def main(where="bwrap"):
    """Print a line for each attack, and the sums."""
    sums = dict.fromkeys(("gained", "leaked", "harmed", "slow"), 0)
    with ThreadPoolExecutor(2) as pool:
        for name, faults, seconds in pool.map(lambda name: timed(name, where), against(where)):
            print(f"{name:45} {seconds:6.1f} s  {' '.join(sorted(faults)) or '-'}", flush=True)
            for fault in faults:
                sums[fault] += 1
    counts = ", ".join(f"{n} {fault}" for fault, n in sums.items())
    print(f"{len(against(where))} attacks: {counts}")
    return any(sums.values())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
