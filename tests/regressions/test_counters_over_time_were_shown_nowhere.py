"""Counters that torch's CUPTI monitor writes into traces were shown nowhere, without a word.

Seen in a trace of the form that torch 2.13 writes: `health` said that nothing was damaged or unknown. Counter events
lay in the table `other` of the store, their values as texts among the extras, and the check of unknown categories
looked at timed events only.
"""

from __future__ import annotations

from pathlib import Path

from building import Event, check, kernel, opened, rows


def sample(name: str, at: float, value: float) -> Event:
    return {"ph": "C", "name": name, "pid": "GPU 0 Counters", "ts": at, "args": {"": value}}


def test_counters_of_a_gpu_are_a_table_and_counted(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        kernel("gemm", 0, 10_000),
        [sample("Power (W)", at, 312.5 + at) for at in (0, 5)],
        sample("SM Active (%)", 0, 63.25),
    )
    assert rows(profile.show("telemetry"), "gpu", "counter", "unit", "samples", "mean") == [
        (0, "Power", "W", 2, 315.0),
        (0, "SM Active", "%", 1, 63.25),
    ]
    found = check(profile, "counters")
    assert found is not None
    assert found[:2] == ("ok", "3")
