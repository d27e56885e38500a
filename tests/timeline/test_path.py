"""The critical path on the timeline: exact, on the lanes of its events, and across ranks."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import stepscope
from building import call, kernel, launched, opened, operator, step
from building.snapshots import random_history
from made_ranks import MS, Clock, Compute, Extra, Layout, MadeRanks, data_parallel
from oracles.timeline import all_events, opened_timeline
from stepscope.analyses import make_table
from stepscope.errors import BadRequest
from stepscope.timeline import open_timeline
from stepscope.timeline.path_answer import MOST_STEPS, change_of
from stepscope.timeline.typical_paths import typical_paths
from timeline_checks import EVER, ask

FINE = 1 << 16


def pieces(answer: dict[str, Any]) -> list[dict[str, Any]]:
    columns = answer["pieces"]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [{**row, "text": answer["names"][row["name"]], "change": answer["changes"][row["name"]]} for row in rows]


def test_each_piece_lies_in_its_event_and_says_what_let_it_begin(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 1000),
        operator("aten::mm", 100, 300),
        launched(kernel("gemm", 320, 600, 1), 200),
        launched(kernel("relu", 602, 700, 2), 250),
        call(400, 720, 9, name="cudaStreamSynchronize"),
        operator("aten::add", 800, 950),
    )
    timeline = opened_timeline(profile)
    answer = ask(timeline, "path", t0=0, t1=1000, px=FINE)
    found = pieces(answer)
    lanes = all_events(timeline)
    for one in found:
        if one["row"] >= 0 and one["kind"] in ("compute", "operator", "runtime"):
            begin, end, text = lanes[one["lane"]][one["row"]]
            assert text == one["text"]
            assert begin <= one["start"] < one["end"] <= end
    assert found[0]["start"] == 0
    assert found[-1]["end"] == 1000 == answer["total_ns"]
    assert all(one["end"] == other["start"] for one, other in pairwise(found))
    said = {(one["text"], one["kind"]): one["handover"] for one in found}
    assert said["gemm", "compute"] == "launch"
    assert said["relu", "compute"] == "stream"
    assert said["cudaStreamSynchronize", "sync_return"] == "wait"
    assert found[0]["handover"] == "begin"
    changes = {one["text"]: one["change"] for one in found}
    assert changes["gemm"] == "kernel:gemm x0.5"
    assert changes["aten::add"] == "op:aten::add x0.5"


@pytest.mark.parametrize("name", ["batch_size.slow.pt.trace.json.gz", "launch_bound_decode.fixed.pt.trace.json.gz"])
def test_the_path_of_a_rank_is_the_table_s(examples: Path, name: str) -> None:
    profile = stepscope.open(examples / name).profile
    answer = ask(open_timeline(profile), "path", t0=-EVER, t1=EVER, px=1, step="1:20")
    table = make_table(profile, "critical_path", by="kind")
    told = {part["kind"]: (part["duration_ns"], part["count"]) for part in answer["parts"]}
    assert told == {kind: (ns, count) for kind, ns, count in table.select("kind", "duration_ns", "count").rows()}
    assert answer["total_ns"] == table["duration_ns"].sum()


def test_zoomed_out_there_are_few_pieces_for_each_pixel(examples: Path) -> None:
    timeline = open_timeline(stepscope.open(examples / "batch_size.slow.pt.trace.json.gz").profile)
    exact = ask(timeline, "path", t0=0, t1=timeline.end, px=FINE)
    coarse = ask(timeline, "path", t0=0, t1=timeline.end, px=200)
    assert len(coarse["pieces"]["start"]) <= 2 * 200 + 2 * 4 < exact["count"]
    assert sum(coarse["pieces"]["count"]) == exact["count"] == coarse["count"]
    length = [np.subtract(one["pieces"]["end"], one["pieces"]["start"]).sum() for one in (exact, coarse)]
    assert length == [exact["total_ns"]] * 2
    half = ask(timeline, "path", t0=timeline.end // 2, t1=timeline.end // 2 + 1, px=1)
    assert len(half["pieces"]["start"]) <= 1


def test_more_steps_than_are_drawn_are_said(tmp_path: Path) -> None:
    events = [step(n, 1000 * n, 1000 * n + 900) for n in range(1, MOST_STEPS + 2)]
    timeline = opened_timeline(opened(tmp_path, *events, operator("aten::mm", 1000, 1200)))
    assert ask(timeline, "path", t0=0, t1=10**9, px=10)["state"] == "too_many"
    assert ask(timeline, "path", t0=0, t1=10**9, px=10, step="2:3")["steps"] == [2, 3]
    seen = ask(timeline, "path", t0=0, t1=500, px=10)
    assert seen["state"] == "ok"
    assert seen["steps"] == [1, 1]
    assert ask(timeline, "path", t0=10**8, t1=10**9, px=10)["state"] == "none"
    with pytest.raises(BadRequest):
        ask(timeline, "path", t0=0, t1=500, px=10, rank=7)


def test_the_path_in_sight_is_shown_below_a_later_step_of_the_host(tmp_path: Path) -> None:
    """With a straggler no path was in sight where the GPU worked on step 3 and the host was in step 4.

    The steps were those whose host ranges the window shows.
    """
    work = (launched(kernel("gemm", 500, 1800, 1), 200), launched(kernel("relu", 1900, 2000, 2), 1100))
    timeline = opened_timeline(opened(tmp_path, step(1, 0, 1000), step(2, 1000, 2000), *work))
    for window, steps in (((1100, 1400), [1, 1]), ((1100, 1900), [1, 2]), ((1850, 1950), [2, 2])):
        assert ask(timeline, "path", t0=window[0], t1=window[1], px=10)["steps"] == steps


@pytest.fixture(scope="module", params=[0, 3_000_000_000], ids=["one clock", "two machines"])
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Four ranks, the last of which works longer in every step."""
    late = (Extra(3, Compute(4 * MS, range="extra_work")),)
    clocks = {2: Clock(request.param), 3: Clock(request.param)} if request.param else {}
    made = MadeRanks(data_parallel(Layout(dp=4)), world=4, extras=late, clocks=clocks)
    return open_timeline(made.open(tmp_path_factory.mktemp("ranks")).profile)


