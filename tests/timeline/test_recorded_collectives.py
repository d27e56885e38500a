"""Collectives that flight recorders hold are on the timeline: a track for each process group of each rank."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from building import operator, write
from building.hangs import SECOND, START_NS, MadeJob, one_left
from oracles.timeline import cells
from stepscope.messages.rendering import render
from stepscope.store.opening import open_profile
from stepscope.timeline import Timeline, open_timeline
from stepscope.timeline.kinds import KINDS
from timeline_checks import ask, check_timeline

RECORDED = Path(__file__).resolve().parent.parent / "readers" / "recorded_dumps"
TIMES = ("time_created_ns", "time_discovered_started_ns", "time_discovered_completed_ns")

Shown = tuple[int, int, str, str]
"""Start and end in ns since 1970, name, kind."""


def opened(folder: Path) -> Timeline:
    return open_timeline(open_profile(str(folder)))


def shown(timeline: Timeline) -> dict[tuple[int, str], list[Shown]]:
    """Events by rank and title of their track, by start."""
    by_lane = defaultdict(list)
    for cell in cells(timeline, -(1 << 63), 1 << 63, 1 << 70)[1]:
        times = cell.start + timeline.origin_ns, cell.end + timeline.origin_ns
        by_lane[cell.lane].append((*times, cell.name, KINDS[cell.kind]))
    return {
        (track["rank"], render(track["title"])): sorted(
            event
            for lane in range(track["first_lane"], track["first_lane"] + track["depths"])
            for event in by_lane[lane]
        )
        for track in timeline.answer_tracks()["tracks"]
    }


def held(job: MadeJob, ranks: set[int] | None = None) -> dict[tuple[int, str], list[Shown]]:
    """What the dumps hold, entry by entry."""
    mine = {rank: entries for rank, entries in job.entries.items() if ranks is None or rank in ranks}
    every = [entry for entries in mine.values() for entry in entries]
    until = max(entry[name] for entry in every for name in TIMES if entry[name] is not None)
    found: dict[tuple[int, str], list[Shown]] = defaultdict(list)
    for rank, entries in mine.items():
        for entry in entries:
            times = [entry[name] for name in TIMES if entry[name] is not None]
            if not times:
                continue
            start, kind = times[0], "collective"
            if entry["state"] == "completed" or entry["retired"]:
                end = start if entry[TIMES[2]] is None else max(start, entry[TIMES[2]])
            else:
                end = max(start, until)
                kind = "not_started" if entry["state"] == "scheduled" else "unfinished"
            name, description = entry["process_group"]
            title = {"default_pg": "default", "": f"group {name}"}.get(description, description)
            title = title if description == "" else f"{title} ({name})"
            found[rank, title].append((start, end, entry["profiling_name"].partition(":")[2], kind))
    return {key: sorted(events) for key, events in found.items()}


def random_job(dice: random.Random) -> MadeJob:
    job = MadeJob(dice.randrange(1, 6))
    every = range(len(job.entries))
    job.group("7", dice.choice(("tp", "")), sorted(dice.sample(every, dice.randrange(1, len(every) + 1))))
    for _ in range(dice.randrange(1, 40)):
        group = dice.choice(("0", "7"))
        members = job.groups[group][1]
        ranks = dice.sample(members, dice.randrange(len(members) + 1))
        state = dice.choice(("completed", "completed", "completed", "started", "scheduled"))
        odd: dict[str, Any] = {}
        if dice.random() < 0.2:
            odd = {name: None for name in TIMES if dice.random() < 0.5}
        if dice.random() < 0.3 and state == "completed":
            odd[TIMES[2]] = job.now_ns + dice.randrange(20 * SECOND)  # others are called before it has ended
        name = dice.choice(("all_reduce", "_allgather_base", "send 0->1"))
        # A message tells which rank's dump it is in.
        job.call(name, group, members[:1] if name.startswith("send") else ranks, state, **odd)
    job.call(state="completed")
    return job


@pytest.mark.long
@pytest.mark.parametrize("as_json", [False, True])
def test_lanes_and_events_are_what_the_dumps_hold(tmp_path: Path, as_json: bool) -> None:
    for seed in range(12):
        job = random_job(random.Random(seed))
        timeline = opened(job.write(tmp_path / f"{seed}", as_json=as_json))
        found = shown(timeline)
        assert found == held(job)
        times = [time for events in found.values() for event in events for time in event[:2]]
        assert (timeline.origin_ns, timeline.origin_ns + timeline.end) == (min(times), max(times))
        check_timeline(timeline, seed)


def test_tracks_stand_by_rank_and_group(tmp_path: Path) -> None:
    job = MadeJob(2)
    for name in ("10", "9"):
        job.group(name, "tp", [0, 1])
        job.call(group=name)
    job.call()
    tracks = ask(opened(job.write(tmp_path / "dumps")), "tracks")["tracks"]
    assert [(one["rank"], one["title"]["text"]["en"]) for one in tracks] == [
        (rank, title) for rank in (0, 1) for title in ("default (0)", "tp (9)", "tp (10)")
    ]
    assert {(one["section"], one["kind"], one["depths"]) for one in tracks} == {("communication", "process_group", 1)}
    assert tracks[1]["title"]["text"]["zh"] == "tp（9）"


def said(event: dict[str, Any], language: str = "en") -> str:
    return " ".join(one["text"][language] for one in event["said"])


def test_what_did_not_end_ends_with_the_last_record_of_the_job_and_says_so(tmp_path: Path) -> None:
    job = one_left()
    job.call("broadcast", ranks=[0], state="scheduled", line=90)
    timeline = opened(job.write(tmp_path / "dumps"))
    waits, scheduled = (ask(timeline, "event", lane=0, row=row) for row in (3, 4))
    last = START_NS + 5 * SECOND  # the call of rank 0
    assert [one["start"] + one["duration_ns"] + timeline.origin_ns for one in (waits, scheduled)] == [last, last]
    assert (waits["kind"], scheduled["kind"]) == ("unfinished", "not_started")
    assert said(waits).startswith("Not finished up to the last time that any dump of the job holds.")
    assert "Its start was seen 500 ms after the call." in said(waits)
    assert said(scheduled).startswith("Not finished: scheduled, and not started on the GPU")
    assert "watchdog" not in said(scheduled), "it saw nothing"
    assert "未完成" in said(waits, "zh")
    assert "未在 GPU 上开始" in said(scheduled, "zh")
    completed = ask(timeline, "event", lane=0, row=0)
    assert said(completed).startswith(
        "Completed. Its start was seen 500 ms after the call. Its completion was seen 500 ms"
    )


def test_the_details_are_what_the_recorder_wrote(tmp_path: Path) -> None:
    job = MadeJob(1)
    job.call("reduce", size=(3, 5), line=77, duration_ms=1.5)
    event = ask(opened(job.write(tmp_path / "dumps")), "event", lane=0, row=0)
    assert event["args"] == {
        "process_group": "0",
        "pg_desc": "default_pg",
        "collective_seq_id": 1,
        "p2p_seq_id": 0,
        "op_id": 0,
        "record_id": 0,
        "state": "completed",
        "retired": True,
        "input_sizes": "[[3, 5]]",
        "input_dtypes": "Float",
        "output_sizes": "[[3, 5]]",
        "output_dtypes": "Float",
        "thread_name": "python",
        "duration_ms": 1.5,
        "timeout_ms": 600_000.0,
    }
    assert event["stack"][-1] == {"function": "step", "file": "/home/me/train.py", "line": 77}
    assert (event["parent"], event["children"], event["thread"], event["step"]) == (None, 0, None, None)


def test_a_dump_by_itself_ends_where_it_does(tmp_path: Path) -> None:
    """What is kept of a dump that was opened with others was shown of it alone."""
    job = MadeJob(2)
    job.call(ranks=[0], state="started")
    job.call("broadcast", ranks=[1])
    folder = job.write(tmp_path / "dumps")
    assert shown(opened(folder)) == held(job)
    assert shown(opened(folder / "nccl_trace_rank_0")) == held(job, {0})
    assert shown(opened(folder)) == held(job)


def test_dumps_without_times_are_not_on_it_and_that_is_said(tmp_path: Path) -> None:
    job = MadeJob(2)
    job.call(**dict.fromkeys(TIMES))
    answer = ask(opened(job.write(tmp_path / "none")), "tracks")
    assert (answer["tracks"], answer["end"], answer["left_out"]) == ([], 0, 0)
    expected = "2 collectives of the dumps have no time (time_created_ns) and are not on the timeline"
    assert [note["text"]["en"].partition(";")[0] for note in answer["notes"]] == [expected]
    job.call()
    timeline = opened(job.write(tmp_path / "some"))
    assert shown(timeline) == held(job)
    assert [render(note).partition(";")[0] for note in timeline.answer_tracks()["notes"]] == [expected]


def test_operations_that_were_coalesced_end_with_the_whole(tmp_path: Path) -> None:
    job = MadeJob(1)
    times: dict[str, Any] = dict.fromkeys(TIMES[1:])
    job.call("_allgather_base", state="scheduled", **times)
    job.call("_allgather_base", state="scheduled", again=True, **times)
    job.call("coalesced", again=True)
    job.call("all_reduce", state="scheduled")
    found = shown(opened(job.write(tmp_path / "dumps")))[0, "default (0)"]
    end = START_NS + 2 * SECOND + SECOND // 2
    assert found == [
        (START_NS, end, "_allgather_base", "collective"),
        (START_NS + SECOND, end, "_allgather_base", "collective"),
        (START_NS + 2 * SECOND, end, "coalesced", "collective"),
        (START_NS + 3 * SECOND, START_NS + 3 * SECOND, "all_reduce", "not_started"),
    ]


@pytest.mark.parametrize("name", ["left", "order"])
def test_what_gloo_recorded(name: str) -> None:
    """It says neither when a collective starts nor when it ends: what is done is its call alone."""
    timeline = opened(RECORDED / name)
    found = shown(timeline)
    events = [event for of_track in found.values() for event in of_track]
    assert {kind for *_, kind in events} == {"collective", "unfinished"}
    last = max(end for _, end, *_ in events)
    assert all(end == (start if kind == "collective" else last) for start, end, _, kind in events)
    assert said(ask(timeline, "event", lane=0, row=0)).startswith("Finished. The dump does not say when")
    check_timeline(timeline)


def test_beside_traces_dumps_have_no_track_and_that_is_said(tmp_path: Path) -> None:
    """They may be of hours later: all that was traced would be a line of a pixel."""
    folder = one_left().write(tmp_path / "job", without=[0])
    write(folder / "rank0.json", operator("aten::mm", 100, 200), distributedInfo={"rank": 0, "world_size": 4})
    timeline = opened(folder)
    assert [rank.trace.kind for rank in timeline.profile.ranks] == ["trace", *["flight_recorder"] * 3]
    tracks = ask(timeline, "tracks")
    assert ([one["section"] for one in tracks["tracks"]], tracks["end"], tracks["left_out"]) == (["host"], 100, 0)
    assert "dumps of ranks 1-3 are not on this timeline" in tracks["notes"][0]["text"]["en"]
    one_left().write(folder)
    notes = ask(opened(folder), "tracks")["notes"]
    assert "dumps of ranks 0-3 are not" in notes[0]["text"]["en"], "a dump of the rank that was traced, too"


def peers(timeline: Timeline, lane: int, row: int) -> list[tuple[int, str, int]]:
    """Rank of the same call on others, what became of it, and how much later it was made."""
    found = ask(timeline, "event", lane=lane, row=row)["recorded"]
    assert found["matched"] == len(found["peers"]) + 1
    for peer in found["peers"]:
        there = ask(timeline, "event", lane=peer["lane"], row=peer["row"])
        assert (there["rank"], there["kind"], there["name"]) == (peer["rank"], peer["kind"], peer["name"])
    return [(peer["rank"], peer["kind"], peer["after_ns"]) for peer in found["peers"]]


def of_rank(timeline: Timeline, rank: int, nth: int) -> tuple[int, int]:
    """Lane and row of a rank's nth call."""
    ranks = {
        lane: track["rank"]
        for track in timeline.answer_tracks()["tracks"]
        for lane in range(track["first_lane"], track["first_lane"] + track["depths"])
    }
    own = [cell for cell in cells(timeline, -(1 << 63), 1 << 63, 1 << 70)[1] if ranks[cell.lane] == rank]
    cell = sorted(own, key=lambda one: one.start)[nth]
    return cell.lane, cell.first


