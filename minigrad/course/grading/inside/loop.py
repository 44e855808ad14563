"""The worker: reads a request, lets the student's objects answer, writes the answer."""

import gc
import os
import sys

from . import limits, objects, wire

__builtins__ = objects.PRISTINE
# modules that the protocol uses: the student's code imports others of these names
OWN = ("binascii", "marshal", "math", "operator", "struct")


def main():
    """Serve requests until the other side goes away. Ends the process without clean-up, since
    clean-up would run the student's code once more."""
    requests, answers = private_channel()
    opening = wire.read_request(requests)
    lacking = limits.impose(opening["limits"])
    sys.path += opening["libraries"]
    for name in OWN:
        sys.modules.pop(name, None)
    wire.write_reply(answers, {"nonce": opening["nonce"], "value": {"list": lacking}})
    gc.freeze()  # what is not the student's need not be looked through
    held = objects.Objects(fresh_namespace(), alone=sys.platform == "linux")
    try:
        while True:
            request = wire.read_request(requests)
            send(answers, request["nonce"], held.answer(request))
    finally:
        os._exit(0)


def send(answers, nonce, reply):
    """Write one reply; one that is too long becomes an error, so that the worker lives on."""
    try:
        wire.write_reply(answers, {"nonce": nonce, **reply})
    except wire.WireError as error:
        wire.write_reply(answers, {"nonce": nonce, "error": objects.describe_error(error)})


def private_channel():
    """The request and answer streams, moved away from where `print` and `input` would find
    them: standard input becomes empty, standard output goes where standard error goes."""
    os.closerange(3, 64)  # what the sandbox may have left open
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def fresh_namespace():
    """A notebook's namespace: a `__main__` module that classes and pickles can refer to, with
    a `builtins` of its own: what is replaced there changes no library that this process uses."""
    module, own = type(sys)("__main__"), type(sys)("builtins")
    own.__dict__.update(objects.PRISTINE)
    sys.modules |= {"__main__": module, "builtins": own}
    module.__builtins__ = own.__dict__
    return module.__dict__
