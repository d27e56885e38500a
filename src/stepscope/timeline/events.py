"""The timed events of a stored trace, and on which track each belongs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.data_loading.loaders import find_loader
from stepscope.messages import Message
from stepscope.numeric.depths import CALLS, NESTED, Laid
from stepscope.numeric.nested import Ints, Rows
from stepscope.schema import MEMCPY
from stepscope.store.linking import links
from stepscope.store.nesting import PLACE, number_lanes
from stepscope.store.profile import Rank
from stepscope.store.trace import Trace
from stepscope.timeline import kinds
from stepscope.timeline.names import Names
from stepscope.timeline.sharing import busy_threads, stream_tracks, thread_tracks
from stepscope.timeline.stored_events import gpu_numbers, offsets, timed_other
from stepscope.timeline.tracks import GPU, Track

_TIED = {"operator": "external_id", "runtime": "external_id", "annotation": "external_id", "python": "python_id"}
"""What tells which of events with one start and one end is further in: the one with the higher number."""

_TIE_BITS = 50


@dataclass
class Group:
    """Events that are laid out together: no track has events of two groups.

    Attributes:
        tracks: the tracks.
        track: number of each event's track among them.
        tie: of events with one start and one end, the higher one is further in.
        events: start, end, name, kind and source of each event.
        way: how its tracks give rows to events, one of those of `numeric.depths`.
        line: number of each event's stream or thread, where several share a track.
    """

    tracks: list[Track]
    track: Rows
    tie: Ints
    events: Laid
    way: int = NESTED
    line: Rows | None = None

    @classmethod
    def of_lines(cls, made: tuple[list[Track], Rows], line: Rows, tie: Ints, events: Laid, way: int = NESTED) -> Group:
        """Events of streams or threads.

        Args:
            made: the tracks, and the number of each stream's or thread's track.
            line: number of each event's stream or thread.
            tie, events, way: see the class.
        """
        tracks, number = made
        return cls(tracks, number[line], tie, events, way, line if len(number) > len(tracks) else None)


def _loading(rank: Rank) -> pl.Series:
    """Codes of the names of the data loader's ranges."""
    loader = find_loader(rank.whole)
    return loader.ranges["name"].unique() if loader else pl.Series("name", [], dtype=pl.UInt32)


@dataclass(frozen=True)
class EventReader:
    """Reads tables of a rank as events."""

    rank: Rank
    names: Names
    busy: pl.DataFrame | None
    """See `busy_threads`."""

    def laid(self, table: str, kind: npt.NDArray[np.uint8] | int, rows: Ints | None = None) -> Laid:
        """Events of a table, or some rows of it."""
        trace = self.rank.trace
        frame = trace.frame(table, ["start_ns", "duration_ns", "name"])
        frame = frame if rows is None else frame[rows]
        start = frame["start_ns"].to_numpy(writable=True)
        number = offsets(trace)[table] + (np.arange(len(start)) if rows is None else rows)
        kind_of = np.full(len(start), kind, np.uint8) if isinstance(kind, int) else kind
        end = start + frame["duration_ns"].to_numpy()
        return Laid(start, end, self.names.of(frame["name"]), kind_of, number.astype(np.uint32))

    def tie(self, table: str, height: int, rows: Ints | None = None) -> Ints:
        """Ties of a table's events; those of a table with a greater height lie further in."""
        number = self.rank.trace.frame(table, [_TIED[table]])[_TIED[table]].fill_null(-1)
        number = number if rows is None else number[rows]
        ties: Ints = (height << _TIE_BITS) + np.clip(number.to_numpy(), -1, (1 << _TIE_BITS) - 2)
        return ties

    def places(self, table: str, rows: Ints | None = None) -> pl.DataFrame:
        """Codes of process and thread of a table's events."""
        frame = self.rank.trace.frame(table, PLACE)
        return frame if rows is None else frame[rows]


def all_groups(rank: Rank, names: Names) -> list[Group]:
    """The timed events of a rank on their tracks: streams, GPU annotations, sync, threads, Python frames, the rest."""
    annotations = annotation_rows(rank.trace)
    reader = EventReader(rank, names, busy_threads(rank.trace, annotations[0]))
    makers: list[Callable[[], Group | None]] = [
        lambda: _streams(reader),
        lambda: _on_gpus(reader, "annotation", annotations[1], kinds.ANNOTATION, "annotations"),
        lambda: _on_gpus(reader, "sync", None, kinds.SYNC, "sync"),
        lambda: _threads(reader, annotations[0]),
        lambda: _frames(reader),
        lambda: _others(reader),
    ]
    return [group for group in (make() for make in makers) if group is not None and len(group.track)]


def annotation_rows(trace: Trace) -> tuple[Ints, Ints]:
    """Rows of the annotations of the host, and of those on the GPU."""
    gpu = trace.codes(lambda text: text == "gpu_user_annotation")
    on_gpu = trace.marked("annotation", gpu, "category")
    return np.flatnonzero(~on_gpu), np.flatnonzero(on_gpu)


