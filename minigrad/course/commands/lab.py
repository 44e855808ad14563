"""`minigrad lab`: clean copies of the lessons in my/, opened in JupyterLab on a start page."""

import os
from contextlib import suppress
from pathlib import Path

from minigrad.core.errors import MinigradError
from minigrad.course import files, project
from minigrad.course.grading.process import running_as_root
from minigrad.course.lessons import handout, lesson, start_page

HELP = "copy new lessons to my/ and open JupyterLab there"
NEEDS = ("jupyterlab", "nbformat")

SETTINGS = Path(__file__).parent / "jupyter"
HOOK = "--FileContentsManager.post_save_hook"
HOOKED = "minigrad.course.commands.lab.renew_start_page"


def arguments(parser):
    """Define the command's arguments."""
    said = "print the address and do not open a browser (or set MINIGRAD_NO_BROWSER=1)"
    quiet = os.environ.get("MINIGRAD_NO_BROWSER", "") not in ("", "0")
    parser.add_argument("--no-browser", action="store_true", default=quiet, help=said)
    parser.add_argument("--port", type=int, default=8888, help="first port to try (default: 8888)")
    parser.add_argument(
        "--key", action="store_true", help="copy the lessons with their answers, to my/key/"
    )
    parser.add_argument(
        "--copy-only", action="store_true", help="copy the lessons and do not start JupyterLab"
    )
    parser.add_argument("jupyter", nargs="*", default=[], help="arguments for JupyterLab, after --")


def run(args):
    """Copy the lessons, then serve them until the server is stopped."""
    workspace = project.workspace() / "key" if args.key else project.workspace()
    form = lesson.without_outputs if args.key else handout.hand_out
    new = copy_new(project.lessons(), workspace, form)
    for path in new:
        print(f"new in {workspace.name}/: {path.name}", flush=True)
    if not new:
        print(f"nothing new: {workspace.name}/ has every lesson; yours are kept", flush=True)
    if not args.key:
        start_page.write_start_page(project.root(), workspace)
    return 0 if args.copy_only else serve(workspace, args)


def copy_new(lessons, workspace, form):
    """Copy each lesson that `workspace` lacks, in the given form; return the new paths."""
    workspace.mkdir(exist_ok=True, parents=True)
    new = [path for path in lessons if not (workspace / path.name).exists()]
    for path in new:
        text = lesson.lesson_text(form(lesson.read_lesson(path)))
        files.write_atomically(workspace / path.name, text)
    return [workspace / path.name for path in new]


def serve(workspace, args):
    """Run JupyterLab in this process, so that signals reach it."""
    try:
        from jupyterlab.labapp import LabApp
    except ImportError as error:
        hint = 'make lab, or: pip install "minigrad-course[course]"'
        raise MinigradError("JupyterLab is not installed", hint=hint) from error
    LabApp.launch_instance(options(workspace, args))
    return 0


def options(workspace, args):
    """JupyterLab's arguments: its root is `workspace`, and it asks the network for nothing."""
    chosen = [
        f"--ServerApp.root_dir={Path(workspace)}",
        f"--ServerApp.port={args.port}",
        f"--LabApp.app_settings_dir={SETTINGS}",
        "--LabApp.news_url=None",
        "--LabApp.extension_manager=readonly",
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    ]
    if not args.key:
        chosen += [f"--LabApp.default_url=/lab/tree/{start_page.NAME}", f"{HOOK}={HOOKED}"]
    chosen += ["--no-browser"] * args.no_browser + ["--allow-root"] * running_as_root()
    return chosen + args.jupyter


def renew_start_page(model, os_path, contents_manager):
    """What the server calls after each save: the page tells of the notebook that was saved."""
    if model["type"] == "notebook":
        with suppress(MinigradError, OSError):  # a page that is old must not keep work from disk
            start_page.write_start_page(project.root(), contents_manager.root_dir)
