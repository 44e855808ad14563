"""What a cell has printed, as HTML: tables, printed lines and errors, cut where a slide ends."""

import re
import textwrap
from html import escape

ROWS, LINES, LETTERS = 9, 12, 84  # of a table; of printed text, and in each line
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
ROW = re.compile(r"<tr>.*?</tr>\n?", re.DOTALL)
ANSWER = re.compile(r"^→ .*?You\s+predicted\s.*?\.(?:\n|\Z)", re.DOTALL | re.MULTILINE)
PREDICTION = re.compile(r"^[^\n]*: you predict .*?\.(?:\n|\Z)", re.DOTALL | re.MULTILINE)
COLOURS = re.compile(r"\x1b\[[\d;]*m")


def find_table(cell):
    """Return the first table that a cell shows, or ""; of a long one the first rows."""
    for output in cell.get("outputs", ()):
        if found := TABLE.search(output.get("data", {}).get("text/html", "")):
            rows = ROW.findall(found[0])
            dots = f"<tr>{'<td>…</td>' * rows[-1].count('<td')}</tr>"
            cut = "".join(rows[1:ROWS]) + dots * (len(rows) > ROWS)
            return f"<table><thead>{rows[0]}</thead><tbody>{cut}</tbody></table>"
    return ""


def printed_text(cell):
    """Return what a cell has printed or quoted, and the last line of an error that it shows."""
    parts = []
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        parts.append(output.get("text", ""))
        if data.get("text/html", "").startswith("<pre>"):
            parts.append(f"{data['text/plain']}\n")
        if output.output_type == "error":
            parts.append(f"{output.ename}: {output.evalue}")
    return COLOURS.sub("", "".join(parts))


def lines_html(lines):
    """Return printed lines, or "" where there is none; of many the first ones."""
    lines = [line for line in lines if line.strip()]
    dots = ["…"] * (len(lines) > LINES)
    shown = textwrap.dedent("\n".join(lines[:LINES] + dots))
    return f"<pre>{escape(shown)}</pre>" if lines else ""


def beside_answer(cell, sentences):
    """Return what a cell printed beside the answer to a prediction, as lines: without the answer
    itself and its sentences, which the course wraps as it prints them."""
    told = " ".join(" ".join(sentences).split())
    lines = PREDICTION.sub("", ANSWER.sub("", printed_text(cell))).splitlines()
    return [line for line in lines if " ".join(line.split()) not in told]
