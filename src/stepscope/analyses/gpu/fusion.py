"""Runs of elementwise, norm, reduce and casting kernels that one kernel might replace (see docs/tables/).

Neighbours on a stream of which each only maps, normalises, reduces, or copies element by element, launched one by one.
The saving is an estimate, as if one kernel in their place took as long as the kernel with most of the time does in all
its launches in the run, since those may work on different data. Whether the kernels may be fused is not in a trace.
"""

from __future__ import annotations

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

_FUSIBLE = ["elementwise", "norm", "reduce"]
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


def fusible_runs(rank: Rank) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Activities of all runs: row of the table activity, and whether it is the first of its run."""
    runs, _, begins, _ = _runs(rank)
    first = np.zeros(len(runs), np.bool_)
    first[begins] = True
    return runs["row"].cast(pl.Int64).to_numpy(), first


def _runs(rank: Rank) -> tuple[pl.DataFrame, Ints, Ints, Ints]:
    """Activity of all runs, one behind the other; number of each one's run; place and length of each run."""
    activity = on_streams(rank, rank.activity)
    fusible, copies = _fusible(rank, activity)
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
    return activity[place], group, begins, length


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
    """A row for each run: its key, length, first place, time, gaps, and what all but one kernel of it take."""
    start, end = runs["start_ns"].to_numpy(), runs["end_ns"].to_numpy()
    duration = end - start
    pause = np.maximum(start[1:] - end[:-1], 0) * (group[1:] == group[:-1]) if len(group) else np.empty(0, np.int64)
    total = np.add.reduceat(duration, begins) if len(begins) else begins
    gaps = np.add.reduceat(np.append(0, pause), begins) if len(begins) else begins
    by_name = pl.DataFrame({"group": group, "name": runs["name"], "time": duration})
    by_name = by_name.group_by("group", "name").agg(pl.col("time").sum())
    most = by_name.group_by("group").agg(pl.col("time").max()).sort("group")["time"].to_numpy()
    return pl.DataFrame(
        {
            "sequence": sequence_keys(runs["name"], group, begins),
            "length": length,
            "first": begins,
            "total_ns": total,
            "gap_ns": gaps,
            "saving_ns": total - most,
        }
    )


def _fusible(rank: Rank, activity: pl.DataFrame) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """What may be part of a run, and which of that only copies.

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
    found = (activity["name"].is_in(traits.filter(keep)["name"].implode()) for keep in (fit, copies))
    fusible, copying = ((kernel & of.fill_null(False)).to_numpy() for of in found)
    return fusible, copying