def test_a_collective_leads_to_the_same_one_on_the_other_ranks(tmp_path: Path) -> None:
    job = one_left()
    job.call("broadcast", ranks=[0], state="scheduled", line=90)
    timeline = opened(job.write(tmp_path / "dumps"))
    assert peers(timeline, 0, 1) == [(1, "collective", 1), (2, "collective", 2), (3, "collective", 3)]
    assert said(ask(timeline, "event", lane=0, row=1)).endswith("Ranks 0-3 finished it.")
    assert peers(timeline, 2, 3) == [(0, "unfinished", -1), (2, "unfinished", 1)]
    waits = ask(timeline, "event", lane=2, row=3)
    assert said(waits).endswith("Rank 3 never entered it. Ranks 0-2 entered it and did not finish it.")
    assert said(waits, "zh").endswith("rank 3 从未进入此次通信。 rank 0-2 已进入此次通信，但未完成。")
    alone = ask(timeline, "event", lane=0, row=4)
    assert alone["recorded"] == {"matched": 1, "peers": []}
    assert said(alone).endswith("Ranks 1-3 never entered it. Rank 0 entered it and did not finish it.")
    flows = ask(timeline, "flows", lane=2, row=3)
    # From the earlier call to the later one; the last one's is marked.
    places = [(one["from"]["lane"], one["to"]["lane"], one["last"]) for one in flows["flows"]]
    assert (places, flows["total"]) == ([(0, 2, False), (2, 3, True)], 2)


