"""Stacks whose memory grows and stays (see docs/tables/).

Of each stack the allocations that are alive in the end are counted by the step in which they were made. One that grows
makes some in nearly every step after the first ones; a cache that fills once, an optimizer's state and weights do not.
Without steps the history is cut into tenths of its entries. Then what grows may be one pass that goes on: activations
pile up from layer to layer of a forward pass, gradients of a backward pass, an optimizer's state in its first step or
in one that replaces it, weights while a model is built. So these are left out, and counted.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.memory.block_categories import (
    ACTIVATIONS,
    GRADIENTS,
    PARAMETERS,
    STATE,
    UNKNOWN_CATEGORY,
    categorised,
)
from stepscope.analyses.memory.lifetimes import KEPT
from stepscope.analyses.memory.snapshot import (
    Snapshot,
    device_levels,
    device_name,
    devices,
    has_snapshot,
    history,
    in_part,
    snapshot_of,
)
from stepscope.analyses.memory.snapshot_levels import snapshot_notes
from stepscope.analyses.memory.stack_facts import BACKWARD
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.schema import TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank
from stepscope.store.step_detection import WHOLE, find_steps

_NEARLY = 0.8
_FEWEST_BINS = 3
_TENTHS, _FEWEST_ENTRIES = 10, 100
_LEAST_BYTES = 1 << 20
_LEAST_SHARE = 0.001
"""A step must add a MiB or a thousandth of the peak, as in `memory_growth`."""


def memory_leaks(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_leaks``, by rank, most bytes first.

    Args:
        by: "" for a row per stack, ``step`` for one of each step that was looked at.
    """
    schema = dict(TABLES["memory_leaks"].schema)
    frames = [growth.rows for _, growth in _found(profile)]
    if by == "step":
        schema |= {name: pl.Int64() for name in ("step", "then_bytes", "then_blocks", "added_bytes")}
        frames = [growth.rows.join(growth.by_step, "stack", "left") for _, growth in _found(profile)]
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    rows = pl.concat([pl.DataFrame(schema=schema), *(frame.select(columns) for frame in frames)])
    order = {"rank": False, "device": False, "alive_bytes": True, "stack": False} | ({"step": False} if by else {})
    return rows.sort(*order, descending=list(order.values()))


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What no row may mean, and what was too little for one."""
    found = []
    for rank, growth in _found(profile):
        if growth.bins < _FEWEST_BINS:
            kind = "few-whole-steps" if growth.in_a_part else "few-steps"
            found.append(Message(f"note-snapshot-{kind}", rank=str(rank.number)))
        elif len(growth.rows) == 0 and not growth.of_a_pass:
            found.append(Message("note-snapshot-no-growth", rank=str(rank.number), steps=growth.bins))
        if growth.of_a_pass:
            found.append(Message("note-snapshot-growth-of-a-pass", rank=str(rank.number), stacks=growth.of_a_pass))
        if growth.little:
            found.append(Message("note-snapshot-little-growth", rank=str(rank.number), stacks=growth.little))
    return found + snapshot_notes(profile)


def _found(profile: Profile) -> list[tuple[Rank, _Growth]]:
    ranks = [rank for rank in profile.ranks if has_snapshot(rank)]
    return [(rank, _growing(rank, device)) for rank in ranks for device in devices(rank)]


@dataclass(frozen=True)
class _Growth:
    """What was found on a device.

    Attributes:
        rows: of the table.
        by_step: of each of these stacks and each step: stack, step, then_bytes, then_blocks, added_bytes.
        bins: how many steps, or tenths of the history, were looked at.
        little: stacks that grew by too little for a row.
        of_a_pass: stacks left out because no steps are known, and a single pass may be why they grew.
        in_a_part: whether steps were looked for in a part of a history whose steps are known.
    """

    rows: pl.DataFrame
    by_step: pl.DataFrame
    bins: int
    little: int = 0
    of_a_pass: int = 0
    in_a_part: bool = False


_BY_STEP = ("stack", "step", "then_bytes", "then_blocks", "added_bytes")
_NO_STEPS = pl.DataFrame(schema=dict.fromkeys(_BY_STEP, pl.Int64()))


@per_rank(whole=True)
def _growing(rank: Rank, device: int) -> _Growth:
    kept = categorised(rank).filter(
        (pl.col("fate") == KEPT) & pl.col("stack").is_not_null() & (pl.col("device") == device)
    )
    edges, numbers, are_steps = _edges(rank, device)
    bins = len(edges) - 1
    if bins < _FEWEST_BINS:
        return _Growth(pl.DataFrame(schema=TABLES["memory_leaks"].schema), _NO_STEPS, bins, in_a_part=are_steps)
    place = np.searchsorted(edges, kept["born"].to_numpy(), side="right") - 1
    kept = kept.with_columns(pl.Series("bin", np.where((place >= 0) & (place < bins), place, -1)))
    added = kept.filter(pl.col("bin") >= 0).group_by("stack", "bin").agg(pl.col("bytes").sum())
    grown = added.group_by("stack").agg(
        pl.len().cast(pl.Int64).alias("grew"), pl.col("bytes").median().cast(pl.Int64).alias("bytes_per_step")
    )
    grown = grown.filter(pl.col("grew") >= max(_FEWEST_BINS, _NEARLY * bins))
    many = grown.filter(pl.col("bytes_per_step") >= _least(rank, device))
    listed = many if are_steps else many.filter(~pl.col("stack").is_in(kept.filter(_of_a_pass())["stack"].implode()))
    whole = (
        kept.filter(in_part(rank, "born_ns", "end_ns"))
        .group_by("stack")
        .agg(
            pl.col("bytes").sum().alias("alive_bytes"),
            pl.len().cast(pl.Int64).alias("blocks"),
            *(pl.col(name).first() for name in ("source", "op", "category", "lines")),
        )
    )
    step = pl.col("bytes_per_step") if are_steps else pl.lit(None, pl.Int64).alias("bytes_per_step")
    rows = listed.join(whole, "stack", "left").with_columns(
        step,
        pl.lit(rank.number, pl.Int64).alias("rank"),
        pl.lit(bins, pl.Int64).alias("steps"),
        pl.lit(device_name(device)).alias("device"),
    )
    by_step = [_in_steps(rank, device, stack, edges, numbers) for stack in listed["stack"].to_list()]
    return _Growth(rows, pl.concat([_NO_STEPS, *by_step]), bins, len(grown) - len(many), len(many) - len(listed))


def _in_steps(rank: Rank, device: int, stack: int, edges: Ints, numbers: list[int]) -> pl.DataFrame:
    """What of a stack was alive at the end of each step, and what the step added of what is alive in the end."""
    known = categorised(rank).filter((pl.col("stack") == stack) & (pl.col("device") == device))
    born, end = (known[name].fill_null(never).to_numpy() for name, never in (("born", -1), ("end", 1 << 62)))
    size, kept = known["bytes"].to_numpy(), (known["fate"] == KEPT).to_numpy()
    alive = [(born < edge) & (end >= edge) for edge in edges[1:]]
    added = [int(size[kept & (born >= first) & (born < last)].sum()) for first, last in itertools.pairwise(edges)]
    then = [[int(size[one].sum()) for one in alive], [int(one.sum()) for one in alive]]
    rows = zip([stack] * len(numbers), numbers, *then, added, strict=True)
    return pl.DataFrame(list(rows), schema=_NO_STEPS.schema, orient="row")


def _of_a_pass() -> pl.Expr:
    """What one pass makes and holds; of the backward pass in which a history ends it is not known for what."""
    undecided = (pl.col("category") == UNKNOWN_CATEGORY) & (pl.col("part") == BACKWARD)
    return pl.col("category").is_in([PARAMETERS, ACTIVATIONS, GRADIENTS, STATE]) | undecided


def _least(rank: Rank, device: int) -> int:
    peak = int(device_levels(rank, device)["allocated_bytes"].max() or 0)  # type: ignore[arg-type]
    return int(min(_LEAST_BYTES, _LEAST_SHARE * peak))


def _step_times(rank: Rank, snapshot: Snapshot) -> tuple[list[int], list[int]] | None:
    """Starts of the whole steps and the end of the last, and the steps' numbers; None where too few are known.

    They are those of the snapshot, which may be more than the trace's. A part of a history with steps may hold few.
    """
    for steps, later in ((find_steps(snapshot.trace), snapshot.shift_ns or 0), (rank.all_steps, 0)):
        whole = steps.ranges.filter(~pl.col("partial")).with_columns(pl.col("start_ns", "end_ns") - later)
        known = steps.source != WHOLE and (steps is not rank.all_steps or snapshot.shift_ns is not None)
        if known and len(whole) >= _FEWEST_BINS:
            part = snapshot.part
            if part is not None:
                whole = whole.filter(pl.col("start_ns") >= part.begin_ns, pl.col("end_ns") <= part.end_ns)
            return [*whole["start_ns"].to_list(), *whole["end_ns"].sort().tail(1).to_list()], whole["step"].to_list()
    return None


def _edges(rank: Rank, device: int) -> tuple[Ints, list[int], bool]:
    """Rows of the history at which steps begin, with the end of the last one; their numbers; whether they are steps.

    The first whole step is left out where there are enough: much is made in it once. So are the first two tenths.
    """
    entries, snapshot = history(rank).filter(pl.col("device") == device), snapshot_of(rank)
    if snapshot is not None and snapshot.part is not None:
        entries = entries.filter(in_part(rank, "at_ns", "at_ns"))
    if len(entries) == 0:
        return np.zeros(1, np.int64), [], False
    begin = int(entries["row"][0])
    timed = snapshot is not None and entries["at_ns"].null_count() == 0
    steps = _step_times(rank, snapshot) if timed and snapshot is not None else None
    if steps is not None:
        times, numbers = steps
        # Tenths of such a part would be parts of steps.
        if len(numbers) < _FEWEST_BINS:
            return np.zeros(len(numbers) + 1, np.int64), numbers, True
        rows = begin + np.searchsorted(entries["at_ns"].to_numpy(), np.array(times), side="left")
        first = 1 if len(rows) - 2 >= _FEWEST_BINS else 0
        return rows[first:], numbers[first:], True
    if len(entries) < _FEWEST_ENTRIES:
        return np.zeros(1, np.int64), [], False
    tenths = begin + np.linspace(0, len(entries), _TENTHS + 1).astype(np.int64)
    return tenths[2:], list(range(2, _TENTHS)), False
