"""What the schema says of every column and table: roles, units, titles, keys; and that its words are the field's."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import polars as pl
import pytest

from stepscope.schema import MOMENTS, TABLES, Column, Table
from stepscope.schema.columns import moment, ns, rate, share
from stepscope.schema.lookup import column_called, nearest_column

WEB = Path(__file__).resolve().parents[2] / "web" / "src"
COLUMNS = [(table, column) for table in TABLES.values() for column in table.described().values()]

PRIVATE = re.compile(
    r"\b(mend\w*|told|tells?|hold\w* back|fills?|whoever|somebody|whatever|stretch\w*|is none|in all|copies and)\b"
)
"""Words that nobody in the field uses of a trace."""


@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=lambda one: one.name)
def test_a_column_says_what_it_is(table: Table, column: Column) -> None:
    assert column.title.strip()
    assert column.title[:1] == column.title[:1].upper()
    assert column.description.strip()
    assert not re.search(r"_|\b(pct|ns|h2d|op)\b", column.title), "a heading for people"
    if column.dtype == pl.String or column.dtype == pl.Boolean:
        assert column.unit == "none"
        assert column.role in ("label", "name", "kernel", "id", "prose", "message")
    else:
        assert column.role in ("id", "amount", "statistic", "rate", "share", "moment")
    if column.role == "share":
        assert column.unit == "pct"
    if column.role == "amount":
        assert column.unit in ("ns", "bytes", "flops", "count")
    if column.role == "id":
        assert column.unit == "none"
    if column.adds:
        assert column.role in ("amount", "share"), "means and extremes cannot be added up"
    if column.only:
        other, values = column.only
        assert other in table.schema
        assert values


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_a_table_says_what_its_rows_are(table: Table) -> None:
    assert table.title
    assert table.rows
    assert table.recordings
    for by in ("", *table.by):
        known = table.described(by)
        assert table.grouping(by).rows
        assert table.key_of(by)
        assert set(table.key_of(by, source=True)) <= known.keys()
        assert set(table.shown_first(by)) <= known.keys()
        titles = [column.title for column in known.values()]
        assert sorted(set(titles)) == sorted(titles), "two columns of one heading"


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_descriptions_are_in_the_words_of_the_field(table: Table) -> None:
    texts = [table.description, *(column.description for column in table.described().values())]
    assert [text for text in texts if PRIVATE.search(text)] == []


def test_numbers_of_one_name_are_of_one_kind() -> None:
    """The web app, the server and conditions know some columns by their name alone."""
    kinds = defaultdict(set)
    for _, column in COLUMNS:
        if column.dtype.is_numeric():
            kinds[column.name].add((column.unit, column.role == "id", column.role == "moment"))
    assert {name: kind for name, kind in kinds.items() if len(kind) > 1} == {}
    assert set(MOMENTS) == {"start_ns", "end_ns", "device_end_ns", "at_ns"}


def test_pages_exist_in_the_app() -> None:
    pages = (WEB / "model" / "pages.ts").read_text(encoding="utf-8")
    assert {table.page for table in TABLES.values() if f"'{table.page}'" not in pages} == set()


@pytest.mark.parametrize(
    ("name", "unit"),
    [("wait_ns", "bytes"), ("bytes", "count"), ("share_pct", "none"), ("calls", "ns"), ("a_flops", "B/s")],
)
def test_a_unit_that_the_name_denies_is_refused(name: str, unit: str) -> None:
    with pytest.raises(ValueError, match="its name says"):
        Column(name, pl.Int64, "", unit=unit)  # type: ignore[arg-type]


def test_constructors_set_role_and_unit() -> None:
    made = [ns("a_ns", ""), moment("a_ns", ""), share("a_pct", ""), rate("b", "", unit="GB/s")]
    assert [(column.role, column.unit) for column in made] == [
        ("amount", "ns"),
        ("moment", "ns"),
        ("share", "pct"),
        ("rate", "GB/s"),
    ]


def test_every_heading_leads_back_to_its_column() -> None:
    for table in TABLES.values():
        for by in ("", *table.by):
            known = table.described(by)
            assert [column_called(column.title, table, by, list(known)) for column in known.values()] == list(known)


def test_what_is_nearly_a_name_finds_it() -> None:
    kernels = TABLES["kernels"]
    known = list(kernels.schema)
    assert [nearest_column(text, kernels, "", known) for text in ("totl", "shared mem", "xyzzy")] == [
        "total_ns",
        "shared_bytes",
        None,
    ]


@pytest.mark.parametrize(
    ("table", "by", "column", "before"),
    [
        ("durations", "step", "step", "calls"),
        ("critical_path", "step", "step", "duration_ns"),
        ("host_samples", "line", "line", "samples"),
        ("memory_peak", "stack", "blocks", "lines"),
    ],
)
def test_what_names_rows_of_a_grouping_is_shown_before_figures(table: str, by: str, column: str, before: str) -> None:
    """`durations --by step` had no room for the step. A stack has no room before figures."""
    names = [*TABLES[table].shown_first(by), *TABLES[table].described(by)]
    assert names.index(column) < names.index(before)
