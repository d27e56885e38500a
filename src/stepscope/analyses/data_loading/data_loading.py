"""Whether a step waits for its data: in the loader, or for the copy to the GPU (see docs/tables/).

MindInsight divides the way of a batch into three boxes: data processing, transmission, and the step that obtains it.
For PyTorch these are the loader with its workers (processing), the way from a worker to the GPU (hand-over between
processes, then transfer), and the fetch of the training loop, whose exposed wait says whether anything is lost at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.data_loading.fetches import fetches
from stepscope.analyses.data_loading.input_copies import COPIED, copying_at_most_ns, input_copies
from stepscope.analyses.data_loading.loaders import TORCH, find_loader, may_have_loader
from stepscope.analyses.needs import NEEDS
from stepscope.analyses.steps.steps import rank_steps
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.schema import TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank
from stepscope.store.step_detection import WHOLE

PROCESSING, HANDOVER, TRANSFER, NO_PROBLEM = "processing", "hand-over", "transfer", "not the problem"

THRESHOLD_PCT = 5.0
"""Share of the step up to which nothing is worth fixing."""
_EMPTY_NS = 2_000_000
_EMPTY_SHARE = 0.05

_OF_FETCHES = ("wait_ns", "exposed_ns", "hidden_ns", "calls_ns", "empty", "handover_ns", "epoch_ns", "idle_ns")
_STEADY = ("steady_wait_ns", "steady_exposed_ns", "steady_short_ns", "steady_handover_ns", "steady_ns")
"""Sums over the fetches that do not change the epoch, and the time without changes of the epoch."""
_SUMMED = ["fetches", *_OF_FETCHES, *COPIED, *_STEADY, "step_ns", "changes"]


def data_loading(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``data_loading``, by rank and step.

    Args:
        by: "" for a row per step, ``rank`` for one per rank: the sum of its steps, those cut by the window left out,
            with the verdict on all of them together.
    """
    make = rank_loading if by == "rank" else step_loading
    schema = TABLES["data_loading"].schema
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    frames = [make(rank).select(columns) for rank in profile.ranks]
    return pl.concat([pl.DataFrame(schema=schema), *frames])


def rank_loading(rank: Rank) -> pl.DataFrame:
    """The whole of the selected steps in one row, ``step`` null, with the columns of `step_loading`."""
    rows = step_loading(rank)
    whole = rows.filter(~pl.col("cut"))
    whole = whole if len(whole) else rows
    sums = [pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name) for name in _SUMMED]
    first = pl.col("rank", "workers", "cut").first()
    summed = whole.select(first, pl.lit(None, pl.Int64).alias("step"), pl.len().alias("steps"), *sums)
    return _judged(summed.head(len(rows)))


def step_loading(rank: Rank) -> pl.DataFrame:
    """One row per selected step: the table's columns, ``cut``, ``changes`` of the epoch, and sums without these."""
    rows = _whole_loading(rank)
    return rows if rank.chosen is None else rows.filter(pl.col("step").is_between(*rank.chosen))


@per_rank(whole=True)
def _whole_loading(rank: Rank) -> pl.DataFrame:
    loader = find_loader(rank)
    table = rank_steps(rank)
    start, end = table["start_ns"].to_numpy(), (table["start_ns"] + table["duration_ns"]).to_numpy()
    found = fetches(rank)
    start = _with_fetches_before(found["start_ns"].to_numpy(), start, end)
    rows = table.select("rank", "step", "cut").with_columns(
        pl.Series("step_ns", end - start),
        pl.lit(loader.workers if loader else None, pl.String).alias("workers"),
        *_of_fetches(rank, found, start, end, loader is not None),
        *input_copies(rank, start, end),
    )
    rows = _judged(rows)
    # Without a loader there is nothing to say, unless copies alone hold the steps back.
    copying, whole_ns = int(rows["h2d_exposed_ns"].sum()), int(rows["step_ns"].sum())
    return rows.clear() if loader is None and 100 * copying <= THRESHOLD_PCT * whole_ns else rows


def may_load(rank: Rank) -> bool:
    """Whether the table may have rows: not where nothing is named like a loader and copies to the GPU are short."""
    ranges = rank.all_steps.ranges.unique("step", keep="first")
    whole_ns = int((ranges["end_ns"] - ranges["start_ns"]).sum())
    return may_have_loader(rank) or 100 * copying_at_most_ns(rank) > THRESHOLD_PCT * whole_ns


