"""The figures of a job, each of the job or of a named rank, and what each rank is to it: late, waiting, or neither."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import polars as pl

from stepscope.analyses.ranks.job import job
from stepscope.analyses.ranks.rank_matrix import rank_matrix
from stepscope.analyses.ranks.rank_waits import rank_waits
from stepscope.analyses.ranks.without_straggler import WithoutStraggler, without_stragglers
from stepscope.findings.verdict import Verdict
from stepscope.messages import Message
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile

WAITING, LATE = "waiting", "straggler"
"""Bottlenecks that a rank has in a job only."""

_MUCH_PCT, _MOSTLY = 5.0, 0.5
"""A rank that waits so much of the job's step, and such a part of that for a straggler, is not bound by itself."""


@dataclass(frozen=True)
class RankInJob:
    """Means over the steps of one rank.

    Attributes:
        rank: its number.
        step_ns: its step on the GPU timeline.
        computing_pct: share of that in which kernels compute, as in its verdict.
        delays_ns: by how much it delays the job's step; 0 unless it is a straggler.
        waits_ns: how long it waits for other ranks while nothing computes.
        waits_for: the straggler that it waits for most of that, None without.
    """

    rank: int
    step_ns: int
    computing_pct: float
    delays_ns: int
    waits_ns: int
    waits_for: int | None


@dataclass(frozen=True)
class JobFigures:
    """Figures of the job, means over its steps and ranks.

    Attributes:
        step_ns: its step: the longest of its ranks'.
        wait_pct, transfer_pct: exposed communication in per cent of that: waiting for another rank, transferring.
        computing_pct: share of the ranks' steps in which kernels compute.
        straggler: the rank that delays it most, None without one.
        delay_ns, delay_pct: by how much.
        without_ns: low end, best estimate and high end of its step without that.
        ranks: its ranks, those that cost it most first.
    """

    step_ns: int
    wait_pct: float
    transfer_pct: float
    computing_pct: float
    straggler: int | None
    delay_ns: int | None
    delay_pct: float | None
    without_ns: tuple[int, int, int] | None
    ranks: tuple[RankInJob, ...]

    def json(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)

    @staticmethod
    def of_json(values: Mapping[str, Any]) -> JobFigures:
        """From what `json` gave.

        Raises:
            KeyError, TypeError: it was not.
        """
        without, ranks = values["without_ns"], tuple(RankInJob(**one) for one in values["ranks"])
        return JobFigures(**{**values, "without_ns": without and tuple(without), "ranks": ranks})


def job_figures(profile: Profile) -> JobFigures | None:
    """The figures of all ranks of a job in the selected steps; None of one rank, or where no step is shared."""
    return _of_steps(profile, profile.ranks[0].chosen if profile.ranks else None)


@per_profile
def _of_steps(whole: Profile, chosen: tuple[int, int] | None) -> JobFigures | None:
    """The same of the whole job, whose selected steps are the argument."""
    whole = whole if chosen is None else whole.select(steps=chosen)
    steps = job(whole) if len(whole.ranks) > 1 else None
    if steps is None or len(steps) == 0:
        return None
    mean, late = steps.row(0, named=True), without_stragglers(whole)
    first = late[0] if late else None
    ranks = _ranks(whole, late, mean["duration_ns"])
    if not ranks:  # every step that is selected was cut
        return None
    after = first.after_ns if first else None
    return JobFigures(
        step_ns=mean["duration_ns"],
        wait_pct=_share(mean["exposed_wait_ns"], mean["duration_ns"]),
        transfer_pct=_share(mean["exposed_transfer_ns"], mean["duration_ns"]),
        computing_pct=sum(one.computing_pct for one in ranks) / len(ranks),
        straggler=first.rank if first else None,
        delay_ns=round(first.saving_ns.best) if first else None,
        delay_pct=first.saving_pct.best if first else None,
        without_ns=(round(after.low), round(after.best), round(after.high)) if after else None,
        ranks=ranks,
    )


def _ranks(profile: Profile, late: Sequence[WithoutStraggler], step_ns: int) -> tuple[RankInJob, ...]:
    """Every rank, by what it costs the job, then by number."""
    delays = {one.rank: round(one.saving_ns.best) for one in late}
    uncut = rank_matrix(profile).filter(pl.col("cut") == 0)
    sums = uncut.group_by("rank").agg(pl.col("duration_ns", "exposed_wait_ns").mean())
    computing = _computing(profile, uncut)
    waits = rank_waits(profile).sort("exposed_wait_ns", descending=True).group_by("rank", maintain_order=True)
    whom = waits.agg(pl.col("for_rank").first(), (pl.col("exposed_wait_ns").first() / pl.col("exposed_wait_ns").sum()))
    mostly = {rank: other for rank, other, share in whom.iter_rows() if share > _MOSTLY and other in delays}
    found = [
        RankInJob(
            rank,
            round(duration),
            computing[rank],
            delays.get(rank, 0),
            round(wait),
            mostly.get(rank) if rank not in delays and _share(wait, step_ns) >= _MUCH_PCT else None,
        )
        for rank, duration, wait in sums.iter_rows()
    ]
    return tuple(sorted(found, key=lambda one: (-one.delays_ns, one.rank)))


def _computing(profile: Profile, rows: pl.DataFrame) -> dict[int, float]:
    """Share of each rank's steps in which kernels compute, over those that its verdict and utilization are of.

    Where a rank has others, they leave out its first step: when that begins on the GPU timeline is not recorded.
    """
    found = {}
    for rank in profile.ranks:
        mine = rows.filter(pl.col("rank") == rank.number)
        later = mine.filter(pl.col("step") != rank.all_steps.ranges["step"].first())
        mine = later if later["duration_ns"].sum() else mine
        found[rank.number] = _share(int(mine["compute_ns"].sum()), int(mine["duration_ns"].sum()))
    return found


def _share(part: float, whole: float) -> float:
    return 100.0 * part / whole if whole else 0.0


def in_job(verdicts: Sequence[Verdict], figures: JobFigures | None) -> tuple[Verdict, ...]:
    """Verdicts that know of the other ranks: a straggler delays them, and who waits for it is not bound by itself."""
    ranks = {one.rank: one for one in figures.ranks} if figures else {}
    return tuple(_in_job(one, ranks[one.rank], figures) if figures and one.rank in ranks else one for one in verdicts)


def _in_job(verdict: Verdict, rank: RankInJob, figures: JobFigures) -> Verdict:
    if rank.delays_ns:
        share = _share(rank.delays_ns, figures.step_ns)
        headline = Message("verdict-straggler", delay_ns=rank.delays_ns, delay_pct=share)
        return replace(verdict, bound=LATE, sentences=_with(headline, verdict.sentences))
    if rank.waits_for is None:
        return verdict
    share = _share(rank.waits_ns, figures.step_ns)
    headline = Message("verdict-waits-for", rank=rank.waits_for, wait_ns=rank.waits_ns, wait_pct=share)
    return replace(verdict, bound=WAITING, sentences=_with(headline, verdict.sentences))


def _with(headline: Message, sentences: tuple[Message, ...]) -> tuple[Message, ...]:
    """A headline before the step time, and the rank's own bottleneck, which is that of its step without, behind it."""
    own, *rest = sentences
    return (headline, *rest[:1], own, *rest[1:])
