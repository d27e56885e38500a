"""What the commands that run a job below another profiler have in common."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence

import click

from stepscope.capture.doctor.examination import state_of
from stepscope.capture.doctor.state import Check, Wanted
from stepscope.capture.nsight.launching import Run, StepWindow, run_below
from stepscope.capture.nsight.ranks import REMOTE
from stepscope.capture.nsight.tool import NSYS, OLDEST, PLACES, Broken, Tool, find
from stepscope.capture.system import System
from stepscope.commands.job_options import check_folder
from stepscope.commands.job_words import not_started, say
from stepscope.messages import Message

NAMES = {NSYS: "Nsight Systems", "ncu": "Nsight Compute"}


def found_tool(name: str, path: str | None, system: System) -> Tool:
    """The tool; without one, a sentence and exit code 2."""
    found = find(name, system, path)
    if isinstance(found, Tool):
        if found.is_too_old:
            say([Message("below-old", tool=NAMES[name], version=found.version_text, oldest=_oldest(name))])
        return found
    if isinstance(found, Broken):
        say([Message("below-broken", path=found.path, tool=NAMES[name], command=name)])
    else:
        places = [place.rpartition("/")[0] for place in PLACES[name][:2]]
        say([Message("below-missing", tool=NAMES[name], command=name, oldest=_oldest(name), places=places)])
    sys.exit(2)


def _oldest(name: str) -> str:
    return ".".join(map(str, OLDEST[name]))


def keeps_from_working(check: Check, system: System) -> bool:
    """Whether a check of the doctor finds that something will not work; then what and how to fix it is said."""
    from stepscope.answers.machine_checks import commands_of, fix_of, said

    state = state_of(check, system, Wanted())
    fix = fix_of(state)
    if fix is None:
        return False
    say([said(state), Message("doctor-fix", fix=fix)])
    for command in commands_of(state):
        click.echo(f"    {command}", err=True)
    return True


def launcher_sentences(command: Sequence[str], name: str) -> list[Message]:
    """What to do instead, where a launcher starts ranks that a profiler around it would not see."""
    launcher = os.path.basename(command[0])
    return [Message("below-launcher", launcher=launcher, command=name)] if launcher in REMOTE else []


def print_command(folder: str, argv: Sequence[str]) -> None:
    """The command as a shell takes it. Profilers do not make the folder of their output."""
    click.echo(f"mkdir -p {shlex.quote(folder)} && {shlex.join(argv)}")


def run(argv: Sequence[str], folder: str, endings: tuple[str, ...], window: StepWindow | None) -> Run:
    """Run it; where it cannot be started, a sentence and the exit code of a shell."""
    check_folder(folder)
    try:
        return run_below(argv, folder, endings, window)
    except OSError as error:
        not_started(argv[0], error)


def window_sentences(done: Run, window: StepWindow) -> list[Message]:
    """Why a window of steps did not begin; nothing where it did."""
    marked = done.marked
    said = [Message("below-marking-failed", reason=reason) for reason in marked.errors]
    if marked.foreign:
        said.append(Message("below-foreign"))
    if marked.opened:
        return said
    if not marked.pythons:
        said.append(Message("record-no-python"))
    elif marked.without_cuda:
        said.append(Message("below-no-cuda", step=window.first))
    elif any(marked.steps):
        said.append(Message("below-too-few-steps", step=window.first, steps=max(marked.steps)))
    elif not marked.errors:
        said.append(Message("below-no-steps"))
    return said
