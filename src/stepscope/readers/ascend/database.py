"""The database form of a run: the tables of which the timeline is made, with numbers for texts.

Times are ns since 1970; those of PYTORCH_API are texts. A thread is its process, shifted by 32 bits, and its number. A
task of the NPU, the call of CANN that launched it and a collective have the number of a connection in common; what
enqueues and what dequeues have one, too, behind CONNECTION_IDS. Seen: schema 1.0, levels 0 to 2, of torch_npu.
Specification: the exporter of msprof and the profiler of Ascend/pytorch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import polars as pl

from stepscope.numeric.pool import SharedPool
from stepscope.numeric.sqlite_rows import INTEGER, TEXT
from stepscope.readers.ascend.texts import TextCodes
from stepscope.readers.nsys.database import Database
from stepscope.readers.sources import Source
from stepscope.readers.text import decoded

_MOST = 1 << 62
_CHUNK = 1 << 17


class AscendDatabase:
    """An open database, of which columns are read as numbers. Close it, or use it in a ``with`` block.

    Args:
        source: the file.

    Raises:
        UnreadableInput: it is no database.
    """

    def __init__(self, source: Source, max_bytes: int | None) -> None:
        self._source, self._max_bytes = source, max_bytes
        self._pool = SharedPool()
        with source.open(max_bytes) as stream:
            self._base = Database(source, stream, self._pool)

    def __enter__(self) -> AscendDatabase:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    @property
    def damage(self) -> object:
        """None, or why rows may be missing."""
        return self._base.damage

    def has(self, table: str) -> bool:
        """Whether there is a table of this name."""
        return bool(self._base.columns(table))

    def numbers(self, table: str, *columns: str) -> pl.DataFrame:
        """Columns of whole numbers of a table; null where it lacks them."""
        types = dict.fromkeys(columns, pl.Int64)
        return pl.concat(
            [pl.DataFrame(schema=types), *self._base.rows(table, dict.fromkeys(columns, INTEGER))], how="diagonal"
        )

    def times(self, table: str, *columns: str) -> pl.DataFrame:
        """Columns of whole numbers that are written as texts, which are none of the recording's."""
        pool = SharedPool()
        with self._source.open(self._max_bytes) as stream, Database(self._source, stream, pool) as base:
            parts = list(base.rows(table, dict.fromkeys(columns, TEXT)))
        whole = pl.concat([pl.DataFrame(schema=dict.fromkeys(columns, pl.UInt32)), *parts], how="diagonal")
        known = pl.Series("number", [], pl.Int64)
        for first in range(0, len(pool), _CHUNK):
            texts = pl.Series(
                [decoded(text) for text in pool.texts(first, min(first + _CHUNK, len(pool)))], dtype=pl.String
            )
            known.append(texts.cast(pl.Int64, strict=False).alias("number"))
        return whole.select(
            known.gather(whole[name]).alias(name) if len(known) else pl.lit(None, pl.Int64).alias(name)
            for name in columns
        )

    def values(self, table: str, *columns: str) -> pl.DataFrame:
        """Columns of a table that may hold fractions and texts, all as texts."""
        rows = self._base.values(table, list(columns), most=1 << 24)
        cells = [[None if value is None else str(value) for value in row] for row in rows]
        return pl.DataFrame(cells, dict.fromkeys(columns, pl.String), orient="row")

    def enumeration(self, table: str) -> dict[int, str]:
        """Names by number of a table of these."""
        rows = self._base.values(table, ["id", "name"])
        return {number: name for number, name in rows if isinstance(number, int) and isinstance(name, str)}

    @cached_property
    def _strings(self) -> pl.DataFrame:
        """Columns id, code of the texts of the recording."""
        parts = self._base.rows("STRING_IDS", {"id": INTEGER, "value": TEXT})
        whole = pl.concat([pl.DataFrame(schema={"id": pl.Int64, "value": pl.UInt32}), *parts], how="diagonal")
        return whole.unique("id", keep="first", maintain_order=True).rename({"value": "code"})

    def coded(self, ids: pl.Series) -> pl.Series:
        """Codes of the texts behind numbers; null where there is none."""
        return (
            ids.alias("id").to_frame().join(self._strings, "id", "left", maintain_order="left")["code"].alias(ids.name)
        )

    @cached_property
    def codes(self) -> TextCodes:
        """All texts of the recording, once `coded` may be asked."""
        _ = self._strings
        return TextCodes(pl.concat([pl.Series("text", [], pl.String), *self.texts()]))

    def texts(self) -> Iterator[pl.Series]:
        """The texts of the recording, in parts."""
        for first in range(0, len(self._pool), _CHUNK):
            raw = self._pool.texts(first, min(first + _CHUNK, len(self._pool)))
            yield pl.Series("text", [decoded(text) for text in raw], dtype=pl.String)


def events(frame: pl.DataFrame, first: int) -> pl.DataFrame:
    """Rows with startNs and endNs that are times, as start_ns and duration_ns, numbered."""
    start, end = pl.col("startNs"), pl.col("endNs")
    sound = frame.filter((start.is_between(0, _MOST) & (end >= start) & (end < _MOST)).fill_null(False))
    timed = sound.with_columns(start.alias("start_ns"), (end - start).alias("duration_ns")).drop("startNs", "endNs")
    return timed.with_columns(event=pl.int_range(first, first + len(timed), dtype=pl.UInt32, eager=True))


def places(frame: pl.DataFrame, codes: TextCodes) -> pl.DataFrame:
    """Rows with globalTid as process and thread."""
    tid = frame["globalTid"].fill_null(0)
    named: Mapping[str, pl.Series] = {"process": tid // (1 << 32), "thread": tid % (1 << 32)}
    return frame.with_columns(codes.codes(number.cast(pl.String)).alias(name) for name, number in named.items())
