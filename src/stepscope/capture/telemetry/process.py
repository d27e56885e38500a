"""A process of its own that samples beside a job, and ends with whoever started it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from dataclasses import dataclass

from stepscope.capture.telemetry.sampling import DEFAULT_HZ

_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__main__.py")
_PATIENCE_S = 5.0


@dataclass
class Handle:
    """A sampler that runs.

    Attributes:
        path: the file that it writes, which is whole at any moment.
        pid: its process.
    """

    path: str
    _process: subprocess.Popen[bytes]

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> str:
        """End it, not before its first line is written, and wait until it has ended; may be called again.

        Returns:
            What went wrong, in its own words; "" where nothing did.
        """
        self._wait_for_beginning()
        self._process.terminate()
        try:
            _, said = self._process.communicate(timeout=_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            _, said = self._process.communicate()
        except ValueError:
            return ""  # it was stopped before
        return said.decode("utf-8", "replace").strip()[-500:] if self._process.returncode else ""

    def _wait_for_beginning(self) -> None:
        """Until it says that it samples, or has ended."""
        said = self._process.stdout
        if said is not None and not said.closed:
            select.select([said], [], [], _PATIENCE_S)


def start(path: str, hz: float = DEFAULT_HZ, pid: int | None = None) -> Handle:
    """Start to sample into a file.

    Args:
        path: of the file, which is overwritten.
        hz: samples a second, 1 to 100.
        pid: process that is watched with all below it, and whose end ends the sampling; None for the one that calls.

    Raises:
        OSError: no process can be started.
    """
    # Isolated: nothing of the job's folder or environment is imported, and no agent of a recording either.
    command = [sys.executable, "-I", "-S", _PROGRAM, "--hz", str(hz), "--output", path, "--announce"]
    command += ["--pid", str(pid if pid is not None else os.getpid()), "--parent", str(os.getpid())]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Signals from the keyboard are for the job: it may want to be sampled until it has ended.
        start_new_session=True,
    )
    return Handle(path, process)
