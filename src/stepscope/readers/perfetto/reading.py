"""Reader of Perfetto traces.

Format: packets of Protocol Buffers, plain or gzip, some of them compressed once more. Seen: what Perfetto's own schema
library writes; written as PyTorch from 2.14 on, rocprofv3 and wprof do.
Read: slices, instants and counters of tracks with their annotations, flows; work of GPUs (render stages) and samples of
their counters; clocks, tracks and numbered texts of any number of sequences.
Ignored: packets of other data sources (ftrace, sampled stacks, Android), which are counted, and events of Chrome's old
form inside them.
Specification: ``protos/perfetto/trace`` of Perfetto (2026).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.numeric import packet_state as st
from stepscope.numeric.plan import EARLIEST_NS, LATEST_NS
from stepscope.numeric.pool import SharedPool
from stepscope.readers.facts import EPOCH, OWN, Facts
from stepscope.readers.formats import Input
from stepscope.readers.perfetto.arguments import Arguments, notes_of
from stepscope.readers.perfetto.decoding import Decoder, refusal
from stepscope.readers.perfetto.flows import flow_frame
from stepscope.readers.perfetto.labels import label_frame
from stepscope.readers.perfetto.processes import divided
from stepscope.readers.perfetto.rows import Rows
from stepscope.readers.perfetto.slices import Slices, find_slices
from stepscope.readers.perfetto.tables import StoredTables
from stepscope.readers.perfetto.tracks import Tracks
from stepscope.readers.pooled_texts import stored_texts
from stepscope.readers.sources import Stream

_LONGEST_TOTAL_NS, _YEAR_NS = float(1 << 60), 365.25 * 86_400e9
_LATER_THAN_EPOCH = 1 << 60


@dataclass
class PerfettoFacts(Facts):
    """Facts of a Perfetto trace.

    Attributes:
        unfinished: slices without an end, which end with the recording.
        ends_alone: ends of slices whose beginning is not in it.
        lost_packets: events that need what their writer lost before.
        gaps: how often a writer says that it lost packets.
        unread_packets: packets of kinds that are not read.
        old_events: events of Chrome's old form, and of kinds that are not known.
        bad_archives: compressed packets that could not be inflated as a whole.
        untimed: events without a time.
        foreign_clock: events on a clock that no packet relates to that of the trace.
    """

    recorder: str = "Perfetto"
    unfinished: int = 0
    ends_alone: int = 0
    lost_packets: int = 0
    gaps: int = 0
    unread_packets: int = 0
    old_events: int = 0
    bad_archives: int = 0
    untimed: int = 0
    foreign_clock: int = 0


class PerfettoReading:
    """One pass over a trace. Iterate `tables` to the end, then look at `facts`.

    Args:
        given: the file.
        stream: its bytes.
    """

    def __init__(self, given: Input, stream: Stream) -> None:
        self.facts = PerfettoFacts()
        self._given, self._stream = given, stream
        self._texts = SharedPool()

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: there is no event in it.
        """
        decoder = Decoder(self._stream, self._texts, self._given.progress)
        decoder.run()
        self._read_facts(decoder)
        rows = self._rows(decoder)
        if len(rows.events) == 0:
            raise self._refused(Message("reader-no-events", reason=self.facts.truncated))
        parts, self.facts.processes = divided(rows.process_number, rows.on_gpu.to_numpy())
        stored = StoredTables(rows, self._base_ns(decoder), parts)
        self.facts.recorder_version = rows.writer
        self.facts.damaged += int(stored.broken.sum())
        self.facts.events = len(rows.events) + self.facts.damaged - int(stored.broken.sum())
        for table, frame in stored.all():
            yield self._checked(table, frame)
        for table, frame in (("flow", flow_frame(rows, stored)), ("label", label_frame(rows, parts))):
            frame = frame.with_row_index("event", self.facts.events)
            self.facts.events += len(frame)
            if len(frame):
                yield table, frame
        yield from stored_texts(self._texts)

    def _rows(self, decoder: Decoder) -> Rows:
        # Column by column: what follows takes one column of all events at a time.
        events = np.asfortranarray(decoder.rows("events", st.EVENTS))
        sound = (events[:, st.TIME] > EARLIEST_NS) & (events[:, st.TIME] < LATEST_NS)
        is_pytorch = self._is_pytorch(decoder)
        slices = find_slices(events, is_pytorch)
        self.facts.unfinished, self.facts.ends_alone = slices.unfinished, slices.alone
        timed = sound[slices.rows]
        self.facts.damaged += int((~timed).sum())
        place = np.full(len(slices.rows) + 1, -1, np.int64)
        place[:-1][timed] = np.arange(int(timed.sum()))
        slices = Slices(
            slices.rows[timed], slices.duration_ns[timed], place[slices.owner_row], slices.unfinished, slices.alone
        )
        names, seed = decoder.owners
        notes = decoder.rows("notes", st.NOTES)
        said = notes_of(notes, slices.owner_row, events[:, st.OWNER], names, seed[0], self._texts)
        arguments = Arguments(said, len(slices.rows), self._texts)
        tracks = Tracks(decoder.rows("tracks", st.TRACKS))
        return Rows(np.asfortranarray(events[slices.rows]), slices, arguments, tracks, self._texts, is_pytorch)

    def _is_pytorch(self, decoder: Decoder) -> bool:
        """Whether its first snapshot sets the boot clock to the time of day, as PyTorch's writer does."""
        state = decoder.state
        is_set = bool(state[st.HAS_EPOCH]) and int(state[st.EPOCH_NS]) == 0
        return is_set and int(state[st.FIRST_SNAPSHOT_NS]) > _LATER_THAN_EPOCH

    def _base_ns(self, decoder: Decoder) -> int:
        """What is taken off every time, so that times count from what `Facts.time_base_ns` says."""
        return self.facts.time_base_ns if self._is_pytorch(decoder) else 0

    def _read_facts(self, decoder: Decoder) -> None:
        facts, state = self.facts, decoder.state
        facts.truncated = decoder.truncated
        facts.bad_archives = decoder.bad_archives
        counts = {
            "lost_packets": st.DROPPED,
            "gaps": st.GAPS,
            "unread_packets": st.UNREAD,
            "old_events": st.LEGACY,
            "untimed": st.UNTIMED,
            "foreign_clock": st.UNKNOWN_CLOCK,
        }
        for name, place in counts.items():
            setattr(facts, name, int(state[place]))
        facts.damaged = int(state[st.DAMAGED] + state[st.FULL])
        facts.clock = OWN
        base = int(state[st.FIRST_SNAPSHOT_NS]) if self._is_pytorch(decoder) else int(state[st.EPOCH_NS])
        if state[st.HAS_EPOCH] and 0 < base <= LATEST_NS:
            facts.clock, facts.time_base_ns = EPOCH, base

    def _checked(self, table: str, frame: pl.DataFrame) -> tuple[str, pl.DataFrame]:
        """A part of a table, unless with its durations no sum over them would fit into int64."""
        if "duration_ns" in frame.columns:
            self._total_ns = getattr(self, "_total_ns", 0.0) + float(frame["duration_ns"].cast(pl.Float64).sum())
            if self._total_ns > _LONGEST_TOTAL_NS:
                raise self._refused(Message("reader-durations-impossible", years=round(_LONGEST_TOTAL_NS / _YEAR_NS)))
        return table, frame

    def _refused(self, found: Message) -> UnreadableInput:
        return refusal(self._stream, found, Message("reader-record-again"))