def _numbered(keys: pl.DataFrame) -> tuple[pl.DataFrame, Rows]:
    """The distinct rows of a frame, and the number of each row among them."""
    distinct = keys.unique(maintain_order=True)
    numbers = distinct.with_row_index("number")
    found = keys.join(numbers, keys.columns, "left", maintain_order="left", nulls_equal=True)["number"]
    return distinct, found.cast(pl.Int32).to_numpy(writable=True)


def _streams(reader: EventReader) -> Group | None:
    trace = reader.rank.trace
    if trace.rows("activity") == 0:
        return None
    frame = trace.frame("activity", ["activity", "device", "stream", "process", "thread"])
    communication = links(trace)["communication"].fill_null(False)
    kind = pl.select(
        pl.when(communication)
        .then(kinds.COMMUNICATION)
        .when(frame["activity"] == MEMCPY)
        .then(kinds.MEMCPY)
        .when(frame["activity"] > MEMCPY)
        .then(kinds.MEMSET)
        .otherwise(kinds.COMPUTE)
        .cast(pl.UInt8)
    ).to_series()
    keys = frame.select("stream", pl.when(pl.col("stream").is_null()).then("thread").alias("thread"))
    keys = keys.with_columns(gpu_numbers(trace, frame))
    distinct, line = _numbered(keys)
    events = reader.laid("activity", kind.to_numpy())
    time = np.bincount(line, weights=events.end - events.start, minlength=len(distinct))
    return Group.of_lines(stream_tracks(trace, distinct, time), line, np.zeros(len(line), np.int64), events)


def _on_gpus(reader: EventReader, table: str, rows: Ints | None, kind: int, name: str) -> Group | None:
    """Events that belong to a GPU, but to no single stream of it."""
    trace = reader.rank.trace
    if trace.rows(table) == 0 or (rows is not None and len(rows) == 0):
        return None
    frame = trace.frame(table, ["process", "device"] if table == "sync" else ["process"])
    frame = frame if rows is None else frame[rows]
    distinct, track = _numbered(gpu_numbers(trace, frame).to_frame())
    folded = name == "annotations"
    tracks = [
        Track(GPU, name, Message(f"lane-{name}"), device=gpu, collapsed=folded) for (gpu,) in distinct.iter_rows()
    ]
    return Group(tracks, track, np.zeros(len(track), np.int64), reader.laid(table, kind, rows))


def _threads(reader: EventReader, annotations: Ints) -> Group | None:
    """Annotations, operators and runtime calls of each thread of the host, nested."""
    trace = reader.rank.trace
    loading = _loading(reader.rank)
    parts = []
    for height, (table, kind, rows) in enumerate(
        (
            ("annotation", kinds.ANNOTATION, annotations),
            ("operator", kinds.OPERATOR, None),
            ("runtime", kinds.RUNTIME, None),
        )
    ):
        if trace.rows(table) == 0:
            continue
        codes = trace.frame(table, ["name"])["name"]
        codes = codes if rows is None else codes[rows]
        kind_of = np.where(codes.is_in(loading.implode()).fill_null(False), kinds.DATA_LOADING, kind).astype(np.uint8)
        parts.append((reader.laid(table, kind_of, rows), reader.tie(table, height, rows), reader.places(table, rows)))
    if not parts:
        return None
    threads, line = number_lanes(pl.concat([places for _, _, places in parts]))
    tracks = thread_tracks(trace, threads.select(PLACE), "operators", reader.busy)
    events = Laid(*(np.concatenate(columns) for columns in zip(*(laid for laid, _, _ in parts), strict=True)))
    return Group.of_lines(tracks, line, np.concatenate([tie for _, tie, _ in parts]), events)


def _frames(reader: EventReader) -> Group | None:
    trace = reader.rank.trace
    if trace.rows("python") == 0:
        return None
    codes = trace.frame("python", ["name"])["name"]
    loads = codes.is_in(_loading(reader.rank).implode()).fill_null(False)
    kind = np.where(loads, kinds.DATA_LOADING, kinds.PYTHON).astype(np.uint8)
    threads, line = number_lanes(reader.places("python"))
    tracks = thread_tracks(trace, threads.select(PLACE), "python", reader.busy)
    return Group.of_lines(tracks, line, reader.tie("python", 0), reader.laid("python", kind), CALLS)


def _others(reader: EventReader) -> Group | None:
    """What has a time and a length, but no rule places."""
    trace = reader.rank.trace
    rows = np.flatnonzero(timed_other(trace)) if trace.rows("other") else np.empty(0, np.int64)
    if len(rows) == 0:
        return None
    codes = trace.frame("other", ["name"])["name"][rows]
    loads = codes.is_in(_loading(reader.rank).implode()).fill_null(False)
    kind = np.where(loads, kinds.DATA_LOADING, kinds.OTHER).astype(np.uint8)
    threads, line = number_lanes(reader.places("other", rows))
    tracks = thread_tracks(trace, threads.select(PLACE), "other", reader.busy)
    return Group.of_lines(tracks, line, np.zeros(len(rows), np.int64), reader.laid("other", kind, rows))
