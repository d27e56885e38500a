"""What a list of runs says of one: its steps as a strip, how long a step takes, the bottleneck, what could be saved.

It is made of the tables and verdicts that the run's own pages show, which are kept with its stored traces: no figure is
computed a second way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from stepscope.analyses.npu.devices import runs_on_npus
from stepscope.analyses.recording.check import NOT_RECORDED
from stepscope.analyses.recording.contents import slowing_options
from stepscope.analyses.steps.steps import unmarked
from stepscope.findings.job_messages import leading, waited_for
from stepscope.findings.kept_tables import made_figures, made_sentences, made_table, made_verdicts
from stepscope.findings.verdict import Verdict
from stepscope.messages import Message
from stepscope.store.profile import Profile

BARS = 40
"""Most bars of a strip; more steps share them."""

ALIKE = 0.02
"""Steps whose times differ by less than this share are equally long."""

STRAGGLER = "straggler"
"""Bottleneck of a job whose ranks wait for one of them."""

_STATUSES = ("ok", "warning", "error")

PARTS: dict[str, tuple[str, ...]] = {
    "compute": ("compute_ns",),
    "communication": ("communication_ns",),
    "memory": ("memcpy_ns", "memset_ns"),
    "data_loading": ("data_loading_ns",),
    "host": ("runtime_ns", "cpu_ns"),
    "idle": ("other_ns",),
}
"""Parts of a step as the strip stacks them, and the columns of the table ``steps`` that each is the sum of."""


def run_summary(profile: Profile) -> dict[str, Any]:
    """The summary of a whole run as JSON values; messages as of `Message.json`.

    Returns:
        ``steps`` (of the rank with most), ``unmarked`` (no step is marked on any rank: the whole trace is taken for
        one), ``health`` (the worst finding, options that were off are none), ``device``, ``npus`` (whether devices are
        called so), ``options`` (those of the profiler that slow the program down, of any rank; null where no rank names
        them), ``ranks`` and ``examined`` (ranks in all, and those that figures are of); ``step_ns`` (of the job,
        where its ranks share steps, else the longest of a rank) and ``rank`` (whose is the longest), ``bound`` (as of
        `Verdict`, or `STRAGGLER`, then ``rank`` is the late one), ``busy_pct`` with ``busy_low_pct`` and
        ``busy_high_pct`` (mean, least and most of the ranks), ``headline`` (a message), ``saving`` (of the finding that
        saves most, or null) and ``strip`` (or null where nothing is timed).
    """
    verdicts = made_verdicts(profile, lambda: made_table(profile, "utilization").frame)
    job = made_sentences(profile)
    late, lead = waited_for(job), leading(job)
    worst = _worst(verdicts)
    timed = any(one.step_ns is not None or one.compute_pct is not None for one in verdicts)
    return {
        "steps": max((rank.step_count for rank in profile.ranks), default=0),
        "unmarked": unmarked(profile),
        "health": _health(profile),
        "device": _devices(profile),
        "npus": runs_on_npus(profile),
        "options": _options(profile),
        "ranks": len(profile.ranks),
        "examined": len(verdicts),
        "step_ns": _step_ns(profile, worst) if worst and timed else None,
        "rank": late["rank"] if late else worst.rank if worst else None,
        "bound": STRAGGLER if late else worst.bound if worst and timed else None,
        **_busy(verdicts),
        "headline": (lead or worst.sentences[0]).json() if worst else None,
        "saving": _best_saving(made_table(profile, "findings").frame),
        "strip": strip_of(made_table(profile, "steps").frame) if timed else None,
    }


def _worst(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The verdict with the longest step; of steps that are alike, the one that computes least."""
    longest = max((one.step_ns or 0 for one in verdicts), default=0)
    alike = [one for one in verdicts if (one.step_ns or 0) >= longest * (1 - ALIKE)]
    return min(alike, key=lambda one: (one.compute_pct or 0.0, one.rank), default=None)


def _step_ns(profile: Profile, worst: Verdict) -> int | None:
    """The figure that heads the run's verdict."""
    figures = made_figures(profile)
    return figures.step_ns if figures else worst.step_ns


def _busy(verdicts: Sequence[Verdict]) -> dict[str, float | None]:
    known = [one.gpu_busy_pct for one in verdicts if one.gpu_busy_pct is not None]
    if not known:
        return {"busy_pct": None, "busy_low_pct": None, "busy_high_pct": None}
    return {"busy_pct": sum(known) / len(known), "busy_low_pct": min(known), "busy_high_pct": max(known)}


def _health(profile: Profile) -> str:
    checks = made_table(profile, "health").frame.filter(pl.col("value") != NOT_RECORDED.encoded())
    return _STATUSES[max((_STATUSES.index(status) for status in checks["status"]), default=0)]


def _devices(profile: Profile) -> str | None:
    """The models of the ranks' devices, each once."""
    heads = (rank.trace.head.get("deviceProperties", []) for rank in profile.ranks)
    names = [str(device["name"]) for head in heads for device in head if device.get("name")]
    return ", ".join(dict.fromkeys(names)) or None


def _options(profile: Profile) -> list[str] | None:
    asked = [item for rank in profile.ranks for item in slowing_options(rank).items()]
    if all(on is None for _, on in asked):
        return None
    return sorted({option for option, on in asked if on})


def _best_saving(findings: pl.DataFrame) -> dict[str, Any] | None:
    """The finding worth fixing that saves most of the step; one that saves of each sample only where no other is."""
    worth = findings.filter(pl.col("largest") & pl.col("severity").is_in(["high", "medium"]))
    best = worth.sort("per_sample", -pl.col("saving_pct"), maintain_order=True).head(1)
    if len(best) == 0:
        return None
    row = best.row(0, named=True)
    names = ("id", "saving_ns", "saving_pct", "saving_low_pct", "saving_high_pct", "per_sample")
    return {**{name: row[name] for name in names}, "title": Message.decoded(row["title"]).json()}


def strip_of(steps: pl.DataFrame) -> dict[str, Any] | None:
    """The steps as at most `BARS` bars: of each its parts (mean of its steps and ranks) and its longest step, ns.

    Args:
        steps: the table ``steps``.

    Returns:
        ``first`` and ``last`` (numbers of the steps of each bar), ``parts`` (of each of `PARTS` a list), ``total``,
        ``most``, and ``cut`` (whether the recording cuts a step of it); None without steps.
    """
    if len(steps) == 0:
        return None
    parts = [pl.sum_horizontal(columns).mean().alias(part) for part, columns in PARTS.items()]
    by_step = steps.group_by("step").agg(*parts, pl.col("duration_ns").mean(), pl.col("cut").any()).sort("step")
    count = min(BARS, len(by_step))
    of_bar = pl.int_range(pl.len()) * count // pl.len()
    bars = by_step.group_by(of_bar.alias("bar")).agg(
        pl.col("step").first().alias("first"),
        pl.col("step").last().alias("last"),
        *(pl.col(part).mean().round().cast(pl.Int64) for part in PARTS),
        pl.col("duration_ns").mean().round().cast(pl.Int64).alias("total"),
        pl.col("duration_ns").max().round().cast(pl.Int64).alias("most"),
        pl.col("cut").any(),
    )
    lists = bars.sort("bar").to_dict(as_series=False)
    plain = {name: lists[name] for name in ("first", "last", "total", "most", "cut")}
    return {**plain, "parts": {part: lists[part] for part in PARTS}}
