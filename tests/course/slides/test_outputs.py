"""What a cell has printed, as a slide shows it."""

from nbformat import NotebookNode, from_dict

from minigrad.course.slides import outputs

SAID = (
    "→ Time on two workers: at least 3 times as long. You predicted about as\n  long.\n"
    "  Hints are wrapped as they\n  are printed.\n  one process 0.03 s\n"
)


def cell(*found):
    """A cell with these outputs."""
    return NotebookNode(outputs=[from_dict(each) for each in found])


def test_the_answer_and_its_sentences_are_left_out():
    shown = cell({"output_type": "stream", "text": SAID})
    lines = outputs.beside_answer(shown, ["Hints are wrapped as they are printed."])
    assert lines == ["  one process 0.03 s"]
    assert outputs.lines_html(lines) == "<pre>one process 0.03 s</pre>"


def test_a_prediction_is_left_out():
    shown = cell(
        {"output_type": "stream", "text": "1 s: 15\nVisits: you predict more than\n0.5.\n"}
    )
    assert outputs.beside_answer(shown, ()) == ["1 s: 15"]


def test_an_error_and_a_quotation_are_shown():
    error = {"output_type": "error", "ename": "GraphError", "evalue": "no \x1b[31mway"}
    data = {"text/html": "<pre>a &lt; b</pre>", "text/plain": "a < b"}
    quoted = {"output_type": "execute_result", "data": data}
    assert outputs.printed_text(cell(quoted, error)) == "a < b\nGraphError: no way"


def test_many_lines_and_rows_are_cut():
    made = outputs.lines_html([str(at) for at in range(50)])
    assert made.count("\n") == outputs.LINES and made.endswith("…</pre>")
    rows = "".join(f"<tr><td>{at}</td><td>b</td></tr>\n" for at in range(20))
    html = f"<table>\n<tr><th>a</th></tr>\n{rows}</table>"
    table = outputs.find_table(cell({"output_type": "execute_result", "data": {"text/html": html}}))
    assert table.count("<tr>") == outputs.ROWS + 1 and "<td>…</td><td>…</td>" in table
    assert outputs.find_table(cell({"output_type": "execute_result", "data": {}})) == ""
