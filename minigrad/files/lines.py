"""JSON and YAML texts as values that know their line."""

import json
import re
from typing import NamedTuple

from minigrad.errors import FileError

DEEPEST = 32  # levels of a text
TOKEN = re.compile(r'\s*([\[\]{}:,]|"(?:[^"\\\n]|\\.)*"|[^\s\[\]{}:,"]+)')


class Item(NamedTuple):
    """A value of a text: a dict or list of Items, or a number, text, bool or None; its line."""

    value: object
    line: int


def broken(line, fact, cure=None):
    """The error for a line of the text."""
    return FileError(f"line {line}: {fact}", cure or "compare it with the lines around")


# JSON --------------------------------------------------------------------------------------------


class Tokens:
    """The tokens of a JSON text, one after another."""

    def __init__(self, text):
        self.text, self.end, self.line = text, 0, 1
        self.advance()

    def advance(self):
        """Goes to the next token; returns the one before."""
        before, match = getattr(self, "now", None), TOKEN.match(self.text, self.end)
        if match is None:
            rest = self.text[self.end :].strip()
            if rest:
                raise broken(self.line, f"{rest[:20]!r} is no JSON", 'texts stand in "…"')
            self.now = None
            return before
        self.line += self.text.count("\n", self.end, match.start(1))
        self.now, self.end = match[1], match.end()
        return before

    def take(self, expected):
        """Steps over a token that must be there."""
        if self.now != expected:
            raise broken(self.line, f"{self.now or 'the end'} stands where {expected} is missing")
        self.advance()


def json_item(text):
    """A JSON text as an Item."""
    tokens = Tokens(text)
    item = json_value(tokens, 0)
    if tokens.now is not None:
        raise broken(tokens.line, f"{tokens.now} stands after the end")
    return item


def json_value(tokens, depth):
    """The value that starts at the token."""
    line = tokens.line
    if depth > DEEPEST:
        raise broken(line, "this is nested too deeply")
    if tokens.now == "{":
        return Item(json_dict(tokens, depth), line)
    if tokens.now == "[":
        return Item(json_list(tokens, depth), line)
    if tokens.now is None:
        raise broken(line, "a value is missing")
    try:
        value = json.loads(tokens.now)
    except ValueError:
        raise broken(line, f"{tokens.now[:20]} is no value", 'texts stand in "…"') from None
    tokens.advance()
    return Item(value, line)


def json_list(tokens, depth):
    """[value, …]."""
    tokens.take("[")
    found = []
    while tokens.now != "]":
        if found:
            tokens.take(",")
        found.append(json_value(tokens, depth + 1))
    tokens.advance()
    return found


def json_dict(tokens, depth):
    """{"key": value, …}; an Item has the line of its key."""
    tokens.take("{")
    found = {}
    while tokens.now != "}":
        if found:
            tokens.take(",")
        line, token = tokens.line, tokens.now or "the end"
        if not token.startswith('"'):
            raise broken(line, f"{token[:20]} stands where a key is missing", 'keys stand in "…"')
        key = json_value(tokens, depth + 1).value
        if key in found:
            raise broken(line, f"{key[:20]!r} is no new key", "name each thing once")
        tokens.take(":")
        found[key] = Item(json_value(tokens, depth + 1).value, line)
    tokens.advance()
    return found


# YAML --------------------------------------------------------------------------------------------


def yaml_item(text):
    """A YAML text as an Item; plain values only: no tags, no aliases."""
    try:
        import yaml
    except ImportError:
        raise FileError(
            "YAML needs the package PyYAML",
            "pip install pyyaml, or write JSON, which needs nothing",
        ) from None
    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        if root is None:
            raise broken(1, "the text is empty", "describe inputs and layers")
        return yaml_value(loader, root, set(), 0)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise broken(
            mark.line + 1 if mark else 1,
            f"this is no YAML: {getattr(error, 'problem', None) or error}",
        ) from None
    except RecursionError:
        raise broken(1, "this is nested too deeply") from None


def yaml_value(loader, node, seen, depth):
    """A node of PyYAML as an Item."""
    line = node.start_mark.line + 1
    if id(node) in seen or depth > DEEPEST:
        raise broken(line, "this is nested too deeply, or repeats a part by *", "write it out")
    seen.add(id(node))
    kind = node.tag.rpartition(":")[2]
    if kind == "map":
        return Item(yaml_dict(loader, node, seen, depth), line)
    if kind == "seq":
        return Item([yaml_value(loader, n, seen, depth + 1) for n in node.value], line)
    if not node.tag.startswith("tag:yaml.org,2002:") or kind not in (
        "str",
        "int",
        "float",
        "bool",
        "null",
    ):
        raise broken(line, f"{node.tag[:40]} is no plain value", "use numbers, texts and lists")
    try:
        return Item(loader.construct_object(node), line)
    except ValueError as error:
        raise broken(line, f"{str(node.value)[:20]!r}: {str(error)[:60]}") from None


def yaml_dict(loader, node, seen, depth):
    """key: value, …; an Item has the line of its key."""
    found = {}
    for key_node, value_node in node.value:
        key = yaml_value(loader, key_node, seen, depth + 1)
        if not isinstance(key.value, str) or key.value in found:
            raise broken(key.line, f"{str(key.value)[:20]!r} is no new key", "name each thing once")
        found[key.value] = Item(yaml_value(loader, value_node, seen, depth + 1).value, key.line)
    return found
