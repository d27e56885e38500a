"""Reading many files, each once and in a process of its own; what comes back is only where each is stored.

The process that asks never holds a file's events: it opens the stores afterwards. What is stored already is not read
again, so that a run that was interrupted goes on where it was. A file that cannot be read is named with the reason,
and the others go on.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from stepscope.errors import BadRequest, UnreadableInput
from stepscope.messages import Message
from stepscope.readers.sources import Fingerprint, Source
from stepscope.store import cache
from stepscope.store.ingest import read_trace, stored_traces
from stepscope.store.memory_budget import HELD_RANKS
from stepscope.store.options import After, RanksRead, ReadOptions
from stepscope.store.processes import Processes
from stepscope.store.rank_assignment import own_rank
from stepscope.store.task_queue import Crew, Failed, NoWorkers, reason_of, work_through
from stepscope.store.trace import KEEP_BYTES, Trace
from stepscope.store.worker_pools import crew_for

_GZIP_BYTES_A_SECOND, _PLAIN_BYTES_A_SECOND, _SECONDS_A_FILE = 14e6, 200e6, 0.06
"""Measured on one core."""

_LOOKS, _LOOK_SECONDS = 10, 0.5
"""A network file system may take seconds to show what another machine wrote."""


@dataclass(frozen=True)
class Wanted:
    """A file to be read: what a process needs to know.

    Attributes:
        source: the file, by a path that means the same everywhere.
        fingerprint: what it was when it was looked up.
        root: folder of stores to read into.
        max_bytes, after: as of `ReadOptions`.
    """

    source: Source
    fingerprint: Fingerprint
    root: Path
    max_bytes: int | None
    after: After | None


def read_all(sources: Sequence[Source], options: ReadOptions) -> list[list[Trace] | Failed]:
    """The stored traces of each source, or why there is none; those not stored yet are read now.

    Raises:
        OSError: what is read cannot be written.
    """
    found = [_look_up(source, options) for source in sources]
    told = _Told(options.ranks, found)
    for place, result in _read(told.wanted, options):
        found[place] = result
        told.over(place, result)
    # The ranks that hold anything, see `store.memory_budget`, share twice the memory of one.
    keep_bytes = min(KEEP_BYTES, 2 * KEEP_BYTES // max(1, min(len(sources), HELD_RANKS)))
    traces: list[list[Trace] | Failed] = []
    for source, one in zip(sources, found, strict=True):
        if isinstance(one, Path):
            traces.append(stored_traces(one, source, options.max_bytes, keep_bytes))
        elif isinstance(one, Failed):
            traces.append(one)
    return traces


def _look_up(source: Source, options: ReadOptions) -> Path | Failed | Wanted:
    """Where a source is stored, or what is needed to read it."""
    try:
        fingerprint = source.fingerprint()
    except UnreadableInput as error:
        return Failed(error.found)
    folder = cache.stored_entry(fingerprint)
    if folder is not None:
        return folder
    everywhere = source
    if not source.is_remote:
        companions = tuple(map(os.path.abspath, source.companions))
        everywhere = replace(source, path=os.path.abspath(source.path), companions=companions)
    return Wanted(everywhere, fingerprint, cache.usable_root(), options.max_bytes, options.after)


class _Told:
    """Says how far the reading is, if anybody wants to know."""

    def __init__(self, listener: Callable[[RanksRead], None] | None, found: Sequence[Path | Failed | Wanted]) -> None:
        self.wanted = {place: one for place, one in enumerate(found) if isinstance(one, Wanted)}
        self._listener = listener
        failed = sum(isinstance(one, Failed) for one in found)
        stored = sum(_stored_bytes(one) for one in found if isinstance(one, Path))
        total = stored + sum(one.fingerprint.size for one in self.wanted.values())
        self._ranks = RanksRead(len(found) - len(self.wanted), failed, len(found), stored, total, stored)
        if self.wanted:
            self._tell()

    def over(self, place: int, result: Path | Failed) -> None:
        self._ranks = replace(
            self._ranks,
            done=self._ranks.done + 1,
            failed=self._ranks.failed + isinstance(result, Failed),
            done_bytes=self._ranks.done_bytes + self.wanted[place].fingerprint.size,
        )
        self._tell()

    def _tell(self) -> None:
        if self._listener is not None:
            self._listener(self._ranks)


def _stored_bytes(folder: Path) -> int:
    size = Trace(folder, 0).meta["size_bytes"]
    return size if isinstance(size, int) else 0


def _read(wanted: dict[int, Wanted], options: ReadOptions) -> Iterator[tuple[int, Path | Failed]]:
    """Read files, by processes or one after the other; yields the place of each as soon as it is over."""
    crew = _crew(list(wanted.values()), options)
    if crew is None:
        yield from ((place, _read_here(one, options)) for place, one in wanted.items())
        return
    places = list(wanted)
    try:
        with closing(work_through(crew, read_wanted, list(wanted.values()))) as results:
            for place, result in results:
                if isinstance(result, Path) and options.scheduler:
                    _check_shared(result, wanted[places[place]])
                yield places[place], result
    except NoWorkers:
        yield from ((place, _read_here(one, options)) for place, one in wanted.items())
    finally:
        if isinstance(crew, Processes):
            for process in crew.buried:
                cache.drop_unfinished(cache.usable_root(), process)


def _crew(wanted: list[Wanted], options: ReadOptions) -> Crew | None:
    seconds = sum(_seconds(one) for one in wanted)
    largest = max((one.fingerprint.size for one in wanted), default=0)
    return crew_for(len(wanted), seconds, options.scheduler, largest, options.processes)


def _seconds(wanted: Wanted) -> float:
    """About how long one core takes to read a file."""
    packed = wanted.source.path.lower().endswith(".gz")
    return _SECONDS_A_FILE + wanted.fingerprint.size / (_GZIP_BYTES_A_SECOND if packed else _PLAIN_BYTES_A_SECOND)


def _read_here(wanted: Wanted, options: ReadOptions) -> Path | Failed:
    """Read a file in this process. Nothing is prepared: whoever asks for it may have several threads for that."""
    try:
        return read_trace(wanted.source, wanted.fingerprint, wanted.root, options)
    except UnreadableInput as error:
        return Failed(error.found)
    except OSError:
        raise  # the cache cannot be written: no other file can be read, either
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one rank, the others are shown
        return Failed(reason_of(error))


def read_wanted(wanted: Wanted) -> Path | Failed:
    """Read a file in a process that does nothing else; returns where it is stored.

    Raises:
        OSError: it cannot be written there.
    """
    options = ReadOptions(wanted.max_bytes, workers=1)
    try:
        folder = read_trace(wanted.source, wanted.fingerprint, wanted.root, options)
    except UnreadableInput as error:
        return Failed(error.found)
    if wanted.after is not None:
        ranks = [own_rank(wanted.source, Trace(one)) for one in cache.part_folders(folder)]
        for rank in (one for one in ranks if one is not None):
            with suppress(Exception):  # it fails again, and is told, where somebody asks for it
                wanted.after(rank)
    return folder


def _check_shared(folder: Path, wanted: Wanted) -> None:
    """Whether what a worker elsewhere stored is seen here, perhaps after a moment.

    Raises:
        BadRequest: it is not.
    """
    expected = cache.entry_folder(wanted.fingerprint, wanted.root)
    for _ in range(_LOOKS):
        if cache.is_sound(expected):
            return
        with suppress(OSError):
            os.listdir(wanted.root)  # network file systems look again at what is listed
        time.sleep(_LOOK_SECONDS)
    raise BadRequest(
        Message("cluster-cannot-use-what-was-read"),
        Message("cluster-folder-not-here", folder=str(folder)),
        Message("cluster-share-cache"),
    )
