"""Where events of a timeline belong that have no category: which ran on the NPU, which in CANN, which communicate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import polars as pl

from stepscope.readers.ascend import work
from stepscope.readers.ascend.launches import Dispatch, numbered_flows
from stepscope.readers.ascend.layout import QUEUE_NUMBER, TASK
from stepscope.readers.ascend.names import CANN, COMMUNICATION, FRAMEWORK, HARDWARE, OVERLAP, PLANE
from stepscope.readers.ascend.texts import TextCodes
from stepscope.schema import CANN as CANN_CALL
from stepscope.schema import COLLECTIVE_PART, OVERLAP_ANALYSIS, STORE_TABLES

Held: TypeAlias = dict[str, list[pl.DataFrame]]
Table: TypeAlias = tuple[str, pl.DataFrame]

_NO_CONNECTION = (-1, 0, 0xFFFFFFFF)
_HOST = 31
"""The last five bits of the number of a process that is a row of the timeline: of which device it is."""

_OTHER = STORE_TABLES["other"] | TASK | {"flow": pl.UInt32}
_FLOW = STORE_TABLES["flow"] | {"flow": pl.UInt32}
_QUEUE = STORE_TABLES["runtime"] | {QUEUE_NUMBER: pl.Int64}


@dataclass(frozen=True)
class Rows:
    """Held events by what they are, with the columns of the layout, and of rows of an NPU ``device`` and ``stream``."""

    hardware: pl.DataFrame
    collectives: pl.DataFrame
    planes: pl.DataFrame
    cann: pl.DataFrame
    overlap: pl.DataFrame
    operators: pl.DataFrame
    rest: pl.DataFrame


def placed(held: Held, codes: TextCodes, processes: set[int]) -> Iterator[Table]:
    """All held rows in their tables.

    Args:
        processes: codes of those that ran operators: CANN ran inside it where it is only one.
    """
    labels = _whole(held["label"], STORE_TABLES["label"])
    rows = _sorted_out(_whole(held["other"], _OTHER), labels, codes, next(iter(processes), None))
    flows = numbered_flows(_whole(held["flow"], _FLOW), codes)
    cann = _calls(rows.cann, codes)
    if len(processes) == 1:
        cann = cann.with_columns(pl.lit(next(iter(processes)), pl.UInt32).alias("process"))
    queue = _whole(held["runtime"], _QUEUE)
    yield from tables_of(replace(rows, cann=cann), queue, flows, work.group_names(labels, codes), codes)
    yield from stored("flow", flows)
    yield from stored("label", labels)


def tables_of(
    rows: Rows, queue: pl.DataFrame, flows: pl.DataFrame, groups: pl.DataFrame, codes: TextCodes
) -> Iterator[Table]:
    """Events in their tables, work with its launch.

    Args:
        queue: events of the task queue.
        groups: names of groups, see `work.group_names`.
    """
    dispatch = Dispatch(queue, rows.cann, flows)
    is_part = work.parts_of_collectives(rows.hardware, rows.collectives, rows.planes, codes)
    own, parts = rows.hardware.filter(~is_part), rows.hardware.filter(is_part)
    collectives = work.collectives(rows.collectives, rows.hardware, parts, groups, codes)
    activity = pl.concat([work.tasks(own, codes), collectives], how="diagonal").sort("event")
    launch = activity.join(dispatch.launch_of(activity, codes), "event", "left", maintain_order="left")["launch"]
    yield from stored("activity", activity.with_columns((launch.cast(pl.Int64) + 1).alias("correlation")))
    yield from stored("runtime", dispatch.calls())
    yield from stored("sync", work.control(own, codes))
    yield from stored("operator", rows.operators)
    # Planes of a database are its tasks once more.
    planes = rows.planes.filter(pl.col("event").is_not_null())
    for frame, category in ((parts, COLLECTIVE_PART), (planes, COLLECTIVE_PART), (rows.overlap, OVERLAP_ANALYSIS)):
        marked = frame.with_columns(pl.lit(codes.code(category), pl.UInt32).alias("category"), phase=codes.code("X"))
        yield from stored("other", marked.drop("flow", strict=False).with_columns(broken=0))
    yield from stored("other", rows.rest.drop("flow", strict=False))


def stored(table: str, frame: pl.DataFrame) -> Iterator[Table]:
    """A frame as rows of a stored table, nothing where it has none."""
    if len(frame):
        types = {name: kind for name, kind in STORE_TABLES[table].items() if name in frame.columns}
        yield table, frame.select(pl.col(name).cast(kind) for name, kind in types.items())


def _whole(frames: list[pl.DataFrame], types: Mapping[str, Any]) -> pl.DataFrame:
    """Parts of a table together in file order, with all columns that are asked for."""
    return pl.concat([pl.DataFrame(schema=types), *frames], how="diagonal").sort("event")


def _sorted_out(other: pl.DataFrame, labels: pl.DataFrame, codes: TextCodes, host: int | None) -> Rows:
    words = codes.found(("X", "", "process_name", "thread_name"))
    bare = pl.col("category").is_null() | (pl.col("category") == words.get("", -1))
    timed = (pl.col("phase") == words.get("X", -1)) & (pl.col("broken") == 0) & bare
    timed &= pl.col("duration_ns").is_not_null()
    named = labels.filter(pl.col("name") == words.get("process_name", -1))
    titles = codes.text(named["label_name"]).fill_null("")
    threads = labels.filter(pl.col("name") == words.get("thread_name", -1))
    on_plane = codes.text(threads["label_name"]).str.contains(PLANE).fill_null(False)
    planes = threads.filter(on_plane).select("process", "thread", is_plane=pl.lit(True)).unique()

    def of(*names: str) -> pl.Expr:
        processes = named.filter(titles.is_in(names))["process"].unique()
        return (timed & pl.col("process").is_in(processes.implode())).fill_null(False)

    other = other.join(planes, ["process", "thread"], "left", maintain_order="left")
    other = other.join(_devices(labels, codes, host), "process", "left", maintain_order="left")
    connection = pl.when(~pl.col("connection").is_in(_NO_CONNECTION)).then("connection").alias("connection")
    other = other.with_columns(connection)
    thread = codes.text(other["thread"]).cast(pl.Int64, strict=False)
    physical = pl.coalesce("physical_stream", "task_stream").alias("physical_stream")
    other = other.with_columns(pl.coalesce(thread, "physical_stream", "task_stream").alias("stream"), physical)
    other = other.with_columns(row_process="process", row_thread="thread")
    plane = pl.col("is_plane").fill_null(False)
    return Rows(
        hardware=other.filter(of(HARDWARE)),
        collectives=other.filter(of(*COMMUNICATION) & ~plane),
        planes=other.filter(of(*COMMUNICATION) & plane),
        cann=other.filter(of(CANN)),
        overlap=other.filter(of(OVERLAP)),
        operators=other.filter(of(*FRAMEWORK)),
        rest=other.filter(~of(HARDWARE, CANN, OVERLAP, *FRAMEWORK, *COMMUNICATION)),
    )


def _calls(cann: pl.DataFrame, codes: TextCodes) -> pl.DataFrame:
    """Calls of CANN: those of its interface by the names that programs call them by, `aclrtMemcpy`."""
    names = codes.text(cann["name"]).str.strip_prefix("AscendCL@")
    category = pl.lit(codes.code(CANN_CALL), pl.UInt32).alias("category")
    return cann.with_columns(codes.codes(names).alias("name"), category)


def _devices(labels: pl.DataFrame, codes: TextCodes, host: int | None) -> pl.DataFrame:
    """Which NPU a row of the timeline is of: columns process, device.

    Its number holds that, in the last bits behind the number of the process, or its label does ("NPU 3").
    """
    words = codes.found(("process_labels",))
    tagged = labels.filter(pl.col("name") == words.get("process_labels", -1))
    said = codes.text(tagged["label"]).str.extract(r"^NPU (\d{1,4})$").cast(pl.Int64)
    by_label = tagged.select("process", said.alias("said")).unique("process", keep="last")
    distinct = labels.select("process").drop_nulls().unique(maintain_order=True)
    number = codes.text(distinct["process"]).cast(pl.Int64, strict=False)
    own = codes.text(pl.Series([host], dtype=pl.UInt32)).cast(pl.Int64, strict=False)[0] if host is not None else None
    packed = number.is_not_null() & ((number // 1024 == own) if own is not None else number >= 1 << 15)
    bits = pl.DataFrame({"process": distinct["process"], "bits": number % 32, "packed": packed})
    known = bits.join(by_label, "process", "left").with_columns(
        pl.when(pl.col("packed") & (pl.col("bits") != _HOST)).then("bits").alias("bits")
    )
    return known.select("process", pl.coalesce("said", "bits").alias("device"))
