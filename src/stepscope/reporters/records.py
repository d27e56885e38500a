"""Tables for machines: JSON, CSV, Parquet, and Markdown for pull requests."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from typing import Any

import polars as pl

from stepscope.messages import Message, readable
from stepscope.messages.frames import in_words, unsaid
from stepscope.messages.rendering import render, rendered_json
from stepscope.reporters.table import text_columns
from stepscope.reporters.table_text import on_job_clock
from stepscope.schema import JSON_VERSION, TABLES
from stepscope.store.profile import Profile


def profile_facts(profile: Profile) -> dict[str, Any]:
    """The object ``profile`` of the JSON output."""
    return {
        "path": readable(profile.path),
        "ranks": [
            {"rank": rank.number, "source": readable(rank.source), "rank_from": rank.origin} for rank in profile.ranks
        ],
        "skipped": [{"path": readable(skipped.path), "reason": render(skipped.reason)} for skipped in profile.skipped],
    }


def rows_of(table: str, frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON values; numbers that JSON does not know become null.

    Columns of messages hold their text; ``messages`` of such a row holds id and parameters of each by its column.
    """
    names = [name for name in TABLES[table].messages if name in frame.columns]
    rows = [
        {key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in row.items()}
        for row in in_words(frame, names).to_dicts()
    ]
    unsaid_of = {name: unsaid(frame[name]) for name in names}
    for i, row in enumerate(rows):
        if names:
            row["messages"] = {name: unsaid_of[name][i] for name in names}
    return rows


def table_json(name: str, profile: Profile, frame: pl.DataFrame, notes: Sequence[Message]) -> str:
    """A table as the JSON of the contract: schema_version, table, profile, notes, rows."""
    document = {
        "schema_version": JSON_VERSION,
        "table": name,
        "profile": profile_facts(profile),
        "notes": [rendered_json(note) for note in notes],
        "rows": rows_of(name, frame),
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False)


def as_csv(frame: pl.DataFrame) -> bytes:
    """A table as CSV with a header line."""
    return frame.write_csv().encode()


def as_parquet(frame: pl.DataFrame) -> bytes:
    """A table as a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def table_markdown(frame: pl.DataFrame, table: str, profile: Profile) -> str:
    """A table in words as Markdown, its values as a terminal shows them."""
    columns = text_columns(on_job_clock(frame, profile), table)
    rows = [list(cells) for cells in zip(*(column.cells for column in columns), strict=True)]
    return markdown_table([column.title for column in columns], rows, [column.right for column in columns]) + "\n"


def markdown_table(header: list[str], rows: list[list[str]], right: list[bool]) -> str:
    """A Markdown table of cells that are already text."""
    lines = [_line(header), _line(["---:" if numeric else "---" for numeric in right])]
    return "\n".join(lines + [_line([_escaped(cell) for cell in row]) for row in rows])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")
