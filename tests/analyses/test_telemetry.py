"""Counters over time: what torch's CUPTI monitor and other writers sample."""

from __future__ import annotations

import json
import math
import random
import statistics
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import Event, kernel, launched, microseconds, opened, operator, rows, step, write
from stepscope.numeric.plan import EARLIEST_NS, LATEST_NS

SHOWN = ("gpu", "counter", "unit", "samples", "mean", "min", "p50", "p95", "max", "interval_ns", "coverage_pct")


def sample(name: str, at: int, value: Any, *, process: Any = "GPU 0 Counters", key: str = "", **members: Any) -> Event:
    """A sample as torch's CUPTI monitor writes it: the series has no name, the event neither category nor thread."""
    return {"ph": "C", "name": name, "pid": process, "ts": microseconds(at), "args": {key: value}} | members


def test_a_row_for_each_gpu_and_counter(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        [sample("Power (W)", at, watts) for at, watts in ((0, 300.5), (20, 310.0), (40, 320.0), (60, 700.0))],
        [sample("SM Active (%)", at, at / 2, process="GPU 1 Counters") for at in range(0, 100, 10)],
        sample("Cycles (Current Kernel)", 5, 123456),
    )
    table = profile.show("telemetry")
    assert rows(table, *SHOWN) == [
        (0, "Cycles (Current Kernel)", "cycles", 1, 123456.0, 123456.0, 123456.0, 123456.0, 123456.0, None, None),
        (0, "Power", "W", 4, 407.625, 300.5, 315.0, 700.0, 700.0, 20, 80.0),
        (1, "SM Active", "%", 10, 22.5, 0.0, 22.5, 45.0, 45.0, 10, 100.0),
    ]
    assert profile.notes("telemetry") == []


def test_a_gpu_is_told_by_name_label_or_category(tmp_path: Path) -> None:
    labels = [
        {"ph": "M", "name": "process_labels", "pid": 7, "args": {"labels": "GPU 3"}},
        {"ph": "M", "name": "process_name", "pid": 8, "args": {"name": "python"}},
    ]
    profile = opened(
        tmp_path,
        operator("a", 0, 10),
        labels,
        sample("a", 1, 1, process="GPU 12 Counters"),
        sample("b", 1, 1, process=7),
        sample("c", 1, 1, process=2, cat="mtia_counters", key="reads"),
        sample("d", 1, 1, process=8, key="bytes"),
        sample("e", 1, 1, process="GPU Counters"),
        sample("f", 1, 1, process="GPU 1 Counters", cat="hardware_counters", tid=4),
    )
    assert rows(profile.show("telemetry"), "gpu", "process", "counter") == [
        (1, "GPU 1 Counters", "f: 4"),
        (2, "2", "c: reads"),
        (3, "7", "b"),
        (12, "GPU 12 Counters", "a"),
        (None, "8", "d: bytes"),
        (None, "GPU Counters", "e"),
    ]


def test_several_series_of_a_counter_are_rows_of_their_own(tmp_path: Path) -> None:
    both = {"ph": "C", "name": "memory (MB)", "pid": 1, "ts": 1, "args": {"used": 3, "free": 5}}
    profile = opened(tmp_path, operator("a", 0, 10), both, both | {"id": 4})
    assert rows(profile.show("telemetry"), "counter", "unit", "mean") == [
        ("memory: free", "MB", 5.0),
        ("memory: free: #4", "MB", 5.0),
        ("memory: used", "MB", 3.0),
        ("memory: used: #4", "MB", 3.0),
    ]


def test_missing_values_are_counted_and_never_zero(tmp_path: Path) -> None:
    values = [5, "nan", None, math.inf, "n/a", {"value": 3}, 7]
    profile = opened(tmp_path, operator("a", 0, 100), [sample("x", 10 * i, value) for i, value in enumerate(values)])
    assert rows(profile.show("telemetry"), "samples", "missing", "mean", "min", "max") == [(2, 5, 6.0, 5.0, 7.0)]


def test_a_gap_is_not_covered(tmp_path: Path) -> None:
    """A sample stands for at most two intervals: 0-30, then 80-100 and the time of one behind the last."""
    moments = [0, 10, 80, 90]
    profile = opened(tmp_path, operator("a", 0, 200), [sample("x", at, 1) for at in moments])
    assert rows(profile.show("telemetry"), "interval_ns", "coverage_pct") == [(10, 25.0)]


def test_selected_steps_show_their_samples(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, step(1, 0, 100), step(2, 100, 200), [sample("x", at, at) for at in (10, 60, 110, 160, 250)]
    )
    shown = ("samples", "mean", "interval_ns", "coverage_pct")
    assert rows(profile.show("telemetry", step=2), *shown) == [(2, 135.0, 50, 100.0)]
    assert rows(profile.show("telemetry"), *shown) == [(5, 118.0, 50, 95.0)]


