"""What commands that run a job say themselves, all of it on stderr: the job's output may be read by another program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn

from stepscope.capture.command import code_of_failure
from stepscope.commands.options import Selection, open_selected
from stepscope.messages import Message


def say(said: Iterable[Message]) -> None:
    """Sentences of stepscope itself, on stderr."""
    from stepscope.commands.encoding import writes_chinese
    from stepscope.messages.language import ENGLISH, language
    from stepscope.messages.rendering import render

    spoken = language() if writes_chinese(sys.stderr) else ENGLISH
    for one in said:
        sys.stderr.write(f"stepscope: {' '.join(render(one, spoken).split())}\n")


def not_started(command: str, error: OSError) -> NoReturn:
    """Say that a command cannot be started, and exit with the code that a shell has for it."""
    say([Message("record-not-started", command=command, reason=error.strerror or type(error).__name__)])
    sys.exit(code_of_failure(error))


def show_report(paths: Sequence[str]) -> None:
    """The report of what was recorded. No error of it is the job's."""
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
        folder = paths[0] if os.path.isdir(paths[0]) else os.path.dirname(paths[0])
        say([Message("record-no-report", type=type(error).__name__, folder=folder)])
