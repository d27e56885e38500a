"""A progress bar for reading: bytes and events of a file, or ranks and the time left; shown after a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from stepscope.store.options import RanksRead

_DELAY_SECONDS = 1.0
_SOON_SECONDS, _LONG_MINUTES = 90, 90


class ReadingProgress:
    """Shows a bar on stderr, when that is a terminal: of the one file, or of all ranks."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._bars: Progress | None = None
        self._task: TaskID | None = None
        self._ranks: RanksRead | None = None
        self._lock = threading.Lock()

    def update(self, name: str, consumed: int, size: int, events: int) -> None:
        """Called by the reader after every block."""
        ranks = self._ranks
        if ranks is None:
            self._show(name, consumed, size, f"{events:,} events")
        else:
            self._show(f"rank {ranks.done + 1} of {ranks.total}", ranks.done_bytes + consumed, ranks.total_bytes)

    def ranks(self, ranks: RanksRead) -> None:
        """Called whenever one of several ranks is read."""
        self._ranks = ranks
        text = ranks_text(ranks, time.monotonic() - self._started)
        self._show(text, ranks.done_bytes, ranks.total_bytes)

    def _show(self, text: str, consumed: int, size: int, beside: str = "") -> None:
        if time.monotonic() - self._started < _DELAY_SECONDS:
            return
        with self._lock:
            bars = self._bars or self._open()
            if self._task is None:
                self._task = bars.add_task(text, total=size, beside="")
            bars.update(self._task, description=text, completed=consumed, total=size, beside=beside)

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
            TextColumn("{task.fields[beside]}"),
            *([TimeRemainingColumn()] if self._ranks is None else []),
            console=Console(file=sys.stderr),
            transient=True,
        )
        self._bars.start()
        return self._bars


def ranks_text(ranks: RanksRead, seconds: float) -> str:
    """How far the reading of ranks is, and about how long it still takes.

    The estimate goes by bytes: those left take as long each as those read so far, stored ones aside.

    Args:
        seconds: since reading began.

    >>> from stepscope.store.options import RanksRead
    >>> ranks_text(RanksRead(done=12, failed=3, total=64, done_bytes=120, total_bytes=640, stored_bytes=20), 10.0)
    'ranks 12/64, 3 failed, about 52 s left'
    """
    parts = [f"ranks {ranks.done}/{ranks.total}"]
    if ranks.failed:
        parts.append(f"{ranks.failed} failed")
    read, left = ranks.done_bytes - ranks.stored_bytes, ranks.total_bytes - ranks.done_bytes
    if read > 0 and left > 0:
        parts.append(f"about {_duration(seconds * left / read)} left")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    """A length of time in the one unit that tells enough.

    >>> [_duration(seconds) for seconds in (0.2, 89.4, 150, 5400, 9000)]
    ['1 s', '89 s', '2 min', '90 min', '2.5 h']
    """
    if seconds < _SOON_SECONDS:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes <= _LONG_MINUTES else f"{seconds / 3600:.1f} h"


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
        from stepscope.messages.rendering import say

        sys.stderr.write(f"{say('reader-first-run')}\n")
