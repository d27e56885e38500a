"""A recorded window becomes a file: beside the job's own work, compressed fast, and renamed when it is whole.

The profiler writes JSON. A thread compresses it but for the brace that ends it: what is measured after the window, and
how it was recorded, is added before that. Until then the file's name ends in ``.tmp``.
"""

from __future__ import annotations

import json
import os
import threading
import time
import zlib
from typing import Any

SUFFIX = ".pt.trace.json.gz"
UNFINISHED = ".tmp"
_CHUNK = 1 << 20
_HELD_BACK = 64
_GZIP = 31
_FASTEST = 1


class Incomplete(Exception):
    """What the profiler wrote is no whole JSON."""


class Export:
    """A file that is being written.

    Attributes:
        path: its name when it is whole.
        problem: why it could not be written, "" where it could.
        took_ns: time of the thread.
    """

    def __init__(self, profiling: Any, path: str) -> None:
        self.path = path
        self.problem = ""
        self.took_ns = 0
        self._profiling = profiling
        self._added: dict[str, Any] = profiling.added()
        self._deflater: Any = zlib.compressobj(_FASTEST, zlib.DEFLATED, _GZIP)
        self._file: Any = None
        self._thread = threading.Thread(target=self._run, name="stepscope-export")
        self._is_finished = False

    def start(self) -> None:
        self._thread.start()

    def run_here(self) -> None:
        """Write on this thread, where the process ends and no other may be started."""
        self._run()

    @property
    def is_written(self) -> bool:
        """Whether nothing but the end is missing."""
        return not self._thread.is_alive()

    def finish(self, added: dict[str, Any]) -> bool:
        """Add top-level members and the end, once all else is there; returns whether the file is there."""
        if self._thread.ident is not None:
            self._thread.join()
        if self._is_finished or self.problem or self._file is None:
            return self._is_finished
        try:
            added = {**self._added, **added}
            members = "".join(f",\n{json.dumps(key)}: {json.dumps(value)}" for key, value in added.items())
            self._write(self._deflater.compress(f"{members}\n}}\n".encode()) + self._deflater.flush())
            self._file.close()
            os.replace(self.path + UNFINISHED, self.path)
            self._is_finished = True
        except (OSError, ValueError) as error:
            self._failed(error)
        return self._is_finished

    def _run(self) -> None:
        begin = time.perf_counter_ns()
        plain = self.path + ".json" + UNFINISHED
        try:
            self._profiling.save(plain)
            # Without a buffer: a child that is forked meanwhile would write its copy of that, too, when it ends.
            self._file = open(self.path + UNFINISHED, "wb", buffering=0)  # noqa: SIM115 - closed when it is finished
            with open(plain, "rb") as source:
                self._compress(source)
            # It holds every event, and letting go of them takes as long as writing them, with the GIL held. Compressing
            # needs none, so that the two fall into different steps.
            self._profiling = None
        except Exception as error:  # noqa: BLE001 - the job goes on, and its side file says why there is no trace
            self._failed(error)
        finally:
            remove(plain)
            self.took_ns = time.perf_counter_ns() - begin

    def _compress(self, source: Any) -> None:
        held = b""
        while True:
            chunk = source.read(_CHUNK)
            if not chunk:
                break
            held += chunk
            self._write(self._deflater.compress(held[:-_HELD_BACK]))
            held = held[-_HELD_BACK:]
        end = held.rstrip()
        if not end.endswith(b"}"):
            raise Incomplete("the trace that torch wrote has no end: is the disk full?")
        # What is there can be inflated from now on, should the process be killed before the end is written.
        self._write(self._deflater.compress(end[:-1].rstrip()) + self._deflater.flush(zlib.Z_SYNC_FLUSH))

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[self._file.write(left) :]

    def discard(self) -> None:
        """Take the file away again."""
        self.finish({})
        remove(self.path)

    def _failed(self, error: Exception) -> None:
        self.problem = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        if self._file is not None:
            try:
                self._file.close()
            except OSError:
                pass
        remove(self.path + UNFINISHED)


def remove(path: str) -> None:
    """Delete a file that may not be there."""
    try:
        os.remove(path)
    except OSError:
        pass
