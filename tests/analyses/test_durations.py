"""Instances of a name and how their durations are spread: against oracles of a few lines, and against other tables."""

from __future__ import annotations

import statistics
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import annotation, kernel, launched, memcpy, opened, operator, step
from building.autograd import frame
from stepscope.errors import BadRequest


def is_outlier(length: int, lengths: list[int]) -> bool | None:
    """Longer than 1.5 medians and outside Tukey's outer fence, with quartiles that are lengths; None of few."""
    if len(lengths) < 8:
        return None
    ordered = sorted(lengths)
    low, middle, high = (ordered[round(at * (len(ordered) - 1))] for at in (0.25, 0.5, 0.75))
    return length > 1.5 * middle and length > high + 3 * (high - low)


# Of 4 n + 1 lengths the quartiles are lengths themselves, whatever is done between two of them.
lengths_of_a_name = st.integers(0, 5).flatmap(
    lambda n: st.lists(st.integers(0, 40) | st.integers(0, 4000), min_size=4 * n + 1, max_size=4 * n + 1)
)


@pytest.mark.long
@settings(max_examples=25)
@given(lengths=lengths_of_a_name)
def test_spread_of_a_name(tmp_path_factory: pytest.TempPathFactory, lengths: list[int]) -> None:
    events = [operator("aten::mm", 5000 * i, 5000 * i + length) for i, length in enumerate(lengths)]
    profile = opened(tmp_path_factory.mktemp("made"), *events, operator("aten::add", 0, 1, thread=2))
    of_name = profile.with_name("aten::mm")
    rows = of_name.show("instances")
    assert rows["duration_ns"].to_list() == sorted(lengths, reverse=True)
    assert rows["outlier"].to_list() == [is_outlier(length, lengths) for length in sorted(lengths, reverse=True)]
    assert sorted(rows["number"]) == list(range(1, len(lengths) + 1))
    (spread,) = of_name.show("durations").iter_rows(named=True)
    assert spread["median_ns"] == statistics.median(lengths)
    assert (spread["min_ns"], spread["max_ns"], spread["total_ns"]) == (min(lengths), max(lengths), sum(lengths))
    marked = [is_outlier(length, lengths) for length in lengths]
    assert spread["outliers"] == (sum(map(bool, marked)) if len(lengths) >= 8 else None)
    bins = of_name.show("durations", by="bin")
    for begin, end, calls in bins.select("from_ns", "to_ns", "calls").iter_rows():
        assert calls == sum(begin <= length < end for length in lengths)
    assert bins["calls"].sum() == len(lengths)
    assert len(bins) <= 32
    assert (bins["from_ns"].to_list()[1:] >= bins["to_ns"].to_list()[:-1]) or len(bins) == 1


def test_the_median_of_an_even_number_is_the_mean_of_the_two_in_the_middle(tmp_path: Path) -> None:
    """Seen with six memcpys of a slow data loader: half take 0.8 us, and the median was said to be 1.90 ms. The nearest
    of the two in the middle was taken, which is the upper one."""
    lengths = [1, 2, 3, 90, 95, 96]
    events = [step(1, 0, 1100), step(2, 1200, 2500)]
    events += [operator("aten::mm", 400 * i + 10, 400 * i + 10 + length) for i, length in enumerate(lengths)]
    profile = opened(tmp_path, *events).with_name("aten::mm")
    (spread,) = profile.show("durations").iter_rows(named=True)
    assert spread["median_ns"] == 46, "half to even"
    assert spread["step_median_ns"] == round(((1 + 2 + 3) + (90 + 95 + 96)) / 2)
    assert profile.show("instances").sort("start_ns")["of_median_pct"].to_list()[3] == pytest.approx(100 * 90 / 46)


def test_outliers_of_few_instances_are_not_said_to_be_none(tmp_path: Path) -> None:
    """Seen on the page of instances: "No outliers" of a name with six instances, of which none is ever marked."""
    profile = opened(tmp_path, *(operator("aten::mm", 100 * i, 100 * i + (90 if i == 6 else 2)) for i in range(7)))
    of_name = profile.with_name("aten::mm")
    assert of_name.show("instances")["outlier"].to_list() == [None] * 7
    assert of_name.show("durations")["outliers"].to_list() == [None]
    assert of_name.show("durations", by="bin")["outliers"].unique().to_list() == [None]
    assert "not marked" in of_name.notes("durations")[0]