def test_ranks_without_the_record_are_named_by_what_is_known(tmp_path: Path) -> None:
    """Of one no dump is here, of another the record may have been overwritten."""
    job = MadeJob(4)
    for _ in range(3):
        job.call()
    job.call(ranks=[0], state="started")
    del job.entries[2][:]
    job.now_ns += SECOND
    job.call("broadcast", "0", ranks=[2])
    for entry in job.entries[2]:
        entry["record_id"] += 7
        entry["collective_seq_id"] = 2
    timeline = opened(job.write(tmp_path / "dumps", without=[3]))
    text = said(ask(timeline, "event", lane=0, row=3))
    assert "Rank 1 never entered it. Rank 0 entered it and did not finish it." in text
    assert "Rank 3 has no dump here, so whether it entered is not known." in text
    assert text.endswith("Rank 2 may have entered it: what the dump holds begins later.")


def test_messages_are_paired_by_counting_them(tmp_path: Path) -> None:
    job = MadeJob(3)
    for _ in range(2):
        job.call("send 0->2", ranks=[0])
        job.call("send 0->1", ranks=[0], state="started")
        job.call("recv 1<-0", ranks=[1])
    job.call("send 0->1", ranks=[0], state="started")
    timeline = opened(job.write(tmp_path / "dumps"))
    assert peers(timeline, *of_rank(timeline, 0, 1)) == [(1, "collective", SECOND + 1)]
    assert peers(timeline, *of_rank(timeline, 1, 1)) == [(0, "unfinished", -SECOND - 1)]
    (lane, row) = of_rank(timeline, 0, 4)
    assert said(ask(timeline, "event", lane=lane, row=row)).endswith(
        "Rank 1 never entered it. Rank 0 entered it and did not finish it."
    )
    (lane, row) = of_rank(timeline, 0, 0)
    assert said(ask(timeline, "event", lane=lane, row=row)).endswith("Rank 2 never entered it. Rank 0 finished it.")
    for entry in (*job.entries[0], *job.entries[1]):
        entry["record_id"] += 9
    later = opened(job.write(tmp_path / "overwritten"))
    (lane, row) = of_rank(later, 1, 1)
    done = ask(later, "event", lane=lane, row=row)
    assert (done["recorded"], len(done["said"])) == (None, 2), "which send it is of may have been overwritten"
    assert peers(later, *of_rank(later, 0, 1)) == []


def test_coalesced_operations_lead_to_those_in_the_same_place(tmp_path: Path) -> None:
    job = MadeJob(2)
    job.call("_allgather_base")
    job.call("_reduce_scatter_base", again=True)
    job.call("coalesced", again=True)
    timeline = opened(job.write(tmp_path / "dumps"))
    assert [ask(timeline, "event", lane=0, row=row)["recorded"]["peers"][0]["name"] for row in range(3)] == [
        *("_allgather_base", "_reduce_scatter_base", "coalesced")
    ]


@pytest.mark.long
def test_ways_to_other_ranks_lead_back(tmp_path: Path) -> None:
    for seed in range(6):
        job = random_job(random.Random(seed))
        timeline = opened(job.write(tmp_path / f"{seed}"))
        for cell in cells(timeline, -(1 << 63), 1 << 63, 1 << 70)[1]:
            event = ask(timeline, "event", lane=cell.lane, row=cell.first)
            for peer in (event["recorded"] or {"peers": []})["peers"]:
                back = ask(timeline, "event", lane=peer["lane"], row=peer["row"])["recorded"]["peers"]
                assert [event["lane"], event["row"]] in [[one["lane"], one["row"]] for one in back]
