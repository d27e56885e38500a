"""What an operator launched, as rows of the timeline."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from stepscope.timeline import Timeline, open_timeline
from timeline_checks import ask


def launched_ns(timeline: Timeline, operator: str) -> int:
    """Time of what it launched, by where the answer says that it lies."""
    header, columns = ask(timeline, "launched", operator=operator)
    total = 0
    for entry in header["lanes"]:
        part = next(part for part in timeline.parts if 0 <= entry["lane"] - part.first_lane < part.lanes.lanes)
        rows = columns["row"][entry["offset"] :][: entry["count"]]
        assert (rows[1:] > rows[:-1]).all()
        places = part.lanes["lane_first"][entry["lane"] - part.first_lane] + rows.astype(int)
        total += int((part.lanes["end"][places] - part.lanes["start"][places]).sum())
    return total


@pytest.mark.parametrize("name", ["batch_size.slow.pt.trace.json.gz", "ddp4_straggler"])
def test_it_is_what_the_table_counts_as_gpu_total(examples: Path, name: str) -> None:
    """Filtered to an operator, the timeline dimmed the kernels whose time the table of operators counts to it."""
    opened = stepscope.open(examples / name)
    timeline = open_timeline(opened.profile)
    totals = opened.show("operators").select("name", "device_total_ns").drop_nulls()
    totals = totals.filter(~totals["name"].str.starts_with("("))
    assert totals["device_total_ns"].max() > 0
    for operator, total in totals.rows():
        assert launched_ns(timeline, operator) == total, operator
    assert launched_ns(timeline, "no such operator") == 0
