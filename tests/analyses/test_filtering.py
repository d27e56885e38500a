"""Rows of a table by an SQL condition, and in another order."""

from __future__ import annotations

import polars as pl
import pytest

from stepscope.analyses.filtering import filtered
from stepscope.errors import BadRequest

TABLE = pl.DataFrame({"name": ["aten::mm", "aten::add", "copy"], "calls": [3, 20, None], "share_pct": [1.5, 2.5, 2.5]})


def names(where: str | None = None, sort: str | None = None) -> list[str]:
    return filtered(TABLE, where, sort)["name"].to_list()


def test_without_a_condition_the_table_stays_as_it_is() -> None:
    assert filtered(TABLE, None, None).equals(TABLE)


@pytest.mark.parametrize(
    ("where", "wanted"),
    [
        ("calls > 10", ["aten::add"]),
        ("calls > 1 AND name LIKE 'aten::%'", ["aten::mm", "aten::add"]),
        ("calls IS NULL", ["copy"]),
        ("share_pct >= 2.5 OR calls = 3", ["aten::mm", "aten::add", "copy"]),
        ("name IN ('copy', 'aten::mm')", ["aten::mm", "copy"]),
        ("calls > 100", []),
    ],
)
def test_rows_for_which_the_condition_holds_stay(where: str, wanted: list[str]) -> None:
    assert names(where) == wanted


@pytest.mark.parametrize(
    ("sort", "wanted"),
    [
        ("calls", ["aten::add", "aten::mm", "copy"]),
        ("-calls", ["aten::mm", "aten::add", "copy"]),
        ("name", ["copy", "aten::mm", "aten::add"]),
        ("share_pct", ["aten::add", "copy", "aten::mm"]),
    ],
)
def test_largest_first_and_with_a_minus_smallest_first_nulls_last(sort: str, wanted: list[str]) -> None:
    assert names(sort=sort) == wanted


@pytest.mark.parametrize(
    "where", ["calls >", "no_such_column > 1", "calls > 'x'", "name > 5", ";", "SELECT 1", "calls"]
)
def test_what_is_no_condition_names_the_columns(where: str) -> None:
    with pytest.raises(BadRequest, match="Columns: name, calls, share_pct"):
        names(where)


def test_an_unknown_column_to_sort_by_names_the_columns() -> None:
    with pytest.raises(BadRequest, match=r"cannot sort by time: .* Columns: name, calls, share_pct"):
        names(sort="time")
