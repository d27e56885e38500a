"""Ranks side by side: one clock for all, and links between the kernels of a collective."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stepscope
from made_ranks import MS, Clock, Compute, Extra, Layout, MadeRanks, data_parallel
from stepscope.analyses import make_table
from stepscope.analyses.ranks.job_clock import job_clock
from stepscope.answers.columns import with_offsets
from stepscope.messages import Message
from stepscope.store import preparing
from stepscope.timeline.answers import ANSWERS
from stepscope.timeline.binary_format import unframe
from stepscope.timeline.lane_cache import KEPT_FILES, keep_lanes
from stepscope.timeline.timeline import Timeline, open_timeline

AHEAD = 3_000_000_000
"""By how much the second machine's clock is ahead."""


@pytest.fixture(scope="module")
def made() -> MadeRanks:
    """Two machines of two ranks; the last rank is late in every step."""
    late = (Extra(3, Compute(4 * MS, range="extra_work")),)
    return MadeRanks(data_parallel(Layout(dp=4)), world=4, extras=late, clocks={2: Clock(AHEAD), 3: Clock(AHEAD)})


@pytest.fixture(scope="module")
def profile(made: MadeRanks, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return made.open(tmp_path_factory.mktemp("ranks")).profile


@pytest.fixture(scope="module")
def timeline(profile: Any) -> Timeline:
    return open_timeline(profile)


def ask(timeline: Timeline, question: str, **parameters: object) -> Any:
    return ANSWERS[question](timeline, {name: str(value) for name, value in parameters.items()})


def kernels(timeline: Timeline, rank: int) -> list[dict[str, Any]]:
    """Where the communication kernels of a rank lie, by start."""
    tracks = [track for track in ask(timeline, "tracks")["tracks"] if track["kind"] == "stream"]
    first = {track["first_lane"]: track["depths"] for track in tracks if track["rank"] == rank}
    lanes = ",".join(f"{lane}-{lane + depths - 1}" for lane, depths in first.items())
    header, cells = unframe(ask(timeline, "window", t0=-MS, t1=10**9, px=10**9, lanes=lanes))
    lane_of = np.repeat([lane["lane"] for lane in header["lanes"]], [lane["count"] for lane in header["lanes"]])
    found = [
        {"lane": int(lane), "row": int(row), "start": start}
        for lane, row, start, name in zip(lane_of, cells["first"], cells["start"], cells["name"], strict=True)
        if "nccl" in timeline.names[name]
    ]
    return sorted(found, key=lambda one: one["start"])


def test_kernels_of_all_ranks_lie_where_they_truly_ran(made: MadeRanks, timeline: Timeline) -> None:
    for rank in range(4):
        true = sorted(call.arrivals[rank] for call in made.calls)
        found = [one["start"] for one in kernels(timeline, rank)]
        begin = min(call.arrivals[0] for call in made.calls) - kernels(timeline, 0)[0]["start"]
        assert len(found) == len(true)
        assert max(abs(at - begin - start) for at, start in zip(true, found, strict=True)) <= 50_000


def test_the_timeline_is_as_long_as_the_job(timeline: Timeline, profile: Any) -> None:
    clock = job_clock(profile)
    assert clock.shifts.keys() == {2, 3}
    assert all(abs(shift - AHEAD) <= 50_000 for shift in clock.shifts.values())
    assert timeline.origin_ns == clock.begin_ns
    assert timeline.end == clock.end_ns - clock.begin_ns < AHEAD / 10
    assert profile.span[1] - profile.span[0] > AHEAD


def test_a_kernel_is_linked_to_those_of_the_other_ranks(made: MadeRanks, timeline: Timeline) -> None:
    for number, (one, call) in enumerate(zip(kernels(timeline, 0), made.calls, strict=True)):
        flows = [flow for flow in ask(timeline, "flows", **one)["flows"] if flow["kind"] == "collective"]
        assert len(flows) == 3
        lasts = [flow for flow in flows if flow["last"]]
        told = ask(timeline, "event", **one)["collective"]
        assert (told["ranks"], told["matched"], len(told["partners"])) == (4, 4, 3)
        if call.last == 0:
            assert lasts == flows
            assert {flow["to"]["start"] for flow in flows} == {one["start"]}
        else:
            assert [flow["from"]["start"] for flow in lasts] == [one["start"]]
            assert told["last_rank"] == told["partners"][0]["rank"] == call.last, number
            assert abs(told["wait_ns"] - (max(call.arrivals.values()) - call.arrivals[0])) <= 50_000
        assert told["wait_ns"] + told["transfer_ns"] == call.ends[0] - call.arrivals[0]


def test_a_launch_is_linked_like_its_kernel(timeline: Timeline) -> None:
    kernel = kernels(timeline, 1)[2]
    launch = ask(timeline, "event", **kernel)["links"]["launch"]
    told = [ask(timeline, "event", lane=one["lane"], row=one["row"])["collective"] for one in (kernel, launch)]
    assert told[0] == told[1]
    flows = ask(timeline, "flows", lane=launch["lane"], row=launch["row"])
    assert [flow["kind"] for flow in flows["flows"]] == ["launch", *["collective"] * 3]
    assert flows["total"] == 4


def test_a_kernel_says_where_it_is(timeline: Timeline) -> None:
    for rank in range(4):
        one = kernels(timeline, rank)[-1]
        told = ask(timeline, "event", **one)
        launch = ask(timeline, "event", **{name: told["links"]["launch"][name] for name in ("lane", "row")})
        assert (told["rank"], told["on"]["device"], told["on"]["kind"]) == (rank, 0, "stream")
        assert told["step"] == launch["step"] is not None
        assert launch["on"]["title"] == Message("lane-main")
        assert told["unmatched"] is launch["unmatched"] is None


@pytest.mark.parametrize(("number", "why"), [(0, "early"), (3, "differs"), (-1, "late")])
def test_a_collective_without_a_partner_says_why(tmp_path: Path, number: int, why: str) -> None:
    """One call was written by rank 1 alone; nobody said why nothing was found on the others."""
    whole = MadeRanks(data_parallel(Layout(dp=3)), world=3, steps=2, described=False)
    at = range(len(whole.calls))[number]
    some = replace(whole, dropped=frozenset({(0, at), (2, at)}))
    timeline = open_timeline(some.open(tmp_path).profile)
    told = [ask(timeline, "event", **one)["unmatched"] for one in kernels(timeline, 1)]
    assert told[at] == {"ranks": [0, 2], "why": why}
    assert [one for i, one in enumerate(told) if i != at] == [None] * (len(told) - 1)


def test_the_next_of_a_name_is_the_next_on_the_clock_of_the_job(timeline: Timeline) -> None:
    at = kernels(timeline, 0)[0]
    code = ask(timeline, "search", q="nccl")["names"][0]["code"]
    seen = []
    while at is not None:
        seen.append((at["start"], at["lane"]))
        at = ask(timeline, "next", code=code, lane=at["lane"], row=at["row"], direction=1)["place"]
    assert len({lane for _, lane in seen}) == 4
    assert [start for start, _ in seen] == sorted(start for start, _ in seen)
    assert len(seen) == len(set(seen)) >= 4


def test_moments_of_tables_are_those_of_the_timeline(profile: Any, timeline: Timeline) -> None:
    frame = make_table(profile, "steps")
    shown = with_offsets(frame, job_clock(profile))
    for rank, step, start in shown.select("rank", "step", "start_ns").iter_rows():
        places = ask(timeline, "places", kind="annotation", name=f"ProfilerStep#{step}")["places"]
        assert start in {place["start"] for place in places}, (rank, step)
    assert shown["start_ns"].max() < AHEAD / 10
    assert shown.drop("start_ns", "device_end_ns").equals(frame.drop("start_ns", "device_end_ns"))


def test_an_area_counts_the_same_moments_on_all_ranks(timeline: Timeline) -> None:
    facts = ask(timeline, "area", t0=0, t1=timeline.end)
    assert [one["rank"] for one in facts["ranks"]] == [0, 1, 2, 3]
    assert all(one["communication_ns"] > 0 for one in facts["ranks"])


def test_one_rank_is_on_its_own_clock(made: MadeRanks, tmp_path: Path) -> None:
    profile = made.open(tmp_path).profile
    alone = stepscope.open(profile.ranks[3].source).profile
    assert job_clock(alone).shifts == {}
    timeline = open_timeline(alone)
    assert timeline.origin_ns == alone.span[0]
    event = kernels(timeline, 3)[0]
    assert ask(timeline, "event", **event)["collective"] is None
    assert {flow["kind"] for flow in ask(timeline, "flows", **event)["flows"]} == {"launch"}


@pytest.mark.long
def test_lanes_made_in_another_process_are_those_made_here(made: MadeRanks, tmp_path: Path) -> None:
    """Of 64 ranks the first timeline took seconds on one core."""
    profile = made.open(tmp_path).profile
    here = open_timeline(profile)
    kept = [file(rank) for rank in profile.ranks for file in KEPT_FILES]
    first = [file.read_bytes() for file in kept]
    for file in kept:
        file.unlink()
    for rank in profile.ranks:
        preparing.prepare_stored(
            preparing._Stored(rank.number, rank.trace.folder, rank.source, rank.origin, keep_lanes)
        )
    assert [file.read_bytes() for file in kept] == first
    again = open_timeline(stepscope.open(tmp_path).profile)
    assert (again.lanes, again.end, again.names) == (here.lanes, here.end, here.names)
