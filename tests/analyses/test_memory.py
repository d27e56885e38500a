"""Memory: by operator, over time, at the peak, and block by block."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import Event, microseconds, opened, operator, rows, step, timed, write
from stepscope.analyses.memory.memory_peak import BEFORE, UNEXPLAINED
from stepscope.schema import UNATTRIBUTED

CARD = {"deviceProperties": [{"id": 0, "name": "NVIDIA H200", "totalGlobalMem": 8000}]}
PEAK = ("device", "op", "blocks", "alive_bytes", "kept_bytes", "at_ns")
BLOCK = ("op", "bytes", "start_ns", "end_ns", "duration_ns", "fate", "release_op")


def change(at: int, size: int, address: int | None, total: int | None, **other: Any) -> Event:
    """An instant of the profiler: ``size`` bytes allocated, or released where negative."""
    place = {"pid": other.pop("process", 1), "tid": other.pop("thread", 1)}
    args = {"Bytes": size, "Device Type": 1, "Device Id": 0, "Addr": address, "Total Allocated": total}
    args |= {key.replace("_", " "): value for key, value in other.items()}
    present = {key: value for key, value in args.items() if value is not None}
    head = {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "s": "t", "ts": microseconds(at)}
    return head | place | {"args": present}


def test_an_event_belongs_to_the_innermost_operator_and_once_to_each_name_around_it(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::to", 0, 100),
        operator("aten::to", 5, 90),
        operator("aten::empty", 10, 20),
        change(15, 400, 1, 1400),
        change(50, -100, 2, 1300),
        change(60, 30, 3, 1330),
    )
    assert profile.show("memory").to_dicts() == [
        {
            "name": "aten::empty",
            "device": "cuda:0",
            "allocations": 1,
            "allocated_bytes": 400,
            "self_allocated_bytes": 400,
            "increase_bytes": 400,
            "self_increase_bytes": 400,
            "self_allocations": 1,
        },
        {
            "name": "aten::to",
            "device": "cuda:0",
            "allocations": 2,
            "allocated_bytes": 430,
            "self_allocated_bytes": 30,
            "increase_bytes": 330,
            "self_increase_bytes": -70,
            "self_allocations": 1,
        },
    ]


def test_what_happens_outside_operators_or_on_another_thread_is_unattributed(tmp_path: Path) -> None:
    """The end of an operator lies outside it."""
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 10),
        change(10, 100, 1, 100),
        change(5, 7, 2, 107, thread=2),
        change(20, -100, 1, 7),
    )
    table = profile.show("memory")
    assert rows(table, "name", "allocations", "allocated_bytes", "increase_bytes", "self_increase_bytes") == [
        (UNATTRIBUTED, 2, 107, 7, 7)
    ]


def test_rows_of_the_peak_are_what_was_alive_then(tmp_path: Path) -> None:
    """1000 bytes were there before; the block at address 1 is released and its address used again."""
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 10),
        change(1, 50, 1, 1050),
        change(2, -50, 1, 1000),
        change(3, 60, 1, 1060),
        operator("aten::add", 20, 30),
        change(21, 40, 2, 1100),
        change(22, 30, 3, 1130),
        change(40, -300, 9, 830),
        change(41, -30, 3, 800),
        **CARD,
    )
    table = profile.show("memory_peak")
    assert rows(table, *PEAK) == [
        ("cuda:0", BEFORE, None, 1000, 700, 22),
        ("cuda:0", "aten::add", 2, 70, 40, 22),
        ("cuda:0", "aten::mm", 1, 60, 60, 22),
    ]
    assert rows(table, "share_pct", "capacity_pct")[1] == pytest.approx((100 * 70 / 1130, 100 * 70 / 8000))
    assert rows(profile.show("memory_timeline").filter("peak"), "at_ns", "allocated_bytes", "capacity_pct") == [
        (22, 1130, 14.125)
    ]


def test_an_operator_that_only_allocates_gives_way_to_its_caller(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::zeros", 0, 50),
        operator("aten::empty_like", 10, 40),
        operator("aten::empty_strided", 20, 30),
        change(25, 512, 1, 512),
        operator("aten::empty", 60, 70),
        change(65, 256, 2, 768),
    )
    assert rows(profile.show("memory_peak"), "op", "alive_bytes") == [("aten::zeros", 512), ("aten::empty", 256)]
    assert rows(profile.show("memory_events"), "op", "bytes") == [("aten::zeros", 512), ("aten::empty", 256)]


def test_level_before_the_first_event_can_be_the_peak(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 5), change(10, -100, 1, 900), change(20, 50, 2, 950))
    assert rows(profile.show("memory_peak"), *PEAK) == [("cuda:0", BEFORE, None, 1000, 900, 10)]
    timeline = profile.show("memory_timeline")
    assert rows(timeline, "at_ns", "change_bytes", "allocated_bytes", "peak") == [
        (10, 0, 1000, True),
        (10, -100, 900, False),
        (20, 50, 950, False),
    ]


def test_of_several_peaks_the_first_counts(tmp_path: Path) -> None:
    events = [change(1, 10, 1, 10), change(2, -10, 1, 0), change(3, 10, 2, 10)]
    assert rows(opened(tmp_path, *events).show("memory_peak"), "at_ns", "alive_bytes", "kept_bytes") == [(1, 10, 0)]


def test_blocks_are_paired_by_address(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 10),
        change(1, 50, 1, 1050),
        change(8, -50, 1, 1000),
        change(9, 40, 1, 1040),
        operator("aten::add", 20, 30),
        change(21, 30, 1, 1030),
        change(25, -20, 7, 1010),
        change(26, 10, 2, 1020),
        change(27, -10, 2, 1010, Device_Id=1),
    )
    assert rows(profile.show("memory_events"), *BLOCK) == [
        ("aten::mm", 50, 1, 8, 7, "released", "aten::mm"),
        ("aten::mm", 40, 9, None, None, "release lost", None),
        ("aten::add", 30, 21, None, None, "kept", None),
        (None, 20, None, 25, None, "from before", "aten::add"),
        ("aten::add", 10, 26, None, None, "kept", None),
        (None, 10, None, 27, None, "from before", "aten::add"),
    ]


def test_a_total_that_the_events_do_not_explain_is_a_row(tmp_path: Path) -> None:
    """A thread that the profiler does not watch allocated 500 bytes in between."""
    profile = opened(tmp_path, change(1, 10, 1, 110), change(2, 10, 2, 620))
    assert rows(profile.show("memory_peak"), "op", "alive_bytes", "blocks") == [
        (UNEXPLAINED, 500, None),
        (BEFORE, 100, None),
        (UNATTRIBUTED, 20, 2),
    ]


def test_without_totals_they_are_counted_and_a_note_says_so(tmp_path: Path) -> None:
    """As torch 1.8 writes it. 70 bytes that were there before are released, so there were at least 70."""
    profile = opened(tmp_path, change(1, 10, None, None), change(2, -70, None, None), change(3, 100, None, None))
    assert profile.show("memory_timeline")["allocated_bytes"].to_list() == [60, 70, 0, 100]
    assert rows(profile.show("memory_peak"), "op", "alive_bytes") == [(BEFORE, 60), (UNEXPLAINED, 40)]
    assert set(profile.show("memory_events")["fate"].to_list()) == {None}
    notes = profile.notes("memory_timeline")
    assert notes[0].startswith("cuda:0: the recording has no totals")


def test_a_missing_total_is_the_last_one_and_the_change(tmp_path: Path) -> None:
    events = [change(1, 10, 1, None), change(2, 10, 2, 120), change(3, -5, 3, None), change(4, 1, 4, 500)]
    assert opened(tmp_path, *events).show("memory_timeline")["allocated_bytes"].to_list() == [100, 110, 120, 115, 500]


def test_devices_are_told_apart(tmp_path: Path) -> None:
    """One address means different memory on different devices. Types may be written as text."""
    profile = opened(
        tmp_path,
        change(1, 10, 1, 10, Device_Type=0, Device_Id=-1),
        change(2, 20, 1, 20, Device_Id=1),
        change(3, 30, 1, 30),
        change(4, 40, 1, 40, Device_Type=12, Device_Id=2),
        change(5, 50, 1, 80, Device_Type="CUDA", Device_Id="0"),
        change(6, 60, 1, 60, Device_Type="toaster"),
        **CARD,
    )
    table = profile.show("memory_timeline").filter(pl.col("change_bytes") > 0)
    assert rows(table, "device", "allocated_bytes", "capacity_pct") == [
        ("cuda:0", 30, 0.375),
        ("cuda:0", 80, 1.0),
        ("cuda:1", 20, None),
        ("xpu:2", 40, None),
        ("unknown:0", 60, None),
        ("cpu", 10, None),
    ]
    assert sorted(rows(profile.show("memory_events"), "fate")) == ["kept"] * 5 + ["release lost"]


def test_the_number_of_a_device_that_has_none_does_not_matter(tmp_path: Path) -> None:
    events = [change(i, 10, i, 10 * i, Device_Type=0, Device_Id=index) for i, index in enumerate((-1, 0, None), 1)]
    assert rows(opened(tmp_path, *events).show("memory_peak"), "device", "alive_bytes") == [("cpu", 30)]


def test_only_memory_events_count(tmp_path: Path) -> None:
    """An attempt that failed allocates nothing; without a size or a time there is nothing to count."""
    failed = change(1, 1000, None, 5) | {"name": "[OutOfMemory]"}
    untimed = change(3, 10, 1, 15)
    del untimed["ts"]
    sizeless = change(4, 10, 1, 15)
    del sizeless["args"]["Bytes"]
    profile = opened(tmp_path, failed, untimed, sizeless, change(5, 10, 1, 15))
    assert rows(profile.show("memory"), "allocations", "allocated_bytes") == [(1, 10)]
    assert len(profile.show("memory_timeline")) == 2


def test_events_of_one_time_are_in_the_order_of_the_file(tmp_path: Path) -> None:
    events = [change(5, 10, 1, 10), change(5, -10, 1, 0), change(5, 20, 1, 20), change(1, 1, 2, 1)]
    table = opened(tmp_path, *events).show("memory_events")
    assert rows(table, "bytes", "fate") == [(20, "kept"), (10, "released"), (1, "kept")]


def test_a_selected_step(tmp_path: Path) -> None:
    """Blocks of the step before are alive at its peak; the timeline starts at the level it found."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        step(2, 110, 200),
        operator("aten::mm", 10, 190),
        change(50, 400, 1, 500),
        change(60, 900, 2, 1400),
        change(105, -900, 2, 500),
        change(150, 30, 3, 530),
        change(160, -30, 3, 500),
    )
    timeline = profile.show("memory_timeline", step=2)
    assert rows(timeline, "at_ns", "change_bytes", "allocated_bytes") == [
        (110, 0, 500),
        (150, 30, 530),
        (160, -30, 500),
    ]
    assert rows(profile.show("memory_peak", step=2), *PEAK[1:]) == [
        ("aten::mm", 2, 430, 400, 150),
        (BEFORE, None, 100, 100, 150),
    ]
    assert rows(profile.show("memory", step=2), "allocations", "increase_bytes") == [(1, 0)]
    assert rows(profile.show("memory_events", step=2), "bytes") == [30]
    by_step = profile.show("memory_timeline", by="step")
    assert rows(by_step, "step", "at_ns", "change_bytes", "allocated_bytes", "peak") == [
        (1, 60, 1300, 1400, True),
        (2, 150, 0, 530, False),
    ]


