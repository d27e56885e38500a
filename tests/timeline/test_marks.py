"""Occurrences of findings on the timeline: all of the table, each on its event."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from made_ranks import MS, Clock, Compute, Extra, Layout, MadeRanks, data_parallel
from oracles.timeline import all_events
from stepscope.analyses import make_table
from stepscope.timeline import open_timeline
from timeline_checks import ask

RECORDINGS = Path(__file__).parents[1] / "recordings"


@pytest.mark.parametrize("name", ["loader_in_the_main_process", "loader_slow_workers_stacks", "checkpoint"])
def test_each_occurrence_is_marked_on_its_event(name: str) -> None:
    profile = stepscope.open(RECORDINGS / f"{name}.json.gz").profile
    timeline = open_timeline(profile)
    answer = ask(timeline, "marks")
    table = make_table(profile, "occurrences").sort("start_ns", "duration_ns")
    marks = answer["marks"]
    origin = timeline.origin_ns
    ids = [answer["findings"][place]["id"] for place in marks["finding"]]
    told = sorted(zip(ids, marks["step"], marks["start"], marks["end"], strict=True))
    rows = table.select("id", "step", "start_ns", "duration_ns").rows()
    assert told == sorted((one, step, start - origin, start + length - origin) for one, step, start, length in rows)
    lanes = all_events(timeline)
    named = {
        (start - origin, start + length - origin): text
        for start, length, text in table.select("start_ns", "duration_ns", "name").rows()
    }
    for start, end, lane, row in zip(*(marks[column] for column in ("start", "end", "lane", "row")), strict=True):
        if lane >= 0:
            assert lanes[lane][row] == (start, end, named[start, end])
        else:
            assert named[start, end] is None
    assert [one["of"] for one in answer["findings"]] == [
        table.filter(id=one["id"])["of"][0] for one in answer["findings"]
    ]
    assert set(answer["findings"][0]["title"]["text"]) == {"en", "zh"}


@pytest.mark.long
def test_marks_of_ranks_lie_on_the_job_s_clock(tmp_path: Path) -> None:
    late = (Extra(3, Compute(4 * MS, range="extra_work")),)
    made = MadeRanks(data_parallel(Layout(dp=4)), world=4, extras=late, clocks={3: Clock(3_000_000_000)})
    timeline = open_timeline(made.open(tmp_path).profile)
    answer = ask(timeline, "marks")
    straggler = next(i for i, one in enumerate(answer["findings"]) if one["id"] == "straggler")
    mine = [i for i, place in enumerate(answer["marks"]["finding"]) if place == straggler]
    assert len(mine) == answer["findings"][straggler]["of"] > 1
    assert all(0 <= answer["marks"]["start"][i] < answer["marks"]["end"][i] <= timeline.end for i in mine)
