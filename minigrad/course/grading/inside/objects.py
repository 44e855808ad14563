"""The student's namespace and objects, and one answer for each request about them."""

import _thread
import builtins
import operator
import os
import sys
import time

from . import wire

# what the functions below use: the student's code may replace the functions of `builtins`
__builtins__ = PRISTINE = dict(vars(builtins))

LONGEST = 300
settrace, gettrace = sys.settrace, sys.gettrace
setprofile, getprofile = sys.setprofile, sys.getprofile
add_hook = sys.addaudithook
get_ident, count_threads = _thread.get_ident, _thread._count
sleep, seconds_of_all = time.sleep, time.process_time
seconds_of_one = getattr(time, "thread_time", seconds_of_all)
COUNTED_SECONDS = 1e-3  # until the system has counted what a thread that ends has used
THREAD_SECONDS = 2e-5  # of a processor: no thread with 900 calls needs less
STARTS = frozenset({"start_new_thread", "start_new", "start_joinable_thread"})  # of _thread
HIDING = ("sys.setprofile", "_thread.start_new_thread", "os.fork", "os.posix_spawn")
HIDING += ("subprocess.Popen",)
OPERATORS = "add sub mul truediv floordiv mod pow matmul neg pos getitem".split()
OPERATORS = {name: getattr(operator, name) for name in OPERATORS}
MISWRITTEN = (SyntaxError, IndentationError, TabError)  # their text would name the place too
OPERATORS |= {"abs": abs, "len": len}
AWAITING, COROUTINE = 0x2000, 0x80  # ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, inspect.CO_COROUTINE


class TooManyLines(BaseException):
    """The counted call has executed more lines than the check allows."""


class Objects:
    """Holds what the student's code made; outside, an object is known by its number. `alone` says
    that this process has no other thread, and that the system counts a thread's time exactly."""

    def __init__(self, namespace, alone=False):
        self.namespace, self.alone = namespace, alone
        self.by_number, self.numbers = [], {}
        self.threads = count_threads()

    def answer(self, request):
        """The reply to one request: {"value": …} or {"error": …}; never raises."""
        try:
            value = getattr(self, "do_" + request["do"])(**request["with"])
            return {"value": wire.encode(value, self.keep)}
        except BaseException as error:
            return {"error": describe_error(error)}

    def keep(self, value):
        """The handle of `value`: the same object always has the same number."""
        number = self.numbers.setdefault(id(value), len(self.by_number))
        if number == len(self.by_number):
            self.by_number.append(value)
        return {"handle": [number, short(kind(value))]}

    def plain(self, data):
        """A value that came from outside, with handles replaced by their objects."""
        return wire.decode(data, lambda body: self.by_number[body[0]], wire.to_numpy)

    def do_cell(self, name, source):
        """Execute one cell of the notebook in the student's namespace; it may await, as there."""
        code = compile(source, name, "exec", AWAITING)
        if code.co_flags & COROUTINE:
            import asyncio

            asyncio.run(eval(code, self.namespace))
        else:
            exec(code, self.namespace)

    def do_define(self, source):
        """Execute a check's own helper code apart from the student's, as a module-like object,
        with the functions of Python as they were before the student's code."""
        helpers = type("Helpers", (), {})()
        helpers.__builtins__ = dict(PRISTINE)
        exec(compile(source, "<check>", "exec"), helpers.__dict__)
        return helpers

    def do_name(self, name):
        """What the student's code calls `name`."""
        if name not in self.namespace:
            raise NameError(f"`{name}` is not defined")
        return self.namespace[name]

    def do_get(self, of, name):
        """An attribute of an object."""
        return getattr(self.by_number[of], name)

    def do_set(self, of, name, value):
        """Set an attribute of an object."""
        setattr(self.by_number[of], name, self.plain(value))

    def do_call(self, of, args, kwargs):
        """Call an object."""
        return self.by_number[of](*self.plain(args), **self.plain(kwargs))

    def do_operate(self, name, args):
        """Apply a Python operator."""
        return OPERATORS[name](*self.plain(args))

    def do_lines(self, of, args, limit):
        """How many lines of Python a call executes; stops it after `limit`."""
        counter = LineCounter(limit)
        arguments = self.plain(args)
        before = gettrace()
        settrace(counter)
        try:
            self.by_number[of](*arguments)
            untouched = gettrace() is counter
        finally:
            settrace(before)
        if counter.lines > limit:  # student code may have swallowed the exception
            raise TooManyLines(f"more than {limit:,} lines were executed")
        if not untouched:
            raise TooManyLines("the call has turned the count of its lines off")
        return counter.lines

    def do_shallow(self, of, args, limit):
        """Call an object; stops it where more than `limit` of its calls are nested, whatever
        Python's own limit is."""
        arguments, stop, before = self.plain(args), NestingStop(limit), getprofile()
        running = count_threads() - self.threads
        others = OtherThreads()
        watch.begin()
        setprofile(stop.count)
        try:
            value = self.by_number[of](*arguments)
        finally:
            hidden = stop.hidden or watch.end() != ["sys.setprofile"]  # the one above
            setprofile(before)
            hidden = hidden or (self.alone and others.ran())
        if stop.too_deep:  # student code may have swallowed the exception
            raise stop.error()
        if hidden or running > 0:
            raise RecursionError("it hides its calls: in a thread, in a process, or unseen")
        return value