def test_every_kind_has_its_instances(tmp_path: Path) -> None:
    events = [
        step(3, 0, 100),
        frame("train.py(1): main", 0, 90),
        annotation("forward", 10, 80),
        operator("aten::mm", 20, 40),
        *launched(kernel("gemm", 150, 170, 1), 30),
        *launched(memcpy(170, 180, 2), 50),
    ]
    profile = opened(tmp_path, *events)
    found = profile.show("instances").sort("kind", "start_ns").select("kind", "name", "duration_ns", "step")
    assert found.rows() == [
        ("annotation", "ProfilerStep#3", 100, 3),
        ("annotation", "forward", 70, 3),
        ("call", "cudaLaunchKernel", 2, 3),
        ("call", "cudaLaunchKernel", 2, 3),
        ("kernel", "gemm", 20, 3),
        ("memcpy", "Memcpy HtoD (Pinned -> Device)", 10, 3),
        ("operator", "aten::mm", 20, 3),
    ]
    assert profile.with_name("train.py(1): main").show("instances")["kind"].to_list() == ["function"]
    assert profile.with_name("aten").show("instances").is_empty(), "a name is whole"
    assert "nothing has this name" in profile.with_name("aten").notes("instances")[0]


def test_what_has_no_name_is_counted_too(tmp_path: Path) -> None:
    unnamed = [operator("", at, at + length) for at, length in ((0, 3), (10, 5))]
    events = [*unnamed, *(event | {"name": None, "ts": 100 + event["ts"]} for event in unnamed)]
    spread = opened(tmp_path, *events, operator("aten::mm", 500, 501)).show("durations")
    assert spread.select("name", "calls", "total_ns").rows() == [("", 4, 16), ("aten::mm", 1, 1)]


def test_steps_of_a_name(tmp_path: Path) -> None:
    events = [step(i, 100 * i, 100 * i + 90) for i in (1, 2)]
    events += [operator("aten::mm", at, at + length) for at, length in ((110, 5), (120, 7), (210, 30), (395, 4))]
    profile = opened(tmp_path, *events).with_name("aten::mm")
    rows = profile.show("durations", by="step").select("step", "calls", "total_ns").rows()
    assert rows == [(1, 2, 12), (2, 1, 30), (None, 1, 4)]
    (all_of_it,) = profile.show("durations").select("steps", "step_min_ns", "step_max_ns").rows()
    assert all_of_it == (2, 12, 30)


def test_an_area_holds_what_reaches_into_it(tmp_path: Path) -> None:
    profile = opened(tmp_path, *(operator("aten::mm", at, at + 10) for at in (0, 20, 40, 60)))
    found = profile.in_area(25, 60).show("instances").sort("start_ns")
    assert len(found) == 2
    assert found["number"].to_list() == [1, 2]


def test_the_first_rows_hold_the_longest_of_each_name(examples: Path) -> None:
    rows = stepscope.open(examples / "batch_size.slow.pt.trace.json.gz").show("instances")
    names = rows.select("kind", "name").n_unique()
    first = rows.head(names)
    assert first.select("kind", "name").n_unique() == names
    longest = rows.group_by("kind", "name").agg(pl.col("duration_ns").max())
    assert first.select("kind", "name", "duration_ns").sort("kind", "name").equals(longest.sort("kind", "name"))


@pytest.mark.long
def test_durations_sum_to_the_kernels_and_calls_to_the_operators(examples: Path) -> None:
    for path in ("batch_size.slow.pt.trace.json.gz", "ddp4_straggler"):
        profile = stepscope.open(examples / path)
        spread = profile.show("durations")
        kernels = profile.show("kernels").select("name", "calls", "total_ns").sort("name")
        mine = spread.filter(pl.col("kind") == "kernel").select("name", "calls", "total_ns").sort("name")
        assert mine.rows() == kernels.rows()
        operators = profile.show("operators", where="calls > 0").select("name", "calls").sort("name")
        assert (
            spread.filter(pl.col("kind") == "operator").select("name", "calls").sort("name").rows() == operators.rows()
        )
        rows = profile.show("instances").group_by("kind", "name").agg(pl.len(), pl.col("duration_ns").sum())
        both = spread.join(rows, ["kind", "name"])
        assert len(both) == len(spread)
        assert (
            both.select((pl.col("calls") == pl.col("len")) & (pl.col("total_ns") == pl.col("duration_ns")))
            .to_series()
            .all()
        )


def test_other_tables_refuse_a_name(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="cannot limit kernels to one name"):
        opened(tmp_path, operator("aten::mm", 0, 10)).with_name("aten::mm").show("kernels")
