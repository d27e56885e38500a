"""The tables of the report: all of them in every grouping, long ones cut, as far as their share of the page goes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import polars as pl

from stepscope.answers.documents import table_document
from stepscope.answers.requests import TableRequest
from stepscope.findings.kept_tables import made_table
from stepscope.findings.report import Report
from stepscope.findings.sparing import spared
from stepscope.messages import Message
from stepscope.reporters.html.parts import Part, packed
from stepscope.reporters.html.report_request import Asking
from stepscope.schema import TABLES, UNATTRIBUTED

MAX_ROWS = 5_000
"""Most rows of one table; what could not be attributed is kept beyond them."""

_MIN_ROWS = 10
_MOST_OF_THE_REST = 0.25
"""No table takes more than this share of what the tables before it left."""

_ENOUGH = 1_500
"""Bytes that most tables make do with."""

_THREADS = 2

Key = tuple[str, str, bool]
"""Table, grouping, and whether with source lines."""


@dataclass
class HeldTables:
    """Tables as parts of the page.

    Attributes:
        parts: the tables.
        index: part, rows held and rows there are, by ``table|by|1`` (``0`` without source lines).
        left_out: what is not in the page, a message for each table.
        frames: rows that are in the page.
        size: bytes of the page that the parts take.
    """

    parts: list[Part] = field(default_factory=list)
    index: dict[str, dict[str, str | int]] = field(default_factory=dict)
    left_out: list[Message] = field(default_factory=list)
    frames: list[pl.DataFrame] = field(default_factory=list)
    size: int = 0


def hold_tables(report: Report, asking: Asking, budget: int) -> HeldTables:
    """Pack every table of a report in every grouping, the usual ones first, and no `health`: see `hold_health`.

    Args:
        budget: most bytes of the page for all of them.
    """
    held = HeldTables()
    to_come = sum(1 for _ in views())
    for key, frame, notes in _made(report):
        to_come -= 1
        if frame is None:
            held.left_out += notes
        else:
            _hold(held, asking, key, (frame, notes), _room(budget - held.size, to_come))
    return held


def _room(left: int, to_come: int) -> int:
    """What a table may take, so that long ones leave enough for those to come."""
    generous = min(left, 3 * left // (to_come + 1))
    return max(generous, min(int(left * _MOST_OF_THE_REST), left - _ENOUGH * to_come))


def hold_health(held: HeldTables, report: Report, asking: Asking, notes: list[Message]) -> None:
    """Pack `health`, with notes on the report itself. Whatever else is short, this is not."""
    own = [*report.notes["health"], *notes]
    _hold(held, asking, ("health", "", False), (report.tables["health"], own), None)


def views() -> Iterator[Key]:
    """Every table and grouping, those first that are wanted most, without `health`."""
    usual = [table for table in TABLES.values() if table.name != "health"]
    usual.sort(key=lambda table: not table.in_report)
    for table in usual:
        yield table.name, "", False
    for table in usual:
        for by in ("", *table.by):
            for source in (False, True) if table.source else (False,):
                if by or source:
                    yield table.name, by, source


def _made(report: Report) -> Iterator[tuple[Key, pl.DataFrame | None, list[Message]]]:
    """Every view with its rows and notes, a few being made at a time; of one that fails why it is left out."""

    def make(key: Key) -> tuple[pl.DataFrame | None, list[Message]]:
        name, by, source = key
        known = report.tables.get(name) if not by and not source else None
        if known is not None:
            return known, report.notes[name]
        return spared(lambda: _rows(report, key), lambda error: (None, [_failed(key, error)]))

    keys = list(views())
    with ThreadPoolExecutor(_THREADS) as pool:
        for key, (frame, notes) in zip(keys, pool.map(make, keys), strict=True):
            yield key, frame, notes


def _failed(key: Key, error: str) -> Message:
    return Message("page-failed", what=title(key), type=error)


def _rows(report: Report, key: Key) -> tuple[pl.DataFrame, list[Message]]:
    made = made_table(report.profile_of(key[0]), *key)
    return made.frame, made.notes


def _hold(
    held: HeldTables, asking: Asking, key: Key, made: tuple[pl.DataFrame, list[Message]], room: int | None
) -> None:
    """Pack one table, with half as many rows as long as it takes more than its room; None for any."""
    frame, notes = made
    most = MAX_ROWS
    while most >= _MIN_ROWS:
        rows = cut(frame, most)
        part = packed(f"table{len(held.parts)}", _document(rows, notes, asking, key, len(frame)))
        if room is None or part.size <= room:
            held.parts.append(part)
            held.size += part.size
            name, by, source = key
            facts: dict[str, str | int] = {"part": part.name, "rows": len(rows), "total": len(frame)}
            held.index[f"{name}|{by}|{int(source)}"] = facts
            held.frames.append(rows)
            if len(rows) < len(frame):
                held.left_out.append(Message("page-first-rows", table=title(key), rows=len(rows), total=len(frame)))
            return
        most = min(most, len(frame)) // 2
    held.left_out.append(Message("page-no-rows", table=title(key), total=len(frame)))


def _document(rows: pl.DataFrame, notes: list[Message], asking: Asking, key: Key, total: int) -> bytes:
    request = TableRequest(*key, choice=asking.choice)
    if len(rows) < total:
        notes = [Message("page-cut", rows=len(rows), total=total), *notes]
    return table_document(rows, notes, request, asking.paths, asking.clock, total)


def cut(frame: pl.DataFrame, most: int) -> pl.DataFrame:
    """The first rows of a table, and of the others those that hold what could not be attributed."""
    if len(frame) <= most:
        return frame
    texts = [name for name, dtype in frame.schema.items() if dtype == pl.String]
    rest = frame.slice(most)
    kept = rest.filter(pl.any_horizontal(pl.col(texts) == UNATTRIBUTED)) if texts else rest.head(0)
    return pl.concat([frame.head(most), kept.head(most)])


def title(key: Key) -> Message:
    """A view as people call it."""
    name, by, source = key
    return Message("page-view", table=name, by=by or None, source=source)