def _with_fetches_before(fetched: Ints, start: Ints, end: Ints) -> Ints:
    """Start of each step, or of the first fetch between the step before and it: that batch is the step's.

    Before the first step only the last fetch counts.
    """
    if len(fetched) == 0 or len(start) == 0:
        return start
    after = np.searchsorted(fetched, end[:-1], side="left")
    after = np.append(max(int(np.searchsorted(fetched, start[0], side="left")) - 1, 0), after)
    first: Ints = np.append(fetched, np.iinfo(np.int64).max)[after]
    return np.minimum(start, first)


def _of_fetches(rank: Rank, found: pl.DataFrame, start: Ints, end: Ints, loader: bool) -> list[pl.Series]:
    """Sums over the fetches that begin in each step; null without a loader."""
    at = found["start_ns"].to_numpy()
    step = np.searchsorted(start, at, side="right") - 1
    inside = (step >= 0) & (at < end[step]) if len(end) else np.zeros(len(at), np.bool_)
    changes = pl.col("epoch_start_ns").is_not_null()
    # The fetch that was asked in vain belongs to the change of epoch that begins with it.
    steady = ~changes & (pl.col("epoch_start_ns").shift(-1) != pl.col("start_ns")).fill_null(True)
    wait = pl.col("end_ns") - pl.col("start_ns")
    limit = max(_EMPTY_NS, _EMPTY_SHARE * _median_step(rank, found))
    rows = found.with_columns(steady.alias("steady"), pl.Series("index", step)).filter(pl.Series(inside))
    begin = pl.Series("begin", start)
    rows = rows.with_columns(begin.gather(rows["index"]))
    sums = rows.group_by("index").agg(
        pl.len().alias("fetches"),
        wait.sum().alias("wait_ns"),
        pl.col("exposed_ns").sum(),
        (wait - pl.col("exposed_ns")).sum().alias("hidden_ns"),
        (wait - pl.col("loading_ns")).sum().alias("calls_ns"),
        (pl.col("steady") & (pl.col("loading_ns") > limit)).sum().alias("empty"),
        pl.col("handover_ns").sum(),
        (pl.col("end_ns") - pl.max_horizontal("epoch_start_ns", "begin")).filter(changes).sum().alias("epoch_ns"),
        pl.col("idle_ns").sum(),
        changes.sum().alias("changes"),
        wait.filter("steady").sum().alias("steady_wait_ns"),
        pl.col("exposed_ns").filter("steady").sum().alias("steady_exposed_ns"),
        pl.col("exposed_ns").filter(pl.col("steady") & (pl.col("loading_ns") <= limit)).sum().alias("steady_short_ns"),
        pl.col("handover_ns").filter("steady").sum().alias("steady_handover_ns"),
    )
    frame = pl.DataFrame({"index": range(len(start)), "step_ns": end - start}, schema_overrides={"index": pl.Int64})
    frame = frame.join(sums, "index", "left", maintain_order="left").drop("index")
    frame = frame.with_columns(pl.exclude("step_ns").cast(pl.Int64).fill_null(0) if loader else pl.all())
    frame = frame.with_columns((pl.col("step_ns") - pl.col("epoch_ns").fill_null(0)).alias("steady_ns"))
    unknown = [name for name in ("handover_ns", "steady_handover_ns") if not found["handover_ns"].is_not_null().any()]
    unknown += ["idle_ns"] if not found["idle_ns"].is_not_null().any() else []
    frame = frame.with_columns(pl.lit(None, pl.Int64).alias(name) for name in unknown)
    return frame.drop("step_ns").get_columns()


def _median_step(rank: Rank, found: pl.DataFrame) -> float:
    """Median length of the steps; without any, of the time from one fetch to the next."""
    ranges = rank.all_steps.ranges
    if rank.all_steps.source != WHOLE:
        return float((ranges["end_ns"] - ranges["start_ns"]).median() or 0)  # type: ignore[arg-type]
    return float(found["start_ns"].diff().median() or 0)  # type: ignore[arg-type]


