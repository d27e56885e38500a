"""The decoder of SQLite's rows against SQLite itself."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.errors import UnreadableInput
from stepscope.numeric.pool import SharedPool
from stepscope.numeric.sqlite_rows import INTEGER, TEXT
from stepscope.readers.nsys.database import Database
from stepscope.readers.sources import Source

WHOLE = st.one_of(st.none(), st.integers(-3, 300), st.integers(-(1 << 63) + 1, (1 << 63) - 1))
WORDS = st.one_of(st.none(), st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30))
LONG = st.text("ab", min_size=3000, max_size=5000)


def read(path: Path, table: str = "t", **kinds: int) -> tuple[pl.DataFrame, Database]:
    """The wanted columns, texts as they are."""
    texts = SharedPool()
    with Source(str(path)).open() as stream, Database(Source(str(path)), stream, texts) as database:
        parts = list(database.rows(table, kinds))
    frame = pl.concat(parts) if parts else pl.DataFrame()
    known = {code: text.decode() for code, text in enumerate(texts.texts(0, len(texts)))}
    decoded = [
        frame[name].replace_strict(known, return_dtype=pl.String).alias(name)
        for name, kind in kinds.items()
        if kind == TEXT and name in frame.columns
    ]
    return frame.with_columns(decoded), database


def made(
    path: Path, rows: list[tuple[Any, ...]], page: int = 4096, columns: str = "a INTEGER, b TEXT, c INTEGER"
) -> Path:
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA page_size = {page}")
        connection.execute(f"CREATE TABLE t ({columns})")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    connection.close()
    return path


@settings(max_examples=25)
@given(
    rows=st.lists(st.tuples(WHOLE, WORDS, WHOLE), min_size=1, max_size=60),
    repeats=st.sampled_from([1, 40]),
    page=st.sampled_from([512, 4096, 65536]),
    gaps=st.booleans(),
)
def test_any_rows_are_those_of_sqlite(
    tmp_path_factory: Any, rows: list[tuple[Any, ...]], repeats: int, page: int, gaps: bool
) -> None:
    path = made(tmp_path_factory.mktemp("rows") / "a.db", rows * repeats, page)
    with sqlite3.connect(path) as connection:
        if gaps:
            connection.execute("DELETE FROM t WHERE rowid % 3 = 1")
        expected = connection.execute("SELECT a, b, c FROM t ORDER BY rowid").fetchall()
    connection.close()
    found, database = read(path, a=INTEGER, b=TEXT, c=INTEGER)
    assert found.rows() == expected
    assert database.damage is None


def test_texts_on_overflow_pages_floats_and_new_columns_are_read_all_the_same(tmp_path: Path) -> None:
    rows: list[tuple[Any, ...]] = [(1, "short", 2), (3, "x" * 9000, 4), (5, "y", 6.5), (7, None, 8)]
    path = made(tmp_path / "a.db", rows)
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE t ADD COLUMN d INTEGER")
        connection.execute("INSERT INTO t VALUES (9, 'z', 10, 11)")
    connection.close()
    found, _ = read(path, a=INTEGER, b=TEXT, c=INTEGER, d=INTEGER)
    assert found["d"].to_list() == [None, None, None, None, 11]
    assert found["b"].to_list() == ["short", "x" * 9000, "y", None, "z"]
    # A number with a fraction is none of what is wanted.
    assert found["c"].to_list() == [2, 4, None, 8, 10]
    columns_before, _ = read(path, a=INTEGER)
    assert columns_before["a"].to_list() == [1, 3, 5, 7, 9]


def test_tables_that_are_no_plain_list_of_rows(tmp_path: Path) -> None:
    path = tmp_path / "odd.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE keyed (a INTEGER PRIMARY KEY, b TEXT)")
        connection.execute("INSERT INTO keyed VALUES (7, 'seven')")
        connection.execute("CREATE TABLE bare (a INTEGER, b TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID")
        connection.execute("INSERT INTO bare VALUES (8, 'eight')")
        connection.execute("CREATE TABLE made (c INTEGER GENERATED ALWAYS AS (a + 1), a INTEGER, b TEXT)")
        connection.execute("INSERT INTO made (a, b) VALUES (9, 'nine')")
        connection.execute("CREATE TABLE empty (a INTEGER, b TEXT)")
    connection.close()
    for table, row in (("keyed", (7, "seven")), ("bare", (8, "eight")), ("made", (9, "nine"))):
        assert read(path, table, a=INTEGER, b=TEXT)[0].rows() == [row]
    assert len(read(path, "empty", a=INTEGER, b=TEXT)[0]) == 0
    assert read(path, "none", a=INTEGER)[0].columns == []


def test_a_view_of_the_name_of_a_table_is_not_asked(tmp_path: Path) -> None:
    """A view can compute anything."""
    path = made(tmp_path / "a.db", [(1, "x", 2)])
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE VIEW v AS SELECT a, b FROM t")
    connection.close()
    assert read(path, "v", a=INTEGER)[0].columns == []


def test_damaged_pages_end_in_a_word_and_never_in_a_crash(tmp_path: Path) -> None:
    good = made(tmp_path / "a.db", [(i, f"text {i % 50}", -i) for i in range(3000)], 512).read_bytes()
    dice = random.Random(3)
    said = 0
    for number in range(150):
        data = bytearray(good)
        for _ in range(dice.choice((1, 4, 30))):
            data[dice.randrange(100, len(data))] = dice.randrange(256)
        path = tmp_path / f"{number}.db"
        path.write_bytes(data)
        try:
            frame, database = read(path, a=INTEGER, b=TEXT, c=INTEGER)
        except (UnreadableInput, UnicodeDecodeError):
            continue
        said += database.damage is not None
        assert len(frame) >= 3000 or database.damage is not None or len(frame.columns) == 0 or len(frame) > 0
    assert said
