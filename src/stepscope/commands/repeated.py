"""What ``stepscope check --repeat`` does: records a command several times, and checks after each."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence

import click

from stepscope.checking.checked import Asked, checked
from stepscope.checking.outcome import Verdict
from stepscope.checking.repeating import MOST, decided
from stepscope.commands.job_options import check_folder, new_folder
from stepscope.commands.job_words import say
from stepscope.commands.options import Selection, open_selected
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.profile import Profile

_AUTO = "auto"


def repeated(
    command: Sequence[str], repeat: str, out: str | None, step: str | None, asked: Asked
) -> tuple[Verdict, list[Profile]]:
    """Record a command until the check is decided, or so many times.

    Args:
        command: what follows ``stepscope record``: its options, and the command.

    Raises:
        BadRequest: the command failed, or nothing of it was recorded.
    """
    count = _count(repeat)
    folder = new_folder(out)
    check_folder(folder)
    new: list[Profile] = []

    def looks() -> Iterator[Verdict]:
        for number in range(1, (count or MOST) + 1):
            path = _recorded(command, os.path.join(folder, f"{number:03}"))
            new.append(open_selected(Selection([path], step=step)))
            if count is None or number == count:
                yield checked(new, asked, lambda path: open_selected(Selection([path])))

    found, why = decided(looks(), None if count is None else 1)
    say([Message(f"gate-repeat-{why}", count=len(new), folder=folder)])
    return found, new


def _count(repeat: str) -> int | None:
    if repeat == _AUTO:
        return None
    if not repeat.isdecimal() or not 1 <= int(repeat) <= 1000:
        raise click.UsageError("--repeat takes auto or a number from 1 to 1000")
    return int(repeat)


def _recorded(command: Sequence[str], folder: str) -> str:
    """Record the command once into a folder."""
    started = [sys.executable, "-m", "stepscope", "record", "--no-report", "--out", folder, *command]
    code = subprocess.run(started, check=False).returncode
    tried = Message("gate-cannot-repeat", command=command[0])
    if code != 0:
        raise BadRequest(tried, Message("gate-command-failed", code=code), Message("gate-run-alone"))
    if not os.path.isdir(folder):
        raise BadRequest(tried, Message("gate-not-recorded"), Message("gate-run-record"))
    return folder