def kind(value):
    """The name of a value's class; an array has a handle only because of its dtype."""
    numpy = sys.modules.get("numpy")
    name = type(value).__name__
    exact = numpy is not None and type(value) is getattr(numpy, "ndarray", None)
    return f"{name} of dtype {value.dtype}" if exact else name


class LineCounter:
    """A trace function that counts lines, whatever the machine's speed."""

    def __init__(self, limit):
        self.lines, self.limit = 0, limit

    def __call__(self, frame, event, argument):
        """Count this event; None is never returned, so that inner frames are counted too."""
        self.lines += event == "line"
        if self.lines > self.limit:
            raise TooManyLines(f"more than {self.limit:,} lines were executed")
        return self


class HidingWatch:
    """An audit hook, which nobody can remove: it notes what hides calls from a profile function."""

    def __init__(self):
        self.thread, self.events, self.is_hook = None, [], False

    def __call__(self, event, arguments):
        """Note an event of the thread that is watched."""
        if event in HIDING and self.thread == get_ident():
            self.events.append(event)

    def begin(self):
        """Watch this thread."""
        if not self.is_hook:
            add_hook(self)
            self.is_hook = True
        self.thread, self.events = get_ident(), []

    def end(self):
        """Watch no more; the events since the beginning."""
        self.thread = None
        return self.events


watch = HidingWatch()  # of the process: a hook stays


class OtherThreads:
    """Tells from the time of this process whether other threads than this one have run in it:
    before Python 3.12, one that C code starts, as in `map(start_new_thread, …)`, has no event."""

    def __init__(self):
        self.of_one, self.of_all = seconds_of_one(), seconds_of_all()

    def ran(self):
        """Whether one has run since. The interval of the process lies within that of this thread,
        so that the threads of others are all that can make it longer."""
        sleep(COUNTED_SECONDS)
        used = seconds_of_all() - self.of_all
        return used - (seconds_of_one() - self.of_one) > THREAD_SECONDS


class NestingStop:
    """Stops what nests its calls more than `limit` deep from here on, and notes in `hidden` where a
    thread begins, which it does not see. Its `count` is a profile function: as a method, it takes a
    fifth less time than as an object that is called."""

    def __init__(self, limit):
        self.limit, self.depth = limit, 0
        self.too_deep = self.hidden = False

    def count(self, frame, event, called):
        """Count the calls that have begun and not ended."""
        if event == "call":
            self.depth += 1
            if self.depth > self.limit:
                self.too_deep = True
                raise self.error()
        elif event == "return":
            self.depth -= 1
        elif event == "c_call" and getattr(called, "__name__", "") in STARTS:
            self.hidden = True

    def error(self):
        """The exception for calls that are nested too deep."""
        return RecursionError(f"more than {self.limit:,} calls were nested")


def describe_error(error):
    """An exception as plain data: its type, its text, and the line of the cell it left from."""
    try:
        text = short(error.msg if type(error) in MISWRITTEN else str(error))
    except BaseException:
        text = "(its message cannot be shown)"
    return {"type": short(type(error).__name__), "text": text, "line": error_place(error)}


def error_place(error):
    """`q1, line 3` for the innermost line of a cell, the line of a syntax error, or None."""
    if type(error) in MISWRITTEN:
        return f"{short(error.filename)}, line {error.lineno}"
    found, trace = None, error.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if "ipykernel_" in filename:
            found = f"line {trace.tb_lineno} of its cell"
        elif not filename.startswith((os.sep, "<")) and ":" not in filename:
            found = f"{short(filename)}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return found


def short(text):
    """At most LONGEST characters of an exact str."""
    text = text if type(text) is str else "?"
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
