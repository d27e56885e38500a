"""A copy of a database that holds what its reader asks for, and nothing else: the reader itself is the list."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

from stepscope.readers.formats import Input
from stepscope.readers.nsys.database import ASKED
from stepscope.readers.redaction.database_copy import DatabaseCopy
from stepscope.readers.redaction.hiding import Hiding
from stepscope.readers.registry import reader_of
from stepscope.readers.sources import Source


class AskedCopy(DatabaseCopy):
    """One copy.

    Args:
        source, target, hiding: see `DatabaseCopy`.
        asked: columns by table, see `asked_by_reader`.
    """

    def __init__(self, source: str, target: Path, hiding: Hiding, asked: dict[str, set[str]]) -> None:
        super().__init__(source, target, hiding)
        self._asked = asked

    def _copy_all(self) -> None:
        rows = self._base.execute("SELECT name FROM old.sqlite_master WHERE type = 'table'").fetchall()
        tables = sorted(name for (name,) in rows)
        for name in tables:
            if name in self._asked:
                self._copy(name)
        self.left_out = [name for name in tables if name not in self._asked]

    def _is_blank(self, table: str, column: str) -> bool:
        return column not in self._asked[table]


def asked_by_reader(source: Source) -> dict[str, set[str]]:
    """The columns, by table, that are read of a recording.

    Raises:
        UnreadableInput: it is damaged.
    """
    asked: dict[str, set[str]] = {}
    before = ASKED.set(asked)
    try:
        with nullcontext() if source.is_folder else source.open() as stream:
            for _ in reader_of(source, stream).read(Input(source, stream, workers=1)).tables():
                pass
    finally:
        ASKED.reset(before)
    return asked
