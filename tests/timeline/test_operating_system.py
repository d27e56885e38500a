"""Calls of the operating system, samples and scheduling are on the timeline, below the threads that they are of."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from oracles.timeline import all_events, shown_rows, timed_rows
from readers.nsys_building import AUTOGRAD, MAIN, Export, thread, training
from stepscope.messages.rendering import render
from stepscope.store.opening import open_profile
from stepscope.timeline import Timeline, open_timeline
from timeline_checks import ask, check_timeline

LIBRARY = "/home/somebody/lib/libtorch_cpu.so"


def sampled(made: Export, number: int, at: int, *functions: str, tid: int = MAIN) -> None:
    """A sample of some functions, innermost first."""
    made.add("COMPOSITE_EVENTS", number, at, 3, 1, thread(tid), 1)
    for depth, function in enumerate(functions):
        made.add("SAMPLING_CALLCHAINS", number, made.text(function), made.text(LIBRARY), 0, 0, 0, depth)


def os_call(made: Export, name: str, start: int, end: int, tid: int = MAIN) -> None:
    made.add("OSRT_API", start, end, 27, thread(tid), made.text(name), 0)


def switched(made: Export, *rows: tuple[int, int, int], tid: int = MAIN) -> None:
    """Switches of a thread: moment, CPU, whether it comes to it."""
    for at, cpu, comes in rows:
        made.add("SCHED_EVENTS", at, cpu, comes, thread(tid))


def opened(made: Export, folder: Path) -> Timeline:
    return open_timeline(open_profile(str(made.write(folder / "export.sqlite"))))


def tracks(timeline: Timeline) -> dict[str, list[list[tuple[int, int, str]]]]:
    """Events of the host's tracks, row by row, by kind and title."""
    lanes = all_events(timeline)
    return {
        f"{one['kind']}: {render(one['title'])}": [
            lanes[lane] for lane in range(one["first_lane"], one["first_lane"] + one["depths"])
        ]
        for one in timeline.answer_tracks()["tracks"]
        if one["section"] == "host"
    }


def test_each_has_a_track_below_its_thread(tmp_path: Path) -> None:
    made = training(2)
    os_call(made, "pthread_cond_wait", 1000, 3000)
    os_call(made, "read", 50_000, 51_000, tid=700)
    sampled(made, 1, 5000, "gemm", "main")
    sampled(made, 2, 6000)
    switched(made, (0, 1, 1), (100, 1, 0), (140, 2, 1), (200, 2, 1), (230, 2, 0))
    timeline = opened(made, tmp_path)
    assert timeline.origin_ns == 0
    found = tracks(timeline)
    assert [one for one in found if "operators" not in one and "other" not in one] == [
        "os_calls: main thread",
        "samples: main thread",
        "scheduling: main thread",
        "os_calls: thread 700",
    ]
    assert next(iter(found)).startswith("operators: main thread")
    assert found["os_calls: main thread"] == [[(1000, 3000, "pthread_cond_wait")]]
    assert found["samples: main thread"] == [[(5000, 5000, "gemm"), (6000, 6000, "(unattributed)")]]
    assert found["scheduling: main thread"] == [
        [
            (0, 100, "CPU 1"),
            (100, 140, "off CPU"),
            (140, 200, "unknown"),
            (200, 230, "CPU 2"),
            (230, 230, "off CPU"),
        ]
    ]


def test_a_thread_is_busy_while_it_is_on_a_cpu(tmp_path: Path) -> None:
    """Once a thread that slept all the time was 100 % busy: its track is full of time off the CPU."""
    made = training(2)
    switched(made, (0, 1, 1), (100, 1, 0), (5000, 2, 1), (5030, 2, 0))
    switched(made, (0, 1, 0), (9000, 1, 1), tid=900)
    listed = opened(made, tmp_path).answer_tracks()["tracks"]
    assert [one["busy_ns"] for one in listed if one["kind"] == "scheduling"] == [130, 0]


