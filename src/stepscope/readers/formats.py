"""What stepscope knows of a file format: how to recognise it, and, where there is a reader, how to read it.

A reader is one object of a class that inherits from `Reader`, listed in `readers.registry`. Everything that has to
know about formats asks the registry: opening, the list of runs, finding the recordings of a folder, and health.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import polars as pl

from stepscope.messages import Message
from stepscope.readers.beginning import Beginning
from stepscope.readers.facts import Facts
from stepscope.readers.sources import Source, Stream

TRACE, MEMORY_SNAPSHOT, KERNEL_REPORT, TELEMETRY, INPUT_PIPELINE = (
    "trace",
    "memory_snapshot",
    "kernel_report",
    "telemetry",
    "input_pipeline",
)
FLIGHT_RECORDER, COMMUNICATION_LOG, COMPILE_LOG = "flight_recorder", "communication_log", "compile_log"
HOST_SAMPLES = "host_samples"
"""Kinds of recordings."""

OTHER = "other"
"""Kind of what is no recording."""

Progress = Callable[[int, int], None]
"""Called with the bytes of the file consumed and the events read so far."""


@dataclass(frozen=True)
class Match:
    """What a file or folder was recognised as.

    Attributes:
        kind: a kind of recordings, or `OTHER`.
        recorder: what wrote it.
        format: name of its `Format`.
        reason: None, or why it cannot be read.
        is_read: whether stepscope has a reader for its format.
        framework: the framework of the recorded program, or "".
        facts: what a trace says about itself before its first event, see `readers.head`.
        ranks: how many it holds; None where only reading it tells.
    """

    kind: str
    recorder: str = ""
    format: str = ""
    reason: Message | str | None = None
    is_read: bool = True
    framework: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    ranks: int | None = 1


@dataclass(frozen=True)
class Input:
    """What is to be read, and how.

    Attributes:
        source: where it lies; a reader of a database or of a folder opens it by itself.
        stream: the bytes of the source from its start on; None for a folder.
        max_bytes: most bytes to take after inflating; None for the default of `readers.sources`.
        progress: called now and then.
        workers: threads; None for one per core.
    """

    source: Source
    stream: Stream | None = None
    max_bytes: int | None = None
    progress: Progress | None = None
    workers: int | None = None


class Reading(Protocol):
    """One pass over a recording: iterate `tables` to the end, then look at `facts`."""

    @property
    def facts(self) -> Facts:
        """What was learned beside the tables; complete when these are."""

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table of `schema.STORE_TABLES`, frame) in parts, ``texts`` last.

        A frame may lack columns of its table, except ``event``, the row's number in the recording. A text is the
        position of that text in the table ``texts``. Where a recording holds several processes, `schema.PART` says
        which one rows are of; without it they are of the first. Texts are of all.

        Raises:
            UnreadableInput: it is no recording of this format after all, or holds no event. Whatever the bytes are,
                nothing else is raised, and nothing of them is executed or unpickled.
        """


class Format(Protocol):
    """A file format.

    Attributes:
        name: lower-case, unique.
        recorder: what writes it.
        kind: of its recordings.
        suffixes: how the names of its files end, in lower case, with the dot.
    """

    name: str
    recorder: str
    kind: str
    suffixes: tuple[str, ...]

    def recognise(self, beginning: Beginning) -> Match | None:
        """What a file is, by its first bytes; None where it is not of this format."""

    def recognise_folder(self, name: str, entries: Sequence[str]) -> Match | None:
        """The same of a folder that is one recording.

        Args:
            name: of the folder.
            entries: names of the files and folders in it.
        """
        return None

    def job_facts(self, folder: str) -> dict[str, Any]:
        """What a folder that is one recording says of its job before it is read, as `Match.facts` has it."""
        return {}

    def runs_among(self, entries: Sequence[str]) -> list[str]:
        """Of what is in a folder that is one recording, the names of folders that are recordings of their own."""
        return []

    def promises(self, name: str) -> bool:
        """Whether a file of this name may be of this format, so that it is looked at where it lies among others."""
        return name.lower().endswith(self.suffixes)

    def companions(self, name: str, beside: Sequence[str]) -> tuple[str, ...]:
        """Names of the files that belong to one recording with a file.

        Args:
            name: of the file, which ends in one of `suffixes`.
            beside: names of all files of its folder.
        """
        return ()


class Reader(Format, Protocol):
    """A file format that stepscope reads."""

    def read(self, given: Input) -> Reading:
        """Begin to read what was recognised.

        Raises:
            UnreadableInput: it cannot be opened.
        """
