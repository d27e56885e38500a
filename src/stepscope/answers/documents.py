"""Tables and verdicts as the JSON that the web app reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
import polars as pl

from stepscope.analyses.filtering import filtered
from stepscope.analyses.ranks.job_clock import JobClock
from stepscope.answers.columns import column_facts, encoded_columns, with_offsets
from stepscope.answers.commandline import report_command, show_command
from stepscope.answers.requests import Choice, TableRequest
from stepscope.findings.alike import grouped, worst_first
from stepscope.findings.job_figures import JobFigures
from stepscope.findings.job_messages import leading
from stepscope.findings.verdict import Verdict, verdict_json
from stepscope.messages import Message
from stepscope.messages.frames import in_words, said_everywhere
from stepscope.messages.language import ENGLISH
from stepscope.messages.rendering import in_every_language
from stepscope.schema import TABLES


def table_document(
    frame: pl.DataFrame,
    notes: Sequence[Message],
    asked: TableRequest,
    paths: Sequence[str],
    clock: JobClock,
    total: int | None = None,
    more: Sequence[str] = (),
) -> bytes:
    """A table as `TableData`: columns, moments as offsets from the origin, and the command that prints the same.

    Args:
        frame: the whole table; of it the request's rows are taken.
        paths: what to name on the command line for the profile.
        clock: the one that moments are told on.
        total: rows there are, where the frame holds only some of them.
        more: further options of the command, see `show_command`.

    Raises:
        BadRequest: the request's condition or order is none.
    """
    messages = TABLES[asked.table].messages
    found = filtered(frame, asked.where, asked.sort, in_words(frame, messages, ENGLISH))
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
        "messages": {name: said_everywhere(shown[name]) for name in messages if name in shown.columns},
        "notes": [in_every_language(note) for note in notes],
        "command": show_command(paths, asked, total, more),
    }
    return orjson.dumps(document)[:-1] + b',"data":' + encoded_columns(in_words(shown, messages, ENGLISH)) + b"}"


def verdict_document(
    verdicts: Sequence[Verdict],
    job: tuple[Message, ...],
    figures: JobFigures | None,
    paths: Sequence[str],
    choice: Choice,
) -> dict[str, Any]:
    """Verdicts as `VerdictAnswer`.

    Args:
        job: what the ranks say together, see `job_messages`.
        figures: those of the job.
    """
    late = leading(job)
    return {
        "verdicts": [verdict_json(one, in_every_language) for one in verdicts],
        "alike": [[one.rank for one in group] for group in grouped(worst_first(verdicts, figures), 1)],
        "across_ranks": late and in_every_language(late),
        "job": [in_every_language(one) for one in job],
        "figures": figures and figures.json(),
        "command": report_command(paths, choice),
    }
