"""A progress bar for reading: bytes and events, shown once reading has taken a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_DELAY_SECONDS = 1.0


class ReadingProgress:
    """Shows one bar per file on stderr, when that is a terminal."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._bars: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._lock = threading.Lock()

    def update(self, name: str, consumed: int, size: int, events: int) -> None:
        """Called by the reader after every block."""
        if time.monotonic() - self._started < _DELAY_SECONDS:
            return
        with self._lock:
            bars = self._bars or self._open()
            if name not in self._tasks:
                self._tasks[name] = bars.add_task(name, total=size, events="")
            bars.update(self._tasks[name], completed=consumed, events=f"{events:,} events")

    def close(self) -> None:
        if self._bars is not None:
            self._bars.stop()

    def _open(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

        self._bars = Progress(
            TextColumn("reading {task.description}", markup=False),
            BarColumn(),
            DownloadColumn(binary_units=True),
            TextColumn("{task.fields[events]}"),
            TimeRemainingColumn(),
            console=Console(file=sys.stderr),
            transient=True,
        )
        self._bars.start()
        return self._bars


@contextmanager
def reading_progress() -> Iterator[ReadingProgress | None]:
    """A progress display while files are read; None where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    progress = ReadingProgress()
    notice = threading.Timer(_DELAY_SECONDS, _say_compiling, [progress])
    notice.daemon = True
    notice.start()
    try:
        yield progress
    finally:
        notice.cancel()
        progress.close()


def _say_compiling(progress: ReadingProgress) -> None:
    from stepscope.numeric.compiling import is_first_run

    if is_first_run():
        sys.stderr.write("compiling the reader for this machine, once (about 10 s)\n")
