"""A copy of an export of Nsight Systems: the tables that are read here, of the recorded processes, and no others.

Left out: environment, list of processes, captured output, diagnostics, files, network cards, settings of the system,
and the texts that no row of a copied table names.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

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

_TYPES = ("INTEGER", "REAL", "TEXT", "BLOB")


class DatabaseCopy:
    """One copy.

    Args:
        source: path of the export.
        target: path of a new file.
        hiding: hides names in texts.

    Attributes:
        left_out: names of the tables that are not in the copy, or not whole.
    """

    def __init__(self, source: str, target: Path, hiding: Hiding) -> None:
        self.left_out: list[str] = []
        self._source = source
        self._target = target
        self._hiding = hiding

    def copy(self) -> None:
        """Write the copy.

        Raises:
            sqlite3.Error: the export is damaged.
        """
        self._base = sqlite3.connect(f"file:{quote(str(self._target))}?mode=rwc", uri=True)
        try:
            self._base.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
            self._base.execute("PRAGMA trusted_schema = OFF")
            self._base.execute("PRAGMA journal_mode = OFF")
            self._base.create_function("hidden", 1, self._hidden, deterministic=True)
            self._base.execute("ATTACH ? AS old", [f"file:{quote(self._source)}?mode=ro&immutable=1"])
            self._copy_all()
            self._base.commit()
        finally:
            self._base.close()

    def _copy_all(self) -> None:
        rows = self._base.execute("SELECT name FROM old.sqlite_master WHERE type = 'table'").fetchall()
        tables = sorted(name for (name,) in rows)
        wanted = [*EVENTS, *FACTS, *(name for name in tables if name.startswith("ENUM_"))]
        known = [name for name in wanted if name in tables]
        for name in known:
            self._copy(name)
        self._base.execute("CREATE TEMP TABLE owners (owner INTEGER PRIMARY KEY)")
        for name in (one for one in EVENTS if one in known):
            for column in (one for one in OWNERS if one in self._columns(name)):
                self._note("owners", name, column, f"{column} >> 24")
        some = [name for name in OF_PROCESSES if name in tables]
        for name in some:
            self._copy(name, "globalTid >> 24 IN (SELECT owner FROM owners)")
        if "COMPOSITE_EVENTS" in some and "SAMPLING_CALLCHAINS" in tables:
            some.append("SAMPLING_CALLCHAINS")
            self._copy("SAMPLING_CALLCHAINS", "id IN (SELECT id FROM main.COMPOSITE_EVENTS)")
        some += self._copy_generic(tables)
        some += self._copy_export_facts(tables)
        self._copy_texts([*known, *some])
        self.left_out = [name for name in tables if name not in {*known, *some, "StringIds"}]

    def _copy(self, table: str, condition: str = "1") -> None:
        """Rows of a table, under columns of plain types."""
        types = self._columns(table, "old")
        columns = ", ".join(f"{_quoted(name)} {kind}" for name, kind in types.items())
        self._base.execute(f"CREATE TABLE main.{_quoted(table)} ({columns})")
        values = ", ".join(_value(name, self._is_blank(table, name)) for name in types)
        into, of = f"main.{_quoted(table)}", f"old.{_quoted(table)}"
        self._base.execute(f"INSERT INTO {into} SELECT {values} FROM {of} WHERE {condition}")

    def _is_blank(self, table: str, column: str) -> bool:
        """Whether a column is copied without its values."""
        return column in BLANK.get(table, ())

    def _copy_generic(self, tables: list[str]) -> list[str]:
        """Metrics of the GPU of schemas 2.x; other generic events may be of anything."""
        if not set(GENERIC) <= set(tables):
            return []
        self._copy(GENERIC[0], f"data LIKE '%{GPU_SOURCE}%'")
        self._copy(GENERIC[1], "sourceId IN (SELECT sourceId FROM main.GENERIC_EVENT_SOURCES)")
        self._copy(GENERIC[2], "typeId IN (SELECT typeId FROM main.GENERIC_EVENT_TYPES)")
        return list(GENERIC)

    def _copy_export_facts(self, tables: list[str]) -> list[str]:
        """Which version exported it, and in which schema."""
        found: list[str] = [name for name in EXPORT_FACTS if name in tables]
        for name in found:
            self._base.execute(f"CREATE TABLE main.{name} (name TEXT, value TEXT)")
            rows = self._base.execute(f"SELECT name, value FROM old.{name}").fetchall()
            sound = [row for row in rows if is_export_fact(*row)]
            self._base.executemany(f"INSERT INTO main.{name} VALUES (?, ?)", sound)
        return found

    def _copy_texts(self, tables: list[str]) -> None:
        """The texts that rows of the copy name."""
        self._base.execute("CREATE TABLE main.StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
        self._base.execute("CREATE TEMP TABLE named (id INTEGER PRIMARY KEY)")
        for table in tables:
            for column in (name for name in self._columns(table) if name in TEXT_IDS):
                self._note("named", table, column, column)
        self._base.execute(
            "INSERT INTO main.StringIds SELECT id, hidden(value) FROM old.StringIds WHERE id IN (SELECT id FROM named)"
        )

    def _note(self, into: str, table: str, column: str, value: str) -> None:
        """Values of a column, each once; where nothing stands, SQLite would make up a number."""
        of = f"main.{_quoted(table)} WHERE {column} IS NOT NULL"
        self._base.execute(f"INSERT OR IGNORE INTO {into} SELECT DISTINCT {value} FROM {of}")

    def _columns(self, table: str, base: str = "main") -> dict[str, str]:
        """Columns of a table with their types; of an odd type none."""
        rows = self._base.execute(f"PRAGMA {base}.table_info({_quoted(table)})").fetchall()
        return {row[1]: row[2].upper() if row[2].upper() in _TYPES else "" for row in rows}

    def _hidden(self, value: str) -> str:
        return self._hiding.hidden(value.encode("utf-8", "surrogateescape")).decode("utf-8", "replace")


def _value(column: str, is_blank: bool) -> str:
    """What is copied of a column; texts may stand in any, and nothing that is read is of bytes."""
    name = _quoted(column)
    plain = f"CASE typeof({name}) WHEN 'text' THEN hidden({name}) WHEN 'blob' THEN NULL ELSE {name} END"
    return "NULL" if is_blank else plain


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
