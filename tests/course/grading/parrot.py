"""A student who knows every answer that the visible checks get, and nothing else.

The key is recorded while the visible checks run. The parrot then answers the hidden ones: the same
request after the same conversation gets the same answer; else what is likest, the last answer to
the same request, or to that function with other arguments; else an error.
"""

import json

from minigrad.course.grading import plugin, session
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
