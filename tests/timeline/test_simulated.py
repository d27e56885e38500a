"""The simulated step on the timeline: its ends are those of what-if, its pieces lie on the lanes of their events."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stepscope
from building import annotation, call, kernel, opened, operator, step
from oracles.timeline import all_events, opened_timeline
from simulated_steps import STEP, gpu_bound_steps
from stepscope.analyses.simulation.changes import parse_change
from stepscope.analyses.simulation.changes.waiting import FETCH_NS
from stepscope.errors import BadRequest
from stepscope.findings.what_if import what_if
from stepscope.timeline import Timeline, open_timeline
from stepscope.timeline.kinds import KINDS
from stepscope.timeline.simulated_step import simulated as every_piece
from timeline_checks import EVER, ask

FINE = 1 << 16
LOADING = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"


def simulated(timeline: Timeline, *changes: str, px: int = FINE, **asked: object) -> Any:
    window = {"t0": 0, "t1": timeline.end, "px": px}
    return ask(timeline, "simulated", changes=json.dumps(changes), **{**window, **asked})


def pieces(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Each piece, with times from the begin of the step and its name."""
    columns = answer["pieces"]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    begin = answer["begin"]
    return [
        {**row, "text": answer["names"][row["name"]], "from": row["start"] - begin, "to": row["end"] - begin}
        for row in rows
    ]


@pytest.fixture(scope="module")
def gpu_bound(tmp_path_factory: pytest.TempPathFactory) -> Timeline:
    return opened_timeline(opened(tmp_path_factory.mktemp("gpu"), *gpu_bound_steps()))


def loading_steps(folder: Path, steps: int) -> Timeline:
    """Each step loads for 0.4 ms, launches 0.1 ms of work and waits for it until 0.7 ms."""
    events = []
    for n in range(steps):
        at, number = n * STEP, 2 * n + 1
        events += [
            step(n, at, at + STEP),
            annotation(LOADING, at + 1_000, at + 401_000),
            operator("aten::item", at + 500_000, at + 710_000),
            call(at + 590_000, at + 595_000, number),
            kernel(f"k{n}", at + 600_000, at + 700_000, number),
            call(at + 600_000, at + 705_000, number + 1, name="cudaStreamSynchronize"),
        ]
    return opened_timeline(opened(folder, *events))


def test_the_gpu_s_pieces_follow_one_another_as_they_would_run(gpu_bound: Timeline) -> None:
    answer = simulated(gpu_bound, "kernel:a x0.5")
    ran = [(one["text"], one["from"], one["to"]) for one in pieces(answer) if KINDS[one["kind"]] == "compute"]
    assert ran == [("a", 0, 600_000), ("b", 600_000, 1_400_000)]
    assert answer["after_ns"] == answer["length_ns"] == 1_400_000
    assert [note["id"] for note in answer["notes"]] == ["simulated-of-mean", "simulated-behind"]
    assert answer["nothing"] is None


def test_the_host_s_pieces_end_where_the_step_of_what_if_ends(tmp_path: Path) -> None:
    timeline = loading_steps(tmp_path, 4)
    answer = simulated(timeline, "no-data-wait")
    found = pieces(answer)
    assert max(one["to"] for one in found) == answer["after_ns"] == answer["length_ns"]
    assert min(one["from"] for one in found) == 0
    (load,) = (one for one in found if one["text"] == LOADING)
    assert load["to"] - load["from"] < FETCH_NS < 400_000
    assert answer["recorded_ns"] == STEP
    (gpu,) = (one for one in found if KINDS[one["kind"]] == "compute")
    assert gpu["to"] - gpu["from"] == 100_000
    assert gpu["recorded"] == answer["begin"] + 600_000
    # The load is shorter, so the kernel starts earlier by as much as the step is shorter.
    before = simulated(timeline, "host:aten::item x1")
    (kept,) = (one for one in pieces(before) if KINDS[one["kind"]] == "compute")
    assert kept["from"] - gpu["from"] == pytest.approx(before["after_ns"] - answer["after_ns"], abs=2)


