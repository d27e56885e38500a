"""Spans: several recordings that one recorder made of one process, one after the other.

`torch.profiler.schedule` with several cycles writes a file for each. They are no ranks. Files are spans of one worker

- when ``tensorboard_trace_handler`` named them, ``WORKER.TIME.pt.trace.json``, with one worker (host and process), or
- when the traces say the same rank, or none and have names that are alike but for numbers; were written by a process of
  the same number; and no two of them were recorded at the same time, or
- when the traces say the same rank and the same ``trace_id``: parts of one recording, as SGLang writes prefill and
  decode to files of their own, whose times overlap.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from stepscope.readers.sources import Source
from stepscope.store.step_detection import whole_span
from stepscope.store.trace import Trace

HANDLER_NAME = re.compile(r"^(?P<worker>.+)\.(?P<time>\d{10,20})(\.partial)?\.pt\.trace\.json(\.gz)?$")
"""How ``tensorboard_trace_handler`` names files: host and process, and a time in ns (before PyTorch 1.12 in ms).
``stepscope record`` names them so, too, and what a process left that ended within its window ``.partial``."""

_DIGITS = re.compile(r"\d+")
_HOST_TABLES = ("annotation", "operator", "runtime", "python")


@dataclass(frozen=True)
class Opened:
    """A file that was read, and the rank that it says it is.

    Attributes:
        number: that rank, None where it says none.
        recorded: whether the trace says so, not only the file's name.
    """

    source: Source
    trace: Trace
    number: int | None
    recorded: bool

    @property
    def folder(self) -> str:
        return self.source.path.replace("\\", "/").rpartition("/")[0]

    @property
    def times(self) -> tuple[int, int]:
        """First start and last end, in ns since the epoch as far as it says what its times count from."""
        start, end = whole_span(self.trace)
        return self.trace.time_base_ns + start, self.trace.time_base_ns + end


@dataclass(frozen=True)
class Worker:
    """Spans of one process.

    Attributes:
        name: how it is called.
        places: of its files among all, in order of time.
    """

    name: str
    places: tuple[int, ...]


def workers(opened: Sequence[Opened]) -> list[Worker]:
    """Every process of which there are several spans."""
    alike: dict[tuple[str | int | None, ...], list[int]] = defaultdict(list)
    for at, one in enumerate(opened):
        alike[_key(one)].append(at)
    several = [(key, places) for key, places in alike.items() if len(places) > 1]
    found = [
        _by_name(opened, places) if key[0] == "handler" else _by_content(opened, places) for key, places in several
    ]
    return [worker for worker in found if worker is not None]


def _key(one: Opened) -> tuple[str | int | None, ...]:
    """What files have in common that may be spans of one worker."""
    match = HANDLER_NAME.match(one.source.name)
    if match:
        return ("handler", one.folder, match["worker"], one.number)
    if one.recorded:
        return ("rank", one.folder, one.number)
    return ("name", one.folder, _DIGITS.sub("#", one.source.name), one.number)


def _by_name(opened: Sequence[Opened], places: list[int]) -> Worker:
    def moment(at: int) -> tuple[int, str]:
        match = HANDLER_NAME.match(opened[at].source.name)
        return int(match["time"]) if match else 0, opened[at].source.name

    match = HANDLER_NAME.match(opened[places[0]].source.name)
    return Worker(match["worker"] if match else "", tuple(sorted(places, key=moment)))


def _by_content(opened: Sequence[Opened], places: list[int]) -> Worker | None:
    """A worker where one process wrote all files, one after the other."""
    ordered = sorted(places, key=lambda at: opened[at].times)
    of_recording = {opened[at].trace.head.get("trace_id") for at in ordered}
    recording = of_recording.pop()
    if recording and not of_recording:
        return Worker(f"recording {recording}", tuple(ordered))
    times = [opened[at].times for at in ordered]
    if any(before[1] > after[0] for before, after in pairwise(times)) or any(start == end for start, end in times):
        return None
    processes = {_process(opened[at].trace) for at in ordered}
    process = processes.pop()
    return Worker(f"process {process}", tuple(ordered)) if process and not processes else None


def _process(trace: Trace) -> str:
    """The process that the first host event belongs to, or ""."""
    for table in _HOST_TABLES:
        codes = trace.frame(table, ["process"])["process"].drop_nulls()
        if len(codes):
            return str(trace.texts[int(codes[0])])
    return ""
