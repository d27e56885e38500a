"""Transfers that vary make the saving of a straggler unsure: a job without it transfers at another rate."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from made_ranks import MS, Compute, Extra, Layout, MadeRanks, data_parallel
from stepscope.analyses.ranks import without_straggler
from stepscope.analyses.ranks.transfer_variation import variation_ns
from stepscope.findings.straggler_findings import straggler_rows


def made(*calls: tuple[int, int, int, int]) -> pl.DataFrame:
    """Collectives as (step, bytes, transfer, wait)."""
    frame = pl.DataFrame(calls, ["step", "call_bytes", "transfer_ns", "wait_ns"], orient="row")
    return frame.with_columns(
        pl.lit("all_reduce").alias("op"),
        pl.lit("Float").alias("dtype"),
        pl.lit("dp").alias("group"),
        pl.lit(4).alias("ranks"),
    )


def test_with_and_without_a_waiting_rank() -> None:
    """One of three waits a step, and takes half as long: half of the usual time, for each of the three."""
    steps = [(n, 1 << 20, *one) for n in range(4) for one in ((100, 900), (200, 0), (200, 0))]
    assert variation_ns(made(*steps)) == 100 / 200 * 500


def test_where_all_wait_alike_it_is_their_spread() -> None:
    assert variation_ns(made(*((n, 1 << 20, 100, 900) for n in range(10)))) == 0
    several = made(*((n, 1 << 20, 100 + 10 * n, 900) for n in range(11)))
    assert variation_ns(several) == pytest.approx(40 / 150 * 150)


def test_sizes_are_compared_with_their_like() -> None:
    assert variation_ns(made((0, 1 << 20, 100, 900), (0, 1 << 26, 9_000, 0))) == 0
    assert variation_ns(made((0, 1 << 20, 100, 900), (0, (1 << 20) + 9, 200, 0))) == pytest.approx(100 / 150 * 300)


def test_nothing_known_is_no_variation() -> None:
    assert variation_ns(made((0, 0, 0, 0))) == 0


def test_the_saving_of_a_straggler_is_less_sure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = MadeRanks(data_parallel(Layout(dp=4)), 4, extras=(Extra(1, Compute(5 * MS)),), jitter_ns=0)
    profile = job.open(tmp_path / "run").profile
    [plain] = straggler_rows(profile)
    monkeypatch.setattr(without_straggler, "transfer_variation_ns", lambda _: 2 * MS)
    [wider] = straggler_rows(profile)
    assert wider["saving_ns"] == plain["saving_ns"]
    assert wider["saving_low_ns"] == plain["saving_low_ns"] - 2 * MS
    assert wider["saving_high_ns"] == plain["saving_high_ns"] + 2 * MS
