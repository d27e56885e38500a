"""Which counter a row is of."""

from __future__ import annotations

from typing import Any

from stepscope.analyses.gpu.counter_samples import SampledCounter
from stepscope.analyses.gpu.metrics import metric_of
from stepscope.store.profile import Rank


def counter_facts(rank: Rank, counter: SampledCounter) -> dict[str, Any]:
    """The columns that say which counter it is."""
    return {
        "rank": rank.number,
        "gpu": counter.gpu,
        "process": counter.process,
        "counter": counter.name,
        "unit": counter.unit,
        "metric": metric_of(counter.name, counter.unit),
        "interval_ns": counter.interval_ns,
    }
