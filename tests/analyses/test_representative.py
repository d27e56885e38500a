"""Of many steps some are simulated, which are like all of them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import stepscope
from building import opened, operator, step
from stepscope.analyses.simulation import representative as module
from stepscope.analyses.simulation.representative import MOST_STEPS, long_run_step_ns, representative
from stepscope.findings.examination import examine

MS = 1_000_000


def steps(lengths: list[int], gaps: dict[int, int] | None = None) -> pl.DataFrame:
    """Steps of these lengths in ms, one after another, some with a gap before them."""
    starts, at = [], 0
    for number, length in enumerate(lengths):
        at += (gaps or {}).get(number, 0) * MS
        starts.append(at)
        at += length * MS
    columns = {"step": range(len(lengths)), "start_ns": starts, "duration_ns": [length * MS for length in lengths]}
    frame = pl.DataFrame(columns)
    nothing = [pl.lit(None, pl.Int64).alias(name) for name in ("lag_ns", "period_ns", "device_end_ns")]
    return frame.with_columns(nothing)


def chosen(table: pl.DataFrame) -> list[int]:
    return representative(table)["step"].to_list()


def test_few_steps_are_all_simulated() -> None:
    assert chosen(steps([10] * MOST_STEPS)) == list(range(MOST_STEPS))


def test_of_many_those_are_that_are_like_all() -> None:
    """The first 20 take 15 ms, the last 60 take 10: no window of the first is like all."""
    found = chosen(steps([15] * 20 + [10] * 60))
    assert len(found) == MOST_STEPS
    assert found == list(range(found[0], found[0] + MOST_STEPS))
    assert found[0] >= 10


def test_where_one_takes_much_longer_all_are() -> None:
    assert len(chosen(steps([10] * 30 + [25] + [10] * 9))) == 40


def test_what_lies_between_steps_is_in_no_window() -> None:
    found = chosen(steps([10] * 40, {12: 300, 30: 300}))
    assert not {12, 30} & set(found[1:])


def test_the_long_run_is_that_of_the_slower_side() -> None:
    table = steps([10] * 20)
    assert long_run_step_ns(table) == 10 * MS
    later = table.with_columns(pl.Series("device_end_ns", [(12 * n + 12) * MS for n in range(20)]))
    assert long_run_step_ns(later) == 12 * MS


def test_the_step_time_says_how_many_it_is_of(tmp_path: Path) -> None:
    events = [[step(n, n * MS, (n + 1) * MS), operator("aten::mm", n * MS, n * MS + 900_000)] for n in range(40)]
    row = opened(tmp_path, *events).show("step_time").row(0, named=True)
    assert (row["steps"], row["recorded_ns"]) == (40, MS)


@pytest.mark.real_trace
def test_the_bound_changes_no_figure_by_more_than_it_is_sure(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(shared_data / "h200" / "train" / "dit_30steps.pt.trace.json.gz")
    found = []
    for most in (MOST_STEPS, 1_000):
        monkeypatch.setattr(module, "MOST_STEPS", most)
        profile = stepscope.open(path).profile
        said = examine(profile, profile.ranks[0])
        assert said is not None
        found.append(said)
    some, every = found
    assert some.step_ns.best == pytest.approx(every.step_ns.best, rel=0.03)
    assert [one.cause.id for one in some.findings] == [one.cause.id for one in every.findings]
    for one, other in zip(some.findings, every.findings, strict=True):
        assert one.saving_pct.best == pytest.approx(other.saving_pct.best, abs=2)
