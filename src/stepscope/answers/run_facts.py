"""What an opened run is: its ranks, its steps, and which tables have rows, with the reason where one has none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from stepscope.analyses.data_loading.data_loading import may_load
from stepscope.analyses.needs import Need, is_kineto, lacking, option_for
from stepscope.analyses.none_of_it import none_happened
from stepscope.analyses.npu.devices import runs_on_npus
from stepscope.analyses.presence import may_communicate
from stepscope.analyses.ranks.job_clock import JobClock
from stepscope.analyses.recorder_options import ONLY_THEIRS, option_of
from stepscope.messages import Message, readable
from stepscope.messages.rendering import in_every_language
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

_MOST_LOOKED_AT = {"communication": 1, "data_loading": 8}
"""Ranks in whose names one looks, by table: ranks of a job communicate, and of many ranks it would take too long."""

_ENDING = re.compile(r"(\.pt)?(\.trace)?\.(json|json\.gz|gz)$", re.IGNORECASE)


@dataclass(frozen=True)
class Named:
    """How a run is called: in addresses, on screen, and where it is."""

    id: str
    name: str
    path: str


def recording_name(file: str) -> str:
    """What a recording is called on screen: its file's name without the ending that all have.

    >>> recording_name("dit.pt.trace.json.gz")
    'dit'
    """
    return _ENDING.sub("", file)


def device_of(facts: Mapping[str, Any]) -> str | None:
    """The devices that a trace names, each model once."""
    names = [str(device["name"]) for device in facts.get("deviceProperties", []) if device.get("name")]
    return ", ".join(dict.fromkeys(names)) or None


def run_facts(
    profile: Profile,
    run: Named,
    clock: JobClock,
    rows: Callable[[str], int | None],
    selects_steps: bool = True,
    by_itself: Callable[[str], str | None] = lambda _: None,
) -> dict[str, Any]:
    """The answer of `/api/run` for an opened run.

    Args:
        clock: the one that moments are told on.
        rows: how many rows a table has, or None where it was not computed yet.
        by_itself: id of the run that a file is alone, or None where it cannot be opened so.
    """
    needed = tuple(dict.fromkeys(need for table in TABLES.values() for need in table.needs))
    missing = {need: lack for need in needed for lack in lacking(profile, (need,))}
    kineto = any(is_kineto(rank) for rank in profile.ranks)
    cut = any(rank.trace.truncated is not None for rank in profile.ranks)
    return {
        "state": "ready",
        "id": run.id,
        "name": run.name,
        "path": readable(run.path),
        "origin_ns": str(clock.begin_ns),
        "end": clock.end_ns - clock.begin_ns,
        "ranks": [_rank_facts(rank) for rank in profile.ranks],
        "steps": _steps(profile),
        "selects_steps": selects_steps,
        "kineto": kineto,
        "npus": runs_on_npus(profile),
        "cut": cut,
        "tables": {
            name: _table_facts(profile, name, missing, _rows(profile, name, rows(name)), cut) for name in TABLES
        },
        "apart": _apart(profile, by_itself),
        "skipped": [{"path": readable(one.path), "reason": in_every_language(one.reason)} for one in profile.skipped],
    }


def _rows(profile: Profile, name: str, rows: int | None) -> int | None:
    """Rows of a table as far as known: without the tables it is seen that nothing communicates or loads data."""
    if rows is not None or len(profile.ranks) > _MOST_LOOKED_AT.get(name, 0):
        return rows
    may_have = may_communicate if name == "communication" else may_load
    return None if any(map(may_have, profile.ranks)) else 0


def _rank_facts(rank: Rank) -> dict[str, Any]:
    return {
        "rank": rank.number,
        "device": device_of(rank.trace.head),
        "source": readable(rank.source),
        "steps": rank.step_count,
        "step_source": rank.all_steps.source,
    }


def _steps(profile: Profile) -> dict[str, int] | None:
    shown = [rank for rank in profile.ranks if rank.has_steps]
    numbers = {step for rank in shown for step in rank.all_steps.ranges["step"].to_list()}
    return {"first": min(numbers), "last": max(numbers), "count": len(numbers)} if numbers else None


def _apart(profile: Profile, by_itself: Callable[[str], str | None]) -> list[dict[str, Any]]:
    """Recordings that were read and that no table shows, each with why. The log of a machine is there once."""
    found = {one.path: one for one in profile.unshown if one.stored is not None}
    return [
        {"name": one.name, "kind": one.kind, "note": in_every_language(one.note or ""), "run": by_itself(one.path)}
        for one in found.values()
    ]


def _table_facts(profile: Profile, name: str, missing: dict[str, Need], rows: int | None, cut: bool) -> dict[str, Any]:
    table = TABLES[name]
    lack = next((missing[need] for need in table.needs if need in missing), None)
    # What a file that was cut off lacks may have been recorded, and lie behind the cut.
    hidden = cut and lack is not None and lack.by_profiler
    return {
        "description": table.description,
        "by": list(table.by),
        "source": table.knows_source,
        "rows": rows,
        "available": lack is None and rows != 0,
        "lack": in_every_language(Message("note-lack-cut", lack=lack.lack) if hidden else lack.lack) if lack else None,
        "option": _option(profile, lack) if lack and not hidden else None,
        "kind": lack.kind if lack else "",
    }


def _option(profile: Profile, lack: Need) -> str | None:
    """What would have recorded it; in a run of another recorder, whose option that is, where it does not say so.

    None where the profilers of the run record nothing of the kind, or recorded that nothing of it happened.
    """
    if none_happened(profile.ranks, lack.name):
        return None
    theirs = all(option_of(rank.recorder, lack.name) for rank in profile.ranks)
    if lack.name in ONLY_THEIRS:
        return lack.option if theirs else None
    if theirs and lack.by_profiler:
        return option_for(profile, lack.name)
    kineto = any(is_kineto(rank) for rank in profile.ranks)
    return lack.option if kineto or not lack.by_profiler else f"torch.profiler, {lack.option}"
