"""What a read learned beside the tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from stepscope.messages import Message

EPOCH, OWN = "epoch", "own"
"""Clocks: nanoseconds since 1970 as the host had them, or since a moment that only the recorder knows."""


@dataclass
class Process:
    """A process of a recording that may hold several.

    Attributes:
        number: on its machine.
        part: where its rows are, see `schema.PART`; processes of one part are shown together.
        is_rank: whether it is a rank; others have no work of their own on a GPU.
        rank: its number in the job, None where the recording does not say.
        events: its rows.
        head: what the recording says of it that is not so of all, as `Facts.head`.
        kind: of its rows, where that is not the kind of the recording: `formats.TELEMETRY` of what was sampled of the
            machine.
    """

    number: int
    part: int
    is_rank: bool
    rank: int | None = None
    events: int = 0
    head: dict[str, Any] = field(default_factory=dict)
    kind: str = ""


@dataclass
class Facts:
    """What any recording says of itself, and what was wrong with it. A format adds its own facts in a subclass.

    Attributes:
        recorder: what wrote it.
        recorder_version: version of that, "" where the recording does not say.
        head: what it says of its run, under the names of `readers.head` where they mean the same.
        events: rows, damaged and odd ones included.
        damaged: events that could not be read and were skipped.
        truncated: None, or why the recording's end is missing or was not read.
        clock: `EPOCH`, `OWN`, or "" where only its times tell.
        time_base_ns: what its times count from, in ns since 1970; 0 where they count from there or it does not say.
        uncertainty_ns: how far its clock may be off, in ns; None where it does not say.
        processes: whose rows it has, ranks first; empty where rows do not say whose they are.
        unread_files: of a folder, names of the files that could not be read.
        cut_files: those that end within a row; the rows before it are read.
        odd_files: those with rows or entries that were skipped, which ``damaged`` counts.
    """

    recorder: str = ""
    recorder_version: str = ""
    head: dict[str, Any] = field(default_factory=dict)
    events: int = 0
    damaged: int = 0
    truncated: Message | str | None = None
    clock: str = ""
    time_base_ns: int = 0
    uncertainty_ns: int | None = None
    processes: list[Process] = field(default_factory=list)
    unread_files: list[str] = field(default_factory=list)
    cut_files: list[str] = field(default_factory=list)
    odd_files: list[str] = field(default_factory=list)

    def skipped(self, rows: int, file: str) -> None:
        """Note rows or entries that could not be read, and of a folder the file that they are in, "" for none."""
        self.damaged += rows
        self.events += rows
        if rows and file:
            self.odd_files.append(file)

    def ends(self, text: str, file: str) -> None:
        """Note a file of a folder that ends within a row: every writer of such files ends the last one, too."""
        if text and not text.endswith("\n"):
            self.cut_files.append(file)


@dataclass
class KinetoFacts(Facts):
    """Facts of Chrome trace JSON as Kineto writes it.

    Attributes:
        head_damaged: the JSON before the events is damaged; ``head`` may lack values.
        not_objects: rows that are no objects.
        without_phase: events without ``ph``, which no table but ``other`` holds.
        rounded_times: times finer than 1 ns, rounded half to even.
        doubled: events that have a key twice which columns are made of, or ``args``.
        json_bytes: length of the JSON, inflated.
        lost_bytes: JSON behind the last complete event, or behind the end, that could not be read.
    """

    recorder: str = "Kineto"
    head_damaged: bool = False
    not_objects: int = 0
    without_phase: int = 0
    rounded_times: int = 0
    doubled: int = 0
    json_bytes: int = 0
    lost_bytes: int = 0
