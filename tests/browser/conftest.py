"""A JupyterLab server on a small course, and a real browser that looks at it."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from minigrad.course.commands import doctor

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
SECONDS_TO_START = 120
# A pane learns its width, and with it the place of its legend, in the frame after the first one.
FITTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Lab(NamedTuple):
    """A running server: its course folder, its address, its token."""

    course: Path
    address: str
    token: str

    def page(self, name):
        """The address that opens the notebook `name` and closes all others."""
        return f"{self.address}lab/tree/{name}?token={self.token}&reset"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """An empty page of the installed browser; without one, the test is skipped."""
    path = doctor.browser()
    if path is None:
        pytest.skip("no browser is installed (Debian: apt install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        context = driver.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=path,
            args=ARGUMENTS,
            viewport={"width": 1200, "height": 900},
        )
        context.set_default_timeout(SECONDS_TO_START * 1000)
        yield context.pages[0]
        context.close()


@pytest.fixture
def opened(page, tmp_path):
    """A function that opens the saved page of something that shows itself; no script of it may
    fail."""
    errors = []

    def note(error):
        errors.append(error)

    page.on("pageerror", note)

    def open_page(shown, width=1200, height=900, hash=""):
        page.set_default_timeout(10_000)
        page.set_viewport_size({"width": width, "height": height})
        page.goto("about:blank")
        page.goto(shown.save(tmp_path / "page.html").as_uri() + hash)
        page.locator(".pane svg").first.wait_for()
        page.evaluate(FITTED)
        return page

    yield open_page
    page.remove_listener("pageerror", note)
    assert errors == []
    page.set_default_timeout(120_000)
    page.set_viewport_size({"width": 1200, "height": 900})


@pytest.fixture(autouse=True)
def plain_media(request):
    """What one test says about colours and motion is gone before the next."""
    if "page" in request.fixturenames:
        page = request.getfixturevalue("page")
        page.emulate_media(color_scheme="null", reduced_motion="null")


@pytest.fixture(scope="module")
def lab(page, tmp_path_factory):
    """`minigrad lab --no-browser` in an empty course; lessons are added by the tests."""
    course = tmp_path_factory.mktemp("course")
    for name in ("notebooks", "assignments", "my"):
        (course / name).mkdir()
    port = str(free_port())
    command = [sys.executable, "-m", "minigrad.course.cli", "lab", "--no-browser", "--port", port]
    log = course / "server.log"
    with log.open("w") as file:
        server = subprocess.Popen(
            command, cwd=course, stdout=file, stderr=file, env=own_settings(course / "jupyter")
        )
    try:
        yield Lab(course, *address_and_token(server, course / "jupyter", log))
    finally:
        server.terminate()
        try:
            server.wait(timeout=20)  # it may wait for a thread of its own that never ends
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def own_settings(folder):
    """An environment in which Jupyter knows nothing of the user, and renders every cell."""
    settings = folder / "settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    return os.environ | {
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
    }


def free_port():
    """A port that nothing listens on now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def address_and_token(server, folder, log):
    """What the server writes for its clients, once it listens."""
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        for path in (folder / "runtime").glob("jpserver-*.json"):
            try:
                said = json.loads(path.read_text())
                return said["url"], said["token"]
            except json.JSONDecodeError:
                pass  # it is being written
        time.sleep(0.1)
    pytest.fail(f"the server did not start:\n{log.read_text()}")
