"""What describes a table that a user asks for: its columns, what they hold, what names its rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Literal, get_args

import polars as pl

Role = Literal["label", "name", "kernel", "id", "amount", "statistic", "rate", "share", "moment", "prose", "message"]
"""What a column holds.

``label`` a word out of few (kind, cause, yes or no), ``name`` a text of the recording, ``kernel`` names of kernels,
``id`` a number or text that names one thing and is not an amount (rank, step, stream, address), ``amount`` how much or
how many, ``statistic`` one of many amounts (mean, percentile, longest), ``rate`` an amount per another, ``share`` per
cent of something, ``moment`` a time on the trace's clock, ``prose`` sentences, ``message`` sentences as the JSON of
`messages.Message`.
"""

Unit = Literal["none", "count", "ns", "bytes", "pct", "flops", "FLOP/s", "B/s", "GB/s"]


@dataclass(frozen=True)
class Column:
    """A column of a user's table.

    Attributes:
        description: what it holds, in one line.
        title: its heading; derived from the name where none is given.
        adds: whether its rows may be added up: each event counts in one row only.
        wide: a text that says little when it is cut short.
        mixed: figures of different kinds, counts among them, which are shown without decimals.
        only: another column and its values for which a `kernel` column holds kernels; empty for every row.
    """

    name: str
    dtype: Any
    description: str
    title: str = ""
    role: Role = "label"
    unit: Unit = "none"
    adds: bool = False
    wide: bool = False
    mixed: bool = False
    only: tuple[str, tuple[str, ...]] | None = None

    def __post_init__(self) -> None:
        if self.role not in get_args(Role):
            raise ValueError(f"{self.name}: there is no role {self.role}")
        if self.unit not in units_by_name(self.name):
            raise ValueError(f"{self.name}: its name says {' or '.join(units_by_name(self.name))}, not {self.unit}")
        if not self.title:
            object.__setattr__(self, "title", derived_title(self.name))

    @property
    def textual(self) -> bool:
        """Whether its cells are texts."""
        return bool(self.dtype == pl.String)


def units_by_name(name: str) -> tuple[Unit, ...]:
    """Units that a column of this name may have: every name of a time, size or share says so."""
    if name.endswith("_ns"):
        return ("ns",)
    if name == "bytes" or name.endswith("_bytes") or name.startswith("bytes_per_"):
        return ("bytes",)
    if name.endswith("_pct") or name.startswith("pct_"):
        return ("pct",)
    if name.endswith("flops"):
        return ("flops", "FLOP/s")
    return ("none", "count", "B/s", "GB/s")


def derived_title(name: str) -> str:
    """A name as a heading: without its unit, words apart.

    >>> derived_title("exposed_wait_ns"), derived_title("pct_of_roof"), derived_title("npu_kernels")
    ('Exposed wait', 'Of roof', 'NPU kernels')
    """
    for suffix in ("_ns", "_bytes", "_pct"):
        name = name.removesuffix(suffix)
    words = " ".join(_AS_WRITTEN.get(word, word) for word in name.removeprefix("pct_").split("_"))
    return words[:1].upper() + words[1:]


_AS_WRITTEN = {"npu": "NPU"}


@dataclass(frozen=True)
class Grouping:
    """Another grouping of a table: what ``--by`` offers.

    Attributes:
        name: as ``--by`` takes it.
        key: columns that together name a row.
        columns: those that the table has only so grouped.
        rows: what a row is.
        first: columns shown first; empty for the table's own.
        overlaps: whether rows share events, so that nothing may be added up.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[Column, ...] = ()
    rows: str = ""
    first: tuple[str, ...] = ()
    overlaps: bool = False


@dataclass(frozen=True)
class Table:
    """A table a user can ask for."""

    name: str
    description: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    """Columns that together name a row; null counts as a value."""
    rows: str
    """What a row is: "kernel", "step of a rank"."""
    title: str = ""
    """Its heading; derived from the name where none is given."""
    page: str = "tables"
    """Page of the web app where its rows stand as a table."""
    place: str = ""
    """What the timeline looks a row up as by its name: operator, kernel, module, annotation; empty for none of them."""
    recordings: tuple[str, ...] = ("trace",)
    """Kinds of recordings that feed it."""
    first: tuple[str, ...] = ()
    """Columns shown first, where not all have room; empty for the order of the columns."""
    groupings: tuple[Grouping, ...] = ()
    needs: tuple[str, ...] = ()
    """What must have been recorded for it to have rows: names of `analyses.needs.NEEDS`."""
    source: bool = False
    """Whether ``--source`` can add file and line to its rows."""
    source_key: tuple[str, ...] = ("source",)
    """What ``--source`` adds to the key."""
    eager: bool = False
    """Whether ``--eager`` can lead its CUDA graphs back to operators."""
    base: bool = False
    """Whether it compares with another recording, which ``--base`` names."""
    named: bool = False
    """Whether ``--name`` limits it to what has one name."""
    area: bool = False
    """Whether ``--between`` limits it to a part of the time of a trace."""
    in_report: bool = True
    """Whether a report holds it; a table with a row for each event is too long for one."""

    per_rank: bool = field(default=False)
    """Whether each row belongs to one rank and follows from it alone, in order of ranks: kept by rank, if small."""
    digests: tuple[str, ...] = field(default=())
    """What it is made from of each rank, kept by rank: names of `analyses.registry.digest`."""

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", derived_title(self.name))

    @property
    def by(self) -> tuple[str, ...]:
        """Names of its other groupings."""
        return tuple(grouping.name for grouping in self.groupings)

    @property
    def knows_source(self) -> bool:
        """Whether it can show source lines, if asked or always."""
        return self.source or "source" in self.schema

    @property
    def messages(self) -> tuple[str, ...]:
        """Names of the columns that hold messages."""
        return tuple(name for name, column in self.described().items() if column.role == "message")

    @property
    def schema(self) -> dict[str, Any]:
        return {column.name: column.dtype for column in self.columns}

    def grouping(self, by: str) -> Grouping:
        """One of its groupings; "" is the usual one."""
        usual = Grouping("", self.key, (), self.rows, self.first)
        return next((grouping for grouping in self.groupings if grouping.name == by), usual)

    def described(self, by: str | None = None) -> dict[str, Column]:
        """Its columns by name, with those of a grouping, or of all where None, and the source line."""
        groupings = self.groupings if by is None else (self.grouping(by),)
        extra = [column for grouping in groupings for column in grouping.columns]
        own = {column.name: column for column in self.columns}
        source = {SOURCE.name: SOURCE} if self.source else {}
        return source | {column.name: column for column in extra} | own

    def key_of(self, by: str = "", source: bool = False) -> tuple[str, ...]:
        """Columns that together name a row of the table so grouped, with source lines or without."""
        key = self.grouping(by).key
        added = self.source_key if source and self.source else ()
        return (*key, *(name for name in added if name not in key))

    def shown_first(self, by: str = "") -> tuple[str, ...]:
        """Columns shown first of the table so grouped; empty for the order of the columns.

        A number or word that names rows only when they are so grouped stands behind what always does; a long text
        stands behind the figures, for which it would leave no room.
        """
        grouping = self.grouping(by)
        if grouping.first or not self.first:
            return grouping.first or self.first
        short = [one.name for one in grouping.columns if one.dtype.is_numeric() or one.role == "label"]
        added = [name for name in short if name in grouping.key and name not in self.first]
        always = list(takewhile({*self.key, *grouping.key}.__contains__, self.first))
        return (*always, *added, *self.first[len(always) :])


