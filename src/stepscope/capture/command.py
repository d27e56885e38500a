"""Running the command of a job so that it cannot tell: its input, its output, its signals, its exit code."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from stepscope.capture.agent.identity import number_in

_FORWARDED = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")
NOT_EXECUTABLE, NOT_FOUND = 126, 127
_BY_SIGNAL = 128


def run_command(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run it to its end; returns its exit code, 128 and the signal's number where one ended it, as shells do.

    Raises:
        OSError: it could not be started.
    """
    waiting: list[int] = []
    with _signals(waiting) as started:
        process = subprocess.Popen(list(command), env=dict(environment))
        started(process)
        status = process.wait()
    return _BY_SIGNAL - status if status < 0 else status


def code_of_failure(error: OSError) -> int:
    """What a shell would exit with, had it tried."""
    return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE


@contextmanager
def _signals(waiting: list[int]) -> Iterator[Any]:
    """Signals go on to the command. An interrupt from the keyboard reaches it anyway, as all of its group."""
    running: list[subprocess.Popen[bytes]] = []

    def forward(number: int, _: object) -> None:
        if not running:
            waiting.append(number)
        elif running[0].poll() is None:
            running[0].send_signal(number)

    def started(process: subprocess.Popen[bytes]) -> None:
        running.append(process)
        for number in waiting:
            process.send_signal(number)

    before: dict[int, Any] = {}
    for name in (*_FORWARDED, "SIGINT"):
        number = getattr(signal, name, None)
        # What is ignored already, as under nohup, stays so: here and in the command.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, _ignored if name == "SIGINT" else forward)
    try:
        yield started
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ignored(_: int, __: object) -> None:
    """Unlike SIG_IGN, a handler is not inherited by the command."""


_RANK_OF_LAUNCHER = ("SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "RANK")
_RANK_ON_HOST = ("SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "LOCAL_RANK")


def is_first_of_many(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this is the launcher of rank 0, or the only one: under srun or mpirun there is one for each rank."""
    return number_in(environment, _RANK_OF_LAUNCHER) in (None, 0)


def is_first_of_host(environment: Mapping[str, str] = os.environ) -> bool:
    """The same among the launchers of one machine."""
    return number_in(environment, _RANK_ON_HOST) in (None, 0)
