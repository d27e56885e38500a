"""Tables for machines: JSON, CSV, Parquet, and Markdown for pull requests."""

from __future__ import annotations

import io
import json
import math
from typing import Any, BinaryIO

import polars as pl

from stepscope.schema import JSON_VERSION
from stepscope.store.profile import Profile


def profile_facts(profile: Profile) -> dict[str, Any]:
    """The object ``profile`` of the JSON output."""
    return {
        "path": profile.path,
        "ranks": [{"rank": rank.number, "source": rank.source, "rank_from": rank.origin} for rank in profile.ranks],
        "skipped": [{"path": skipped.path, "reason": skipped.reason} for skipped in profile.skipped],
    }


def rows_of(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON values; numbers that JSON does not know become null."""
    return [
        {key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in row.items()}
        for row in frame.to_dicts()
    ]


def table_json(name: str, profile: Profile, frame: pl.DataFrame, notes: list[str]) -> str:
    """A table as the JSON of the contract: schema_version, table, profile, notes, rows."""
    document = {
        "schema_version": JSON_VERSION,
        "table": name,
        "profile": profile_facts(profile),
        "notes": notes,
        "rows": rows_of(frame),
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False)


def write_csv(frame: pl.DataFrame, file: BinaryIO) -> None:
    """A table as CSV with a header line."""
    frame.write_csv(file)


def write_parquet(frame: pl.DataFrame, file: BinaryIO) -> None:
    """A table as a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    file.write(buffer.getvalue())


def markdown_table(header: list[str], rows: list[list[str]], right: list[bool]) -> str:
    """A Markdown table of cells that are already text."""
    lines = [_line(header), _line(["---:" if numeric else "---" for numeric in right])]
    return "\n".join(lines + [_line([_escaped(cell) for cell in row]) for row in rows])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")
