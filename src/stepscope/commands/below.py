"""What the commands that run a job below another profiler have in common: their options, their words, the report."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Sequence

import click

from stepscope.capture.command import code_of_failure
from stepscope.capture.doctor.examination import state_of
from stepscope.capture.doctor.state import Check, Wanted
from stepscope.capture.nsight.launching import Run, StepWindow, run_below
from stepscope.capture.nsight.ranks import REMOTE
from stepscope.capture.nsight.tool import NSYS, OLDEST, PLACES, Broken, Tool, find
from stepscope.capture.plan import STEP_KINDS
from stepscope.capture.system import System
from stepscope.commands.options import Selection, open_selected, parse_step
from stepscope.commands.record import say
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
    from stepscope.commands.doctor import commands_of, fix_of, said

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


def new_folder(out: str | None) -> str:
    """Where recordings of a run go, as of ``stepscope record``."""
    return os.path.abspath(out or time.strftime("recordings/%Y%m%d-%H%M%S"))


def print_command(folder: str, argv: Sequence[str]) -> None:
    """The command as a shell takes it. Profilers do not make the folder of their output."""
    click.echo(f"mkdir -p {shlex.quote(folder)} && {shlex.join(argv)}")


def run(argv: Sequence[str], folder: str, endings: tuple[str, ...], window: StepWindow | None) -> Run:
    """Run it; where it cannot be started, a sentence and the exit code of a shell."""
    try:
        return run_below(argv, folder, endings, window)
    except OSError as error:
        say([Message("record-not-started", command=argv[0], reason=error.strerror or type(error).__name__)])
        sys.exit(code_of_failure(error))


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


def report(paths: Sequence[str]) -> None:
    """The report of what was recorded, on stderr. No error of it is the job's."""
    from stepscope.errors import StepscopeError

    try:
        from stepscope.commands.report import written_lines
        from stepscope.reporters.console import output_width, print_lines
        from stepscope.schema.reported import reported_of_all

        profile = open_selected(Selection(tuple(paths)), reported_of_all())
        print_lines(written_lines(profile, output_width(sys.stderr)), sys.stderr)
    except StepscopeError as error:
        say([error.sentence])
    except Exception as error:  # noqa: BLE001 - the job has its exit code, whatever becomes of the report
        say([Message("record-no-report", type=type(error).__name__, folder=os.path.dirname(paths[0]))])


def chosen(text: str | None, option: str, known: Sequence[str], default: Sequence[str]) -> Sequence[str]:
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
    first, last = parse_step(text) or (0, 0)
    if first < 1:
        raise click.UsageError("--steps begins with 1 at the earliest: step 0 ends where recording can begin")
    return first, last


def chosen_step_end(text: str) -> str:
    """What ends a step, checked."""
    kind, _, what = text.partition(":")
    needs = {"range": bool(what), "call": all(what.partition(":")[::2]), "data": not what}
    if text and (kind not in STEP_KINDS or not needs.get(kind, True) or what.partition(":")[0] == "__main__"):
        raise click.UsageError(
            "--step-on takes optimizer[:CLASS], data, forward[:CLASS], call:MODULE:FUNCTION or range:NAME"
        )
    return text