@pytest.mark.parametrize("steps", [4, 40], ids=["all steps", "an excerpt"])
def test_each_piece_lies_on_its_event(tmp_path: Path, steps: int) -> None:
    timeline = loading_steps(tmp_path, steps)
    answer = simulated(timeline, "host:aten::item x0.5")
    lanes = all_events(timeline)
    named = [one for one in pieces(answer) if one["row"] >= 0]
    assert {one["text"] for one in named} >= {LOADING, "aten::item", f"k{answer['step']}"}
    for one in named:
        begin, end, text = lanes[one["lane"]][one["row"]]
        assert text == one["text"]
        assert begin <= one["recorded"] < end


def test_work_that_is_hidden_is_said_to_be(gpu_bound: Timeline) -> None:
    answer = simulated(gpu_bound, "host:aten::mm x0")
    assert answer["nothing"]["text"]["en"] == "This change saves nothing: the work is hidden behind stream 7."
    assert answer["saving_ns"] == 0


CHANGES = (
    ("launch_bound_decode.slow.pt.trace.json.gz", ["cuda-graph"]),
    ("launch_bound_decode.slow.pt.trace.json.gz", ["host:aten::linear x2"]),
    ("batch_size.slow.pt.trace.json.gz", ["no-sync", "kernel:/conv|fprop/ x0.5"]),
    ("batch_size.fixed.pt.trace.json.gz", ["kernel:/./ x3"]),
    ("ddp4_straggler", ["overlap-communication"]),
)


@pytest.mark.parametrize(("name", "changes"), CHANGES)
def test_pieces_lie_in_the_step_one_behind_the_other(examples: Path, name: str, changes: Sequence[str]) -> None:
    timeline = open_timeline(stepscope.open(examples / name).profile)
    made = every_piece(timeline, tuple(map(parse_change, changes)), None, None, True)
    found = made.pieces
    assert (found.start >= 0).all()
    assert (found.start < found.end).all()
    assert (found.end <= made.step.length_ns).all()
    follows = np.diff(found.lane) == 0
    assert (np.diff(found.lane) >= 0).all()
    assert (found.start[1:][follows] >= found.end[:-1][follows]).all()
    answer = simulated(timeline, *changes, t0=-EVER, t1=EVER)
    assert sum(answer["pieces"]["count"]) == len(found)
    assert sum(track["simulated_ns"] for track in answer["tracks"]) == (found.end - found.start).sum()
    few = simulated(timeline, *changes, px=200)
    assert sum(few["pieces"]["count"]) == len(found)
    assert len(few["pieces"]["start"]) <= 2 * 200 * len(set(few["pieces"]["lane"]))


@pytest.mark.long
@pytest.mark.parametrize(("name", "changes"), CHANGES)
def test_the_ends_are_those_of_what_if(examples: Path, name: str, changes: Sequence[str]) -> None:
    profile = stepscope.open(examples / name).profile
    answer = simulated(open_timeline(profile), *changes)
    asked = what_if(profile, list(map(parse_change, changes)))
    found = next(one for one in asked if one.rank == answer["rank"]).together
    assert answer["before_ns"] == round(found.before.best)
    assert [answer[f"after{end}_ns"] for end in ("_low", "", "_high")] == [
        round(one) for one in (found.after.low, found.after.best, found.after.high)
    ]
    assert answer["saving_pct"] == found.saving_pct.best
    assert answer["bound_after"] == found.bound_after[0]


@pytest.mark.long
def test_the_rank_is_the_one_that_a_change_is_about(examples: Path) -> None:
    timeline = open_timeline(stepscope.open(examples / "ddp4_straggler").profile)
    assert simulated(timeline, "no-sync")["rank"] == 0
    assert simulated(timeline, "no-sync on rank 2")["rank"] == 2
    assert simulated(timeline, "no-sync", rank=3)["rank"] == 3
    assert simulated(timeline, "host:extra_work x0.5")["rank"] == 2
    answer = simulated(timeline, "no-straggler:2")
    assert answer["state"] == "none"
    assert answer["notes"][0]["id"] == "simulated-of-job"
    assert simulated(timeline, "no-straggler:2", "no-sync")["notes"][-1]["id"] == "simulated-of-job"


@pytest.mark.parametrize("changes", ["", "no-sync", "[]", "[1]", '{"a": 1}', '["nothing"]', '["op:nowhere x2"]'])
def test_what_is_no_change_is_refused(gpu_bound: Timeline, changes: str) -> None:
    with pytest.raises(BadRequest):
        ask(gpu_bound, "simulated", t0=0, t1=STEP, px=10, changes=changes)
