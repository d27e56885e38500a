"""Runs of elementwise, norm, reduce and casting kernels that one kernel might replace (see docs/tables/).

Neighbours on a stream of which each only maps, normalises, reduces, or copies element by element, launched one by one.
The saving is an estimate, as if one kernel in their place took as long as the kernel with most of the time does in all
its launches in the run, since those may work on different data; or as all norms and reductions do, which need passes of
their own over it. Whether the kernels may be fused is not in a trace.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.gpu.kernel_names import name_traits
from stepscope.analyses.gpu.sequences import chains, on_streams, sequence_keys
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.schema import KERNEL, TABLES
from stepscope.store.profile import Profile, Rank

Flags: TypeAlias = npt.NDArray[np.bool_]

_PASSES = ["norm", "reduce"]
_FUSIBLE = ["elementwise", *_PASSES]
_ELEMENTWISE_COPY = r"(?:^|[ :])(?:vectorized_|unrolled_|templated_)*elementwise_kernel\w*<.*copy"
"""PyTorch's casts and copies element by element: no gathers, no concatenations."""
_FUSED_ALREADY = r"^triton_|multi_tensor_apply"
LEAST_LENGTH = 3
"""Kernels of a run; pairs are everywhere and bring little."""

_SUMS = ["count", "total_ns", "gap_ns", "saving_ns"]
_KEYS = ["op", "kernels", "length"]


