"""Waiting for data: fetches, what of them the GPU could have used, copies, and the verdict."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import Event, annotation, arrow, call, kernel, launched, memcpy, opened, operator, rows, step, timed
from stepscope.analyses.data_loading.data_loading import may_load

MS = 1_000_000
NEXT = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
ALONE = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
PAGEABLE = "Memcpy HtoD (Pageable -> Device)"
WAITS = ("step", "fetches", "wait_ns", "exposed_ns", "hidden_ns", "idle_ns")


def frame(name: str, start: int, end: int, thread: int = 1) -> Event:
    return timed("python_function", name, start, end, process=1, thread=thread)


def test_a_wait_is_exposed_as_far_as_the_gpu_is_idle(tmp_path: Path) -> None:
    """Queued work hides the first 30 of 50 ns of waiting. Then the host takes 15 ns until its first launch, and the
    launch 5 more: these are idle, but no batch would have spared them."""
    profile = opened(
        tmp_path,
        step(1, 0, 200),
        launched(kernel("earlier", 10, 80, 1), at=5),
        annotation(NEXT, 50, 100),
        launched(kernel("gemm", 120, 180, 2), at=115),
    )
    assert profile.show("data_loading").select(*WAITS, "share_pct", "empty", "step_ns").rows() == [
        (1, 1, 50, 40, 10, 40, 20.0, 0, 200)
    ]


def test_idle_after_a_short_wait_is_not_exposed(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 200), annotation(NEXT, 50, 60), launched(kernel("gemm", 120, 180, 2), at=115))
    assert rows(profile.show("data_loading"), *WAITS) == [(1, 1, 10, 10, 0, 70)]


def test_a_wait_hidden_by_queued_work_is_not_exposed(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 200),
        launched(kernel("long", 10, 150, 1), at=5),
        annotation(NEXT, 50, 100),
        launched(kernel("next", 150, 180, 2), at=115),
    )
    assert rows(profile.show("data_loading"), *WAITS) == [(1, 1, 50, 0, 50, 0)]


def test_the_last_fetch_ends_its_own_window(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 200), launched(kernel("gemm", 10, 20, 1), at=5), annotation(NEXT, 50, 90))
    assert rows(profile.show("data_loading"), *WAITS) == [(1, 1, 40, 40, 0, 40)]


def test_fetches_without_a_launch_between_them_share_no_idle_time(tmp_path: Path) -> None:
    """As where a trainer fetches the batches of all micro steps at once."""
    profile = opened(
        tmp_path,
        step(1, 0, 200),
        annotation(NEXT, 10, 30),
        annotation(NEXT, 40, 70),
        launched(kernel("gemm", 100, 180, 2), at=95),
    )
    assert rows(profile.show("data_loading"), *WAITS) == [(1, 2, 50, 50, 0, 90)]


def test_nested_ranges_are_one_fetch(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 200), annotation(NEXT, 10, 60), annotation(NEXT, 20, 40))
    assert rows(profile.show("data_loading"), *WAITS) == [(1, 1, 50, 50, 0, None)]


def test_ranges_on_other_threads_and_the_gpu_are_no_waits(tmp_path: Path) -> None:
    """A thread that fetches ahead holds nobody back; the GPU-side twin of a range is none."""
    twin = timed("gpu_user_annotation", NEXT, 20, 90, process=0, thread=7)
    profile = opened(
        tmp_path,
        step(1, 0, 200),
        annotation(NEXT, 10, 60, thread=2),
        twin,
        launched(kernel("gemm", 100, 180, 2), at=95),
    )
    assert rows(profile.show("data_loading"), "fetches", "wait_ns", "verdict") == [(0, 0, "not the problem")]
    assert "other threads" in profile.notes("data_loading")[-1]


def test_time_in_cuda_calls_is_no_waiting_for_data(tmp_path: Path) -> None:
    """A range that copies to the GPU waits there for all work before it, and the GPU for the network."""
    profile = opened(
        tmp_path,
        step(1, 0, 200),
        annotation("load_batch", 10, 110),
        call(20, 100, 3, name="cudaStreamSynchronize"),
        launched(kernel("gemm", 130, 180, 2), at=120),
    )
    assert rows(profile.show("data_loading"), *WAITS, "calls_ns") == [(1, 1, 100, 20, 80, 120, 80)]


def test_a_fetch_between_two_steps_belongs_to_the_second(tmp_path: Path) -> None:
    """Annotated steps leave the loader outside; of the fetches before the first one the last counts."""
    events = [annotation("train", 1000 * i, 1000 * i + 700) for i in range(1, 5)]
    loads = [annotation(ALONE, 1000 * i - 200, 1000 * i - 100) for i in range(1, 6)]
    profile = opened(tmp_path, events, annotation(ALONE, 10, 500), loads)
    assert rows(profile.show("data_loading"), "step", "fetches", "wait_ns", "step_ns") == [
        (0, 1, 100, 900),
        (1, 1, 100, 900),
        (2, 1, 100, 900),
        (3, 1, 100, 900),
    ]


def test_copies_to_the_gpu(tmp_path: Path) -> None:
    """A copy of 30 ns of which 10 lie under a kernel; the host is in aten::copy_ for 40, and in a bare call for 2."""
    first = memcpy(100, 130, 1, name=PAGEABLE, bytes=4000)
    second = memcpy(140, 145, 2, bytes=500)
    profile = opened(
        tmp_path,
        step(1, 0, 300),
        annotation(NEXT, 10, 20),
        operator("aten::copy_", 90, 130),
        launched(first, at=95),
        launched(second, at=135),
        launched(memcpy(150, 160, 3, name="Memcpy DtoH (Device -> Pinned)", bytes=99), at=147),
        kernel("gemm", 120, 128),
    )
    columns = ("h2d_bytes", "h2d_pageable_bytes", "h2d_copy_ns", "h2d_exposed_ns", "h2d_host_ns")
    assert rows(profile.show("data_loading"), *columns) == [(4500, 4000, 35, 27, 42)]


def test_copies_of_rocm_do_not_say_what_memory_they_read(tmp_path: Path) -> None:
    copy = memcpy(100, 130, 1, name="CopyHostToDevice", bytes=4000)
    profile = opened(tmp_path, step(1, 0, 300), annotation(NEXT, 10, 20), launched(copy, at=50))
    columns = ("h2d_bytes", "h2d_pageable_bytes", "h2d_copy_ns", "verdict")
    assert rows(profile.show("data_loading"), *columns) == [(4000, None, 30, "transfer")]


def _training(wait: int, workers: str = NEXT, copy: int = 0, steps: int = 6) -> list[object]:
    """Steps of 100 ms, each with a fetch and a copy before its work."""
    events: list[object] = []
    for i in range(steps):
        start = 100 * MS * i
        busy = start + wait + 10_000
        transfer = memcpy(busy, busy + copy, 2 * i + 1, name=PAGEABLE, bytes=10**6)
        work = kernel("gemm", busy + copy, start + 99 * MS, 2 * i + 2)
        events += [step(i, start, start + 100 * MS), annotation(workers, start + 10, start + 10 + wait)]
        events += [launched(transfer, at=busy - 5), launched(work, at=busy - 2), operator("aten::mm", busy, busy + 9)]
    return events


@pytest.mark.parametrize(
    ("wait", "copy", "workers", "verdict"),
    [
        (40 * MS, 0, NEXT, "processing"),
        (4 * MS, 0, NEXT, "not the problem"),
        (40 * MS, 0, ALONE, "processing"),
        (10 * MS, 30 * MS, NEXT, "transfer"),
        (30 * MS, 10 * MS, NEXT, "processing"),
        (0, 4 * MS, NEXT, "not the problem"),
    ],
)
def test_verdict(tmp_path: Path, wait: int, copy: int, workers: str, verdict: str) -> None:
    table = opened(tmp_path, _training(wait, workers, copy)).show("data_loading", by="rank")
    assert rows(table, "step", "fetches", "verdict") == [(None, 6, verdict)]


def test_the_verdict_in_words(tmp_path: Path) -> None:
    notes = [
        opened(tmp_path, _training(*case)).notes("data_loading")[0] for case in ((40 * MS, ALONE), (2 * MS, NEXT, 9))
    ]
    notes.append(opened(tmp_path, _training(10 * MS, NEXT, 30 * MS)).notes("data_loading")[0])
    processing, fine, transfer = notes
    assert processing == (
        "input processing delays the steps: 40.0 ms of 100 ms per step (40 %) the GPU is idle because the "
        "next batch is not ready: the main process makes the batches itself (num_workers=0)"
    )
    assert fine == (
        "data loading is not the bottleneck: 2.0 % of the step waits for a batch and <0.1 % is exposed copies to the "
        "GPU (threshold 5 %)"
    )
    assert transfer == (
        "copies to the GPU delay the steps: 30.0 ms of 100 ms per step (30 %) nothing computes while a copy runs; "
        "100 % of the bytes come from pageable memory"
    )


def test_many_short_waits_are_the_hand_over(tmp_path: Path) -> None:
    """No fetch is long enough to have found no batch, and yet together they take 15 % of the step."""
    events: list[object] = []
    for i in range(4):
        start = 100 * MS * i
        events.append(step(i, start, start + 100 * MS))
        for k in range(10):
            at = start + k * 10 * MS
            events += [annotation(NEXT, at, at + 1_500_000), operator("aten::mm", at + 2 * MS, at + 3 * MS)]
    table = opened(tmp_path, events).show("data_loading", by="rank")
    assert rows(table, "fetches", "empty", "share_pct", "verdict") == [(40, 0, 15.0, "hand-over")]


@pytest.mark.parametrize(("name", "verdict"), [("wait", "processing"), ("recv_bytes", "hand-over")])
@pytest.mark.parametrize("pins", [False, True])
def test_stacks_tell_slow_workers_from_slow_hand_over(tmp_path: Path, name: str, verdict: str, pins: bool) -> None:
    """With pinned memory a thread of its own takes the batches, and the main thread only waits for that one."""
    taker = 5 if pins else 1
    events: list[object] = []
    for i in range(4):
        start = 100 * MS * i
        events += [
            step(i, start, start + 100 * MS),
            annotation(NEXT, start, start + 40 * MS),
            frame(f"multiprocessing/connection.py(1122): {name}", start, start + 38 * MS, taker),
            frame("multiprocessing/connection.py(1122): wait", start + 39 * MS, start + 40 * MS, taker),
        ]
    if pins:
        events.append(frame("torch/utils/data/_utils/pin_memory.py(52): _pin_memory_loop", 0, 400 * MS, 5))
        events.append(frame("multiprocessing/connection.py(1122): wait", 0, 400 * MS, 9))
    table = opened(tmp_path, events).show("data_loading", by="rank")
    handed = 4 * (1 if name == "wait" else 39) * MS
    assert rows(table, "verdict", "handover_ns") == [(verdict, handed)]


@pytest.mark.parametrize(
    "name",
    [
        "[pl][profile][_TrainingEpochLoop].train_dataloader_next",
        "[pl][profile]get_train_batch",
        "data_loading",
        "DataLoader",
        "## data_load ##",
        "get_batch",
        "Load batch 17",
        "fetch_next_batch",
        "enumerate(DataPipe)#Shuffler",
    ],
)
def test_usual_names_of_annotations_are_loaders(tmp_path: Path, name: str) -> None:
    profile = opened(tmp_path, step(1, 0, 100), annotation(name, 10, 60), annotation("forward", 60, 90))
    assert rows(profile.show("data_loading"), "fetches", "wait_ns", "workers") == [(1, 50, None)]
    assert profile.notes("data_loading")[-1] == f"recognized as the data loader by name: {name}"


@pytest.mark.parametrize(
    "name", ["forward", "batch 3", "train", "upload_data_to_s3", "Optimizer.step#Adam.step", "input"]
)
def test_other_names_are_none(tmp_path: Path, name: str) -> None:
    profile = opened(tmp_path, step(1, 0, 100), annotation(name, 10, 60))
    assert len(profile.show("data_loading")) == 0
    assert profile.notes("data_loading")[0].startswith("no rows: no data loader was found")


def test_frames_of_known_loaders(tmp_path: Path) -> None:
    dali = "nvidia/dali/plugin/pytorch/__init__.py(300): __next__"
    profile = opened(tmp_path, step(1, 0, 100), frame(dali, 10, 60), frame("train.py(3): __next__", 60, 90))
    assert rows(profile.show("data_loading"), "fetches", "wait_ns") == [(1, 50)]


def test_without_a_loader_copies_can_still_hold_the_steps_back(tmp_path: Path) -> None:
    copy = memcpy(10, 60, 1, name=PAGEABLE, bytes=4000)
    profile = opened(tmp_path, step(1, 0, 100), launched(copy, at=5), operator("aten::mm", 1, 90))
    assert rows(profile.show("data_loading"), "fetches", "wait_ns", "exposed_ns", "verdict") == [
        (None, None, None, "transfer")
    ]
    assert profile.notes("data_loading")[1].startswith("no data loader was found")


@pytest.mark.parametrize(("copied", "seen"), [(60, True), (3, False)])
def test_that_a_table_is_empty_is_seen_without_making_it(tmp_path: Path, copied: int, seen: bool) -> None:
    """The rail leaves its page out then: it must not where copies alone hold the steps back, or a loader has a name."""
    copy = launched(memcpy(10, 10 + copied, 1, name=PAGEABLE, bytes=4000), at=5)
    profile = opened(tmp_path, step(1, 0, 100), copy, operator("aten::mm", 1, 90))
    assert may_load(profile.profile.ranks[0]) is seen
    assert (len(profile.show("data_loading")) > 0) is seen
    (tmp_path / "named").mkdir()
    named = opened(tmp_path / "named", step(1, 0, 100), annotation("get_batch", 10, 60))
    assert may_load(named.profile.ranks[0])


def test_a_new_epoch_is_left_out_of_the_verdict(tmp_path: Path) -> None:
    """The fetch of step 2 is in vain, an iterator is made (PyTorch draws a seed), and its first batch takes long.

    Numbers drawn inside another operator are no seed.
    """
    change = [
        annotation(NEXT, 2010 * MS, 2012 * MS),
        operator("aten::empty", 2013 * MS, 2014 * MS),
        operator("aten::random_", 2015 * MS, 2016 * MS),
        operator("aten::item", 2016 * MS, 2017 * MS),
        annotation(NEXT, 2050 * MS, 2500 * MS),
    ]
    usual = [annotation(NEXT, (1000 * i + 10) * MS, (1000 * i + 20) * MS) for i in (0, 1, 3, 4)]
    steps = [step(i, 1000 * i * MS, 1000 * (i + 1) * MS) for i in range(5)]
    work = [operator("aten::mm", (1000 * i + 600) * MS, (1000 * i + 700) * MS) for i in range(5)]
    draws = [(1000 * i + 800) * MS for i in range(5)]
    drawn = [[operator("aten::randint", at, at + 90), operator("aten::random_", at + 20, at + 50)] for at in draws]
    profile = opened(tmp_path, steps, usual, change, work, drawn)
    table = profile.show("data_loading")
    assert table["epoch_ns"].to_list() == [0, 0, 490 * MS, 0, 0]
    assert rows(table, "wait_ns", "share_pct")[2] == (452 * MS, 0.0)
    assert profile.show("data_loading", by="rank")["share_pct"].to_list() == [pytest.approx(100 * 40 / 4510)]
    assert "one epoch boundary of 490 ms; the verdict excludes that time" in profile.notes("data_loading")


def test_numbers_drawn_in_every_step_are_no_epochs(tmp_path: Path) -> None:
    events: list[object] = []
    for i in range(5):
        start = 1000 * i
        events += [step(i, start, start + 1000), annotation(NEXT, start + 10, start + 300)]
        events += [
            operator("aten::random_", start + 400, start + 410),
            operator("aten::item", start + 410, start + 420),
        ]
    table = opened(tmp_path, events).show("data_loading")
    assert table["epoch_ns"].to_list() == [0] * 5
    assert table["share_pct"].to_list() == [29.0] * 5


def test_without_steps_the_whole_trace_is_one_row(tmp_path: Path) -> None:
    fetches = [annotation(ALONE, 100 * MS * i, 100 * MS * i + 20 * MS) for i in range(5)]
    work = [operator("aten::mm", 100 * MS * i + 20 * MS, 100 * MS * i + 90 * MS) for i in range(5)]
    table = opened(tmp_path, fetches, work).show("data_loading")
    assert rows(table, "step", "fetches", "wait_ns", "empty", "workers", "verdict") == [
        (0, 5, 100 * MS, 5, "single-process", "processing")
    ]


def test_a_selected_step_keeps_its_numbers(tmp_path: Path) -> None:
    profile = opened(tmp_path, _training(30 * MS))
    whole = profile.show("data_loading")
    assert profile.show("data_loading", step=3).rows() == whole.rows()[3:4]
    assert profile.show("data_loading", step=3, by="rank")["wait_ns"].to_list() == [30 * MS]


def test_launches_known_by_flow_only(tmp_path: Path) -> None:
    """Without correlations the first activity after the fetch is found all the same."""
    start, work = call(110, 112, 0), kernel("gemm", 120, 180)
    profile = opened(tmp_path, step(1, 0, 200), annotation(NEXT, 50, 100), start, work, arrow(4, start, work))
    assert rows(profile.show("data_loading"), "exposed_ns", "idle_ns") == [(50, 70)]


@pytest.mark.long
@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(0, 900), st.integers(1, 200)), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(0, 900), st.integers(0, 80), st.integers(0, 200)), max_size=8),
    st.randoms(use_true_random=False),
)
def test_parts_sum_to_the_wait_in_any_order(
    tmp_path_factory: pytest.TempPathFactory,
    waits: list[tuple[int, int]],
    work: list[tuple[int, int, int]],
    order: random.Random,
) -> None:
    events: list[Event] = [step(i, 250 * i, 250 * i + 250) for i in range(5)]
    events += [annotation(NEXT, at, at + length) for at, length in waits]
    for number, (at, delay, length) in enumerate(work, 1):
        events += launched(kernel("k", at + delay, at + delay + length, number), at=at)
    folder = tmp_path_factory.mktemp("loading")
    table = opened(folder, events).show("data_loading")
    order.shuffle(events)
    assert opened(folder, events).show("data_loading").equals(table)
    assert ((table["exposed_ns"] + table["hidden_ns"]) == table["wait_ns"]).all()
    assert table["exposed_ns"].min() >= 0
    assert table["hidden_ns"].min() >= 0
    if work:
        assert (table["exposed_ns"] <= table["idle_ns"]).all()
    covered = {moment for at, length in waits for moment in range(at, at + length)}
    assert table["wait_ns"].sum() == len(covered)
