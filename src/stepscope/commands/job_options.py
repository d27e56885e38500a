"""How commands that run a job are told what to record: lists, ranks, steps, and where it goes."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Sequence

import click

from stepscope.capture.plan import STEP_KINDS
from stepscope.commands.options import parse_step
from stepscope.errors import BadRequest
from stepscope.messages import Message


def new_folder(out: str | None) -> str:
    """Where recordings of a run go."""
    return os.path.abspath(out or time.strftime("recordings/%Y%m%d-%H%M%S"))


def check_folder(folder: str) -> None:
    """Check, before the job runs for hours, that its recordings can be written.

    Raises:
        BadRequest: the folder, or that in which it is to be made, is none or cannot be written.
    """
    above = folder
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    if not os.path.isdir(above):
        reason = errno.ENOTDIR
    elif not os.access(above, os.W_OK | os.X_OK):
        reason = errno.EACCES
    else:
        return
    found = Message("text-plain", text=os.strerror(reason))
    raise BadRequest(Message("error-cannot-write", path=folder), found, Message("record-name-folder"))


def chosen_names(text: str | None, option: str, known: Sequence[str], default: Sequence[str]) -> Sequence[str]:
    """Names of a list that is separated by commas, in the order in which they are known."""
    if text is None:
        return default
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names or any(name not in known for name in names):
        raise click.UsageError(f"{option} takes {', '.join(known)}, separated by commas")
    return [name for name in known if name in names]


def chosen_ranks(text: str | None) -> Sequence[int]:
    if text is None:
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and part.isascii() for part in parts):
        raise click.UsageError("--ranks takes numbers, separated by commas, as in 0,7")
    return [int(part) for part in parts]


def chosen_steps(text: str) -> tuple[int, int]:
    """First and last step of A:B. Step 0 is over when it is first seen that there are steps."""
    first, last = parse_step(text, "--steps") or (0, 0)
    if first < 1:
        raise click.UsageError("--steps begins with 1 at the earliest: step 0 ends where recording can begin")
    return first, last


def chosen_step_end(text: str) -> str:
    """What ends a step, checked."""
    kind, _, what = text.partition(":")
    needs = {"range": bool(what), "call": all(what.partition(":")[::2]), "data": not what}
    if text and (kind not in STEP_KINDS or not needs.get(kind, True)):
        raise click.UsageError(
            "--step-on takes optimizer[:CLASS], data, forward[:CLASS], call:MODULE:FUNCTION or range:NAME"
        )
    return text
