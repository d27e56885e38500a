"""What ran on an NPU: tasks of its streams, and collectives.

The parts of a collective lie on planes below it and on the streams of the NPU as well: its time is counted once, by the
collective itself, which stands on the stream that most of its parts ran on.
"""

from __future__ import annotations

import polars as pl

from stepscope.readers.ascend.tasks import CONTROL, CORES, DTYPES, elements, kind_of, operation
from stepscope.readers.ascend.texts import TextCodes
from stepscope.schema import KERNEL

FIRST_GROUP_STREAM = 1 << 20
"""Stream of a group's collectives of whose parts no stream is known; those of NPUs are below it."""

_DIRECTIONS = {
    "host to host": "HtoH",
    "host to device": "HtoD",
    "device to host": "DtoH",
    "device to device": "DtoD",
}
_LABELLED_GROUP = r"^Group (.+?) Communication$"


def tasks(rows: pl.DataFrame, codes: TextCodes) -> pl.DataFrame:
    """Work of the NPU as rows of the table ``activity``: their category is the type of the task."""
    kinds = kind_of(codes.text(rows["task_type"]), codes.text(rows["name"]))
    direction = (
        codes.text(rows["operation"])
        .str.to_lowercase()
        .replace_strict(_DIRECTIONS, default=None, return_dtype=pl.String)
    )
    found = rows.with_columns(
        kinds.alias("activity"),
        codes.codes(direction).alias("direction"),
        category="task_type",
        bytes="copied_bytes",
        external_id="connection",
    )
    return found.filter(pl.col("activity") != CONTROL)


def control(rows: pl.DataFrame, codes: TextCodes) -> pl.DataFrame:
    """Events that were recorded and waited for, and other tasks that are no work, as rows of the table ``sync``."""
    kinds = kind_of(codes.text(rows["task_type"]), codes.text(rows["name"]))
    return rows.filter(kinds == CONTROL).with_columns(category="task_type", external_id="connection")


def parts_of_collectives(
    hardware: pl.DataFrame, collectives: pl.DataFrame, planes: pl.DataFrame, codes: TextCodes
) -> pl.Series:
    """Which tasks of streams are parts of collectives: of the connection of one, or on a plane as well.

    What ran on AI Cores is none: a kernel may compute and communicate at once.
    """
    known = collectives["connection"].drop_nulls().unique()
    again = planes.select("device", physical_stream="plane_stream", start_ns="start_ns", again=pl.lit(True)).unique()
    joined = hardware.join(
        again, ["device", "physical_stream", "start_ns"], "left", maintain_order="left", nulls_equal=True
    )
    core = codes.text(joined["task_type"]).str.to_uppercase().is_in(CORES).fill_null(False)
    part = pl.col("connection").is_in(known.implode()).fill_null(False) | pl.col("again").fill_null(False)
    return joined.select(part & ~core).to_series()


def group_names(labels: pl.DataFrame, codes: TextCodes) -> pl.DataFrame:
    """What groups are called by the names of their rows: columns process, thread, group."""
    words = codes.found(("thread_name",))
    threads = labels.filter(pl.col("name") == words.get("thread_name", -1))
    group = codes.text(threads["label_name"]).str.extract(_LABELLED_GROUP)
    known = threads.select("process", "thread", group.alias("group")).drop_nulls()
    return known.unique(["process", "thread"], keep="last", maintain_order=True)


def collectives(
    rows: pl.DataFrame, hardware: pl.DataFrame, parts: pl.DataFrame, groups: pl.DataFrame, codes: TextCodes
) -> pl.DataFrame:
    """Collectives and messages as rows of the table ``activity``.

    Args:
        rows: of groups.
        hardware: all tasks of streams.
        parts: those that are parts of collectives.
        groups: names, see `group_names`.
    """
    names = codes.text(rows["name"])
    found = named_collectives(names)
    dtype = codes.text(rows["data_type"]).replace_strict(DTYPES, default=None, return_dtype=pl.String)
    into, out = elements(pl.col("op"), pl.col("elements"), pl.col("rank_size"))
    rows = rows.with_columns(found["op"].alias("op"), found["sequence"].alias("collective_sequence"))
    rows = rows.join(groups, ["process", "thread"], "left", maintain_order="left")
    # Groups are numbered on each rank by itself: what all ranks call one is in the names of its collectives.
    group = pl.select(pl.coalesce(found["group"], rows["group"])).to_series()
    placed = _on_streams(rows, hardware, parts)
    return placed.with_columns(
        codes.codes(found["title"]).alias("name"),
        codes.codes(found["op"]).alias("collective"),
        codes.codes(group).alias("process_group"),
        codes.codes(dtype).alias("dtype"),
        into.alias("in_elements"),
        out.alias("out_elements"),
        pl.lit(KERNEL, pl.UInt8).alias("activity"),
        pl.lit(codes.code("COMMUNICATION"), pl.UInt32).alias("category"),
        group_size="rank_size",
        external_id="connection",
    )


def named_collectives(names: pl.Series) -> pl.DataFrame:
    """What names of collectives say: columns title (without number), op, group (null where it does not), sequence."""
    distinct = names.drop_nulls().unique(maintain_order=True).to_list()
    said = [operation(name) for name in distinct]
    known = pl.DataFrame(
        {
            "name": distinct,
            "title": [
                name.split("__")[0] if group else name for name, (_, group, _) in zip(distinct, said, strict=True)
            ],
            "op": [op for op, _, _ in said],
            "group": [group or None for _, group, _ in said],
            "sequence": [number for _, _, number in said],
        },
        {"name": pl.String, "title": pl.String, "op": pl.String, "group": pl.String, "sequence": pl.Int64},
    )
    return names.alias("name").to_frame().join(known, "name", "left", maintain_order="left")


def _on_streams(rows: pl.DataFrame, hardware: pl.DataFrame, parts: pl.DataFrame) -> pl.DataFrame:
    """Collectives with process, thread and stream of the tasks that they consist of, where these are known."""
    used = parts.filter(pl.col("connection").is_not_null()).group_by("connection", "stream").len()
    used = used.sort("len", "stream", descending=[True, False]).unique("connection", keep="first", maintain_order=True)
    places = hardware.select("device", "stream", "process", "thread").unique(
        ["device", "stream"], keep="first", maintain_order=True
    )
    at = rows.select("event", "connection", "device", "process", "thread", "stream").join(
        used.select("connection", part_stream="stream"), "connection", "left", maintain_order="left"
    )
    at = at.join(
        places.select("device", part_stream="stream", part_process="process", part_thread="thread"),
        ["device", "part_stream"],
        "left",
        maintain_order="left",
        nulls_equal=True,
    )
    return rows.with_columns(
        at.select(
            pl.coalesce("part_process", "process").alias("process"),
            pl.coalesce("part_thread", "thread").alias("thread"),
            pl.coalesce("part_stream", pl.col("stream") + FIRST_GROUP_STREAM).alias("stream"),
        )
    )
