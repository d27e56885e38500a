"""What a late rank did that the others did not.

The steps that it delays are divided by what the GPU did in them, and so are the same steps of another rank that it
shares the collectives with: the one whose time without waiting is the median. What the late rank has more of is the
cause; of an idle GPU, what the table ``idle`` says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.idle import gap_parts
from stepscope.analyses.ranks.exposure import rank_windows
from stepscope.analyses.ranks.extra_work import extra_copies, extra_idle, extra_kernels
from stepscope.analyses.ranks.lateness import peers, step_lateness
from stepscope.analyses.ranks.parts import step_parts
from stepscope.analyses.ranks.slower_clock import slower_clock
from stepscope.analyses.steps.unions import activity_unions
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints, covered_within, merge
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile, Rank

COMPUTE, COMMUNICATION, COPIES, IDLE = "compute", "communication", "copies", "idle"
LOADING, COLLECTING, HOST, NOT_RECORDED = "data loading", "garbage collection", "host", "not recorded"

_IDLE_CAUSES = {
    gap_parts.DATA_LOADING: LOADING,
    gap_parts.MEMORY_COPY: COPIES,
    gap_parts.HOST_LATE: HOST,
    gap_parts.LAUNCH_LATENCY: HOST,
}
NAMES = {
    COMPUTE: Message("cause-compute"),
    COPIES: Message("cause-copies"),
    LOADING: Message("cause-data-loading"),
    COLLECTING: Message("cause-garbage-collection"),
    HOST: Message("cause-host"),
    NOT_RECORDED: Message("cause-not-recorded"),
}
"""What the causes are called."""

_COLLECTS = re.compile(r"\bgc\b|\bgarbage", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """Why a rank is late: the cause, the share of its lateness that this explains, and what it was, if known."""

    cause: str
    share_pct: float | None
    detail: Message | None


@dataclass(frozen=True)
class Windows:
    """The steps that a rank delays, and the same ones of another rank, each on its rank's clock, in ns."""

    late: Rank
    other: Rank
    start: Ints
    end: Ints
    other_start: Ints
    other_end: Ints

    @property
    def steps(self) -> int:
        """How many."""
        return len(self.start)


@per_profile
def cause_of(profile: Profile, number: int) -> Found:
    """Why a rank is late."""
    found = late_windows(profile, number)
    if found is None:
        return Found("", None, None)
    more = _excess(found)
    total = max(1, sum(more.values()))
    cause = max(more, key=lambda name: more[name])
    share = min(100.0, 100.0 * more[cause] / total)
    asked = (found.late, found.other, ((found.start, found.end), (found.other_start, found.other_end)), found.steps)
    if cause == COMPUTE:
        return Found(cause, share, _slower_clock(found) or extra_kernels(*asked))
    if cause == COPIES:
        return Found(cause, share, extra_copies(*asked))
    if cause == IDLE:
        reason, event, detail = extra_idle(*asked)
        named = COLLECTING if _COLLECTS.search(event) else _IDLE_CAUSES.get(reason, NOT_RECORDED)
        return Found(named, share, detail)
    return Found(cause, share, None)


def _slower_clock(windows: Windows) -> Message | None:
    """The clock of the late rank's GPU, where it explains how long that computes."""
    mine = _parts(windows.late, windows.start, windows.end)[COMPUTE]
    theirs = _parts(windows.other, windows.other_start, windows.other_end)[COMPUTE]
    times = (windows.start, windows.end), (windows.other_start, windows.other_end)
    return slower_clock(windows.late, windows.other, times, mine / max(1, theirs))


def late_windows(profile: Profile, number: int) -> Windows | None:
    """The steps that a rank delays, and those of the rank to compare with; None where there are none."""
    rows = step_lateness(profile).filter((pl.col("rank") == number) & (pl.col("lateness_ns") > 0))
    others = step_parts(profile).filter(pl.col("rank").is_in(peers(profile, number)))
    others = others.join(rows.select("job_step"), on="job_step", how="semi")
    if len(others) == 0:
        return None
    ranks = {rank.number: rank for rank in profile.ranks}
    late, other = ranks[number], ranks[_typical(others)]
    numbers = others.filter(pl.col("rank") == other.number).select("job_step", pl.col("step").alias("step_of"))
    pairs = rows.select("step", "job_step").join(numbers, on="job_step").sort("step")
    theirs = rank_windows(other).rename({"step": "step_of"})
    both = pairs.join(rank_windows(late), on="step").join(theirs, on="step_of", suffix="_of")
    moments = (both[name].to_numpy() for name in ("start_ns", "end_ns", "start_ns_of", "end_ns_of"))
    start, end, other_start, other_end = moments
    return Windows(late, other, start, end, other_start, other_end) if len(both) else None


def _typical(rows: pl.DataFrame) -> int:
    """The rank whose own time is most often the lower median of a step's; the lowest where none is known."""
    middle = pl.col("own_ns").sort().slice((pl.len() - 1) // 2, 1).first().over("job_step")
    usual = rows.filter(pl.col("own_ns").eq_missing(middle)).group_by("rank").len()
    return int(usual.sort("len", "rank", descending=[True, False])["rank"][0])


def _excess(windows: Windows) -> dict[str, int]:
    """By how much each part of the late rank's own time is longer than the other's, in ns."""
    mine = _parts(windows.late, windows.start, windows.end)
    theirs = _parts(windows.other, windows.other_start, windows.other_end)
    # Its communication is shorter: it waits least.
    return {name: max(0, mine[name] - theirs[name]) for name in mine if name != COMMUNICATION}


def _parts(rank: Rank, start: Ints, end: Ints) -> dict[str, int]:
    """What the GPU did in windows: computing before communicating before copying, in ns; the parts add up."""
    compute, communication, memory = activity_unions(rank.whole.activity)
    kernels = merge(compute, communication)
    layers = (compute, kernels, merge(kernels, memory))
    covered = [int(covered_within(layer, start, end).sum()) for layer in layers]
    whole = int((end - start).sum())
    names = (COMPUTE, COMMUNICATION, COPIES, IDLE)
    return dict(zip(names, np.diff([0, *covered, whole]).tolist(), strict=True))
