"""Calls of the CUDA, HIP, CANN or driver API that hold their thread: they wait for the GPU, for a copy, or for memory.

- ``device``, ``stream``, ``event``: `cudaDeviceSynchronize`, `cudaStreamSynchronize`, `cudaEventSynchronize` and the
  like;
- ``copy``: a copy that is not asynchronous, and an asynchronous one from or to pageable memory, which the driver stages
  while the caller waits (CUDA Runtime API, "API synchronization behavior"). Where the trace does not say what memory it
  was, a copy that had ended when its call returned;
- ``memory``: `cudaMalloc`, `cudaFree` and the like, which wait for the device or take a lock of the driver's.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.analyses.host.threads import runtime_calls
from stepscope.schema import MEMCPY
from stepscope.store.communication import is_communication_operator
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Rank
from stepscope.store.sorting import by_numbers
from stepscope.store.ties import with_places

DEVICE, STREAM, EVENT, COPY, MEMORY = "device", "stream", "event", "copy", "memory"

_KINDS = {
    STREAM: r"(?i)stream_?synchronize|synchronizestream",
    EVENT: r"(?i)event_?(?:host_?)?synchronize|synchronizeevent",
    DEVICE: r"(?i)synchronize(?:_v2|_ptsz|device(?:withtimeout)?)?$",
    COPY: r"^(?:cuda|hip|cu|musa|aclrt)Memcpy|^(?:cuda|hip)GraphMemcpy",
    MEMORY: (
        r"^(?:cuda|hip|musa)(?:Host)?(?:Malloc|Free|Alloc|Register|Unregister)"
        r"|^aclrt(?:Malloc|Free)|^cuMem(?:Alloc|Free|Host|Create|Release|Map|Unmap|SetAccess|Address)"
    ),
}
"""Names of the calls by kind; the first that matches counts."""

_TO_DEVICE = r"HtoD|HostToDevice"
_TO_HOST = r"DtoH|DeviceToHost"


@per_rank
def blocking_calls(rank: Rank) -> pl.DataFrame:
    """Calls of a rank that hold their thread, by start; not limited to the selected steps.

    Columns: row (of table runtime), name (code), process, thread (numbers), start_ns, end_ns, kind, to_device (whether
    it is a copy to the device), operator (row of the innermost around it, or null), communication (whether that one
    communicates).
    """
    trace = rank.trace
    calls = runtime_calls(rank)
    calls = calls.join(_kinds_of_names(rank, calls["name"].unique().drop_nulls()), "name", "left")
    calls = calls.join(_host_copies(rank), "row", "left", maintain_order="left")
    held = pl.col("unpinned") | (pl.col("untold") & (pl.col("ended_ns") <= pl.col("end_ns")))
    found = calls.with_columns(pl.coalesce("kind", pl.when(held).then(pl.lit(COPY))).alias("kind"))
    found = with_places(trace, "runtime", found.filter(pl.col("kind").is_not_null()))
    found = by_numbers(found, "start_ns", "end_ns", "place")
    moments = found.select(*PLACE, pl.col("start_ns").alias("at"))
    operator = pl.Series("operator", innermost_rows(rank, "operator", moments))
    operator = operator.set(operator < 0, None).cast(pl.UInt32)
    names = trace.frame("operator", ["name"])["name"].gather(operator)
    communicates = names.is_in(trace.codes(is_communication_operator).implode()).fill_null(False)
    return found.select(
        "row",
        "name",
        *PLACE,
        "start_ns",
        "end_ns",
        "kind",
        pl.col("to_device").fill_null(False),
        operator,
        communicates.alias("communication"),
    )


def _kinds_of_names(rank: Rank, codes: pl.Series) -> pl.DataFrame:
    """Columns name (code) and kind, of those calls that hold their thread whatever they are given."""
    names = pl.DataFrame({"name": codes, "text": rank.trace.text(codes)})
    kinds = [pl.when(pl.col("text").str.contains(pattern)).then(pl.lit(kind)) for kind, pattern in _KINDS.items()]
    known = names.with_columns(pl.coalesce(kinds).alias("kind")).filter(pl.col("kind").is_not_null())
    return known.filter(~pl.col("text").str.contains("Async")).drop("text")


def _host_copies(rank: Rank) -> pl.DataFrame:
    """Calls that queued one copy between host and device; a graph with a copy in it waits for nothing.

    Columns: row, ended_ns (of the copy), to_device, unpinned (to or from pageable memory), untold (kind not known).
    """
    trace = rank.trace
    copies = rank.whole.activity.select("name", "end_ns", "activity", pl.col("launch").alias("row"))
    copies = copies.filter(pl.col("row").is_not_null())
    copies = copies.filter((pl.col("activity") == MEMCPY) & (pl.len().over("row") == 1))
    codes = copies["name"].unique().drop_nulls()
    text = pl.col("text")
    facts = pl.DataFrame({"name": codes, "text": trace.text(codes)}).select(
        "name",
        text.str.contains(_TO_DEVICE).alias("to_device"),
        text.str.contains(_TO_HOST).alias("to_host"),
        text.str.contains("(?i)pageable").alias("unpinned"),
        (~text.str.contains("(?i)pageable|pinned")).alias("untold"),
    )
    known = copies.join(facts, "name").filter(pl.col("to_device") | pl.col("to_host"))
    return known.select("row", pl.col("end_ns").alias("ended_ns"), "to_device", "unpinned", "untold")
