"""A deck as PDF, printed by Chromium: one page for each slide."""

import os
import tempfile
from pathlib import Path

from minigrad.core.errors import MinigradError
from minigrad.course.commands import doctor
from minigrad.course.publishing.building import run_quietly

WITHOUT = "--pdf needs Chromium or Chrome, which is not installed"
OPTIONS = (
    "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
    "--no-pdf-header-footer",
)  # fmt: skip


def find_browser():
    """Return the path of a browser that prints. Raises MinigradError where there is none."""
    if path := doctor.browser():
        return path
    raise MinigradError(WITHOUT, hint="apt install chromium")


def print_pdf(browser, page):
    """Return the pages of a deck's paper page as the bytes of a PDF."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "deck.html").write_text(page, encoding="utf-8")
        is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # for whom Chromium has no sandbox
        options = [*OPTIONS, *["--no-sandbox"] * is_root, f"--user-data-dir={folder / 'profile'}"]
        address = (folder / "deck.html").as_uri()
        words = [browser, *options, f"--print-to-pdf={folder / 'deck.pdf'}", address]
        run_quietly("the browser", words, folder)
        return (folder / "deck.pdf").read_bytes()
