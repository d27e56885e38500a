"""Gather scanned columns of many blocks into frames of the store."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric.bytescan import NULL
from stepscope.numeric.plan import EXTRAS, FLOAT, TEXT, Output
from stepscope.numeric.pool import SharedPool
from stepscope.readers.counter_values import CounterValues
from stepscope.readers.kineto_plan import ACTIVITY_KINDS, Layout
from stepscope.schema import KERNEL, MEMCPY, STORE_TABLES

PART_ROWS = 1 << 17
"""Rows of one part of a table: large enough to compress, small enough to keep memory bounded."""

_MTIA = b"mtia_ccp_events"
_MTIA_COPY, _MTIA_SYNCS = b"dma_request", {b"event_wait", b"event_record"}
"""MTIA gives what its queues do one category: kernels, copies, and how the queues wait for one another."""
_ANNOTATION_NAMES = (b"ProfilerStep#", b"Optimizer.", b"enumerate(DataLoader)#")
_NO_TEXT = np.uint32(0xFFFFFFFF)


class GroupColumns:
    """Columns of one group of events, waiting to become a part of its table."""

    def __init__(self, name: str, layout: Layout) -> None:
        self.name = name
        self.rows = 0
        self._columns = layout.groups[name]
        group = list(layout.groups).index(name)
        order = {slot.column: i for i, slot in enumerate(layout.slots)}
        self._kinds = {slot.column: slot.kind for slot in layout.slots}
        self._group = group
        self._places = [int(layout.plan.column[group, order[column]]) for column in self._columns]
        self._pieces: dict[str, list[npt.NDArray[np.generic] | int]] = {column: [] for column in self._columns}
        self._events: list[npt.NDArray[np.uint32]] = []
        self._broken: list[npt.NDArray[np.uint8]] | None = [] if name == "other" else None

    def add(self, out: Output, codes: npt.NDArray[np.uint32], base: int) -> None:
        """Take the group's rows of a scan. ``codes`` maps block texts to file texts, ``base`` numbers the events."""
        count = int(out.rows[self._group])
        if count == 0:
            return
        self._events.append((out.row[self._group, :count] + base).astype(np.uint32))
        if self._broken is not None:
            self._broken.append(out.broken[:count].astype(np.uint8))
        for column, place in zip(self._columns, self._places, strict=True):
            filled = int(out.filled[place])
            if filled == 0:
                self._pieces[column].append(count)
                continue
            out.cells[place, filled:count] = NULL
            cells = out.cells[place, :count]
            has_nulls = filled < count or int(out.nulls[place]) > 0
            self._pieces[column].append(_typed(cells, self._kinds[column], codes, has_nulls))
        self.rows += count

    def take(self) -> pl.DataFrame:
        """The waiting rows as a frame; columns without any value are left out."""
        series = [pl.Series("event", np.concatenate(self._events))]
        nullable: list[pl.Expr] = []
        for column in self._columns:
            pieces = self._pieces[column]
            self._pieces[column] = []
            if all(isinstance(piece, int) for piece in pieces):
                continue
            kind = self._kinds[column]
            empty = np.uint32 if kind == TEXT else np.int64
            fill = _NO_TEXT if kind == TEXT else NULL
            whole = np.concatenate([np.full(p, fill, empty) if isinstance(p, int) else p for p in pieces])
            has_nulls = bool((whole == fill).any())
            if kind == FLOAT:
                mask = pl.Series("mask", whole != fill) if has_nulls else None
                values = pl.Series(column, whole.view(np.float64))
                series.append(values if mask is None else _masked(values, mask))
                continue
            series.append(pl.Series(column, whole))
            if has_nulls:
                nullable.append(pl.when(pl.col(column) != pl.lit(fill)).then(pl.col(column)).alias(column))
        if self._broken is not None:
            series.append(pl.Series("broken", np.concatenate(self._broken)))
            self._broken = []
        self._events = []
        self.rows = 0
        frame = pl.DataFrame(series)
        return frame.with_columns(nullable) if nullable else frame


def with_activity(frame: pl.DataFrame, texts: SharedPool) -> Iterator[tuple[str, pl.DataFrame]]:
    """A part of the device's work with the column ``activity`` (kernel, memcpy or memset), and what of it is none."""
    kinds = {
        code: ACTIVITY_KINDS.get(texts.texts(code, code + 1)[0].decode("utf-8", "replace"), KERNEL)
        for code in frame["category"].unique().drop_nulls()
    }
    column = frame["category"].replace_strict(kinds, return_dtype=pl.UInt8)
    frame = frame.with_columns(column.alias("activity"))
    if not any(texts.texts(code, code + 1)[0] == _MTIA for code in kinds):
        yield "activity", frame
        return
    names = {code: texts.texts(code, code + 1)[0] for code in frame["name"].unique().drop_nulls()}
    copies = pl.col("name").is_in([code for code, text in names.items() if text == _MTIA_COPY]).fill_null(False)
    syncs = pl.col("name").is_in([code for code, text in names.items() if text in _MTIA_SYNCS]).fill_null(False)
    frame = frame.with_columns(pl.when(copies).then(pl.lit(MEMCPY, pl.UInt8)).otherwise("activity").alias("activity"))
    for table, part in (("activity", frame.filter(~syncs)), ("sync", frame.filter(syncs))):
        if len(part):
            yield table, part.select(name for name in part.columns if name in STORE_TABLES[table])


