"""Records of CUDA events: on which stream an event was recorded that something waited for.

A wait says which call recorded its event (``wait_on_cuda_event_record_corr_id``), and mostly on which stream. Where it
does not (-1, as the CUPTI monitor of torch 2.13 writes always), the record may be an event of its own: ``cudaEvent``,
of category ``cuda_event``, with correlation and stream.
"""

from __future__ import annotations

import polars as pl

from stepscope.store.further_arguments import further_argument
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

RECORD_CATEGORY = "cuda_event"


@per_rank(whole=True)
def _record_streams(rank: Rank) -> pl.DataFrame:
    """Columns wait_correlation (of the call that recorded) and record_stream, one row per call."""
    codes = rank.trace.codes(lambda text: text == RECORD_CATEGORY)
    events = pl.Series("event", [], dtype=pl.UInt32)
    if len(codes):
        frame = rank.trace.frame("other", ["event", "category"])
        events = frame.filter(pl.col("category").is_in(codes.implode()))["event"]
    values = [
        further_argument(rank.trace, events, key).cast(pl.Int64, strict=False) for key in ("correlation", "stream")
    ]
    found = pl.DataFrame([values[0].alias("wait_correlation"), values[1].alias("record_stream")])
    found = found.filter((pl.col("wait_correlation") > 0) & (pl.col("record_stream") >= 0))
    return found.sort("wait_correlation", "record_stream").unique("wait_correlation", keep="last", maintain_order=True)


def with_record_streams(rank: Rank, waits: pl.DataFrame) -> pl.DataFrame:
    """Waits with their ``wait_stream`` where it was not recorded, but that of the event's record was."""
    found = waits.join(_record_streams(rank), "wait_correlation", "left", maintain_order="left")
    known = pl.when(pl.col("wait_stream") >= 0).then("wait_stream")
    return found.with_columns(pl.coalesce(known, "record_stream", "wait_stream").alias("wait_stream")).drop(
        "record_stream"
    )
