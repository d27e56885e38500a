"""One pass over an exported database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.numeric.pool import SharedPool
from stepscope.readers.facts import Facts, Process
from stepscope.readers.formats import Input
from stepscope.readers.nsys.columns import Events
from stepscope.readers.nsys.cuda_memory import cuda_memory_tables
from stepscope.readers.nsys.database import DAMAGE, Database
from stepscope.readers.nsys.export import Export
from stepscope.readers.nsys.facts import devices, read_facts
from stepscope.readers.nsys.folder import Folder
from stepscope.readers.nsys.generic_metrics import generic_metric_tables
from stepscope.readers.nsys.gpu import gpu_tables
from stepscope.readers.nsys.host import host_tables, name_tables
from stepscope.readers.nsys.metrics import metric_tables
from stepscope.readers.nsys.mpi import mpi_tables
from stepscope.readers.nsys.network import network_tables
from stepscope.readers.nsys.page_faults import page_fault_tables
from stepscope.readers.nsys.ranges import range_tables
from stepscope.readers.nsys.sampling import sampling_tables
from stepscope.readers.pooled_texts import stored_texts

_DIAGNOSTICS = {2: "warning", 3: "error"}


@dataclass
class NsysFacts(Facts):
    """Facts of an export of Nsight Systems.

    Attributes:
        broken_times: rows without a time, or that end before they start.
        foreign: samples and switches of threads of other programs, which were left out.
        diagnostics: how often the recorder warned, and how often it reported errors.
    """

    recorder: str = "Nsight Systems"
    broken_times: int = 0
    foreign: int = 0
    diagnostics: dict[str, int] = field(default_factory=dict)


class NsysReading:
    """One pass. Iterate `tables` to the end, then look at `facts`.

    Args:
        given: the file.
    """

    def __init__(self, given: Input) -> None:
        self.facts = NsysFacts()
        self._given = given

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: it is no database, or holds no event of CUDA or NVTX.
        """
        texts = SharedPool()
        with self._opened(texts) as export:
            events = Events(export)
            end = read_facts(export, self.facts)
            self.facts.diagnostics = _diagnostics(export)
            for part in self._parts(export, events, end):
                yield part
                if self._given.progress is not None:
                    self._given.progress(0, events.count)
            self.facts.events = events.count
            self.facts.processes = [_with_head(one, export) for one in events.processes.found()]
            self.facts.damaged = self.facts.broken_times = events.broken
            self.facts.foreign = events.foreign
            self.facts.truncated = export.damage
            if events.count == events.broken:
                raise self._refused(Message("reader-nsys-no-event"), Message("reader-nsys-record"))
            yield from stored_texts(texts)

    def _opened(self, texts: SharedPool) -> Export:
        source, stream = self._given.source, self._given.stream
        return Folder(source, texts) if stream is None else Database(source, stream, texts)

    def _parts(self, export: Export, events: Events, end: int) -> Iterator[tuple[str, pl.DataFrame]]:
        try:
            yield from gpu_tables(export, events)
            yield from host_tables(export, events)
            yield from range_tables(export, events, end)
            yield from mpi_tables(export, events)
            yield from page_fault_tables(export, events)
            yield from cuda_memory_tables(export, events)
            yield from metric_tables(export, events)
            if not export.columns("GPU_METRICS"):
                yield from generic_metric_tables(export, events)
            yield from network_tables(export, events)
            yield from sampling_tables(export, events)
            yield from name_tables(export, events)
        except (*DAMAGE, OSError) as error:
            raise self._refused(Message("reader-no-database"), Message("reader-export-again")) from error

    def _refused(self, found: Message, advice: Message) -> UnreadableInput:
        return UnreadableInput(Message("error-cannot-read", path=self._given.source.path), found, advice)


def _with_head(process: Process, export: Export) -> Process:
    """A process with what the recording says of it."""
    head: dict[str, Any] = {"deviceProperties": devices(export, process.number)}
    if process.rank is not None:
        head["distributedInfo"] = {"rank": process.rank}
    return replace(process, head=head)


def _diagnostics(export: Export) -> dict[str, int]:
    """How many warnings and errors the recorder gave: their texts name files and processes."""
    severities = [row[0] for row in export.values("DIAGNOSTIC_EVENT", ["severity"])]
    counts = {name: severities.count(severity) for severity, name in _DIAGNOSTICS.items()}
    return {name: count for name, count in counts.items() if count}
