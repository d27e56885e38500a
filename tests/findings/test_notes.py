"""Notes, from which no saving is promised."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Event, Events, annotation, call, kernel, microseconds, opened, operator, step, timed
from made_steps import examined, examined_events, noted
from stepscope.findings.examination import Examination
from stepscope.findings.findings import findings
from stepscope.messages.rendering import render

GIB = 1 << 30


def work(at: int, number: int, *, length: int = 100_000) -> list[Events]:
    return [
        operator("aten::mm", at + 700_000, at + 800_000),
        call(at + 710_000, at + 715_000, number),
        kernel("k", at + 720_000, at + 720_000 + length, number),
    ]


def reserved(gib: float, size: int) -> dict[str, Event]:
    """A trace of a device of some size, of which some is reserved."""
    args = {"Bytes": 8, "Device Type": 1, "Device Id": 0, "Addr": 1, "Total Allocated": 8}
    args["Total Reserved"] = round(gib * GIB)
    place = {"pid": 1, "tid": 1, "ts": microseconds(1_000), "s": "t"}
    event = {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "args": args} | place
    return {"event": event, "head": {"deviceProperties": [{"id": 0, "totalGlobalMem": size * GIB}]}}


@pytest.mark.parametrize(("gib", "said"), [(38.0, True), (30.0, False)])
def test_memory_near_the_limit(tmp_path: Path, gib: float, said: bool) -> None:
    trace = reserved(gib, 40)
    one = noted(
        examined(tmp_path, lambda at, n: [*work(at, n), trace["event"]] if at == 0 else work(at, n), **trace["head"]),
        "memory-near-limit",
    )
    assert (one is not None) == said
    if one is not None:
        assert render(one.title) == "cuda:0: 38.0 GiB of 40.0 GiB reserved at the peak (95 %)"


def retried(at: int, number: int, name: str = "aten::empty") -> list[Events]:
    return [
        operator(name, at + 100_000, at + 300_000),
        call(at + 110_000, at + 200_000, number + 5, name="cudaFree"),
        call(at + 210_000, at + 290_000, number + 6, name="cudaMalloc"),
        *work(at, number),
    ]


def test_memory_given_back_to_get_other_memory(tmp_path: Path) -> None:
    one = noted(examined(tmp_path, retried), "allocator-retries")
    assert one is not None
    assert render(one.title) == "Caching-allocator retries (fragmentation) in 3 of 3 steps"


def test_memory_given_back_once_or_by_a_search_for_algorithms(tmp_path: Path) -> None:
    once = lambda at, n: retried(at, n) if at == 0 else work(at, n)  # noqa: E731
    assert noted(examined(tmp_path, once), "allocator-retries") is None
    searched = lambda at, n: retried(at, n, "aten::cudnn_convolution")  # noqa: E731
    assert noted(examined(tmp_path, searched), "allocator-retries") is None


def test_memory_asked_for_in_some_later_steps(tmp_path: Path) -> None:
    asked = lambda at, number: call(at + 1_000, at + 200_000, number + 5, name="cudaMalloc")  # noqa: E731
    some = lambda at, n: [*work(at, n), *([asked(at, n)] if at in {1_000_000, 3_000_000} else [])]  # noqa: E731
    one = noted(examined(tmp_path, some, steps=5), "allocator-growth")
    assert one is not None
    assert render(one.title) == "In 2 of the 4 steps after the first, the caching allocator calls cudaMalloc"
    first = lambda at, n: [*work(at, n), *([asked(at, n)] if at < 2_000_000 else [])]  # noqa: E731
    assert noted(examined(tmp_path, first, steps=5), "allocator-growth") is None


def uneven(folder: Path, lengths: list[int], *more: Events) -> Examination:
    """Steps of some lengths in ms, with work at the end of each."""
    begin, events = 0, list(more)
    for number, length in enumerate(lengths):
        end = begin + 1_000_000 * length
        events += [step(number, begin, end), *work(end - 1_000_000, 10 * number + 1)]
        begin = end
    return examined_events(folder, *events)


def test_a_step_that_waits_for_its_batch(tmp_path: Path) -> None:
    loading = annotation("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 2_000_000, 4_500_000)
    one = noted(uneven(tmp_path, [1, 1, 4, 1, 1], loading), "uneven-steps")
    assert one is not None
    assert render(one.title) == "1 of 5 steps (2) takes 4.00 ms, the others 1.00 ms: 2.50 ms more of data loading"


def test_of_many_long_steps_the_first_are_named(tmp_path: Path) -> None:
    """Five of six were listed as if they were all."""
    one = noted(uneven(tmp_path, [1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1]), "uneven-steps")
    assert one is not None
    assert render(one.title).startswith("6 of 13 steps (1, 3, 5, 7, 9, …) take 4.00 ms")


def test_a_step_that_collects_garbage(tmp_path: Path) -> None:
    collects = timed("python_function", "<built-in function collect>", 2_000_000, 4_000_000, process=1, thread=1)
    one = noted(uneven(tmp_path, [1, 1, 4, 1, 1], collects), "uneven-steps")
    assert one is not None
    assert render(one.title).endswith("2.00 ms more of garbage collection")


def test_a_long_step_without_anything_in_it(tmp_path: Path) -> None:
    one = noted(uneven(tmp_path, [1, 1, 4, 1, 1]), "uneven-steps")
    assert one is not None
    assert render(one.title) == (
        "1 of 5 steps (2) takes 4.00 ms, the others 1.00 ms: for 3.70 ms the CPU begins no operator and no call"
    )


def test_a_step_of_the_same_calls_that_take_longer(tmp_path: Path) -> None:
    """The host's clock slowed down: 120 operators in every step, in the long one four times as far apart."""
    begins = [0, 1_000_000, 2_000_000, 6_000_000, 7_000_000]
    calls = [
        operator("aten::add", begin + i * apart, begin + i * apart + apart // 2)
        for begin, apart in zip(begins, [5_000, 5_000, 20_000, 5_000, 5_000], strict=True)
        for i in range(120)
    ]
    one = noted(uneven(tmp_path, [1, 1, 4, 1, 1], *calls), "uneven-steps")
    assert one is not None
    assert render(one.title).endswith("ms: as many CPU calls, but each takes longer")


@pytest.mark.long
def test_calls_that_are_further_apart_are_not_longer(tmp_path: Path) -> None:
    """As many calls, each as long as ever, with pauses between them: "each takes longer" was wrong."""
    begins = [0, 1_000_000, 2_000_000, 6_000_000, 7_000_000]
    calls = [
        operator("aten::add", begin + i * apart, begin + i * apart + 2_000)
        for begin, apart in zip(begins, [5_000, 5_000, 20_000, 5_000, 5_000], strict=True)
        for i in range(120)
    ]
    one = noted(uneven(tmp_path, [1, 1, 4, 1, 1], *calls), "uneven-steps")
    assert one is not None
    assert render(one.title).endswith("ms: the recording does not show why")


@pytest.mark.long
def test_even_steps_and_few_steps(tmp_path: Path) -> None:
    for lengths in ([4, 4, 4, 5, 4], [1, 4, 1]):
        found = uneven(tmp_path, lengths)
        assert noted(found, "uneven-steps") is None
        assert noted(found, "first-step") is None


def test_a_first_step_that_takes_memory_from_the_driver(tmp_path: Path) -> None:
    one = noted(uneven(tmp_path, [3, 1, 1, 1], call(100_000, 1_900_000, 900, name="cudaMalloc")), "first-step")
    assert one is not None
    assert render(one.title) == (
        "The first recorded step, 0, takes 3.00 ms, the others 1.00 ms: 1.80 ms more of cudaMalloc and cudaFree"
    )


@pytest.mark.parametrize(
    ("name", "length", "said"),
    [
        ("Activity Buffer Request", 50_000, True),
        ("Activity Buffer Request", 5_000, False),
        ("Command Buffer Full", 50_000, False),
    ],
)
def test_work_of_the_profiler(tmp_path: Path, name: str, length: int, said: bool) -> None:
    """A full queue of launches is told in the same way, but the program waits for the GPU there."""

    def each(at: int, n: int) -> list[Events]:
        return [*work(at, n), timed("overhead", name, at, at + length, process=1, thread=1)]

    one = noted(examined(tmp_path, each), "profiler-overhead")
    assert (render(one.title) if one else "") == (
        "Profiler overhead of 50.0 us a step: Activity Buffer Request" if said else ""
    )


def test_recording_that_makes_steps_much_longer(tmp_path: Path) -> None:
    """300 frames of 3 us, most of which is the profiler's, against a step of few."""
    frames = lambda at: [  # noqa: E731
        timed("python_function", "f", at + 2_000 * i, at + 2_000 * i + 1_900, process=1, thread=1) for i in range(370)
    ]
    one = noted(examined(tmp_path, lambda at, n: [*work(at, n), *frames(at)]), "recorded-with-stacks")
    assert one is not None
    assert render(one.title).startswith("With stacks recorded, a step takes about ")
    assert noted(examined(tmp_path, work), "recorded-with-stacks") is None


def test_a_pause_in_one_step_is_not_the_profiler_s(tmp_path: Path) -> None:
    """The mean was compared: one step of four that took six times as long made it "4.0 times as long with stacks"."""

    def times(folder: Path, pause: int) -> float:
        folder.mkdir()
        starts = [0, 1_000_000, 2_000_000, 3_000_000 + pause]
        ends = [*starts[1:], starts[3] + 1_000_000]
        events = []
        for n, (start, end) in enumerate(zip(starts, ends, strict=True)):
            frames = [
                timed("python_function", "f", start + 2_000 * i, start + 2_000 * i + 1_900, process=1, thread=1)
                for i in range(370)
            ]
            events.append([step(n, start, end), *work(start, 100 * n + 1), *frames])
        found = noted(examined_events(folder, *events), "recorded-with-stacks")
        assert found is not None
        return float(dict(found.title.params)["times"])

    # Taking the usual overhead out of the paused step takes a little less.
    assert times(tmp_path / "paused", 5_000_000) == pytest.approx(times(tmp_path / "even", 0), rel=0.2)


def test_a_note_has_no_saving_in_the_table(tmp_path: Path) -> None:
    each = lambda at, n: [  # noqa: E731
        *work(at, n),
        timed("overhead", "Buffer Flush", at, at + 90_000, process=1, thread=1),
    ]
    events = [[step(n, n * 1_000_000, (n + 1) * 1_000_000), *each(n * 1_000_000, 100 * n + 1)] for n in range(3)]
    rows = [row for row in findings(opened(tmp_path, *events).profile).to_dicts() if row["severity"] == "note"]
    assert [row["id"] for row in rows] == ["profiler-overhead"]
    assert [rows[0][name] for name in ("saving_ns", "saving_pct", "method", "confidence")] == [None, None, None, ""]


def test_a_step_that_takes_no_time_without_the_profiler(tmp_path: Path) -> None:
    """How many times longer it took was asked, and ended in a division by zero."""
    profile = opened(
        tmp_path,
        step(1, 1, 2),
        operator("autograd::engine::evaluate_function: MmBackward0", 0, 1, thread=3),
        operator("aten::add", 1, 2, thread=3),
        call(1, 1, 1, thread=2),
        call(1, 1, 2, thread=2),
        timed("python_function", "train.py(1): f", 0, 1, process=1, thread=2),
    )
    assert profile.show("findings").is_empty()