UNATTRIBUTED = "(unattributed)"
"""Name of the row that holds what a table could not attribute."""


def ns(name: str, description: str, title: str = "", *, adds: bool = False) -> Column:
    """A length of time."""
    return Column(name, pl.Int64, description, title, "amount", "ns", adds)


def moment(name: str, description: str, title: str = "") -> Column:
    """A time on the trace's clock."""
    return Column(name, pl.Int64, description, title, "moment", "ns")


def size(name: str, description: str, title: str = "", *, adds: bool = False) -> Column:
    """Bytes."""
    return Column(name, pl.Int64, description, title, "amount", "bytes", adds)


def flops(name: str, description: str, title: str = "", *, adds: bool = False) -> Column:
    """Floating-point operations."""
    return Column(name, pl.Int64, description, title, "amount", "flops", adds)


def amount(name: str, description: str, title: str = "", *, adds: bool = False) -> Column:
    """How many."""
    return Column(name, pl.Int64, description, title, "amount", "count", adds)


def share(name: str, description: str, title: str = "", *, adds: bool = False) -> Column:
    """Per cent of something."""
    return Column(name, pl.Float64, description, title, "share", "pct", adds)


def statistic(name: str, description: str, title: str = "", *, unit: Unit | None = None) -> Column:
    """One of many amounts: mean, median, shortest, longest."""
    own = unit or units_by_name(name)[0]
    return Column(name, pl.Int64, description, title, "statistic", own if own != "none" else "count")


def mean(name: str, description: str, title: str = "") -> Column:
    """A mean of counts, with its decimals."""
    return Column(name, pl.Float64, description, title, "statistic", "none")


def measured(name: str, description: str, title: str = "") -> Column:
    """Figures of different kinds, whose unit another column says."""
    return Column(name, pl.Float64, description, title, "statistic", "none", mixed=True)


def rate(name: str, description: str, title: str = "", *, unit: Unit = "none") -> Column:
    """An amount per another: bytes a second, FLOPs a byte."""
    return Column(name, pl.Float64, description, title, "rate", unit)


def label(name: str, description: str, title: str = "") -> Column:
    """A word out of few."""
    return Column(name, pl.String, description, title)


def flag(name: str, description: str, title: str = "") -> Column:
    """Yes or no."""
    return Column(name, pl.Boolean, description, title)


def named(name: str, description: str, title: str = "", *, wide: bool = False) -> Column:
    """A text of the recording: an operator, a range, a file and line."""
    return Column(name, pl.String, description, title, "name", wide=wide)


def kernel(
    name: str,
    description: str,
    title: str = "",
    *,
    wide: bool = False,
    only: tuple[str, tuple[str, ...]] | None = None,
) -> Column:
    """Names of kernels, which are shortened where they are shown."""
    return Column(name, pl.String, description, title, "kernel", wide=wide, only=only)


def ident(name: str, description: str, title: str = "", dtype: Any = pl.Int64) -> Column:
    """A number or text that names one thing."""
    return Column(name, dtype, description, title, "id")


def rank(description: str = "rank of the process", name: str = "rank", title: str = "") -> Column:
    return ident(name, description, title)


def step(description: str = "number of the step", name: str = "step", title: str = "") -> Column:
    return ident(name, description, title)


def prose(name: str, description: str, title: str = "", *, wide: bool = False) -> Column:
    """Sentences and long values."""
    return Column(name, pl.String, description, title, "prose", wide=wide)


def message(name: str, description: str, title: str = "", *, wide: bool = False) -> Column:
    """Sentences as the JSON of `messages.Message`."""
    return Column(name, pl.String, description, title, "message", wide=wide)


SOURCE = named("source", "line of the user's code with most of the time", "Source line")
"""The column that ``--source`` adds."""
