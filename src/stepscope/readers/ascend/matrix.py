"""``communication_matrix.json``: what each pair of ranks moved, by step, kind of collective and group.

The analysis keeps few calls: of each pair the fastest, one in the middle, the three slowest, and the sum of all
(``allreduce-total@GROUP``). msprof alone writes each call. The numbers of a pair (``0-1``) are those in the group.
A kind is the first word found in a name, so ``reduce`` may be a reduce_scatter: what it was the names of calls say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.readers.ascend.cells import length_ns
from stepscope.readers.ascend.collectives import by_step, entries, number, scaled
from stepscope.readers.ascend.database import AscendDatabase
from stepscope.readers.ascend.tasks import operation

_PART = re.compile(r"(.+)-(top1|middle|bottom[123]|total)")
_PAIR = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)
_TOTAL = "total"

Read = tuple[pl.DataFrame, int]
"""Columns of the stored table ``npu_pair``, and how many entries are none of it."""


def pairs(text: str) -> Read:
    """What the file says.

    Raises:
        ValueError: it is no JSON, or none of this kind.
    """
    steps = by_step(text)
    if any("@" in name for name in steps):
        steps = {"step": {"collective": steps}}
    rows: list[tuple[Any, ...]] = []
    odd = 0
    for step, _, name, links in entries(steps):
        title, _, group = name.partition("@")
        if not isinstance(links, dict):
            odd += 1
            continue
        found = list(_links(links))
        rows.extend((step, title, group or None, *row) for row in found)
        odd += len(links) - len(found)
    return _by_pair(pl.DataFrame(rows, _ROW, orient="row")), odd


def _links(links: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    for link, said in links.items():
        ends = _PAIR.fullmatch(link)
        if ends is None or not isinstance(said, dict):
            continue
        size = scaled(said.get("Transit Size(MB)"), 1e6)
        if size is None:
            continue
        time, speed = scaled(said.get("Transit Time(ms)"), 1e6), number(said.get("Bandwidth(GB/s)"), 1.0)
        texts = (said.get("Transport Type"), said.get("Op Name") or None)
        transport, call = (one if isinstance(one, str) else None for one in texts)
        yield int(ends[1]), int(ends[2]), transport, size, time, speed, call


def pairs_of(base: AscendDatabase) -> Read:
    """Table CommAnalyzerMatrix of the other database."""
    texts = {"title": "hccl_op_name", "group": "group_name", "transport": "transport_type", "call": "op_name"}
    ends = {"source": "src_rank", "destination": "dst_rank"}
    numbers = ("step", "transit_size", "transit_time", "bandwidth")
    table = base.values("CommAnalyzerMatrix", *texts.values(), *ends.values(), *numbers)
    speed = table["bandwidth"].cast(pl.Float64, strict=False)
    columns = {
        "step": table["step"].str.strip_prefix("step").cast(pl.Int64, strict=False),
        **{name: table[stored].replace({"": None}) for name, stored in texts.items()},
        **{name: table[stored].cast(pl.Int64, strict=False) for name, stored in ends.items()},
        "bytes": length_ns(table["transit_size"], 1e6),
        "transit_ns": length_ns(table["transit_time"], 1e6),
        "speed": speed.set(~(speed.is_finite() & (speed >= 0)).fill_null(False), None),
    }
    frame = pl.DataFrame([column.alias(name) for name, column in columns.items()]).select(*_ROW)
    sound = frame.filter(
        pl.col("title").is_not_null() & pl.col("bytes").is_not_null(), pl.col("source") >= 0, pl.col("destination") >= 0
    )
    return _by_pair(sound), len(frame) - len(sound)


def _by_pair(rows: pl.DataFrame) -> pl.DataFrame:
    """Each pair once: what is written as its sum, else that of its calls; its fastest and its slowest call."""
    marked = rows.join(_parts(rows["title"].unique()), "title", "left", maintain_order="left")
    single, chosen = pl.col("part") == "", pl.col("part") == _TOTAL
    marked = marked.with_columns(pl.coalesce("call", pl.when(single).then("title")).alias("call"))
    done = {name: operation(name)[0] for name in marked["call"].drop_nulls().unique()}
    marked = marked.with_columns(pl.col("call").replace_strict(done, default=None, return_dtype=pl.String).alias("op"))
    key = ["step", "kind", "group", "source", "destination"]
    call = (pl.col("bytes") > 0) & ~chosen & pl.col("speed").is_not_null()
    summed = marked.group_by(key, maintain_order=True).agg(
        pl.coalesce(pl.col("transport").filter(chosen).first(), pl.col("transport").drop_nulls().first()),
        *(pl.coalesce(_sum(name, chosen), _sum(name, single)).alias(name) for name in ("bytes", "transit_ns")),
        pl.col("speed").filter(call).max().alias("fastest"),
        pl.col("speed").filter(call).min().alias("slowest"),
        pl.col("call")
        .filter(call)
        .sort_by(pl.col("speed").filter(call), maintain_order=True)
        .first()
        .alias("slowest_call"),
        # What the analysis takes as one kind may be several operations.
        pl.when(pl.col("op").drop_nulls().n_unique() == 1).then(pl.col("op").drop_nulls().first()).alias("op"),
    )
    moved = (pl.col("bytes") != 0).fill_null(True)
    return summed.filter(moved).select(pl.coalesce("op", "kind").alias("operation"), *_PAIR_COLUMNS)


def _sum(name: str, chosen: pl.Expr) -> pl.Expr:
    """Null, not 0, where nothing is chosen or known."""
    column = pl.col(name).filter(chosen)
    return pl.when(column.count() > 0).then(column.sum())


def _parts(titles: pl.Series) -> pl.DataFrame:
    """Of names of entries: which kind of collective, and which part of its calls; "" for a call of its own."""
    found = ((title, _PART.fullmatch(title)) for title in titles)
    rows = [
        (title, operation(f"hcom_{part[1]}_")[0], part[2]) if part else (title, operation(title)[0], "")
        for title, part in found
    ]
    return pl.DataFrame(rows, {"title": pl.String, "kind": pl.String, "part": pl.String}, orient="row")


_ROW = {
    "step": pl.Int64,
    "title": pl.String,
    "group": pl.String,
    "source": pl.Int64,
    "destination": pl.Int64,
    "transport": pl.String,
    "bytes": pl.Int64,
    "transit_ns": pl.Int64,
    "speed": pl.Float64,
    "call": pl.String,
}
_PAIR_COLUMNS = (
    *("step", "group", "source", "destination", "transport", "bytes", "transit_ns"),
    *("fastest", "slowest", "slowest_call"),
)
