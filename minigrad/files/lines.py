"""JSON and YAML texts as values that know their line."""

import json
import re
from json.decoder import JSONArray, JSONObject  # type: ignore[attr-defined]  # not in the manual
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import NamedTuple

from minigrad.core.errors import FileError

DEEPEST = 32  # levels of a text
PLAIN = ("str", "int", "float", "bool", "null")  # of YAML
WORD = re.compile(r'"[^"\n]*"?|[\w.+-]+|\S')
SLIPS = {  # what the standard reader says, as a fact about the word there, and a cure
    "Expecting ',' delimiter": ("stands where , is missing", None),
    "Expecting ':' delimiter": ("stands where : is missing", None),
    "Expecting property name enclosed in double quotes": (
        "stands where a key is missing",
        'write keys in double quotes: "…"',
    ),
    "Expecting value": ("is no value", 'write texts in double quotes: "…"'),
    "Extra data": ("stands after the end", None),
}


class TextItem(NamedTuple):
    """A value of a text: a dict or list of Items, or a number, text, bool or None; its line."""

    value: object
    line: int


def error_at_line(line, message, hint=None):
    """The error for a line of the text."""
    return FileError(f"line {line}: {message}", hint or "compare it with the lines around")


# JSON --------------------------------------------------------------------------------------------


class MarkedDecoder(json.JSONDecoder):
    """Reads JSON as json.loads does, but gives an Item in the place of each value.

    The standard reader calls a scanner for each value: here it is wrapped, so that it also counts
    the lines up to where the value begins.
    """

    def __init__(self):
        super().__init__(object_pairs_hook=check_keys)
        self.at, self.line, self.depth = 0, 1, 0
        self.parse_object, self.parse_array = self.read_object, self.read_array
        self.scan_once = self.marking(py_make_scanner(self))

    def read_object(self, at, strict, scan, *hooks):
        """({key: Item, …}, end) of an object that begins there."""
        return JSONObject(at, strict, self.marking(scan), *hooks)

    def read_array(self, at, scan):
        """([Item, …], end) of an array that begins there."""
        return JSONArray(at, self.marking(scan))

    def marking(self, scan):
        """The scanner that gives (Item, end) where `scan` gives (value, end)."""

        def scan_item(text, at):
            self.line, self.at = self.line + text.count("\n", self.at, at), at
            line, self.depth = self.line, self.depth + 1
            if self.depth > DEEPEST + 1:
                raise error_at_line(line, "this is nested too deeply")
            value, end = scan(text, at)
            self.depth -= 1
            return TextItem(value, line), end

        return scan_item


def json_item(text):
    """A JSON text as an Item."""
    decoder = MarkedDecoder()
    try:
        return decoder.decode(text.rstrip())
    except json.JSONDecodeError as error:
        raise error_at_line(error.lineno, *explain_slip(error)) from None
    except FileError:
        raise
    except ValueError as error:  # a number of too many digits
        raise error_at_line(decoder.line, str(error)[:60]) from None


def explain_slip(error):
    """(fact, cure) of what is no JSON; the cure may be missing."""
    if error.msg not in SLIPS:
        return f"this is not JSON: {error.msg}", 'write texts in double quotes: "…"'
    found, (message, hint) = WORD.match(error.doc, error.pos), SLIPS[error.msg]
    return f"{found[0][:20] if found else 'the end'} {message}", hint


def check_keys(pairs):
    """The dict of (key, Item) pairs. Raises FileError for a key that stands there twice."""
    found = {}
    for key, item in pairs:
        if key in found:
            raise error_at_line(item.line, f"{key[:20]!r} is defined twice", "define each key once")
        found[key] = item
    return found


# YAML --------------------------------------------------------------------------------------------


def yaml_item(text):
    """A YAML text as an Item; plain values only: no tags, no aliases."""
    try:
        import yaml
    except ImportError:
        message = "YAML needs the package PyYAML"
        raise FileError(message, "pip install pyyaml, or write JSON, which needs nothing") from None
    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        if root is None:
            raise error_at_line(1, "the text is empty", "describe inputs and layers")
        return yaml_value(loader, root, set(), 0)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        hint = f"this is not YAML: {getattr(error, 'problem', None) or error}"
        raise error_at_line(mark.line + 1 if mark else 1, hint) from None
    except RecursionError:
        raise error_at_line(1, "this is nested too deeply") from None


def yaml_value(loader, node, seen, depth):
    """A node of PyYAML as an Item."""
    line = node.start_mark.line + 1
    if id(node) in seen or depth > DEEPEST:
        message = "this is nested too deeply, or repeats a part by *"
        raise error_at_line(line, message, "write it out")
    seen.add(id(node))
    kind = node.tag.rpartition(":")[2]
    if kind == "map":
        return TextItem(yaml_dict(loader, node, seen, depth), line)
    if kind == "seq":
        return TextItem([yaml_value(loader, n, seen, depth + 1) for n in node.value], line)
    if not node.tag.startswith("tag:yaml.org,2002:") or kind not in PLAIN:
        message = f"{node.tag[:40]} is not a plain value"
        raise error_at_line(line, message, "use numbers, texts and lists")
    try:
        return TextItem(loader.construct_object(node), line)
    except ValueError as error:
        raise error_at_line(line, f"{str(node.value)[:20]!r}: {str(error)[:60]}") from None


def yaml_dict(loader, node, seen, depth):
    """key: value, …; an Item has the line of its key."""
    found = {}
    for key_node, value_node in node.value:
        key = yaml_value(loader, key_node, seen, depth + 1)
        if not isinstance(key.value, str) or key.value in found:
            message = f"{str(key.value)[:20]!r} is defined twice"
            raise error_at_line(key.line, message, "define each key once")
        found[key.value] = TextItem(yaml_value(loader, value_node, seen, depth + 1).value, key.line)
    return found
