"""Checks of counters over time, and of events that no table reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from building import Event, check, opened, operator


def sample(name: str, value: Any, process: Any = "GPU 0 Counters") -> Event:
    return {"ph": "C", "name": name, "pid": process, "ts": 1, "args": {"": value}}


def test_samples_are_counted(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("a", 0, 10),
        [sample("Power (W)", watts, f"GPU {gpu} Counters") for gpu in (0, 1) for watts in (1, 2.5)],
    )
    assert check(profile, "counters") == (
        "ok",
        "4",
        "2 counters sampled over time on 2 GPUs (table telemetry, timeline)",
    )
    assert check(opened(tmp_path, operator("a", 0, 10)), "counters") is None


def test_samples_without_a_value_or_a_time_are_named(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("a", 0, 10),
        sample("Power (W)", "nan"),
        sample("Power (W)", None),
        sample("Fan Speed (%)", "inf"),
        sample("Fan Speed (%)", 30),
        {"ph": "C", "name": "empty", "pid": 1, "ts": 1, "args": {}},
        sample("late", 1, 1) | {"ts": "soon"},
    )
    found = check(profile, "counters")
    assert found is not None
    assert found[:2] == ("warning", "6")
    assert found[2] == (
        "2 counters sampled over time on 1 GPU (table telemetry, timeline), 3 samples without a finite value, as of "
        "Power, shown as missing, and 2 samples without a valid time or without any value, in no table"
    )


def test_sampling_of_the_hardware_is_said_to_change_the_clocks(tmp_path: Path) -> None:
    for name in ("SM Active (%)", "NVLink RX", "sm__throughput.avg.pct_of_peak_sustained_elapsed"):
        found = check(opened(tmp_path, operator("a", 0, 10), sample(name, 1)), "counters")
        assert found is not None
        assert found[2].endswith(
            "sampling SM and memory activity can lock the GPU clocks, so kernels may not take the time that they take "
            "without it"
        )


def test_events_that_no_table_reads_are_counted_with_an_example(tmp_path: Path) -> None:
    """Marks of the profiler's own are known."""
    place = {"pid": 1, "tid": 1, "ts": 1}
    profile = opened(
        tmp_path,
        operator("a", 0, 10),
        {"ph": "i", "name": "Record Window End", **place},
        {"ph": "i", "name": "Iteration Start: PyTorch Profiler", **place},
        {"ph": "b", "name": "request", "cat": "serving", "id": 1, **place},
        {"ph": "e", "name": "request", "cat": "serving", "id": 1, **place},
        {"ph": "i", "name": "alarm", **place},
    )
    assert check(profile, "unread_events") == (
        "warning",
        "3",
        "events of other kinds than X kept but not analysed, of phase b, e, i, for example alarm",
    )
    assert check(opened(tmp_path, operator("a", 0, 10)), "unread_events") is None
