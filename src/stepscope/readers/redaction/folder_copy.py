"""A copy of an export of Nsight Systems that is a folder: the same tables as of a database, see `kept_tables`."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from stepscope.readers.nsys.folder import PARQUET, scanned, table_files
from stepscope.readers.redaction.hiding import Hiding
from stepscope.readers.redaction.kept_tables import (
    BLANK,
    EVENTS,
    EXPORT_FACTS,
    FACTS,
    GENERIC,
    GPU_SOURCE,
    OF_PROCESSES,
    OWNERS,
    TEXT_IDS,
    is_export_fact,
)

_TEXTS = "StringIds"
_PROCESS = 1 << 24
"""What lies above these bits of the number of a thread is its process."""


class FolderCopy:
    """One copy.

    Args:
        source: path of the folder.
        target: path of an empty one.
        hiding: hides names in texts.

    Attributes:
        left_out: names of the tables that are not in the copy.
    """

    def __init__(self, source: str, target: Path, hiding: Hiding) -> None:
        self.left_out: list[str] = []
        self._files = table_files(source)
        self._target = target
        self._hiding = hiding
        self._written: list[str] = []

    def copy(self) -> None:
        """Write the copy.

        Raises:
            nsys.folder.DAMAGE: the export is damaged.
        """
        for table in [*EVENTS, *FACTS, *(name for name in self._files if name.startswith("ENUM_"))]:
            self._copy(table)
        owners = self._owners()
        for table in OF_PROCESSES:
            self._copy(table, _number("globalTid").floordiv(_PROCESS).is_in(owners))
        if "COMPOSITE_EVENTS" in self._written:
            self._copy("SAMPLING_CALLCHAINS", _number("id").is_in(self._numbers("COMPOSITE_EVENTS", "id")))
        self._copy_generic()
        for table in EXPORT_FACTS:
            self._copy_facts(table)
        self._copy(_TEXTS, _number("id").is_in(self._text_ids()))
        self.left_out = [name for name in self._files if name not in self._written]

    def _copy(self, table: str, condition: pl.Expr | None = None) -> None:
        """Rows of a table, batch by batch."""
        if table not in self._files:
            return
        frame = scanned(self._files[table])
        types = frame.collect_schema()
        columns = [self._column(name, kind, name in BLANK.get(table, ())) for name, kind in types.items()]
        rows = frame if condition is None else frame.filter(condition.fill_null(False))
        self._write(table, rows.select(columns))

    def _column(self, name: str, kind: pl.DataType, is_blank: bool) -> pl.Expr:
        """What is copied of a column: numbers, and texts without names; nothing that is read is of another type."""
        if is_blank or not (kind.is_numeric() or kind in (pl.String, pl.Boolean)):
            return pl.lit(None, pl.String if kind == pl.Binary else kind).alias(name)
        if kind == pl.String:
            return pl.col(name).map_batches(self._hidden, return_dtype=pl.String)
        return pl.col(name)

    def _hidden(self, texts: pl.Series) -> pl.Series:
        hidden = (self._hiding.hidden(text.encode()).decode("utf-8", "replace") if text else text for text in texts)
        return pl.Series(texts.name, list(hidden), pl.String)

    def _copy_generic(self) -> None:
        """Metrics of the GPU of schemas 2.x; other generic events may be of anything."""
        if not set(GENERIC) <= set(self._files):
            return
        sources, types, events = GENERIC
        self._copy(sources, pl.col("data").cast(pl.String).str.contains(GPU_SOURCE, literal=True))
        self._copy(types, _number("sourceId").is_in(self._numbers(sources, "sourceId")))
        self._copy(events, _number("typeId").is_in(self._numbers(types, "typeId")))

    def _copy_facts(self, table: str) -> None:
        """Which version exported it, and in which schema."""
        if table not in self._files:
            return
        rows = scanned(self._files[table]).select(pl.col("name", "value").cast(pl.String)).collect().rows()
        sound = [row for row in rows if is_export_fact(*row)]
        self._write(table, pl.LazyFrame(sound, {"name": pl.String, "value": pl.String}, orient="row"))

    def _owners(self) -> pl.Series:
        """Processes that have events."""
        known = [table for table in EVENTS if table in self._written]
        found = [self._numbers(table, column) // _PROCESS for table in known for column in OWNERS]
        return pl.concat([_nothing(), *found]).unique().implode()

    def _text_ids(self) -> pl.Series:
        """Numbers of the texts that rows of the copy name."""
        found = [self._numbers(table, column) for table in self._written for column in TEXT_IDS]
        return pl.concat([_nothing(), *found]).unique().implode()

    def _numbers(self, table: str, column: str) -> pl.Series:
        """The distinct numbers in a column of a table that was written; none where it has no such column."""
        frame = scanned(str(self._path(table)))
        if column not in frame.collect_schema():
            return _nothing()
        found = frame.select(_number(column).alias("number")).unique().collect(engine="streaming")["number"]
        return found.drop_nulls()

    def _write(self, table: str, rows: pl.LazyFrame) -> None:
        path = self._path(table)
        if self._files[table].endswith(PARQUET):
            rows.sink_parquet(path)
        else:
            rows.sink_ipc(path)
        self._written.append(table)

    def _path(self, table: str) -> Path:
        return self._target / Path(self._files[table]).name


def _nothing() -> pl.Series:
    return pl.Series("number", [], pl.Int64)


def _number(column: str) -> pl.Expr:
    return pl.col(column).cast(pl.Int64, strict=False)