def test_the_path_of_a_job_goes_to_the_rank_that_the_others_wait_for(job: Any) -> None:
    answer = ask(job, "path", t0=0, t1=job.end, px=FINE)
    assert answer["rank"] is None
    found = pieces(answer)
    frame = pl.DataFrame([{"step": one["step"], "rank": one["rank"], "ns": one["end"] - one["start"]} for one in found])
    share = frame.group_by("rank").agg(pl.col("ns").sum())
    assert share.sort("ns")["rank"].to_list()[-1] == 3
    assert frame["ns"].sum() == answer["total_ns"]
    for (number,), mine in pl.DataFrame(found, infer_schema_length=None).group_by("step"):
        mine = mine.sort("start")
        assert (mine["end"][:-1] == mine["start"][1:]).all(), number
    assert {one["handover"] for one in found} >= {"begin"}
    waiting = [one for one in found if one["handover"] == "collective"]
    assert all(one["kind"] == "communication" for one in waiting)


def test_no_piece_of_a_job_s_path_waits_for_another_rank(job: Any) -> None:
    """An oracle: no collective on the path begins before its last rank arrived, but for what clocks are unsure of."""
    from stepscope.analyses.ranks.waiting import shared_calls

    origin = {part.rank: part.origin(job.origin_ns) for part in job.parts}
    arrived: dict[tuple[int, int], int] = {}
    calls = shared_calls(job.profile)
    at = {row["rank"]: i for i, row in enumerate({"rank": rank.number} for rank in job.profile.ranks)}
    for call_ in calls.iter_rows(named=True):
        mine = calls.filter(collective=call_["collective"])
        last = max(row["start_ns"] - origin[at[row["rank"]]] for row in mine.iter_rows(named=True))
        arrived[call_["rank"], call_["end_ns"] - origin[at[call_["rank"]]]] = last
    for one in pieces(ask(job, "path", t0=0, t1=job.end, px=FINE)):
        last = arrived.get((one["rank"], one["end"]))
        if one["kind"] == "communication" and last is not None:
            assert one["start"] >= last - 100_000


def test_a_rank_that_is_asked_for_has_its_own_path(job: Any) -> None:
    answer = ask(job, "path", t0=0, t1=job.end, px=FINE, rank=1)
    assert answer["rank"] == 1
    assert set(answer["pieces"]["rank"]) == {1}


def test_without_joined_clocks_the_first_rank_s_path_is_shown_and_said(tmp_path: Path) -> None:
    from building import write

    for rank in range(2):
        write(tmp_path / f"rank{rank}.json", step(1, 0, 900), operator("aten::mm", 100, 200))
    answer = ask(open_timeline(stepscope.open(tmp_path).profile), "path", t0=0, t1=1000, px=10)
    assert answer["rank"] == 0
    assert answer["notes"][0]["id"] == "path-of-one-rank"


def test_memory_snapshots_have_no_path(tmp_path: Path) -> None:
    """Their steps are counted, but nothing is drawn that a path could lie on."""
    for rank in range(2):
        random_history(rank, 600).write(tmp_path / f"rank{rank}_snapshot.pickle")
    assert typical_paths(stepscope.open(tmp_path).profile) == []


@pytest.mark.parametrize(
    ("kind", "name", "change"),
    [
        ("runtime", "cudaLaunchKernel", "cuda-graph"),
        ("runtime", "cudaStreamSynchronize", "no-sync"),
        ("runtime", "cudaMalloc", "host:cudaMalloc x0.5"),
        ("data_loading", "enumerate(DataLoader)#1", "no-data-wait"),
        ("unknown", "", ""),
        ("other", "", ""),
        ("operator", "{0}", "op:{0} x0.5"),
    ],
)
def test_the_change_that_shortens_a_piece(kind: str, name: str, change: str) -> None:
    assert change_of(kind, name) == change