def _judged(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with share_pct and verdict."""
    waiting = pl.col("steady_exposed_ns").fill_null(0)
    copying = pl.col("h2d_exposed_ns").fill_null(0)
    by_stacks = pl.col("steady_handover_ns") > 0.5 * pl.col("steady_wait_ns")
    handed = pl.coalesce(by_stacks, pl.col("steady_short_ns") > 0.5 * waiting)
    worth = 100 * pl.max_horizontal(waiting, copying) > THRESHOLD_PCT * pl.col("steady_ns")
    share = pl.when(pl.col("steady_ns") > 0).then(100.0 * pl.col("steady_exposed_ns") / pl.col("steady_ns"))
    verdict = (
        pl.when(~worth)
        .then(pl.lit(NO_PROBLEM))
        .when(copying > waiting)
        .then(pl.lit(TRANSFER))
        .when(handed.fill_null(False) & (pl.col("workers") == "multi-process").fill_null(False))
        .then(pl.lit(HANDOVER))
        .otherwise(pl.lit(PROCESSING))
    )
    return rows.with_columns(share.alias("share_pct"), verdict.alias("verdict"))


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """The verdict on each rank in words, and what it rests on."""
    several = len(profile.ranks) > 1
    found = []
    for rank in profile.ranks:
        for row in rank_loading(rank).iter_rows(named=True):
            said = [_verdict_note(row), *_beside(row)]
            found += [Message("note-of-rank", rank=rank.number, note=one) for one in said] if several else said
    return found + _loader_notes(profile, frame)


def _verdict_note(row: dict[str, Any]) -> Message:
    steps, whole = row["steps"], max(row["steady_ns"], 1)
    waits, copies = row["steady_exposed_ns"] or 0, row["h2d_exposed_ns"] or 0
    if row["verdict"] == NO_PROBLEM:
        return _harmless(row, 100 * waits / whole, 100 * copies / whole)
    lost = copies if row["verdict"] == TRANSFER else waits
    shares = {"lost_ns": lost / steps, "step_ns": whole / steps, "lost_pct": 100 * lost / whole, "steps": steps}
    if row["verdict"] == TRANSFER:
        pageable, size = row["h2d_pageable_bytes"], row["h2d_bytes"]
        kind = Message("note-loading-pageable", share_pct=100 * pageable / size) if pageable and size else None
        return Message("note-loading-transfer", pageable=kind, **shares)
    idle = row["h2d_copy_ns"] is not None
    if row["verdict"] == HANDOVER:
        return Message("note-loading-handover", gpu=idle, seen=row["handover_ns"] is not None, **shares)
    alone = row["workers"] == "single-process"
    found = {"empty": row["empty"], "fetches": row["fetches"], "single_process": alone}
    return Message("note-loading-processing", gpu=idle, **found, **shares)


def _harmless(row: dict[str, Any], waits_pct: float, copies_pct: float) -> Message:
    """That the loader is not the bottleneck, with the shares of the step that were measured."""
    if row["fetches"] and row["h2d_copy_ns"]:
        return Message("note-loading-fine", waits_pct=waits_pct, copies_pct=copies_pct, threshold_pct=THRESHOLD_PCT)
    if row["fetches"]:
        return Message("note-loading-fine-waits", waits_pct=waits_pct, threshold_pct=THRESHOLD_PCT)
    if row["h2d_copy_ns"]:
        return Message("note-loading-fine-copies", copies_pct=copies_pct, threshold_pct=THRESHOLD_PCT)
    return Message("note-loading-fine-no-fetch", threshold_pct=THRESHOLD_PCT)


def _beside(row: dict[str, Any]) -> list[Message]:
    """What a reader of the verdict must know beside it."""
    found = []
    if row["changes"]:
        found.append(Message("note-loading-epochs", epochs=row["changes"], epoch_ns=row["epoch_ns"] / row["changes"]))
    unsure = (
        row["verdict"] in (PROCESSING, HANDOVER) and row["workers"] == "multi-process" and row["handover_ns"] is None
    )
    if unsure:
        found.append(Message("note-loading-unsure", option=NEEDS["stacks"].option))
    if row["fetches"] and row["h2d_copy_ns"] is None:
        found.append(Message("note-loading-no-gpu"))
    return found


def _loader_notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What was taken for the loader where it is not PyTorch's, and why there is none."""
    loaders = [find_loader(rank) for rank in profile.ranks]
    if not any(loaders):
        none = Message("note-loading-no-loader")
        return [none] if len(frame) else [Message("note-no-rows-because", reason=none)]
    names = sorted({name for loader in loaders if loader and loader.kind != TORCH for name in loader.names[:3]})
    found = [Message("note-loading-by-name", names=names)] if names else []
    if len(frame) and not frame["fetches"].sum():
        found.append(Message("note-loading-elsewhere"))
    return found
