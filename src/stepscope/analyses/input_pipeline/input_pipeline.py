"""The operators of the input pipeline, from the consumer to the sources (see docs/tables/)."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.input_pipeline.advice import advice, notes_on
from stepscope.analyses.input_pipeline.cpu_use import operator_cpu_ns, operator_use
from stepscope.analyses.input_pipeline.diagnosis import diagnosed, queue_fills
from stepscope.analyses.input_pipeline.recorded import RecordedPipeline, recorded_pipeline
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

BOTTLENECK = "bottleneck"


def input_pipeline(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``input_pipeline``."""
    rows = [row for rank in profile.ranks for row in _rows(rank)]
    return pl.DataFrame(rows, schema=TABLES["input_pipeline"].schema)


def _rows(rank: Rank) -> list[dict[str, Any]]:
    recorded = recorded_pipeline(rank)
    if recorded is None:
        return []
    slow, use, took, waits = (
        diagnosed(recorded).slow,
        operator_use(recorded),
        operator_cpu_ns(recorded),
        _waits(recorded),
    )
    found = []
    for row in queue_fills(recorded).iter_rows(named=True):
        cpu, is_slow = use.get(row["id"]), slow is not None and slow.id == row["id"]
        found.append(
            {
                **row,
                "rank": rank.number,
                "wait_ns": waits.get(row["id"]),
                "cpu_ns": took.get(row["id"]),
                "cpu_pct": cpu,
                "worker_cpu_pct": None if cpu is None else cpu / (row["workers"] or 1),
                "verdict": BOTTLENECK if is_slow else "",
                "advice": advice(slow).encoded() if slow is not None and is_slow else None,
            }
        )
    return found


def _waits(recorded: RecordedPipeline) -> dict[int, int]:
    """How long the queue of each operator was empty."""
    found = {}
    for (number,), samples in recorded.samples().partition_by("id", as_dict=True, maintain_order=True).items():
        stand = recorded.sample_ns(len(samples))
        if stand is not None:
            empty = (samples["size"] == 0).to_list()
            found[int(number)] = sum(ns for ns, is_empty in zip(stand, empty, strict=True) if is_empty)
    return found


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Whether training waits for the pipeline, and for which operator of it."""
    known = (recorded_pipeline(rank) for rank in profile.ranks)
    assumed = {one.assumed_ns for one in known if one is not None} - {None}
    return [*notes_on(profile), *(Message("input-interval", interval_ns=ns) for ns in sorted(filter(None, assumed)))]
