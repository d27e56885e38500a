"""The files of a run, or one of MindData alone, read into the tables of the store.

The timeline of a run is read where there is one; it holds what the files beside it say of each run of an operator, too.
Every device of a folder is a process of the recording, its number the rank.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.facts import EPOCH, Facts, Process
from stepscope.readers.formats import Input
from stepscope.readers.mindspore import cpu, job, operators, pipeline, steps
from stepscope.readers.mindspore.names import INFO, parts_of, view_of
from stepscope.readers.mindspore.texts import Texts
from stepscope.readers.mindspore.timeline import TimelineReading
from stepscope.readers.run_timeline import RunTimeline
from stepscope.readers.sources import Source
from stepscope.readers.telemetry.samples import whole_text
from stepscope.schema import KERNEL, PART

_GPU_OPERATORS, _CPU_OPERATORS, _KERNELS = (
    *("gpu_op_execute_timestamp", "cpu_op_execute_timestamp", "activity_execute_timestamp"),
)
_QUEUES = ("device_queue_profiling", "dataset_iterator_profiling")
_GET_NEXT = ("minddata_getnext_profiling", "minddata_aicpu")
DAMAGE = (ValueError, OverflowError, OSError, UnreadableInput, csv.Error, pl.exceptions.PolarsError)
"""What parsers raise for a file that is damaged."""

Table = tuple[str, pl.DataFrame]


@dataclass
class MindSporeFacts(Facts):
    """Facts of MindSpore's files.

    Attributes:
        queue_interval_ns: between two samples of the pipeline's queues, 0 where it does not say.
        cpu_interval_ns: the same of the use of CPUs.
        cores: of the machine, None where it does not say.
        samples_doubled: those of the machine were stored twice, and half of those of user and system were lost.
    """

    queue_interval_ns: int = 0
    cpu_interval_ns: int = 0
    cores: int | None = None
    samples_doubled: bool = False


class FolderReading:
    """One pass over a folder or a file. Iterate `tables` to the end, then look at `facts`.

    Args:
        recorder: what wrote it.
    """

    def __init__(self, given: Input, recorder: str) -> None:
        self.facts = MindSporeFacts(recorder)
        self._given = given
        self._texts = Texts()
        source = given.source
        if source.is_folder:
            self._files, self._ranks = job.devices_of(source.path)
            self._view = view_of(source.path)
        else:
            what, device = parts_of(source.name) or ("", 0)
            self._files, self._view, self._ranks = {device: {what: source.path}}, None, {device: device}

    def tables(self) -> Iterator[Table]:
        """Yield (table, frame), ``texts`` last. Frames of several devices say which one they are of.

        Raises:
            UnreadableInput: it holds nothing that is read.
        """
        yield from self._timeline()
        devices = sorted(self._files)
        for part, device in enumerate(devices):
            before = self.facts.events
            for table, frame in self._of_device(device):
                stored = self._texts.stored(table, frame)
                mark = [pl.lit(part, pl.UInt16).alias(PART)] if len(devices) > 1 else []
                yield table, stored.with_columns(mark)
            head = self.facts.head if len(devices) == 1 else {}
            own = self._head(device)
            if len(devices) > 1:
                events = self.facts.events - before
                self.facts.processes.append(Process(device, part, True, self._ranks[device], events, own))
            else:
                self.facts.head = head | own
        self._check()
        yield from self._texts.table()

    def _timeline(self) -> Iterator[Table]:
        """The tables of the timeline; its texts come with all others."""
        if self._view is None:
            return
        timeline = RunTimeline(self._given, self._view, TimelineReading)
        yield from timeline.tables()
        found = timeline.facts
        if found is None:
            self._lost(self._view)
            self._view = None
            return
        self.facts.truncated, self.facts.clock = found.truncated, EPOCH
        self.facts.events += found.events
        self.facts.damaged += found.damaged + found.not_objects
        self._texts = Texts(pl.concat(timeline.texts))

    def _of_device(self, device: int) -> Iterator[Table]:
        files = self._files[device]
        if self._view is None:
            yield from self._operators(files)
        yield from self._kernels(files)
        yield from self._steps(files)
        for what in ("gpu_op_detail_info", "cpu_op_detail_info"):
            yield from self._totals("operator_total", files.get(what), operators.operator_totals)
        yield from self._totals("activity_total", files.get("gpu_activity_data"), operators.activity_totals)
        yield from self._pipeline(files.get("pipeline_profiling"))
        yield from self._batches(files)
        yield from self._cpu(files.get("minddata_cpu_utilization"))

    def _operators(self, files: dict[str, str]) -> Iterator[Table]:
        """Operators of the GPU and of the CPU, these on the clock of the GPU's where both are recorded."""
        shift = 0
        try:
            shift = operators.host_to_gpu_ns(self._text(files["start_time"])) if "start_time" in files else 0
        except DAMAGE:
            self._lost(files["start_time"])
        for what, unit_ns in ((_GPU_OPERATORS, 1e3), (_CPU_OPERATORS, 1e6)):
            for frame in self._parsed(files.get(what), lambda text, unit=unit_ns: operators.operators(text, unit)):
                moved = shift if what == _CPU_OPERATORS and _GPU_OPERATORS in files else 0
                times = (pl.col("start_ns") + moved).alias("start_ns")
                yield self._events("operator", frame.with_columns(times, process=pl.col("category")))

    def _kernels(self, files: dict[str, str]) -> Iterator[Table]:
        for frame in self._parsed(files.get(_KERNELS), operators.kernels):
            device = next(number for number, known in self._files.items() if known is files)
            yield self._events(
                "activity",
                frame.with_columns(
                    category=pl.lit("kernel"),
                    process=pl.lit(str(device)),
                    thread=pl.col("stream").cast(pl.String),
                    activity=pl.lit(KERNEL),
                    device=pl.lit(device),
                ),
            )

    def _steps(self, files: dict[str, str]) -> Iterator[Table]:
        """Points of steps, as recorded, else as MindSpore derives them."""
        found = pl.DataFrame()
        for what, parse in (
            ("step_trace_profiling", steps.recorded_steps),
            ("step_trace_raw", steps.derived_steps),
        ):
            if len(found) == 0:
                found = next(self._parsed(files.get(what), parse), found)
        if len(found):
            yield self._events("step_point", found)

    def _pipeline(self, path: str | None) -> Iterator[Table]:
        try:
            frame, samples, interval_ns, odd = pipeline.pipeline(self._text(path)) if path else (None, None, 0, 0)
        except DAMAGE:
            self._lost(path or "")
            return
        self.facts.skipped(odd, os.path.basename(path or ""))
        if frame is not None and samples is not None:
            self.facts.queue_interval_ns = interval_ns
            yield "pipeline_operator", frame
            yield self._events("pipeline_sample", samples)

    def _batches(self, files: dict[str, str]) -> Iterator[Table]:
        """The queue of the host, of several files of it the one for a device; and the queue of the device."""
        for names, parse in ((_QUEUES, pipeline.host_queue), (_GET_NEXT, pipeline.device_queue)):
            path = next((files[name] for name in names if name in files), None)
            for frame in self._parsed(path, parse):
                yield self._events("pipeline_batch", frame)

    def _cpu(self, path: str | None) -> Iterator[Table]:
        if path is None:
            return
        try:
            frame, said = cpu.cpu_usage(self._text(path))
        except DAMAGE:
            self._lost(path)
            return
        self.facts = replace(self.facts, **said)
        yield self._events("cpu_usage", frame)

    def _totals(self, table: str, path: str | None, parse: Any) -> Iterator[Table]:
        yield from ((table, frame) for frame in self._parsed(path, parse) if len(frame))

    def _parsed(self, path: str | None, parse: Any) -> Iterator[pl.DataFrame]:
        """What a file holds; nothing where it is missing or damaged, which is noted."""
        if path is None:
            return
        try:
            text = self._text(path)
            frame, odd = parse(text)
        except DAMAGE:
            self._lost(path)
            return
        self.facts.skipped(odd, os.path.basename(path or ""))
        if path.endswith(".csv") or parse is pipeline.host_queue:
            self.facts.ends(text, os.path.basename(path))
        yield frame

    def _events(self, table: str, frame: pl.DataFrame) -> Table:
        """Rows that are events, numbered."""
        first = self.facts.events
        self.facts.events += len(frame)
        return table, frame.with_columns(event=pl.int_range(first, first + len(frame), dtype=pl.UInt32, eager=True))

    def _lost(self, path: str) -> None:
        self.facts.unread_files.append(os.path.basename(path))

    def _text(self, path: str) -> str:
        """All of a file.

        Raises:
            UnreadableInput: it is gone, or too long.
        """
        if not self._given.source.is_folder:
            return whole_text(self._given)
        source = Source(path)
        with source.open(self._given.max_bytes) as stream:
            text = whole_text(replace(self._given, source=source, stream=stream))
            if stream.damage is not None:
                self.facts.truncated = stream.damage
        return text

    def _head(self, device: int) -> dict[str, Any]:
        """What is known of a device's process: its rank, and which MindSpore ran it."""
        info: dict[str, Any] = {}
        if INFO in self._files[device]:
            try:
                info = pipeline.loaded(self._text(self._files[device][INFO]))
            except DAMAGE:
                self._lost(self._files[device][INFO])
        said = info.get("ms_version")
        if isinstance(said, str):
            self.facts.recorder_version = said[:40]
        return {"distributedInfo": job.distributed(self._ranks[device], info)}

    def _check(self) -> None:
        """Refuse what holds nothing.

        Raises:
            UnreadableInput: there is no row.
        """
        facts, tried = self.facts, Message("error-cannot-read", path=self._given.source.path)
        if facts.events == facts.damaged:
            found = Message("reader-mindspore-damaged", files=facts.unread_files[:3]) if facts.unread_files else None
            raise UnreadableInput(tried, found or Message("reader-mindspore-empty"), Message("reader-mindspore-record"))
