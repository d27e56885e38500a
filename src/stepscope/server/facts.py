"""What an opened run is: its ranks, its steps, and which tables have rows, with the reason where one has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stepscope.analyses.needs import Need, lacking
from stepscope.schema import TABLES
from stepscope.server.listing import device_of
from stepscope.server.opening import Opened
from stepscope.store.profile import Rank


def run_facts(opened: Opened, rows: Callable[[str], int | None]) -> dict[str, Any]:
    """The answer of `/api/run` for an opened run.

    Args:
        rows: how many rows a table has, or None where it was not computed yet.
    """
    profile, run = opened.profile, opened.run
    needed = tuple(dict.fromkeys(need for table in TABLES.values() for need in table.needs))
    missing = {need: lack for need in needed for lack in lacking(profile, (need,))}
    return {
        "state": "ready",
        "id": run.id,
        "name": run.name,
        "path": run.path,
        "origin_ns": str(opened.origin_ns),
        "end": opened.end_ns - opened.origin_ns,
        "ranks": [_rank_facts(rank) for rank in profile.ranks],
        "steps": _steps(opened),
        "selects_steps": True,
        "tables": {name: _table_facts(name, missing, rows(name)) for name in TABLES},
        "skipped": [{"path": one.path, "reason": one.reason} for one in profile.skipped],
    }


def _rank_facts(rank: Rank) -> dict[str, Any]:
    return {
        "rank": rank.number,
        "device": device_of(rank.trace.head),
        "source": rank.source,
        "steps": len(rank.all_steps.ranges),
        "step_source": rank.all_steps.source,
    }


def _steps(opened: Opened) -> dict[str, int] | None:
    numbers = {step for rank in opened.profile.ranks for step in rank.all_steps.ranges["step"].to_list()}
    return {"first": min(numbers), "last": max(numbers), "count": len(numbers)} if numbers else None


def _table_facts(name: str, missing: dict[str, Need], rows: int | None) -> dict[str, Any]:
    table = TABLES[name]
    lack = next((missing[need] for need in table.needs if need in missing), None)
    return {
        "description": table.description,
        "by": list(table.by),
        "source": table.source or "source" in table.schema,
        "rows": rows,
        "available": lack is None and rows != 0,
        "lack": lack.lack if lack else None,
        "option": lack.option if lack else None,
    }
