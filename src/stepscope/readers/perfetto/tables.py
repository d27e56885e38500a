"""Rows of a trace as tables of the store."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from stepscope.numeric import packet_state as st
from stepscope.numeric.packet_state import Ints
from stepscope.readers.columns import PART_ROWS, with_activity
from stepscope.readers.kineto_plan import ARGUMENTS, GROUPS
from stepscope.readers.perfetto.gpu_counters import next_of_series
from stepscope.readers.perfetto.rows import Rows
from stepscope.readers.perfetto.writers import ROCPROF
from stepscope.schema import PART, STORE_TABLES

Tables = Iterator[tuple[str, pl.DataFrame]]

GRAPH_EDGE = 1 << 40
"""Numbers of flows from here on are edges of CUDA graphs, as in PyTorch's JSON."""

_COLUMNS = {slot.column for slot in ARGUMENTS}
_SIZES = {
    "grid": (st.GRID, ("grid_x", "grid_y", "grid_z")),
    "block": (st.BLOCK, ("block_x", "block_y", "block_z")),
}
USED_NAMES = ("begin_ns", "end_ns", "delta_ns", *(name for _, names in _SIZES.values() for name in names))
"""Annotations that became times and sizes."""


class StoredTables:
    """Frames of the store.

    Args:
        rows: of the trace.
        base_ns: taken off every time.
        parts: of each row, which process of several it is of; None where there is one.
    """

    def __init__(self, rows: Rows, base_ns: int, parts: Ints | None) -> None:
        self._rows, self.parts = rows, parts
        time = rows.events[:, st.TIME]
        self.start = pl.Series("start_ns", time - base_ns)
        self.duration = pl.Series("duration_ns", rows.slices.duration_ns)
        if rows.writer == ROCPROF:
            self._take_annotated_times(base_ns)
        self.broken = (self.duration < 0) | (self.duration > 1 << 60)

    def all(self) -> Tables:
        """Every table but ``texts``."""
        for number, group in enumerate(GROUPS):
            chosen = np.flatnonzero((self._rows.group == number) & ~self.broken.to_numpy())
            for first in range(0, len(chosen), PART_ROWS):
                frame = self._frame(group, chosen[first : first + PART_ROWS])
                yield from with_activity(frame, self._rows.texts) if group == "activity" else [(group, frame)]
        yield from self._extras()

    def _take_annotated_times(self, base_ns: int) -> None:
        """rocprofv3 writes slices that overlap on a track, and their exact times beside them."""
        begin, end = self._rows.arguments.number("begin_ns"), self._rows.arguments.number("end_ns")
        known = begin.is_not_null() & end.is_not_null()
        self.start = (begin - base_ns).zip_with(known, self.start).alias("start_ns")
        self.duration = (end - begin).zip_with(known, self.duration).alias("duration_ns")

    def _frame(self, group: str, chosen: Ints) -> pl.DataFrame:
        types = STORE_TABLES[group] | {PART: pl.UInt16}
        columns = [pl.Series("event", chosen)]
        columns += [self._column(group, name).gather(chosen).alias(name) for name in GROUPS[group]]
        if group == "counter":
            columns += [self._values().gather(chosen), self._key().gather(chosen)]
        if group == "other":
            columns.append(pl.repeat(0, len(chosen), dtype=pl.UInt8, eager=True).alias("broken"))
        if self.parts is not None:
            columns.append(pl.Series(PART, self.parts[chosen]))
        frame = pl.DataFrame(columns)
        frame = frame.select(name for name in frame.columns if name == "event" or frame[name].null_count() < len(frame))
        return frame.select(pl.col(name).cast(types[name]) for name in frame.columns)

    def _column(self, group: str, name: str) -> pl.Series:
        rows = self._rows
        if name in ("process", "thread"):
            return rows.place[name == "thread"]
        if name in ("category", "name"):
            codes = rows.category if name == "category" else rows.name
            return pl.Series(codes).set(pl.Series(codes < 0), None)
        if name in ("start_ns", "duration_ns"):
            return self.start if name == "start_ns" else self.duration
        if name == "phase":
            instant = pl.Series(rows.events[:, st.KIND] == st.INSTANT)
            return pl.repeat(rows.code("i"), len(instant), eager=True).zip_with(
                instant, pl.repeat(rows.code("X"), len(instant), eager=True)
            )
        if name in _SIZES:
            return rows.arguments.sizes(*_SIZES[name]).fill_null(rows.arguments.column(name))
        if name in ("device", "correlation", "direction"):
            return {"device": rows.device, "correlation": rows.correlation, "direction": rows.direction}[name]
        if name == "context":
            return rows.arguments.column(name).fill_null(rows.arguments.number(st.CONTEXT))
        return rows.arguments.column(name) if name in _COLUMNS else pl.repeat(None, len(rows.events), eager=True)

    def _values(self) -> pl.Series:
        """Values of counters."""
        events = self._rows.events
        real, whole = events[:, st.VALUE_KIND] == st.REAL, events[:, st.VALUE_KIND] == st.WHOLE
        value = np.where(real, events[:, st.VALUE].copy().view(np.float64), events[:, st.VALUE].astype(np.float64))
        uuids, place = np.unique(events[:, st.TRACK], return_inverse=True)
        counters = events[:, st.KIND] == st.COUNTER
        for number, uuid in enumerate(uuids.tolist()):
            track = self._rows.tracks.of(uuid)
            if track.factor == 1 and not track.is_incremental:
                continue
            own = np.flatnonzero((place.reshape(-1) == number) & counters)
            with np.errstate(over="ignore", invalid="ignore"):  # what becomes infinite is no value, below
                scaled = value[own] * track.factor
                value[own] = np.cumsum(scaled) if track.is_incremental else scaled
        known = (real | whole) & np.isfinite(value)
        if not self._rows.is_pytorch:
            # Perfetto's rule: a sample of a GPU says what was until then, and a row here what is from then on.
            sampled = np.flatnonzero(self._rows.is_gpu_counter)
            later = next_of_series(events, sampled)
            value[sampled], known[sampled] = value[later], known[later] & (later >= 0)
        return pl.Series("value", value).set(pl.Series(~known), None)

    def _key(self) -> pl.Series:
        return pl.repeat(self._rows.code(""), len(self._rows.events), dtype=pl.Int64, eager=True).alias("key")

    def _extras(self) -> Tables:
        kept = np.array([[slot.column in names for slot in ARGUMENTS] for names in GROUPS.values()])
        found = self._rows.arguments.others(self._rows.group, kept, USED_NAMES)
        found = found.filter(~self.broken.gather(found["row"]))
        frame = found.rename({"row": "event"}).with_columns(pl.col("event").cast(pl.UInt32))
        if self.parts is not None and len(frame):
            frame = frame.with_columns(pl.Series(PART, self.parts[found["row"].to_numpy()]).cast(pl.UInt16))
        if len(frame):
            yield "extras", frame
