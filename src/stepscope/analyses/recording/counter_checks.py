"""Checks of counters over time, and of events that no table reads: nothing is left out without a word."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.gpu.counter_samples import SampledCounter, sampled_counters
from stepscope.analyses.recording.check import NOT_RECORDED, OK, WARNING, Check, counted
from stepscope.analyses.recording.reading_checks import an_example
from stepscope.messages import Message
from stepscope.store.profile import Rank

_SHOWN = 8
_LONGEST = 60
_PM_NAME = r"^(?:SM Active|DRAM BW|HBM (?:BW|Read|Write)|NVLink [RT]X|PCIe|\w+__\w+.*)$"
"""Names that torch's CUPTI monitor gives what it samples with the hardware's performance monitors."""

_MARKS = r"^(?:Iteration Start: |Record Window End)"
"""Instants of the profiler's own, which say what its steps and its end say as well."""


def counters(rank: Rank) -> Check | None:
    """Samples of counters: how many there are, how many are no numbers, and what sampling does to the GPU."""
    trace = rank.trace
    if trace.rows("counter") == 0:
        return None
    rows = trace.frame("counter", ["start_ns", "key"])
    unplaced = int((rows["start_ns"].is_null() | rows["key"].is_null()).sum())
    found = sampled_counters(rank.whole)
    missing = {one.name: int(np.isnan(one.value).sum()) for one in found if np.isnan(one.value).any()}
    sentences = [Message("check-counters", counters=len(found), gpus=_gpus(found))]
    if missing:
        example = min(missing, key=lambda name: (-missing[name], name))[:_LONGEST]
        sentences.append(Message("check-counters-missing", samples=sum(missing.values()), example=example))
    refused = trace.meta.get("refused") or {}
    if refused:
        example = min(refused)
        reason = str(refused[example])[:_LONGEST]
        sentences.append(
            Message("check-counters-refused", counters=len(refused), example=example[:_LONGEST], reason=reason)
        )
    if unplaced:
        sentences.append(Message("check-counters-unplaced", events=unplaced))
    if pl.Series([one.name for one in found if one.gpu is not None], dtype=pl.String).str.contains(_PM_NAME).any():
        sentences.append(Message("check-counters-clocks"))
    status = WARNING if missing or unplaced else OK
    return Check("counters", status, counted(len(rows)), Message("check-sentences", sentences=sentences))


def assumed_times(rank: Rank) -> Check | None:
    """Telemetry without times, whose samples are taken to be as far apart as its recorder takes them by default."""
    interval = int(rank.trace.meta.get("assumed_interval_ns", 0))
    if not interval:
        return None
    return Check("times", WARNING, NOT_RECORDED, Message("check-assumed-times", interval_ns=interval))


def _gpus(found: list[SampledCounter]) -> int:
    return len({one.gpu for one in found if one.gpu is not None})


def unread(rank: Rank) -> Check | None:
    """Events without a length that no table reads, because their phase or category means nothing here."""
    trace = rank.trace
    timed = trace.codes(lambda text: text == "X").implode()
    marks = trace.codes(lambda text: text.str.contains(_MARKS)).implode()
    frame = trace.frame("other", ["phase", "name", "broken"])
    frame = frame.filter(
        (pl.col("broken") == 0)
        & ~pl.col("phase").is_in(timed).fill_null(False)
        & ~pl.col("name").is_in(marks).fill_null(False)
    )
    if len(frame) == 0:
        return None
    phases = sorted(set(trace.text(frame["phase"].unique().drop_nulls())))
    shown = [phase[:_LONGEST] for phase in phases[:_SHOWN]]
    detail = Message("check-unread", phases=shown, example=an_example(trace, frame))
    return Check("unread_events", WARNING, counted(len(frame)), detail)
