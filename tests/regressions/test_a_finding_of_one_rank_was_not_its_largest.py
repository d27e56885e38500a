"""`largest` came from a window over row numbers, which Polars numbers wrongly where the rows of an id stand apart, and
differently from one time to the next while other tables are made: what only one rank had was left out of reports."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from stepscope.findings.over_ranks import once, with_ranks

SEEN = st.tuples(
    st.one_of(st.none(), st.integers(0, 3)),
    st.sampled_from(["synchronize", "recorded-with-stacks", "launch-bound", "input-bound"]),
    st.one_of(st.none(), st.sampled_from([0.0, 1.5, 7.0, 20.0])),
)


def table(rows: list[tuple[int | None, str, float | None]]) -> pl.DataFrame:
    schema = {"rank": pl.Int64, "id": pl.String, "saving_pct": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        pl.lit("note").alias("severity"), pl.lit(False).alias("per_sample")
    )


def test_what_only_one_rank_has_is_its_largest() -> None:
    rows = [
        (0, "synchronize", 5.0),
        (1, "synchronize", 7.0),
        (2, "recorded-with-stacks", None),
        (3, "synchronize", 6.0),
    ]
    assert once(with_ranks(table(rows)), "note")["rank"].to_list() == [1, 2]


@given(st.lists(SEEN, max_size=12))
def test_ranks_and_largest_are_those_of_a_search_by_id(rows: list[tuple[int | None, str, float | None]]) -> None:
    found = with_ranks(table(rows))
    for place, (_, name, _) in enumerate(rows):
        same = [(-(saving or 0.0), at, rank) for at, (rank, other, saving) in enumerate(rows) if other == name]
        assert found["ranks"][place] == len({rank for _, _, rank in same})
        assert found["largest"][place] == (min(same, key=lambda one: one[:2])[1] == place)