def fusion(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``fusion``, largest saving first."""
    rows = pl.concat([_rank_fusion(rank) for rank in profile.ranks], how="vertical_relaxed")
    rows = rows.group_by(_KEYS, maintain_order=True).agg(pl.col(_SUMS).sum())
    whole = sum(int(rank.activity["duration_ns"].sum()) for rank in profile.ranks)
    rows = rows.with_columns((100.0 * pl.col("saving_ns") / max(1, whole)).alias("saving_pct"))
    columns = [pl.col(name).cast(dtype) for name, dtype in TABLES["fusion"].schema.items()]
    return rows.select(columns).sort("saving_ns", *_KEYS, descending=[True, False, False, False])


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    if len(frame) == 0:
        return [Message("note-fusion-none", least=LEAST_LENGTH)]
    return [Message("note-fusion-estimate", saving_pct=float(frame["saving_pct"].sum()))]


@dataclass(frozen=True)
class FusibleRuns:
    """Kernels of all runs, one behind the other.

    Attributes:
        rows: of the table activity.
        group: number of each one's run.
        elementwise: maps or copies element by element; the others normalise or reduce.
        lost: takes no time of its own once its run is one kernel.
        joined: and is not launched any more.
    """

    rows: Ints
    group: Ints
    elementwise: Flags
    lost: Flags
    joined: Flags

    def chosen(self, which: Flags) -> FusibleRuns:
        """Some of them."""
        return FusibleRuns(*(getattr(self, part.name)[which] for part in fields(FusibleRuns)))


def fusible_runs(rank: Rank) -> FusibleRuns:
    """The kernels of all runs."""
    runs, group, begins, _ = _runs(rank)
    kept = _kept(runs, group)
    # One launch is left of each run, the first one; and where its passes are what takes the time, one for each.
    launched = kept & runs["passes"].to_numpy()
    places = np.flatnonzero(launched)
    launched[places[np.unique(group[places], return_index=True)[1]]] = False
    launched[begins] = True
    return FusibleRuns(runs["row"].cast(pl.Int64).to_numpy(), group, ~runs["passes"].to_numpy(), ~kept, ~launched)


def _kept(runs: pl.DataFrame, group: Ints) -> Flags:
    """Kernels whose time is left of their runs: the one with most of it, or the passes if those take longer."""
    time = pl.col("end_ns") - pl.col("start_ns")
    frame = runs.select("name", "passes", time.alias("time")).with_columns(pl.Series("group", group))
    frame = frame.with_columns(
        pl.col("time").sum().over("group", "name").alias("own"),
        (pl.col("time") * pl.col("passes")).sum().over("group").alias("all"),
    )
    most = pl.col("name") == pl.col("name").sort_by("own", "name").last().over("group")
    by_passes = (pl.col("all") >= pl.col("own").max().over("group")) & (pl.col("all") > 0)
    return frame.select(pl.when(by_passes).then("passes").otherwise(most)).to_series().to_numpy()


def _runs(rank: Rank) -> tuple[pl.DataFrame, Ints, Ints, Ints]:
    """Activity of all runs, one behind the other; number of each one's run; place and length of each run."""
    activity = on_streams(rank, rank.activity)
    fusible, copies, passes = _fusible(rank, activity)
    stream = activity.select(pl.struct("device", "stream").rle_id()).to_series().to_numpy()
    breaks = np.append(True, (fusible[1:] != fusible[:-1]) | (stream[1:] != stream[:-1]))[: len(fusible)]
    first = np.flatnonzero(breaks)
    length = np.diff(np.append(first, len(fusible)))
    works = np.logical_or.reduceat(~copies, first) if len(first) else np.empty(0, np.bool_)
    kept = fusible[first] & works & (length >= LEAST_LENGTH)
    first, length = first[kept], length[kept]
    begins = np.append(0, np.cumsum(length))[:-1]
    group = np.repeat(np.arange(len(first)), length)
    place = np.repeat(first - begins, length) + np.arange(int(length.sum()))
    runs = activity[place].with_columns(pl.Series("passes", passes[place], dtype=pl.Boolean))
    return runs, group, begins, length


def _rank_fusion(rank: Rank) -> pl.DataFrame:
    runs, group, begins, length = _runs(rank)
    rows = _measured(runs, group, begins, length)
    rows = rows.group_by("sequence", "length", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("count"), pl.col("total_ns", "gap_ns", "saving_ns").sum(), pl.col("first").last()
    )
    where = (rows["first"].to_numpy(), rows["length"].to_numpy())
    operators = rank.trace.frame("operator", ["name"])["name"].gather(runs["operator"])
    return rows.with_columns(
        chains(rank, operators, *where).alias("op"), chains(rank, runs["name"], *where).alias("kernels")
    ).select("op", "kernels", pl.col("length").cast(pl.Int64), *_SUMS)


def _measured(runs: pl.DataFrame, group: Ints, begins: Ints, length: Ints) -> pl.DataFrame:
    """A row for each run: its key, length, first place, time, gaps, and what is lost of it if fused."""
    start, end = runs["start_ns"].to_numpy(), runs["end_ns"].to_numpy()
    duration = end - start
    pause = np.maximum(start[1:] - end[:-1], 0) * (group[1:] == group[:-1]) if len(group) else np.empty(0, np.int64)
    total = np.add.reduceat(duration, begins) if len(begins) else begins
    gaps = np.add.reduceat(np.append(0, pause), begins) if len(begins) else begins
    lost = np.add.reduceat(np.where(_kept(runs, group), 0, duration), begins) if len(begins) else begins
    return pl.DataFrame(
        {
            "sequence": sequence_keys(runs["name"], group, begins),
            "length": length,
            "first": begins,
            "total_ns": total,
            "gap_ns": gaps,
            "saving_ns": lost,
        }
    )


def _fusible(rank: Rank, activity: pl.DataFrame) -> tuple[Flags, Flags, Flags]:
    """What may be part of a run, which of that only copies, and which normalises or reduces.

    Kernels that only map, normalise, reduce or copy element by element, are not the product of a fusion, and have a
    launch of their own.
    """
    traits = name_traits(rank)
    names = rank.trace.text(traits["name"])
    copies = (traits["kind"] == "copy") & names.str.contains(_ELEMENTWISE_COPY)
    fit = (pl.col("kind").is_in(_FUSIBLE) | copies) & ~names.str.contains(_FUSED_ALREADY)
    launch = activity["launch"].cast(pl.Int64).fill_null(NOBODY).to_numpy()
    alone = pl.Series((np.bincount(launch + 1)[launch + 1] == 1) & (launch >= 0))
    kernel = (activity["activity"] == KERNEL) & ~activity["communication"] & alone
    wanted = (fit, copies, pl.col("kind").is_in(_PASSES))
    found = (activity["name"].is_in(traits.filter(keep)["name"].implode()) for keep in wanted)
    fusible, copying, passes = ((kernel & of.fill_null(False)).to_numpy() for of in found)
    return fusible, copying, passes
