"""``stepscope telemetry``."""

from __future__ import annotations

import os
import re
import socket
import sys
import time

import click

from stepscope.capture.telemetry.sampling import DEFAULT_HZ, DURATION, FASTEST_HZ, PROCESS, SLOWEST_HZ, Wanted
from stepscope.messages import Message

_KINDS = {DURATION: "duration", PROCESS: "process"}


@click.command()
@click.option(
    "--hz",
    type=click.FloatRange(SLOWEST_HZ, FASTEST_HZ),
    default=DEFAULT_HZ,
    metavar="N",
    help=f"Samples a second, {SLOWEST_HZ} to {FASTEST_HZ} (default: {DEFAULT_HZ}).",
)
@click.option(
    "--pid", type=click.IntRange(min=1), metavar="PID", help="Watch this process and all below it; end with it."
)
@click.option(
    "--duration", "duration_s", type=click.FloatRange(min=0, min_open=True), metavar="S", help="End after S seconds."
)
@click.option("-o", "--output", metavar="FILE", help="File to write (default: HOST.TIME.telemetry.jsonl).")
def telemetry(hz: float, pid: int | None, duration_s: float | None, output: str | None) -> None:
    """Sample GPUs, cores, memory and a job's processes until Ctrl-C.

    GPUs are those of CUDA_VISIBLE_DEVICES, numbered as the job numbers them. `stepscope show telemetry FILE` reads the
    file, also while it is being written; in the folder of a trace its counters stand beside the trace.
    """
    from stepscope.capture.telemetry.sampling import sample
    from stepscope.errors import BadRequest
    from stepscope.reporters.output import check_output

    if pid is not None and not os.path.exists(f"/proc/{pid}"):
        raise BadRequest(
            Message("error-cannot-watch", pid=str(pid)), Message("error-no-process"), Message("error-name-a-process")
        )
    target = output or default_name(socket.gethostname(), time.time_ns())
    check_output(target, [])
    file = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        why = sample(
            Wanted(hz, pid, duration_s=duration_s), file, lambda: _say(Message("telemetry-began", hz=hz, path=target))
        )
    except OSError as error:
        error.filename = target
        raise
    finally:
        os.close(file)
    _say(Message("telemetry-ended", path=target, reason=_KINDS.get(why, why)))


def _say(message: Message) -> None:
    from stepscope.commands.encoding import writes_chinese
    from stepscope.messages.language import ENGLISH, language
    from stepscope.messages.rendering import render

    sys.stderr.write(f"{render(message, language() if writes_chinese(sys.stderr) else ENGLISH)}\n")


def default_name(host: str, time_ns: int) -> str:
    """A name that no other machine or run has.

    >>> default_name("node 7.lan", 17)
    'node-7-lan.17.telemetry.jsonl'
    """
    from stepscope.capture.telemetry.lines import SUFFIX

    plain = re.sub(r"[^A-Za-z0-9-]+", "-", host).strip("-")[:60] or "host"
    return f"{plain}.{time_ns}{SUFFIX}"
