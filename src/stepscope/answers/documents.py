"""Tables and verdicts as the JSON that the web app reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import orjson
import polars as pl

from stepscope.analyses.filtering import filtered
from stepscope.analyses.ranks.job_clock import JobClock
from stepscope.answers.columns import column_facts, encoded_columns, with_offsets
from stepscope.answers.commandline import report_command, show_command
from stepscope.answers.requests import Choice, TableRequest
from stepscope.findings.job_words import waited_for
from stepscope.findings.verdict import Verdict


def table_document(
    frame: pl.DataFrame,
    notes: Sequence[str],
    asked: TableRequest,
    paths: Sequence[str],
    clock: JobClock,
    total: int | None = None,
) -> bytes:
    """A table as `TableData`: columns, moments as offsets from the origin, and the command that prints the same.

    Args:
        frame: the whole table; of it the request's rows are taken.
        paths: what to name on the command line for the profile.
        clock: the one that moments are told on.
        total: rows there are, where the frame holds only some of them.

    Raises:
        BadRequest: the request's condition or order is none.
    """
    found = filtered(frame, asked.where, asked.sort)
    total = len(found) if total is None else total
    shown = with_offsets(found.head(asked.limit), clock)
    document = {
        "table": asked.table,
        "by": asked.by,
        "source": asked.source,
        "total": total,
        "columns": column_facts(asked.table, shown),
        "origin_ns": str(clock.begin_ns),
        "shifts": {str(rank): str(shift) for rank, shift in clock.shifts.items()},
        "notes": list(notes),
        "command": show_command(paths, asked, total),
    }
    return orjson.dumps(document)[:-1] + b',"data":' + encoded_columns(shown) + b"}"


def verdict_document(
    verdicts: Sequence[Verdict], job: tuple[str, ...], paths: Sequence[str], choice: Choice
) -> dict[str, Any]:
    """Verdicts as `VerdictAnswer`.

    Args:
        job: what the ranks say together, see `job_words`.
    """
    return {
        "verdicts": [asdict(one) for one in verdicts],
        "across_ranks": waited_for(job),
        "job": job,
        "command": report_command(paths, choice),
    }
