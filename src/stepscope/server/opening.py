"""Opening runs in the background, with progress, and keeping some of them open."""

from __future__ import annotations

import itertools
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from stepscope.analyses.npu.devices import runs_on_npus
from stepscope.analyses.per_rank import preparation
from stepscope.analyses.ranks.job_clock import JobClock, job_clock
from stepscope.errors import StepscopeError, UnreadableInput
from stepscope.messages import Message
from stepscope.numeric.compiling import is_first_run
from stepscope.proving.experience import versions, with_experience
from stepscope.readers.finding import find_sources
from stepscope.readers.sources import Source, is_below
from stepscope.server.errors import NotReady, reason_of
from stepscope.server.file_scan import stamp_of
from stepscope.server.listing import Run
from stepscope.server.table_threads import Workers
from stepscope.store import cache
from stepscope.store.opening import open_profile
from stepscope.store.options import RanksRead, ReadOptions
from stepscope.store.profile import Profile

MAX_OPEN = 8
MAX_OPEN_EVENTS = 15_000_000
"""Profiles kept open: an open one holds what was computed of it in memory. The one asked for last is always kept."""

_FIRST_TABLES = ("health", "summary", "steps", "utilization", "step_time", "job", "stragglers", "rank_matrix")
"""What the first pages ask for of every rank."""

_READERS = 2
_LOOK_AGAIN_SECONDS = 1.0
_RETRY_SECONDS = 10.0
_TOUCH_SECONDS = 600.0
_SILENT_SECONDS = 1.5


@dataclass(frozen=True)
class Opened:
    """A run that is open.

    Attributes:
        run: what it was opened from.
        profile: its ranks.
        clock: the one that moments are told on; they are sent as offsets from its begin.
        number: tells it from every other profile that this process opened.
    """

    run: Run
    profile: Profile
    clock: JobClock
    number: int = field(default_factory=itertools.count().__next__)

    @property
    def npus(self) -> bool:
        """Whether its devices are called NPUs."""
        return runs_on_npus(self.profile)

    @property
    def events(self) -> int:
        return sum(rank.trace.events for rank in self.profile.ranks)


@dataclass
class Progress:
    """Where the reading of some files is; one after the other, files of one name in several folders included."""

    file: str = ""
    done_bytes: int = 0
    events: int = 0
    files_done: int = 0
    _before: tuple[int, int] = (0, 0)
    _last: tuple[int, int, int] = (0, 0, 0)

    def advance(self, name: str, consumed: int, size: int, events: int) -> None:
        """Called by the reader after every block."""
        last_consumed, last_size, last_events = self._last
        if self.file and (name != self.file or consumed < last_consumed):
            self.files_done += 1
            self._before = (self._before[0] + last_size, self._before[1] + last_events)
        self.file, self._last = name, (consumed, size, events)
        self.done_bytes, self.events = self._before[0] + consumed, self._before[1] + events

    def count(self, ranks: RanksRead) -> None:
        """Called when one of several files is over, whoever read it."""
        self.files_done, self.done_bytes = ranks.done, ranks.done_bytes
        self.file, self._before, self._last = "", (ranks.done_bytes, self.events), (0, 0, 0)


@dataclass
class Reading:
    """How far the reading of a run has come; ``error`` or ``opened`` once it is over.

    Attributes:
        ledgers: what the ranges of its savings follow from, as of `proving.experience.versions`.
    """

    run: Run
    stamp: tuple[tuple[int, int], ...]
    ledgers: list[tuple[str, int, int]]
    progress: Progress = field(default_factory=lambda: Progress())
    over: threading.Event = field(default_factory=threading.Event)
    error: StepscopeError | None = None
    opened: Opened | None = None
    looked: float = field(default_factory=time.monotonic)
    started: float = field(default_factory=time.monotonic)
    touched: float = field(default_factory=time.monotonic)


class Stopped(BaseException):
    """The server ends while a trace is being read: no defect, so that nothing that catches those goes on."""