def test_slices_keep_the_peak_and_the_sum_of_the_changes(tmp_path: Path) -> None:
    events = []
    total = 0
    for i in range(1000):
        size = 50 if i % 3 else -80
        total += size
        events.append(change(1000 + 7 * i, size, i, 5000 + total))
    profile = opened(tmp_path, *events)
    exact, slices = profile.show("memory_timeline"), profile.show("memory_timeline", by="slice")
    assert len(exact) == 1001
    assert slices["slice"].to_list() == list(range(100))
    assert slices["change_bytes"].sum() == exact["change_bytes"].sum() == total
    assert slices.filter("peak")["allocated_bytes"].to_list() == exact.filter("peak")["allocated_bytes"].to_list()


def test_ranks_add_up_by_operator_and_stay_apart_over_time(tmp_path: Path) -> None:
    for rank in (0, 1):
        write(
            tmp_path / f"rank{rank}.json",
            operator("aten::mm", 0, 10),
            change(5, 100 + rank, 1, 100 + rank, Device_Id=0),
        )
    profile = stepscope.open(str(tmp_path))
    assert rows(profile.show("memory"), "name", "device", "allocations", "allocated_bytes") == [
        ("aten::mm", "cuda:0", 2, 201)
    ]
    assert rows(profile.show("memory_peak"), "rank", "alive_bytes") == [(0, 100), (1, 101)]
    assert [note.split(",")[0] for note in profile.notes("memory_peak")] == [
        "rank 0 cuda:0: peak 100 B",
        "rank 1 cuda:0: peak 101 B",
    ]