def without_annotations(
    frame: pl.DataFrame, texts: SharedPool, annotated: frozenset[bytes]
) -> Iterator[tuple[str, pl.DataFrame]]:
    """A part of the operators, and what of it is an annotation, where both have the same category."""
    categories = frame["category"].unique().drop_nulls()
    if not any(texts.texts(code, code + 1)[0] in annotated for code in categories):
        yield "operator", frame
        return
    names = frame["name"].unique().drop_nulls()
    annotations = [code for code in names if texts.texts(code, code + 1)[0].startswith(_ANNOTATION_NAMES)]
    is_annotation = pl.col("name").is_in(annotations).fill_null(False)
    for table, part in (("operator", frame.filter(~is_annotation)), ("annotation", frame.filter(is_annotation))):
        if len(part):
            yield table, part.select(name for name in part.columns if name in STORE_TABLES[table])


def _masked(values: pl.Series, mask: pl.Series) -> pl.Series:
    name = values.name
    return pl.DataFrame([values, mask]).select(pl.when("mask").then(pl.col(name)).alias(name)).to_series()


def _typed(
    cells: npt.NDArray[np.int64], kind: int, codes: npt.NDArray[np.uint32], has_nulls: bool
) -> npt.NDArray[np.generic]:
    if kind != TEXT:
        return cells.copy()
    if has_nulls:
        # The last code stands for "no text".
        return codes[np.where(cells == NULL, len(codes) - 1, cells)]
    return codes[cells]


_NO_VALUES = pl.DataFrame(schema={name: STORE_TABLES["counter"][name] for name in ("event", "key", "value")})


def _values_by_key(extras: npt.NDArray[np.int64], values: CounterValues) -> pl.DataFrame:
    """Columns event, key and value; of a key that an event repeats the last value, as JSON has it."""
    value = pl.Series("value", values.value).fill_nan(None)
    frame = pl.DataFrame([pl.Series("event", extras[0]), pl.Series("key", extras[2]), value])
    return frame.cast(_NO_VALUES.schema).unique(["event", "key"], keep="last", maintain_order=True)


class Gathered:
    """All groups of a file, handed out as parts."""

    def __init__(self, layout: Layout, texts: SharedPool) -> None:
        self._texts, self._annotated = texts, layout.annotated
        self._groups = [GroupColumns(name, layout) for name in layout.groups]
        self._extras: list[npt.NDArray[np.int64]] = []
        self._extra_rows = 0
        self._counter_values: list[pl.DataFrame] = []

    def add(
        self,
        out: Output,
        codes: npt.NDArray[np.int64],
        keys: npt.NDArray[np.int64],
        base: int,
        values: CounterValues | None = None,
    ) -> None:
        """Take a whole scan.

        Args:
            codes: the file's code of each text of the scan.
            keys: the file's code of each slot's key.
            base: events before those of the scan.
            values: values of counters among its extras.
        """
        texts = np.append(codes, int(_NO_TEXT)).astype(np.uint32)
        for group in self._groups:
            group.add(out, texts, base)
        count = int(out.counts[EXTRAS])
        if count:
            extras = out.extras[:, :count].copy()
            extras[0] += base
            known = extras[2] < 0
            extras[2] = np.where(known, keys[np.where(known, -1 - extras[2], 0)], codes[np.where(known, 0, extras[2])])
            extras[3] = codes[extras[3]]
            if values is not None:
                self._counter_values.append(_values_by_key(extras[:, values.at], values))
                extras = np.delete(extras, values.numbers, axis=1)
            self._extras.append(extras)
            self._extra_rows += extras.shape[1]

    def parts(self, everything: bool = False) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) for each group that is full, or for all of them."""
        for group in self._groups:
            if group.rows >= PART_ROWS or (everything and group.rows):
                frame = group.take()
                if group.name == "activity":
                    yield from with_activity(frame, self._texts)
                elif group.name == "operator":
                    yield from without_annotations(frame, self._texts, self._annotated)
                elif group.name == "counter":
                    yield group.name, self._with_values(frame)
                else:
                    yield group.name, frame
        if self._extra_rows >= PART_ROWS or (everything and self._extra_rows):
            yield "extras", self._take_extras()

    def _with_values(self, counters: pl.DataFrame) -> pl.DataFrame:
        """Counter events, a row for each of their values."""
        values = pl.concat([_NO_VALUES, *self._counter_values])
        self._counter_values = []
        return counters.join(values, "event", "left", maintain_order="left_right")

    def _take_extras(self) -> pl.DataFrame:
        whole = np.concatenate(self._extras, axis=1)
        self._extras = []
        self._extra_rows = 0
        return pl.DataFrame(
            {
                "event": whole[0].astype(np.uint32),
                "level": whole[1].astype(np.uint8),
                "key": whole[2].astype(np.uint32),
                "value": whole[3].astype(np.uint32),
            }
        )