def test_where_no_switch_says_its_direction_nothing_is_known(tmp_path: Path) -> None:
    """An export whose column of directions has another name was shown as off the CPU all the time."""
    made = training(2)
    for at in (0, 100, 300):
        made.add("SCHED_EVENTS", at, 1, None, thread())
    found = tracks(opened(made, tmp_path))["scheduling: main thread"]
    assert found == [[(0, 100, "unknown"), (100, 300, "unknown"), (300, 300, "unknown")]]


def test_a_sample_has_its_stack_and_its_cpu(tmp_path: Path) -> None:
    made = training(2)
    sampled(made, 8, 5000, "cpu_gemm", "linear", "main")
    sampled(made, 9, 7000, "other")
    timeline = opened(made, tmp_path)
    track = next(one for one in ask(timeline, "tracks")["tracks"] if one["kind"] == "samples")
    event = ask(timeline, "event", lane=track["first_lane"], row=0)
    assert (event["kind"], event["name"], event["args"]) == ("sample", "cpu_gemm", {"cpu": 3})
    assert event["stack"] == [
        {"function": name, "file": "libtorch_cpu.so", "line": None} for name in ("cpu_gemm", "linear", "main")
    ]
    assert event["thread"] == f"{MAIN} / {MAIN}"
    assert ask(timeline, "search", q="cpu_gemm", limit=5)["total"] == 1


def test_what_lies_outside_the_program_is_said(tmp_path: Path) -> None:
    made = training(2)
    os_call(made, "fork", -5000, -4000)
    os_call(made, "poll", -100, 100)
    sampled(made, 1, 10_000_000, "exit")
    timeline = opened(made, tmp_path)
    notes = [render(note) for note in timeline.answer_tracks()["notes"]]
    said = "2 events of the operating system lie before the first event of the program or after its last one"
    assert notes == [f"{said}, outside the time shown"]


def random_export(dice: random.Random) -> Export:
    made = training(3)
    number = itertools.count(1)
    for tid in (MAIN, AUTOGRAD, 900):
        for _ in range(dice.randrange(20)):
            sampled(made, next(number), dice.randrange(290_000), *dice.sample("abcd", dice.randrange(4)), tid=tid)
            start = dice.randrange(280_000)
            os_call(made, dice.choice(("read", "poll")), start, start + dice.randrange(9000), tid=tid)
        times = sorted(dice.sample(range(290_000), dice.randrange(30)))
        rows = [(at, dice.randrange(3), dice.randrange(2)) for at in times]
        switched(made, *dice.sample(rows, len(rows)), tid=tid)
    return made


@pytest.mark.long
def test_whatever_was_recorded_is_shown(tmp_path: Path) -> None:
    for seed in range(6):
        made = random_export(random.Random(seed))
        timeline = opened(made, tmp_path)
        check_timeline(timeline, seed)
        shown = shown_rows(timeline)
        assert shown == timed_rows(timeline.profile) + wanted(made)


def wanted(made: Export) -> Counter[tuple[str, int, int]]:
    """Samples and scheduling, event by event from the rows of the export; they are on the clock of the recording."""
    texts: dict[int, str] = {number: text for text, number in made._texts.items()}
    found: Counter[tuple[str, int, int]] = Counter()
    inner: dict[Any, str] = {row[0]: texts[row[1]] for row in made.rows.get("SAMPLING_CALLCHAINS", []) if row[-1] == 0}  # type: ignore[index]
    for row in made.rows.get("COMPOSITE_EVENTS", []):
        found[inner.get(row[0], "(unattributed)"), row[1], row[1]] += 1  # type: ignore[index]
    threads = defaultdict(list)
    for at, cpu, comes, of in made.rows.get("SCHED_EVENTS", []):
        threads[of].append((at, comes, cpu))
    for rows in threads.values():
        rows.sort()  # type: ignore[type-var]
        for (at, comes, cpu), (until, then, _) in itertools.pairwise(rows):
            name = "unknown" if comes == then else f"CPU {cpu}" if comes else "off CPU"
            found[name, at, until] += 1  # type: ignore[index]
        at, comes, cpu = rows[-1]
        found[f"CPU {cpu}" if comes else "off CPU", at, at] += 1  # type: ignore[index]
    return found