def test_source_lines_of_the_users_code(tmp_path: Path) -> None:
    """Each event has the line that is open at its moment; two lines that call one operator are two rows."""

    def frame(name: str, start: int, end: int) -> Event:
        return timed("python_function", name, start, end, process=1, thread=1)

    profile = opened(
        tmp_path,
        frame("train.py(7): forward", 0, 100),
        operator("aten::mm", 10, 20),
        change(15, 100, 1, 100),
        frame("train.py(9): loss", 200, 300),
        operator("aten::mm", 210, 220),
        change(215, 70, 2, 170),
        change(290, -100, 1, 70),
    )
    columns = ("name", "source", "self_allocated_bytes", "self_increase_bytes")
    assert rows(profile.show("memory", source=True), *columns) == [
        ("aten::mm", "train.py:7", 100, 100),
        ("aten::mm", "train.py:9", 70, 70),
        (UNATTRIBUTED, "train.py:9", 0, -100),
    ]
    assert rows(profile.show("memory_events", source=True), "source", "bytes", "fate") == [
        ("train.py:7", 100, "released"),
        ("train.py:9", 70, "kept"),
    ]
    assert rows(profile.show("memory_peak"), "op", "source", "alive_bytes") == [
        ("aten::mm", "train.py:7", 100),
        ("aten::mm", "train.py:9", 70),
    ]


