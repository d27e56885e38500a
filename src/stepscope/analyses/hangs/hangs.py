"""Collectives that did not end (see docs/tables/)."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import polars as pl

from stepscope.analyses.hangs.hang import Hang, Ranks
from stepscope.analyses.hangs.hangs_of import hangs_of
from stepscope.analyses.hangs.records import dumps_of, records
from stepscope.analyses.hangs.sentences import advice, coverage, nothing_hangs, sentence
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, as_ranges


def hangs(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``hangs``: of each process group the first collective that did not end, and of each
    pair of ranks the first message; what the others follow from first."""
    found = records(profile)
    rows = [_row(place, one, found) for place, one in enumerate(hangs_of(profile))]
    return pl.DataFrame(rows, schema=TABLES["hangs"].schema)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How much of the job the dumps cover; that nothing hangs."""
    dumps, found = dumps_of(profile), records(profile)
    said = coverage(hangs_of(profile), dumps, found)
    return [nothing_hangs(found), *said] if dumps and len(frame) == 0 else said


def _row(place: int, one: Hang, found: pl.DataFrame) -> dict[str, Any]:
    return {
        "id": place,
        "group": one.group,
        "description": one.description or None,
        "sequence": one.number,
        "collective": one.collective,
        "cause": one.cause,
        "follows": one.follows,
        "finding": sentence(one, found).encoded(),
        "advice": advice(one).encoded(),
        "suspects": _ranges(one.suspects),
        "ranks": len(one.members),
        "entered": one.entered,
        "completed": len(one.finished),
        "waiting_ranks": _ranges(one.waiting),
        "missing_ranks": _ranges(one.missing),
        "absent_ranks": _ranges((*one.absent, *one.unknown)),
        "since": utc(one.since_ns),
        "waited_ns": one.waited_ns,
        "timeout_ns": one.timeout_ns,
        "queued": one.queued,
        "sizes": one.sizes,
        "dtypes": one.dtypes,
        "members_known": one.said,
        "source": one.source,
        "stack": one.stack,
    }


def _ranges(ranks: Ranks) -> str | None:
    return as_ranges(ranks) or None


def utc(time_ns: int | None) -> str | None:
    """A time in ns since 1970, to the ms.

    >>> utc(1_790_856_000_123_456_789)
    '2026-10-01 12:00:00.123'
    """
    if time_ns is None:
        return None
    seconds, rest = divmod(time_ns, 10**9)
    try:
        return f"{datetime.fromtimestamp(seconds, timezone.utc):%Y-%m-%d %H:%M:%S}.{rest // 10**6:03}"
    except (ValueError, OverflowError, OSError):
        return None
