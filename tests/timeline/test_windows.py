"""Windows: what a client reads, cell by cell, against an oracle that merges event after event."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import annotation, kernel, opened, operator
from oracles.timeline import Cell, all_events, cells, merged, opened_timeline
from stepscope.numeric.pyramid import build_levels, shades
from stepscope.timeline import Timeline
from stepscope.timeline.binary_format import unframe


def test_the_answer_byte_by_byte(tmp_path: Path) -> None:
    timeline = opened_timeline(opened(tmp_path, kernel("gemm", 100, 160), kernel("relu", 180, 200)))
    answer = bytes(timeline.window(0, 100, 100, np.array([0])))
    header = (
        b'{"t0":0,"t1":100,"cell_ns":2,"lanes":[{"lane":0,"offset":0,"count":2}],"columns":['
        b'{"name":"start","type":"f64","length":2},{"name":"end","type":"f64","length":2},'
        b'{"name":"first","type":"u32","length":2},{"name":"count","type":"u32","length":2},'
        b'{"name":"name","type":"u32","length":2},{"name":"busy","type":"u16","length":2},'
        b'{"name":"kind","type":"u8","length":2},{"name":"shade","type":"u8","length":2}]}'
    )
    padded = header + b" " * (-len(header) % 8)
    gemm, relu = timeline.names.index("gemm"), timeline.names.index("relu")
    shade = shades(np.frombuffer(b"gemmrelu", np.uint8), np.array([0, 4, 8]))
    assert answer == (
        b"STPW"
        + len(padded).to_bytes(4, "little")
        + padded
        + np.array([0.0, 80.0, 60.0, 100.0], "<f8").tobytes()
        + np.array([0, 1, 1, 1, gemm, relu], "<u4").tobytes()
        + b"\xff\xff\xff\xff\x00\x00\x00\x00"
        + b"\x00\x00"
        + bytes(6)
        + shade.tobytes()
        + bytes(6)
    )


def test_short_neighbours_are_merged_and_say_what_they_are(tmp_path: Path) -> None:
    begin = 1 << 20
    events = [kernel("a" if i % 3 else "b", begin + 6 * i, begin + 6 * i + 3) for i in range(80)]
    timeline = opened_timeline(opened(tmp_path, events, kernel("long", 1 << 21, 1 << 22, stream=9)))
    length, found = cells(timeline, 0, 1 << 22, 1 << 9, np.array([0, 1]))
    assert length == 1 << 14
    assert found == [
        Cell(lane=0, start=1 << 20, end=3 << 20, first=0, count=1, name="long", busy=65535, kind=0),
        Cell(lane=1, start=0, end=477, first=0, count=80, name="a", busy=round(65535 * 240 / 477), kind=0),
    ]


def test_a_window_holds_what_reaches_into_it(tmp_path: Path) -> None:
    timeline = opened_timeline(opened(tmp_path, [operator(str(i), 10 * i, 10 * i + 10) for i in range(5)]))

    def names(t0: int, t1: int) -> list[str]:
        return [cell.name for cell in cells(timeline, t0, t1, 1000)[1]]

    assert names(10, 20) == ["1"]
    assert names(9, 21) == ["0", "1", "2"]
    assert names(15, 15) == ["1"]
    assert names(-5, 0) == []
    assert names(50, 90) == []


def test_events_without_length_are_in_the_window_that_begins_with_them(tmp_path: Path) -> None:
    timeline = opened_timeline(opened(tmp_path, operator("a", 0, 0), operator("b", 5, 5), operator("c", 9, 20)))
    assert [cell.name for cell in cells(timeline, 5, 9, 1000)[1]] == ["b"]
    assert [cell.busy for cell in cells(timeline, 0, 20, 1000)[1]] == [65535] * 3


def test_lanes_that_do_not_exist_are_left_out(tmp_path: Path) -> None:
    timeline = opened_timeline(opened(tmp_path, operator("a", 0, 5)))
    header, _ = unframe(timeline.window(0, 5, 100, np.array([0, 7, 1000])))
    assert header["lanes"] == [{"lane": 0, "offset": 0, "count": 1}]


def check_levels(timeline: Timeline, lanes: list[int]) -> None:
    """Every level that a window of everything can have, of some lanes."""
    events = all_events(timeline)
    for pixels in (1, 4, 64, 1000, 10_000, 1_000_000):
        length, found = cells(timeline, 0, timeline.end + 1, pixels, np.array(lanes))
        for lane in lanes:
            mine = [cell for cell in found if cell.lane == lane]
            assert sum(cell.count for cell in mine) == len(events[lane])
            check_lane(mine, events[lane], length, timeline.origin_ns)


def check_lane(found: list[Cell], events: list[tuple[int, int, str]], length: int, origin: int) -> None:
    """Cells of a lane: those of the oracle at the coarsest level that is worth having, not above the one asked for."""
    shapes = [(cell.start, cell.end, cell.first, cell.count) for cell in found]
    size = length
    while True:
        wanted = merged(events, size, origin)
        if [cell[:4] for cell in wanted] == shapes:
            break
        assert size > 1, "no level has these cells"
        size //= 2
    # A level is missing only where it would not halve the next finer one that is there.
    assert len(found) <= 2 * len(merged(events, length, origin)) or len(events) < 64
    for cell, (start, end, first, count, busy) in zip(found, wanted, strict=True):
        share = round(65535 * busy / (end - start)) if end > start else 65535
        assert abs(cell.busy - share) <= 1
        time: dict[str, int] = {}
        for begin, until, name in events[first : first + count]:
            time[name] = time.get(name, 0) + until - begin
        assert cell.name in time
        dominating = [name for name, total in time.items() if 2 * total > busy]
        assert not dominating or cell.name == dominating[0]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_every_level_of_made_up_lanes(tmp_path: Path, seed: int) -> None:
    source = random.Random(seed)
    events, at = [], source.choice([0, 1 << 40, 1_790_000_000_123_456_789])
    for _ in range(400):
        at += source.choice([0, 1, 3, 50, 1000, 100_000])
        length = source.choice([0, 1, 2, 7, 64, 999, 65_536])
        events.append(kernel(source.choice("abc"), at, at + length))
        at += length
    check_levels(opened_timeline(opened(tmp_path, events)), [0])


@pytest.mark.long
def test_every_level_of_an_example(examples: Path) -> None:
    timeline = opened_timeline(stepscope.open(str(examples / "batch_size.slow.pt.trace.json.gz")))
    check_levels(timeline, list(range(0, timeline.lanes, 3)))


lane_of_events = st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300), st.integers(0, 3)), max_size=150)


@pytest.mark.long
@settings(max_examples=80)
@given(st.lists(lane_of_events, min_size=1, max_size=3), st.integers(0, 1 << 60))
def test_levels_keep_counts_times_order_and_long_events(lanes: list[list[tuple[int, int, int]]], base: int) -> None:
    start, end, name = [], [], []
    for lane in lanes:
        at = base
        for gap, length, code in lane:
            start.append(at + gap)
            end.append(at + gap + length)
            name.append(code)
            at += gap + length
    first = np.concatenate([[0], np.cumsum([len(lane) for lane in lanes])]).astype(np.int64)
    begin, until = np.array(start, np.int64), np.array(end, np.int64)
    names = np.array(name, np.uint32)
    levels, made = build_levels(first, begin, until, names, np.zeros(len(names), np.uint8))
    for entry, (lane, level) in enumerate(zip(levels.lane.tolist(), levels.level.tolist(), strict=True)):
        mine = slice(int(levels.bounds[entry]), int(levels.bounds[entry + 1]))
        own = slice(int(first[lane]), int(first[lane + 1]))
        assert made.events[mine].sum() == len(begin[own])
        assert made.busy[mine].sum() == (until[own] - begin[own]).sum()
        assert (made.start[mine][1:] >= made.end[mine][:-1]).all()
        assert made.first[mine].tolist() == np.concatenate([[0], np.cumsum(made.events[mine])[:-1]]).tolist()
        long = until[own] - begin[own] >= 1 << level
        exact = {(a, b) for a, b, n in zip(made.start[mine], made.end[mine], made.events[mine], strict=True) if n == 1}
        assert exact.issuperset(zip(begin[own][long], until[own][long], strict=True))
        assert ((made.end[mine] - made.start[mine])[made.events[mine] > 1] < 2 << level).all()


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    profile = opened(tmp_path, annotation("a", 0, 50), operator("b", 10, 20))
    before = all_events(opened_timeline(profile))
    folder = profile.profile.ranks[0].trace.folder
    for path in folder.glob("kept.timeline.*"):
        path.write_bytes(path.read_bytes()[:-64])
    again = stepscope.open(profile.profile.paths[0])
    assert all_events(opened_timeline(again)) == before


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = opened(tmp_path, annotation("a", 0, 50), kernel("b", 10, 20))

    def refused(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "replace", refused)
    timeline = opened_timeline(profile)
    assert all_events(timeline)[0] == [(10, 20, "b")]
    assert not list(profile.profile.ranks[0].trace.folder.glob("kept.timeline.*"))


def test_files_of_another_version_go(tmp_path: Path) -> None:
    profile = opened(tmp_path, annotation("a", 0, 50))
    folder = profile.profile.ranks[0].trace.folder
    old = folder / f"kept.timeline.events.{'0' * 16}.bin"
    old.write_bytes(b"old")
    opened_timeline(profile)
    assert sorted(path.name.split(".")[2] for path in folder.glob("kept.timeline.*")) == ["counters", "events", "idle"]
    assert not old.exists()