def test_processes_of_one_file_have_addresses_of_their_own(tmp_path: Path) -> None:
    events = [change(1, 10, 1, 10, process=7), change(2, 20, 1, 20, process=8)]
    table = opened(tmp_path, *events).show("memory_peak")
    assert rows(table, "device", "alive_bytes") == [("cuda:0 of process 7", 10), ("cuda:0 of process 8", 20)]


def test_the_peaks_note_says_when_and_how_much_of_the_device(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        step(2, 100, 200),
        change(50, 400, 1, 500, Total_Reserved=2000),
        change(150, 3596, 2, 4096, Total_Reserved=6144),
        **CARD,
    )
    assert profile.notes("memory_peak") == [
        "cuda:0: peak 4.00 KiB, 51.2 % of the device's 7.81 KiB, in step 2; at most 6.00 KiB reserved by the allocator"
    ]


def _steps_that_keep(kept: list[int]) -> list[Event]:
    """Steps that allocate 1000 bytes and release all but some of them, in the pause behind the step."""
    events, total = [], 10_000
    for i, size in enumerate(kept):
        start = 1000 * i
        events += [step(i, start, start + 900), operator("aten::cat", start + 100, start + 200)]
        total += 1000 + size
        events += [change(start + 150, 1000, 2 * i, total - size), change(start + 160, size, 2 * i + 1, total)]
        total -= 1000
        events.append(change(start + 950, -1000, 2 * i, total))
    return events


def test_memory_that_grows_step_by_step_is_told(tmp_path: Path) -> None:
    """What a step releases only behind its end still counts in its level there, in all steps alike."""
    assert opened(tmp_path, _steps_that_keep([64, 64, 64, 96])).notes("memory_peak")[1:] == [
        "cuda:0: grows by 74 B a step, in each of 3 steps; most of the 224 B that stay is allocated by aten::cat"
    ]


@pytest.mark.parametrize("kept", [[64, 64], [64, 0, 64, 64], [64, 64, -64, 64], [1, 1, 1, 1]])
def test_memory_that_stays_or_hardly_grows_is_not(tmp_path: Path, kept: list[int]) -> None:
    assert len(opened(tmp_path, _steps_that_keep(kept)).notes("memory_peak")) == 1


@pytest.mark.parametrize("table", ["memory", "memory_peak", "memory_timeline", "memory_events"])
def test_without_memory_events_the_reason_is_given(tmp_path: Path, table: str) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10))
    assert len(profile.show(table)) == 0
    assert profile.notes(table) == ["no rows: the recording has no memory events; record with profile_memory=True"]


@pytest.mark.long
@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(1, 1000), st.integers(0, 1), st.booleans(), st.integers(0, 60)),
        min_size=1,
        max_size=30,
    ),
    st.integers(0, 5000),
    st.randoms(use_true_random=False),
)
def test_parts_sum_to_the_whole_in_any_order(
    tmp_path_factory: pytest.TempPathFactory,
    drawn: list[tuple[int, int, int, bool, int]],
    before: int,
    order: random.Random,
) -> None:
    """Allocations and releases at few addresses, some lost, on two devices; times are distinct."""
    totals = {0: before, 1: before}
    events: list[Event] = [operator("aten::mm", 0, 400), operator("aten::add", 200, 900), operator("aten::t", 300, 350)]
    for i, (address, size, device, release, unseen) in enumerate(drawn):
        totals[device] += -size if release else size
        events.append(change(20 * i, -size if release else size, address, totals[device], Device_Id=device))
        totals[device] += unseen if unseen > 50 else 0
    order.shuffle(events)
    profile = opened(tmp_path_factory.mktemp("memory"), *events)
    timeline, peak, table = (profile.show(name) for name in ("memory_timeline", "memory_peak", "memory"))
    blocks = profile.show("memory_events")
    for device in timeline["device"].unique():
        mine = pl.col("device") == device
        tops = timeline.filter(mine & pl.col("peak"))["allocated_bytes"].to_list()
        assert tops == [timeline.filter(mine)["allocated_bytes"].max()]
        assert peak.filter(mine)["alive_bytes"].sum() == tops[0]
        own = table.filter(mine)
        assert own["self_increase_bytes"].sum() == timeline.filter(mine)["change_bytes"].sum()
        assert own["self_allocations"].sum() == blocks.filter(mine & pl.col("start_ns").is_not_null()).height
        assert (
            own["self_allocated_bytes"].sum() == blocks.filter(mine & pl.col("start_ns").is_not_null())["bytes"].sum()
        )
