"""What describes a table that a user asks for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import polars as pl

MOMENTS = ("start_ns", "end_ns", "device_end_ns", "at_ns")
"""Columns that hold moments on the trace's clock; every other ``_ns`` is a length of time."""


@dataclass(frozen=True)
class Column:
    """A column of a user's table."""

    name: str
    dtype: Any
    description: str
    is_message: bool = False
    """Whether it holds messages, each as `messages.Message.encoded`; whatever shows the table makes words of them."""


@dataclass(frozen=True)
class Table:
    """A table a user can ask for."""

    name: str
    description: str
    columns: tuple[Column, ...]
    by: tuple[str, ...] = field(default=())
    """Other groupings that ``--by`` offers."""
    needs: tuple[str, ...] = field(default=())
    """What must have been recorded for it to have rows: names of `analyses.needs.NEEDS`."""
    source: bool = field(default=False)
    """Whether ``--source`` can add file and line to its rows."""
    eager: bool = field(default=False)
    """Whether ``--eager`` can lead its CUDA graphs back to operators."""
    in_report: bool = field(default=True)
    """Whether a report holds it; a table with a row for each event is too long for one."""

    per_rank: bool = field(default=False)
    """Whether each row belongs to one rank and follows from it alone, in order of ranks: kept by rank, if small."""
    digests: tuple[str, ...] = field(default=())
    """What it is made from of each rank, kept by rank: names of `analyses.registry.digest`."""

    @property
    def knows_source(self) -> bool:
        """Whether it can show source lines, if asked or always."""
        return self.source or "source" in self.schema

    @property
    def messages(self) -> tuple[str, ...]:
        """Names of the columns that hold messages."""
        return tuple(column.name for column in self.columns if column.is_message)

    @property
    def schema(self) -> dict[str, Any]:
        return {column.name: column.dtype for column in self.columns}


UNATTRIBUTED = "(unattributed)"
"""Name of the row that holds what a table could not attribute."""


def ns(name: str, description: str) -> Column:
    return Column(name, pl.Int64, description)


def count(name: str, description: str) -> Column:
    return Column(name, pl.Int64, description)


def flag(name: str, description: str) -> Column:
    return Column(name, pl.Boolean, description)


def text(name: str, description: str) -> Column:
    return Column(name, pl.String, description)


def number(name: str, description: str) -> Column:
    return Column(name, pl.Float64, description)


def message(name: str, description: str) -> Column:
    return Column(name, pl.String, description, is_message=True)
