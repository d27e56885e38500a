"""Hardware counters of profiled ranges."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import stepscope
from building import Event, call, opened, operator, rows, step, timed


def profiled(name: str, start: int, end: int, **counters: Any) -> Event:
    return timed("cuda_profiler_range", name, start, end, process=0, thread=0, **counters)


EACH = ("range", "ranges", "metric", "value", "op", "name")


def test_ranges_are_paired_with_launches_in_order_of_time(tmp_path: Path) -> None:
    """The ranges' own times say nothing: they lie behind all launches."""
    profile = opened(
        tmp_path,
        profiled("k2", 600, 700, inst=7),
        profiled("k1", 500, 600, inst=5, **{"dram.sum": 1.5}),
        operator("aten::mm", 0, 10),
        operator("aten::add", 10, 20),
        call(12, 14, 2, name="cuLaunchKernelEx"),
        call(2, 4, 1),
        call(15, 16, 3, name="cudaStreamSynchronize"),
    )
    table = profile.show("counters")
    assert rows(table, *EACH) == [
        (0, 1, "dram.sum", 1.5, "aten::mm", "k1"),
        (0, 1, "inst", 5.0, "aten::mm", "k1"),
        (1, 1, "inst", 7.0, "aten::add", "k2"),
    ]
    assert profile.notes("counters") == []


def test_ranges_of_a_kernel_are_summed(tmp_path: Path) -> None:
    profile = opened(tmp_path, [profiled(f"k{i % 2}", 10 * i, 10 * i + 10, inst=i) for i in range(5)])
    assert rows(profile.show("counters", by="kernel"), *EACH) == [
        (None, 3, "inst", 6.0, None, "k0"),
        (None, 2, "inst", 4.0, None, "k1"),
    ]


def test_ranges_that_cannot_be_paired_say_so(tmp_path: Path) -> None:
    profile = opened(tmp_path, profiled("k1", 500, 600, inst=5), call(0, 1, 1), call(1, 2, 2))
    assert rows(profile.show("counters"), *EACH) == [(0, 1, "inst", 5.0, None, "k1")]
    assert profile.notes("counters") == [
        "rank 0: 1 profiled ranges but 2 kernel launches: they cannot be paired, so no range has an operator"
    ]


def test_values_that_are_no_numbers_are_left_out(tmp_path: Path) -> None:
    profile = opened(tmp_path, profiled("k1", 500, 600, inst="n/a", other=2, nothing=None))
    assert rows(profile.show("counters"), "metric", "value") == [("other", 2.0)]


def test_a_selected_step_shows_its_ranges_under_their_numbers(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, step(1, 0, 10), step(2, 10, 20), profiled("a", 5, 8, inst=1), profiled("b", 15, 18, inst=2)
    )
    assert rows(profile.show("counters", step=2), *EACH) == [(1, 1, "inst", 2.0, None, "b")]


def test_a_recording_without_counters_names_the_option(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10))
    assert len(profile.show("counters")) == 0
    [note] = profile.notes("counters")
    assert "no hardware counters" in note
    assert "profiler_metrics" in note


@pytest.mark.real_trace
def test_counters_of_a_recording_are_those_of_the_file(shared_data: Path) -> None:
    """Values against the file; operators against HTA's, which pairs ranges and launches in the same way."""
    path = shared_data / "public/hta/a100-cupti_profiler_ranges.json.gz"
    events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    ranges = sorted((e for e in events if e.get("cat") == "cuda_profiler_range"), key=lambda e: float(e["ts"]))
    table = stepscope.open(str(path)).show("counters")
    wanted = [
        (number, metric, float(value), event["name"])
        for number, event in enumerate(ranges)
        for metric, value in sorted(event["args"].items())
    ]
    assert rows(table, "range", "metric", "value", "name") == wanted
    reference = json.loads((shared_data / "reference/hta-reference" / path.name.replace(".gz", "")).read_text())
    [frame] = reference["results"]["get_cupti_counter_data_with_operators"]
    paired = [row["bottom_level_op"] for row in sorted(frame["head"], key=lambda row: row["ts"])]
    assert frame["rows"] == len(ranges)
    assert table.unique("range", maintain_order=True)["op"].to_list()[: len(paired)] == paired
