"""Operators of what CUDA graphs replay, carried over from a recording of the same work without graphs.

A replay records kernels but no operators; so does what was queued before the recording began. Where an eager recording
of the same model runs the same kernels in the same order, or one of the graph's capture says that it would have run
them (`captured_launches`), the operator that launched a kernel there did so here. Sequences of names are aligned
(`alignment`); where they do not agree nothing is carried over. Memsets agree with memsets whatever their name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.gpu.captured_launches import captured_launches
from stepscope.analyses.gpu.graph_replays import graph_calls, replayed_activity
from stepscope.analyses.gpu.replay_alignment import NOBODY, Reference
from stepscope.messages import Message
from stepscope.schema import MEMSET
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank
from stepscope.store.ties import with_places

_FILL = "fill"
_LAUNCHED = ["row", "operator", "launch_start_ns", "element"]


@dataclass(frozen=True)
class Carried:
    """What was carried over to one rank.

    Attributes:
        rank: the eager rank.
        replayed: activity that graphs launched, or whose launch was not recorded: row (of table ``activity``),
            duration_ns, and ``eager``, the row of the activity in the eager recording that it agrees with, null where
            there is none.
        activity: what the eager rank launched without a graph, or captured, in launch order: row, operator,
            launch_start_ns.
    """

    rank: Rank
    replayed: pl.DataFrame
    activity: pl.DataFrame

    @property
    def matched(self) -> pl.DataFrame:
        """What agrees with an activity that an operator launched: row, duration_ns, operator, launch_start_ns.

        Row is of this recording, operator a row of the eager rank's table ``operator``, as is the launch's time.
        """
        known = self.replayed.filter(pl.col("eager").is_not_null())
        eager = self.activity.rename({"row": "eager"})
        return known.join(eager, "eager", "left", maintain_order="left").filter(pl.col("operator").is_not_null())


def carried(profile: Profile, rank: Rank) -> Carried | None:
    """What the profile's eager recording says about a rank's graphs; None without one."""
    eager = profile.eager or profile.captures
    if eager is None or not eager.ranks:
        return None
    other = next((one for one in eager.ranks if one.number == rank.number), eager.ranks[0])
    return _carried(rank, other)


@per_rank
def _carried(rank: Rank, other: Rank) -> Carried:
    launched = _launched_eagerly(other)
    unlinked = with_places(rank.trace, "activity", rank.activity.filter(pl.col("launch").is_null()))
    unlinked = unlinked.sort("start_ns", "end_ns", "place").drop("place")
    replayed = _named(rank, pl.concat([replayed_activity(rank).select(unlinked.columns), unlinked]))
    numbers = {name: number for number, name in enumerate(launched["element"].unique(maintain_order=True))}
    reference = Reference(_numbered(launched["element"], numbers))
    eager = np.full(len(replayed), NOBODY, np.int64)
    known: dict[bytes, np.ndarray] = {}
    place = replayed.with_row_index("place").group_by("launch", maintain_order=True).agg("place")["place"]
    elements = _numbered(replayed["element"], numbers)
    for places in place:
        sequence = elements[places.to_numpy()]
        key = sequence.tobytes()
        if key not in known:
            known[key] = reference.aligned(sequence)
        eager[places.to_numpy()] = known[key]
    found = pl.Series(np.where(eager == NOBODY, 0, eager)).set(pl.Series(eager == NOBODY), None)
    rows = launched["row"].gather(found) if len(launched) else pl.Series([None] * len(replayed), dtype=pl.UInt32)
    return Carried(
        other,
        replayed.select("row", "duration_ns", rows.alias("eager")),
        launched.select("row", "operator", "launch_start_ns"),
    )


def _launched_eagerly(rank: Rank) -> pl.DataFrame:
    """Activity that no graph launched and what was captured into one, in the order of the launches.

    The row of a captured launch is its call's, behind those of all activity.
    """
    graphs = graph_calls(rank)["launch"].implode()
    activity = rank.activity.filter(pl.col("launch").is_not_null() & ~pl.col("launch").is_in(graphs))
    activity = with_places(rank.trace, "activity", activity)
    ran = _named(rank, activity.sort("launch_start_ns", "start_ns", "end_ns", "place").drop("place"))
    captured = captured_launches(rank)
    behind = pl.col("call").cast(pl.UInt32) + rank.trace.rows("activity")
    both = [ran.select(_LAUNCHED), captured.with_columns(behind.cast(pl.UInt32).alias("row")).select(_LAUNCHED)]
    return pl.concat(both, how="vertical_relaxed").sort("launch_start_ns", maintain_order=True)


def _named(rank: Rank, activity: pl.DataFrame) -> pl.DataFrame:
    """Activity with a column ``element``: its name, or one word for all fills."""
    names = rank.trace.text(activity["name"]).fill_null("")
    return activity.with_columns(
        pl.when(pl.col("activity") == MEMSET).then(pl.lit(_FILL)).otherwise(names).alias("element")
    )


def _numbered(elements: pl.Series, numbers: dict[str, int]) -> np.ndarray:
    """Numbers of names; names that the eager recording lacks have one that nothing there has."""
    unknown = len(numbers)
    if not numbers:
        return np.full(len(elements), unknown, np.int64)
    return elements.replace_strict(numbers, default=unknown, return_dtype=pl.Int64).to_numpy()


def carried_share(profile: Profile) -> float:
    """Share of the time of CUDA graphs, and of work without a recorded launch, that got operators, in per cent."""
    each = [one for one in (carried(profile, rank) for rank in profile.ranks) if one is not None]
    whole = sum(int(one.replayed["duration_ns"].sum()) for one in each)
    return 100 * sum(int(one.matched["duration_ns"].sum()) for one in each) / max(1, whole)


def carried_notes(profile: Profile) -> list[Message]:
    """How much of what graphs replayed has operators of the eager recording."""
    each = [one for one in (carried(profile, rank) for rank in profile.ranks) if one is not None]
    whole = sum(int(one.replayed["duration_ns"].sum()) for one in each)
    if not each:
        return []
    if whole == 0:
        return [Message("note-eager-none")]
    matched = sum(int(one.matched["duration_ns"].sum()) for one in each)
    folder = "" if profile.eager or profile.captures is None else profile.captures.path
    found = Message("note-eager-matched", matched_pct=100 * matched / whole, all=matched == whole)
    return [found, *([Message("note-eager-captures", folder=folder)] if folder else [])]
