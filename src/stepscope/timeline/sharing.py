"""The tracks of streams and threads: one each for those with most time, and one that all others share.

There can be hundreds of thousands of them, each with an event or two.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.messages import Message
from stepscope.numeric.nested import Ints, Rows
from stepscope.store.nesting import PLACE
from stepscope.store.trace import Trace
from stepscope.timeline.tracks import GPU, HOST, Track

MOST_TRACKS = 1000
"""Streams of a GPU, and threads of a rank, that have a track of their own."""

_ON_THREADS = ("operator", "runtime", "annotation", "python", "other", "os_call")
_IN_FRAMES = ("python", "os_call")
_WITHOUT_LENGTH = ("cpu_sample", "thread_switch")

_SEVERAL = -2
"""In place of the code of a process, or of a thread, where there are several."""


def busiest(time: np.ndarray, of: Ints, most: int) -> npt.NDArray[np.bool_]:
    """Which ones are among those with most time of what they belong to; of equal ones the first.

    >>> busiest(np.array([5, 9, 9, 1]), np.array([0, 0, 0, 1]), most=1).tolist()
    [False, True, False, True]
    """
    order = np.lexsort((-time, of))
    group = of[order]
    first = np.searchsorted(group, group, side="left")
    found = np.zeros(len(time), np.bool_)
    found[order] = np.arange(len(time)) - first < most
    return found


def stream_tracks(trace: Trace, streams: pl.DataFrame, time: np.ndarray) -> tuple[list[Track], Rows]:
    """Tracks of streams.

    Args:
        streams: columns stream, thread (a code, in place of a stream without number), gpu.
        time: of each, in ns.

    Returns:
        The tracks, and the number of each stream's track.
    """
    gpus = streams["gpu"].unique(maintain_order=True)
    gpu = streams["gpu"].to_frame().join(gpus.to_frame().with_row_index("of"), "gpu", "left", nulls_equal=True)["of"]
    of = gpu.cast(pl.Int64).to_numpy()
    own = busiest(time, of, MOST_TRACKS)
    tracks = []
    for stream, thread, device in streams.filter(own).iter_rows():
        name = str(trace.texts[thread]) if thread is not None else None
        title = Message("lane-stream", stream=str(stream) if stream is not None else name)
        tracks.append(Track(GPU, "stream", title, device=device, stream=stream, thread=name))
    number, others = _numbers(own, of)
    for one, count in others:
        title = Message("lane-other-streams", streams=count)
        tracks.append(Track(GPU, "stream", title, device=gpus[one], shared=count))
    return tracks, number


def thread_tracks(
    trace: Trace, threads: pl.DataFrame, kind: str, busy: pl.DataFrame | None
) -> tuple[list[Track], Rows]:
    """Tracks of threads.

    Args:
        threads: columns process and thread, codes of the trace.
        kind: of the tracks.
        busy: those that have tracks of their own, as `busy_threads` gave them.

    Returns:
        The tracks, and the number of each thread's track.
    """
    own = np.ones(len(threads), np.bool_)
    if busy is not None:
        known = threads.join(busy.with_columns(own=True), PLACE, "left", maintain_order="left", nulls_equal=True)["own"]
        own = known.fill_null(False).to_numpy()
    mine = threads.filter(own)
    texts = [trace.text(mine[name]).to_list() for name in PLACE]
    tracks = []
    for process, thread, place in zip(*texts, _codes(mine), strict=True):
        title = Message("lane-thread", thread=thread)
        tracks.append(Track(HOST, kind, title, process=process, thread=thread, place=place))
    number, others = _numbers(own, np.zeros(len(own), np.int64))
    tracks += [_other_threads(trace, threads.filter(~own), kind) for _ in others]
    for track in tracks:
        track.collapsed = kind == "python"
    return tracks, number


def _codes(threads: pl.DataFrame) -> list[tuple[int, int]]:
    """Process and thread as `Track.place` has them."""
    rows: list[tuple[int, int]] = threads.select(pl.col(PLACE).cast(pl.Int64).fill_null(-1)).rows()
    return rows


def _other_threads(trace: Trace, threads: pl.DataFrame, kind: str) -> Track:
    """The track that threads share."""
    title = Message("lane-other-threads", threads=len(threads))
    processes = threads["process"].unique()
    one = len(processes) == 1
    process, code = (trace.text(processes)[0], _codes(threads)[0][0]) if one else (None, _SEVERAL)
    return Track(HOST, kind, title, process=process, place=(code, _SEVERAL), shared=len(threads))


def _numbers(own: npt.NDArray[np.bool_], of: Ints) -> tuple[Rows, list[tuple[int, int]]]:
    """The track of each stream or thread; and what the tracks that others share belong to, with how many share them."""
    number = np.empty(len(own), np.int32)
    tracks = int(own.sum())
    number[own] = np.arange(tracks)
    left, inverse, counts = np.unique(of[~own], return_inverse=True, return_counts=True)
    number[~own] = tracks + inverse
    return number, list(zip(left.tolist(), counts.tolist(), strict=True))


def busy_threads(trace: Trace, annotations: Ints) -> pl.DataFrame | None:
    """Places of the threads that have tracks of their own, those with most time; None where all have.

    Time in Python frames and in calls of the operating system counts only between threads that are equal without it:
    one that waits is in some all the time.

    Args:
        annotations: rows of those of the host.
    """
    parts = []
    for table in _ON_THREADS:
        if trace.rows(table):
            frame = trace.frame(table, [*PLACE, "duration_ns"])
            frame = frame[annotations] if table == "annotation" else frame
            sums = frame.group_by(PLACE).agg(time=pl.col("duration_ns").sum())
            parts.append(sums.with_columns(frames=pl.lit(table in _IN_FRAMES)))
    for table in _WITHOUT_LENGTH:
        if trace.rows(table):
            places = trace.frame(table, PLACE).unique()
            parts.append(places.with_columns(time=pl.lit(0, pl.Int64), frames=pl.lit(True)))
    if sum(map(len, parts)) <= MOST_TRACKS:
        return None
    time = pl.col("time")
    work, framed = time.filter(~pl.col("frames")).sum(), time.filter("frames").sum()
    whole = pl.concat(parts).group_by(PLACE).agg(work=work, framed=framed)
    if len(whole) <= MOST_TRACKS:
        return None
    order = whole.sort("work", "framed", *PLACE, descending=[True, True, False, False])
    return order.head(MOST_TRACKS).select(PLACE)


def sharing_notes(tracks: list[Track]) -> list[Message]:
    """Say of tracks that are listed that streams or threads share some of them."""
    shared = any(track.shared for track in tracks)
    return [Message("lane-shared", most=MOST_TRACKS)] if shared else []
