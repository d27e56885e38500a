"""Counters: means are integrals, extremes are those of every moment."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import kernel, launched, opened, operator, write
from building.compiling import EPOCH_US, MadeLog
from oracles.timeline import opened_timeline
from stepscope.analyses.ranks.job_clock import job_clock
from stepscope.store.opening import open_profile
from stepscope.timeline import Timeline, open_timeline
from stepscope.timeline.binary_format import unframe
from stepscope.timeline.counting import Counter, answer_counters
from stepscope.timeline.lane_file import Saved
from stepscope.timeline.tracks import Track
from timeline_checks import ask


def allocation(at: int, change: int, total: int, reserved: int = 0) -> dict[str, Any]:
    arguments = {"Device Type": 1, "Device Id": 0, "Bytes": change, "Addr": 1}
    arguments |= {"Total Allocated": total, "Total Reserved": reserved}
    event = {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "s": "t"}
    return event | {"ts": at / 1000, "args": arguments}


def bins(timeline: Timeline, title: str, t0: int, t1: int, count: int) -> dict[str, list[float]]:
    """Least, most and mean of a counter."""
    tracks = ask(timeline, "tracks")["tracks"]
    number = next(track["id"] for track in tracks if track["title"]["text"]["en"] == title)
    _, columns = ask(timeline, "counters", t0=t0, t1=t1, px=count, tracks=number)
    return {name: column.tolist() for name, column in columns.items()}


def test_the_header_says_which_moments_the_bins_cover(tmp_path: Path) -> None:
    """Windows said theirs, counters did not: whoever asked for fractions could not tell where a bin begins."""
    timeline = opened_timeline(opened(tmp_path, operator("aten::mm", 0, 100), kernel("gemm", 20, 60)))
    asked = {"t0": "10.9", "t1": "90.2", "px": 4}
    for question in ("counters", "window"):
        header, _ = ask(timeline, question, **asked)
        assert (header["t0"], header["t1"]) == (10, 90)


def test_a_log_beside_a_trace_shows_when_it_compiles(tmp_path: Path) -> None:
    """Compilations were a table and findings, and nothing of them was on the timeline of their trace."""
    log = MadeLog()
    log.us += 10
    log.compiled("0/0", "f", 1, 20)
    log.us += 30
    log.compiled("0/1", "f", 1, 40)
    log.write(tmp_path)
    write(tmp_path / "trace.json", operator("aten::mm", 0, 100_000), baseTimeNanoseconds=EPOCH_US * 1000)
    timeline = open_timeline(open_profile(str(tmp_path)))
    assert bins(timeline, "compiling (torch.compile)", 0, 100_000, 10)["mean"] == [0, 1, 1, 0, 0, 0, 1, 1, 1, 1]


def test_streams_beyond_those_with_most_launches_have_one_queue_together(tmp_path: Path) -> None:
    """Of 300,000 streams each had its own: a report took minutes and 17 GB."""
    launches = [launched(kernel("gemm", 20 * i + 10, 20 * i + 15, i, stream=min(i, 66)), 20 * i) for i in range(1, 69)]
    timeline = opened_timeline(opened(tmp_path, operator("aten::mm", 0, 2000), *launches))
    titles = [track["title"]["text"]["en"] for track in ask(timeline, "tracks")["tracks"]]
    queues = [title for title in titles if title.startswith("queue depth")]
    assert queues[:2] == ["queue depth · stream 66", "queue depth · stream 1"]
    assert queues[64:] == ["queue depth · 2 other streams"]
    # Launches of the streams 64 and 65 wait for 10 ns each.
    assert bins(timeline, queues[64], 1280, 1320, 4)["mean"] == [1, 0, 1, 0]


def test_nothing_is_known_of_a_gpu_behind_the_cut(tmp_path: Path) -> None:
    """The GPU was drawn as idle from there to the last event of the host."""
    path = write(tmp_path / "t.json", operator("aten::mm", 0, 100), kernel("gemm", 20, 60, **{"blocks per SM": 1.0}))
    path.write_text(path.read_text().rstrip().removesuffix("}").rstrip().removesuffix("]"))
    timeline = opened_timeline(stepscope.open(path))
    for title in ("GPU busy", "SM efficiency"):
        mean = bins(timeline, title, 0, 100, 5)["mean"]
        assert mean[:3] == [0, 100, 100]
        assert np.isnan(mean[3:]).all()


def test_counters_of_a_step(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        launched(kernel("gemm", 20, 60, 1, **{"blocks per SM": 0.5}), 5),
        launched(kernel("relu", 60, 70, 2, **{"blocks per SM": 3.0}), 10),
        allocation(10, 512, 512, 2048),
        allocation(30, 256, 768, 2048),
        allocation(50, -512, 256, 2048),
    )
    timeline = opened_timeline(profile)
    listed = [track for track in ask(timeline, "tracks")["tracks"] if track["section"] == "counters"]
    assert [(track["title"]["text"]["en"], track["unit"], track["max"], track["device"]) for track in listed] == [
        ("GPU busy", "%", 100, 0),
        ("SM efficiency", "%", 100, 0),
        ("queue depth · stream 7", "launches", 2, 0),
        ("memory allocated · cuda:0", "bytes", 768, 0),
        ("memory reserved · cuda:0", "bytes", 2048, 0),
    ]
    assert bins(timeline, "GPU busy", 0, 100, 4)["mean"] == [20.0, 100.0, 80.0, 0.0]
    assert bins(timeline, "SM efficiency", 0, 100, 2)["mean"] == [30.0, pytest.approx(30.0)]
    assert bins(timeline, "queue depth · stream 7", 0, 80, 4) == {
        "min": [0, 1, 1, 0],
        "max": [2, 1, 1, 0],
        "mean": [1.25, 1, 1, 0],
    }
    assert bins(timeline, "memory allocated · cuda:0", 0, 100, 5) == {
        "min": [0, 512, 256, 256, 256],
        "max": [512, 768, 768, 256, 256],
        "mean": [256, 640, 512, 256, 256],
    }
    reserved = bins(timeline, "memory reserved · cuda:0", 0, 20, 2)
    assert math.isnan(reserved["mean"][0])
    assert reserved["mean"][1] == 2048


def test_the_answer_says_where_each_counter_begins(tmp_path: Path) -> None:
    timeline = opened_timeline(opened(tmp_path, kernel("a", 0, 10, **{"blocks per SM": 1.0})))
    header, columns = ask(timeline, "counters", t0=0, t1=10, px=3)
    assert header["bins"] == 3
    assert [one["offset"] for one in header["tracks"]] == [0, 3]
    assert [len(column) for column in columns.values()] == [6, 6, 6]


def test_outside_the_recording_nothing_is_known(tmp_path: Path) -> None:
    timeline = opened_timeline(opened(tmp_path, kernel("a", 0, 10)))
    assert [str(value) for value in bins(timeline, "GPU busy", -10, 20, 3)["mean"]] == ["nan", "100.0", "nan"]


def test_bins_narrower_than_a_nanosecond_hold_the_value_of_their_moment(tmp_path: Path) -> None:
    timeline = opened_timeline(opened(tmp_path, operator("a", 0, 10), kernel("a", 4, 6)))
    assert bins(timeline, "GPU busy", 3, 5, 8)["mean"] == [0, 0, 0, 0, 100, 100, 100, 100]


def sampled(name: str, process: Any, at: int, value: Any) -> dict[str, Any]:
    return {"ph": "C", "name": name, "pid": process, "ts": at / 1000, "args": {"": value}}


def test_sampled_counters_are_tracks_and_unknown_where_samples_are_missing(tmp_path: Path) -> None:
    """Of a GPU a sample stands for two intervals at most; of the host a value holds until the next one."""
    moments = [0, 10, 20, 70, 80]
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        [sampled("Power (W)", "GPU 0 Counters", at, 300.5 + at) for at in moments],
        [sampled("Temperature (C)", "GPU 0 Counters", 0, "nan")],
        sampled("queue", 1, 10, 4),
        sampled("queue", 1, 70, "n/a"),
    )
    timeline = opened_timeline(profile)
    listed = [track for track in ask(timeline, "tracks")["tracks"] if track["section"] == "counters"]
    assert [(track["title"]["text"]["en"], track["unit"], track["max"], track["device"]) for track in listed] == [
        ("Power · GPU 0", "W", 380.5, 0),
        ("queue · process 1", None, 4, None),
    ]
    power = bins(timeline, "Power · GPU 0", 0, 100, 10)
    assert [str(value) for value in power["mean"]] == [
        *("300.5", "310.5", "320.5", "320.5", "nan", "nan", "nan", "370.5", "380.5", "nan")
    ]
    assert [str(value) for value in bins(timeline, "Power · GPU 0", 30, 110, 2)["mean"]] == ["320.5", "375.5"]
    assert [str(value) for value in bins(timeline, "queue · process 1", 0, 100, 5)["max"]] == [
        "4.0",
        "4.0",
        "4.0",
        "4.0",
        "nan",
    ]


def test_hostile_samples_do_not_stop_the_timeline(tmp_path: Path) -> None:
    moments = [-9e15, 0, 5, 9e15]
    values = [1e308, -1e308, 1e300, 7]
    profile = opened(
        tmp_path,
        operator("a", 0, 10),
        [
            sampled(name, process, at, value)
            for name, process in (("x", "GPU 0 Counters"), ("y", 3))
            for at, value in zip(moments, values, strict=True)
        ],
        sampled("far", 3, 9.2e18, 1),
    )
    timeline = opened_timeline(profile)
    titles = [track["title"]["text"]["en"] for track in ask(timeline, "tracks")["tracks"]]
    assert {"x · GPU 0", "y · process 3"} <= set(titles)
    assert bins(timeline, "y · process 3", 0, 10, 2)["max"] == [pytest.approx(-1e37), pytest.approx(1e37)]


steps_of_a_counter = st.lists(
    st.tuples(st.integers(0, 9), st.integers(-5, 5) | st.just(math.nan)), min_size=1, max_size=300
)


@settings(max_examples=80)
@given(steps_of_a_counter, st.integers(-20, 400), st.integers(1, 600), st.integers(1, 40))
def test_bins_against_every_nanosecond(changes: list[tuple[int, int]], t0: int, length: int, count: int) -> None:
    at = np.cumsum([0] + [gap for gap, _ in changes]).astype(np.int64)
    value = np.array([float(level) for _, level in changes])
    least, most, mean = _binned(at, value, t0, t0 + length, count)
    edges = [t0 + length // count * i + length % count * i // count for i in range(count + 1)]
    for i in range(count):
        moments = [m for m in range(edges[i], edges[i + 1]) if at[0] <= m < at[-1]]
        if not moments:
            continue
        # Of changes at one moment the last one stays; the others were reached all the same.
        levels = [value[np.searchsorted(at, m, side="right") - 1] for m in moments]
        reached = [value[k] for k in range(len(value)) if moments[0] < at[k] <= moments[-1]]
        known = [level for level in levels if not math.isnan(level)]
        seen = [level for level in [*levels, *reached] if not math.isnan(level)]
        assert mean[i] == pytest.approx(np.mean(known) if known else math.nan, abs=1e-5, nan_ok=True)
        assert str(least[i]) == str(min(seen, default=math.nan))
        assert str(most[i]) == str(max(seen, default=math.nan))


def _binned(at: np.ndarray, value: np.ndarray, t0: int, t1: int, count: int) -> list[list[float]]:
    from stepscope.timeline.counter_series import Series, columns_of

    track = Track("counters", "counter", "made up")
    saved = Saved(
        [track], 0, {name: np.concatenate(parts) for name, parts in columns_of([Series(track, at, value)]).items()}
    )
    _, columns = unframe(answer_counters([Counter(0, saved, 0)], 0, t0, t1, count))
    return [column.tolist() for column in columns.values()]


def test_means_are_those_of_the_tables(examples: Path) -> None:
    """GPU busy and SM efficiency over the steps, and the queue's mean, as `utilization` and `queue_depth` say them."""
    profile = stepscope.open(str(examples / "batch_size.slow.pt.trace.json.gz"))
    timeline = open_timeline(profile.profile)
    depth = profile.show("queue_depth").row(0, named=True)
    begin = depth["start_ns"] - timeline.origin_ns
    found = bins(timeline, f"queue depth · stream {depth['stream']}", begin, begin + depth["duration_ns"], 1)
    assert found["mean"][0] == pytest.approx(depth["depth_mean"], rel=1e-6)
    assert (found["min"][0], found["max"][0]) == (depth["depth_min"], depth["depth_max"])
    from stepscope.analyses.steps.steps import gpu_windows, rank_steps

    windows = gpu_windows(rank_steps(profile.profile.ranks[0]))
    shares = profile.show("utilization").row(0, named=True)
    for title, column in (("GPU busy", "gpu_util_pct"), ("SM efficiency", "sm_efficiency_pct")):
        total = 0.0
        for start, end in zip(*windows, strict=True):
            a, b = int(start) - timeline.origin_ns, int(end) - timeline.origin_ns
            total += bins(timeline, title, a, b, 1)["mean"][0] * (b - a)
        assert total / float((windows[1] - windows[0]).sum()) == pytest.approx(shares[column], rel=1e-6)
    peak = profile.show("memory_timeline").filter(device="cuda:0")["allocated_bytes"].max()
    whole = bins(timeline, "memory allocated · cuda:0", 0, timeline.end, 1)
    assert whole["max"][0] == pytest.approx(peak)


RECORDINGS = Path(__file__).parents[1] / "recordings"


@pytest.mark.parametrize(
    "name", ["memory_leak.pickle.gz", "out_of_memory.pickle.gz", "nvml.csv", "torchscript.json.gz"]
)
def test_a_timeline_covers_what_the_run_covers(name: str) -> None:
    """Of telemetry, and of a snapshot without annotations, it was a nanosecond long and empty; of one with annotations
    it began with the first of these, and moments of tables lay elsewhere on it."""
    profile = stepscope.open(RECORDINGS / name).profile
    timeline, clock = open_timeline(profile), job_clock(profile)
    assert (timeline.origin_ns, timeline.end) == (clock.begin_ns, clock.end_ns - clock.begin_ns)
