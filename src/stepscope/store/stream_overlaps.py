"""Activities that run on over later ones of their hardware stream: what of them cannot be true.

A stream runs one activity after the other. Programmatic dependent launch lets the next one begin a little early: by
5.8 us at most in 90 recordings of V100, A100, H100, H200, B200, MI250 and MI300X. What runs on for longer has a
damaged end (TraceLens#669: a kernel of 1.6 s on ROCm, over all that followed it).

Not judged are activities of one launch, since the branches of a CUDA graph may carry one number, and activities
without a stream. Where graph annotations moved kernels to lanes, their ``original_stream`` counts.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.store.further_arguments import further_argument, has_further_argument
from stepscope.store.memo import per_trace_on_disk
from stepscope.store.sorting import by_numbers
from stepscope.store.ties import with_places
from stepscope.store.trace import Trace

TOLERANCE_NS = 20_000
"""Overlap of neighbours on a stream that is believed: more than three times the longest one seen."""

_OWN_STREAM = "original_stream"
_STREAM = ["process", "device", "context", "stream"]


@per_trace_on_disk
def cut_short(trace: Trace) -> pl.DataFrame:
    """Activities that run on over later ones: columns row (of table ``activity``) and kept_ns.

    ``kept_ns`` is the time up to the start of the next activity of the stream. Afterwards no two activities of a
    stream overlap by more than `TOLERANCE_NS`, those of one launch excepted.
    """
    columns = [*_STREAM, "start_ns", "duration_ns", "correlation", "event"]
    frame = trace.frame("activity", columns).with_row_index("row")
    if not _runs_on(trace, frame):
        return pl.DataFrame(schema={"row": pl.UInt32, "kept_ns": pl.Int64})
    own = further_argument(trace, frame["event"], _OWN_STREAM).cast(pl.Int64, strict=False)
    frame = frame.with_columns(pl.coalesce(own, pl.col("stream")).alias("stream")).drop("event")
    frame = frame.filter(pl.col("stream").is_not_null())
    # What has no correlation is of a launch of its own.
    launch = pl.when(pl.col("correlation") > 0).then("correlation").otherwise(-1 - pl.col("row").cast(pl.Int64))
    frame = with_places(trace, "activity", frame.with_columns(launch.alias("launch")))
    frame = by_numbers(frame, *_STREAM, "start_ns", "duration_ns", "place")
    lane, run = pl.struct(_STREAM).rle_id().alias("lane"), pl.struct(*_STREAM, "launch").rle_id().alias("run")
    frame = frame.with_columns(lane, run)
    runs = frame.unique("run", keep="first", maintain_order=True).select("run", "lane", "start_ns")
    runs = runs.select("run", pl.col("start_ns").shift(-1).over("lane").alias("next_ns"))
    kept = (pl.col("next_ns") - pl.col("start_ns")).alias("kept_ns")
    frame = frame.join(runs, "run", "left", maintain_order="left").select("row", "duration_ns", kept)
    return frame.filter(pl.col("duration_ns") > pl.col("kept_ns") + TOLERANCE_NS).select("row", "kept_ns").sort("row")


def _runs_on(trace: Trace, frame: pl.DataFrame) -> bool:
    """Whether any activity may run on over the next one of its stream for longer than is believed.

    Of most traces none does, and this is quick to see. Two streams of one hash count as one.
    """
    if has_further_argument(trace, [_OWN_STREAM]):
        return len(frame) > 0
    stream, start, duration = frame.select(_STREAM).hash_rows().to_numpy(), frame["start_ns"], frame["duration_ns"]
    order = np.lexsort((start.to_numpy(), stream))
    stream, begin, end = stream[order], start.to_numpy()[order], (start + duration).to_numpy()[order]
    return bool(((stream[1:] == stream[:-1]) & (end[:-1] - begin[1:] > TOLERANCE_NS)).any())


def believed_times(trace: Trace) -> pl.DataFrame:
    """Start and duration of each activity, in file order, without what cannot be true: start_ns, duration_ns."""
    times = trace.frame("activity", ["start_ns", "duration_ns"])
    short = cut_short(trace)
    if len(short) == 0:
        return times
    found = times.with_row_index("row").join(short, "row", "left", maintain_order="left")
    return found.select("start_ns", pl.coalesce("kept_ns", "duration_ns").alias("duration_ns"))
