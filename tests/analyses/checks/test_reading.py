"""Health of the file itself: is it whole and valid, are its times usable?"""

from __future__ import annotations

import gzip
from pathlib import Path

import stepscope
from building import check, kernel, launched, opened, operator, rows, timed, write


def test_a_file_that_was_cut_off_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "trace.json", kernel("a", 0, 10), kernel("b", 10, 20))
    text = path.read_text()
    path.write_text(text[: text.rindex('"b"')])
    profile = stepscope.open(str(path))
    found = check(profile, "complete")
    assert found is not None
    assert found[:2] == ("error", "cut off")
    assert found[2].startswith("the list of events is not closed; events after the cut are missing (")
    assert profile.show("summary")["events"].to_list() == [1]


def test_gzip_data_that_was_cut_off_is_an_error(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole", [kernel(f"kernel {number}", number, number + 1) for number in range(5000)])
    data = gzip.compress(whole.read_bytes())
    path = tmp_path / "trace.json.gz"
    path.write_bytes(data[: len(data) // 2])
    found = check(stepscope.open(str(path)), "complete")
    assert found is not None
    assert found[:2] == ("error", "cut off")
    assert found[2].startswith("the gzip data ends before its end mark; ")


def test_events_that_are_no_json_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "trace.json", kernel("a", 0, 10), kernel("b", 10, 20), kernel("c", 20, 30))
    path.write_text(path.read_text().replace('"name": "b"', '"name": "b'))
    profile = stepscope.open(str(path))
    assert check(profile, "damaged_events") == (
        "warning",
        "1",
        "skipped: 1 event of broken JSON and 0 entries that are not events",
    )
    assert rows(profile.show("kernels"), "name") == ["a", "c"]


def test_entries_that_are_no_events_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "trace.json", kernel("a", 0, 10))
    path.write_text(path.read_text().replace('"traceEvents": [', '"traceEvents": [5, null, '))
    assert check(stepscope.open(str(path)), "damaged_events") == (
        "warning",
        "2",
        "skipped: 0 events of broken JSON and 2 entries that are not events",
    )


def test_timed_events_without_usable_times_are_counted_by_reason(tmp_path: Path) -> None:
    unstarted, endless, backward, infinite = (kernel("a", 0, 10) for _ in range(4))
    del unstarted["ts"]
    del endless["dur"]
    backward["dur"] = -5
    infinite["ts"] = float("inf")
    profile = opened(tmp_path, kernel("a", 0, 10), unstarted, endless, backward, infinite)
    assert check(profile, "broken_events") == (
        "warning",
        "4",
        (
            "excluded from all times: 2 without a valid start time, 1 without a valid duration, and 1 with a "
            "negative duration"
        ),
    )


def test_arguments_of_two_objects_are_merged_and_said(tmp_path: Path) -> None:
    path = write(tmp_path / "trace.json", operator("a", 0, 10, first=1), operator("a", 20, 30))
    whole = stepscope.open(str(path))
    assert check(whole, "doubled_keys") is None
    path = tmp_path / "doubled.json"
    text = (tmp_path / "trace.json").read_text()
    path.write_text(text.replace('"args": {"first"', '"args": {"other": 2}, "args": {"first"'))
    assert check(stepscope.open(str(path)), "doubled_keys") == (
        "warning",
        "1",
        "1 event has a key twice: its last value counts; of two args the arguments of both are kept",
    )


def test_activity_that_starts_before_its_launch_shows_that_the_clocks_differ(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("a", 10, 20, 1), at=15), launched(kernel("a", 20, 30, 2), at=50))
    assert check(profile, "clock") == (
        "warning",
        "2 before launch",
        "2 activities start before their launches, by up to 30 ns: host and GPU clocks differ",
    )


def test_times_finer_than_a_nanosecond_are_told(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, kernel("a", 0, 0) | {"ts": 0.0005, "dur": 1.25}, kernel("b", 0, 0) | {"ts": 1.0001, "dur": 2}
    )
    assert check(profile, "clock") == ("ok", "2 rounded", "2 timestamps finer than 1 ns rounded")


def test_events_before_time_zero_are_told(tmp_path: Path) -> None:
    found = check(opened(tmp_path, kernel("a", -10, 10)), "clock")
    assert found == ("warning", "whole ns", "1 event starts before time zero")


def test_host_events_that_do_not_nest_are_counted(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("outer", 0, 100), operator("child", 80, 120), operator("other", 200, 300))
    assert check(profile, "overlapping_events") == (
        "warning",
        "1",
        (
            "CPU events end after the event that encloses them (1 in table operator); they keep their whole "
            "length, and self times count no time twice"
        ),
    )


def test_annotations_of_the_gpu_may_overlap(tmp_path: Path) -> None:
    """They span the kernels launched in a host range, on the GPU's clock; there is nothing wrong when they overlap."""
    twins = [
        timed("gpu_user_annotation", name, start, end, process=0, thread=7)
        for name, start, end in (("forward", 0, 100), ("backward", 80, 120))
    ]
    assert check(opened(tmp_path, kernel("a", 0, 120), twins), "overlapping_events") == ("ok", "0", "CPU events nest")


def test_timed_events_of_unknown_categories_are_named(tmp_path: Path) -> None:
    """Spans of the profiler itself are known."""
    nameless = timed("", "something", 0, 10, process=1, thread=1)
    del nameless["cat"]
    profile = opened(
        tmp_path,
        timed("Trace", "PyTorch Profiler (0)", 0, 100, process="Spans", thread="PyTorch Profiler"),
        timed("quantum_op", "entangle", 0, 10, process=1, thread=1),
        nameless,
    )
    assert check(profile, "unknown_categories") == (
        "warning",
        "2",
        "timed events kept but not analysed, of category (none), quantum_op, for example entangle",
    )


def test_the_profilers_own_work_is_summed(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        timed("overhead", "Activity Buffer Request", 0, 2_400_000, process=-1, thread=0),
        timed("overhead", "Instrumentation", 5_000_000, 5_100_000, process=-1, thread=0),
    )
    assert check(profile, "profiler_overhead") == (
        "warning",
        "2.50 ms",
        "2 events of the profiler's own work: Activity Buffer Request, Instrumentation",
    )


def test_kinds_of_the_profilers_work_are_named_by_time_and_not_all(tmp_path: Path) -> None:
    """A recording of Nsight Systems names each library that it met: 157 kinds, of which nothing was said but {???}."""
    libraries = [
        timed("overhead", f"dlopen({at}-{'x' * 60}.so)", at * 10_000, at * 10_000 + 1_000 + at, process=-1, thread=0)
        for at in range(64)
    ]
    status, spent, said = check(opened(tmp_path, *libraries), "profiler_overhead")
    assert (status, spent) == ("warning", "66.0 us")
    assert said.startswith("64 events of the profiler's own work: dlopen(63-")
    assert said.endswith(", and 59 more kinds")


def test_launches_that_wait_for_room_are_not_the_profilers_work(tmp_path: Path) -> None:
    """Of a program that ran far ahead of its GPU, 30 of 49 ms were told as work of the profiler."""
    profile = opened(tmp_path, timed("overhead", "Command Buffer Full", 0, 2_400_000, process=-1, thread=0))
    assert check(profile, "profiler_overhead") == (
        "ok",
        "0",
        (
            "no event of the profiler's own work; its cost per call is still part of CPU times; 1 wait for a "
            "free slot in the launch queue (Command Buffer Full)"
        ),
    )
