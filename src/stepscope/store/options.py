"""How files are read, and who reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stepscope.readers.sources import Between
from stepscope.store.profile import Rank

Progress = Callable[[str, int, int, int], None]
"""Called with the file's name, its bytes consumed and in all, and the events read."""

After = Callable[[Rank], None]
"""Called with a rank as soon as it is read, in the other process that read it; picklable. What it raises is ignored."""


@dataclass(frozen=True)
class RanksRead:
    """How far the reading of several files is.

    Attributes:
        done: files that are over, failed or not, those included that were stored before.
        failed: those of them that could not be read.
        total: all files.
        done_bytes, total_bytes: the same in bytes.
        stored_bytes: bytes of the files that were stored before.
    """

    done: int
    failed: int
    total: int
    done_bytes: int
    total_bytes: int
    stored_bytes: int


@dataclass(frozen=True)
class ReadOptions:
    """How to read.

    Attributes:
        max_bytes: most bytes of JSON after inflating; None for the default of `readers.sources`.
        progress: called while a file is read in this process.
        began: called when the only file is about to be read, if it is not stored yet, and before several.
        workers: scan threads; None for one per core.
        ranks: of several files, called when some are stored already and whenever one is over.
        derives: whether links, nesting and the span of a large file are computed and kept as soon as it is read. False
            where a whole report is made next: it does so on several threads, beside what does not need them.
        after: prepares what many ranks will be asked for, where they are read by other processes.
        processes: most processes to read several files with; None to decide, 0 for none but this one.
        scheduler: address of a Dask scheduler, ``local`` for one on this machine, or "" for processes of this one.
        between: see `Source.between`; applies to what is read in part, and something must be.
        span: which of several recordings of one process to take, from 1; None for the last, see `store.spans`.
    """

    max_bytes: int | None = None
    progress: Progress | None = None
    began: Callable[[], None] | None = None
    workers: int | None = None
    ranks: Callable[[RanksRead], None] | None = None
    derives: bool = True
    after: After | None = None
    processes: int | None = None
    scheduler: str = ""
    span: int | None = None
    between: Between | None = None