def test_by_step_each_step_has_a_row_with_or_without_a_sample(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, step(1, 0, 10), step(2, 10, 20), step(3, 20, 30), [sample("x", at, at) for at in (1, 5, 25)]
    )
    table = profile.show("telemetry", by="step")
    assert rows(table, "step", "samples", "mean", "coverage_pct") == [
        (1, 2, 3.0, 90.0),
        (2, 0, None, 30.0),
        (3, 1, 25.0, 40.0),
    ]
    stepped = opened(tmp_path, step(1, 0, 10), step(2, 10, 20), [sample("x", 1, 5)])
    assert stepped.notes("telemetry", by="step") == [
        "1 row has no sample, as of x: the selection is shorter than the sampling interval, or lies outside the samples"
    ]


def test_the_steps_of_a_gpu_are_those_that_the_gpu_sees(tmp_path: Path) -> None:
    """The host runs ahead: what step 1 launched runs until 60, long after its CPU range."""
    moments = range(5, 120, 10)
    profile = opened(
        tmp_path,
        [step(1, 0, 10), launched(kernel("a", 5, 60, 1), 2)],
        [step(2, 10, 20), launched(kernel("b", 60, 110, 2), 12)],
        [sample("SM Active (%)", at, 80 if at < 60 else 20) for at in moments],
        [sample("queue", at, at, process=1) for at in moments],
    )
    columns = ("counter", "step", "samples", "mean")
    assert rows(profile.show("telemetry", by="step"), *columns) == [
        ("SM Active", 1, 6, 80.0),
        ("SM Active", 2, 5, 20.0),
        ("queue", 1, 1, 5.0),
        ("queue", 2, 1, 15.0),
    ]
    assert rows(profile.show("telemetry", step=2), "counter", "mean") == [("SM Active", 20.0), ("queue", 15.0)]


def test_ranks_have_rows_of_their_own(tmp_path: Path) -> None:
    for number in range(3):
        power = [sample("Power (W)", at, 100 * number + at) for at in (0, 10)]
        ranks = {"distributedInfo": {"rank": number, "world_size": 3}}
        write(tmp_path / f"rank{number}.json", operator("a", 0, 20), *power[: 2 * (number != 1)], **ranks)
    table = stepscope.open(tmp_path).show("telemetry")
    assert rows(table, "rank", "samples", "mean") == [(0, 2, 5.0), (2, 2, 205.0)]


def test_a_recording_without_counters_says_what_records_them(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("k", 0, 10))
    assert len(profile.show("telemetry")) == 0
    [note] = profile.notes("telemetry")
    assert "no counters over time" in note
    assert "torch >= 2.13" in note
    assert '"enable_environment_counters": true' in note


def test_times_at_both_ends_of_the_clock_do_no_harm(tmp_path: Path) -> None:
    ends = [EARLIEST_NS, -1, 0, LATEST_NS]
    profile = opened(tmp_path, operator("a", 0, 10), [sample("x", at, 1e308) for at in ends])
    assert rows(profile.show("telemetry"), "samples", "mean", "max") == [(4, None, 1e308)]


samples = st.lists(
    st.tuples(
        st.sampled_from(["Power (W)", "x"]),
        st.sampled_from(["GPU 0 Counters", "GPU 1 Counters", 7]),
        st.integers(0, 300),
        st.floats(-1e6, 1e6) | st.sampled_from([None, "nan", math.nan]),
    ),
    min_size=1,
    max_size=25,
)


def _expected(path: Path, first: int, last: int) -> dict[tuple[Any, str], list[float]]:
    """Values by process and name of the samples from first to last ns, by Python's own JSON reader."""
    found: dict[tuple[Any, str], list[float]] = {}
    for event in json.loads(path.read_text())["traceEvents"]:
        if event["ph"] == "C":
            values = found.setdefault((str(event["pid"]), event["name"].removesuffix(" (W)")), [])
            value = event["args"][""]
            if first <= round(event["ts"] * 1000) < last and isinstance(value, float) and math.isfinite(value):
                values.append(value)
    return found


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(samples, st.integers())
def test_any_samples_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, made: list[tuple[str, Any, int, Any]], seed: int
) -> None:
    folder = tmp_path_factory.mktemp("telemetry")
    events = [sample(name, at, value, process=process) for name, process, at, value in made]
    profile = opened(folder, step(1, 0, 100), step(2, 100, 200), events)
    for selected, first, last in ((None, 0, 301), (2, 100, 200)):
        table = profile.show("telemetry", step=selected)
        expected = _expected(Path(profile.profile.paths[0]), first, last)
        assert {row[:2]: row[2] for row in rows(table, "process", "counter", "samples")} == {
            key: len(values) for key, values in expected.items()
        }
        for row in table.iter_rows(named=True):
            values = expected[row["process"], row["counter"]]
            if values:
                assert row["mean"] == pytest.approx(statistics.fmean(values), abs=1e-6)
                assert (row["min"], row["max"]) == (min(values), max(values))
                assert row["p50"] == pytest.approx(statistics.median(values), abs=1e-6)
                assert row["p95"] in values
    random.Random(seed).shuffle(events)
    again = stepscope.open(opened(folder, events, step(1, 0, 100), step(2, 100, 200)).profile.paths[0])
    assert again.show("telemetry").equals(profile.show("telemetry"))
    assert again.show("telemetry", by="step").equals(profile.show("telemetry", by="step"))
