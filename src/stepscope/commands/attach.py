"""``stepscope attach``."""

from __future__ import annotations

import sys

import click

from stepscope.capture.agents import is_running
from stepscope.capture.attach import Attached, Wish
from stepscope.capture.attach import attach as attach_to
from stepscope.capture.plan import DEFAULT_RECORDS
from stepscope.commands.job_options import new_folder
from stepscope.commands.job_words import say, show_report
from stepscope.errors import BadRequest
from stepscope.messages import Message


@click.command()
@click.argument("pid", type=click.IntRange(min=2))
@click.option("--timeout", "timeout_s", type=click.FloatRange(min=1), default=120.0, metavar="S", show_default=True)
@click.option("--steps", type=click.IntRange(min=1), default=6, metavar="N", help="Of KINETO_USE_DAEMON: how many.")
@click.option(
    "--duration",
    "sample_s",
    type=click.IntRange(min=1),
    default=10,
    metavar="S",
    help="Of py-spy: how many seconds.",
)
@click.option("--out", metavar="DIR", help="Folder of the files, where the job has not been given one.")
@click.option("--no-report", is_flag=True, help="Record only: show no report at the end.")
def attach(pid: int, timeout_s: float, steps: int, sample_s: int, out: str | None, no_report: bool) -> None:
    """Record steps of the running process PID and of all processes that it started, and show the report.

    The job has to be prepared for it: started by stepscope record --on-demand, or with KINETO_USE_DAEMON=1. Of others
    py-spy, where it is installed, samples the Python stacks.
    """
    tried = Message("record-cannot-attach", pid=str(pid))
    if not is_running(pid):
        raise BadRequest(tried, Message("record-no-process"), Message("record-check-number"))
    folder = new_folder(out)
    wish = Wish(folder, steps, DEFAULT_RECORDS, timeout_s, sample_s)
    done = attach_to(pid, wish, lambda way, count: say([Message("record-asked", way=way, processes=count)]))
    if not done.way:
        raise BadRequest(tried, Message("record-not-prepared"), Message("record-prepare"))
    _conclude(done, no_report)


def _conclude(done: Attached, no_report: bool) -> None:
    if not done.files:
        say([Message("record-no-answer", way=done.way)])
        sys.exit(1)
    say([Message("record-attached", files=len(done.files), folder=done.folder)])
    if not no_report:
        show_report([done.folder])
