"""A student who knows every answer that the visible checks get, and nothing else.

The key is recorded while the visible checks run. The parrot then answers the hidden ones: the same
request after the same conversation gets the same answer; else what is likest, the last answer to
the same request, or to that function with other arguments; else an error.
"""

import json

from minigrad.course.grading import plugin, run, session
from minigrad.course.grading.bench import Bench


class Recorder:
    """A bench that notes each request to the key and its reply."""

    def __init__(self, bench):
        self.bench, self.known, self.talk = bench, {}, Talk()

    def __getattr__(self, name):
        return getattr(self.bench, name)

    def turn_to(self, question):
        """A new question is a new conversation."""
        self.talk.turn_to(question)
        self.bench.turn_to(question)

    def ask(self, request):
        """The key's reply."""
        reply = self.bench.ask(request)
        self.known |= dict.fromkeys(self.talk.names(request), reply)
        return reply


class Talk:
    """The requests since the last turn to another question."""

    question, said = None, ()

    def turn_to(self, question):
        """Begin anew when it is another question."""
        if question != self.question:
            self.question, self.said = question, ()

    def names(self, request):
        """What a request is known by: all that was said before too, itself, its function."""
        words = json.dumps(request, sort_keys=True)
        kept = {name: request["with"][name] for name in ("of", "name") if name in request["with"]}
        self.said = hash((self.said, words))
        return [
            (self.question, self.said),
            (self.question, words),
            (self.question, request["do"], json.dumps(kept)),
        ]


class Parrot:
    """A bench that knows what a `Recorder` has heard."""

    lacking, came = (), ()

    def __init__(self, recorder):
        self.known, self.talk = recorder.known, Talk()
        self.turn_to = self.talk.turn_to

    def ask(self, request):
        """The same reply to the same conversation, else to nearly the same."""
        error = {"type": "NameError", "text": "", "line": None}
        replies = [self.known.get(name) for name in self.talk.names(request)]
        return next(filter(None, replies), {"error": error})

    def fault(self, beside=False):
        """It has no cells."""
        return

    def close(self):
        """Nothing to end."""


def reports(chosen, master, setting):
    """(report of the key by the visible checks, of the parrot by them, by the hidden ones)."""
    recorder = Recorder(Bench(master.parts, master.runs, master.own, setting))
    heard = report(chosen.checks, recorder)
    return heard, *(report(path, Parrot(recorder)) for path in (chosen.checks, chosen.hidden))


def report(checks, bench):
    """The `Report` of a bench by one file of checks."""
    run = plugin.Plugin(bench)
    fault = plugin.run_checks(checks, run)
    return session.report_of_run(run, fault)


# answers that do no work --------------------------------------------------------------------------

ANYTHING = """
class Anything:
    def __getattr__(self, name): return self
    def __call__(self, *a, **k): return self
    def __getitem__(self, key): return self
    def __iter__(self): return iter((self,))
    def __len__(self): return 1
    def __bool__(self): return True
    def __eq__(self, other): return True
    def __hash__(self): return 1
    def __float__(self): return 1.0
    def __index__(self): return 1
for name in 'add sub mul truediv pow matmul'.split():
    setattr(Anything, f'__{name}__', lambda self, other: self)
    setattr(Anything, f'__r{name}__', lambda self, other: self)
for name in 'lt le gt ge'.split():
    setattr(Anything, f'__{name}__', lambda self, other: True)
for name in 'neg pos abs'.split():
    setattr(Anything, f'__{name}__', lambda self: self)
"""
CONSTANTS = ("None", "True", "False", "0", "1", "-1.0", "float('nan')", "float('inf')", "''")
CONSTANTS += ("'x'", "()", "[]", "{}", "[0.0]", "(0, 0)")
IDLE = {f"returns {one}": f"def idle(*a, **k): return {one}" for one in CONSTANTS}
IDLE |= {
    "returns its first argument": "def idle(*a, **k): return a[0] if a else None",
    "returns its last argument": "def idle(*a, **k): return a[-1] if a else None",
    "returns all its arguments": "def idle(*a, **k): return a",
    "calls its first argument": "def idle(*a, **k): return a[0](*a[1:])",
    "raises ValueError": "def idle(*a, **k): raise ValueError",
    "raises TypeError": "def idle(*a, **k): raise TypeError",
    "is an object that answers everything": f"{ANYTHING}idle = Anything()",
    "returns an object that answers everything": f"{ANYTHING}def idle(*a, **k): return Anything()",
    "is a class that takes everything": f"{ANYTHING}class idle(Anything):\n"
    "    def __init__(self, *a, **k): pass",
}


def idle_job(chosen, master, setting, source):
    """The `Job` of the hidden checks on answers of which every asked name is the `idle` of a
    source."""
    parts = {part.name: part for part in master.parts if not part.given}
    raw = json.loads(chosen.solution.read_bytes())
    for cell in raw["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in parts:
            names = sorted(parts[name].defines)
            cell["source"] = "\n".join([source, *(f"{name} = idle" for name in names)])
    return run.Job(chosen.hidden, master, setting, raw=raw)
