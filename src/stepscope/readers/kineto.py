"""Reader of PyTorch traces (Kineto, Chrome trace JSON).

Format: an object with ``traceEvents``, or the bare array of events; plain or gzip. Seen: torch 1.8 to 2.13, CUDA,
ROCm, MTIA, CPU only; times as numbers or strings.
Read: every event and every argument; of the top level only the keys that `readers.head` allows. Several lists
``traceEvents`` are read as one.
Ignored: other top-level keys. Damaged events are skipped and counted in `KinetoFacts`.
Specification: "Trace Event Format" (Google, 2016) and libkineto's ``output_json.cpp``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.numeric.plan import DAMAGED, DOUBLED, LATEST_NS, NOT_OBJECTS, OBJECTS, ROUNDED_TIMES, WITHOUT_PHASE
from stepscope.numeric.pool import SharedPool
from stepscope.readers.blocks import BLOCK_BYTES, Buffers, read_blocks
from stepscope.readers.columns import Gathered
from stepscope.readers.counter_values import absorb_texts, counter_values
from stepscope.readers.detect import locate_events
from stepscope.readers.facts import EPOCH, KinetoFacts
from stepscope.readers.formats import Progress
from stepscope.readers.head import Head, Tail
from stepscope.readers.kineto_plan import Layout, kineto_layout
from stepscope.readers.pooled_texts import stored_texts
from stepscope.readers.scans import MAX_EVENT_BYTES, Scanned, ScanOptions, Scans
from stepscope.readers.sources import Stream
from stepscope.readers.text import decoded

_LONGEST_TOTAL_NS, _YEAR_NS = float(1 << 60), 365.25 * 86_400e9
"""A kernel counts for each operator around it: eight times as much as this fits into int64."""


class KinetoReader:
    """One pass over a trace. Iterate `tables` to the end, then look at `facts`.

    Args:
        stream: the file.
        progress: called after every block.
        workers: scan threads; None for one per core.
        block_bytes: bytes scanned at a time.
        max_event_bytes: longer events are damage.
        layout: what of its events is read; None for what Kineto writes.
    """

    def __init__(
        self,
        stream: Stream,
        progress: Progress | None = None,
        workers: int | None = None,
        block_bytes: int = BLOCK_BYTES,
        max_event_bytes: int = MAX_EVENT_BYTES,
        layout: Layout | None = None,
    ) -> None:
        self._layout = layout or kineto_layout()
        self.facts = KinetoFacts()
        self._stream = stream
        self._total_ns = 0.0
        self._progress = progress
        self._options = ScanOptions(workers or min(8, os.cpu_count() or 1), block_bytes, max_event_bytes)
        self._texts = SharedPool()
        self._keys = self._texts.add([slot.key.encode() for slot in self._layout.slots])
        self._gathered = Gathered(self._layout, self._texts)

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: the stream holds no trace, or no event.
        """
        head = Head()
        begin = locate_events(self._stream, head)
        tail = Tail(head, begin.bare_array)
        self.facts.head = head.facts
        buffers = Buffers(self._options.block_bytes)
        scans = Scans(self._layout.plan, buffers, self._options, tail.add)
        for scanned in scans.run(read_blocks(self._stream, buffers, begin.rest)):
            self._take(scanned)
            yield from map(self._checked, self._gathered.parts())
        self._finish(head, scans, tail)
        self._check_events()
        yield from map(self._checked, self._gathered.parts(everything=True))
        yield from stored_texts(self._texts, decoded)

    def _take(self, scanned: Scanned) -> None:
        out, pool, buf = scanned.out, scanned.pool, scanned.block.buf
        counts = out.counts
        values = counter_values(out, pool, buf)
        codes = absorb_texts(self._texts, self._layout.plan, out, pool, buf, values)
        self._gathered.add(out, codes, self._keys, self.facts.events, values)
        self.facts.events += int(counts[OBJECTS])
        self.facts.damaged += int(counts[DAMAGED])
        self.facts.not_objects += int(counts[NOT_OBJECTS])
        self.facts.without_phase += int(counts[WITHOUT_PHASE])
        self.facts.rounded_times += int(counts[ROUNDED_TIMES])
        self.facts.doubled += int(counts[DOUBLED])
        if self._progress is not None:
            self._progress(self._stream.consumed, self.facts.events)

    def _checked(self, part: tuple[str, pl.DataFrame]) -> tuple[str, pl.DataFrame]:
        """A part of a table, unless with its durations no sum over them would fit into int64."""
        frame = part[1].filter(pl.col("broken") == 0) if "broken" in part[1].columns else part[1]
        if "duration_ns" in frame.columns:
            self._total_ns += float(frame["duration_ns"].cast(pl.Float64).sum())
        if self._total_ns > _LONGEST_TOTAL_NS:
            found = Message("reader-durations-impossible", years=round(_LONGEST_TOTAL_NS / _YEAR_NS))
            raise UnreadableInput(
                Message("error-cannot-read", path=self._stream.source.path), found, Message("reader-record-again")
            )
        return part

    def _finish(self, head: Head, scans: Scans, tail: Tail) -> None:
        facts = self.facts
        facts.head_damaged = head.damaged
        facts.json_bytes = self._stream.delivered
        facts.lost_bytes = scans.lost_bytes + tail.stray_bytes
        unread = tail.problem if scans.was_closed else Message("reader-list-not-closed")
        if unread and self._stream.stray_bytes:
            unread = Message("reader-stray-bytes", problem=unread, stray=self._stream.stray_bytes)
        facts.truncated = self._stream.damage or unread
        base = head.facts.get("baseTimeNanoseconds")
        if isinstance(base, int) and not isinstance(base, bool) and base and abs(base) <= LATEST_NS:
            facts.clock, facts.time_base_ns = EPOCH, base
        version = head.facts.get("torch_version") or head.facts.get("pytorch_version")
        facts.recorder_version = f"PyTorch {version}" if version else ""

    def _check_events(self) -> None:
        facts = self.facts
        if facts.events == 0:
            found = Message("reader-no-events", reason=facts.truncated)
        elif facts.events == facts.damaged + facts.not_objects + facts.without_phase:
            found = Message(
                "reader-no-entry-is-event",
                entries=facts.events,
                damaged=facts.damaged,
                not_objects=facts.not_objects,
                without_phase=facts.without_phase,
            )
        else:
            return
        tried = Message("error-cannot-read", path=self._stream.source.path)
        foreign = facts.events > 0 and facts.events == facts.without_phase  # lists of objects are many things
        advice = Message("reader-name-exported-trace" if foreign else "reader-was-a-step-recorded")
        raise UnreadableInput(tried, found, advice)