class Openings:
    """The runs that are open or being opened.

    Args:
        root: folder that every file has to lie in.
        scheduler: who reads the ranks of a run, as of `ReadOptions`.
    """

    def __init__(self, root: str, scheduler: str = "") -> None:
        self._root = root
        self._scheduler = scheduler
        self._readers = Workers(_READERS, "reader")
        self._lock = threading.Lock()
        self._readings: OrderedDict[str, Reading] = OrderedDict()
        self._stopping = False

    def stop(self) -> None:
        """Have readings end at their next block, so that nothing half-written is left in the cache."""
        self._stopping = True
        for reading in list(self._readings.values()):
            if not reading.over.is_set():
                reading.over.wait(2.0)

    def reading(self, run: Run) -> Reading:
        """The reading of a run: the one under way or done, else a new one that starts now."""
        with self._lock:
            known = self._readings.get(run.id)
            if known is not None and not self._is_stale(known, run):
                self._readings.move_to_end(run.id)
                return known
            reading = Reading(run, _stamp(run), self._ledgers(run))
            self._readings[run.id] = reading
        self._readers.submit(lambda: self._read(reading))
        return reading

    @property
    def busy(self) -> bool:
        """Whether a run is being opened."""
        return self._readers.busy

    def known(self, run_id: str) -> Reading | None:
        """The reading of a run, if there is one."""
        return self._readings.get(run_id)

    def opened(self, run: Run, wait_seconds: float) -> Opened:
        """The run, open.

        Raises:
            NotReady: it is still being read after ``wait_seconds``.
            UnreadableInput: it cannot be opened.
        """
        reading = self.reading(run)
        reading.over.wait(wait_seconds)
        if reading.error is not None:
            error = reading.error  # a new one: an exception raised again and again collects all its tracebacks
            raise type(error)(error.tried, error.found, error.advice)
        if reading.opened is None:
            tried = Message("error-cannot-show", what=run.id)
            raise NotReady(tried, Message("error-run-pending"), Message("error-ask-soon"))
        return reading.opened

    def _is_stale(self, reading: Reading, run: Run) -> bool:
        """Whether the files are others than those that were read, or a failure is worth another try."""
        now = time.monotonic()
        if not reading.over.is_set() or now - reading.looked < _LOOK_AGAIN_SECONDS:
            return False
        if reading.error is not None:
            return now - reading.looked > _RETRY_SECONDS or reading.stamp != _stamp(run)
        reading.looked = now
        same = reading.stamp == _stamp(run) and reading.ledgers == self._ledgers(run)
        return reading.run.files != run.files or not same or not _is_stored(reading)

    def _ledgers(self, run: Run) -> list[tuple[str, int, int]]:
        return versions(run.paths, self._root)

    def _read(self, reading: Reading) -> None:
        try:
            reading.opened = self._open(reading)
        except StepscopeError as error:
            reading.error = error
        except Stopped:
            found, advice = Message("error-server-ending"), Message("error-start-again")
            reading.error = UnreadableInput(Message("error-cannot-open-run"), found, advice)
        except Exception as error:  # noqa: BLE001 - whatever it is, the page that waits has to hear of it
            reading.error = UnreadableInput(Message("error-cannot-open-run"), *reason_of(error))
        reading.looked = time.monotonic()
        reading.over.set()
        if reading.opened is not None:
            self._forget_oldest()

    def _open(self, reading: Reading) -> Opened:
        run = reading.run
        if run.reason is not None:
            tried = Message("error-cannot-open", path=run.id)
            raise UnreadableInput(tried, run.reason, Message("error-choose-other"))

        def progress(name: str, consumed: int, size: int, events: int) -> None:
            if self._stopping:
                raise Stopped
            reading.progress.advance(name, consumed, size, events)

        def ranks(read: RanksRead) -> None:
            if self._stopping:
                raise Stopped
            reading.progress.count(read)

        options = ReadOptions(
            progress=progress, ranks=ranks, after=preparation(_FIRST_TABLES), scheduler=self._scheduler
        )
        profile = with_experience(open_profile(paths_within(run, self._root), options), self._root)
        return Opened(run, profile, job_clock(profile))

    def _forget_oldest(self) -> None:
        with self._lock:
            kept = [(key, one.opened) for key, one in self._readings.items() if one.opened is not None]
            events = sum(opened.events for _, opened in kept)
            while len(kept) > 1 and (len(kept) > MAX_OPEN or events > MAX_OPEN_EVENTS):
                key, opened = kept.pop(0)
                events -= opened.events
                del self._readings[key]


def paths_within(run: Run, root: str) -> list[str]:
    """What is opened of a run: a folder as the command line does it, unless a link in it leads out of ``root``.

    Raises:
        UnreadableInput: the run itself leads out of it.
    """
    if not all(is_below(path, root) for path in run.files):
        # It was no link when it was listed.
        tried = Message("error-cannot-open", path=run.id)
        raise UnreadableInput(tried, Message("error-outside-folder"), Message("error-serve-its-folder"))
    found = [source.path for path in run.paths for source in find_sources(path)]
    return list(run.paths if all(is_below(path, root) for path in found) else run.files)


def _is_stored(reading: Reading) -> bool:
    """Whether the traces still lie in the cache; says now and then that they are in use, so that they stay there."""
    if reading.opened is None:
        return False
    folders = [rank.trace.folder for rank in reading.opened.profile.ranks]
    if time.monotonic() - reading.touched > _TOUCH_SECONDS:
        reading.touched = time.monotonic()
        for folder in folders:
            cache.touch(folder)
    return all((folder / "meta.json").is_file() for folder in folders)


def _stamp(run: Run) -> tuple[tuple[int, int], ...]:
    """Sizes and times of a run's files, and of all that is in its folders."""
    return tuple(map(stamp_of, run.files))


def _phase(reading: Reading, total_bytes: int) -> str:
    """What takes the time: compiling the reader (once for a machine), reading, or linking what was read."""
    progress = reading.progress
    if progress.done_bytes >= total_bytes > 0:
        return "linking"
    silent = progress.done_bytes == 0 and time.monotonic() - reading.started > _SILENT_SECONDS
    return "compiling" if silent and is_first_run() else "reading"


def progress_of(reading: Reading) -> dict[str, object]:
    """How far a reading has come, as `/api/run` sends it."""
    progress, total = reading.progress, sum(size for size, _ in reading.stamp)
    return {
        "state": "reading",
        "phase": _phase(reading, total),
        "file": progress.file or Source(reading.run.files[0]).name,
        "done_bytes": min(progress.done_bytes, total),
        "total_bytes": total,
        "events": progress.events,
        "files_done": progress.files_done,
        "files": len(reading.run.files),
    }
