"""What is said of a rank in several places, held together: verdict, critical path, simulation, idle time, findings."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.idle.gap_parts import COMMUNICATION_WAIT, DATA_LOADING, HOST_LATE, LAUNCH_LATENCY, SYNC
from stepscope.analyses.idle.idle import idle
from stepscope.analyses.simulation.step_time import rank_step_time
from stepscope.analyses.steps.unions import loader_ranges
from stepscope.findings.examination import examine
from stepscope.findings.path_lead import CLOSE_POINTS, path_sides, sides_of
from stepscope.findings.verdict import Verdict, verdict
from stepscope.messages.rendering import render
from stepscope.store.profile import Profile, Rank

FULL_PCT = 90
"""A GPU busy for more than this is the bottleneck, whatever else is said."""

_OF_CPU = {"python", "data loading", "launching", "synchronisation", "optimizer"}
_OF_HOST = {HOST_LATE, LAUNCH_LATENCY, SYNC, DATA_LOADING, COMMUNICATION_WAIT}


def contradictions(profile: Profile, rank: Rank) -> list[str]:
    """What contradicts what; empty where all of it fits together."""
    said = verdict(rank)
    of_rank = [*_of_simulation(rank, said), *_of_path(rank, said)]
    return [
        *of_rank,
        *_of_idle(profile, rank, said),
        *_of_findings(profile, rank, said),
        *_of_words(profile, rank, said),
    ]


def _of_simulation(rank: Rank, said: Verdict) -> list[str]:
    """The bottleneck is what the simulated steps wait for most, unless the GPU is busy all the time."""
    again = rank_step_time(rank)
    if again is None or said.bound == "unknown" or (said.gpu_busy_pct or 0) >= FULL_PCT:
        return []
    sides = sides_of({name.removesuffix("_pct"): share for name, share in again.items() if name.endswith("_pct")})
    fits = sides[_side(said)] > max(sides.values()) - CLOSE_POINTS
    if said.sentences[0].id == "verdict-initialization-bound":
        return []  # the simulation takes calls that are so long for delays
    return [] if fits else [f"{said.bound}, but simulated {sides}"]


def _side(said: Verdict) -> str:
    """The side of a bottleneck: copies are work of the GPU."""
    return "gpu" if said.bound == "copies" else said.bound


def _of_path(rank: Rank, said: Verdict) -> list[str]:
    """The bottleneck leads the critical path, or a sentence says why it does not."""
    path = path_sides(rank)
    side = _side(said)
    if side not in path or not any(path.values()) or rank_step_time(rank) is None:
        return []
    explained = any(sentence.id.startswith("verdict-path-") for sentence in said.sentences)
    fits = path[side] > max(path.values()) - CLOSE_POINTS
    return [] if fits or explained else [f"{said.bound}, but on the path {path}"]


def _of_idle(profile: Profile, rank: Rank, said: Verdict) -> list[str]:
    """A GPU that waits for the CPU idles for reasons of the CPU; one that waits for input, for the loader."""
    if said.bound not in ("host", "data loading") or (said.gpu_busy_pct or 0) >= FULL_PCT:
        return []
    rows = idle(profile).filter(pl.col("rank") == rank.number)
    named = {sentence.id for sentence in said.sentences}
    if "verdict-lead-in" in named:
        return []  # the GPU waits before its first work, which is no gap
    total = int(rows["duration_ns"].sum())
    of_host = int(rows.filter(pl.col("cause").is_in(list(_OF_HOST)))["duration_ns"].sum())
    others = rows.filter(~pl.col("cause").is_in(list(_OF_HOST)))["duration_ns"].max()
    found = [] if total == 0 or of_host >= (others or 0) else [f"{said.bound}, but idle for other reasons"]  # type: ignore[operator]
    loading = int(rows.filter(cause=DATA_LOADING)["duration_ns"].sum())
    if 2 * loading >= total > 0 and not named & {"verdict-input-bound", "verdict-host-and-input-bound"}:
        found.append("idle mostly for the loader, of which the headline says nothing")
    return found


def _of_findings(profile: Profile, rank: Rank, said: Verdict) -> list[str]:
    """What is no bottleneck promises no large saving."""
    examination = examine(profile, rank)
    if examination is None or said.gpu_busy_pct is None or said.sentences[0].id != "verdict-gpu-bound":
        return []
    return [
        f"GPU-bound, but {one.cause.id} saves {one.saving_pct.best:.0f} %"
        for one in examination.findings
        if one.worth and one.cause.category in _OF_CPU and one.saving_pct.best > 100 - said.gpu_busy_pct + CLOSE_POINTS
    ]


def _of_words(profile: Profile, rank: Rank, said: Verdict) -> list[str]:
    """A sentence about streams, loaders, ranks or communication is said only where there are some."""
    words = " ".join(render(sentence) for sentence in said.sentences)
    there = {
        "other streams": rank.activity["stream"].n_unique() > 1,
        "data loader": len(loader_ranges(rank.trace)) > 0,
        "ommunication": bool(rank.activity["communication"].any()),
        "other rank": len(profile.ranks) > 1,
        "0 % of the GPU's idle time": False,
    }
    return [
        f"says {word!r} without any" for word, is_there in there.items() if f" {word}" in f" {words}" and not is_there
    ]
